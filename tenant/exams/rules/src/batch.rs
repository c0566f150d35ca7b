//! A batch: its way, what of it may still be edited, the beginning of its tickets (part 04 §1).

use chrono::NaiveDate;
use infra::{FieldError, clock::Moment};

use crate::enums::{ExamModeOfBatch, TestBatchKind, TestBatchStatus};

/// Where a batch goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BatchTurn {
    Activate,
    Close,
    Reopen,
    Archive,
}

impl BatchTurn {
    const fn zh(self) -> &'static str {
        match self {
            Self::Activate => "启用",
            Self::Close => "结束",
            Self::Reopen => "重新打开",
            Self::Archive => "归档",
        }
    }
}

/// The status behind a step.
///
/// # Errors
/// The refusal in Chinese.
pub fn after(from: TestBatchStatus, turn: BatchTurn) -> Result<TestBatchStatus, String> {
    use TestBatchStatus::{Active, Archived, Closed, Draft};
    match (turn, from) {
        (BatchTurn::Activate, Draft) | (BatchTurn::Reopen, Closed) => Ok(Active),
        (BatchTurn::Close, Active) => Ok(Closed),
        (BatchTurn::Archive, Closed) => Ok(Archived),
        (BatchTurn::Reopen, Archived) => Err("已归档的批次不能重新打开".to_owned()),
        (BatchTurn::Activate, Active | Closed | Archived)
        | (BatchTurn::Close, Draft | Closed | Archived)
        | (BatchTurn::Reopen, Draft | Active)
        | (BatchTurn::Archive, Draft | Active | Archived) => Err(format!("批次{}，不能{}", from.zh(), turn.zh())),
    }
}

/// What of a batch decides over edits and over what is set in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchFields {
    pub code: String,
    pub semester_id: i64,
    pub kind: TestBatchKind,
    pub mode: ExamModeOfBatch,
    pub starts_on: Option<NaiveDate>,
    pub ends_on: Option<NaiveDate>,
    pub entry: (Option<Moment>, Option<Moment>),
    pub ticket_publish_at: Option<Moment>,
    pub review_levels: i32,
    pub auto_lock_days: i32,
    pub room_capacity: i32,
    pub room_min_fill: i32,
    pub ticket_prefix: String,
}

fn wrong(field: &str, message: &str) -> FieldError {
    FieldError { field: field.to_owned(), message: message.to_owned() }
}

/// What is wrong in itself.
pub fn check(fields: &BatchFields) -> Vec<FieldError> {
    let mut found = Vec::new();
    if fields.starts_on.is_some() != fields.ends_on.is_some() {
        found.push(wrong("examEndsOn", "请同时填写考试开始和结束日期"));
    }
    if let (Some(starts), Some(ends)) = (fields.starts_on, fields.ends_on)
        && ends < starts
    {
        found.push(wrong("examEndsOn", "结束日期不能早于开始日期"));
    }
    match fields.entry {
        (Some(starts), Some(ends)) => {
            if ends <= starts {
                found.push(wrong("scoreEntryEndsAt", "成绩录入结束时间应晚于开始时间"));
            }
            if fields.starts_on.is_some_and(|day| starts.date_naive() < day) {
                found.push(wrong("scoreEntryStartsAt", "成绩录入开始时间不能早于考试开始日期"));
            }
        }
        (None, None) => {}
        _ => found.push(wrong("scoreEntryEndsAt", "请同时填写成绩录入开始和结束时间")),
    }
    if fields.room_min_fill > fields.room_capacity {
        found.push(wrong("roomMinFill", "最少人数不能超过每考场人数"));
    }
    found
}

/// What an edit changes and may not: of a draft nothing, of an active one all but name, wider dates, the window of entry, notice
/// and remark.
pub fn editable(before: &BatchFields, after: &BatchFields, status: TestBatchStatus) -> Vec<FieldError> {
    match status {
        TestBatchStatus::Draft => return Vec::new(),
        TestBatchStatus::Closed | TestBatchStatus::Archived => {
            return vec![wrong("status", &format!("批次{}，不能修改", status.zh()))];
        }
        TestBatchStatus::Active => {}
    }
    let mut found = Vec::new();
    let mut fixed = |changed: bool, field: &str| {
        if changed {
            found.push(wrong(field, "批次已启用，不能修改此项"));
        }
    };
    fixed(before.code != after.code, "code");
    fixed(before.semester_id != after.semester_id, "semesterId");
    fixed(before.kind != after.kind, "kind");
    fixed(before.mode != after.mode, "mode");
    fixed(before.ticket_publish_at != after.ticket_publish_at, "ticketPublishAt");
    fixed(before.review_levels != after.review_levels, "reviewLevels");
    fixed(before.auto_lock_days != after.auto_lock_days, "autoLockDays");
    fixed(before.room_capacity != after.room_capacity, "roomCapacityDefault");
    fixed(before.room_min_fill != after.room_min_fill, "roomMinFill");
    fixed(before.ticket_prefix != after.ticket_prefix, "ticketPrefix");
    if after.starts_on.is_none() {
        found.push(wrong("examStartsOn", "请填写考试开始日期"));
    } else if after.starts_on > before.starts_on {
        found.push(wrong("examStartsOn", "批次已启用，开始日期只能提前"));
    }
    if after.ends_on.is_none() {
        found.push(wrong("examEndsOn", "请填写考试结束日期"));
    } else if after.ends_on < before.ends_on {
        found.push(wrong("examEndsOn", "批次已启用，结束日期只能延后"));
    }
    if after.entry.0.is_none() || after.entry.1.is_none() {
        found.push(wrong("scoreEntryEndsAt", "请填写成绩录入时间"));
    }
    found
}

