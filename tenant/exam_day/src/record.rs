//! 考场情况: who did not come to a room of a session, and what happened there (part 04 §4.4).

mod import;
pub(crate) mod steps;

use std::collections::HashMap;

use chrono::NaiveDate;
use exam_seat_rules::enums::RoomRecordStatus;
use exams::evidence::ExamEvidence;
use infra::{
    Allowed, Body, Entity, Paged, Part, Reply, Result, Scope,
    across::{self, Key, KeyQuery, Keyed, SchoolPage},
    clock::Moment,
    files::url_of,
    permissions, reply,
    transfer::import_job,
};
use poem_openapi::{Object, OpenApi, param::Query};
use sqlx::PgConnection;

pub use import::AbsenceImports;
pub use steps::Steps;

use crate::invigilator::duty::{DutyPerson, watchers_of};

permissions! {
    pages
        "/schoolPC/examination/offlineIndex/offlineManage",
        "/platformPC/examination/offlineIndex/offlineTestList";
    EachSchool Reads  ListRoomRecords     = "offline:pc:offline:manage:list" "考场情况列表";
    EachSchool Reads  CountExamDay        = "offline:pc:offline:manage:view" "考务统计";
    InSchool   Writes RecordRoom          = "offline:pc:offline:manage:record" "登记考场情况";
    InSchool   Writes ConfirmRoomRecords  = "offline:pc:offline:manage:confirm" "确认考场情况";
    InSchool   Writes ReopenRoomRecords   = "offline:pc:offline:manage:unconfirm" "取消确认考场情况";
    InSchool   Writes ImportAbsences      = "offline:pc:offline:manage:import" "导入缺考名单";
    InSchool   Reads  FetchAbsenceSheet   = "offline:pc:offline:manage:import" "导入缺考名单";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[
        Entity { table: "offline_room_record", name: "考场情况", counted: "条考场情况" },
        Entity { table: "offline_room_file", name: "考场情况附件", counted: "份考场情况附件" },
    ],
    jobs: &[import_job::<import::AbsenceSheet>()],
    option_pages: PAGES,
    ..Part::NONE
};

/// A room of a session with what was registered of it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct RoomRecord {
    /// 编号
    /// 场次考场的编号
    pub id: i64,
    /// 批次
    pub batch_name: String,
    /// 场次编号
    pub session_id: i64,
    /// 场次号
    pub session_code: String,
    /// 场次
    pub session_name: String,
    /// 开始时间
    pub starts_at: Moment,
    /// 结束时间
    pub ends_at: Moment,
    /// 考点
    pub site_name: String,
    /// 考场号
    pub exam_room_no: String,
    /// 考场
    pub room_name: String,
    /// 应考
    pub planned_count: i64,
    /// 实考
    pub present_count: Option<i32>,
    /// 缺考
    pub absent_count: Option<i32>,
    /// 违规
    pub violation_count: i64,
    /// 缺考座位
    pub absent_seats: Vec<i32>,
    /// 考场情况
    pub note: Option<String>,
    /// 附件数
    pub file_count: i64,
    /// 附件
    pub files: Vec<ExamEvidence>,
    /// 监考
    pub invigilators: Vec<DutyPerson>,
    /// 状态
    pub status: RoomRecordStatus,
    /// 登记人
    pub recorded_by_name: Option<String>,
    /// 登记时间
    pub recorded_at: Option<Moment>,
    /// 确认人
    pub confirmed_by_name: Option<String>,
    /// 版本
    /// 还未登记时为0
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct RoomRecordFilter {
    /// 批次
    pub batch_id: Option<i64>,
    /// 场次
    pub session_id: Option<i64>,
    /// 站点
    pub site_id: Option<i64>,
    /// 考试日期
    pub day: Option<NaiveDate>,
    /// 状态
    pub status: Option<RoomRecordStatus>,
}

/// A site in a session.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ExamDayStat {
    /// 站点编号
    pub site_id: i64,
    /// 站点
    pub site_name: String,
    /// 场次编号
    pub session_id: i64,
    /// 场次号
    pub session_code: String,
    /// 开始时间
    pub starts_at: Moment,
    /// 应考
    pub planned: i64,
    /// 实考
    pub present: i64,
    /// 缺考
    pub absent: i64,
    /// 缺考率(%)
    pub absent_rate: f64,
    /// 违规
    pub violations: i64,
}

