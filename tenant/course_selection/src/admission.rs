//! Whether a student comes into a course: the rules of part 03 B4 in their order, over pairs of students and openings.
//!
//! What the pairs need is read in a few statements, whichever their number; then each is judged by itself, in the order of the
//! call, and counts for those behind it. Nothing is written before all are judged.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use course_selection_rules::admission::{Asked, Prerequisite, Student, admit};
pub use course_selection_rules::admission::{Had, Refusal};
use infra::{Change, Error, OnConstraint, Result, Scope, Tx, clock::Moment};
use poem_openapi::Object;
use sqlx::PgConnection;

use crate::{
    enums::{OpeningKind, SelectionSource, SelectionStatus},
    opening::{self, Cohort, Opening, Rule, rule_of},
    roster::hold_people,
};

/// A student who is to come into an opening.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    pub student_id: i64,
    pub opening_id: i64,
    pub source: SelectionSource,
    /// The class that they attend, where it is not their own.
    pub class_id: Option<i64>,
    pub remark: Option<String>,
}

/// Who asks, and for what.
#[derive(Debug, Clone, Copy)]
pub struct Applying<'a> {
    /// Students beyond it are nobody's.
    pub scope: &'a Scope,
    /// Who repeats a course must lie within this as well.
    pub retakes: &'a Scope,
    /// By themselves: within the time, and audited where the rule says so.
    pub learner: bool,
    /// What is asked for will be written: openings and students are held until the transaction ends.
    pub writes: bool,
    pub now: Moment,
}

/// A pair that may be written.
#[derive(Debug, Clone, PartialEq)]
pub struct Accepted {
    pub pair: Pair,
    pub status: SelectionStatus,
    /// The row that is taken up again.
    pub again: Option<i64>,
    pub attempt_no: i32,
    pub class_id: Option<i64>,
    /// The class is not the student's own.
    pub by_hand: bool,
}

/// A class that somebody attends beside their own.
struct Class {
    id: i64,
    name: String,
    site_id: i64,
    grade_id: i64,
    major_id: i64,
    /// Neither switched off nor over.
    stands: bool,
}

impl Class {
    /// Whether a pair may name it.
    fn allows(&self, pair: &Pair, opening: &Opening, scope: &Scope) -> Result<(), Refusal> {
        if !scope.sees(Some(self.site_id), Some(self.id)) {
            return Err(Refusal::ClassNotYours);
        }
        if !self.stands {
            return Err(Refusal::ClassOff(self.name.clone()));
        }
        let repeats = matches!(pair.source, SelectionSource::Retake | SelectionSource::MakeupStudy);
        if opening.kind == OpeningKind::Plan && !repeats && !opening.is_for(self.grade_id, self.major_id) {
            return Err(Refusal::OtherClass(self.name.clone()));
        }
        Ok(())
    }
}

/// How the pairs were judged; places are those of the call.
#[derive(Debug, Default)]
pub struct Decision {
    pub accepted: Vec<(usize, Accepted)>,
    pub refused: Vec<(usize, Refusal)>,
    /// What is worth a second look in those that were accepted.
    pub warnings: Vec<(usize, String)>,
}

/// What the rules look at, and what those that were accepted so far took.
struct Facts {
    openings: HashMap<i64, Opening>,
    students: HashMap<i64, Student>,
    /// Those that pairs name.
    classes: HashMap<i64, Class>,
    /// By student.
    had: HashMap<i64, Vec<Had>>,
    /// By course.
    prerequisites: HashMap<i64, Vec<Prerequisite>>,
    rules: Vec<Rule>,
    /// Places that are taken, by opening.
    taken: HashMap<i64, i64>,
}

/// Judges pairs.
///
/// # Errors
/// Those of the database; a pair that is refused is no error.
pub async fn decide(connection: &mut PgConnection, pairs: &[Pair], applying: Applying<'_>) -> Result<Decision> {
    let mut facts = Facts::of(connection, pairs, applying.writes).await?;
    let mut decision = Decision::default();
    for (place, pair) in pairs.iter().enumerate() {
        match facts.judge(pair, applying) {
            Ok((accepted, warnings)) => {
                decision.warnings.extend(warnings.into_iter().map(|warning| (place, warning)));
                decision.accepted.push((place, accepted));
            }
            Err(refusal) => decision.refused.push((place, refusal)),
        }
    }
    Ok(decision)
}

