//! The rows of each tab. Who signed in belongs to where they were on the day; who is in the register, to where they are.

use std::collections::HashMap;

use chrono::NaiveDate;
use infra::{Result, clock::Moment};
use sqlx::PgConnection;
use statistics_rules::{
    enums::{LoginStanding, LoginTab},
    presence::devices as words_of,
    rates,
};
use student_status::enums::StudyForm;

use super::{Wanted, peak};
use crate::{
    filter::Slice,
    screen::told,
    table::{Found, StatCell, StatRow, cell},
    video::rows::{ClassFacts, class_facts},
};

/// Who signed in of a group.
#[derive(Debug, Clone, Default)]
pub(crate) struct Signed {
    pub key: i64,
    pub active: i64,
    pub people: i64,
    pub logins: i64,
    pub seconds: i64,
    pub never: i64,
}

impl Signed {
    pub(crate) fn cells(&self, least: Option<i64>) -> Vec<StatCell> {
        vec![
            cell::count(self.active),
            cell::count(self.people),
            cell::percent(self.people, self.active),
            cell::count(self.logins),
            told(self.people, least, cell::number(rates::each(self.logins, self.people))),
            cell::hours(self.seconds),
            cell::count(self.never),
        ]
    }
}

/// A statement over the days `l` of students that a [`Wanted`] names. Who left is none of the register that the rates are of.
macro_rules! of_logins {
    ($query:ident [$($row:ident)?] [$($head:tt)+] $wanted:ident [$($tail:tt)*] $(, $extra:expr)*) => {
        sqlx::$query!(
            $($row,)?
            $($head)+ +
            " from stat_login_day l join student s on s.id = l.owner_id
              where l.owner_kind = 'student' and s.active and l.date between $1 and $2
                and ($3::bigint[] is null or l.site_id = any($3) or l.class_id = any($4::bigint[]))
                and (($5::bigint[])[1] is null or s.grade_id = ($5::bigint[])[1])
                and (($5::bigint[])[2] is null or s.level_id = ($5::bigint[])[2])
                and (($5::bigint[])[3] is null or s.major_id = ($5::bigint[])[3])
                and (($5::bigint[])[4] is null or l.site_id = ($5::bigint[])[4])
                and (($5::bigint[])[5] is null or l.class_id = ($5::bigint[])[5])
                and ($6::text is null or s.study_form = $6) "
            $($tail)*,
            $wanted.first,
            $wanted.last,
            $wanted.scope.sites(),
            $wanted.scope.classes(),
            &$wanted.ids as &[Option<i64>],
            $wanted.form
            $(, $extra)*
        )
    };
}

/// What is asked for in words, for the first sheet of a file; a site or class outside the scope has no name there.
pub(super) async fn words(connection: &mut PgConnection, wanted: &Wanted) -> Result<Vec<(&'static str, String)>> {
    let named = sqlx::query!(
        r#"select (select name from grade where id = ($1::bigint[])[1]) as grade,
                  (select name from level where id = ($1::bigint[])[2]) as level,
                  (select name from major where id = ($1::bigint[])[3]) as major,
                  (select i.name from site i
                   where i.id = ($1::bigint[])[4]
                     and ($2::bigint[] is null or i.id = any($2)
                          or exists (select from class k where k.site_id = i.id and k.id = any($3::bigint[])))) as site,
                  (select k.name from class k
                   where k.id = ($1::bigint[])[5]
                     and ($2::bigint[] is null or k.site_id = any($2) or k.id = any($3::bigint[]))) as class"#,
        &wanted.ids as &[Option<i64>],
        wanted.scope.sites(),
        wanted.scope.classes()
    )
    .fetch_one(connection)
    .await?;
    let of_people = wanted.tab == LoginTab::Student;
    let form = wanted.form.and_then(StudyForm::parse).map(|form| form.zh().to_owned());
    let standing = wanted.standing.and_then(LoginStanding::parse).map(|standing| standing.zh().to_owned());
    let told = [
        ("年级", named.grade),
        ("层次", named.level),
        ("专业", named.major),
        ("学习形式", form),
        ("站点", named.site),
        ("班级", named.class),
        ("登录状态", standing.filter(|_| of_people)),
        ("未登录天数", wanted.silent_days.filter(|_| of_people).map(|days| days.to_string())),
        ("关键字", wanted.word.clone().filter(|_| of_people)),
    ];
    Ok(told.into_iter().filter_map(|(what, value)| Some((what, value?))).collect())
}

