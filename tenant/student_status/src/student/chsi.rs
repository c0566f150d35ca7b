//! What 学信网 is told of students, and what it answers: the only writers of 注册结果 beside 标记已注册 (02 §9.2, §9.9).

use std::collections::HashMap;

use chrono::NaiveDate;
use infra::{Change, Error, Result, Scope, Tx, transfer::Imported};
use poem_openapi::Object;
use scenes::{Person, PersonKind, Persons, notify};
use student_status_rules::standing::registrable;

use super::quota;
use crate::enums::{RegisterResult, StudentStatus};

pub use super::quota::Seats;

/// A student who is held, as far as 学信网 is concerned.
#[derive(Debug, Clone)]
pub struct Applicant {
    pub id: i64,
    pub name: String,
    pub id_card_no: String,
    pub student_no: Option<String>,
    pub status: StudentStatus,
    pub register_result: RegisterResult,
    pub register_message: Option<String>,
    pub registered_on: Option<NaiveDate>,
    pub enrolled_on: NaiveDate,
    pub site_id: i64,
    pub class_id: Option<i64>,
}

impl Applicant {
    /// # Errors
    /// Why the student is not registered on that day.
    pub fn registrable(&self, on: NaiveDate, today: NaiveDate) -> Result<(), String> {
        registrable(self.status, self.student_no.as_deref(), self.enrolled_on, (on, today))
    }

    /// # Errors
    /// Why an answer of 学信网 is of no account any more.
    pub fn waits(&self) -> Result<(), String> {
        if self.status == StudentStatus::PendingRegistration {
            Ok(())
        } else {
            Err(format!("当前学籍状态为{}，不能导入该注册结果", self.status.zh()))
        }
    }

    fn answer(&self) -> Answer {
        Answer {
            status: self.status,
            registered_on: self.registered_on,
            register_result: self.register_result,
            register_message: self.register_message.clone(),
        }
    }
}

/// What an answer of 学信网 changes of a student, as the trail keeps it.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
struct Answer {
    /// 学籍状态
    status: StudentStatus,
    /// 注册日期
    registered_on: Option<NaiveDate>,
    /// 注册结果
    register_result: RegisterResult,
    /// 注册说明
    register_message: Option<String>,
}

