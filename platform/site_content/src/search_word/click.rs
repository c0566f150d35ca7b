//! A learner clicks a word that the search offers (01 §9.11). It is counted beside the word, whose version and trail it leaves alone: an
//! operator who edits the word meanwhile is not told of another edit.

use catalogue::client::LearnerClient;
use infra::{Body, Customer, Reply, Result, Writes, naming::tidy, pace::Pace, reply};
use poem_openapi::{Object, OpenApi, types::Example};

use crate::filter::SiteTerminal;

/// Clicks of one learner: more are no interest in words.
const CLICKS: Pace = Pace::per_minute(30);

/// Which word was clicked.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct SearchClick {
    /// 搜索词
    #[oai(validator(max_length = 20))]
    pub word: String,
    /// 端
    /// 不填时各端都计
    pub terminal: Option<SiteTerminal>,
}

impl Example for SearchClick {
    fn example() -> Self {
        Self { word: "学位英语".to_owned(), terminal: Some(SiteTerminal::Pc) }
    }
}

pub struct SearchClicks;

#[OpenApi(prefix_path = "/system/client/search", tag = "crate::Tag::SiteContent")]
impl SearchClicks {
    /// 搜索词点击
    /// 应答为是否计入；已停用或不存在的词不计
    #[oai(path = "/click", method = "post", operation_id = "clickSearchWord")]
    async fn click(
        &self,
        caller: Customer<LearnerClient, Writes>,
        Body(clicked): Body<SearchClick>,
    ) -> Result<Reply<bool>> {
        caller.app.in_pace("search click", &caller.session.person_id.to_string(), CLICKS)?;
        let mut tx = caller.begin().await?;
        let counted = sqlx::query!(
            "update platform.search_word set click_count = click_count + 1
             where word = $1 and enabled and ($2::text is null or terminal = $2)",
            tidy(&clicked.word),
            clicked.terminal.map(SiteTerminal::as_str)
        )
        .execute(&mut *tx)
        .await?;
        tx.commit_untracked("clicks are counters").await?;
        Ok(reply(counted.rows_affected() > 0))
    }
}
