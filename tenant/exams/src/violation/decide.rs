//! 认定 and 撤销 of cases, and what they do to scores (part 04 §3).

use std::collections::HashMap;

use exam_rules::violation::{CaseTurn, after, mark, zero_exam};
use infra::{Allowed, Body, Change, Error, Reply, Result, Saved, Scope, Tx, across::Keyed, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use scenes::{Person, PersonKind, Persons, notify};
use scores::offered::{FixedMark, fix_marks};
use scores_rules::enums::ScoreMark;

use super::{AuditViolation, RevokeViolation, Violations};
use crate::enums::{ExamMode, TestBatchStatus, ViolationClause, ViolationLevel, ViolationPenalty, ViolationStatus};

/// What is decided.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ViolationAudit {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 成立
    pub pass: bool,
    /// 认定意见
    #[oai(validator(min_length = 2, max_length = 500))]
    pub decision: String,
    /// 处理
    /// 成立时必填
    pub penalty: Option<ViolationPenalty>,
}

impl Example for ViolationAudit {
    fn example() -> Self {
        Self {
            id: 1,
            version: 1,
            pass: true,
            decision: "证据确凿".to_owned(),
            penalty: Some(ViolationPenalty::ScoreVoid),
        }
    }
}

/// What is taken back.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct ViolationRevocation {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
}

impl Example for ViolationRevocation {
    fn example() -> Self {
        Self { id: 1, version: 1, reason: "申诉成立".to_owned() }
    }
}

/// A punishment that a case of cheating proposes.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ProposedDiscipline {
    /// 学生
    pub student_id: i64,
    /// 处分原因
    pub reason: String,
}

/// What came of a decision.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ViolationDecided {
    /// 编号
    pub id: i64,
    /// 已标记的考试数
    pub marked: i64,
    /// 已生成的成绩更正
    /// 成绩已发布的考试
    pub corrections: Vec<i64>,
    /// 建议的处分
    /// 作弊，或处理为另给处分时
    pub proposed_discipline: Option<ProposedDiscipline>,
}

pub struct Decisions;

#[OpenApi(prefix_path = "/exam/pc/violation", tag = "crate::Tag::Exams")]
impl Decisions {
    /// 审核违规记录
    /// 登记人不能认定；本批次各科成绩无效时标记该生本批次的全部考试
    #[oai(path = "/audit", method = "put", operation_id = "auditViolation")]
    async fn audit(
        &self,
        caller: Allowed<AuditViolation>,
        Body(wanted): Body<ViolationAudit>,
    ) -> Result<Reply<ViolationDecided>> {
        let penalty = match (wanted.pass, wanted.penalty) {
            (true, None) => return Err(Error::field("penalty", "请选择处理")),
            (true, Some(penalty)) => Some(penalty),
            (false, _) => None,
        };
        let teacher = sqlx::query_scalar!(
            "select teacher_id from platform.sys_user_school where user_id = $1 and school_id = $2 and enabled",
            caller.user_id(),
            caller.school_id()
        )
        .fetch_optional(&mut *caller.platform().await?)
        .await?
        .flatten();
        let account = caller.user_id();
        let mut tx = caller.begin().await?;
        let case = held(&mut tx, wanted.id, wanted.version, &caller.scope()).await?;
        let own = match case.reported_by_kind.as_str() {
            "teacher" => teacher == Some(case.reported_by),
            _ => account == case.reported_by,
        };
        if own {
            return Err(Error::conflict("登记人不能认定"));
        }
        let turn = if wanted.pass { CaseTurn::Confirm } else { CaseTurn::Dismiss };
        let to = after(case.status, turn).map_err(Error::conflict)?;
        let mut changes = vec![decided(&mut tx, &case, to, (&wanted.decision, penalty)).await?];
        let mut told = ViolationDecided { id: case.id, marked: 0, corrections: Vec::new(), proposed_discipline: None };
        if let Some(penalty) = penalty {
            let marked = marked(&mut tx, &case, penalty, &mut changes).await?;
            (told.marked, told.corrections) = marked;
            if case.clause.is_cheating() || penalty == ViolationPenalty::Discipline {
                let reason = format!("《{}》考试{}：{}", case.course_name, case.level.zh(), case.clause.zh());
                told.proposed_discipline = Some(ProposedDiscipline { student_id: case.student_id, reason });
            }
        }
        let result = penalty.map_or("不成立", ViolationPenalty::zh);
        tell(&mut tx, &case, result).await?;
        tx.commit_all(changes).await?;
        Ok(reply(told))
    }

