//! A row of each school, of what the schools publish: no call of the operators walks over the schools (part 05 A5, F). Who was suspended
//! or archived is named beside the rows; their last figures stand, and are not shown among those of today.

use std::sync::Arc;

use infra::{
    Allowed, Error, Paging, Result,
    access::{Caller, EachSchool, Permission},
    across::{LeftOut, SchoolNotice},
    clock::Moment,
    directory::School,
    transfer::Exported,
};
use serde_json::json;
use sqlx::PgConnection;
use statistics_rules::enums::StatChartKind;

use crate::{
    file,
    filter::{Slice, StatFilter, shows_nothing_whole},
    screen::Screen,
    table::{AsOf, Col, Found, StatCharts, StatRow, StatSummary, StatTable, card, chart, point},
};

/// Schools that are told by name in a chart.
const TOP: usize = 10;
/// Of fewer people of a school no mean is told.
pub(crate) const LEAST: i64 = 5;

/// The sums of a semester of a school.
#[derive(Debug, Clone, Default)]
pub(crate) struct Published {
    pub school_id: i64,
    pub school_name: String,
    pub students: i64,
    pub classes: i64,
    pub roster: i64,
    pub not_started: i64,
    pub studying: i64,
    pub finished: i64,
    pub reached: i64,
    pub progress_sum: i64,
    pub study_seconds: i64,
    pub hw_tasks: i64,
    pub hw_should: i64,
    pub hw_handed: i64,
    pub hw_on_time: i64,
    pub hw_marked: i64,
    pub hw_missed: i64,
    pub hw_pending: i64,
    pub hw_scored: i64,
    pub hw_score_sum: i64,
    pub hw_passed: i64,
    pub exams: i64,
    pub enrolled: i64,
    pub should: i64,
    pub present: i64,
    pub absent: i64,
    pub deferred: i64,
    pub exempt: i64,
    pub disqualified: i64,
    pub cheating: i64,
    pub violation: i64,
    pub scored: i64,
    pub score_sum: i64,
    pub passed: i64,
    pub excellent: i64,
    pub risk_high: i64,
}

macro_rules! add {
    ($sum:ident, $other:ident, $($field:ident),+) => { $($sum.$field += $other.$field;)+ };
}

impl Published {
    fn add(&mut self, other: &Self) {
        add!(
            self,
            other,
            students,
            classes,
            roster,
            not_started,
            studying,
            finished,
            reached,
            progress_sum,
            study_seconds,
            hw_tasks,
            hw_should,
            hw_handed,
            hw_on_time,
            hw_marked,
            hw_missed,
            hw_pending,
            hw_scored,
            hw_score_sum,
            hw_passed,
            exams,
            enrolled,
            should,
            present,
            absent,
            deferred,
            exempt,
            disqualified,
            cheating,
            violation,
            scored,
            score_sum,
            passed,
            excellent,
            risk_high
        );
    }
}

