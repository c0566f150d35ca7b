//! 采集设置: when a form is collected, and what is signed (02 §11.1).

use infra::clock::Moment;

use crate::enums::{InformationKind, InformationWindowPhase};

/// What stands for something of the student in the text of 承诺书.
const PLACEHOLDERS: [&str; 5] = ["name", "idCardNo", "school", "level", "major"];

/// The end is exclusive: at that moment nobody fills anything in any more. A window that is switched off is closed at any time.
pub fn phase(enabled: bool, opens_at: Moment, closes_at: Moment, now: Moment) -> InformationWindowPhase {
    if !enabled {
        InformationWindowPhase::Closed
    } else if now < opens_at {
        InformationWindowPhase::NotStarted
    } else if now < closes_at {
        InformationWindowPhase::Open
    } else {
        InformationWindowPhase::Ended
    }
}

/// The first word in braces that stands for nothing.
fn unknown_placeholder(text: &str) -> Option<&str> {
    let words = text.split('{').skip(1).filter_map(|rest| rest.split_once('}').map(|(word, _)| word));
    let mut unknown = words.filter(|word| !PLACEHOLDERS.contains(word));
    unknown.next()
}

/// What is right of the text of a kind.
///
/// # Errors
/// The refusal in Chinese.
pub fn text_of(kind: InformationKind, text: Option<&str>) -> Result<(), String> {
    match (kind, text) {
        (InformationKind::AdmissionCommitment, None) => Err("请填写承诺书内容".to_owned()),
        (InformationKind::AdmissionCommitment, Some(text)) => unknown_placeholder(text).map_or(Ok(()), |word| {
            Err(format!(
                "承诺书中的“{{{word}}}”不是可用的占位符，请改为{}",
                PLACEHOLDERS.map(|known| format!("{{{known}}}")).join("、")
            ))
        }),
        (InformationKind::AdmissionInformation | InformationKind::GraduationInformation, None) => Ok(()),
        (InformationKind::AdmissionInformation | InformationKind::GraduationInformation, Some(_)) => {
            Err("只有入学资格审查有承诺书，请清空该项".to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commitment_says_what_is_signed() {
        use InformationKind::{AdmissionCommitment, AdmissionInformation};
        assert_eq!(text_of(AdmissionCommitment, None), Err("请填写承诺书内容".to_owned()));
        assert_eq!(text_of(AdmissionCommitment, Some("本人{name}（{idCardNo}）承诺属实。")), Ok(()));
        let told = text_of(AdmissionCommitment, Some("本人{name}，电话{phone}")).expect_err("is refused");
        assert!(told.starts_with("承诺书中的“{phone}”不是可用的占位符"), "{told}");
        assert!(text_of(AdmissionInformation, Some("承诺")).is_err());
        assert_eq!(text_of(AdmissionInformation, None), Ok(()));
    }

    #[test]
    fn braces_without_an_end_are_text() {
        assert_eq!(unknown_placeholder("承诺{如下"), None);
        assert_eq!(unknown_placeholder("{school}与{level}"), None);
    }

    #[test]
    fn a_window_is_open_from_its_first_moment_up_to_its_last() {
        let at = |text: &str| text.parse::<Moment>().expect("a moment");
        let (opens, closes) = (at("2026-03-01T00:00:00+08:00"), at("2026-05-01T00:00:00+08:00"));
        let told = |enabled, now: &str| phase(enabled, opens, closes, at(now)).zh();
        assert_eq!(told(true, "2026-02-28T23:59:59+08:00"), "未开始");
        assert_eq!(told(true, "2026-03-01T00:00:00+08:00"), "进行中");
        assert_eq!(told(true, "2026-04-30T23:59:59+08:00"), "进行中");
        assert_eq!(told(true, "2026-05-01T00:00:00+08:00"), "已结束");
        assert_eq!(told(false, "2026-04-01T00:00:00+08:00"), "已停用");
    }
}
