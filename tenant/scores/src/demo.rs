//! Scores of a demonstration school: what is over as it was published then, those of semesters that go on computed as the night would
//! compute them; sheets in every state, and corrections of what is published.

use chrono::NaiveDate;
use infra::{Result, Scope, Tx};
use scores_rules::{
    enums::{ExamScoreSource, ScoreMark},
    sheet::SheetTurn,
};

use crate::{
    component::recompute::anew,
    correction::audit::{ScoreCorrectionAudit, decided},
    score::{compute::of_all_kinds, ensure::ensure, settle},
    sheet::{
        enter::{rows_of, write_row},
        hold::{Who, hold_scores, hold_with_selections, scores_of},
        steps::turn,
        write::{count, follow_rows},
    },
};

/// Selections of one statement.
const AT_ONCE: usize = 500;
/// Whoever enters.
const CLERK: &str = "教务员";
/// Whoever decides corrections is not who asked for them.
const AUDITOR: (i64, &str) = (-1, "教务处");

/// Makes the scores of who studies now, and of what they finished.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx, _today: NaiveDate) -> Result<()> {
    over(tx).await?;
    let selections = sqlx::query_scalar!(
        "select c.id from course_selection c
         join semester e on e.id = c.semester_id and e.closed_at is null
         where c.status = 'selected' order by c.id limit 4000"
    )
    .fetch_all(&mut **tx)
    .await?;
    for part in selections.chunks(AT_ONCE) {
        let mut ids: Vec<i64> = ensure(tx, part).await?.into_values().collect();
        ids.sort_unstable();
        anew(tx, &ids, of_all_kinds()).await?;
    }
    Ok(())
}

