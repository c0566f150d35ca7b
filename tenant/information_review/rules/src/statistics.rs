//! 班级统计: figures of forms and their rates, which are made from the sums (02 §11.3).

use std::collections::BTreeMap;

use infra::{clock::Moment, share::percent};
use poem_openapi::Object;

/// How many students of a class, a site or a school did what.
#[derive(Debug, Clone, Default, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct InformationCount {
    /// 院校编号
    #[oai(skip_serializing_if_is_none)]
    pub school_id: Option<i64>,
    /// 院校
    #[oai(skip_serializing_if_is_none)]
    pub school_name: Option<String>,
    /// 班级数
    /// 按院校统计时
    #[oai(skip_serializing_if_is_none)]
    pub classes: Option<i64>,
    /// 班级编号
    /// 未分班时为空
    pub class_id: Option<i64>,
    /// 班级
    pub class_name: Option<String>,
    /// 年级编号
    pub grade_id: Option<i64>,
    /// 年级
    pub grade_name: Option<String>,
    /// 层次编号
    pub level_id: Option<i64>,
    /// 层次
    pub level_name: Option<String>,
    /// 专业编号
    pub major_id: Option<i64>,
    /// 专业
    pub major_name: Option<String>,
    /// 站点编号
    pub site_id: Option<i64>,
    /// 站点
    pub site_name: Option<String>,
    /// 班主任
    pub manager_name: Option<String>,
    /// 应提交
    pub should: i64,
    /// 未提交
    pub not_submitted: i64,
    /// 待审核
    pub submitted: i64,
    /// 班主任通过
    pub class_passed: i64,
    /// 已通过
    pub approved: i64,
    /// 已退回
    pub returned: i64,
    /// 提交率
    /// 应提交中已提交的百分比，一位小数；没有应提交时为空
    pub submit_rate: Option<f64>,
    /// 通过率
    /// 应提交中已通过的百分比，一位小数；没有应提交时为空
    pub pass_rate: Option<f64>,
    /// 有误人数
    /// 有核对不符的学生
    pub mismatched: i64,
    /// 合格
    pub qualified: i64,
    /// 不合格
    pub unqualified: i64,
    /// 待补材料
    pub supplement: i64,
    /// 承诺书未签
    pub unsigned: i64,
    /// 清查未通过
    pub pre_check_failed: i64,
    /// 照片缺失
    /// 没有学历照片
    pub photo_missing: i64,
    /// 三照不符
    pub photo_different: i64,
    /// 最近催办时间
    pub reminded_at: Option<Moment>,
}

/// The figures of one group of forms, as they are counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counted {
    pub should: i64,
    pub not_submitted: i64,
    pub submitted: i64,
    pub class_passed: i64,
    pub approved: i64,
    pub returned: i64,
    pub mismatched: i64,
    pub qualified: i64,
    pub unqualified: i64,
    pub supplement: i64,
    pub unsigned: i64,
    pub pre_check_failed: i64,
    pub photo_missing: i64,
    pub photo_different: i64,
}

impl Counted {
    pub fn of(count: &InformationCount) -> Self {
        Self {
            should: count.should,
            not_submitted: count.not_submitted,
            submitted: count.submitted,
            class_passed: count.class_passed,
            approved: count.approved,
            returned: count.returned,
            mismatched: count.mismatched,
            qualified: count.qualified,
            unqualified: count.unqualified,
            supplement: count.supplement,
            unsigned: count.unsigned,
            pre_check_failed: count.pre_check_failed,
            photo_missing: count.photo_missing,
            photo_different: count.photo_different,
        }
    }

