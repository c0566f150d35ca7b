//! How cases are read: list, file and the clients show the same.

use chrono::NaiveDate;
use futures_util::TryStreamExt;
use infra::{
    App, Paging, Result, Scope,
    clock::Moment,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use poem_openapi::Object;
use sqlx::PgConnection;
use student_status::enums::StudyForm;
use supervision_rules::enums::{SuperviseClosedReason, SuperviseKind, SuperviseLevel, SuperviseStatus};

use super::{
    Cases, ExportCases,
    filter::{SuperviseFilter, Wanted, of_cases},
};
use crate::words::{RESULTS, label, words};

/// Flags of one kind.
#[derive(Debug, Clone, PartialEq, Object)]
pub struct SuperviseTag {
    /// 预警类型
    pub kind: SuperviseKind,
    /// 个数
    pub count: i64,
    /// 测量值
    /// 其中最严重的：百分点、个数、天数或月数
    pub value: f64,
}

/// A case, as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SuperviseCase {
    /// 编号
    pub id: i64,
    /// 学生编号
    pub student_id: i64,
    /// 学号
    pub student_no: Option<String>,
    /// 考生号
    pub examinee_no: Option<String>,
    /// 姓名
    pub name: String,
    /// 年级
    pub grade_name: String,
    /// 层次
    pub level_name: String,
    /// 专业
    pub major_name: String,
    /// 学习形式
    pub study_form: StudyForm,
    /// 站点
    pub site_name: String,
    /// 班级编号
    pub class_id: Option<i64>,
    /// 班级
    pub class_name: Option<String>,
    /// 级别
    pub level: SuperviseLevel,
    /// 预警项
    pub tags: Vec<SuperviseTag>,
    /// 平均进度(%)
    /// 本学期在线学习的课程
    pub average_progress: Option<f64>,
    /// 作业逾期
    pub overdue: i64,
    /// 未登录天数
    /// 从未登录为空
    pub silent_days: Option<i32>,
    /// 欠费
    pub arrears: bool,
    /// 班主任编号
    pub manager_id: Option<i64>,
    /// 班主任
    pub manager_name: Option<String>,
    /// 首次预警
    pub first_flagged_at: Moment,
    /// 最近联系
    pub last_contact_at: Option<Moment>,
    /// 联系结果
    pub contact_result: Option<String>,
    /// 下次联系
    pub next_contact_on: Option<NaiveDate>,
    /// 状态
    pub status: SuperviseStatus,
    /// 关闭原因
    pub closed_reason: Option<SuperviseClosedReason>,
    /// 版本
    pub version: i32,
}

/// A row of the statement.
pub(super) struct Line {
    id: i64,
    student_id: i64,
    student_no: Option<String>,
    examinee_no: Option<String>,
    name: String,
    grade_name: String,
    level_name: String,
    major_name: String,
    study_form: StudyForm,
    site_name: String,
    class_id: Option<i64>,
    class_name: Option<String>,
    level: SuperviseLevel,
    kinds: Vec<String>,
    counts: Vec<i64>,
    /// In tenths.
    least: Vec<i32>,
    most: Vec<i32>,
    average_progress: Option<f64>,
    silent_days: Option<i32>,
    arrears: bool,
    manager_id: Option<i64>,
    manager_name: Option<String>,
    first_flagged_at: Moment,
    last_contact_at: Option<Moment>,
    contact_result: Option<String>,
    next_contact_on: Option<NaiveDate>,
    status: SuperviseStatus,
    closed_reason: Option<SuperviseClosedReason>,
    version: i32,
}

impl From<Line> for SuperviseCase {
    fn from(line: Line) -> Self {
        let measures = line.least.iter().zip(&line.most);
        let tags: Vec<SuperviseTag> = line
            .kinds
            .iter()
            .zip(&line.counts)
            .zip(measures)
            .filter_map(|((kind, count), (least, most))| {
                let kind = SuperviseKind::parse(kind)?;
                let worst = if kind.falls() { least } else { most };
                Some(SuperviseTag { kind, count: *count, value: f64::from(*worst) / 10.0 })
            })
            .collect();
        let overdue = tags.iter().find(|tag| tag.kind == SuperviseKind::HomeworkOverdue).map_or(0, |tag| tag.count);
        Self {
            id: line.id,
            student_id: line.student_id,
            student_no: line.student_no,
            examinee_no: line.examinee_no,
            name: line.name,
            grade_name: line.grade_name,
            level_name: line.level_name,
            major_name: line.major_name,
            study_form: line.study_form,
            site_name: line.site_name,
            class_id: line.class_id,
            class_name: line.class_name,
            level: line.level,
            tags,
            average_progress: line.average_progress,
            overdue,
            silent_days: line.silent_days,
            arrears: line.arrears,
            manager_id: line.manager_id,
            manager_name: line.manager_name,
            first_flagged_at: line.first_flagged_at,
            last_contact_at: line.last_contact_at,
            contact_result: line.contact_result,
            next_contact_on: line.next_contact_on,
            status: line.status,
            closed_reason: line.closed_reason,
            version: line.version,
        }
    }
}

