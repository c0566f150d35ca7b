//! What a record of the trail says by itself.

use serde_json::Value;

/// What the change itself calls the record.
pub fn name_of(changes: &[Value]) -> Option<String> {
    let told = |field: &str| {
        let change = changes.iter().find(|change| change["field"] == field)?;
        change["after"].as_str().or_else(|| change["before"].as_str()).map(ToOwned::to_owned)
    };
    ["name", "realName", "title", "loginName"].into_iter().find_map(told)
}

/// `gradeId` is `grade_id` in the database.
pub fn column(field: &str) -> String {
    field
        .chars()
        .flat_map(|letter| letter.is_ascii_uppercase().then_some('_').into_iter().chain([letter.to_ascii_lowercase()]))
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_record_is_called_by_what_the_change_tells() {
        let renamed = json!([{ "field": "name", "before": "城东站", "after": "城西站" }]);
        assert_eq!(name_of(renamed.as_array().expect("fields")), Some("城西站".to_owned()));
        let gone = json!([{ "field": "loginName", "before": "wangwu", "after": null }]);
        assert_eq!(name_of(gone.as_array().expect("fields")), Some("wangwu".to_owned()));
        assert_eq!(name_of(&[json!({ "field": "phone", "before": "138****0001", "after": null })]), None);
    }

    #[test]
    fn a_field_is_a_column() {
        assert_eq!(column("gradeId"), "grade_id");
        assert_eq!(column("name"), "name");
    }
}
