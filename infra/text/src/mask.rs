//! Masking of personal data in lists, exports and logs (part 05 E4).
//!
//! Each function takes the whole value and gives what may be shown without the plain right. An empty text stays empty.
//! Characters are counted, not bytes, so a value that is not what it should be never breaks a row.

mod log;
mod shape;
mod statement;

pub use log::Masked;
pub use shape::shapes;
pub use statement::statement;

/// 证件号: of 18 characters the first 3 and last 4; of any other length the first 2 and last 2.
pub fn id_card(number: &str) -> String {
    let chars: Vec<char> = number.chars().collect();
    match chars.len() {
        0 => String::new(),
        18 => keep(&chars, 3, "***********", 4),
        // Four characters and fewer would be shown whole.
        1..=4 => "***".to_owned(),
        _ => keep(&chars, 2, "***", 2),
    }
}

/// 手机: the first 3 and last 4 of 11 digits; anything else is treated as a landline.
pub fn phone(number: &str) -> String {
    let chars: Vec<char> = number.chars().collect();
    if chars.len() == 11 && chars[0] == '1' && chars.iter().all(char::is_ascii_digit) {
        keep(&chars, 3, "****", 4)
    } else {
        landline(number)
    }
}

/// 固定电话: the last four characters are hidden, dashes between them stay.
pub fn landline(number: &str) -> String {
    let mut left = 4;
    let mut chars: Vec<char> = number.chars().collect();
    for c in chars.iter_mut().rev() {
        if left > 0 && !matches!(c, '-' | ' ' | '(' | ')') {
            *c = '*';
            left -= 1;
        }
    }
    chars.into_iter().collect()
}

/// 银行卡: only the last four digits, whatever the length.
pub fn bank_card(number: &str) -> String {
    let digits: Vec<char> = number.chars().filter(|c| !c.is_whitespace()).collect();
    match digits.len() {
        0 => String::new(),
        1..=4 => "**** **** **** ****".to_owned(),
        length => format!("**** **** **** {}", digits[length - 4..].iter().collect::<String>()),
    }
}

/// 姓名: the family name alone, enough to recognise a colleague, not to learn a stranger.
pub fn name(name: &str) -> String {
    let mut chars = name.chars();
    let family = chars.next().map(String::from).unwrap_or_default();
    family + &"*".repeat(chars.count().max(1))
}

/// 邮箱: the first character and the domain.
pub fn email(address: &str) -> String {
    match (address.chars().next(), address.rsplit_once('@')) {
        (None, _) => String::new(),
        (Some('@'), Some((_, domain))) => format!("***@{domain}"),
        (Some(first), Some((_, domain))) => format!("{first}***@{domain}"),
        (Some(first), None) => format!("{first}***"),
    }
}

/// 地址: province, prefecture and county as far as the text names them; the rest is hidden.
///
/// A text that names none of them is hidden whole. When in doubt less is shown: a county may not contain the words of
/// streets and houses, so 小区 or 园区 behind a road is not mistaken for one.
pub fn address(text: &str) -> String {
    let text = text.trim();
    if text.is_empty() {
        return String::new();
    }
    let mut shown = 0;
    for unit in [PROVINCE, PREFECTURE, COUNTY] {
        shown += unit_length(&text[shown..], unit);
    }
    format!("{}***", &text[..shown])
}

/// IP in statistics: the last octet, or the last group of an IPv6 address, is hidden; log screens show it whole.
pub fn ip(address: &str) -> String {
    match address.rfind(['.', ':']) {
        Some(at) => format!("{}*", &address[..=at]),
        None if address.is_empty() => String::new(),
        None => "*".to_owned(),
    }
}

fn keep(chars: &[char], first: usize, stars: &str, last: usize) -> String {
    let head: String = chars[..first].iter().collect();
    let tail: String = chars[chars.len() - last..].iter().collect();
    format!("{head}{stars}{tail}")
}

