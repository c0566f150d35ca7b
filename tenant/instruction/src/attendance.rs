//! 考勤: who of the roster came to a session; registered by staff, by a sheet, or by the teacher in their client (part 03 B8, B10).

mod client;
mod import;

use std::collections::BTreeSet;

use chrono::NaiveDate;
use infra::{
    Allowed, Body, Change, Entity, Error, FieldError, History, Page, Paged, Part, Reply, Result, Saved, Scope, Tx,
    across::{Key, KeyQuery, Keyed, Listed},
    clock::Moment,
    permissions, reply,
    transfer::{ByRow, import_job},
};
use instruction_rules::{attendance::may_register, held::Held};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use scores::offered::sources_changed;
use sqlx::PgConnection;
use timetable::enums::{ArrangeStatus, SessionStatus};

use crate::{
    enums::{AttendanceResult, AttendanceSource, InstructionScoreStatus},
    score::held::{hold, write},
};

permissions! {
    pages "/schoolPC/educational/offlineInstruction/instructionScoreList";
    InSchool Reads  ListAttendance       = "adult:pc:offlineInstruction:attendance:list" "面授考勤列表";
    InSchool Writes SaveAttendance       = "adult:pc:offlineInstruction:attendance:save" "登记面授考勤";
    InSchool Writes ImportAttendance     = "adult:pc:offlineInstruction:attendance:import" "导入面授考勤";
    InSchool Reads  FetchAttendanceSheet = "adult:pc:offlineInstruction:attendance:import" "导入面授考勤";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "instruction_attendance", name: "面授考勤", counted: "条面授考勤" }],
    jobs: &[import_job::<ByRow<import::AttendanceSheet>>()],
    histories: &[History {
        table: "instruction_attendance",
        code: "adult:pc:offlineInstruction:attendance:list",
        // It lies where its student is.
        scope: Some((
            "(select s.site_id from course_selection c join student s on s.id = c.student_id
              where c.id = instruction_attendance.selection_id)",
            Some(
                "(select s.class_id from course_selection c join student s on s.id = c.student_id
                  where c.id = instruction_attendance.selection_id)",
            ),
        )),
    }],
    ..Part::NONE
};

/// A session, with how far its attendance is.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct AttendanceSession {
    /// 课次编号
    pub id: i64,
    /// 学期编号
    pub semester_id: i64,
    /// 课程代码
    pub course_code: String,
    /// 课程
    pub course_name: String,
    /// 日期
    pub date: NaiveDate,
    /// 开始节次
    pub period_from: i32,
    /// 结束节次
    pub period_to: i32,
    /// 开始时间
    pub starts_at: Moment,
    /// 教师
    pub teacher_name: String,
    /// 站点
    pub site_name: String,
    /// 教室
    pub classroom_name: Option<String>,
    /// 班级
    pub class_names: Vec<String>,
    /// 应到人数
    pub students: i64,
    /// 已登记人数
    pub registered: i64,
}

/// What a list of sessions asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct AttendanceSessionFilter {
    /// 学期
    pub semester_id: Option<i64>,
    /// 课程
    pub course_id: Option<i64>,
    /// 班级
    pub class_id: Option<i64>,
    /// 教师
    pub teacher_id: Option<i64>,
    /// 日期起
    pub date_from: Option<NaiveDate>,
    /// 日期止
    pub date_to: Option<NaiveDate>,
}

/// The list of sessions whose attendance is registered.
pub struct AttendanceSessions;

impl Keyed for AttendanceSessions {
    type Filter = AttendanceSessionFilter;
    type Row = AttendanceSession;

