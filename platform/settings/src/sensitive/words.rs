//! The library of sensitive words as operators keep it.

use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Change, EnabledChange, Error, OnConstraint, Page, Paged, Paging, Reply, Result, Saved, Tx,
    clock::Moment,
    permissions, reply,
    sheet::RowError,
    transfer::{self, Rows},
};
use poem_openapi::{
    Multipart, Object, OpenApi,
    param::Query,
    types::{Example, multipart::Upload},
};
use serde_json::json;
use setting_rules::{
    lexicon::fold,
    words::{Fresh, parse},
};
use sqlx::PgConnection;

use super::{
    TOPIC, WordAction, WordCategory, find as find_words,
    import::{self, ImportedWords},
    lexicon,
};
use crate::caches::{Dropped, dropped};

permissions! {
    pages "/system/sys/sensitive/word/library/list", "/system/sys/sensitive/word/library/add";
    InPlatform Reads  ListWords        = "system:pc:sys:sensitive:word:library:list" "敏感词列表";
    InPlatform Writes SaveWords        = "system:pc:sys:sensitive:word:library:save" "新增敏感词";
    InPlatform Writes EditWord         = "system:pc:sys:sensitive:word:library:update" "编辑敏感词";
    InPlatform Writes DeleteWord       = "system:pc:sys:sensitive:word:library:delete" "删除敏感词";
    InPlatform Writes ChangeWordStatus = "system:pc:sys:sensitive:word:library:update:status" "启用停用敏感词";
    InPlatform Writes RebuildWords     = "system:pc:sys:sensitive:word:library:delete:redis" "重建敏感词缓存";
    InPlatform Writes ImportWords      = "system:pc:sys:sensitive:word:library:txt:import" "导入敏感词文本";
    InPlatform Reads  CheckText        = "system:pc:sys:sensitive:word:library:check" "校验文本";
}

/// A word of the library.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SensitiveWord {
    /// 编号
    pub id: i64,
    /// 敏感词
    pub word: String,
    /// 分类
    pub category: WordCategory,
    /// 处理方式
    pub action: WordAction,
    /// 命中次数
    pub hit_count: i64,
    /// 启用
    pub enabled: bool,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct WordFilter {
    /// 敏感词
    #[oai(validator(max_length = 50))]
    pub word: Option<String>,
    /// 分类
    pub category: Option<WordCategory>,
    /// 处理方式
    pub action: Option<WordAction>,
    /// 启用
    pub enabled: Option<bool>,
}

/// Words that share category and action.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct NewWords {
    /// 敏感词
    #[oai(validator(min_items = 1, max_items = 500))]
    pub words: Vec<String>,
    /// 分类
    pub category: WordCategory,
    /// 处理方式
    pub action: WordAction,
}

impl Example for NewWords {
    fn example() -> Self {
        Self { words: vec!["代考包过".to_owned()], category: WordCategory::Ad, action: WordAction::Reject }
    }
}

/// One word again, with the version that was read.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct WordEdit {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 敏感词
    #[oai(validator(max_length = 50))]
    pub word: String,
    /// 分类
    pub category: WordCategory,
    /// 处理方式
    pub action: WordAction,
}

impl Example for WordEdit {
    fn example() -> Self {
        Self {
            id: 1, version: 1, word: "代考包过".to_owned(), category: WordCategory::Ad, action: WordAction::Reject
        }
    }
}

/// How many of the words that were given are new.
#[derive(Debug, Clone, Default, Object)]
pub struct WordsAdded {
    /// 总数
    pub total: i64,
    /// 已导入
    pub imported: i64,
    /// 已存在或空白
    pub skipped: i64,
    /// 错误
    pub errors: Vec<RowError>,
}

#[derive(Debug, Multipart)]
struct TextForm {
    /// 文件
    file: Upload,
}

/// A text to be tried.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct TextToCheck {
    /// 文本
    #[oai(validator(max_length = 20000))]
    pub text: String,
}

impl Example for TextToCheck {
    fn example() -> Self {
        Self { text: "远离赌 博".to_owned() }
    }
}

/// A word that the text contains.
#[derive(Debug, Clone, Object)]
pub struct WordHit {
    /// 敏感词
    pub word: String,
    /// 分类
    pub category: WordCategory,
    /// 处理方式
    pub action: WordAction,
    /// 起始位置(字符)
    pub start: i64,
    /// 结束位置(字符)
    pub end: i64,
}

