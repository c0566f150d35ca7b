//! How questions are read: the list, one question with all that belongs to it.

use std::collections::HashMap;

use infra::{
    App, Error, Paging, Result, Scope,
    across::{Key, Listed, Segment},
    clock::Moment,
    naming::sought_word,
};
use poem_openapi::{Object, types::ParseFromJSON};
use question_bank_rules::form::{QuestionOption, QuestionUpload, SubQuestion};
use serde_json::Value;
use sqlx::{PgConnection, types::Json};

use super::{
    Questions,
    media::{self, QuestionMedia},
    quality::LEAST_TOLD,
};
use crate::{
    enums::{BankUsage, PaperKind, QuestionDifficulty, QuestionSource, QuestionStatus, QuestionType},
    marking::QuestionAnswer,
    text::QuestionText,
};

/// Characters of a stem in a list.
const SHOWN: usize = 80;

/// A question of a list.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Question {
    /// 编号
    pub id: i64,
    /// 题库
    pub bank_id: i64,
    /// 题库名称
    pub bank_name: String,
    /// 题库用途
    pub bank_usage: BankUsage,
    /// 课程
    pub course_id: i64,
    /// 课程名称
    pub course_name: String,
    /// 题型
    #[oai(rename = "type")]
    pub kind: QuestionType,
    /// 题干文字
    /// 最多80个字符
    pub stem_text: String,
    /// 有图片
    pub has_image: bool,
    /// 章节
    pub chapter_id: Option<i64>,
    /// 章节标题
    pub chapter_title: Option<String>,
    /// 知识点
    pub knowledge_point_ids: Vec<i64>,
    /// 知识点名称
    pub knowledge_point_names: Vec<String>,
    /// 难度
    pub difficulty: QuestionDifficulty,
    /// 默认分值
    pub default_score: f64,
    /// 小题数
    pub sub_count: i64,
    /// 答案
    /// 无权查看考试题库的答案时为空
    pub answer: Option<QuestionAnswer>,
    /// 答案文字
    pub answer_text: Option<String>,
    /// 解析文字
    /// 无权查看考试题库的答案时为空
    pub analysis_text: Option<String>,
    /// 使用次数
    pub used_count: i32,
    /// 最近使用
    pub last_used_at: Option<Moment>,
    /// 作答份数
    /// 已批阅的答卷，每晚统计
    pub answer_count: i32,
    /// 得分率(%)
    /// 各份答卷得分之和占满分之和的比例；作答不足5份时为空
    pub score_rate: Option<f64>,
    /// 区分度
    /// 总分前27%与后27%的答卷在本题得分率之差，-1至1；作答不足20份时为空
    pub discrimination: Option<f64>,
    /// 状态
    pub status: QuestionStatus,
    /// 来源
    pub source: QuestionSource,
    /// 修订号
    pub revision: i32,
    /// 退回原因
    pub reject_reason: Option<String>,
    /// 更新时间
    pub updated_at: Moment,
    /// 版本
    pub version: i32,
    /// Whether only the holder of the code sees its answer: [`secret_among`].
    #[oai(skip)]
    pub secret: bool,
}

impl Question {
    /// Leaves out what only the holder of the code may see.
    pub(super) fn hide_answer(&mut self, may_see: bool) {
        if !may_see && self.secret {
            (self.answer, self.answer_text, self.analysis_text) = (None, None, None);
        }
    }
}

/// A paper that holds a question.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct QuestionUse {
    /// 试卷
    pub paper_id: i64,
    /// 试卷编号
    pub paper_code: String,
    /// 试卷名称
    pub paper_name: String,
    /// 试卷状态
    pub status: String,
}

