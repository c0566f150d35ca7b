//! How a question is written: the whole tree in one statement, under its own version (03 A7).

use catalogue::category::{CategoryType, may_be_chosen};
use infra::{Change, Edit, Error, OnConstraint, Result, Tx};
use poem_openapi::types::ToJSON;
use question_bank_rules::{enums::QuestionSource, fingerprint::fingerprint, text::QuestionText};
use quiz_rules::problem::{QuizProblemForm, RightProblem};
use serde_json::{Value, json};

use super::{
    media,
    select::{Stored, stored},
};

/// # Errors
/// 422 at `categoryId` for what is no category of questions, or was switched off since `before`.
pub(super) async fn category_is_there(tx: &mut Tx, category: i64, before: Option<i64>) -> Result<()> {
    may_be_chosen(tx, CategoryType::Problem.as_str(), category, before).await
}

fn explain(constraint: &str) -> Option<Error> {
    (constraint == "online_problem_taken").then(|| Error::field("stem", "该分类中已有相同的试题"))
}

/// The columns that a question's parts become.
struct Columns {
    options: Value,
    answer: Option<Value>,
    upload: Option<Value>,
    subs: Value,
}

fn columns(right: &RightProblem) -> Columns {
    let own = &right.whole.own;
    Columns {
        options: own.options.to_json().unwrap_or_else(|| json!([])),
        answer: own.answer.as_ref().and_then(ToJSON::to_json),
        upload: own.upload.as_ref().and_then(ToJSON::to_json),
        subs: right.subs().to_json().unwrap_or_else(|| json!([])),
    }
}

async fn mark_of(tx: &mut Tx, right: &RightProblem) -> Result<Vec<u8>> {
    let digests = media::digests(tx, &right.keys()).await?;
    Ok(fingerprint(&right.whole.own, right.audio.as_deref(), &digests))
}

/// Stands for a key in the trail, and for one that was changed.
const KEY: &str = "答案和解析（不记录）";
const CHANGED: &str = "答案和解析（已修改，不记录）";

/// What the trail tells of a question: who reads it need not be among those who read keys.
fn told(form: &QuizProblemForm) -> Value {
    let mut told = form.to_json().unwrap_or_default();
    without_key(&mut told);
    if let Some(Value::Array(subs)) = told.get_mut("subQuestions") {
        subs.iter_mut().for_each(without_key);
    }
    told
}

fn without_key(part: &mut Value) {
    if let Value::Object(fields) = part {
        fields.remove("answer");
        fields.remove("analysis");
        fields.insert("key".to_owned(), json!(KEY));
    }
}

/// # Errors
/// 422 with everything that is wrong, at `stem` when the category has the question already, for a file that was not uploaded, and at
/// `copiedFrom` for a question that is gone.
pub(crate) async fn insert(tx: &mut Tx, form: &QuizProblemForm, source: QuestionSource) -> Result<(i64, Change)> {
    let right = form.checked()?;
    if let Some(copied) = form.copied_from {
        sqlx::query_scalar!("select id from platform.online_problem where id = $1", copied)
            .fetch_optional(&mut **tx)
            .await?
            .ok_or_else(|| Error::field("copiedFrom", "复制的试题不存在或已被删除"))?;
    }
    category_is_there(tx, form.category_id, None).await?;
    let mark = mark_of(tx, &right).await?;
    insert_marked(tx, form, &right, source, &mark).await
}

/// The same of a question that was checked, with its fingerprint.
pub(super) async fn insert_marked(
    tx: &mut Tx,
    form: &QuizProblemForm,
    right: &RightProblem,
    source: QuestionSource,
    mark: &[u8],
) -> Result<(i64, Change)> {
    let (by, keys) = (tx.by(), right.keys());
    let (own, columns) = (&right.whole.own, columns(right));
    let id = sqlx::query_scalar!(
        "insert into platform.online_problem (category_id, type, stem, stem_plain, options, answer, analysis, difficulty, default_score,
             media_key, play_limit, upload, allow_attachment, sub_questions, file_keys, source, fingerprint, enabled, created_by,
             updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $19) returning id",
        form.category_id,
        own.kind.as_str(),
        own.stem.as_str(),
        own.stem.plain(),
        columns.options,
        columns.answer,
        own.analysis.as_ref().map(QuestionText::as_str),
        right.difficulty.grade(),
        own.score,
        right.audio,
        right.play_limit,
        columns.upload,
        own.allow_attachment,
        columns.subs,
        &keys,
        source.as_str(),
        mark,
        form.enabled,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(explain)?;
    adopt(tx, id, right).await?;
    Ok((id, Change::created("online_problem", id, &told(form))))
}