    fn id(row: &AttendanceSession) -> i64 {
        row.id
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &AttendanceSessionFilter,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        sqlx::query_as!(
            Key,
            r#"select q.id, q.created_at, count(*) over () as "total!"
               from course_arrange_session q
               join course_arrange a on a.id = q.arrange_id
               where q.status = 'scheduled' and a.status <> 'draft'
                 and ($1::bigint[] is null or exists (
                          select from course_arrange_class c join class k on k.id = c.class_id
                          where c.arrange_id = a.id and (k.site_id = any($1) or k.id = any($2::bigint[]))))
                 and ($3::bigint is null or a.semester_id = $3)
                 and ($4::bigint is null or a.course_id = $4)
                 and ($5::bigint is null or a.id in (select c.arrange_id from course_arrange_class c where c.class_id = $5))
                 and ($6::bigint is null or q.teacher_id = $6)
                 and ($7::date is null or q.held_on >= $7)
                 and ($8::date is null or q.held_on <= $8)
                 and ($9::bigint is null or q.id = $9)
               -- What was taught comes first, the newest before all; then what is still to come, the next before all.
               order by q.starts_at > now() + interval '12 hours',
                        case when q.starts_at <= now() + interval '12 hours' then q.held_on end desc, q.held_on, q.period_from, q.id
               limit $10 offset $11"#,
            scope.sites(),
            scope.classes(),
            filter.semester_id,
            filter.course_id,
            filter.class_id,
            filter.teacher_id,
            filter.date_from,
            filter.date_to,
            wanted.id,
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], scope: &Scope) -> sqlx::Result<Vec<AttendanceSession>> {
        sqlx::query_as!(
            AttendanceSession,
            r#"select q.id as "id!", a.semester_id as "semester_id!", u.code as "course_code!", u.name as "course_name!",
                      q.held_on as "date!", q.period_from as "period_from!", q.period_to as "period_to!",
                      q.starts_at as "starts_at!", t.name as "teacher_name!", w.name as "site_name!",
                      r.name as "classroom_name?",
                      coalesce((select array_agg(k.name order by k.code)
                                from course_arrange_class c join class k on k.id = c.class_id
                                where c.arrange_id = a.id
                                  and ($2::bigint[] is null or k.site_id = any($2) or k.id = any($3::bigint[]))), '{}')
                          as "class_names!",
                      n.students as "students!", n.registered as "registered!"
               from course_arrange_session q
               join course_arrange a on a.id = q.arrange_id
               join course u on u.id = a.course_id
               join teacher t on t.id = q.teacher_id
               join site w on w.id = a.site_id
               left join classroom r on r.id = q.classroom_id
               cross join lateral (
                   select count(*) as students, count(x.id) as registered
                   from course_arrange_class c
                   join course_selection z on z.opening_id = c.opening_id and z.class_id = c.class_id
                        and z.status in ('selected', 'completed')
                   join student s on s.id = z.student_id
                   left join instruction_attendance x on x.session_id = q.id and x.selection_id = z.id
                   where c.arrange_id = a.id
                     and ($2::bigint[] is null or s.site_id = any($2) or s.class_id = any($3::bigint[]))) n
               where q.id = any($1)"#,
            ids,
            scope.sites(),
            scope.classes()
        )
        .fetch_all(connection)
        .await
    }
}

/// Somebody of the roster of a session.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct AttendanceRow {
    /// 选课编号
    pub selection_id: i64,
    /// 学号
    pub student_no: Option<String>,
    /// 姓名
    pub name: String,
    /// 班级
    pub class_name: String,
    /// 考勤结果
    pub result: Option<AttendanceResult>,
    /// 考勤来源
    pub source: Option<AttendanceSource>,
    /// 面授成绩状态
    /// 已提交的不能再修改考勤
    pub status: InstructionScoreStatus,
    /// 版本
    /// 还未登记时为0
    pub version: i32,
}

/// The roster of a session.
#[derive(Debug, Clone, Object)]
pub struct AttendanceRoster {
    #[oai(flatten)]
    pub session: AttendanceSession,
    /// 名单
    pub rows: Vec<AttendanceRow>,
}

/// Whether somebody came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct AttendanceItem {
    /// 选课编号
    pub selection_id: i64,
    /// 考勤结果
    pub result: AttendanceResult,
    /// 版本
    /// 还未登记时为0；不填时不检查
    pub version: Option<i32>,
}

impl Example for AttendanceItem {
    fn example() -> Self {
        Self { selection_id: 1, result: AttendanceResult::Present, version: Some(0) }
    }
}

/// The attendance of a session.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct AttendanceForm {
    /// 课次
    pub session_id: i64,
    /// 考勤
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub items: Vec<AttendanceItem>,
}

impl Example for AttendanceForm {
    fn example() -> Self {
        Self { session_id: 1, items: vec![AttendanceItem::example()] }
    }
}

/// What the trail keeps of an attendance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub(crate) struct AttendanceContent {
    /// 课次
    pub session_id: i64,
    /// 选课编号
    pub selection_id: i64,
    /// 考勤结果
    pub result: AttendanceResult,
}

pub struct AttendanceRows;

