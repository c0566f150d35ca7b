//! How batches are read, with the figures of their applications, and which of them is open for whom.

use chrono::NaiveDate;
use futures_util::TryStreamExt;
use infra::{
    Error, Paging, Result, Scope,
    across::{Key, Listed, Segment},
    clock::Moment,
    naming::sought_word,
    transfer::Rows,
};
use poem_openapi::Object;
use sqlx::PgConnection;
use status_change_rules::phase::phase;

use super::{Batches, ChangeBatchPhase};
use crate::ChangeType;

/// A batch, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ChangeBatch {
    /// 编号
    pub id: i64,
    /// 编码
    pub code: String,
    /// 名称
    pub name: String,
    /// 类型
    pub types: Vec<ChangeType>,
    /// 年级编号
    /// 为空时不限年级
    pub grade_ids: Vec<i64>,
    /// 年级
    pub grade_names: Vec<String>,
    /// 开始时间
    pub starts_at: Moment,
    /// 结束时间
    pub ends_at: Moment,
    /// 生效日期
    pub effective_on: Option<NaiveDate>,
    /// 站点审核
    pub site_review: bool,
    /// 学员可申请
    pub client_entry: bool,
    /// 启用
    pub enabled: bool,
    /// 阶段
    pub phase: ChangeBatchPhase,
    /// 申请数
    pub total: i64,
    /// 已批准
    pub approved: i64,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

impl ChangeBatch {
    /// Says where the batch stands at this moment.
    pub(super) fn reach(&mut self, now: Moment) {
        self.phase = phase(self.enabled, self.starts_at, self.ends_at, now);
    }
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct ChangeBatchFilter {
    /// 类型
    #[oai(rename = "type")]
    pub kind: Option<ChangeType>,
    /// 年级
    /// 适用于该年级的批次
    pub grade_id: Option<i64>,
    /// 阶段
    pub phase: Option<ChangeBatchPhase>,
    /// 编码或名称
    #[oai(validator(max_length = 100))]
    pub keyword: Option<String>,
    /// 年级
    /// 编码或名称包含；查看全部院校时代替年级编号
    #[oai(validator(max_length = 50))]
    pub grade_text: Option<String>,
}

/// What a list asks for, and the moment of which it tells the phases.
#[derive(Debug)]
pub struct BatchesAt {
    pub(super) filter: ChangeBatchFilter,
    pub(super) now: Moment,
}

impl Listed for Batches {
    type Filter = BatchesAt;
    type Row = ChangeBatch;

    fn id(row: &ChangeBatch) -> i64 {
        row.id
    }

    async fn page(
        connection: &mut PgConnection,
        asked: &BatchesAt,
        scope: &Scope,
        paging: Paging,
    ) -> Result<(i64, Vec<ChangeBatch>)> {
        let total = count(connection, asked).await?;
        Ok((total, select(connection, None, asked, scope, Some(paging)).try_collect().await?))
    }

