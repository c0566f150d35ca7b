//! 相似检测: answers to the same question that are alike (part 03 B7). It never changes a score: the marker decides.
//!
//! Compared are answers in words, and the words of attachments. A job at the close of a homework compares all of it, on demand
//! also with earlier semesters; what is handed in afterwards is compared with the rest.

use std::collections::{BTreeMap, HashMap, HashSet};

use homework_rules::{
    extract,
    shingles::{self, Fragment, Pair, Text, fragments, pairs},
};
use infra::{
    Allowed, App, Body, Change, Error, Page, Paged, Reply, Result, Saved, Tx,
    access::Permission,
    clock::Moment,
    files,
    jobs::{self, JobKind, JobRun, JobStarted, NewJob, Outcome},
    reply,
};
use papers::snapshot::sections_of;
use poem_openapi::{Object, OpenApi, types::Example};
use question_bank::{enums::QuestionType, marking::GivenAnswer, question::stored, score::points, text::QuestionText};
use serde_json::{Value, json};
use sqlx::{PgConnection, types::Json};
use tokio::task::spawn_blocking;

use super::{FindSimilarSheets, JudgeSimilarSheets, ListSimilarSheets, Reach, SOMEBODY_ELSE};
use crate::{enums::SimilarityVerdict, homework::viewable, sheet::questions::questions_of};

const KIND: &str = "homework.similarity";
/// Answers that are read at once.
const AT_ONCE: i64 = 500;
/// Answers to one question that are compared: first those of the homework itself.
const MOST: usize = 10_000;
/// Pairs of a sheet that are kept.
const OF_SHEET: i64 = 5;

pub(super) const JOB: JobKind = JobKind {
    kind: KIND,
    code: Some(<FindSimilarSheets as Permission>::CODE),
    run: |run| Box::pin(work(run)),
    headings: None,
};

/// Which homework, and how near.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SimilaritySearch {
    /// 作业
    pub homework_id: i64,
    /// 相似度阈值(%)
    #[oai(validator(minimum(value = "30"), maximum(value = "100")))]
    pub threshold: i32,
    /// 与以前学期的答卷比较
    #[oai(default)]
    pub compare_history: bool,
}

impl Example for SimilaritySearch {
    fn example() -> Self {
        Self { homework_id: 1, threshold: 60, compare_history: false }
    }
}

/// Where two answers say the same.
#[derive(Debug, Clone, Object)]
pub struct SimilarFragment {
    /// 第一份
    /// 起止字符
    pub a: Vec<i64>,
    /// 第二份
    /// 起止字符
    pub b: Vec<i64>,
}

/// Two answers that are alike.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SimilarPair {
    /// 编号
    pub id: i64,
    /// 题号
    pub seq: String,
    /// 第一份答卷
    pub sheet_a: i64,
    /// 第一份学号
    pub student_no_a: Option<String>,
    /// 第一份姓名
    pub name_a: String,
    /// 第一份班级
    pub class_a: Option<String>,
    /// 第一份作业
    pub title_a: String,
    /// 第一份文字
    /// 不含附件；在数据范围以外时为空
    pub text_a: String,
    /// 第一份在数据范围内
    pub seen_a: bool,
    /// 第二份答卷
    pub sheet_b: i64,
    /// 第二份学号
    pub student_no_b: Option<String>,
    /// 第二份姓名
    pub name_b: String,
    /// 第二份班级
    pub class_b: Option<String>,
    /// 第二份作业
    pub title_b: String,
    /// 第二份文字
    /// 不含附件；在数据范围以外时为空
    pub text_b: String,
    /// 第二份在数据范围内
    pub seen_b: bool,
    /// 相似度(%)
    pub percent: f64,
    /// 相同片段
    pub fragments: Vec<SimilarFragment>,
    /// 认定
    pub verdict: SimilarityVerdict,
    /// 说明
    pub note: Option<String>,
    /// 发现时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct SimilarPairFilter {
    /// 作业
    pub homework_id: Option<i64>,
    /// 答卷
    pub sheet_id: Option<i64>,
    /// 认定
    pub verdict: Option<SimilarityVerdict>,
    /// 相似度不低于
    #[oai(validator(minimum(value = "0"), maximum(value = "100")))]
    pub percent_from: Option<f64>,
}

