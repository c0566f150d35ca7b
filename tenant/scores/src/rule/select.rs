//! How rules are read.

use infra::{
    Result, Scope,
    across::{Key, KeyQuery, Keyed},
    clock::Moment,
    naming::sought,
};
use poem_openapi::{Object, types::Any};
use scores_rules::{enums::ScoreKind, params, resolve::Place};
use serde_json::Value;
use sqlx::PgConnection;

use super::Resolver;

/// The list of rules.
pub struct ScoreRules;

/// A rule, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ScoreRule {
    /// 编号
    pub id: i64,
    /// 成绩项
    pub kind: ScoreKind,
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
    /// 课程编号
    pub course_id: Option<i64>,
    /// 课程
    pub course_name: Option<String>,
    /// 默认规则
    pub is_default: bool,
    /// 参数
    pub params: Any<Value>,
    /// 参数摘要
    pub summary: String,
    /// 适用学生数
    pub student_count: i64,
    /// 启用
    pub enabled: bool,
    /// 备注
    pub remark: Option<String>,
    /// 更新人
    pub updated_by_name: String,
    /// 更新时间
    pub updated_at: Moment,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct ScoreRuleFilter {
    /// 成绩项
    pub kind: Option<ScoreKind>,
    /// 年级
    pub grade_id: Option<i64>,
    /// 层次
    pub level_id: Option<i64>,
    /// 专业
    pub major_id: Option<i64>,
    /// 课程
    pub course_id: Option<i64>,
    /// 启用
    pub enabled: Option<bool>,
    /// 课程
    /// 代码或名称包含；查看全部院校时代替课程编号
    #[oai(validator(max_length = 50))]
    pub course_text: Option<String>,
}

impl Keyed for ScoreRules {
    type Filter = ScoreRuleFilter;
    type Row = ScoreRule;

    fn id(row: &ScoreRule) -> i64 {
        row.id
    }

    /// Rules are of the whole school: everybody with the code sees them.
    async fn matching(
        connection: &mut PgConnection,
        filter: &ScoreRuleFilter,
        _scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        let texts = sought([filter.course_text.as_deref()]);
        sqlx::query_as!(
            Key,
            r#"select r.id, r.created_at, count(*) over () as "total!"
               from score_rule r
               where ($1::text is null or r.kind = $1)
                 and ($2::bigint is null or r.grade_id = $2)
                 and ($3::bigint is null or r.level_id = $3)
                 and ($4::bigint is null or r.major_id = $4)
                 and ($5::bigint is null or r.course_id = $5)
                 and ($6::boolean is null or r.enabled = $6)
                 and (($7::text[])[1] is null or r.course_id = any(array(
                          select x.id from course x where strpos(lower(x.code), ($7::text[])[1]) > 0 or strpos(lower(x.name), ($7::text[])[1]) > 0)))
                 and ($8::bigint is null or r.id = $8)
                 and ($9::timestamptz is null or r.created_at <= $9)
               order by case when $9::timestamptz is null then r.kind end,
                        case when $9::timestamptz is null then num_nonnulls(r.grade_id, r.level_id, r.major_id, r.course_id) end,
                        r.created_at desc, r.id
               limit $10 offset $11"#,
            filter.kind.map(ScoreKind::as_str),
            filter.grade_id,
            filter.level_id,
            filter.major_id,
            filter.course_id,
            filter.enabled,
            texts.as_deref() as _,
            wanted.id,
            wanted.newest_until as _,
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], scope: &Scope) -> sqlx::Result<Vec<ScoreRule>> {
        rules_of(connection, ids, scope).await
    }
}

