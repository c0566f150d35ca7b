//! 院校邀请 as the school that sent them sees them.

use infra::{Allowed, Reply, Result, Saved, reply};
use poem_openapi::{OpenApi, param::Query};

use super::{BindSchool, ListSchoolUsers};
use crate::user::{
    invitation::{self, Invitation},
    known::one_school_of,
};

pub struct SchoolInvitations;

#[OpenApi(prefix_path = "/system/pc/sys/school/user/invitation", tag = "crate::Tag::Accounts")]
impl SchoolInvitations {
    /// 院校邀请列表
    #[oai(path = "/list", method = "get", operation_id = "listSchoolInvitations")]
    async fn list(
        &self,
        caller: Allowed<ListSchoolUsers>,
        /// 院校
        /// 平台区域必填，院校区域不填
        #[oai(name = "schoolId")]
        school_id: Query<Option<i64>>,
    ) -> Result<Reply<Vec<Invitation>>> {
        let school = one_school_of(&caller, school_id.0).await?;
        let now = caller.app().clock().now();
        Ok(reply(invitation::of_school(&mut *caller.read().await?, school, now).await?))
    }

    /// 撤回院校邀请
    #[oai(path = "/delete", method = "delete", operation_id = "withdrawSchoolInvitation")]
    async fn withdraw(
        &self,
        caller: Allowed<BindSchool>,
        /// 邀请编号
        id: Query<i64>,
        /// 院校
        /// 平台区域必填，院校区域不填
        #[oai(name = "schoolId")]
        school_id: Query<Option<i64>>,
    ) -> Result<Reply<Saved>> {
        let school = one_school_of(&caller, school_id.0).await?;
        let now = caller.app().clock().now();
        let mut tx = caller.begin().await?;
        let change = invitation::withdraw(&mut tx, id.0, school, now).await?;
        invitation::record(&caller, school, change.clone()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }
}
