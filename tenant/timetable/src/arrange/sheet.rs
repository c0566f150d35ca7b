//! What the export of arrangements looks like: the list, and behind it a sheet for each class.

use infra::{
    App, Result, Scope,
    across::Keyed,
    sheet::{Cell, Column, Writer},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;
use timetable_rules::weeks::{periods_zh, weekday_of, weekday_zh};

use super::{ArrangeFilter, Arranges, CourseArrange};
use crate::enums::{ArrangeKind, ArrangeStatus};

/// Classes that have a sheet of their own in one file; of more all stand on one.
const SHEETS: usize = 200;

/// Classes whose lessons are read at once.
const AT_ONCE: usize = 50;

/// Columns of a class's sheet; the class itself stands on a sheet of all.
const OF_CLASS: [(&str, u8); 9] = [
    ("班级", 24),
    ("日期", 12),
    ("星期", 10),
    ("节次", 12),
    ("课程", 28),
    ("教师", 12),
    ("教室", 16),
    ("上课类型", 10),
    ("状态", 10),
];

fn joined(names: impl Iterator<Item = String>) -> Cell {
    Cell::Text(names.collect::<Vec<String>>().join("、"))
}

impl Export for Arranges {
    type Filter = ArrangeFilter;
    type Row = CourseArrange;
    const KIND: &'static str = "course_arrange.export";
    type Permission = super::ExportArranges;
    const TITLE: &'static str = "面授排课";
    const COLUMNS: &'static [Column<CourseArrange>] = &[
        Column { heading: "学期", width: 18, cell: |row| Cell::Text(row.semester_name.clone()) },
        Column { heading: "课程代码", width: 14, cell: |row| Cell::Text(row.course_code.clone()) },
        Column { heading: "课程", width: 28, cell: |row| Cell::Text(row.course_name.clone()) },
        Column {
            heading: "班级",
            width: 30,
            cell: |row| joined(row.classes.iter().map(|class| class.class_name.clone())),
        },
        Column { heading: "教师", width: 12, cell: |row| Cell::Text(row.teacher_name.clone()) },
        Column {
            heading: "助教",
            width: 16,
            cell: |row| joined(row.assistants.iter().map(|person| person.name.clone())),
        },
        Column { heading: "时间", width: 30, cell: |row| Cell::Text(row.time()) },
        Column { heading: "课次数", width: 8, cell: |row| Cell::Int(row.sessions) },
        Column { heading: "站点", width: 20, cell: |row| Cell::Text(row.site_name.clone()) },
        Column { heading: "教室", width: 16, cell: |row| Cell::text(row.classroom_name.as_deref()) },
        Column { heading: "人数", width: 8, cell: |row| Cell::Int(row.students) },
        Column {
            heading: "容量",
            width: 8,
            cell: |row| row.capacity.map_or(Cell::Empty, |capacity| Cell::Int(capacity.into())),
        },
        Column {
            heading: "已排/应排",
            width: 16,
            cell: |row| joined(row.classes.iter().map(|class| format!("{}/{}", class.scheduled, class.required))),
        },
        Column { heading: "上课类型", width: 10, cell: |row| Cell::Text(row.kind.zh().to_owned()) },
        Column { heading: "排课状态", width: 10, cell: |row| Cell::Text(row.status.zh().to_owned()) },
        Column { heading: "备注", width: 24, cell: |row| Cell::text(row.remark.as_deref()) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &ArrangeFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, CourseArrange>> {
        Self::all(connection, filter, scope).await
    }

    async fn sheets(
        connection: &mut PgConnection,
        filter: &ArrangeFilter,
        scope: &Scope,
        writer: &mut Writer,
    ) -> Result<()> {
        let keys = Self::matching(connection, filter, scope, infra::across::KeyQuery::default()).await?;
        let ids: Vec<i64> = keys.into_iter().map(|key| key.id).collect();
        let classes = classes_of(connection, &ids, scope).await?;
        let apart = classes.len() <= SHEETS;
        if !apart {
            writer.sheet("班级课表", OF_CLASS.to_vec()).await?;
        }
        let mut place = 0;
        for part in classes.chunks(AT_ONCE) {
            let lessons = lessons(connection, &ids, part).await?;
            for of_class in lessons.chunk_by(|one, next| one.class_id == next.class_id) {
                place += 1;
                if let Some(first) = of_class.first().filter(|_| apart) {
                    // The number keeps long names apart that begin alike.
                    writer.sheet(&format!("{place}.{}", first.class_name), OF_CLASS.to_vec()).await?;
                }
                for lesson in of_class {
                    writer.row(lesson.cells()).await?;
                }
            }
        }
        Ok(())
    }
}

/// A session of a class.
struct Lesson {
    class_id: i64,
    class_name: String,
    held_on: chrono::NaiveDate,
    period_from: i32,
    period_to: i32,
    course_name: String,
    teacher_name: String,
    classroom_name: Option<String>,
    kind: ArrangeKind,
    status: ArrangeStatus,
}

impl Lesson {
    fn cells(&self) -> Vec<Cell> {
        vec![
            Cell::Text(self.class_name.clone()),
            Cell::Date(self.held_on),
            Cell::Text(weekday_zh(weekday_of(self.held_on)).to_owned()),
            Cell::Text(periods_zh(self.period_from, self.period_to)),
            Cell::Text(self.course_name.clone()),
            Cell::Text(self.teacher_name.clone()),
            Cell::text(self.classroom_name.as_deref()),
            Cell::Text(self.kind.zh().to_owned()),
            Cell::Text(self.status.zh().to_owned()),
        ]
    }
}

/// The classes of these arrangements with sessions that take place, in their order, within the scope.
async fn classes_of(connection: &mut PgConnection, arranges: &[i64], scope: &Scope) -> sqlx::Result<Vec<i64>> {
    sqlx::query_scalar!(
        "select k.id from class k
         where k.id in (select c.class_id from course_arrange_class c
                        join course_arrange_session s on s.arrange_id = c.arrange_id and s.status = 'scheduled'
                        where c.arrange_id = any($1))
           and ($2::bigint[] is null or k.site_id = any($2) or k.id = any($3::bigint[]))
         order by k.code, k.id",
        arranges,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(connection)
    .await
}

/// The sessions that take place of these arrangements, class by class.
async fn lessons(connection: &mut PgConnection, arranges: &[i64], classes: &[i64]) -> sqlx::Result<Vec<Lesson>> {
    sqlx::query_as!(
        Lesson,
        r#"select k.id as "class_id!", k.name as "class_name!", s.held_on as "held_on!", s.period_from as "period_from!",
                  s.period_to as "period_to!", u.name as "course_name!", t.name as "teacher_name!",
                  r.name as "classroom_name?", a.kind as "kind!: ArrangeKind", a.status as "status!: ArrangeStatus"
           from class k
           join course_arrange_class c on c.class_id = k.id and c.arrange_id = any($1)
           join course_arrange a on a.id = c.arrange_id
           join course_arrange_session s on s.arrange_id = a.id and s.status = 'scheduled'
           join course u on u.id = a.course_id
           join teacher t on t.id = s.teacher_id
           left join classroom r on r.id = s.classroom_id
           where k.id = any($2)
           order by k.code, k.id, s.held_on, s.period_from, s.id"#,
        arranges,
        classes
    )
    .fetch_all(connection)
    .await
}
