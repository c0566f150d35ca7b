//! 证件号: the check of identity numbers (part 02 §0.3, GB 11643).
//!
//! Numbers are normalised before they are stored or compared. The server's answer decides; the console and every
//! import run the same rules.

use chrono::{Datelike, NaiveDate};
use infra::{Error, Result as Answer, enumeration};

enumeration! {
    /// 证件类型
    pub enum IdCardType = "idCardType" {
        ResidentId = "resident_id" "居民身份证",
        HmtResidence = "hmt_residence" "港澳台居民居住证",
        HkMacauPermit = "hk_macau_permit" "港澳居民来往内地通行证",
        TaiwanPermit = "taiwan_permit" "台湾居民来往大陆通行证",
        ForeignPermanent = "foreign_permanent" "外国人永久居留身份证",
        Passport = "passport" "护照",
        // Only in imported old data.
        MilitaryId = "military_id" "军官证",
    }
}

enumeration! {
    /// 性别
    pub enum Gender = "gender" {
        Male = "male" "男",
        Female = "female" "女",
    }
}

/// A number that passed, with what it says about the person or what was typed beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdCard {
    pub number: String,
    pub birthday: Option<NaiveDate>,
    pub gender: Option<Gender>,
}

/// What was typed beside the number; an empty field is filled from the number.
#[derive(Debug, Clone, Copy, Default)]
pub struct Typed {
    pub birthday: Option<NaiveDate>,
    pub gender: Option<Gender>,
}

/// Why a number is refused. The first five sentences are the specification's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum IdCardError {
    #[error("身份证号长度应为18位")]
    Length,
    #[error("身份证号校验位错误，应为{0}")]
    CheckDigit(char),
    #[error("身份证号中的出生日期无效")]
    Birthday,
    #[error("性别与身份证号不符")]
    GenderDiffers,
    #[error("出生日期与身份证号不符")]
    BirthdayDiffers,
    #[error("身份证号只能是17位数字加1位数字或X")]
    Characters,
    #[error("身份证号前两位不是有效的地区代码")]
    Province,
    #[error("港澳台居民居住证号应以81、82或83开头")]
    HmtPrefix,
    #[error("外国人永久居留身份证号应以9开头")]
    ForeignPrefix,
    #[error("证件号应为5至20位字母或数字")]
    OtherShape,
    #[error("入学时未满15周岁")]
    TooYoung,
}

impl IdCardError {
    /// The field that the sentence belongs to, as the wire names it.
    pub fn field(self) -> &'static str {
        match self {
            IdCardError::GenderDiffers => "gender",
            IdCardError::BirthdayDiffers => "birthday",
            _ => "idCardNo",
        }
    }
}

/// An age that is allowed but deserves a second look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AgeWarning {
    #[error("入学时未满17周岁，请核对")]
    Young,
    #[error("入学时超过70周岁，请核对")]
    Old,
}

/// Digits 1–2 that were ever given to a province, to Hong Kong, Macao and Taiwan, or to foreigners (part 02 §0.3).
const PROVINCES: [u32; 35] = [
    11, 12, 13, 14, 15, 21, 22, 23, 31, 32, 33, 34, 35, 36, 37, 41, 42, 43, 44, 45, 46, 50, 51, 52, 53, 54, 61, 62, 63,
    64, 65, 71, 81, 82, 83,
];
/// 91 belongs to the same list, and opens the numbers of foreign permanent residents.
const FOREIGNERS: u32 = 91;

const WEIGHTS: [u32; 17] = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
const CHECKS: [char; 11] = ['1', '0', 'X', '9', '8', '7', '6', '5', '4', '3', '2'];

/// Brings a number into the shape in which it is stored and compared: trimmed, upper case, half width, and 15 digits
/// of an old resident's card turned into 18 (part 02 §0.2, §0.3.5).
pub fn normalise(kind: IdCardType, text: &str) -> String {
    let folded = fold(text);
    match kind {
        IdCardType::ResidentId | IdCardType::HmtResidence => expand(&folded).unwrap_or(folded),
        _ => folded,
    }
}

/// Trimmed, upper case, half width: what every number is, whatever the document.
pub fn fold(text: &str) -> String {
    text.chars().map(half_width).collect::<String>().trim().to_uppercase()
}

/// Turns the 15 digits of an old card into 18: 19 after digit 6, then the check digit (part 02 §0.3.5).
/// Anything but 15 digits has no such form.
pub fn expand(folded: &str) -> Option<String> {
    if folded.len() != 15 || !folded.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let mut number = format!("{}19{}", &folded[..6], &folded[6..]);
    number.push(check_digit(&number));
    Some(number)
}

