//! What scores offer to the rooms that make them: results of examinations, marks of other registers, scores that are made elsewhere,
//! and what a student stands at (part 04 §5, §6). Called in the caller's own transaction.

use std::collections::HashMap;

use course_selection::score::complete_selection;
use infra::{Change, Error, Result, Tx, clock::Moment};
use scores_rules::{
    arith::of_hundred,
    enums::{
        CourseScoreStatus, ExamRound, ExamScoreSource, GradingMode, ScoreMark, SheetRound, SheetSource, SheetStatus,
    },
    gpa,
    total::{Total, text},
};
use serde_json::{Value, json};
use sqlx::PgConnection;

use crate::{
    correction::opened,
    score::{compute, ensure::ensure, settle},
    sheet::{
        hold::{hold, hold_scores, hold_selections},
        make::{NewRow, Origin, make, past_entering as submitted},
        steps::lock_all,
        write::{count, follow_rows},
    },
};

/// Whose result of which round it is; in tenths of the paper. Fixed marks are typed over by nobody. The mark of a violation voids
/// the examination: who was only warned has none.
#[derive(Debug, Clone)]
pub struct ExamResult {
    pub selection: i64,
    pub candidate: Option<i64>,
    pub round: ExamRound,
    pub raw: Option<i64>,
    pub paper_total: i64,
    pub mark: ScoreMark,
    pub fixed: bool,
}

/// Of which examination results are.
#[derive(Debug, Clone, Copy)]
pub struct SheetOrigin {
    pub setup: i64,
    pub batch: i64,
    pub course: i64,
    pub round: SheetRound,
    pub source: SheetSource,
    /// Values are written, not only rows.
    pub entered: bool,
}

/// What was received.
#[derive(Debug, Default)]
pub struct Received {
    pub sheets: Vec<i64>,
    pub changes: Vec<Change>,
}

/// Puts results into the sheets of their classes, making sheets and rows that are missing; with `entered` values are written
/// (online), else rows wait for entry (offline, assessment). What somebody typed is not replaced. What a candidate was marked with
/// before counts here, too. Holds the batch, sheets and scores, each by id.
///
/// # Errors
/// 409 with the sheet when one is past entering.
pub async fn receive(tx: &mut Tx, origin: SheetOrigin, results: &[ExamResult]) -> Result<Received> {
    let known = marks_of(tx, results).await?;
    let fixed = |result: &ExamResult| {
        let own = result.fixed.then_some(result.mark);
        own.or_else(|| result.candidate.and_then(|candidate| known.get(&candidate).copied()))
    };
    let wanted: Vec<NewRow> = results
        .iter()
        .map(|result| NewRow {
            selection: result.selection,
            candidate: result.candidate,
            round: result.round,
            paper_total: result.paper_total,
            fixed: fixed(result),
        })
        .collect();
    let of = Origin {
        setup: Some(origin.setup),
        batch: origin.batch,
        course: origin.course,
        round: origin.round,
        source: origin.source,
    };
    let made = make(tx, of, &wanted).await?;
    if origin.entered {
        enter(tx, &made.of, results).await?;
    }
    let mut rows: Vec<i64> = made.of.values().copied().collect();
    rows.sort_unstable();
    let source = (origin.source == SheetSource::Online).then_some(ExamScoreSource::Online);
    follow_rows(tx, &rows, source, "").await?;
    count(tx, &made.sheets).await?;
    let scores =
        sqlx::query_scalar!("select course_score_id from score_sheet_row where id = any($1) order by 1", &rows)
            .fetch_all(&mut **tx)
            .await?;
    compute::compute(tx, &scores, compute::of_all_kinds()).await?;
    settle(tx, &scores).await?;
    let mut changes = made.changes;
    for sheet in &made.sheets {
        let what = json!({ "setupId": origin.setup, "rows": rows.len(), "entered": origin.entered });
        changes.push(Change::event("score_sheet", *sheet, "receive", what));
    }
    Ok(Received { sheets: made.sheets, changes })
}

/// What candidates were marked with, by them.
async fn marks_of(connection: &mut PgConnection, results: &[ExamResult]) -> Result<HashMap<i64, ScoreMark>> {
    let candidates: Vec<i64> = results.iter().filter_map(|result| result.candidate).collect();
    let rows = sqlx::query!(
        r#"select c.id as "id!", case
                      when c.violation_level = 'cheating' then 'cheating'
                      when c.violation_level = 'violation' and v.penalty in ('score_void', 'batch_void') then 'violation'
                      when c.eligibility in ('deferred', 'disqualified', 'exempt') then c.eligibility
                      when c.attendance = 'absent' then 'absent'
                  end as "mark?: ScoreMark"
           from exam_candidate c left join exam_violation v on v.id = c.violation_id
           where c.id = any($1)"#,
        &candidates
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().filter_map(|row| Some((row.id, row.mark?))).collect())
}

