//! Which sessions there are, and what lists show of them.

use chrono::NaiveDate;
use infra::{
    App, Result, Scope,
    across::{Key, KeyQuery, Keyed},
    clock::Moment,
    sheet::{Cell, Column},
    transfer::{Export, Rows as RowStream},
};
use poem_openapi::Object;
use sqlx::PgConnection;

use super::Sessions;
use crate::enums::ExamSessionStatus;

/// A session, as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ExamSession {
    /// 编号
    pub id: i64,
    /// 考试批次
    pub batch_id: i64,
    /// 批次名称
    pub batch_name: String,
    /// 场次号
    pub code: String,
    /// 名称
    pub name: String,
    /// 考试日期
    pub exam_date: NaiveDate,
    /// 开始时间
    pub start_time: String,
    /// 结束时间
    pub end_time: String,
    /// 开始
    pub starts_at: Moment,
    /// 结束
    pub ends_at: Moment,
    /// 时长(分钟)
    pub duration_minutes: i32,
    /// 站点
    /// 为空时是全部站点
    pub site_ids: Vec<i64>,
    /// 站点名称
    pub site_names: Vec<String>,
    /// 课程数
    pub courses: i64,
    /// 考生数
    pub candidates: i64,
    /// 考场数
    pub rooms: i64,
    /// 考位数
    pub places: i64,
    /// 已编排
    pub seated: i64,
    /// 状态
    pub status: ExamSessionStatus,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct ExamSessionFilter {
    /// 考试批次
    pub batch_id: Option<i64>,
    /// 考试日期
    pub date: Option<NaiveDate>,
    /// 站点
    pub site_id: Option<i64>,
    /// 状态
    pub status: Option<ExamSessionStatus>,
    /// 名称或场次号
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
}

impl Keyed for Sessions {
    type Filter = ExamSessionFilter;
    type Row = ExamSession;

    fn id(row: &ExamSession) -> i64 {
        row.id
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &ExamSessionFilter,
        _scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        sqlx::query_as!(
            Key,
            r#"select x.id, x.created_at, count(*) over () as "total!"
               from offline_session x
               where ($1::bigint is null or x.batch_id = $1)
                 and ($2::date is null or (x.starts_at at time zone 'Asia/Shanghai')::date = $2)
                 and ($3::bigint is null
                      or not exists (select from offline_session_site w where w.session_id = x.id)
                      or exists (select from offline_session_site w where w.session_id = x.id and w.site_id = $3))
                 and ($4::text is null or x.status = $4)
                 and ($5::text is null or strpos(x.name, $5) > 0 or starts_with(x.code, $5))
                 and ($6::bigint is null or x.id = $6)
                 and ($7::timestamptz is null or x.created_at <= $7)
               order by case when $7::timestamptz is null then x.batch_id end desc,
                        case when $7::timestamptz is null then x.starts_at end,
                        case when $7::timestamptz is null then x.code end, x.created_at desc, x.id
               limit $8 offset $9"#,
            filter.batch_id,
            filter.date,
            filter.site_id,
            filter.status.map(ExamSessionStatus::as_str),
            filter.keyword,
            wanted.id,
            wanted.newest_until,
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], scope: &Scope) -> sqlx::Result<Vec<ExamSession>> {
        let rows = sqlx::query!(
            r#"select x.id as "id!", x.batch_id as "batch_id!", b.name as "batch_name!", x.code as "code!", x.name as "name!",
                      x.starts_at as "starts_at!", x.ends_at as "ends_at!", x.duration_minutes as "duration!",
                      x.status as "status!: ExamSessionStatus", x.version as "version!",
                      coalesce((select array_agg(w.site_id order by w.site_id) from offline_session_site w
                                where w.session_id = x.id), '{}') as "site_ids!",
                      coalesce((select array_agg(s.name order by w.site_id) from offline_session_site w
                                join site s on s.id = w.site_id where w.session_id = x.id), '{}') as "site_names!",
                      (select count(distinct s.course_id) from exam_setup s
                       where s.session_id = x.id and s.status <> 'cancelled') as "courses!",
                      (select count(*) from exam_setup s
                       join exam_candidate c on c.setup_id = s.id and not c.removed and c.eligibility = 'eligible'
                       join student y on y.id = c.student_id
                       where s.session_id = x.id and s.status <> 'cancelled'
                         and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))) as "candidates!",
                      (select count(*) from offline_session_room r
                       where r.session_id = x.id and ($2::bigint[] is null or r.site_id = any($2))) as "rooms!",
                      (select coalesce(sum(e.capacity), 0)::bigint from offline_session_room r join exam_room e on e.id = r.room_id
                       where r.session_id = x.id and ($2::bigint[] is null or r.site_id = any($2))) as "places!",
                      (select count(*) from offline_seat t join student y on y.id = t.student_id
                       where t.session_id = x.id
                         and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))) as "seated!"
               from offline_session x join test_batch b on b.id = x.batch_id
               where x.id = any($1)"#,
            ids,
            scope.sites(),
            scope.classes()
        )
        .fetch_all(connection)
        .await?;
        let session = rows.into_iter().map(|row| ExamSession {
            id: row.id,
            batch_id: row.batch_id,
            batch_name: row.batch_name,
            code: row.code,
            name: row.name,
            exam_date: row.starts_at.date_naive(),
            start_time: row.starts_at.format("%H:%M").to_string(),
            end_time: row.ends_at.format("%H:%M").to_string(),
            starts_at: row.starts_at,
            ends_at: row.ends_at,
            duration_minutes: row.duration,
            site_ids: row.site_ids,
            site_names: row.site_names,
            courses: row.courses,
            candidates: row.candidates,
            rooms: row.rooms,
            places: row.places,
            seated: row.seated,
            status: row.status,
            version: row.version,
        });
        Ok(session.collect())
    }
}

impl Export for Sessions {
    type Filter = ExamSessionFilter;
    type Row = ExamSession;
    const KIND: &'static str = "offline_session.export";
    type Permission = super::ExportExamSessions;
    const TITLE: &'static str = "考试场次";
    const COLUMNS: &'static [Column<ExamSession>] = &[
        Column { heading: "批次", width: 28, cell: |row| Cell::Text(row.batch_name.clone()) },
        Column { heading: "场次号", width: 8, cell: |row| Cell::Text(row.code.clone()) },
        Column { heading: "名称", width: 16, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "日期", width: 12, cell: |row| Cell::date(Some(row.exam_date)) },
        Column { heading: "时间", width: 14, cell: |row| Cell::Text(format!("{}-{}", row.start_time, row.end_time)) },
        Column {
            heading: "站点",
            width: 28,
            cell: |row| {
                let all = row.site_names.is_empty();
                Cell::Text(if all { "全部站点".to_owned() } else { row.site_names.join("、") })
            },
        },
        Column { heading: "课程数", width: 8, cell: |row| Cell::Int(row.courses) },
        Column { heading: "考生数", width: 8, cell: |row| Cell::Int(row.candidates) },
        Column { heading: "考场数", width: 8, cell: |row| Cell::Int(row.rooms) },
        Column { heading: "考位数", width: 8, cell: |row| Cell::Int(row.places) },
        Column { heading: "已编排", width: 8, cell: |row| Cell::Int(row.seated) },
        Column { heading: "状态", width: 10, cell: |row| Cell::Text(row.status.zh().to_owned()) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &ExamSessionFilter,
        scope: &Scope,
    ) -> Result<RowStream<'c, ExamSession>> {
        Self::all(connection, filter, scope).await
    }
}