impl Facts {
    async fn of(connection: &mut PgConnection, pairs: &[Pair], hold: bool) -> Result<Self> {
        let wanted: BTreeSet<i64> = pairs.iter().map(|pair| pair.opening_id).collect();
        let wanted: Vec<i64> = wanted.into_iter().collect();
        let openings =
            if hold { opening::hold(connection, &wanted).await? } else { opening::known(connection, &wanted).await? };
        let people: BTreeSet<i64> = pairs.iter().map(|pair| pair.student_id).collect();
        let people: Vec<i64> = people.into_iter().collect();
        if hold {
            // Of two calls for one student the second sees what the first selected.
            hold_people(connection, &people).await?;
        }
        let students = students(connection, &people).await?;
        let courses: BTreeSet<i64> = openings.values().map(|opening| opening.course_id).collect();
        let prerequisites = prerequisites(connection, &courses.iter().copied().collect::<Vec<_>>()).await?;
        let mut asked = courses;
        asked.extend(prerequisites.values().flatten().map(|needed| needed.course_id));
        let semesters: BTreeSet<i64> = openings.values().map(|opening| opening.semester_id).collect();
        let semesters: Vec<i64> = semesters.into_iter().collect();
        let had = had(connection, &people, &asked.into_iter().collect::<Vec<_>>(), &semesters).await?;
        let taken = sqlx::query!(
            r#"select opening_id, count(*) as "taken!" from course_selection
               where opening_id = any($1) and status in ('pending', 'selected') group by opening_id"#,
            &wanted
        )
        .fetch_all(&mut *connection)
        .await?;
        Ok(Self {
            rules: opening::rules(connection, &semesters).await?,
            classes: classes(connection, pairs).await?,
            openings,
            students,
            had,
            prerequisites,
            taken: taken.into_iter().map(|row| (row.opening_id, row.taken)).collect(),
        })
    }

    /// Judges a pair, and notes what it takes.
    fn judge(&mut self, pair: &Pair, applying: Applying<'_>) -> Result<(Accepted, Vec<String>), Refusal> {
        let student = self.students.get(&pair.student_id).ok_or(Refusal::NotYours)?;
        if !applying.scope.sees(Some(student.site_id), student.class_id) {
            return Err(Refusal::NotYours);
        }
        let repeats = pair.source == SelectionSource::Retake;
        if repeats && !applying.retakes.sees(Some(student.site_id), student.class_id) {
            return Err(Refusal::NotYours);
        }
        let opening = self.openings.get(&pair.opening_id).ok_or(Refusal::NotOpened)?;
        let chosen = pair.class_id.filter(|id| Some(*id) != student.class_id);
        if let Some(id) = chosen {
            self.classes.get(&id).ok_or(Refusal::ClassNotYours)?.allows(pair, opening, applying.scope)?;
        }
        let cohort = Cohort {
            semester_id: opening.semester_id,
            grade_id: student.grade_id,
            major_id: student.major_id,
            term_no: opening.ordinal - student.ordinal + 1,
        };
        let had = self.had.entry(pair.student_id).or_default();
        let asked = Asked {
            student,
            opening,
            source: pair.source,
            learner: applying.learner,
            now: applying.now,
            rule: rule_of(&self.rules, cohort),
            prerequisites: self.prerequisites.get(&opening.course_id).map_or(&[], Vec::as_slice),
            had,
            taken: self.taken.get(&pair.opening_id).copied().unwrap_or(0),
        };
        let admission = admit(&asked)?;
        let accepted = Accepted {
            pair: pair.clone(),
            status: admission.status,
            again: admission.again,
            attempt_no: admission.attempt_no,
            class_id: chosen.or(student.class_id),
            by_hand: chosen.is_some(),
        };
        *self.taken.entry(pair.opening_id).or_default() += 1;
        let now_has = Had {
            id: admission.again.unwrap_or_default(),
            opening_id: opening.id,
            course_id: opening.course_id,
            semester_id: opening.semester_id,
            ordinal: opening.ordinal,
            status: admission.status,
            passed: None,
            credits: opening.credits,
        };
        had.retain(|row| row.opening_id != opening.id);
        had.push(now_has);
        Ok((accepted, admission.warnings))
    }
}

