//! 分班: how it is done, and who is seated (02 §9.5).

use infra::{Result, enumeration};

use crate::enums::StudentStatus;

enumeration! {
    /// 分班方式
    pub enum DivisionMode = "divisionMode" {
        Fill = "fill" "依次填满",
        Balance = "balance" "人数均衡",
    }
}

enumeration! {
    /// 分班顺序
    pub enum DivisionOrder = "divisionOrder" {
        ExamineeNo = "examinee_no" "按考生号",
        NamePinyin = "name_pinyin" "按姓名拼音",
        GenderBalanced = "gender_balanced" "男女均衡",
    }
}

/// Only who goes on studying is seated.
pub fn seatable(status: StudentStatus) -> Result<(), String> {
    if status.is_active() { Ok(()) } else { Err(format!("当前学籍状态为{}，不能分班", status.zh())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_ended_is_not_seated() {
        assert_eq!(seatable(StudentStatus::PendingRegistration), Ok(()));
        assert_eq!(seatable(StudentStatus::Graduated), Err("当前学籍状态为毕业，不能分班".to_owned()));
    }
}
