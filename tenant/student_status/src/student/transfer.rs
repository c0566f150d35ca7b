//! 异动: where and how a student studies changes here alone, and whether they do (02 §10). Who asked, who allowed it and whether
//! it may be, the caller knows; how it is written into the register, with its dates, its history, the seat in a class, the
//! number and the account, is said here.
//!
//! ```text
//! Transfer ─[execute]→ student, student_status_change of its kind
//!                      ─[revoke]→ as it was, student_status_change of the kind revoke
//! ```
//! The history keeps both sides of every field that differs; a revocation reads them there.

use chrono::{Months, NaiveDate};
use classes::class::class_seats;
use infra::{Change, Error, OnConstraint, Result, Tx};
use people::account::{self, OwnerKind, end_accounts};
use poem_openapi::{
    Object,
    types::{ParseFromJSON, ToJSON},
};
use serde_json::{Map, Value, json};
use sqlx::PgConnection;
use student_numbers::allocation::allocate;
use term::{Season, Term, half_years};

use super::{Student, find, number::give, quota, references::graduate_days};
use crate::{
    dates::{GraduateDates, expected_after_return, expected_graduation_on},
    enums::{StatusChangeKind, StudentStatus, StudyForm, WithdrawReason},
};

/// Told of a change that cannot be taken back any more.
const MOVED_ON: &str = "异动后数据已变化，不能撤销";

/// Told of a class that cannot be entered.
const CLASS_GONE: &str = "班级不存在或已被删除，请重新选择";

/// Of the history: whether the login was open. A field of both sides where leaving has closed it.
const ACCOUNT: &str = "accountEnabled";

/// Half years by which suspensions may have moved a graduation.
const FURTHEST: u32 = 24;

/// Where and how somebody studies, and whether they do.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct Placement {
    /// 年级编号
    pub grade_id: i64,
    /// 层次编号
    pub level_id: i64,
    /// 专业编号
    pub major_id: i64,
    /// 学习形式
    pub study_form: StudyForm,
    /// 学制
    pub schooling_years: f64,
    /// 站点编号
    pub site_id: i64,
    /// 班级编号
    pub class_id: Option<i64>,
    /// 学籍状态
    pub status: StudentStatus,
}

impl Placement {
    /// That of a student.
    pub fn of(student: &Student) -> Self {
        Self {
            grade_id: student.grade_id,
            level_id: student.level_id,
            major_id: student.major_id,
            study_form: student.study_form,
            schooling_years: student.schooling_years,
            site_id: student.site_id,
            class_id: student.class_id,
            status: student.status,
        }
    }

    /// One that was kept.
    ///
    /// # Errors
    /// Only internal ones: what is no placement was never kept.
    pub fn kept(value: &Value) -> Result<Self> {
        Self::parse_from_json(Some(value.clone())).map_err(|error| Error::internal(error.into_message()))
    }
}

/// What happens to a student.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    Professional,
    Hierarchical,
    ClassChange,
    /// Military service (应征入伍) prolongs the longest study, and counts to no limit.
    Suspension {
        until: NaiveDate,
        months: i32,
        military: bool,
    },
    /// After a suspension of so many months.
    Return {
        months: i32,
    },
    Dropout(WithdrawReason),
    TransferOut,
}

impl Effect {
    /// As the history names it.
    pub const fn kind(self) -> StatusChangeKind {
        match self {
            Self::Professional => StatusChangeKind::Professional,
            Self::Hierarchical => StatusChangeKind::Hierarchical,
            Self::ClassChange => StatusChangeKind::ClassChange,
            Self::Suspension { .. } => StatusChangeKind::Suspension,
            Self::Return { .. } => StatusChangeKind::Return,
            Self::Dropout(_) => StatusChangeKind::Dropout,
            Self::TransferOut => StatusChangeKind::TransferOut,
        }
    }

    /// The status behind it.
    pub const fn status(self, before: StudentStatus) -> StudentStatus {
        match self {
            Self::Professional | Self::Hierarchical | Self::ClassChange => before,
            Self::Suspension { .. } => StudentStatus::Suspended,
            Self::Return { .. } => StudentStatus::Registered,
            Self::Dropout(_) => StudentStatus::Withdrawn,
            Self::TransferOut => StudentStatus::TransferredOut,
        }
    }

    /// Whether the enrolment ends by it.
    const fn ends(self) -> bool {
        matches!(self, Self::Dropout(_) | Self::TransferOut)
    }
}

