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
pub mod words;

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use infra::{App, Entity, Error, Part, Result, access::Caller, notice::Cached, transfer::undo_job, tx};
use setting_rules::lexicon::{Entry, Lexicon};
pub use setting_rules::lexicon::{Found, WordAction, WordCategory};

pub const PART: Part = Part {
    permissions: &[words::PERMISSIONS],
    enumerations: &[WordCategory::ENUMERATION, WordAction::ENUMERATION],
    entities: &[Entity { table: "sensitive_word", name: "敏感词", counted: "个敏感词" }],
    jobs: &[undo_job::<import::ImportedWords>()],
    ..Part::NONE
};

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
    judge(app, text, Error::refused(REFUSED)).await
}

/// The same of a field of a form, at which its refusal is told.
///
/// # Errors
/// 422 at the field.
pub async fn screen_field(app: &App, field: &str, text: &str) -> Result<Screened> {
    judge(app, text, Error::field(field, REFUSED)).await
}

const REFUSED: &str = "内容包含敏感词，请修改后提交";

async fn judge(app: &App, text: &str, refusal: Error) -> Result<Screened> {
    let found = find(app, text).await?;
    if found.hits.is_empty() {
        return Ok(Screened::Publish(text.to_owned()));
    }
    count(app, &found).await?;
    match found.action() {
        Some(WordAction::Reject) => Err(refusal),
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
