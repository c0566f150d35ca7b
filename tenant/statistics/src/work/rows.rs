//! The rows of each level. Tasks are read by the page, out of their own students, because a roll-up by task would be as large as they.

use std::collections::HashMap;

use chrono::{Days, NaiveDate};
use infra::{Result, clock::Moment};
use sqlx::PgConnection;
use statistics_rules::enums::StatLevel;

use super::Handed;
use crate::{
    filter::{Asked, Slice, StatFilter, of_openings},
    table::{Found, StatRow, cell},
    video::rows::{ClassFacts, class_facts, students_of},
};

/// Days of the line of what is handed in.
const DAYS: u64 = 30;

pub(super) async fn groups(connection: &mut PgConnection, asked: &Asked, level: StatLevel) -> Result<Vec<Handed>> {
    if let Some(ids) = named_tasks(connection, asked).await? {
        return groups_of(connection, asked, level, &ids).await;
    }
    let rows = of_openings!(query_as [Handed]
        [r#"select case $5::text when 'course' then o.course_id when 'class' then o.class_id when 'site' then o.site_id
                                 else 0 end as "key!",
                   count(distinct nullif(o.class_id, 0)) filter (where o.hw_should > 0) as "classes!",
                   0::bigint as "tasks!",
                   coalesce(sum(o.hw_should), 0)::bigint as "should!", coalesce(sum(o.hw_handed), 0)::bigint as "handed!",
                   coalesce(sum(o.hw_on_time), 0)::bigint as "on_time!", coalesce(sum(o.hw_marked), 0)::bigint as "marked!",
                   coalesce(sum(o.hw_missed), 0)::bigint as "missed!", coalesce(sum(o.hw_pending), 0)::bigint as "pending!",
                   coalesce(sum(o.hw_scored), 0)::bigint as "scored!",
                   coalesce(sum(o.hw_score_sum), 0)::bigint as "score_sum!",
                   coalesce(sum(o.hw_passed), 0)::bigint as "passed!"
            from stat_opening_class o"#]
        asked
        [+ " group by 1 order by 1"],
        level.as_str());
    let mut groups: Vec<Handed> = rows.fetch_all(&mut *connection).await?;
    // One homework is of several openings and classes.
    let tasks = of_openings!(query_as [Tasks]
        [r#"select case $5::text when 'course' then o.course_id when 'class' then o.class_id when 'site' then o.site_id
                                 else 0 end as "key!",
                   count(distinct t.homework_id) as "number!"
            from stat_opening_class o
            join homework_target t on t.opening_id = o.opening_id and (t.class_id is null or t.class_id = o.class_id)
            join homework h on h.id = t.homework_id and h.purpose = 'homework' and h.status in ('published', 'closed')"#]
        asked
        [+ " group by 1"],
        level.as_str());
    let tasks: Vec<Tasks> = tasks.fetch_all(connection).await?;
    for group in &mut groups {
        group.tasks = tasks.iter().find(|tasks| tasks.key == group.key).map_or(0, |tasks| tasks.number);
    }
    Ok(groups)
}

/// The homeworks of a filter that names some of them; none where it means all, which are summed already.
async fn named_tasks(connection: &mut PgConnection, asked: &Asked) -> Result<Option<Vec<i64>>> {
    let StatFilter { homework_id, teacher_id, ends_from, ends_to, .. } = asked.filter;
    if homework_id.is_none() && teacher_id.is_none() && ends_from.is_none() && ends_to.is_none() {
        return Ok(None);
    }
    Ok(Some(tasks(connection, asked).await?))
}

/// The same as [`groups`] of some homeworks, out of their students: sums do not tell one homework from another.
async fn groups_of(connection: &mut PgConnection, asked: &Asked, level: StatLevel, ids: &[i64]) -> Result<Vec<Handed>> {
    Ok(sqlx::query_as!(
        Handed,
        r#"select case $6::text when 'course' then c.course_id when 'class' then coalesce(c.class_id, 0)
                                when 'site' then coalesce(k.site_id, s.site_id) else 0 end as "key!",
                  count(distinct c.class_id) as "classes!", count(distinct z.homework_id) as "tasks!", count(*) as "should!",
                  count(*) filter (where z.state in ('submitted', 'marked', 'returned')) as "handed!",
                  count(*) filter (where z.state in ('submitted', 'marked', 'returned') and not z.late) as "on_time!",
                  count(*) filter (where z.state = 'marked') as "marked!",
                  count(*) filter (where z.state = 'missed') as "missed!",
                  count(*) filter (where z.state = 'submitted') as "pending!",
                  count(*) filter (where z.state = 'marked' and z.final_score is not null) as "scored!",
                  coalesce(sum((z.final_score * 10)::bigint) filter (where z.state = 'marked'), 0)::bigint as "score_sum!",
                  count(*) filter (where z.state = 'marked' and z.final_score >= 60) as "passed!"
           from homework_student z
           join homework h on h.id = z.homework_id and (h.purpose = 'homework' or h.id = ($3::bigint[])[10])
           join course_selection c on c.id = z.selection_id and c.status in ('selected', 'completed')
           join course_opening x on x.id = c.opening_id and x.status in ('opened', 'closed')
           join semester e on e.id = c.semester_id
           join student s on s.id = c.student_id
           left join class k on k.id = c.class_id
           where z.homework_id = any($4) and z.state not in ('exempt', 'void')
             and (s.status in ('registered', 'pending_registration', 'expired')
                  or s.status in ('graduated', 'completed', 'incomplete')
                     and (e.closed_at is not null or e.ends_on < $7::date))
             and ($1::bigint[] is null or s.site_id = any($1) or s.class_id = any($2::bigint[]))
             and (($3::bigint[])[2] is null or s.grade_id = ($3::bigint[])[2])
             and (($3::bigint[])[3] is null or s.level_id = ($3::bigint[])[3])
             and (($3::bigint[])[4] is null or s.major_id = ($3::bigint[])[4])
             and (($3::bigint[])[5] is null or s.site_id = ($3::bigint[])[5])
             and (($3::bigint[])[6] is null or c.class_id = ($3::bigint[])[6])
             and ($5::text is null or s.study_form = $5)
           group by 1 order by 1"#,
        asked.scope.sites(),
        asked.scope.classes(),
        &asked.ids as &[Option<i64>],
        ids,
        asked.study_form(),
        level.as_str(),
        asked.today
    )
    .fetch_all(connection)
    .await?)
}

/// What some homeworks have come to beside their sums: how many scores lie in each band, and how much came on each day.
struct Spread {
    band: Option<i32>,
    day: Option<NaiveDate>,
    number: i64,
}

/// Of the bands those that have a score, of the days those on which something came.
async fn spread_of(connection: &mut PgConnection, asked: &Asked, ids: &[i64]) -> Result<Vec<Spread>> {
    Ok(sqlx::query_as!(
        Spread,
        r#"with told as (
               select case when z.state = 'marked' and z.final_score is not null
                           then least(greatest((floor(z.final_score / 10))::integer - 5, 0), 4) end as band,
                      (z.submitted_at at time zone 'Asia/Shanghai')::date as day
               from homework_student z
               join homework h on h.id = z.homework_id and (h.purpose = 'homework' or h.id = ($3::bigint[])[10])
               join course_selection c on c.id = z.selection_id and c.status in ('selected', 'completed')
               join course_opening x on x.id = c.opening_id and x.status in ('opened', 'closed')
               join semester e on e.id = c.semester_id
               join student s on s.id = c.student_id
               where z.homework_id = any($4) and z.state not in ('exempt', 'void')
                 and (s.status in ('registered', 'pending_registration', 'expired')
                      or s.status in ('graduated', 'completed', 'incomplete')
                         and (e.closed_at is not null or e.ends_on < $6::date))
                 and ($1::bigint[] is null or s.site_id = any($1) or s.class_id = any($2::bigint[]))
                 and (($3::bigint[])[2] is null or s.grade_id = ($3::bigint[])[2])
                 and (($3::bigint[])[3] is null or s.level_id = ($3::bigint[])[3])
                 and (($3::bigint[])[4] is null or s.major_id = ($3::bigint[])[4])
                 and (($3::bigint[])[5] is null or s.site_id = ($3::bigint[])[5])
                 and (($3::bigint[])[6] is null or c.class_id = ($3::bigint[])[6])
                 and ($5::text is null or s.study_form = $5))
           select r.band as "band?", null::date as "day?", count(*) as "number!" from told r where r.band is not null group by r.band
           union all
           select null, r.day, count(*) from told r where r.day is not null group by r.day"#,
        asked.scope.sites(),
        asked.scope.classes(),
        &asked.ids as &[Option<i64>],
        ids,
        asked.study_form(),
        asked.today
    )
    .fetch_all(connection)
    .await?)
}

/// How many different homeworks a group has.
struct Tasks {
    key: i64,
    number: i64,
}

pub(super) async fn total(connection: &mut PgConnection, asked: &Asked) -> Result<Handed> {
    Ok(groups(connection, asked, StatLevel::School).await?.pop().unwrap_or_default())
}

fn count_of<T>(rows: &[T]) -> i64 {
    i64::try_from(rows.len()).unwrap_or(i64::MAX)
}

/// Groups with their names, in the order of those.
pub(super) async fn named(
    connection: &mut PgConnection,
    asked: &Asked,
    level: StatLevel,
) -> Result<Vec<(String, Handed)>> {
    let groups = groups(connection, asked, level).await?;
    let ids: Vec<i64> = groups.iter().map(|group| group.key).collect();
    let rows = sqlx::query!(
        r#"select id as "id!", name as "name!" from course where $2 = 'course' and id = any($1)
           union all select id, name from site where $2 = 'site' and id = any($1)"#,
        &ids,
        level.as_str()
    )
    .fetch_all(connection)
    .await?;
    let names: HashMap<i64, String> = rows.into_iter().map(|row| (row.id, row.name)).collect();
    let mut named: Vec<(String, Handed)> =
        groups.into_iter().map(|group| (names.get(&group.key).cloned().unwrap_or_default(), group)).collect();
    named.sort_by_cached_key(|(name, group)| (infra::pinyin::text_pinyin(name), group.key));
    Ok(named)
}

pub(super) async fn of_courses(connection: &mut PgConnection, asked: &Asked, slice: Slice) -> Result<Found> {
    let groups = named(connection, asked, StatLevel::Course).await?;
    let all = total(connection, asked).await?;
    let total_count = count_of(&groups);
    let total = (total_count > 0).then(|| StatRow::total(all.cells(asked.least, true, false)));
    let rows = slice
        .of(groups)
        .into_iter()
        .map(|(name, handed)| StatRow::new(handed.key, name, handed.cells(asked.least, true, false)));
    Ok(Found { total_count, rows: rows.collect(), total })
}

pub(super) async fn of_classes(connection: &mut PgConnection, asked: &Asked, slice: Slice) -> Result<Found> {
    let mut groups = groups(connection, asked, StatLevel::Class).await?;
    let ids: Vec<i64> = groups.iter().map(|group| group.key).collect();
    let known = class_facts(connection, &ids).await?;
    let none = ClassFacts { name: "未分班".to_owned(), ..ClassFacts::default() };
    let facts = |id: i64| known.get(&id).unwrap_or(&none);
    groups.sort_by_cached_key(|group| (infra::pinyin::text_pinyin(&facts(group.key).name), group.key));
    let all = total(connection, asked).await?;
    let total_count = count_of(&groups);
    let blank = || vec![cell::text(None), cell::text(None), cell::text(None)];
    let total = (total_count > 0).then(|| {
        let mut cells = blank();
        cells.extend(all.cells(asked.least, true, false));
        StatRow::total(cells)
    });
    let rows = slice.of(groups).into_iter().map(|handed| {
        let facts = facts(handed.key);
        let mut cells =
            vec![cell::text(facts.site.clone()), cell::text(facts.major.clone()), cell::text(facts.manager.clone())];
        cells.extend(handed.cells(asked.least, true, false));
        StatRow::new(handed.key, facts.name.clone(), cells)
    });
    Ok(Found { total_count, rows: rows.collect(), total })
}

pub(super) async fn of_sites(connection: &mut PgConnection, asked: &Asked, slice: Slice) -> Result<Found> {
    let groups = named(connection, asked, StatLevel::Site).await?;
    let students = students_of(connection, asked).await?;
    let all = total(connection, asked).await?;
    let total_count = count_of(&groups);
    let total = (total_count > 0).then(|| {
        let mut cells = vec![cell::count(all.classes), cell::count(students.values().sum())];
        cells.extend(all.cells(asked.least, true, false));
        StatRow::total(cells)
    });
    let rows = slice.of(groups).into_iter().map(|(name, handed)| {
        let here = students.get(&handed.key).copied().unwrap_or_default();
        let mut cells = vec![cell::count(handed.classes), cell::count(here)];
        cells.extend(handed.cells(asked.least, true, false));
        StatRow::new(handed.key, name, cells)
    });
    Ok(Found { total_count, rows: rows.collect(), total })
}

/// A homework with what was handed in of it.
struct Task {
    id: i64,
    title: String,
    course: String,
    ends_at: Moment,
    purpose: String,
    should: i64,
    handed: i64,
    on_time: i64,
    marked: i64,
    missed: i64,
    pending: i64,
    scored: i64,
    score_sum: i64,
    passed: i64,
    similar: i64,
}

pub(super) async fn of_tasks(connection: &mut PgConnection, asked: &Asked, slice: Slice) -> Result<Found> {
    let ids = tasks(connection, asked).await?;
    let total_count = count_of(&ids);
    let page = slice.of(ids);
    let tasks = sqlx::query_as!(
        Task,
        r#"select h.id as "id!", h.title as "title!", u.name as "course!", h.ends_at as "ends_at!", h.purpose as "purpose!",
                  x.should as "should!", x.handed as "handed!", x.on_time as "on_time!", x.marked as "marked!",
                  x.missed as "missed!", x.pending as "pending!", x.scored as "scored!", x.score_sum as "score_sum!",
                  x.passed as "passed!", x.similar as "similar!"
           from unnest($1::bigint[]) with ordinality as w (id, place)
           join homework h on h.id = w.id
           join course u on u.id = h.course_id
           cross join lateral (
               select count(*) as should,
                      count(*) filter (where z.state in ('submitted', 'marked', 'returned')) as handed,
                      count(*) filter (where z.state in ('submitted', 'marked', 'returned') and not z.late) as on_time,
                      count(*) filter (where z.state = 'marked') as marked,
                      count(*) filter (where z.state = 'missed') as missed,
                      count(*) filter (where z.state = 'submitted') as pending,
                      count(*) filter (where z.state = 'marked' and z.final_score is not null) as scored,
                      coalesce(sum((z.final_score * 10)::bigint) filter (where z.state = 'marked'), 0)::bigint as score_sum,
                      count(*) filter (where z.state = 'marked' and z.final_score >= 60) as passed,
                      count(*) filter (where z.similarity >= h.similarity_threshold) as similar
               from homework_student z
               join course_selection c on c.id = z.selection_id and c.status in ('selected', 'completed')
               join course_opening x on x.id = c.opening_id and x.status in ('opened', 'closed')
               join semester e on e.id = c.semester_id
               join student s on s.id = c.student_id
               where z.homework_id = h.id and z.state not in ('exempt', 'void')
                 and (s.status in ('registered', 'pending_registration', 'expired')
                      or s.status in ('graduated', 'completed', 'incomplete')
                         and (e.closed_at is not null or e.ends_on < $6::date))
                 and ($2::bigint[] is null or s.site_id = any($2) or s.class_id = any($3::bigint[]))
                 and (($4::bigint[])[2] is null or s.grade_id = ($4::bigint[])[2])
                 and (($4::bigint[])[3] is null or s.level_id = ($4::bigint[])[3])
                 and (($4::bigint[])[4] is null or s.major_id = ($4::bigint[])[4])
                 and (($4::bigint[])[5] is null or s.site_id = ($4::bigint[])[5])
                 and (($4::bigint[])[6] is null or c.class_id = ($4::bigint[])[6])
                 and ($5::text is null or s.study_form = $5)) x
           order by w.place"#,
        &page,
        asked.scope.sites(),
        asked.scope.classes(),
        &asked.ids as &[Option<i64>],
        asked.study_form(),
        asked.today
    )
    .fetch_all(connection)
    .await?;
    let rows = tasks.into_iter().map(|task| {
        let handed = Handed {
            key: task.id,
            classes: 0,
            tasks: 1,
            should: task.should,
            handed: task.handed,
            on_time: task.on_time,
            marked: task.marked,
            missed: task.missed,
            pending: task.pending,
            scored: task.scored,
            score_sum: task.score_sum,
            passed: task.passed,
        };
        let purpose = if task.purpose == "chapter_test" { "章节测验" } else { "作业" };
        let mut cells =
            vec![cell::text(Some(task.course)), cell::text(Some(purpose.to_owned())), cell::time(Some(task.ends_at))];
        cells.extend(handed.cells(asked.least, false, true));
        cells.push(cell::count(task.similar));
        StatRow::new(task.id, task.title, cells)
    });
    Ok(Found { total_count, rows: rows.collect(), total: None })
}

/// Homework that is asked for, that which ends last first; of a part of the school what somebody of it is to hand in.
async fn tasks(connection: &mut PgConnection, asked: &Asked) -> Result<Vec<i64>> {
    Ok(sqlx::query_scalar!(
        r#"select h.id as "id!" from homework h
           where h.status in ('published', 'closed') and h.semester_id = ($1::bigint[])[1]
             and (($1::bigint[])[7] is null or h.course_id = ($1::bigint[])[7])
             and (($1::bigint[])[10] is null or h.id = ($1::bigint[])[10])
             and (($1::bigint[])[11] is null
                  or exists (select from homework_marker m
                             where m.homework_id = h.id and m.teacher_id = ($1::bigint[])[11]))
             and ($2::date is null or (h.ends_at at time zone 'Asia/Shanghai')::date >= $2)
             and ($3::date is null or (h.ends_at at time zone 'Asia/Shanghai')::date <= $3)
             and exists (
                 select from homework_target t join stat_opening_class o on o.opening_id = t.opening_id
                 where t.homework_id = h.id and (t.class_id is null or t.class_id = o.class_id)
                   and ($4::bigint[] is null or o.site_id = any($4) or o.class_id = any($5::bigint[]))
                   and (($1::bigint[])[2] is null or o.grade_id = ($1::bigint[])[2])
                   and (($1::bigint[])[3] is null or o.level_id = ($1::bigint[])[3])
                   and (($1::bigint[])[4] is null or o.major_id = ($1::bigint[])[4])
                   and (($1::bigint[])[5] is null or o.site_id = ($1::bigint[])[5])
                   and (($1::bigint[])[6] is null or o.class_id = ($1::bigint[])[6])
                   and ($6::text is null or exists (select from major f where f.id = o.major_id and f.study_form = $6)))
           order by h.ends_at desc, h.id"#,
        &asked.ids as &[Option<i64>],
        asked.filter.ends_from,
        asked.filter.ends_to,
        asked.scope.sites(),
        asked.scope.classes(),
        asked.study_form()
    )
    .fetch_all(connection)
    .await?)
}

/// Somebody with what they handed in.
struct Line {
    id: i64,
    student_no: Option<String>,
    name: String,
    grade: String,
    level: String,
    major: String,
    site: String,
    class: Option<String>,
    should: i64,
    handed: i64,
    missed: i64,
    scored: i64,
    score_sum: i64,
    last_at: Option<Moment>,
}

pub(super) async fn of_students(connection: &mut PgConnection, asked: &Asked, slice: Slice) -> Result<Found> {
    let named = named_tasks(connection, asked).await?;
    let ids = sqlx::query!(
        r#"select s.id as "id!", count(*) over () as "total!"
           from student s
           where ($1::bigint[] is null or s.site_id = any($1) or s.class_id = any($2::bigint[]))
             and (s.status in ('registered', 'pending_registration', 'expired')
                  or s.status in ('graduated', 'completed', 'incomplete')
                     and exists (select from semester e where e.id = ($3::bigint[])[1]
                                 and (e.closed_at is not null or e.ends_on < $12::date)))
             and (($3::bigint[])[2] is null or s.grade_id = ($3::bigint[])[2])
             and (($3::bigint[])[3] is null or s.level_id = ($3::bigint[])[3])
             and (($3::bigint[])[4] is null or s.major_id = ($3::bigint[])[4])
             and (($3::bigint[])[5] is null or s.site_id = ($3::bigint[])[5])
             and ($4::text is null or s.study_form = $4)
             and ($5::text is null or s.id_card_no = $5)
             and ($6::text is null or s.phone = $6)
             and ($7::text is null or s.student_no like $7 or s.examinee_no like $7
                  or ($7 !~ '[0-9]' and s.initials like lower(rtrim($7, '%')) || '%'))
             and ($8::text[] is null or s.name_grams @> $8)
             and exists (
                 select from course_selection c
                 join course_opening x on x.id = c.opening_id and x.status in ('opened', 'closed')
                 join homework_student z on z.selection_id = c.id
                 where c.student_id = s.id and c.semester_id = ($3::bigint[])[1] and c.status in ('selected', 'completed')
                   and (($3::bigint[])[6] is null or c.class_id = ($3::bigint[])[6])
                   and (($3::bigint[])[7] is null or c.course_id = ($3::bigint[])[7])
                   and ($11::bigint[] is null or z.homework_id = any($11)))
           order by s.pinyin, s.id limit $9 offset $10"#,
        asked.scope.sites(),
        asked.scope.classes(),
        &asked.ids as &[Option<i64>],
        asked.study_form(),
        asked.keyword.id_card_no.as_deref(),
        asked.keyword.phone.as_deref(),
        asked.keyword.number.as_deref(),
        asked.keyword.name_grams.as_deref(),
        slice.limit,
        slice.offset,
        named.as_deref(),
        asked.today
    )
    .fetch_all(&mut *connection)
    .await?;
    let total_count = ids.first().map_or(0, |row| row.total);
    let page: Vec<i64> = ids.iter().map(|row| row.id).collect();
    let lines = sqlx::query_as!(
        Line,
        r#"select s.id as "id!", s.student_no as "student_no?", s.name as "name!", g.name as "grade!", v.name as "level!",
                  m.name as "major!", t.name as "site!", k.name as "class?", x.should as "should!", x.handed as "handed!",
                  x.missed as "missed!", x.scored as "scored!", x.score_sum as "score_sum!", x.last_at as "last_at?"
           from unnest($1::bigint[]) with ordinality as w (id, place)
           join student s on s.id = w.id
           join grade g on g.id = s.grade_id
           join level v on v.id = s.level_id
           join major m on m.id = s.major_id
           join site t on t.id = s.site_id
           left join class k on k.id = s.class_id
           cross join lateral (
               select count(*) as should,
                      count(*) filter (where z.state in ('submitted', 'marked', 'returned')) as handed,
                      count(*) filter (where z.state = 'missed') as missed,
                      count(*) filter (where z.state = 'marked' and z.final_score is not null) as scored,
                      coalesce(sum((z.final_score * 10)::bigint) filter (where z.state = 'marked'), 0)::bigint as score_sum,
                      max(z.submitted_at) as last_at
               from course_selection c
               join course_opening n on n.id = c.opening_id and n.status in ('opened', 'closed')
               join homework_student z on z.selection_id = c.id and z.state not in ('exempt', 'void')
               join homework h on h.id = z.homework_id and h.status in ('published', 'closed')
                               and (h.purpose = 'homework' or h.id = ($2::bigint[])[10])
               where c.student_id = s.id and c.semester_id = ($2::bigint[])[1] and c.status in ('selected', 'completed')
                 and (($2::bigint[])[6] is null or c.class_id = ($2::bigint[])[6])
                 and (($2::bigint[])[7] is null or c.course_id = ($2::bigint[])[7])
                 and ($3::bigint[] is null or z.homework_id = any($3))) x
           order by w.place"#,
        &page,
        &asked.ids as &[Option<i64>],
        named.as_deref()
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
            cell::count(line.should),
            cell::count(line.handed),
            cell::count(line.missed),
            cell::mean(line.score_sum, line.scored),
            cell::time(line.last_at),
        ];
        StatRow::new(line.id, line.name, cells).of_student(line.id)
    });
    Ok(Found { total_count, rows: rows.collect(), total: None })
}

