//! 权限: the tree in which the server shows the rights of a role, and the words for areas and scopes.

use serde_json::Value as Json;

use crate::kind::PLATFORM;

/// The scope of roles that all schools see.
pub const TEMPLATE: &str = "template";

/// A permission as it hangs below a menu: the same code may hang below several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Right {
    pub id: i64,
    pub code: String,
    pub name: String,
    pub checked: bool,
}

/// All rights below these menus.
pub fn rights(menus: &Json) -> Vec<Right> {
    let mut all = Vec::new();
    collect(menus, &mut all);
    all
}

fn collect(menus: &Json, all: &mut Vec<Right>) {
    for menu in menus.as_array().into_iter().flatten() {
        for right in menu["permissions"].as_array().into_iter().flatten() {
            if let (Some(id), Some(code)) = (right["id"].as_i64(), right["code"].as_str()) {
                let name = right["name"].as_str().unwrap_or_default().to_owned();
                all.push(Right { id, code: code.to_owned(), name, checked: right["checked"] == true });
            }
        }
        collect(&menu["children"], all);
    }
}

/// The server's kind of a role in this scope: a school's code means a role of its own.
pub fn role_kind(scope: &str) -> &'static str {
    match scope {
        PLATFORM => "platform",
        TEMPLATE => "template",
        _ => "own",
    }
}

/// The server's number of an area.
pub fn client_type(area: &str) -> i32 {
    i32::from(area == "school")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_role_of_a_school_is_its_own() {
        assert_eq!((role_kind("platform"), role_kind("template"), role_kind("10589")), ("platform", "template", "own"));
        assert_eq!((client_type("platform"), client_type("school")), (0, 1));
    }
}
