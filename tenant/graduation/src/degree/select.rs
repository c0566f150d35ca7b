//! Which applications there are, and what lists show of them.

use chrono::NaiveDate;
use infra::{
    Scope,
    across::{Key, KeyQuery, Keyed},
    clock::Moment,
};
use poem_openapi::Object;
use sqlx::PgConnection;
use student_status::keyword::classify;

use super::Degrees;
use crate::enums::{DegreeDecision, DegreeSource, DegreeStatus, GraduationAuditResult};

/// An application, as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Degree {
    /// 编号
    pub id: i64,
    /// 学生
    pub student_id: i64,
    /// 学号
    pub student_no: Option<String>,
    /// 姓名
    pub name: String,
    /// 专业
    pub major_name: String,
    /// 班级
    pub class_name: Option<String>,
    /// 站点名称
    pub site_name: String,
    /// 毕业批次
    pub batch_id: i64,
    /// 批次名称
    pub batch_name: String,
    /// 申请日期
    pub applied_on: NaiveDate,
    /// 申请来源
    pub source: DegreeSource,
    /// 平均分
    pub average: Option<String>,
    /// 学位课均分
    pub degree_mean: Option<String>,
    /// 外语
    pub foreign_language: Option<String>,
    /// 论文
    pub thesis: Option<String>,
    /// 违纪
    pub integrity: Option<String>,
    /// 审核结果
    pub audit_result: GraduationAuditResult,
    /// 审核时间
    pub audited_at: Option<Moment>,
    /// 未过条件
    pub explanations: Vec<String>,
    /// 评定
    pub decision: DegreeDecision,
    /// 评定日期
    pub committee_date: Option<NaiveDate>,
    /// 会议编号
    pub committee_no: Option<String>,
    /// 主席
    pub chair_name: Option<String>,
    /// 原因
    pub reason: Option<String>,
    /// 学位证书编号
    pub certificate_no: Option<String>,
    /// 授予时间
    pub awarded_at: Option<Moment>,
    /// 状态
    pub status: DegreeStatus,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct DegreeFilter {
    /// 毕业批次
    pub batch_id: Option<i64>,
    /// 学生
    pub student_id: Option<i64>,
    /// 关键字
    /// 学号、姓名、考生号、证件号或手机
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
    /// 专业
    pub major_id: Option<i64>,
    /// 站点
    pub site_id: Option<i64>,
    /// 审核结果
    pub audit_result: Option<GraduationAuditResult>,
    /// 评定
    pub decision: Option<DegreeDecision>,
    /// 状态
    pub status: Option<DegreeStatus>,
}

impl Keyed for Degrees {
    type Filter = DegreeFilter;
    type Row = Degree;

    fn id(row: &Degree) -> i64 {
        row.id
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &DegreeFilter,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        let keyword = filter.keyword.as_deref().map(classify).unwrap_or_default();
        sqlx::query_as!(
            Key,
            r#"select a.id, a.created_at, count(*) over () as "total!"
               from degree_application a join student y on y.id = a.student_id
               where ($1::bigint[] is null or y.site_id = any($1) or y.class_id = any($2::bigint[]))
                 and ($3::bigint is null or a.batch_id = $3) and ($4::bigint is null or a.student_id = $4)
                 and ($5::text is null or y.id_card_no = $5) and ($15::text is null or y.phone = $15)
                 and ($16::text is null or y.student_no like $16 or y.examinee_no like $16
                      or ($16 !~ '[0-9]' and y.initials like lower(rtrim($16, '%')) || '%'))
                 and ($17::text[] is null or y.name_grams @> $17)
                 and ($6::bigint is null or y.major_id = $6) and ($7::bigint is null or y.site_id = $7)
                 and ($8::text is null or a.audit_result = $8) and ($9::text is null or a.decision = $9)
                 and ($10::text is null or a.status = $10)
                 and ($11::bigint is null or a.id = $11) and ($12::timestamptz is null or a.created_at <= $12)
               order by case when $12::timestamptz is null then a.applied_on end desc, a.created_at desc, a.id
               limit $13 offset $14"#,
            scope.sites(),
            scope.classes(),
            filter.batch_id,
            filter.student_id,
            keyword.id_card_no.as_deref(),
            filter.major_id,
            filter.site_id,
            filter.audit_result.map(GraduationAuditResult::as_str),
            filter.decision.map(DegreeDecision::as_str),
            filter.status.map(DegreeStatus::as_str),
            wanted.id,
            wanted.newest_until,
            wanted.limit,
            wanted.offset,
            keyword.phone.as_deref(),
            keyword.number.as_deref(),
            keyword.name_grams.as_deref()
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], _scope: &Scope) -> sqlx::Result<Vec<Degree>> {
        sqlx::query_as!(
            Degree,
            r#"select a.id as "id!", a.student_id as "student_id!", y.student_no as "student_no?", y.name as "name!",
                      m.name as "major_name!", c.name as "class_name?", s.name as "site_name!", a.batch_id as "batch_id!",
                      b.name as "batch_name!", a.applied_on as "applied_on!", a.source as "source!: _",
                      max(i.actual) filter (where i.rule_code = 'average') as "average?",
                      max(i.actual) filter (where i.rule_code = 'degree_courses') as "degree_mean?",
                      max(i.actual) filter (where i.rule_code = 'foreign_language') as "foreign_language?",
                      max(i.actual) filter (where i.rule_code = 'thesis') as "thesis?",
                      max(i.actual) filter (where i.rule_code = 'integrity') as "integrity?",
                      a.audit_result as "audit_result!: _", a.audited_at as "audited_at?",
                      coalesce(array_agg(i.explanation order by i.id) filter (where not i.passed), '{}') as "explanations!",
                      a.decision as "decision!: _", a.committee_date as "committee_date?", a.committee_no as "committee_no?",
                      a.chair_name as "chair_name?", a.reason as "reason?",
                      (select k.number from certificate k where k.student_id = a.student_id and k.kind = 'degree'
                       and k.status <> 'voided') as "certificate_no?",
                      a.awarded_at as "awarded_at?", a.status as "status!: _", a.version as "version!"
               from degree_application a
               join student y on y.id = a.student_id
               join major m on m.id = y.major_id
               join site s on s.id = y.site_id
               join graduation_batch b on b.id = a.batch_id
               left join class c on c.id = y.class_id
               left join graduation_audit_item i on i.degree_application_id = a.id
               where a.id = any($1)
               group by a.id, y.id, m.id, c.id, s.id, b.id"#,
            ids
        )
        .fetch_all(connection)
        .await
    }
}
