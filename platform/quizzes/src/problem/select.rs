//! How questions are read.

use std::collections::HashMap;

use chrono::NaiveDate;
use futures_util::TryStreamExt;
use infra::{
    App, Error, Paging, Result,
    clock::{Moment, day_began, day_ended},
    naming::sought_word,
    transfer::Rows,
};
use poem_openapi::Object;
use question_bank_rules::{
    enums::{QuestionDifficulty, QuestionSource, QuestionType},
    form::{QuestionOption, QuestionUpload, SubQuestionForm},
    marking::QuestionAnswer,
    score::points,
    text::QuestionText,
};
use quiz_rules::{content::stored_as, paper::StoredProblem, problem::QuizProblemForm};
use serde_json::Value;
use sqlx::PgConnection;

use super::media::{self, QuizMedia};

/// Characters of a stem in a list.
const SHOWN: usize = 80;

/// A question of a list.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct QuizProblem {
    /// 编号
    pub id: i64,
    /// 分类
    pub category_id: i64,
    /// 分类名称
    pub category_name: String,
    /// 题型
    #[oai(rename = "type")]
    pub kind: QuestionType,
    /// 题干文字
    /// 最多80个字符
    pub stem_text: String,
    /// 有图片
    pub has_image: bool,
    /// 难度
    pub difficulty: QuestionDifficulty,
    /// 默认分值
    pub default_score: f64,
    /// 小题数
    pub sub_count: i32,
    /// 引用试卷数
    pub exam_count: i64,
    /// 来源
    pub source: QuestionSource,
    /// 修订号
    pub revision: i32,
    /// 启用
    pub enabled: bool,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// An exam that has a question.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct QuizProblemUse {
    /// 试卷
    pub exam_id: i64,
    /// 试卷名称
    pub exam_name: String,
}

/// A question with all that belongs to it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct QuizProblemView {
    #[oai(flatten)]
    pub problem: QuizProblem,
    /// 题干
    pub stem: QuestionText,
    /// 选项
    pub options: Vec<QuestionOption>,
    /// 答案
    pub answer: Option<QuestionAnswer>,
    /// 解析
    pub analysis: Option<QuestionText>,
    /// 音频
    pub media_key: Option<String>,
    /// 播放次数
    pub play_limit: Option<i32>,
    /// 附件要求
    pub upload: Option<QuestionUpload>,
    /// 允许附件
    pub allow_attachment: bool,
    /// 小题
    pub sub_questions: Vec<SubQuestionForm>,
    /// 图片和音频
    /// 地址数分钟内有效
    pub media: Vec<QuizMedia>,
    /// 引用试卷
    pub usage: Vec<QuizProblemUse>,
    /// 题型已定
    /// 已用于试卷，不能修改题型和删除
    pub type_fixed: bool,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct QuizProblemFilter {
    /// 分类
    /// 包括其下级分类
    pub category_id: Option<i64>,
    /// 题型
    #[oai(rename = "type")]
    pub kind: Option<QuestionType>,
    /// 难度
    pub difficulty: Option<QuestionDifficulty>,
    /// 关键词
    /// 题干中的文字，或题目编号
    #[oai(validator(max_length = 60))]
    pub keyword: Option<String>,
    /// 来源
    pub source: Option<QuestionSource>,
    /// 启用
    pub enabled: Option<bool>,
    /// 创建日期起
    pub created_from: Option<NaiveDate>,
    /// 创建日期止
    pub created_to: Option<NaiveDate>,
}

/// A question as a list reads it.
pub struct ProblemRow {
    pub(crate) id: i64,
    pub(crate) category_id: i64,
    pub(crate) category_name: String,
    pub(crate) kind: QuestionType,
    pub(crate) stem_text: String,
    pub(crate) has_image: bool,
    pub(crate) difficulty: i16,
    pub(crate) default_score: i64,
    pub(crate) sub_count: i32,
    pub(crate) exam_count: i64,
    pub(crate) source: QuestionSource,
    pub(crate) revision: i32,
    pub(crate) enabled: bool,
    pub(crate) created_at: Moment,
    pub(crate) version: i32,
    /// Only a file shows them.
    pub(crate) options: Value,
    pub(crate) answer: Option<Value>,
    pub(crate) analysis: Option<QuestionText>,
}

