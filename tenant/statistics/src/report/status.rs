//! 学籍统计: the register on a day, and how it came from the beginning of the month (part 05 A6). The table of a day that is over is the
//! one that was kept as it ended; by units it is told out of the history of each student, of the ends of months alone.

use chrono::{Datelike, Days, NaiveDate};
use infra::{Error, Result};
use sqlx::PgConnection;
use statistics_rules::enums::StatChartKind;
use student_status::enums::{StatusChangeKind, StudentStatus, WithdrawReason};

use super::{Groups, Wanted, names, table};
use crate::table::{Col, Found, StatCell, StatChart, cell, chart, count, counted, text};

/// The words of the statuses in the order of the columns.
pub(super) const STATUSES: [(&str, &str); 9] = [
    ("pending_registration", "待注册"),
    ("registered", "在籍"),
    ("suspended", "休学"),
    ("expired", "超学制"),
    ("withdrawn", "退学"),
    ("transferred_out", "转出"),
    ("graduated", "毕业"),
    ("completed", "结业"),
    ("incomplete", "肄业"),
];
/// The key of whoever is, or was, at another site than the one that is asked for.
const ELSEWHERE: &str = "!";
/// So many of them, from the first, go on.
const ACTIVE: usize = 4;

const PENDING: Col = count("pending", "待注册", "");
const REGISTERED: Col = count("registered", "在籍", "");
const SUSPENDED: Col = count("suspended", "休学", "");
const EXPIRED: Col = count("expired", "超学制", "");
const WITHDRAWN: Col = count("withdrawn", "退学", "");
const TRANSFERRED: Col = count("transferredOut", "转出", "");
const GRADUATED: Col = count("graduated", "毕业", "");
const COMPLETED: Col = count("completed", "结业", "");
const INCOMPLETE: Col = count("incomplete", "肄业", "");
const ALL: Col = count("all", "合计", "各状态之和");

pub(super) const COLUMNS: [Col; 20] = [
    PENDING,
    REGISTERED,
    SUSPENDED,
    EXPIRED,
    WITHDRAWN,
    TRANSFERRED,
    GRADUATED,
    COMPLETED,
    INCOMPLETE,
    ALL,
    count("opening", "期初", "上月末的待注册、在籍、休学、超学制"),
    count("entered", "增加：报到", "本月入学"),
    count("restored", "增加：恢复", "本月由非在籍恢复"),
    count("movedIn", "增加：转入", "本月由其他单位转入"),
    count("dropped", "减少：退学", "本月退学"),
    count("left", "减少：转出", "本月转出学校"),
    count("finished", "减少：毕结肄", "本月毕业、结业、肄业"),
    count("movedOut", "减少：转往", "本月转往其他单位"),
    count("closing", "期末", "统计日期的待注册、在籍、休学、超学制"),
    count("difference", "差异", "期末－（期初＋增加－减少），应为0"),
];

pub(super) const OF_SCHOOL: [Col; 11] = [
    PENDING,
    REGISTERED,
    SUSPENDED,
    EXPIRED,
    WITHDRAWN,
    TRANSFERRED,
    GRADUATED,
    COMPLETED,
    INCOMPLETE,
    ALL,
    text("date", "上报日期"),
];

/// Each status, then all of them.
pub(super) fn numbers(numbers: &[i64; STATUSES.len()]) -> Vec<StatCell> {
    let mut cells: Vec<StatCell> = numbers.iter().map(|number| cell::count(*number)).collect();
    cells.push(cell::count(numbers.iter().sum()));
    cells
}

/// A unit on the day, and since the beginning of the month.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Register {
    statuses: [i64; STATUSES.len()],
    opening: i64,
    entered: i64,
    restored: i64,
    moved_in: i64,
    dropped: i64,
    left: i64,
    finished: i64,
    moved_out: i64,
}

impl Register {
    fn closing(&self) -> i64 {
        self.statuses[..ACTIVE].iter().sum()
    }

    fn difference(&self) -> i64 {
        let joined = self.entered + self.restored + self.moved_in;
        let gone = self.dropped + self.left + self.finished + self.moved_out;
        self.closing() - (self.opening + joined - gone)
    }

    fn cells(&self) -> Vec<StatCell> {
        let mut cells = numbers(&self.statuses);
        cells.extend(
            [
                self.opening,
                self.entered,
                self.restored,
                self.moved_in,
                self.dropped,
                self.left,
                self.finished,
                self.moved_out,
                self.closing(),
                self.difference(),
            ]
            .map(cell::count),
        );
        cells
    }

