//! Candidates with their seats, and those without one.

use infra::{
    Scope,
    across::{Key, KeyQuery, Keyed},
    clock::Moment,
    mask,
};
use poem_openapi::Object;
use scores_rules::enums::ExamRound;
use sqlx::PgConnection;
use student_status::id_card::Gender;

use super::Seats;
use crate::enums::ExamSessionStatus;

/// A candidate of a session, with their seat.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ExamSeat {
    /// 考生编号
    pub id: i64,
    /// 考试批次
    pub batch_id: i64,
    /// 批次名称
    pub batch_name: String,
    /// 场次
    pub session_id: i64,
    /// 场次号
    pub session_code: String,
    /// 场次状态
    pub session_status: ExamSessionStatus,
    /// 开始
    pub starts_at: Moment,
    /// 结束
    pub ends_at: Moment,
    /// 考点
    pub exam_site_id: i64,
    /// 考点名称
    pub exam_site_name: String,
    /// 场次考场
    pub session_room_id: Option<i64>,
    /// 考场号
    pub exam_room_no: Option<String>,
    /// 考场地点
    pub room_name: Option<String>,
    /// 座位号
    pub seat_no: Option<i32>,
    /// 人工安排
    pub manual: Option<bool>,
    /// 准考证号
    pub ticket_no: Option<String>,
    /// 学生编号
    pub student_id: i64,
    /// 学号
    pub student_no: Option<String>,
    /// 姓名
    pub name: String,
    /// 性别
    pub gender: Option<Gender>,
    /// 证件号
    pub id_card_no: String,
    /// 班级
    pub class_name: Option<String>,
    /// 专业
    pub major_name: String,
    /// 课程编号
    pub course_id: i64,
    /// 课程编码
    pub course_code: String,
    /// 课程名称
    pub course_name: String,
    /// 考试性质
    pub round: ExamRound,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct ExamSeatFilter {
    /// 考试批次
    pub batch_id: Option<i64>,
    /// 场次
    pub session_id: Option<i64>,
    /// 考点
    pub site_id: Option<i64>,
    /// 考场
    pub room_id: Option<i64>,
    /// 课程
    pub course_id: Option<i64>,
    /// 学号
    #[oai(validator(max_length = 32))]
    pub student_no: Option<String>,
    /// 姓名
    #[oai(validator(max_length = 50))]
    pub name: Option<String>,
    /// 已编排
    pub seated: Option<bool>,
}

impl Keyed for Seats {
    type Filter = ExamSeatFilter;
    type Row = ExamSeat;

    fn id(row: &ExamSeat) -> i64 {
        row.id
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &ExamSeatFilter,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        sqlx::query_as!(
            Key,
            r#"select c.id as "id!", c.created_at as "created_at!", count(*) over () as "total!"
               from exam_candidate c
               join exam_setup s on s.id = c.setup_id and s.mode = 'offline' and s.status <> 'cancelled' and not s.no_seating
               join offline_session x on x.id = s.session_id
               join student y on y.id = c.student_id
               left join offline_seat t on t.candidate_id = c.id
               left join offline_session_room r on r.id = t.session_room_id
               left join offline_point p on p.batch_id = c.batch_id and p.site_id = y.site_id
               where not c.removed and (c.eligibility = 'eligible' or t.id is not null)
                 and ($1::bigint[] is null or y.site_id = any($1) or y.class_id = any($2::bigint[]))
                 and ($3::bigint is null or c.batch_id = $3)
                 and ($4::bigint is null or s.session_id = $4)
                 and ($5::bigint is null or coalesce(r.site_id, p.exam_site_id, y.site_id) = $5)
                 and ($6::bigint is null or r.room_id = $6)
                 and ($7::bigint is null or c.course_id = $7)
                 and ($8::text is null or starts_with(y.student_no, $8))
                 and ($9::text is null or strpos(y.name, $9) > 0)
                 and ($10::boolean is null or (t.id is not null) = $10)
                 and ($11::bigint is null or c.id = $11)
                 and ($12::timestamptz is null or c.created_at <= $12)
               order by case when $12::timestamptz is null then x.starts_at end,
                        case when $12::timestamptz is null then x.id end,
                        case when $12::timestamptz is null then r.site_id end,
                        case when $12::timestamptz is null then r.exam_room_no end,
                        case when $12::timestamptz is null then t.seat_no end,
                        case when $12::timestamptz is null then y.student_no end, c.created_at desc, c.id
               limit $13 offset $14"#,
            scope.sites(),
            scope.classes(),
            filter.batch_id,
            filter.session_id,
            filter.site_id,
            filter.room_id,
            filter.course_id,
            filter.student_no,
            filter.name,
            filter.seated,
            wanted.id,
            wanted.newest_until,
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], _scope: &Scope) -> sqlx::Result<Vec<ExamSeat>> {
        let mut rows = sqlx::query_as!(
            ExamSeat,
            r#"select c.id as "id!", c.batch_id as "batch_id!", b.name as "batch_name!", x.id as "session_id!",
                      x.code as "session_code!", x.status as "session_status!: _", x.starts_at as "starts_at!",
                      x.ends_at as "ends_at!", z.id as "exam_site_id!", z.name as "exam_site_name!",
                      r.id as "session_room_id?", r.exam_room_no as "exam_room_no?", e.name as "room_name?",
                      t.seat_no as "seat_no?", t.manual as "manual?", k.ticket_no as "ticket_no?", y.id as "student_id!",
                      y.student_no as "student_no?", y.name as "name!", y.gender as "gender?: _", y.id_card_no as "id_card_no!",
                      h.name as "class_name?", m.name as "major_name!", u.id as "course_id!", u.code as "course_code!",
                      u.name as "course_name!", c.round as "round!: _"
               from exam_candidate c
               join test_batch b on b.id = c.batch_id
               join exam_setup s on s.id = c.setup_id
               join offline_session x on x.id = s.session_id
               join student y on y.id = c.student_id
               join major m on m.id = y.major_id
               join course u on u.id = c.course_id
               left join class h on h.id = y.class_id
               left join offline_seat t on t.candidate_id = c.id
               left join offline_session_room r on r.id = t.session_room_id
               left join exam_room e on e.id = r.room_id
               left join offline_point p on p.batch_id = c.batch_id and p.site_id = y.site_id
               join site z on z.id = coalesce(r.site_id, p.exam_site_id, y.site_id)
               left join exam_ticket k on k.batch_id = c.batch_id and k.student_id = c.student_id
               where c.id = any($1)"#,
            ids
        )
        .fetch_all(connection)
        .await?;
        for row in &mut rows {
            row.id_card_no = mask::id_card(&row.id_card_no);
        }
        Ok(rows)
    }
}
