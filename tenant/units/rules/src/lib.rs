//! Rules of units that need no database: the tree of organizations, what becomes of a site, names of regions, and what is typed of a
//! room (part 03 A2).

pub mod classroom;
pub mod organization;
pub mod region;
pub mod site;
