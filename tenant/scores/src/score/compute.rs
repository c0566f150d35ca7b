//! The parts of scores, computed of what study, homework, lessons and questions say, set-wise (part 04 §5.2).

use infra::{Result, Tx};
use scores_rules::{
    arith::points,
    attendance::{self, Attended},
    enums::{Applicability, ComponentKind, ScoreKind},
    homework,
    params::Params,
    questions,
    resolve::Place,
    study,
    total::Component,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;

use crate::rule::Resolver;

/// Scores that are computed at once.
const AT_ONCE: usize = 2_000;

/// All parts that are computed.
pub(crate) const fn of_all_kinds() -> &'static [ComponentKind] {
    &ComponentKind::ALL
}

/// A part of a score, computed.
struct Computed {
    score: i64,
    value: Component,
    detail: Value,
    rule: i64,
}

/// Computes parts of these scores: what is not frozen takes the value, what is frozen tells the fresh one beside its own. A value that
/// somebody entered or imported stays. Answers the scores of which a part changed.
///
/// # Errors
/// Those of the database.
pub(crate) async fn compute(tx: &mut Tx, ids: &[i64], kinds: &[ComponentKind]) -> Result<Vec<i64>> {
    let mut changed = Vec::new();
    for kind in kinds {
        let resolver = Resolver::load(tx, kind.score()).await?;
        for part in ids.chunks(AT_ONCE) {
            let computed = match kind {
                ComponentKind::Study => of_study(tx, part, &resolver).await?,
                ComponentKind::Homework => of_homework(tx, part, &resolver).await?,
                ComponentKind::Attendance => of_attendance(tx, part, &resolver).await?,
                ComponentKind::Questions => of_questions(tx, part, &resolver).await?,
            };
            changed.extend(keep(tx, *kind, &computed).await?);
        }
    }
    changed.sort_unstable();
    changed.dedup();
    Ok(changed)
}

fn place(grade: i64, level: i64, major: i64, course: i64) -> Place {
    Place { grade, level, major, course: Some(course) }
}

async fn of_study(tx: &mut Tx, ids: &[i64], resolver: &Resolver) -> Result<Vec<Computed>> {
    let rows = sqlx::query!(
        r#"select s.id as "id!", y.grade_id as "grade_id!", y.level_id as "level_id!", y.major_id as "major_id!",
                  s.course_id as "course_id!", o.teaching_mode = 'offline' as "offline!", o.online_hours as "online_hours!",
                  (p.progress * 10)::bigint as "progress?", p.study_seconds as "seconds?", p.login_days as "days?",
                  p.finished_periods as "finished?", p.total_periods as "periods?"
           from course_score s
           join student y on y.id = s.student_id
           join course_selection c on c.id = s.selection_id
           join course_opening o on o.id = c.opening_id
           left join study_course_progress p on p.id = s.selection_id
           where s.id = any($1)"#,
        ids
    )
    .fetch_all(&mut **tx)
    .await?;
    let mut computed = Vec::with_capacity(rows.len());
    for row in rows {
        let rule = resolver.of(place(row.grade_id, row.level_id, row.major_id, row.course_id));
        let Params::Study(params) = &rule.params else { continue };
        let (value, detail) = match (row.offline, row.progress) {
            (true, _) => (Component::NotApplicable, json!({})),
            (false, None) => (Component::None, json!({})),
            (false, Some(progress)) => {
                let (seconds, days) = (row.seconds.unwrap_or_default(), i64::from(row.days.unwrap_or_default()));
                let value = study::value(params, progress, seconds, days, i64::from(row.online_hours));
                let detail = json!({
                    "progress": points(progress), "minutes": seconds / 60, "days": days,
                    "finishedPeriods": row.finished, "totalPeriods": row.periods,
                });
                (Component::Value(value), detail)
            }
        };
        computed.push(Computed { score: row.id, value, detail, rule: rule.id });
    }
    Ok(computed)
}

/// Weight and score of a homework, in tenths; no score where nothing was handed in.
type Task = (i64, Option<i64>);