#[OpenApi(prefix_path = "/adult/pc/offlineInstruction/attendance", tag = "crate::Tag::Instruction")]
impl AttendanceRows {
    /// 面授课次列表
    /// 已发布且未取消的课次，及其考勤登记人数
    #[oai(path = "/session/list", method = "post", operation_id = "listAttendanceSessions")]
    async fn sessions(
        &self,
        caller: Allowed<ListAttendance>,
        Body(asked): Body<Paged<AttendanceSessionFilter>>,
    ) -> Result<Reply<Page<AttendanceSession>>> {
        let paging = asked.paging()?;
        let mut tx = caller.read().await?;
        let (total, list) =
            <AttendanceSessions as Listed>::page(&mut tx, &asked.filter, &caller.scope(), paging).await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 面授考勤列表
    /// 一次课的名单及各人的考勤
    #[oai(path = "/list", method = "get", operation_id = "listAttendance")]
    async fn list(
        &self,
        caller: Allowed<ListAttendance>,
        /// 课次
        #[oai(name = "sessionId")]
        session_id: Query<i64>,
    ) -> Result<Reply<AttendanceRoster>> {
        let scope = caller.scope();
        let mut tx = caller.read().await?;
        let session = AttendanceSessions::find(&mut tx, session_id.0, &scope).await?;
        let rows = roster(&mut tx, session_id.0, &scope).await?;
        Ok(reply(AttendanceRoster { session, rows }))
    }

    /// 登记面授考勤
    #[oai(path = "/save", method = "put", operation_id = "saveAttendance")]
    async fn save(&self, caller: Allowed<SaveAttendance>, Body(form): Body<AttendanceForm>) -> Result<Reply<Saved>> {
        let scope = caller.scope();
        let mut tx = caller.begin().await?;
        let session = open_session(&mut tx, form.session_id, Registrar::Staff(&scope)).await?;
        let changes = register(&mut tx, &session, &form.items, AttendanceSource::Staff, &scope).await?;
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: form.session_id }))
    }
}

/// The operations on attendance.
pub(crate) fn api() -> impl OpenApi {
    (AttendanceRows, import::ImportAttendanceSheet, client::TeacherAttendance)
}

