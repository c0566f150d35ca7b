//! 批量生成: a session for each slot of each day.

use chrono::NaiveDate;
use infra::{Change, Error, Result, Tx};
use poem_openapi::{Object, types::Example};

use super::{
    covering,
    form::{ExamSessionForm, NewSession, insert},
};

/// A time of the day.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ExamSessionSlot {
    /// 开始时间
    /// 时间应为 HH:MM
    #[oai(validator(pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$"))]
    pub start_time: String,
    /// 结束时间
    /// 时间应为 HH:MM
    #[oai(validator(pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$"))]
    pub end_time: String,
}

/// Which sessions are made.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ExamSessionsWanted {
    /// 考试批次
    pub batch_id: i64,
    /// 日期
    #[oai(validator(min_items = 1, max_items = 31))]
    pub dates: Vec<NaiveDate>,
    /// 时段
    #[oai(validator(min_items = 1, max_items = 10))]
    pub slots: Vec<ExamSessionSlot>,
    /// 站点
    /// 不填时为全部站点
    #[oai(default, validator(max_items = 1000))]
    pub site_ids: Vec<i64>,
}

impl Example for ExamSessionsWanted {
    fn example() -> Self {
        Self {
            batch_id: 1,
            dates: NaiveDate::from_ymd_opt(2026, 6, 20).into_iter().collect(),
            slots: vec![ExamSessionSlot { start_time: "09:00".to_owned(), end_time: "11:00".to_owned() }],
            site_ids: Vec::new(),
        }
    }
}

/// The sessions that were made.
#[derive(Debug, Clone, Object)]
pub struct ExamSessionsGenerated {
    /// 编号
    pub ids: Vec<i64>,
    /// 已有场次而跳过的时段数
    pub skipped: i64,
}

/// Makes what is not there yet, in the order of time; and how many there were already.
///
/// # Errors
/// As those of a single session, at the slot.
pub(super) async fn generate(tx: &mut Tx, wanted: &ExamSessionsWanted) -> Result<(Vec<Change>, i64)> {
    let mut new = Vec::new();
    for date in &wanted.dates {
        for (place, slot) in wanted.slots.iter().enumerate() {
            let form = ExamSessionForm {
                batch_id: wanted.batch_id,
                name: None,
                exam_date: *date,
                start_time: slot.start_time.clone(),
                end_time: slot.end_time.clone(),
                duration_minutes: None,
                site_ids: wanted.site_ids.clone(),
            };
            let session = NewSession::of(form).map_err(|error| {
                if error.code == 422 {
                    Error::field(&format!("slots[{place}].endTime"), error.msg.into_owned())
                } else {
                    error
                }
            })?;
            new.push(session);
        }
    }
    new.sort_by_key(|session| (session.starts_at, session.ends_at));
    new.dedup_by_key(|session| (session.starts_at, session.ends_at));
    tx.lock("test_batch", wanted.batch_id).await?;
    let (mut made, mut skipped) = (Vec::new(), 0);
    for session in new {
        let time = (session.starts_at, session.ends_at);
        if covering(tx, session.batch_id, time, &session.site_ids).await?.is_some() {
            skipped += 1;
        } else {
            made.push(insert(tx, &session).await?.1);
        }
    }
    if made.is_empty() {
        return Err(Error::conflict("所选日期和时段都已有场次"));
    }
    Ok((made, skipped))
}
