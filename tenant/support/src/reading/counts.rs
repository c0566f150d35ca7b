//! 阅读, 有用, 没用 and searches without a hit: each person counts once a day (part 05 B2, B5).

use chrono::NaiveDate;
use infra::{App, Result, Tx, tx};
use sqlx::PgConnection;
use support_rules::{
    enums::{SupportAudience, SupportSource},
    search::Sought,
};

/// Searches without a hit that are kept of a reader in a day.
const MOST_MISSES: i64 = 20;

/// Who reads.
#[derive(Debug, Clone)]
pub(super) struct Reader {
    school: Option<i64>,
    /// Kind and number.
    person: String,
}

impl Reader {
    pub(super) fn new(school: Option<i64>, kind: &str, id: i64) -> Self {
        Self { school, person: format!("{kind}/{id}") }
    }

    /// As the counts of a side know them.
    pub(super) fn key(&self, side: SupportSource) -> String {
        match side {
            SupportSource::School => self.person.clone(),
            SupportSource::Platform => format!("{}/{}", self.school.unwrap_or_default(), self.person),
        }
    }
}

/// Counts that somebody read an article of the transaction's side.
pub(super) async fn read(mut tx: Tx, article: i64, day: NaiveDate, reader: &str) -> Result<()> {
    if begin(&mut tx, article, day, reader).await? {
        sqlx::query!("update support_article set view_count = view_count + 1 where id = $1", article)
            .execute(&mut *tx)
            .await?;
    }
    tx.commit_untracked("reads are counters").await
}

/// Whether it is the reader's first look of the day.
async fn begin(connection: &mut PgConnection, article: i64, day: NaiveDate, reader: &str) -> Result<bool> {
    let first = sqlx::query!(
        "insert into support_read (article_id, day, reader) values ($1, $2, $3)
         on conflict (article_id, day, reader) do nothing",
        article,
        day,
        reader
    )
    .execute(connection)
    .await?;
    Ok(first.rows_affected() == 1)
}

/// What somebody said of an article today.
pub(super) async fn said(
    connection: &mut PgConnection,
    article: i64,
    day: NaiveDate,
    reader: &str,
) -> Result<Option<bool>> {
    let said = sqlx::query_scalar!(
        "select helpful from support_read where article_id = $1 and day = $2 and reader = $3",
        article,
        day,
        reader
    )
    .fetch_optional(connection)
    .await?;
    Ok(said.flatten())
}

/// Counts whether an article helped; whoever says otherwise on the same day takes the first word back.
pub(super) async fn rate(mut tx: Tx, article: i64, day: NaiveDate, reader: &str, helpful: bool) -> Result<()> {
    let first = begin(&mut tx, article, day, reader).await?;
    // Two words of one person wait for each other.
    let before = sqlx::query_scalar!(
        "select helpful from support_read where article_id = $1 and day = $2 and reader = $3 for update",
        article,
        day,
        reader
    )
    .fetch_one(&mut *tx)
    .await?;
    sqlx::query!(
        "update support_read set helpful = $4 where article_id = $1 and day = $2 and reader = $3",
        article,
        day,
        reader,
        helpful
    )
    .execute(&mut *tx)
    .await?;
    let more = |word: bool| i64::from(helpful == word) - i64::from(before == Some(word));
    sqlx::query!(
        "update support_article set view_count = view_count + $2, helpful = helpful + $3, unhelpful = unhelpful + $4 where id = $1",
        article,
        i64::from(first),
        more(true),
        more(false)
    )
    .execute(&mut *tx)
    .await?;
    tx.commit_untracked("what readers say is counted").await
}

/// Counts a search that found nothing: for the operators, and in the transaction of the reader's school.
pub(super) async fn missed(
    app: &App,
    school: Option<Tx>,
    audience: SupportAudience,
    sought: &Sought,
    reader: &Reader,
) -> Result<()> {
    let (day, word) = (app.clock().today(), sought.kept());
    let mut platform = tx::for_counters(app).await?;
    miss(&mut platform, day, audience, &word, &reader.key(SupportSource::Platform)).await?;
    platform.commit_untracked("searches are counted").await?;
    let Some(mut school) = school else { return Ok(()) };
    miss(&mut school, day, audience, &word, &reader.key(SupportSource::School)).await?;
    school.commit_untracked("searches are counted").await
}

async fn miss(
    connection: &mut PgConnection,
    day: NaiveDate,
    audience: SupportAudience,
    word: &str,
    reader: &str,
) -> Result<()> {
    sqlx::query!(
        "insert into support_search_miss (day, audience, word, reader)
         select $1::date, $2::text, $3::text, $4::text
         where (select count(*) from support_search_miss m where m.day = $1 and m.reader = $4) < $5
         on conflict (day, audience, word, reader) do nothing",
        day,
        audience.as_str(),
        word,
        reader,
        MOST_MISSES
    )
    .execute(connection)
    .await?;
    Ok(())
}