impl From<ProblemRow> for QuizProblem {
    fn from(row: ProblemRow) -> Self {
        Self {
            id: row.id,
            category_id: row.category_id,
            category_name: row.category_name,
            kind: row.kind,
            stem_text: row.stem_text.chars().take(SHOWN).collect(),
            has_image: row.has_image,
            difficulty: QuestionDifficulty::of(row.difficulty),
            default_score: points(row.default_score),
            sub_count: row.sub_count,
            exam_count: row.exam_count,
            source: row.source,
            revision: row.revision,
            enabled: row.enabled,
            created_at: row.created_at,
            version: row.version,
        }
    }
}

/// The newest first.
pub(crate) fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<i64>,
    filter: &QuizProblemFilter,
    page: Option<Paging>,
) -> Rows<'c, ProblemRow> {
    let word = sought_word(filter.keyword.as_deref());
    let number = word.as_deref().and_then(|word| word.parse::<i64>().ok());
    let rows = sqlx::query_as!(
        ProblemRow,
        r#"select p.id, p.category_id, c.category_name, p.type as "kind: _", p.stem_plain as stem_text,
                  cardinality(p.file_keys) > 0 as "has_image!", p.difficulty, p.default_score,
                  jsonb_array_length(p.sub_questions) as "sub_count!",
                  (select count(*) from platform.online_exam_problem x where x.problem_id = p.id) as "exam_count!",
                  p.source as "source: _", p.revision, p.enabled, p.created_at, p.version, p.options, p.answer,
                  p.analysis as "analysis: _"
           from platform.online_problem p join platform.online_category c on c.id = p.category_id
           where ($1::bigint is null or p.id = $1)
             and ($2::bigint is null or p.category_id in (
                 with recursive below as (
                     select $2::bigint as id
                     union all
                     select k.id from platform.online_category k join below b on k.parent_id = b.id)
                 select below.id from below))
             and ($3::text is null or p.type = $3)
             and ($4::smallint is null or p.difficulty = $4)
             and ($5::text is null or strpos(lower(p.stem_plain), $5) > 0 or p.id = $6)
             and ($7::text is null or p.source = $7)
             and ($8::boolean is null or p.enabled = $8)
             and ($9::timestamptz is null or p.created_at >= $9)
             and ($10::timestamptz is null or p.created_at < $10)
           order by p.id desc limit $11 offset $12"#,
        only,
        filter.category_id,
        filter.kind.map(QuestionType::as_str),
        filter.difficulty.map(QuestionDifficulty::grade),
        word,
        number,
        filter.source.map(QuestionSource::as_str),
        filter.enabled,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended),
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows)
}

pub(crate) async fn count(connection: &mut PgConnection, filter: &QuizProblemFilter) -> Result<i64> {
    let word = sought_word(filter.keyword.as_deref());
    let number = word.as_deref().and_then(|word| word.parse::<i64>().ok());
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.online_problem p
           where ($1::bigint is null or p.category_id in (
                 with recursive below as (
                     select $1::bigint as id
                     union all
                     select k.id from platform.online_category k join below b on k.parent_id = b.id)
                 select below.id from below))
             and ($2::text is null or p.type = $2)
             and ($3::smallint is null or p.difficulty = $3)
             and ($4::text is null or strpos(lower(p.stem_plain), $4) > 0 or p.id = $5)
             and ($6::text is null or p.source = $6)
             and ($7::boolean is null or p.enabled = $7)
             and ($8::timestamptz is null or p.created_at >= $8)
             and ($9::timestamptz is null or p.created_at < $9)"#,
        filter.category_id,
        filter.kind.map(QuestionType::as_str),
        filter.difficulty.map(QuestionDifficulty::grade),
        word,
        number,
        filter.source.map(QuestionSource::as_str),
        filter.enabled,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended)
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

