//! What a student brings to a trial: the figures of which their scores are computed, as of now.

use infra::Result;
use scores_rules::enums::ScoreKind;
use sqlx::PgConnection;

use super::preview::{TrialHomework, TrialValues};

/// Whether a trial of this kind reads what a student has.
pub(super) const fn reads(kind: ScoreKind, course: Option<i64>) -> bool {
    match kind {
        ScoreKind::GraduationTotal => true,
        ScoreKind::Study | ScoreKind::Homework | ScoreKind::Attendance | ScoreKind::Questions => course.is_some(),
        _ => false,
    }
}

/// What a student has: of their last attempt at the course, or of their thesis; without `drafts` of what is published alone. None
/// where there is nothing of the kind.
///
/// # Errors
/// Those of the database.
pub(super) async fn own(
    connection: &mut PgConnection,
    kind: ScoreKind,
    student: i64,
    course: Option<i64>,
    drafts: bool,
) -> Result<Option<TrialValues>> {
    match (kind, course) {
        (ScoreKind::GraduationTotal, _) => of_thesis(connection, student, drafts).await,
        (ScoreKind::Study | ScoreKind::Homework | ScoreKind::Attendance | ScoreKind::Questions, Some(course)) => {
            of_course(connection, student, course, drafts).await
        }
        // Totals are counted of the score itself; items are typed.
        _ => Ok(None),
    }
}

async fn of_course(
    connection: &mut PgConnection,
    student: i64,
    course: i64,
    drafts: bool,
) -> Result<Option<TrialValues>> {
    let row = sqlx::query!(
        r#"select c.id as "id!", o.online_hours as "hours!", p.progress::float8 as "progress?", p.study_seconds as "seconds?",
                  p.login_days as "days?", a.required as "required?", a.absent as "absent?", a.late as "late?",
                  a.leave as "leave?", a.instruction_total::float8 as "total?", a.rate::float8 as "rate?", q.asked as "asked?",
                  q.answered as "answered?"
           from course_selection c
           join course_opening o on o.id = c.opening_id
           left join study_course_progress p on p.id = c.id
           left join attendance_summary a on a.selection_id = c.id
           left join qa_summary q on q.selection_id = c.id
           where c.student_id = $1 and c.course_id = $2 and c.status in ('selected', 'completed')
             and ($3 or exists (select from course_score s where s.selection_id = c.id and s.status in ('published', 'locked')))
           order by c.attempt_no desc, c.id desc limit 1"#,
        student,
        course,
        drafts
    )
    .fetch_optional(&mut *connection)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let tasks = sqlx::query_as!(
        TrialHomework,
        r#"select h.weight::float8 as "weight!", h.score::float8 as "score?" from homework_result h
           where h.selection_id = $1 order by h.homework_id limit 100"#,
        row.id
    )
    .fetch_all(connection)
    .await?;
    Ok(Some(TrialValues {
        progress: row.progress,
        minutes: row.seconds.map(|seconds| seconds / 60),
        days: row.days.map(i64::from),
        online_hours: Some(i64::from(row.hours)),
        tasks,
        sessions: row.required,
        absent: row.absent,
        late: row.late,
        leave: row.leave,
        instruction_total: row.total,
        attendance_score: row.rate,
        asked: row.asked,
        answered: row.answered,
        ..TrialValues::default()
    }))
}

async fn of_thesis(connection: &mut PgConnection, student: i64, drafts: bool) -> Result<Option<TrialValues>> {
    let row = sqlx::query!(
        "select internship_score::float8 as internship, thesis_score::float8 as thesis, review_score::float8 as review,
                defense_score::float8 as defense
         from graduation_score
         where student_id = $1 and ($2 or status in ('published', 'locked')) order by id desc limit 1",
        student,
        drafts
    )
    .fetch_optional(connection)
    .await?;
    Ok(row.map(|row| TrialValues {
        internship: row.internship,
        thesis: row.thesis,
        review: row.review,
        defense: row.defense,
        ..TrialValues::default()
    }))
}
