//! Which batches there are, and what lists show of them.

use graduation_rules::rules::{label, name};
use infra::{
    App, Result, Scope,
    across::{Key, KeyQuery, Keyed},
    clock::Moment,
    sheet::{Cell, Column},
    transfer::{Export, Rows as RowStream},
};
use poem_openapi::Object;
use sqlx::PgConnection;
use term::Season;

use super::{Batches, GraduationBatchForm};
use crate::enums::{GraduationBatchKind, GraduationBatchStatus, RulePurpose};

/// A batch, as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct GraduationBatch {
    /// 编号
    pub id: i64,
    #[oai(flatten)]
    pub form: GraduationBatchForm,
    /// 人数
    pub total: i64,
    /// 符合
    pub passed: i64,
    /// 不符合
    pub failed: i64,
    /// 已终审
    pub decided: i64,
    /// 毕业
    pub graduates: i64,
    /// 结业
    pub completions: i64,
    /// 延期
    pub delays: i64,
    /// 肄业
    pub incompletes: i64,
    /// 证书已编号
    pub numbered: i64,
    /// 审核已过期
    pub stale: i64,
    /// 确认人
    pub confirmed_by_name: Option<String>,
    /// 确认时间
    pub confirmed_at: Option<Moment>,
    /// 状态
    pub status: GraduationBatchStatus,
    /// 版本
    pub version: i32,
}

/// A batch, with the rules that keep its people.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct GraduationBatchView {
    #[oai(flatten)]
    pub batch: GraduationBatch,
    /// 未过条件
    pub failed_rules: Vec<FailedRule>,
}

/// How many a rule keeps.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct FailedRule {
    /// 条件
    pub rule_code: String,
    /// 条件名称
    pub rule_name: String,
    /// 人数
    pub count: i64,
}

/// How many of a batch each rule keeps, in the order of the rules; none that keeps nobody.
///
/// # Errors
/// Those of the database.
pub(super) async fn failed_rules(
    connection: &mut PgConnection,
    batch: i64,
    scope: &Scope,
) -> sqlx::Result<Vec<FailedRule>> {
    let rows = sqlx::query!(
        r#"select i.rule_code as "code!", count(*) as "count!"
           from graduation_user g
           join student y on y.id = g.student_id
           join graduation_audit_item i on i.graduation_user_id = g.id and not i.passed and not i.waived
           where g.batch_id = $1 and g.status <> 'removed'
             and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))
           group by i.rule_code"#,
        batch,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(connection)
    .await?;
    // Labels begin with their numbers.
    let mut labelled: Vec<(&'static str, FailedRule)> = rows
        .into_iter()
        .filter_map(|row| {
            let label = label(RulePurpose::Graduation, &row.code)?;
            Some((label, FailedRule { rule_code: row.code, rule_name: name(label).to_owned(), count: row.count }))
        })
        .collect();
    labelled.sort_unstable_by_key(|(label, _)| *label);
    Ok(labelled.into_iter().map(|(_, rule)| rule).collect())
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct GraduationBatchFilter {
    /// 名称或编码
    #[oai(validator(max_length = 60))]
    pub name: Option<String>,
    /// 年份
    pub year: Option<i32>,
    /// 季节
    pub season: Option<Season>,
    /// 批次类型
    pub kind: Option<GraduationBatchKind>,
    /// 状态
    pub status: Option<GraduationBatchStatus>,
}

impl Keyed for Batches {
    type Filter = GraduationBatchFilter;
    type Row = GraduationBatch;

    fn id(row: &GraduationBatch) -> i64 {
        row.id
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &GraduationBatchFilter,
        _scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        sqlx::query_as!(
            Key,
            r#"select b.id, b.created_at, count(*) over () as "total!" from graduation_batch b
               where ($1::text is null or strpos(b.name, $1) > 0 or starts_with(lower(b.code), lower($1)))
                 and ($2::integer is null or b.year = $2) and ($3::text is null or b.season = $3)
                 and ($4::text is null or b.kind = $4) and ($5::text is null or b.status = $5)
                 and ($6::bigint is null or b.id = $6) and ($7::timestamptz is null or b.created_at <= $7)
               order by case when $7::timestamptz is null then b.year end desc, b.created_at desc, b.id
               limit $8 offset $9"#,
            filter.name,
            filter.year,
            filter.season.map(Season::as_str),
            filter.kind.map(GraduationBatchKind::as_str),
            filter.status.map(GraduationBatchStatus::as_str),
            wanted.id,
            wanted.newest_until,
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], scope: &Scope) -> sqlx::Result<Vec<GraduationBatch>> {
        let rows = sqlx::query!(
            r#"select b.id as "id!", b.code as "code!", b.name as "name!", b.year as "year!", b.season as "season!: Season",
                      b.kind as "kind!: GraduationBatchKind", b.graduates_on as "graduates_on?", b.certificate_date as "certificate_date?",
                      b.grade_ids as "grade_ids!", b.level_ids as "level_ids!", b.major_ids as "major_ids!", b.site_ids as "site_ids!",
                      b.audit_starts_on as "audit_starts_on?", b.audit_ends_on as "audit_ends_on?", b.degree_enabled as "degree_enabled!",
                      b.collect_place as "collect_place?", b.collect_from as "collect_from?", b.remark as "remark?", b.confirmed_by_name as "confirmed_by_name?", b.confirmed_at as "confirmed_at?",
                      b.status as "status!: GraduationBatchStatus", b.version as "version!",
                      n.total as "total!", n.passed as "passed!", n.failed as "failed!", n.decided as "decided!",
                      n.graduates as "graduates!", n.completions as "completions!", n.delays as "delays!",
                      n.incompletes as "incompletes!", n.numbered as "numbered!", n.stale as "stale!"
               from graduation_batch b
               cross join lateral (
                   select count(*) as total, count(*) filter (where g.audit_result = 'passed') as passed,
                          count(*) filter (where g.audit_result = 'failed') as failed,
                          count(*) filter (where g.status in ('decided', 'confirmed')) as decided,
                          count(*) filter (where g.decision = 'graduate') as graduates,
                          count(*) filter (where g.decision = 'complete') as completions,
                          count(*) filter (where g.decision = 'delay') as delays,
                          count(*) filter (where g.decision = 'incomplete') as incompletes,
                          count(*) filter (where exists (
                              select from certificate c where c.batch_id = b.id and c.student_id = g.student_id
                                and c.kind in ('graduation', 'completion') and c.status <> 'voided')) as numbered,
                          count(*) filter (where g.status in ('listed', 'site_checked', 'decided') and exists (
                              select from course_score c where c.student_id = g.student_id and c.counted_at > g.audited_at)) as stale
                   from graduation_user g join student y on y.id = g.student_id
                   where g.batch_id = b.id and g.status <> 'removed'
                     and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))) n
               where b.id = any($1)"#,
            ids,
            scope.sites(),
            scope.classes()
        )
        .fetch_all(connection)
        .await?;
        let batch = rows.into_iter().map(|row| GraduationBatch {
            id: row.id,
            form: GraduationBatchForm {
                code: row.code,
                name: row.name,
                year: row.year,
                season: row.season,
                kind: row.kind,
                graduates_on: row.graduates_on,
                certificate_date: row.certificate_date,
                grade_ids: row.grade_ids,
                level_ids: row.level_ids,
                major_ids: row.major_ids,
                site_ids: row.site_ids,
                audit_starts_on: row.audit_starts_on,
                audit_ends_on: row.audit_ends_on,
                degree_enabled: row.degree_enabled,
                collect_place: row.collect_place,
                collect_from: row.collect_from,
                remark: row.remark,
            },
            total: row.total,
            passed: row.passed,
            failed: row.failed,
            decided: row.decided,
            graduates: row.graduates,
            completions: row.completions,
            delays: row.delays,
            incompletes: row.incompletes,
            numbered: row.numbered,
            stale: row.stale,
            confirmed_by_name: row.confirmed_by_name,
            confirmed_at: row.confirmed_at,
            status: row.status,
            version: row.version,
        });
        Ok(batch.collect())
    }
}