/// A question with all that belongs to it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct QuestionView {
    #[oai(flatten)]
    pub question: Question,
    /// 题干
    pub stem: QuestionText,
    /// 选项
    pub options: Vec<QuestionOption>,
    /// 解析
    pub analysis: Option<QuestionText>,
    /// 音频
    pub media_key: Option<String>,
    /// 音频地址
    pub media_url: Option<String>,
    /// 音频文件名
    pub media_name: Option<String>,
    /// 播放次数
    pub play_limit: Option<i32>,
    /// 附件要求
    pub upload: Option<QuestionUpload>,
    /// 允许附件
    pub allow_attachment: bool,
    /// 小题
    pub sub_questions: Vec<SubQuestion>,
    /// 图片
    pub media: Vec<QuestionMedia>,
    /// 可查看答案
    pub answer_visible: bool,
    /// 题型不能修改
    pub type_fixed: bool,
    /// 使用的试卷
    pub usage: Vec<QuestionUse>,
    /// 快照数
    pub snapshot_count: i64,
    /// 创建时间
    pub created_at: Moment,
    /// 创建人姓名
    pub created_by_name: String,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct QuestionFilter {
    /// 课程
    pub course_id: Option<i64>,
    /// 课程
    /// 编码或名称包含；查看全部院校时代替课程编号
    #[oai(validator(max_length = 50))]
    pub course_text: Option<String>,
    /// 题库
    pub bank_id: Option<i64>,
    /// 章节
    /// 章包含其下的节
    pub chapter_id: Option<i64>,
    /// 题型
    #[oai(rename = "type")]
    pub kind: Option<QuestionType>,
    /// 难度
    pub difficulty: Option<QuestionDifficulty>,
    /// 知识点
    pub knowledge_point_id: Option<i64>,
    /// 状态
    pub status: Option<QuestionStatus>,
    /// 来源
    pub source: Option<QuestionSource>,
    /// 题干或题号
    #[oai(validator(max_length = 100))]
    pub keyword: Option<String>,
    /// 使用次数从
    pub used_from: Option<i32>,
    /// 使用次数到
    pub used_to: Option<i32>,
    /// 得分率不高于(%)
    #[oai(validator(minimum(value = "0"), maximum(value = "100")))]
    pub score_rate_to: Option<f64>,
    /// 区分度不高于
    #[oai(validator(minimum(value = "-1"), maximum(value = "1")))]
    pub discrimination_to: Option<f64>,
    /// 不在试卷中
    pub exclude_paper_id: Option<i64>,
    /// 可用于
    /// 只取该用途可选的题库中启用的试题
    pub usable_for: Option<PaperKind>,
    /// 编号
    #[oai(validator(max_items = 1000))]
    pub ids: Option<Vec<i64>>,
}

/// The same for one account; without one, all questions.
#[derive(Debug, Clone, Default, Object)]
pub struct QuestionsSeen {
    #[oai(flatten)]
    pub filter: QuestionFilter,
    pub viewer: Option<i64>,
    /// Whether answers are left out where only the holder of the code sees them.
    #[oai(default)]
    pub hides: bool,
}

impl QuestionFilter {
    /// The words of the keyword, and the number that it may be.
    fn sought(&self) -> (Option<String>, Option<i64>) {
        let words = self.keyword.as_deref().map(str::trim).filter(|words| !words.is_empty());
        (words.map(ToOwned::to_owned), words.and_then(|words| words.parse().ok()))
    }

    fn status(&self) -> Option<&'static str> {
        match self.usable_for {
            Some(_) => Some(QuestionStatus::Enabled.as_str()),
            None => self.status.map(QuestionStatus::as_str),
        }
    }

    fn usages(&self) -> Option<Vec<String>> {
        self.usable_for.map(|kind| kind.usages().iter().map(|usage| (*usage).to_owned()).collect())
    }
}

/// Which keys are wanted, and in which order.
#[derive(Debug, Clone, Copy, Default)]
struct Wanted {
    until: Option<Moment>,
    sort: Option<&'static str>,
    descending: bool,
    limit: Option<i64>,
    offset: i64,
}

