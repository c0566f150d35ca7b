//! What became of one delivery (05 D4).

use crate::enums::FailCode;

/// What became of one delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    Accepted { provider_msg_id: Option<String> },
    Rejected { code: FailCode, provider_code: String, detail: String },
}

impl Outcome {
    /// A delivery that the provider took, with its number for it.
    pub fn accepted(provider_msg_id: Option<String>) -> Self {
        Self::Accepted { provider_msg_id }
    }

    /// A refusal; what the provider said is kept to 500 characters.
    pub fn rejected(code: FailCode, provider_code: impl Into<String>, detail: impl AsRef<str>) -> Self {
        let detail = detail.as_ref().chars().take(500).collect();
        Self::Rejected { code, provider_code: provider_code.into(), detail }
    }
}
