//! 监考安排: who watches which room of a session (part 04 §4.3). The timetable is held first: rooms keep their teachers busy.

use std::collections::{BTreeMap, HashMap, HashSet};

use chrono::NaiveDate;
use exam_seat_rules::{
    duty::{DutyRoom, Watcher, give},
    enums::InvigilatorRole,
};
use infra::{
    Allowed, Body, Change, Error, Page, Paged, Paging, Reply, Result, Scope, Tx, Warned, clock::Moment, reply,
};
use poem_openapi::{Object, OpenApi, types::Example};
use serde_json::json;
use sqlx::PgConnection;

use super::{AssignDuties, AutoDuties, ClearDuties, ListDuties};

/// Somebody who watches.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct DutyPerson {
    /// 监考员
    pub invigilator_id: i64,
    /// 姓名
    pub name: String,
    /// 职责
    pub role: InvigilatorRole,
    /// 已签到
    pub signed_in: bool,
}

/// A room with who watches it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct DutyOfRoom {
    /// 编号
    /// 场次考场的编号
    pub id: i64,
    /// 批次
    pub batch_name: String,
    /// 场次编号
    pub session_id: i64,
    /// 场次号
    pub session_code: String,
    /// 开始时间
    pub starts_at: Moment,
    /// 结束时间
    pub ends_at: Moment,
    /// 考点编号
    pub site_id: i64,
    /// 考点
    pub site_name: String,
    /// 考场号
    pub exam_room_no: String,
    /// 考场
    pub room_name: String,
    /// 考生数
    pub planned_count: i64,
    /// 应安排人数
    pub needed: i64,
    /// 监考
    pub people: Vec<DutyPerson>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct DutyFilter {
    /// 批次
    pub batch_id: Option<i64>,
    /// 场次
    pub session_id: Option<i64>,
    /// 站点
    pub site_id: Option<i64>,
    /// 考试日期
    pub day: Option<NaiveDate>,
    /// 缺员
    pub short: Option<bool>,
}

/// Somebody who is to watch.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct DutyForm {
    /// 监考员
    pub invigilator_id: i64,
    /// 职责
    pub role: InvigilatorRole,
}

/// Who is to watch a room.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct DutiesForm {
    /// 场次考场
    pub session_room_id: i64,
    /// 监考
    /// 替换原有的安排
    #[oai(validator(max_items = 20))]
    pub people: Vec<DutyForm>,
}

impl Example for DutiesForm {
    fn example() -> Self {
        let people = vec![DutyForm { invigilator_id: 1, role: InvigilatorRole::Chief }];
        Self { session_room_id: 1, people }
    }
}

/// Of which sessions and sites.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct DutiesOf {
    /// 场次
    #[oai(validator(min_items = 1, max_items = 100))]
    pub session_ids: Vec<i64>,
    /// 站点
    /// 不填为全部
    #[oai(default, validator(max_items = 500))]
    pub site_ids: Vec<i64>,
}

impl Example for DutiesOf {
    fn example() -> Self {
        Self { session_ids: vec![1], site_ids: Vec::new() }
    }
}

/// A room that lacks people.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct DutyShort {
    /// 场次考场
    pub session_room_id: i64,
    /// 考场
    pub room: String,
    /// 缺
    pub lacking: i64,
}

/// What came of giving duties.
#[derive(Debug, Clone, Object)]
pub struct DutiesGiven {
    /// 已安排人次
    pub given: i64,
    /// 缺员的考场
    pub short: Vec<DutyShort>,
}

/// How many were taken back.
#[derive(Debug, Clone, Object)]
pub struct DutiesCleared {
    /// 已清空人次
    pub cleared: i64,
}

pub struct Duties;

#[OpenApi(prefix_path = "/offline/pc/offline/invigilator", tag = "crate::Tag::ExamDay")]
impl Duties {
    /// 监考安排列表
    #[oai(path = "/duty/list", method = "post", operation_id = "listDuties")]
    async fn list(
        &self,
        caller: Allowed<ListDuties>,
        Body(asked): Body<Paged<DutyFilter>>,
    ) -> Result<Reply<Page<DutyOfRoom>>> {
        let paging = asked.paging()?;
        let mut tx = caller.read().await?;
        let (total, rows) = duties(&mut tx, &asked.filter, &caller.scope(), paging).await?;
        Ok(reply(paging.page(total, rows)))
    }