async fn of_homework(tx: &mut Tx, ids: &[i64], resolver: &Resolver) -> Result<Vec<Computed>> {
    let rows = sqlx::query!(
        r#"select s.id as "id!", y.grade_id as "grade_id!", y.level_id as "level_id!", y.major_id as "major_id!",
                  s.course_id as "course_id!", (h.weight * 10)::bigint as "weight?", (h.score * 10)::bigint as "score?"
           from course_score s
           join student y on y.id = s.student_id
           left join homework_result h on h.selection_id = s.selection_id
           where s.id = any($1) order by s.id, h.homework_id"#,
        ids
    )
    .fetch_all(&mut **tx)
    .await?;
    let mut of: BTreeMap<i64, (Place, Vec<Task>)> = BTreeMap::new();
    for row in rows {
        let place = place(row.grade_id, row.level_id, row.major_id, row.course_id);
        let (_, tasks) = of.entry(row.id).or_insert((place, Vec::new()));
        if let Some(weight) = row.weight {
            tasks.push((weight, row.score));
        }
    }
    let mut computed = Vec::with_capacity(of.len());
    for (score, (place, tasks)) in of {
        let rule = resolver.of(place);
        let Params::Homework(params) = &rule.params else { continue };
        let value = homework::value(params, &tasks).map_or(Component::NotApplicable, Component::Value);
        let handed = tasks.iter().filter(|(_, score)| score.is_some()).count();
        let detail = json!({ "tasks": tasks.len(), "handed": handed });
        computed.push(Computed { score, value, detail, rule: rule.id });
    }
    Ok(computed)
}

async fn of_attendance(tx: &mut Tx, ids: &[i64], resolver: &Resolver) -> Result<Vec<Computed>> {
    let rows = sqlx::query!(
        r#"select s.id as "id!", y.grade_id as "grade_id!", y.level_id as "level_id!", y.major_id as "major_id!",
                  s.course_id as "course_id!", a.required as "required?", a.late as "late?", a.leave as "leave?",
                  a.absent as "absent?", (a.rate * 10)::bigint as "rate?", (a.instruction_total * 10)::bigint as "total?"
           from course_score s
           join student y on y.id = s.student_id
           left join attendance_summary a on a.selection_id = s.selection_id
           where s.id = any($1)"#,
        ids
    )
    .fetch_all(&mut **tx)
    .await?;
    let mut computed = Vec::with_capacity(rows.len());
    for row in rows {
        let rule = resolver.of(place(row.grade_id, row.level_id, row.major_id, row.course_id));
        let Params::Attendance(params) = &rule.params else { continue };
        let came = Attended {
            sessions: row.required.unwrap_or_default(),
            absent: row.absent.unwrap_or_default(),
            late: row.late.unwrap_or_default(),
            leave: row.leave.unwrap_or_default(),
            total: row.total,
            score: row.rate,
        };
        let detail = json!({
            "sessions": came.sessions, "absent": came.absent, "late": came.late, "leave": came.leave,
            "instructionTotal": came.total.map(points),
        });
        computed.push(Computed { score: row.id, value: attendance::value(params, &came), detail, rule: rule.id });
    }
    Ok(computed)
}

async fn of_questions(tx: &mut Tx, ids: &[i64], resolver: &Resolver) -> Result<Vec<Computed>> {
    // Where nobody of an opening asked or was given a value, the part does not apply to anybody of it.
    let rows = sqlx::query!(
        r#"select s.id as "id!", y.grade_id as "grade_id!", y.level_id as "level_id!", y.major_id as "major_id!",
                  s.course_id as "course_id!", q.asked as "asked!", q.answered as "answered!",
                  exists (
                      select from course_qa x join course_selection z on z.id = x.selection_id
                      where z.opening_id = c.opening_id and not x.hidden)
                  or exists (
                      select from course_score_component k
                      join course_score v on v.id = k.course_score_id
                      join course_selection z on z.id = v.selection_id
                      where z.opening_id = c.opening_id and k.kind = 'questions' and k.source <> 'computed') as "any!"
           from course_score s
           join student y on y.id = s.student_id
           join course_selection c on c.id = s.selection_id
           join qa_summary q on q.selection_id = s.selection_id
           where s.id = any($1)"#,
        ids
    )
    .fetch_all(&mut **tx)
    .await?;
    let mut computed = Vec::with_capacity(rows.len());
    for row in rows {
        let rule = resolver.of(place(row.grade_id, row.level_id, row.major_id, row.course_id));
        let Params::Questions(params) = &rule.params else { continue };
        let value = match (row.any, row.asked + row.answered) {
            (false, 0) => Component::NotApplicable,
            (true, 0) => Component::None,
            _ => Component::Value(questions::value(params, row.asked, row.answered)),
        };
        let detail = json!({ "asked": row.asked, "answered": row.answered });
        computed.push(Computed { score: row.id, value, detail, rule: rule.id });
    }
    Ok(computed)
}

