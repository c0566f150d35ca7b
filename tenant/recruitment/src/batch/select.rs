//! How batches are read, with the figures of their people.

use futures_util::TryStreamExt;
use infra::{
    Error, Paging, Result, RichText, Scope,
    across::{Key, Listed, Segment},
    clock::Moment,
    naming::sought_word,
    transfer::Rows,
};
use poem_openapi::Object;
use recruitment_rules::phase::phase;
use sqlx::PgConnection;

use super::PreRegistrationBatches;
use crate::enums::BatchPhase;

/// A level that a batch recruits for.
#[derive(Debug, Clone, Object)]
pub struct PreRegistrationBatchLevel {
    /// 编号
    pub id: i64,
    /// 名称
    pub name: String,
}

/// A batch, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PreRegistrationBatch {
    /// 编号
    pub id: i64,
    /// 批次编码
    pub code: String,
    /// 名称
    pub name: String,
    /// 年级
    pub grade_id: i64,
    /// 年级名称
    pub grade_name: String,
    /// 招生层次编号
    pub level_ids: Vec<i64>,
    /// 招生层次
    pub levels: Vec<PreRegistrationBatchLevel>,
    /// 开始时间
    pub starts_at: Moment,
    /// 结束时间
    pub ends_at: Moment,
    /// 需审核
    pub need_audit: bool,
    /// 启用
    pub enabled: bool,
    /// 阶段
    pub phase: BatchPhase,
    /// 报名人数
    pub total: i64,
    /// 通过人数
    pub approved: i64,
    /// 专业数
    pub major_count: i64,
    /// 暂停清理
    pub privacy_hold: bool,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

impl PreRegistrationBatch {
    /// Says where the batch stands at this moment.
    pub(super) fn reach(&mut self, now: Moment) {
        self.phase = phase(self.enabled, self.starts_at, self.ends_at, now);
    }
}

/// A batch with what only its own page needs.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PreRegistrationBatchView {
    #[oai(flatten)]
    pub batch: PreRegistrationBatch,
    /// 报名须知
    pub notice: Option<RichText>,
    /// 报名链接码
    pub public_token: String,
    /// 报名链接
    /// 学校没有填写学生端地址时为空
    pub link: Option<String>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct PreRegistrationBatchFilter {
    /// 年级
    pub grade_id: Option<i64>,
    /// 年级
    /// 编码或名称包含；查看全部院校时代替年级编号
    #[oai(validator(max_length = 50))]
    pub grade_text: Option<String>,
    /// 阶段
    pub phase: Option<BatchPhase>,
    /// 编码或名称
    #[oai(validator(max_length = 100))]
    pub keyword: Option<String>,
}

/// What a list asks for, and the moment of which it tells the phases.
#[derive(Debug)]
pub struct BatchesAt {
    pub(super) filter: PreRegistrationBatchFilter,
    pub(super) now: Moment,
}

impl Listed for PreRegistrationBatches {
    type Filter = BatchesAt;
    type Row = PreRegistrationBatch;

    fn id(row: &PreRegistrationBatch) -> i64 {
        row.id
    }

    async fn page(
        connection: &mut PgConnection,
        asked: &BatchesAt,
        scope: &Scope,
        paging: Paging,
    ) -> Result<(i64, Vec<PreRegistrationBatch>)> {
        let total = count(connection, asked).await?;
        Ok((total, select(connection, None, asked, scope, Some(paging)).try_collect().await?))
    }

    async fn segments(connection: &mut PgConnection, asked: &BatchesAt, _scope: &Scope) -> Result<Vec<Segment>> {
        let mut segments = Vec::new();
        for (_, phase) in BatchPhase::CHOICES {
            let filter = PreRegistrationBatchFilter { phase: Some(*phase), ..asked.filter.clone() };
            let count = count(connection, &BatchesAt { filter, now: asked.now }).await?;
            segments.push(Segment { value: phase.as_str().to_owned(), count });
        }
        Ok(segments)
    }

