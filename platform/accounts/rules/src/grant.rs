//! No escalation (01 §2.2.3): which rights go beyond those that somebody holds.

use std::collections::{BTreeMap, BTreeSet};

use infra::Error;

/// The part of a school that a right reaches.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Extent {
    whole: bool,
    sites: BTreeSet<i64>,
    classes: BTreeSet<i64>,
}

impl Extent {
    /// As a role with this data scope reaches with these targets.
    pub fn of(data_scope: &str, sites: &[i64], classes: &[i64]) -> Self {
        match data_scope {
            "whole_school" => Self { whole: true, ..Self::default() },
            "named_sites" => Self { sites: sites.iter().copied().collect(), ..Self::default() },
            _ => Self { classes: classes.iter().copied().collect(), ..Self::default() },
        }
    }

    pub fn widen(&mut self, other: &Self) {
        self.whole |= other.whole;
        self.sites.extend(&other.sites);
        self.classes.extend(&other.classes);
    }

    fn covers(&self, other: &Self) -> bool {
        self.whole || !other.whole && self.sites.is_superset(&other.sites) && self.classes.is_superset(&other.classes)
    }
}

/// A right that a role gives: code, its name for people, how far it reaches.
#[derive(Debug, Clone)]
pub struct Right {
    pub code: String,
    pub name: String,
    pub extent: Extent,
}

/// Why a right may not be given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    NotHeld(String),
    TooWide(String),
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::NotHeld(name) => Self::new(403, format!("不能授予自己没有的权限：{name}")),
            Refusal::TooWide(name) => Self::new(403, format!("不能授予超出自己数据范围的权限：{name}")),
        }
    }
}

impl Refusal {
    /// As whoever wants to act on something stronger is told; `whose` has the right, `helper` may act.
    pub fn of(self, whose: &str, helper: &str) -> Error {
        let why = match self {
            Self::NotHeld(name) => format!("拥有您没有的权限“{name}”"),
            Self::TooWide(name) => format!("的权限“{name}”超出您的数据范围"),
        };
        Error::new(403, format!("{whose}{why}，请由{helper}办理"))
    }
}

/// Whom a person asks who may not act themself.
pub fn helper(school: Option<i64>) -> &'static str {
    if school.is_some() {
        "拥有这些权限的院校管理员或平台运营方"
    } else {
        "拥有这些权限的人员或超级管理员"
    }
}

/// The first wanted right that goes beyond what is held, if any.
pub fn first_beyond(held: &BTreeMap<String, Extent>, wanted: &[Right]) -> Option<Refusal> {
    wanted.iter().find_map(|right| match held.get(&right.code) {
        None => Some(Refusal::NotHeld(right.name.clone())),
        Some(extent) if !extent.covers(&right.extent) => Some(Refusal::TooWide(right.name.clone())),
        Some(_) => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn right(code: &str, extent: Extent) -> Right {
        Right { code: code.to_owned(), name: format!("权限{code}"), extent }
    }

    #[test]
    fn nobody_gives_more_than_he_holds() {
        let whole = Extent::of("whole_school", &[], &[]);
        let site = |ids: &[i64]| Extent::of("named_sites", ids, &[]);
        let held = BTreeMap::from([("a".to_owned(), whole.clone()), ("b".to_owned(), site(&[3, 4]))]);
        let told = |wanted: Right| first_beyond(&held, &[wanted]).map(|refusal| Error::from(refusal).msg.into_owned());
        assert_eq!(told(right("a", whole.clone())), None);
        assert_eq!(told(right("a", site(&[9]))), None);
        assert_eq!(told(right("b", site(&[3]))), None);
        assert_eq!(told(right("b", site(&[3, 5]))), Some("不能授予超出自己数据范围的权限：权限b".to_owned()));
        assert_eq!(told(right("b", whole.clone())), Some("不能授予超出自己数据范围的权限：权限b".to_owned()));
        assert!(told(right("b", Extent::of("named_classes", &[], &[3]))).is_some());
        assert_eq!(told(right("c", site(&[]))), Some("不能授予自己没有的权限：权限c".to_owned()));
    }

    #[test]
    fn whoever_may_not_act_is_told_who_may() {
        let told = Refusal::NotHeld("学籍列表".to_owned()).of("该账号", helper(Some(1)));
        assert_eq!(
            (told.code, told.msg.as_ref()),
            (403, "该账号拥有您没有的权限“学籍列表”，请由拥有这些权限的院校管理员或平台运营方办理")
        );
        let told = Refusal::TooWide("学籍列表".to_owned()).of("该角色", helper(None));
        assert_eq!(told.msg, "该角色的权限“学籍列表”超出您的数据范围，请由拥有这些权限的人员或超级管理员办理");
    }
}
