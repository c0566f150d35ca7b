//! Rules of the help centre that need no database: the texts of articles, when an article is published or goes, how the articles of
//! the platform and of a school become one list, how they are searched, the way of a question (part 05 B).

pub mod article;
pub mod catalog;
pub mod enums;
pub mod question;
pub mod search;
pub mod text;