    /// 安排监考
    #[oai(path = "/assign", method = "post", operation_id = "assignDuties")]
    async fn assign(&self, caller: Allowed<AssignDuties>, Body(form): Body<DutiesForm>) -> Result<Reply<Warned>> {
        let mut tx = caller.begin().await?;
        timetable::hold(&mut tx).await?;
        let warnings = assigned(&mut tx, &form, &caller.scope()).await?;
        exam_seats::offered::occupy(&mut tx, &[form.session_room_id]).await?;
        let what = json!({ "people": form.people.iter().map(|one| one.invigilator_id).collect::<Vec<_>>() });
        tx.commit(Change::event("offline_session_room", form.session_room_id, "invigilation", what)).await?;
        Ok(reply(Warned { id: form.session_room_id, warnings }))
    }

    /// 自动安排监考
    /// 30人以内的考场2人，超过30人的3人；不监考本人任教或管理的班级
    #[oai(path = "/auto", method = "post", operation_id = "autoDuties")]
    async fn auto(&self, caller: Allowed<AutoDuties>, Body(wanted): Body<DutiesOf>) -> Result<Reply<DutiesGiven>> {
        let mut tx = caller.begin_long().await?;
        timetable::hold(&mut tx).await?;
        let told = given(&mut tx, &wanted, &caller.scope()).await?;
        let what = json!({ "given": told.given, "short": told.short.len() });
        let changes =
            wanted.session_ids.iter().map(|id| Change::event("offline_session", *id, "invigilation", what.clone()));
        tx.commit_all(changes.collect()).await?;
        Ok(reply(told))
    }

    /// 清空监考安排
    #[oai(path = "/clear", method = "post", operation_id = "clearDuties")]
    async fn clear(&self, caller: Allowed<ClearDuties>, Body(wanted): Body<DutiesOf>) -> Result<Reply<DutiesCleared>> {
        let mut tx = caller.begin().await?;
        timetable::hold(&mut tx).await?;
        let rooms = rooms_of(&mut tx, &wanted, &caller.scope()).await?;
        let gone =
            sqlx::query!("delete from invigilation where session_room_id = any($1)", &rooms).execute(&mut *tx).await?;
        exam_seats::offered::occupy(&mut tx, &rooms).await?;
        let cleared = i64::try_from(gone.rows_affected()).unwrap_or_default();
        let what = json!({ "cleared": cleared });
        let changes =
            wanted.session_ids.iter().map(|id| Change::event("offline_session", *id, "invigilation", what.clone()));
        tx.commit_all(changes.collect()).await?;
        Ok(reply(DutiesCleared { cleared }))
    }
}

async fn duties(
    connection: &mut PgConnection,
    filter: &DutyFilter,
    scope: &Scope,
    paging: Paging,
) -> Result<(i64, Vec<DutyOfRoom>)> {
    let rows = sqlx::query!(
        r#"select r.id as "id!", b.name as "batch!", x.id as "session!", x.code as "code!", x.starts_at as "starts!", x.ends_at as "ends!",
                  r.site_id as "site!", t.name as "site_name!", r.exam_room_no as "no!", e.name as "room!", n.planned as "planned!",
                  case when n.planned > 30 then 3::bigint else 2::bigint end as "needed!", count(*) over () as "total!"
           from offline_session_room r
           join offline_session x on x.id = r.session_id
           join test_batch b on b.id = x.batch_id
           join site t on t.id = r.site_id
           join exam_room e on e.id = r.room_id
           cross join lateral (
               select (select count(*) from offline_seat z where z.session_room_id = r.id) as planned,
                      (select count(*) from invigilation i where i.session_room_id = r.id and i.role <> 'patrol') as people) n
           where ($1::bigint[] is null or r.site_id = any($1))
             and ($2::bigint is null or x.batch_id = $2)
             and ($3::bigint is null or x.id = $3)
             and ($4::bigint is null or r.site_id = $4)
             and ($5::date is null or (x.starts_at at time zone 'Asia/Shanghai')::date = $5)
             and ($6::boolean is null or (n.people < case when n.planned > 30 then 3 else 2 end) = $6)
           order by x.starts_at, r.site_id, r.exam_room_no, r.id
           limit $7 offset $8"#,
        scope.sites(),
        filter.batch_id,
        filter.session_id,
        filter.site_id,
        filter.day,
        filter.short,
        paging.limit(),
        paging.offset()
    )
    .fetch_all(&mut *connection)
    .await?;
    let total = rows.first().map_or(0, |row| row.total);
    let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
    let mut by_room = watchers_of(connection, &ids).await?;
    let rows = rows.into_iter().map(|row| DutyOfRoom {
        id: row.id,
        batch_name: row.batch,
        session_id: row.session,
        session_code: row.code,
        starts_at: row.starts,
        ends_at: row.ends,
        site_id: row.site,
        site_name: row.site_name,
        exam_room_no: row.no,
        room_name: row.room,
        planned_count: row.planned,
        needed: row.needed,
        people: by_room.remove(&row.id).unwrap_or_default(),
    });
    Ok((total, rows.collect()))
}

