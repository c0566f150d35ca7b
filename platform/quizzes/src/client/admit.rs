//! Who may begin which exam.

use infra::{Error, Result, Tx, clock::Moment};
use learner_rules::enums::ProductType;
use learners::right::{Product, holds};
use quiz_rules::{
    attempt::{ClassTime, in_class_time},
    content::{QuizContent, stored},
};

use super::QuizStart;

/// What somebody may begin, and when at the latest it ends with its class.
pub(super) struct Admitted {
    pub(super) content: QuizContent,
    pub(super) closes_at: Option<Moment>,
}

/// The published version of an exam that the learner may begin now.
///
/// # Errors
/// 404 for an exam that is switched off, or off the shelf for whoever has no right to it, 403 for one that was not bought and for a
/// class that they are not in, 409 outside the time of the class.
pub(super) async fn admitted(tx: &mut Tx, learner: i64, wanted: &QuizStart, now: Moment) -> Result<Admitted> {
    let exam = sqlx::query!(
        r#"select e.is_free, e.putaway = 'on' as "on_shelf!", r.content
           from platform.online_exam e join platform.online_exam_revision r on r.id = e.published_revision_id
           where e.id = $1 and e.enabled for share of e"#,
        wanted.exam_id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(|| Error::new(404, "试卷不存在或未发布"))?;
    let content = stored(exam.content)?;
    if let Some(grade) = wanted.grade_id {
        let closes_at = of_class(tx, learner, grade, wanted.exam_id, now).await?;
        return Ok(Admitted { content, closes_at: Some(closes_at) });
    }
    let product = Product { kind: ProductType::Exam, id: wanted.exam_id };
    let is_theirs = holds(tx, learner, product, now).await?;
    // Whoever bought it, or was given it, keeps it behind the shelf, as with a course.
    if !exam.on_shelf && !is_theirs {
        return Err(Error::new(404, "试卷不存在或未发布"));
    }
    if !exam.is_free && !is_theirs {
        return Err(Error::new(403, "请先购买该试卷"));
    }
    Ok(Admitted { content, closes_at: None })
}

/// When the arrangement of a class that the learner is in closes.
async fn of_class(tx: &mut Tx, learner: i64, grade: i64, exam: i64, now: Moment) -> Result<Moment> {
    // Whoever changes its members or arrangements holds the class: they come before this, or find the attempt.
    sqlx::query_scalar!("select id from platform.exam_grade_info where id = $1 for key share", grade)
        .fetch_optional(&mut **tx)
        .await?;
    let arranged = sqlx::query!(
        "select g.enabled, g.starts_on, g.ends_on, x.opens_at, x.closes_at
         from platform.exam_grade_exam x
         join platform.exam_grade_info g on g.id = x.grade_id
         join platform.exam_grade_member m on m.grade_id = g.id and m.learner_id = $3 and m.state = 'joined'
         where x.grade_id = $1 and x.exam_id = $2",
        grade,
        exam,
        learner
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(|| Error::new(403, "您不在该班级，或班级没有安排这份试卷"))?;
    let time = ClassTime {
        enabled: arranged.enabled,
        starts_on: arranged.starts_on,
        ends_on: arranged.ends_on,
        opens_at: arranged.opens_at,
        closes_at: arranged.closes_at,
    };
    in_class_time(&time, now)?;
    Ok(arranged.closes_at)
}