/// A change that was allowed.
#[derive(Debug, Clone, Copy)]
pub struct Transfer<'a> {
    pub effect: Effect,
    /// How it is to be.
    pub after: &'a Placement,
    pub reason: &'a str,
    /// 重编学号
    pub renumber: bool,
    /// Whose the row of the history is.
    pub change_id: i64,
    pub document_no: Option<&'a str>,
    pub effective_on: NaiveDate,
}

/// The dates of an enrolment (02 §9.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StudyDates {
    pub expected_graduation_on: NaiveDate,
    pub max_study_end_on: NaiveDate,
}

impl StudyDates {
    fn of(student: &Student) -> Self {
        Self { expected_graduation_on: student.expected_graduation_on, max_study_end_on: student.max_study_end_on }
    }
}

/// What the dates follow from besides the student.
struct Basis {
    /// Of the grade that the student is in, and of that to be.
    grades: (Term, Term),
    /// Longest study of the level before and after, in half years.
    longest: (i32, i32),
    days: GraduateDates,
}

/// The dates behind a change.
fn dates(student: &Student, effect: Effect, after: &Placement, basis: &Basis) -> Option<StudyDates> {
    let now = StudyDates::of(student);
    match effect {
        Effect::ClassChange | Effect::Dropout(_) | Effect::TransferOut => Some(now),
        Effect::Professional | Effect::Hierarchical => {
            let before = expected_graduation_on(basis.grades.0, half_years(student.schooling_years)?, basis.days)?;
            let expected = expected_graduation_on(basis.grades.1, half_years(after.schooling_years)?, basis.days)?;
            // A suspension that left the student in the grade has moved the day; it stays moved.
            let lost = (0..=FURTHEST).find(|semesters| {
                expected_after_return(before, semesters * 6, basis.days) == Some(now.expected_graduation_on)
            });
            // What service has added stays: the last day moves by what the levels differ in.
            Some(StudyDates {
                expected_graduation_on: expected_after_return(expected, lost.unwrap_or(0) * 6, basis.days)?,
                max_study_end_on: moved_by(now.max_study_end_on, (basis.longest.1 - basis.longest.0) * 6)?,
            })
        }
        Effect::Suspension { months, military: true, .. } => {
            Some(StudyDates { max_study_end_on: moved_by(now.max_study_end_on, months)?, ..now })
        }
        Effect::Suspension { military: false, .. } => Some(now),
        Effect::Return { months } => {
            let months = u32::try_from(months).ok()?;
            let expected = expected_after_return(now.expected_graduation_on, months, basis.days)?;
            Some(StudyDates { expected_graduation_on: expected, ..now })
        }
    }
}

/// A last day so many months later, or earlier. The day behind it is what moves, as the day of the entry does in
/// [`crate::dates::max_study_end_on`]: the last of February becomes the last of August.
fn moved_by(last: NaiveDate, months: i32) -> Option<NaiveDate> {
    if months == 0 {
        return Some(last);
    }
    let behind = last.succ_opt()?;
    let by = Months::new(months.unsigned_abs());
    let moved = if months > 0 { behind.checked_add_months(by) } else { behind.checked_sub_months(by) };
    moved?.pred_opt()
}

/// The dates that a student would have behind a change.
///
/// # Errors
/// 409 when they leave the calendar.
pub async fn preview(
    connection: &mut PgConnection,
    student: &Student,
    effect: Effect,
    after: &Placement,
) -> Result<StudyDates> {
    let row = sqlx::query!(
        r#"select o.entry_year as old_year, o.entry_season as "old_season: Season", n.entry_year as new_year,
                  n.entry_season as "new_season: Season", (a.max_years * 2)::integer as "old_longest!",
                  (b.max_years * 2)::integer as "new_longest!"
           from grade o, grade n, level a, level b where o.id = $1 and n.id = $2 and a.id = $3 and b.id = $4"#,
        student.grade_id,
        after.grade_id,
        student.level_id,
        after.level_id
    )
    .fetch_optional(&mut *connection)
    .await?
    .ok_or_else(Error::not_found)?;
    let basis = Basis {
        grades: (
            Term { year: row.old_year, season: row.old_season },
            Term { year: row.new_year, season: row.new_season },
        ),
        longest: (row.old_longest, row.new_longest),
        days: graduate_days(connection).await?,
    };
    let dates = dates(student, effect, after, &basis).filter(|dates| {
        dates.expected_graduation_on > student.enrolled_on && dates.max_study_end_on > student.enrolled_on
    });
    dates.ok_or_else(|| Error::conflict("无法推算预计毕业日期，请核对入学日期和学制"))
}

