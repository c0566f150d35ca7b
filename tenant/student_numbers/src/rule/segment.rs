//! The parts of a number, and what stands for a student in front of the running number.

use infra::{Error, Result, enumeration};
use poem_openapi::Object;
use term::Season;

/// The fewest and most characters of a number (02 §9.1).
const LENGTHS: std::ops::RangeInclusive<i32> = 4..=20;
/// 学信网 takes student numbers of this many characters (02 §9.1).
const CHSI_WIDTH: i32 = 15;

enumeration! {
    /// 学号组成
    pub enum SegmentKind = "studentNoSegment" {
        Literal = "literal" "固定字符",
        GradeYear = "grade_year" "入学年份",
        Season = "season" "入学季",
        SchoolCode = "school_code" "院校编码",
        Level = "level" "层次",
        Major = "major" "专业",
        Site = "site" "站点",
        StudyForm = "study_form" "学习形式",
        Class = "class" "班级",
        Seq = "seq" "顺序号",
    }
}

/// A part of a number.
#[derive(Debug, Clone, PartialEq, Object)]
pub struct StudentNoSegment {
    /// 组成
    pub kind: SegmentKind,
    /// 固定字符
    /// 1至10位数字或大写字母
    #[oai(validator(pattern = "^[0-9A-Z]{1,10}$"))]
    pub text: Option<String>,
    /// 位数
    /// 入学年份为2或4位，顺序号为3至6位；编码不足时前面补0
    #[oai(validator(minimum(value = "1"), maximum(value = "10")))]
    pub length: Option<i32>,
    /// 对应值
    /// 不填时取编码
    #[oai(default, validator(max_items = 1000))]
    pub values: Vec<StudentNoValue>,
}

/// What stands in a number for one level, major, site, form of study or class.
#[derive(Debug, Clone, PartialEq, Object)]
pub struct StudentNoValue {
    /// 对象
    /// 层次、专业、站点、班级的编号，或学习形式的代码
    #[oai(validator(min_length = 1, max_length = 30))]
    pub key: String,
    /// 对应值
    #[oai(validator(pattern = "^[0-9A-Z]{1,10}$"))]
    pub code: String,
}

/// Something that a segment stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Coded {
    pub(crate) key: String,
    pub(crate) code: String,
    pub(crate) name: String,
}

/// What the prefix of a student's number is made of.
#[derive(Debug, Clone)]
pub(crate) struct Subject {
    pub(crate) entry_year: i32,
    pub(crate) season: Season,
    pub(crate) level: Coded,
    pub(crate) major: Coded,
    pub(crate) site: Coded,
    pub(crate) study_form: Coded,
    pub(crate) class: Option<Coded>,
}

impl StudentNoSegment {
    /// How many characters it takes.
    fn width(&self) -> i32 {
        match self.kind {
            SegmentKind::Literal | SegmentKind::SchoolCode => {
                self.text.as_deref().map_or(0, |text| i32::try_from(text.len()).unwrap_or(i32::MAX))
            }
            SegmentKind::Season => 1,
            SegmentKind::GradeYear
            | SegmentKind::Level
            | SegmentKind::Major
            | SegmentKind::Site
            | SegmentKind::StudyForm
            | SegmentKind::Class
            | SegmentKind::Seq => self.length.unwrap_or_default(),
        }
    }