/// The sums of each school that the operator may see, the largest first, and up to when all of them go.
async fn published(
    connection: &mut PgConnection,
    user_id: i64,
    filter: &StatFilter,
) -> Result<(Vec<Published>, Option<Moment>)> {
    let semester = filter.semester_text.as_deref().map(str::trim).filter(|text| !text.is_empty());
    let rows = sqlx::query_as!(
        Published,
        r#"select t.school_id as "school_id!", s.name as "school_name!", sum(t.students)::bigint as "students!",
                  sum(t.classes)::bigint as "classes!", sum(t.roster)::bigint as "roster!",
                  sum(t.not_started)::bigint as "not_started!", sum(t.studying)::bigint as "studying!",
                  sum(t.finished)::bigint as "finished!", sum(t.reached)::bigint as "reached!",
                  sum(t.progress_sum)::bigint as "progress_sum!", sum(t.study_seconds)::bigint as "study_seconds!",
                  sum(t.hw_tasks)::bigint as "hw_tasks!", sum(t.hw_should)::bigint as "hw_should!",
                  sum(t.hw_handed)::bigint as "hw_handed!", sum(t.hw_on_time)::bigint as "hw_on_time!",
                  sum(t.hw_marked)::bigint as "hw_marked!", sum(t.hw_missed)::bigint as "hw_missed!",
                  sum(t.hw_pending)::bigint as "hw_pending!", sum(t.hw_scored)::bigint as "hw_scored!",
                  sum(t.hw_score_sum)::bigint as "hw_score_sum!", sum(t.hw_passed)::bigint as "hw_passed!",
                  sum(t.exams)::bigint as "exams!", sum(t.enrolled)::bigint as "enrolled!", sum(t.should)::bigint as "should!",
                  sum(t.present)::bigint as "present!", sum(t.absent)::bigint as "absent!",
                  sum(t.deferred)::bigint as "deferred!", sum(t.exempt)::bigint as "exempt!",
                  sum(t.disqualified)::bigint as "disqualified!", sum(t.cheating)::bigint as "cheating!",
                  sum(t.violation)::bigint as "violation!", sum(t.scored)::bigint as "scored!",
                  sum(t.score_sum)::bigint as "score_sum!", sum(t.passed)::bigint as "passed!",
                  sum(t.excellent)::bigint as "excellent!", sum(t.risk_high)::bigint as "risk_high!"
           from platform.stat_school_term t
           join platform.school s on s.id = t.school_id and s.deleted_at is null and s.status in ('trial', 'active')
           join platform.sys_user u on u.id = $1
           where t.kind = 'total' and (t.semester_code = $2 or $2::text is null and t.is_current)
             and (u.school_scope = 'all' or exists (
                  select from platform.sys_user_school b where b.user_id = u.id and b.school_id = s.id and b.enabled))
           group by t.school_id, s.name, s.code
           order by sum(t.roster) desc, s.code"#,
        user_id,
        semester
    )
    .fetch_all(&mut *connection)
    .await?;
    let shown: Vec<i64> = rows.iter().map(|row| row.school_id).collect();
    let until = sqlx::query_scalar!(
        r#"select min(t.computed_at) as "until?" from platform.stat_school_term t
           where t.kind = 'total' and t.school_id = any($1) and (t.semester_code = $2 or $2::text is null and t.is_current)"#,
        &shown,
        semester
    )
    .fetch_one(connection)
    .await?;
    Ok((rows, until))
}

/// The schools of an operator whose figures are left out (05 F).
///
/// # Errors
/// Those of the database.
pub(crate) async fn left_out(connection: &mut PgConnection, user_id: i64) -> Result<Vec<SchoolNotice>> {
    let rows = sqlx::query!(
        r#"select s.id, coalesce(nullif(s.short_name, ''), s.name) as "name!", s.status from platform.school s
           join platform.sys_user u on u.id = $1
           where s.deleted_at is null and s.provision_state = 'ready' and s.status not in ('trial', 'active')
             and (u.school_scope = 'all' or exists (
                  select from platform.sys_user_school b where b.user_id = u.id and b.school_id = s.id and b.enabled))
           order by s.id"#,
        user_id
    )
    .fetch_all(connection)
    .await?;
    let notice = |id, name, status: &str| SchoolNotice {
        school_id: id,
        school_name: name,
        reason: if status == "suspended" { LeftOut::Suspended } else { LeftOut::Archived },
    };
    Ok(rows.into_iter().map(|row| notice(row.id, row.name, &row.status)).collect())
}

/// Over schools nothing is asked of their own units, nor what their sums do not tell apart.
fn only_schools(filter: &StatFilter) -> Result<()> {
    let own = [filter.semester_id, filter.grade_id, filter.level_id, filter.major_id, filter.site_id, filter.class_id];
    let named = [filter.course_id, filter.batch_id, filter.setup_id, filter.homework_id, filter.teacher_id];
    let told = [
        filter.study_form.is_some(),
        filter.standing.is_some(),
        filter.reached.is_some(),
        filter.mode.is_some(),
        filter.round.is_some(),
        filter.ends_from.is_some(),
        filter.ends_to.is_some(),
        filter.keyword.as_deref().is_some_and(|keyword| !keyword.trim().is_empty()),
    ];
    if own.iter().chain(&named).any(Option::is_some) || told.contains(&true) {
        return Err(Error::field("schoolId", "请选择院校"));
    }
    Ok(())
}

/// Up to when what all of some schools publish goes: now, where none has published.
///
/// # Errors
/// Those of the database.
pub(crate) async fn published_until(connection: &mut PgConnection, schools: &[i64], now: Moment) -> Result<AsOf> {
    let until = sqlx::query_scalar!(
        r#"select min(w.published_at) as "until?" from platform.stat_watch w where w.school_id = any($1)"#,
        schools
    )
    .fetch_one(connection)
    .await?;
    Ok(AsOf { computed_at: now, data_until: until.unwrap_or(now) })
}

fn as_of(caller: &Caller, until: Option<Moment>) -> AsOf {
    let now = caller.app().clock().now();
    AsOf { computed_at: now, data_until: until.unwrap_or(now) }
}