/// What the selections that are completed came to, published and locked some weeks behind their semester.
async fn over(tx: &mut Tx) -> Result<()> {
    let selections = sqlx::query_scalar!("select id from course_selection where status = 'completed' order by id")
        .fetch_all(&mut **tx)
        .await?;
    for part in selections.chunks(AT_ONCE) {
        ensure(tx, part).await?;
    }
    sqlx::query!(
        "update course_score s
         set first_total = c.final_score, first_mark = 'normal', total = c.final_score, mark = 'normal', effective_round = 'first',
             display_text = trim_scale(c.final_score)::text, passed = c.passed,
             earned_credits = case when c.passed then s.credits else 0 end,
             grade_point = case when c.passed then round((c.final_score - 50) / 10, 2) else 0 end, status = 'locked', stale = false,
             published_at = w.at, counted_at = w.at, locked_at = w.at + interval '15 days'
         from course_selection c
         join semester e on e.id = c.semester_id
         cross join lateral (select (e.ends_on + 10)::timestamp at time zone 'Asia/Shanghai' as at) w
         where c.id = s.selection_id and c.status = 'completed' and c.final_score is not null"
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Leads the sheets that examinations made each as far as its place says, and asks for corrections of what is published then.
///
/// # Errors
/// Only internal ones.
pub async fn sheets(tx: &mut Tx) -> Result<()> {
    use SheetTurn::{Audit, Lock, Publish, Reject, Review, Submit};
    let sheets =
        sqlx::query_scalar!("select id from score_sheet where status = 'pending' and total_count > 0 order by id")
            .fetch_all(&mut **tx)
            .await?;
    for (place, id) in sheets.into_iter().enumerate() {
        let (is_half, turns): (bool, &[SheetTurn]) = match place % 8 {
            0 => continue,
            1 => (true, &[]),
            2 => (false, &[Submit]),
            3 => (false, &[Submit, Review]),
            4 => (false, &[Submit, Review, Audit]),
            5 => (false, &[Submit, Review, Audit, Publish]),
            6 => (false, &[Submit, Review, Audit, Publish, Lock]),
            _ => (false, &[Submit, Reject]),
        };
        entered(tx, id, is_half).await?;
        for step in turns {
            turned(tx, id, *step).await?;
        }
    }
    corrections(tx).await
}

/// Who sat for it got a score; who does not appear is absent, once in a while.
async fn entered(tx: &mut Tx, sheet: i64, is_half: bool) -> Result<()> {
    let ids = sqlx::query_scalar!(
        "select r.id from score_sheet_row r where r.sheet_id = $1 and not r.excluded and not r.mark_fixed and r.mark is null order by r.id",
        sheet
    )
    .fetch_all(&mut **tx)
    .await?;
    let most = if is_half { ids.len().div_ceil(2) } else { ids.len() };
    let ids = &ids[..most];
    hold_with_selections(tx, &[sheet]).await?;
    let scores = scores_of(tx, &[sheet]).await?;
    hold_scores(tx, &scores).await?;
    let rows = rows_of(tx, ids).await?;
    let mut changes = Vec::with_capacity(rows.len());
    for row in rows.values() {
        let change = if row.id % 23 == 7 {
            write_row(tx, row, None, Some(ScoreMark::Absent)).await?
        } else {
            // Between half of the paper and nearly all of it, in whole points.
            let points = 50 + row.id * 11 % 47;
            write_row(tx, row, Some(row.paper_total * points / 100), Some(ScoreMark::Normal)).await?
        };
        changes.push(change);
    }
    tx.record(&changes).await?;
    follow_rows(tx, ids, Some(ExamScoreSource::OfflineEntry), CLERK).await?;
    count(tx, &[sheet]).await?;
    settle(tx, &scores).await?;
    Ok(())
}

/// One step of a sheet, by somebody who has no other step of it.
async fn turned(tx: &mut Tx, sheet: i64, step: SheetTurn) -> Result<()> {
    let held = hold_with_selections(tx, &[sheet]).await?;
    let scores = scores_of(tx, &[sheet]).await?;
    hold_scores(tx, &scores).await?;
    let Some(sheet) = held.get(&sheet) else { return Ok(()) };
    let name = match step {
        SheetTurn::Enter | SheetTurn::Submit => CLERK,
        SheetTurn::Review | SheetTurn::Reject => "学院教学秘书",
        SheetTurn::Audit | SheetTurn::Publish | SheetTurn::Unpublish | SheetTurn::Lock => AUDITOR.1,
    };
    let who = Who { account: None, teacher: None, name: name.to_owned() };
    let why = (step == SheetTurn::Reject).then_some("卷面分与试卷不符，请核对后重新提交");
    let change = turn(tx, sheet, None, (step, why), &who).await?;
    tx.record(&[change]).await
}

/// One correction in each state, of examinations that are published.
async fn corrections(tx: &mut Tx) -> Result<()> {
    let rows = sqlx::query!(
        r#"insert into score_correction (course_score_id, target, exam_score_id, old_value, old_mark, new_value, new_mark, old_text,
               reason_type, reason, status, applied_by, applied_by_name, created_by, updated_by)
           select n.score, 'exam', n.id, n.value, n.mark, n.value + 4, n.mark, n.said,
                  (array['entry_error', 'marking_error', 'recount', 'entry_error'])[n.place::integer],
                  (array['登分时看错行', '第三题漏判', '复核加分', '重复登记'])[n.place::integer],
                  case when n.place = 4 then 'cancelled' else 'applied' end, 0, '教务员', 0, 0
           from (select e.id, e.value, e.mark, s.id as score, s.display_text as said, row_number() over (order by e.id) as place
                 from exam_score e join course_score s on s.id = e.course_score_id
                 where e.published and e.mark = 'normal' and e.value between 50 and 90) n
           where n.place <= 4
           order by n.place
           returning id, version, status"#
    )
    .fetch_all(&mut **tx)
    .await?;
    let waiting = rows.into_iter().filter(|row| row.status == "applied");
    for (row, (pass, opinion)) in waiting.zip([(true, "已核对试卷，同意更正"), (false, "复核后原分数无误")])
    {
        let decision =
            ScoreCorrectionAudit { id: row.id, version: row.version, pass, opinion: Some(opinion.to_owned()) };
        let changes = decided(tx, &decision, &Scope::whole_school(), Some(&Scope::whole_school()), AUDITOR).await?;
        tx.record(&changes).await?;
    }
    Ok(())
}