    /// What is wrong with it by itself.
    fn wrong(&self) -> Option<&'static str> {
        let length = self.length.unwrap_or_default();
        match self.kind {
            SegmentKind::Literal if self.text.is_none() => Some("请填写固定字符"),
            SegmentKind::GradeYear if !matches!(length, 2 | 4) => Some("入学年份应为2位或4位"),
            SegmentKind::Seq if !(3..=6).contains(&length) => Some("顺序号应为3至6位"),
            SegmentKind::Level
            | SegmentKind::Major
            | SegmentKind::Site
            | SegmentKind::StudyForm
            | SegmentKind::Class
                if length == 0 =>
            {
                Some("请填写位数")
            }
            SegmentKind::Literal
            | SegmentKind::GradeYear
            | SegmentKind::Season
            | SegmentKind::SchoolCode
            | SegmentKind::Level
            | SegmentKind::Major
            | SegmentKind::Site
            | SegmentKind::StudyForm
            | SegmentKind::Class
            | SegmentKind::Seq => None,
        }
    }

    /// What stands for one thing: its value in the map, else its code, filled up with zeros.
    ///
    /// # Errors
    /// Why its code does not fit.
    pub(crate) fn code_of(&self, thing: &Coded) -> Result<String, String> {
        let mapped = self.values.iter().find(|value| value.key == thing.key);
        let code = mapped.map_or_else(|| thing.code.to_uppercase(), |value| value.code.clone());
        let width = usize::try_from(self.width()).unwrap_or_default();
        let told = |why: &str| format!("{}“{}”的编码{code}{why}，请在学号规则中设置对应值", self.kind.zh(), thing.name);
        if !code.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase()) {
            return Err(told("含有数字和字母以外的字符"));
        }
        if code.len() > width {
            return Err(told(&format!("超过{width}位")));
        }
        Ok(format!("{code:0>width$}"))
    }

    fn of(&self, subject: &Subject) -> Result<String, String> {
        Ok(match self.kind {
            SegmentKind::Literal | SegmentKind::SchoolCode => self.text.clone().unwrap_or_default(),
            SegmentKind::GradeYear if self.length == Some(2) => format!("{:02}", subject.entry_year % 100),
            SegmentKind::GradeYear => subject.entry_year.to_string(),
            SegmentKind::Season => match subject.season {
                Season::Spring => "1".to_owned(),
                Season::Autumn => "2".to_owned(),
            },
            SegmentKind::Level => self.code_of(&subject.level)?,
            SegmentKind::Major => self.code_of(&subject.major)?,
            SegmentKind::Site => self.code_of(&subject.site)?,
            SegmentKind::StudyForm => self.code_of(&subject.study_form)?,
            SegmentKind::Class => match &subject.class {
                Some(class) => self.code_of(class)?,
                None => return Err("尚未分班，而学号规则包含班级".to_owned()),
            },
            SegmentKind::Seq => String::new(),
        })
    }
}

/// How long numbers of these segments are.
pub(crate) fn length(segments: &[StudentNoSegment]) -> i32 {
    segments.iter().map(StudentNoSegment::width).sum()
}

/// How many digits the running number has.
pub(crate) fn running_digits(segments: &[StudentNoSegment]) -> usize {
    let seq = segments.iter().find(|segment| segment.kind == SegmentKind::Seq);
    usize::try_from(seq.map_or(0, StudentNoSegment::width)).unwrap_or_default()
}

/// What stands before the running number; the numbers behind the same text run on together.
///
/// # Errors
/// Why the student can have no number by this rule.
pub(crate) fn prefix(segments: &[StudentNoSegment], subject: &Subject) -> Result<String, String> {
    segments.iter().map(|segment| segment.of(subject)).collect()
}

/// Whether a rule of these segments can be: each whole by itself, one running number at the end, the length of a number.
///
/// # Errors
/// 422 at `segments`.
pub(crate) fn check(segments: &[StudentNoSegment]) -> Result<()> {
    let wrong = |why: String| Err(Error::field("segments", why));
    if let Some(why) = segments.iter().find_map(StudentNoSegment::wrong) {
        return wrong(why.to_owned());
    }
    let running = segments.iter().filter(|segment| segment.kind == SegmentKind::Seq).count();
    if running != 1 || segments.last().is_none_or(|last| last.kind != SegmentKind::Seq) {
        return wrong("须有且只有一个顺序号，并放在最后".to_owned());
    }
    for segment in segments {
        let mut keys: Vec<&str> = segment.values.iter().map(|value| value.key.as_str()).collect();
        keys.sort_unstable();
        if keys.windows(2).any(|pair| pair[0] == pair[1]) {
            return wrong(format!("{}的对应值重复", segment.kind.zh()));
        }
    }
    let length = length(segments);
    if LENGTHS.contains(&length) { Ok(()) } else { wrong(format!("学号共{length}位，应为4至20位")) }
}

