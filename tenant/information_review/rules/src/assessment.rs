//! 自我鉴定 of 毕业登记 (02 §11.1).

use infra::FieldError;

/// 自我鉴定, in characters.
const SHORTEST_ASSESSMENT: usize = 200;

/// What is wrong with one that is too short.
pub fn too_short(text: Option<&str>) -> Option<FieldError> {
    let length = text?.trim().chars().count();
    (length < SHORTEST_ASSESSMENT).then(|| FieldError {
        field: "selfAssessment".to_owned(),
        message: format!("自我鉴定应为{SHORTEST_ASSESSMENT}至800个字符，现有{length}个"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_assessment_has_two_hundred_characters() {
        let told = |length: usize| too_short(Some(&"好".repeat(length))).map(|wrong| wrong.message);
        assert_eq!(told(199).as_deref(), Some("自我鉴定应为200至800个字符，现有199个"));
        assert_eq!(told(200), None);
        assert!(too_short(None).is_none(), "whether it must be there is the field's own setting");
    }
}
