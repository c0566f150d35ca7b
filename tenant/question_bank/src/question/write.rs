//! How a question is written: the whole tree in one transaction, under the parent's version (part 03 A7).

use std::collections::{BTreeMap, HashMap};

use infra::{Change, Edit, Error, OnConstraint, Result, Tx};
use poem_openapi::types::ToJSON;
use question_bank_rules::{
    check::{Complete, Part},
    fingerprint::fingerprint,
    form::QuestionForm,
    steps::{edited_status, first_status},
};
use serde_json::{Value, json};

use super::{
    QUESTION_REVIEW, media,
    select::{QuestionView, find},
};
use crate::{
    bank::{self, BankHead},
    enums::{QuestionDifficulty, QuestionSource, QuestionStatus, QuestionType},
    marking::QuestionAnswer,
    score::{points, tenths},
    text::QuestionText,
};

/// How often an audio is played unless a teacher says otherwise.
pub(super) const PLAYS: i32 = 2;

/// A question that is right, with where it goes.
#[derive(Debug)]
pub(super) struct NewQuestion {
    pub bank: BankHead,
    pub whole: Complete,
    pub chapter_id: Option<i64>,
    pub knowledge: Vec<i64>,
    pub difficulty: QuestionDifficulty,
    pub audio: Option<String>,
    pub play_limit: Option<i32>,
    pub source: QuestionSource,
    pub status: QuestionStatus,
}

impl NewQuestion {
    /// Checks the form and what it refers to.
    ///
    /// # Errors
    /// 422 at the fields that are wrong.
    pub(super) async fn of(tx: &mut Tx, bank: BankHead, form: QuestionForm, status: QuestionStatus) -> Result<Self> {
        let whole = Complete::of(&form)?;
        let mut knowledge = form.knowledge_point_ids;
        knowledge.sort_unstable();
        knowledge.dedup();
        check_places(tx, bank.course_id, form.chapter_id, &knowledge).await?;
        let listening = form.kind == QuestionType::Listening;
        Ok(Self {
            bank,
            whole,
            chapter_id: form.chapter_id,
            knowledge,
            difficulty: form.difficulty.unwrap_or(QuestionDifficulty::Medium),
            audio: form.media_key.filter(|_| listening),
            play_limit: listening.then(|| form.play_limit.unwrap_or(PLAYS)),
            source: if form.copied_from.is_some() { QuestionSource::Copy } else { QuestionSource::Manual },
            status,
        })
    }

    pub(super) async fn fingerprint(&self, tx: &mut Tx) -> Result<Vec<u8>> {
        let mut keys = self.whole.own.keys();
        keys.extend(self.audio.clone());
        let digests = if keys.is_empty() { HashMap::new() } else { media::digests(tx, &keys).await? };
        Ok(fingerprint(&self.whole.own, self.audio.as_deref(), &digests))
    }
}

/// # Errors
/// 422 at `chapterId` or `knowledgePointIds` for what is not of the course.
pub(super) async fn check_places(tx: &mut Tx, course: i64, chapter: Option<i64>, knowledge: &[i64]) -> Result<()> {
    if let Some(chapter) = chapter {
        let known =
            sqlx::query_scalar!("select id from course_chapter where id = $1 and course_id = $2", chapter, course)
                .fetch_optional(&mut **tx)
                .await?;
        known.ok_or_else(|| Error::field("chapterId", "所选章节不属于本课程，请重新选择"))?;
    }
    let known = sqlx::query_scalar!(
        r#"select count(*) as "count!" from knowledge_point where id = any($1) and course_id = $2"#,
        knowledge,
        course
    )
    .fetch_one(&mut **tx)
    .await?;
    if usize::try_from(known).ok() != Some(knowledge.len()) {
        return Err(Error::field("knowledgePointIds", "部分知识点不属于本课程，请重新选择"));
    }
    Ok(())
}