    /// 撤销违规记录
    /// 恢复因该记录标记的成绩；成绩已锁定的须走成绩更正
    #[oai(path = "/revoke", method = "put", operation_id = "revokeViolation")]
    async fn revoke(
        &self,
        caller: Allowed<RevokeViolation>,
        Body(wanted): Body<ViolationRevocation>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let case = held(&mut tx, wanted.id, wanted.version, &caller.scope()).await?;
        let to = after(case.status, CaseTurn::Revoke).map_err(Error::conflict)?;
        let by = tx.by();
        sqlx::query!(
            "update exam_violation set status = $2, revoke_reason = $3, updated_at = now(), updated_by = $4, version = version + 1
             where id = $1",
            case.id,
            to.as_str(),
            wanted.reason,
            by
        )
        .execute(&mut *tx)
        .await?;
        let change = Change::status("exam_violation", case.id, "status", case.status.as_str(), to.as_str());
        let mut changes = vec![change.because(Some(&wanted.reason))];
        unmarked(&mut tx, &case, &wanted.reason, &mut changes).await?;
        tell(&mut tx, &case, "已撤销").await?;
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: case.id }))
    }
}

/// A case that is held.
struct Case {
    id: i64,
    candidate_id: i64,
    batch_id: i64,
    student_id: i64,
    course_name: String,
    level: ViolationLevel,
    clause: ViolationClause,
    reported_by: i64,
    reported_by_kind: String,
    status: ViolationStatus,
}