const PROVINCE: &[&str] = &["特别行政区", "自治区", "省"];
const PREFECTURE: &[&str] = &["自治州", "地区", "盟", "市"];
const COUNTY: &[&str] = &["县", "区", "市", "旗"];

/// Words that stand below a county; a name with one of them is a street or a house.
const BELOW_COUNTY: &[char] =
    &['路', '街', '道', '巷', '弄', '镇', '乡', '村', '号', '楼', '栋', '幢', '室', '组', '队'];
/// The two divisions that have such a word as their third character.
const NAMED_LIKE_STREETS: &[&str] = &["景德镇市", "岳阳楼区"];
/// Ends of names that look like a 区 and are none.
const NO_COUNTY: &[&str] = &["小区", "社区", "园区", "校区", "院区", "厂区", "库区", "生活区", "家属区"];
/// No division has a longer name (积石山保安族东乡族撒拉族自治县).
const LONGEST_NAME: usize = 16;

/// The bytes that the unit at the start of the text takes, 0 when there is none.
fn unit_length(text: &str, suffixes: &[&str]) -> usize {
    if let Some(name) = NAMED_LIKE_STREETS.iter().find(|name| text.starts_with(**name)) {
        let of_this_unit = suffixes.iter().any(|suffix| name.ends_with(suffix));
        return if of_this_unit { name.len() } else { 0 };
    }
    for (index, (at, c)) in text.char_indices().enumerate().take(LONGEST_NAME) {
        let (name, rest) = text.split_at(at + c.len_utf8());
        if c.is_ascii_digit() || (BELOW_COUNTY.contains(&c) && !part_of_a_name(index, c, rest)) {
            return 0;
        }
        let suffix = suffixes.iter().copied().find(|suffix| name.ends_with(suffix));
        let Some(suffix) = suffix.filter(|suffix| name.len() > suffix.len()) else { continue };
        if NO_COUNTY.iter().any(|wrong| name.ends_with(wrong)) {
            return 0;
        }
        // 沙市区, 津市市, 红旗区: the name proper of the county ends like a county.
        let doubled = suffixes == COUNTY && matches!(suffix, "市" | "旗") && rest.starts_with(['区', '市', '县']);
        return name.len() + if doubled { rest.chars().next().map_or(0, char::len_utf8) } else { 0 };
    }
    0
}

/// 镇海区 and 道里区 begin with such a word, 新乡市, 北镇市 and 鼓楼区 have one before the last character; and 自治县
/// of the 东乡族 name a people.
fn part_of_a_name(index: usize, c: char, rest: &str) -> bool {
    match index {
        0 => true,
        1 => matches!(c, '乡' | '镇' | '楼') && rest.starts_with(['市', '区', '县']),
        _ => c == '乡' && rest.starts_with('族'),
    }
}

