//! Rules of the exams of the operators' site that need no database: what an exam consists of and in what a version differs, the copy of
//! the questions that an attempt keeps, what is answered and what it earns, how often somebody may try, who comes into a class
//! (01 §9.7). Questions are those of part 03 A7, and so is the engine that marks them.

pub mod answer;
pub mod attempt;
pub mod class;
pub mod content;
pub mod difference;
pub mod enums;
pub mod marking;
pub mod paper;
pub mod problem;
