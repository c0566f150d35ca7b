//! 按计划生成开课: which courses of a plan become openings, which stand already, and which are left out (part 03 B2).

use std::collections::{BTreeMap, HashMap};

use poem_openapi::Object;

use crate::enums::{GenerationReason, OpeningStatus};

/// Courses that were left out, and why; or drafts that the plan has no more, which stay until somebody deletes them.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
pub struct GenerationSkip {
    /// 原因
    pub reason: GenerationReason,
    /// 课程数
    pub count: i64,
    /// 课程
    pub courses: Vec<String>,
}

/// How it went with a plan.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct GeneratedPlan {
    /// 教学计划
    pub plan_id: Option<i64>,
    /// 教学计划名称
    pub plan_name: Option<String>,
    /// 年级编号
    pub grade_id: i64,
    /// 年级
    pub grade_name: String,
    /// 专业编号
    pub major_id: Option<i64>,
    /// 专业
    pub major_name: Option<String>,
    /// 学期序
    pub term_no: i32,
    /// 在籍人数
    pub students: i64,
    /// 新增
    pub created: i64,
    /// 已有
    pub existing: i64,
    /// 未生成
    pub skipped: i64,
    /// 未生成的课程
    pub skips: Vec<GenerationSkip>,
}

/// How it went.
#[derive(Debug, Clone, Default, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct GeneratedOpenings {
    /// 新增
    pub created: i64,
    /// 已有
    pub existing: i64,
    /// 未生成
    pub skipped: i64,
    /// 各教学计划的结果
    pub plans: Vec<GeneratedPlan>,
    /// 任务编号
    /// 超过500个开课时作为任务生成，结果见任务中心
    #[oai(skip_serializing_if_is_none)]
    pub job_id: Option<i64>,
}

/// What there is to do.
#[derive(Debug, Default)]
pub struct Plan {
    pub plans: Vec<GeneratedPlan>,
    /// Courses of plans that become openings.
    pub new: Vec<i64>,
    /// Drafts, each with the course of the plan that counts now.
    pub refreshed: Vec<(i64, i64)>,
}

/// A grade and major in one of its terms, with the plan in effect.
pub struct Cohort {
    pub grade_id: i64,
    pub grade_name: String,
    pub major_id: i64,
    pub major_name: String,
    pub term_no: i32,
    pub plan_id: Option<i64>,
    pub plan_name: Option<String>,
    /// In the register.
    pub students: i64,
    /// Of them those who come onto rosters.
    pub expected: i64,
}

/// A course of a plan in the term.
#[derive(Debug, Clone)]
pub struct PlanCourse {
    pub id: i64,
    pub course_id: i64,
    pub name: String,
    pub enabled: bool,
}

/// An opening that stands.
#[derive(Debug, Clone)]
pub struct Stands {
    pub id: i64,
    pub status: OpeningStatus,
    pub course_name: String,
}

impl Plan {
    /// How it goes.
    pub fn told(&self) -> GeneratedOpenings {
        let sum = |of: fn(&GeneratedPlan) -> i64| self.plans.iter().map(of).sum();
        GeneratedOpenings {
            created: sum(|plan| plan.created),
            existing: sum(|plan| plan.existing),
            skipped: sum(|plan| plan.skipped),
            plans: self.plans.clone(),
            job_id: None,
        }
    }
}