/// What would become of the text.
#[derive(Debug, Clone, Object)]
pub struct TextChecked {
    /// 处理方式
    pub action: Option<WordAction>,
    /// 命中
    pub hits: Vec<WordHit>,
    /// 替换后的文本
    pub masked: String,
}

pub struct WordLibrary;

#[OpenApi(prefix_path = "/system/pc/sys/sensitive/word/library", tag = "crate::Tag::Settings")]
impl WordLibrary {
    /// 敏感词列表
    #[oai(path = "/list", method = "post", operation_id = "listSensitiveWords")]
    async fn list(
        &self,
        caller: Allowed<ListWords>,
        Body(asked): Body<Paged<WordFilter>>,
    ) -> Result<Reply<Page<SensitiveWord>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let total = sqlx::query_scalar!(
            r#"select count(*) as "count!" from platform.sensitive_word
               where ($1::text is null or strpos(normal, $1) > 0) and ($2::text is null or category = $2)
                 and ($3::text is null or action = $3) and ($4::boolean is null or enabled = $4)"#,
            filter.word.as_deref().map(fold),
            filter.category.map(WordCategory::as_str),
            filter.action.map(WordAction::as_str),
            filter.enabled
        )
        .fetch_one(&mut *tx)
        .await?;
        let list = select(&mut tx, None, &filter, Some(paging)).try_collect().await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 新增敏感词
    #[oai(path = "/save", method = "post", operation_id = "saveSensitiveWords")]
    async fn save(&self, caller: Allowed<SaveWords>, Body(new): Body<NewWords>) -> Result<Reply<WordsAdded>> {
        let mut tx = match caller.begin().await {
            Err(error) if error.replayed().is_some() => {
                // The same words were added by an earlier call with this key.
                let total = i64::try_from(new.words.len()).unwrap_or(i64::MAX);
                return Ok(reply(WordsAdded { total, imported: total, ..WordsAdded::default() }));
            }
            begun => begun?,
        };
        let total = i64::try_from(new.words.len()).unwrap_or(i64::MAX);
        let mut fresh = Fresh::default();
        for word in &new.words {
            let word = word.trim();
            if word.is_empty() {
                continue;
            }
            if word.chars().count() > 50 {
                return Err(Error::field("words", format!("“{word}”超过50个字符")));
            }
            if fold(word).is_empty() {
                return Err(Error::field("words", format!("“{word}”没有文字或数字，无法识别")));
            }
            fresh.add(word, new.category, new.action);
        }
        let imported = count(&import::insert(&fresh, &mut tx).await?);
        if imported == 0 {
            return Err(Error::field("words", if total == 1 { "该敏感词已存在" } else { "这些敏感词均已存在" }));
        }
        let what = json!({ "words": new.words, "category": new.category.as_str(), "action": new.action.as_str(), "imported": imported });
        tx.notice(TOPIC, "");
        tx.commit(Change::event("sensitive_word", 0, "insert", what)).await?;
        Ok(reply(WordsAdded { total, imported, skipped: total - imported, errors: Vec::new() }))
    }

    /// 编辑敏感词
    #[oai(path = "/update", method = "put", operation_id = "editSensitiveWord")]
    async fn update(&self, caller: Allowed<EditWord>, Body(edit): Body<WordEdit>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let before = find(&mut tx, edit.id).await?;
        let normal = fold(&edit.word);
        if normal.is_empty() {
            return Err(Error::field("word", "敏感词须包含文字或数字"));
        }
        let by = tx.by();
        let changed = sqlx::query!(
            "update platform.sensitive_word set word = $3, normal = $4, category = $5, action = $6,
                    updated_at = now(), updated_by = $7, version = version + 1
             where id = $1 and version = $2",
            edit.id,
            edit.version,
            edit.word,
            normal,
            edit.category.as_str(),
            edit.action.as_str(),
            by
        )
        .execute(&mut *tx)
        .await
        .on_constraint(|name| (name == "sensitive_word_taken").then(|| Error::field("word", "该敏感词已存在")))?;
        if changed.rows_affected() == 0 {
            return Err(tx.stale("sensitive_word", edit.id).await);
        }
        let after = find(&mut tx, edit.id).await?;
        tx.notice(TOPIC, "");
        tx.commit(Change::edited("sensitive_word", edit.id, &before, &after)).await?;
        Ok(reply(Saved { id: edit.id }))
    }