async fn students(connection: &mut PgConnection, ids: &[i64]) -> Result<HashMap<i64, Student>> {
    let rows = sqlx::query_as!(
        Student,
        r#"select s.id, s.status as "status: _", s.grade_id, s.major_id, s.site_id, s.class_id,
                  g.entry_year * 2 + case g.entry_season when 'autumn' then 1 else 0 end as "ordinal!"
           from student s join grade g on g.id = s.grade_id where s.id = any($1)"#,
        ids
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|row| (row.id, row)).collect())
}

async fn classes(connection: &mut PgConnection, pairs: &[Pair]) -> Result<HashMap<i64, Class>> {
    let ids: BTreeSet<i64> = pairs.iter().filter_map(|pair| pair.class_id).collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let ids: Vec<i64> = ids.into_iter().collect();
    let rows = sqlx::query_as!(
        Class,
        r#"select id, name, site_id, grade_id, major_id, enabled and graduated_at is null as "stands!"
           from class where id = any($1)"#,
        &ids
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|row| (row.id, row)).collect())
}

/// What the students have of these courses, and in these semesters.
async fn had(
    connection: &mut PgConnection,
    students: &[i64],
    courses: &[i64],
    semesters: &[i64],
) -> Result<HashMap<i64, Vec<Had>>> {
    let rows = sqlx::query!(
        r#"select c.student_id, c.id, c.opening_id, c.course_id, c.semester_id, c.status as "status: SelectionStatus",
                  c.passed, e.year * 2 + case e.season when 'autumn' then 1 else 0 end as "ordinal!",
                  (o.credits * 10)::bigint as "credits!"
           from course_selection c
           join course_opening o on o.id = c.opening_id
           join semester e on e.id = c.semester_id
           where c.student_id = any($1) and (c.course_id = any($2) or c.semester_id = any($3))"#,
        students,
        courses,
        semesters
    )
    .fetch_all(connection)
    .await?;
    let mut had: HashMap<i64, Vec<Had>> = HashMap::new();
    for row in rows {
        had.entry(row.student_id).or_default().push(Had {
            id: row.id,
            opening_id: row.opening_id,
            course_id: row.course_id,
            semester_id: row.semester_id,
            ordinal: row.ordinal,
            status: row.status,
            passed: row.passed,
            credits: row.credits,
        });
    }
    Ok(had)
}

/// The courses that come before these.
async fn prerequisites(connection: &mut PgConnection, courses: &[i64]) -> Result<HashMap<i64, Vec<Prerequisite>>> {
    let rows = sqlx::query!(
        "select p.course_id, p.prerequisite_id, c.name from course_prerequisite p join course c on c.id = p.prerequisite_id
         where p.course_id = any($1) order by p.course_id, c.code",
        courses
    )
    .fetch_all(connection)
    .await?;
    let mut needed: HashMap<i64, Vec<Prerequisite>> = HashMap::new();
    for row in rows {
        let before = Prerequisite { course_id: row.prerequisite_id, name: row.name };
        needed.entry(row.course_id).or_default().push(before);
    }
    Ok(needed)
}

/// Which prerequisites of these openings a student has neither passed nor selected earlier, by name.
pub(crate) async fn lacking(
    connection: &mut PgConnection,
    student: i64,
    openings: impl Iterator<Item = &Opening> + Clone,
) -> Result<HashMap<i64, Vec<String>>> {
    let courses: Vec<i64> = openings.clone().map(|opening| opening.course_id).collect();
    let needed = prerequisites(connection, &courses).await?;
    let asked: Vec<i64> = needed.values().flatten().map(|before| before.course_id).collect();
    let had = had(connection, &[student], &asked, &[]).await?.remove(&student).unwrap_or_default();
    let of = |opening: &Opening| {
        let needed = needed.get(&opening.course_id).into_iter().flatten();
        let missing = needed.filter(|before| !before.is_met(&had, opening.ordinal));
        (opening.id, missing.map(|before| before.name.clone()).collect())
    };
    Ok(openings.map(of).collect())
}

/// A selection as the trail tells it when it is made.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
struct Made {
    /// 学生
    student_id: i64,
    /// 开课
    opening_id: i64,
    /// 上课班级
    class_id: Option<i64>,
    /// 来源
    source: SelectionSource,
    /// 修读次数
    attempt_no: i32,
    /// 状态
    status: SelectionStatus,
}