/// The cases of a [`Wanted`] with what is shown of them on a day, the most urgent first. What is shown is looked up of every case that
/// is read, so a page names its own.
macro_rules! shown {
    ($wanted:ident, $day:expr, $page:expr) => {
        of_cases!(query_as [Line]
            [r#"select c.id as "id!", s.id as "student_id!", s.student_no as "student_no?", s.examinee_no as "examinee_no?",
                       s.name as "name!", g.name as "grade_name!", l.name as "level_name!", m.name as "major_name!",
                       s.study_form as "study_form!: _", t.name as "site_name!", s.class_id as "class_id?",
                       k.name as "class_name?", c.level as "level!: _", f.kinds as "kinds!", f.counts as "counts!",
                       f.least as "least!", f.most as "most!",
                       p.average as "average_progress?", ($17::date - n.last) as "silent_days?",
                       s.fee_flag = 'arrears' as "arrears!", w.id as "manager_id?", w.name as "manager_name?",
                       c.first_flagged_at as "first_flagged_at!", c.last_contact_at as "last_contact_at?",
                       x.contact_result as "contact_result?", c.next_contact_on as "next_contact_on?", c.status as "status!: _",
                       c.closed_reason as "closed_reason?: _", c.version as "version!"
                from supervise_case c
                join student s on s.id = c.student_id
                join grade g on g.id = s.grade_id
                join level l on l.id = s.level_id
                join major m on m.id = s.major_id
                join site t on t.id = s.site_id
                left join class k on k.id = s.class_id
                left join class_manager w
                     on w.id = case when c.class_id is not distinct from s.class_id then c.manager_id else k.manager_id end
                cross join lateral (
                    select coalesce(array_agg(y.kind order by y.kind), '{}') as kinds,
                           coalesce(array_agg(y.number order by y.kind), '{}') as counts,
                           coalesce(array_agg(y.least order by y.kind), '{}') as least,
                           coalesce(array_agg(y.most order by y.kind), '{}') as most
                    from (select z.kind, count(*) as number, min(z.value) as least, max(z.value) as most
                          from supervise_flag z
                          where z.case_id = c.id and z.cleared_at is null and not z.muted group by z.kind) y) f
                cross join lateral (
                    select round(avg(coalesce(z.progress, 0)), 1)::float8 as average
                    from course_selection y
                    join course_opening o on o.id = y.opening_id and o.teaching_mode in ('online', 'blended')
                    left join study_course_progress z on z.id = y.id
                    where y.student_id = s.id and y.semester_id = c.semester_id and y.status in ('selected', 'completed')) p
                cross join lateral (
                    select max(z.date) as last from stat_login_day z
                    where z.owner_kind = 'student' and z.owner_id = s.id and z.logins > 0) n
                left join lateral (
                    select z.contact_result from supervise_contact z where z.case_id = c.id
                    order by z.contacted_at desc, z.id desc limit 1) x on true"#]
            $wanted
            [+ " and ($18::bigint[] is null or c.id = any($18))
                order by case c.level when 'red' then 0 when 'orange' then 1 else 2 end, c.next_contact_on nulls last, c.id"],
            $day,
            $page)
    };
}

pub(super) async fn page(
    connection: &mut PgConnection,
    wanted: &Wanted,
    paging: Paging,
    today: NaiveDate,
) -> Result<(i64, Vec<SuperviseCase>)> {
    let count = of_cases!(query_scalar []
        [r#"select count(*) as "count!" from supervise_case c join student s on s.id = c.student_id
            left join class k on k.id = s.class_id"#]
        wanted
        []);
    let count = count.fetch_one(&mut *connection).await?;
    let ids = of_cases!(query_scalar []
        [r#"select c.id as "id!" from supervise_case c join student s on s.id = c.student_id
            left join class k on k.id = s.class_id"#]
        wanted
        [+ " order by case c.level when 'red' then 0 when 'orange' then 1 else 2 end, c.next_contact_on nulls last, c.id
             limit $17 offset $18"],
        paging.limit(),
        paging.offset());
    let ids = ids.fetch_all(&mut *connection).await?;
    let rows = shown!(wanted, today, Some(ids.as_slice()));
    let rows = rows.fetch_all(connection).await?;
    Ok((count, rows.into_iter().map(SuperviseCase::from).collect()))
}

/// A page of cases for the client of whoever looks after their students.
///
/// # Errors
/// Those of the database.
pub(crate) async fn students_of_page(
    connection: &mut PgConnection,
    filter: &SuperviseFilter,
    scope: &Scope,
    (paging, today): (Paging, NaiveDate),
) -> Result<(i64, Vec<SuperviseCase>)> {
    let wanted = filter.wanted(&mut *connection, scope, today).await?;
    page(connection, &wanted, paging, today).await
}

fn tags(row: &SuperviseCase) -> String {
    let words = row
        .tags
        .iter()
        .map(|tag| if tag.count > 1 { format!("{}×{}", tag.kind.zh(), tag.count) } else { tag.kind.zh().to_owned() });
    words.collect::<Vec<_>>().join("、")
}

impl Export for Cases {
    type Filter = SuperviseFilter;
    type Row = SuperviseCase;
    const KIND: &'static str = "supervise_case.export";
    type Permission = ExportCases;
    const TITLE: &'static str = "督学案例";
    const COLUMNS: &'static [Column<SuperviseCase>] = &[
        Column { heading: "学号", width: 18, cell: |row| Cell::text(row.student_no.as_deref()) },
        Column { heading: "考生号", width: 18, cell: |row| Cell::text(row.examinee_no.as_deref()) },
        Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "年级", width: 14, cell: |row| Cell::Text(row.grade_name.clone()) },
        Column { heading: "层次", width: 12, cell: |row| Cell::Text(row.level_name.clone()) },
        Column { heading: "专业", width: 20, cell: |row| Cell::Text(row.major_name.clone()) },
        Column { heading: "学习形式", width: 12, cell: |row| Cell::Text(row.study_form.zh().to_owned()) },
        Column { heading: "站点", width: 20, cell: |row| Cell::Text(row.site_name.clone()) },
        Column { heading: "班级", width: 24, cell: |row| Cell::text(row.class_name.as_deref()) },
        Column { heading: "级别", width: 8, cell: |row| Cell::Text(row.level.zh().to_owned()) },
        Column { heading: "预警项", width: 40, cell: |row| Cell::Text(tags(row)) },
        Column {
            heading: "平均进度(%)",
            width: 12,
            cell: |row| row.average_progress.map_or(Cell::Empty, infra::naming::tenths),
        },
        Column { heading: "作业逾期", width: 10, cell: |row| Cell::Int(row.overdue) },
        Column {
            heading: "未登录天数",
            width: 12,
            cell: |row| row.silent_days.map_or(Cell::Empty, |days| Cell::Int(days.into())),
        },
        Column { heading: "班主任", width: 12, cell: |row| Cell::text(row.manager_name.as_deref()) },
        Column {
            heading: "最近联系", width: 20, cell: |row| row.last_contact_at.map_or(Cell::Empty, Cell::DateTime)
        },
        Column { heading: "联系结果", width: 14, cell: |row| Cell::text(row.contact_result.as_deref()) },
        Column { heading: "下次联系", width: 12, cell: |row| row.next_contact_on.map_or(Cell::Empty, Cell::Date) },
        Column { heading: "状态", width: 10, cell: |row| Cell::Text(row.status.zh().to_owned()) },
        Column {
            heading: "关闭原因",
            width: 12,
            cell: |row| Cell::text(row.closed_reason.map(SuperviseClosedReason::zh)),
        },
    ];

    async fn rows<'c>(
        app: &App,
        connection: &'c mut PgConnection,
        filter: &SuperviseFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, SuperviseCase>> {
        let today = app.clock().today();
        let wanted = filter.wanted(&mut *connection, scope, today).await?;
        let results = words(app, RESULTS).await?;
        let rows = shown!(wanted, today, None::<&[i64]>);
        Ok(Box::pin(rows.fetch(connection).map_ok(move |line| {
            let mut case = SuperviseCase::from(line);
            case.contact_result = case.contact_result.take().map(|value| label(&results, &value));
            case
        })))
    }
}
