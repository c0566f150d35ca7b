//! What a sheet of teachers says beside what stands already (part 02 §12.2).

use chrono::NaiveDate;
use serde_json::Value;

use crate::id_card::{self, IdCardType, Typed};

/// Lays what was typed over what is stored; an empty cell leaves it.
pub fn laid_over(mut stored: Value, typed: Value) -> Value {
    if let (Some(stored), Value::Object(typed)) = (stored.as_object_mut(), typed) {
        stored.extend(typed.into_iter().filter(|(_, value)| !value.is_null()));
    }
    stored
}

/// Whether birthday and gender follow from a number.
pub fn tells_birthday(kind: IdCardType, number: &str, today: NaiveDate) -> bool {
    id_card::check(kind, number, Typed::default(), today).is_ok_and(|card| card.birthday.is_some())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_empty_cell_leaves_what_is_stored() {
        let stored = json!({ "idCardNo": "429900199603150216", "duties": ["marker"], "title": "lecturer" });
        let typed = json!({ "workNo": "T1", "idCardNo": null, "duties": null, "title": "professor" });
        assert_eq!(
            laid_over(stored, typed),
            json!({ "workNo": "T1", "idCardNo": "429900199603150216", "duties": ["marker"], "title": "professor" })
        );
    }

    #[test]
    fn a_residents_number_tells_the_birthday_a_passport_does_not() {
        let today = NaiveDate::from_ymd_opt(2026, 11, 22).expect("a day");
        assert!(tells_birthday(IdCardType::ResidentId, "429900199603150216", today));
        assert!(
            !tells_birthday(IdCardType::ResidentId, "429***********0216", today),
            "a mask stands for the stored one"
        );
        assert!(!tells_birthday(IdCardType::Passport, "E12345678", today));
    }
}