/// # Errors
/// 422 at `stem` when the bank has the same question.
pub(super) async fn refuse_twin(tx: &mut Tx, bank: i64, fingerprint: &[u8], own: Option<i64>) -> Result<()> {
    let twin = sqlx::query_scalar!(
        "select id from question where bank_id = $1 and fingerprint = $2 and parent_id is null and ($3::bigint is null or id <> $3)",
        bank,
        fingerprint,
        own
    )
    .fetch_optional(&mut **tx)
    .await?;
    match twin {
        Some(id) => Err(Error::field("stem", format!("与题库第{id}题重复"))),
        None => Ok(()),
    }
}

fn explain(constraint: &str) -> Option<Error> {
    match constraint {
        "question_fingerprint_taken" => Some(Error::field("stem", "题库中已有相同的试题")),
        "question_of_chapter" => Some(Error::field("chapterId", "所选章节不属于本课程，请重新选择")),
        "question_knowledge_of_point" => Some(Error::field("knowledgePointIds", "部分知识点不属于本课程，请重新选择")),
        _ => None,
    }
}

fn json_of(part: &Part) -> (Value, Option<Value>, Option<Value>) {
    let options = part.options.to_json().unwrap_or_else(|| json!([]));
    let answer = part.answer.as_ref().and_then(ToJSON::to_json);
    (options, answer, part.upload.as_ref().and_then(ToJSON::to_json))
}

/// Writes a new question with all that belongs to it.
///
/// # Errors
/// 422 when the bank has it already, or a file was not uploaded.
pub(super) async fn insert(tx: &mut Tx, new: &NewQuestion) -> Result<(i64, Change)> {
    let mark = new.fingerprint(tx).await?;
    refuse_twin(tx, new.bank.id, &mark, None).await?;
    insert_marked(tx, new, &mark).await
}

/// The same of a question whose fingerprint was looked up already.
pub(super) async fn insert_marked(tx: &mut Tx, new: &NewQuestion, mark: &[u8]) -> Result<(i64, Change)> {
    let id = insert_row(tx, new, &new.whole.own, mark, None).await?;
    for (place, (_, part)) in (1..).zip(&new.whole.subs) {
        let mark = fingerprint(part, None, &HashMap::new());
        insert_row(tx, new, part, &mark, Some((id, place))).await?;
    }
    add_knowledge(tx, id, &new.knowledge).await?;
    let keys = new.whole.keys();
    if new.audio.is_some() || !keys.is_empty() {
        media::set(tx, id, &keys, new.audio.as_deref()).await?;
    }
    Ok((id, Change::created("question", id, &told_new(new))))
}

async fn insert_row(
    tx: &mut Tx,
    new: &NewQuestion,
    part: &Part,
    mark: &[u8],
    below: Option<(i64, i32)>,
) -> Result<i64> {
    let (by, maker) = (tx.by(), tx.actor().name.clone());
    let (options, answer, upload) = json_of(part);
    sqlx::query_scalar!(
        "insert into question (bank_id, course_id, parent_id, sub_no, type, stem, stem_plain, has_image, options, answer, analysis,
             chapter_id, difficulty, default_score, play_limit, upload, allow_attachment, status, fingerprint, source,
             created_by_name, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14::float8::numeric, $15, $16, $17, $18, $19, $20, $21,
             $22, $22)
         returning id",
        new.bank.id,
        new.bank.course_id,
        below.map(|(parent, _)| parent),
        below.map(|(_, place)| place),
        part.kind.as_str(),
        part.stem.as_str(),
        part.stem.plain(),
        if below.is_none() { !new.whole.keys().is_empty() } else { !part.keys().is_empty() },
        options,
        answer,
        part.analysis.as_ref().map(QuestionText::as_str),
        // Of a sub-question its parent's counts, so that a chapter is not told to have more questions than people see.
        new.chapter_id.filter(|_| below.is_none()),
        new.difficulty.grade(),
        points(part.score),
        new.play_limit.filter(|_| below.is_none()),
        upload,
        part.allow_attachment,
        new.status.as_str(),
        mark,
        new.source.as_str(),
        maker,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(explain)
}

