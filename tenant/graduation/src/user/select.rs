//! Which graduates there are, and what lists show of them.

use graduation_rules::rules::{label, name};
use infra::{
    Scope,
    across::{Key, KeyQuery, Keyed},
    clock::Moment,
};
use poem_openapi::Object;
use sqlx::PgConnection;
use student_status::keyword::classify;

use super::Users;
use crate::enums::{GraduationAuditResult, GraduationDecision, GraduationUserStatus, RulePurpose, SiteOpinion};

/// Somebody of a batch, as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct GraduationUser {
    /// 编号
    pub id: i64,
    /// 毕业批次
    pub batch_id: i64,
    /// 批次名称
    pub batch_name: String,
    /// 学生
    pub student_id: i64,
    /// 学号
    pub student_no: Option<String>,
    /// 姓名
    pub name: String,
    /// 层次
    pub level_name: String,
    /// 专业
    pub major_name: String,
    /// 班级
    pub class_name: Option<String>,
    /// 站点名称
    pub site_name: String,
    /// 已获学分
    pub earned_credits: f64,
    /// 应修学分
    pub required_credits: Option<f64>,
    /// 不及格门数
    pub failed_courses: i64,
    /// 加权平均分
    pub average: Option<f64>,
    /// 毕业总评
    pub thesis_total: Option<f64>,
    /// 欠费
    pub arrears: bool,
    /// 有学历照片
    pub has_photo: bool,
    /// 审核结果
    pub audit_result: GraduationAuditResult,
    /// 审核时间
    pub audited_at: Option<Moment>,
    /// 已过期
    /// 审核后成绩有变化
    pub stale: bool,
    /// 建议结论
    pub suggestion: Option<GraduationDecision>,
    /// 未过条件
    pub failed_rules: Vec<String>,
    /// 有豁免
    pub waived: bool,
    /// 站点意见
    pub site_opinion: SiteOpinion,
    /// 结论
    pub decision: GraduationDecision,
    /// 结论说明
    pub decision_reason: Option<String>,
    /// 状态
    pub status: GraduationUserStatus,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct GraduationUserFilter {
    /// 毕业批次
    pub batch_id: Option<i64>,
    /// 学生
    pub student_id: Option<i64>,
    /// 关键字
    /// 学号、姓名、考生号、证件号或手机
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
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
    /// 审核结果
    pub audit_result: Option<GraduationAuditResult>,
    /// 未过条件
    #[oai(validator(max_length = 40))]
    pub failed_rule: Option<String>,
    /// 结论
    pub decision: Option<GraduationDecision>,
    /// 已过期
    pub stale: Option<bool>,
    /// 状态
    /// 不填时不含已移出的
    pub status: Option<GraduationUserStatus>,
}

impl Keyed for Users {
    type Filter = GraduationUserFilter;
    type Row = GraduationUser;

