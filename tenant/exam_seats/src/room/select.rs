//! Which rooms there are, and what lists show of them.

use infra::{
    Scope,
    across::{Key, KeyQuery, Keyed},
};
use poem_openapi::Object;
use sqlx::PgConnection;
use units::classroom::ClassroomType;

use super::Rooms;

/// A room, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ExamRoom {
    /// 编号
    pub id: i64,
    /// 站点
    pub site_id: i64,
    /// 站点名称
    pub site_name: String,
    /// 教室
    pub classroom_id: Option<i64>,
    /// 教室名称
    pub classroom_name: Option<String>,
    /// 楼栋
    pub building: String,
    /// 房间
    pub room_no: String,
    /// 考场名称
    pub name: String,
    /// 行数
    pub rows_count: i32,
    /// 列数
    pub columns_count: i32,
    /// 考位数
    pub capacity: i32,
    /// 不可用座位
    pub blocked_seats: Vec<i32>,
    /// 类型
    pub room_type: ClassroomType,
    /// 有监控
    pub monitored: bool,
    /// 使用顺序
    pub priority: i32,
    /// 启用
    pub enabled: bool,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct ExamRoomFilter {
    /// 名称、楼栋或房间
    #[oai(validator(max_length = 100))]
    pub keyword: Option<String>,
    /// 站点
    pub site_id: Option<i64>,
    /// 楼栋
    #[oai(validator(max_length = 40))]
    pub building: Option<String>,
    /// 类型
    pub room_type: Option<ClassroomType>,
    /// 启用
    pub enabled: Option<bool>,
}

impl Keyed for Rooms {
    type Filter = ExamRoomFilter;
    type Row = ExamRoom;

    fn id(row: &ExamRoom) -> i64 {
        row.id
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &ExamRoomFilter,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        sqlx::query_as!(
            Key,
            r#"select r.id, r.created_at, count(*) over () as "total!"
               from exam_room r join site s on s.id = r.site_id
               where ($1::bigint[] is null or r.site_id = any($1))
                 and ($2::text is null or strpos(r.name, $2) > 0 or strpos(r.building, $2) > 0
                      or starts_with(lower(r.room_no), lower($2)))
                 and ($3::bigint is null or r.site_id = $3)
                 and ($4::text is null or lower(r.building) = lower($4))
                 and ($5::text is null or r.room_type = $5)
                 and ($6::boolean is null or r.enabled = $6)
                 and ($7::bigint is null or r.id = $7)
                 and ($8::timestamptz is null or r.created_at <= $8)
               order by case when $8::timestamptz is null then s.code end, case when $8::timestamptz is null then r.priority end,
                        case when $8::timestamptz is null then r.id end, r.created_at desc, r.id
               limit $9 offset $10"#,
            scope.sites(),
            filter.keyword,
            filter.site_id,
            filter.building,
            filter.room_type.map(ClassroomType::as_str),
            filter.enabled,
            wanted.id,
            wanted.newest_until,
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], _scope: &Scope) -> sqlx::Result<Vec<ExamRoom>> {
        sqlx::query_as!(
            ExamRoom,
            r#"select r.id as "id!", r.site_id as "site_id!", s.name as "site_name!", r.classroom_id as "classroom_id?",
                      c.name as "classroom_name?", r.building as "building!", r.room_no as "room_no!", r.name as "name!",
                      r.rows_count as "rows_count!", r.columns_count as "columns_count!", r.capacity as "capacity!",
                      r.blocked_seats as "blocked_seats!", r.room_type as "room_type!: _", r.monitored as "monitored!",
                      r.priority as "priority!", r.enabled as "enabled!", r.version as "version!"
               from exam_room r join site s on s.id = r.site_id left join classroom c on c.id = r.classroom_id
               where r.id = any($1)"#,
            ids
        )
        .fetch_all(connection)
        .await
    }
}
