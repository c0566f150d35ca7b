//! 生成论文名单: a row for each selection of a thesis course in the plan's semester and targets; and advisers for those who have none.

use infra::{Allowed, Body, Change, Error, Reply, Result, Scope, Tx, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use serde_json::json;
use thesis_rules::load::{Load, Topicless, even};

use super::{AutoAssign, GenerateTheses};

const ONCE_MORE: &str = "毕业论文最多补做一次";

/// Of which plan.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ThesesOfPlan {
    /// 论文批次
    pub plan_id: i64,
}

impl Example for ThesesOfPlan {
    fn example() -> Self {
        Self { plan_id: 1 }
    }
}

/// What was done.
#[derive(Debug, Clone, Object)]
pub struct ThesesMade {
    /// 办理条数
    pub done: i64,
    /// 未办理
    /// 姓名和原因
    pub left: Vec<String>,
}

pub struct Generating;

#[OpenApi(prefix_path = "/adult/pc/thesis", tag = "crate::Tag::Thesis")]
impl Generating {
    /// 生成论文名单
    #[oai(path = "/generate", method = "post", operation_id = "generateTheses")]
    async fn generate(
        &self,
        caller: Allowed<GenerateTheses>,
        Body(wanted): Body<ThesesOfPlan>,
    ) -> Result<Reply<ThesesMade>> {
        let mut tx = caller.begin().await?;
        let (made, changes) = generated(&mut tx, wanted.plan_id, &caller.scope()).await?;
        tx.commit_all(changes).await?;
        Ok(reply(made))
    }

    /// 自动分配指导教师
    /// 没有导师的学生平均分给本专业的导师
    #[oai(path = "/autoAssign", method = "put", operation_id = "autoAssignAdvisers")]
    async fn auto_assign(
        &self,
        caller: Allowed<AutoAssign>,
        Body(wanted): Body<ThesesOfPlan>,
    ) -> Result<Reply<ThesesMade>> {
        let mut tx = caller.begin().await?;
        let (made, changes) = assigned(&mut tx, wanted.plan_id, &caller.scope()).await?;
        tx.commit_all(changes).await?;
        Ok(reply(made))
    }
}

/// # Errors
/// 404 for no plan; 409 for one that does not go on.
async fn active(tx: &mut Tx, plan: i64) -> Result<()> {
    let status = sqlx::query_scalar!("select status from thesis_plan where id = $1 for update", plan)
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(Error::not_found)?;
    if status == "active" { Ok(()) } else { Err(Error::conflict("论文批次未启用或已结束，不能办理")) }
}

/// # Errors
/// As [`active`]; 409 when whoever lacks a thesis has written two.
async fn generated(tx: &mut Tx, plan: i64, scope: &Scope) -> Result<(ThesesMade, Vec<Change>)> {
    active(tx, plan).await?;
    let by = tx.by();
    let rows = sqlx::query!(
        r#"select c.id, c.student_id, y.name,
                  (select count(*) from thesis t where t.student_id = c.student_id and t.status <> 'cancelled') as "former!"
           from thesis_plan p
           join course_selection c on c.semester_id = p.semester_id and c.status = 'selected'
           join course u on u.id = c.course_id and u.kind = 'thesis'
           join student y on y.id = c.student_id
           where p.id = $1
             and (p.grade_ids = '{}' or y.grade_id = any(p.grade_ids)) and (p.level_ids = '{}' or y.level_id = any(p.level_ids))
             and (p.major_ids = '{}' or y.major_id = any(p.major_ids))
             and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))
             and not exists (select from thesis t where t.selection_id = c.id and t.status <> 'cancelled')
           order by c.id"#,
        plan,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(&mut **tx)
    .await?;
    let (mut changes, mut left) = (Vec::new(), Vec::new());
    for row in rows {
        // Once more, and no oftener.
        if row.former >= 2 {
            left.push(format!("{}：{ONCE_MORE}", row.name));
            continue;
        }
        let attempt = i32::try_from(row.former + 1).map_err(Error::internal)?;
        let id = sqlx::query_scalar!(
            "insert into thesis (plan_id, selection_id, student_id, attempt_no, created_by, updated_by)
             values ($1, $2, $3, $4, $5, $5) returning id",
            plan,
            row.id,
            row.student_id,
            attempt,
            by
        )
        .fetch_one(&mut **tx)
        .await?;
        let what = json!({ "planId": plan, "studentId": row.student_id, "attemptNo": attempt });
        changes.push(Change::event("thesis", id, "insert", what));
    }
    // Of several the others are told in the answer; where nobody else is left, it is why nothing was made.
    if changes.is_empty() && !left.is_empty() {
        return Err(Error::conflict(ONCE_MORE));
    }
    let done = i64::try_from(changes.len()).map_err(Error::internal)?;
    if changes.is_empty() {
        changes.push(Change::nothing("thesis_plan", plan));
    }
    Ok((ThesesMade { done, left }, changes))
}

async fn assigned(tx: &mut Tx, plan: i64, scope: &Scope) -> Result<(ThesesMade, Vec<Change>)> {
    active(tx, plan).await?;
    let advisers = sqlx::query!(
        r#"select a.teacher_id, a.major_ids, coalesce(a.quota, p.adviser_quota) as "quota!",
                  (select count(*) from thesis t
                   where t.plan_id = $1 and t.adviser_id = a.teacher_id and t.status in ('active', 'finished')) as "has!"
           from thesis_adviser a join thesis_plan p on p.id = a.plan_id
           where a.plan_id = $1 order by a.id for update of a"#,
        plan
    )
    .fetch_all(&mut **tx)
    .await?;
    let advisers: Vec<Load> = advisers
        .into_iter()
        .map(|row| Load { teacher: row.teacher_id, majors: row.major_ids, has: row.has, quota: i64::from(row.quota) })
        .collect();
    let rows = sqlx::query!(
        "select t.id, y.major_id, y.name from thesis t join student y on y.id = t.student_id
         where t.plan_id = $1 and t.adviser_id is null and t.status = 'active'
           and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))
         order by t.id for update of t",
        plan,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(&mut **tx)
    .await?;
    let students: Vec<Topicless> = rows.iter().map(|row| Topicless { thesis: row.id, major: row.major_id }).collect();
    let given = even(&students, &advisers);
    let by = tx.by();
    let (mut changes, mut left) = (Vec::new(), Vec::new());
    for row in &rows {
        let Some(teacher) = given.get(&row.id) else {
            left.push(format!("{}：没有可分配的指导教师", row.name));
            continue;
        };
        sqlx::query!(
            "update thesis set adviser_id = $2, updated_at = now(), updated_by = $3, version = version + 1 where id = $1",
            row.id,
            teacher,
            by
        )
        .execute(&mut **tx)
        .await?;
        changes.push(Change::status("thesis", row.id, "adviserId", json!(null), *teacher));
    }
    let done = i64::try_from(changes.len()).map_err(Error::internal)?;
    if changes.is_empty() {
        changes.push(Change::nothing("thesis_plan", plan));
    }
    Ok((ThesesMade { done, left }, changes))
}
