//! What was filled in, by its group, and how those see it who may not see whole numbers (05 E4).

use infra::{Error, Result, mask};
use poem_openapi::types::ParseFromJSON;
use serde_json::Value;

use crate::{
    content::{AdmissionCommitmentContent, AdmissionInformationContent, CheckedItem, GraduationInformationContent},
    enums::{InformationItem, InformationKind, InformationPaper},
};

/// What is printed of a group.
pub const fn papers_of(kind: InformationKind) -> &'static [InformationPaper] {
    match kind {
        InformationKind::AdmissionInformation => &[InformationPaper::CheckSheet],
        InformationKind::AdmissionCommitment => &[InformationPaper::Commitment, InformationPaper::Qualification],
        InformationKind::GraduationInformation => &[InformationPaper::Graduation],
    }
}

/// What was filled in, by its group.
pub enum Filled {
    Information(Box<AdmissionInformationContent>),
    Commitment(Box<AdmissionCommitmentContent>),
    Graduation(Box<GraduationInformationContent>),
}

/// One of the three.
pub type Shown =
    (Option<AdmissionInformationContent>, Option<AdmissionCommitmentContent>, Option<GraduationInformationContent>);

impl Filled {
    pub fn of(kind: InformationKind, content: Value) -> Result<Self> {
        Ok(match kind {
            InformationKind::AdmissionInformation => Self::Information(Box::new(read(content)?)),
            InformationKind::AdmissionCommitment => Self::Commitment(Box::new(read(content)?)),
            InformationKind::GraduationInformation => Self::Graduation(Box::new(read(content)?)),
        })
    }

    pub fn checked(&self) -> &[CheckedItem] {
        match self {
            Self::Information(content) => &content.items,
            Self::Commitment(_) => &[],
            Self::Graduation(content) => &content.items,
        }
    }

    /// Hides what only those see who may see whole numbers (05 E4).
    pub fn mask(&mut self) {
        match self {
            Self::Information(content) => {
                content.items.iter_mut().for_each(mask_checked);
                content.phone = content.phone.as_deref().map(mask::phone);
                content.email = content.email.as_deref().map(mask::email);
                content.address = content.address.as_deref().map(mask::address);
                content.emergency_phone = content.emergency_phone.as_deref().map(mask::phone);
            }
            Self::Commitment(_) => {}
            Self::Graduation(content) => {
                content.items.iter_mut().for_each(mask_checked);
                content.contact_after = content.contact_after.as_deref().map(|text| mask::shapes(text).into_owned());
            }
        }
    }

    /// As everybody sees it who may not see whole numbers.
    pub fn masked(mut self) -> Shown {
        self.mask();
        match self {
            Self::Information(content) => (Some(*content), None, None),
            Self::Commitment(content) => (None, Some(*content), None),
            Self::Graduation(content) => (None, None, Some(*content)),
        }
    }
}

fn read<T: ParseFromJSON>(content: Value) -> Result<T> {
    T::parse_from_json(Some(content)).map_err(|error| Error::internal(error.into_message()))
}

fn mask_checked(item: &mut CheckedItem) {
    if item.key == InformationItem::IdCardNo {
        item.registered = item.registered.as_deref().map(mask::id_card);
        item.declared = item.declared.as_deref().map(mask::id_card);
    }
}

/// A text that names somebody by their number, without it. That of a passport or a permit has no shape of its own.
pub fn mask_text(text: &str, number: &str) -> String {
    if number.is_empty() {
        return mask::shapes(text).into_owned();
    }
    mask::shapes(&text.replace(number, &mask::id_card(number))).into_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn nobody_reads_whole_numbers() {
        let content = json!({
            "items": [{ "key": "id_card_no", "registered": "429900199603150216", "ok": false,
                        "declared": "11010519491231002X" }],
            "phone": "13800000001", "emergencyPhone": "13900000002", "email": "zhang@example.com",
            "address": "湖北省武汉市洪山区珞瑜路1037号",
        });
        let filled = Filled::of(InformationKind::AdmissionInformation, content).expect("a content");
        let (information, _, _) = filled.masked();
        let information = information.expect("it is of this group");
        assert_eq!(information.items[0].registered.as_deref(), Some("429***********0216"));
        assert_eq!(information.items[0].declared.as_deref(), Some("110***********002X"));
        assert_eq!(information.phone.as_deref(), Some("138****0001"));
        assert_eq!(information.emergency_phone.as_deref(), Some("139****0002"));
        assert_eq!(information.address.as_deref(), Some("湖北省武汉市洪山区***"));
        let content = json!({ "contactAfter": "电话13800000001" });
        let filled = Filled::of(InformationKind::GraduationInformation, content).expect("a content");
        let (_, _, graduation) = filled.masked();
        let contact = graduation.and_then(|graduation| graduation.contact_after).expect("a contact");
        assert!(!contact.contains("13800000001"), "{contact}");
    }

    #[test]
    fn a_promise_without_the_number_names_nobody() {
        let text = mask_text("本人张三（H12345678）承诺属实，电话13800138000。", "H12345678");
        assert_eq!(text, "本人张三（H1***78）承诺属实，电话138****8000。");
        let text = mask_text("本人张三（11010519491231002X）承诺属实。", "11010519491231002X");
        assert_eq!(text, "本人张三（110***********002X）承诺属实。");
        let corrected_since = mask_text("本人张三（11010519491231002X）承诺属实。", "H12345678");
        assert!(!corrected_since.contains("19491231"), "{corrected_since}");
        assert_eq!(mask_text("承诺属实。", ""), "承诺属实。");
    }

    #[test]
    fn what_is_not_filled_in_yet_is_empty() {
        for (_, kind) in InformationKind::CHOICES {
            assert!(Filled::of(*kind, json!({})).expect("a content").checked().is_empty());
            assert!(!papers_of(*kind).is_empty());
        }
    }
}