    async fn segments(connection: &mut PgConnection, asked: &BatchesAt, _scope: &Scope) -> Result<Vec<Segment>> {
        let mut segments = Vec::new();
        for (_, phase) in ChangeBatchPhase::CHOICES {
            let filter = ChangeBatchFilter { phase: Some(*phase), ..asked.filter.clone() };
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
            r#"select b.id, b.created_at, count(*) over () as "total!" from change_batch b
               where b.created_at <= $1
                 and ($2::text is null or strpos(b.name, $2) > 0 or starts_with(lower(b.code), lower($2)))
                 and ($3::text is null or $3 = any(b.types))
                 and ($4::bigint is null
                      or not exists (select from change_batch_grade g where g.change_batch_id = b.id)
                      or exists (select from change_batch_grade g where g.change_batch_id = b.id and g.grade_id = $4))
                 and ($8::text is null or exists (
                      select from grade y where (strpos(lower(y.code), $8) > 0 or strpos(lower(y.name), $8) > 0)
                        and (not exists (select from change_batch_grade g where g.change_batch_id = b.id)
                             or exists (select from change_batch_grade g where g.change_batch_id = b.id and g.grade_id = y.id))))
                 and ($5::text is null or $5 = case when not b.enabled then 'closed' when $6 < b.starts_at then 'not_started'
                                                    when $6 < b.ends_at then 'open' else 'ended' end)
               order by b.created_at desc, b.id
               limit $7"#,
            until,
            filter.keyword,
            filter.kind.map(ChangeType::as_str),
            filter.grade_id,
            filter.phase.map(ChangeBatchPhase::as_str),
            now,
            most,
            sought_word(filter.grade_text.as_deref())
        )
        .fetch_all(connection)
        .await?;
        Ok(keys)
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<ChangeBatch>> {
        // The keys were found within the filter; the phases are told when the rows of all schools are together.
        let any = BatchesAt { filter: ChangeBatchFilter::default(), now: Moment::default() };
        Ok(select(connection, Some(ids), &any, &Scope::whole_school(), None).try_collect().await?)
    }
}

/// Batches as list and export show them, the newest first, each with those of its applications whose students the scope
/// opens. Applications are counted for the rows of the page alone.
pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<&[i64]>,
    BatchesAt { filter, now }: &BatchesAt,
    scope: &Scope,
    page: Option<Paging>,
) -> Rows<'c, ChangeBatch> {
    let now = *now;
    let rows = sqlx::query!(
        r#"select b.id, b.code, b.name, b.types, b.starts_at, b.ends_at, b.effective_on, b.site_review, b.client_entry,
                  b.enabled, b.created_at, b.version,
                  array(select g.id from change_batch_grade o join grade g on g.id = o.grade_id
                        where o.change_batch_id = b.id order by g.entry_year, g.code) as "grade_ids!",
                  array(select g.name from change_batch_grade o join grade g on g.id = o.grade_id
                        where o.change_batch_id = b.id order by g.entry_year, g.code) as "grade_names!: Vec<String>",
                  changes.total as "total!", changes.approved as "approved!"
           from (select id, code, name, types, starts_at, ends_at, effective_on, site_review, client_entry, enabled, created_at,
                        version
                 from change_batch w
                 where ($1::bigint[] is null or id = any($1))
                   and ($2::text is null or strpos(name, $2) > 0 or starts_with(lower(code), lower($2)))
                   and ($3::text is null or $3 = any(types))
                   and ($4::bigint is null
                        or not exists (select from change_batch_grade g where g.change_batch_id = w.id)
                        or exists (select from change_batch_grade g where g.change_batch_id = w.id and g.grade_id = $4))
                   and ($11::text is null or exists (
                        select from grade y where (strpos(lower(y.code), $11) > 0 or strpos(lower(y.name), $11) > 0)
                          and (not exists (select from change_batch_grade g where g.change_batch_id = w.id)
                               or exists (select from change_batch_grade g where g.change_batch_id = w.id and g.grade_id = y.id))))
                   and ($5::text is null or $5 = case when not enabled then 'closed' when $6 < starts_at then 'not_started'
                                                      when $6 < ends_at then 'open' else 'ended' end)
                 order by created_at desc, id
                 limit $7 offset $8) b
           cross join lateral (
               select count(*) as total, count(*) filter (where c.status in ('approved', 'executed')) as approved
               from student_change c join student s on s.id = c.student_id
               where c.change_batch_id = b.id
                 and ($9::bigint[] is null or s.site_id = any($9) or s.class_id = any($10::bigint[]))) changes
           order by b.created_at desc, b.id"#,
        only,
        filter.keyword,
        filter.kind.map(ChangeType::as_str),
        filter.grade_id,
        filter.phase.map(ChangeBatchPhase::as_str),
        now,
        page.map(Paging::limit),
        page.map(Paging::offset),
        scope.sites(),
        scope.classes(),
        sought_word(filter.grade_text.as_deref())
    )
    .fetch(connection)
    .map_ok(move |row| ChangeBatch {
        id: row.id,
        code: row.code,
        name: row.name,
        types: row.types.iter().filter_map(|word| ChangeType::parse(word)).collect(),
        grade_ids: row.grade_ids,
        grade_names: row.grade_names,
        starts_at: row.starts_at,
        ends_at: row.ends_at,
        effective_on: row.effective_on,
        site_review: row.site_review,
        client_entry: row.client_entry,
        enabled: row.enabled,
        phase: phase(row.enabled, row.starts_at, row.ends_at, now),
        total: row.total,
        approved: row.approved,
        created_at: row.created_at,
        version: row.version,
    });
    Box::pin(rows)
}

async fn count(connection: &mut PgConnection, BatchesAt { filter, now }: &BatchesAt) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from change_batch b
           where ($1::text is null or strpos(b.name, $1) > 0 or starts_with(lower(b.code), lower($1)))
             and ($2::text is null or $2 = any(b.types))
             and ($3::bigint is null
                  or not exists (select from change_batch_grade g where g.change_batch_id = b.id)
                  or exists (select from change_batch_grade g where g.change_batch_id = b.id and g.grade_id = $3))
             and ($6::text is null or exists (
                  select from grade y where (strpos(lower(y.code), $6) > 0 or strpos(lower(y.name), $6) > 0)
                    and (not exists (select from change_batch_grade g where g.change_batch_id = b.id)
                         or exists (select from change_batch_grade g where g.change_batch_id = b.id and g.grade_id = y.id))))
             and ($4::text is null or $4 = case when not b.enabled then 'closed' when $5 < b.starts_at then 'not_started'
                                                when $5 < b.ends_at then 'open' else 'ended' end)"#,
        filter.keyword,
        filter.kind.map(ChangeType::as_str),
        filter.grade_id,
        filter.phase.map(ChangeBatchPhase::as_str),
        now,
        sought_word(filter.grade_text.as_deref())
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

