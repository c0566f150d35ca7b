//! 分配, 完成 and 转入成绩 of the marking of an examination (part 04 §2.3).

use exam_rules::percent::of_hundred;
use exams::{
    candidate::scored,
    enums::{ExamAttendance, ExamEligibility, ExamMode, ExamSetupStatus, MarkingStatus, ViolationLevel},
    setup::{self, HeldSetup},
    violation::undecided_of,
};
use homework::marking::rejudge::{RejudgeResult, Rejudgement};
use homework_rules::times::final_raw;
use infra::{Allowed, Body, Change, Error, Reply, Result, Saved, Tx, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use scores::offered::{ExamResult, SheetOrigin, receive};
use scores_rules::enums::{ExamRound, ScoreMark, SheetRound, SheetSource};

use super::{
    AssignExamSheets, FinishExamMarking, RejudgeExam, TransferExamScores, assign::distribute, rejudge::rejudged,
};

/// Which examination.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ExamToEnd {
    /// 考试
    pub setup_id: i64,
}

impl Example for ExamToEnd {
    fn example() -> Self {
        Self { setup_id: 1 }
    }
}

/// What was handed in.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ExamTransferred {
    /// 考试编号
    pub id: i64,
    /// 转入的考生数
    pub rows: i64,
    /// 成绩登记表
    pub sheet_ids: Vec<i64>,
}

pub struct Ending;

#[OpenApi(prefix_path = "/exam/pc/online/mark", tag = "crate::Tag::OnlineExams")]
impl Ending {
    /// 分配线上阅卷
    /// 把还没有分配的答卷按阅卷教师的范围和上限分配
    #[oai(path = "/assign", method = "post", operation_id = "assignExamSheets")]
    async fn assign(&self, caller: Allowed<AssignExamSheets>, Body(wanted): Body<ExamToEnd>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let held = setup::held(&mut tx, wanted.setup_id, ExamMode::Online, &caller.scope()).await?;
        let changes = distribute(&mut tx, &held).await?;
        if changes.is_empty() {
            return Err(Error::conflict("请先分配阅卷教师"));
        }
        ask_waiting(&mut tx, &held).await?;
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: wanted.setup_id }))
    }

    /// 完成阅卷
    #[oai(path = "/finish", method = "put", operation_id = "finishExamMarking")]
    async fn finish(&self, caller: Allowed<FinishExamMarking>, Body(wanted): Body<ExamToEnd>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let held = setup::held(&mut tx, wanted.setup_id, ExamMode::Online, &caller.scope()).await?;
        over(&held)?;
        all_marked(&mut tx, &held).await?;
        if held.marking_status == MarkingStatus::Transferred {
            return Err(Error::conflict("成绩已转入"));
        }
        let change = setup::marking(&mut tx, held.id, MarkingStatus::Done).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.setup_id }))
    }

    /// 转入成绩
    /// 成绩登记表提交前可以重复转入
    #[oai(path = "/transfer", method = "post", operation_id = "transferExamScores")]
    async fn transfer(
        &self,
        caller: Allowed<TransferExamScores>,
        Body(wanted): Body<ExamToEnd>,
    ) -> Result<Reply<ExamTransferred>> {
        let mut tx = caller.begin_long().await?;
        let held = setup::held(&mut tx, wanted.setup_id, ExamMode::Online, &caller.scope()).await?;
        over(&held)?;
        all_marked(&mut tx, &held).await?;
        let undecided = undecided_of(&mut tx, held.id).await?;
        if undecided > 0 {
            return Err(Error::conflict(format!("还有 {undecided} 条违规未处理")));
        }
        let (told, changes) = transferred(&mut tx, &held).await?;
        tx.commit_all(changes).await?;
        Ok(reply(told))
    }

    /// 更正考试答案
    /// 各答卷重新评分；成绩登记表已提交的须先退回，更正后重新转入
    #[oai(path = "/rejudge", method = "post", operation_id = "rejudgeExam")]
    async fn rejudge(
        &self,
        caller: Allowed<RejudgeExam>,
        Body(wanted): Body<Rejudgement>,
    ) -> Result<Reply<RejudgeResult>> {
        let tx = caller.begin_long().await?;
        Ok(reply(rejudged(tx, wanted).await?))
    }
}

/// # Errors
/// 409 before the examination is over.
pub(super) fn over(held: &HeldSetup) -> Result<()> {
    if held.status == ExamSetupStatus::Closed {
        return Ok(());
    }
    Err(Error::conflict(format!("考试{}，请在考试结束后办理", held.status.zh())))
}

/// # Errors
/// 409 with how many answers two markers differ on, or how many sheets wait.
async fn all_marked(tx: &mut Tx, held: &HeldSetup) -> Result<()> {
    let row = sqlx::query!(
        r#"select count(*) filter (where a.mark_state in ('in_progress', 'submitted')) as "open!",
                  coalesce(sum((select count(*) from answer_item i
                   join exam_item_mark x on x.item_id = i.id and x.seq_no = 1 and x.score is not null
                   join exam_item_mark z on z.item_id = i.id and z.seq_no = 2 and z.score is not null
                   where i.sheet_id = a.id and i.mark_state = 'pending')), 0)::bigint as "arbitration!"
           from answer_sheet a join exam_candidate c on c.id = a.exam_candidate_id
           where c.setup_id = $1 and not c.removed"#,
        held.id
    )
    .fetch_one(&mut **tx)
    .await?;
    if row.arbitration > 0 {
        return Err(Error::conflict(format!("还有 {} 题待仲裁", row.arbitration)));
    }
    if row.open > 0 {
        return Err(Error::conflict(format!("还有 {} 份答卷未阅", row.open)));
    }
    Ok(())
}

