//! The staff of sites.

pub const STAFF: &str = "/user/pc/siteStaff";
pub const MANAGER: &str = "/user/pc/classManager";