/// One batch.
pub(super) async fn find(connection: &mut PgConnection, id: i64, scope: &Scope, now: Moment) -> Result<ChangeBatch> {
    let any = BatchesAt { filter: ChangeBatchFilter::default(), now };
    let found = select(connection, Some(&[id]), &any, scope, None).try_next().await?;
    found.ok_or_else(Error::not_found)
}

/// What a batch says to an application.
#[derive(Debug, Clone)]
pub(crate) struct Window {
    pub(crate) id: i64,
    pub(crate) types: Vec<String>,
    pub(crate) grade_ids: Vec<i64>,
    pub(crate) effective_on: Option<NaiveDate>,
    pub(crate) site_review: bool,
    pub(crate) client_entry: bool,
    pub(crate) open: bool,
}

impl Window {
    /// Whether it is for this type and students of this grade, at whatever time.
    pub(crate) fn is_for(&self, kind: ChangeType, grade: i64) -> bool {
        self.types.iter().any(|word| word == kind.as_str())
            && (self.grade_ids.is_empty() || self.grade_ids.contains(&grade))
    }
}

/// A batch that an application names. Nobody is counted for it.
///
/// # Errors
/// Those of the database; none when there is no such batch.
pub(crate) async fn window(connection: &mut PgConnection, id: i64, now: Moment) -> Result<Option<Window>> {
    let found = sqlx::query_as!(
        Window,
        r#"select b.id, b.types, b.effective_on, b.site_review, b.client_entry,
                  array(select g.grade_id from change_batch_grade g where g.change_batch_id = b.id) as "grade_ids!",
                  b.enabled and b.starts_at <= $2 and $2 < b.ends_at as "open!"
           from change_batch b where b.id = $1"#,
        id,
        now
    )
    .fetch_optional(connection)
    .await?;
    Ok(found)
}

/// The newest open batch that accepts the type from the grade; of those that students may enter alone, for a student.
///
/// # Errors
/// Those of the database.
pub(crate) async fn covering(
    connection: &mut PgConnection,
    (kind, grade): (ChangeType, i64),
    by_student: bool,
    now: Moment,
) -> Result<Option<Window>> {
    let found = sqlx::query_as!(
        Window,
        r#"select b.id, b.types, b.effective_on, b.site_review, b.client_entry,
                  array(select g.grade_id from change_batch_grade g where g.change_batch_id = b.id) as "grade_ids!",
                  true as "open!"
           from change_batch b
           where b.enabled and b.starts_at <= $1 and $1 < b.ends_at and $2::text = any(b.types)
             and (b.client_entry or not $4::boolean)
             and (not exists (select from change_batch_grade g where g.change_batch_id = b.id)
                  or exists (select from change_batch_grade g where g.change_batch_id = b.id and g.grade_id = $3))
           order by b.created_at desc, b.id limit 1"#,
        now,
        kind.as_str(),
        grade,
        by_student
    )
    .fetch_optional(connection)
    .await?;
    Ok(found)
}

/// A window that students may enter themselves.
#[derive(Debug)]
pub(crate) struct Entrance {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) types: Vec<String>,
    pub(crate) starts_at: Moment,
    pub(crate) ends_at: Moment,
    pub(crate) effective_on: Option<NaiveDate>,
}

/// The open batches that students of the grade may enter themselves, the newest first.
///
/// # Errors
/// Those of the database.
pub(crate) async fn open_to_students(connection: &mut PgConnection, grade: i64, now: Moment) -> Result<Vec<Entrance>> {
    let open = sqlx::query_as!(
        Entrance,
        r#"select b.id, b.name, b.types, b.starts_at, b.ends_at, b.effective_on
           from change_batch b
           where b.enabled and b.client_entry and b.starts_at <= $1 and $1 < b.ends_at
             and (not exists (select from change_batch_grade g where g.change_batch_id = b.id)
                  or exists (select from change_batch_grade g where g.change_batch_id = b.id and g.grade_id = $2))
           order by b.created_at desc, b.id"#,
        now,
        grade
    )
    .fetch_all(connection)
    .await?;
    Ok(open)
}
