//! 报到建档: who reports comes into the register, with a class and a number, in the transaction of the report; and how that is taken
//! back (02 §7, §9.1–9.5).

use std::collections::{HashMap, HashSet};

use infra::{Change, Error, Result, Scope, Tx};
pub use student_status_rules::arrival::Arrival;
use student_status_rules::{
    check::check,
    new_student::NewStudent,
    references::References,
    warnings::{filing_expired, full, of_person, too_wide},
};

use super::{
    check::duplicates,
    enrol::enrol,
    number::{Numbered, give_to_new},
    references::Only,
    removal::remove,
};
use crate::{
    division::{Newcomer, seat_newcomers},
    enums::{RegisterResult, StudentSource, StudentStatus},
    id_card,
};

/// What became of them.
#[derive(Debug, Clone)]
pub struct Arrived {
    pub student_id: i64,
    pub student_no: Option<String>,
    pub class_name: Option<String>,
    /// What is worth a second look.
    pub warnings: Vec<String>,
}

/// Enters those who may be entered, in the order of the arrivals: file, account, the beginning of the history, a class when they
/// are to be `seated`, and a number where numbers are given at the report. Of the others it says why not.
///
/// # Errors
/// 409 when a number was taken between the check and the write; those of the database.
pub async fn arrive(
    tx: &mut Tx,
    arrivals: &[Arrival],
    scope: &Scope,
    seated: bool,
) -> Result<Vec<Result<Arrived, String>>> {
    let mut checked = checked(tx, arrivals, scope).await?;
    let (places, new): (Vec<usize>, Vec<NewStudent>) =
        checked.new.iter().enumerate().filter_map(|(place, new)| Some((place, new.as_ref().ok()?.clone()))).unzip();
    let ids = enrol(tx, &new).await?;
    let of: Vec<&Arrival> = places.iter().map(|place| &arrivals[*place]).collect();
    come_from(tx, &ids, &of).await?;
    let mut changes: Vec<Change> =
        ids.iter().zip(&of).map(|(id, arrival)| Change::created("student", *id, &arrival.form)).collect();
    let mut unseated = HashMap::new();
    if seated {
        let newcomers: Vec<Newcomer> = ids.iter().zip(&new).map(|(id, new)| Newcomer::of(*id, new)).collect();
        let seats = seat_newcomers(tx, &newcomers).await?;
        changes.extend(seats.changes);
        unseated = seats.without;
    }
    tx.record(&changes).await?;
    let numbered = Numbered::of_school(tx).await?;
    let to_number: Vec<i64> =
        ids.iter().zip(&new).filter(|(_, new)| numbered.includes(new)).map(|(id, _)| *id).collect();
    let without: HashMap<i64, String> = give_to_new(tx, &to_number).await?.into_iter().collect();
    let entered = entered(tx, &ids).await?;
    let mut answers: Vec<Result<Arrived, String>> = Vec::with_capacity(arrivals.len());
    let mut ids = ids.into_iter();
    for new in std::mem::take(&mut checked.new) {
        answers.push(match new {
            Err(why) => Err(why),
            Ok(new) => {
                let id = ids.next().ok_or_else(|| Error::internal("a student was entered without an id"))?;
                let (student_no, class_name) = entered.get(&id).cloned().unwrap_or_default();
                let mut warnings = checked.warnings(&new);
                warnings.extend(student_no.as_deref().and_then(too_wide));
                warnings.extend(unseated.get(&id).cloned());
                warnings.extend(without.get(&id).map(|why| format!("未生成学号：{why}")));
                Ok(Arrived { student_id: id, student_no, class_name, warnings })
            }
        });
    }
    Ok(answers)
}

