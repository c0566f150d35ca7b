//! 批阅进度: how far each marker of each homework is, and reminding them (part 03 B7).

use infra::{
    Allowed, Body, Change, Error, Paged, Reply, Result, Scope, Tx,
    across::{self, Key, KeyQuery, Keyed, SchoolPage},
    clock::Moment,
    naming::sought,
    reply,
};
use poem_openapi::{Object, OpenApi, types::Example};
use scenes::{Person, PersonKind, Persons, notify};
use serde_json::json;
use sqlx::PgConnection;

use super::{ListMarkingProgress, RemindMarkers};
use crate::homework::viewable;

/// What a marker has to do of a homework.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct MarkingProgress {
    /// 编号
    /// 该教师在该作业的第一份答卷；只批阅部分题目的为负数
    pub id: i64,
    /// 作业编号
    pub homework_id: i64,
    /// 作业
    pub title: String,
    /// 学期
    pub semester_name: String,
    /// 课程
    pub course_name: String,
    /// 批阅教师编号
    /// 未分配的为空
    pub teacher_id: Option<i64>,
    /// 批阅教师
    pub teacher_name: Option<String>,
    /// 应批
    pub total_count: i64,
    /// 已批
    pub marked_count: i64,
    /// 待批
    pub pending_count: i64,
    /// 超期
    pub overdue_count: i64,
    /// 批阅截止
    pub mark_due_at: Option<Moment>,
    /// 创建时间
    pub created_at: Moment,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct MarkingProgressFilter {
    /// 学期
    pub semester_id: Option<i64>,
    /// 课程
    pub course_id: Option<i64>,
    /// 作业
    pub homework_id: Option<i64>,
    /// 批阅教师
    pub teacher_id: Option<i64>,
    /// 仅有待批的
    pub pending: Option<bool>,
    /// 学期
    /// 编码或名称包含；查看全部院校时代替学期编号
    #[oai(validator(max_length = 50))]
    pub semester_text: Option<String>,
    /// 课程
    /// 代码或名称包含；查看全部院校时代替课程编号
    #[oai(validator(max_length = 50))]
    pub course_text: Option<String>,
}

/// Whom to remind.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct MarkersReminder {
    /// 作业
    pub homework_id: i64,
    /// 批阅教师
    #[oai(validator(min_items = 1, max_items = 200))]
    pub teacher_ids: Vec<i64>,
}

impl Example for MarkersReminder {
    fn example() -> Self {
        Self { homework_id: 1, teacher_ids: vec![1] }
    }
}

/// How many markers were told.
#[derive(Debug, Clone, Object)]
pub struct MarkersReminded {
    /// 已提醒人数
    pub told: i64,
}

/// The list of markers with their homework.
pub struct MarkingProgressRows;

