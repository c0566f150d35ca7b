//! What theses offer to the rooms behind them: they end with their score, and their papers go into the archive.

use ::paper::{Cell, Paper, Row};
use infra::{App, Change, Error, Result, Scope, Tx, enumeration};
use sqlx::PgConnection;
use student_status::roster::letterhead;
use thesis_rules::{
    enums::{ThesisStage, ThesisStageStatus},
    stage::{Standing, ThesisTurn},
};

use crate::thesis::hold::{Held, held, turned};

enumeration! {
    /// 论文材料
    pub enum ThesisDoc = "thesisDoc" {
        Task = "task" "任务书",
        Proposal = "proposal" "开题报告",
        Review = "review" "评阅表",
        Defense = "defense" "答辩记录表",
        Grade = "grade" "成绩评定表",
    }
}

/// Holds theses behind their plans and topics, as [`finish`] and [`failed`] will.
///
/// # Errors
/// 409 when somebody else holds one for too long.
pub async fn hold(tx: &mut Tx, theses: &[i64]) -> Result<()> {
    crate::thesis::hold::hold(tx, theses, &[], &Scope::whole_school()).await.map(drop)
}

/// Ends a thesis whose score was published: it is done, and its last final is the document that is archived.
///
/// # Errors
/// 409 for one that is not defended yet.
pub async fn finish(tx: &mut Tx, thesis: i64) -> Result<Vec<Change>> {
    let held = held(tx, thesis, &[], &Scope::whole_school()).await?;
    if held.stage == ThesisStage::Done {
        return Ok(Vec::new());
    }
    let to = held.to(ThesisTurn::Finish)?;
    finished(tx, &held, to).await
}

async fn finished(tx: &mut Tx, held: &Held, to: Standing) -> Result<Vec<Change>> {
    let thesis = held.id;
    let (by, now) = (tx.by(), tx.app().clock().now());
    sqlx::query!(
        "insert into thesis_document (thesis_id, kind, version_no, file_id, sha256, pages, submitted_at, submitted_by, decision,
             decided_at, created_by, updated_by)
         select d.thesis_id, 'archived', 1, d.file_id, d.sha256, d.pages, $2::timestamptz, 'system', 'passed', $2::timestamptz,
                $3::bigint, $3::bigint
         from thesis_document d where d.thesis_id = $1 and d.kind = 'final' order by d.version_no desc limit 1
         on conflict (thesis_id, kind, version_no) do nothing",
        thesis,
        now as _,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(vec![turned(tx, held, to, None).await?])
}

/// A thesis whose published score did not pass.
///
/// # Errors
/// 404 for no thesis.
pub async fn failed(tx: &mut Tx, thesis: i64, why: &str) -> Result<Vec<Change>> {
    let held = held(tx, thesis, &[], &Scope::whole_school()).await?;
    let to = Standing { status: ThesisStageStatus::Failed, ..held.standing() };
    Ok(vec![turned(tx, &held, to, Some(why)).await?])
}

/// What a correction of its published score makes of a thesis: it is done after all, or failed after all.
///
/// # Errors
/// 404 for no thesis.
pub async fn corrected(tx: &mut Tx, thesis: i64, passed: bool, why: &str) -> Result<Vec<Change>> {
    let held = held(tx, thesis, &[], &Scope::whole_school()).await?;
    let done = held.stage == ThesisStage::Done;
    if passed == done {
        return Ok(Vec::new());
    }
    if passed {
        let to = Standing { stage: ThesisStage::Done, status: ThesisStageStatus::Passed, ..held.standing() };
        return finished(tx, &held, to).await;
    }
    let to = Standing { stage: ThesisStage::Defense, status: ThesisStageStatus::Failed, ..held.standing() };
    Ok(vec![turned(tx, &held, to, Some(why)).await?])
}

/// The document of a student's thesis that is archived.
///
/// # Errors
/// Those of the database.
pub async fn archived_file(connection: &mut PgConnection, student: i64) -> Result<Option<i64>> {
    Ok(sqlx::query_scalar!(
        "select d.file_id from thesis_document d join thesis t on t.id = d.thesis_id
         where t.student_id = $1 and t.status = 'finished' and d.kind = 'archived' order by t.attempt_no desc, d.id desc limit 1",
        student
    )
    .fetch_optional(connection)
    .await?)
}

/// The forms of a thesis, each on a page of its own.
///
/// # Errors
/// 404 for no thesis.
pub async fn forms(app: &App, connection: &mut PgConnection, thesis: i64, docs: &[ThesisDoc]) -> Result<Paper> {
    forms_of(app, connection, &[thesis], docs).await
}

/// The same of several, one after the other.
///
/// # Errors
/// 404 for no thesis.
pub async fn forms_of(app: &App, connection: &mut PgConnection, theses: &[i64], docs: &[ThesisDoc]) -> Result<Paper> {
    let header = letterhead(app, connection).await?.header.unwrap_or_default();
    let mut paper = Paper::new("毕业论文材料", header);
    let mut first = true;
    for thesis in theses {
        let loaded = loaded(connection, *thesis).await?;
        for doc in docs {
            if !first {
                paper.new_page();
            }
            first = false;
            draw(&mut paper, *doc, &loaded);
        }
    }
    Ok(paper)
}