/// What a marker thinks of a pair.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SimilarityJudgement {
    /// 编号
    pub id: i64,
    /// 认定
    pub verdict: SimilarityVerdict,
    /// 说明
    #[oai(validator(max_length = 500))]
    pub note: Option<String>,
}

impl Example for SimilarityJudgement {
    fn example() -> Self {
        Self { id: 1, verdict: SimilarityVerdict::Confirmed, note: Some("段落相同".to_owned()) }
    }
}

pub struct Similarities;

#[OpenApi(prefix_path = "/exam/pc/tasks/marking", tag = "crate::Tag::Homework")]
impl Similarities {
    /// 相似检测
    /// 后台任务，完成后在相似页签查看
    #[oai(path = "/similarity", method = "post", operation_id = "findSimilarSheets")]
    async fn find(
        &self,
        caller: Allowed<FindSimilarSheets>,
        Body(wanted): Body<SimilaritySearch>,
    ) -> Result<Reply<JobStarted>> {
        let mut tx = caller.read().await?;
        viewable(&mut tx, wanted.homework_id, &caller.scope()).await?;
        drop(tx);
        let job = NewJob {
            kind: KIND,
            target: wanted.homework_id.to_string(),
            title: "作业相似检测".to_owned(),
            params: json!({
                "id": wanted.homework_id, "threshold": wanted.threshold, "history": wanted.compare_history,
            }),
        };
        Ok(reply(JobStarted { job_id: jobs::start(caller.caller(), job).await? }))
    }

    /// 相似答卷列表
    #[oai(path = "/similarity/list", method = "post", operation_id = "listSimilarSheets")]
    async fn list(
        &self,
        caller: Allowed<ListSimilarSheets>,
        Body(asked): Body<Paged<SimilarPairFilter>>,
    ) -> Result<Reply<Page<SimilarPair>>> {
        let paging = asked.paging()?;
        let mut tx = caller.read().await?;
        let (total, rows) = listed(&mut tx, &asked.filter, &caller.scope(), (paging.limit(), paging.offset())).await?;
        Ok(reply(paging.page(total, rows)))
    }

    /// 认定相似
    #[oai(path = "/similarity/verdict", method = "put", operation_id = "judgeSimilarSheets")]
    async fn judge(
        &self,
        caller: Allowed<JudgeSimilarSheets>,
        Body(wanted): Body<SimilarityJudgement>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = judged(&mut tx, &wanted, &Reach::Scope(caller.scope())).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }
}

