//! How setups are read: one list for both facades.

use infra::{
    Scope,
    across::{Key, KeyQuery},
    clock::Moment,
    naming::sought,
};
use poem_openapi::Object;
use sqlx::PgConnection;

use exam_rules::enums::AssessMode;
use scores_rules::enums::ExamRound;

use crate::enums::{ExamMode, ExamPhase, ExamSetupStatus, MarkingStatus};

/// A setup, as shown; what it counts of candidates lies in the caller's scope.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SetupRow {
    /// 编号
    pub id: i64,
    /// 考试名称
    pub name: String,
    /// 批次编号
    pub batch_id: i64,
    /// 批次
    pub batch_name: String,
    /// 考试方式
    pub mode: ExamMode,
    /// 课程编号
    pub course_id: i64,
    /// 课程编码
    pub course_code: String,
    /// 课程
    pub course_name: String,
    /// 学期编号
    pub semester_id: i64,
    /// 学期
    pub semester_name: String,
    /// 考试性质
    pub round: ExamRound,
    /// 考核方式
    pub assess_mode: AssessMode,
    /// 场次编号
    pub session_id: Option<i64>,
    /// 场次
    pub session_code: Option<String>,
    /// 开始时间
    pub starts_at: Option<Moment>,
    /// 结束时间
    pub ends_at: Option<Moment>,
    /// 时长(分)
    pub duration_minutes: Option<i32>,
    /// 及格线
    /// 百分制，只用于显示
    pub pass_score: f64,
    /// 试卷
    /// 卷别
    pub slots: Vec<String>,
    /// 应考
    pub candidate_count: i64,
    /// 取消资格
    pub disqualified_count: i64,
    /// 已编排
    pub seated_count: i64,
    /// 到考
    pub present_count: i64,
    /// 缺考
    pub absent_count: i64,
    /// 违规
    pub violation_count: i64,
    /// 高风险
    pub high_risk_count: i64,
    /// 班级数
    pub class_count: i64,
    /// 考场数
    pub room_count: i64,
    /// 监考员数
    pub invigilator_count: i64,
    /// 时间冲突数
    /// 同一时间另有线下考试的考生；发布前的线下考试
    pub clash_count: Option<i64>,
    /// 考位余量
    /// 最紧张的考点在该时间还剩的考位，负数为不足；发布前、编排座位的线下考试
    pub seats_left: Option<i64>,
    /// 状态
    pub status: ExamSetupStatus,
    /// 阶段
    pub phase: ExamPhase,
    /// 阅卷状态
    pub marking_status: MarkingStatus,
    /// 提交人
    pub submitted_by_name: Option<String>,
    /// 提交时间
    pub submitted_at: Option<Moment>,
    /// 审核人
    pub reviewed_by_name: Option<String>,
    /// 审核意见
    pub review_opinion: Option<String>,
    /// 发布时间
    pub published_at: Option<Moment>,
    /// 重开至
    pub reopened_until: Option<Moment>,
    /// 取消原因
    pub cancel_reason: Option<String>,
    /// 创建人
    pub created_by_name: String,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct SetupFilter {
    /// 编号
    #[oai(validator(max_items = 1000))]
    pub ids: Option<Vec<i64>>,
    /// 考试名称
    #[oai(validator(max_length = 80))]
    pub name: Option<String>,
    /// 批次
    pub batch_id: Option<i64>,
    /// 学期
    pub semester_id: Option<i64>,
    /// 课程
    pub course_id: Option<i64>,
    /// 班级
    pub class_id: Option<i64>,
    /// 站点
    pub site_id: Option<i64>,
    /// 场次
    pub session_id: Option<i64>,
    /// 考试性质
    pub round: Option<ExamRound>,
    /// 考核方式
    pub assess_mode: Option<AssessMode>,
    /// 阶段
    pub phase: Option<ExamPhase>,
    /// 状态
    pub status: Option<ExamSetupStatus>,
    /// 已退回
    /// 审核未通过、退回为草稿的
    pub returned: Option<bool>,
    /// 阅卷状态
    pub marking_status: Option<MarkingStatus>,
    /// 批次
    /// 编码或名称包含；查看全部院校时代替批次编号
    #[oai(validator(max_length = 50))]
    pub batch_text: Option<String>,
    /// 学期
    /// 编码或名称包含；查看全部院校时代替学期编号
    #[oai(validator(max_length = 50))]
    pub semester_text: Option<String>,
    /// 课程
    /// 编码或名称包含；查看全部院校时代替课程编号
    #[oai(validator(max_length = 50))]
    pub course_text: Option<String>,
}