/// What stands on the forms of a thesis.
struct Loaded {
    fields: Vec<(&'static str, String)>,
    topic: String,
    proposal: String,
    reviews: Vec<[String; 3]>,
    defense: [String; 5],
    scores: Vec<(&'static str, String)>,
}

fn score(score: Option<f64>) -> String {
    score.map(|score| format!("{score:.1}")).unwrap_or_default()
}

async fn loaded(connection: &mut PgConnection, thesis: i64) -> Result<Loaded> {
    let row = sqlx::query!(
        r#"select y.name, y.student_no, m.name as major, k.name as "class?", x.title, a.name as "adviser?",
                  t.description as "description?", x.similarity_rate::float8 as rate
           from thesis x
           join student y on y.id = x.student_id
           join major m on m.id = y.major_id
           left join class k on k.id = y.class_id
           left join teacher a on a.id = x.adviser_id
           left join thesis_topic t on t.id = x.topic_id
           where x.id = $1"#,
        thesis
    )
    .fetch_optional(&mut *connection)
    .await?
    .ok_or_else(Error::not_found)?;
    let proposal = sqlx::query_scalar!(
        "select comment from thesis_document where thesis_id = $1 and kind = 'proposal' order by version_no desc limit 1",
        thesis
    )
    .fetch_optional(&mut *connection)
    .await?
    .flatten();
    let reviews = sqlx::query!(
        r#"select t.name, r.score::float8 as score, r.comment, r.opinion as "opinion: thesis_rules::enums::ReviewOpinion"
           from thesis_review r join teacher t on t.id = r.reviewer_id where r.thesis_id = $1 order by r.id"#,
        thesis
    )
    .fetch_all(&mut *connection)
    .await?;
    let slot = sqlx::query!(
        r#"select g.name, s.planned_at, s.questions, s.comment, s.score::float8 as score,
                  s.result as "result: thesis_rules::enums::DefenseResult"
           from defense_slot s join defense_group g on g.id = s.group_id where s.thesis_id = $1 order by s.round_no desc limit 1"#,
        thesis
    )
    .fetch_optional(&mut *connection)
    .await?;
    let total = sqlx::query!(
        r#"select internship_score::float8 as internship, thesis_score::float8 as thesis, review_score::float8 as review,
                  defense_score::float8 as defense, total::float8 as total, grade_word
           from graduation_score where thesis_id = $1"#,
        thesis
    )
    .fetch_optional(&mut *connection)
    .await?;
    let defense = slot.map(|slot| {
        [
            slot.name,
            slot.planned_at.map(|at| at.format("%Y-%m-%d %H:%M").to_string()).unwrap_or_default(),
            slot.questions.unwrap_or_default(),
            slot.comment.unwrap_or_default(),
            format!("{}　{}", score(slot.score), slot.result.map_or("", |result| result.zh())),
        ]
    });
    let scores = total.map(|total| {
        vec![
            ("实习成绩", score(total.internship)),
            ("论文成绩", score(total.thesis)),
            ("评阅成绩", score(total.review)),
            ("答辩成绩", score(total.defense)),
            ("总评", score(total.total)),
            ("等级", total.grade_word.unwrap_or_default()),
        ]
    });
    Ok(Loaded {
        fields: vec![
            ("姓名", row.name),
            ("学号", row.student_no.unwrap_or_default()),
            ("专业", row.major),
            ("班级", row.class.unwrap_or_default()),
            ("题目", row.title.unwrap_or_default()),
            ("指导教师", row.adviser.unwrap_or_default()),
            ("复制比", row.rate.map(|rate| format!("{rate:.1}%")).unwrap_or_default()),
        ],
        topic: row.description.unwrap_or_default(),
        proposal: proposal.unwrap_or_default(),
        reviews: reviews
            .into_iter()
            .map(|row| {
                let said = row.opinion.map_or("", |opinion| opinion.zh());
                [row.name, score(row.score), format!("{said}　{}", row.comment.unwrap_or_default())]
            })
            .collect(),
        defense: defense.unwrap_or_default(),
        scores: scores.unwrap_or_default(),
    })
}

fn draw(paper: &mut Paper, doc: ThesisDoc, loaded: &Loaded) {
    paper.heading(&format!("毕业论文{}", doc.zh()));
    let rows =
        loaded.fields.iter().map(|(label, value)| Row::of([Cell::label(20, *label), Cell::value(80, value.as_str())]));
    paper.table(rows).space(3.0);
    let passage =
        |label: &str, text: &str, high: f32| Row::of([Cell::label(20, label), Cell::passage(80, text)]).high(high);
    match doc {
        ThesisDoc::Task => {
            paper.table([passage("选题说明", &loaded.topic, 90.0), passage("指导教师签名", "", 20.0)]);
        }
        ThesisDoc::Proposal => {
            paper.table([passage("指导教师意见", &loaded.proposal, 90.0), passage("签名", "", 20.0)]);
        }
        ThesisDoc::Review => {
            let rows = loaded.reviews.iter().map(|[name, score, said]| {
                Row::of([
                    Cell::label(20, name.as_str()),
                    Cell::value(15, score.as_str()),
                    Cell::passage(65, said.as_str()),
                ])
                .high(40.0)
            });
            paper.table(rows);
        }
        ThesisDoc::Defense => {
            let [group, at, questions, comment, result] = &loaded.defense;
            paper.table([
                passage("答辩组", group, 9.0),
                passage("时间", at, 9.0),
                passage("提问与回答", questions, 80.0),
                passage("评语", comment, 50.0),
                passage("成绩与结论", result, 12.0),
                passage("组长签名", "", 18.0),
            ]);
        }
        ThesisDoc::Grade => {
            let rows = loaded
                .scores
                .iter()
                .map(|(label, value)| Row::of([Cell::label(30, *label), Cell::value(70, value.as_str())]));
            paper.table(rows).space(3.0);
            paper.table([passage("学院意见", "", 40.0)]);
        }
    }
}
