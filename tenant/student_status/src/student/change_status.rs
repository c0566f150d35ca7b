//! 标记已注册 and 标记超学制: the two steps of a status that staff take themselves (02 §9.2); each student succeeds or fails by
//! itself. What follows from 学信网, 异动 and 毕业 comes by those.

use std::collections::HashMap;

use chrono::NaiveDate;
use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Error, Reply, Result, Scope, Tx, enumeration, reply,
    steps::{Chosen, Step, Stepped, inside},
};
use poem_openapi::{Object, OpenApi, types::Example};
use sqlx::PgConnection;
use student_numbers::{allocation::allocate, rule::given_at_report};
use student_status_rules::{
    account::StudentItem,
    check::NOT_YOURS,
    list::StudentFilter,
    standing::{may_expire, may_register},
    student::Student,
};

use super::{
    ChangeStudentStatus, ExportStudents, RegisterStudents,
    chsi::tell,
    list::StudentRow,
    lock,
    number::{as_numbered, give},
    quota,
};
use crate::enums::StudentStatus;

enumeration! {
    /// 标记后的学籍状态
    pub enum MarkedStatus = "studentMarkedStatus" {
        Expired = "expired" "超学制",
    }
}

/// Who is registered, and since when.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct StudentRegistration {
    #[oai(flatten)]
    pub rows: Chosen<StudentItem, StudentFilter>,
    /// 注册日期
    pub registered_on: NaiveDate,
}

impl Example for StudentRegistration {
    fn example() -> Self {
        let registered_on = NaiveDate::from_ymd_opt(2026, 3, 20).unwrap_or_default();
        Self { rows: Chosen::items(vec![StudentItem { id: 1, version: 1 }]), registered_on }
    }
}

/// Who is beyond the longest study time.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct StudentStatusMark {
    #[oai(flatten)]
    pub rows: Chosen<StudentItem, StudentFilter>,
    /// 学籍状态
    pub status: MarkedStatus,
    /// 备注
    #[oai(validator(max_length = 200))]
    pub remark: Option<String>,
}

impl Example for StudentStatusMark {
    fn example() -> Self {
        let rows = Chosen::items(vec![StudentItem { id: 1, version: 1 }]);
        Self { rows, status: MarkedStatus::Expired, remark: None }
    }
}

/// A step of one student: where it leads, on which day, and why.
struct Marking<'s> {
    to: StudentStatus,
    /// As the history names it.
    kind: &'static str,
    on: NaiveDate,
    reason: Option<&'s str>,
}

/// The student of a bulk row, locked and as it was read.
async fn found(tx: &mut Tx, item: StudentItem, scope: &Scope) -> Result<Student> {
    let student = lock(tx, item.id, scope).await.map_err(|error| match error.code {
        404 => Error::new(404, NOT_YOURS),
        _ => error,
    })?;
    if student.version != item.version {
        return Err(tx.stale("student", student.id).await);
    }
    Ok(student)
}