/// The keys of the setups of a mode that the filter names and the scope opens, the newest first.
///
/// # Errors
/// Those of the database.
pub async fn matching(
    connection: &mut PgConnection,
    mode: ExamMode,
    filter: &SetupFilter,
    scope: &Scope,
    wanted: KeyQuery,
) -> sqlx::Result<Vec<Key>> {
    let texts = sought([filter.batch_text.as_deref(), filter.semester_text.as_deref(), filter.course_text.as_deref()]);
    sqlx::query_as!(
        Key,
        r#"select s.id as "id!", s.created_at as "created_at!", count(*) over () as "total!"
           from exam_setup s join exam_setup_time w on w.setup_id = s.id
           where s.mode = $1
             and ($2::bigint is null or s.id = $2)
             and ($3::timestamptz is null or s.created_at <= $3)
             and ($4::bigint[] is null
                  or exists (select from exam_setup_class t join class k on k.id = t.class_id
                             where t.setup_id = s.id and (k.site_id = any($4) or k.id = any($5::bigint[])))
                  or exists (select from exam_candidate c join student y on y.id = c.student_id
                             where c.setup_id = s.id and (y.site_id = any($4) or y.class_id = any($5))))
             and ($6::text is null or strpos(s.name, $6) > 0 or starts_with(s.initials, lower($6)))
             and ($7::bigint is null or s.batch_id = $7)
             and ($8::bigint is null or s.semester_id = $8)
             and ($9::bigint is null or s.course_id = $9)
             and ($10::bigint is null
                  or exists (select from exam_setup_class t where t.setup_id = s.id and t.class_id = $10)
                  or exists (select from exam_candidate c join student y on y.id = c.student_id
                             where c.setup_id = s.id and not c.removed and y.class_id = $10))
             and ($11::bigint is null
                  or exists (select from exam_candidate c join student y on y.id = c.student_id
                             where c.setup_id = s.id and not c.removed and y.site_id = $11))
             and ($12::bigint is null or s.session_id = $12)
             and ($13::text is null or s.round = $13)
             and ($14::text is null or s.assess_mode = $14)
             and ($15::text is null or s.status = $15)
             and ($16::text is null or s.marking_status = $16)
             and ($17::text is null or $17 = case when w.starts_at is null or now() < w.starts_at then 'not_started'
                                                  when now() < w.ends_at then 'running' else 'ended' end)
             and ($18::boolean is null or (s.status = 'draft' and s.review_opinion is not null) = $18)
             and ($21::bigint[] is null or s.id = any($21))
             and (($22::text[])[1] is null or s.batch_id = any(array(
                      select x.id from test_batch x where strpos(lower(x.code), ($22::text[])[1]) > 0 or strpos(lower(x.name), ($22::text[])[1]) > 0)))
             and (($22::text[])[2] is null or s.semester_id = any(array(
                      select x.id from semester x where strpos(lower(x.code), ($22::text[])[2]) > 0 or strpos(lower(x.name), ($22::text[])[2]) > 0)))
             and (($22::text[])[3] is null or s.course_id = any(array(
                      select x.id from course x where strpos(lower(x.code), ($22::text[])[3]) > 0 or strpos(lower(x.name), ($22::text[])[3]) > 0)))
           order by s.created_at desc, s.id
           limit $19 offset $20"#,
        mode.as_str(),
        wanted.id,
        wanted.newest_until,
        scope.sites(),
        scope.classes(),
        filter.name,
        filter.batch_id,
        filter.semester_id,
        filter.course_id,
        filter.class_id,
        filter.site_id,
        filter.session_id,
        filter.round.map(ExamRound::as_str),
        filter.assess_mode.map(AssessMode::as_str),
        filter.status.map(ExamSetupStatus::as_str),
        filter.marking_status.map(MarkingStatus::as_str),
        filter.phase.map(ExamPhase::as_str),
        filter.returned,
        wanted.limit,
        wanted.offset,
        filter.ids.as_deref(),
        texts.as_deref() as _
    )
    .fetch_all(connection)
    .await
}

