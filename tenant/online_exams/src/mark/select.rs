//! How far the marking of examinations is.

use exams::enums::{ExamSetupStatus, MarkingMode, MarkingStatus};
use infra::{
    App, Result, Scope,
    across::{Key, KeyQuery, Keyed},
    clock::Moment,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use poem_openapi::Object;
use sqlx::PgConnection;

use super::{ExamMarkings, ExportExamMarking};

/// The marking of an examination, as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ExamMarking {
    /// 考试编号
    pub id: i64,
    /// 考试
    pub name: String,
    /// 批次
    pub batch_name: String,
    /// 课程
    pub course_name: String,
    /// 考试状态
    pub status: ExamSetupStatus,
    /// 阅卷方式
    pub marking_mode: MarkingMode,
    /// 阅卷状态
    pub marking_status: MarkingStatus,
    /// 主观题数
    pub subjective_count: i64,
    /// 应阅
    pub sheet_count: i64,
    /// 已阅
    pub marked_count: i64,
    /// 待仲裁
    pub arbitration_count: i64,
    /// 阅卷人数
    pub marker_count: i64,
    /// 超期未阅
    pub overdue_count: i64,
    /// 结束时间
    pub ends_at: Option<Moment>,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct ExamMarkingFilter {
    /// 批次
    pub batch_id: Option<i64>,
    /// 课程
    pub course_id: Option<i64>,
    /// 阅卷教师
    pub teacher_id: Option<i64>,
    /// 阅卷状态
    pub marking_status: Option<MarkingStatus>,
}

impl Keyed for ExamMarkings {
    type Filter = ExamMarkingFilter;
    type Row = ExamMarking;

    fn id(row: &ExamMarking) -> i64 {
        row.id
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &ExamMarkingFilter,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        sqlx::query_as!(
            Key,
            r#"select s.id, s.created_at, count(*) over () as "total!"
               from exam_setup s
               where s.mode = 'online' and s.status in ('published', 'closed')
                 and ($1::bigint is null or s.id = $1)
                 and ($2::timestamptz is null or s.created_at <= $2)
                 and ($3::bigint[] is null
                      or exists (select from exam_candidate c join student y on y.id = c.student_id
                                 where c.setup_id = s.id and (y.site_id = any($3) or y.class_id = any($4::bigint[]))))
                 and ($5::bigint is null or s.batch_id = $5)
                 and ($6::bigint is null or s.course_id = $6)
                 and ($7::bigint is null or exists (select from exam_marker m where m.setup_id = s.id and m.teacher_id = $7))
                 and ($8::text is null or s.marking_status = $8)
               order by s.created_at desc, s.id
               limit $9 offset $10"#,
            wanted.id,
            wanted.newest_until,
            scope.sites(),
            scope.classes(),
            filter.batch_id,
            filter.course_id,
            filter.teacher_id,
            filter.marking_status.map(MarkingStatus::as_str),
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], scope: &Scope) -> sqlx::Result<Vec<ExamMarking>> {
        sqlx::query_as!(
            ExamMarking,
            r#"select s.id as "id!", s.name as "name!", b.name as "batch_name!", u.name as "course_name!", s.status as "status!: _",
                      s.marking_mode as "marking_mode!: _", s.marking_status as "marking_status!: _",
                      (select count(distinct q.id) from exam_setup_paper p join snapshot_question q on q.snapshot_id = p.snapshot_id
                       where p.setup_id = s.id and q.type in ('short_answer', 'essay', 'file_upload')) as "subjective_count!",
                      n.sheets as "sheet_count!", n.marked as "marked_count!",
                      (select count(*) from exam_item_mark x
                       join exam_item_mark z on z.item_id = x.item_id and z.seq_no = 2 and z.score is not null
                       join answer_item i on i.id = x.item_id and i.mark_state = 'pending'
                       join answer_sheet a on a.id = i.sheet_id and a.mark_state = 'submitted'
                       join exam_candidate c on c.id = a.exam_candidate_id and c.setup_id = s.id
                       join student y on y.id = c.student_id
                       where x.seq_no = 1 and x.score is not null
                         and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))) as "arbitration_count!",
                      (select count(*) from exam_marker m
                       where m.setup_id = s.id
                         and ($2::bigint[] is null or m.class_ids = '{}'
                              or exists (select from class k
                                         where k.id = any(m.class_ids) and (k.site_id = any($2) or k.id = any($3::bigint[])))))
                          as "marker_count!",
                      case when $2::bigint[] is null then (
                          select coalesce(sum(m.assigned - m.done), 0) from exam_marker m
                          where m.setup_id = s.id and m.deadline_at < now())
                      else (
                          select count(*)
                          from exam_marker m
                          join exam_candidate c on c.setup_id = m.setup_id
                          join student y on y.id = c.student_id
                          join answer_sheet a on a.exam_candidate_id = c.id and a.mark_state in ('submitted', 'marked')
                          where m.setup_id = s.id and m.deadline_at < now()
                            and (y.site_id = any($2) or y.class_id = any($3::bigint[]))
                            and (a.marker_id = m.teacher_id and a.mark_state = 'submitted'
                                 or exists (select from answer_item i
                                            where i.sheet_id = a.id and i.marker_id = m.teacher_id and i.mark_state = 'pending')
                                 or exists (select from exam_item_mark x join answer_item i on i.id = x.item_id
                                            where i.sheet_id = a.id and x.marker_teacher_id = m.teacher_id and x.score is null)))
                      end as "overdue_count!",
                      s.ends_at, s.version as "version!"
               from exam_setup s
               join test_batch b on b.id = s.batch_id
               join course u on u.id = s.course_id
               cross join lateral (
                   select count(*) as sheets, count(*) filter (where a.mark_state = 'marked') as marked
                   from answer_sheet a
                   join exam_candidate c on c.id = a.exam_candidate_id
                   join student y on y.id = c.student_id
                   where c.setup_id = s.id and a.mark_state in ('submitted', 'marked')
                     and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))) n
               where s.id = any($1)"#,
            ids,
            scope.sites(),
            scope.classes()
        )
        .fetch_all(connection)
        .await
    }
}