/// What a form sends back: a value that is still masked was not typed, and the stored one stays.
pub fn kept(typed: Option<String>, stored: Option<&str>, mask: fn(&str) -> String) -> Option<String> {
    match (typed, stored) {
        (Some(typed), Some(stored)) if typed == mask(stored) => Some(stored.to_owned()),
        (typed, _) => typed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn id_cards() {
        assert_eq!(id_card("429900199603150216"), "429***********0216");
        assert_eq!(id_card("11010519491231002X"), "110***********002X");
        assert_eq!(id_card("E12345678"), "E1***78");
        assert_eq!(id_card("110105491231002"), "11***02");
        assert_eq!(id_card("E123"), "***");
        assert_eq!(id_card("军字第12号"), "军字***2号");
        assert_eq!(id_card(""), "");
    }

    #[test]
    fn phones() {
        assert_eq!(phone("13800000001"), "138****0001");
        assert_eq!(phone("027-87654321"), "027-8765****");
        assert_eq!(phone(""), "");
        assert_eq!(landline("027-87654321"), "027-8765****");
        assert_eq!(landline("87654321-02"), "876543**-**");
        assert_eq!(landline("110"), "***");
    }

    #[test]
    fn bank_cards() {
        assert_eq!(bank_card("6200001234567891234"), "**** **** **** 1234");
        assert_eq!(bank_card("6200 0012 3456 1234"), "**** **** **** 1234");
        assert_eq!(bank_card("1234"), "**** **** **** ****");
        assert_eq!(bank_card(""), "");
    }

    #[test]
    fn names() {
        assert_eq!(name("张晓梅"), "张**");
        assert_eq!(name("李强"), "李*");
        assert_eq!(name("王"), "王*");
    }

    #[test]
    fn emails() {
        assert_eq!(email("zhang.wei@example.com"), "z***@example.com");
        assert_eq!(email("张@例子.中国"), "张***@例子.中国");
        assert_eq!(email("no-at-sign"), "n***");
        assert_eq!(email("@x.cn"), "***@x.cn");
        assert_eq!(email(""), "");
    }

    #[test]
    fn addresses() {
        assert_eq!(address("湖北省武汉市洪山区珞瑜路1037号"), "湖北省武汉市洪山区***");
        assert_eq!(address("北京市朝阳区建国路1号"), "北京市朝阳区***");
        assert_eq!(address("广西壮族自治区南宁市青秀区民族大道"), "广西壮族自治区南宁市青秀区***");
        assert_eq!(address("内蒙古自治区锡林郭勒盟苏尼特右旗某苏木"), "内蒙古自治区锡林郭勒盟苏尼特右旗***");
        assert_eq!(address("湖北省恩施土家族苗族自治州来凤县翔凤镇"), "湖北省恩施土家族苗族自治州来凤县***");
        assert_eq!(address("湖北省仙桃市龙华山街道阳光小区12号"), "湖北省仙桃市***");
        assert_eq!(address("湖北省荆州市沙市区北京路"), "湖北省荆州市沙市区***");
        assert_eq!(address("湖南省常德市津市市大同路"), "湖南省常德市津市市***");
        assert_eq!(address("山东省青岛市市北区辽宁路"), "山东省青岛市市北区***");
        assert_eq!(address("北京市东城区某街1号"), "北京市东城区***");
        assert_eq!(address("河南省新乡市红旗区平原路"), "河南省新乡市红旗区***");
        assert_eq!(address("黑龙江省哈尔滨市道里区友谊路"), "黑龙江省哈尔滨市道里区***");
        assert_eq!(address("江西省景德镇市珠山区某路"), "江西省景德镇市珠山区***");
        assert_eq!(address("湖南省岳阳市岳阳楼区某路"), "湖南省岳阳市岳阳楼区***");
        assert_eq!(
            address("甘肃省临夏回族自治州积石山保安族东乡族撒拉族自治县某镇"),
            "甘肃省临夏回族自治州积石山保安族东乡族撒拉族自治县***"
        );
        assert_eq!(address("洪山区珞瑜路"), "洪山区***");
        assert_eq!(address("香港特别行政区湾仔区某道"), "香港特别行政区湾仔区***");
        assert_eq!(address("阳光小区3栋"), "***");
        assert_eq!(address("珞瑜路1037号"), "***");
        assert_eq!(address(" "), "");
    }

    #[test]
    fn ips() {
        assert_eq!(ip("192.168.1.23"), "192.168.1.*");
        assert_eq!(ip("2001:db8::7"), "2001:db8::*");
        assert_eq!(ip("localhost"), "*");
        assert_eq!(ip(""), "");
    }

    #[test]
    fn a_mask_that_came_back_is_no_change() {
        let kept_phone = |typed: &str, stored| kept(Some(typed.to_owned()), stored, phone);
        assert_eq!(kept_phone("138****0001", Some("13800000001")).as_deref(), Some("13800000001"));
        assert_eq!(kept_phone("138****0002", Some("13800000001")).as_deref(), Some("138****0002"));
        assert_eq!(kept_phone("13900000002", Some("13800000001")).as_deref(), Some("13900000002"));
        assert_eq!(kept(None, Some("13800000001"), phone), None);
    }
}
