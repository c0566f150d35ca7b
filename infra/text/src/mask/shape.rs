//! Personal data by their shape, in whatever text and field they stand: what logs keep was typed by people, who look for
//! others by their numbers.
//!
//! In doubt a text is masked: a log loses little by it, and cannot be changed when it shows too much.

use std::{borrow::Cow, sync::LazyLock};

use chrono::NaiveDate;
use regex::{Match, Regex};
use uuid::Uuid;

use super::{bank_card, email, id_card, landline, phone};

/// The fewest digits that any of the numbers has.
const FEWEST: usize = 11;
/// Digests, keys of files and numbers of requests have runs of digits by chance.
const CODE: usize = 32;
const HEX_CODE: usize = 16;

static MAIL: LazyLock<Regex> = LazyLock::new(|| pattern(r"[\p{L}\p{N}._%+'-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+"));
static RUN: LazyLock<Regex> = LazyLock::new(|| pattern(r"[0-9]{11,}[Xx]?"));
/// Numbers as people group them.
static GROUPED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"[0-9]{6}[ -][0-9]{8}[ -][0-9]{3}[0-9Xx]|[0-9]{4}(?:[ -][0-9]{4}){3}(?:[ -][0-9]{1,3})?|[0-9]{3}[ -][0-9]{4}[ -]?[0-9]{4}|0[0-9]{2,3}-[0-9]{7,8}",
    )
});

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a constant of this file")
}

/// The text with every 证件号, 手机, 固定电话, 银行卡 and 邮箱 in it masked.
pub fn shapes(text: &str) -> Cow<'_, str> {
    let digits = text.chars().filter(|sign| is_digit(*sign)).count();
    let mail = text.contains(['@', '＠']);
    if (digits < FEWEST && !mail) || Uuid::try_parse(text).is_ok() {
        return Cow::Borrowed(text);
    }
    let plain: String = text.chars().map(narrow).collect();
    let mut masked = plain.clone();
    if mail {
        masked = replaced(&MAIL, &masked, |_, found| Some(email(found.as_str())));
    }
    masked = replaced(&RUN, &masked, run);
    masked = replaced(&GROUPED, &masked, grouped);
    if masked == plain { Cow::Borrowed(text) } else { Cow::Owned(masked) }
}

fn is_digit(sign: char) -> bool {
    sign.is_ascii_digit() || ('０'..='９').contains(&sign)
}

/// Full-width signs hide nothing.
fn narrow(sign: char) -> char {
    match sign {
        '０'..='９' | 'Ｘ' | 'ｘ' | '＠' => char::from_u32(u32::from(sign) - 0xFEE0).unwrap_or(sign),
        other => other,
    }
}

