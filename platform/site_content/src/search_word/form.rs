//! What an operator types of a word, and how it is written.

use infra::{Change, Edit, Error, OnConstraint, Result, Tx, naming::tidy};
use poem_openapi::{Object, types::Example};

use super::{SearchWord, SearchWordType, list::find};
use crate::{filter::SiteTerminal, removal::remove};

/// What an operator types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SearchWordForm {
    /// 端
    pub terminal: SiteTerminal,
    /// 类型
    pub word_type: SearchWordType,
    /// 搜索词
    #[oai(validator(max_length = 20))]
    pub word: String,
    /// 跳转链接
    /// 以 http://、https:// 或 / 开头
    #[oai(validator(max_length = 300, pattern = r"^(https?://[^\s/\\?#@]+([/?#][^\s\\]*)?|/([^\s/\\][^\s\\]*)?)$"))]
    pub jump_url: Option<String>,
    /// 排序
    /// 从小到大排列；拖动列表中的行也可调整
    #[oai(default, validator(minimum(value = "0"), maximum(value = "9999")))]
    pub sort: i32,
    /// 启用
    #[oai(default = "on")]
    pub enabled: bool,
}

fn on() -> bool {
    true
}

impl Example for SearchWordForm {
    fn example() -> Self {
        Self {
            terminal: SiteTerminal::Pc,
            word_type: SearchWordType::Hot,
            word: "学位英语".to_owned(),
            jump_url: None,
            sort: 0,
            enabled: true,
        }
    }
}

impl SearchWordForm {
    /// Inner runs of blanks become one blank.
    fn tidy(mut self) -> Self {
        self.word = tidy(&self.word);
        self
    }

    fn explain_constraint(&self, constraint: &str) -> Option<Error> {
        (constraint == "search_word_taken").then(|| Error::field("word", format!("搜索词“{}”已存在", self.word)))
    }
}

pub(super) async fn insert(tx: &mut Tx, form: SearchWordForm) -> Result<(i64, Change)> {
    let form = form.tidy();
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.search_word (terminal, word_type, word, jump_url, sort, enabled, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $7) returning id",
        form.terminal.as_str(),
        form.word_type.as_str(),
        form.word,
        form.jump_url,
        form.sort,
        form.enabled,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| form.explain_constraint(constraint))?;
    Ok((id, Change::created("search_word", id, &form)))
}

pub(super) async fn update(tx: &mut Tx, edit: Edit<SearchWordForm>) -> Result<Change> {
    let form = edit.form.tidy();
    let before: SearchWord = find(tx, edit.id).await?;
    let by = tx.by();
    let changed = sqlx::query!(
        "update platform.search_word set terminal = $3, word_type = $4, word = $5, jump_url = $6, sort = $7,
                enabled = $8, updated_at = now(), updated_by = $9, version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        form.terminal.as_str(),
        form.word_type.as_str(),
        form.word,
        form.jump_url,
        form.sort,
        form.enabled,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|constraint| form.explain_constraint(constraint))?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("search_word", edit.id).await);
    }
    let after = find(tx, edit.id).await?;
    Ok(Change::edited("search_word", edit.id, &before, &after))
}

pub(super) async fn delete(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = find(tx, id).await?;
    remove(tx, "search_word", id, &before.word, &before).await
}