/// # Errors
/// 404 when neither of both is within the reach.
async fn judged(tx: &mut Tx, wanted: &SimilarityJudgement, reach: &Reach) -> Result<Change> {
    tx.lock("answer_similarity", wanted.id).await?;
    let pair = sqlx::query!(
        r#"select sheet_a, sheet_b, verdict as "verdict: SimilarityVerdict" from answer_similarity where id = $1"#,
        wanted.id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    if reach.see(tx, pair.sheet_a).await.is_err() {
        reach.see(tx, pair.sheet_b).await?;
    }
    let (by, now) = (tx.by(), tx.app().clock().now());
    sqlx::query!(
        "update answer_similarity set verdict = $2, note = $3, verdict_by = $4, verdict_at = $5, updated_at = now(),
                updated_by = $4, version = version + 1
         where id = $1",
        wanted.id,
        wanted.verdict.as_str(),
        wanted.note,
        by,
        now as _
    )
    .execute(&mut **tx)
    .await?;
    let (before, after) = (pair.verdict.as_str(), wanted.verdict.as_str());
    let change = Change::status("answer_similarity", wanted.id, "verdict", before, after);
    Ok(change.because(wanted.note.as_deref()))
}

/// Pairs of which one sheet at least lies in the scope; of the other neither name nor words are told where it does not.
async fn listed(
    connection: &mut PgConnection,
    filter: &SimilarPairFilter,
    scope: &infra::Scope,
    (limit, offset): (i64, i64),
) -> Result<(i64, Vec<SimilarPair>)> {
    let rows = sqlx::query!(
        r#"select m.id as "id!", m.seq_a as "seq!", m.sheet_a as "sheet_a!", m.sheet_b as "sheet_b!", a.no as "no_a?",
                  a.name as "name_a!", a.class as "class_a?", a.title as "title_a!", a.seen as "seen_a!", b.no as "no_b?",
                  b.name as "name_b!", b.class as "class_b?", b.title as "title_b!", b.seen as "seen_b!",
                  x.answer as "answer_a?: Json<Value>", z.answer as "answer_b?: Json<Value>", m.percent::float8 as "percent!",
                  m.fragments as "fragments!: Json<Value>", m.verdict as "verdict!: SimilarityVerdict", m.note,
                  m.created_at as "created_at!", m.version as "version!", count(*) over () as "total!"
           from answer_similarity m
           join lateral (
               select y.student_no as no, y.name, k.name as class, h.title,
                      $1::bigint[] is null or coalesce(y.site_id = any($1) or y.class_id = any($2::bigint[]), false) as seen
               from answer_sheet o
               join homework_student s on s.id = o.homework_student_id
               join homework h on h.id = s.homework_id
               join course_selection c on c.id = s.selection_id
               join student y on y.id = c.student_id
               left join class k on k.id = c.class_id
               where o.id = m.sheet_a) a on true
           join lateral (
               select y.student_no as no, y.name, k.name as class, h.title,
                      $1::bigint[] is null or coalesce(y.site_id = any($1) or y.class_id = any($2::bigint[]), false) as seen
               from answer_sheet o
               join homework_student s on s.id = o.homework_student_id
               join homework h on h.id = s.homework_id
               join course_selection c on c.id = s.selection_id
               join student y on y.id = c.student_id
               left join class k on k.id = c.class_id
               where o.id = m.sheet_b) b on true
           left join answer_item x on x.sheet_id = m.sheet_a and x.seq = m.seq_a
           left join answer_item z on z.sheet_id = m.sheet_b and z.seq = m.seq_b
           where (a.seen or b.seen)
             and ($3::bigint is null
                  or m.sheet_a = any(array(select o.id from answer_sheet o join homework_student s on s.id = o.homework_student_id
                                           where s.homework_id = $3))
                  or m.sheet_b = any(array(select o.id from answer_sheet o join homework_student s on s.id = o.homework_student_id
                                           where s.homework_id = $3)))
             and ($4::bigint is null or m.sheet_a = $4 or m.sheet_b = $4)
             and ($5::text is null or m.verdict = $5)
             and ($6::float8 is null or m.percent >= $6::float8::numeric)
           order by m.percent desc, m.id
           limit $7 offset $8"#,
        scope.sites(),
        scope.classes(),
        filter.homework_id,
        filter.sheet_id,
        filter.verdict.map(SimilarityVerdict::as_str),
        filter.percent_from,
        limit,
        offset
    )
    .fetch_all(connection)
    .await?;
    let total = rows.first().map_or(0, |row| row.total);
    let mut list = Vec::with_capacity(rows.len());
    for row in rows {
        let words = |answer: Option<Json<Value>>, seen: bool| -> Result<String> {
            let Some(answer) = answer.filter(|_| seen) else { return Ok(String::new()) };
            let given: GivenAnswer = stored(answer.0)?;
            Ok(given.html.as_ref().map(QuestionText::plain).unwrap_or_default())
        };
        let both = row.seen_a && row.seen_b;
        list.push(SimilarPair {
            id: row.id,
            seq: row.seq,
            sheet_a: row.sheet_a,
            student_no_a: row.no_a.filter(|_| row.seen_a),
            name_a: if row.seen_a { row.name_a } else { SOMEBODY_ELSE.to_owned() },
            class_a: row.class_a.filter(|_| row.seen_a),
            title_a: row.title_a,
            text_a: words(row.answer_a, row.seen_a)?,
            seen_a: row.seen_a,
            sheet_b: row.sheet_b,
            student_no_b: row.no_b.filter(|_| row.seen_b),
            name_b: if row.seen_b { row.name_b } else { SOMEBODY_ELSE.to_owned() },
            class_b: row.class_b.filter(|_| row.seen_b),
            title_b: row.title_b,
            text_b: words(row.answer_b, row.seen_b)?,
            seen_b: row.seen_b,
            percent: row.percent,
            fragments: if both { stored(row.fragments.0)? } else { Vec::new() },
            verdict: row.verdict,
            note: row.note,
            created_at: row.created_at,
            version: row.version,
        });
    }
    Ok((total, list))
}

async fn work(run: JobRun) -> Result<Outcome> {
    let id = run.params["id"].as_i64().ok_or_else(|| Error::internal("the job names no homework"))?;
    let threshold = run.params["threshold"].as_i64().unwrap_or(60);
    let history = run.params["history"].as_bool().unwrap_or(false);
    let scope = run.scope(<FindSimilarSheets as Permission>::CODE).await?;
    let mut tx = run.read().await?;
    viewable(&mut tx, id, &scope).await?;
    run.progress("读取答卷", 0, 1).await?;
    let found = compared(run.app(), &mut tx, Search { homework: id, threshold, history, all: true }).await?;
    drop(tx);
    let mut tx = run.begin().await?;
    let count = keep(&mut tx, id, &found).await?;
    let outcome = Outcome { message: format!("发现{count}对相似答卷"), ..Outcome::default() };
    run.mark_done(&mut tx, &outcome).await?;
    tx.commit(Change::event("homework", id, "similarity", json!({ "pairs": count }))).await?;
    Ok(outcome)
}

/// What is compared.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Search {
    pub homework: i64,
    /// Percent.
    pub threshold: i64,
    pub history: bool,
    /// All of the homework; else what was not compared before, with the rest.
    pub all: bool,
}