impl Export for ExamMarkings {
    type Filter = ExamMarkingFilter;
    type Row = ExamMarking;
    const KIND: &'static str = "online_exam.mark.export";
    type Permission = ExportExamMarking;
    const TITLE: &'static str = "考试阅卷进度";
    const COLUMNS: &'static [Column<ExamMarking>] = &[
        Column { heading: "批次", width: 28, cell: |row| Cell::Text(row.batch_name.clone()) },
        Column { heading: "考试名称", width: 32, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "课程", width: 28, cell: |row| Cell::Text(row.course_name.clone()) },
        Column { heading: "阅卷方式", width: 10, cell: |row| Cell::Text(row.marking_mode.zh().to_owned()) },
        Column { heading: "主观题数", width: 10, cell: |row| Cell::Int(row.subjective_count) },
        Column { heading: "应阅", width: 8, cell: |row| Cell::Int(row.sheet_count) },
        Column { heading: "已阅", width: 8, cell: |row| Cell::Int(row.marked_count) },
        Column { heading: "待仲裁", width: 8, cell: |row| Cell::Int(row.arbitration_count) },
        Column { heading: "阅卷人数", width: 10, cell: |row| Cell::Int(row.marker_count) },
        Column { heading: "超期未阅", width: 10, cell: |row| Cell::Int(row.overdue_count) },
        Column { heading: "阅卷状态", width: 12, cell: |row| Cell::Text(row.marking_status.zh().to_owned()) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &ExamMarkingFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, ExamMarking>> {
        Self::all(connection, filter, scope).await
    }
}