/// Answers on which two differ and that nobody decides yet go to an arbiter who came since.
async fn ask_waiting(tx: &mut Tx, setup: &HeldSetup) -> Result<()> {
    let items = sqlx::query!(
        r#"select i.id as "item!", a.id as "sheet!" from answer_item i
           join answer_sheet a on a.id = i.sheet_id and a.mark_state = 'submitted'
           join exam_candidate c on c.id = a.exam_candidate_id
           join exam_item_mark x on x.item_id = i.id and x.seq_no = 1 and x.score is not null
           join exam_item_mark z on z.item_id = i.id and z.seq_no = 2 and z.score is not null
           where c.setup_id = $1 and i.mark_state = 'pending'
             and not exists (select from exam_item_mark w where w.item_id = i.id and w.seq_no = 3)
           order by a.id, i.id"#,
        setup.id
    )
    .fetch_all(&mut **tx)
    .await?;
    for row in items {
        let held = crate::sheet::held(tx, row.sheet).await?;
        super::write::ask_third(tx, &held, row.item).await?;
    }
    exams::marker::recount(tx, setup.id).await
}

/// In which sheet of scores the results of a round stand.
const fn sheet_round(round: ExamRound) -> SheetRound {
    match round {
        ExamRound::First | ExamRound::Deferred => SheetRound::First,
        ExamRound::Makeup => SheetRound::Makeup,
        ExamRound::FinalMakeup => SheetRound::FinalMakeup,
    }
}

/// What candidates came to, by the attempt that counts; marks that are fixed go before. Whoever was only warned keeps their score.
///
/// # Errors
/// 409 with the sheet when one is past entering.
pub(crate) async fn transferred(tx: &mut Tx, held: &HeldSetup) -> Result<(ExamTransferred, Vec<Change>)> {
    let total = held.paper_total.ok_or_else(|| Error::internal("an examination that was published has no total"))?;
    let rows = sqlx::query!(
        r#"select c.id as "id!", c.selection_id as "selection!", c.round as "round!: ExamRound",
                  c.eligibility as "eligibility!: ExamEligibility", c.attendance as "attendance!: ExamAttendance",
                  case when c.violation_level = 'violation' and v.penalty is distinct from 'score_void'
                            and v.penalty is distinct from 'batch_void'
                       then 'none' else c.violation_level end as "violation!: ViolationLevel",
                  coalesce(w.numbers, '{}') as "numbers!: Vec<i32>", coalesce(w.totals, '{}') as "totals!: Vec<i64>"
           from exam_candidate c
           left join exam_violation v on v.id = c.violation_id
           cross join lateral (
               select array_agg(a.attempt_no order by a.attempt_no) as numbers,
                      array_agg((a.total_score * 10)::bigint order by a.attempt_no) as totals
               from answer_sheet a where a.exam_candidate_id = c.id and a.mark_state = 'marked') w
           where c.setup_id = $1 and not c.removed and c.eligibility <> 'exempt'
           order by c.id"#,
        held.id
    )
    .fetch_all(&mut **tx)
    .await?;
    let (mut results, mut finals) = (Vec::new(), Vec::new());
    for row in rows {
        let marked: Vec<(i32, i64)> = row.numbers.iter().copied().zip(row.totals.iter().copied()).collect();
        let raw = final_raw(held.attempt_scoring, &marked);
        let (raw, mark, fixed) = match (row.eligibility, row.violation, raw) {
            (ExamEligibility::Deferred, ..) => (None, ScoreMark::Deferred, true),
            (ExamEligibility::Disqualified, _, None) => (Some(0), ScoreMark::Disqualified, true),
            (_, ViolationLevel::Cheating, raw) => (raw.or(Some(0)), ScoreMark::Cheating, true),
            (_, ViolationLevel::Violation, raw) => (raw.or(Some(0)), ScoreMark::Violation, true),
            (_, ViolationLevel::None, Some(raw)) => (Some(raw), ScoreMark::Normal, false),
            (_, ViolationLevel::None, None) => (Some(0), ScoreMark::Absent, true),
        };
        finals.push((row.id, raw, raw.map(|raw| of_hundred(raw, total))));
        let (selection, candidate, round) = (row.selection, Some(row.id), row.round);
        results.push(ExamResult { selection, candidate, round, raw, paper_total: total, mark, fixed });
    }
    let origin = SheetOrigin {
        setup: held.id,
        batch: held.batch_id,
        course: held.course_id,
        round: sheet_round(held.round),
        source: SheetSource::Online,
        entered: true,
    };
    let received = receive(tx, origin, &results).await?;
    scored(tx, &finals).await?;
    let mut changes = received.changes;
    changes.insert(0, setup::marking(tx, held.id, MarkingStatus::Transferred).await?);
    changes.push(Change::event(
        "exam_setup",
        held.id,
        "transfer",
        serde_json::json!({ "candidates": finals.len(), "sheets": received.sheets }),
    ));
    let rows = i64::try_from(finals.len()).map_err(Error::internal)?;
    Ok((ExamTransferred { id: held.id, rows, sheet_ids: received.sheets }, changes))
}
