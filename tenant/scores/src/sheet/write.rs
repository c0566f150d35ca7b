//! What follows of the rows of sheets: the rounds of their scores, and the counts of the sheets.

use infra::{Result, Tx};
use scores_rules::enums::ExamScoreSource;

/// Makes the rounds of scores what these rows say; what is published is changed by a correction alone. Without a source each keeps
/// its own, and an examination does not take over what somebody typed. The scores are held.
///
/// # Errors
/// Those of the database.
pub(crate) async fn follow_rows(tx: &mut Tx, rows: &[i64], source: Option<ExamScoreSource>, name: &str) -> Result<()> {
    let by = tx.by();
    let source = source.map(ExamScoreSource::as_str);
    sqlx::query!(
        "delete from exam_score e using score_sheet_row r
         where r.id = any($1) and e.course_score_id = r.course_score_id and e.sheet_id = r.sheet_id and not e.published
           and (r.mark is null or r.excluded)",
        rows
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "update exam_score e
         set raw = r.raw, paper_total = r.paper_total, value = r.value, mark = r.mark,
             source = case when $2::text is null or ($2 = 'online' and e.source <> 'online') then e.source else $2 end,
             entered_by_name = case when $2 is null or ($2 = 'online' and e.source <> 'online') then e.entered_by_name else $3 end,
             candidate_id = r.candidate_id, round = r.row_round, updated_at = now(), updated_by = $4, version = e.version + 1
         from score_sheet_row r
         where r.id = any($1) and e.course_score_id = r.course_score_id and e.sheet_id = r.sheet_id and not e.published
           and r.mark is not null and not r.excluded",
        rows,
        source,
        name,
        by
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into exam_score (course_score_id, round, round_no, setup_id, candidate_id, raw, paper_total, value, mark, source,
             sheet_id, entered_by_name, created_by, updated_by)
         select r.course_score_id, r.row_round,
                1 + coalesce((select max(e.round_no) from exam_score e
                              where e.course_score_id = r.course_score_id and e.round = r.row_round), 0),
                c.setup_id, r.candidate_id, r.raw, r.paper_total, r.value, r.mark, coalesce($2::text, 'offline_entry'), r.sheet_id, $3::text, $4::bigint,
                $4::bigint
         from score_sheet_row r left join exam_candidate c on c.id = r.candidate_id
         where r.id = any($1) and r.mark is not null and not r.excluded
           and not exists (
               select from exam_score e where e.course_score_id = r.course_score_id and e.sheet_id = r.sheet_id)",
        rows,
        source,
        name,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Counts the rows of these sheets anew; one that has a first value, or where none is left to type, is being entered.
///
/// # Errors
/// Those of the database.
pub(crate) async fn count(tx: &mut Tx, sheets: &[i64]) -> Result<()> {
    let by = tx.by();
    sqlx::query!(
        "update score_sheet s
         set total_count = n.total, entered_count = n.entered, absent_count = n.absent,
             status = case when s.status = 'pending' and n.begun then 'entering' else s.status end,
             updated_at = now(), updated_by = $2, version = s.version + 1
         from (select w.id, count(r.id)::integer as total, count(r.mark)::integer as entered,
                      (count(r.id) filter (where r.mark = 'absent'))::integer as absent,
                      count(r.mark) filter (where not r.mark_fixed) > 0 or count(r.mark) = count(r.id) and count(r.id) > 0 as begun
               from unnest($1::bigint[]) as w (id) left join score_sheet_row r on r.sheet_id = w.id and not r.excluded
               group by w.id) n
         where s.id = n.id
           and ((s.total_count, s.entered_count, s.absent_count) is distinct from (n.total, n.entered, n.absent)
                or s.status = 'pending' and n.begun)",
        sheets,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
