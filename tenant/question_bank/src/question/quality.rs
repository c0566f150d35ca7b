//! 试题质量: 得分率 and 区分度 of questions from the sheets that were marked (part 03 A7).
//!
//! 得分率 is what was given of what could be given. 区分度 is by how much the 27 % of the sheets with the most points had more of
//! the question than the 27 % with the fewest: near 1 it tells apart, near 0 it does not, below 0 something is wrong with it.

use infra::{Change, Result, Tx, clock::Moment};
use serde_json::json;

/// So many sheets must answer a question before something is said of its 区分度.
const LEAST: i64 = 20;

/// So many sheets must answer a question before its 得分率 is told: of fewer it tells what each student got.
pub(super) const LEAST_TOLD: i32 = 5;

/// Measures every question anew by the marked sheets of the school. A question with parts is measured whole and part by part.
/// Nothing to be kept where there was nothing to measure. Sheets of examinations count once their score is published.
///
/// # Errors
/// Those of the database.
pub async fn measure(tx: &mut Tx, now: Moment) -> Result<Option<Change>> {
    let measured = sqlx::query!(
        "insert into question_quality (question_id, answers, score_rate, discrimination, measured_at)
         select m.id, m.answers::integer, m.rate, m.discrimination, $1::timestamptz
         from (with given as (
                   select q.question_id, q.whole_id, a.id as sheet_id, coalesce(i.score, 0) as score, q.score as most,
                          (coalesce(a.objective_score, 0) + coalesce(a.subjective_score, 0)) / s.total_score as whole
                   from answer_sheet a
                   join paper_snapshot s on s.id = a.snapshot_id and s.total_score > 0
                   join answer_item i on i.sheet_id = a.id
                   join snapshot_question q on q.id = i.snapshot_question_id
                   where a.mark_state = 'marked'
                     and (a.exam_candidate_id is null or exists (
                              select from exam_score e where e.candidate_id = a.exam_candidate_id and e.published))),
               told as (
                   select g.question_id as id, g.sheet_id, g.whole, g.score, g.most from given g
                   union all
                   select g.whole_id, g.sheet_id, g.whole, sum(g.score), sum(g.most)
                   from given g where g.whole_id <> g.question_id group by g.whole_id, g.sheet_id, g.whole),
               placed as (
                   select t.id, t.score, t.most, count(*) over (partition by t.id) as answers,
                          row_number() over (partition by t.id order by t.whole, t.sheet_id) as place
                   from told t join question q on q.id = t.id where t.most > 0),
               grouped as (
                   select p.*, p.place <= round(p.answers * 0.27) as worst, p.place > p.answers - round(p.answers * 0.27) as best
                   from placed p)
               select g.id, g.answers, round(100 * sum(g.score) / sum(g.most), 1) as rate,
                      case when g.answers >= $2 then
                          round(sum(g.score) filter (where g.best) / sum(g.most) filter (where g.best)
                                - sum(g.score) filter (where g.worst) / sum(g.most) filter (where g.worst), 2) end as discrimination
               from grouped g group by g.id, g.answers) m
         on conflict on constraint question_quality_key do update
             set answers = excluded.answers, score_rate = excluded.score_rate, discrimination = excluded.discrimination,
                 measured_at = excluded.measured_at",
        now as _,
        LEAST
    )
    .execute(&mut **tx)
    .await?
    .rows_affected();
    // Whose sheets were all given back, or became void, is not measured any more.
    let gone = sqlx::query!("delete from question_quality where measured_at < $1", now as _)
        .execute(&mut **tx)
        .await?
        .rows_affected();
    let what = json!({ "measured": measured, "gone": gone });
    Ok((measured + gone > 0).then(|| Change::event("question", 0, "measure", what)))
}
