//! The score of each selection, made where there is none.

use std::collections::BTreeMap;

use infra::{Result, Tx};

use super::card::Rules;

/// The scores of these selections by them; what a selection says of credits, nature and class is copied when the score is made.
///
/// # Errors
/// Those of the database.
pub(crate) async fn ensure(tx: &mut Tx, selections: &[i64]) -> Result<BTreeMap<i64, i64>> {
    let missing = sqlx::query!(
        r#"select c.id, y.grade_id, y.level_id, y.major_id, c.course_id
           from course_selection c join student y on y.id = c.student_id
           where c.id = any($1) and not exists (select from course_score s where s.selection_id = c.id) order by c.id"#,
        selections
    )
    .fetch_all(&mut **tx)
    .await?;
    if !missing.is_empty() {
        let rules = Rules::load(tx).await?;
        let (mut ids, mut modes) = (Vec::new(), Vec::new());
        for row in missing {
            let place = scores_rules::resolve::Place {
                grade: row.grade_id,
                level: row.level_id,
                major: row.major_id,
                course: Some(row.course_id),
            };
            ids.push(row.id);
            modes.push(rules.formula(place)?.total.grading_mode.as_str());
        }
        let by = tx.by();
        sqlx::query!(
            "insert into course_score (selection_id, student_id, course_id, semester_id, attempt_no, plan_course_id, class_id, credits,
                 nature, grading_mode, created_by, updated_by)
             select c.id, c.student_id, c.course_id, c.semester_id, c.attempt_no, o.plan_course_id, c.class_id, o.credits, o.nature,
                    w.mode, $3::bigint, $3::bigint
             from unnest($1::bigint[], $2::text[]) as w (id, mode)
             join course_selection c on c.id = w.id
             join course_opening o on o.id = c.opening_id
             on conflict (selection_id) do nothing",
            &ids,
            &modes as &[&str],
            by
        )
        .execute(&mut **tx)
        .await?;
    }
    let rows = sqlx::query!("select id, selection_id from course_score where selection_id = any($1)", selections)
        .fetch_all(&mut **tx)
        .await?;
    Ok(rows.into_iter().map(|row| (row.selection_id, row.id)).collect())
}
