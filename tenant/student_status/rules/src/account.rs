//! 学生账号: which student one is opened for (02 §12).

use infra::{Error, Result, across::Item};
use poem_openapi::Object;

use crate::enums::StudentStatus;

/// A student, with the version of what is to be changed: of the account (`accountVersion`) for what is done to an
/// account, of the student for 生成账号.
#[derive(Debug, Clone, Copy, Object)]
pub struct StudentItem {
    /// 学生编号
    pub id: i64,
    /// 版本
    pub version: i32,
}

impl Item for StudentItem {
    fn id(&self) -> i64 {
        self.id
    }
}

/// What a step on an account must know of the student.
#[derive(Debug)]
pub struct Owner {
    pub id: i64,
    pub status: StudentStatus,
    pub student_no: Option<String>,
    pub examinee_no: Option<String>,
    pub version: i32,
}

impl Owner {
    /// The name of the account to be: 学号, before that 考生号.
    pub fn login_name(&self) -> Result<&str> {
        if self.status == StudentStatus::Withdrawn {
            return Err(Error::conflict("该生已退学，不能生成账号"));
        }
        let number = self.student_no.as_deref().or(self.examinee_no.as_deref());
        number.ok_or_else(|| Error::conflict("学号和考生号均为空，不能生成账号"))
    }
}

/// Only who has not left for good may sign in again (02 §10: 转出 as 退学).
pub fn allow_enabling(status: StudentStatus) -> Result<()> {
    match status {
        StudentStatus::Withdrawn | StudentStatus::TransferredOut => {
            Err(Error::conflict(format!("该生已{}，账号不可启用", status.zh())))
        }
        StudentStatus::PendingRegistration
        | StudentStatus::Registered
        | StudentStatus::Suspended
        | StudentStatus::Expired
        | StudentStatus::Graduated
        | StudentStatus::Completed
        | StudentStatus::Incomplete => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(status: StudentStatus, student_no: Option<&str>, examinee_no: Option<&str>) -> String {
        let owner = Owner {
            id: 1,
            status,
            student_no: student_no.map(str::to_owned),
            examinee_no: examinee_no.map(str::to_owned),
            version: 1,
        };
        owner.login_name().map_or_else(|error| error.msg.into_owned(), str::to_owned)
    }

    #[test]
    fn the_student_number_goes_before_the_examinee_number() {
        use StudentStatus::{PendingRegistration, Withdrawn};
        assert_eq!(named(PendingRegistration, Some("26304120070023"), Some("26420101150001")), "26304120070023");
        assert_eq!(named(PendingRegistration, None, Some("26420101150001")), "26420101150001");
        assert_eq!(named(PendingRegistration, None, None), "学号和考生号均为空，不能生成账号");
        assert_eq!(named(Withdrawn, Some("26304120070023"), None), "该生已退学，不能生成账号");
    }

    #[test]
    fn who_withdrew_stays_out() {
        for (_, status) in StudentStatus::CHOICES {
            let left = matches!(*status, StudentStatus::Withdrawn | StudentStatus::TransferredOut);
            assert_eq!(allow_enabling(*status).is_ok(), !left, "{status:?}");
        }
        assert_eq!(allow_enabling(StudentStatus::TransferredOut).unwrap_err().msg, "该生已转出，账号不可启用");
        assert_eq!(allow_enabling(StudentStatus::Withdrawn).unwrap_err().msg, "该生已退学，账号不可启用");
    }
}