async fn set_knowledge(tx: &mut Tx, question: i64, points: &[i64]) -> Result<()> {
    sqlx::query!(
        "delete from question_knowledge where question_id = $1 and knowledge_point_id <> all($2)",
        question,
        points
    )
    .execute(&mut **tx)
    .await?;
    add_knowledge(tx, question, points).await
}

async fn add_knowledge(tx: &mut Tx, question: i64, points: &[i64]) -> Result<()> {
    if points.is_empty() {
        return Ok(());
    }
    sqlx::query!(
        "insert into question_knowledge (question_id, knowledge_point_id) select $1, p.id from unnest($2::bigint[]) as p (id)
         on conflict (question_id, knowledge_point_id) do nothing",
        question,
        points
    )
    .execute(&mut **tx)
    .await
    .on_constraint(explain)?;
    Ok(())
}

/// Holds a question for an account that may see its bank.
///
/// # Errors
/// 404 as [`find`].
pub(super) async fn lock(tx: &mut Tx, id: i64) -> Result<QuestionView> {
    let by = tx.by();
    tx.lock("question", id).await?;
    find(tx, id, Some(by)).await
}

/// The parts as they are stored, each by its number.
fn stored_parts(before: &QuestionView) -> BTreeMap<i64, Part> {
    let own = Part {
        kind: before.question.kind,
        stem: before.stem.clone(),
        options: before.options.clone(),
        answer: before.question.answer.clone(),
        analysis: before.analysis.clone(),
        score: tenths(before.question.default_score),
        upload: before.upload.clone(),
        allow_attachment: before.allow_attachment,
    };
    let subs = before.sub_questions.iter().map(|sub| {
        let part = Part {
            kind: sub.kind,
            stem: sub.stem.clone(),
            options: sub.options.clone(),
            answer: sub.answer.clone(),
            analysis: sub.analysis.clone(),
            score: tenths(sub.default_score),
            upload: sub.upload.clone(),
            allow_attachment: sub.allow_attachment,
        };
        (sub.id, part)
    });
    subs.chain([(before.question.id, own)]).collect()
}

/// What a key goes with, and what of it somebody typed who may not see it.
struct Unseen<'u> {
    kind: QuestionType,
    options: usize,
    answer: Option<&'u QuestionAnswer>,
    analysis: Option<&'u QuestionText>,
}

impl Unseen<'_> {
    /// # Errors
    /// 422 for a key, which would replace one that is not shown, and for another type or number of options: whether the key goes
    /// with those would tell it.
    fn refuse(&self, prefix: &str, stored: (QuestionType, usize)) -> Result<()> {
        let at = |field: &str, why: &str| Err(Error::field(&format!("{prefix}{field}"), why));
        if self.answer.is_some_and(|answer| !answer.is_blank()) {
            return at("answer", "您无权查看该题的答案，答案保持不变，请勿填写");
        }
        if self.analysis.is_some_and(|text| !text.is_blank()) {
            return at("analysis", "您无权查看该题的解析，解析保持不变，请勿填写");
        }
        if self.kind != stored.0 {
            return at("type", "您无权查看该题的答案，不能修改题型");
        }
        if self.kind.has_options() && self.options != stored.1 {
            return at("options", "您无权查看该题的答案，不能增减选项");
        }
        Ok(())
    }
}

/// Puts the stored keys into the form of somebody who may not see them; of a new sub-question the key is typed.
///
/// # Errors
/// 422 as [`Unseen::refuse`].
fn keep_keys(form: &mut QuestionForm, before: &QuestionView) -> Result<()> {
    let own = Unseen {
        kind: form.kind,
        options: form.options.len(),
        answer: form.answer.as_ref(),
        analysis: form.analysis.as_ref(),
    };
    own.refuse("", (before.question.kind, before.options.len()))?;
    form.answer.clone_from(&before.question.answer);
    form.analysis.clone_from(&before.analysis);
    for (place, sub) in form.sub_questions.iter_mut().enumerate() {
        let Some(known) = before.sub_questions.iter().find(|known| sub.id == Some(known.id)) else { continue };
        let typed = Unseen {
            kind: sub.kind,
            options: sub.options.len(),
            answer: sub.answer.as_ref(),
            analysis: sub.analysis.as_ref(),
        };
        typed.refuse(&format!("subQuestions[{place}]."), (known.kind, known.options.len()))?;
        sub.answer.clone_from(&known.answer);
        sub.analysis.clone_from(&known.analysis);
    }
    Ok(())
}

