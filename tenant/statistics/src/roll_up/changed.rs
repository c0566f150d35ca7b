//! What changed since the last look. Found in the facts themselves, by when their rows were written: no step of another module has to
//! tell of it, so none can forget to. What is deleted leaves no such row and is found in the night.

use chrono::{NaiveDate, Timelike};
use infra::{App, Result, Tx, directory::School, tx};

use super::{Key, alone, begin, mark, visits};
use crate::watch::{self, Since};

/// Kinds of people by the number that a key has for them.
pub(crate) const OWNERS: [(&str, i64); 4] = [("student", 1), ("teacher", 2), ("site_staff", 3), ("class_manager", 4)];

/// The day of what needs none.
pub(crate) fn no_day() -> NaiveDate {
    NaiveDate::default()
}

/// Marks what changed in a school since it was looked at last; the first time all that there is.
///
/// # Errors
/// Those of the database.
pub(crate) async fn look(app: &App, school: &School) -> Result<usize> {
    let since = watch::since(app, school.id).await?;
    let now = app.clock().now();
    let mut read = tx::at_the_server_read_in(app, school).await?;
    let database = sqlx::query_scalar!(r#"select now() as "now!""#).fetch_one(&mut *read).await?;
    let found = match since {
        Since { server: Some(server), database: Some(before) } => {
            let first = server.date_naive();
            let rows = sqlx::query!(
                r#"select k.kind as "kind!", k.k1 as "k1!", k.k2 as "k2!", k.day as "day!"
                   from (select 'study' as kind, p.id as k1, 0::bigint as k2, $3::date as day
                         from study_course_progress p where p.updated_at >= $1::timestamptz
                         union
                         select 'opening_class', c.opening_id, 0, '1970-01-01'
                         from study_course_progress p join course_selection c on c.id = p.id
                         where p.updated_at >= $1::timestamptz
                         union
                         select 'opening_class', c.opening_id, 0, '1970-01-01'
                         from course_selection c where c.updated_at >= $2::timestamptz
                         union
                         select 'opening_class', c.opening_id, 0, '1970-01-01'
                         from homework_student h join course_selection c on c.id = h.selection_id
                         where h.updated_at >= $2::timestamptz
                         union
                         select 'opening_class', t.opening_id, 0, '1970-01-01'
                         from homework h join homework_target t on t.homework_id = h.id
                         where h.updated_at >= $2::timestamptz
                         union
                         select 'opening_class', o.id, 0, '1970-01-01'
                         from course_opening o where o.updated_at >= $2::timestamptz
                         union
                         select 'opening_class', n.id, 0, '1970-01-01'
                         from online_teaching n where n.updated_at >= $2::timestamptz
                         union
                         select 'opening_class', c.opening_id, 0, '1970-01-01'
                         from student_status_change x join course_selection c on c.student_id = x.student_id
                         where x.created_at >= $2::timestamptz
                         union
                         select 'exam_class', e.setup_id, 0, '1970-01-01'
                         from exam_candidate e where e.updated_at >= $2::timestamptz
                         union
                         select 'exam_class', e.setup_id, 0, '1970-01-01'
                         from exam_score e where e.updated_at >= $2::timestamptz and e.setup_id is not null
                         union
                         select 'exam_class', t.id, 0, '1970-01-01'
                         from exam_setup t where t.updated_at >= $2::timestamptz
                         union
                         select 'exam_class', e.setup_id, 0, '1970-01-01'
                         from course_selection c join exam_candidate e on e.selection_id = c.id
                         where c.updated_at >= $2::timestamptz
                         union
                         select 'exam_class', e.setup_id, 0, '1970-01-01'
                         from student_status_change x join exam_candidate e on e.student_id = x.student_id
                         where x.created_at >= $2::timestamptz
                         union
                         select 'class_day', c.class_id, 0, (h.submitted_at at time zone 'Asia/Shanghai')::date
                         from homework_student h join course_selection c on c.id = h.selection_id
                         where h.updated_at >= $2::timestamptz and h.submitted_at is not null and c.class_id is not null
                         union
                         select 'class_day', c.class_id, 0,
                                (coalesce(t.starts_at, z.starts_at) at time zone 'Asia/Shanghai')::date
                         from exam_candidate e
                         join course_selection c on c.id = e.selection_id and c.class_id is not null
                         join exam_setup t on t.id = e.setup_id
                         left join offline_session z on z.id = t.session_id
                         where e.updated_at >= $2::timestamptz and e.attendance = 'present'
                           and coalesce(t.starts_at, z.starts_at) is not null
                         union
                         select 'login', l.person_id,
                                case l.kind when 'student' then 1 when 'teacher' then 2 when 'site_staff' then 3 else 4 end,
                                (l.issued_at at time zone 'Asia/Shanghai')::date
                         from client_session l where l.issued_at >= $1::timestamptz and l.actor_user_id is null) k"#,
                server as _,
                before as _,
                first
            )
            .fetch_all(&mut *read)
            .await?;
            rows.into_iter().map(|row| (row.kind, Key { k1: row.k1, k2: row.k2, day: row.day })).collect()
        }
        _ => everything(&mut read).await?,
    };
    let visited = visits::changed(&mut read, since.database).await?;
    drop(read);
    let count = found.len();
    if count > 0 || !visited.is_empty() {
        let mut tx = begin(app, school).await?;
        alone(&mut tx).await?;
        for kind in ["semester", "study", "login", "opening_class", "exam_class", "class_day"] {
            let keys: Vec<Key> = found.iter().filter(|(known, _)| known == kind).map(|(_, key)| *key).collect();
            mark(&mut tx, kind, &keys).await?;
        }
        visits::convert(&mut tx, &visited).await?;
        tx.commit_untracked("what changed is marked, and changes nothing itself").await?;
    }
    // Behind the marks: after a crash the same is found again. Fractions of a second are not kept by every clock alike.
    let whole = now.with_nanosecond(0).map_or(now, Into::into);
    watch::swept(app, school.id, whole, database).await?;
    Ok(count)
}

/// All semesters, and everybody who ever signed in.
async fn everything(read: &mut infra::ReadTx) -> Result<Vec<(String, Key)>> {
    let semesters = sqlx::query_scalar!("select id from semester order by id").fetch_all(&mut **read).await?;
    let people = sqlx::query!(
        r#"select distinct l.person_id, l.kind, (l.issued_at at time zone 'Asia/Shanghai')::date as "day!"
           from client_session l where l.actor_user_id is null"#
    )
    .fetch_all(&mut **read)
    .await?;
    let semester = |id| ("semester".to_owned(), Key { k1: id, k2: 0, day: no_day() });
    let person = |id, kind: &str, day| {
        let k2 = OWNERS.iter().find(|(known, _)| *known == kind).map_or(0, |(_, number)| *number);
        ("login".to_owned(), Key { k1: id, k2, day })
    };
    let all = semesters.into_iter().map(semester);
    Ok(all.chain(people.into_iter().map(|row| person(row.person_id, &row.kind, row.day))).collect())
}

/// Marks all that belongs to semesters.
///
/// # Errors
/// Those of the database.
pub(super) async fn whole_semesters(tx: &mut Tx, ids: &[i64]) -> Result<u64> {
    let now = tx.app().clock().now();
    let marked = sqlx::query!(
        "insert into stat_dirty (kind, k1, k2, day, marked_at)
         select k.kind, k.k1, 0, '1970-01-01', $2::timestamptz
         from (select 'opening_class' as kind, o.id as k1 from course_opening o where o.semester_id = any($1)
               union
               select 'exam_class', t.id from exam_setup t where t.semester_id = any($1)
               union
               select 'study', c.id from course_selection c join study_course_progress p on p.id = c.id
               where c.semester_id = any($1)
               union
               select 'study', s.selection_id from stat_study_day s where s.semester_id = any($1)) k
         on conflict (kind, k1, k2, day) do nothing",
        ids,
        now as _
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into stat_dirty (kind, k1, k2, day, marked_at)
         select distinct 'class_day', c.class_id, 0, (h.submitted_at at time zone 'Asia/Shanghai')::date, $2::timestamptz
         from homework_student h join course_selection c on c.id = h.selection_id
         where c.semester_id = any($1) and c.class_id is not null and h.submitted_at is not null
         on conflict (kind, k1, k2, day) do nothing",
        ids,
        now as _
    )
    .execute(&mut **tx)
    .await?;
    Ok(marked.rows_affected())
}