/// A question as it is stored.
pub(crate) struct Stored {
    pub(crate) id: i64,
    pub(crate) category_id: i64,
    pub(crate) kind: QuestionType,
    pub(crate) stem: QuestionText,
    pub(crate) options: Value,
    pub(crate) answer: Option<Value>,
    pub(crate) analysis: Option<QuestionText>,
    pub(crate) difficulty: i16,
    pub(crate) default_score: i64,
    pub(crate) media_key: Option<String>,
    pub(crate) play_limit: Option<i32>,
    pub(crate) upload: Option<Value>,
    pub(crate) allow_attachment: bool,
    pub(crate) sub_questions: Value,
    pub(crate) file_keys: Vec<String>,
    pub(crate) frozen: bool,
    pub(crate) enabled: bool,
    pub(crate) version: i32,
}

/// These questions; those that are gone are left out.
pub(crate) async fn stored(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<Stored>> {
    let rows = sqlx::query_as!(
        Stored,
        r#"select id, category_id, type as "kind: _", stem as "stem: _", options, answer, analysis as "analysis: _", difficulty,
                  default_score, media_key, play_limit, upload, allow_attachment, sub_questions, file_keys, frozen, enabled, version
           from platform.online_problem where id = any($1) order by id"#,
        ids
    )
    .fetch_all(connection)
    .await?;
    Ok(rows)
}

impl Stored {
    /// As somebody would type it.
    pub(crate) fn form(self) -> Result<QuizProblemForm> {
        let subs: Vec<SubQuestionForm> = stored_as(self.sub_questions)?;
        Ok(QuizProblemForm {
            category_id: self.category_id,
            kind: self.kind,
            stem: self.stem,
            options: stored_as(self.options)?,
            answer: self.answer.map(stored_as).transpose()?,
            analysis: self.analysis,
            difficulty: Some(QuestionDifficulty::of(self.difficulty)),
            default_score: subs.is_empty().then(|| points(self.default_score)),
            media_key: self.media_key,
            play_limit: self.play_limit,
            upload: self.upload.map(stored_as).transpose()?,
            allow_attachment: self.allow_attachment,
            sub_questions: subs,
            copied_from: None,
            enabled: self.enabled,
        })
    }
}

/// These questions as an attempt copies them, by their numbers.
pub(crate) async fn for_papers(connection: &mut PgConnection, ids: &[i64]) -> Result<HashMap<i64, StoredProblem>> {
    let mut all = HashMap::with_capacity(ids.len());
    for row in stored(connection, ids).await? {
        let id = row.id;
        let form = row.form()?;
        let problem = StoredProblem {
            id,
            kind: form.kind,
            stem: form.stem,
            options: form.options,
            answer: form.answer,
            analysis: form.analysis,
            media_key: form.media_key,
            play_limit: form.play_limit,
            subs: form.sub_questions,
        };
        all.insert(id, problem);
    }
    Ok(all)
}

/// # Errors
/// 404 when there is none.
pub(crate) async fn find(app: &App, connection: &mut PgConnection, id: i64) -> Result<QuizProblemView> {
    let row = select(connection, Some(id), &QuizProblemFilter::default(), None).try_next().await?;
    let problem = QuizProblem::from(row.ok_or_else(Error::not_found)?);
    let whole = stored(connection, &[id]).await?.pop().ok_or_else(Error::not_found)?;
    let (keys, type_fixed) = (whole.file_keys.clone(), whole.frozen);
    let form = whole.form()?;
    let usage = sqlx::query_as!(
        QuizProblemUse,
        "select e.id as exam_id, e.exam_name from platform.online_exam_problem x join platform.online_exam e on e.id = x.exam_id
         where x.problem_id = $1 order by e.id desc",
        id
    )
    .fetch_all(&mut *connection)
    .await?;
    Ok(QuizProblemView {
        problem,
        stem: form.stem,
        options: form.options,
        answer: form.answer,
        analysis: form.analysis,
        media_key: form.media_key,
        play_limit: form.play_limit,
        upload: form.upload,
        allow_attachment: form.allow_attachment,
        sub_questions: form.sub_questions,
        media: media::shown(app, connection, &keys).await?,
        usage,
        type_fixed,
    })
}
