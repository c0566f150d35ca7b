//! 成绩统计: of a semester, by course, class, site, major or teacher, and over the semesters (part 04 §7).

use std::collections::BTreeMap;

use infra::{Allowed, Body, Reply, Result, Scope, enumeration, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use scores_rules::{
    arith::points,
    enums::ScoreMark,
    stat::{Figures, StatRow, figures},
};
use sqlx::PgConnection;

use super::ViewAchievement;
use crate::sheet::rows::{ScoreBand, bands};

enumeration! {
    /// 成绩统计维度
    pub enum StatDimension = "achievementStatDimension" {
        Course = "course" "课程",
        Class = "class" "班级",
        Site = "site" "站点",
        Major = "major" "专业",
        Teacher = "teacher" "教师",
    }
}

/// What is counted.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct AchievementStatAsked {
    /// 学期
    pub semester_id: i64,
    /// 维度
    pub dimension: StatDimension,
    /// 年级
    pub grade_id: Option<i64>,
    /// 专业
    pub major_id: Option<i64>,
    /// 站点
    pub site_id: Option<i64>,
    /// 班级
    pub class_id: Option<i64>,
    /// 课程
    pub course_id: Option<i64>,
}

impl Example for AchievementStatAsked {
    fn example() -> Self {
        Self {
            semester_id: 1,
            dimension: StatDimension::Course,
            grade_id: None,
            major_id: None,
            site_id: None,
            class_id: None,
            course_id: None,
        }
    }
}

/// What some scores came to.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct AchievementFigures {
    /// 名称
    pub name: String,
    /// 人数
    /// 不含免修和缓考
    pub enrolled: i64,
    /// 计入人数
    /// 不含缺考、违纪、作弊和取消资格
    pub counted: i64,
    /// 平均
    pub mean: Option<f64>,
    /// 中位
    pub median: Option<f64>,
    /// 标准差
    pub deviation: Option<f64>,
    /// 最高
    pub highest: Option<f64>,
    /// 最低
    pub lowest: Option<f64>,
    /// 及格率(%)
    pub pass_rate: Option<f64>,
    /// 优秀率(%)
    pub excellent_rate: Option<f64>,
    /// 缺考率(%)
    pub absent_rate: Option<f64>,
    /// 分布
    pub bands: Vec<ScoreBand>,
}

impl AchievementFigures {
    fn of(name: String, f: &Figures) -> Self {
        let shown = |tenths: Option<i64>| tenths.map(points);
        Self {
            name,
            enrolled: f.enrolled,
            counted: f.counted,
            mean: shown(f.mean),
            median: shown(f.median),
            deviation: shown(f.deviation),
            highest: shown(f.highest),
            lowest: shown(f.lowest),
            pass_rate: shown(f.pass_rate),
            excellent_rate: shown(f.excellent_rate),
            absent_rate: shown(f.absent_rate),
            bands: bands(f.bands),
        }
    }
}

/// Figures of a semester, and of those before it.
#[derive(Debug, Clone, Object)]
pub struct AchievementStat {
    /// 合计
    pub total: AchievementFigures,
    /// 分组
    pub groups: Vec<AchievementFigures>,
    /// 各学期
    /// 同样条件，最近八个学期
    pub semesters: Vec<AchievementFigures>,
}

pub struct Statistics;

#[OpenApi(prefix_path = "/adult/pc/adult/achievement", tag = "crate::Tag::Scores")]
impl Statistics {
    /// 成绩统计
    #[oai(path = "/stat", method = "post", operation_id = "statAchievements")]
    async fn stat(
        &self,
        caller: Allowed<ViewAchievement>,
        Body(asked): Body<AchievementStatAsked>,
    ) -> Result<Reply<AchievementStat>> {
        let mut tx = caller.read().await?;
        Ok(reply(counted(&mut tx, &asked, &caller.scope()).await?))
    }
}

/// Named groups, in the order of their names.
type Groups = BTreeMap<String, Vec<StatRow>>;

