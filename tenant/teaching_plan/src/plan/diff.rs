//! 差异: what one version has otherwise than another, of its head, its groups and its courses (part 03 B1).

use courses::course::AssessMode;
use infra::{Allowed, Error, Reply, Result, reply};
use poem_openapi::{Object, OpenApi, param::Query};
use sqlx::PgConnection;

use super::{ComparePlans, Held, known, select::told};
use crate::{
    course::{
        PlanCourse, PlanGroup,
        select::{courses_of, groups_of},
    },
    credit::{shown, tenths},
    enums::PlanDifferenceKind,
};

/// One field that differs, in the words of people.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
pub struct FieldDifference {
    /// 字段
    pub field: String,
    /// 字段名称
    pub label: String,
    /// 原内容
    pub before: String,
    /// 新内容
    pub after: String,
}

/// A course that differs.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct CourseDifference {
    /// 课程
    pub course_id: i64,
    /// 课程代码
    pub course_code: String,
    /// 课程名称
    pub course_name: String,
    /// 差异
    pub kind: PlanDifferenceKind,
    /// 各字段
    /// 新增和删除的课程列出其内容
    pub fields: Vec<FieldDifference>,
}

/// A group that differs.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct GroupDifference {
    /// 选修组名称
    pub name: String,
    /// 差异
    pub kind: PlanDifferenceKind,
    /// 各字段
    pub fields: Vec<FieldDifference>,
}

/// 版本差异
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct PlanDifference {
    /// 教学计划
    pub id: i64,
    /// 名称
    pub name: String,
    /// 对比的教学计划
    pub other_id: i64,
    /// 对比的名称
    pub other_name: String,
    /// 基本信息
    pub head: Vec<FieldDifference>,
    /// 选修组
    pub groups: Vec<GroupDifference>,
    /// 课程
    pub courses: Vec<CourseDifference>,
}

/// A field as people read it: word, label, content.
type Told = (&'static str, &'static str, String);

/// The fields of which the contents differ; a side that is not there is empty.
fn differing(before: Option<Vec<Told>>, after: Option<Vec<Told>>) -> Vec<FieldDifference> {
    let known = after.as_ref().or(before.as_ref());
    let places: Vec<(&'static str, &'static str)> =
        known.into_iter().flatten().map(|(field, label, _)| (*field, *label)).collect();
    let content = |side: &Option<Vec<Told>>, place: usize| {
        side.as_ref().and_then(|fields| fields.get(place)).map(|(_, _, content)| content.clone()).unwrap_or_default()
    };
    let told = places.into_iter().enumerate().map(|(place, (field, label))| FieldDifference {
        field: field.to_owned(),
        label: label.to_owned(),
        before: content(&before, place),
        after: content(&after, place),
    });
    told.filter(|told| told.before != told.after).collect()
}

fn kind(was: bool, is: bool) -> PlanDifferenceKind {
    match (was, is) {
        (false, _) => PlanDifferenceKind::Added,
        (true, false) => PlanDifferenceKind::Removed,
        (true, true) => PlanDifferenceKind::Changed,
    }
}

fn of_course(course: &PlanCourse) -> Vec<Told> {
    vec![
        ("typeId", "课程类型", course.type_name.clone()),
        ("nature", "课程性质", course.nature.zh().to_owned()),
        ("electiveGroupId", "选修组", course.elective_group_name.clone().unwrap_or_default()),
        ("termNo", "开课学期", course.term_no.to_string()),
        ("credits", "学分", shown(tenths(course.credits))),
        ("hours", "总学时", course.hours.to_string()),
        ("lectureHours", "面授学时", course.lecture_hours.to_string()),
        ("onlineHours", "线上学时", course.online_hours.to_string()),
        ("practiceHours", "实践学时", course.practice_hours.to_string()),
        ("selfStudyHours", "自学学时", course.self_study_hours.to_string()),
        ("examForm", "考核类型", course.exam_form.zh().to_owned()),
        ("assessMode", "考核方式", course.assess_mode.map(AssessMode::zh).unwrap_or_default().to_owned()),
        ("degreeCourse", "学位课程", if course.degree_course { "是" } else { "否" }.to_owned()),
        ("remark", "备注", course.remark.clone().unwrap_or_default()),
    ]
}