/// Writes what changed; answers the scores of which the value did.
async fn keep(tx: &mut Tx, kind: ComponentKind, computed: &[Computed]) -> Result<Vec<i64>> {
    let scores: Vec<i64> = computed.iter().map(|one| one.score).collect();
    let values: Vec<Option<i64>> = computed.iter().map(|one| one.value.value()).collect();
    let applies: Vec<&str> = computed.iter().map(|one| applicability(one.value).as_str()).collect();
    let details: Vec<Value> = computed.iter().map(|one| one.detail.clone()).collect();
    let rules: Vec<i64> = computed.iter().map(|one| one.rule).collect();
    let (by, now) = (tx.by(), tx.app().clock().now());
    let written = sqlx::query_scalar!(
        "insert into course_score_component (course_score_id, kind, value, applicability, detail, rule_id, computed_at, created_by,
             updated_by)
         select w.score, $6::text, w.value / 10.0, w.applies, w.detail, w.rule, $7::timestamptz, $8::bigint, $8::bigint
         from unnest($1::bigint[], $2::bigint[], $3::text[], $4::jsonb[], $5::bigint[])
              as w (score, value, applies, detail, rule)
         where not exists (
             select from course_score_component k
             where k.course_score_id = w.score and k.kind = $6
               and (k.frozen or k.source <> 'computed'
                    or (k.value * 10, k.applicability, k.detail, k.rule_id)
                       is not distinct from (w.value::numeric, w.applies, w.detail, w.rule)))
         on conflict (course_score_id, kind) do update
         set value = excluded.value, applicability = excluded.applicability, detail = excluded.detail, rule_id = excluded.rule_id,
             computed_at = excluded.computed_at, updated_at = excluded.updated_at, updated_by = excluded.updated_by,
             version = course_score_component.version + 1
         returning course_score_id",
        &scores,
        &values as &[Option<i64>],
        &applies as &[&str],
        &details,
        &rules,
        kind.as_str(),
        now as _,
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    // 来源已变化: a frozen part keeps its value and tells what it would be now.
    sqlx::query!(
        "update course_score_component k
         set fresh_value = case when k.value * 10 is distinct from w.value::numeric then w.value / 10.0 end,
             updated_at = now(), updated_by = $4::bigint, version = k.version + 1
         from unnest($1::bigint[], $2::bigint[]) as w (score, value)
         where k.course_score_id = w.score and k.kind = $3 and k.frozen and k.source = 'computed'
           and k.fresh_value * 10 is distinct from
               case when k.value * 10 is distinct from w.value::numeric then w.value::numeric end",
        &scores,
        &values as &[Option<i64>],
        kind.as_str(),
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(written)
}

pub(crate) const fn applicability(part: Component) -> Applicability {
    match part {
        Component::Value(_) => Applicability::Value,
        Component::None => Applicability::None,
        Component::NotApplicable => Applicability::NotApplicable,
    }
}

/// Which parts a rule of a kind changes; none for a total, which is counted of them.
pub(crate) fn parts_of(kind: ScoreKind) -> &'static [ComponentKind] {
    match kind {
        ScoreKind::Study => &[ComponentKind::Study],
        ScoreKind::Homework => &[ComponentKind::Homework],
        ScoreKind::Attendance => &[ComponentKind::Attendance],
        ScoreKind::Questions => &[ComponentKind::Questions],
        ScoreKind::FinalExam
        | ScoreKind::Total
        | ScoreKind::Thesis
        | ScoreKind::Review
        | ScoreKind::Defense
        | ScoreKind::GraduationTotal => &[],
    }
}