/// The list of rooms of sessions.
pub struct RoomRecords;

#[OpenApi(prefix_path = "/offline/pc/offline/manage", tag = "crate::Tag::ExamDay")]
impl RoomRecords {
    /// 考场情况列表
    #[oai(path = "/list", method = "post", operation_id = "listRoomRecords")]
    async fn list(
        &self,
        caller: Allowed<ListRoomRecords>,
        Body(asked): Body<Paged<RoomRecordFilter>>,
    ) -> Result<Reply<SchoolPage<RoomRecord>>> {
        let mut listed = across::list::<Self, _>(&caller, asked.paging()?, asked.filter).await?;
        for room in &mut listed.0.data.list {
            for file in &mut room.row.files {
                file.url = url_of(caller.app(), &file.url, &file.name).await?;
            }
        }
        Ok(listed)
    }

    /// 考务统计
    /// 各站点各场次的应考、实考、缺考和违规
    #[oai(path = "/stat", method = "get", operation_id = "countExamDay")]
    async fn stat(
        &self,
        caller: Allowed<CountExamDay>,
        /// 批次
        #[oai(name = "batchId")]
        batch_id: Query<i64>,
    ) -> Result<Reply<Vec<ExamDayStat>>> {
        let scope = caller.scope();
        let mut tx = caller.read().await?;
        let rows = sqlx::query!(
            r#"select r.site_id as "site!", t.name as "site_name!", x.id as "session!", x.code as "code!", x.starts_at as "starts_at!",
                      count(z.id) as "planned!", count(z.id) filter (where c.attendance = 'present') as "present!",
                      count(z.id) filter (where c.attendance = 'absent') as "absent!",
                      count(z.id) filter (where c.violation_level <> 'none') as "violations!"
               from offline_session x
               join offline_session_room r on r.session_id = x.id
               join site t on t.id = r.site_id
               left join offline_seat z on z.session_room_id = r.id
               left join exam_candidate c on c.id = z.candidate_id
               where x.batch_id = $1 and ($2::bigint[] is null or r.site_id = any($2))
               group by r.site_id, t.name, x.id, x.code, x.starts_at
               order by x.starts_at, t.name, r.site_id"#,
            batch_id.0,
            scope.sites()
        )
        .fetch_all(&mut *tx)
        .await?;
        let rate =
            |part: i64, whole: i64| if whole == 0 { 0.0 } else { ((part * 2_000 + whole) / (whole * 2)) as f64 / 10.0 };
        Ok(reply(
            rows.into_iter()
                .map(|row| ExamDayStat {
                    site_id: row.site,
                    site_name: row.site_name,
                    session_id: row.session,
                    session_code: row.code,
                    starts_at: row.starts_at,
                    planned: row.planned,
                    present: row.present,
                    absent: row.absent,
                    absent_rate: rate(row.absent, row.planned),
                    violations: row.violations,
                })
                .collect(),
        ))
    }
}

impl Keyed for RoomRecords {
    type Filter = RoomRecordFilter;
    type Row = RoomRecord;

