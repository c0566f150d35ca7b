//! 编辑: what is free to change of a student (02 §0.4).

use infra::{Error, Result, mask};

use crate::{
    enums::StudentStatus,
    form::{FreeFields, StudentEdit},
    student::Student,
};

/// Whether a key field was sent with another value than it has. The masked number counts as the number.
pub fn moves_key_field(before: &Student, edit: &StudentEdit) -> bool {
    fn differs<T: PartialEq>(sent: &Option<T>, has: impl Into<Option<T>>) -> bool {
        sent.is_some() && *sent != has.into()
    }
    let number = edit.id_card_no.as_deref();
    differs(&edit.name, before.name.clone())
        || differs(&edit.gender, before.gender)
        || differs(&edit.birthday, before.birthday)
        || differs(&edit.ethnicity, before.ethnicity.clone())
        || differs(&edit.id_card_type, before.id_card_type)
        || number.is_some_and(|number| number != before.id_card_no && number != mask::id_card(&before.id_card_no))
        || differs(&edit.examinee_no, before.examinee_no.clone())
        || differs(&edit.grade_id, before.grade_id)
        || differs(&edit.level_id, before.level_id)
        || differs(&edit.major_id, before.major_id)
        || differs(&edit.study_form, before.study_form)
        || differs(&edit.enrolled_on, before.enrolled_on)
        || differs(&edit.schooling_years, before.schooling_years)
}

/// What came back masked was not typed.
pub fn whole(typed: FreeFields, before: &Student) -> FreeFields {
    FreeFields {
        phone: mask::kept(typed.phone, before.phone.as_deref(), mask::phone),
        emergency_phone: mask::kept(typed.emergency_phone, before.emergency_phone.as_deref(), mask::phone),
        email: mask::kept(typed.email, before.email.as_deref(), mask::email),
        address: mask::kept(typed.address, before.address.as_deref(), mask::address),
        hukou_place: mask::kept(typed.hukou_place, before.hukou_place.as_deref(), mask::address),
        ..typed
    }
}

/// Site and class are no key fields, but from 注册 on they change by 异动 or 分班 only.
pub fn allow_move(before: &Student) -> Result<()> {
    match before.status {
        StudentStatus::PendingRegistration => Ok(()),
        StudentStatus::Registered
        | StudentStatus::Suspended
        | StudentStatus::Withdrawn
        | StudentStatus::TransferredOut
        | StudentStatus::Expired
        | StudentStatus::Graduated
        | StudentStatus::Completed
        | StudentStatus::Incomplete => {
            Err(Error::conflict(format!("当前学籍状态为{}，站点和班级请走学籍异动或分班", before.status.zh())))
        }
    }
}

#[cfg(test)]
mod tests {
    use poem_openapi::types::Example;

    use super::*;
    use crate::check::tests::stored;

    fn moves(change: impl FnOnce(&mut StudentEdit)) -> bool {
        let mut edit = StudentEdit::example();
        change(&mut edit);
        moves_key_field(&stored(), &edit)
    }

    #[test]
    fn a_key_field_may_come_back_but_not_change() {
        assert!(!moves(|_| {}));
        assert!(!moves(|edit| edit.id_card_no = Some("11010519491231002X".to_owned())));
        assert!(!moves(|edit| edit.id_card_no = Some("110***********002X".to_owned())));
        assert!(moves(|edit| edit.id_card_no = Some("429900199603150216".to_owned())));
        assert!(moves(|edit| edit.name = Some("李四".to_owned())));
        assert!(moves(|edit| edit.examinee_no = Some("26420101150001".to_owned())));
        assert!(moves(|edit| edit.schooling_years = Some(3.0)));
        assert!(!moves(|edit| edit.schooling_years = Some(2.5)));
        assert!(moves(|edit| edit.grade_id = Some(2)));
    }

    #[test]
    fn only_before_registration_a_site_may_be_edited() {
        assert!(allow_move(&stored()).is_ok());
        let refused = allow_move(&Student { status: StudentStatus::Registered, ..stored() });
        assert_eq!(refused.unwrap_err().msg, "当前学籍状态为在籍，站点和班级请走学籍异动或分班");
    }

    #[test]
    fn masked_values_stay() {
        let before = Student { email: Some("zhang@example.com".to_owned()), ..stored() };
        let typed = FreeFields {
            phone: Some("138****0001".to_owned()),
            email: Some("z***@example.com".to_owned()),
            ..FreeFields::default()
        };
        let whole = whole(typed, &before);
        assert_eq!(whole.phone.as_deref(), Some("13800000001"));
        assert_eq!(whole.email.as_deref(), Some("zhang@example.com"));
    }
}