/// Writes a question again. Whoever may not see its answers leaves them as they are.
///
/// # Errors
/// 422 at `bankId` for another bank, at `type` once a snapshot has it, and as [`keep_keys`]; 409 when somebody else edited
/// meanwhile.
pub(super) async fn update(tx: &mut Tx, edit: Edit<QuestionForm>, may_see: bool) -> Result<Change> {
    let Edit { id, version, mut form } = edit;
    let before = lock(tx, id).await?;
    if before.question.version != version {
        return Err(tx.stale("question", id).await);
    }
    if form.bank_id != before.question.bank_id {
        return Err(Error::field("bankId", "不能改到其他题库，请使用移动到题库"));
    }
    if before.type_fixed && form.kind != before.question.kind {
        return Err(Error::field("type", "试题已用于试卷快照，题型不能修改，请新增试题"));
    }
    let bank = BankHead {
        id: before.question.bank_id,
        name: before.question.bank_name.clone(),
        course_id: before.question.course_id,
        usage: before.question.bank_usage,
    };
    let review = QUESTION_REVIEW.is_on(tx).await?;
    let status = edited_status(before.question.status, form.draft == Some(true), review);
    let stray = form
        .sub_questions
        .iter()
        .position(|sub| sub.id.is_some_and(|id| !before.sub_questions.iter().any(|known| known.id == id)));
    if let Some(place) = stray {
        return Err(Error::field(&format!("subQuestions[{place}].id"), "小题不存在或已被删除，请刷新后重试"));
    }
    let mut ids: Vec<i64> = form.sub_questions.iter().filter_map(|sub| sub.id).collect();
    let typed = ids.len();
    ids.sort_unstable();
    ids.dedup();
    if ids.len() < typed {
        return Err(Error::field("subQuestions", "同一小题不能填写两次，请刷新后重试"));
    }
    let turned = form.sub_questions.iter().position(|sub| {
        before.type_fixed && before.sub_questions.iter().any(|known| sub.id == Some(known.id) && sub.kind != known.kind)
    });
    if let Some(place) = turned {
        return Err(Error::field(
            &format!("subQuestions[{place}].type"),
            "试题已用于试卷快照，题型不能修改，请新增小题",
        ));
    }
    if before.question.secret && !may_see {
        keep_keys(&mut form, &before)?;
    }
    let new = NewQuestion { source: before.question.source, ..NewQuestion::of(tx, bank, form, status).await? };
    let mark = new.fingerprint(tx).await?;
    refuse_twin(tx, new.bank.id, &mark, Some(id)).await?;
    let known = stored_parts(&before);
    write_subs(tx, id, &new, &known).await?;
    let whole_before = Complete {
        own: known.get(&id).cloned().ok_or_else(Error::not_found)?,
        subs: before.sub_questions.iter().filter_map(|sub| Some((Some(sub.id), known.get(&sub.id)?.clone()))).collect(),
    };
    let same = whole_before.own.asks_the_same(&new.whole.own)
        && whole_before.subs.len() == new.whole.subs.len()
        && whole_before
            .subs
            .iter()
            .zip(&new.whole.subs)
            .all(|((known, one), (typed, other))| known == typed && one.asks_the_same(other));
    write_own(tx, id, &new, &mark, !same).await?;
    set_knowledge(tx, id, &new.knowledge).await?;
    media::set(tx, id, &new.whole.keys(), new.audio.as_deref()).await?;
    let by = tx.by();
    let after = find(tx, id, Some(by)).await?;
    Ok(Change::edited("question", id, &told(&before), &told_changed(&before, &after)))
}

