//! 在籍统计: the register counted instead of listed (02 §9.10), and who still has no class (02 §12.3, 班级人数).
//!
//! One statement counts both tables of the answer, so that their sums are equal to each other and to the list's total.

use std::collections::BTreeMap;

use infra::{Allowed, Body, Paged, Reply, Result, reply};
use poem_openapi::{Object, OpenApi};

use super::{ListStudents, list::StudentFilter};
use crate::{enums::StudyForm, register::of_register};

/// Students of one grade, level, study form and site.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct Cohort {
    /// 年级
    pub grade_name: String,
    /// 层次
    pub level_name: String,
    /// 学习形式
    pub study_form: StudyForm,
    /// 站点
    pub site_name: String,
    /// 人数
    pub count: i64,
}

/// Students of one grade and major.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct MajorCount {
    /// 年级编号
    pub grade_id: i64,
    /// 年级
    pub grade_name: String,
    /// 层次
    pub level_name: String,
    /// 专业编号
    pub major_id: i64,
    /// 专业
    pub major_name: String,
    /// 人数
    pub count: i64,
    /// 未分班人数
    pub unassigned: i64,
}

/// The students of a list, counted.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct StudentStatistics {
    /// 总人数
    /// 与同样条件的学籍列表条数相等
    pub total: i64,
    /// 未分班人数
    pub unassigned: i64,
    /// 按年级、层次、学习形式、站点
    pub cohorts: Vec<Cohort>,
    /// 按年级、专业
    pub majors: Vec<MajorCount>,
}

/// One line of the statement: the finest group that both tables are sums of.
#[derive(Debug, Clone)]
struct Group {
    grade_id: i64,
    grade_code: String,
    grade_name: String,
    level_id: i64,
    level_name: String,
    major_id: i64,
    major_code: String,
    major_name: String,
    study_form: StudyForm,
    site_id: i64,
    site_code: String,
    site_name: String,
    count: i64,
    unassigned: i64,
}

pub struct Statistics;

#[OpenApi(prefix_path = "/adult/pc/studentRoll", tag = "crate::Tag::StudentStatus")]
impl Statistics {
    /// 在籍统计
    /// 条件与学籍列表相同；分页不起作用
    #[oai(path = "/statistics", method = "post", operation_id = "countStudents")]
    async fn statistics(
        &self,
        caller: Allowed<ListStudents>,
        Body(asked): Body<Paged<StudentFilter>>,
    ) -> Result<Reply<StudentStatistics>> {
        let filter = asked.filter;
        let wanted = filter.wanted(&caller.scope());
        let mut tx = caller.read().await?;
        let groups = of_register!(query_as [Group]
            [r#"select p.grade_id, g.code as grade_code, g.name as grade_name, p.level_id, l.name as level_name, p.major_id,
                       m.code as major_code, m.name as major_name, p.study_form as "study_form: _", p.site_id,
                       t.code as site_code, t.name as site_name, p.count as "count!", p.unassigned as "unassigned!"
                from (select s.grade_id, s.level_id, s.major_id, s.study_form, s.site_id, count(*) as count,
                             count(*) filter (where s.class_id is null) as unassigned
                      from student s "#]
            wanted
            [+ " group by s.grade_id, s.level_id, s.major_id, s.study_form, s.site_id) p
                join grade g on g.id = p.grade_id join level l on l.id = p.level_id join major m on m.id = p.major_id
                join site t on t.id = p.site_id"])
        .fetch_all(&mut *tx)
        .await?;
        Ok(reply(sum(groups)))
    }
}

/// Newest grade first, then by code.
fn sum(groups: Vec<Group>) -> StudentStatistics {
    let total = groups.iter().map(|group| group.count).sum();
    let unassigned = groups.iter().map(|group| group.unassigned).sum();
    let mut cohorts = BTreeMap::new();
    let mut majors = BTreeMap::new();
    for group in groups {
        let newest = std::cmp::Reverse(group.grade_code);
        let cohort = cohorts
            .entry((newest.clone(), group.level_id, group.study_form.as_str(), group.site_code, group.site_id))
            .or_insert_with(|| Cohort {
                grade_name: group.grade_name.clone(),
                level_name: group.level_name.clone(),
                study_form: group.study_form,
                site_name: group.site_name,
                count: 0,
            });
        cohort.count += group.count;
        let major = majors.entry((newest, group.major_code, group.major_id)).or_insert_with(|| MajorCount {
            grade_id: group.grade_id,
            grade_name: group.grade_name,
            level_name: group.level_name,
            major_id: group.major_id,
            major_name: group.major_name,
            count: 0,
            unassigned: 0,
        });
        major.count += group.count;
        major.unassigned += group.unassigned;
    }
    StudentStatistics {
        total,
        unassigned,
        cohorts: cohorts.into_values().collect(),
        majors: majors.into_values().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(grade: &str, major: i64, site: i64, count: i64, unassigned: i64) -> Group {
        Group {
            grade_id: grade.parse().unwrap_or(0),
            grade_code: grade.to_owned(),
            grade_name: format!("{grade}级"),
            level_id: 1,
            level_name: "专升本".to_owned(),
            major_id: major,
            major_code: format!("01{major}"),
            major_name: format!("专业{major}"),
            study_form: StudyForm::NonFullTime,
            site_id: site,
            site_code: format!("00{site}"),
            site_name: format!("站点{site}"),
            count,
            unassigned,
        }
    }

    #[test]
    fn both_tables_have_the_sum_of_the_list() {
        let counted = sum(vec![
            group("2025", 1, 1, 30, 0),
            group("2026", 1, 1, 20, 5),
            group("2026", 2, 1, 10, 10),
            group("2026", 1, 2, 7, 1),
        ]);
        assert_eq!((counted.total, counted.unassigned), (67, 16));
        let cohorts: Vec<_> =
            counted.cohorts.iter().map(|row| (&*row.grade_name, &*row.site_name, row.count)).collect();
        assert_eq!(cohorts, [("2026级", "站点1", 30), ("2026级", "站点2", 7), ("2025级", "站点1", 30)]);
        let majors: Vec<_> =
            counted.majors.iter().map(|row| (&*row.grade_name, row.major_id, row.count, row.unassigned)).collect();
        assert_eq!(majors, [("2026级", 1, 27, 6), ("2026级", 2, 10, 10), ("2025级", 1, 30, 0)]);
    }
}