/// Holds these students, in the order of their numbers.
///
/// # Errors
/// Those of the database.
pub async fn hold(tx: &mut Tx, ids: &[i64]) -> Result<HashMap<i64, Applicant>> {
    let rows = sqlx::query_as!(
        Applicant,
        r#"select id, name, id_card_no, student_no, status as "status: _", register_result as "register_result: _",
                  register_message, registered_on, enrolled_on, site_id, class_id
           from student where id = any($1) order by id for update"#,
        ids
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(rows.into_iter().map(|row| (row.id, row)).collect())
}

/// These students are in a file for 学信网 now; those of them who still wait and are not marked so.
///
/// # Errors
/// Those of the database.
pub async fn exported(tx: &mut Tx, ids: &[i64]) -> Result<Vec<Change>> {
    let by = tx.by();
    let marked = sqlx::query!(
        r#"update student s set register_result = 'exported', register_message = null, updated_at = now(), updated_by = $2,
                  version = s.version + 1
           from (select id, register_result from student
                 where id = any($1) and status = 'pending_registration' and register_result in ('none', 'rejected')
                 order by id for update) before
           where s.id = before.id
           returning s.id, before.register_result as "before!""#,
        ids,
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    let told = marked.into_iter().map(|row| {
        Change::status("student", row.id, "registerResult", row.before.as_str(), RegisterResult::Exported.as_str())
    });
    Ok(told.collect())
}

/// The seats that the school's quota leaves, kept from others until the transaction ends; none where there is no quota.
///
/// # Errors
/// Those of the database.
pub async fn seats(tx: &mut Tx) -> Result<Option<Seats>> {
    quota::free_seats(tx).await
}

/// 学信网 registered these students, each on a day; seats, then they were held, and they were looked at.
///
/// # Errors
/// 409 when the school's quota has not so many seats.
pub async fn accepted(tx: &mut Tx, students: &[(&Applicant, NaiveDate)], seats: Option<Seats>) -> Result<Vec<Change>> {
    if let Some(mut seats) = seats {
        seats.take(i64::try_from(students.len()).unwrap_or(i64::MAX))?;
    }
    let by = tx.by();
    let ids: Vec<i64> = students.iter().map(|(student, _)| student.id).collect();
    let days: Vec<NaiveDate> = students.iter().map(|(_, on)| *on).collect();
    sqlx::query!(
        "update student s set status = 'registered', registered_on = w.day, register_result = 'accepted',
                register_message = null, updated_at = now(), updated_by = $3, version = s.version + 1
         from unnest($1::bigint[], $2::date[]) as w (id, day) where s.id = w.id",
        &ids,
        &days,
        by
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into student_status_change (student_id, kind, from_status, to_status, effective_on, created_by, updated_by)
         select w.id, 'register', 'pending_registration', 'registered', w.day, $3, $3
         from unnest($1::bigint[], $2::date[]) with ordinality as w (id, day, place) order by w.place",
        &ids,
        &days,
        by
    )
    .execute(&mut **tx)
    .await?;
    for (student, _) in students {
        tell(tx, student.id, student.student_no.as_deref().unwrap_or_default()).await?;
    }
    let told = students.iter().map(|(student, on)| {
        let after = Answer {
            status: StudentStatus::Registered,
            registered_on: Some(*on),
            register_result: RegisterResult::Accepted,
            register_message: None,
        };
        Change::edited("student", student.id, &student.answer(), &after)
    });
    Ok(told.collect())
}

/// Tells a student that they are registered.
pub(super) async fn tell(tx: &mut Tx, id: i64, number: &str) -> Result<()> {
    let values = [("studentNo".to_owned(), number.to_owned())].into();
    let person = Person { kind: PersonKind::Student, id };
    notify(tx, "status_registered", Persons::Recipients(vec![person]), values, None).await
}

/// 学信网 did not register these students, and said why.
///
/// # Errors
/// Those of the database.
pub async fn refused(tx: &mut Tx, students: &[(&Applicant, Option<String>)]) -> Result<Vec<Change>> {
    let by = tx.by();
    let ids: Vec<i64> = students.iter().map(|(student, _)| student.id).collect();
    let messages: Vec<Option<&str>> = students.iter().map(|(_, message)| message.as_deref()).collect();
    sqlx::query!(
        "update student s set register_result = 'rejected', register_message = w.message, updated_at = now(),
                updated_by = $3, version = s.version + 1
         from unnest($1::bigint[], $2::text[]) as w (id, message) where s.id = w.id",
        &ids,
        messages as _,
        by
    )
    .execute(&mut **tx)
    .await?;
    let told = students.iter().map(|(student, message)| {
        let before = student.answer();
        let after =
            Answer { register_result: RegisterResult::Rejected, register_message: message.clone(), ..before.clone() };
        Change::edited("student", student.id, &before, &after)
    });
    Ok(told.collect())
}

/// Takes back an answer that came by a sheet: who was registered by it waits again, and the history says so. None when it said
/// what stood already.
///
/// # Errors
/// 404 outside the scope; 409 when the student stands otherwise by now.
pub async fn take_back(tx: &mut Tx, record: &Imported, scope: &Scope) -> Result<Option<Change>> {
    let student = hold(tx, &[record.id])
        .await?
        .remove(&record.id)
        .filter(|student| scope.sees(Some(student.site_id), student.class_id))
        .ok_or_else(Error::not_found)?;
    let now = student.answer();
    let was: Answer = record.former(&now)?;
    if was == now {
        return Ok(None);
    }
    let (by, today) = (tx.by(), tx.app().clock().today());
    sqlx::query!(
        "update student set status = $2, registered_on = $3, register_result = $4, register_message = $5, updated_at = now(),
                updated_by = $6, version = version + 1
         where id = $1",
        student.id,
        was.status.as_str(),
        was.registered_on,
        was.register_result.as_str(),
        was.register_message,
        by
    )
    .execute(&mut **tx)
    .await?;
    if was.status != now.status {
        sqlx::query!(
            "insert into student_status_change (student_id, kind, from_status, to_status, reason, effective_on, created_by,
                                                updated_by)
             values ($1, 'revoke', $2, $3, '撤销导入注册结果', $4, $5, $5)",
            student.id,
            now.status.as_str(),
            was.status.as_str(),
            today,
            by
        )
        .execute(&mut **tx)
        .await?;
    }
    Ok(Some(Change::edited("student", student.id, &now, &was)))
}
