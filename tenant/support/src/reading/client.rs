//! 帮助中心 of the clients: everybody reads what is written for people like them (part 05 B4).

use infra::{
    Body, Client, Page, Reads, Reply, Result,
    access::{Mode, WritesUnlogged},
    reply, tx,
};
use poem_openapi::{OpenApi, param::Query};
use settings::media::playable;
use support_rules::enums::{SupportAudience, SupportSource};

use super::{
    answer::{
        self, HelpFeedback, HelpHit, HelpRated, HelpReading, HelpSearch, HelpTree, article, finds, played, search,
    },
    counts::{Reader, missed, rate, read},
    open,
    shelves::Shelves,
};
use crate::{HelpClient, QUESTION_OPEN, WritesOwn, question::own::kind_of};

pub struct OwnReading;

#[OpenApi(prefix_path = "/system/client/support", tag = "crate::Tag::Support")]
impl OwnReading {
    /// 客户端帮助目录
    #[oai(path = "/tree", method = "get", operation_id = "viewOwnHelpTree")]
    async fn tree(&self, caller: Client<HelpClient, Reads>) -> Result<Reply<HelpTree>> {
        let mut shelves = shelves(&caller).await?;
        let question_open = match &mut shelves.school {
            Some(school) => QUESTION_OPEN.is_on(school).await?,
            None => false,
        };
        let audience = shelves.audience;
        Ok(reply(answer::tree(&mut shelves, vec![audience], question_open).await?))
    }

    /// 客户端帮助搜索
    #[oai(path = "/search", method = "post", operation_id = "searchOwnHelp")]
    async fn search(
        &self,
        caller: Client<HelpClient, WritesUnlogged>,
        Body(asked): Body<HelpSearch>,
    ) -> Result<Reply<Page<HelpHit>>> {
        let mut shelves = shelves(&caller).await?;
        let (page, nothing) = search(&mut shelves, &asked).await?;
        let audience = shelves.audience;
        drop(shelves);
        if let Some(sought) = nothing.filter(|_| counts(&caller)) {
            missed(&caller.app, Some(caller.begin().await?), audience, &sought, &reader(&caller)).await?;
        }
        Ok(reply(page))
    }

    /// 客户端帮助文章
    #[oai(path = "/article", method = "get", operation_id = "viewOwnHelpArticle")]
    async fn article(
        &self,
        caller: Client<HelpClient, WritesUnlogged>,
        /// 来源
        source: Query<SupportSource>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<HelpReading>> {
        let (app, day, reader) = (&caller.app, caller.app.clock().today(), reader(&caller));
        let mut shelves = shelves(&caller).await?;
        let (mut reading, video) = article(app, &mut shelves, (source.0, id.0), day, &reader).await?;
        drop(shelves);
        if let Some(video) = video {
            let side = match source.0 {
                SupportSource::Platform => caller.platform().await?,
                SupportSource::School => caller.read().await?,
            };
            reading.video = played(playable(app, side, video, caller.session.person_id).await)?;
        }
        if counts(&caller) {
            let side = match source.0 {
                SupportSource::Platform => tx::for_counters(app).await?,
                SupportSource::School => caller.begin().await?,
            };
            read(side, id.0, day, &reader.key(source.0)).await?;
        }
        Ok(reply(reading))
    }

    /// 客户端帮助评价
    #[oai(path = "/feedback", method = "post", operation_id = "rateOwnHelpArticle")]
    async fn feedback(
        &self,
        caller: Client<HelpClient, WritesOwn>,
        Body(said): Body<HelpFeedback>,
    ) -> Result<Reply<HelpRated>> {
        let mut shelves = shelves(&caller).await?;
        finds(&mut shelves, said.source, said.id).await?;
        drop(shelves);
        let side = match said.source {
            SupportSource::Platform => tx::for_counters(&caller.app).await?,
            SupportSource::School => caller.begin().await?,
        };
        let key = reader(&caller).key(said.source);
        rate(side, said.id, caller.app.clock().today(), &key, said.helpful).await?;
        Ok(reply(HelpRated { id: said.id, helpful: said.helpful }))
    }
}

fn audience<M: Mode>(caller: &Client<HelpClient, M>) -> Result<SupportAudience> {
    Ok(kind_of(&caller.session.kind)?.reads())
}

/// # Errors
/// 409 while the school's people have no help centre.
async fn shelves<M: Mode>(caller: &Client<HelpClient, M>) -> Result<Shelves> {
    let audience = audience(caller)?;
    open(&caller.app, Some(&*caller.school)).await?;
    let school = (caller.school.id, caller.read().await?);
    Shelves::of(audience, caller.platform().await?, Some(school)).await
}

fn reader<M: Mode>(caller: &Client<HelpClient, M>) -> Reader {
    Reader::new(Some(caller.school.id), &caller.session.kind, caller.session.person_id)
}

/// Whoever looks for somebody else is no reader.
fn counts<M: Mode>(caller: &Client<HelpClient, M>) -> bool {
    caller.session.acting.is_none() && !caller.session.read_only
}