async fn matching(connection: &mut PgConnection, seen: &QuestionsSeen, wanted: Wanted) -> Result<Vec<Key>> {
    let filter = &seen.filter;
    let (words, number) = filter.sought();
    let usages = filter.usages();
    let keys = sqlx::query_as!(
        Key,
        r#"select q.id, q.created_at, count(*) over () as "total!"
           from question q join question_bank b on b.id = q.bank_id
           where q.parent_id is null
             and ($1::bigint is null or q.course_id = $1)
             and ($24::text is null or q.course_id = any(array(
                      select x.id from course x where strpos(lower(x.code), $24) > 0 or strpos(lower(x.name), $24) > 0)))
             and ($2::bigint is null or q.bank_id = $2)
             and ($3::bigint is null or q.chapter_id = $3
                  or q.chapter_id in (select h.id from course_chapter h where h.parent_id = $3))
             and ($4::text is null or q.type = $4)
             and ($5::smallint is null or q.difficulty = $5)
             and ($6::bigint is null or exists (
                  select from question_knowledge k where k.question_id = q.id and k.knowledge_point_id = $6))
             and ($7::text is null or q.status = $7)
             and ($8::text is null or q.source = $8)
             and ($9::text is null or strpos(lower(q.stem_plain), lower($9)) > 0 or q.id = $10)
             and ($11::integer is null or q.used_count >= $11)
             and ($12::integer is null or q.used_count <= $12)
             and ($13::bigint is null or not exists (
                  select from paper_question p where p.paper_id = $13 and p.question_id = q.id))
             and ($14::text[] is null or (b.usage = any($14) and b.enabled))
             and ($15::bigint[] is null or q.id = any($15))
             and ($16::bigint is null or b.visibility = 'school' or b.created_by = $16
                  or exists (select from question_bank_member m where m.bank_id = b.id and m.account_id = $16))
             and ($17::timestamptz is null or q.created_at <= $17)
             and ($22::float8 is null or q.id in (
                  select z.question_id from question_quality z
                  where z.score_rate <= $22::float8::numeric and z.answers >= $25))
             and ($23::float8 is null or q.id in (
                  select z.question_id from question_quality z where z.discrimination <= $23::float8::numeric))
           order by case when $17::timestamptz is not null then q.created_at end desc,
                    case when $17::timestamptz is not null then q.id end,
                    case when $18 = 'defaultScore' and not $19 then q.default_score end,
                    case when $18 = 'defaultScore' and $19 then q.default_score end desc,
                    case when $18 = 'usedCount' and not $19 then q.used_count end,
                    case when $18 = 'usedCount' and $19 then q.used_count end desc,
                    case when $18 = 'difficulty' and not $19 then q.difficulty end,
                    case when $18 = 'difficulty' and $19 then q.difficulty end desc,
                    case when $18 = 'updatedAt' and not $19 then q.updated_at end,
                    case when $18 = 'updatedAt' and $19 then q.updated_at end desc,
                    case when $18 = 'id' and not $19 then q.id end,
                    case when $18 = 'random' then random() end,
                    q.id desc
           limit $20 offset $21"#,
        filter.course_id,
        filter.bank_id,
        filter.chapter_id,
        filter.kind.map(QuestionType::as_str),
        filter.difficulty.map(QuestionDifficulty::grade),
        filter.knowledge_point_id,
        filter.status(),
        filter.source.map(QuestionSource::as_str),
        words,
        number,
        filter.used_from,
        filter.used_to,
        filter.exclude_paper_id,
        usages.as_deref(),
        filter.ids.as_deref(),
        seen.viewer,
        wanted.until,
        wanted.sort.unwrap_or_default(),
        wanted.descending,
        wanted.limit,
        wanted.offset,
        filter.score_rate_to,
        filter.discrimination_to,
        sought_word(filter.course_text.as_deref()),
        LEAST_TOLD
    )
    .fetch_all(connection)
    .await?;
    Ok(keys)
}

/// The numbers of all questions of the list, in its order; for exports and for steps by filter.
pub(super) async fn numbers(connection: &mut PgConnection, seen: &QuestionsSeen) -> Result<Vec<i64>> {
    let keys = matching(connection, seen, Wanted::default()).await?;
    Ok(keys.into_iter().map(|key| key.id).collect())
}

struct Row {
    id: i64,
    bank_id: i64,
    bank_name: String,
    bank_usage: BankUsage,
    course_id: i64,
    course_name: String,
    kind: QuestionType,
    stem_text: String,
    has_image: bool,
    chapter_id: Option<i64>,
    chapter_title: Option<String>,
    knowledge_point_ids: Vec<i64>,
    knowledge_point_names: Vec<String>,
    difficulty: i16,
    default_score: f64,
    sub_count: i64,
    answer: Option<Json<Value>>,
    analysis: Option<QuestionText>,
    secret: bool,
    used_count: i32,
    last_used_at: Option<Moment>,
    answer_count: i32,
    score_rate: Option<f64>,
    discrimination: Option<f64>,
    status: QuestionStatus,
    source: QuestionSource,
    revision: i32,
    reject_reason: Option<String>,
    updated_at: Moment,
    version: i32,
}

/// What is stored as JSON, as its type says.
///
/// # Errors
/// Internal, when it is stored in another shape.
pub fn stored<T: ParseFromJSON>(value: Value) -> Result<T> {
    T::parse_from_json(Some(value)).map_err(|error| Error::internal(error.into_message()))
}

