//! 标记已注册 and 标记超学制: of whom (02 §9.2).

use chrono::NaiveDate;
use infra::Result;

use crate::{enums::StudentStatus, student::Student};

/// Who waits for registration and has a number may be registered.
pub fn may_register(student: &Student, on: NaiveDate, today: NaiveDate) -> Result<(), String> {
    registrable(student.status, student.student_no.as_deref(), student.enrolled_on, (on, today))
}

/// The same of what is known of somebody.
pub fn registrable(
    status: StudentStatus,
    number: Option<&str>,
    enrolled_on: NaiveDate,
    (on, today): (NaiveDate, NaiveDate),
) -> Result<(), String> {
    if status != StudentStatus::PendingRegistration {
        return Err(format!("当前学籍状态为{}，不能标记已注册", status.zh()));
    }
    if number.is_none() {
        return Err("还没有学号，不能标记已注册".to_owned());
    }
    if on < enrolled_on || on > today {
        return Err("注册日期应在入学日期与今天之间".to_owned());
    }
    Ok(())
}

/// Who still studies when the longest study time is over.
pub fn may_expire(student: &Student, today: NaiveDate) -> Result<(), String> {
    match student.status {
        StudentStatus::Registered | StudentStatus::Suspended => {}
        StudentStatus::PendingRegistration
        | StudentStatus::Withdrawn
        | StudentStatus::TransferredOut
        | StudentStatus::Expired
        | StudentStatus::Graduated
        | StudentStatus::Completed
        | StudentStatus::Incomplete => return Err(format!("当前学籍状态为{}，不能标记超学制", student.status.zh())),
    }
    if today <= student.max_study_end_on {
        return Err(format!("最长学习期限为{}，尚未超过", student.max_study_end_on));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{super::check::tests::stored, *};

    fn day(text: &str) -> NaiveDate {
        text.parse().expect("a day")
    }

    #[test]
    fn who_waits_and_has_a_number_is_registered() {
        let told = |change: fn(&mut Student), on: &str| {
            let mut student = stored();
            change(&mut student);
            may_register(&student, day(on), day("2026-05-20")).err()
        };
        let number = |student: &mut Student| student.student_no = Some("26000001".to_owned());
        assert_eq!(told(number, "2026-03-20"), None);
        assert_eq!(told(|_| {}, "2026-03-20").as_deref(), Some("还没有学号，不能标记已注册"));
        for wrong in ["2026-02-28", "2026-05-21"] {
            assert_eq!(told(number, wrong).as_deref(), Some("注册日期应在入学日期与今天之间"), "{wrong}");
        }
        let suspended = |student: &mut Student| student.status = StudentStatus::Suspended;
        assert_eq!(told(suspended, "2026-03-20").as_deref(), Some("当前学籍状态为休学，不能标记已注册"));
    }

    #[test]
    fn who_studies_beyond_the_longest_time_is_marked() {
        let told = |status: StudentStatus, today: &str| {
            let student = Student { status, max_study_end_on: day("2031-02-28"), ..stored() };
            may_expire(&student, day(today)).err()
        };
        assert_eq!(told(StudentStatus::Registered, "2031-03-01"), None);
        assert_eq!(told(StudentStatus::Suspended, "2031-03-01"), None);
        assert_eq!(
            told(StudentStatus::Registered, "2031-02-28").as_deref(),
            Some("最长学习期限为2031-02-28，尚未超过")
        );
        assert_eq!(
            told(StudentStatus::PendingRegistration, "2031-03-01").as_deref(),
            Some("当前学籍状态为待注册，不能标记超学制")
        );
    }
}