/// Whether a person may type this document: 军官证 comes in with old data alone and may stay where it is (part 02 §0.3).
///
/// # Errors
/// 422 at `idCardType`.
pub fn typed_by_hand(kind: Option<IdCardType>, stored: Option<IdCardType>) -> Answer<()> {
    if kind == Some(IdCardType::MilitaryId) && stored != kind {
        return Err(Error::field("idCardType", "军官证只能随历史数据导入，请选择其他证件"));
    }
    Ok(())
}

/// Checks a number, compares what was typed beside it, and fills what was left empty (part 02 §0.3).
///
/// The five steps hold for residents, for residents of Hong Kong, Macao and Taiwan, and for the 18-character numbers
/// of foreign permanent residents; any other document is 5–20 letters and digits and says nothing about the person.
pub fn check(kind: IdCardType, text: &str, typed: Typed, today: NaiveDate) -> Result<IdCard, IdCardError> {
    let number = normalise(kind, text);
    let by_standard = match kind {
        IdCardType::ResidentId | IdCardType::HmtResidence => true,
        IdCardType::ForeignPermanent => number.chars().count() == 18,
        IdCardType::HkMacauPermit | IdCardType::TaiwanPermit | IdCardType::Passport | IdCardType::MilitaryId => false,
    };
    if !by_standard {
        let allowed = (5..=20).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_alphanumeric());
        return if allowed {
            Ok(IdCard { number, birthday: typed.birthday, gender: typed.gender })
        } else {
            Err(IdCardError::OtherShape)
        };
    }
    if number.chars().count() != 18 {
        return Err(IdCardError::Length);
    }
    let (body, last) = match (number.get(..17), number.chars().last()) {
        (Some(body), Some(last))
            if body.bytes().all(|b| b.is_ascii_digit()) && (last.is_ascii_digit() || last == 'X') =>
        {
            (body, last)
        }
        _ => return Err(IdCardError::Characters),
    };
    province(kind, body)?;
    let birthday = birthday(&body[6..14], today).ok_or(IdCardError::Birthday)?;
    let expected = check_digit(body);
    if last != expected {
        return Err(IdCardError::CheckDigit(expected));
    }
    let gender = if digits(&body[16..]) % 2 == 1 { Gender::Male } else { Gender::Female };
    if typed.gender.is_some_and(|typed| typed != gender) {
        return Err(IdCardError::GenderDiffers);
    }
    if typed.birthday.is_some_and(|typed| typed != birthday) {
        return Err(IdCardError::BirthdayDiffers);
    }
    Ok(IdCard { number, birthday: Some(birthday), gender: Some(gender) })
}

/// The age at the entry date: under 15 is refused, under 17 and over 70 are warned of (part 02 §0.3.2).
///
/// The entry date is the grade's 1 March or 1 September, and a student row's own enrolledOn.
pub fn age_at_entry(birthday: NaiveDate, entry_on: NaiveDate) -> Result<Option<AgeWarning>, IdCardError> {
    match years_between(birthday, entry_on) {
        ..15 => Err(IdCardError::TooYoung),
        15..17 => Ok(Some(AgeWarning::Young)),
        17..=70 => Ok(None),
        71.. => Ok(Some(AgeWarning::Old)),
    }
}

/// Whole years (周岁) from a birthday to a day.
pub fn years_between(birthday: NaiveDate, day: NaiveDate) -> i32 {
    let had_birthday = (day.month(), day.day()) >= (birthday.month(), birthday.day());
    day.year() - birthday.year() - if had_birthday { 0 } else { 1 }
}

/// The check digit of 17 digits: the weighted sum modulo 11 (GB 11643).
pub fn check_digit(body: &str) -> char {
    let sum: u32 = body.chars().filter_map(|c| c.to_digit(10)).zip(WEIGHTS).map(|(digit, weight)| digit * weight).sum();
    CHECKS[(sum % 11) as usize]
}

fn province(kind: IdCardType, body: &str) -> Result<(), IdCardError> {
    let code = digits(&body[..2]);
    match kind {
        IdCardType::HmtResidence if !(81..=83).contains(&code) => Err(IdCardError::HmtPrefix),
        // Digit 1 is 9; the next digits name the province of issue and the country, so 91 is only the commonest.
        IdCardType::ForeignPermanent if body.starts_with('9') => Ok(()),
        IdCardType::ForeignPermanent => Err(IdCardError::ForeignPrefix),
        _ if PROVINCES.contains(&code) || code == FOREIGNERS => Ok(()),
        _ => Err(IdCardError::Province),
    }
}

