//! 安排答辩 and 自动安排: who is defended in which group, in which order.

use std::collections::BTreeSet;

use chrono::TimeDelta;
use infra::{Allowed, Body, Change, Error, OnConstraint, Reply, Result, Saved, Scope, Tx, across::Keyed, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use scenes::{Person, PersonKind, Persons, notify};
use serde_json::json;
use thesis_rules::{
    enums::{DefenseGroupStatus, ThesisStage},
    groups::{Defended, GroupRoom, deal, valid},
    stage::ThesisTurn,
};

use super::{
    Arrange, AutoArrange,
    form::in_days,
    select::{DefenseGroup, DefenseGroups},
};
use crate::thesis::hold::{hold, turned};

/// Students of half a day in one group.
const MOST: usize = 20;

/// The order of a group.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct DefenseArrange {
    /// 答辩组
    pub group_id: i64,
    /// 论文
    /// 按答辩顺序
    #[oai(validator(min_items = 1, max_items = 60))]
    pub thesis_ids: Vec<i64>,
    /// 每名学生分钟数
    #[oai(validator(minimum(value = "5"), maximum(value = "120")))]
    pub minutes: i32,
    /// 版本
    pub version: i32,
}

impl Example for DefenseArrange {
    fn example() -> Self {
        Self { group_id: 1, thesis_ids: vec![1], minutes: 15, version: 1 }
    }
}

/// Groups over which all who wait are spread.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct DefenseAutoArrange {
    /// 论文批次
    pub plan_id: i64,
    /// 答辩组
    #[oai(validator(min_items = 1, max_items = 50))]
    pub group_ids: Vec<i64>,
    /// 每名学生分钟数
    #[oai(validator(minimum(value = "5"), maximum(value = "120")))]
    pub minutes: i32,
}

impl Example for DefenseAutoArrange {
    fn example() -> Self {
        Self { plan_id: 1, group_ids: vec![1], minutes: 15 }
    }
}

/// What was arranged.
#[derive(Debug, Clone, Object)]
pub struct DefensesArranged {
    /// 已安排
    pub done: i64,
    /// 未安排
    /// 论文编号
    pub left: Vec<i64>,
}

pub struct Arranging;

#[OpenApi(prefix_path = "/adult/pc/thesis", tag = "crate::Tag::Thesis")]
impl Arranging {
    /// 安排答辩
    #[oai(path = "/arrange", method = "put", operation_id = "arrangeDefense")]
    async fn arrange(&self, caller: Allowed<Arrange>, Body(wanted): Body<DefenseArrange>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let group = held(&mut tx, wanted.group_id, &caller.scope()).await?;
        if group.version != wanted.version {
            return Err(tx.stale("defense_group", wanted.group_id).await);
        }
        let changes = arranged(&mut tx, &group, &wanted.thesis_ids, wanted.minutes, &caller.scope()).await?;
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: wanted.group_id }))
    }

    /// 自动安排答辩
    /// 同专业尽量在一组，指导教师回避
    #[oai(path = "/autoArrange", method = "put", operation_id = "autoArrangeDefenses")]
    async fn auto_arrange(
        &self,
        caller: Allowed<AutoArrange>,
        Body(wanted): Body<DefenseAutoArrange>,
    ) -> Result<Reply<DefensesArranged>> {
        let scope = caller.scope();
        let mut tx = caller.begin().await?;
        let ids: BTreeSet<i64> = wanted.group_ids.iter().copied().collect();
        let mut groups = Vec::with_capacity(ids.len());
        for id in ids {
            let group = held(&mut tx, id, &scope).await?;
            if group.form.plan_id != wanted.plan_id {
                return Err(Error::field("groupIds", "答辩组不属于本论文批次"));
            }
            if group.status != DefenseGroupStatus::Draft {
                return Err(Error::conflict(format!("“{}”已安排，请先编辑为草稿", group.form.name)));
            }
            groups.push(group);
        }
        let waiting = sqlx::query!(
            "select t.id, t.adviser_id, y.major_id from thesis t join student y on y.id = t.student_id
             where t.plan_id = $1 and t.stage = 'defense' and t.stage_status in ('pending', 'submitted') and t.status = 'active'
               and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))
               and not exists (select from defense_slot s
                               where s.thesis_id = t.id and s.result is null and s.group_id <> all($4))
             order by t.id",
            wanted.plan_id,
            scope.sites(),
            scope.classes(),
            &groups.iter().map(|group| group.id).collect::<Vec<_>>()
        )
        .fetch_all(&mut *tx)
        .await?;
        let theses: Vec<Defended> = waiting
            .into_iter()
            .map(|row| Defended { thesis: row.id, major: row.major_id, adviser: row.adviser_id })
            .collect();
        let rooms: Vec<GroupRoom> =
            groups.iter().map(|group| GroupRoom { group: group.id, members: teachers(group), most: MOST }).collect();
        let dealt = deal(&theses, &rooms, i64::from(wanted.minutes));
        let mut changes = Vec::new();
        // An order from before goes first, as its students may be dealt into another of these groups.
        for group in &groups {
            changes.extend(emptied(&mut tx, group, &scope).await?);
        }
        for group in &groups {
            let own: Vec<i64> =
                dealt.slots.iter().filter(|slot| slot.group == group.id).map(|slot| slot.thesis).collect();
            if !own.is_empty() {
                changes.extend(arranged(&mut tx, group, &own, wanted.minutes, &scope).await?);
            }
        }
        let done = i64::try_from(dealt.slots.len()).map_err(Error::internal)?;
        if changes.is_empty() {
            changes.push(Change::nothing("thesis_plan", wanted.plan_id));
        }
        tx.commit_all(changes).await?;
        Ok(reply(DefensesArranged { done, left: dealt.left }))
    }
}

