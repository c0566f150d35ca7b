//! How parts of scores are read.

use infra::{
    Scope,
    across::{Key, KeyQuery, Keyed},
    clock::Moment,
    naming::sought,
};
use poem_openapi::{Object, types::Any};
use scores_rules::enums::{Applicability, ComponentKind, ComponentSource};
use serde_json::Value;
use sqlx::{PgConnection, types::Json};

/// The list of parts.
pub struct ScoreComponents;

/// A part of a score, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ScoreComponent {
    /// 编号
    pub id: i64,
    /// 课程成绩编号
    pub course_score_id: i64,
    /// 成绩项
    pub kind: ComponentKind,
    /// 学生编号
    pub student_id: i64,
    /// 学号
    pub student_no: Option<String>,
    /// 姓名
    pub student_name: String,
    /// 年级
    pub grade_name: String,
    /// 层次
    pub level_name: String,
    /// 专业
    pub major_name: String,
    /// 班级
    pub class_name: Option<String>,
    /// 站点
    pub site_name: String,
    /// 学期
    pub semester_name: String,
    /// 课程代码
    pub course_code: String,
    /// 课程
    pub course_name: String,
    /// 成绩
    pub value: Option<f64>,
    /// 适用性
    pub applicability: Applicability,
    /// 来源
    pub source: ComponentSource,
    /// 输入明细
    pub detail: Any<Value>,
    /// 规则编号
    pub rule_id: Option<i64>,
    /// 计算时间
    pub computed_at: Option<Moment>,
    /// 冻结
    pub frozen: bool,
    /// 来源现值
    /// 冻结后来源已变化时的值
    pub fresh_value: Option<f64>,
    /// 录入人
    pub entered_by_name: Option<String>,
    /// 原因
    pub reason: Option<String>,
    /// 版本
    pub version: i32,
}

/// The same as the statement reads it.
struct Stored {
    id: i64,
    course_score_id: i64,
    kind: ComponentKind,
    student_id: i64,
    student_no: Option<String>,
    student_name: String,
    grade_name: String,
    level_name: String,
    major_name: String,
    class_name: Option<String>,
    site_name: String,
    semester_name: String,
    course_code: String,
    course_name: String,
    value: Option<f64>,
    applicability: Applicability,
    source: ComponentSource,
    detail: Json<Value>,
    rule_id: Option<i64>,
    computed_at: Option<Moment>,
    frozen: bool,
    fresh_value: Option<f64>,
    entered_by_name: Option<String>,
    reason: Option<String>,
    version: i32,
}

impl From<Stored> for ScoreComponent {
    fn from(row: Stored) -> Self {
        Self {
            id: row.id,
            course_score_id: row.course_score_id,
            kind: row.kind,
            student_id: row.student_id,
            student_no: row.student_no,
            student_name: row.student_name,
            grade_name: row.grade_name,
            level_name: row.level_name,
            major_name: row.major_name,
            class_name: row.class_name,
            site_name: row.site_name,
            semester_name: row.semester_name,
            course_code: row.course_code,
            course_name: row.course_name,
            value: row.value,
            applicability: row.applicability,
            source: row.source,
            detail: Any(row.detail.0),
            rule_id: row.rule_id,
            computed_at: row.computed_at,
            frozen: row.frozen,
            fresh_value: row.fresh_value,
            entered_by_name: row.entered_by_name,
            reason: row.reason,
            version: row.version,
        }
    }
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct ScoreComponentFilter {
    /// 成绩项
    pub kind: Option<ComponentKind>,
    /// 学期
    pub semester_id: Option<i64>,
    /// 年级
    pub grade_id: Option<i64>,
    /// 层次
    pub level_id: Option<i64>,
    /// 专业
    pub major_id: Option<i64>,
    /// 班级
    pub class_id: Option<i64>,
    /// 站点
    pub site_id: Option<i64>,
    /// 课程
    pub course_id: Option<i64>,
    /// 学生
    pub student_id: Option<i64>,
    /// 适用性
    pub applicability: Option<Applicability>,
    /// 来源
    pub source: Option<ComponentSource>,
    /// 来源已变化
    pub changed: Option<bool>,
    /// 关键字
    /// 学号或姓名
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
    /// 课程
    /// 代码或名称包含；查看全部院校时代替课程编号
    #[oai(validator(max_length = 50))]
    pub course_text: Option<String>,
}

impl Keyed for ScoreComponents {
    type Filter = ScoreComponentFilter;
    type Row = ScoreComponent;

