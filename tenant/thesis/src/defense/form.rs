//! What is typed of a group, and how it is written.

use chrono::NaiveDate;
use infra::{Change, Edit, Error, OnConstraint, Result, Scope, Tx, across::Keyed, clock::Moment};
use poem_openapi::{Object, types::Example};
use thesis_rules::enums::{DefenseGroupStatus, DefenseMode};

use super::select::DefenseGroups;

/// A member of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct DefenseMemberForm {
    /// 教师
    pub teacher_id: i64,
    /// 组长
    #[oai(default)]
    pub chair: bool,
}

/// A group.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct DefenseGroupForm {
    /// 论文批次
    pub plan_id: i64,
    /// 名称
    #[oai(validator(min_length = 1, max_length = 50))]
    pub name: String,
    /// 答辩方式
    pub mode: DefenseMode,
    /// 开始时间
    pub held_at: Option<Moment>,
    /// 结束时间
    pub ends_at: Option<Moment>,
    /// 地点
    #[oai(validator(max_length = 100))]
    pub place: Option<String>,
    /// 秘书
    pub secretary_teacher_id: Option<i64>,
    /// 成员
    #[oai(default, validator(max_items = 15))]
    pub members: Vec<DefenseMemberForm>,
}

impl Example for DefenseGroupForm {
    fn example() -> Self {
        Self {
            plan_id: 1,
            name: "第一组".to_owned(),
            mode: DefenseMode::Onsite,
            held_at: None,
            ends_at: None,
            place: Some("教学楼201".to_owned()),
            secretary_teacher_id: None,
            members: Vec::new(),
        }
    }
}

fn told(constraint: &str) -> Option<Error> {
    let (field, text) = match constraint {
        "defense_group_name_taken" => ("name", "本批次已有同名的答辩组"),
        "defense_group_of_plan" => ("planId", "论文批次不存在"),
        "defense_group_of_secretary" => ("secretaryTeacherId", "教师不存在"),
        "defense_group_time_order" => ("endsAt", "结束时间应晚于开始时间"),
        _ => return None,
    };
    Some(Error::field(field, text))
}

/// # Errors
/// 422 for a time beside the days of the plan.
pub(super) async fn in_days(tx: &mut Tx, plan: i64, from: Option<Moment>, to: Option<Moment>) -> Result<()> {
    let days = sqlx::query!("select defense_from, defense_to from thesis_plan where id = $1", plan)
        .fetch_optional(&mut **tx)
        .await?;
    let Some(days) = days else { return Ok(()) };
    for (field, at) in [("heldAt", from), ("endsAt", to)] {
        let Some(day) = at.map(|at| at.date_naive()) else { continue };
        if days.defense_from.is_some_and(|first| day < first) || days.defense_to.is_some_and(|last| day > last) {
            let shown = |day: Option<NaiveDate>| day.map_or_else(|| "不限".to_owned(), |day| day.to_string());
            let told = format!(
                "答辩时间应在论文批次的答辩日期内（{} 至 {}）",
                shown(days.defense_from),
                shown(days.defense_to)
            );
            return Err(Error::field(field, told));
        }
    }
    Ok(())
}

/// # Errors
/// 422 for what is wrong.
pub(super) async fn insert(tx: &mut Tx, form: &DefenseGroupForm) -> Result<(i64, Change)> {
    in_days(tx, form.plan_id, form.held_at, form.ends_at).await?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into defense_group (plan_id, name, mode, held_at, ends_at, place, secretary_teacher_id, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $8) returning id",
        form.plan_id,
        form.name,
        form.mode.as_str(),
        form.held_at as _,
        form.ends_at as _,
        form.place,
        form.secretary_teacher_id,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(told)?;
    members(tx, id, form).await?;
    Ok((id, Change::created("defense_group", id, form)))
}

async fn members(tx: &mut Tx, id: i64, form: &DefenseGroupForm) -> Result<()> {
    let teachers: Vec<i64> = form.members.iter().map(|member| member.teacher_id).collect();
    let chairs: Vec<bool> = form.members.iter().map(|member| member.chair).collect();
    if chairs.iter().filter(|chair| **chair).count() > 1 {
        return Err(Error::field("members", "只能有一名组长"));
    }
    let unfit = sqlx::query_scalar!(
        "select t.name from thesis_adviser a join teacher t on t.id = a.teacher_id
         where a.plan_id = $1 and a.teacher_id = any($2) and not a.can_defend order by a.id limit 1",
        form.plan_id,
        &teachers
    )
    .fetch_optional(&mut **tx)
    .await?;
    if let Some(name) = unfit {
        return Err(Error::field("members", format!("“{name}”在本批次不参加答辩")));
    }
    sqlx::query!("delete from defense_member where group_id = $1", id).execute(&mut **tx).await?;
    sqlx::query!(
        "insert into defense_member (group_id, teacher_id, chair)
         select $1::bigint, w.teacher, w.chair from unnest($2::bigint[], $3::boolean[]) as w (teacher, chair)",
        id,
        &teachers,
        &chairs
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|constraint| match constraint {
        "defense_member_key" => Some(Error::field("members", "答辩组成员重复")),
        "defense_member_of_teacher" => Some(Error::field("members", "教师不存在")),
        _ => None,
    })?;
    Ok(())
}

/// What was arranged is a draft again where time, place or members change.
///
/// # Errors
/// 404; 409 for a group that is over, or changed since; 422 for another plan.
pub(super) async fn update(tx: &mut Tx, edit: &Edit<DefenseGroupForm>, scope: &Scope) -> Result<Change> {
    let (id, form) = (edit.id, &edit.form);
    tx.lock("defense_group", id).await?;
    let before = DefenseGroups::find(tx, id, scope).await?;
    if before.version != edit.version {
        return Err(tx.stale("defense_group", id).await);
    }
    let recorded = sqlx::query_scalar!(
        r#"select exists (select from defense_slot where group_id = $1 and result is not null) as "recorded!""#,
        id
    )
    .fetch_one(&mut **tx)
    .await?;
    if before.status == DefenseGroupStatus::Finished || recorded {
        return Err(Error::conflict("答辩组已登记结果，不能修改"));
    }
    if before.form.plan_id != form.plan_id {
        return Err(Error::field("planId", "论文批次不能修改"));
    }
    in_days(tx, form.plan_id, form.held_at, form.ends_at).await?;
    let by = tx.by();
    sqlx::query!(
        "update defense_group
         set name = $2, mode = $3, held_at = $4, ends_at = $5, place = $6, secretary_teacher_id = $7, status = 'draft',
             updated_at = now(), updated_by = $8, version = version + 1
         where id = $1",
        id,
        form.name,
        form.mode.as_str(),
        form.held_at as _,
        form.ends_at as _,
        form.place,
        form.secretary_teacher_id,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(told)?;
    members(tx, id, form).await?;
    Ok(Change::edited("defense_group", id, &before.form, form))
}