/// Everything of a student that a change may touch.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
struct Standing {
    #[oai(flatten)]
    placement: Placement,
    student_no: Option<String>,
    expected_graduation_on: NaiveDate,
    max_study_end_on: NaiveDate,
    status_reason: Option<WithdrawReason>,
    ended_on: Option<NaiveDate>,
    suspended_until: Option<NaiveDate>,
    suspended_months: i32,
}

impl Standing {
    fn of(student: &Student) -> Self {
        Self {
            placement: Placement::of(student),
            student_no: student.student_no.clone(),
            expected_graduation_on: student.expected_graduation_on,
            max_study_end_on: student.max_study_end_on,
            status_reason: student.status_reason,
            ended_on: student.ended_on,
            suspended_until: student.suspended_until,
            suspended_months: student.suspended_months,
        }
    }

    /// Behind a change, but for a number that is still to be given.
    fn behind(student: &Student, transfer: &Transfer<'_>, dates: StudyDates) -> Self {
        let before = Self::of(student);
        let placement = Placement { status: transfer.effect.status(student.status), ..transfer.after.clone() };
        let moved = Self {
            placement,
            expected_graduation_on: dates.expected_graduation_on,
            max_study_end_on: dates.max_study_end_on,
            ..before
        };
        match transfer.effect {
            Effect::Professional | Effect::Hierarchical | Effect::ClassChange => moved,
            Effect::Suspension { until, months, military } => {
                let counted = if military { 0 } else { months };
                Self { suspended_until: Some(until), suspended_months: moved.suspended_months + counted, ..moved }
            }
            Effect::Return { .. } => Self { suspended_until: None, ..moved },
            Effect::Dropout(reason) => Self {
                status_reason: Some(reason),
                ended_on: Some(transfer.effective_on),
                suspended_until: None,
                ..moved
            },
            Effect::TransferOut => Self { ended_on: Some(transfer.effective_on), ..moved },
        }
    }

    fn fields(&self) -> Map<String, Value> {
        match self.to_json() {
            Some(Value::Object(fields)) => fields,
            _ => Map::new(),
        }
    }
}

/// Of both sides the fields that differ.
fn differing(before: &Map<String, Value>, after: &Map<String, Value>) -> (Map<String, Value>, Map<String, Value>) {
    let of = |side: &Map<String, Value>, other: &Map<String, Value>| {
        let differs = |(name, value): &(&String, &Value)| other.get(*name) != Some(*value);
        side.iter().filter(differs).map(|(name, value)| (name.clone(), value.clone())).collect::<Map<_, _>>()
    };
    (of(before, after), of(after, before))
}

/// Writes an allowed change of a student who is held ([`super::correct::hold`]), with a row of the history.
///
/// # Errors
/// 409 when the class is full or switched off, when it is no class of the place, or when no number can be given.
pub async fn execute(tx: &mut Tx, student: &Student, transfer: &Transfer<'_>) -> Result<()> {
    if let Some(class) = transfer.after.class_id.filter(|class| Some(*class) != student.class_id) {
        seat(tx, class, CLASS_GONE).await?;
    }
    let dates = preview(tx, student, transfer.effect, transfer.after).await?;
    let before = Standing::of(student);
    write(tx, student.id, &Standing::behind(student, transfer, dates), explain_execution).await?;
    if transfer.renumber {
        renumber(tx, student).await?;
    }
    let was_open = if transfer.effect.ends() { end_account(tx, student.id).await? } else { false };
    let after = find(tx, Some(student.id), None, &infra::Scope::whole_school()).await?;
    let (mut from, mut to) = differing(&before.fields(), &Standing::of(&after).fields());
    if was_open {
        from.insert(ACCOUNT.to_owned(), json!(true));
        to.insert(ACCOUNT.to_owned(), json!(false));
    }
    let event = Event {
        kind: transfer.effect.kind(),
        from_status: student.status,
        to_status: after.status,
        before: Value::Object(from),
        after: Value::Object(to),
        reason: Some(transfer.reason),
        change_id: transfer.change_id,
        document_no: transfer.document_no,
        on: transfer.effective_on,
    };
    note(tx, student.id, event).await?;
    tx.record(&[Change::edited("student", student.id, student, &after).because(Some(transfer.reason))]).await
}

