//! Rules of the people of a school's clients that need no database: identity numbers, initial passwords, what their forms and sheets
//! say, their menus, who looks after a class, and invented people for demonstration (part 02 §0.3, §12, 03 A4, 05 G).

pub mod account;
pub mod appoint;
pub mod demo;
pub mod form;
pub mod id_card;
pub mod menu;
pub mod password;
pub mod sheet;
