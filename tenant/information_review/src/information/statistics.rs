//! 班级统计: of those who have to hand a form in, how many did, and what came of it, class by class (02 §11.3). Rates are made from the
//! sums.

use std::collections::BTreeMap;

use infra::{
    Allowed, Error, Result, Scope,
    access::{EachSchool, Permission},
    across::{self, SchoolNotice},
    clock::Moment,
    share::percent,
};
use poem_openapi::{Object, types::Example};
use sqlx::PgConnection;

use super::list::{InformationFilter, Wanted, of_list};
use crate::{enums::InformationKind, group::Group};

/// Which classes are counted.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct InformationCounting {
    /// 年级
    /// 院校内必填；平台不指明院校时按院校统计全部年级
    pub grade_id: Option<i64>,
    /// 层次
    pub level_id: Option<i64>,
    /// 专业
    pub major_id: Option<i64>,
    /// 站点
    pub site_id: Option<i64>,
    /// 班主任
    pub manager_id: Option<i64>,
    /// 班级
    pub class_id: Option<i64>,
}

impl Example for InformationCounting {
    fn example() -> Self {
        Self { grade_id: Some(1), ..Self::default() }
    }
}

impl InformationCounting {
    /// The rows of the list that are counted.
    fn wanted(&self, kind: InformationKind, scope: &Scope) -> Wanted {
        let filter = InformationFilter {
            grade_id: self.grade_id,
            level_id: self.level_id,
            major_id: self.major_id,
            site_id: self.site_id,
            manager_id: self.manager_id,
            class_id: self.class_id,
            counted: Some(true),
            ..InformationFilter::default()
        };
        filter.wanted(kind, scope)
    }
}

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

/// The figures, line by line and together.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct InformationStatistics {
    /// 各行
    /// 每班一行；平台不指明院校时每校一行
    pub lines: Vec<InformationCount>,
    /// 合计
    pub total: InformationCount,
    /// 各站点
    pub by_site: Vec<InformationCount>,
    /// 未包含的院校
    #[oai(skip_serializing_if_is_empty, default)]
    pub notices: Vec<SchoolNotice>,
}

/// The figures of one group of forms, as they are counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Counted {
    should: i64,
    not_submitted: i64,
    submitted: i64,
    class_passed: i64,
    approved: i64,
    returned: i64,
    mismatched: i64,
    qualified: i64,
    unqualified: i64,
    supplement: i64,
    unsigned: i64,
    pre_check_failed: i64,
    photo_missing: i64,
    photo_different: i64,
}

