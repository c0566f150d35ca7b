//! 班级统计: of those who have to hand a form in, how many did, and what came of it, class by class (02 §11.3). Rates are made from the
//! sums.

use information_review_rules::statistics::{Counted, InformationCount, by_site, together};
use infra::{
    Allowed, Error, Result, Scope,
    access::{EachSchool, Permission},
    across::{self, SchoolNotice},
    clock::Moment,
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