impl Export for Batches {
    type Filter = GraduationBatchFilter;
    type Row = GraduationBatch;
    const KIND: &'static str = "graduation_batch.export";
    type Permission = super::ExportGraduationBatches;
    const TITLE: &'static str = "毕业批次";
    const COLUMNS: &'static [Column<GraduationBatch>] = &[
        Column { heading: "编码", width: 14, cell: |row| Cell::Text(row.form.code.clone()) },
        Column { heading: "名称", width: 24, cell: |row| Cell::Text(row.form.name.clone()) },
        Column {
            heading: "年份季节",
            width: 12,
            cell: |row| Cell::Text(format!("{}{}", row.form.year, row.form.season.zh())),
        },
        Column { heading: "类型", width: 12, cell: |row| Cell::Text(row.form.kind.zh().to_owned()) },
        Column { heading: "毕业日期", width: 12, cell: |row| Cell::date(row.form.graduates_on) },
        Column { heading: "人数", width: 8, cell: |row| Cell::Int(row.total) },
        Column { heading: "符合", width: 8, cell: |row| Cell::Int(row.passed) },
        Column { heading: "不符合", width: 8, cell: |row| Cell::Int(row.failed) },
        Column { heading: "毕业", width: 8, cell: |row| Cell::Int(row.graduates) },
        Column { heading: "结业", width: 8, cell: |row| Cell::Int(row.completions) },
        Column { heading: "延期", width: 8, cell: |row| Cell::Int(row.delays) },
        Column { heading: "肄业", width: 8, cell: |row| Cell::Int(row.incompletes) },
        Column { heading: "证书已编号", width: 10, cell: |row| Cell::Int(row.numbered) },
        Column { heading: "状态", width: 10, cell: |row| Cell::Text(row.status.zh().to_owned()) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &GraduationBatchFilter,
        scope: &Scope,
    ) -> Result<RowStream<'c, GraduationBatch>> {
        Self::all(connection, filter, scope).await
    }
}
