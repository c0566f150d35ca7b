//! Rules of theses that need no database: the order of their stages, who may do what, groups and scores of the defence (part 04 §8).

pub mod enums;
pub mod grade;
pub mod groups;
pub mod load;
pub mod mean;
pub mod plan;
pub mod settings;
pub mod similar;
pub mod stage;
pub mod title;
pub mod total;
