//! Rules of majors that need no database: the ministry's codes and catalogues, what is typed of a major, how a filing goes on, and the
//! programmes of demonstration schools (part 03 A3, 05 G4, H).

pub mod code;
pub mod demo;
pub mod discipline;
pub mod forecast;
pub mod major;
pub mod national_major;
pub mod shipped;
