//! The schools that the items of an operator's call name (05 F 8): each is asked for anew and entered by itself.

use std::{ops::Deref, sync::Arc};

use super::{Allowed, MayWrite, OverSchools, Permission};
use crate::{
    db::Purpose,
    directory::School,
    error::{Error, Result},
    tx::Tx,
};

/// A school for which the caller may act; it comes from [`Allowed::own_school`] and from nowhere else.
#[derive(Debug, Clone)]
pub(crate) struct OwnSchool(Arc<School>);

impl Deref for OwnSchool {
    type Target = School;

    fn deref(&self) -> &School {
        &self.0
    }
}

impl<P: Permission> Allowed<P>
where
    P::Realm: OverSchools,
    P::Mode: MayWrite,
{
    /// The school with this number, if the caller may act for it.
    ///
    /// # Errors
    /// 404 for another's school as for none.
    pub(crate) async fn own_school(&self, id: i64) -> Result<OwnSchool> {
        let school = self.caller.app.school(id).await?.ok_or_else(Error::not_found)?;
        self.caller.may_act_for(&school).await?;
        Ok(OwnSchool(school))
    }

    /// A writing transaction there. The call's row of the operation log names no record: a number is one within its
    /// school alone.
    ///
    /// # Errors
    /// In the words of 05 F 8: 403 when the school is closed, 409 while it is being opened or migrated.
    pub(crate) async fn begin_at(&self, school: &OwnSchool) -> Result<Tx> {
        if !school.is_open() {
            let closed = if school.status == "suspended" { "已停用" } else { "已归档" };
            return Err(Error::new(403, format!("院校{closed}，仅可查看")));
        }
        let key = match school.key() {
            Err(_) if school.is_ready() => return Err(Error::conflict("院校升级中，暂不能修改")),
            key => key?,
        };
        let inner = self.caller.app.db().in_school(key, Purpose::Write).await?;
        Ok(Tx::open(inner, self.caller.app.clone(), self.caller.actor(), None).await?.placed(Some(school.id)))
    }
}
