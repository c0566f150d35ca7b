//! 分配站点: where the people of a step go, and who does (02 §6).

use infra::{Error, Result};

use crate::{enums::AdmissionMatchStatus, person::Person};

/// Where the people of a step go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Where {
    To(i64),
    ByLead,
    Nowhere,
}

/// The one place that was said.
///
/// # Errors
/// 422 at `siteId` unless exactly one of the three was said.
pub fn wanted(site: Option<i64>, by_lead: Option<bool>, clear: Option<bool>) -> Result<Where> {
    match (site, by_lead == Some(true), clear == Some(true)) {
        (Some(site), false, false) => Ok(Where::To(site)),
        (None, true, false) => Ok(Where::ByLead),
        (None, false, true) => Ok(Where::Nowhere),
        (None, false, false) => Err(Error::field("siteId", "请选择站点")),
        _ => Err(Error::field("siteId", "站点、按预报名分配和取消分配只能选择一项")),
    }
}

/// # Errors
/// Why the person is given no other site.
pub fn allowed(person: &Person, to: Where) -> Result<(), String> {
    if !person.is_open() {
        return Err(format!("当前状态为{}，不能分配站点", person.status.zh()));
    }
    match to {
        Where::ByLead if person.match_status != AdmissionMatchStatus::Matched => {
            Err(format!("{}，没有预报名站点", person.match_status.zh()))
        }
        Where::Nowhere if person.site_id.is_none() => Err("尚未分配站点".to_owned()),
        Where::To(_) | Where::ByLead | Where::Nowhere => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_says_one_place() {
        assert_eq!(wanted(Some(7), None, None).ok(), Some(Where::To(7)));
        assert_eq!(wanted(None, Some(true), None).ok(), Some(Where::ByLead));
        assert_eq!(wanted(None, Some(false), Some(true)).ok(), Some(Where::Nowhere));
        assert_eq!(wanted(None, None, None).expect_err("nothing").msg, "请选择站点");
        assert_eq!(wanted(Some(7), Some(true), None).expect_err("two").msg, "站点、按预报名分配和取消分配只能选择一项");
    }
}