    pub fn plus(self, other: Self) -> Self {
        Self {
            should: self.should + other.should,
            not_submitted: self.not_submitted + other.not_submitted,
            submitted: self.submitted + other.submitted,
            class_passed: self.class_passed + other.class_passed,
            approved: self.approved + other.approved,
            returned: self.returned + other.returned,
            mismatched: self.mismatched + other.mismatched,
            qualified: self.qualified + other.qualified,
            unqualified: self.unqualified + other.unqualified,
            supplement: self.supplement + other.supplement,
            unsigned: self.unsigned + other.unsigned,
            pre_check_failed: self.pre_check_failed + other.pre_check_failed,
            photo_missing: self.photo_missing + other.photo_missing,
            photo_different: self.photo_different + other.photo_different,
        }
    }

    /// With the rates; whose figures they are is said around them.
    pub fn figures(self) -> InformationCount {
        let handed_in = self.should - self.not_submitted;
        InformationCount {
            should: self.should,
            not_submitted: self.not_submitted,
            submitted: self.submitted,
            class_passed: self.class_passed,
            approved: self.approved,
            returned: self.returned,
            submit_rate: percent(handed_in, self.should),
            pass_rate: percent(self.approved, self.should),
            mismatched: self.mismatched,
            qualified: self.qualified,
            unqualified: self.unqualified,
            supplement: self.supplement,
            unsigned: self.unsigned,
            pre_check_failed: self.pre_check_failed,
            photo_missing: self.photo_missing,
            photo_different: self.photo_different,
            ..InformationCount::default()
        }
    }
}

/// All lines together.
pub fn together<'l>(lines: impl IntoIterator<Item = &'l InformationCount>) -> Counted {
    lines.into_iter().map(Counted::of).fold(Counted::default(), Counted::plus)
}

/// The lines of each site together, in the order in which the sites come.
pub fn by_site(lines: &[InformationCount]) -> Vec<InformationCount> {
    let mut order: Vec<i64> = Vec::new();
    let mut of: BTreeMap<i64, Vec<&InformationCount>> = BTreeMap::new();
    for line in lines {
        let Some(site) = line.site_id else { continue };
        if !of.contains_key(&site) {
            order.push(site);
        }
        of.entry(site).or_default().push(line);
    }
    let sites = order.into_iter().filter_map(|site| Some((site, of.remove(&site)?)));
    let figures = sites.map(|(site, lines)| InformationCount {
        site_id: Some(site),
        site_name: lines.first().and_then(|line| line.site_name.clone()),
        ..together(lines).figures()
    });
    figures.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(site: i64, should: i64, not_submitted: i64, approved: i64) -> InformationCount {
        let counted = Counted { should, not_submitted, approved, ..Counted::default() };
        InformationCount {
            site_id: Some(site),
            site_name: Some(format!("站点{site}")),
            class_id: Some(should),
            ..counted.figures()
        }
    }

    /// The worked figures of 02 §11.3, and scenario 1 of §11.6.
    #[test]
    fn rates_come_from_the_sums() {
        let first =
            Counted { should: 46, not_submitted: 3, submitted: 5, approved: 36, returned: 2, ..Counted::default() };
        let first = first.figures();
        assert_eq!((first.submit_rate, first.pass_rate), (Some(93.5), Some(78.3)));
        let second = line(2, 44, 0, 44);
        assert_eq!((second.submit_rate, second.pass_rate), (Some(100.0), Some(100.0)));
        let total = together([&first, &second]).figures();
        assert_eq!((total.should, total.not_submitted, total.approved), (90, 3, 80));
        assert_eq!((total.submit_rate, total.pass_rate), (Some(96.7), Some(88.9)));
        let nobody = Counted::default().figures();
        assert_eq!((nobody.submit_rate, nobody.pass_rate), (None, None));
    }

    #[test]
    fn classes_of_a_site_are_added_up() {
        let sites = by_site(&[line(2, 10, 1, 5), line(1, 20, 0, 20), line(2, 30, 4, 6)]);
        let told: Vec<_> = sites.iter().map(|site| (site.site_id, site.should, site.approved, site.class_id)).collect();
        assert_eq!(told, [(Some(2), 40, 11, None), (Some(1), 20, 20, None)]);
        assert_eq!(sites[0].site_name.as_deref(), Some("站点2"));
    }
}
