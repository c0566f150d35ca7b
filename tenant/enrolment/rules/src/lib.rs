//! Rules of recruitment that need no database: the ways of batches and plans, what is granted, how the authority's file is read.

pub mod batch;
pub mod mapping;
pub mod places;
pub mod plan;
pub mod quota;