/// Who watches rooms, the chief first.
pub(crate) async fn watchers_of(
    connection: &mut PgConnection,
    rooms: &[i64],
) -> sqlx::Result<HashMap<i64, Vec<DutyPerson>>> {
    let people = sqlx::query!(
        r#"select i.session_room_id, i.invigilator_id, n.name, i.role as "role: InvigilatorRole", i.signed_in
           from invigilation i join invigilator n on n.id = i.invigilator_id
           where i.session_room_id = any($1) order by i.role = 'chief' desc, i.id"#,
        rooms
    )
    .fetch_all(connection)
    .await?;
    let mut by_room: HashMap<i64, Vec<DutyPerson>> = HashMap::new();
    for row in people {
        let person =
            DutyPerson { invigilator_id: row.invigilator_id, name: row.name, role: row.role, signed_in: row.signed_in };
        by_room.entry(row.session_room_id).or_default().push(person);
    }
    Ok(by_room)
}

/// Puts these people in the place of those who watch a room; answers what is worth a second look.
///
/// # Errors
/// 404 for a room of another site; 409 for who watches elsewhere at that time, and behind a confirmed record; 422 for a second
/// chief.
async fn assigned(tx: &mut Tx, form: &DutiesForm, scope: &Scope) -> Result<Vec<String>> {
    let room = sqlx::query!(
        r#"select r.site_id, x.starts_at, x.ends_at, x.status,
                  exists (select from offline_room_record w where w.id = r.id and w.status = 'confirmed') as "confirmed!"
           from offline_session_room r join offline_session x on x.id = r.session_id
           where r.id = $1 for update of r"#,
        form.session_room_id
    )
    .fetch_optional(&mut **tx)
    .await?
    .filter(|room| scope.sees(Some(room.site_id), None))
    .ok_or_else(Error::not_found)?;
    if room.status == "finished" {
        return Err(Error::conflict("场次已结束，不能安排监考"));
    }
    if room.confirmed {
        return Err(Error::conflict("考场情况已确认，不能修改监考安排"));
    }
    if form.people.iter().filter(|one| one.role == InvigilatorRole::Chief).count() > 1 {
        return Err(Error::field("people", "一个考场只能有一名主监考"));
    }
    let ids: Vec<i64> = form.people.iter().map(|one| one.invigilator_id).collect();
    if ids.iter().collect::<HashSet<_>>().len() < ids.len() {
        return Err(Error::field("people", "监考员有重复，请检查"));
    }
    let people = sqlx::query!(
        "select id, name, available, site_id, teacher_id from invigilator where id = any($1) order by id for update",
        &ids
    )
    .fetch_all(&mut **tx)
    .await?;
    if people.len() < ids.len() || people.iter().any(|one| !scope.sees(Some(one.site_id), None)) {
        return Err(Error::field("people", "所选监考员不存在，请重新选择"));
    }
    let clash = sqlx::query!(
        "select n.name, x.code, o.exam_room_no from invigilation i
         join invigilator n on n.id = i.invigilator_id
         join offline_session_room o on o.id = i.session_room_id
         join offline_session x on x.id = o.session_id
         where i.invigilator_id = any($1) and o.id <> $2 and x.starts_at < $4 and x.ends_at > $3
         order by n.id limit 1",
        &ids,
        form.session_room_id,
        room.starts_at as _,
        room.ends_at as _
    )
    .fetch_optional(&mut **tx)
    .await?;
    if let Some(clash) = clash {
        return Err(Error::conflict(format!(
            "该监考员同一时间已有监考任务：{}场 {}考场",
            clash.code, clash.exam_room_no
        )));
    }
    let barred = barred(tx, &[form.session_room_id]).await?.remove(&form.session_room_id).unwrap_or_default();
    let mut warnings = Vec::new();
    for one in &people {
        if !one.available {
            warnings.push(format!("“{}”标为不可用", one.name));
        }
        if one.site_id != room.site_id {
            warnings.push(format!("“{}”是其他站点的监考员", one.name));
        }
        if one.teacher_id.is_some_and(|teacher| barred.contains(&teacher)) {
            warnings.push(format!("“{}”是该考场班级的任课教师或班主任", one.name));
        }
    }
    // Whoever stays has come already.
    let came = sqlx::query_scalar!(
        "delete from invigilation where session_room_id = $1 returning case when signed_in then invigilator_id end as came",
        form.session_room_id
    )
    .fetch_all(&mut **tx)
    .await?;
    let by = tx.by();
    for one in &form.people {
        sqlx::query!(
            "insert into invigilation (session_room_id, invigilator_id, role, signed_in, created_by, updated_by)
             values ($1, $2, $3, $4, $5, $5)",
            form.session_room_id,
            one.invigilator_id,
            one.role.as_str(),
            came.contains(&Some(one.invigilator_id)),
            by
        )
        .execute(&mut **tx)
        .await?;
    }
    Ok(warnings)
}

