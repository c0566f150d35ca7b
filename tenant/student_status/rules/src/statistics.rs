//! 在籍统计: the sums of what was counted (02 §9.10).

use std::collections::BTreeMap;

use poem_openapi::Object;

use crate::enums::StudyForm;

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
pub struct Group {
    pub grade_id: i64,
    pub grade_code: String,
    pub grade_name: String,
    pub level_id: i64,
    pub level_name: String,
    pub major_id: i64,
    pub major_code: String,
    pub major_name: String,
    pub study_form: StudyForm,
    pub site_id: i64,
    pub site_code: String,
    pub site_name: String,
    pub count: i64,
    pub unassigned: i64,
}

/// Newest grade first, then by code.
pub fn sum(groups: Vec<Group>) -> StudentStatistics {
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
