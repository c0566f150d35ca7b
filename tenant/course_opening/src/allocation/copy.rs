//! 沿用上学期任课: who taught a course in a class teaches it again, there or in the next class of the same site (part 03 B3).

use std::collections::{BTreeMap, BTreeSet};

use course_opening_rules::allocation_copy::Source;
use infra::{Allowed, Body, Error, Reply, Result, Scope, Tx, reply};
use poem_openapi::{Object, OpenApi, types::Example};

use super::{
    AllocationForm, CopyAllocations,
    form::{hold, insert},
};
use crate::{enums::AllocationRole, open_semester};

/// From which semester into which.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct AllocationCopy {
    /// 从学期
    pub from_semester_id: i64,
    /// 到学期
    pub to_semester_id: i64,
    /// 仅检查
    #[oai(default)]
    pub dry_run: bool,
}

impl Example for AllocationCopy {
    fn example() -> Self {
        Self { from_semester_id: 1, to_semester_id: 2, dry_run: true }
    }
}

/// An allocation that was not taken over, and why.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct CopySkip {
    /// 课程
    pub course_name: String,
    /// 班级
    pub class_name: Option<String>,
    /// 教师
    pub teacher_name: String,
    /// 角色
    pub role: AllocationRole,
    /// 原因
    pub message: String,
}

/// How it went.
#[derive(Debug, Clone, Default, Object)]
pub struct AllocationsCopied {
    /// 新增
    pub created: i64,
    /// 未沿用
    pub skipped: Vec<CopySkip>,
}

pub struct Copying;

#[OpenApi(prefix_path = "/adult/pc/courseAllocation", tag = "crate::Tag::CourseOpening")]
impl Copying {
    /// 沿用上学期任课
    /// 同一班级的同一课程，或同一站点的同一课程
    #[oai(path = "/copy", method = "post", operation_id = "copyAllocations")]
    async fn copy(
        &self,
        caller: Allowed<CopyAllocations>,
        Body(wanted): Body<AllocationCopy>,
    ) -> Result<Reply<AllocationsCopied>> {
        if wanted.from_semester_id == wanted.to_semester_id {
            return Err(Error::field("toSemesterId", "请选择其他学期"));
        }
        let scope = caller.scope();
        let mut tx = caller.begin_long().await?;
        open_semester(&mut tx, wanted.to_semester_id, "toSemesterId").await?;
        let sources = sources(&mut tx, &wanted, &scope).await?;
        let openings: BTreeSet<i64> =
            sources.values().flat_map(|source| source.targets.iter().map(|(opening, _)| *opening)).collect();
        hold(&mut tx, &openings.into_iter().collect::<Vec<_>>()).await?;
        let mut answer = AllocationsCopied::default();
        let mut changes = Vec::new();
        for source in sources.into_values() {
            let mut refused = source.targets.is_empty().then(|| "该学期没有对应的开课或班级".to_owned());
            for (opening_id, class_id) in &source.targets {
                let form = AllocationForm {
                    opening_id: *opening_id,
                    class_id: *class_id,
                    teacher_id: source.teacher_id,
                    role: source.role,
                    hours: source.hours,
                    remark: source.remark.clone(),
                };
                tx.savepoint().await?;
                match insert(&mut tx, &form, &scope).await {
                    Ok((_, change)) => {
                        tx.row_done().await?;
                        changes.push(change);
                    }
                    Err(error) => {
                        let why = tx.row_failed(error).await?.0;
                        refused.get_or_insert(why);
                    }
                }
            }
            answer.skipped.extend(refused.map(|message| CopySkip {
                course_name: source.course_name,
                class_name: source.class_name,
                teacher_name: source.teacher_name,
                role: source.role,
                message,
            }));
        }
        answer.created = i64::try_from(changes.len()).map_err(Error::internal)?;
        // Writing them is the check; of a check all of it is undone.
        if !wanted.dry_run && !changes.is_empty() {
            tx.commit_all(changes).await?;
        }
        Ok(reply(answer))
    }
}

/// What is of all classes goes to the openings of the same major; what is of a class to that class, where the course is opened
/// for it again, else to the classes of its site. Whoever sees a part of the school takes over what is of the classes in it.
async fn sources(tx: &mut Tx, wanted: &AllocationCopy, scope: &Scope) -> Result<BTreeMap<i64, Source>> {
    let rows = sqlx::query!(
        r#"select a.id, u.name as course_name, k.name as "class_name?", a.class_id, a.teacher_id, t.name as teacher_name,
                  a.role as "role: AllocationRole", a.hours, a.remark, n.id as "opening_id?", x.id as "to_class_id?"
           from course_allocation a
           join course_opening o on o.id = a.opening_id
           join course u on u.id = o.course_id
           join teacher t on t.id = a.teacher_id
           left join class k on k.id = a.class_id
           left join course_opening n on n.semester_id = $2 and n.course_id = o.course_id and n.status in ('draft', 'opened')
                and (a.class_id is not null or n.major_id is not distinct from o.major_id)
           left join class x on x.grade_id = n.grade_id and x.major_id = n.major_id and x.level_id = n.level_id and x.enabled
                and (x.id = k.id
                     or x.site_id = k.site_id and not (k.grade_id = n.grade_id and k.major_id = n.major_id))
           where o.semester_id = $1 and o.status <> 'cancelled'
             and ($3::bigint[] is null or k.site_id = any($3) or k.id = any($4::bigint[]))
           order by a.id, n.id, x.id"#,
        wanted.from_semester_id,
        wanted.to_semester_id,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(&mut **tx)
    .await?;
    let mut sources: BTreeMap<i64, Source> = BTreeMap::new();
    for row in rows {
        let source = sources.entry(row.id).or_insert_with(|| Source {
            course_name: row.course_name,
            class_id: row.class_id,
            class_name: row.class_name,
            teacher_id: row.teacher_id,
            teacher_name: row.teacher_name,
            role: row.role,
            hours: row.hours,
            remark: row.remark,
            targets: Vec::new(),
        });
        match (row.class_id, row.opening_id, row.to_class_id) {
            (None, Some(opening), _) => source.targets.push((opening, None)),
            (Some(_), Some(opening), Some(class)) => source.targets.push((opening, Some(class))),
            (_, None, _) | (Some(_), Some(_), None) => {}
        }
    }
    for source in sources.values_mut() {
        source.targets.dedup();
        source.prefer_own();
    }
    Ok(sources)
}