/// Teachers of the courses that are examined in rooms, for the classes that sit there, and who manages those classes.
async fn barred(connection: &mut PgConnection, rooms: &[i64]) -> Result<HashMap<i64, HashSet<i64>>> {
    let rows = sqlx::query!(
        r#"select distinct z.session_room_id as "room!", a.teacher_id as "teacher!"
           from offline_seat z
           join exam_candidate c on c.id = z.candidate_id
           join course_selection o on o.id = c.selection_id
           join course_allocation a on a.opening_id = o.opening_id and (a.class_id is null or a.class_id = o.class_id)
           where z.session_room_id = any($1)
           union
           select z.session_room_id, m.teacher_id
           from offline_seat z
           join student y on y.id = z.student_id
           join class k on k.id = y.class_id
           join class_manager m on m.id = k.manager_id and m.teacher_id is not null
           where z.session_room_id = any($1)"#,
        rooms
    )
    .fetch_all(connection)
    .await?;
    let mut found: HashMap<i64, HashSet<i64>> = HashMap::new();
    for row in rows {
        found.entry(row.room).or_default().insert(row.teacher);
    }
    Ok(found)
}

/// The rooms of sessions at sites, within the scope, held; those whose record is confirmed keep who watched them.
///
/// # Errors
/// 409 where there is none.
async fn rooms_of(tx: &mut Tx, wanted: &DutiesOf, scope: &Scope) -> Result<Vec<i64>> {
    let rooms = sqlx::query_scalar!(
        "select r.id from offline_session_room r join offline_session x on x.id = r.session_id and x.status <> 'finished'
         where r.session_id = any($1) and (cardinality($2::bigint[]) = 0 or r.site_id = any($2))
           and ($3::bigint[] is null or r.site_id = any($3))
           and not exists (select from offline_room_record w where w.id = r.id and w.status = 'confirmed')
         order by r.id for update of r",
        &wanted.session_ids,
        &wanted.site_ids,
        scope.sites()
    )
    .fetch_all(&mut **tx)
    .await?;
    if rooms.is_empty() {
        return Err(Error::conflict("所选场次没有可以安排监考的考场"));
    }
    Ok(rooms)
}

