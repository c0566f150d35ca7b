//! How batches are read, with the figures of their majors.

use chrono::NaiveDate;
use infra::{
    Result, Scope,
    across::{Key, KeyQuery, Keyed},
    clock::Moment,
};
use poem_openapi::{Object, types::ParseFromJSON};
use sqlx::PgConnection;
use term::Season;

use super::{EnrollmentBatchStatus, EnrollmentBatches, EnrollmentColumn, EnrollmentValue};

/// A batch, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct EnrollmentBatch {
    /// 编号
    pub id: i64,
    /// 编码
    pub code: String,
    /// 名称
    pub name: String,
    /// 招生年度
    pub year: i32,
    /// 入学季
    pub season: Season,
    /// 年级
    pub grade_id: i64,
    /// 年级名称
    pub grade_name: String,
    /// 入学日期
    pub enrolled_on: NaiveDate,
    /// 站点申报截止
    pub site_apply_ends_at: Option<Moment>,
    /// 报到开始
    pub report_starts_at: Option<Moment>,
    /// 报到结束
    pub report_ends_at: Option<Moment>,
    /// 专业数
    pub major_count: i64,
    /// 计划总数
    pub quota: i64,
    /// 录取数
    /// 不含不予入学和已注销，数据范围内的站点
    pub admitted: i64,
    /// 报到数
    /// 数据范围内的站点
    pub reported: i64,
    /// 状态
    pub status: EnrollmentBatchStatus,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// A batch with what only its own page needs.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct EnrollmentBatchView {
    #[oai(flatten)]
    pub batch: EnrollmentBatch,
    /// 字段映射
    pub column_map: Vec<EnrollmentColumn>,
    /// 代码映射
    pub value_maps: Vec<EnrollmentValue>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct EnrollmentBatchFilter {
    /// 编码或名称
    #[oai(validator(max_length = 100))]
    pub keyword: Option<String>,
    /// 招生年度
    pub year: Option<i32>,
    /// 年级
    pub grade_id: Option<i64>,
    /// 状态
    pub status: Option<EnrollmentBatchStatus>,
}

impl Keyed for EnrollmentBatches {
    type Filter = EnrollmentBatchFilter;
    type Row = EnrollmentBatch;

    fn id(row: &EnrollmentBatch) -> i64 {
        row.id
    }

    fn states(filter: &EnrollmentBatchFilter) -> Vec<(&'static str, EnrollmentBatchFilter)> {
        let of = |status: EnrollmentBatchStatus| EnrollmentBatchFilter { status: Some(status), ..filter.clone() };
        EnrollmentBatchStatus::CHOICES.iter().map(|(_, status)| (status.as_str(), of(*status))).collect()
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &EnrollmentBatchFilter,
        _scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        sqlx::query_as!(
            Key,
            r#"select b.id, b.created_at, count(*) over () as "total!"
               from enrollment_batch b
               where ($1::text is null or strpos(b.name, $1) > 0 or starts_with(lower(b.code), lower($1)))
                 and ($2::integer is null or b.year = $2)
                 and ($3::bigint is null or b.grade_id = $3)
                 and ($4::text is null or b.status = $4)
                 and ($5::bigint is null or b.id = $5)
                 and ($6::timestamptz is null or b.created_at <= $6)
               order by b.created_at desc, b.id
               limit $7 offset $8"#,
            filter.keyword,
            filter.year,
            filter.grade_id,
            filter.status.map(EnrollmentBatchStatus::as_str),
            wanted.id,
            wanted.newest_until,
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], scope: &Scope) -> sqlx::Result<Vec<EnrollmentBatch>> {
        sqlx::query_as!(
            EnrollmentBatch,
            r#"select b.id, b.code, b.name, b.year, b.season as "season: _", b.grade_id, g.name as grade_name, b.enrolled_on,
                      b.site_apply_ends_at, b.report_starts_at, b.report_ends_at,
                      (select count(*) from enrollment_major m where m.batch_id = b.id) as "major_count!",
                      (select coalesce(sum(m.quota), 0) from enrollment_major m where m.batch_id = b.id) as "quota!",
                      (select count(*) from admission a where a.batch_id = b.id and a.deleted_at is null
                         and a.status not in ('rejected', 'cancelled')
                         and ($2::bigint[] is null or a.site_id = any($2))) as "admitted!",
                      (select count(*) from registration r where r.batch_id = b.id and r.status = 'reported'
                         and r.deleted_at is null and ($2::bigint[] is null or r.site_id = any($2))) as "reported!",
                      b.status as "status: _", b.created_at, b.version
               from enrollment_batch b join grade g on g.id = b.grade_id
               where b.id = any($1)"#,
            ids,
            scope.sites()
        )
        .fetch_all(connection)
        .await
    }
}

/// A batch with its maps.
pub(super) async fn viewed(connection: &mut PgConnection, batch: EnrollmentBatch) -> Result<EnrollmentBatchView> {
    let maps = sqlx::query!("select column_map, value_maps from enrollment_batch where id = $1", batch.id)
        .fetch_one(connection)
        .await?;
    Ok(EnrollmentBatchView {
        batch,
        column_map: ParseFromJSON::parse_from_json(Some(maps.column_map)).unwrap_or_default(),
        value_maps: ParseFromJSON::parse_from_json(Some(maps.value_maps)).unwrap_or_default(),
    })
}