/// Who signed in by `site`, `class` or all together, with who could have.
async fn groups(connection: &mut PgConnection, wanted: &Wanted, by: &str) -> Result<Vec<Signed>> {
    let signed = of_logins!(query_as [Signed]
        [r#"select case $7::text when 'site' then l.site_id when 'class' then l.class_id else 0 end as "key!",
                   0::bigint as "active!", count(distinct l.owner_id) as "people!",
                   coalesce(sum(l.logins), 0)::bigint as "logins!",
                   coalesce(sum(l.active_seconds), 0)::bigint as "seconds!", 0::bigint as "never!""#]
        wanted
        [+ " group by 1"],
        by);
    let signed: Vec<Signed> = signed.fetch_all(&mut *connection).await?;
    let register = sqlx::query_as!(
        Signed,
        r#"select case $5::text when 'site' then s.site_id when 'class' then coalesce(s.class_id, 0) else 0 end as "key!",
                  count(*) as "active!", 0::bigint as "people!", 0::bigint as "logins!", 0::bigint as "seconds!",
                  count(*) filter (where not exists (
                      select from client_account a
                      where a.owner_kind = 'student' and a.owner_id = s.id and a.first_login_at is not null)) as "never!"
           from student s
           where s.active and ($1::bigint[] is null or s.site_id = any($1) or s.class_id = any($2::bigint[]))
             and (($3::bigint[])[1] is null or s.grade_id = ($3::bigint[])[1])
             and (($3::bigint[])[2] is null or s.level_id = ($3::bigint[])[2])
             and (($3::bigint[])[3] is null or s.major_id = ($3::bigint[])[3])
             and (($3::bigint[])[4] is null or s.site_id = ($3::bigint[])[4])
             and (($3::bigint[])[5] is null or s.class_id = ($3::bigint[])[5])
             and ($4::text is null or s.study_form = $4)
           group by 1"#,
        wanted.scope.sites(),
        wanted.scope.classes(),
        &wanted.ids as &[Option<i64>],
        wanted.form,
        by
    )
    .fetch_all(connection)
    .await?;
    let mut groups: HashMap<i64, Signed> = register.into_iter().map(|row| (row.key, row)).collect();
    for row in signed {
        let group = groups.entry(row.key).or_insert_with(|| Signed { key: row.key, ..Signed::default() });
        group.people = row.people;
        group.logins = row.logins;
        group.seconds = row.seconds;
    }
    Ok(groups.into_values().collect())
}

fn count_of<T>(rows: &[T]) -> i64 {
    i64::try_from(rows.len()).unwrap_or(i64::MAX)
}

async fn total(connection: &mut PgConnection, wanted: &Wanted) -> Result<Signed> {
    Ok(groups(connection, wanted, "all").await?.pop().unwrap_or_default())
}

pub(super) async fn of_sites(connection: &mut PgConnection, wanted: &Wanted, slice: Slice) -> Result<Found> {
    let mut groups = groups(connection, wanted, "site").await?;
    let ids: Vec<i64> = groups.iter().map(|group| group.key).collect();
    let names = sqlx::query!("select id, name from site where id = any($1)", &ids).fetch_all(&mut *connection).await?;
    let names: HashMap<i64, String> = names.into_iter().map(|row| (row.id, row.name)).collect();
    let name = |id: i64| names.get(&id).cloned().unwrap_or_default();
    groups.sort_by_cached_key(|group| (infra::pinyin::text_pinyin(&name(group.key)), group.key));
    let all = total(connection, wanted).await?;
    let total_count = count_of(&groups);
    let total = (total_count > 0).then(|| StatRow::total(all.cells(wanted.least)));
    let rows =
        slice.of(groups).into_iter().map(|group| StatRow::new(group.key, name(group.key), group.cells(wanted.least)));
    Ok(Found { total_count, rows: rows.collect(), total })
}

pub(super) async fn of_classes(connection: &mut PgConnection, wanted: &Wanted, slice: Slice) -> Result<Found> {
    let mut groups = groups(connection, wanted, "class").await?;
    let ids: Vec<i64> = groups.iter().map(|group| group.key).collect();
    let known = class_facts(connection, &ids).await?;
    let none = ClassFacts { name: "未分班".to_owned(), ..ClassFacts::default() };
    let facts = |id: i64| known.get(&id).unwrap_or(&none);
    groups.sort_by_cached_key(|group| (infra::pinyin::text_pinyin(&facts(group.key).name), group.key));
    let all = total(connection, wanted).await?;
    let total_count = count_of(&groups);
    let total = (total_count > 0).then(|| {
        let mut cells = vec![cell::text(None), cell::text(None)];
        cells.extend(all.cells(wanted.least));
        StatRow::total(cells)
    });
    let rows = slice.of(groups).into_iter().map(|group| {
        let facts = facts(group.key);
        let mut cells = vec![cell::text(facts.site.clone()), cell::text(facts.manager.clone())];
        cells.extend(group.cells(wanted.least));
        StatRow::new(group.key, facts.name.clone(), cells)
    });
    Ok(Found { total_count, rows: rows.collect(), total })
}

/// Who signed in on a day.
#[derive(Debug, Clone)]
pub(super) struct Day {
    pub date: NaiveDate,
    pub people: i64,
    pub logins: i64,
    pub seconds: i64,
}

/// Every day of the span.
pub(super) async fn by_day(connection: &mut PgConnection, wanted: &Wanted) -> Result<Vec<Day>> {
    let found = of_logins!(query_as [Day]
        [r#"select l.date as "date!", count(*) as "people!", coalesce(sum(l.logins), 0)::bigint as "logins!",
                   coalesce(sum(l.active_seconds), 0)::bigint as "seconds!""#]
        wanted
        [+ " group by l.date"]);
    let found: Vec<Day> = found.fetch_all(connection).await?;
    let of = |date: NaiveDate| {
        let none = Day { date, people: 0, logins: 0, seconds: 0 };
        found.iter().find(|day| day.date == date).cloned().unwrap_or(none)
    };
    Ok(wanted.first.iter_days().take_while(|day| *day <= wanted.last).map(of).collect())
}

/// How many signed in in an hour of a day.
struct Hour {
    date: NaiveDate,
    hour: i32,
    people: i64,
}

async fn by_hour(connection: &mut PgConnection, wanted: &Wanted) -> Result<Vec<Hour>> {
    let rows = of_logins!(query_as [Hour]
        [r#"select x.date as "date!", h.hour as "hour!", count(*) as "people!"
            from generate_series(0, 23) as h (hour)
            join (select l.date, l.hour_mask"#]
        wanted
        [+ ") x on x.hour_mask & (1 << h.hour) <> 0 group by x.date, h.hour"]);
    Ok(rows.fetch_all(connection).await?)
}

pub(super) async fn of_days(connection: &mut PgConnection, wanted: &Wanted, slice: Slice) -> Result<Found> {
    let mut days = by_day(connection, wanted).await?;
    days.reverse();
    let hours = by_hour(connection, wanted).await?;
    let all = total(connection, wanted).await?;
    let total_count = count_of(&days);
    let peak_of = |date: Option<NaiveDate>| {
        let mut sums = [0_i64; 24];
        for row in hours.iter().filter(|row| date.is_none_or(|date| row.date == date)) {
            if let Some(sum) = usize::try_from(row.hour).ok().and_then(|hour| sums.get_mut(hour)) {
                *sum += row.people;
            }
        }
        peak(sums)
    };
    let of = |people: i64, logins: i64, seconds: i64, peak: Option<String>| {
        vec![cell::count(people), cell::count(logins), cell::hours(seconds), cell::text(peak)]
    };
    // Different people of the whole span: days do not add up.
    let total = Some(StatRow::total(of(all.people, all.logins, all.seconds, peak_of(None))));
    let rows = slice.of(days).into_iter().zip(0..).map(|(day, place)| {
        let cells = of(day.people, day.logins, day.seconds, peak_of(Some(day.date)));
        StatRow::new(slice.offset + place + 1, day.date.to_string(), cells)
    });
    Ok(Found { total_count, rows: rows.collect(), total })
}

/// People by kind of device, in the order of their bits.
pub(super) async fn devices(connection: &mut PgConnection, wanted: &Wanted) -> Result<Vec<i64>> {
    let row = of_logins!(query_scalar []
        [r#"select array[count(*) filter (where l.device_mask & 1 <> 0), count(*) filter (where l.device_mask & 2 <> 0),
                         count(*) filter (where l.device_mask & 4 <> 0), count(*) filter (where l.device_mask & 8 <> 0)]
                   as "devices!""#]
        wanted
        []);
    Ok(row.fetch_one(connection).await?)
}

/// Seven weekdays of 24 hours.
pub(super) async fn heat(connection: &mut PgConnection, wanted: &Wanted) -> Result<[[i64; 24]; 7]> {
    use chrono::Datelike;
    let mut heat = [[0; 24]; 7];
    for row in by_hour(connection, wanted).await? {
        let weekday = row.date.weekday().num_days_from_monday() as usize;
        if let Some(sum) = usize::try_from(row.hour).ok().and_then(|hour| heat[weekday].get_mut(hour)) {
            *sum += row.people;
        }
    }
    Ok(heat)
}

/// A student with their sign-ins.
struct Line {
    id: i64,
    student_no: Option<String>,
    name: String,
    grade: String,
    level: String,
    major: String,
    site: String,
    class: Option<String>,
    logins: i64,
    days: i64,
    seconds: i64,
    first_at: Option<Moment>,
    last_at: Option<Moment>,
    mask: i32,
}

pub(super) async fn of_students(
    connection: &mut PgConnection,
    wanted: &Wanted,
    slice: Slice,
    today: NaiveDate,
) -> Result<Found> {
    let page = sqlx::query!(
        r#"select s.id as "id!", count(*) over () as "total!"
           from student s
           left join client_account a on a.owner_kind = 'student' and a.owner_id = s.id
           where s.active and ($1::bigint[] is null or s.site_id = any($1) or s.class_id = any($2::bigint[]))
             and (($3::bigint[])[1] is null or s.grade_id = ($3::bigint[])[1])
             and (($3::bigint[])[2] is null or s.level_id = ($3::bigint[])[2])
             and (($3::bigint[])[3] is null or s.major_id = ($3::bigint[])[3])
             and (($3::bigint[])[4] is null or s.site_id = ($3::bigint[])[4])
             and (($3::bigint[])[5] is null or s.class_id = ($3::bigint[])[5])
             and ($4::text is null or s.study_form = $4)
             and ($5::text is null or s.id_card_no = $5) and ($6::text is null or s.phone = $6)
             and ($7::text is null or s.student_no like $7 or s.examinee_no like $7
                  or ($7 !~ '[0-9]' and s.initials like lower(rtrim($7, '%')) || '%'))
             and ($8::text[] is null or s.name_grams @> $8)
             and ($9::text is null
                  or $9 = 'never' and a.first_login_at is null
                  or $9 = 'signed_in' and exists (select from stat_login_day l where l.owner_kind = 'student'
                                                  and l.owner_id = s.id and l.date between $10 and $11)
                  or $9 = 'absent' and not exists (select from stat_login_day l where l.owner_kind = 'student'
                                                   and l.owner_id = s.id and l.date between $10 and $11))
             and ($12::integer is null or a.last_login_at is null
                  or (a.last_login_at at time zone 'Asia/Shanghai')::date <= $13::date - $12)
           order by a.last_login_at nulls first, s.id limit $14 offset $15"#,
        wanted.scope.sites(),
        wanted.scope.classes(),
        &wanted.ids as &[Option<i64>],
        wanted.form,
        wanted.keyword.id_card_no.as_deref(),
        wanted.keyword.phone.as_deref(),
        wanted.keyword.number.as_deref(),
        wanted.keyword.name_grams.as_deref(),
        wanted.standing,
        wanted.first,
        wanted.last,
        wanted.silent_days,
        today,
        slice.limit,
        slice.offset
    )
    .fetch_all(&mut *connection)
    .await?;
    let total_count = page.first().map_or(0, |row| row.total);
    let ids: Vec<i64> = page.iter().map(|row| row.id).collect();
    let lines = sqlx::query_as!(
        Line,
        r#"select s.id as "id!", s.student_no as "student_no?", s.name as "name!", g.name as "grade!", v.name as "level!",
                  m.name as "major!", t.name as "site!", k.name as "class?", x.logins as "logins!", x.days as "days!",
                  x.seconds as "seconds!", a.first_login_at as "first_at?", a.last_login_at as "last_at?", x.mask as "mask!"
           from unnest($1::bigint[]) with ordinality as w (id, place)
           join student s on s.id = w.id
           join grade g on g.id = s.grade_id
           join level v on v.id = s.level_id
           join major m on m.id = s.major_id
           join site t on t.id = s.site_id
           left join class k on k.id = s.class_id
           left join client_account a on a.owner_kind = 'student' and a.owner_id = s.id
           cross join lateral (
               select coalesce(sum(l.logins), 0)::bigint as logins, count(*) as days,
                      coalesce(sum(l.active_seconds), 0)::bigint as seconds, coalesce(bit_or(l.device_mask), 0) as mask
               from stat_login_day l
               where l.owner_kind = 'student' and l.owner_id = s.id and l.date between $2 and $3) x
           order by w.place"#,
        &ids,
        wanted.first,
        wanted.last
    )
    .fetch_all(connection)
    .await?;
    let rows = lines.into_iter().map(|line| {
        let silent = line.last_at.map(|at| (today - at.date_naive()).num_days());
        let cells = vec![
            cell::text(line.student_no),
            cell::text(Some(line.grade)),
            cell::text(Some(line.level)),
            cell::text(Some(line.major)),
            cell::text(Some(line.site)),
            cell::text(line.class),
            cell::count(line.logins),
            cell::count(line.days),
            cell::hours(line.seconds),
            cell::time(line.first_at),
            cell::time(line.last_at),
            cell::text(Some(words_of(line.mask))),
            silent.map_or_else(StatCell::default, cell::count),
        ];
        StatRow::new(line.id, line.name, cells).of_student(line.id)
    });
    Ok(Found { total_count, rows: rows.collect(), total: None })
}
