//! Sheets and rows that are missing: one sheet of a batch, a course, a class and a round.

use std::collections::HashMap;

use infra::{Change, Error, Result, Tx};
use scores_rules::{
    enums::{ExamRound, ScoreMark, SheetRound, SheetSource},
    sheet::number,
};
use serde_json::json;

use super::hold::{HeldSheet, hold, hold_scores};
use crate::score::ensure::ensure;

/// Told of a sheet that takes no more rows.
pub(crate) fn past_entering(sheet: &HeldSheet) -> Error {
    Error::conflict(format!("成绩已提交审核，请先退回成绩登记表（{}）", sheet.sheet_no))
}

/// Where rows come from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Origin {
    /// None of what is assessed without an examination.
    pub setup: Option<i64>,
    pub batch: i64,
    pub course: i64,
    pub round: SheetRound,
    pub source: SheetSource,
}

/// A row that is wanted.
#[derive(Debug, Clone)]
pub(crate) struct NewRow {
    pub selection: i64,
    pub candidate: Option<i64>,
    pub round: ExamRound,
    /// In tenths.
    pub paper_total: i64,
    /// A mark that nobody types over.
    pub fixed: Option<ScoreMark>,
}

/// What stands now.
#[derive(Debug, Default)]
pub(crate) struct Made {
    pub sheets: Vec<i64>,
    /// Rows that are new.
    pub rows: i64,
    /// The row of each selection.
    pub of: HashMap<i64, i64>,
    pub changes: Vec<Change>,
}

/// Makes what is missing, and gives rows that stand their candidate and fixed mark; everything is held afterwards.
///
/// # Errors
/// 404 for no batch; 409 when a sheet is past entering and would change.
pub(crate) async fn make(tx: &mut Tx, origin: Origin, wanted: &[NewRow]) -> Result<Made> {
    let selections: Vec<i64> = wanted.iter().map(|row| row.selection).collect();
    let scores = ensure(tx, &selections).await?;
    let classes = sqlx::query!(
        "select distinct c.class_id from course_selection c where c.id = any($1) order by c.class_id",
        &selections
    )
    .fetch_all(&mut **tx)
    .await?;
    let classes: Vec<Option<i64>> = classes.into_iter().map(|row| row.class_id).collect();
    let (sheets, changes) = sheets_of(tx, origin, &classes).await?;
    let mut made = Made { sheets, changes, ..Made::default() };
    let held = hold(tx, &made.sheets).await?;
    let mut held_scores: Vec<i64> = scores.values().copied().collect();
    held_scores.sort_unstable();
    hold_scores(tx, &held_scores).await?;
    made.rows = add_rows(tx, &made.sheets, &scores, wanted).await?;
    let rows = sqlx::query!(
        "select r.id, r.sheet_id, s.selection_id from score_sheet_row r join course_score s on s.id = r.course_score_id
         where r.sheet_id = any($1) and s.selection_id = any($2)",
        &made.sheets,
        &selections
    )
    .fetch_all(&mut **tx)
    .await?;
    for row in rows {
        if let Some(sheet) = held.get(&row.sheet_id).filter(|sheet| !sheet.status.is_open()) {
            return Err(past_entering(sheet));
        }
        made.of.insert(row.selection_id, row.id);
    }
    mark(tx, &made.of, wanted).await?;
    Ok(made)
}

/// The sheets of these classes, made where there are none, in the order of the classes.
///
/// # Errors
/// 404 for no batch.
pub(crate) async fn sheets_of(tx: &mut Tx, origin: Origin, classes: &[Option<i64>]) -> Result<(Vec<i64>, Vec<Change>)> {
    // A make-up is of the semester of its setup, which need not be that of its batch.
    let batch = sqlx::query!(
        r#"select b.code as "code!", coalesce(x.semester_id, b.semester_id) as "semester_id!"
           from test_batch b left join exam_setup x on x.id = $2 where b.id = $1 for share of b"#,
        origin.batch,
        origin.setup
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    let by = tx.by();
    // Numbers of a batch run on one after the other.
    sqlx::query!(
        "select pg_advisory_xact_lock(hashtextextended('score sheet ' || current_schema() || ' ' || $1::bigint, 0))",
        origin.batch
    )
    .execute(&mut **tx)
    .await?;
    let last = sqlx::query_scalar!(
        r#"select coalesce(max(right(sheet_no, 5)::bigint), 0) as "last!" from score_sheet where batch_id = $1"#,
        origin.batch
    )
    .fetch_one(&mut **tx)
    .await?;
    let (mut sheets, mut changes) = (Vec::with_capacity(classes.len()), Vec::new());
    for (class, no) in classes.iter().copied().zip(last + 1..) {
        let known = sqlx::query_scalar!(
            "select id from score_sheet
             where batch_id = $1 and course_id = $2 and class_id is not distinct from $3 and round = $4",
            origin.batch,
            origin.course,
            class,
            origin.round.as_str()
        )
        .fetch_optional(&mut **tx)
        .await?;
        if let Some(id) = known {
            sheets.push(id);
            continue;
        }
        let sheet_no = number(&batch.code, no);
        let id = sqlx::query_scalar!(
            "insert into score_sheet (sheet_no, batch_id, course_id, semester_id, class_id, round, source, teacher_id, created_by,
                 updated_by)
             select $1, $2::bigint, $3::bigint, $4::bigint, $5::bigint, $6, $7,
                    coalesce(
                        (select m.teacher_id from exam_marker m
                         where m.setup_id = $8 and (m.scope <> 'by_class' or $5 = any(m.class_ids))
                         order by m.scope = 'by_class' desc, m.id limit 1),
                        (select a.teacher_id from course_allocation a join course_opening o on o.id = a.opening_id
                         where o.semester_id = $4 and o.course_id = $3 and a.role in ('marker', 'lecturer')
                           and (a.class_id is null or a.class_id = $5)
                         order by a.role desc, a.class_id nulls last, a.id limit 1)),
                    $9::bigint, $9::bigint
             returning id",
            sheet_no,
            origin.batch,
            origin.course,
            batch.semester_id,
            class,
            origin.round.as_str(),
            origin.source.as_str(),
            origin.setup,
            by
        )
        .fetch_one(&mut **tx)
        .await?;
        let what = json!({ "sheetNo": sheet_no, "classId": class, "round": origin.round.as_str() });
        changes.push(Change::event("score_sheet", id, "insert", what));
        sheets.push(id);
    }
    Ok((sheets, changes))
}