/// Writes what was accepted; what stood dropped is taken up again. The caller holds openings and students.
///
/// # Errors
/// 409 when a student came into the course meanwhile by another opening.
pub async fn write(tx: &mut Tx, accepted: &[&Accepted]) -> Result<Vec<Change>> {
    let (again, new): (Vec<&Accepted>, Vec<&Accepted>) =
        accepted.iter().copied().partition(|accepted| accepted.again.is_some());
    let mut changes = insert(tx, &new).await?;
    changes.extend(take_up(tx, &again).await?);
    Ok(changes)
}

async fn insert(tx: &mut Tx, new: &[&Accepted]) -> Result<Vec<Change>> {
    if new.is_empty() {
        return Ok(Vec::new());
    }
    let (by, now) = (tx.by(), tx.app().clock().now());
    let students: Vec<i64> = new.iter().map(|one| one.pair.student_id).collect();
    let openings: Vec<i64> = new.iter().map(|one| one.pair.opening_id).collect();
    let classes: Vec<Option<i64>> = new.iter().map(|one| one.class_id).collect();
    let by_hand: Vec<bool> = new.iter().map(|one| one.by_hand).collect();
    let sources: Vec<String> = new.iter().map(|one| one.pair.source.as_str().to_owned()).collect();
    let attempts: Vec<i32> = new.iter().map(|one| one.attempt_no).collect();
    let statuses: Vec<String> = new.iter().map(|one| one.status.as_str().to_owned()).collect();
    let remarks: Vec<Option<String>> = new.iter().map(|one| one.pair.remark.clone()).collect();
    let rows = sqlx::query!(
        "insert into course_selection (student_id, opening_id, semester_id, course_id, class_id, class_by_hand, source,
             attempt_no, status, selected_at, remark, created_by, updated_by)
         select w.student, w.opening, o.semester_id, o.course_id, w.class, w.by_hand, w.source, w.attempt, w.status,
                case when w.status = 'selected' then $9::timestamptz end, w.remark, $10, $10
         from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::boolean[], $5::text[], $6::integer[], $7::text[], $8::text[])
              as w (student, opening, class, by_hand, source, attempt, status, remark)
         join course_opening o on o.id = w.opening
         returning id, student_id, opening_id",
        &students,
        &openings,
        classes as _,
        &by_hand,
        &sources,
        &attempts,
        &statuses,
        remarks as _,
        now as _,
        by
    )
    .fetch_all(&mut **tx)
    .await
    .on_constraint(explain_constraint)?;
    let ids: HashMap<(i64, i64), i64> =
        rows.into_iter().map(|row| ((row.student_id, row.opening_id), row.id)).collect();
    let change = |one: &&Accepted| {
        let id = *ids.get(&(one.pair.student_id, one.pair.opening_id))?;
        let made = Made {
            student_id: one.pair.student_id,
            opening_id: one.pair.opening_id,
            class_id: one.class_id,
            source: one.pair.source,
            attempt_no: one.attempt_no,
            status: one.status,
        };
        Some(Change::created("course_selection", id, &made))
    };
    Ok(new.iter().filter_map(change).collect())
}