fn teachers(group: &DefenseGroup) -> Vec<i64> {
    group.form.members.iter().map(|member| member.teacher_id).collect()
}

/// A group that is held; two groups of a plan are not arranged beside each other.
async fn held(tx: &mut Tx, id: i64, scope: &Scope) -> Result<DefenseGroup> {
    sqlx::query!("select pg_advisory_xact_lock(hashtextextended('defense ' || current_schema(), 0))")
        .execute(&mut **tx)
        .await?;
    tx.lock("defense_group", id).await?;
    DefenseGroups::find(tx, id, scope).await
}

/// Puts theses into a group, in this order. The group is held.
///
/// # Errors
/// 409 for a thesis that is not to be defended, and for a teacher who sits in another group at the time; 422 for a group that is not
/// complete.
async fn arranged(tx: &mut Tx, group: &DefenseGroup, ids: &[i64], minutes: i32, scope: &Scope) -> Result<Vec<Change>> {
    let mut changes: Vec<Change> = emptied(tx, group, scope).await?.into_iter().collect();
    let theses = hold(tx, ids, &[], scope).await?;
    if theses.len() != ids.iter().collect::<BTreeSet<_>>().len() || theses.len() != ids.len() {
        return Err(Error::not_found());
    }
    let advised: Vec<i64> = theses.values().filter_map(|thesis| thesis.adviser_id).collect();
    let members = teachers(group);
    let chair = group.form.members.iter().find(|member| member.chair).map(|member| member.teacher_id);
    let wrong = valid(&members, chair, group.form.secretary_teacher_id, &advised);
    if !wrong.is_empty() {
        return Err(Error::fields(wrong));
    }
    let Some(from) = group.form.held_at else {
        return Err(Error::field("heldAt", "请先填写答辩开始时间"));
    };
    let count = i64::try_from(ids.len()).map_err(Error::internal)?;
    let to = group.form.ends_at.unwrap_or(from + TimeDelta::minutes(i64::from(minutes) * count));
    in_days(tx, group.form.plan_id, Some(from), Some(to)).await?;
    elsewhere(tx, group, (from, to)).await?;
    let by = tx.by();
    for (id, place) in ids.iter().zip(0_i32..) {
        let thesis = theses.get(id).ok_or_else(Error::not_found)?;
        thesis.goes_on()?;
        if thesis.stage != ThesisStage::Defense {
            return Err(Error::conflict(format!("论文在{}阶段，不能安排答辩", thesis.stage.zh())));
        }
        let moved = thesis.to(ThesisTurn::Arrange)?;
        let at = from + TimeDelta::minutes(i64::from(minutes) * i64::from(place));
        sqlx::query!(
            "insert into defense_slot (group_id, thesis_id, round_no, order_no, planned_at, created_by, updated_by)
             select $1::bigint, $2::bigint, 1 + count(*)::integer, $3::integer, $4::timestamptz, $5::bigint, $5::bigint
             from defense_slot where thesis_id = $2 and result is not null",
            group.id,
            id,
            place + 1,
            at as _,
            by
        )
        .execute(&mut **tx)
        .await
        .on_constraint(|constraint| {
            (constraint == "defense_slot_taken").then(|| Error::conflict("该学生已安排在其他答辩组"))
        })?;
        changes.push(turned(tx, thesis, moved, None).await?);
        let values = [
            ("startsAt".to_owned(), at.format("%Y-%m-%d %H:%M").to_string()),
            ("place".to_owned(), group.form.place.clone().unwrap_or_default()),
        ];
        let person = Person { kind: PersonKind::Student, id: thesis.student_id };
        notify(tx, "defense_arranged", Persons::Recipients(vec![person]), values.into(), None).await?;
    }
    sqlx::query!(
        "update defense_group set status = 'arranged', ends_at = $2, updated_at = now(), updated_by = $3, version = version + 1
         where id = $1",
        group.id,
        to as _,
        by
    )
    .execute(&mut **tx)
    .await?;
    let what = json!({ "theses": ids, "minutes": minutes });
    changes.insert(0, Change::event("defense_group", group.id, "arrange", what));
    Ok(changes)
}

