//! 帮助中心 of the console: school staff read what is written for them, and what their people find; operators outside of schools read
//! what they write for school staff (part 05 B4).

use infra::{
    Body, Error, Page, Reads, Reply, Result, SignedIn, Writes,
    access::{Caller, Mode, Permission, WritesUnlogged},
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
use crate::desk::school::AskSchoolHelpQuestion;

pub struct Reading;

#[OpenApi(prefix_path = "/system/pc/api/support", tag = "crate::Tag::Support")]
impl Reading {
    /// 帮助中心目录
    #[oai(path = "/tree", method = "get", operation_id = "viewHelpTree")]
    async fn tree(
        &self,
        caller: SignedIn<Reads>,
        /// 对象
        /// 不填为院校
        audience: Query<Option<SupportAudience>>,
    ) -> Result<Reply<HelpTree>> {
        let mut shelves = shelves(&caller, audience.0).await?;
        let may_ask = caller.session.school_id.is_some() && caller.holds(AskSchoolHelpQuestion::CODE);
        Ok(reply(answer::tree(&mut shelves, audiences(&caller), may_ask).await?))
    }

    /// 帮助中心搜索
    #[oai(path = "/search", method = "post", operation_id = "searchHelp")]
    async fn search(
        &self,
        caller: SignedIn<WritesUnlogged>,
        Body(asked): Body<HelpSearch>,
    ) -> Result<Reply<Page<HelpHit>>> {
        let mut shelves = shelves(&caller, asked.audience).await?;
        let (page, nothing) = search(&mut shelves, &asked).await?;
        let audience = shelves.audience;
        drop(shelves);
        if let Some(sought) = nothing.filter(|_| counts(&caller)) {
            let school = match caller.session.school_id {
                Some(_) => Some(caller.begin_home().await?),
                None => None,
            };
            missed(caller.app(), school, audience, &sought, &reader(&caller)).await?;
        }
        Ok(reply(page))
    }

    /// 帮助中心文章
    #[oai(path = "/article", method = "get", operation_id = "viewHelpArticle")]
    async fn article(
        &self,
        caller: SignedIn<WritesUnlogged>,
        /// 来源
        source: Query<SupportSource>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<HelpReading>> {
        let (app, day, reader) = (caller.app(), caller.app().clock().today(), reader(&caller));
        let mut shelves = shelves_with(&caller, source.0, id.0).await?;
        let (mut reading, video) = article(app, &mut shelves, (source.0, id.0), day, &reader).await?;
        drop(shelves);
        if let Some(video) = video {
            let side = match source.0 {
                SupportSource::Platform => caller.platform().await?,
                SupportSource::School => caller.home_read().await?,
            };
            reading.video = played(playable(app, side, video, caller.user_id()).await)?;
        }
        if counts(&caller) {
            let side = match source.0 {
                SupportSource::Platform => tx::for_counters(app).await?,
                SupportSource::School => caller.begin_home().await?,
            };
            read(side, id.0, day, &reader.key(source.0)).await?;
        }
        Ok(reply(reading))
    }

    /// 帮助中心评价
    #[oai(path = "/feedback", method = "post", operation_id = "rateHelpArticle")]
    async fn feedback(&self, caller: SignedIn<Writes>, Body(said): Body<HelpFeedback>) -> Result<Reply<HelpRated>> {
        if !counts(&caller) {
            return Err(Error::new(403, "平台人员进入院校后不能评价"));
        }
        let mut shelves = shelves_with(&caller, said.source, said.id).await?;
        finds(&mut shelves, said.source, said.id).await?;
        drop(shelves);
        let app = caller.app();
        let side = match said.source {
            SupportSource::Platform => tx::for_counters(app).await?,
            SupportSource::School => caller.begin_home().await?,
        };
        let key = reader(&caller).key(said.source);
        rate(side, said.id, app.clock().today(), &key, said.helpful).await?;
        Ok(reply(HelpRated { id: said.id, helpful: said.helpful }))
    }
}

/// For whom the articles may be that somebody reads.
fn audiences(caller: &Caller) -> Vec<SupportAudience> {
    if caller.session.school_id.is_none() {
        return vec![SupportAudience::School];
    }
    let others = SupportAudience::CHOICES.iter().map(|(_, audience)| *audience);
    std::iter::once(SupportAudience::School)
        .chain(others.filter(|audience| *audience != SupportAudience::School))
        .collect()
}

/// # Errors
/// 400 for an audience whose help the caller's area does not show, 409 while there is no help centre.
async fn shelves<M: Mode>(caller: &SignedIn<M>, audience: Option<SupportAudience>) -> Result<Shelves> {
    let audience = audience.unwrap_or(SupportAudience::School);
    if !audiences(caller).contains(&audience) {
        return Err(Error::malformed());
    }
    open(caller.app(), caller.school.as_deref()).await?;
    let school = match caller.session.school_id {
        Some(school) => Some((school, caller.home_read().await?)),
        None => None,
    };
    Shelves::of(audience, caller.platform().await?, school).await
}

/// The shelves on which an article may stand.
///
/// # Errors
/// 404 for an article that does not exist, or whose audience the caller's area does not show; 409 while there is no help centre.
async fn shelves_with<M: Mode>(caller: &SignedIn<M>, source: SupportSource, id: i64) -> Result<Shelves> {
    let mut side = match (source, caller.session.school_id) {
        (SupportSource::Platform, _) => caller.platform().await?,
        (SupportSource::School, Some(_)) => caller.home_read().await?,
        (SupportSource::School, None) => return Err(Error::not_found()),
    };
    let audience =
        sqlx::query_scalar!(r#"select audience as "audience: SupportAudience" from support_article where id = $1"#, id)
            .fetch_optional(&mut *side)
            .await?;
    drop(side);
    let audience = audience.filter(|audience| audiences(caller).contains(audience)).ok_or_else(Error::not_found)?;
    shelves(caller, Some(audience)).await
}

fn reader(caller: &Caller) -> Reader {
    Reader::new(caller.session.school_id, "account", caller.user_id())
}

/// Whoever only looks, or is an operator inside a school, is no reader of it.
fn counts(caller: &Caller) -> bool {
    !caller.session.read_only && caller.claims.act.is_none()
}