fn of_group(group: &PlanGroup) -> Vec<Told> {
    vec![
        ("minCredits", "最低学分", shown(tenths(group.min_credits))),
        ("minCourses", "最少门数", group.min_courses.map(|count| count.to_string()).unwrap_or_default()),
    ]
}

/// Courses that differ: those of the newer side in its order, then those that are gone.
fn courses(before: &[PlanCourse], after: &[PlanCourse]) -> Vec<CourseDifference> {
    let find = |side: &[PlanCourse], id: i64| side.iter().find(|course| course.course_id == id).cloned();
    let gone = before.iter().filter(|course| find(after, course.course_id).is_none());
    let told = after.iter().chain(gone).filter_map(|course| {
        let (was, is) = (find(before, course.course_id), find(after, course.course_id));
        let kind = kind(was.is_some(), is.is_some());
        let fields = differing(was.as_ref().map(of_course), is.as_ref().map(of_course));
        let differs = kind != PlanDifferenceKind::Changed || !fields.is_empty();
        differs.then(|| CourseDifference {
            course_id: course.course_id,
            course_code: course.course_code.clone(),
            course_name: course.course_name.clone(),
            kind,
            fields,
        })
    });
    told.collect()
}

fn groups(before: &[PlanGroup], after: &[PlanGroup]) -> Vec<GroupDifference> {
    let find = |side: &[PlanGroup], name: &str| side.iter().find(|group| group.name == name).cloned();
    let gone = before.iter().filter(|group| find(after, &group.name).is_none());
    let told = after.iter().chain(gone).filter_map(|group| {
        let (was, is) = (find(before, &group.name), find(after, &group.name));
        let kind = kind(was.is_some(), is.is_some());
        let fields = differing(was.as_ref().map(of_group), is.as_ref().map(of_group));
        let differs = kind != PlanDifferenceKind::Changed || !fields.is_empty();
        differs.then(|| GroupDifference { name: group.name.clone(), kind, fields })
    });
    told.collect()
}

async fn head(connection: &mut PgConnection, id: i64) -> Result<Vec<Told>> {
    let head = told(connection, id).await?;
    Ok(vec![
        ("name", "名称", head.name),
        ("totalCredits", "总学分", shown(tenths(head.total_credits))),
        ("minCompulsoryCredits", "必修学分", shown(tenths(head.min_compulsory_credits))),
        ("minElectiveCredits", "选修学分", shown(tenths(head.min_elective_credits))),
        ("termCount", "学期数", head.term_count.to_string()),
        ("objective", "培养目标", head.objective.unwrap_or_default()),
        ("remark", "备注", head.remark.unwrap_or_default()),
    ])
}

async fn compared(connection: &mut PgConnection, plan: &Held, other: &Held) -> Result<PlanDifference> {
    let before = (courses_of(connection, &[other.id]).await?, groups_of(connection, &[other.id]).await?);
    let after = (courses_of(connection, &[plan.id]).await?, groups_of(connection, &[plan.id]).await?);
    let (old, new) = (head(connection, other.id).await?, head(connection, plan.id).await?);
    Ok(PlanDifference {
        id: plan.id,
        name: plan.name.clone(),
        other_id: other.id,
        other_name: other.name.clone(),
        head: differing(Some(old), Some(new)),
        groups: groups(&before.1, &after.1),
        courses: courses(&before.0, &after.0),
    })
}

pub struct Differences;

#[OpenApi(prefix_path = "/adult/pc/teachingPlan", tag = "crate::Tag::TeachingPlan")]
impl Differences {
    /// 教学计划版本差异
    /// 与另一计划相比的不同，另一计划为原内容
    #[oai(path = "/diff", method = "get", operation_id = "compareTeachingPlans")]
    async fn diff(
        &self,
        caller: Allowed<ComparePlans>,
        /// 编号
        id: Query<i64>,
        /// 对比的教学计划
        #[oai(name = "otherId")]
        other_id: Query<i64>,
    ) -> Result<Reply<PlanDifference>> {
        if id.0 == other_id.0 {
            return Err(Error::field("otherId", "请选择另一个教学计划"));
        }
        let mut tx = caller.read().await?;
        let (plan, other) = (known(&mut tx, id.0).await?, known(&mut tx, other_id.0).await?);
        Ok(reply(compared(&mut tx, &plan, &other).await?))
    }
}
