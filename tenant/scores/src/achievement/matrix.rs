//! 成绩矩阵: students against courses, a sheet a class (part 04 §7, `layout: matrix`). One class is in memory at a time.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::stream;
use infra::{
    App, Result, Scope,
    across::{KeyQuery, Keyed},
    sheet::{Cell, Column, Writer},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::scores::{AchievementFilter, CourseScores};

/// The scores of a class: by student, by course.
#[derive(Debug, Default)]
pub(super) struct OfClass {
    courses: BTreeSet<(String, String)>,
    students: BTreeMap<(String, String), BTreeMap<String, String>>,
}

impl OfClass {
    /// Puts a score in: number and name of the student, code and name of the course, what it says.
    pub fn add(&mut self, student: (Option<String>, String), course: (String, String), text: String) {
        let code = course.0.clone();
        self.courses.insert(course);
        let student = (student.0.unwrap_or_default(), student.1);
        self.students.entry(student).or_default().insert(code, text);
    }

    /// Headings: who, then the courses.
    pub fn headings(&self) -> Vec<(String, u8)> {
        let courses = self.courses.iter().map(|(code, name)| (format!("{name}({code})"), 16));
        [("学号".to_owned(), 18), ("姓名".to_owned(), 12)].into_iter().chain(courses).collect()
    }

    /// A line a student.
    pub fn lines(&self) -> Vec<Vec<Cell>> {
        let line = |((number, name), scores): (&(String, String), &BTreeMap<String, String>)| {
            let mut cells = vec![Cell::Text(number.clone()), Cell::Text(name.clone())];
            cells.extend(self.courses.iter().map(|(code, _)| Cell::text(scores.get(code).cloned())));
            cells
        };
        self.students.iter().map(line).collect()
    }
}

/// The export of scores as matrices: its first sheet lists the classes.
pub struct ScoreMatrix;

/// A class with scores.
pub struct ClassOfScores {
    name: String,
    site: String,
    students: i64,
    courses: i64,
    scores: i64,
    ids: Vec<i64>,
}

/// The classes of the scores that a filter names; students without a class are together, by site.
async fn classes_of(connection: &mut PgConnection, ids: &[i64]) -> sqlx::Result<Vec<ClassOfScores>> {
    sqlx::query_as!(
        ClassOfScores,
        r#"select coalesce(k.name, '未分班') as "name!", t.name as "site!",
                  count(distinct s.student_id) as "students!", count(distinct s.course_id) as "courses!", count(*) as "scores!",
                  array_agg(s.id) as "ids!"
           from course_score s
           join student y on y.id = s.student_id
           join site t on t.id = y.site_id
           left join class k on k.id = y.class_id
           where s.id = any($1)
           group by y.class_id, k.name, t.id, t.name
           order by t.name, k.name nulls last, y.class_id"#,
        ids
    )
    .fetch_all(connection)
    .await
}

async fn ids_of(connection: &mut PgConnection, filter: &AchievementFilter, scope: &Scope) -> sqlx::Result<Vec<i64>> {
    let keys = CourseScores::matching(connection, filter, scope, KeyQuery::default()).await?;
    Ok(keys.into_iter().map(|key| key.id).collect())
}

impl Export for ScoreMatrix {
    type Filter = AchievementFilter;
    type Row = ClassOfScores;
    const KIND: &'static str = "achievement_matrix.export";
    type Permission = super::ExportAchievements;
    const FURTHER: Option<&'static str> = Some(super::VIEW_DRAFT);
    const TITLE: &'static str = "班级成绩矩阵";
    const COLUMNS: &'static [Column<ClassOfScores>] = &[
        Column { heading: "教学站点", width: 24, cell: |row| Cell::Text(row.site.clone()) },
        Column { heading: "班级", width: 28, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "学生数", width: 10, cell: |row| Cell::Int(row.students) },
        Column { heading: "课程数", width: 10, cell: |row| Cell::Int(row.courses) },
        Column { heading: "成绩数", width: 10, cell: |row| Cell::Int(row.scores) },
    ];

    fn open(filter: &mut AchievementFilter, scope: Scope) {
        filter.drafts_of = scope;
    }

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &AchievementFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, ClassOfScores>> {
        let ids = ids_of(connection, filter, scope).await?;
        let classes = classes_of(connection, &ids).await?;
        let rows: Rows<'c, ClassOfScores> = Box::pin(stream::iter(classes.into_iter().map(Ok)));
        Ok(rows)
    }

    async fn sheets(
        connection: &mut PgConnection,
        filter: &AchievementFilter,
        scope: &Scope,
        writer: &mut Writer,
    ) -> Result<()> {
        let ids = ids_of(connection, filter, scope).await?;
        for (class, place) in classes_of(connection, &ids).await?.into_iter().zip(1..) {
            let rows = sqlx::query!(
                r#"select y.student_no, y.name, u.code, u.name as course, s.display_text
                   from course_score s
                   join student y on y.id = s.student_id
                   join course u on u.id = s.course_id
                   where s.id = any($1) order by s.attempt_no, s.id"#,
                &class.ids
            )
            .fetch_all(&mut *connection)
            .await?;
            let mut of = OfClass::default();
            for row in rows {
                of.add((row.student_no, row.name), (row.code, row.course), row.display_text);
            }
            // A course that was taken twice says what it came to last; two classes of the same beginning are two sheets.
            writer.sheet(&format!("{place}.{}", class.name), of.headings()).await?;
            for line in of.lines() {
                writer.row(line).await?;
            }
        }
        Ok(())
    }
}