/// A pair that was found.
#[derive(Debug)]
struct Alike {
    question: Option<i64>,
    a: (i64, String),
    b: (i64, String),
    percent: i64,
    fragments: Vec<Fragment>,
}

/// What a comparison came to.
#[derive(Debug)]
pub(crate) struct Found {
    alike: Vec<Alike>,
    /// The sheets of the homework that are compared now.
    sheets: Vec<i64>,
    all: bool,
}

/// An answer to a question.
struct Answer {
    sheet: i64,
    student: i64,
    seq: String,
    words: String,
    /// Of the homework, and not compared before.
    new: bool,
}

/// The questions of a homework whose answers are words, by what makes two the same, each with what is asked.
async fn asked(connection: &mut PgConnection, homework: i64) -> Result<BTreeMap<Question, HashSet<u64>>> {
    let snapshots = sqlx::query_scalar!(
        "select snapshot_id from homework_snapshot where homework_id = $1 order by snapshot_id",
        homework
    )
    .fetch_all(&mut *connection)
    .await?;
    let mut all: BTreeMap<Question, HashSet<u64>> = BTreeMap::new();
    for snapshot in snapshots {
        let sections = sections_of(connection, snapshot).await?;
        let whole: HashMap<String, Option<String>> = sections
            .iter()
            .flat_map(|section| &section.questions)
            .flat_map(|question| {
                let reference = |answer: Option<&question_bank::marking::QuestionAnswer>| {
                    answer.and_then(|answer| answer.text.as_ref()).map(QuestionText::plain)
                };
                let own = (question.seq.clone(), reference(question.answer.as_ref()));
                let subs = (1_i32..)
                    .zip(&question.sub_questions)
                    .map(move |(place, sub)| (format!("{}.{place}", question.seq), reference(sub.answer.as_ref())));
                std::iter::once(own).chain(subs).collect::<Vec<_>>()
            })
            .collect();
        let ids = sqlx::query!("select id, question_id from snapshot_question where snapshot_id = $1", snapshot)
            .fetch_all(&mut *connection)
            .await?;
        let ids: HashMap<i64, Option<i64>> = ids.into_iter().map(|row| (row.id, row.question_id)).collect();
        for question in questions_of(connection, snapshot, &sections).await? {
            let words =
                matches!(question.kind, QuestionType::ShortAnswer | QuestionType::Essay | QuestionType::FileUpload);
            if !words {
                continue;
            }
            let key = match ids.get(&question.id).copied().flatten() {
                Some(id) => Question::Known(id),
                None => Question::Own(question.seq.clone()),
            };
            let own = all.entry(key).or_default();
            own.extend(shingles::shingles(&question.stem.plain()));
            if let Some(material) = &question.material {
                own.extend(shingles::shingles(&material.plain()));
            }
            if let Some(Some(reference)) = whole.get(&question.seq) {
                own.extend(shingles::shingles(reference));
            }
        }
    }
    Ok(all)
}