async fn write_own(tx: &mut Tx, id: i64, new: &NewQuestion, mark: &[u8], revised: bool) -> Result<()> {
    let by = tx.by();
    let part = &new.whole.own;
    let (options, answer, upload) = json_of(part);
    sqlx::query!(
        "update question set type = $2, stem = $3, stem_plain = $4, has_image = $5, options = $6, answer = $7, analysis = $8,
                chapter_id = $9, difficulty = $10, default_score = $11::float8::numeric, play_limit = $12, upload = $13,
                allow_attachment = $14, status = $15, fingerprint = $16,
                revision = revision + case when $17 then 1 else 0 end,
                reject_reason = case when $15 = 'rejected' then reject_reason end,
                updated_at = now(), updated_by = $18, version = version + 1
         where id = $1",
        id,
        part.kind.as_str(),
        part.stem.as_str(),
        part.stem.plain(),
        !new.whole.keys().is_empty(),
        options,
        answer,
        part.analysis.as_ref().map(QuestionText::as_str),
        new.chapter_id,
        new.difficulty.grade(),
        points(part.score),
        new.play_limit,
        upload,
        part.allow_attachment,
        new.status.as_str(),
        mark,
        revised,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(explain)?;
    Ok(())
}

/// Sub-questions that stay keep their number; the others go or come.
async fn write_subs(tx: &mut Tx, parent: i64, new: &NewQuestion, known: &BTreeMap<i64, Part>) -> Result<()> {
    let by = tx.by();
    let kept: Vec<i64> = new.whole.subs.iter().filter_map(|(id, _)| *id).collect();
    sqlx::query!("delete from question where parent_id = $1 and id <> all($2)", parent, &kept)
        .execute(&mut **tx)
        .await?;
    // Places are given anew; two may not have the same on the way.
    sqlx::query!("update question set sub_no = -sub_no where parent_id = $1", parent).execute(&mut **tx).await?;
    for (place, (id, part)) in (1_i32..).zip(&new.whole.subs) {
        let mark = fingerprint(part, None, &HashMap::new());
        let Some(id) = *id else {
            insert_row(tx, new, part, &mark, Some((parent, place))).await?;
            continue;
        };
        let revised = !known.get(&id).is_some_and(|before| before.asks_the_same(part));
        let (options, answer, upload) = json_of(part);
        sqlx::query!(
            "update question set sub_no = $2, type = $3, stem = $4, stem_plain = $5, has_image = $6, options = $7, answer = $8,
                    analysis = $9, difficulty = $10, default_score = $11::float8::numeric, upload = $12,
                    allow_attachment = $13, status = $14, fingerprint = $15,
                    revision = revision + case when $16 then 1 else 0 end,
                    updated_at = now(), updated_by = $17, version = version + 1
             where id = $1",
            id,
            place,
            part.kind.as_str(),
            part.stem.as_str(),
            part.stem.plain(),
            !part.keys().is_empty(),
            options,
            answer,
            part.analysis.as_ref().map(QuestionText::as_str),
            new.difficulty.grade(),
            points(part.score),
            upload,
            part.allow_attachment,
            new.status.as_str(),
            mark.as_slice(),
            revised,
            by
        )
        .execute(&mut **tx)
        .await
        .on_constraint(explain)?;
    }
    Ok(())
}

/// Sets the status of a question and of what stands in it; answers the record of it.
pub(super) async fn set_status(
    tx: &mut Tx,
    before: &QuestionView,
    to: QuestionStatus,
    reason: Option<&str>,
) -> Result<Change> {
    let (by, id) = (tx.by(), before.question.id);
    sqlx::query!(
        "update question set status = $2, reject_reason = $3, updated_at = now(), updated_by = $4, version = version + 1
         where id = $1 or parent_id = $1",
        id,
        to.as_str(),
        reason,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(Change::status("question", id, "status", before.question.status.as_str(), to.as_str()).because(reason))
}

/// Deletes a question that nothing holds, with what stands in it.
///
/// # Errors
/// 409 when a paper or a snapshot has it.
pub(super) async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = lock(tx, id).await?;
    let used = if before.usage.is_empty() {
        before.snapshot_count
    } else {
        i64::try_from(before.usage.len()).unwrap_or(i64::MAX)
    };
    if used > 0 {
        return Err(Error::conflict(format!("已被{used}份试卷引用，请改为停用")));
    }
    let files = media::of_question(tx, id).await?;
    sqlx::query!("delete from question_knowledge where question_id = $1", id).execute(&mut **tx).await?;
    sqlx::query!("delete from question_media where question_id = $1", id).execute(&mut **tx).await?;
    sqlx::query!("delete from question where parent_id = $1", id).execute(&mut **tx).await?;
    tx.remove("question", id, &before.question.stem_text.chars().take(20).collect::<String>()).await?;
    media::let_go(tx, id, &files).await?;
    Ok(Change::deleted("question", id, &told(&before)))
}

/// A question as the trail keeps it. Nothing is kept of a key: whoever looks at the trail may not see the answers of an
/// examination, what is for homework today may be in an examination tomorrow, and a digest of one of a few answers would tell it.
pub(super) fn told(view: &QuestionView) -> Value {
    let subs: Vec<Value> = view
        .sub_questions
        .iter()
        .map(|sub| {
            json!({
                "type": sub.kind.as_str(), "stem": sub.stem.plain(), "options": sub.options.to_json(),
                "score": sub.default_score, "key": KEY,
            })
        })
        .collect();
    json!({
        "bankId": view.question.bank_id, "type": view.question.kind.as_str(), "stem": view.stem.as_str(),
        "options": view.options.to_json(), "key": KEY, "chapterId": view.question.chapter_id,
        "knowledgePointIds": view.question.knowledge_point_ids, "difficulty": view.question.difficulty.as_str(),
        "defaultScore": view.question.default_score, "mediaKey": view.media_key, "playLimit": view.play_limit,
        "upload": view.upload.to_json(), "allowAttachment": view.allow_attachment,
        "status": view.question.status.as_str(), "revision": view.question.revision, "subQuestions": subs,
    })
}

/// The same of a question that was edited: of a key it says whether it is another one.
fn told_changed(before: &QuestionView, after: &QuestionView) -> Value {
    let mut told = told(after);
    if before.question.answer != after.question.answer || before.analysis != after.analysis {
        told["key"] = json!(CHANGED);
    }
    for (place, sub) in after.sub_questions.iter().enumerate() {
        let known = before.sub_questions.iter().find(|known| known.id == sub.id);
        let same = known.is_some_and(|known| known.answer == sub.answer && known.analysis == sub.analysis);
        if !same {
            told["subQuestions"][place]["key"] = json!(CHANGED);
        }
    }
    told
}

fn told_new(new: &NewQuestion) -> Value {
    let part = &new.whole.own;
    json!({
        "bankId": new.bank.id, "type": part.kind.as_str(), "stem": part.stem.as_str(), "options": part.options.to_json(),
        "defaultScore": points(part.score), "chapterId": new.chapter_id, "knowledgePointIds": new.knowledge,
        "difficulty": new.difficulty.as_str(), "status": new.status.as_str(), "source": new.source.as_str(),
        "subQuestions": new.whole.subs.len(),
    })
}

/// Stands for a key, and for one that was changed.
const KEY: &str = "答案和解析（不记录）";
const CHANGED: &str = "答案和解析（已修改，不记录）";

/// Whether the bank of a form may take a new question, and in which state the question begins.
///
/// # Errors
/// 422 at `bankId`, at `copiedFrom`.
pub(super) async fn admitted(tx: &mut Tx, form: &QuestionForm) -> Result<(BankHead, QuestionStatus)> {
    let bank = bank::chosen(tx, form.bank_id).await?;
    if let Some(id) = form.copied_from {
        let by = tx.by();
        find(tx, id, Some(by)).await.map_err(|error| match error.code {
            404 => Error::field("copiedFrom", "复制的试题不存在或已被删除"),
            _ => error,
        })?;
    }
    let review = QUESTION_REVIEW.is_on(tx).await?;
    Ok((bank, first_status(form.draft == Some(true), review)))
}