impl Plan {
    /// Adds what there is to do for a cohort with these courses, by what stands of a course, grade and major.
    pub fn add(&mut self, cohort: &Cohort, courses: &[PlanCourse], stands: &HashMap<(i64, i64, i64), Stands>) {
        let (mut created, mut existing) = (0, 0);
        let mut skips: BTreeMap<&'static str, GenerationSkip> = BTreeMap::new();
        let mut skip = |reason: GenerationReason, course: Option<&str>| {
            let entry = skips.entry(reason.as_str());
            let skip = entry.or_insert(GenerationSkip { reason, count: 0, courses: Vec::new() });
            skip.count += i64::from(course.is_some());
            skip.courses.extend(course.map(ToOwned::to_owned));
        };
        if cohort.plan_id.is_none() {
            skip(GenerationReason::NoEffectivePlan, None);
        }
        for course in courses {
            match stands.get(&(course.course_id, cohort.grade_id, cohort.major_id)) {
                Some(opening) => {
                    existing += 1;
                    if opening.status == OpeningStatus::Draft {
                        self.refreshed.push((opening.id, course.id));
                    }
                }
                None if !course.enabled => skip(GenerationReason::DisabledCourse, Some(&course.name)),
                None if cohort.expected == 0 => skip(GenerationReason::NoStudent, Some(&course.name)),
                None => {
                    created += 1;
                    self.new.push(course.id);
                }
            }
        }
        let mut left: Vec<&str> = stands
            .iter()
            .filter(|((course, grade, major), opening)| {
                (*grade, *major) == (cohort.grade_id, cohort.major_id)
                    && opening.status == OpeningStatus::Draft
                    && !courses.iter().any(|own| own.course_id == *course)
            })
            .map(|(_, opening)| opening.course_name.as_str())
            .collect();
        left.sort_unstable();
        for name in left {
            skip(GenerationReason::LeftOver, Some(name));
        }
        let skips: Vec<GenerationSkip> = skips.into_values().collect();
        self.plans.push(GeneratedPlan {
            plan_id: cohort.plan_id,
            plan_name: cohort.plan_name.clone(),
            grade_id: cohort.grade_id,
            grade_name: cohort.grade_name.clone(),
            major_id: Some(cohort.major_id),
            major_name: Some(cohort.major_name.clone()),
            term_no: cohort.term_no,
            students: cohort.students,
            created,
            existing,
            skipped: skips.iter().filter(|skip| skip.reason != GenerationReason::LeftOver).map(|skip| skip.count).sum(),
            skips,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cohort(students: i64) -> Cohort {
        Cohort {
            grade_id: 1,
            grade_name: "2026级".to_owned(),
            major_id: 2,
            major_name: "会计学".to_owned(),
            term_no: 1,
            plan_id: Some(3),
            plan_name: Some("2026级专升本会计学教学计划V1".to_owned()),
            students,
            expected: students,
        }
    }

    fn courses() -> Vec<PlanCourse> {
        let course = |id: i64| PlanCourse { id, course_id: 100 + id, name: format!("课程{id}"), enabled: id != 5 };
        (1..=5).map(course).collect()
    }

    #[test]
    fn what_stands_is_counted_and_drafts_follow_the_plan() {
        let mut stands = HashMap::new();
        let opening = |id: i64, status| Stands { id, status, course_name: format!("课程{id}") };
        stands.insert((101, 1, 2), opening(71, OpeningStatus::Draft));
        stands.insert((102, 1, 2), opening(72, OpeningStatus::Opened));
        // Not in the plan any more: the draft is told, what is opened stays; another major's is none of this one.
        stands.insert((190, 1, 2), opening(73, OpeningStatus::Draft));
        stands.insert((191, 1, 2), opening(74, OpeningStatus::Opened));
        stands.insert((190, 1, 9), opening(75, OpeningStatus::Draft));
        let mut plan = Plan::default();
        plan.add(&cohort(30), &courses(), &stands);
        let told = plan.told();
        assert_eq!((told.created, told.existing, told.skipped), (2, 2, 1));
        assert_eq!((plan.new, plan.refreshed), (vec![3, 4], vec![(71, 1)]));
        assert_eq!(told.plans[0].skips[0].reason, GenerationReason::DisabledCourse);
        assert_eq!(told.plans[0].skips[0].courses, ["课程5"]);
        assert_eq!(told.plans[0].skips[1].reason, GenerationReason::LeftOver);
        assert_eq!(told.plans[0].skips[1].courses, ["课程73"]);
    }

    #[test]
    fn without_students_nothing_is_opened() {
        let mut plan = Plan::default();
        plan.add(&cohort(0), &courses()[..4], &HashMap::new());
        let skips = &plan.plans[0].skips;
        assert_eq!((skips[0].reason, skips[0].count, plan.told().skipped), (GenerationReason::NoStudent, 4, 4));
        assert!(plan.new.is_empty());
    }

    #[test]
    fn a_major_without_a_plan_is_told() {
        let mut plan = Plan::default();
        plan.add(&Cohort { plan_id: None, plan_name: None, ..cohort(30) }, &[], &HashMap::new());
        assert_eq!(plan.plans[0].skips[0].reason, GenerationReason::NoEffectivePlan);
        assert_eq!(plan.told().skipped, 0);
    }
}