#[OpenApi(prefix_path = "/exam/pc/tasks/marking", tag = "crate::Tag::Homework")]
impl MarkingProgressRows {
    /// 批阅进度列表
    #[oai(path = "/progress/list", method = "post", operation_id = "listMarkingProgress")]
    async fn list(
        &self,
        caller: Allowed<ListMarkingProgress>,
        Body(asked): Body<Paged<MarkingProgressFilter>>,
    ) -> Result<Reply<SchoolPage<MarkingProgress>>> {
        across::list::<Self, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 督促批阅
    #[oai(path = "/remind", method = "post", operation_id = "remindMarkers")]
    async fn remind(
        &self,
        caller: Allowed<RemindMarkers>,
        Body(wanted): Body<MarkersReminder>,
    ) -> Result<Reply<MarkersReminded>> {
        let scope = caller.scope();
        let mut tx = caller.begin().await?;
        viewable(&mut tx, wanted.homework_id, &scope).await?;
        let waiting = within(&mut tx, &wanted, &scope).await?;
        let told = tell_markers(&mut tx, wanted.homework_id, Some(&waiting), None).await?;
        if told == 0 {
            return Err(Error::conflict("所选教师没有待批阅的答卷"));
        }
        let what = json!({ "teacherIds": waiting });
        tx.commit(Change::event("homework", wanted.homework_id, "remind", what)).await?;
        Ok(reply(MarkersReminded { told }))
    }
}

/// Of the markers of a call those for whom sheets of the scope wait: whether others have any is not told.
async fn within(connection: &mut PgConnection, wanted: &MarkersReminder, scope: &Scope) -> Result<Vec<i64>> {
    let filter = MarkingProgressFilter {
        homework_id: Some(wanted.homework_id),
        pending: Some(true),
        ..MarkingProgressFilter::default()
    };
    let keys = MarkingProgressRows::matching(connection, &filter, scope, KeyQuery::default()).await?;
    let ids: Vec<i64> = keys.into_iter().map(|key| key.id).collect();
    let rows = MarkingProgressRows::rows(connection, &ids, scope).await?;
    Ok(rows.into_iter().filter_map(|row| row.teacher_id).filter(|id| wanted.teacher_ids.contains(id)).collect())
}

/// Tells markers of a homework how many sheets wait for them; all who have some, or these. Whoever marks single questions of
/// a sheet has it to mark as well; one that has all its scores waits for its marker to submit it. That time is over is told when
/// it is.
///
/// # Errors
/// Those of the database.
pub(crate) async fn tell_markers(
    tx: &mut Tx,
    homework: i64,
    teachers: Option<&[i64]>,
    once: Option<&str>,
) -> Result<i64> {
    let now = tx.app().clock().now();
    let rows = sqlx::query!(
        r#"select p.marker_id as "teacher!", u.name as "course!", h.title as "title!", count(distinct p.sheet_id) as "count!",
                  coalesce(h.mark_due_at < $3, false) as "overdue!"
           from (select a.homework_student_id, a.id as sheet_id, coalesce(i.marker_id, a.marker_id) as marker_id
                 from answer_sheet a left join answer_item i on i.sheet_id = a.id and i.mark_state = 'pending'
                 where a.mark_state = 'submitted') p
           join homework_student s on s.id = p.homework_student_id
           join homework h on h.id = s.homework_id
           join course u on u.id = h.course_id
           where h.id = $1 and s.state not in ('exempt', 'void') and p.marker_id is not null
             and ($2::bigint[] is null or p.marker_id = any($2))
           group by p.marker_id, u.name, h.title, h.mark_due_at order by p.marker_id"#,
        homework,
        teachers,
        now as _
    )
    .fetch_all(&mut **tx)
    .await?;
    for row in &rows {
        let values = [
            ("course".to_owned(), row.course.clone()),
            ("title".to_owned(), row.title.clone()),
            ("count".to_owned(), row.count.to_string()),
        ];
        let person = Person { kind: PersonKind::Teacher, id: row.teacher };
        let once = once.map(|once| format!("{once}:{}", row.teacher));
        let scene = if row.overdue { "marking_overdue" } else { "homework_marking_remind" };
        notify(tx, scene, Persons::Recipients(vec![person]), values.into(), once.as_deref()).await?;
    }
    i64::try_from(rows.len()).map_err(Error::internal)
}

impl Keyed for MarkingProgressRows {
    type Filter = MarkingProgressFilter;
    type Row = MarkingProgress;

