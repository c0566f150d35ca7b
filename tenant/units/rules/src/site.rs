//! 教学站点: what becomes of a site (part 03 A2).

use infra::enumeration;

enumeration! {
    /// 站点状态
    pub enum SiteStatus = "siteStatus" {
        Active = "active" "在用",
        Suspended = "suspended" "停招",
        Closed = "closed" "撤销",
    }
}

/// What still hangs on a site.
#[derive(Debug, Clone, Copy)]
pub struct Load {
    /// In status registered or suspended.
    pub students: i64,
    pub enabled_classes: i64,
}

/// Why a site may not become what is wanted.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("站点已经是{}状态", .0.zh())]
    Already(SiteStatus),
    #[error("该站点还有{0}，不能撤销")]
    InUse(String),
    #[error("请填写原因")]
    NoReason,
    #[error("已撤销的站点只能恢复为停招")]
    ClosedFirst,
}

/// A closed site comes back as suspended, with a reason; closing waits until nobody studies there.
///
/// # Errors
/// Why it may not become what is wanted.
pub fn allow(from: SiteStatus, to: SiteStatus, reason: Option<&str>, load: Load) -> Result<(), Refusal> {
    use SiteStatus::{Active, Closed, Suspended};
    match (from, to) {
        (Active, Active) | (Suspended, Suspended) | (Closed, Closed) => Err(Refusal::Already(to)),
        (Active, Suspended) | (Suspended, Active) => Ok(()),
        (Active | Suspended, Closed) => {
            let kinds = [(load.students, "名在籍学生"), (load.enabled_classes, "个启用班级")];
            let left: Vec<String> =
                kinds.iter().filter(|(n, _)| *n > 0).map(|(n, counted)| format!("{n}{counted}")).collect();
            if left.is_empty() { Ok(()) } else { Err(Refusal::InUse(left.join("、"))) }
        }
        (Closed, Suspended) if reason.is_none() => Err(Refusal::NoReason),
        (Closed, Suspended) => Ok(()),
        (Closed, Active) => Err(Refusal::ClosedFirst),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use SiteStatus::{Active, Closed, Suspended};

    const NOBODY: Load = Load { students: 0, enabled_classes: 0 };

    fn told(from: SiteStatus, to: SiteStatus, reason: Option<&str>, load: Load) -> String {
        allow(from, to, reason, load).map_or_else(|refusal| refusal.to_string(), |()| "可以".to_owned())
    }

    #[test]
    fn closing_waits_for_students_and_classes() {
        let told = |students, enabled_classes| told(Active, Closed, None, Load { students, enabled_classes });
        assert_eq!(told(0, 0), "可以");
        assert_eq!(told(40, 2), "该站点还有40名在籍学生、2个启用班级，不能撤销");
        assert_eq!(told(40, 0), "该站点还有40名在籍学生，不能撤销");
    }

    #[test]
    fn a_closed_site_comes_back_as_suspended_with_a_reason() {
        assert_eq!(told(Closed, Suspended, None, NOBODY), "请填写原因");
        assert_eq!(told(Closed, Suspended, Some("重新备案"), NOBODY), "可以");
        assert_eq!(told(Closed, Active, Some("重新备案"), NOBODY), "已撤销的站点只能恢复为停招");
    }

    #[test]
    fn suspending_goes_both_ways() {
        assert_eq!(told(Active, Suspended, None, NOBODY), "可以");
        assert_eq!(told(Suspended, Active, None, NOBODY), "可以");
        assert_eq!(told(Suspended, Suspended, None, NOBODY), "站点已经是停招状态");
    }
}
