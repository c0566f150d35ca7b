//! 监考工作量: how often and how long somebody watched in a span (part 04 §4.4).

use chrono::NaiveDate;
use exam_seat_rules::enums::InvigilatorKind;
use infra::{
    Allowed, App, Body, Page, Paged, Reply, Result, Scope,
    across::{Key, KeyQuery},
    naming::tenths,
    reply,
    sheet::{Cell, Column},
    transfer::{self, Export, Exported, Rows},
};
use poem_openapi::{Object, OpenApi, param::Query};
use sqlx::PgConnection;

use super::{ExportWorkload, ListWorkload};

/// The duties of somebody.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Workload {
    /// 监考员
    pub id: i64,
    /// 类型
    pub kind: InvigilatorKind,
    /// 工号
    pub work_no: Option<String>,
    /// 姓名
    pub name: String,
    /// 站点
    pub site_name: String,
    /// 监考次数
    pub duty_count: i64,
    /// 主监考次数
    pub chief_count: i64,
    /// 监考时长(小时)
    pub hours: f64,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct WorkloadFilter {
    /// 批次
    pub batch_id: Option<i64>,
    /// 站点
    pub site_id: Option<i64>,
    /// 类型
    pub kind: Option<InvigilatorKind>,
    /// 日期从
    pub from: Option<NaiveDate>,
    /// 日期到
    pub to: Option<NaiveDate>,
}

/// The list of what people did.
pub struct Workloads;

#[OpenApi(prefix_path = "/offline/pc/offline/invigilator/workload", tag = "crate::Tag::ExamDay")]
impl Workloads {
    /// 监考工作量列表
    #[oai(path = "/list", method = "post", operation_id = "listWorkload")]
    async fn list(
        &self,
        caller: Allowed<ListWorkload>,
        Body(asked): Body<Paged<WorkloadFilter>>,
    ) -> Result<Reply<Page<Workload>>> {
        let paging = asked.paging()?;
        let mut tx = caller.read().await?;
        let keys = Self::matching(
            &mut tx,
            &asked.filter,
            &caller.scope(),
            KeyQuery { limit: Some(paging.limit()), offset: paging.offset(), ..KeyQuery::default() },
        )
        .await?;
        let total = keys.first().map_or(0, |key| key.total);
        let ids: Vec<i64> = keys.iter().map(|key| key.id).collect();
        let mut rows = counted(&mut tx, &ids, &asked.filter).await?;
        rows.sort_by_key(|row| ids.iter().position(|id| *id == row.id));
        Ok(reply(paging.page(total, rows)))
    }

    /// 导出监考工作量
    #[oai(path = "/export", method = "post", operation_id = "exportWorkload")]
    async fn export(
        &self,
        caller: Allowed<ExportWorkload>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<WorkloadFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

impl Workloads {
    /// Who watched in the span, the busiest first.
    async fn matching(
        connection: &mut PgConnection,
        filter: &WorkloadFilter,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        sqlx::query_as!(
            Key,
            r#"select n.id as "id!", n.created_at as "created_at!", count(*) over () as "total!"
               from invigilator n
               join invigilation i on i.invigilator_id = n.id
               join offline_session_room r on r.id = i.session_room_id
               join offline_session x on x.id = r.session_id
               where ($1::bigint[] is null or n.site_id = any($1))
                 and ($2::bigint is null or x.batch_id = $2)
                 and ($3::bigint is null or n.site_id = $3)
                 and ($4::text is null or n.kind = $4)
                 and ($5::date is null or (x.starts_at at time zone 'Asia/Shanghai')::date >= $5)
                 and ($6::date is null or (x.starts_at at time zone 'Asia/Shanghai')::date <= $6)
               group by n.id, n.created_at
               order by count(*) desc, n.id
               limit $7 offset $8"#,
            scope.sites(),
            filter.batch_id,
            filter.site_id,
            filter.kind.map(InvigilatorKind::as_str),
            filter.from,
            filter.to,
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }
}

async fn counted(connection: &mut PgConnection, ids: &[i64], filter: &WorkloadFilter) -> sqlx::Result<Vec<Workload>> {
    sqlx::query_as!(
        Workload,
        r#"select n.id as "id!", n.kind as "kind!: _", w.work_no as "work_no?", n.name as "name!", t.name as "site_name!",
                  d.duties as "duty_count!", d.chiefs as "chief_count!", d.hours::float8 as "hours!"
           from invigilator n
           join site t on t.id = n.site_id
           left join teacher w on w.id = n.teacher_id
           cross join lateral (
               select count(*) as duties, count(*) filter (where i.role = 'chief') as chiefs,
                      round(coalesce(sum(extract(epoch from x.ends_at - x.starts_at)), 0) / 3600, 1) as hours
               from invigilation i
               join offline_session_room r on r.id = i.session_room_id
               join offline_session x on x.id = r.session_id
               where i.invigilator_id = n.id
                 and ($2::bigint is null or x.batch_id = $2)
                 and ($3::date is null or (x.starts_at at time zone 'Asia/Shanghai')::date >= $3)
                 and ($4::date is null or (x.starts_at at time zone 'Asia/Shanghai')::date <= $4)) d
           where n.id = any($1)"#,
        ids,
        filter.batch_id,
        filter.from,
        filter.to
    )
    .fetch_all(connection)
    .await
}

impl Export for Workloads {
    type Filter = WorkloadFilter;
    type Row = Workload;
    const KIND: &'static str = "invigilator.workload.export";
    type Permission = ExportWorkload;
    const TITLE: &'static str = "监考工作量";
    const COLUMNS: &'static [Column<Workload>] = &[
        Column { heading: "类型", width: 10, cell: |row| Cell::Text(row.kind.zh().to_owned()) },
        Column { heading: "工号", width: 14, cell: |row| Cell::text(row.work_no.as_deref()) },
        Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "站点", width: 20, cell: |row| Cell::Text(row.site_name.clone()) },
        Column { heading: "监考次数", width: 10, cell: |row| Cell::Int(row.duty_count) },
        Column { heading: "主监考次数", width: 10, cell: |row| Cell::Int(row.chief_count) },
        Column { heading: "监考时长(小时)", width: 14, cell: |row| tenths(row.hours) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &WorkloadFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, Workload>> {
        let keys = Self::matching(&mut *connection, filter, scope, KeyQuery::default()).await?;
        let ids: Vec<i64> = keys.iter().map(|key| key.id).collect();
        let mut rows = counted(connection, &ids, filter).await?;
        rows.sort_by_key(|row| ids.iter().position(|id| *id == row.id));
        Ok(Box::pin(futures_util::stream::iter(rows.into_iter().map(Ok))))
    }
}
