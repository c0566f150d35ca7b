//! 快照: a paper as it was when something used it, written once (part 03 A8; shared with examinations, 04).
//!
//! The content is the composition with stems, keys and scores. Equal content of the same version of a paper is frozen once.
//! A key that is found wrong later is corrected beside the snapshot; the last correction counts.

use std::collections::HashMap;

use infra::{
    Allowed, Body, Change, Entity, Error, Paged, Part, Reply, Result, Scope, Tx,
    access::Caller,
    across::{self, Key, KeyQuery, Keyed, SchoolPage},
    clock::Moment,
    migrate::hex,
    naming::sought_word,
    permissions, reply,
};
pub use paper_rules::snapshot::EffectiveKey;
use paper_rules::snapshot::{canonical, correct, kept, marked};
use poem_openapi::{Object, OpenApi, param::Query, types::ToJSON};
use question_bank::{
    enums::{MultipleRule, PaperKind, QuestionDifficulty, QuestionStatus, QuestionType},
    marking::QuestionAnswer,
    question::{QuestionMedia, QuestionUpload, media::shown, secret_among, sees_answers, stored},
    score::points,
    text::QuestionText,
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use sqlx::{PgConnection, types::Json};

use crate::{
    content::{DetailQuestion, DetailSection, figures, hide, hide_secret, keys_of, of_paper},
    enums::{PaperStatus, PaperVariant},
    paper::{
        Held,
        detail::{is_secret, keep_back},
        form::strange,
    },
};

permissions! {
    pages "/schoolPC/basicData/testPaperManagement", "/platformPC/basicData/testPaperManagement";
    EachSchool Reads ListPaperSnapshots = "exam:pc:exam:info:view" "查看试卷";
    EachSchool Reads ViewPaperSnapshot  = "exam:pc:exam:info:view" "查看试卷";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[
        Entity { table: "paper_snapshot", name: "试卷快照", counted: "份试卷快照" },
        Entity { table: "snapshot_question", name: "快照试题", counted: "道快照试题" },
        Entity { table: "snapshot_correction", name: "答案更正", counted: "条答案更正" },
    ],
    written_once: &["paper_snapshot", "snapshot_question", "snapshot_correction"],
    ..Part::NONE
};

/// A snapshot of a list.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PaperSnapshot {
    /// 编号
    pub id: i64,
    /// 试卷
    pub paper_id: Option<i64>,
    /// 试卷编号
    pub paper_code: String,
    /// 试卷名称
    pub paper_name: String,
    /// 课程
    pub course_id: i64,
    /// 课程名称
    pub course_name: String,
    /// 用途
    pub kind: PaperKind,
    /// 卷别
    pub variant: PaperVariant,
    /// 试卷版本号
    pub paper_version: Option<i32>,
    /// 总分
    pub total_score: f64,
    /// 题数
    pub question_count: i32,
    /// 内容摘要
    pub sha256: String,
    /// 创建时间
    pub created_at: Moment,
}

/// A key that was corrected.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SnapshotCorrection {
    /// 题号
    pub seq: String,
    /// 原答案
    pub old_answer: Option<QuestionAnswer>,
    /// 新答案
    pub new_answer: Option<QuestionAnswer>,
    /// 新计分方式
    pub new_scheme: Option<MultipleRule>,
    /// 全部给分
    pub full_score: bool,
    /// 原因
    pub reason: String,
    /// 时间
    pub at: Moment,
}

/// A snapshot with what it holds.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PaperSnapshotView {
    #[oai(flatten)]
    pub snapshot: PaperSnapshot,
    /// 大题
    pub sections: Vec<DetailSection>,
    /// 图片和音频
    pub media: Vec<QuestionMedia>,
    /// 可查看答案
    pub answer_visible: bool,
    /// 更正记录
    pub corrections: Vec<SnapshotCorrection>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct PaperSnapshotFilter {
    /// 试卷
    pub paper_id: Option<i64>,
    /// 课程
    pub course_id: Option<i64>,
    /// 课程
    /// 编码或名称包含；查看全部院校时代替课程编号
    #[oai(validator(max_length = 50))]
    pub course_text: Option<String>,
    /// 用途
    pub kind: Option<PaperKind>,
    /// 编号或名称
    #[oai(validator(max_length = 100))]
    pub keyword: Option<String>,
}

