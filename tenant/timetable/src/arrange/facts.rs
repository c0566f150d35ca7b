//! What the rules of arrangements look at, out of the database.

use std::collections::BTreeSet;

use course_selection::opening;
use infra::Result;
use sqlx::PgConnection;
use timetable_rules::{
    form::ArrangeForm,
    judge::{Class, Facts, LECTURER, Room, Semester, Site, TUTOR, Teacher},
    weeks::SemesterDays,
};

use crate::period;

/// Of whom the rules are told, by their numbers; none of a kind: of all.
#[derive(Debug, Clone, Default)]
pub(crate) struct Named {
    pub semesters: Option<Vec<i64>>,
    pub courses: Option<Vec<i64>>,
    pub teachers: Option<Vec<i64>>,
    pub sites: Option<Vec<i64>>,
    pub rooms: Option<Vec<i64>>,
    pub classes: Option<Vec<i64>>,
    /// None: of all that can be taught.
    pub openings: Option<Vec<i64>>,
}

impl Named {
    /// All that these forms name.
    pub fn in_forms<'f>(forms: impl Iterator<Item = &'f ArrangeForm> + Clone) -> Self {
        fn once(ids: impl Iterator<Item = i64>) -> Option<Vec<i64>> {
            let ids: BTreeSet<i64> = ids.collect();
            Some(ids.into_iter().collect())
        }
        let classes = || forms.clone().flat_map(|form| &form.classes);
        let assistants = forms.clone().flat_map(|form| form.assistant_teacher_ids.iter().copied());
        Self {
            semesters: once(forms.clone().map(|form| form.semester_id)),
            courses: once(forms.clone().map(|form| form.course_id)),
            teachers: once(forms.clone().map(|form| form.teacher_id).chain(assistants)),
            sites: once(forms.clone().map(|form| form.site_id)),
            rooms: once(forms.clone().filter_map(|form| form.classroom_id)),
            classes: once(classes().map(|class| class.class_id)),
            openings: once(classes().map(|class| class.opening_id)),
        }
    }

    /// What there is to know of those who are named.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn load(&self, connection: &mut PgConnection) -> Result<Facts> {
        let openings: Vec<i64> = match &self.openings {
            Some(ids) => ids.clone(),
            None => {
                sqlx::query_scalar!(
                    "select o.id from course_opening o join semester e on e.id = o.semester_id
                     where o.status in ('draft', 'opened') and e.closed_at is null"
                )
                .fetch_all(&mut *connection)
                .await?
            }
        };
        let mut facts = Facts {
            openings: opening::known(connection, &openings).await?,
            periods: period::load(connection).await?,
            ..Facts::default()
        };
        self.places(connection, &mut facts).await?;
        self.people(connection, &mut facts).await?;
        Self::of_openings(connection, &mut facts, &openings).await?;
        Ok(facts)
    }

    async fn places(&self, connection: &mut PgConnection, facts: &mut Facts) -> Result<()> {
        let semesters = sqlx::query!(
            r#"select id, name, closed_at is not null as "closed!", starts_on, ends_on, holidays from semester
               where $1::bigint[] is null or id = any($1)"#,
            self.semesters.as_deref()
        )
        .fetch_all(&mut *connection)
        .await?;
        facts.semesters = semesters
            .into_iter()
            .map(|row| {
                let days = SemesterDays { starts_on: row.starts_on, ends_on: row.ends_on, holidays: row.holidays };
                (row.id, Semester { name: row.name, closed: row.closed, days })
            })
            .collect();
        let sites = sqlx::query!(
            r#"select id, name, status = 'closed' as "closed!" from site where $1::bigint[] is null or id = any($1)"#,
            self.sites.as_deref()
        )
        .fetch_all(&mut *connection)
        .await?;
        facts.sites = sites.into_iter().map(|row| (row.id, Site { name: row.name, closed: row.closed })).collect();
        let rooms = sqlx::query!(
            "select id, site_id, name, room_type, capacity, enabled from classroom
             where $1::bigint[] is null or id = any($1)",
            self.rooms.as_deref()
        )
        .fetch_all(connection)
        .await?;
        facts.rooms = rooms
            .into_iter()
            .map(|row| {
                let room = Room {
                    site_id: row.site_id,
                    name: row.name,
                    room_type: row.room_type,
                    capacity: i64::from(row.capacity),
                    enabled: row.enabled,
                };
                (row.id, room)
            })
            .collect();
        Ok(())
    }

    async fn people(&self, connection: &mut PgConnection, facts: &mut Facts) -> Result<()> {
        let courses = sqlx::query!(
            "select id, name from course where $1::bigint[] is null or id = any($1)",
            self.courses.as_deref()
        )
        .fetch_all(&mut *connection)
        .await?;
        facts.courses = courses.into_iter().map(|row| (row.id, row.name)).collect();
        let teachers = sqlx::query!(
            r#"select id, name, status = 'active' as "active!" from teacher where $1::bigint[] is null or id = any($1)"#,
            self.teachers.as_deref()
        )
        .fetch_all(&mut *connection)
        .await?;
        facts.teachers =
            teachers.into_iter().map(|row| (row.id, Teacher { name: row.name, active: row.active })).collect();
        let classes = sqlx::query!(
            r#"select k.id as "id!", k.name as "name!", k.enabled as "enabled!", k.grade_id as "grade_id!",
                      k.major_id as "major_id!", k.site_id as "site_id!", coalesce(n.students, 0) as "students!"
               from class k
               left join (select class_id, count(*) as students from student
                          where status in ('registered', 'pending_registration') and class_id is not null
                            and ($1::bigint[] is null or class_id = any($1))
                          group by class_id) n on n.class_id = k.id
               where $1 is null or k.id = any($1)"#,
            self.classes.as_deref()
        )
        .fetch_all(connection)
        .await?;
        facts.classes = classes
            .into_iter()
            .map(|row| {
                let class = Class {
                    name: row.name,
                    enabled: row.enabled,
                    grade_id: row.grade_id,
                    major_id: row.major_id,
                    site_id: row.site_id,
                    students: row.students,
                };
                (row.id, class)
            })
            .collect();
        Ok(())
    }

    async fn of_openings(connection: &mut PgConnection, facts: &mut Facts, ids: &[i64]) -> Result<()> {
        facts.online =
            sqlx::query_scalar!("select id from course_opening where id = any($1) and teaching_mode = 'online'", ids)
                .fetch_all(&mut *connection)
                .await?
                .into_iter()
                .collect();
        let allocated = sqlx::query!(
            "select opening_id, class_id, teacher_id, role from course_allocation
             where opening_id = any($1) and role in ('lecturer', 'tutor')",
            ids
        )
        .fetch_all(&mut *connection)
        .await?;
        for row in allocated {
            let role = if row.role == LECTURER { LECTURER } else { TUTOR };
            facts.allocated.entry((row.opening_id, row.class_id, role)).or_default().push(row.teacher_id);
        }
        let sizes = sqlx::query!(
            r#"select opening_id, class_id as "class_id!", count(*) as "students!" from course_selection
               where opening_id = any($1) and class_id is not null and status in ('pending', 'selected', 'completed')
               group by opening_id, class_id"#,
            ids
        )
        .fetch_all(connection)
        .await?;
        facts.sizes = sizes.into_iter().map(|row| ((row.opening_id, row.class_id), row.students)).collect();
        Ok(())
    }
}