/// How many scores lie in each band.
pub(super) async fn bands(connection: &mut PgConnection, asked: &Asked) -> Result<Vec<i64>> {
    if let Some(ids) = named_tasks(connection, asked).await? {
        let spread = spread_of(connection, asked, &ids).await?;
        let of = |band: i32| spread.iter().filter(|row| row.band == Some(band)).map(|row| row.number).sum::<i64>();
        return Ok((0..5).map(of).collect());
    }
    let rows = of_openings!(query_scalar []
        [r#"select sum(b.number)::bigint as "number!"
            from stat_opening_class o cross join lateral unnest(o.hw_bands) with ordinality as b (number, place)"#]
        asked
        [+ " group by b.place order by b.place"]);
    Ok(rows.fetch_all(connection).await?)
}

/// How much was handed in on each of the last days.
pub(super) async fn days(
    connection: &mut PgConnection,
    asked: &Asked,
    today: NaiveDate,
) -> Result<Vec<(NaiveDate, i64)>> {
    let first = today.checked_sub_days(Days::new(DAYS - 1)).unwrap_or(today);
    if let Some(ids) = named_tasks(connection, asked).await? {
        let spread = spread_of(connection, asked, &ids).await?;
        let of =
            |day: NaiveDate| (day, spread.iter().filter(|row| row.day == Some(day)).map(|row| row.number).sum::<i64>());
        return Ok(first.iter_days().take_while(|day| *day <= today).map(of).collect());
    }
    let found = sqlx::query!(
        r#"select d.date as "date!", sum(d.homework_submitted)::bigint as "number!"
           from stat_class_day d left join class k on k.id = d.class_id
           where d.date between $3 and $4
             and d.course_id = coalesce(($5::bigint[])[7], 0)
             and ($1::bigint[] is null or d.site_id = any($1) or d.class_id = any($2::bigint[]))
             and (($5::bigint[])[2] is null or k.grade_id = ($5::bigint[])[2])
             and (($5::bigint[])[3] is null or k.level_id = ($5::bigint[])[3])
             and (($5::bigint[])[4] is null or k.major_id = ($5::bigint[])[4])
             and (($5::bigint[])[5] is null or d.site_id = ($5::bigint[])[5])
             and (($5::bigint[])[6] is null or d.class_id = ($5::bigint[])[6])
             and ($6::text is null or exists (select from major f where f.id = k.major_id and f.study_form = $6))
           group by d.date"#,
        asked.scope.sites(),
        asked.scope.classes(),
        first,
        today,
        &asked.ids as &[Option<i64>],
        asked.study_form()
    )
    .fetch_all(connection)
    .await?;
    let of = |day: NaiveDate| (day, found.iter().find(|row| row.date == day).map_or(0, |row| row.number));
    Ok(first.iter_days().take_while(|day| *day <= today).map(of).collect())
}

/// How many homeworks end on each of the last days.
pub(super) async fn deadlines(
    connection: &mut PgConnection,
    asked: &Asked,
    today: NaiveDate,
) -> Result<Vec<(NaiveDate, i64)>> {
    let first = today.checked_sub_days(Days::new(DAYS - 1)).unwrap_or(today);
    let ids = tasks(connection, asked).await?;
    let found = sqlx::query!(
        r#"select (h.ends_at at time zone 'Asia/Shanghai')::date as "date!", count(*) as "number!" from homework h
           where h.id = any($1) group by 1"#,
        &ids
    )
    .fetch_all(connection)
    .await?;
    let of = |day: NaiveDate| (day, found.iter().find(|row| row.date == day).map_or(0, |row| row.number));
    Ok(first.iter_days().take_while(|day| *day <= today).map(of).collect())
}
