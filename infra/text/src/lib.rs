//! Texts and trees, without a database and without a request.
//!
//! - [`mask`]: personal data as lists, logs and trails show them
//! - [`money`]: amounts as people read them
//! - [`pinyin`]: how Chinese names are ordered and searched
//! - [`share`]: parts of a whole
//! - [`tree`]: rows below one another

pub mod mask;
pub mod money;
pub mod pinyin;
pub mod share;
pub mod tree;
