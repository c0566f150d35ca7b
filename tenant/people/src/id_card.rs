//! 证件号 (part 02 §0.3) as the modules know it, and who enters which number at a time.

mod hold;

use infra::Part;

pub use hold::hold;
pub use people_rules::id_card::{
    Gender, IdCard, IdCardError, IdCardType, Typed, age_at_entry, check, check_digit, expand, fold, normalise,
    typed_by_hand,
};

pub const PART: Part = Part { enumerations: &[IdCardType::ENUMERATION, Gender::ENUMERATION], ..Part::NONE };
