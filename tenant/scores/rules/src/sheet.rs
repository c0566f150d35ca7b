//! 成绩登记表: its way, when values may be entered, what in it is worth a second look (part 04 §6.1).

use infra::clock::Moment;

use crate::{arith::shown, enums::SheetStatus};

/// How a sheet goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SheetTurn {
    Enter,
    Submit,
    Review,
    Audit,
    Reject,
    Publish,
    Unpublish,
    Lock,
}

impl SheetTurn {
    pub const fn zh(self) -> &'static str {
        match self {
            Self::Enter => "录入",
            Self::Submit => "提交",
            Self::Review => "初审",
            Self::Audit => "终审",
            Self::Reject => "退回",
            Self::Publish => "发布",
            Self::Unpublish => "撤回发布",
            Self::Lock => "锁定",
        }
    }
}

/// Why it does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("成绩已锁定，请走成绩更正")]
    Locked,
    #[error("成绩已发布，请走成绩更正")]
    Published,
    #[error("成绩登记表状态为{}，不能{}", .0.zh(), .1.zh())]
    Not(SheetStatus, SheetTurn),
}

/// Where a turn leads, in a batch whose sheets are reviewed on so many levels.
///
/// # Errors
/// A status that does not lead there.
pub fn after(from: SheetStatus, turn: SheetTurn, levels: i32) -> Result<SheetStatus, Refusal> {
    use SheetStatus::{Entering, FirstReviewed, Locked, Pending, Published, Returned, Reviewed, Submitted};
    match (turn, from) {
        (SheetTurn::Enter, Pending | Entering) => Ok(Entering),
        (SheetTurn::Enter, Returned) => Ok(Returned),
        (SheetTurn::Submit, Entering | Returned) => Ok(Submitted),
        (SheetTurn::Review, Submitted) if levels <= 1 => Ok(Reviewed),
        (SheetTurn::Review, Submitted) => Ok(FirstReviewed),
        (SheetTurn::Audit, FirstReviewed) => Ok(Reviewed),
        (SheetTurn::Reject, Submitted | FirstReviewed | Reviewed) => Ok(Returned),
        (SheetTurn::Publish, Reviewed) => Ok(Published),
        (SheetTurn::Unpublish, Published) => Ok(Reviewed),
        (SheetTurn::Lock, Published) => Ok(Locked),
        (SheetTurn::Enter | SheetTurn::Submit | SheetTurn::Reject | SheetTurn::Unpublish, Locked) => {
            Err(Refusal::Locked)
        }
        (SheetTurn::Enter | SheetTurn::Submit | SheetTurn::Reject, Published) => Err(Refusal::Published),
        (SheetTurn::Enter, Submitted | FirstReviewed | Reviewed)
        | (SheetTurn::Submit, Pending | Submitted | FirstReviewed | Reviewed)
        | (SheetTurn::Review, Pending | Entering | FirstReviewed | Reviewed | Published | Locked | Returned)
        | (SheetTurn::Audit, Pending | Entering | Submitted | Reviewed | Published | Locked | Returned)
        | (SheetTurn::Reject, Pending | Entering | Returned)
        | (SheetTurn::Publish, Pending | Entering | Submitted | FirstReviewed | Published | Locked | Returned)
        | (
            SheetTurn::Unpublish | SheetTurn::Lock,
            Pending | Entering | Submitted | FirstReviewed | Reviewed | Returned,
        )
        | (SheetTurn::Lock, Locked) => Err(Refusal::Not(from, turn)),
    }
}

/// When values may be entered: in the window of the batch, or until the moment that the sheet was given.
///
/// # Errors
/// The sentence that names the window.
pub fn may_enter(window: Option<(Moment, Moment)>, until: Option<Moment>, now: Moment) -> Result<(), String> {
    if until.is_some_and(|until| now <= until) {
        return Ok(());
    }
    match window {
        Some((from, to)) if from <= now && now <= to => Ok(()),
        Some((from, to)) => Err(format!("不在成绩录入时间内（{} 至 {}）", from.format("%m-%d"), to.format("%m-%d"))),
        None => Err("批次未设置成绩录入时间".to_owned()),
    }
}

/// 登记表号: the batch's code and five digits.
pub fn number(code: &str, n: i64) -> String {
    format!("{code}{n:05}")
}

/// A row that was entered, in tenths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entered {
    pub value: Option<i64>,
    pub passed: Option<bool>,
}

