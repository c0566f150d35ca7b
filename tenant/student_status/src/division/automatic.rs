//! 自动分班: the unassigned students of a grade are shown a plan and then seated by it; many of them by a job, all or none.

use classes::class::{create::classes_create, default_capacity};
use infra::{
    Allowed, Body, Change, Error, Reply, Result, Scope, Tx,
    access::Permission,
    jobs::{self, JobKind, JobRun, NewJob, Outcome},
    reply,
    transfer::DIRECT_ROWS,
};
use poem_openapi::{
    Object, OpenApi,
    types::{ParseFromJSON, ToJSON},
};
use serde_json::json;
use student_status_rules::division_plan::{AutomaticDivision, Group, Seating, Wish, wish};

use super::{
    DivideStudents, Move, changed_meanwhile,
    plan::{Plan, plan},
    seat,
};

pub(super) const JOB: JobKind = JobKind {
    kind: "student.auto_divide",
    code: Some(DivideStudents::CODE),
    run: |run| Box::pin(work(run)),
    headings: None,
};

/// A class of the plan.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct DividedClass {
    /// 班级编号
    /// 新建的班级在分班前为空
    pub class_id: Option<i64>,
    /// 班级
    pub name: String,
    /// 容量
    pub capacity: i64,
    /// 原有人数
    pub taken: i64,
    /// 分入人数
    pub added: i64,
    /// 人数偏少
    pub small: bool,
}

/// The students of one grade, level, major and site.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct DivisionGroup {
    /// 层次
    pub level_name: String,
    /// 专业
    pub major_name: String,
    /// 站点
    pub site_name: String,
    /// 未分班人数
    pub students: i64,
    /// 班级
    pub classes: Vec<DividedClass>,
}

/// 分班方案
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct DivisionPlan {
    /// 方案摘要
    pub plan_hash: String,
    /// 学生人数
    pub students: i64,
    /// 新建班级数
    pub new_classes: i64,
    /// 人数偏少的新班级
    pub small: Vec<String>,
    /// 分组
    pub groups: Vec<DivisionGroup>,
    /// 已分班人数
    pub done: i64,
    /// 任务编号
    /// 学生较多时作为任务分班，结果见任务
    pub job_id: Option<i64>,
}

pub struct Automatic;

#[OpenApi(prefix_path = "/user/pc/student", tag = "crate::Tag::StudentStatus")]
impl Automatic {
    /// 自动分班
    #[oai(path = "/autoDivide", method = "post", operation_id = "divideStudentsAutomatically")]
    async fn divide(
        &self,
        caller: Allowed<DivideStudents>,
        Body(wanted): Body<AutomaticDivision>,
    ) -> Result<Reply<DivisionPlan>> {
        let mut tx = caller.begin_long().await?;
        let wish = wish(&wanted, default_capacity(&mut tx).await?, caller.scope())?;
        if wanted.dry_run {
            let plan = plan(&mut tx, &wish).await?;
            return Ok(reply(told(&plan, &wish)));
        }
        let shown = wanted.plan_hash.as_deref().ok_or_else(|| Error::field("planHash", "请先预览分班方案"))?;
        lock(&mut tx, &wish).await?;
        let mut plan = plan(&mut tx, &wish).await?;
        plan.is_as_shown(shown)?;
        if plan.students() > DIRECT_ROWS {
            drop(tx);
            let job = NewJob {
                kind: JOB.kind,
                target: wish.grade_id.to_string(),
                title: "自动分班".to_owned(),
                params: json!({ "wanted": wanted.to_json() }),
            };
            let job_id = Some(jobs::start(caller.caller(), job).await?);
            return Ok(reply(DivisionPlan { job_id, ..told(&plan, &wish) }));
        }
        let changes = carry_out(&mut tx, &mut plan, &wish, None).await?;
        let answer = DivisionPlan { done: plan.students(), ..told(&plan, &wish) };
        tx.commit_all(changes).await?;
        Ok(reply(answer))
    }
}

/// The same as a job: the plan is computed anew and must still be the one that was shown.
async fn work(run: JobRun) -> Result<Outcome> {
    let scope: Scope = run.scope(DivideStudents::CODE).await?;
    let wanted = AutomaticDivision::parse_from_json(Some(run.params["wanted"].clone()))
        .map_err(|error| Error::internal(error.into_message()))?;
    let mut tx = run.begin().await?;
    let wish = wish(&wanted, default_capacity(&mut tx).await?, scope)?;
    lock(&mut tx, &wish).await?;
    let mut plan = plan(&mut tx, &wish).await?;
    plan.is_as_shown(wanted.plan_hash.as_deref().unwrap_or_default())?;
    let changes = carry_out(&mut tx, &mut plan, &wish, Some(&run)).await?;
    let new_classes: usize = plan.groups.iter().map(Group::new_classes).sum();
    let message = format!("已为{}名学生分班，新建{new_classes}个班级", plan.students());
    let outcome = Outcome { message, ..Outcome::default() };
    run.mark_done(&mut tx, &outcome).await?;
    tx.commit_all(changes).await?;
    Ok(outcome)
}

