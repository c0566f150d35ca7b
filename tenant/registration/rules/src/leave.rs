//! 放弃, 取消资格: from where, and with which words (02 §7).

use infra::{Error, Result};

use crate::{arriving::Arriving, enums::RegistrationStatus};

/// A reason without the space around it.
///
/// # Errors
/// 422 at the field without a reason.
pub fn said(field: &'static str, reason: Option<String>) -> Result<String> {
    let reason = reason.map(|reason| reason.trim().to_owned());
    reason.filter(|reason| reason.chars().count() >= 2).ok_or_else(|| Error::field(field, "请填写原因"))
}

/// # Errors
/// Why the person cannot give up.
pub fn abandonable(person: &Arriving) -> Result<(), String> {
    person.only(&[RegistrationStatus::Pending, RegistrationStatus::NoShow], "办理放弃")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arriving::tests::arriving;

    #[test]
    fn who_waits_or_is_late_gives_up() {
        use RegistrationStatus::{NoShow, Pending, Reported, Reserved};
        let told = |status| abandonable(&arriving(status)).err().unwrap_or_default();
        assert_eq!((told(Pending), told(NoShow)), (String::new(), String::new()));
        assert_eq!(told(Reserved), "当前状态为保留入学资格，不能办理放弃");
        assert_eq!(told(Reported), "当前状态为已报到，不能办理放弃");
    }

    #[test]
    fn a_reason_is_said() {
        assert_eq!(said("reason", Some(" 出国 ".to_owned())).ok().as_deref(), Some("出国"));
        assert!(said("reason", Some("x ".to_owned())).is_err() && said("reason", None).is_err());
    }
}