/// Rules by their ids; the students that they count are within the scope.
pub(super) async fn rules_of(
    connection: &mut PgConnection,
    ids: &[i64],
    scope: &Scope,
) -> sqlx::Result<Vec<ScoreRule>> {
    let rows = sqlx::query!(
        r#"select r.id as "id!", r.kind as "kind!: ScoreKind", r.grade_id, g.name as "grade_name?", r.level_id,
                  l.name as "level_name?", r.major_id, m.name as "major_name?", r.course_id, u.name as "course_name?",
                  r.params as "params!", r.enabled as "enabled!", r.remark, r.updated_by_name as "updated_by_name!",
                  r.updated_at as "updated_at!", r.version as "version!",
                  (select count(*) from student y
                   where y.status in ('pending_registration', 'registered', 'suspended', 'expired')
                     and (r.grade_id is null or y.grade_id = r.grade_id) and (r.level_id is null or y.level_id = r.level_id)
                     and (r.major_id is null or y.major_id = r.major_id)
                     and (r.course_id is null or exists (
                              select from course_selection c
                              where c.student_id = y.id and c.course_id = r.course_id and c.status in ('selected', 'completed')))
                     and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))) as "student_count!"
           from score_rule r
           left join grade g on g.id = r.grade_id
           left join level l on l.id = r.level_id
           left join major m on m.id = r.major_id
           left join course u on u.id = r.course_id
           where r.id = any($1)"#,
        ids,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(connection)
    .await?;
    let rule = |row: &Value, kind| params::read(kind, row).map(|params| params::summary(&params)).unwrap_or_default();
    Ok(rows
        .into_iter()
        .map(|row| ScoreRule {
            summary: rule(&row.params, row.kind),
            is_default: row.grade_id.is_none()
                && row.level_id.is_none()
                && row.major_id.is_none()
                && row.course_id.is_none(),
            id: row.id,
            kind: row.kind,
            grade_id: row.grade_id,
            grade_name: row.grade_name,
            level_id: row.level_id,
            level_name: row.level_name,
            major_id: row.major_id,
            major_name: row.major_name,
            course_id: row.course_id,
            course_name: row.course_name,
            params: Any(row.params),
            student_count: row.student_count,
            enabled: row.enabled,
            remark: row.remark,
            updated_by_name: row.updated_by_name,
            updated_at: row.updated_at,
            version: row.version,
        })
        .collect())
}

/// An opening of a semester with the rule of its total.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ScoreCoverageRow {
    /// 课程代码
    pub course_code: String,
    /// 课程
    pub course_name: String,
    /// 年级
    pub grade_name: Option<String>,
    /// 专业
    pub major_name: Option<String>,
    /// 规则编号
    /// 面向全体的开课由学生各自的年级和专业决定，为空
    pub rule_id: Option<i64>,
    /// 参数摘要
    pub summary: Option<String>,
    /// 默认规则
    pub is_default: bool,
}

/// Which rules count in a semester.
#[derive(Debug, Clone, Object)]
pub struct ScoreCoverage {
    /// 开课
    pub list: Vec<ScoreCoverageRow>,
}

/// The openings of a semester, each with the rule of its total.
pub(super) async fn covered(connection: &mut PgConnection, semester: i64) -> Result<ScoreCoverage> {
    let resolver = Resolver::load(connection, ScoreKind::Total).await?;
    let rows = sqlx::query!(
        r#"select distinct u.code as "code!", u.name as "name!", o.course_id as "course_id!", o.grade_id, o.level_id, o.major_id,
                  g.name as "grade_name?", m.name as "major_name?"
           from course_opening o
           join course u on u.id = o.course_id
           left join grade g on g.id = o.grade_id
           left join major m on m.id = o.major_id
           where o.semester_id = $1 and o.status in ('opened', 'closed')
           order by u.code, g.name, m.name limit 5000"#,
        semester
    )
    .fetch_all(connection)
    .await?;
    let list = rows.into_iter().map(|row| {
        let place = match (row.grade_id, row.level_id, row.major_id) {
            (Some(grade), Some(level), Some(major)) => Some(Place { grade, level, major, course: Some(row.course_id) }),
            _ => None,
        };
        let rule = place.map(|place| resolver.of(place));
        ScoreCoverageRow {
            course_code: row.code,
            course_name: row.name,
            grade_name: row.grade_name,
            major_name: row.major_name,
            rule_id: rule.map(|rule| rule.id),
            summary: rule.map(|rule| params::summary(&rule.params)),
            is_default: rule.is_some_and(|rule| scores_rules::resolve::weight(&rule.scope) == 0),
        }
    });
    Ok(ScoreCoverage { list: list.collect() })
}
