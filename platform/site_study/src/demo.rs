//! What learners of the demonstration say of a course.

use catalogue::course;
use chrono::TimeDelta;
use infra::{Change, Result, Tx, clock::Moment};

use crate::{
    comment::{Said, say, screened},
    progress::{Beat, beat},
    rating::{Scored, rate},
};

/// What learners are called there, say and give.
const SAID: [(&str, &str, i16); 3] = [
    ("小满", "语法部分讲得很清楚，两周就跟上了。", 5),
    ("阿泽", "希望增加真题讲解。", 4),
    ("林溪", "节奏适合在职学习。", 4),
];

/// Seconds of half a lesson of the demonstration.
const HALF: i64 = 1_350;

/// Comments, scores and some study of a course on the shelf by three learners; answers table and number of each row. The caller commits.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx, course_id: i64, learners: [i64; 3], now: Moment) -> Result<Vec<(&'static str, i64)>> {
    let mut rows = Vec::new();
    let mut changes: Vec<Change> = Vec::new();
    for (learner, (name, content, score)) in learners.into_iter().zip(SAID) {
        let learner = (learner, name.to_owned());
        let (content, status) = screened(tx.app(), content).await?;
        let said = Said { course_id, learner: learner.clone(), parent_id: None, content, status, ip: None };
        let (id, change) = say(tx, said).await?;
        rows.push(("course_comment", id));
        changes.push(change);
        let (id, change) = rate(tx, Scored { course_id, learner, score, content: None, bought: true }).await?;
        rows.push(("course_rating", id));
        changes.push(change);
    }
    tx.record(&changes).await?;
    let lesson = sqlx::query_scalar!(
        "select p.id from platform.online_period p join platform.online_chapter c on c.id = p.chapter_id
         where c.course_id = $1 order by c.sort, p.sort limit 1",
        course_id
    )
    .fetch_optional(&mut **tx)
    .await?;
    let Some(period_id) = lesson else { return Ok(rows) };
    for (place, (learner_id, (name, ..))) in learners.into_iter().zip(SAID).enumerate() {
        // The first sees the whole lesson, the others half of it.
        let halves = if place == 0 { 2 } else { 1 };
        for half in 0..=halves {
            let told = Beat {
                learner_id,
                learner_name: name.to_owned(),
                phone: format!("1390000901{place}"),
                period_id,
                position: half * HALF,
                delta: if half == 0 { 0 } else { HALF },
                device: "web".to_owned(),
            };
            beat(tx, now - TimeDelta::seconds((halves - half) * HALF), &told).await?;
        }
    }
    let studied = sqlx::query_scalar!("select id from platform.online_course_study where course_id = $1", course_id)
        .fetch_all(&mut **tx)
        .await?;
    rows.extend(studied.into_iter().map(|id| ("online_course_study", id)));
    Ok(rows)
}

/// Removes them, with what was answered.
///
/// # Errors
/// Only internal ones.
pub async fn remove(tx: &mut Tx, comments: &[i64], ratings: &[i64], studied: &[i64]) -> Result<()> {
    sqlx::query!("delete from platform.course_comment where parent_id = any($1)", comments).execute(&mut **tx).await?;
    sqlx::query!("delete from platform.course_comment where id = any($1)", comments).execute(&mut **tx).await?;
    sqlx::query!("delete from platform.course_rating where id = any($1)", ratings).execute(&mut **tx).await?;
    sqlx::query!(
        "delete from platform.online_study o using platform.online_course_study s
         where s.id = any($1) and o.course_id = s.course_id and o.learner_id = s.learner_id",
        studied
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "delete from platform.online_study_day d using platform.online_course_study s where s.id = any($1) and d.course_id = s.course_id",
        studied
    )
    .execute(&mut **tx)
    .await?;
    let courses =
        sqlx::query_scalar!("delete from platform.online_course_study where id = any($1) returning course_id", studied)
            .fetch_all(&mut **tx)
            .await?;
    for course_id in courses {
        course::studied(tx, course_id, -1).await?;
    }
    Ok(())
}