fn replaced(pattern: &Regex, text: &str, mask: impl Fn(&str, &Match<'_>) -> Option<String>) -> String {
    let (mut masked, mut kept, mut from) = (String::with_capacity(text.len()), 0, 0);
    while let Some(found) = pattern.find_at(text, from) {
        match mask(text, &found) {
            Some(stars) => {
                masked.push_str(&text[kept..found.start()]);
                masked.push_str(&stars);
                kept = found.end();
                from = found.end();
            }
            // What looks alike may begin one sign later.
            None => from = found.start() + 1,
        }
    }
    masked.push_str(&text[kept..]);
    masked
}

/// Digits without anything between them.
fn run(text: &str, found: &Match<'_>) -> Option<String> {
    if text[..found.start()].ends_with(|sign: char| sign.is_ascii_digit()) {
        return None;
    }
    let whole = found.as_str();
    let digits = whole.trim_end_matches(['X', 'x']);
    if digits.len() == 17 && digits.len() < whole.len() && was_born(&digits[6..14]) {
        return Some(id_card(whole));
    }
    let masked = if is_of_a_code(text, found) { inside(digits) } else { number(digits).or_else(|| inside(digits)) };
    masked.map(|masked| masked + &whole[digits.len()..])
}

/// A run of digits that is one of the numbers.
fn number(digits: &str) -> Option<String> {
    match digits.len() {
        11 if is_mobile(digits) => Some(phone(digits)),
        12 | 13 | 15 if ["0", "86", "0086"].contains(&&digits[..digits.len() - 11]) => {
            let (before, mobile) = digits.split_at(digits.len() - 11);
            is_mobile(mobile).then(|| format!("{before}{}", phone(mobile)))
        }
        15 if of_a_province(digits) && was_born(&format!("19{}", &digits[6..12])) => Some(id_card(digits)),
        18 if was_born(&digits[6..14]) => Some(id_card(digits)),
        16..=19 if luhn(digits) => Some(bank_card(digits)),
        _ => None,
    }
}

/// Numbers that were written one behind the other, or in the midst of other digits.
fn inside(digits: &str) -> Option<String> {
    let id = (0..digits.len().saturating_sub(17)).find(|at| {
        let window = &digits[*at..*at + 18];
        of_a_province(window) && was_born(&window[6..14]) && checks(window)
    });
    if let Some(at) = id {
        let part = |digits: &str| {
            if digits.len() < FEWEST { None } else { number(digits).or_else(|| inside(digits)) }
                .unwrap_or_else(|| digits.to_owned())
        };
        return Some(part(&digits[..at]) + &id_card(&digits[at..at + 18]) + &part(&digits[at + 18..]));
    }
    let mobiles: Vec<&str> = (0..digits.len() / 11).map(|n| &digits[n * 11..n * 11 + 11]).collect();
    let all = digits.len() > 11 && digits.len().is_multiple_of(11) && mobiles.iter().all(|mobile| is_mobile(mobile));
    all.then(|| mobiles.into_iter().map(phone).collect())
}

/// Digits in groups. A date and a time beside each other are none of these.
fn grouped(text: &str, found: &Match<'_>) -> Option<String> {
    let digit = |sign: char| sign.is_ascii_digit();
    if text[..found.start()].ends_with(digit) || text[found.end()..].starts_with(digit) {
        return None;
    }
    let whole = found.as_str();
    let joined: String = whole.chars().filter(char::is_ascii_alphanumeric).collect();
    match joined.len() {
        11 if is_mobile(&joined) => Some(phone(&joined)),
        18 if joined.is_ascii() && was_born(&joined[6..14]) => Some(id_card(&joined)),
        16..=19 if joined.bytes().all(|byte| byte.is_ascii_digit()) && luhn(&joined) => Some(bank_card(&joined)),
        10..=12 if whole.starts_with('0') && whole.contains('-') => Some(landline(whole)),
        _ => None,
    }
}

/// Whether the run stands in a digest, a file's key or a request's number.
fn is_of_a_code(text: &str, found: &Match<'_>) -> bool {
    let of_word = |sign: &char| sign.is_ascii_alphanumeric();
    let before = text[..found.start()].chars().rev().take_while(of_word).count();
    let behind = text[found.end()..].chars().take_while(of_word).count();
    let word = &text[found.start() - before..found.end() + behind];
    let hex = word.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    before + behind > 0 && (word.len() >= CODE || hex && word.len() >= HEX_CODE)
}

fn is_mobile(digits: &str) -> bool {
    digits.len() == 11 && digits.starts_with('1') && (b'3'..=b'9').contains(&digits.as_bytes()[1])
}

/// Whether `yyyyMMdd` is a day on which somebody may have been born.
fn was_born(day: &str) -> bool {
    let part = |from: usize, to: usize| day[from..to].parse::<u32>().ok();
    let (Some(year), Some(month), Some(date)) = (part(0, 4), part(4, 6), part(6, 8)) else { return false };
    (1880..=2100).contains(&year)
        && i32::try_from(year).is_ok_and(|year| NaiveDate::from_ymd_opt(year, month, date).is_some())
}

fn of_a_province(digits: &str) -> bool {
    matches!(digits[..2].parse(), Ok(11..=15 | 21..=23 | 31..=37 | 41..=46 | 50..=54 | 61..=65 | 71 | 81..=83 | 91))
}

/// The check digit of a number of 18 digits (GB 11643).
fn checks(digits: &str) -> bool {
    const WEIGHTS: [u32; 17] = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
    const LAST: &[u8; 11] = b"10X98765432";
    let sum: u32 = digits.bytes().zip(WEIGHTS).map(|(digit, weight)| u32::from(digit - b'0') * weight).sum();
    digits.as_bytes()[17] == LAST[(sum % 11) as usize]
}

fn luhn(digits: &str) -> bool {
    let doubled = |digit: u32| if digit > 4 { digit * 2 - 9 } else { digit * 2 };
    let sum: u32 = digits
        .bytes()
        .rev()
        .enumerate()
        .map(|(place, byte)| (place, u32::from(byte - b'0')))
        .map(|(place, digit)| if place % 2 == 1 { doubled(digit) } else { digit })
        .sum();
    sum.is_multiple_of(10)
}

#[cfg(test)]
mod tests {
    use rand_chacha::{
        ChaCha20Rng,
        rand_core::{Rng, SeedableRng},
    };

    use super::*;

    #[test]
    fn each_number_is_masked_wherever_it_stands() {
        for (text, masked) in [
            ("110101199011279026", "110***********9026"),
            ("11010119901127902X", "110***********902X"),
            ("查110101199011279026的成绩", "查110***********9026的成绩"),
            ("id=110101199011279026&x=1", "id=110***********9026&x=1"),
            ("a110101199011279026b", "a110***********9026b"),
            ("110101 19901127 9026", "110***********9026"),
            ("１１０１０１１９９０１１２７９０２６", "110***********9026"),
            ("110101901127902", "11***02"),
            ("13800138000", "138****8000"),
            ("电话13800138000，微信wx13900139000", "电话138****8000，微信wx139****9000"),
            ("+8613800138000", "+86138****8000"),
            ("138 0013 8000", "138****8000"),
            ("138-0013-8000", "138****8000"),
            ("027-87654321", "027-8765****"),
            ("6222021001116245702", "**** **** **** 5702"),
            ("6222 0210 0111 6245 702", "**** **** **** 5702"),
            ("联系 zhang.wei@example.com。", "联系 z***@example.com。"),
            ("zhang＠例子.中国", "z***@例子.中国"),
            ("1380013800013900139000", "138****8000139****9000"),
            ("13800138000110101199011279026", "138****8000110***********9026"),
        ] {
            assert_eq!(shapes(text), masked, "{text}");
            assert_eq!(shapes(masked), masked, "masked twice");
        }
    }

    #[test]
    fn what_is_no_number_of_a_person_stays() {
        for text in [
            "",
            "2026-11-23 13:00:00",
            "2026-11-23 2026-12-31",
            "站点_20261123131345.xlsx",
            "1795439623000",
            "2600000000",
            "4f0c13800138000a9b1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a6978",
            "3fa85f64-5717-4562-b3fc-13800138000a",
            "private/s1/202611/abc13800138000defghijklmnopqrstu.pdf",
            "张晓梅 @ 城东站",
            "12345678901",
        ] {
            assert_eq!(shapes(text), text);
        }
    }

    /// Numbers made by their rules, between whatever stands around them.
    #[test]
    fn no_number_that_is_made_by_its_rule_passes() {
        let mut random = ChaCha20Rng::seed_from_u64(69);
        let mut below = |most: u32| random.next_u32() % most;
        for _ in 0..5_000 {
            let day = NaiveDate::from_ymd_opt(1930, 1, 1).expect("a day") + chrono::Days::new(u64::from(below(30_000)));
            let body = format!("{}0101{}{:03}", [11, 42, 65, 81][below(4) as usize], day.format("%Y%m%d"), below(1000));
            let sum: u32 = body
                .bytes()
                .zip([7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2])
                .map(|(digit, weight)| u32::from(digit - b'0') * weight)
                .sum();
            let id = format!("{body}{}", ["1", "0", "X", "9", "8", "7", "6", "5", "4", "3", "2"][(sum % 11) as usize]);
            let mobile = format!("1{}{:09}", 3 + below(7), below(1_000_000_000));
            let card = format!("622202{:09}", below(1_000_000_000));
            let card = (0..10).map(|last| format!("{card}{last}")).find(|card| luhn(card)).expect("one of ten");
            let mail = format!("u{}@example.com", below(100_000));
            let around = ["", "查", "（", "：", " ", "/", "\"", "、", "keyword=", "\n"];
            for number in [&id, &mobile, &card, &mail] {
                let (before, behind) = (around[below(10) as usize], around[below(8) as usize]);
                let text = format!("{before}{number}{behind}");
                let masked = shapes(&text);
                assert!(!masked.contains(number.as_str()), "{text}");
                assert_eq!(shapes(&masked), masked);
            }
        }
    }
}