/// Takes a change back: the student stands as before it, in the class that they left.
///
/// # Errors
/// 409 when anything that it changed is no more as it left it, when the grade, level, major, site or class that was left is
/// gone, when the class is full, or when the person is enrolled anew.
pub async fn revoke(tx: &mut Tx, student: &Student, change_id: i64, reason: Option<&str>) -> Result<()> {
    let kept = sqlx::query!(
        "select before, after, document_no from student_status_change
         where student_id = $1 and change_id = $2 and kind <> 'revoke' order by id desc limit 1",
        student.id,
        change_id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(|| Error::conflict(MOVED_ON))?;
    let (from, to) = (fields_of(kept.before), fields_of(kept.after));
    let now = Standing::of(student).fields();
    // The account is no part of the standing.
    let stands = |(name, value): (&String, &Value)| name == ACCOUNT || now.get(name) == Some(value);
    if !to.iter().all(stands) {
        return Err(Error::conflict(MOVED_ON));
    }
    let mut wanted = now;
    wanted.extend(
        from.iter()
            .filter(|(name, _)| *name != ACCOUNT && to.contains_key(*name))
            .map(|(name, was)| (name.clone(), was.clone())),
    );
    let wanted = Standing::parse_from_json(Some(Value::Object(wanted)))
        .map_err(|error| Error::internal(error.into_message()))?;
    let (back, placed) = (wanted.placement.status, wanted.placement.clone());
    let counts = |status| matches!(status, StudentStatus::Registered | StudentStatus::Suspended);
    if let Some(class) = placed.class_id.filter(|class| Some(*class) != student.class_id) {
        seat(tx, class, MOVED_ON).await?;
    }
    if counts(back) && !counts(student.status) {
        quota::admit(tx, 1).await?;
    }
    write(tx, student.id, &wanted, explain_revocation).await?;
    if let Some(number) = wanted.student_no.as_deref().filter(|number| Some(*number) != student.student_no.as_deref()) {
        rename_account(tx, student.id, number).await?;
    }
    if from.get(ACCOUNT) == Some(&json!(true)) {
        open_account(tx, student.id).await?;
    }
    let today = tx.app().clock().today();
    let event = Event {
        kind: StatusChangeKind::Revoke,
        from_status: student.status,
        to_status: back,
        before: Value::Object(to),
        after: Value::Object(from),
        reason,
        change_id,
        document_no: kept.document_no.as_deref(),
        on: today,
    };
    note(tx, student.id, event).await?;
    let after = find(tx, Some(student.id), None, &infra::Scope::whole_school()).await?;
    tx.record(&[Change::edited("student", student.id, student, &after).because(reason)]).await
}

fn fields_of(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

/// Takes a seat; whoever fills the class beside this waits. `gone` is told of a class that there is no more.
async fn seat(tx: &mut Tx, class: i64, gone: &'static str) -> Result<()> {
    let seats = class_seats(tx, class).await.map_err(|error| match error.code {
        404 => Error::conflict(gone),
        _ => error,
    })?;
    seats.admit(1)
}

fn explain_execution(constraint: &str) -> Option<Error> {
    match constraint {
        "student_class_mismatch" => Some(Error::conflict("与班级的年级、层次、专业或站点不一致")),
        "student_of_grade" | "student_major_not_of_level" | "student_of_site" => {
            Some(Error::conflict("目标年级、层次、专业或站点不存在或已被删除，请重新选择"))
        }
        _ => None,
    }
}

/// What was left may be gone by now.
fn explain_revocation(constraint: &str) -> Option<Error> {
    match constraint {
        "student_class_mismatch" | "student_of_grade" | "student_major_not_of_level" | "student_of_site" => {
            Some(Error::conflict(MOVED_ON))
        }
        "student_id_card_active_taken" => Some(Error::conflict("该人员已有其他在籍学籍，不能撤销")),
        _ => None,
    }
}

async fn write(tx: &mut Tx, id: i64, standing: &Standing, explain: fn(&str) -> Option<Error>) -> Result<()> {
    let by = tx.by();
    let placed = &standing.placement;
    let half_years = half_years(placed.schooling_years).ok_or_else(|| Error::internal("no half years"))?;
    sqlx::query!(
        "update student set grade_id = $2, level_id = $3, major_id = $4, study_form = $5, schooling_years = $6::integer / 2.0,
                site_id = $7, class_id = $8, status = $9, student_no = $10, expected_graduation_on = $11,
                max_study_end_on = $12, status_reason = $13, ended_on = $14, suspended_until = $15, suspended_months = $16,
                updated_at = now(), updated_by = $17, version = version + 1
         where id = $1",
        id,
        placed.grade_id,
        placed.level_id,
        placed.major_id,
        placed.study_form.as_str(),
        half_years,
        placed.site_id,
        placed.class_id,
        placed.status.as_str(),
        standing.student_no,
        standing.expected_graduation_on,
        standing.max_study_end_on,
        standing.status_reason.map(WithdrawReason::as_str),
        standing.ended_on,
        standing.suspended_until,
        standing.suspended_months,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(explain)?;
    Ok(())
}

/// The next number of the rule at the new place; the old one is nobody's again.
async fn renumber(tx: &mut Tx, student: &Student) -> Result<()> {
    let given = allocate(tx, &[student.id]).await?.into_iter().next();
    let number = given.ok_or_else(Error::not_found)?.number.map_err(Error::conflict)?;
    // Its record is of somebody who had none.
    drop(give(tx, student.id, &number).await?);
    let change = Change::status("student", student.id, "studentNo", student.student_no.as_deref(), number.as_str());
    tx.record(&[change]).await
}

/// Switches the account off; answers whether it was on.
async fn end_account(tx: &mut Tx, id: i64) -> Result<bool> {
    let Some(account) = account::lock(tx, OwnerKind::Student, id).await?.filter(|account| account.enabled) else {
        return Ok(false);
    };
    let mut changes = end_accounts(tx, OwnerKind::Student, &[id]).await?;
    // Who was let in again after an earlier end leaves all the same.
    if changes.is_empty() {
        changes.push(account.set_enabled(tx, false).await?);
    }
    tx.record(&changes).await?;
    Ok(true)
}

async fn open_account(tx: &mut Tx, id: i64) -> Result<()> {
    if let Some(account) = account::lock(tx, OwnerKind::Student, id).await?.filter(|account| !account.enabled) {
        let opened = account.reopen(tx).await?;
        tx.record(&[opened]).await?;
    }
    Ok(())
}

async fn rename_account(tx: &mut Tx, id: i64, number: &str) -> Result<()> {
    if let Some(account) = account::lock(tx, OwnerKind::Student, id).await? {
        let renamed = account.rename(tx, number).await?;
        tx.record(&[renamed]).await?;
    }
    Ok(())
}

/// A row of the history.
struct Event<'a> {
    kind: StatusChangeKind,
    from_status: StudentStatus,
    to_status: StudentStatus,
    before: Value,
    after: Value,
    reason: Option<&'a str>,
    change_id: i64,
    document_no: Option<&'a str>,
    on: NaiveDate,
}

async fn note(tx: &mut Tx, student: i64, event: Event<'_>) -> Result<()> {
    let by = tx.by();
    sqlx::query!(
        "insert into student_status_change (student_id, kind, from_status, to_status, before, after, reason, change_id,
                                            document_no, effective_on, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)",
        student,
        event.kind.as_str(),
        event.from_status.as_str(),
        event.to_status.as_str(),
        event.before,
        event.after,
        event.reason,
        event.change_id,
        event.document_no,
        event.on,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{super::check::tests::stored, *};

    fn day(text: &str) -> NaiveDate {
        text.parse().expect("a day")
    }

    fn studying() -> Student {
        Student {
            schooling_years: 2.5,
            enrolled_on: day("2026-03-01"),
            expected_graduation_on: day("2028-07-10"),
            max_study_end_on: day("2031-02-28"),
            ..stored()
        }
    }

    fn told(student: &Student, effect: Effect, years: f64, (entered, longest): (i32, i32)) -> (String, String) {
        let spring = |year| Term { year, season: Season::Spring };
        let after = Placement { schooling_years: years, ..Placement::of(student) };
        let basis =
            Basis { grades: (spring(2026), spring(entered)), longest: (10, longest), days: GraduateDates::default() };
        let dates = dates(student, effect, &after, &basis).expect("dates");
        (dates.expected_graduation_on.to_string(), dates.max_study_end_on.to_string())
    }

    fn days(expected: &str, longest: &str) -> (String, String) {
        (expected.to_owned(), longest.to_owned())
    }

    #[test]
    fn dates_follow_the_years_of_the_new_major_and_level() {
        let student = studying();
        assert_eq!(told(&student, Effect::Professional, 3.0, (2026, 10)), days("2029-01-10", "2031-02-28"));
        // 高起本 of five years becomes 高起专 of two and a half.
        let five = Student { schooling_years: 5.0, expected_graduation_on: day("2031-01-10"), ..studying() };
        assert_eq!(told(&five, Effect::Hierarchical, 2.5, (2026, 10)), days("2028-07-10", "2031-02-28"));
        assert_eq!(told(&student, Effect::Hierarchical, 5.0, (2026, 16)), days("2031-01-10", "2034-02-28"));
        // Half a year lost in the same grade, and two years of service, are not forgotten.
        let late =
            Student { expected_graduation_on: day("2029-01-10"), max_study_end_on: day("2033-02-28"), ..studying() };
        assert_eq!(told(&late, Effect::Professional, 3.0, (2026, 10)), days("2029-07-10", "2033-02-28"));
        // Nor is service of which no search for whole half years would find anything, or another end that was imported.
        for (end, after) in [("2031-08-31", "2034-08-31"), ("2032-02-29", "2035-02-28"), ("2031-05-19", "2034-05-19")] {
            let served = Student { max_study_end_on: day(end), ..studying() };
            assert_eq!(told(&served, Effect::Professional, 2.5, (2026, 10)), days("2028-07-10", end));
            assert_eq!(told(&served, Effect::Hierarchical, 2.5, (2026, 16)), days("2028-07-10", after));
        }
    }

    #[test]
    fn a_return_moves_the_graduation_and_service_the_longest_study() {
        let student = studying();
        assert_eq!(told(&student, Effect::Return { months: 12 }, 2.5, (2027, 10)), days("2029-07-10", "2031-02-28"));
        assert_eq!(told(&student, Effect::Return { months: 6 }, 2.5, (2026, 10)), days("2029-01-10", "2031-02-28"));
        let until = day("2027-02-28");
        let away = |military| Effect::Suspension { until, months: 12, military };
        assert_eq!(told(&student, away(false), 2.5, (2026, 10)), days("2028-07-10", "2031-02-28"));
        assert_eq!(told(&student, away(true), 2.5, (2026, 10)), days("2028-07-10", "2032-02-29"));
        let half = Effect::Suspension { until, months: 6, military: true };
        assert_eq!(told(&student, half, 2.5, (2026, 10)), days("2028-07-10", "2031-08-31"));
        assert_eq!(told(&student, Effect::TransferOut, 2.5, (2026, 10)), days("2028-07-10", "2031-02-28"));
    }

    #[test]
    fn the_history_keeps_what_differs() {
        let student = Student { status: StudentStatus::Registered, class_id: Some(7), ..studying() };
        let after = Placement { class_id: None, ..Placement::of(&student) };
        let transfer = Transfer {
            effect: Effect::Dropout(WithdrawReason::Voluntary),
            after: &after,
            reason: "本人申请",
            renumber: false,
            change_id: 1,
            document_no: None,
            effective_on: day("2026-09-01"),
        };
        let behind = Standing::behind(&student, &transfer, StudyDates::of(&student));
        let (from, to) = differing(&Standing::of(&student).fields(), &behind.fields());
        assert_eq!(
            Value::Object(from),
            json!({ "classId": 7, "endedOn": null, "status": "registered", "statusReason": null })
        );
        assert_eq!(
            Value::Object(to),
            json!({ "classId": null, "endedOn": "2026-09-01", "status": "withdrawn", "statusReason": "voluntary" })
        );
    }

    #[test]
    fn military_service_counts_to_no_limit() {
        let student = Student { suspended_months: 18, ..studying() };
        let after = Placement::of(&student);
        let months = |military| {
            let effect = Effect::Suspension { until: day("2027-08-31"), months: 12, military };
            let transfer = Transfer {
                effect,
                after: &after,
                reason: "应征入伍",
                renumber: false,
                change_id: 1,
                document_no: None,
                effective_on: day("2026-09-01"),
            };
            Standing::behind(&student, &transfer, StudyDates::of(&student)).suspended_months
        };
        assert_eq!((months(false), months(true)), (30, 18));
    }
}