impl Row {
    fn shown(self) -> Result<Question> {
        let answer: Option<QuestionAnswer> = self.answer.map(|answer| stored(answer.0)).transpose()?;
        Ok(Question {
            id: self.id,
            bank_id: self.bank_id,
            bank_name: self.bank_name,
            bank_usage: self.bank_usage,
            course_id: self.course_id,
            course_name: self.course_name,
            kind: self.kind,
            stem_text: self.stem_text.chars().take(SHOWN).collect(),
            has_image: self.has_image,
            chapter_id: self.chapter_id,
            chapter_title: self.chapter_title,
            knowledge_point_ids: self.knowledge_point_ids,
            knowledge_point_names: self.knowledge_point_names,
            difficulty: QuestionDifficulty::of(self.difficulty),
            default_score: self.default_score,
            sub_count: self.sub_count,
            answer_text: answer.as_ref().map(QuestionAnswer::told),
            analysis_text: self.analysis.as_ref().map(QuestionText::plain),
            answer,
            used_count: self.used_count,
            last_used_at: self.last_used_at,
            answer_count: self.answer_count,
            score_rate: self.score_rate,
            discrimination: self.discrimination,
            status: self.status,
            source: self.source,
            revision: self.revision,
            reject_reason: self.reject_reason,
            updated_at: self.updated_at,
            version: self.version,
            secret: self.secret,
        })
    }
}