    fn id(row: &RoomRecord) -> i64 {
        row.id
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &RoomRecordFilter,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        sqlx::query_as!(
            Key,
            r#"select r.id as "id!", r.created_at as "created_at!", count(*) over () as "total!"
               from offline_session_room r
               join offline_session x on x.id = r.session_id
               left join offline_room_record w on w.id = r.id
               where ($1::bigint is null or r.id = $1)
                 and ($2::timestamptz is null or r.created_at <= $2)
                 and ($3::bigint[] is null or r.site_id = any($3))
                 and ($4::bigint is null or x.batch_id = $4)
                 and ($5::bigint is null or r.session_id = $5)
                 and ($6::bigint is null or r.site_id = $6)
                 and ($7::date is null or (x.starts_at at time zone 'Asia/Shanghai')::date = $7)
                 and ($8::text is null or coalesce(w.status, 'none') = $8)
               order by case when $2::timestamptz is null then x.starts_at end, case when $2::timestamptz is null then r.site_id end,
                        case when $2::timestamptz is null then r.exam_room_no end, r.created_at desc, r.id
               limit $9 offset $10"#,
            wanted.id,
            wanted.newest_until,
            scope.sites(),
            filter.batch_id,
            filter.session_id,
            filter.site_id,
            filter.day,
            filter.status.map(RoomRecordStatus::as_str),
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], _scope: &Scope) -> sqlx::Result<Vec<RoomRecord>> {
        let mut files = files_of(&mut *connection, ids).await?;
        let mut watchers = watchers_of(&mut *connection, ids).await?;
        let rows = sqlx::query!(
            r#"select r.id as "id!", b.name as "batch_name!", x.id as "session_id!", x.code as "session_code!", x.name as "session_name!",
                      x.starts_at as "starts_at!", x.ends_at as "ends_at!", t.name as "site_name!", r.exam_room_no as "exam_room_no!",
                      e.name as "room_name!", (select count(*) from offline_seat z where z.session_room_id = r.id) as "planned_count!",
                      w.present_count as "present_count?", w.absent_count as "absent_count?",
                      (select count(*) from offline_seat z join exam_candidate c on c.id = z.candidate_id
                       where z.session_room_id = r.id
                         and exists (select from exam_violation v where v.candidate_id = c.id and v.status <> 'dismissed'))
                          as "violation_count!",
                      coalesce(w.absent_seats, '{}') as "absent_seats!", w.note as "note?",
                      (select count(*) from offline_room_file f where f.record_id = r.id) as "file_count!",
                      coalesce(w.status, 'none') as "status!: RoomRecordStatus", w.recorded_by_name as "recorded_by_name?",
                      w.recorded_at as "recorded_at?", w.confirmed_by_name as "confirmed_by_name?", coalesce(w.version, 0) as "version!"
               from offline_session_room r
               join offline_session x on x.id = r.session_id
               join test_batch b on b.id = x.batch_id
               join site t on t.id = r.site_id
               join exam_room e on e.id = r.room_id
               left join offline_room_record w on w.id = r.id
               where r.id = any($1)"#,
            ids
        )
        .fetch_all(connection)
        .await?;
        let told = rows.into_iter().map(|row| RoomRecord {
            id: row.id,
            batch_name: row.batch_name,
            session_id: row.session_id,
            session_code: row.session_code,
            session_name: row.session_name,
            starts_at: row.starts_at,
            ends_at: row.ends_at,
            site_name: row.site_name,
            exam_room_no: row.exam_room_no,
            room_name: row.room_name,
            planned_count: row.planned_count,
            present_count: row.present_count,
            absent_count: row.absent_count,
            violation_count: row.violation_count,
            absent_seats: row.absent_seats,
            note: row.note,
            file_count: row.file_count,
            files: files.remove(&row.id).unwrap_or_default(),
            invigilators: watchers.remove(&row.id).unwrap_or_default(),
            status: row.status,
            recorded_by_name: row.recorded_by_name,
            recorded_at: row.recorded_at,
            confirmed_by_name: row.confirmed_by_name,
            version: row.version,
        });
        Ok(told.collect())
    }
}

/// The files of records by room; the list makes addresses of their keys.
async fn files_of(connection: &mut PgConnection, ids: &[i64]) -> sqlx::Result<HashMap<i64, Vec<ExamEvidence>>> {
    let rows = sqlx::query!(
        "select f.record_id, o.id, o.key, o.original_name from offline_room_file f
         join file_object o on o.id = f.file_id and o.state = 'stored'
         where f.record_id = any($1) order by f.record_id, f.sort_no, o.id",
        ids
    )
    .fetch_all(connection)
    .await?;
    let mut found: HashMap<i64, Vec<ExamEvidence>> = HashMap::new();
    for row in rows {
        let file = ExamEvidence { id: row.id, name: row.original_name, url: row.key };
        found.entry(row.record_id).or_default().push(file);
    }
    Ok(found)
}
