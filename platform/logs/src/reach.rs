//! Whose rows a caller may see: their school's, or those of the schools that an operator may act for (00 §3).

use infra::{Error, Result, access::Caller};
use sqlx::PgConnection;

/// Null parameters of one condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reach {
    /// Only rows of this school.
    pub(crate) school: Option<i64>,
    /// Only rows of these schools, and of none.
    pub(crate) schools: Option<Vec<i64>>,
}

impl Reach {
    /// # Errors
    /// 400 when somebody in the school area names a school.
    pub(crate) async fn of(connection: &mut PgConnection, caller: &Caller, named: Option<i64>) -> Result<Self> {
        match (caller.session.school_id, named) {
            (Some(_), Some(_)) => Err(Error::malformed()),
            (Some(own), None) => Ok(Self { school: Some(own), schools: None }),
            (None, named) => {
                let schools = sqlx::query_scalar!(
                    "select case when u.school_scope <> 'all' then array(
                         select b.school_id from platform.sys_user_school b where b.user_id = u.id and b.enabled) end
                     from platform.sys_user u where u.id = $1",
                    caller.user_id()
                )
                .fetch_one(connection)
                .await?;
                Ok(Self { school: named, schools })
            }
        }
    }

    /// Whether the caller is in the school area.
    pub(crate) fn is_inside(caller: &Caller) -> bool {
        caller.session.school_id.is_some()
    }
}