/// Writes values into rows; those that somebody typed or imported stay.
async fn enter(tx: &mut Tx, of: &HashMap<i64, i64>, results: &[ExamResult]) -> Result<()> {
    let rows: Vec<(i64, &ExamResult)> =
        results.iter().filter_map(|result| Some((*of.get(&result.selection)?, result))).collect();
    let ids: Vec<i64> = rows.iter().map(|(id, _)| *id).collect();
    let raws: Vec<Option<i64>> = rows.iter().map(|(_, result)| result.raw).collect();
    let totals: Vec<i64> = rows.iter().map(|(_, result)| result.paper_total).collect();
    let values: Vec<Option<i64>> =
        rows.iter().map(|(_, result)| result.raw.map(|raw| of_hundred(raw, result.paper_total))).collect();
    let by = tx.by();
    sqlx::query!(
        "update score_sheet_row r
         set paper_total = w.paper / 10.0, raw = w.raw / 10.0, value = w.value / 10.0,
             mark = case when r.mark_fixed then r.mark when w.raw is not null then 'normal' end,
             updated_at = now(), updated_by = $5::bigint, version = r.version + 1
         from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) as w (id, raw, paper, value)
         where r.id = w.id and not r.excluded
           and not exists (
               select from exam_score e
               where e.course_score_id = r.course_score_id and e.sheet_id = r.sheet_id and e.source <> 'online')",
        &ids,
        &raws as &[Option<i64>],
        &totals,
        &values as &[Option<i64>],
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// A mark that a deferral, a violation, a record of absence or a disqualification sets, or takes back (`mark: None`).
#[derive(Debug, Clone)]
pub struct FixedMark {
    pub selection: i64,
    pub candidate: i64,
    pub mark: Option<ScoreMark>,
    pub zero_exam: bool,
    pub violation: Option<i64>,
    pub reason: String,
}

/// What became of them.
#[derive(Debug, Default)]
pub struct Fixed {
    pub rows: i64,
    pub corrections: Vec<i64>,
    pub changes: Vec<Change>,
}

/// Sheets that are being entered get it at once. No row yet: nothing, because [`receive`] sees the candidate's marks later.
/// Of a published sheet a correction is opened.
///
/// # Errors
/// 409 of a sheet that was submitted and not published, and to take back from a score that is locked.
pub async fn fix_marks(tx: &mut Tx, marks: &[FixedMark]) -> Result<Fixed> {
    let candidates: Vec<i64> = marks.iter().map(|mark| mark.candidate).collect();
    let of = sqlx::query!(
        r#"select r.id, r.candidate_id as "candidate!", r.sheet_id, r.course_score_id from score_sheet_row r
           where r.candidate_id = any($1) and not r.excluded"#,
        &candidates
    )
    .fetch_all(&mut **tx)
    .await?;
    let sheets: Vec<i64> = of.iter().map(|row| row.sheet_id).collect();
    let scores: Vec<i64> = of.iter().map(|row| row.course_score_id).collect();
    let held = hold(tx, &sheets).await?;
    hold_scores(tx, &scores).await?;
    let (mut fixed, mut rows) = (Fixed::default(), Vec::new());
    for mark in marks {
        // Who was only warned keeps the result.
        if mark.mark == Some(ScoreMark::Violation) && !mark.zero_exam {
            continue;
        }
        for row in of.iter().filter(|row| row.candidate == mark.candidate) {
            let Some(sheet) = held.get(&row.sheet_id) else { continue };
            match sheet.status {
                SheetStatus::Pending | SheetStatus::Entering | SheetStatus::Returned => {
                    if let Some(change) = fix(tx, row.id, mark).await? {
                        fixed.changes.push(change);
                        fixed.rows += 1;
                        rows.push(row.id);
                    }
                }
                SheetStatus::Submitted | SheetStatus::FirstReviewed | SheetStatus::Reviewed => {
                    return Err(submitted(sheet));
                }
                SheetStatus::Locked if mark.mark.is_none() => {
                    return Err(Error::conflict("成绩已锁定，请走成绩更正"));
                }
                SheetStatus::Published | SheetStatus::Locked => {
                    if let Some((id, change)) = opened(tx, row.course_score_id, row.sheet_id, mark).await? {
                        fixed.corrections.push(id);
                        fixed.changes.push(change);
                    }
                }
            }
        }
    }
    follow_rows(tx, &rows, None, "").await?;
    count(tx, &sheets).await?;
    settle(tx, &scores).await?;
    Ok(fixed)
}

/// Fixes the mark of one row, or frees it: then it holds its value again, as far as there is one.
async fn fix(tx: &mut Tx, row: i64, mark: &FixedMark) -> Result<Option<Change>> {
    let by = tx.by();
    let word = mark.mark.map(ScoreMark::as_str);
    let changed = sqlx::query!(
        r#"update score_sheet_row
           set mark = case when $2::text is not null then $2 when value is not null then 'normal' end,
               mark_fixed = $2::text is not null, updated_at = now(), updated_by = $3, version = version + 1
           where id = $1 and (mark_fixed or $2::text is not null) and (mark, mark_fixed) is distinct from ($2::text, $2::text is not null)
           returning id"#,
        row,
        word,
        by
    )
    .fetch_optional(&mut **tx)
    .await?;
    let what = json!({ "mark": word, "violationId": mark.violation });
    let change = |_| Change::event("score_sheet_row", row, "mark", what).because(Some(&mark.reason[..]));
    Ok(changed.map(change))
}

/// Candidates whose sheet is past entering. Reads.
///
/// # Errors
/// Those of the database.
pub async fn past_entering(connection: &mut PgConnection, candidates: &[i64]) -> Result<Vec<i64>> {
    Ok(sqlx::query_scalar!(
        r#"select distinct r.candidate_id as "candidate!" from score_sheet_row r join score_sheet s on s.id = r.sheet_id
           where r.candidate_id = any($1) and s.status not in ('pending', 'entering', 'returned')"#,
        candidates
    )
    .fetch_all(connection)
    .await?)
}

/// Sheets of a batch that are not published. Reads.
///
/// # Errors
/// Those of the database.
pub async fn unpublished_of(connection: &mut PgConnection, batch: i64) -> Result<i64> {
    Ok(sqlx::query_scalar!(
        r#"select count(*) as "open!" from score_sheet where batch_id = $1 and status not in ('published', 'locked')"#,
        batch
    )
    .fetch_one(connection)
    .await?)
}

/// Locks every published sheet of a batch. The batch is held.
///
/// # Errors
/// Those of the database.
pub async fn lock_batch(tx: &mut Tx, batch: i64) -> Result<Vec<Change>> {
    let sheets = sqlx::query_scalar!(
        "select id from score_sheet where batch_id = $1 and status = 'published' order by id",
        batch
    )
    .fetch_all(&mut **tx)
    .await?;
    lock_all(tx, &sheets).await
}

/// Tells that what the scores of these selections are computed of changed: they are out of date until they are computed anew, which
/// the work that follows the rosters does within minutes. What is published stays as it is. Holds scores by id.
///
/// # Errors
/// 409 when somebody else holds one for too long.
pub async fn sources_changed(tx: &mut Tx, selections: &[i64]) -> Result<()> {
    let ids = sqlx::query_scalar!(
        "select id from course_score
         where selection_id = any($1) and status in ('computing', 'pending') and not stale and not imported
         order by id for update",
        selections
    )
    .fetch_all(&mut **tx)
    .await?;
    if ids.is_empty() {
        return Ok(());
    }
    let by = tx.by();
    sqlx::query!(
        "update course_score set stale = true, updated_at = now(), updated_by = $2, version = version + 1 where id = any($1)",
        &ids,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// A score that is made elsewhere (total of a thesis, internship), in tenths.
#[derive(Debug, Clone)]
pub struct MadeScore {
    pub selection: i64,
    pub total: i64,
    pub mark: ScoreMark,
    pub grading: GradingMode,
    pub pass_line: i64,
    pub formula: Value,
    /// None: by its grading.
    pub text: Option<String>,
}

/// Holds what [`publish_made`] and [`lock_made`] will hold: openings, selections, scores; each by id. For whoever holds records of its
/// own behind them.
///
/// # Errors
/// 409 when somebody else holds one for too long.
pub async fn hold_made(tx: &mut Tx, selections: &[i64]) -> Result<()> {
    let openings = sqlx::query_scalar!("select opening_id from course_selection where id = any($1)", selections)
        .fetch_all(&mut **tx)
        .await?;
    hold_selections(tx, &openings, selections).await?;
    sqlx::query_scalar!("select id from course_score where selection_id = any($1) order by id for update", selections)
        .fetch_all(&mut **tx)
        .await?;
    Ok(())
}

/// Makes these scores, or replaces them, publishes them and ends their selections. Holds openings, selections and scores.
///
/// # Errors
/// 409 for one that is locked, and for a selection that nobody is in any more.
pub async fn publish_made(tx: &mut Tx, made: &[MadeScore]) -> Result<Vec<Change>> {
    let selections: Vec<i64> = made.iter().map(|score| score.selection).collect();
    hold_made(tx, &selections).await?;
    let ids = ensure(tx, &selections).await?;
    let mut held: Vec<i64> = ids.values().copied().collect();
    held.sort_unstable();
    hold_scores(tx, &held).await?;
    let (by, now) = (tx.by(), tx.app().clock().now());
    let mut changes = Vec::new();
    let mut sorted: Vec<&MadeScore> = made.iter().collect();
    sorted.sort_by_key(|score| score.selection);
    for score in sorted {
        let id = *ids.get(&score.selection).ok_or_else(Error::not_found)?;
        let passed = matches!(score.mark, ScoreMark::Normal | ScoreMark::Exempt) && score.total >= score.pass_line;
        let total = Total {
            value: Some(score.total),
            mark: score.mark,
            passed: Some(passed),
            blocked: Vec::new(),
            steps: Vec::new(),
        };
        let said = score.text.clone().unwrap_or_else(|| text(&total, score.grading, ExamRound::First));
        // What is exempt counts in no average and has no point.
        let point = match (score.mark, passed) {
            (ScoreMark::Exempt, _) => None,
            (_, true) => Some(gpa::point(scores_rules::enums::GpaScale::Linear5, score.total)),
            (_, false) => Some(0),
        };
        let before = sqlx::query!(
            r#"select status as "status: CourseScoreStatus", display_text from course_score where id = $1"#,
            id
        )
        .fetch_one(&mut **tx)
        .await?;
        if before.status == CourseScoreStatus::Locked {
            return Err(Error::conflict("成绩已锁定，请走成绩更正"));
        }
        sqlx::query!(
            "update course_score
             set grading_mode = $2, first_total = $3::bigint / 10.0, first_mark = $4, total = $3::bigint / 10.0, mark = $4,
                 effective_round = 'first', display_text = $5, passed = $6,
                 earned_credits = case when $6 then credits else 0 end, grade_point = $7::bigint / 100.0, formula = $8,
                 status = 'published', stale = false, published_at = coalesce(published_at, $9::timestamptz),
                 counted_at = $9::timestamptz, updated_at = now(), updated_by = $10, version = version + 1
             where id = $1",
            id,
            score.grading.as_str(),
            score.total,
            score.mark.as_str(),
            said,
            passed,
            point,
            score.formula,
            now as _,
            by
        )
        .execute(&mut **tx)
        .await?;
        let what = json!({ "before": before.display_text, "after": said });
        changes.push(Change::event("course_score", id, "publish", what));
        changes.push(complete_selection(tx, score.selection, score.total, passed).await?);
    }
    Ok(changes)
}

/// Locks the published scores of these selections.
///
/// # Errors
/// Those of the database.
pub async fn lock_made(tx: &mut Tx, selections: &[i64]) -> Result<Vec<Change>> {
    let ids = sqlx::query_scalar!(
        "select id from course_score where selection_id = any($1) and status = 'published' order by id for update",
        selections
    )
    .fetch_all(&mut **tx)
    .await?;
    lock_scores(tx, &ids).await
}

async fn lock_scores(tx: &mut Tx, ids: &[i64]) -> Result<Vec<Change>> {
    let (by, now) = (tx.by(), tx.app().clock().now());
    sqlx::query!(
        "update course_score
         set status = 'locked', locked_at = $2, updated_at = now(), updated_by = $3, version = version + 1
         where id = any($1) and status = 'published'",
        ids,
        now as _,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(ids.iter().map(|id| Change::status("course_score", *id, "status", "published", "locked")).collect())
}

/// Locks what students have published, at the confirmation of a graduation. By the ids of students.
///
/// # Errors
/// Those of the database.
pub async fn lock_students(tx: &mut Tx, students: &[i64]) -> Result<Vec<Change>> {
    let ids = sqlx::query_scalar!(
        "select id from course_score where student_id = any($1) and status = 'published' order by id for update",
        students
    )
    .fetch_all(&mut **tx)
    .await?;
    lock_scores(tx, &ids).await
}

/// Unlocks it again, when a graduation is revoked: what stands on no locked sheet, and was not imported, is published as before.
///
/// # Errors
/// Those of the database.
pub async fn unlock_students(tx: &mut Tx, students: &[i64]) -> Result<Vec<Change>> {
    let by = tx.by();
    sqlx::query_scalar!("select id from course_score where student_id = any($1) order by id for update", students)
        .fetch_all(&mut **tx)
        .await?;
    let ids = sqlx::query_scalar!(
        "update course_score s
         set status = 'published', locked_at = null, updated_at = now(), updated_by = $2, version = s.version + 1
         where s.student_id = any($1) and s.status = 'locked' and not s.imported
           and not exists (
               select from score_sheet_row r join score_sheet h on h.id = r.sheet_id
               where r.course_score_id = s.id and not r.excluded and h.status = 'locked')
           and not exists (
               select from graduation_score g where g.selection_id = s.selection_id and g.status = 'locked')
         returning s.id",
        students,
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(ids.iter().map(|id| Change::status("course_score", *id, "status", "locked", "published")).collect())
}

/// Credits, averages and what was failed, of published scores.
#[derive(Debug, Clone, Default)]
pub struct Standing {
    /// Tenths of credits.
    pub earned: i64,
    /// Tenths.
    pub average: Option<i64>,
    /// Hundredths.
    pub gpa: Option<i64>,
    /// Mean of the courses of the degree, in tenths.
    pub degree_mean: Option<i64>,
    /// Courses whose first examination was not passed.
    pub first_failed: i64,
    /// When a score of them counted last.
    pub counted_at: Option<Moment>,
}

/// Students that are read at once.
const AT_ONCE: usize = 2_000;

/// What students stand at, by them. Who has no published score has no row.
///
/// # Errors
/// Those of the database.
pub async fn standing_of(connection: &mut PgConnection, students: &[i64]) -> Result<HashMap<i64, Standing>> {
    let mut standings: HashMap<i64, Standing> = HashMap::new();
    for part in students.chunks(AT_ONCE) {
        let rows = sqlx::query!(
            r#"select t.student_id as "student!", (t.credits * 10)::bigint as "credits!", (t.total * 10)::bigint as "total?",
                      t.mark as "mark?: ScoreMark", (t.earned_credits * 10)::bigint as "earned!",
                      (t.grade_point * 100)::bigint as "point?", (t.first_total * 10)::bigint as "first?",
                      coalesce(p.degree_course, false) as "degree!"
               from transcript_score t left join plan_course p on p.id = t.plan_course_id
               where t.student_id = any($1)"#,
            part
        )
        .fetch_all(&mut *connection)
        .await?;
        let (mut points, mut totals, mut degree): (Weighed, Weighed, Weighed) = Default::default();
        for row in rows {
            let standing = standings.entry(row.student).or_default();
            standing.earned += row.earned;
            standing.first_failed += i64::from(row.first.is_some_and(|first| first < 600));
            if matches!(row.mark, Some(ScoreMark::Exempt | ScoreMark::Deferred)) {
                continue;
            }
            let total = row.total.unwrap_or_default();
            points.entry(row.student).or_default().push((row.credits, row.point.unwrap_or_default()));
            totals.entry(row.student).or_default().push((row.credits, total));
            if row.degree {
                degree.entry(row.student).or_default().push((1, total));
            }
        }
        let counted = sqlx::query!(
            r#"select student_id, max(counted_at) as "at?" from course_score
               where student_id = any($1) and counted_at is not null group by student_id"#,
            part
        )
        .fetch_all(&mut *connection)
        .await?;
        for row in counted {
            standings.entry(row.student_id).or_default().counted_at = row.at;
        }
        for student in part {
            let Some(standing) = standings.get_mut(student) else { continue };
            standing.gpa = points.get(student).and_then(|rows| gpa::gpa(rows));
            standing.average = totals.get(student).and_then(|rows| gpa::average(rows));
            standing.degree_mean = degree.get(student).and_then(|rows| gpa::average(rows));
        }
    }
    Ok(standings)
}

/// Weights and values by student.
type Weighed = HashMap<i64, Vec<(i64, i64)>>;