    /// 删除敏感词
    #[oai(path = "/delete", method = "delete", operation_id = "deleteSensitiveWord")]
    async fn delete(
        &self,
        caller: Allowed<DeleteWord>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0).await?;
        tx.notice(TOPIC, "");
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 启用停用敏感词
    #[oai(path = "/update/status", method = "put", operation_id = "changeSensitiveWordStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeWordStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = tx.set_enabled("sensitive_word", &wanted).await?;
        tx.notice(TOPIC, "");
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 重建敏感词缓存
    #[oai(path = "/delete/redis", method = "put", operation_id = "rebuildSensitiveWords")]
    async fn rebuild(&self, caller: Allowed<RebuildWords>) -> Result<Reply<Dropped>> {
        let answer = dropped(caller.begin().await?, &[TOPIC]).await?;
        // Here at once; the other servers build theirs with their next text.
        lexicon(caller.app()).await?;
        Ok(reply(answer))
    }

    /// 导入敏感词文本
    #[oai(path = "/txt/import", method = "post", operation_id = "importSensitiveWords")]
    async fn import(&self, caller: Allowed<ImportWords>, form: TextForm) -> Result<Reply<WordsAdded>> {
        let file_name = form.file.file_name().unwrap_or("敏感词.txt").to_owned();
        let text = import::text_of(form.file).await?;
        let parsed = tokio::task::spawn_blocking(move || parse(&text)).await.map_err(Error::internal)??;
        if !parsed.errors.is_empty() {
            return Ok(reply(WordsAdded { total: parsed.total, errors: parsed.errors, ..WordsAdded::default() }));
        }
        let mut tx = caller.begin_long().await?;
        let words = import::insert(&parsed.fresh, &mut tx).await?;
        let imported = count(&words);
        tx.notice(TOPIC, "");
        // One line in the trail tells of the file; each of its words has a line from its first change on.
        let batch = transfer::keep::<ImportedWords>(&mut tx, "敏感词", &file_name, parsed.total, &words).await?;
        let what = json!({ "total": parsed.total, "imported": imported });
        tx.commit(Change::event("sensitive_word", 0, "import", what).in_batch(batch)).await?;
        Ok(reply(WordsAdded { total: parsed.total, imported, skipped: parsed.total - imported, errors: Vec::new() }))
    }

    /// 校验文本
    #[oai(path = "/check", method = "post", operation_id = "checkSensitiveText")]
    async fn check(&self, caller: Allowed<CheckText>, Body(given): Body<TextToCheck>) -> Result<Reply<TextChecked>> {
        let found = find_words(caller.app(), &given.text).await?;
        let masked = found.masked(&given.text);
        let action = found.action();
        let place = |at: usize| i64::try_from(at).unwrap_or(i64::MAX);
        let hits = found.hits.into_iter().map(|hit| WordHit {
            word: hit.word,
            category: hit.category,
            action: hit.action,
            start: place(hit.start),
            end: place(hit.end),
        });
        Ok(reply(TextChecked { action, hits: hits.collect(), masked }))
    }
}

fn count(words: &[Change]) -> i64 {
    i64::try_from(words.len()).unwrap_or(i64::MAX)
}

pub(super) async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = find(tx, id).await?;
    tx.remove("sensitive_word", id, &before.word).await?;
    Ok(Change::deleted("sensitive_word", id, &before))
}

struct Row {
    id: i64,
    word: String,
    category: WordCategory,
    action: WordAction,
    hit_count: i64,
    enabled: bool,
    created_at: Moment,
    version: i32,
}

impl From<Row> for SensitiveWord {
    fn from(row: Row) -> Self {
        Self {
            id: row.id,
            word: row.word,
            category: row.category,
            action: row.action,
            hit_count: row.hit_count,
            enabled: row.enabled,
            created_at: row.created_at,
            version: row.version,
        }
    }
}

fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<i64>,
    filter: &WordFilter,
    page: Option<Paging>,
) -> Rows<'c, SensitiveWord> {
    let rows = sqlx::query_as!(
        Row,
        r#"select id, word, category as "category: _", action as "action: _", hit_count, enabled, created_at, version
           from platform.sensitive_word
           where ($1::bigint is null or id = $1)
             and ($2::text is null or strpos(normal, $2) > 0)
             and ($3::text is null or category = $3)
             and ($4::text is null or action = $4)
             and ($5::boolean is null or enabled = $5)
           order by id desc limit $6 offset $7"#,
        only,
        filter.word.as_deref().map(fold),
        filter.category.map(WordCategory::as_str),
        filter.action.map(WordAction::as_str),
        filter.enabled,
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows.map_ok(SensitiveWord::from))
}

async fn find(connection: &mut PgConnection, id: i64) -> Result<SensitiveWord> {
    let found = select(connection, Some(id), &WordFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)
}