impl Counted {
    fn of(count: &InformationCount) -> Self {
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

    fn plus(self, other: Self) -> Self {
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
    fn figures(self) -> InformationCount {
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
fn together<'l>(lines: impl IntoIterator<Item = &'l InformationCount>) -> Counted {
    lines.into_iter().map(Counted::of).fold(Counted::default(), Counted::plus)
}

/// The lines of each site together, in the order in which the sites come.
fn by_site(lines: &[InformationCount]) -> Vec<InformationCount> {
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

/// The body of a `classStatistics` operation of both areas.
///
/// # Errors
/// 422 at `gradeId` when a school is meant and no grade.
pub(crate) async fn statistics<G: Group, P: Permission<Realm = EachSchool>>(
    caller: &Allowed<P>,
    asked: InformationCounting,
) -> Result<InformationStatistics> {
    if caller.school_id().is_some() {
        if asked.grade_id.is_none() {
            return Err(Error::field("gradeId", "请选择年级"));
        }
        let mut tx = caller.read().await?;
        return of_school(&mut tx, G::KIND, &asked, &caller.scope()).await;
    }
    let counting =
        across::each(caller, |connection| Box::pin(async move { of_whole_school(connection, G::KIND).await }));
    let (answers, notices) = counting.await?;
    let lines: Vec<InformationCount> = answers
        .into_iter()
        .map(|(school, (classes, counted))| InformationCount {
            school_id: Some(school.id),
            school_name: Some(school.name.clone()),
            classes: Some(classes),
            ..counted.figures()
        })
        .collect();
    let classes = lines.iter().filter_map(|line| line.classes).sum();
    let total = InformationCount { classes: Some(classes), ..together(&lines).figures() };
    Ok(InformationStatistics { total, lines, by_site: Vec::new(), notices })
}

/// The classes of a school that the scope opens.
///
/// # Errors
/// Those of the database.
pub(crate) async fn of_school(
    connection: &mut PgConnection,
    kind: InformationKind,
    asked: &InformationCounting,
    scope: &Scope,
) -> Result<InformationStatistics> {
    let lines = lines(connection, &asked.wanted(kind, scope)).await?;
    Ok(InformationStatistics {
        total: together(&lines).figures(),
        by_site: by_site(&lines),
        lines,
        notices: Vec::new(),
    })
}

/// A line a class; who has none, by grade, level, major and site.
struct Line {
    class_id: Option<i64>,
    class_name: Option<String>,
    grade_id: i64,
    grade_name: String,
    level_id: i64,
    level_name: String,
    major_id: i64,
    major_name: String,
    site_id: i64,
    site_name: String,
    manager_name: Option<String>,
    reminded_at: Option<Moment>,
    should: i64,
    not_submitted: i64,
    submitted: i64,
    class_passed: i64,
    approved: i64,
    returned: i64,
    mismatched: i64,
    qualified: i64,
    unqualified: i64,
    supplement: i64,
    unsigned: i64,
    pre_check_failed: i64,
    photo_missing: i64,
    photo_different: i64,
}

impl Line {
    fn figures(self) -> InformationCount {
        let counted = Counted {
            should: self.should,
            not_submitted: self.not_submitted,
            submitted: self.submitted,
            class_passed: self.class_passed,
            approved: self.approved,
            returned: self.returned,
            mismatched: self.mismatched,
            qualified: self.qualified,
            unqualified: self.unqualified,
            supplement: self.supplement,
            unsigned: self.unsigned,
            pre_check_failed: self.pre_check_failed,
            photo_missing: self.photo_missing,
            photo_different: self.photo_different,
        };
        InformationCount {
            class_id: self.class_id,
            class_name: Some(self.class_name.unwrap_or_else(|| "未分班".to_owned())),
            grade_id: Some(self.grade_id),
            grade_name: Some(self.grade_name),
            level_id: Some(self.level_id),
            level_name: Some(self.level_name),
            major_id: Some(self.major_id),
            major_name: Some(self.major_name),
            site_id: Some(self.site_id),
            site_name: Some(self.site_name),
            manager_name: self.manager_name,
            reminded_at: self.reminded_at,
            ..counted.figures()
        }
    }
}

async fn lines(connection: &mut PgConnection, wanted: &Wanted) -> Result<Vec<InformationCount>> {
    let lines = of_list!(query_as [Line]
        [r#"select n.class_id as "class_id?", c.name as "class_name?", n.grade_id as "grade_id!", g.name as "grade_name!",
                   n.level_id as "level_id!", l.name as "level_name!", n.major_id as "major_id!", m.name as "major_name!",
                   n.site_id as "site_id!", t.name as "site_name!", p.name as "manager_name?",
                   r.reminded_at as "reminded_at?", n.should as "should!", n.not_submitted as "not_submitted!",
                   n.submitted as "submitted!", n.class_passed as "class_passed!", n.approved as "approved!",
                   n.returned as "returned!", n.mismatched as "mismatched!", n.qualified as "qualified!",
                   n.unqualified as "unqualified!", n.supplement as "supplement!", n.unsigned as "unsigned!",
                   n.pre_check_failed as "pre_check_failed!", n.photo_missing as "photo_missing!",
                   n.photo_different as "photo_different!"
            from (select s.class_id, s.grade_id, s.level_id, s.major_id, s.site_id, count(*) as should,
                         count(*) filter (where i.status = 'not_submitted') as not_submitted,
                         count(*) filter (where i.status = 'submitted') as submitted,
                         count(*) filter (where i.status = 'class_passed') as class_passed,
                         count(*) filter (where i.status = 'approved') as approved,
                         count(*) filter (where i.status = 'returned') as returned,
                         count(*) filter (where i.mismatches > 0) as mismatched,
                         count(*) filter (where i.conclusion = 'qualified') as qualified,
                         count(*) filter (where i.conclusion = 'unqualified') as unqualified,
                         count(*) filter (where i.conclusion = 'supplement') as supplement,
                         count(*) filter (where i.kind = 'admission_commitment' and i.commitment_text is null) as unsigned,
                         count(*) filter (where i.chsi_pre_check = 'failed') as pre_check_failed,
                         count(*) filter (where i.kind = 'graduation_information' and s.graduation_photo_id is null)
                             as photo_missing,
                         count(*) filter (where i.photo_check = 'different') as photo_different
                  from student_information i join student s on s.id = i.student_id "#]
        wanted
        [+ " group by s.class_id, s.grade_id, s.level_id, s.major_id, s.site_id) n
            join grade g on g.id = n.grade_id
            join level l on l.id = n.level_id
            join major m on m.id = n.major_id
            join site t on t.id = n.site_id
            left join class c on c.id = n.class_id
            left join class_manager p on p.id = c.manager_id
            left join information_reminder r on r.kind = $1 and r.class_id = n.class_id
            order by t.code, l.sort_no, l.code, m.code, c.code nulls last, n.class_id"]);
    Ok(lines.fetch_all(connection).await?.into_iter().map(Line::figures).collect())
}

/// A whole school with the number of its classes.
async fn of_whole_school(connection: &mut PgConnection, kind: InformationKind) -> Result<(i64, Counted)> {
    let wanted = InformationCounting::default().wanted(kind, &Scope::whole_school());
    let found = of_list!(query []
        [r#"select count(distinct s.class_id) as "classes!", count(*) as "should!",
                   count(*) filter (where i.status = 'not_submitted') as "not_submitted!",
                   count(*) filter (where i.status = 'submitted') as "submitted!",
                   count(*) filter (where i.status = 'class_passed') as "class_passed!",
                   count(*) filter (where i.status = 'approved') as "approved!",
                   count(*) filter (where i.status = 'returned') as "returned!",
                   count(*) filter (where i.mismatches > 0) as "mismatched!",
                   count(*) filter (where i.conclusion = 'qualified') as "qualified!",
                   count(*) filter (where i.conclusion = 'unqualified') as "unqualified!",
                   count(*) filter (where i.conclusion = 'supplement') as "supplement!",
                   count(*) filter (where i.kind = 'admission_commitment' and i.commitment_text is null) as "unsigned!",
                   count(*) filter (where i.chsi_pre_check = 'failed') as "pre_check_failed!",
                   count(*) filter (where i.kind = 'graduation_information' and s.graduation_photo_id is null)
                       as "photo_missing!",
                   count(*) filter (where i.photo_check = 'different') as "photo_different!"
            from student_information i join student s on s.id = i.student_id "#]
        wanted
        []);
    let found = found.fetch_one(connection).await?;
    let counted = Counted {
        should: found.should,
        not_submitted: found.not_submitted,
        submitted: found.submitted,
        class_passed: found.class_passed,
        approved: found.approved,
        returned: found.returned,
        mismatched: found.mismatched,
        qualified: found.qualified,
        unqualified: found.unqualified,
        supplement: found.supplement,
        unsigned: found.unsigned,
        pre_check_failed: found.pre_check_failed,
        photo_missing: found.photo_missing,
        photo_different: found.photo_different,
    };
    Ok((found.classes, counted))
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