async fn counted(
    connection: &mut PgConnection,
    asked: &AchievementStatAsked,
    scope: &Scope,
) -> Result<AchievementStat> {
    let rows = sqlx::query!(
        r#"select (s.total * 10)::bigint as "total?", coalesce(s.mark, 'normal') as "mark!: ScoreMark",
                  coalesce(s.passed, false) as "passed!",
                  case $8::text
                      when 'course' then u.name
                      when 'class' then k.name
                      when 'site' then t.name
                      when 'major' then m.name
                      else (select a.name from score_sheet_row r join score_sheet h on h.id = r.sheet_id
                            join teacher a on a.id = h.teacher_id
                            where r.course_score_id = s.id order by r.id limit 1)
                  end as "group?"
           from course_score s
           join student y on y.id = s.student_id
           join course u on u.id = s.course_id
           join site t on t.id = y.site_id
           join major m on m.id = y.major_id
           left join class k on k.id = s.class_id
           where s.semester_id = $1 and s.status in ('published', 'locked')
             and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))
             and ($4::bigint is null or y.grade_id = $4) and ($5::bigint is null or y.major_id = $5)
             and ($6::bigint is null or y.site_id = $6) and ($7::bigint is null or s.class_id = $7)
             and ($9::bigint is null or s.course_id = $9)"#,
        asked.semester_id,
        scope.sites(),
        scope.classes(),
        asked.grade_id,
        asked.major_id,
        asked.site_id,
        asked.class_id,
        asked.dimension.as_str(),
        asked.course_id
    )
    .fetch_all(&mut *connection)
    .await?;
    let (mut groups, mut all) = (Groups::new(), Vec::with_capacity(rows.len()));
    for row in rows {
        let stat = StatRow { total: row.total, mark: row.mark, passed: row.passed };
        groups.entry(row.group.unwrap_or_else(|| "未分配".to_owned())).or_default().push(stat);
        all.push(stat);
    }
    let semesters = sqlx::query!(
        r#"with recent as (
               select e.id, e.name, e.starts_on from semester e
               where e.starts_on <= (select x.starts_on from semester x where x.id = $1)
                 and exists (select from course_score s where s.semester_id = e.id and s.status in ('published', 'locked'))
               order by e.starts_on desc limit 8)
           select e.name as "name!", e.starts_on as "starts_on!", (s.total * 10)::bigint as "total?",
                  coalesce(s.mark, 'normal') as "mark!: ScoreMark", coalesce(s.passed, false) as "passed!"
           from recent e
           join course_score s on s.semester_id = e.id and s.status in ('published', 'locked')
           join student y on y.id = s.student_id
           where ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))
             and ($4::bigint is null or y.grade_id = $4) and ($5::bigint is null or y.major_id = $5)
             and ($6::bigint is null or y.site_id = $6) and ($7::bigint is null or s.class_id = $7)
             and ($8::bigint is null or s.course_id = $8)"#,
        asked.semester_id,
        scope.sites(),
        scope.classes(),
        asked.grade_id,
        asked.major_id,
        asked.site_id,
        asked.class_id,
        asked.course_id
    )
    .fetch_all(connection)
    .await?;
    let mut of_semesters: BTreeMap<(chrono::NaiveDate, String), Vec<StatRow>> = BTreeMap::new();
    for row in semesters {
        let stat = StatRow { total: row.total, mark: row.mark, passed: row.passed };
        of_semesters.entry((row.starts_on, row.name)).or_default().push(stat);
    }
    Ok(AchievementStat {
        total: AchievementFigures::of("合计".to_owned(), &figures(&all)),
        groups: groups.into_iter().map(|(name, rows)| AchievementFigures::of(name, &figures(&rows))).collect(),
        semesters: of_semesters
            .into_iter()
            .map(|((_, name), rows)| AchievementFigures::of(name, &figures(&rows)))
            .collect(),
    })
}
