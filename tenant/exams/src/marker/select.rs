//! How markers are read.

use infra::{
    App, Error, Result, Scope,
    across::{Key, KeyQuery, Keyed},
    clock::Moment,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use poem_openapi::Object;
use sqlx::PgConnection;

use super::{ExportExamMarkers, Markers};
use crate::enums::{ExamMode, MarkerScope, MarkerStatus, MarkingStatus};

/// A marker of a setup, as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ExamMarker {
    /// 编号
    pub id: i64,
    /// 考试编号
    pub setup_id: i64,
    /// 考试
    pub setup_name: String,
    /// 批次
    pub batch_name: String,
    /// 考试方式
    pub mode: ExamMode,
    /// 课程
    pub course_name: String,
    /// 教师编号
    pub teacher_id: i64,
    /// 工号
    pub work_no: String,
    /// 教师
    pub teacher_name: String,
    /// 阅卷范围
    pub scope: MarkerScope,
    /// 班级
    pub class_ids: Vec<i64>,
    /// 题号
    pub question_seqs: Vec<String>,
    /// 份数上限
    pub quota: Option<i32>,
    /// 仲裁
    pub arbiter: bool,
    /// 截止时间
    pub deadline_at: Option<Moment>,
    /// 状态
    pub status: MarkerStatus,
    /// 应阅
    /// 线下考试为其登记的成绩登记表中的人数
    pub assigned: i32,
    /// 已阅
    pub done: i32,
    /// 催办时间
    pub reminded_at: Option<Moment>,
    /// 版本
    pub version: i32,
}

/// A setup with its markers.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct MarkedSetup {
    /// 考试编号
    pub setup_id: i64,
    /// 考试
    pub setup_name: String,
    /// 阅卷状态
    pub marking_status: MarkingStatus,
    /// 考生数
    pub candidate_count: i64,
    /// 应阅
    pub assigned: i64,
    /// 已阅
    pub done: i64,
    /// 阅卷教师
    pub markers: Vec<ExamMarker>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct ExamMarkerFilter {
    /// 批次
    pub batch_id: Option<i64>,
    /// 考试
    pub setup_id: Option<i64>,
    /// 考试方式
    pub mode: Option<ExamMode>,
    /// 课程
    pub course_id: Option<i64>,
    /// 教师
    pub teacher_id: Option<i64>,
    /// 状态
    pub status: Option<MarkerStatus>,
    /// 超期未阅
    pub overdue: Option<bool>,
}

impl Keyed for Markers {
    type Filter = ExamMarkerFilter;
    type Row = ExamMarker;

    fn id(row: &ExamMarker) -> i64 {
        row.id
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &ExamMarkerFilter,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        sqlx::query_as!(
            Key,
            r#"select m.id as "id!", m.created_at as "created_at!", count(*) over () as "total!"
               from exam_marker m
               join exam_setup s on s.id = m.setup_id
               join exam_marker_progress p on p.marker_id = m.id
               where ($1::bigint is null or m.id = $1)
                 and ($2::timestamptz is null or m.created_at <= $2)
                 and ($3::bigint[] is null
                      or exists (select from exam_setup_class t join class k on k.id = t.class_id
                                 where t.setup_id = s.id and (k.site_id = any($3) or k.id = any($4::bigint[])))
                      or exists (select from exam_candidate c join student y on y.id = c.student_id
                                 where c.setup_id = s.id and (y.site_id = any($3) or y.class_id = any($4))))
                 and ($5::bigint is null or s.batch_id = $5)
                 and ($6::bigint is null or m.setup_id = $6)
                 and ($7::text is null or s.mode = $7)
                 and ($8::bigint is null or s.course_id = $8)
                 and ($9::bigint is null or m.teacher_id = $9)
                 and ($10::text is null or p.status = $10)
                 and ($11::boolean is null or (m.deadline_at < now() and p.status <> 'finished') is not distinct from $11)
               order by m.created_at desc, m.id
               limit $12 offset $13"#,
            wanted.id,
            wanted.newest_until,
            scope.sites(),
            scope.classes(),
            filter.batch_id,
            filter.setup_id,
            filter.mode.map(ExamMode::as_str),
            filter.course_id,
            filter.teacher_id,
            filter.status.map(MarkerStatus::as_str),
            filter.overdue,
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], scope: &Scope) -> sqlx::Result<Vec<ExamMarker>> {
        sqlx::query_as!(
            ExamMarker,
            r#"select m.id as "id!", m.setup_id as "setup_id!", s.name as "setup_name!", b.name as "batch_name!",
                      s.mode as "mode!: _", u.name as "course_name!", m.teacher_id as "teacher_id!", w.work_no as "work_no!",
                      w.name as "teacher_name!", m.scope as "scope!: _",
                      array(select h.id from unnest(m.class_ids) with ordinality as h (id, place) join class k on k.id = h.id
                            where $2::bigint[] is null or k.site_id = any($2) or k.id = any($3::bigint[])
                            order by h.place) as "class_ids!",
                      m.question_seqs as "question_seqs!", m.quota, m.arbiter as "arbiter!", m.deadline_at,
                      p.status as "status!: _", case when $2::bigint[] is null then p.assigned else n.assigned end as "assigned!",
                      case when $2::bigint[] is null then p.done else n.done end as "done!", m.reminded_at,
                      m.version as "version!"
               from exam_marker m
               join exam_marker_progress p on p.marker_id = m.id
               join exam_setup s on s.id = m.setup_id
               join test_batch b on b.id = s.batch_id
               join course u on u.id = s.course_id
               join teacher w on w.id = m.teacher_id
               cross join lateral (
                   select count(*)::integer as assigned, (count(*) filter (where not o.waits))::integer as done
                   from (
                       select q.place, bool_or(q.waits) as waits
                       from (
                           select a.id as place, a.mark_state = 'submitted' as waits, c.student_id
                           from answer_sheet a join exam_candidate c on c.id = a.exam_candidate_id
                           where c.setup_id = m.setup_id and a.marker_id = m.teacher_id and a.mark_state in ('submitted', 'marked')
                           union all
                           select a.id, i.mark_state = 'pending', c.student_id
                           from answer_item i
                           join answer_sheet a on a.id = i.sheet_id
                           join exam_candidate c on c.id = a.exam_candidate_id
                           where c.setup_id = m.setup_id and i.marker_id = m.teacher_id and a.mark_state in ('submitted', 'marked')
                           union all
                           select a.id, x.score is null, c.student_id
                           from exam_item_mark x
                           join answer_item i on i.id = x.item_id
                           join answer_sheet a on a.id = i.sheet_id
                           join exam_candidate c on c.id = a.exam_candidate_id
                           where c.setup_id = m.setup_id and x.marker_teacher_id = m.teacher_id
                             and a.mark_state in ('submitted', 'marked')
                           union all
                           select r.id, r.mark is null, c.student_id
                           from score_sheet f
                           join score_sheet_row r on r.sheet_id = f.id and not r.excluded and not r.mark_fixed
                           join exam_candidate c on c.id = r.candidate_id and c.setup_id = m.setup_id
                           where s.mode = 'offline' and f.batch_id = s.batch_id and f.course_id = s.course_id
                             and f.teacher_id = m.teacher_id) q
                       join student y on y.id = q.student_id
                       where $2::bigint[] is not null and (y.site_id = any($2) or y.class_id = any($3::bigint[]))
                       group by q.place) o) n
               where m.id = any($1)"#,
            ids,
            scope.sites(),
            scope.classes()
        )
        .fetch_all(connection)
        .await
    }
}