    fn add(&mut self, other: &Self) {
        for (sum, number) in self.statuses.iter_mut().zip(other.statuses) {
            *sum += number;
        }
        self.opening += other.opening;
        self.entered += other.entered;
        self.restored += other.restored;
        self.moved_in += other.moved_in;
        self.dropped += other.dropped;
        self.left += other.left;
        self.finished += other.finished;
        self.moved_out += other.moved_out;
    }
}

fn place(status: &str) -> Option<usize> {
    STATUSES.iter().position(|(one, _)| *one == status)
}

/// Whether somebody of this status goes on.
fn goes_on(status: &str) -> bool {
    StudentStatus::parse(status).is_some_and(StudentStatus::is_active)
}

fn last_of_month(day: NaiveDate) -> bool {
    day.succ_opt().is_some_and(|next| next.month() != day.month())
}

/// The day before the month of a day.
fn before_month(day: NaiveDate) -> NaiveDate {
    day.with_day(1).and_then(|first| first.checked_sub_days(Days::new(1))).unwrap_or(day)
}

/// How many of each group and status stood in the register as a day ended, out of the history of each student.
async fn stood(connection: &mut PgConnection, wanted: &Wanted, day: NaiveDate) -> Result<Vec<(String, String, i64)>> {
    let rows = sqlx::query!(
        r#"with later as (
               select student_id, bool_or(kind = 'enrol') as entered,
                      (array_agg(from_status order by effective_on, id) filter (where from_status <> to_status))[1] as status,
                      (array_agg(before -> 'gradeId' order by effective_on, id) filter (where before ? 'gradeId'))[1] as grade,
                      (array_agg(before -> 'levelId' order by effective_on, id) filter (where before ? 'levelId'))[1] as level,
                      (array_agg(before -> 'majorId' order by effective_on, id) filter (where before ? 'majorId'))[1] as major,
                      (array_agg(before -> 'studyForm' order by effective_on, id)
                           filter (where before ? 'studyForm'))[1] as form,
                      (array_agg(before -> 'siteId' order by effective_on, id) filter (where before ? 'siteId'))[1] as site
               from student_status_change where effective_on > $1
               group by student_id),
           stood as (
               select coalesce(h.status, s.status) as status,
                      case $2::text
                          when 'grade' then coalesce(h.grade #>> '{}', s.grade_id::text)
                          when 'level' then coalesce(h.level #>> '{}', s.level_id::text)
                          when 'major' then coalesce(h.major #>> '{}', s.major_id::text)
                          when 'study_form' then coalesce(h.form #>> '{}', s.study_form)
                          when 'site' then coalesce(h.site #>> '{}', s.site_id::text)
                          else '' end as key,
                      coalesce((h.site #>> '{}')::bigint, s.site_id) as site_id
               from student s left join later h on h.student_id = s.id
               where s.enrolled_on <= $1 and h.entered is not true
                 and ($3::bigint[] is null or s.site_id = any($3) or s.class_id = any($4::bigint[])))
           select t.key as "key!", t.status as "status!", count(*) as "number!" from stood t
           where ($5::bigint is null or t.site_id = $5)
           group by t.key, t.status"#,
        day,
        wanted.key(),
        wanted.sites(),
        wanted.classes(),
        wanted.site
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|row| (row.key, row.status, row.number)).collect())
}

/// The statuses of the whole school as a day ended, if they were kept.
async fn kept(connection: &mut PgConnection, day: NaiveDate) -> Result<Option<Vec<(String, String, i64)>>> {
    let found = sqlx::query_scalar!("select students_by_status from stat_school_day where date = $1", day)
        .fetch_optional(connection)
        .await?;
    Ok(found.and_then(|statuses| {
        let statuses = statuses.as_object()?;
        Some(
            statuses
                .iter()
                .map(|(status, number)| (String::new(), status.clone(), number.as_i64().unwrap_or_default()))
                .collect(),
        )
    }))
}

/// The statuses as a day ended.
///
/// # Errors
/// 422 for a day that was not kept, unless it is the last of its month.
async fn on(connection: &mut PgConnection, wanted: &Wanted, day: NaiveDate) -> Result<Vec<(String, String, i64)>> {
    if day == wanted.today {
        return stood(connection, wanted, day).await;
    }
    if wanted.is_whole()
        && let Some(found) = kept(&mut *connection, day).await?
    {
        return Ok(found);
    }
    if !last_of_month(day) {
        return Err(Error::field("date", "过去的日期按单位统计时，请选择月末；合计只能选择已留存的日期"));
    }
    stood(connection, wanted, day).await
}

/// Who changed between two days: from which group and status to which.
struct Moved {
    from_key: Option<String>,
    from_status: Option<String>,
    to_key: String,
    to_status: String,
    number: i64,
}

/// Only those of whom a change took effect after the first day, or who were enrolled then.
async fn moved(connection: &mut PgConnection, wanted: &Wanted, from: NaiveDate, to: NaiveDate) -> Result<Vec<Moved>> {
    Ok(sqlx::query_as!(
        Moved,
        r#"with days as (
               select d.day from unnest(array[$1::date, $2::date]) as d (day)
           ), who as (
               select distinct h.student_id as id from student_status_change h where h.effective_on > $1 and h.effective_on <= $2
               union select s.id from student s where s.enrolled_on > $1 and s.enrolled_on <= $2
           ), later as (
               select d.day, h.student_id, bool_or(h.kind = 'enrol') as entered,
                      (array_agg(h.from_status order by h.effective_on, h.id) filter (where h.from_status <> h.to_status))[1] as status,
                      (array_agg(h.before -> 'gradeId' order by h.effective_on, h.id)
                           filter (where h.before ? 'gradeId'))[1] as grade,
                      (array_agg(h.before -> 'levelId' order by h.effective_on, h.id)
                           filter (where h.before ? 'levelId'))[1] as level,
                      (array_agg(h.before -> 'majorId' order by h.effective_on, h.id)
                           filter (where h.before ? 'majorId'))[1] as major,
                      (array_agg(h.before -> 'studyForm' order by h.effective_on, h.id)
                           filter (where h.before ? 'studyForm'))[1] as form,
                      (array_agg(h.before -> 'siteId' order by h.effective_on, h.id)
                           filter (where h.before ? 'siteId'))[1] as site
               from days d
               join student_status_change h on h.effective_on > d.day and h.student_id in (select w.id from who w)
               group by d.day, h.student_id
           ), stood as (
               select s.id, d.day, coalesce(h.status, s.status) as status,
                      case $3::text
                          when 'grade' then coalesce(h.grade #>> '{}', s.grade_id::text)
                          when 'level' then coalesce(h.level #>> '{}', s.level_id::text)
                          when 'major' then coalesce(h.major #>> '{}', s.major_id::text)
                          when 'study_form' then coalesce(h.form #>> '{}', s.study_form)
                          when 'site' then coalesce(h.site #>> '{}', s.site_id::text)
                          else '' end as key,
                      coalesce((h.site #>> '{}')::bigint, s.site_id) as site_id
               from who w join student s on s.id = w.id cross join days d
               left join later h on h.student_id = s.id and h.day = d.day
               where s.enrolled_on <= d.day and h.entered is not true
                 and ($4::bigint[] is null or s.site_id = any($4) or s.class_id = any($5::bigint[]))
           )
           select case when $6::bigint is not null and a.site_id <> $6 then '!' else a.key end as "from_key?",
                  a.status as "from_status?",
                  case when $6::bigint is not null and z.site_id <> $6 then '!' else z.key end as "to_key!",
                  z.status as "to_status!", count(*) as "number!"
           from stood z left join stood a on a.id = z.id and a.day = $1
           where z.day = $2
             and ($6::bigint is null or z.site_id = $6 or a.site_id = $6)
           group by 1, 2, 3, 4"#,
        from,
        to,
        wanted.key(),
        wanted.sites(),
        wanted.classes(),
        wanted.site
    )
    .fetch_all(connection)
    .await?)
}

/// What a change adds to the groups that it touches.
fn count_in(groups: &mut Groups<Register>, one: &Moved) {
    let active = goes_on(&one.to_status);
    let (Some(from_key), Some(from_status)) = (&one.from_key, &one.from_status) else {
        if active {
            groups.entry(one.to_key.clone()).or_default().entered += one.number;
        }
        return;
    };
    match (goes_on(from_status), active) {
        (false, true) => groups.entry(one.to_key.clone()).or_default().restored += one.number,
        (true, true) if *from_key != one.to_key => {
            groups.entry(one.to_key.clone()).or_default().moved_in += one.number;
            groups.entry(from_key.clone()).or_default().moved_out += one.number;
        }
        (true, false) => {
            let group = groups.entry(from_key.clone()).or_default();
            match one.to_status.as_str() {
                "withdrawn" => group.dropped += one.number,
                "transferred_out" => group.left += one.number,
                _ => group.finished += one.number,
            }
        }
        _ => {}
    }
}

async fn groups(connection: &mut PgConnection, wanted: &Wanted) -> Result<Groups<Register>> {
    let first = before_month(wanted.day);
    let mut groups: Groups<Register> = Groups::new();
    for (key, status, number) in on(&mut *connection, wanted, wanted.day).await? {
        if let Some(place) = place(&status) {
            groups.entry(key).or_default().statuses[place] += number;
        }
    }
    // The beginning of a month is the end of another.
    for (key, status, number) in on(&mut *connection, wanted, first).await? {
        if goes_on(&status) {
            groups.entry(key).or_default().opening += number;
        }
    }
    for one in moved(connection, wanted, first, wanted.day).await? {
        count_in(&mut groups, &one);
    }
    groups.remove(ELSEWHERE);
    Ok(groups)
}

fn together(groups: &Groups<Register>) -> Register {
    let mut all = Register::default();
    groups.values().for_each(|group| all.add(group));
    all
}

pub(super) async fn found(connection: &mut PgConnection, wanted: &Wanted) -> Result<Found> {
    let groups = groups(&mut *connection, wanted).await?;
    let names = names(connection, wanted).await?;
    let total = wanted.dimension.is_some().then(|| together(&groups).cells());
    Ok(table(names, groups, Register::cells, total))
}

/// Changes of the month of the day, by their kind and, of those who left, by the reason.
async fn changes(connection: &mut PgConnection, wanted: &Wanted) -> Result<Vec<(String, Option<String>, i64)>> {
    let rows = sqlx::query!(
        r#"select h.kind as "kind!", case when h.kind = 'dropout' then s.status_reason end as "reason?", count(*) as "number!"
           from student_status_change h join student s on s.id = h.student_id
           where h.effective_on > $1 and h.effective_on <= $2
             and ($3::bigint[] is null or s.site_id = any($3) or s.class_id = any($4::bigint[]))
             and ($5::bigint is null or s.site_id = $5)
           group by 1, 2"#,
        before_month(wanted.day),
        wanted.day,
        wanted.sites(),
        wanted.classes(),
        wanted.site
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|row| (row.kind, row.reason, row.number)).collect())
}

pub(super) async fn charts(connection: &mut PgConnection, wanted: &Wanted) -> Result<Vec<StatChart>> {
    let groups = groups(&mut *connection, wanted).await?;
    let names = names(&mut *connection, wanted).await?;
    let mut series = Vec::with_capacity(STATUSES.len());
    for (place, (_, zh)) in STATUSES.iter().enumerate() {
        let points = names.iter().filter_map(|(key, _, name)| {
            groups.get(key).map(|register| counted(name.clone(), register.statuses[place]))
        });
        series.push((*zh, points.collect()));
    }
    let mut charts = vec![chart("statuses", "学籍状态", (StatChartKind::Share, "人"), series)];
    if wanted.is_whole() {
        let months = sqlx::query!(
            r#"select d.date as "date!", d.active_students as "active!" from stat_school_day d
               where d.date > ($1::date - interval '1 year')::date and d.date <= $1
                 and (d.date = $1 or extract(month from d.date + 1) <> extract(month from d.date))
               order by d.date"#,
            wanted.day
        )
        .fetch_all(&mut *connection)
        .await?;
        let active = months.into_iter().map(|month| counted(month.date.to_string(), month.active.into()));
        charts.push(chart("months", "各月末在籍", (StatChartKind::Line, "人"), vec![("在籍", active.collect())]));
    }
    let changes = changes(connection, wanted).await?;
    let kinds = StatusChangeKind::CHOICES.iter().filter_map(|(zh, kind)| {
        let number: i64 = changes.iter().filter(|(one, _, _)| one == kind.as_str()).map(|(_, _, number)| number).sum();
        (number > 0).then(|| counted(*zh, number))
    });
    charts.push(chart("changes", "本月异动", (StatChartKind::Bar, "人次"), vec![("人次", kinds.collect())]));
    let reasons = WithdrawReason::CHOICES.iter().filter_map(|(zh, reason)| {
        let number: i64 = changes
            .iter()
            .filter(|(_, one, _)| one.as_deref() == Some(reason.as_str()))
            .map(|(_, _, number)| number)
            .sum();
        (number > 0).then(|| counted(*zh, number))
    });
    charts.push(chart("reasons", "本月退学原因", (StatChartKind::Pie, "人"), vec![("人数", reasons.collect())]));
    Ok(charts)
}