/// Makes the classes of the plan and seats its students, group by group.
async fn carry_out(tx: &mut Tx, plan: &mut Plan, wish: &Wish, run: Option<&JobRun>) -> Result<Vec<Change>> {
    let (total, mut done) = (plan.students(), 0);
    let mut changes = Vec::new();
    for group in &mut plan.groups {
        changes.extend(make_classes(tx, group, wish).await?);
        let moves: Vec<Move> = moves_of(group).collect();
        changes.extend(seat(tx, &moves, Some(&plan.hash)).await?);
        done += i64::try_from(moves.len()).map_err(Error::internal)?;
        if let Some(run) = run {
            run.progress("分班", done, total).await?;
        }
    }
    Ok(changes)
}

/// Nobody else divides these groups or fills their classes until this transaction ends. What is read afterwards is as it
/// stays.
async fn lock(tx: &mut Tx, wish: &Wish) -> Result<()> {
    sqlx::query!(
        r#"select pg_advisory_xact_lock(hashtextextended('class division ' || current_schema() || ' ' || place.key, 0))::text as "locked"
           from (select distinct concat_ws(' ', s.grade_id, s.level_id, s.major_id, s.site_id) as key
                 from student s
                 where s.grade_id = $1 and s.class_id is null
                   and s.active
                   and ($2::bigint[] is null or s.level_id = any($2))
                   and ($3::bigint[] is null or s.major_id = any($3))
                   and ($4::bigint[] is null or s.site_id = any($4))
                   and ($5::bigint[] is null or s.site_id = any($5))
                 order by 1) place"#,
        wish.grade_id,
        wish.level_ids.as_deref(),
        wish.major_ids.as_deref(),
        wish.site_ids.as_deref(),
        wish.scope.sites()
    )
    .fetch_all(&mut **tx)
    .await?;
    if wish.use_existing {
        sqlx::query!("select id from class where grade_id = $1 and enabled order by id for update", wish.grade_id)
            .fetch_all(&mut **tx)
            .await?;
    }
    Ok(())
}

/// Makes the new classes of a group and gives them their numbers in the plan.
async fn make_classes(tx: &mut Tx, group: &mut Group, wish: &Wish) -> Result<Vec<Change>> {
    let (made, changes) = classes_create(tx, group.cohort, group.new_classes(), wish.capacity, &wish.naming).await?;
    let new = group.classes.iter_mut().filter(|class| class.new);
    for (class, (id, _)) in new.zip(made) {
        class.class_id = Some(id);
    }
    Ok(changes)
}

fn moves_of(group: &Group) -> impl Iterator<Item = Move> {
    group.classes.iter().flat_map(|class| {
        class.students.iter().map(|student| Move { student_id: *student, from: None, to: class.class_id })
    })
}

impl Plan {
    fn students(&self) -> i64 {
        self.groups.iter().map(|group| group.students as i64).sum()
    }

    /// # Errors
    /// 409 when somebody came or went since the preview, and when nobody is without a class.
    fn is_as_shown(&self, hash: &str) -> Result<()> {
        if self.hash != hash {
            return Err(changed_meanwhile());
        }
        if self.groups.is_empty() {
            return Err(Error::conflict("没有未分班的学生"));
        }
        Ok(())
    }
}

/// The plan in the words of the answer, before anybody is seated.
fn told(plan: &Plan, wish: &Wish) -> DivisionPlan {
    let small = |class: &Seating| class.new && (class.students.len() as i64) < i64::from(wish.least);
    let groups: Vec<DivisionGroup> = plan
        .groups
        .iter()
        .map(|group| DivisionGroup {
            level_name: group.level.clone(),
            major_name: group.major.clone(),
            site_name: group.site.clone(),
            students: group.students as i64,
            classes: group
                .classes
                .iter()
                .map(|class| DividedClass {
                    class_id: class.class_id,
                    name: class.name.clone(),
                    capacity: class.capacity,
                    taken: class.taken,
                    added: class.students.len() as i64,
                    small: small(class),
                })
                .collect(),
        })
        .collect();
    DivisionPlan {
        plan_hash: plan.hash.clone(),
        students: plan.students(),
        new_classes: plan.groups.iter().map(|group| group.new_classes() as i64).sum(),
        small: plan
            .groups
            .iter()
            .flat_map(|group| group.classes.iter().filter(|class| small(class)).map(|class| class.name.clone()))
            .collect(),
        groups,
        done: 0,
        job_id: None,
    }
}