/// What is worth a second look in a rule that can be.
pub(crate) fn warnings(segments: &[StudentNoSegment]) -> Vec<String> {
    let length = length(segments);
    let told = || format!("学号共{length}位，学信网只接收{CHSI_WIDTH}位，请核对");
    (length > CHSI_WIDTH).then(told).into_iter().collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn segment(kind: SegmentKind, length: i32) -> StudentNoSegment {
        StudentNoSegment { kind, text: None, length: Some(length), values: Vec::new() }
    }

    fn coded(key: &str, code: &str, name: &str) -> Coded {
        Coded { key: key.to_owned(), code: code.to_owned(), name: name.to_owned() }
    }

    fn subject() -> Subject {
        Subject {
            entry_year: 2026,
            season: Season::Spring,
            level: coded("1", "ZSB", "专升本"),
            major: coded("2", "412", "会计学"),
            site: coded("3", "7", "城东教学点"),
            study_form: coded("non_full_time", "1", "非脱产"),
            class: None,
        }
    }

    /// The worked rule of 02 §9.4.
    fn worked() -> Vec<StudentNoSegment> {
        let level = StudentNoSegment {
            values: vec![StudentNoValue { key: "1".to_owned(), code: "3".to_owned() }],
            ..segment(SegmentKind::Level, 1)
        };
        vec![
            segment(SegmentKind::GradeYear, 2),
            level,
            segment(SegmentKind::Major, 4),
            segment(SegmentKind::Site, 3),
            segment(SegmentKind::Seq, 4),
        ]
    }

    #[test]
    fn the_worked_number_begins_as_written() {
        assert_eq!(prefix(&worked(), &subject()).as_deref(), Ok("2630412007"));
        assert_eq!((length(&worked()), running_digits(&worked())), (14, 4));
        assert!(check(&worked()).is_ok());
    }

    #[test]
    fn a_number_that_is_too_wide_to_be_registered_is_told() {
        let of = |site| warnings(&[segment(SegmentKind::Site, site), segment(SegmentKind::Seq, 6)]);
        assert_eq!(of(9), [""; 0]);
        assert_eq!(of(10), ["学号共16位，学信网只接收15位，请核对"]);
    }

    #[test]
    fn a_code_that_does_not_fit_is_told() {
        let told = |kind, length| prefix(&[segment(kind, length)], &subject()).unwrap_err();
        assert_eq!(told(SegmentKind::Level, 1), "层次“专升本”的编码ZSB超过1位，请在学号规则中设置对应值");
        assert_eq!(told(SegmentKind::Class, 4), "尚未分班，而学号规则包含班级");
        let odd = Subject { site: coded("3", "cd-1", "城东教学点"), ..subject() };
        assert_eq!(
            prefix(&[segment(SegmentKind::Site, 6)], &odd).unwrap_err(),
            "站点“城东教学点”的编码CD-1含有数字和字母以外的字符，请在学号规则中设置对应值"
        );
    }

    #[test]
    fn each_kind_stands_for_what_it_says() {
        let of = |kind, length| prefix(&[segment(kind, length)], &subject()).expect("it fits");
        assert_eq!(of(SegmentKind::GradeYear, 4), "2026");
        assert_eq!(of(SegmentKind::Season, 1), "1");
        assert_eq!(of(SegmentKind::StudyForm, 2), "01");
        assert_eq!(of(SegmentKind::Level, 4), "0ZSB");
        let autumn = Subject { season: Season::Autumn, class: Some(coded("9", "07", "1班")), ..subject() };
        let both = [segment(SegmentKind::Season, 1), segment(SegmentKind::Class, 2)];
        assert_eq!(prefix(&both, &autumn).as_deref(), Ok("207"));
    }

    #[test]
    fn a_rule_is_whole_and_ends_with_its_running_number() {
        let told = |segments: &[StudentNoSegment]| {
            check(segments)
                .map_err(|error| error.data[0]["message"].as_str().unwrap_or_default().to_owned())
                .unwrap_err()
        };
        let seq = segment(SegmentKind::Seq, 4);
        assert_eq!(told(&[]), "须有且只有一个顺序号，并放在最后");
        assert_eq!(told(&[seq.clone(), segment(SegmentKind::Major, 4)]), "须有且只有一个顺序号，并放在最后");
        assert_eq!(told(&[seq.clone(), seq.clone()]), "须有且只有一个顺序号，并放在最后");
        assert_eq!(told(&[segment(SegmentKind::GradeYear, 3), seq.clone()]), "入学年份应为2位或4位");
        assert_eq!(told(&[segment(SegmentKind::Seq, 7)]), "顺序号应为3至6位");
        assert_eq!(told(&[segment(SegmentKind::Seq, 3)]), "学号共3位，应为4至20位");
        let long = segment(SegmentKind::Site, 10);
        assert_eq!(told(&[long.clone(), long, seq.clone()]), "学号共24位，应为4至20位");
        let value = |code: &str| StudentNoValue { key: "1".to_owned(), code: code.to_owned() };
        let twice = StudentNoSegment { values: vec![value("1"), value("2")], ..segment(SegmentKind::Level, 1) };
        assert_eq!(told(&[twice, seq]), "层次的对应值重复");
    }
}