/// Takes away the order that a group has. The group is held.
///
/// # Errors
/// 409 where a result is recorded, and where a student lies beyond the scope.
async fn emptied(tx: &mut Tx, group: &DefenseGroup, scope: &Scope) -> Result<Option<Change>> {
    let has = sqlx::query!(
        r#"select count(s.result) as "recorded!",
                  count(*) filter (where $2::bigint[] is not null
                                   and not coalesce(y.site_id = any($2) or y.class_id = any($3::bigint[]), false)) as "beyond!"
           from defense_slot s join thesis t on t.id = s.thesis_id join student y on y.id = t.student_id
           where s.group_id = $1"#,
        group.id,
        scope.sites(),
        scope.classes()
    )
    .fetch_one(&mut **tx)
    .await?;
    if has.recorded > 0 {
        return Err(Error::conflict("答辩组已登记结果，不能重新安排"));
    }
    if has.beyond > 0 {
        return Err(Error::conflict("答辩组含您数据范围以外的学生，不能重新安排"));
    }
    // Whoever is not put into an order again waits for one.
    let by = tx.by();
    let waiting = sqlx::query_scalar!(
        "select t.id from thesis t join defense_slot s on s.thesis_id = t.id
         where s.group_id = $1 and t.status = 'active' and t.stage = 'defense' and t.stage_status = 'submitted'
         order by t.id for update of t",
        group.id
    )
    .fetch_all(&mut **tx)
    .await?;
    sqlx::query!(
        "update thesis set stage_status = 'pending', updated_at = now(), updated_by = $2, version = version + 1 where id = any($1)",
        &waiting,
        by
    )
    .execute(&mut **tx)
    .await?;
    let gone = sqlx::query!("delete from defense_slot where group_id = $1", group.id).execute(&mut **tx).await?;
    let what = json!({ "theses": gone.rows_affected() });
    Ok((gone.rows_affected() > 0).then(|| Change::event("defense_group", group.id, "clear", what)))
}

/// # Errors
/// 409 with a teacher who sits in another group that is arranged for the time.
async fn elsewhere(
    tx: &mut Tx,
    group: &DefenseGroup,
    (from, to): (infra::clock::Moment, infra::clock::Moment),
) -> Result<()> {
    let mut people = teachers(group);
    people.extend(group.form.secretary_teacher_id);
    let busy = sqlx::query!(
        r#"select t.name, g.name as "group!" from defense_group g
           join teacher t on t.id = g.secretary_teacher_id
                          or exists (select from defense_member m where m.group_id = g.id and m.teacher_id = t.id)
           where g.id <> $1 and g.status = 'arranged' and t.id = any($2)
             and g.held_at < $4::timestamptz and coalesce(g.ends_at, g.held_at + interval '4 hours') > $3::timestamptz
           limit 1"#,
        group.id,
        &people,
        from as _,
        to as _
    )
    .fetch_optional(&mut **tx)
    .await?;
    match busy {
        Some(busy) => Err(Error::conflict(format!("{}同一时间已在“{}”", busy.name, busy.group))),
        None => Ok(()),
    }
}