    async fn keys(
        connection: &mut PgConnection,
        BatchesAt { filter, now }: &BatchesAt,
        _scope: &Scope,
        until: Moment,
        most: i64,
    ) -> Result<Vec<Key>> {
        let keys = sqlx::query_as!(
            Key,
            r#"select b.id, b.created_at, count(*) over () as "total!" from pre_registration_batch b
               where b.created_at <= $1
                 and ($2::text is null or strpos(b.name, $2) > 0 or starts_with(lower(b.code), lower($2)))
                 and ($3::bigint is null or b.grade_id = $3)
                 and ($7::text is null or b.grade_id = any(array(
                          select x.id from grade x where strpos(lower(x.code), $7) > 0 or strpos(lower(x.name), $7) > 0)))
                 and ($4::text is null or $4 = case when not b.enabled then 'closed' when $5 < b.starts_at then 'not_started'
                                                    when $5 < b.ends_at then 'open' else 'ended' end)
               order by b.created_at desc, b.id
               limit $6"#,
            until,
            filter.keyword,
            filter.grade_id,
            filter.phase.map(BatchPhase::as_str),
            now,
            most,
            sought_word(filter.grade_text.as_deref())
        )
        .fetch_all(connection)
        .await?;
        Ok(keys)
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<PreRegistrationBatch>> {
        // The keys were found within the filter; the phases are told when the rows of all schools are together.
        let any = BatchesAt { filter: PreRegistrationBatchFilter::default(), now: Moment::default() };
        Ok(select(connection, Some(ids), &any, &Scope::whole_school(), None).try_collect().await?)
    }
}

/// Batches as list and export show them, the newest first, each with those of its people whom the scope opens. People are
/// counted for the rows of the page alone.
pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<&[i64]>,
    BatchesAt { filter, now }: &BatchesAt,
    scope: &Scope,
    page: Option<Paging>,
) -> Rows<'c, PreRegistrationBatch> {
    let now = *now;
    let rows = sqlx::query!(
        r#"select b.id, b.code, b.name, b.grade_id, g.name as grade_name, b.starts_at, b.ends_at, b.need_audit, b.enabled,
                  b.privacy_hold, b.created_at, b.version,
                  array(select l.id from pre_registration_batch_level o join level l on l.id = o.level_id
                        where o.batch_id = b.id order by l.sort_no, l.code) as "level_ids!",
                  array(select l.name from pre_registration_batch_level o join level l on l.id = o.level_id
                        where o.batch_id = b.id order by l.sort_no, l.code) as "level_names!: Vec<String>",
                  (select count(*) from pre_registration_batch_major m where m.batch_id = b.id) as "major_count!",
                  people.total as "total!", people.approved as "approved!"
           from (select id, code, name, grade_id, starts_at, ends_at, need_audit, enabled, privacy_hold, created_at, version
                 from pre_registration_batch
                 where ($1::bigint[] is null or id = any($1))
                   and ($2::text is null or strpos(name, $2) > 0 or starts_with(lower(code), lower($2)))
                   and ($3::bigint is null or grade_id = $3)
                   and ($9::text is null or grade_id = any(array(
                            select x.id from grade x where strpos(lower(x.code), $9) > 0 or strpos(lower(x.name), $9) > 0)))
                   and ($4::text is null or $4 = case when not enabled then 'closed' when $5 < starts_at then 'not_started'
                                                      when $5 < ends_at then 'open' else 'ended' end)
                 order by created_at desc, id
                 limit $6 offset $7) b
           join grade g on g.id = b.grade_id
           cross join lateral (
               select count(*) as total, count(*) filter (where p.status = 'approved') as approved from pre_registration p
               where p.batch_id = b.id and p.deleted_at is null and ($8::bigint[] is null or p.site_id = any($8))) people
           order by b.created_at desc, b.id"#,
        only,
        filter.keyword,
        filter.grade_id,
        filter.phase.map(BatchPhase::as_str),
        now,
        page.map(Paging::limit),
        page.map(Paging::offset),
        scope.sites(),
        sought_word(filter.grade_text.as_deref())
    )
    .fetch(connection)
    .map_ok(move |row| PreRegistrationBatch {
        id: row.id,
        code: row.code,
        name: row.name,
        grade_id: row.grade_id,
        grade_name: row.grade_name,
        levels: named(&row.level_ids, row.level_names),
        level_ids: row.level_ids,
        starts_at: row.starts_at,
        ends_at: row.ends_at,
        need_audit: row.need_audit,
        enabled: row.enabled,
        phase: phase(row.enabled, row.starts_at, row.ends_at, now),
        total: row.total,
        approved: row.approved,
        major_count: row.major_count,
        privacy_hold: row.privacy_hold,
        created_at: row.created_at,
        version: row.version,
    });
    Box::pin(rows)
}

fn named(ids: &[i64], names: Vec<String>) -> Vec<PreRegistrationBatchLevel> {
    ids.iter().zip(names).map(|(id, name)| PreRegistrationBatchLevel { id: *id, name }).collect()
}

async fn count(connection: &mut PgConnection, BatchesAt { filter, now }: &BatchesAt) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from pre_registration_batch b
           where ($1::text is null or strpos(b.name, $1) > 0 or starts_with(lower(b.code), lower($1)))
             and ($2::bigint is null or b.grade_id = $2)
             and ($5::text is null or b.grade_id = any(array(
                      select x.id from grade x where strpos(lower(x.code), $5) > 0 or strpos(lower(x.name), $5) > 0)))
             and ($3::text is null or $3 = case when not b.enabled then 'closed' when $4 < b.starts_at then 'not_started'
                                                when $4 < b.ends_at then 'open' else 'ended' end)"#,
        filter.keyword,
        filter.grade_id,
        filter.phase.map(BatchPhase::as_str),
        now,
        sought_word(filter.grade_text.as_deref())
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

/// One batch, with its notice.
pub(super) async fn find(
    connection: &mut PgConnection,
    id: i64,
    scope: &Scope,
    now: Moment,
) -> Result<PreRegistrationBatchView> {
    let any = BatchesAt { filter: PreRegistrationBatchFilter::default(), now };
    let found = select(&mut *connection, Some(&[id]), &any, scope, None).try_next().await?;
    let batch = found.ok_or_else(Error::not_found)?;
    let more = sqlx::query!(
        r#"select notice as "notice: RichText", public_token from pre_registration_batch where id = $1"#,
        id
    )
    .fetch_one(connection)
    .await?;
    Ok(PreRegistrationBatchView { batch, notice: more.notice, public_token: more.public_token, link: None })
}
