//! The rows of each level. Scores come in order with each class; of several classes they are put into order here, for the median of
//! groups is none of their medians.

use std::collections::HashMap;

use exam_rules::enums::{ExamEligibility, ExamMode};
use infra::Result;
use scores_rules::enums::{ScoreMark, SheetRound};
use sqlx::PgConnection;
use statistics_rules::enums::StatLevel;

use super::Sat;
use crate::{
    filter::{Asked, Slice, of_exams},
    table::{Found, StatRow, cell},
    video::rows::{ClassFacts, class_facts},
};

/// What each group of a level has come to.
async fn groups(connection: &mut PgConnection, asked: &Asked, level: StatLevel) -> Result<Vec<Sat>> {
    let rows = of_exams!(query_as [Sat]
        [r#"select case $7::text when 'exam' then o.setup_id when 'course' then o.course_id when 'class' then o.class_id
                                 when 'site' then o.site_id when 'teacher' then coalesce(l.teacher_id, 0) else 0 end as "key!",
                   count(distinct o.setup_id) as "sittings!", coalesce(sum(o.enrolled), 0)::bigint as "enrolled!",
                   coalesce(sum(o.should), 0)::bigint as "should!", coalesce(sum(o.present), 0)::bigint as "present!",
                   coalesce(sum(o.absent), 0)::bigint as "absent!", coalesce(sum(o.deferred), 0)::bigint as "deferred!",
                   coalesce(sum(o.exempt), 0)::bigint as "exempt!",
                   coalesce(sum(o.disqualified), 0)::bigint as "disqualified!",
                   coalesce(sum(o.cheating), 0)::bigint as "cheating!",
                   coalesce(sum(o.violation), 0)::bigint as "violation!", coalesce(sum(o.scored), 0)::bigint as "scored!",
                   '{}'::integer[] as "scores!",
                   coalesce(sum(o.score_sum), 0)::bigint as "score_sum!",
                   coalesce(sum(o.score_sq_sum), 0)::bigint as "score_sq_sum!",
                   coalesce(sum(o.passed), 0)::bigint as "passed!", coalesce(sum(o.excellent), 0)::bigint as "excellent!",
                   coalesce(sum(o.risk_high), 0)::bigint as "risk_high!"
            from stat_exam_class o
            left join lateral (
                select a.teacher_id from course_opening x
                join course_allocation a on a.opening_id = x.id and a.role = 'lecturer'
                where $7::text = 'teacher' and x.course_id = o.course_id and x.semester_id = o.semester_id
                  and x.status in ('opened', 'closed') and (x.grade_id is null or x.grade_id = o.grade_id)
                  and (x.major_id is null or x.major_id = o.major_id)
                  and (a.class_id = o.class_id or a.class_id is null)
                order by a.class_id nulls last, x.grade_id nulls last, a.id limit 1) l on true"#]
        asked
        [+ " group by 1 order by 1"],
        level.as_str());
    let mut groups: Vec<Sat> = rows.fetch_all(&mut *connection).await?;
    let scores = of_exams!(query_as [Scores]
        [r#"select case $7::text when 'exam' then o.setup_id when 'course' then o.course_id when 'class' then o.class_id
                                 when 'site' then o.site_id when 'teacher' then coalesce(l.teacher_id, 0) else 0 end as "key!",
                   array_agg(x.score order by x.score) as "scores!"
            from stat_exam_class o
            cross join lateral unnest(o.scores) as x (score)
            left join lateral (
                select a.teacher_id from course_opening x
                join course_allocation a on a.opening_id = x.id and a.role = 'lecturer'
                where $7::text = 'teacher' and x.course_id = o.course_id and x.semester_id = o.semester_id
                  and x.status in ('opened', 'closed') and (x.grade_id is null or x.grade_id = o.grade_id)
                  and (x.major_id is null or x.major_id = o.major_id)
                  and (a.class_id = o.class_id or a.class_id is null)
                order by a.class_id nulls last, x.grade_id nulls last, a.id limit 1) l on true"#]
        asked
        [+ " group by 1"],
        level.as_str());
    let mut scores: HashMap<i64, Vec<i32>> =
        scores.fetch_all(connection).await?.into_iter().map(|row: Scores| (row.key, row.scores)).collect();
    for group in &mut groups {
        group.scores = scores.remove(&group.key).unwrap_or_default();
    }
    Ok(groups)
}

/// The scores of a group, in order.
struct Scores {
    key: i64,
    scores: Vec<i32>,
}

pub(super) async fn total(connection: &mut PgConnection, asked: &Asked) -> Result<Sat> {
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
) -> Result<Vec<(String, Sat)>> {
    let groups = groups(connection, asked, level).await?;
    let ids: Vec<i64> = groups.iter().map(|group| group.key).collect();
    let rows = sqlx::query!(
        r#"select id as "id!", name as "name!" from course where $2 = 'course' and id = any($1)
           union all select id, name from site where $2 = 'site' and id = any($1)
           union all select id, name from class where $2 = 'class' and id = any($1)
           union all select id, name from teacher where $2 = 'teacher' and id = any($1)"#,
        &ids,
        level.as_str()
    )
    .fetch_all(connection)
    .await?;
    let names: HashMap<i64, String> = rows.into_iter().map(|row| (row.id, row.name)).collect();
    let none = if level == StatLevel::Teacher { "未安排主讲" } else { "未分班" };
    let mut named: Vec<(String, Sat)> = groups
        .into_iter()
        .map(|group| (names.get(&group.key).cloned().unwrap_or_else(|| none.to_owned()), group))
        .collect();
    named.sort_by_cached_key(|(name, group)| (infra::pinyin::text_pinyin(name), group.key));
    Ok(named)
}

pub(super) async fn of_named(connection: &mut PgConnection, asked: &Asked, slice: Slice) -> Result<Found> {
    let groups = named(connection, asked, asked.level).await?;
    let all = total(connection, asked).await?;
    let total_count = count_of(&groups);
    let total = (total_count > 0).then(|| StatRow::total(all.cells(asked.least)));
    let rows = slice.of(groups).into_iter().map(|(name, sat)| StatRow::new(sat.key, name, sat.cells(asked.least)));
    Ok(Found { total_count, rows: rows.collect(), total })
}

/// What is told of an examination beside its figures.
struct Setup {
    name: String,
    course: String,
    mode: ExamMode,
    round: SheetRound,
}

pub(super) async fn of_exams(connection: &mut PgConnection, asked: &Asked, slice: Slice) -> Result<Found> {
    let mut groups = groups(connection, asked, StatLevel::Exam).await?;
    let all = total(connection, asked).await?;
    let ids: Vec<i64> = groups.iter().map(|group| group.key).collect();
    let known = sqlx::query!(
        r#"select t.id as "id!", t.name as "name!", u.name as "course!", t.mode as "mode!: ExamMode",
                  t.round as "round!: SheetRound"
           from exam_setup t join course u on u.id = t.course_id where t.id = any($1)"#,
        &ids
    )
    .fetch_all(connection)
    .await?;
    let of = |name, course, mode, round| Setup { name, course, mode, round };
    let known: HashMap<i64, Setup> =
        known.into_iter().map(|row| (row.id, of(row.name, row.course, row.mode, row.round))).collect();
    groups.retain(|group| known.contains_key(&group.key));
    groups.reverse();
    let total_count = count_of(&groups);
    let blank = || vec![cell::text(None), cell::text(None), cell::text(None)];
    let total = (total_count > 0).then(|| {
        let mut cells = blank();
        cells.extend(all.cells(asked.least));
        StatRow::total(cells)
    });
    let rows = slice.of(groups).into_iter().filter_map(|sat| {
        let setup = known.get(&sat.key)?;
        let mut cells = vec![
            cell::text(Some(setup.course.clone())),
            cell::text(Some(setup.mode.zh().to_owned())),
            cell::text(Some(setup.round.zh().to_owned())),
        ];
        cells.extend(sat.cells(asked.least));
        Some(StatRow::new(sat.key, setup.name.clone(), cells))
    });
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
    let total = (total_count > 0).then(|| {
        let mut cells = vec![cell::text(None), cell::text(None), cell::text(None)];
        cells.extend(all.cells(asked.least));
        StatRow::total(cells)
    });
    let rows = slice.of(groups).into_iter().map(|sat| {
        let facts = facts(sat.key);
        let mut cells =
            vec![cell::text(facts.site.clone()), cell::text(facts.major.clone()), cell::text(facts.manager.clone())];
        cells.extend(sat.cells(asked.least));
        StatRow::new(sat.key, facts.name.clone(), cells)
    });
    Ok(Found { total_count, rows: rows.collect(), total })
}

pub(super) async fn of_sites(connection: &mut PgConnection, asked: &Asked, slice: Slice) -> Result<Found> {
    let groups = named(connection, asked, StatLevel::Site).await?;
    let all = total(connection, asked).await?;
    let places = places(connection, asked).await?;
    let total_count = count_of(&groups);
    let short = |sat: &Sat, places: i64| {
        let mut cells = vec![cell::count(places)];
        cells.extend(sat.short(asked.least));
        cells.push(cell::count(sat.risk_high));
        cells
    };
    let total = (total_count > 0).then(|| StatRow::total(short(&all, places.get(&0).copied().unwrap_or_default())));
    let rows = slice.of(groups).into_iter().map(|(name, sat)| {
        let cells = short(&sat, places.get(&sat.key).copied().unwrap_or_default());
        StatRow::new(sat.key, name, cells)
    });
    Ok(Found { total_count, rows: rows.collect(), total })
}

/// At how many places the students of a site are seated in the semester; under 0 of all sites, whose places are partly the same.
async fn places(connection: &mut PgConnection, asked: &Asked) -> Result<HashMap<i64, i64>> {
    let rows = sqlx::query!(
        r#"select coalesce(y.site_id, 0) as "site_id!", count(distinct r.site_id) as "places!"
           from exam_candidate e
           join exam_setup t on t.id = e.setup_id and t.mode = 'offline' and t.status in ('published', 'closed')
           join student y on y.id = e.student_id
           join offline_seat z on z.candidate_id = e.id
           join offline_session_room r on r.id = z.session_room_id
           where t.semester_id = ($3::bigint[])[1] and not e.removed
             and ($1::bigint[] is null or y.site_id = any($1) or y.class_id = any($2::bigint[]))
             and (($3::bigint[])[2] is null or y.grade_id = ($3::bigint[])[2])
             and (($3::bigint[])[3] is null or y.level_id = ($3::bigint[])[3])
             and (($3::bigint[])[4] is null or y.major_id = ($3::bigint[])[4])
             and (($3::bigint[])[5] is null or y.site_id = ($3::bigint[])[5])
             and (($3::bigint[])[6] is null or y.class_id = ($3::bigint[])[6])
             and (($3::bigint[])[7] is null or t.course_id = ($3::bigint[])[7])
             and (($3::bigint[])[8] is null or t.batch_id = ($3::bigint[])[8])
             and (($3::bigint[])[9] is null or t.id = ($3::bigint[])[9])
             and ($4::text is null or y.study_form = $4)
             and ($5::text is null or t.mode = $5) and ($6::text is null or t.round = $6)
           group by grouping sets ((y.site_id), ())"#,
        asked.scope.sites(),
        asked.scope.classes(),
        &asked.ids as &[Option<i64>],
        asked.study_form(),
        asked.filter.mode.map(ExamMode::as_str),
        asked.filter.round.map(SheetRound::as_str)
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|row| (row.site_id, row.places)).collect())
}

/// Batches of all semesters, the newest last, each with who passed of whom.
pub(super) async fn batches(connection: &mut PgConnection, asked: &Asked) -> Result<Vec<(String, i64, i64)>> {
    let rows = sqlx::query!(
        r#"select b.name as "name!", sum(o.passed)::bigint as "passed!",
                  sum(o.enrolled - o.exempt - o.deferred)::bigint as "whole!"
           from stat_exam_class o join test_batch b on b.id = o.batch_id
           where ($1::bigint[] is null or o.site_id = any($1) or o.class_id = any($2::bigint[]))
             and (($3::bigint[])[2] is null or o.grade_id = ($3::bigint[])[2])
             and (($3::bigint[])[3] is null or o.level_id = ($3::bigint[])[3])
             and (($3::bigint[])[4] is null or o.major_id = ($3::bigint[])[4])
             and (($3::bigint[])[5] is null or o.site_id = ($3::bigint[])[5])
             and (($3::bigint[])[6] is null or o.class_id = ($3::bigint[])[6])
             and (($3::bigint[])[7] is null or o.course_id = ($3::bigint[])[7])
             and ($4::text is null or exists (select from major f where f.id = o.major_id and f.study_form = $4))
             and ($5::text is null or o.mode = $5) and ($6::text is null or o.round = $6)
           group by b.id, b.name, b.exam_starts_on
           order by b.exam_starts_on nulls first, b.id"#,
        asked.scope.sites(),
        asked.scope.classes(),
        &asked.ids as &[Option<i64>],
        asked.study_form(),
        asked.filter.mode.map(ExamMode::as_str),
        asked.filter.round.map(SheetRound::as_str)
    )
    .fetch_all(connection)
    .await?;
    let last = rows.len().saturating_sub(12);
    Ok(rows.into_iter().skip(last).map(|row| (row.name, row.passed, row.whole)).collect())
}

/// A candidate.
struct Line {
    id: i64,
    student_id: i64,
    student_no: Option<String>,
    name: String,
    grade: String,
    major: String,
    site: String,
    class: Option<String>,
    exam: String,
    eligibility: ExamEligibility,
    attendance: String,
    score: Option<i64>,
    mark: Option<ScoreMark>,
}

pub(super) async fn of_students(connection: &mut PgConnection, asked: &Asked, slice: Slice) -> Result<Found> {
    let page = sqlx::query!(
        r#"select e.id as "id!", count(*) over () as "total!"
           from exam_candidate e
           join exam_setup t on t.id = e.setup_id and t.status in ('published', 'closed')
           join course_selection c on c.id = e.selection_id
           join student s on s.id = e.student_id
           where not e.removed
             and ($1::bigint[] is null or s.site_id = any($1) or s.class_id = any($2::bigint[]))
             and t.semester_id = ($3::bigint[])[1]
             and (($3::bigint[])[2] is null or s.grade_id = ($3::bigint[])[2])
             and (($3::bigint[])[3] is null or s.level_id = ($3::bigint[])[3])
             and (($3::bigint[])[4] is null or s.major_id = ($3::bigint[])[4])
             and (($3::bigint[])[5] is null or s.site_id = ($3::bigint[])[5])
             and (($3::bigint[])[6] is null or c.class_id = ($3::bigint[])[6])
             and (($3::bigint[])[7] is null or e.course_id = ($3::bigint[])[7])
             and (($3::bigint[])[8] is null or e.batch_id = ($3::bigint[])[8])
             and (($3::bigint[])[9] is null or e.setup_id = ($3::bigint[])[9])
             and ($4::text is null or s.study_form = $4)
             and ($5::text is null or t.mode = $5) and ($6::text is null or t.round = $6)
             and ($7::text is null or s.id_card_no = $7) and ($8::text is null or s.phone = $8)
             and ($9::text is null or s.student_no like $9 or s.examinee_no like $9
                  or ($9 !~ '[0-9]' and s.initials like lower(rtrim($9, '%')) || '%'))
             and ($10::text[] is null or s.name_grams @> $10)
           order by e.setup_id desc, e.id limit $11 offset $12"#,
        asked.scope.sites(),
        asked.scope.classes(),
        &asked.ids as &[Option<i64>],
        asked.study_form(),
        asked.filter.mode.map(ExamMode::as_str),
        asked.filter.round.map(SheetRound::as_str),
        asked.keyword.id_card_no.as_deref(),
        asked.keyword.phone.as_deref(),
        asked.keyword.number.as_deref(),
        asked.keyword.name_grams.as_deref(),
        slice.limit,
        slice.offset
    )
    .fetch_all(&mut *connection)
    .await?;
    let total_count = page.first().map_or(0, |row| row.total);
    let ids: Vec<i64> = page.iter().map(|row| row.id).collect();
    let lines = sqlx::query_as!(
        Line,
        r#"select e.id as "id!", s.id as "student_id!", s.student_no as "student_no?", s.name as "name!", g.name as "grade!",
                  m.name as "major!", i.name as "site!", k.name as "class?", t.name as "exam!", e.eligibility as "eligibility!: _",
                  e.attendance as "attendance!",
                  case when x.published or t.marking_status = 'transferred' then (x.value * 10)::bigint end as "score?",
                  case when x.published or t.marking_status = 'transferred' then x.mark end as "mark?: _"
           from unnest($1::bigint[]) with ordinality as w (id, place)
           join exam_candidate e on e.id = w.id
           join exam_setup t on t.id = e.setup_id
           join course_selection c on c.id = e.selection_id
           join student s on s.id = e.student_id
           join grade g on g.id = s.grade_id
           join major m on m.id = s.major_id
           join site i on i.id = s.site_id
           left join class k on k.id = c.class_id
           left join exam_score x on x.candidate_id = e.id
           order by w.place"#,
        &ids
    )
    .fetch_all(connection)
    .await?;
    let rows = lines.into_iter().map(|line| {
        let attendance = match line.attendance.as_str() {
            "present" => "到考",
            "absent" => "缺考",
            _ => "",
        };
        let cells = vec![
            cell::text(line.student_no),
            cell::text(Some(line.grade)),
            cell::text(Some(line.major)),
            cell::text(Some(line.site)),
            cell::text(line.class),
            cell::text(Some(line.exam)),
            cell::text(Some(line.eligibility.zh().to_owned())),
            cell::text(Some(attendance.to_owned())),
            cell::number(line.score.and_then(|score| statistics_rules::rates::mean(score, 1))),
            cell::text(line.mark.map(|mark| mark.zh().to_owned())),
        ];
        StatRow::new(line.id, line.name, cells).of_student(line.student_id)
    });
    Ok(Found { total_count, rows: rows.collect(), total: None })
}
