//! Who takes part: people of the register who can sign in, and what they know before they do.

use std::collections::HashMap;

use chrono::{Days, NaiveDate};
use infra::{Error, Result};
use people::{demo::Dice, password::initial_password, setting::initial_password_rule};
use sqlx::PgConnection;

use super::Wanted;

/// Days after a session in which its teacher registers who came, that of the session among them.
const DAYS: u64 = 6;

/// Somebody who signs in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// Among those of their kind, from 0.
    pub place: usize,
    pub login_name: String,
    /// That of the school's rule, as long as they have none of their own.
    pub initial: Option<String>,
}

/// Everybody who takes part.
#[derive(Debug, Clone, Default)]
pub struct Cast {
    pub learners: Vec<Person>,
    pub teachers: Vec<Person>,
    /// Selections on the roster of the teachers' latest sessions, of which nobody registered who came.
    pub rosters: HashMap<i64, Vec<i64>>,
}

/// An account that may sign in.
struct Known {
    id: i64,
    login_name: String,
    id_card_no: Option<String>,
    /// Nobody has changed the password yet.
    initial: bool,
}

impl Known {
    /// None for whom the school's rule makes no password.
    fn person(self, place: usize, rule: &str) -> Option<Person> {
        let initial = if self.initial { Some(initial_password(rule, self.id_card_no.as_deref())?) } else { None };
        Some(Person { place, login_name: self.login_name, initial })
    }
}

fn persons(known: Vec<Known>, rule: &str) -> Vec<Person> {
    known.into_iter().enumerate().filter_map(|(place, known)| known.person(place, rule)).collect()
}

/// Draws students who are in a course of the current semester, and takes the teachers of these courses, those first for whom most
/// sheets wait.
///
/// # Errors
/// Those of the database.
pub async fn cast(connection: &mut PgConnection, wanted: Wanted, today: NaiveDate) -> Result<Cast> {
    let rule = initial_password_rule(connection).await?;
    let mut students = sqlx::query_as!(
        Known,
        r#"select s.id as "id!", a.login_name as "login_name!", s.id_card_no as "id_card_no?",
                  a.password_hash is null as "initial!"
           from student s
           join client_account a on a.owner_kind = 'student' and a.owner_id = s.id and a.enabled
           where s.status = 'registered'
             and exists (select from course_selection c join semester e on e.id = c.semester_id and e.current
                         where c.student_id = s.id and c.status = 'selected')
           order by s.id"#
    )
    .fetch_all(&mut *connection)
    .await?;
    let lot = |known: &Known| Dice::new(wanted.seed, "cast", usize::try_from(known.id).unwrap_or(0)).unit();
    students.sort_by(|one, other| lot(one).total_cmp(&lot(other)));
    students.truncate(wanted.learners);
    let ids: Vec<i64> = students.iter().map(|known| known.id).collect();
    let teachers = sqlx::query_as!(
        Known,
        r#"select t.id as "id!", a.login_name as "login_name!", t.id_card_no as "id_card_no?",
                  a.password_hash is null as "initial!"
           from teacher t
           join client_account a on a.owner_kind = 'teacher' and a.owner_id = t.id and a.enabled
           where t.status = 'active'
             and exists (select from course_allocation w
                         join course_opening o on o.id = w.opening_id and o.status = 'opened'
                         join semester e on e.id = o.semester_id and e.current
                         join course_selection c on c.opening_id = o.id and c.status = 'selected'
                         where w.teacher_id = t.id and c.student_id = any($1))
           order by (select count(*) from answer_sheet x where x.marker_id = t.id and x.mark_state = 'submitted') desc, t.id
           limit $2"#,
        &ids,
        i64::try_from(wanted.teachers).map_err(Error::internal)?
    )
    .fetch_all(&mut *connection)
    .await?;
    let ids: Vec<i64> = teachers.iter().map(|known| known.id).collect();
    let sessions = sqlx::query!(
        r#"select q.id as "id!", array_agg(z.id order by z.id) as "selections!"
           from course_arrange_session q
           join course_arrange a on a.id = q.arrange_id and a.status = 'published'
           join course_arrange_class c on c.arrange_id = a.id
           join course_selection z on z.opening_id = c.opening_id and z.class_id = c.class_id and z.status = 'selected'
           left join instruction_score y on y.selection_id = z.id
           where q.status = 'scheduled' and q.held_on between $1 and $2 and coalesce(y.status, 'draft') = 'draft'
             and (q.teacher_id = any($3)
                  or exists (select from course_arrange_assistant h where h.arrange_id = a.id and h.teacher_id = any($3)))
             and not exists (select from instruction_attendance x where x.session_id = q.id)
           group by q.id"#,
        today.checked_sub_days(Days::new(DAYS)).unwrap_or(today),
        today,
        &ids
    )
    .fetch_all(connection)
    .await?;
    Ok(Cast {
        learners: persons(students, &rule),
        teachers: persons(teachers, &rule),
        rosters: sessions.into_iter().map(|session| (session.id, session.selections)).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_never_signed_in_has_the_password_of_the_rule() {
        let known = |id_card_no: Option<&str>, initial| Known {
            id: 1,
            login_name: "26000001".to_owned(),
            id_card_no: id_card_no.map(ToOwned::to_owned),
            initial,
        };
        let told = |known: Known| known.person(0, "Aa@{idLast6}").map(|person| person.initial);
        assert_eq!(told(known(Some("429900199603150216"), true)), Some(Some("Aa@150216".to_owned())));
        assert_eq!(told(known(None, false)), Some(None));
        assert_eq!(told(known(None, true)), None, "nobody knows how they sign in");
    }
}