    fn id(row: &MarkingProgress) -> i64 {
        row.id
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &MarkingProgressFilter,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        let texts = sought([filter.semester_text.as_deref(), filter.course_text.as_deref()]);
        sqlx::query_as!(
            Key,
            r#"select f.id as "id!", f.created_at as "created_at!", count(*) over () as "total!"
               from (select coalesce(min(p.sheet_id), -min(p.item_id)) as id, min(p.created_at) as created_at
                     from (select a.homework_student_id, a.marker_id, a.id as sheet_id, null::bigint as item_id, a.created_at,
                                  a.mark_state = 'submitted' and coalesce((
                                      select bool_or(i.marker_id is null or i.marker_id is not distinct from a.marker_id)
                                      from answer_item i where i.sheet_id = a.id and i.mark_state = 'pending'), true) as pending
                           from answer_sheet a where a.mark_state in ('submitted', 'marked')
                           union all
                           select a.homework_student_id, i.marker_id, null, i.id, a.created_at, i.mark_state = 'pending'
                           from answer_item i join answer_sheet a on a.id = i.sheet_id
                           where i.marker_id is not null and i.marker_id is distinct from a.marker_id
                             and a.mark_state in ('submitted', 'marked')) p
                     join homework_student s on s.id = p.homework_student_id
                     join homework h on h.id = s.homework_id
                     join course_selection c on c.id = s.selection_id
                     join student y on y.id = c.student_id
                     where s.state not in ('exempt', 'void') and (p.marker_id is not null or p.pending)
                       and ($1::bigint[] is null or y.site_id = any($1) or y.class_id = any($2::bigint[]))
                       and ($3::bigint is null or h.semester_id = $3)
                       and ($4::bigint is null or h.course_id = $4)
                       and ($5::bigint is null or h.id = $5)
                       and ($6::bigint is null or p.marker_id = $6)
                       and (($7::text[])[1] is null or h.semester_id = any(array(
                                select x.id from semester x where strpos(lower(x.code), ($7::text[])[1]) > 0 or strpos(lower(x.name), ($7::text[])[1]) > 0)))
                       and (($7::text[])[2] is null or h.course_id = any(array(
                                select x.id from course x where strpos(lower(x.code), ($7::text[])[2]) > 0 or strpos(lower(x.name), ($7::text[])[2]) > 0)))
                     group by h.id, p.marker_id
                     having $8::boolean is null or $8 = bool_or(p.pending)) f
               where ($9::bigint is null or f.id = $9) and ($10::timestamptz is null or f.created_at <= $10)
               order by f.created_at desc, f.id
               limit $11 offset $12"#,
            scope.sites(),
            scope.classes(),
            filter.semester_id,
            filter.course_id,
            filter.homework_id,
            filter.teacher_id,
            texts.as_deref() as _,
            filter.pending,
            wanted.id,
            wanted.newest_until as _,
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], scope: &Scope) -> sqlx::Result<Vec<MarkingProgress>> {
        sqlx::query_as!(
            MarkingProgress,
            r#"select f.id as "id!", h.id as "homework_id!", h.title as "title!", e.name as "semester_name!",
                      u.name as "course_name!", f.marker_id as teacher_id, w.name as "teacher_name?", n.total as "total_count!",
                      n.marked as "marked_count!", n.pending as "pending_count!",
                      case when h.mark_due_at < now() then n.pending else 0 end as "overdue_count!", h.mark_due_at,
                      f.created_at as "created_at!"
               from (select a.id, a.homework_student_id, a.marker_id, a.created_at from answer_sheet a where a.id = any($1)
                     union all
                     select -i.id, a.homework_student_id, i.marker_id, a.created_at
                     from answer_item i join answer_sheet a on a.id = i.sheet_id
                     where i.id = any(array(select -w.id from unnest($1::bigint[]) as w (id)))) f
               join homework_student o on o.id = f.homework_student_id
               join homework h on h.id = o.homework_id
               join semester e on e.id = h.semester_id
               join course u on u.id = h.course_id
               left join teacher w on w.id = f.marker_id
               cross join lateral (
                   select count(*) as total, count(*) filter (where not q.pending) as marked,
                          count(*) filter (where q.pending) as pending
                   from (select p.sheet_id, bool_or(p.pending) as pending
                         from (select a.homework_student_id, a.marker_id, a.id as sheet_id,
                                      a.mark_state = 'submitted' and coalesce((
                                          select bool_or(i.marker_id is null or i.marker_id is not distinct from a.marker_id)
                                          from answer_item i where i.sheet_id = a.id and i.mark_state = 'pending'), true)
                                          as pending
                               from answer_sheet a where a.mark_state in ('submitted', 'marked')
                               union all
                               select a.homework_student_id, i.marker_id, a.id, i.mark_state = 'pending'
                               from answer_item i join answer_sheet a on a.id = i.sheet_id
                               where i.marker_id is not null and i.marker_id is distinct from a.marker_id
                                 and a.mark_state in ('submitted', 'marked')) p
                         join homework_student s on s.id = p.homework_student_id
                         join course_selection c on c.id = s.selection_id
                         join student y on y.id = c.student_id
                         where s.homework_id = h.id and s.state not in ('exempt', 'void')
                           and p.marker_id is not distinct from f.marker_id and (p.marker_id is not null or p.pending)
                           and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))
                         group by p.sheet_id) q) n
               where f.id = any($1)"#,
            ids,
            scope.sites(),
            scope.classes()
        )
        .fetch_all(connection)
        .await
    }
}