/// What is worth a second look, in the order of the sheet.
pub fn doubts(rows: &[Entered]) -> Vec<String> {
    let values: Vec<i64> = rows.iter().filter_map(|row| row.value).collect();
    let Ok(count) = i64::try_from(values.len()) else { return Vec::new() };
    if count == 0 {
        return Vec::new();
    }
    let mean = crate::arith::scaled(values.iter().map(|value| i128::from(*value)).sum(), i128::from(count), 1);
    let of = |passed: bool| {
        let rows = rows.iter().filter(|row| row.passed == Some(passed));
        i64::try_from(rows.count()).unwrap_or(i64::MAX)
    };
    let alike = values.windows(3).filter(|three| three[0] == three[1] && three[1] == three[2]).count();
    let failed = of(false);
    told(&Doubted {
        mean: Some(mean),
        judged: failed.saturating_add(of(true)),
        failed,
        alike: i64::try_from(alike).unwrap_or(i64::MAX),
    })
}

/// Of what a sheet may be doubted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Doubted {
    /// In tenths.
    pub mean: Option<i64>,
    /// Who passed or failed.
    pub judged: i64,
    pub failed: i64,
    /// Places at which three beside each other have the same.
    pub alike: i64,
}

/// 异常提示 of these figures.
pub fn told(of: &Doubted) -> Vec<String> {
    let mut told = Vec::new();
    match of.mean {
        Some(mean) if mean < 400 => told.push(format!("平均分{}，低于40分", shown(mean))),
        Some(mean) if mean > 900 => told.push(format!("平均分{}，高于90分", shown(mean))),
        _ => {}
    }
    if of.failed * 100 > of.judged * 30 {
        told.push(format!("不及格{}人，超过30%", of.failed));
    }
    if of.alike >= 6 {
        told.push(format!("连续三人同分{}处", of.alike));
    }
    told
}

#[cfg(test)]
mod tests {
    use chrono::{NaiveDate, TimeDelta};

    use super::*;

    #[test]
    fn a_sheet_goes_on_from_where_it_is() {
        use SheetStatus::{Entering, FirstReviewed, Locked, Pending, Published, Returned, Reviewed, Submitted};
        let to = |from, turn| after(from, turn, 2).map_err(|why| why.to_string());
        assert_eq!(to(Pending, SheetTurn::Enter), Ok(Entering));
        assert_eq!(to(Returned, SheetTurn::Submit), Ok(Submitted));
        assert_eq!(to(Submitted, SheetTurn::Review), Ok(FirstReviewed));
        assert_eq!(after(Submitted, SheetTurn::Review, 1), Ok(Reviewed));
        assert_eq!(to(FirstReviewed, SheetTurn::Audit), Ok(Reviewed));
        assert_eq!(to(Reviewed, SheetTurn::Reject), Ok(Returned));
        assert_eq!(to(Reviewed, SheetTurn::Publish), Ok(Published));
        assert_eq!(to(Published, SheetTurn::Unpublish), Ok(Reviewed));
        assert_eq!(to(Published, SheetTurn::Lock), Ok(Locked));
        assert_eq!(to(Locked, SheetTurn::Enter), Err("成绩已锁定，请走成绩更正".to_owned()));
        assert_eq!(to(Published, SheetTurn::Enter), Err("成绩已发布，请走成绩更正".to_owned()));
        assert_eq!(to(Submitted, SheetTurn::Enter), Err("成绩登记表状态为待初审，不能录入".to_owned()));
        assert_eq!(to(Pending, SheetTurn::Submit), Err("成绩登记表状态为待录入，不能提交".to_owned()));
    }

    #[test]
    fn values_are_entered_within_the_window() {
        let day = |month, day| infra::clock::day_began(NaiveDate::from_ymd_opt(2026, month, day).unwrap());
        let window = Some((day(6, 20), day(7, 5)));
        assert_eq!(may_enter(window, None, day(6, 25)), Ok(()));
        assert_eq!(may_enter(window, None, day(7, 6)), Err("不在成绩录入时间内（06-20 至 07-05）".to_owned()));
        assert_eq!(may_enter(window, Some(day(7, 6) + TimeDelta::hours(1)), day(7, 6)), Ok(()));
    }

    #[test]
    fn a_sheet_is_doubted() {
        assert_eq!(number("2026-1", 7), "2026-100007");
        let row = |value: i64| Entered { value: Some(value), passed: Some(value >= 600) };
        assert_eq!(doubts(&[row(700), row(800), row(650)]), Vec::<String>::new());
        assert_eq!(doubts(&[row(300), row(310)]), ["平均分30.5，低于40分", "不及格2人，超过30%"]);
        assert_eq!(doubts(&[row(900); 8]), ["连续三人同分6处"]);
        assert_eq!(doubts(&[]), Vec::<String>::new());
    }
}
