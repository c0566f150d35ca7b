//! The rows of each level. Groups are few, so they are read whole and put into order here; people are many and come by pages.

use std::collections::HashMap;

use chrono::{Days, NaiveDate};
use infra::{Result, clock::Moment};
use sqlx::PgConnection;
use statistics_rules::{
    enums::{StatLevel, StudyStanding},
    rates,
};

use super::Study;
use crate::{
    filter::{Asked, Slice, of_openings, of_roster},
    roll_up::STANDARD_PERCENT,
    table::{AsOf, Found, StatRow, cell},
};

/// Days of the line of learners.
const DAYS: u64 = 30;

/// What each group of a level has come to.
pub(super) async fn groups(connection: &mut PgConnection, asked: &Asked, level: StatLevel) -> Result<Vec<Study>> {
    let rows = of_openings!(query_as [Study]
        [r#"select case $5::text when 'course' then o.course_id when 'class' then o.class_id when 'site' then o.site_id
                                 else 0 end as "key!",
                   count(distinct nullif(o.class_id, 0)) as "classes!", coalesce(sum(o.roster), 0)::bigint as "roster!",
                   coalesce(sum(o.not_started), 0)::bigint as "not_started!",
                   coalesce(sum(o.studying), 0)::bigint as "studying!", coalesce(sum(o.finished), 0)::bigint as "finished!",
                   coalesce(sum(o.reached), 0)::bigint as "reached!",
                   coalesce(sum(o.progress_sum), 0)::bigint as "progress_sum!",
                   coalesce(sum(o.study_seconds), 0)::bigint as "seconds!"
            from stat_opening_class o"#]
        asked
        [+ " group by 1 order by 1"],
        level.as_str());
    Ok(rows.fetch_all(connection).await?)
}

/// What all of them have come to.
pub(super) async fn total(connection: &mut PgConnection, asked: &Asked) -> Result<Study> {
    Ok(groups(connection, asked, StatLevel::School).await?.pop().unwrap_or_default())
}

/// Seconds of the whole filter that came from other platforms.
pub(super) async fn imported(connection: &mut PgConnection, asked: &Asked) -> Result<i64> {
    let seconds = of_openings!(query_scalar []
        [r#"select coalesce(sum(o.imported_seconds), 0)::bigint as "seconds!" from stat_opening_class o"#]
        asked
        []);
    Ok(seconds.fetch_one(connection).await?)
}

/// How many lie in each tenth of progress.
pub(super) async fn bins(connection: &mut PgConnection, asked: &Asked) -> Result<Vec<i64>> {
    let rows = of_openings!(query_scalar []
        [r#"select sum(b.number)::bigint as "number!"
            from stat_opening_class o cross join lateral unnest(o.bins) with ordinality as b (number, place)"#]
        asked
        [+ " group by b.place order by b.place"]);
    Ok(rows.fetch_all(connection).await?)
}

/// Who studied on a day, and how long.
pub(super) struct Day {
    pub day: NaiveDate,
    pub learners: i64,
    pub seconds: i64,
}

/// The last days, with those on which nobody studied. Who studied belongs to where they were on the day.
pub(super) async fn days(connection: &mut PgConnection, asked: &Asked, today: NaiveDate) -> Result<Vec<Day>> {
    let first = today.checked_sub_days(Days::new(DAYS - 1)).unwrap_or(today);
    let found = of_openings!(query_as [Day]
        [r#"select o.date as "day!", count(distinct o.student_id) as "learners!",
                   coalesce(sum(o.credited_seconds), 0)::bigint as "seconds!"
            from stat_study_day o"#]
        asked
        [+ " and o.date between $5 and $6 group by o.date order by o.date"],
        first,
        today);
    let found: Vec<Day> = found.fetch_all(connection).await?;
    let of = |day: NaiveDate| {
        let known = found.iter().find(|row| row.day == day);
        Day { day, learners: known.map_or(0, |row| row.learners), seconds: known.map_or(0, |row| row.seconds) }
    };
    Ok(first.iter_days().take_while(|day| *day <= today).map(of).collect())
}

fn count_of<T>(rows: &[T]) -> i64 {
    i64::try_from(rows.len()).unwrap_or(i64::MAX)
}

/// Names by their numbers.
type Names = HashMap<i64, String>;

pub(super) async fn course_names(connection: &mut PgConnection, studies: &[Study]) -> Result<Names> {
    let ids: Vec<i64> = studies.iter().map(|study| study.key).collect();
    let rows = sqlx::query!("select id, name from course where id = any($1)", &ids).fetch_all(connection).await?;
    Ok(rows.into_iter().map(|row| (row.id, row.name)).collect())
}

pub(super) async fn site_names(connection: &mut PgConnection, studies: &[Study]) -> Result<Names> {
    let ids: Vec<i64> = studies.iter().map(|study| study.key).collect();
    let rows = sqlx::query!("select id, name from site where id = any($1)", &ids).fetch_all(connection).await?;
    Ok(rows.into_iter().map(|row| (row.id, row.name)).collect())
}

fn sums(groups: &[Study]) -> Study {
    let mut sums = Study::default();
    groups.iter().for_each(|group| sums.add(group));
    sums
}

pub(super) async fn of_courses(connection: &mut PgConnection, asked: &Asked, slice: Slice) -> Result<Found> {
    let groups = groups(connection, asked, StatLevel::Course).await?;
    let names = course_names(connection, &groups).await?;
    let ids: Vec<i64> = groups.iter().map(|group| group.key).collect();
    let lecturers = sqlx::query!(
        r#"select x.course_id, string_agg(distinct t.name, '、') as "names!"
           from course_opening x
           join course_allocation a on a.opening_id = x.id and a.role = 'lecturer'
           join teacher t on t.id = a.teacher_id
           where x.course_id = any($1) and x.semester_id = $2 and x.status in ('opened', 'closed')
           group by x.course_id"#,
        &ids,
        asked.ids[0]
    )
    .fetch_all(&mut *connection)
    .await?;
    let lecturers: Names = lecturers.into_iter().map(|row| (row.course_id, row.names)).collect();
    // Classes of several courses are told once.
    let all = total(connection, asked).await?;
    let name = |id: i64| names.get(&id).cloned().unwrap_or_default();
    let mut ordered = groups.clone();
    ordered.sort_by_cached_key(|group| (infra::pinyin::text_pinyin(&name(group.key)), group.key));
    let row = |group: &Study| {
        let mut cells = vec![cell::text(lecturers.get(&group.key).cloned()), cell::count(group.classes)];
        cells.extend(group.cells(asked.least));
        StatRow::new(group.key, name(group.key), cells)
    };
    let total = (!groups.is_empty()).then(|| {
        let mut cells = vec![cell::text(None), cell::count(all.classes)];
        cells.extend(sums(&groups).cells(asked.least));
        StatRow::total(cells)
    });
    Ok(Found { total_count: count_of(&groups), rows: slice.of(ordered).iter().map(row).collect(), total })
}

pub(super) async fn of_classes(connection: &mut PgConnection, asked: &Asked, slice: Slice) -> Result<Found> {
    let groups = groups(connection, asked, StatLevel::Class).await?;
    let ids: Vec<i64> = groups.iter().map(|group| group.key).collect();
    let known = class_facts(connection, &ids).await?;
    let none = ClassFacts { name: "未分班".to_owned(), ..ClassFacts::default() };
    let facts = |id: i64| known.get(&id).unwrap_or(&none);
    let mut ordered = groups.clone();
    ordered.sort_by_cached_key(|group| (infra::pinyin::text_pinyin(&facts(group.key).name), group.key));
    let row = |group: &Study| {
        let facts = facts(group.key);
        let mut cells =
            vec![cell::text(facts.site.clone()), cell::text(facts.major.clone()), cell::text(facts.manager.clone())];
        cells.extend(group.cells(asked.least));
        StatRow::new(group.key, facts.name.clone(), cells)
    };
    let total = (!groups.is_empty()).then(|| {
        let mut cells = vec![cell::text(None), cell::text(None), cell::text(None)];
        cells.extend(sums(&groups).cells(asked.least));
        StatRow::total(cells)
    });
    Ok(Found { total_count: count_of(&groups), rows: slice.of(ordered).iter().map(row).collect(), total })
}

/// What is told of a class beside its figures.
#[derive(Debug, Clone, Default)]
pub(crate) struct ClassFacts {
    pub name: String,
    pub site: Option<String>,
    pub major: Option<String>,
    pub manager: Option<String>,
}

/// What is told of classes.
///
/// # Errors
/// Those of the database.
pub(crate) async fn class_facts(connection: &mut PgConnection, ids: &[i64]) -> Result<HashMap<i64, ClassFacts>> {
    let rows = sqlx::query!(
        r#"select k.id as "id!", k.name as "name!", t.name as "site!", m.name as "major!", g.name as "manager?"
           from class k
           join site t on t.id = k.site_id
           join major m on m.id = k.major_id
           left join class_manager g on g.id = k.manager_id
           where k.id = any($1)"#,
        ids
    )
    .fetch_all(connection)
    .await?;
    let facts = |name, site, major, manager| ClassFacts { name, site: Some(site), major: Some(major), manager };
    Ok(rows.into_iter().map(|row| (row.id, facts(row.name, row.site, row.major, row.manager))).collect())
}

pub(super) async fn of_sites(connection: &mut PgConnection, asked: &Asked, slice: Slice, as_of: AsOf) -> Result<Found> {
    let groups = groups(connection, asked, StatLevel::Site).await?;
    let names = site_names(connection, &groups).await?;
    let students = students_of(connection, asked).await?;
    let before = week_ago(connection, asked, as_of.computed_at.date_naive()).await?;
    let name = |id: i64| names.get(&id).cloned().unwrap_or_default();
    let mut ordered = groups.clone();
    ordered.sort_by_cached_key(|group| (infra::pinyin::text_pinyin(&name(group.key)), group.key));
    let change = |group: &Study, before: Option<f64>| {
        let now = rates::mean(group.progress_sum, group.roster)?;
        Some(((now - before?) * 10.0).round() / 10.0)
    };
    let row = |group: &Study| {
        let mut cells =
            vec![cell::count(group.classes), cell::count(students.get(&group.key).copied().unwrap_or_default())];
        cells.extend(group.cells(asked.least));
        cells.push(cell::number(change(group, before.get(&group.key).copied())));
        StatRow::new(group.key, name(group.key), cells)
    };
    let total = (!groups.is_empty()).then(|| {
        let sums = sums(&groups);
        let mut cells = vec![cell::count(sums.classes), cell::count(students.values().sum())];
        cells.extend(sums.cells(asked.least));
        cells.push(cell::number(None));
        StatRow::total(cells)
    });
    Ok(Found { total_count: count_of(&groups), rows: slice.of(ordered).iter().map(row).collect(), total })
}

/// Students in the register by their site, as far as they are asked for.
pub(crate) async fn students_of(connection: &mut PgConnection, asked: &Asked) -> Result<HashMap<i64, i64>> {
    let rows = sqlx::query!(
        r#"select s.site_id, count(*) as "students!" from student s
           where s.active and ($1::bigint[] is null or s.site_id = any($1) or s.class_id = any($2::bigint[]))
             and (($3::bigint[])[2] is null or s.grade_id = ($3::bigint[])[2])
             and (($3::bigint[])[3] is null or s.level_id = ($3::bigint[])[3])
             and (($3::bigint[])[4] is null or s.major_id = ($3::bigint[])[4])
             and (($3::bigint[])[5] is null or s.site_id = ($3::bigint[])[5])
             and (($3::bigint[])[6] is null or s.class_id = ($3::bigint[])[6])
             and ($4::text is null or s.study_form = $4)
           group by s.site_id"#,
        asked.scope.sites(),
        asked.scope.classes(),
        &asked.ids as &[Option<i64>],
        asked.study_form()
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|row| (row.site_id, row.students)).collect())
}

/// The mean progress of whole sites seven days ago; of a part of a site nobody wrote it down.
async fn week_ago(connection: &mut PgConnection, asked: &Asked, today: NaiveDate) -> Result<HashMap<i64, f64>> {
    let of_parts = asked.ids.iter().enumerate().any(|(at, id)| !matches!(at, 0 | 4) && id.is_some());
    if of_parts || asked.filter.study_form.is_some() || asked.scope.classes().is_some_and(|classes| !classes.is_empty())
    {
        return Ok(HashMap::new());
    }
    let day = today.checked_sub_days(Days::new(7)).unwrap_or(today);
    let rows = sqlx::query!(
        "select site_id, roster, progress_sum from stat_progress_day where date = $1 and semester_id = $2",
        day,
        asked.ids[0]
    )
    .fetch_all(connection)
    .await?;
    let means =
        rows.into_iter().filter_map(|row| Some((row.site_id, rates::mean(row.progress_sum, row.roster.into())?)));
    Ok(means.collect())
}

/// Somebody of a roster.
struct Line {
    id: i64,
    student_id: i64,
    student_no: Option<String>,
    name: String,
    grade: String,
    level: String,
    major: String,
    site: String,
    class: Option<String>,
    course: String,
    progress: i64,
    finished_periods: i32,
    total_periods: i32,
    seconds: i64,
    imported_seconds: i64,
    days: i32,
    last_at: Option<Moment>,
    reached: bool,
    rejected_seconds: i64,
}

pub(super) async fn of_students(
    connection: &mut PgConnection,
    asked: &Asked,
    slice: Slice,
    as_of: AsOf,
) -> Result<Found> {
    let today = as_of.computed_at.date_naive();
    let standing = asked.filter.standing.map(StudyStanding::as_str);
    let standard = i32::try_from(STANDARD_PERCENT.number(&mut *connection).await?).unwrap_or(80);
    let count = of_roster!(query_scalar []
        [r#"select count(*) as "count!""#]
        asked
        [+ " and ($10::text is null
                  or $10 = case when coalesce(p.progress, 0) = 0 then 'not_started' when p.progress < 100 then 'studying'
                                else 'finished' end)
             and ($11::boolean is null
                  or $11 = (coalesce(p.progress, 0) >= case when coalesce(n.required_progress, 0) > 0
                                                            then n.required_progress else $12::integer end))"],
        today,
        standing,
        asked.filter.reached,
        standard);
    let total_count = count.fetch_one(&mut *connection).await?;
    let ids = of_roster!(query_scalar []
        [r#"select c.id as "id!""#]
        asked
        [+ " and ($10::text is null
                  or $10 = case when coalesce(p.progress, 0) = 0 then 'not_started' when p.progress < 100 then 'studying'
                                else 'finished' end)
             and ($11::boolean is null
                  or $11 = (coalesce(p.progress, 0) >= case when coalesce(n.required_progress, 0) > 0
                                                            then n.required_progress else $12::integer end))
             order by coalesce(p.progress, 0), c.id limit $13 offset $14"],
        today,
        standing,
        asked.filter.reached,
        standard,
        slice.limit,
        slice.offset);
    let ids: Vec<i64> = ids.fetch_all(&mut *connection).await?;
    let lines = sqlx::query_as!(
        Line,
        r#"select c.id as "id!", s.id as "student_id!", s.student_no as "student_no?", s.name as "name!", g.name as "grade!",
                  v.name as "level!", m.name as "major!", t.name as "site!", k.name as "class?", u.name as "course!",
                  coalesce((p.progress * 10)::bigint, 0) as "progress!",
                  coalesce(p.finished_periods, 0) as "finished_periods!", coalesce(p.total_periods, 0) as "total_periods!",
                  coalesce(p.study_seconds, 0) + coalesce(p.imported_seconds, 0) as "seconds!",
                  coalesce(p.imported_seconds, 0) as "imported_seconds!", coalesce(p.login_days, 0) as "days!",
                  p.last_at as "last_at?",
                  coalesce(p.progress, 0) >= case when coalesce(n.required_progress, 0) > 0 then n.required_progress
                                                  else $2::integer end as "reached!",
                  (select coalesce(sum(z.rejected_seconds), 0)::bigint from study_session z where z.selection_id = c.id)
                      as "rejected_seconds!"
           from unnest($1::bigint[]) with ordinality as w (id, place)
           join course_selection c on c.id = w.id
           join student s on s.id = c.student_id
           join grade g on g.id = s.grade_id
           join level v on v.id = s.level_id
           join major m on m.id = s.major_id
           join site t on t.id = s.site_id
           left join class k on k.id = c.class_id
           join course u on u.id = c.course_id
           left join online_teaching n on n.id = c.opening_id
           left join study_course_progress p on p.id = c.id
           order by w.place"#,
        &ids,
        standard
    )
    .fetch_all(connection)
    .await?;
    let rows = lines.into_iter().map(|line| {
        let cells = vec![
            cell::text(line.student_no),
            cell::text(Some(line.grade)),
            cell::text(Some(line.level)),
            cell::text(Some(line.major)),
            cell::text(Some(line.site)),
            cell::text(line.class),
            cell::text(Some(line.course)),
            cell::mean(line.progress, 1),
            cell::text(Some(format!("{}/{}", line.finished_periods, line.total_periods))),
            cell::hours(line.seconds),
            cell::count(line.days.into()),
            cell::time(line.last_at),
            cell::text(Some(if line.reached { "是" } else { "否" }.to_owned())),
            cell::count(line.rejected_seconds),
            cell::count(line.imported_seconds),
        ];
        StatRow::new(line.id, line.name, cells).of_student(line.student_id)
    });
    Ok(Found { total_count, rows: rows.collect(), total: None })
}