/// What makes two questions the same.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Question {
    /// A question of a bank.
    Known(i64),
    /// The task of this homework alone.
    Own(String),
}

/// The answers to a question: of the homework, then, where it is asked, of earlier homework of the same course.
async fn answers(app: &App, connection: &mut PgConnection, search: Search, question: &Question) -> Result<Vec<Answer>> {
    let mut found = Vec::new();
    read(app, connection, search, question, (true, &mut found)).await?;
    if search.history && matches!(question, Question::Known(_)) {
        read(app, connection, search, question, (false, &mut found)).await?;
    }
    Ok(found)
}

/// The places of a question in snapshots: in those of the homework, or in others of its course.
async fn places(connection: &mut PgConnection, homework: i64, question: &Question, own: bool) -> Result<Vec<i64>> {
    let (known, seq) = match question {
        Question::Known(id) => (Some(*id), None),
        Question::Own(seq) => (None, Some(seq.as_str())),
    };
    Ok(sqlx::query_scalar!(
        "select q.id
         from snapshot_question q
         join paper_snapshot p on p.id = q.snapshot_id
         join homework h on h.id = $1
         where ($2::bigint is null or q.question_id = $2)
           and ($3::text is null or q.question_id is null and q.seq = $3)
           and case when $4 then q.snapshot_id in (select snapshot_id from homework_snapshot where homework_id = h.id)
                    else p.course_id = h.course_id end
         order by q.id",
        homework,
        known,
        seq,
        own
    )
    .fetch_all(connection)
    .await?)
}

/// Reads the answers of the homework, or of others, behind those that were found.
async fn read(
    app: &App,
    connection: &mut PgConnection,
    search: Search,
    question: &Question,
    (own, found): (bool, &mut Vec<Answer>),
) -> Result<()> {
    let places = places(connection, search.homework, question, own).await?;
    let mut after = 0;
    while found.len() < MOST {
        let rows = sqlx::query!(
            r#"select i.id as "id!", a.id as "sheet!", c.student_id as "student!", i.seq as "seq!", i.answer as "answer: Json<Value>",
                      s.homework_id = $1 and ($4 or a.similarity is null) as "new!"
               from answer_item i
               join answer_sheet a on a.id = i.sheet_id
               join homework_student s on s.id = a.homework_student_id
               join course_selection c on c.id = s.selection_id
               where i.snapshot_question_id = any($2) and i.id > $3 and i.answer is not null
                 and a.mark_state in ('submitted', 'marked') and s.state <> 'void' and (s.homework_id = $1) = $6
               order by i.id limit $5"#,
            search.homework,
            &places,
            after,
            search.all,
            AT_ONCE,
            own
        )
        .fetch_all(&mut *connection)
        .await?;
        let Some(last) = rows.last() else { break };
        after = last.id;
        for row in rows {
            let given: Option<GivenAnswer> = row.answer.map(|answer| stored(answer.0)).transpose()?;
            let Some(given) = given else { continue };
            let mut words = given.html.as_ref().map(QuestionText::plain).unwrap_or_default();
            if let Some(files) = &given.file_ids {
                words.push_str(&attached(app, connection, files).await?);
            }
            found.push(Answer { sheet: row.sheet, student: row.student, seq: row.seq, words, new: row.new });
        }
    }
    Ok(())
}