async fn mark(tx: &mut Tx, student: &Student, step: &Marking<'_>) -> Result<Change> {
    let by = tx.by();
    sqlx::query!(
        "update student set status = $2, registered_on = case when $2 = 'registered' then $3 else registered_on end,
                register_result = case when $2 = 'registered' then 'accepted' else register_result end,
                updated_at = now(), updated_by = $4, version = version + 1
         where id = $1",
        student.id,
        step.to.as_str(),
        step.on,
        by
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into student_status_change (student_id, kind, from_status, to_status, reason, effective_on, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $7)",
        student.id,
        step.kind,
        student.status.as_str(),
        step.to.as_str(),
        step.reason,
        step.on,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(Change::status("student", student.id, "status", student.status.as_str(), step.to.as_str()))
}

async fn register(
    tx: &mut Tx,
    item: StudentItem,
    on: NaiveDate,
    seats: Option<&mut quota::Seats>,
    numbers: &HashMap<i64, Result<String, String>>,
    scope: &Scope,
) -> Result<Change> {
    let mut student = found(tx, item, scope).await?;
    match numbers.get(&student.id) {
        Some(Ok(number)) => {
            let given = give(tx, student.id, number).await?;
            tx.record(&[given]).await?;
            student.student_no = Some(number.clone());
        }
        Some(Err(why)) => return Err(Error::conflict(why.clone())),
        None => {}
    }
    may_register(&student, on, tx.app().clock().today()).map_err(Error::conflict)?;
    if let Some(seats) = seats {
        seats.take(1)?;
    }
    tell(tx, student.id, student.student_no.as_deref().unwrap_or_default()).await?;
    mark(tx, &student, &Marking { to: StudentStatus::Registered, kind: "register", on, reason: None }).await
}

async fn expire(tx: &mut Tx, item: StudentItem, remark: Option<&str>, scope: &Scope) -> Result<Change> {
    let student = found(tx, item, scope).await?;
    let today = tx.app().clock().today();
    may_expire(&student, today).map_err(Error::conflict)?;
    mark(tx, &student, &Marking { to: StudentStatus::Expired, kind: "expire", on: today, reason: remark }).await
}

/// The numbers of those who have none yet, where the school gives them with the registration.
async fn numbers_at_registration(
    tx: &mut Tx,
    items: &[StudentItem],
    scope: &Scope,
) -> Result<HashMap<i64, Result<String, String>>> {
    if given_at_report(tx).await? {
        return Ok(HashMap::new());
    }
    let ids: Vec<i64> = items.iter().map(|item| item.id).collect();
    let waiting = sqlx::query_scalar!(
        "select id from student
         where id = any($1) and student_no is null and status = 'pending_registration'
           and ($2::bigint[] is null or site_id = any($2) or class_id = any($3::bigint[]))
         order by id for update",
        &ids,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(allocate(tx, &waiting).await?.into_iter().map(|given| (given.student_id, given.number)).collect())
}

pub struct Standing;

#[OpenApi(prefix_path = "/adult/pc/studentRoll", tag = "crate::Tag::StudentStatus")]
impl Standing {
    /// 标记已注册
    #[oai(path = "/register", method = "put", operation_id = "registerStudents")]
    async fn register(
        &self,
        caller: Allowed<RegisterStudents>,
        Body(wanted): Body<StudentRegistration>,
    ) -> Result<Reply<Stepped>> {
        Ok(reply(inside(&caller, wanted.rows, Register { on: wanted.registered_on }).await?))
    }

    /// 标记超学制
    #[oai(path = "/changeStatus", method = "put", operation_id = "markStudentsExpired")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeStudentStatus>,
        Body(wanted): Body<StudentStatusMark>,
    ) -> Result<Reply<Stepped>> {
        let MarkedStatus::Expired = wanted.status;
        Ok(reply(inside(&caller, wanted.rows, Expire { remark: wanted.remark }).await?))
    }
}

fn as_listed(row: &StudentRow) -> StudentItem {
    StudentItem { id: row.id, version: row.version }
}

/// 标记已注册
#[derive(Debug, Object)]
pub(super) struct Register {
    on: NaiveDate,
}

impl Step for Register {
    const KIND: &'static str = "student.register";
    const TITLE: &'static str = "标记已注册";
    type Permission = RegisterStudents;
    type Item = StudentItem;
    type List = ExportStudents;

    fn item(row: &StudentRow) -> StudentItem {
        as_listed(row)
    }

    async fn in_order(&self, connection: &mut PgConnection, items: Vec<StudentItem>) -> Result<Vec<StudentItem>> {
        if given_at_report(connection).await? { Ok(items) } else { as_numbered(connection, items).await }
    }

    async fn run(&self, mut tx: Tx, items: Vec<StudentItem>, scope: &Scope) -> Result<BulkResult> {
        let mut seats = quota::free_seats(&mut tx).await?;
        let numbers = numbers_at_registration(&mut tx, &items, scope).await?;
        let mut bulk = Bulk::new(tx, "student");
        for item in items {
            let outcome = register(bulk.row().await?, item, self.on, seats.as_mut(), &numbers, scope).await;
            bulk.ended(item.id, outcome).await?;
        }
        bulk.commit().await
    }
}

/// 标记超学制
#[derive(Debug, Object)]
pub(super) struct Expire {
    remark: Option<String>,
}

impl Step for Expire {
    const KIND: &'static str = "student.expire";
    const TITLE: &'static str = "标记超学制";
    type Permission = ChangeStudentStatus;
    type Item = StudentItem;
    type List = ExportStudents;

    fn item(row: &StudentRow) -> StudentItem {
        as_listed(row)
    }

    async fn run(&self, tx: Tx, items: Vec<StudentItem>, scope: &Scope) -> Result<BulkResult> {
        let mut bulk = Bulk::new(tx, "student");
        for item in items {
            let outcome = expire(bulk.row().await?, item, self.remark.as_deref(), scope).await;
            bulk.ended(item.id, outcome).await?;
        }
        bulk.commit().await
    }
}
