//! 院校邀请 as the invited person decides them.

use accounts::user::invitation::{self, OwnInvitation};
use infra::{Reply, Result, Saved, SignedIn, Writes, reply};
use poem_openapi::{OpenApi, param::Query};

pub struct OwnInvitations;

#[OpenApi(prefix_path = "/system/pc/sys/user/invitation", tag = "crate::Tag::SignIn")]
impl OwnInvitations {
    /// 本人的院校邀请
    #[oai(path = "/list", method = "get", operation_id = "listOwnInvitations")]
    async fn list(&self, caller: SignedIn) -> Result<Reply<Vec<OwnInvitation>>> {
        let now = caller.app().clock().now();
        let mut tx = caller.platform().await?;
        Ok(reply(invitation::of_account(&mut tx, caller.user_id(), None, now).await?))
    }

    /// 同意院校邀请
    #[oai(path = "/accept", method = "put", operation_id = "acceptOwnInvitation")]
    async fn accept(
        &self,
        caller: SignedIn<Writes>,
        /// 邀请编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let now = caller.app().clock().now();
        let mut tx = caller.begin().await?;
        let (changes, _) = invitation::accept(&mut tx, caller.user_id(), id.0, now).await?;
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 拒绝院校邀请
    #[oai(path = "/refuse", method = "put", operation_id = "refuseOwnInvitation")]
    async fn refuse(
        &self,
        caller: SignedIn<Writes>,
        /// 邀请编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let now = caller.app().clock().now();
        let mut tx = caller.begin().await?;
        let change = invitation::refuse(&mut tx, caller.user_id(), id.0, now).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }
}
