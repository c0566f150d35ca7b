//! Papers of a demonstration school: of every course with banks a rule, a homework paper that is used, and an examination; that of the
//! last course waits for its review.

use infra::{Result, Tx};
use paper_rules::demo::SECTIONS;
use question_bank::enums::{MultipleRule, PaperKind};

use crate::{
    content::questions,
    enums::PaperComposeMode,
    paper::{
        compose::{Chosen, ChosenQuestion, write},
        form::{NewPaper, insert_row},
        held,
    },
    snapshot,
};

/// Of each of the four courses that have banks.
pub const RULES: i64 = 4;
pub const PAPERS: i64 = 8;

/// Makes them.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx) -> Result<()> {
    let courses = sqlx::query!(
        "select c.id, c.name from course c where exists (select from question_bank b where b.course_id = c.id) order by c.code"
    )
    .fetch_all(&mut **tx)
    .await?;
    let last = courses.last().map(|course| course.id);
    for course in courses {
        rule(tx, course.id, &course.name).await?;
        let exam = if Some(course.id) == last { "pending_review" } else { "approved" };
        for (kind, status) in [(PaperKind::Homework, "approved"), (PaperKind::Exam, exam)] {
            let sections = sections(tx, course.id, kind).await?;
            let new = NewPaper {
                code: None,
                name: format!("{}{}试卷", course.name, kind.zh()),
                course_id: course.id,
                kind,
                compose_mode: PaperComposeMode::Manual,
                rule_id: None,
                rule_seed: None,
                total: 1_000,
                pass: 600,
                duration_minutes: (kind == PaperKind::Exam).then_some(90),
                overlap_max_percent: 20,
                family_id: None,
                version_no: 1,
                variant: "A".to_owned(),
            };
            let (id, _) = insert_row(tx, &new).await?;
            let paper = held(tx, id).await?;
            write(tx, &paper, &sections).await?;
            sqlx::query!("update paper set status = $2, submitted_by = 0 where id = $1", id, status)
                .execute(&mut **tx)
                .await?;
            if kind == PaperKind::Homework {
                snapshot::freeze(tx, id).await?;
            }
        }
    }
    Ok(())
}

async fn rule(tx: &mut Tx, course: i64, name: &str) -> Result<()> {
    let name = format!("{name}期末考试");
    let id = sqlx::query_scalar!(
        "insert into paper_rule (name, initials, course_id, kind, total_score, duration_minutes, avoid_recent_semesters,
             created_by, updated_by)
         values ($1, $2, $3, 'exam', 100, 90, 2, 0, 0) returning id",
        name,
        infra::pinyin::text_initials(&name),
        course
    )
    .fetch_one(&mut **tx)
    .await?;
    for (place, (title, kind, count, score)) in (1_i32..).zip(SECTIONS) {
        sqlx::query!(
            "insert into paper_rule_item (rule_id, sort_no, title, type, count, score_each)
             values ($1, $2, $3, $4, $5::bigint::integer, $6::float8::numeric)",
            id,
            place,
            title,
            kind.as_str(),
            count,
            question_bank::score::points(score)
        )
        .execute(&mut **tx)
        .await?;
    }
    Ok(())
}

async fn sections(tx: &mut Tx, course: i64, kind: PaperKind) -> Result<Vec<Chosen>> {
    let mut sections = Vec::with_capacity(SECTIONS.len());
    let usage = if kind == PaperKind::Homework { "homework" } else { "exam" };
    for (title, kind, count, score) in SECTIONS {
        let ids = sqlx::query_scalar!(
            "select q.id from question q join question_bank b on b.id = q.bank_id
             where b.course_id = $1 and b.usage = $2 and q.type = $3 and q.status = 'enabled' and q.parent_id is null
             order by q.id limit $4",
            course,
            usage,
            kind.as_str(),
            count
        )
        .fetch_all(&mut **tx)
        .await?;
        let known = questions(tx, &ids).await?;
        let chosen = ids.iter().filter_map(|id| {
            let question = known.get(id)?;
            let (blanks, subs) = question.shares(score)?;
            Some(ChosenQuestion { id: *id, score, blanks, subs })
        });
        sections.push(Chosen {
            id: None,
            title: title.to_owned(),
            instruction: None,
            kind: Some(kind),
            default_score: Some(score),
            multiple_rule: MultipleRule::AllOrNothing,
            questions: chosen.collect(),
        });
    }
    Ok(sections)
}