/// The words of some files.
async fn attached(app: &App, connection: &mut PgConnection, ids: &[i64]) -> Result<String> {
    let rows = sqlx::query!(
        "select key, original_name from file_object where id = any($1) and state = 'stored' and size <= $2 order by id",
        ids,
        i64::try_from(extract::MOST).map_err(Error::internal)?
    )
    .fetch_all(connection)
    .await?;
    let mut words = String::new();
    for row in rows {
        let Some(bytes) = files::beginning(app, &row.key, extract::MOST).await? else { continue };
        // A file that breaks its reader says nothing.
        let read = spawn_blocking(move || extract::words(&row.original_name, &bytes)).await;
        if let Ok(Some(read)) = read {
            words.push('\n');
            words.push_str(&read);
        }
    }
    Ok(words)
}

/// Compares the answers of a homework.
///
/// # Errors
/// Those of the database and of the store.
pub(crate) async fn compared(app: &App, connection: &mut PgConnection, search: Search) -> Result<Found> {
    let sheets = sqlx::query_scalar!(
        "select a.id from answer_sheet a join homework_student s on s.id = a.homework_student_id
         where s.homework_id = $1 and a.mark_state in ('submitted', 'marked') and ($2 or a.similarity is null)
         order by a.id",
        search.homework,
        search.all
    )
    .fetch_all(&mut *connection)
    .await?;
    let mut alike = Vec::new();
    for (question, own) in asked(connection, search.homework).await? {
        let answers = answers(app, connection, search, &question).await?;
        let threshold = search.threshold * 10;
        let found = spawn_blocking(move || of_question(answers, &own, threshold)).await.map_err(Error::internal)?;
        let id = match question {
            Question::Known(id) => Some(id),
            Question::Own(_) => None,
        };
        alike.extend(found.into_iter().map(|found| Alike { question: id, ..found }));
    }
    Ok(Found { alike, sheets, all: search.all })
}

fn of_question(answers: Vec<Answer>, own: &HashSet<u64>, threshold: i64) -> Vec<Alike> {
    let (mut kept, mut texts, mut of) = (Vec::new(), Vec::new(), Vec::new());
    for answer in answers {
        if let Some(text) = Text::of(&answer.words, own) {
            texts.push(text);
            of.push((answer.new, answer.student));
            kept.push((answer.sheet, answer.seq));
        }
    }
    let found = pairs(&texts, &of, threshold);
    found
        .into_iter()
        .map(|Pair { first, second, percent }| {
            let (one, other) = if kept[first].0 < kept[second].0 { (first, second) } else { (second, first) };
            Alike {
                question: None,
                a: kept[one].clone(),
                b: kept[other].clone(),
                percent,
                fragments: fragments(&texts[one], &texts[other]),
            }
        })
        .collect()
}

