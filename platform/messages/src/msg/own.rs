//! 我的消息: what an account of the console was told, behind the badge in the top bar (01 §10, 05 D4). It lies where the session
//! is: an operator's in `platform`, that of a school's people in their school.

use infra::{Body, Page, Paged, Reply, Result, SignedIn, Writes, reply};
use poem_openapi::{Object, OpenApi, types::Example};

use super::inbox::{Letter, LetterFilter, MarkedRead, Owner, letters, mark_read};

/// Which of one's own messages were read.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct OwnLettersRead {
    /// 编号
    /// 不填为全部未读消息
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub ids: Option<Vec<i64>>,
}

impl Example for OwnLettersRead {
    fn example() -> Self {
        Self { ids: Some(vec![1]) }
    }
}

fn account(id: i64) -> Owner<'static> {
    Owner { kind: "account", id }
}

pub struct OwnInbox;

#[OpenApi(prefix_path = "/user/pc/msg/inbox", tag = "crate::Tag::Messages")]
impl OwnInbox {
    /// 本人消息列表
    /// 新的在前
    #[oai(path = "/list", method = "post", operation_id = "listOwnMessages")]
    async fn list(&self, caller: SignedIn, Body(asked): Body<Paged<LetterFilter>>) -> Result<Reply<Page<Letter>>> {
        let mut tx = caller.home_read().await?;
        Ok(reply(letters(&mut tx, account(caller.user_id()), &asked, caller.app().clock().now()).await?))
    }

    /// 标记本人消息已读
    /// 阅读时间只记第一次
    #[oai(path = "/read", method = "put", operation_id = "readOwnMessages")]
    async fn read(&self, caller: SignedIn<Writes>, Body(wanted): Body<OwnLettersRead>) -> Result<Reply<MarkedRead>> {
        let tx = caller.begin_home().await?;
        Ok(reply(mark_read(tx, account(caller.user_id()), wanted.ids.as_deref()).await?))
    }
}