/// Gives duties by the rule; who is there already stays.
async fn given(tx: &mut Tx, wanted: &DutiesOf, scope: &Scope) -> Result<DutiesGiven> {
    let ids = rooms_of(tx, wanted, scope).await?;
    let mut barred = barred(tx, &ids).await?;
    let rows = sqlx::query!(
        r#"select r.id as "id!", r.site_id as "site!", x.starts_at as "starts!", x.ends_at as "ends!", r.exam_room_no as "no!",
                  t.name as "site_name!", (select count(*) from offline_seat z where z.session_room_id = r.id) as "count!",
                  array(select i.invigilator_id from invigilation i where i.session_room_id = r.id and i.role <> 'patrol')
                      as "present!",
                  exists (select from invigilation i where i.session_room_id = r.id and i.role = 'chief') as "chief!"
           from offline_session_room r
           join offline_session x on x.id = r.session_id
           join site t on t.id = r.site_id
           where r.id = any($1)"#,
        &ids
    )
    .fetch_all(&mut **tx)
    .await?;
    let mut rooms = Vec::with_capacity(rows.len());
    let mut names: BTreeMap<i64, (String, bool)> = BTreeMap::new();
    for row in rows {
        let count = usize::try_from(row.count).unwrap_or_default();
        // A room in which nobody sits is not watched.
        if count == 0 {
            continue;
        }
        names.insert(row.id, (format!("{} {}考场", row.site_name, row.no), row.chief));
        rooms.push(DutyRoom {
            session_room: row.id,
            site: row.site,
            starts_at: row.starts,
            ends_at: row.ends,
            count,
            present: row.present,
            barred: barred.remove(&row.id).unwrap_or_default(),
        });
    }
    let people = sqlx::query!(
        "select n.id, n.site_id, n.teacher_id from invigilator n where n.available and ($1::bigint[] is null or n.site_id = any($1))
         order by n.id",
        scope.sites()
    )
    .fetch_all(&mut **tx)
    .await?;
    let of: Vec<i64> = people.iter().map(|one| one.id).collect();
    let (busy, held) = times_of(tx, &of).await?;
    let mut busy = busy;
    let watchers: Vec<Watcher> = people
        .into_iter()
        .map(|one| Watcher {
            invigilator: one.id,
            site: one.site_id,
            teacher: one.teacher_id,
            busy: busy.remove(&one.id).unwrap_or_default(),
        })
        .collect();
    let duties = give(&rooms, &watchers, &held);
    let by = tx.by();
    let mut led: HashSet<i64> = names.iter().filter(|(_, (_, chief))| *chief).map(|(id, _)| *id).collect();
    let mut touched: HashSet<i64> = HashSet::new();
    for (room, person) in &duties.given {
        let role = if led.insert(*room) { InvigilatorRole::Chief } else { InvigilatorRole::Assistant };
        sqlx::query!(
            "insert into invigilation (session_room_id, invigilator_id, role, created_by, updated_by) values ($1, $2, $3, $4, $4)",
            room,
            person,
            role.as_str(),
            by
        )
        .execute(&mut **tx)
        .await?;
        touched.insert(*room);
    }
    let mut touched: Vec<i64> = touched.into_iter().collect();
    touched.sort_unstable();
    exam_seats::offered::occupy(tx, &touched).await?;
    let short = duties.short.iter().map(|(room, lacking)| DutyShort {
        session_room_id: *room,
        room: names.get(room).map(|(name, _)| name.clone()).unwrap_or_default(),
        lacking: i64::try_from(*lacking).unwrap_or_default(),
    });
    Ok(DutiesGiven { given: i64::try_from(duties.given.len()).unwrap_or_default(), short: short.collect() })
}

type Busy = HashMap<i64, Vec<(Moment, Moment)>>;

/// When people are busy, by duties and by the timetable, and how many duties each has.
async fn times_of(connection: &mut PgConnection, people: &[i64]) -> Result<(Busy, HashMap<i64, i64>)> {
    let rows = sqlx::query!(
        r#"select n.id as "id!", x.starts_at as "starts!", x.ends_at as "ends!", true as "duty!"
           from invigilator n
           join invigilation i on i.invigilator_id = n.id
           join offline_session_room r on r.id = i.session_room_id
           join offline_session x on x.id = r.session_id
           where n.id = any($1)
           union all
           select n.id, lower(o.during), upper(o.during), false
           from invigilator n
           join resource_occupation o on o.kind = 'teacher' and o.resource_id = n.teacher_id and o.source_type <> 'exam_session'
           where n.id = any($1)"#,
        people
    )
    .fetch_all(connection)
    .await?;
    let (mut busy, mut held): (Busy, HashMap<i64, i64>) = (HashMap::new(), HashMap::new());
    for row in rows {
        busy.entry(row.id).or_default().push((row.starts, row.ends));
        if row.duty {
            *held.entry(row.id).or_default() += 1;
        }
    }
    Ok((busy, held))
}
