//! 敏感词: words that nobody may publish (01 §3.2.7). Other modules call [`screen`] with what a person sent, before they
//! keep it, or [`met`] with what the console sends; [`find`] only looks.
//!
//! ```text
//! reject 拒绝   → 422, the word is not echoed          longest match wins; of several matches the strongest action:
//! review 转审核 → kept, shown after somebody looked    reject > review > mask
//! mask 替换     → each matched character becomes *
//! ```
//! Not for names of students, answers in exams and theses.

mod import;
pub(crate) mod normal;
pub mod words;

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use infra::{App, Entity, Error, Part, Result, access::Caller, enumeration, notice::Cached, transfer::undo_job, tx};

use normal::Entry;
pub use normal::Lexicon;

pub const PART: Part = Part {
    permissions: &[words::PERMISSIONS],
    enumerations: &[WordCategory::ENUMERATION, WordAction::ENUMERATION],
    entities: &[Entity { table: "sensitive_word", name: "敏感词", counted: "个敏感词" }],
    jobs: &[undo_job::<import::ImportedWords>()],
    ..Part::NONE
};

enumeration! {
    /// 敏感词分类
    pub enum WordCategory = "wordCategory" {
        Politics = "politics" "涉政",
        Porn = "porn" "色情",
        Violence = "violence" "暴恐",
        Abuse = "abuse" "辱骂",
        Ad = "ad" "广告",
        Other = "other" "其他",
    }
}

enumeration! {
    /// 处理方式
    pub enum WordAction = "wordAction" {
        Reject = "reject" "拒绝",
        Review = "review" "转审核",
        Mask = "mask" "替换",
    }
}

impl WordAction {
    /// The stronger is smaller.
    fn rank(self) -> u8 {
        match self {
            Self::Reject => 0,
            Self::Review => 1,
            Self::Mask => 2,
        }
    }
}

/// A word that a text contains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// Of the row in the library.
    pub id: i64,
    /// As the library spells it.
    pub word: String,
    pub category: WordCategory,
    pub action: WordAction,
    /// Where it stands in the text as it was sent, in characters; the end is the first one after it.
    pub start: usize,
    pub end: usize,
}

/// What was found in a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    pub hits: Vec<Hit>,
}

impl Found {
    /// The strongest action of the hits.
    pub fn action(&self) -> Option<WordAction> {
        self.hits.iter().map(|hit| hit.action).min_by_key(|action| action.rank())
    }

    /// The text with each character of its masked words replaced.
    pub fn masked(&self, text: &str) -> String {
        let mut characters: Vec<char> = text.chars().collect();
        for hit in self.hits.iter().filter(|hit| hit.action == WordAction::Mask) {
            characters[hit.start..hit.end].fill('*');
        }
        characters.into_iter().collect()
    }
}

/// What becomes of a text that people sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Screened {
    /// Publish it, as it stands here.
    Publish(String),
    /// Keep it, as it stands here, with audit status pending.
    Review(String),
}

/// Says what becomes of a text, and counts the words that were met.
///
/// # Errors
/// 422 when it may not be kept at all; the word is not told.
pub async fn screen(app: &App, text: &str) -> Result<Screened> {
    let found = find(app, text).await?;
    if found.hits.is_empty() {
        return Ok(Screened::Publish(text.to_owned()));
    }
    count(app, &found).await?;
    match found.action() {
        Some(WordAction::Reject) => Err(Error::refused("内容包含敏感词，请修改后提交")),
        Some(WordAction::Review) => Ok(Screened::Review(found.masked(text))),
        _ => Ok(Screened::Publish(found.masked(text))),
    }
}

/// The words of the library in what a person of the console sends, each once: a warning that its author may override. They
/// count as met.
pub async fn met(app: &App, text: &str) -> Result<Vec<String>> {
    let found = find(app, text).await?;
    if found.hits.is_empty() {
        return Ok(Vec::new());
    }
    count(app, &found).await?;
    let words: BTreeSet<String> = found.hits.into_iter().map(|hit| hit.word).collect();
    Ok(words.into_iter().collect())
}

/// [`met`] in words, for the answer of a save; the call's row of the log has them too.
pub async fn warning(caller: &Caller, label: &str, text: &str) -> Result<Option<String>> {
    let words = met(caller.app(), text).await?;
    if words.is_empty() {
        return Ok(None);
    }
    let told = words.join("、");
    caller.note("sensitiveWords", words);
    Ok(Some(format!("{label}包含敏感词：{told}，请核对")))
}

/// The words of the library that a text contains.
pub async fn find(app: &App, text: &str) -> Result<Found> {
    Ok(lexicon(app).await?.find(text))
}

struct Remembered(Cached<(), Arc<Lexicon>>);

/// The automaton of this server; every change of a word drops it everywhere.
async fn lexicon(app: &App) -> Result<Arc<Lexicon>> {
    let remembered = app.of_room(|notices| {
        Remembered(Cached::new(notices, TOPIC, 1, Duration::from_secs(600), |(): &(), _: &Arc<Lexicon>, _: &str| true))
    });
    let load = async {
        let mut tx = app.platform_read().await?;
        let words = sqlx::query_as!(
            Entry,
            r#"select id, word, normal, category as "category: _", action as "action: _"
               from platform.sensitive_word where enabled order by id"#
        )
        .fetch_all(&mut *tx)
        .await?;
        drop(tx);
        let built = tokio::task::spawn_blocking(|| Lexicon::new(words)).await.map_err(Error::internal)?;
        Ok::<_, Error>(Arc::new(built.map_err(Error::internal)?))
    };
    remembered.0.get((), load).await
}

/// Under this topic servers tell each other that a word changed.
pub(crate) const TOPIC: &str = "sensitive_word";

async fn count(app: &App, found: &Found) -> Result<()> {
    let ids: Vec<i64> = found.hits.iter().map(|hit| hit.id).collect();
    let mut tx = tx::for_counters(app).await?;
    sqlx::query!(
        "update platform.sensitive_word w set hit_count = hit_count + met.times
         from (select id, count(*) as times from unnest($1::bigint[]) as t (id) group by id order by id) met
         where w.id = met.id",
        &ids
    )
    .execute(&mut *tx)
    .await?;
    tx.commit_untracked("counters of words that were met").await
}