pub struct Snapshots;

#[OpenApi(prefix_path = "/exam/pc/exam/info/snapshot", tag = "crate::Tag::Papers")]
impl Snapshots {
    /// 试卷快照列表
    #[oai(path = "/list", method = "post", operation_id = "listPaperSnapshots")]
    async fn list(
        &self,
        caller: Allowed<ListPaperSnapshots>,
        Body(asked): Body<Paged<PaperSnapshotFilter>>,
    ) -> Result<Reply<SchoolPage<PaperSnapshot>>> {
        across::list::<Self, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 查看试卷快照
    #[oai(path = "/view", method = "get", operation_id = "viewPaperSnapshot")]
    async fn view(
        &self,
        caller: Allowed<ViewPaperSnapshot>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<PaperSnapshotView>> {
        let mut tx = caller.read().await?;
        let answers = sees_answers(&caller);
        Ok(reply(viewed(&caller, &mut tx, id.0, answers).await?))
    }
}

impl Keyed for Snapshots {
    type Filter = PaperSnapshotFilter;
    type Row = PaperSnapshot;

    fn id(row: &PaperSnapshot) -> i64 {
        row.id
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &PaperSnapshotFilter,
        _scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        sqlx::query_as!(
            Key,
            r#"select s.id, s.created_at, count(*) over () as "total!"
               from paper_snapshot s
               where ($1::bigint is null or s.id = $1)
                 and ($2::timestamptz is null or s.created_at <= $2)
                 and ($3::text is null or strpos(s.name, $3) > 0 or starts_with(lower(s.code), lower($3)))
                 and ($4::bigint is null or s.paper_id = $4)
                 and ($5::bigint is null or s.course_id = $5)
                 and ($9::text is null or s.course_id = any(array(
                          select x.id from course x where strpos(lower(x.code), $9) > 0 or strpos(lower(x.name), $9) > 0)))
                 and ($6::text is null or s.kind = $6)
               order by s.created_at desc, case when $2::timestamptz is not null then s.id end, s.id desc
               limit $7 offset $8"#,
            wanted.id,
            wanted.newest_until,
            filter.keyword,
            filter.paper_id,
            filter.course_id,
            filter.kind.map(PaperKind::as_str),
            wanted.limit,
            wanted.offset,
            sought_word(filter.course_text.as_deref())
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], _scope: &Scope) -> sqlx::Result<Vec<PaperSnapshot>> {
        sqlx::query_as!(
            PaperSnapshot,
            r#"select s.id, s.paper_id, s.code as paper_code, s.name as paper_name, s.course_id, c.name as course_name,
                      s.kind as "kind: _", s.variant as "variant: _", s.paper_version,
                      s.total_score::float8 as "total_score!", s.question_count, s.sha256, s.created_at
               from paper_snapshot s join course c on c.id = s.course_id
               where s.id = any($1)"#,
            ids
        )
        .fetch_all(connection)
        .await
    }
}

/// What a snapshot holds.
///
/// # Errors
/// 404 when there is none.
pub async fn sections_of(connection: &mut PgConnection, id: i64) -> Result<Vec<DetailSection>> {
    let content =
        sqlx::query_scalar!(r#"select content as "content: Json<Value>" from paper_snapshot where id = $1"#, id)
            .fetch_optional(connection)
            .await?
            .ok_or_else(Error::not_found)?;
    stored(content.0["sections"].clone())
}

/// The same with the keys that count by now.
///
/// # Errors
/// 404 when there is none.
pub async fn corrected_sections_of(connection: &mut PgConnection, id: i64) -> Result<Vec<DetailSection>> {
    let mut sections = sections_of(connection, id).await?;
    correct(&mut sections, &effective_keys(connection, id).await?);
    Ok(sections)
}

/// The status that the paper of a snapshot came to: only what passed is frozen. None of what a rule dealt.
pub(crate) fn status_of(snapshot: &PaperSnapshot) -> Option<PaperStatus> {
    snapshot.paper_id.map(|_| PaperStatus::Approved)
}

async fn viewed(caller: &Caller, connection: &mut PgConnection, id: i64, answers: bool) -> Result<PaperSnapshotView> {
    let snapshot = Snapshots::find(connection, id, &Scope::whole_school()).await?;
    let mut sections = sections_of(connection, id).await?;
    let rows = sqlx::query!(
        r#"select q.seq, q.whole_id, c.old_answer as "old_answer: Json<Value>", c.new_answer as "new_answer: Json<Value>",
                  c.new_scheme as "new_scheme: MultipleRule", c.full_score, c.reason, c.created_at
           from snapshot_correction c join snapshot_question q on q.id = c.snapshot_question_id
           where q.snapshot_id = $1 order by c.id"#,
        id
    )
    .fetch_all(&mut *connection)
    .await?;
    let answer_visible = answers || !is_secret(snapshot.kind);
    let corrected: Vec<i64> = rows.iter().filter_map(|row| row.whole_id).collect();
    let secret = if answers { Vec::new() } else { secret_among(connection, &corrected).await? };
    let mut corrections = Vec::with_capacity(rows.len());
    for row in rows {
        let told = answer_visible && row.whole_id.is_none_or(|whole| !secret.contains(&whole));
        let key = |answer: Option<Json<Value>>| -> Result<Option<QuestionAnswer>> {
            answer.filter(|_| told).map(|answer| stored(answer.0)).transpose()
        };
        corrections.push(SnapshotCorrection {
            seq: row.seq,
            old_answer: key(row.old_answer)?,
            new_answer: key(row.new_answer)?,
            new_scheme: row.new_scheme,
            full_score: row.full_score,
            reason: row.reason,
            at: row.created_at,
        });
    }
    if !answer_visible {
        hide(&mut sections);
    } else if !answers {
        hide_secret(connection, &mut sections).await?;
    }
    keep_back(caller, connection, status_of(&snapshot), &mut sections).await?;
    let media = shown(caller.app(), connection, &keys_of(&sections)).await?;
    Ok(PaperSnapshotView { snapshot, sections, media, answer_visible, corrections })
}

/// Whose content is frozen.
#[derive(Debug, Clone)]
pub struct Head {
    pub paper_id: Option<i64>,
    pub paper_version: Option<i32>,
    pub rule_id: Option<i64>,
    pub course_id: i64,
    pub kind: PaperKind,
    pub code: String,
    pub name: String,
    pub variant: String,
    /// In tenths.
    pub total: i64,
}

/// A snapshot, and whether it was made now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frozen {
    pub id: i64,
    pub new: bool,
}

/// Freezes a paper that was approved, in the transaction of whatever uses it.
///
/// # Errors
/// 404 without such a paper; 409 when it is not approved, or when a question of it is not in use any more or its bank has another
/// use by now.
pub async fn freeze(tx: &mut Tx, paper: i64) -> Result<Frozen> {
    let paper = crate::paper::held(tx, paper).await?;
    frozen(tx, &paper).await
}

pub(crate) async fn frozen(tx: &mut Tx, paper: &Held) -> Result<Frozen> {
    if paper.status != PaperStatus::Approved {
        return Err(Error::conflict(format!("试卷“{}”{}，不能使用", paper.name, paper.status.zh())));
    }
    let ids = sqlx::query_scalar!("select question_id from paper_question where paper_id = $1", paper.id)
        .fetch_all(&mut **tx)
        .await?;
    // Held while they are read: nobody edits a part of one meanwhile.
    question_bank::question::hold(tx, &ids).await?;
    let sections = of_paper(tx, paper.id).await?;
    let sum = figures(&sections);
    if sum.unusable > 0 {
        // Whoever approved the paper saw other questions.
        let told = format!("试卷“{}”有{}道试题已停用或待审核，不能使用", paper.name, sum.unusable);
        return Err(Error::conflict(told));
    }
    let strange = strange(tx, paper.id, paper.kind).await?;
    if strange > 0 {
        let told = format!("试卷“{}”有{strange}道试题所在题库不能用于{}，不能使用", paper.name, paper.kind.zh());
        return Err(Error::conflict(told));
    }
    let head = Head {
        paper_id: Some(paper.id),
        paper_version: Some(paper.version_no),
        rule_id: None,
        course_id: paper.course_id,
        kind: paper.kind,
        code: paper.code.clone(),
        name: paper.name.clone(),
        variant: paper.variant.clone(),
        total: sum.sum,
    };
    keep(tx, &head, sections).await
}

/// A task without a paper: what is to be done, and the files that are handed in.
#[derive(Debug, Clone)]
pub struct UploadTask {
    pub course_id: i64,
    pub title: String,
    pub instruction: QuestionText,
    pub upload: QuestionUpload,
    /// In tenths.
    pub total: i64,
}

/// Freezes a task without a paper: one question of no bank, which takes files (part 03 B6).
///
/// # Errors
/// Those of the database.
pub async fn freeze_task(tx: &mut Tx, task: &UploadTask) -> Result<Frozen> {
    let question = DetailQuestion {
        // Of no bank.
        question_id: 0,
        seq: "1".to_owned(),
        kind: QuestionType::FileUpload,
        stem: task.instruction.clone(),
        options: Vec::new(),
        answer: None,
        analysis: None,
        difficulty: QuestionDifficulty::Medium,
        chapter_id: None,
        chapter_title: None,
        knowledge_point_ids: Vec::new(),
        knowledge_point_names: Vec::new(),
        score: points(task.total),
        blank_scores: None,
        sub_scores: None,
        status: QuestionStatus::Enabled,
        used_count: 0,
        revision: 1,
        media_key: None,
        play_limit: None,
        upload: Some(task.upload.clone()),
        allow_attachment: true,
        sub_questions: Vec::new(),
    };
    let section = DetailSection {
        id: None,
        title: task.title.clone(),
        instruction: None,
        kind: Some(QuestionType::FileUpload),
        default_score: None,
        multiple_rule: MultipleRule::AllOrNothing,
        questions: vec![question],
    };
    let head = Head {
        paper_id: None,
        paper_version: None,
        rule_id: None,
        course_id: task.course_id,
        kind: PaperKind::Homework,
        code: String::new(),
        name: task.title.clone(),
        variant: "A".to_owned(),
        total: task.total,
    };
    keep(tx, &head, vec![section]).await
}

/// What is right instead of a key that was found wrong.
#[derive(Debug, Clone, PartialEq)]
pub struct KeyCorrection {
    /// None: the key stays.
    pub answer: Option<QuestionAnswer>,
    pub scheme: Option<MultipleRule>,
    /// Whatever was answered earns the whole score.
    pub full_score: bool,
    pub reason: String,
}

/// Corrects the key of a question of a snapshot; the snapshot itself stays as it is (part 03 B7).
///
/// # Errors
/// 404 for no such question.
pub async fn correct_key(tx: &mut Tx, question: i64, correction: &KeyCorrection) -> Result<Change> {
    let snapshot = sqlx::query!("select snapshot_id, seq from snapshot_question where id = $1", question)
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(Error::not_found)?;
    let former = effective_keys(tx, snapshot.snapshot_id).await?.remove(&snapshot.seq);
    let by = tx.by();
    let json = |answer: &Option<QuestionAnswer>| answer.as_ref().and_then(ToJSON::to_json);
    // A correction that names no key keeps the one that counted before it.
    let old = former.as_ref().and_then(|key| json(&key.answer));
    let new = json(&correction.answer).or_else(|| old.clone());
    let scheme = correction.scheme.or(former.map(|key| key.scheme));
    let id = sqlx::query_scalar!(
        "insert into snapshot_correction (snapshot_question_id, old_answer, new_answer, new_scheme, full_score, reason, created_by)
         values ($1, $2, $3, $4, $5, $6, $7) returning id",
        question,
        old,
        new,
        scheme.map(MultipleRule::as_str),
        correction.full_score,
        correction.reason,
        by
    )
    .fetch_one(&mut **tx)
    .await?;
    let what = json!({ "snapshotQuestionId": question, "seq": snapshot.seq, "fullScore": correction.full_score });
    Ok(Change::event("snapshot_correction", id, "insert", what).because(Some(&correction.reason)))
}

/// Keeps content as a snapshot, or finds the one that has it already.
///
/// # Errors
/// Those of the database.
pub(crate) async fn keep(tx: &mut Tx, head: &Head, sections: Vec<DetailSection>) -> Result<Frozen> {
    let sections = kept(sections);
    let content = json!({ "sections": sections.to_json() });
    // The keys of objects come out sorted, so that equal content has equal text.
    let same = json!({ "sections": canonical(sections.clone()).to_json() });
    let sha256 = hex(&Sha256::digest(same.to_string().as_bytes()));
    let known = sqlx::query_scalar!(
        "select id from paper_snapshot
         where paper_id is not distinct from $1 and paper_version is not distinct from $2
           and rule_id is not distinct from $3 and sha256 = $4",
        head.paper_id,
        head.paper_version,
        head.rule_id,
        sha256
    )
    .fetch_optional(&mut **tx)
    .await?;
    if let Some(id) = known {
        return Ok(Frozen { id, new: false });
    }
    let by = tx.by();
    let count = sections.iter().map(|section| section.questions.len()).sum::<usize>();
    let made = sqlx::query_scalar!(
        "insert into paper_snapshot (paper_id, paper_version, rule_id, course_id, kind, code, name, variant, content, sha256,
             total_score, question_count, created_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::float8::numeric, $12, $13)
         on conflict do nothing returning id",
        head.paper_id,
        head.paper_version,
        head.rule_id,
        head.course_id,
        head.kind.as_str(),
        head.code,
        head.name,
        head.variant,
        content,
        sha256,
        points(head.total),
        i32::try_from(count).map_err(Error::internal)?,
        by
    )
    .fetch_optional(&mut **tx)
    .await?;
    let Some(id) = made else {
        // Somebody else froze the same a moment ago.
        return Err(Error::conflict("试卷正在被使用，请稍后再试"));
    };
    let all = marked(&sections);
    let seqs: Vec<String> = all.iter().map(|one| one.seq.clone()).collect();
    let questions: Vec<i64> = all.iter().map(|one| one.question_id).collect();
    let wholes: Vec<i64> = all.iter().map(|one| one.whole_id).collect();
    let revisions: Vec<i32> = all.iter().map(|one| one.revision).collect();
    let kinds: Vec<String> = all.iter().map(|one| one.kind.to_owned()).collect();
    let scores: Vec<f64> = all.iter().map(|one| points(one.score)).collect();
    let schemes: Vec<String> = all.iter().map(|one| one.scheme.as_str().to_owned()).collect();
    let answers: Vec<Value> = all.into_iter().map(|one| one.answer.unwrap_or(Value::Null)).collect();
    sqlx::query!(
        "insert into snapshot_question (snapshot_id, seq, question_id, whole_id, revision, type, score, scheme, answer)
         select $1, m.seq, nullif(m.question, 0), nullif(m.whole, 0), m.revision, m.type, m.score::numeric, m.scheme,
                nullif(m.answer, 'null'::jsonb)
         from unnest($2::text[], $3::bigint[], $4::bigint[], $5::integer[], $6::text[], $7::float8[], $8::text[], $9::jsonb[])
              as m (seq, question, whole, revision, type, score, scheme, answer)",
        id,
        &seqs,
        &questions,
        &wholes,
        &revisions,
        &kinds,
        &scores,
        &schemes,
        &answers
    )
    .execute(&mut **tx)
    .await?;
    let whole: Vec<i64> =
        sections.iter().flat_map(|section| &section.questions).map(|question| question.question_id).collect();
    question_bank::question::note_use(tx, &whole).await?;
    Ok(Frozen { id, new: true })
}

/// The key that counts for each question of a snapshot, by its place: the last correction, or what was frozen.
///
/// # Errors
/// Those of the database.
pub async fn effective_keys(connection: &mut PgConnection, snapshot: i64) -> Result<HashMap<String, EffectiveKey>> {
    let rows = sqlx::query!(
        r#"select q.seq, coalesce(c.new_answer, q.answer) as "answer: Json<Value>",
                  coalesce(c.new_scheme, q.scheme) as "scheme!: MultipleRule", coalesce(c.full_score, false) as "full_score!"
           from snapshot_question q
           left join lateral (
               select new_answer, new_scheme, full_score from snapshot_correction x
               where x.snapshot_question_id = q.id order by x.id desc limit 1) c on true
           where q.snapshot_id = $1"#,
        snapshot
    )
    .fetch_all(connection)
    .await?;
    rows.into_iter()
        .map(|row| {
            let answer = row.answer.map(|answer| stored(answer.0)).transpose()?;
            Ok((row.seq, EffectiveKey { answer, scheme: row.scheme, full_score: row.full_score }))
        })
        .collect()
}
