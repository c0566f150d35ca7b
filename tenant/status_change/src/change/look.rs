//! 检查: whether a change may be asked for, and how the student would stand, while it is typed.

use chrono::NaiveDate;
use infra::{Allowed, Body, Reply, Result, Scope, clock::Moment, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use sqlx::PgConnection;
use student_status::student::{
    Student, correct,
    transfer::{self, Placement},
};

use super::{
    ChangeReason, Changes, CheckChange, WAIVES,
    checks::{Asked, Circumstances, look},
    form::{ChangeTarget, accepted, may_waive},
};
use crate::ChangeType;

/// What is to be looked at.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ChangeCheck {
    /// 学生
    pub student_id: i64,
    /// 批次
    pub batch_id: Option<i64>,
    /// 类型
    #[oai(rename = "type")]
    pub kind: ChangeType,
    /// 异动后
    #[oai(default)]
    pub after: ChangeTarget,
    /// 原因
    pub reason_code: Option<ChangeReason>,
    /// 休学开始
    pub suspend_from: Option<NaiveDate>,
    /// 休学月数
    pub suspend_months: Option<i32>,
    /// 编号
    /// 编辑已有的异动时填写
    pub id: Option<i64>,
}

impl Example for ChangeCheck {
    fn example() -> Self {
        Self {
            student_id: 1,
            batch_id: None,
            kind: ChangeType::Suspension,
            after: ChangeTarget::default(),
            reason_code: Some(ChangeReason::Illness),
            suspend_from: NaiveDate::from_ymd_opt(2026, 9, 1),
            suspend_months: Some(12),
            id: None,
        }
    }
}

/// How the student would stand.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ChangePreview {
    /// 异动后
    pub after: Placement,
    /// 预计毕业
    pub expected_graduation_on: NaiveDate,
    /// 最长学习期限
    pub max_study_end_on: NaiveDate,
    /// 休学至
    pub suspend_until: Option<NaiveDate>,
}

/// What was found.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ChangeChecked {
    /// 可以办理
    pub ok: bool,
    /// 不能办理的原因
    pub reasons: Vec<String>,
    /// 异动前
    pub before: Placement,
    /// 预计
    /// 内容不完整时为空
    pub preview: Option<ChangePreview>,
}

pub struct Look;

#[OpenApi(prefix_path = "/adult/pc/change", tag = "crate::Tag::StatusChange")]
impl Look {
    /// 检查学籍异动
    #[oai(path = "/check", method = "post", operation_id = "checkChange")]
    async fn check(
        &self,
        caller: Allowed<CheckChange>,
        Body(wanted): Body<ChangeCheck>,
    ) -> Result<Reply<ChangeChecked>> {
        let mut tx = caller.read().await?;
        let student = correct::seen(&mut tx, wanted.student_id, &caller.scope()).await?;
        // One that is edited is none of the others; one of somebody else's is.
        let edited = match wanted.id {
            Some(id) => Some(Changes::find(&mut tx, id, &caller.scope()).await?),
            None => None,
        };
        let waived = may_waive(caller.rights().get(WAIVES), &student)
            || edited.as_ref().is_some_and(|change| change.lends_waiver(wanted.kind, &wanted.after));
        let scope = caller.scope();
        let trying = Trying { but: edited.map(|change| change.id), by_student: false, waived, told_to: &scope };
        let (now, today) = (caller.app().clock().now(), caller.app().clock().today());
        Ok(reply(checked(&mut tx, &student, &wanted, trying, (now, today)).await?))
    }
}

/// Who tries.
#[derive(Debug, Clone, Copy)]
pub(super) struct Trying<'a> {
    pub(super) but: Option<i64>,
    pub(super) by_student: bool,
    pub(super) waived: bool,
    /// Whom the figures of a class are told.
    pub(super) told_to: &'a Scope,
}

/// Everything that stands in the way, and how the student would stand.
pub(super) async fn checked(
    connection: &mut PgConnection,
    student: &Student,
    wanted: &ChangeCheck,
    Trying { but, by_student, waived, told_to }: Trying<'_>,
    (now, today): (Moment, NaiveDate),
) -> Result<ChangeChecked> {
    let asked = Asked {
        kind: wanted.kind,
        target: wanted.after.clone(),
        reason_code: wanted.reason_code,
        suspend_from: wanted.suspend_from,
        suspend_months: wanted.suspend_months,
    };
    let window =
        accepted(connection, wanted.batch_id, (wanted.kind, student.grade_id), (by_student, waived), now).await?;
    let circumstances = Circumstances { on: today, waived, but, told_to: Some(told_to), settings: None };
    let looked = look(connection, student, &asked, circumstances).await?;
    let mut reasons: Vec<String> = window.err().map(str::to_owned).into_iter().collect();
    reasons.extend(looked.reasons);
    reasons.extend(looked.wrong.into_iter().map(|wrong| wrong.message));
    let preview = match looked.planned {
        Some(planned) => match transfer::preview(connection, student, planned.effect, &planned.after).await {
            Ok(dates) => Some(ChangePreview {
                after: planned.after,
                expected_graduation_on: dates.expected_graduation_on,
                max_study_end_on: dates.max_study_end_on,
                suspend_until: planned.suspend_until,
            }),
            Err(error) if error.code == 409 => {
                reasons.push(error.msg.into_owned());
                None
            }
            Err(error) => return Err(error),
        },
        None => None,
    };
    Ok(ChangeChecked { ok: reasons.is_empty(), reasons, before: Placement::of(student), preview })
}