/// A real date from 1900-01-01 to today.
fn birthday(text: &str, today: NaiveDate) -> Option<NaiveDate> {
    let year = i32::try_from(digits(&text[..4])).ok()?;
    let date = NaiveDate::from_ymd_opt(year, digits(&text[4..6]), digits(&text[6..8]))?;
    (year >= 1900 && date <= today).then_some(date)
}

/// The value of a short run of digits.
fn digits(text: &str) -> u32 {
    text.chars().filter_map(|c| c.to_digit(10)).fold(0, |value, digit| value * 10 + digit)
}

fn half_width(c: char) -> char {
    match c {
        '\u{3000}' => ' ',
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn today() -> NaiveDate {
        day("2026-05-20")
    }

    fn run(kind: IdCardType, text: &str) -> Result<IdCard, IdCardError> {
        check(kind, text, Typed::default(), today())
    }

    fn resident(text: &str) -> Result<IdCard, IdCardError> {
        run(IdCardType::ResidentId, text)
    }

    #[test]
    fn the_worked_number_of_the_specification() {
        let card = resident("11010519491231002X").unwrap();
        assert_eq!(card.birthday, Some(day("1949-12-31")));
        assert_eq!(card.gender, Some(Gender::Female));
        // Σ = 167, 167 mod 11 = 2 → X.
        let sum: u32 =
            "11010519491231002".chars().map(|c| c.to_digit(10).unwrap()).zip(WEIGHTS).map(|(d, w)| d * w).sum();
        assert_eq!((sum, sum % 11), (167, 2));
        assert_eq!(check_digit("11010519491231002"), 'X');
        assert_eq!(resident("110105491231002").unwrap().number, "11010519491231002X");
    }

    #[test]
    fn a_right_check_digit_does_not_save_a_wrong_date() {
        // Σ = 195, remainder 8 → 4: step 4 passes, step 2 refuses 1880.
        assert_eq!(check_digit("44052418800101001"), '4');
        assert_eq!(resident("440524188001010014"), Err(IdCardError::Birthday));
        assert_eq!(IdCardError::Birthday.to_string(), "身份证号中的出生日期无效");
    }

    #[test]
    fn hong_kong_macao_and_taiwan_residents() {
        // Σ = 194, remainder 7 → 5.
        let card = run(IdCardType::HmtResidence, "810000199003070015").unwrap();
        assert_eq!((card.birthday, card.gender), (Some(day("1990-03-07")), Some(Gender::Male)));
        assert_eq!(run(IdCardType::HmtResidence, "11010519491231002X"), Err(IdCardError::HmtPrefix));
        assert!(resident("810000199003070015").is_ok());
    }

    #[test]
    fn the_demo_numbers_of_part_05() {
        assert_eq!(resident("429900199603150216").unwrap().gender, Some(Gender::Male));
        assert_eq!(resident("44990019881107048X").unwrap().gender, Some(Gender::Female));
        assert_eq!(resident("119900200002291008").unwrap().birthday, Some(day("2000-02-29")));
    }

    #[test]
    fn the_refusals_read_as_the_specification_says() {
        let says = |text: &str| resident(text).unwrap_err().to_string();
        assert_eq!(says("1101051949123100"), "身份证号长度应为18位");
        assert_eq!(says(""), "身份证号长度应为18位");
        assert_eq!(says("110105194912310021"), "身份证号校验位错误，应为X");
        assert_eq!(says("110105194913310020"), "身份证号中的出生日期无效");
        let typed = Typed { gender: Some(Gender::Male), birthday: None };
        let error = check(IdCardType::ResidentId, "11010519491231002X", typed, today()).unwrap_err();
        assert_eq!((error.to_string().as_str(), error.field()), ("性别与身份证号不符", "gender"));
        let typed = Typed { gender: None, birthday: Some(day("1949-12-30")) };
        let error = check(IdCardType::ResidentId, "11010519491231002X", typed, today()).unwrap_err();
        assert_eq!((error.to_string().as_str(), error.field()), ("出生日期与身份证号不符", "birthday"));
        assert_eq!(resident("11010519491231O02X"), Err(IdCardError::Characters));
        assert_eq!(resident("1101051949123100２Ｙ"), Err(IdCardError::Characters));
        assert_eq!(resident("身份证号码是一一〇一〇五一九四九一二"), Err(IdCardError::Characters));
        assert_eq!(resident("66010519491231002X"), Err(IdCardError::Province));
    }

    #[test]
    fn a_birthday_may_be_today_but_not_tomorrow() {
        let born = |date: &str| {
            let body = format!("110105{date}001");
            resident(&format!("{body}{}", check_digit(&body))).is_ok()
        };
        assert!(born("20260520") && !born("20260521"));
        assert!(born("19000101") && !born("18991231"));
        assert!(born("20000229") && !born("19990229"));
    }

    #[test]
    fn numbers_are_normalised() {
        assert_eq!(normalise(IdCardType::ResidentId, " 11010519491231002x "), "11010519491231002X");
        assert_eq!(normalise(IdCardType::ResidentId, "　１１０１０５１９４９１２３１００２ｘ"), "11010519491231002X");
        assert_eq!(normalise(IdCardType::ResidentId, "110105491231002"), "11010519491231002X");
        assert_eq!(normalise(IdCardType::Passport, "110105491231002"), "110105491231002");
        assert_eq!(normalise(IdCardType::Passport, "e１２３４５６７８ "), "E12345678");
    }

    #[test]
    fn empty_fields_are_filled_and_equal_ones_pass() {
        let typed = Typed { gender: Some(Gender::Female), birthday: Some(day("1949-12-31")) };
        let card = check(IdCardType::ResidentId, "11010519491231002x", typed, today()).unwrap();
        assert_eq!(card, resident("11010519491231002X").unwrap());
    }

    #[test]
    fn other_documents_are_letters_and_digits() {
        assert!(run(IdCardType::Passport, "DEMO1234567").is_ok());
        assert!(run(IdCardType::HkMacauPermit, "H1234567801").is_ok());
        assert_eq!(run(IdCardType::Passport, "E123"), Err(IdCardError::OtherShape));
        assert_eq!(run(IdCardType::TaiwanPermit, "123456789012345678901"), Err(IdCardError::OtherShape));
        assert_eq!(run(IdCardType::Passport, "E 1234567"), Err(IdCardError::OtherShape));
        // What was typed beside it stays.
        let typed = Typed { gender: Some(Gender::Female), birthday: Some(day("1990-01-02")) };
        let card = check(IdCardType::Passport, "e12345678", typed, today()).unwrap();
        assert_eq!((card.number.as_str(), card.gender, card.birthday), ("E12345678", typed.gender, typed.birthday));
    }

    #[test]
    fn foreign_permanent_residents_by_the_length() {
        assert!(run(IdCardType::ForeignPermanent, "USA110078010101").is_ok());
        let number = format!("91184019900307001{}", check_digit("91184019900307001"));
        assert_eq!(run(IdCardType::ForeignPermanent, &number).unwrap().birthday, Some(day("1990-03-07")));
        assert_eq!(run(IdCardType::ForeignPermanent, "11010519491231002X"), Err(IdCardError::ForeignPrefix));
    }

    #[test]
    fn the_age_counts_on_the_entry_date() {
        let entry = day("2026-03-01");
        assert_eq!(age_at_entry(day("2011-03-02"), entry), Err(IdCardError::TooYoung));
        assert_eq!(age_at_entry(day("2011-03-01"), entry), Ok(Some(AgeWarning::Young)));
        assert_eq!(age_at_entry(day("2009-03-02"), entry), Ok(Some(AgeWarning::Young)));
        assert_eq!(age_at_entry(day("2009-03-01"), entry), Ok(None));
        assert_eq!(age_at_entry(day("1956-03-01"), entry), Ok(None));
        assert_eq!(age_at_entry(day("1955-03-02"), entry), Ok(None));
        assert_eq!(age_at_entry(day("1955-03-01"), entry), Ok(Some(AgeWarning::Old)));
    }

    #[test]
    fn an_officers_card_is_not_typed_but_stays() {
        let military = Some(IdCardType::MilitaryId);
        assert!(typed_by_hand(military, None).is_err() && typed_by_hand(military, Some(IdCardType::Passport)).is_err());
        assert!(
            typed_by_hand(military, military).is_ok() && typed_by_hand(Some(IdCardType::Passport), military).is_ok()
        );
    }

    #[test]
    fn words_and_values_are_read() {
        assert_eq!(IdCardType::parse("resident_id").map(IdCardType::zh), Some("居民身份证"));
        assert_eq!(IdCardType::parse("passport"), Some(IdCardType::Passport));
        assert_eq!(IdCardType::parse("学生证"), None);
        assert_eq!(Gender::parse("female").map(Gender::zh), Some("女"));
        assert_eq!(Gender::parse("unknown"), None);
    }
}