async fn roster(connection: &mut PgConnection, session: i64, scope: &Scope) -> sqlx::Result<Vec<AttendanceRow>> {
    sqlx::query_as!(
        AttendanceRow,
        r#"select z.id as "selection_id!", s.student_no, s.name as "name!", k.name as "class_name!",
                  x.result as "result?: AttendanceResult", x.source as "source?: AttendanceSource",
                  coalesce(y.status, 'draft') as "status!: InstructionScoreStatus", coalesce(x.version, 0) as "version!"
           from course_arrange_session q
           join course_arrange_class c on c.arrange_id = q.arrange_id
           join class k on k.id = c.class_id
           join course_selection z on z.opening_id = c.opening_id and z.class_id = c.class_id
                and z.status in ('selected', 'completed')
           join student s on s.id = z.student_id
           left join instruction_attendance x on x.session_id = q.id and x.selection_id = z.id
           left join instruction_score y on y.selection_id = z.id
           where q.id = $1 and ($2::bigint[] is null or s.site_id = any($2) or s.class_id = any($3::bigint[]))
           order by k.code, s.student_no, z.id"#,
        session,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(connection)
    .await
}

/// Who registers attendance.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Registrar<'s> {
    /// Of sessions of which they see a class.
    Staff(&'s Scope),
    /// Of sessions that they teach or help with.
    Teacher(i64),
}

/// A session that took place or is taking place.
#[derive(Debug, Clone)]
pub(crate) struct OpenSession {
    pub id: i64,
    pub arrange_id: i64,
    pub held_on: NaiveDate,
}

/// Holds sessions with their arrangements against being moved or cancelled: they stand before selections in the order of locks.
pub(crate) async fn hold_sessions(tx: &mut Tx, ids: &[i64]) -> Result<()> {
    sqlx::query_scalar!(
        "select id from course_arrange where id in (select arrange_id from course_arrange_session where id = any($1))
         order by id for share",
        ids
    )
    .fetch_all(&mut **tx)
    .await?;
    sqlx::query_scalar!("select id from course_arrange_session where id = any($1) order by id for share", ids)
        .fetch_all(&mut **tx)
        .await?;
    Ok(())
}

/// The session, held, when its attendance can be registered.
///
/// # Errors
/// 404 for none, and for one that is none of the registrar's; 409 for one that is cancelled, waits to be published, or has not
/// begun.
pub(crate) async fn open_session(tx: &mut Tx, id: i64, by: Registrar<'_>) -> Result<OpenSession> {
    hold_sessions(tx, &[id]).await?;
    let (sites, classes, teacher) = match by {
        Registrar::Staff(scope) => (scope.sites(), scope.classes(), None),
        Registrar::Teacher(id) => (None, None, Some(id)),
    };
    let row = sqlx::query!(
        r#"select q.arrange_id, q.held_on, q.starts_at, q.status as "status: SessionStatus",
                  a.status as "arrange_status: ArrangeStatus"
           from course_arrange_session q join course_arrange a on a.id = q.arrange_id
           where q.id = $1
             and ($2::bigint[] is null or exists (
                      select from course_arrange_class c join class k on k.id = c.class_id
                      where c.arrange_id = a.id and (k.site_id = any($2) or k.id = any($3::bigint[]))))
             and ($4::bigint is null or q.teacher_id = $4
                  or exists (select from course_arrange_assistant h where h.arrange_id = a.id and h.teacher_id = $4))"#,
        id,
        sites,
        classes,
        teacher
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    may_register(row.arrange_status, row.status, row.starts_at <= tx.app().clock().now())?;
    Ok(OpenSession { id, arrange_id: row.arrange_id, held_on: row.held_on })
}

/// An attendance that stands.
struct Standing {
    id: i64,
    selection_id: i64,
    result: AttendanceResult,
    version: i32,
}

/// Registers who came, and counts their scores anew; all or none.
///
/// # Errors
/// 409 in a closed semester, for scores that were submitted, and for what was changed meanwhile; 422 for who is not on the roster of
/// the session, not within the scope, or there twice.
pub(crate) async fn register(
    tx: &mut Tx,
    session: &OpenSession,
    items: &[AttendanceItem],
    source: AttendanceSource,
    scope: &Scope,
) -> Result<Vec<Change>> {
    let ids: Vec<i64> = items.iter().map(|item| item.selection_id).collect();
    let held = hold(tx, &ids, scope).await?;
    let on_roster = sqlx::query_scalar!(
        "select z.id from course_arrange_class c
         join course_selection z on z.opening_id = c.opening_id and z.class_id = c.class_id
         where c.arrange_id = $1 and z.id = any($2) and z.status in ('selected', 'completed')",
        session.arrange_id,
        &ids
    )
    .fetch_all(&mut **tx)
    .await?;
    let known = sqlx::query_as!(
        Standing,
        r#"select id, selection_id, result as "result: _", version from instruction_attendance
           where session_id = $1 and selection_id = any($2) order by id for update"#,
        session.id,
        &ids
    )
    .fetch_all(&mut **tx)
    .await?;
    let (mut wanted, mut wrong): (Vec<(&Held, AttendanceItem)>, Vec<FieldError>) = Default::default();
    let mut seen = BTreeSet::new();
    for (place, item) in items.iter().enumerate() {
        let mut refused = |message: &str| {
            let field = format!("items[{place}].selectionId");
            wrong.push(FieldError { field, message: message.to_owned() });
        };
        if !seen.insert(item.selection_id) {
            refused("该学生重复");
            continue;
        }
        let Some(of_student) = held.get(&item.selection_id).filter(|held| on_roster.contains(&held.selection_id))
        else {
            refused("该学生不在本次课的名单中");
            continue;
        };
        of_student.may_change()?;
        if of_student.status != InstructionScoreStatus::Draft {
            let told = format!("“{}”的面授成绩{}，不能修改考勤", of_student.student_name, of_student.status.zh());
            return Err(Error::conflict(told));
        }
        let before = known.iter().find(|standing| standing.selection_id == item.selection_id);
        let version = before.map_or(0, |standing| standing.version);
        if item.version.is_some_and(|read| read != version) {
            return Err(match before {
                Some(standing) => tx.stale("instruction_attendance", standing.id).await,
                None => Error::conflict("数据已被修改，请刷新后重试"),
            });
        }
        wanted.push((of_student, *item));
    }
    if !wrong.is_empty() {
        return Err(Error::fields(wrong));
    }
    // What is as it was is left as it is.
    wanted.retain(|(_, item)| {
        !known.iter().any(|standing| standing.selection_id == item.selection_id && standing.result == item.result)
    });
    let changes = put(tx, session, &wanted, source, &known).await?;
    // The selections are held: nobody else counts.
    let score = |(held, item): &(&Held, AttendanceItem)| {
        let before = known.iter().find(|standing| standing.selection_id == item.selection_id);
        let attended = held.attended.with(before.map(|standing| standing.result), item.result);
        Held { attended, ..(*held).clone() }
    };
    let scores: Vec<Held> = wanted.iter().map(score).collect();
    if !scores.is_empty() {
        write(tx, &scores).await?;
        let selections: Vec<i64> = scores.iter().map(|held| held.selection_id).collect();
        sources_changed(tx, &selections).await?;
    }
    if changes.is_empty() {
        // Nothing differs: the trail says that somebody looked through it.
        let what = serde_json::json!({ "registered": items.len() });
        return Ok(vec![Change::event("course_arrange_session", session.id, "attendance", what)]);
    }
    Ok(changes)
}

/// Writes attendance that differs from what stands.
async fn put(
    tx: &mut Tx,
    session: &OpenSession,
    wanted: &[(&Held, AttendanceItem)],
    source: AttendanceSource,
    known: &[Standing],
) -> Result<Vec<Change>> {
    let selections: Vec<i64> = wanted.iter().map(|(held, _)| held.selection_id).collect();
    let results: Vec<String> = wanted.iter().map(|(_, item)| item.result.as_str().to_owned()).collect();
    let by = tx.by();
    let written = sqlx::query!(
        r#"insert into instruction_attendance (session_id, selection_id, result, source, created_by, updated_by)
           select $1::bigint, w.selection, w.result, $4::text, $5::bigint, $5::bigint
           from unnest($2::bigint[], $3::text[]) as w (selection, result)
           on conflict (session_id, selection_id) do update
           set result = excluded.result, source = excluded.source, updated_at = excluded.updated_at,
               updated_by = excluded.updated_by, version = instruction_attendance.version + 1
           returning id, selection_id, result as "result: AttendanceResult""#,
        session.id,
        &selections,
        &results,
        source.as_str(),
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    let change = |id: i64, selection_id: i64, result: AttendanceResult| {
        let after = AttendanceContent { session_id: session.id, selection_id, result };
        match known.iter().find(|standing| standing.selection_id == selection_id) {
            Some(standing) => {
                let before = AttendanceContent { result: standing.result, ..after };
                Change::edited("instruction_attendance", id, &before, &after)
            }
            None => Change::created("instruction_attendance", id, &after),
        }
    };
    Ok(written.into_iter().map(|row| change(row.id, row.selection_id, row.result)).collect())
}

/// Takes an attendance away, or puts another result in its place; the score is counted anew.
///
/// # Errors
/// 404 outside the scope, 409 in a closed semester and for a score that was submitted.
pub(crate) async fn take_back(
    tx: &mut Tx,
    id: i64,
    former: impl FnOnce(&AttendanceContent) -> Result<Option<AttendanceResult>>,
    scope: &Scope,
) -> Result<Change> {
    let row = sqlx::query!(
        r#"select session_id, selection_id, result as "result: AttendanceResult" from instruction_attendance where id = $1"#,
        id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    let held = hold(tx, &[row.selection_id], scope).await?;
    let of_student = held.get(&row.selection_id).ok_or_else(Error::not_found)?;
    of_student.may_change()?;
    of_student.is_draft()?;
    let now = AttendanceContent { session_id: row.session_id, selection_id: row.selection_id, result: row.result };
    let change = match former(&now)? {
        None => {
            tx.remove("instruction_attendance", id, &of_student.student_name).await?;
            Change::deleted("instruction_attendance", id, &now)
        }
        Some(result) => {
            let by = tx.by();
            sqlx::query!(
                "update instruction_attendance set result = $2, updated_at = now(), updated_by = $3, version = version + 1
                 where id = $1",
                id,
                result.as_str(),
                by
            )
            .execute(&mut **tx)
            .await?;
            Change::edited("instruction_attendance", id, &now, &AttendanceContent { result, ..now })
        }
    };
    let counted = hold(tx, &[row.selection_id], &Scope::whole_school()).await?;
    write(tx, &counted.into_values().collect::<Vec<Held>>()).await?;
    sources_changed(tx, &[row.selection_id]).await?;
    Ok(change)
}