/// Holds a case behind its batch, its setup and the student's candidates of the batch.
///
/// # Errors
/// 404 beyond the scope; 409 when it changed since it was read, and in an archived batch.
async fn held(tx: &mut Tx, id: i64, version: i32, scope: &Scope) -> Result<Case> {
    Violations::find(tx, id, scope).await?;
    let of = sqlx::query!(
        r#"select c.setup_id, c.batch_id, c.student_id, s.mode as "mode: ExamMode"
           from exam_violation v join exam_candidate c on c.id = v.candidate_id join exam_setup s on s.id = c.setup_id
           where v.id = $1"#,
        id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    if crate::setup::hold(tx, of.setup_id, of.mode).await?.batch_status == TestBatchStatus::Archived {
        return Err(Error::conflict("批次已归档，不能处理违规"));
    }
    sqlx::query_scalar!(
        "select id from exam_candidate where batch_id = $1 and student_id = $2 order by id for update",
        of.batch_id,
        of.student_id
    )
    .fetch_all(&mut **tx)
    .await?;
    tx.lock("exam_violation", id).await?;
    let row = sqlx::query!(
        r#"select v.candidate_id, u.name as course_name, v.level as "level: ViolationLevel", v.clause as "clause: ViolationClause",
                  v.reported_by, v.reported_by_kind, v.status as "status: ViolationStatus", v.version
           from exam_violation v join exam_candidate c on c.id = v.candidate_id join course u on u.id = c.course_id
           where v.id = $1"#,
        id
    )
    .fetch_one(&mut **tx)
    .await?;
    if row.version != version {
        return Err(tx.stale("exam_violation", id).await);
    }
    Ok(Case {
        id,
        candidate_id: row.candidate_id,
        batch_id: of.batch_id,
        student_id: of.student_id,
        course_name: row.course_name,
        level: row.level,
        clause: row.clause,
        reported_by: row.reported_by,
        reported_by_kind: row.reported_by_kind,
        status: row.status,
    })
}

async fn decided(
    tx: &mut Tx,
    case: &Case,
    to: ViolationStatus,
    (decision, penalty): (&str, Option<ViolationPenalty>),
) -> Result<Change> {
    let (by, name, now) = (tx.by(), tx.actor().name.clone(), tx.app().clock().now());
    sqlx::query!(
        "update exam_violation
         set status = $2, decision = $3, penalty = $4, decided_by = $5, decided_by_name = $6, decided_at = $7, updated_at = now(),
             updated_by = $5, version = version + 1
         where id = $1",
        case.id,
        to.as_str(),
        decision,
        penalty.map(ViolationPenalty::as_str),
        by,
        name,
        now as _
    )
    .execute(&mut **tx)
    .await?;
    let change = Change::status("exam_violation", case.id, "status", case.status.as_str(), to.as_str());
    Ok(change.because(Some(decision)))
}

/// Marks the candidate, or all of the student's in the batch, and their scores; how many, and which corrections were opened.
async fn marked(
    tx: &mut Tx,
    case: &Case,
    penalty: ViolationPenalty,
    changes: &mut Vec<Change>,
) -> Result<(i64, Vec<i64>)> {
    let whole = penalty == ViolationPenalty::BatchVoid;
    // Of a batch that is void as a whole each examination counts as cheating.
    let level = if whole { ViolationLevel::Cheating } else { case.level };
    let by = tx.by();
    let rows = sqlx::query!(
        "update exam_candidate
         set violation_level = $4, violation_id = $3, updated_at = now(), updated_by = $5, version = version + 1
         where (id = $1 or $6 and batch_id = $2 and student_id = $7 and not removed) and violation_id is null
         returning id, selection_id",
        case.candidate_id,
        case.batch_id,
        case.id,
        level.as_str(),
        by,
        whole,
        case.student_id
    )
    .fetch_all(&mut **tx)
    .await?;
    let mut fixed: Vec<FixedMark> = rows
        .iter()
        .map(|row| FixedMark {
            selection: row.selection_id,
            candidate: row.id,
            mark: Some(mark(level)),
            zero_exam: zero_exam(penalty, level),
            violation: Some(case.id),
            reason: format!("违规认定：{}", case.clause.zh()),
        })
        .collect();
    fixed.sort_by_key(|one| one.candidate);
    changes.extend(
        rows.iter().map(|row| Change::status("exam_candidate", row.id, "violationLevel", "none", level.as_str())),
    );
    let done = fix_marks(tx, &fixed).await?;
    changes.extend(done.changes);
    Ok((done.rows, done.corrections))
}

/// Takes back what a case marked.
async fn unmarked(tx: &mut Tx, case: &Case, reason: &str, changes: &mut Vec<Change>) -> Result<()> {
    let by = tx.by();
    let rows = sqlx::query!(
        "update exam_candidate
         set violation_level = 'none', violation_id = null, updated_at = now(), updated_by = $2, version = version + 1
         where violation_id = $1 returning id, selection_id",
        case.id,
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    let due = due_without(tx, case, &rows.iter().map(|row| row.id).collect::<Vec<i64>>()).await?;
    let mut fixed: Vec<FixedMark> = rows
        .iter()
        .map(|row| FixedMark {
            selection: row.selection_id,
            candidate: row.id,
            mark: due.get(&row.id).copied(),
            zero_exam: due.contains_key(&row.id),
            violation: Some(case.id),
            reason: reason.to_owned(),
        })
        .collect();
    fixed.sort_by_key(|one| one.candidate);
    changes.extend(
        rows.iter().map(|row| Change::status("exam_candidate", row.id, "violationLevel", case.level.as_str(), "none")),
    );
    changes.extend(fix_marks(tx, &fixed).await?.changes);
    Ok(())
}

/// What candidates are marked with without the case: who was excused, may not sit or did not come stays so. None for a score that is
/// locked, which refuses, and where a correction of the case waits, which is withdrawn.
async fn due_without(tx: &mut Tx, case: &Case, candidates: &[i64]) -> Result<HashMap<i64, ScoreMark>> {
    let rows = sqlx::query!(
        r#"select c.id as "id!",
                  case when c.eligibility in ('deferred', 'disqualified', 'exempt') then c.eligibility
                       when c.attendance = 'absent' then 'absent' end as "mark?: ScoreMark"
           from exam_candidate c
           where c.id = any($1)
             and not exists (
                 select from score_sheet_row r join score_sheet h on h.id = r.sheet_id
                 where r.candidate_id = c.id and not r.excluded
                   and (h.status = 'locked'
                        or exists (select from score_correction k
                                   where k.course_score_id = r.course_score_id and k.violation_id = $2
                                     and k.status = 'applied')))"#,
        candidates,
        case.id
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(rows.into_iter().filter_map(|row| Some((row.id, row.mark?))).collect())
}

async fn tell(tx: &mut Tx, case: &Case, result: &str) -> Result<()> {
    let person = Person { kind: PersonKind::Student, id: case.student_id };
    let values = [("course".to_owned(), case.course_name.clone()), ("result".to_owned(), result.to_owned())];
    let once = format!("violation_result:{}:{result}", case.id);
    notify(tx, "violation_result", Persons::Recipients(vec![person]), values.into(), Some(&once)).await
}
