//! What the forms of all people of this module have in common.

use chrono::NaiveDate;
use infra::{Error, Result, mask};

use crate::id_card::{self, Gender, IdCardType, Typed};

/// The whole number again where the form sent back its mask.
///
/// # Errors
/// 422 when a mask came that is not the stored number's.
pub fn whole_phone(typed: String, stored: Option<&str>) -> Result<String> {
    let phone = mask::kept(Some(typed), stored, mask::phone).unwrap_or_default();
    if phone.contains('*') {
        return Err(Error::field("phone", "请填写完整的手机号"));
    }
    Ok(phone)
}

/// The same for what may be absent.
///
/// # Errors
/// 422 at the field.
pub fn whole(
    field: &str,
    typed: Option<String>,
    stored: Option<&str>,
    mask: fn(&str) -> String,
) -> Result<Option<String>> {
    let kept = mask::kept(typed, stored, mask);
    if kept.as_deref().is_some_and(|text| text.contains('*')) {
        return Err(Error::field(field, "请填写完整内容，不修改时保留原内容"));
    }
    Ok(kept)
}

/// The ID number of a resident, checked (02 §0.3), and the gender that it says.
///
/// # Errors
/// 422 at the field that is wrong.
pub fn checked_id(
    number: Option<String>,
    gender: Option<Gender>,
    today: NaiveDate,
) -> Result<(Option<String>, Option<Gender>)> {
    let Some(number) = number else { return Ok((None, gender)) };
    let card = id_card::check(IdCardType::ResidentId, &number, Typed { birthday: None, gender }, today)
        .map_err(|wrong| Error::field(wrong.field(), wrong.to_string()))?;
    Ok((Some(card.number), card.gender))
}

/// 422 at the field of a number that another person of the kind has.
pub fn number_taken(field: &str, label: &str, number: &str) -> Error {
    Error::field(field, format!("{label}“{number}”已存在"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mask_stands_for_the_stored_number_alone() {
        assert_eq!(whole_phone("138****0001".to_owned(), Some("13800000001")).expect("kept"), "13800000001");
        assert_eq!(whole_phone("13900000002".to_owned(), Some("13800000001")).expect("new"), "13900000002");
        assert_eq!(whole_phone("138****0002".to_owned(), Some("13800000001")).expect_err("wrong").code, 422);
        assert_eq!(whole("email", None, Some("a@b.cn"), mask::email).expect("cleared"), None);
    }
}