async fn adopt(tx: &mut Tx, problem: i64, right: &RightProblem) -> Result<()> {
    for key in right.whole.keys() {
        media::adopt(tx, problem, &key, "stem").await?;
    }
    if let Some(audio) = &right.audio {
        media::adopt(tx, problem, audio, "mediaKey").await?;
    }
    Ok(())
}

/// A question that nobody else changes until the transaction ends.
async fn lock(tx: &mut Tx, id: i64) -> Result<Stored> {
    tx.lock("online_problem", id).await?;
    stored(tx, &[id]).await?.pop().ok_or_else(Error::not_found)
}

/// Holds these questions, in the order of their numbers: of two exams that need the same ones one waits.
///
/// # Errors
/// Those of the database.
pub async fn hold(tx: &mut Tx, ids: &[i64]) -> Result<()> {
    sqlx::query_scalar!("select id from platform.online_problem where id = any($1) order by id for no key update", ids)
        .fetch_all(&mut **tx)
        .await?;
    Ok(())
}

/// Attempts that have begun keep what they copied.
///
/// # Errors
/// As [`insert`]; 422 at `type` once a published exam had the question, and for one that learners cannot answer while an exam has it; 409
/// when somebody else edited meanwhile.
pub(super) async fn update(tx: &mut Tx, edit: Edit<QuizProblemForm>) -> Result<Change> {
    let Edit { id, version, form } = edit;
    let before = lock(tx, id).await?;
    if before.version != version {
        return Err(tx.stale("online_problem", id).await);
    }
    if before.frozen && form.kind != before.kind {
        return Err(Error::field("type", "试题已用于试卷，题型不能修改，请新增试题"));
    }
    let right = form.checked()?;
    category_is_there(tx, form.category_id, Some(before.category_id)).await?;
    if right.takes_files() && is_used(tx, id).await? {
        return Err(Error::field("type", "试题已用于试卷，不能含有须上传附件的题目"));
    }
    let mark = mark_of(tx, &right).await?;
    let (frozen, kept) = (before.frozen, before.file_keys.clone());
    let old = before.form()?;
    // What was stored under older checks counts as another question.
    let known = old.checked().ok();
    let revised = known.as_ref().is_none_or(|known| !known.asks_the_same(&right));
    let mut new = told(&form);
    if known.as_ref().is_none_or(|known| known.keys_and_reasons() != right.keys_and_reasons()) {
        new["key"] = json!(CHANGED);
    }
    let (by, keys) = (tx.by(), right.keys());
    let (own, columns) = (&right.whole.own, columns(&right));
    sqlx::query!(
        "update platform.online_problem set category_id = $2, type = $3, stem = $4, stem_plain = $5, options = $6, answer = $7,
                analysis = $8, difficulty = $9, default_score = $10, media_key = $11, play_limit = $12, upload = $13,
                allow_attachment = $14, sub_questions = $15, file_keys = $16, fingerprint = $17, enabled = $18,
                revision = revision + case when $19 then 1 else 0 end, updated_at = now(), updated_by = $20, version = version + 1
         where id = $1",
        id,
        form.category_id,
        own.kind.as_str(),
        own.stem.as_str(),
        own.stem.plain(),
        columns.options,
        columns.answer,
        own.analysis.as_ref().map(QuestionText::as_str),
        right.difficulty.grade(),
        own.score,
        right.audio,
        right.play_limit,
        columns.upload,
        own.allow_attachment,
        columns.subs,
        &keys,
        mark,
        form.enabled,
        revised,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(explain)?;
    adopt(tx, id, &right).await?;
    if !frozen {
        let left: Vec<String> = kept.into_iter().filter(|key| !keys.contains(key)).collect();
        media::let_go(tx, id, &left).await?;
    }
    Ok(Change::edited("online_problem", id, &told(&old), &new))
}

/// Whether an exam has it. The caller holds the question, and so would whoever puts it into one.
async fn is_used(tx: &mut Tx, id: i64) -> Result<bool> {
    let used = sqlx::query_scalar!(
        r#"select exists (select from platform.online_exam_problem where problem_id = $1) as "used!""#,
        id
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(used)
}

/// # Errors
/// 409 for a question that stands in an exam, or that an attempt may show.
pub(super) async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = lock(tx, id).await?;
    if let Some(found) = tx.referring("online_problem", id).await? {
        return Err(found.refuse(format!("已被{found}引用，请改为停用")));
    }
    if before.frozen {
        return Err(Error::conflict("试题已用于考试，不能删除，请改为停用"));
    }
    media::let_go(tx, id, &before.file_keys).await?;
    let name: String = before.stem.plain().chars().take(30).collect();
    tx.remove("online_problem", id, &name).await?;
    Ok(Change::deleted("online_problem", id, &told(&before.form()?)))
}