/// Students as they will be stored, or why they are none.
struct Checked {
    new: Vec<Result<NewStudent, String>>,
    known: References,
    today: chrono::NaiveDate,
    /// Sites of which something was said.
    told: HashSet<(i64, &'static str)>,
}

impl Checked {
    /// Of the person, and once of a site that is full or whose filing has expired.
    fn warnings(&mut self, new: &NewStudent) -> Vec<String> {
        let mut warnings: Vec<String> = of_person(new).into_iter().map(|warning| warning.message).collect();
        if let Some(site) = self.known.sites.get_mut(&new.site_id) {
            for (what, warning) in [("full", full(site)), ("filing", filing_expired(site, self.today))] {
                let first = warning.filter(|_| self.told.insert((site.id, what)));
                warnings.extend(first.map(|warning| warning.message));
            }
            site.taken += 1;
        }
        warnings
    }
}

/// Nobody else enters one of these people until the transaction ends.
async fn checked(tx: &mut Tx, arrivals: &[Arrival], scope: &Scope) -> Result<Checked> {
    let numbers: Vec<&str> = arrivals.iter().map(|arrival| arrival.form.id_card_no.as_str()).collect();
    id_card::hold(tx, &numbers).await?;
    let app = tx.app().clone();
    let only = match arrivals {
        [one] => Only {
            grade: Some(one.form.grade_id),
            level: Some(one.form.level_id),
            major: Some(one.form.major_id),
            site: Some(one.form.site_id),
            class: Some(0),
        },
        _ => Only { class: Some(0), ..Only::default() },
    };
    let known = only.load(&app, tx).await?;
    let today = app.clock().today();
    let active = active(tx, &numbers).await?;
    let mut new: Vec<Result<NewStudent, String>> = Vec::with_capacity(arrivals.len());
    for Arrival { form, .. } in arrivals {
        let kind = form.id_card_type.unwrap_or(id_card::IdCardType::ResidentId);
        new.push(match active.get(&(kind, form.id_card_no.clone())) {
            Some(number) => Err(format!("该人员仍有在籍学籍（{number}），不能报到")),
            None => check(form, &known, scope, today)
                .map(|new| NewStudent { source: StudentSource::Report, ..new })
                .map_err(|wrong| wrong.into_iter().map(|error| error.message).collect::<Vec<_>>().join("；")),
        });
    }
    refuse_taken(tx, &mut new).await?;
    Ok(Checked { new, known, today, told: HashSet::new() })
}

/// The active students with one of these numbers, by what they are called by.
async fn active(tx: &mut Tx, numbers: &[&str]) -> Result<HashMap<(id_card::IdCardType, String), String>> {
    let rows = sqlx::query!(
        r#"select id_card_type as "id_card_type: id_card::IdCardType", id_card_no,
                  coalesce(student_no, examinee_no, '学号未生成') as "number!"
           from student where id_card_no = any($1) and active"#,
        numbers as _
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(rows.into_iter().map(|row| ((row.id_card_type, row.id_card_no), row.number)).collect())
}

/// Of two who would have the same number or login name the later is refused, as is who would have another student's.
async fn refuse_taken(tx: &mut Tx, new: &mut [Result<NewStudent, String>]) -> Result<()> {
    let (mut people, mut numbers) = (HashSet::new(), HashSet::new());
    for student in new.iter_mut() {
        let Ok(one) = student else { continue };
        let person = (one.id_card_type, one.id_card_no.clone());
        let repeated = !people.insert(person) || one.examinee_no.clone().is_some_and(|number| !numbers.insert(number));
        if repeated {
            *student = Err("与本次办理的其他人员证件号或考生号重复".to_owned());
        }
    }
    let right: Vec<&NewStudent> = new.iter().filter_map(|student| student.as_ref().ok()).collect();
    let mut wrong = duplicates(tx, &right).await?.into_iter();
    for student in new.iter_mut().filter(|student| student.is_ok()) {
        let wrong = wrong.next().unwrap_or_default();
        if !wrong.is_empty() {
            *student = Err(wrong.into_iter().map(|error| error.message).collect::<Vec<_>>().join("；"));
        }
    }
    Ok(())
}

/// Writes from where the students come, and their pictures.
async fn come_from(tx: &mut Tx, ids: &[i64], of: &[&Arrival]) -> Result<()> {
    let registrations: Vec<i64> = of.iter().map(|arrival| arrival.registration_id).collect();
    let admissions: Vec<i64> = of.iter().map(|arrival| arrival.admission_id).collect();
    let admission_photos: Vec<Option<i64>> = of.iter().map(|arrival| arrival.admission_photo_id).collect();
    let enrol_photos: Vec<Option<i64>> = of.iter().map(|arrival| arrival.enrol_photo_id).collect();
    sqlx::query!(
        "update student s set registration_id = w.registration_id, admission_id = w.admission_id,
                admission_photo_id = w.admission_photo, enrol_photo_id = w.enrol_photo
         from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
              as w (id, registration_id, admission_id, admission_photo, enrol_photo)
         where s.id = w.id",
        ids,
        &registrations,
        &admissions,
        admission_photos as _,
        enrol_photos as _
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Number and class of students who have just come.
async fn entered(tx: &mut Tx, ids: &[i64]) -> Result<HashMap<i64, (Option<String>, Option<String>)>> {
    let rows = sqlx::query!(
        r#"select s.id as "id!", s.student_no, c.name as "class_name?" from student s left join class c on c.id = s.class_id
           where s.id = any($1)"#,
        ids
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(rows.into_iter().map(|row| (row.id, (row.student_no, row.class_name))).collect())
}

/// Takes back what [`arrive`] made of somebody: the file, its history and the account go, the number is never given again. Whoever
/// calls refers to the student no more.
///
/// # Errors
/// 404 when the student is beyond the scope by now; 409 when they were registered or reported to 学信网, or when something refers
/// to them.
pub async fn depart(tx: &mut Tx, id: i64, reason: &str, scope: &Scope) -> Result<Change> {
    leave(tx, id, reason, scope, &[RegisterResult::None]).await
}

/// The same of somebody whom 学信网 did not take: its answer says so, whatever it was told before (02 §9.9).
///
/// # Errors
/// As [`depart`].
pub async fn strike(tx: &mut Tx, id: i64, reason: &str, scope: &Scope) -> Result<Change> {
    leave(tx, id, reason, scope, &[RegisterResult::None, RegisterResult::Exported, RegisterResult::Rejected]).await
}

async fn leave(tx: &mut Tx, id: i64, reason: &str, scope: &Scope, allowed: &[RegisterResult]) -> Result<Change> {
    tx.lock("student", id).await?;
    let student = sqlx::query!(
        r#"select status as "status: StudentStatus", register_result as "register_result: RegisterResult", site_id, class_id
           from student where id = $1"#,
        id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    if !scope.sees(Some(student.site_id), student.class_id) {
        return Err(Error::not_found());
    }
    if student.status != StudentStatus::PendingRegistration {
        return Err(Error::conflict(format!("当前学籍状态为{}，不能撤销报到", student.status.zh())));
    }
    if !allowed.contains(&student.register_result) {
        let result = student.register_result.zh();
        return Err(Error::conflict(format!("该生学信网注册结果为{result}，不能撤销报到")));
    }
    Ok(remove(tx, id, "撤销报到").await?.because(Some(reason)))
}