/// Setups by their ids, in any order.
///
/// # Errors
/// Those of the database.
pub async fn rows(connection: &mut PgConnection, ids: &[i64], scope: &Scope) -> sqlx::Result<Vec<SetupRow>> {
    sqlx::query_as!(
        SetupRow,
        r#"select s.id as "id!", s.name as "name!", s.batch_id as "batch_id!", b.name as "batch_name!", s.mode as "mode!: _",
                  s.course_id as "course_id!", u.code as "course_code!", u.name as "course_name!",
                  s.semester_id as "semester_id!", e.name as "semester_name!", s.round as "round!: _",
                  s.assess_mode as "assess_mode!: _", s.session_id, x.code as "session_code?", w.starts_at as "starts_at?",
                  w.ends_at as "ends_at?", coalesce(s.duration_minutes, x.duration_minutes) as duration_minutes,
                  s.pass_score::float8 as "pass_score!",
                  array(select p.slot from exam_setup_paper p where p.setup_id = s.id order by p.slot) as "slots!",
                  n.candidates as "candidate_count!", n.disqualified as "disqualified_count!", n.seated as "seated_count!",
                  n.present as "present_count!", n.absent as "absent_count!", n.violations as "violation_count!",
                  n.risky as "high_risk_count!",
                  (select count(*) from exam_setup_class t join class k on k.id = t.class_id
                   where t.setup_id = s.id
                     and ($2::bigint[] is null or k.site_id = any($2::bigint[]) or k.id = any($3::bigint[])))
                      as "class_count!",
                  n.rooms as "room_count!",
                  (select count(distinct i.invigilator_id)
                   from exam_candidate c
                   join student y on y.id = c.student_id
                   join offline_seat z on z.candidate_id = c.id
                   join invigilation i on i.session_room_id = z.session_room_id
                   where c.setup_id = s.id and not c.removed
                     and ($2::bigint[] is null or y.site_id = any($2::bigint[]) or y.class_id = any($3::bigint[])))
                      as "invigilator_count!",
                  case when s.mode = 'offline' and s.status in ('draft', 'submitted', 'approved') then (
                      select count(distinct c.student_id)
                      from exam_candidate c
                      join student y on y.id = c.student_id
                      join exam_candidate o on o.student_id = c.student_id and o.setup_id <> s.id and not o.removed
                           and o.eligibility = 'eligible'
                      join exam_setup p on p.id = o.setup_id and p.mode = 'offline' and p.status <> 'cancelled'
                      join exam_setup_time v on v.setup_id = p.id and v.starts_at < w.ends_at and v.ends_at > w.starts_at
                      where c.setup_id = s.id and not c.removed and c.eligibility = 'eligible'
                        and ($2::bigint[] is null or y.site_id = any($2::bigint[]) or y.class_id = any($3::bigint[]))) end
                      as "clash_count?",
                  case when s.session_id is not null and not s.no_seating and s.status in ('draft', 'submitted', 'approved') then (
                      select min(coalesce(h.seats, 0) - d.wanted)
                      from (
                          select coalesce(g.exam_site_id, y.site_id) as site_id, count(*) as wanted,
                                 count(*) filter (
                                     where o.setup_id = s.id
                                       and ($2::bigint[] is null or y.site_id = any($2::bigint[]) or y.class_id = any($3::bigint[])))
                                     as own
                          from offline_session r
                          join exam_setup p on p.session_id = r.id and p.status <> 'cancelled' and not p.no_seating
                          join exam_candidate o on o.setup_id = p.id and not o.removed and o.eligibility = 'eligible'
                          join student y on y.id = o.student_id
                          left join offline_point g on g.batch_id = o.batch_id and g.site_id = y.site_id
                          where r.starts_at < w.ends_at and r.ends_at > w.starts_at
                          group by 1) d
                      left join (
                          select e.site_id, sum(e.capacity) as seats from exam_room e
                          where e.enabled
                            and (not exists (select from offline_session_site f where f.session_id = s.session_id)
                                 or exists (select from offline_session_site f
                                            where f.session_id = s.session_id and f.site_id = e.site_id))
                          group by e.site_id) h on h.site_id = d.site_id
                      where d.own > 0) end as "seats_left?", s.status as "status!: _",
                  case when w.starts_at is null or now() < w.starts_at then 'not_started'
                       when now() < w.ends_at then 'running' else 'ended' end as "phase!: _",
                  s.marking_status as "marking_status!: _", s.submitted_by_name, s.submitted_at, s.reviewed_by_name,
                  s.review_opinion, s.published_at, s.reopened_until, s.cancel_reason, s.created_by_name as "created_by_name!",
                  s.created_at as "created_at!", s.version as "version!"
           from exam_setup s
           join test_batch b on b.id = s.batch_id
           join course u on u.id = s.course_id
           join semester e on e.id = s.semester_id
           join exam_setup_time w on w.setup_id = s.id
           left join offline_session x on x.id = s.session_id
           cross join lateral (
               select count(*) as candidates, count(*) filter (where c.eligibility = 'disqualified') as disqualified,
                      count(z.id) as seated, count(distinct z.session_room_id) as rooms, count(*) filter (where c.attendance = 'present') as present,
                      count(*) filter (where c.attendance = 'absent') as absent,
                      count(*) filter (where c.violation_level <> 'none') as violations,
                      count(*) filter (where exists (
                          select from exam_sheet_monitor m where m.candidate_id = c.id and m.risk_level = 'high')) as risky
               from exam_candidate c
               join student y on y.id = c.student_id
               left join offline_seat z on z.candidate_id = c.id
               where c.setup_id = s.id and not c.removed
                 and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))) n
           where s.id = any($1)"#,
        ids,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(connection)
    .await
}