/// Adds the rows that are missing, each to the sheet of its class.
async fn add_rows(
    tx: &mut Tx,
    sheets: &[i64],
    scores: &std::collections::BTreeMap<i64, i64>,
    wanted: &[NewRow],
) -> Result<i64> {
    let of = |row: &NewRow| scores.get(&row.selection).copied();
    let rows: Vec<&NewRow> = wanted.iter().filter(|row| of(row).is_some()).collect();
    let keys: Vec<i64> = rows.iter().filter_map(|row| of(row)).collect();
    let candidates: Vec<Option<i64>> = rows.iter().map(|row| row.candidate).collect();
    let rounds: Vec<&str> = rows.iter().map(|row| row.round.as_str()).collect();
    let totals: Vec<i64> = rows.iter().map(|row| row.paper_total).collect();
    let by = tx.by();
    let added = sqlx::query!(
        "insert into score_sheet_row (sheet_id, course_score_id, candidate_id, row_round, paper_total, created_by, updated_by)
         select h.id, w.score, w.candidate, w.round, w.paper / 10.0, $6::bigint, $6::bigint
         from unnest($2::bigint[], $3::bigint[], $4::text[], $5::bigint[]) as w (score, candidate, round, paper)
         join course_score s on s.id = w.score
         join course_selection c on c.id = s.selection_id
         join score_sheet h on h.id = any($1) and h.class_id is not distinct from c.class_id
         where not exists (
             select from score_sheet_row r where r.course_score_id = w.score and r.sheet_id = any($1))
         on conflict (sheet_id, course_score_id) do nothing",
        sheets,
        &keys,
        &candidates as &[Option<i64>],
        &rounds as &[&str],
        &totals,
        by
    )
    .execute(&mut **tx)
    .await?;
    i64::try_from(added.rows_affected()).map_err(Error::internal)
}

/// Gives rows their candidate, and the mark that is fixed.
async fn mark(tx: &mut Tx, of: &HashMap<i64, i64>, wanted: &[NewRow]) -> Result<()> {
    let rows: Vec<(i64, &NewRow)> = wanted.iter().filter_map(|row| Some((*of.get(&row.selection)?, row))).collect();
    let ids: Vec<i64> = rows.iter().map(|(id, _)| *id).collect();
    let candidates: Vec<Option<i64>> = rows.iter().map(|(_, row)| row.candidate).collect();
    let totals: Vec<i64> = rows.iter().map(|(_, row)| row.paper_total).collect();
    let marks: Vec<Option<&str>> = rows.iter().map(|(_, row)| row.fixed.map(ScoreMark::as_str)).collect();
    let by = tx.by();
    sqlx::query!(
        "update score_sheet_row r
         set candidate_id = coalesce(w.candidate, r.candidate_id),
             paper_total = case when r.raw is null then w.paper / 10.0 else r.paper_total end,
             mark = coalesce(w.mark, r.mark), mark_fixed = r.mark_fixed or w.mark is not null,
             updated_at = now(), updated_by = $5::bigint, version = r.version + 1
         from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[]) as w (id, candidate, paper, mark)
         where r.id = w.id
           and (w.candidate is distinct from r.candidate_id and w.candidate is not null
                or w.mark is not null and (not r.mark_fixed or w.mark is distinct from r.mark)
                or r.raw is null and r.paper_total * 10 <> w.paper::numeric)",
        &ids,
        &candidates as &[Option<i64>],
        &totals,
        &marks as &[Option<&str>],
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