/// Questions of these numbers, in the order of the numbers.
pub(super) async fn in_order(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<Question>> {
    let rows = sqlx::query_as!(
        Row,
        r#"select q.id, q.bank_id, b.name as bank_name, b.usage as "bank_usage: _", q.course_id, c.name as course_name,
                  q.type as "kind: _", left(q.stem_plain, 400) as "stem_text!", q.has_image, q.chapter_id,
                  case when p.id is null then h.title else p.title || ' / ' || h.title end as chapter_title,
                  k.ids as "knowledge_point_ids!", k.names as "knowledge_point_names!", q.difficulty,
                  q.default_score::float8 as "default_score!",
                  (select count(*) from question s where s.parent_id = q.id) as "sub_count!",
                  q.answer as "answer: Json<Value>", q.analysis as "analysis: QuestionText",
                  (b.usage = 'exam' or exists (
                      select from paper_question x join paper e on e.id = x.paper_id
                      where x.question_id = q.id and e.kind in ('exam', 'makeup') and e.status <> 'disabled')) as "secret!",
                  q.used_count, q.last_used_at, coalesce(z.answers, 0) as "answer_count!",
                  case when z.answers >= $2 then z.score_rate::float8 end as "score_rate?",
                  z.discrimination::float8 as "discrimination?", q.status as "status: _",
                  q.source as "source: _", q.revision, q.reject_reason, q.updated_at, q.version
           from unnest($1::bigint[]) with ordinality as w (id, place)
           join question q on q.id = w.id
           join question_bank b on b.id = q.bank_id
           join course c on c.id = q.course_id
           left join course_chapter h on h.id = q.chapter_id
           left join course_chapter p on p.id = h.parent_id
           left join question_quality z on z.question_id = q.id
           cross join lateral (
               select coalesce(array_agg(n.id order by n.code), '{}') as ids,
                      coalesce(array_agg(n.name order by n.code), '{}') as names
               from question_knowledge x join knowledge_point n on n.id = x.knowledge_point_id where x.question_id = q.id) k
           order by w.place"#,
        ids,
        LEAST_TOLD
    )
    .fetch_all(connection)
    .await?;
    rows.into_iter().map(Row::shown).collect()
}

impl Listed for Questions {
    type Filter = QuestionsSeen;
    type Row = Question;

    fn id(row: &Question) -> i64 {
        row.id
    }

    async fn page(
        connection: &mut PgConnection,
        filter: &QuestionsSeen,
        _scope: &Scope,
        paging: Paging,
    ) -> Result<(i64, Vec<Question>)> {
        let wanted = Wanted {
            until: None,
            sort: paging.order().map(|order| order.field),
            descending: paging.order().is_some_and(|order| order.descending),
            limit: Some(paging.limit()),
            offset: paging.offset(),
        };
        let keys = matching(connection, filter, wanted).await?;
        if keys.is_empty() && wanted.offset > 0 {
            // Behind the last page the count is still told.
            let first = matching(connection, filter, Wanted { limit: Some(1), ..Wanted::default() }).await?;
            return Ok((first.first().map_or(0, |key| key.total), Vec::new()));
        }
        let ids: Vec<i64> = keys.iter().map(|key| key.id).collect();
        Ok((keys.first().map_or(0, |key| key.total), in_order(connection, &ids).await?))
    }

    async fn segments(connection: &mut PgConnection, seen: &QuestionsSeen, _scope: &Scope) -> Result<Vec<Segment>> {
        let mut segments = Vec::new();
        if seen.filter.usable_for.is_some() {
            return Ok(segments);
        }
        for (_, status) in QuestionStatus::CHOICES {
            let mut of_status = seen.clone();
            of_status.filter.status = Some(*status);
            let first = matching(connection, &of_status, Wanted { limit: Some(1), ..Wanted::default() }).await?;
            let count = first.first().map_or(0, |key| key.total);
            segments.push(Segment { value: status.as_str().to_owned(), count });
        }
        Ok(segments)
    }

    async fn keys(
        connection: &mut PgConnection,
        filter: &QuestionsSeen,
        _scope: &Scope,
        until: Moment,
        most: i64,
    ) -> Result<Vec<Key>> {
        matching(connection, filter, Wanted { until: Some(until), limit: Some(most), ..Wanted::default() }).await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<Question>> {
        in_order(connection, ids).await
    }
}

/// The texts of a question, and what else a list does not show.
#[derive(Debug)]
pub(super) struct Whole {
    pub id: i64,
    pub stem: QuestionText,
    pub options: Json<Value>,
    pub analysis: Option<QuestionText>,
    pub media_key: Option<String>,
    pub media_name: Option<String>,
    pub play_limit: Option<i32>,
    pub upload: Option<Json<Value>>,
    pub allow_attachment: bool,
    pub created_at: Moment,
    pub created_by_name: String,
}

/// The texts of these questions, by their numbers.
pub(super) async fn wholes(connection: &mut PgConnection, ids: &[i64]) -> Result<HashMap<i64, Whole>> {
    let rows = sqlx::query_as!(
        Whole,
        r#"select q.id as "id!", q.stem as "stem!: QuestionText", q.options as "options!: Json<Value>",
                  q.analysis as "analysis: QuestionText", f.key as "media_key?", f.original_name as "media_name?",
                  q.play_limit, q.upload as "upload: Json<Value>", q.allow_attachment as "allow_attachment!",
                  q.created_at as "created_at!", q.created_by_name as "created_by_name!"
           from question q left join file_object f on f.id = q.media_file_id where q.id = any($1)"#,
        ids
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|row| (row.id, row)).collect())
}

/// Options as they are stored; their contents were cleaned when they came.
///
/// # Errors
/// Internal, when they are stored in another shape.
pub fn stored_options(options: Value) -> Result<Vec<QuestionOption>> {
    let Value::Array(rows) = options else { return Err(Error::internal("options are not stored as a list")) };
    rows.into_iter()
        .map(|row| {
            let text = |field: &str| {
                let text = row[field].as_str().map(ToOwned::to_owned);
                text.ok_or_else(|| Error::internal("an option is not stored with its letter and content"))
            };
            Ok(QuestionOption { letter: text("letter")?, content: QuestionText::stored(text("content")?) })
        })
        .collect()
}

/// The sub-questions of these parents, each parent's in their order.
pub async fn subs_of(connection: &mut PgConnection, parents: &[i64]) -> Result<Vec<(i64, SubQuestion)>> {
    let rows = sqlx::query!(
        r#"select parent_id as "parent_id!", id, sub_no as "sub_no!", type as "kind: QuestionType",
                  stem as "stem: QuestionText", options as "options: Json<Value>", answer as "answer: Json<Value>",
                  analysis as "analysis: QuestionText", default_score::float8 as "default_score!",
                  upload as "upload: Json<Value>", allow_attachment, revision
           from question where parent_id = any($1) order by parent_id, sub_no"#,
        parents
    )
    .fetch_all(connection)
    .await?;
    rows.into_iter()
        .map(|row| {
            let sub = SubQuestion {
                id: row.id,
                sub_no: row.sub_no,
                kind: row.kind,
                stem: row.stem,
                options: stored_options(row.options.0)?,
                answer: row.answer.map(|answer| stored(answer.0)).transpose()?,
                analysis: row.analysis,
                default_score: row.default_score,
                upload: row.upload.map(|upload| stored(upload.0)).transpose()?,
                allow_attachment: row.allow_attachment,
                revision: row.revision,
            };
            Ok((row.parent_id, sub))
        })
        .collect()
}

/// Of these questions those whose answers only the holder of the code sees: of examination banks, and those that a living paper
/// of an examination holds, whatever their bank is for.
///
/// # Errors
/// Those of the database.
pub async fn secret_among(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<i64>> {
    Ok(sqlx::query_scalar!(
        "select q.id from question q join question_bank b on b.id = q.bank_id
         where q.id = any($1) and (b.usage = 'exam' or exists (
               select from paper_question x join paper p on p.id = x.paper_id
               where x.question_id = q.id and p.kind in ('exam', 'makeup') and p.status <> 'disabled'))",
        ids
    )
    .fetch_all(connection)
    .await?)
}

/// One question for an account that may see its bank, with its addresses left out and its answer whole.
///
/// # Errors
/// 404 when there is none, when it is a part of another, or when its bank is kept to others.
pub(super) async fn find(connection: &mut PgConnection, id: i64, viewer: Option<i64>) -> Result<QuestionView> {
    let filter = QuestionFilter { ids: Some(vec![id]), ..QuestionFilter::default() };
    if numbers(connection, &QuestionsSeen { filter, viewer, ..QuestionsSeen::default() }).await?.is_empty() {
        return Err(Error::not_found());
    }
    let question = in_order(connection, &[id]).await?.pop().ok_or_else(Error::not_found)?;
    let whole = wholes(connection, &[id]).await?.remove(&id).ok_or_else(Error::not_found)?;
    let subs = subs_of(connection, &[id]).await?;
    let usage = sqlx::query_as!(
        QuestionUse,
        "select p.id as paper_id, p.code as paper_code, p.name as paper_name, p.status
         from paper_question x join paper p on p.id = x.paper_id where x.question_id = $1 order by p.id desc",
        id
    )
    .fetch_all(&mut *connection)
    .await?;
    let snapshots = sqlx::query_scalar!(
        r#"select count(distinct snapshot_id) as "count!" from snapshot_question where whole_id = $1"#,
        id
    )
    .fetch_one(connection)
    .await?;
    Ok(QuestionView {
        question,
        stem: whole.stem,
        options: stored_options(whole.options.0)?,
        analysis: whole.analysis,
        media_key: whole.media_key,
        media_url: None,
        media_name: whole.media_name,
        play_limit: whole.play_limit,
        upload: whole.upload.map(|upload| stored(upload.0)).transpose()?,
        allow_attachment: whole.allow_attachment,
        sub_questions: subs.into_iter().map(|(_, sub)| sub).collect(),
        media: Vec::new(),
        answer_visible: true,
        type_fixed: snapshots > 0,
        usage,
        snapshot_count: snapshots,
        created_at: whole.created_at,
        created_by_name: whole.created_by_name,
    })
}

impl QuestionView {
    /// The keys of the pictures of all its texts.
    fn keys(&self) -> Vec<String> {
        let texts = [Some(&self.stem), self.analysis.as_ref()].into_iter().flatten();
        let texts = texts.chain(self.options.iter().map(|option| &option.content));
        let own = self.question.answer.iter().filter_map(|answer| answer.text.as_ref());
        let mut keys: Vec<String> = texts.chain(own).flat_map(QuestionText::keys).collect();
        for sub in &self.sub_questions {
            let texts = [Some(&sub.stem), sub.analysis.as_ref()].into_iter().flatten();
            let texts = texts.chain(sub.options.iter().map(|option| &option.content));
            let answer = sub.answer.iter().filter_map(|answer| answer.text.as_ref());
            keys.extend(texts.chain(answer).flat_map(QuestionText::keys));
        }
        keys
    }

    /// With the addresses of its files, and without what the caller may not see.
    pub(super) async fn addressed(mut self, app: &App, connection: &mut PgConnection, may_see: bool) -> Result<Self> {
        self.question.hide_answer(may_see);
        self.answer_visible = may_see || !self.question.secret;
        if !self.answer_visible {
            self.analysis = None;
            for sub in &mut self.sub_questions {
                (sub.answer, sub.analysis) = (None, None);
            }
        }
        let mut keys = self.keys();
        keys.extend(self.media_key.clone());
        self.media = media::shown(app, connection, &keys).await?;
        let audio = self.media.iter().find(|file| Some(&file.key) == self.media_key.as_ref());
        self.media_url = audio.map(|file| file.url.clone());
        Ok(self)
    }
}
