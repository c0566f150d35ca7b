//! Who looks after which class (part 03 A4).

use classes::class::ManagedClass;

/// The manager whom the classes are to have.
#[derive(Debug)]
pub struct Appointee {
    pub id: i64,
    pub name: String,
    pub site_ids: Vec<i64>,
}

/// Why somebody looks after no more classes.
pub fn is_gone(name: &str) -> String {
    format!("“{name}”已停用或离职，请选择其他班主任")
}

/// Why somebody does not look after this class.
pub fn is_of_other_sites(name: &str) -> String {
    format!("班级的站点不在{name}负责的站点内")
}

/// Whether a class gets this manager, or none.
///
/// # Errors
/// Why it keeps the one that it has.
pub fn allow(class: &ManagedClass, appointee: Option<&Appointee>) -> Result<(), String> {
    match appointee {
        Some(person) if class.manager_id == Some(person.id) => Err(format!("班主任已是{}", person.name)),
        Some(person) if !person.site_ids.contains(&class.site_id) => Err(is_of_other_sites(&person.name)),
        None if class.manager_id.is_none() => Err("该班级没有班主任".to_owned()),
        Some(_) | None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(site_id: i64, manager_id: Option<i64>, appointed: bool) -> String {
        let class = ManagedClass { id: 1, name: "1班".to_owned(), site_id, manager_id, version: 1 };
        let person = Appointee { id: 7, name: "周老师".to_owned(), site_ids: vec![4, 5] };
        allow(&class, appointed.then_some(&person)).map_or_else(|why| why, |()| "可以".to_owned())
    }

    #[test]
    fn a_class_gets_a_manager_of_its_site() {
        assert_eq!(told(4, None, true), "可以");
        assert_eq!(told(5, Some(8), true), "可以");
        assert_eq!(told(6, None, true), "班级的站点不在周老师负责的站点内");
    }

    #[test]
    fn what_would_change_nothing_is_told() {
        assert_eq!(told(4, Some(7), true), "班主任已是周老师");
        assert_eq!(told(4, None, false), "该班级没有班主任");
        assert_eq!(told(4, Some(7), false), "可以");
    }
}