/// One marker.
pub(super) async fn one(connection: &mut PgConnection, id: i64) -> Result<ExamMarker> {
    Markers::find(connection, id, &Scope::whole_school()).await
}

/// The markers of a setup.
///
/// # Errors
/// 404 beyond the scope.
pub(super) async fn of_setup(connection: &mut PgConnection, setup: i64, scope: &Scope) -> Result<MarkedSetup> {
    let row = sqlx::query!(
        r#"select name, mode as "mode: ExamMode", marking_status as "marking: MarkingStatus",
                  (select count(*) from exam_candidate c join student y on y.id = c.student_id
                   where c.setup_id = exam_setup.id and not c.removed
                     and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))) as "candidates!"
           from exam_setup where id = $1"#,
        setup,
        scope.sites(),
        scope.classes()
    )
    .fetch_optional(&mut *connection)
    .await?
    .ok_or_else(Error::not_found)?;
    crate::setup::viewable(connection, setup, row.mode, scope).await?;
    let filter = ExamMarkerFilter { setup_id: Some(setup), ..ExamMarkerFilter::default() };
    let keys = Markers::matching(connection, &filter, scope, KeyQuery::default()).await?;
    let ids: Vec<i64> = keys.iter().map(|key| key.id).collect();
    let mut markers = <Markers as Keyed>::rows(connection, &ids, scope).await?;
    markers.sort_by_key(|marker| marker.id);
    Ok(MarkedSetup {
        setup_id: setup,
        setup_name: row.name,
        marking_status: row.marking,
        candidate_count: row.candidates,
        assigned: markers.iter().map(|marker| i64::from(marker.assigned)).sum(),
        done: markers.iter().map(|marker| i64::from(marker.done)).sum(),
        markers,
    })
}

impl Export for Markers {
    type Filter = ExamMarkerFilter;
    type Row = ExamMarker;
    const KIND: &'static str = "exam_marker.export";
    type Permission = ExportExamMarkers;
    const TITLE: &'static str = "阅卷教师";
    const COLUMNS: &'static [Column<ExamMarker>] = &[
        Column { heading: "批次", width: 28, cell: |row| Cell::Text(row.batch_name.clone()) },
        Column { heading: "考试名称", width: 32, cell: |row| Cell::Text(row.setup_name.clone()) },
        Column { heading: "课程", width: 28, cell: |row| Cell::Text(row.course_name.clone()) },
        Column { heading: "考试方式", width: 10, cell: |row| Cell::Text(row.mode.zh().to_owned()) },
        Column { heading: "工号", width: 14, cell: |row| Cell::Text(row.work_no.clone()) },
        Column { heading: "教师", width: 12, cell: |row| Cell::Text(row.teacher_name.clone()) },
        Column { heading: "阅卷范围", width: 10, cell: |row| Cell::Text(row.scope.zh().to_owned()) },
        Column { heading: "仲裁", width: 8, cell: |row| Cell::Bool(row.arbiter) },
        Column { heading: "应阅", width: 8, cell: |row| Cell::Int(row.assigned.into()) },
        Column { heading: "已阅", width: 8, cell: |row| Cell::Int(row.done.into()) },
        Column { heading: "截止时间", width: 20, cell: |row| Cell::time(row.deadline_at) },
        Column { heading: "状态", width: 10, cell: |row| Cell::Text(row.status.zh().to_owned()) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &ExamMarkerFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, ExamMarker>> {
        Self::all(connection, filter, scope).await
    }
}
