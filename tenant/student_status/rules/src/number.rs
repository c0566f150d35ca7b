//! 生成学号: who gets a number (02 §9.4).

use std::collections::HashMap;

use infra::{BulkWarning, Error, Result};

use crate::{account::StudentItem, check::NOT_YOURS, enums::StudentStatus};

/// Why a student gets no number.
#[derive(Debug, PartialEq, Eq)]
pub enum Refusal {
    NotYours,
    Changed,
    HasNumber(String),
    Left(StudentStatus),
}

impl Refusal {
    pub fn told(self) -> Error {
        match self {
            Self::NotYours | Self::Changed => Error::new(404, NOT_YOURS),
            Self::HasNumber(number) => Error::conflict(format!("已有学号{number}，不能重新生成")),
            Self::Left(status) => Error::conflict(format!("当前学籍状态为{}，不能生成学号", status.zh())),
        }
    }
}

/// A student of a step.
pub struct Holder {
    pub name: String,
    pub version: i32,
    pub student_no: Option<String>,
    pub status: StudentStatus,
}

/// The students of a step, locked in the order of their ids.
pub struct Locked(pub HashMap<i64, Holder>);

impl Locked {
    pub fn warning(&self, id: i64, msg: String) -> BulkWarning {
        BulkWarning { id, name: self.0.get(&id).map(|holder| holder.name.clone()).unwrap_or_default(), msg }
    }

    /// Only who is here and has none gets a number.
    pub fn check(&self, item: &StudentItem) -> Result<(), Refusal> {
        let Holder { version, student_no, status, .. } = self.0.get(&item.id).ok_or(Refusal::NotYours)?;
        if *version != item.version {
            return Err(Refusal::Changed);
        }
        match student_no {
            Some(number) => Err(Refusal::HasNumber(number.clone())),
            None if status.is_active() => Ok(()),
            None => Err(Refusal::Left(*status)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_who_is_here_and_has_none_gets_a_number() {
        let holder = |version, number: Option<&str>, status| Holder {
            name: String::new(),
            version,
            student_no: number.map(ToOwned::to_owned),
            status,
        };
        let known = Locked(HashMap::from([
            (1, holder(1, None, StudentStatus::PendingRegistration)),
            (2, holder(1, Some("26304120070023"), StudentStatus::Registered)),
            (3, holder(2, None, StudentStatus::Registered)),
            (4, holder(1, None, StudentStatus::Withdrawn)),
        ]));
        let told = |id| known.check(&StudentItem { id, version: 1 }).err();
        assert_eq!(told(1), None);
        assert_eq!(told(2), Some(Refusal::HasNumber("26304120070023".to_owned())));
        assert_eq!(told(3), Some(Refusal::Changed));
        assert_eq!(told(4), Some(Refusal::Left(StudentStatus::Withdrawn)));
        assert_eq!(told(5), Some(Refusal::NotYours));
        assert_eq!(Refusal::Left(StudentStatus::Withdrawn).told().msg, "当前学籍状态为退学，不能生成学号");
    }
}
