//! 认证: until when one holds, and what is decided of it.

use chrono::NaiveDate;
use infra::{Error, Result};

use crate::enums::CommunityCertificateStatus;

/// Whether it is a badge on a day: approved, and its last day is not over.
pub fn is_badge(status: CommunityCertificateStatus, expires_on: Option<NaiveDate>, today: NaiveDate) -> bool {
    match status {
        CommunityCertificateStatus::Approved => expires_on.is_none_or(|last| last >= today),
        CommunityCertificateStatus::Pending
        | CommunityCertificateStatus::Rejected
        | CommunityCertificateStatus::Revoked => false,
    }
}

/// # Errors
/// 422 at `expiresOn` for a last day that is over.
pub fn lasts(expires_on: Option<NaiveDate>, today: NaiveDate) -> Result<()> {
    if expires_on.is_some_and(|last| last < today) {
        return Err(Error::field("expiresOn", "有效期不能早于今天"));
    }
    Ok(())
}

/// # Errors
/// 409 for what was decided already.
pub fn may_be_decided(status: CommunityCertificateStatus) -> Result<()> {
    match status {
        CommunityCertificateStatus::Pending => Ok(()),
        CommunityCertificateStatus::Approved
        | CommunityCertificateStatus::Rejected
        | CommunityCertificateStatus::Revoked => Err(Error::conflict("该认证已审核，请刷新")),
    }
}

/// # Errors
/// 409 for what is no certificate, or none any more.
pub fn may_be_revoked(status: CommunityCertificateStatus) -> Result<()> {
    match status {
        CommunityCertificateStatus::Approved => Ok(()),
        CommunityCertificateStatus::Pending | CommunityCertificateStatus::Rejected => {
            Err(Error::conflict("只有已通过的认证可以撤销"))
        }
        CommunityCertificateStatus::Revoked => Err(Error::conflict("该认证已撤销，请刷新")),
    }
}

/// # Errors
/// 409 for one that holds: it is revoked first, with a reason.
pub fn may_be_deleted(status: CommunityCertificateStatus) -> Result<()> {
    match status {
        CommunityCertificateStatus::Approved => Err(Error::conflict("已通过的认证不能删除，请先撤销")),
        CommunityCertificateStatus::Pending
        | CommunityCertificateStatus::Rejected
        | CommunityCertificateStatus::Revoked => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(day: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(2027, 5, day).expect("a day")
    }

    #[test]
    fn a_badge_is_shown_to_the_end_of_its_last_day() {
        let shown = |expires| is_badge(CommunityCertificateStatus::Approved, expires, day(10));
        assert!(shown(None) && shown(Some(day(11))) && shown(Some(day(10))));
        assert!(!shown(Some(day(9))), "it expired yesterday");
        for status in [
            CommunityCertificateStatus::Pending,
            CommunityCertificateStatus::Rejected,
            CommunityCertificateStatus::Revoked,
        ] {
            assert!(!is_badge(status, None, day(10)));
        }
    }

    #[test]
    fn each_step_has_its_state() {
        use CommunityCertificateStatus::{Approved, Pending, Rejected, Revoked};
        let told = |outcome: Result<()>| outcome.err().map(|error| error.code);
        assert_eq!(
            [Pending, Approved, Rejected, Revoked].map(|status| told(may_be_decided(status))),
            [None, Some(409), Some(409), Some(409)]
        );
        assert_eq!(
            [Pending, Approved, Rejected, Revoked].map(|status| told(may_be_revoked(status))),
            [Some(409), None, Some(409), Some(409)]
        );
        assert_eq!(
            [Pending, Approved, Rejected, Revoked].map(|status| told(may_be_deleted(status))),
            [None, Some(409), None, None]
        );
        assert_eq!(told(lasts(Some(day(9)), day(10))), Some(422));
        assert_eq!(told(lasts(Some(day(10)), day(10))), None);
    }
}