/// Writes what was found, of each sheet the likest five; what nobody judged yet and is not found any more goes.
///
/// # Errors
/// Those of the database.
pub(crate) async fn keep(tx: &mut Tx, homework: i64, found: &Found) -> Result<i64> {
    let by = tx.by();
    if found.all {
        sqlx::query!(
            "delete from answer_similarity m
             where m.verdict = 'open'
               and (m.sheet_a = any(array(select a.id from answer_sheet a join homework_student s on s.id = a.homework_student_id
                                          where s.homework_id = $1))
                    or m.sheet_b = any(array(select a.id from answer_sheet a join homework_student s on s.id = a.homework_student_id
                                             where s.homework_id = $1)))",
            homework
        )
        .execute(&mut **tx)
        .await?;
    }
    let mut alike: Vec<&Alike> = found.alike.iter().collect();
    alike.sort_by_key(|one| (std::cmp::Reverse(one.percent), one.a.0, one.b.0));
    let mut full = kept_of(tx, &alike).await?;
    let mut count = 0;
    for one in alike {
        let of = |sheet: i64| full.get(&sheet).copied().unwrap_or_default();
        if of(one.a.0) >= OF_SHEET || of(one.b.0) >= OF_SHEET {
            continue;
        }
        *full.entry(one.a.0).or_default() += 1;
        *full.entry(one.b.0).or_default() += 1;
        let fragment =
            |fragment: &Fragment| json!({ "a": [fragment.a.0, fragment.a.1], "b": [fragment.b.0, fragment.b.1] });
        let fragments: Value = one.fragments.iter().map(fragment).collect();
        let written = sqlx::query!(
            "insert into answer_similarity (question_id, sheet_a, sheet_b, seq_a, seq_b, percent, fragments, created_by, updated_by)
             values ($1, $2, $3, $4, $5, $6::float8::numeric, $7, $8, $8)
             on conflict (sheet_a, sheet_b, seq_a) do update set percent = excluded.percent, fragments = excluded.fragments",
            one.question,
            one.a.0,
            one.b.0,
            one.a.1,
            one.b.1,
            points(one.percent),
            fragments,
            by
        )
        .execute(&mut **tx)
        .await?;
        count += i64::try_from(written.rows_affected()).unwrap_or(0);
    }
    likest(tx, &found.sheets).await?;
    // The other side of a pair may be a sheet that was compared before.
    let others: Vec<i64> = found.alike.iter().flat_map(|one| [one.a.0, one.b.0]).collect();
    likest(tx, &others).await?;
    Ok(count)
}

/// How many pairs these sheets are in that stay; what is found again is not counted.
async fn kept_of(tx: &mut Tx, alike: &[&Alike]) -> Result<HashMap<i64, i64>> {
    let sheets: Vec<i64> = alike.iter().flat_map(|one| [one.a.0, one.b.0]).collect();
    let again: HashSet<(i64, i64, &str)> = alike.iter().map(|one| (one.a.0, one.b.0, one.a.1.as_str())).collect();
    let rows = sqlx::query!(
        "select sheet_a, sheet_b, seq_a from answer_similarity where sheet_a = any($1) or sheet_b = any($1)",
        &sheets
    )
    .fetch_all(&mut **tx)
    .await?;
    let mut full: HashMap<i64, i64> = HashMap::new();
    for row in rows.iter().filter(|row| !again.contains(&(row.sheet_a, row.sheet_b, row.seq_a.as_str()))) {
        *full.entry(row.sheet_a).or_default() += 1;
        *full.entry(row.sheet_b).or_default() += 1;
    }
    Ok(full)
}

/// Tells each of these sheets, and the rows of their students, how like another it is.
async fn likest(tx: &mut Tx, sheets: &[i64]) -> Result<()> {
    sqlx::query!(
        "update answer_sheet a
         set similarity = coalesce(
             (select max(m.percent) from answer_similarity m where m.sheet_a = a.id or m.sheet_b = a.id), 0)
         where a.id = any($1)",
        sheets
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "update homework_student s
         set similarity = a.similarity
         from answer_sheet a
         where a.id = any($1) and s.id = a.homework_student_id
           and not exists (
               select from answer_sheet o
               where o.homework_student_id = s.id and o.attempt_no > a.attempt_no and o.mark_state <> 'void')",
        sheets
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