/// What stands outside the dates: the first and last day on which something is set.
pub fn holds(fields: &BatchFields, set: Option<(NaiveDate, NaiveDate)>) -> Vec<FieldError> {
    let Some((first, last)) = set else { return Vec::new() };
    let mut found = Vec::new();
    if fields.starts_on.is_none_or(|day| day > first) {
        found.push(wrong("examStartsOn", &format!("已有考试安排在 {first}，开始日期不能晚于该日")));
    }
    if fields.ends_on.is_none_or(|day| day < last) {
        found.push(wrong("examEndsOn", &format!("已有考试安排在 {last}，结束日期不能早于该日")));
    }
    found
}

/// How the tickets of the next batch of a year begin: the year and two digits. None when all are used.
pub fn prefix(year: i32, taken: &[String]) -> Option<String> {
    (1..=99).map(|number| format!("{year:04}{number:02}")).find(|prefix| !taken.contains(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;
    use infra::clock::day_began;

    fn day(month: u32, day: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, month, day).expect("a day")
    }

    fn fields() -> BatchFields {
        BatchFields {
            code: "202601QM".to_owned(),
            semester_id: 1,
            kind: TestBatchKind::Final,
            mode: ExamModeOfBatch::Mixed,
            starts_on: Some(day(6, 20)),
            ends_on: Some(day(6, 30)),
            entry: (Some(day_began(day(6, 20))), Some(day_began(day(7, 5)))),
            ticket_publish_at: None,
            review_levels: 2,
            auto_lock_days: 15,
            room_capacity: 30,
            room_min_fill: 10,
            ticket_prefix: "202601".to_owned(),
        }
    }

    #[test]
    fn a_batch_goes_its_way() {
        use TestBatchStatus::{Active, Archived, Closed, Draft};
        for (from, turn, to) in [
            (Draft, BatchTurn::Activate, Ok(Active)),
            (Active, BatchTurn::Close, Ok(Closed)),
            (Closed, BatchTurn::Reopen, Ok(Active)),
            (Closed, BatchTurn::Archive, Ok(Archived)),
            (Archived, BatchTurn::Reopen, Err("已归档的批次不能重新打开")),
            (Draft, BatchTurn::Close, Err("批次草稿，不能结束")),
            (Active, BatchTurn::Archive, Err("批次进行中，不能归档")),
            (Archived, BatchTurn::Archive, Err("批次已归档，不能归档")),
            (Active, BatchTurn::Activate, Err("批次进行中，不能启用")),
        ] {
            assert_eq!(after(from, turn), to.map_err(str::to_owned), "{from:?} {turn:?}");
        }
    }

    #[test]
    fn what_is_set_keeps_the_dates() {
        let shorter = BatchFields { ends_on: Some(day(6, 28)), ..fields() };
        let told = holds(&shorter, Some((day(6, 21), day(6, 29))));
        assert_eq!(told[0].message, "已有考试安排在 2026-06-29，结束日期不能早于该日");
        assert_eq!(told.len(), 1);
        assert!(holds(&fields(), Some((day(6, 20), day(6, 30)))).is_empty());
        assert!(holds(&shorter, None).is_empty());
    }

    #[test]
    fn an_active_batch_becomes_wider_alone() {
        let wider = BatchFields { ends_on: Some(day(7, 1)), ..fields() };
        assert!(editable(&fields(), &wider, TestBatchStatus::Active).is_empty());
        assert_eq!(editable(&wider, &fields(), TestBatchStatus::Active)[0].field, "examEndsOn");
        let other = BatchFields { kind: TestBatchKind::Makeup, ..fields() };
        assert_eq!(editable(&fields(), &other, TestBatchStatus::Active)[0].field, "kind");
        assert!(editable(&fields(), &other, TestBatchStatus::Draft).is_empty());
        assert_eq!(editable(&fields(), &fields(), TestBatchStatus::Closed)[0].message, "批次已结束，不能修改");
    }

    #[test]
    fn what_is_wrong_in_itself() {
        assert!(check(&fields()).is_empty());
        let before = BatchFields { entry: (Some(day_began(day(6, 19))), Some(day_began(day(7, 5)))), ..fields() };
        assert_eq!(check(&before)[0].field, "scoreEntryStartsAt");
        let turned = BatchFields { ends_on: Some(day(6, 1)), ..fields() };
        assert_eq!(check(&turned)[0].message, "结束日期不能早于开始日期");
        assert_eq!(check(&BatchFields { room_min_fill: 31, ..fields() })[0].field, "roomMinFill");
    }

    #[test]
    fn prefixes_count_the_batches_of_a_year() {
        assert_eq!(prefix(2026, &[]).as_deref(), Some("202601"));
        assert_eq!(prefix(2026, &["202601".to_owned()]).as_deref(), Some("202602"));
        let all: Vec<String> = (1..=99).map(|number| format!("2026{number:02}")).collect();
        assert_eq!(prefix(2026, &all), None);
    }
}