/// A row of each school of an operator, all of them.
pub(crate) struct OfSchools {
    pub columns: &'static [Col],
    pub found: Found,
    pub as_of: AsOf,
    pub notices: Vec<SchoolNotice>,
}

impl OfSchools {
    /// A page of the rows.
    pub(crate) fn page(self, paging: Paging) -> StatTable {
        let found = Found { rows: Slice::from(paging).of(self.found.rows), ..self.found };
        StatTable { notices: self.notices, ..StatTable::of("院校", self.columns, found, paging, self.as_of) }
    }

    /// All of them as a file: there are so few that nobody waits for a job.
    ///
    /// # Errors
    /// 429 when all places for exports are taken.
    pub(crate) async fn file<P: Permission<Realm = EachSchool>>(
        self,
        caller: &Allowed<P>,
        title: &'static str,
        said: &[(&str, String)],
    ) -> Result<Exported> {
        shows_nothing_whole(caller.caller())?;
        let app = caller.app();
        let _place = app.export_place()?;
        let (file, rows) = file::written(app, title, said, ("院校", self.columns), (&self.found, self.as_of)).await?;
        caller.note("export", json!({ "rows": rows, "plain": false }));
        Ok(Exported::File(file))
    }
}

/// The rows of a screen over all schools.
///
/// # Errors
/// 422 where something of a school's own units is asked for.
pub(crate) async fn all<S: Screen, P: Permission<Realm = EachSchool>>(
    caller: &Allowed<P>,
    filter: &StatFilter,
) -> Result<OfSchools> {
    only_schools(filter)?;
    let mut tx = caller.platform().await?;
    let (rows, until) = published(&mut tx, caller.user_id(), filter).await?;
    let mut sums = Published::default();
    rows.iter().for_each(|row| sums.add(row));
    let total = (!rows.is_empty()).then(|| StatRow::total(S::of_school(&sums, LEAST)));
    let total_count = i64::try_from(rows.len()).unwrap_or(i64::MAX);
    let shown = rows.into_iter().map(|row| {
        StatRow::new(row.school_id, row.school_name.clone(), S::of_school(&row, LEAST))
            .of_school(row.school_id, row.school_name)
    });
    let found = Found { total_count, rows: shown.collect(), total };
    let notices = left_out(&mut tx, caller.user_id()).await?;
    let as_of = as_of(caller.caller(), until);
    Ok(OfSchools { columns: S::school_columns(), found, as_of, notices })
}

/// The cards over all schools.
pub(crate) async fn summary<S: Screen, P: Permission<Realm = EachSchool>>(
    caller: &Allowed<P>,
    filter: &StatFilter,
) -> Result<StatSummary> {
    only_schools(filter)?;
    let mut tx = caller.platform().await?;
    let (rows, until) = published(&mut tx, caller.user_id(), filter).await?;
    let mut sums = Published::default();
    rows.iter().for_each(|row| sums.add(row));
    let cells = S::of_school(&sums, LEAST);
    let cards = S::school_columns()
        .iter()
        .zip(cells)
        .map(|(column, cell)| card(column.key, column.title, cell.number, "", column.help));
    let as_of = as_of(caller.caller(), until);
    Ok(StatSummary { computed_at: as_of.computed_at, data_until: as_of.data_until, cards: cards.collect() })
}

/// The first figure of the largest schools.
pub(crate) async fn charts<S: Screen, P: Permission<Realm = EachSchool>>(
    caller: &Allowed<P>,
    filter: &StatFilter,
) -> Result<StatCharts> {
    only_schools(filter)?;
    let mut tx = caller.platform().await?;
    let (rows, until) = published(&mut tx, caller.user_id(), filter).await?;
    let columns = S::school_columns();
    let charts = columns
        .iter()
        .enumerate()
        .filter(|(_, column)| column.kind == statistics_rules::enums::StatColumnKind::Percent)
        .map(|(at, column)| {
            let points = rows.iter().take(TOP).filter_map(|row| {
                point(row.school_name.clone(), S::of_school(row, LEAST).get(at).and_then(|cell| cell.number))
            });
            chart(column.key, column.title, (StatChartKind::Bar, "%"), vec![(column.title, points.collect())])
        });
    let as_of = as_of(caller.caller(), until);
    Ok(StatCharts { computed_at: as_of.computed_at, data_until: as_of.data_until, charts: charts.collect() })
}

/// The school that is meant, for what needs one.
///
/// # Errors
/// 422 for an operator who names none.
pub(crate) fn one(caller: &Caller) -> Result<Arc<School>> {
    caller.school.clone().ok_or_else(|| Error::field("schoolId", "请选择院校"))
}