    fn id(row: &GraduationUser) -> i64 {
        row.id
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &GraduationUserFilter,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        let keyword = filter.keyword.as_deref().map(classify).unwrap_or_default();
        sqlx::query_as!(
            Key,
            r#"select g.id, g.created_at, count(*) over () as "total!"
               from graduation_user g join student y on y.id = g.student_id
               where ($1::bigint[] is null or y.site_id = any($1) or y.class_id = any($2::bigint[]))
                 and ($3::bigint is null or g.batch_id = $3)
                 and ($4::bigint is null or g.student_id = $4)
                 and ($5::text is null or y.id_card_no = $5) and ($20::text is null or y.phone = $20)
                 and ($21::text is null or y.student_no like $21 or y.examinee_no like $21
                      or ($21 !~ '[0-9]' and y.initials like lower(rtrim($21, '%')) || '%'))
                 and ($22::text[] is null or y.name_grams @> $22)
                 and ($6::bigint is null or y.grade_id = $6) and ($7::bigint is null or y.level_id = $7)
                 and ($8::bigint is null or y.major_id = $8) and ($9::bigint is null or y.class_id = $9)
                 and ($10::bigint is null or y.site_id = $10)
                 and ($11::text is null or g.audit_result = $11)
                 and ($12::text is null or exists (
                     select from graduation_audit_item i where i.graduation_user_id = g.id and i.rule_code = $12
                       and not i.passed and not i.waived))
                 and ($13::text is null or g.decision = $13)
                 and ($14::boolean is null or exists (
                     select from course_score c where c.student_id = g.student_id and c.counted_at > g.audited_at) = $14)
                 and case when $15::text is null then g.status <> 'removed' or $16::bigint is not null else g.status = $15 end
                 and ($16::bigint is null or g.id = $16) and ($17::timestamptz is null or g.created_at <= $17)
               order by case when $17::timestamptz is null then g.batch_id end desc,
                        case when $17::timestamptz is null then y.student_no end, g.created_at desc, g.id
               limit $18 offset $19"#,
            scope.sites(),
            scope.classes(),
            filter.batch_id,
            filter.student_id,
            keyword.id_card_no.as_deref(),
            filter.grade_id,
            filter.level_id,
            filter.major_id,
            filter.class_id,
            filter.site_id,
            filter.audit_result.map(GraduationAuditResult::as_str),
            filter.failed_rule,
            filter.decision.map(GraduationDecision::as_str),
            filter.stale,
            filter.status.map(GraduationUserStatus::as_str),
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

    async fn rows(connection: &mut PgConnection, ids: &[i64], _scope: &Scope) -> sqlx::Result<Vec<GraduationUser>> {
        let rows = sqlx::query!(
            r#"select g.id as "id!", g.batch_id as "batch_id!", b.name as "batch_name!", g.student_id as "student_id!",
                      y.student_no as "student_no?", y.name as "name!", l.name as "level_name!", m.name as "major_name!",
                      c.name as "class_name?", s.name as "site_name!",
                      coalesce(t.earned, 0)::float8 as "earned!", coalesce(t.failed, 0) as "failed!",
                      t.average::float8 as "average?",
                      (select p.total_credits::float8 from graduation_plan p
                       where p.grade_id = y.grade_id and p.major_id = y.major_id) as "required?",
                      (select max(x.total)::float8 from graduation_score x
                       where x.student_id = y.id and x.status in ('published', 'locked')) as "thesis?",
                      y.fee_flag = 'arrears' as "arrears!", y.graduation_photo_id is not null as "has_photo!",
                      g.audit_result as "audit_result!: GraduationAuditResult", g.audited_at as "audited_at?",
                      exists (select from course_score x where x.student_id = y.id and x.counted_at > g.audited_at) as "stale!",
                      g.suggestion as "suggestion?: GraduationDecision",
                      coalesce((select array_agg(i.rule_code order by i.rule_code) from graduation_audit_item i
                                where i.graduation_user_id = g.id and not i.passed and not i.waived and i.severity = 'must'),
                               '{}') as "rules!",
                      exists (select from graduation_audit_item i where i.graduation_user_id = g.id and i.waived) as "waived!",
                      g.site_opinion as "site_opinion!: SiteOpinion", g.decision as "decision!: GraduationDecision",
                      g.decision_reason as "decision_reason?", g.status as "status!: GraduationUserStatus", g.version as "version!"
               from graduation_user g
               join graduation_batch b on b.id = g.batch_id
               join student y on y.id = g.student_id
               join level l on l.id = y.level_id
               join major m on m.id = y.major_id
               join site s on s.id = y.site_id
               left join class c on c.id = y.class_id
               left join lateral (
                   select sum(x.earned_credits) as earned, count(*) filter (where x.passed is false) as failed,
                          round(sum(x.credits * coalesce(x.total, 0)) filter (where x.mark is null or x.mark not in ('exempt', 'deferred'))
                                / nullif(sum(x.credits) filter (where x.mark is null or x.mark not in ('exempt', 'deferred')), 0), 1)
                              as average
                   from transcript_score x where x.student_id = y.id) t on true
               where g.id = any($1)"#,
            ids
        )
        .fetch_all(connection)
        .await?;
        let user = rows.into_iter().map(|row| {
            let mut rules: Vec<&str> =
                row.rules.iter().filter_map(|code| label(RulePurpose::Graduation, code)).collect();
            rules.sort_unstable();
            GraduationUser {
                failed_rules: rules.into_iter().map(|label| name(label).to_owned()).collect(),
                id: row.id,
                batch_id: row.batch_id,
                batch_name: row.batch_name,
                student_id: row.student_id,
                student_no: row.student_no,
                name: row.name,
                level_name: row.level_name,
                major_name: row.major_name,
                class_name: row.class_name,
                site_name: row.site_name,
                earned_credits: row.earned,
                required_credits: row.required,
                failed_courses: row.failed,
                average: row.average,
                thesis_total: row.thesis,
                arrears: row.arrears,
                has_photo: row.has_photo,
                audit_result: row.audit_result,
                audited_at: row.audited_at,
                stale: row.stale,
                suggestion: row.suggestion,
                waived: row.waived,
                site_opinion: row.site_opinion,
                decision: row.decision,
                decision_reason: row.decision_reason,
                status: row.status,
                version: row.version,
            }
        });
        Ok(user.collect())
    }
}
