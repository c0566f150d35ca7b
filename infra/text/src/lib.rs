//! Texts and trees, without a database and without a request.
//!
//! - [`mask`]: personal data as lists, logs and trails show them
//! - [`pinyin`]: how Chinese names are ordered and searched
//! - [`tree`]: rows below one another

pub mod mask;
pub mod pinyin;
pub mod tree;