async fn take_up(tx: &mut Tx, again: &[&Accepted]) -> Result<Vec<Change>> {
    if again.is_empty() {
        return Ok(Vec::new());
    }
    let (by, now) = (tx.by(), tx.app().clock().now());
    let ids: Vec<i64> = again.iter().filter_map(|one| one.again).collect();
    let classes: Vec<Option<i64>> = again.iter().map(|one| one.class_id).collect();
    let by_hand: Vec<bool> = again.iter().map(|one| one.by_hand).collect();
    let sources: Vec<String> = again.iter().map(|one| one.pair.source.as_str().to_owned()).collect();
    let attempts: Vec<i32> = again.iter().map(|one| one.attempt_no).collect();
    let statuses: Vec<String> = again.iter().map(|one| one.status.as_str().to_owned()).collect();
    let remarks: Vec<Option<String>> = again.iter().map(|one| one.pair.remark.clone()).collect();
    let mut before = standing(tx, &ids).await?;
    sqlx::query!(
        "update course_selection c
         set class_id = w.class, class_by_hand = w.by_hand, source = w.source, attempt_no = w.attempt, status = w.status,
             selected_at = case when w.status = 'selected' then $8::timestamptz end, dropped_at = null, drop_reason = null,
             dropped_by_sync = false, audited_by = null, audited_at = null, remark = coalesce(w.remark, c.remark),
             updated_at = now(), updated_by = $9, version = c.version + 1
         from unnest($1::bigint[], $2::bigint[], $3::boolean[], $4::text[], $5::integer[], $6::text[], $7::text[])
              as w (id, class, by_hand, source, attempt, status, remark)
         where c.id = w.id and c.status = 'dropped'",
        &ids,
        classes as _,
        &by_hand,
        &sources,
        &attempts,
        &statuses,
        remarks as _,
        now as _,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(explain_constraint)?;
    let after = standing(tx, &ids).await?;
    let change = |(id, after): (i64, Standing)| {
        before.remove(&id).map(|before| Change::edited("course_selection", id, &before, &after))
    };
    Ok(after.into_iter().filter_map(change).collect())
}

/// How a selection stands, as far as taking it up again writes over it: for the trail, and for whoever puts it back.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub(crate) struct Standing {
    /// 上课班级
    class_id: Option<i64>,
    /// 指定了上课班级
    class_by_hand: bool,
    /// 来源
    source: SelectionSource,
    /// 修读次数
    attempt_no: i32,
    /// 状态
    status: SelectionStatus,
    /// 选课时间
    selected_at: Option<Moment>,
    /// 退选时间
    dropped_at: Option<Moment>,
    /// 退选原因
    drop_reason: Option<String>,
    /// 因学籍异动退选
    dropped_by_sync: bool,
    /// 审核人
    audited_by: Option<i64>,
    /// 审核时间
    audited_at: Option<Moment>,
    /// 备注
    remark: Option<String>,
}

/// How these selections stand, by their ids.
pub(crate) async fn standing(connection: &mut PgConnection, ids: &[i64]) -> Result<BTreeMap<i64, Standing>> {
    let rows = sqlx::query!(
        r#"select id, class_id, class_by_hand, source as "source: SelectionSource", attempt_no,
                  status as "status: SelectionStatus", selected_at, dropped_at, drop_reason, dropped_by_sync, audited_by,
                  audited_at, remark
           from course_selection where id = any($1)"#,
        ids
    )
    .fetch_all(connection)
    .await?;
    let mut standing = BTreeMap::new();
    for row in rows {
        let stands = Standing {
            class_id: row.class_id,
            class_by_hand: row.class_by_hand,
            source: row.source,
            attempt_no: row.attempt_no,
            status: row.status,
            selected_at: row.selected_at,
            dropped_at: row.dropped_at,
            drop_reason: row.drop_reason,
            dropped_by_sync: row.dropped_by_sync,
            audited_by: row.audited_by,
            audited_at: row.audited_at,
            remark: row.remark,
        };
        standing.insert(row.id, stands);
    }
    Ok(standing)
}

/// Puts a selection back to how it stood.
pub(crate) async fn put_back(tx: &mut Tx, id: i64, stood: &Standing) -> Result<()> {
    let by = tx.by();
    sqlx::query!(
        "update course_selection
         set class_id = $2, class_by_hand = $3, source = $4, attempt_no = $5, status = $6, selected_at = $7, dropped_at = $8,
             drop_reason = $9, dropped_by_sync = $10, audited_by = $11, audited_at = $12, remark = $13, updated_at = now(),
             updated_by = $14, version = version + 1
         where id = $1",
        id,
        stood.class_id,
        stood.class_by_hand,
        stood.source.as_str(),
        stood.attempt_no,
        stood.status.as_str(),
        stood.selected_at as _,
        stood.dropped_at as _,
        stood.drop_reason.as_deref(),
        stood.dropped_by_sync,
        stood.audited_by,
        stood.audited_at as _,
        stood.remark.as_deref(),
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(explain_constraint)?;
    Ok(())
}

/// What a person is told of a constraint: somebody was faster.
pub(crate) fn explain_constraint(constraint: &str) -> Option<Error> {
    matches!(constraint, "course_selection_active_taken" | "course_selection_student_taken")
        .then(|| Refusal::Already.into())
}
