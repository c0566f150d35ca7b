//! Somebody who is to come, as the steps know them.

use chrono::NaiveDate;
use infra::{across::Item, clock::Moment};
use poem_openapi::Object;
use serde_json::{Map, Value};
use sqlx::types::Json;

use crate::enums::{RegistrationMaterial, RegistrationStatus, ReserveReason, VerifyMethod};

/// A registration as it was read.
#[derive(Debug, Clone, Copy, Object)]
pub struct RegistrationItem {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
}

impl Item for RegistrationItem {
    fn id(&self) -> i64 {
        self.id
    }
}

/// A row that is held.
#[derive(Debug, Clone, PartialEq)]
pub struct Arriving {
    pub id: i64,
    pub version: i32,
    pub admission_id: i64,
    pub batch_id: i64,
    pub grade_id: i64,
    pub major_id: i64,
    pub level_id: i64,
    pub site_id: i64,
    pub name: String,
    pub status: RegistrationStatus,
    /// None: not verified.
    pub verified: Option<VerifyMethod>,
    pub materials: Vec<RegistrationMaterial>,
    pub photo_id: Option<i64>,
    pub fee_paid: bool,
    pub reserve_reason: Option<ReserveReason>,
    pub reserve_until: Option<NaiveDate>,
    pub reason: Option<String>,
    pub attachment_id: Option<i64>,
    /// Values of the school's own fields, by their keys.
    pub extra: Json<Map<String, Value>>,
    /// The files of such fields, in the order of the fields' keys; they are written apart from the row.
    pub files: Vec<String>,
    pub reported_at: Option<Moment>,
    pub reported_by: Option<String>,
    pub student_id: Option<i64>,
    pub carried_on: bool,
}

impl Arriving {
    /// # Errors
    /// Why nothing is done with the row any more: the person went on in a later batch.
    pub fn counts(&self) -> Result<(), String> {
        if self.carried_on { Err("已转入之后的批次，请在该批次办理".to_owned()) } else { Ok(()) }
    }

    /// # Errors
    /// Why the step is not to be had.
    pub fn only(&self, from: &[RegistrationStatus], step: &str) -> Result<(), String> {
        self.counts()?;
        if from.contains(&self.status) {
            Ok(())
        } else {
            Err(format!("当前状态为{}，不能{step}", self.status.zh()))
        }
    }

    /// Waits again; what was said of another status is gone. Answers the paper that said it, which is to be let go; who reported
    /// has none.
    pub fn wait(&mut self) -> Option<i64> {
        self.status = RegistrationStatus::Pending;
        (self.reserve_reason, self.reserve_until, self.reason) = (None, None, None);
        (self.reported_at, self.reported_by, self.student_id) = (None, None, None);
        self.attachment_id.take()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub fn arriving(status: RegistrationStatus) -> Arriving {
        Arriving {
            id: 1,
            version: 1,
            admission_id: 1,
            batch_id: 1,
            grade_id: 1,
            major_id: 1,
            level_id: 1,
            site_id: 1,
            name: "张伟".to_owned(),
            status,
            verified: Some(VerifyMethod::Manual),
            materials: Vec::new(),
            photo_id: Some(1),
            fee_paid: true,
            reserve_reason: None,
            reserve_until: None,
            reason: None,
            attachment_id: None,
            extra: Json(Map::new()),
            files: Vec::new(),
            reported_at: None,
            reported_by: None,
            student_id: None,
            carried_on: false,
        }
    }

    #[test]
    fn a_step_has_its_statuses() {
        use RegistrationStatus::{NoShow, Pending, Reported, Reserved};
        let told = |status| arriving(status).only(&[Pending, NoShow], "办理放弃").err().unwrap_or_default();
        assert_eq!(told(Pending), "");
        assert_eq!(told(NoShow), "");
        assert_eq!(told(Reported), "当前状态为已报到，不能办理放弃");
        let gone = Arriving { carried_on: true, ..arriving(Reserved) };
        assert_eq!(gone.only(&[Reserved], "恢复").err().unwrap_or_default(), "已转入之后的批次，请在该批次办理");
    }

    #[test]
    fn who_waits_again_is_as_they_came() {
        let mut person = Arriving {
            reason: Some("出国".to_owned()),
            reserve_until: "2027-03-01".parse().ok(),
            reserve_reason: Some(ReserveReason::Other),
            ..arriving(RegistrationStatus::Reserved)
        };
        person.attachment_id = Some(7);
        assert_eq!(person.wait(), Some(7), "the paper is let go");
        assert_eq!(person, arriving(RegistrationStatus::Pending));
    }
}