    fn id(row: &ScoreComponent) -> i64 {
        row.id
    }

    /// A part lies where its student is.
    async fn matching(
        connection: &mut PgConnection,
        filter: &ScoreComponentFilter,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        let texts = sought([filter.course_text.as_deref()]);
        sqlx::query_as!(
            Key,
            r#"select k.id, k.created_at, count(*) over () as "total!"
               from course_score_component k
               join course_score s on s.id = k.course_score_id
               join student y on y.id = s.student_id
               where ($1::bigint[] is null or y.site_id = any($1) or y.class_id = any($2::bigint[]))
                 and ($3::text is null or k.kind = $3)
                 and ($4::bigint is null or s.semester_id = $4)
                 and ($5::bigint is null or y.grade_id = $5)
                 and ($6::bigint is null or y.level_id = $6)
                 and ($7::bigint is null or y.major_id = $7)
                 and ($8::bigint is null or s.class_id = $8)
                 and ($9::bigint is null or y.site_id = $9)
                 and ($10::bigint is null or s.course_id = $10)
                 and ($11::bigint is null or s.student_id = $11)
                 and ($12::text is null or k.applicability = $12)
                 and ($13::text is null or k.source = $13)
                 and ($14::boolean is null or $14 = (k.fresh_value is not null))
                 and ($15::text is null or y.student_no = $15 or strpos(y.name, $15) > 0)
                 and (($16::text[])[1] is null or s.course_id = any(array(
                          select x.id from course x where strpos(lower(x.code), ($16::text[])[1]) > 0 or strpos(lower(x.name), ($16::text[])[1]) > 0)))
                 and ($17::bigint is null or k.id = $17)
                 and ($18::timestamptz is null or k.created_at <= $18)
               order by k.created_at desc, k.id
               limit $19 offset $20"#,
            scope.sites(),
            scope.classes(),
            filter.kind.map(ComponentKind::as_str),
            filter.semester_id,
            filter.grade_id,
            filter.level_id,
            filter.major_id,
            filter.class_id,
            filter.site_id,
            filter.course_id,
            filter.student_id,
            filter.applicability.map(Applicability::as_str),
            filter.source.map(ComponentSource::as_str),
            filter.changed,
            filter.keyword,
            texts.as_deref() as _,
            wanted.id,
            wanted.newest_until as _,
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], _scope: &Scope) -> sqlx::Result<Vec<ScoreComponent>> {
        let rows = sqlx::query_as!(
            Stored,
            r#"select k.id as "id!", k.course_score_id as "course_score_id!", k.kind as "kind!: _", s.student_id as "student_id!",
                      y.student_no, y.name as "student_name!", g.name as "grade_name!", l.name as "level_name!",
                      m.name as "major_name!", c.name as "class_name?", t.name as "site_name!", e.name as "semester_name!",
                      u.code as "course_code!", u.name as "course_name!", k.value::float8 as "value?",
                      k.applicability as "applicability!: _", k.source as "source!: _", k.detail as "detail!: Json<Value>",
                      k.rule_id, k.computed_at as "computed_at?", k.frozen as "frozen!", k.fresh_value::float8 as "fresh_value?",
                      k.entered_by_name, k.reason, k.version as "version!"
               from course_score_component k
               join course_score s on s.id = k.course_score_id
               join student y on y.id = s.student_id
               join grade g on g.id = y.grade_id
               join level l on l.id = y.level_id
               join major m on m.id = y.major_id
               join site t on t.id = y.site_id
               join semester e on e.id = s.semester_id
               join course u on u.id = s.course_id
               left join class c on c.id = s.class_id
               where k.id = any($1)"#,
            ids
        )
        .fetch_all(connection)
        .await?;
        Ok(rows.into_iter().map(ScoreComponent::from).collect())
    }
}
