//! 生成学号: students get the next numbers of their rules, and sign in by them from then on (02 §9.4).

use std::collections::HashMap;

use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Error, OnConstraint, Reply, Result, Scope, Tx, reply,
    steps::{Chosen, Step, Stepped, inside},
};
use people::account::{self, NewAccount, OwnerKind, open_accounts};
use poem_openapi::{Object, OpenApi, types::Example};
use sqlx::PgConnection;
use student_numbers::{
    allocation::{allocate, remember},
    rule::{given_at_report, is_in_use},
};

use super::{
    ExportStudents, RegisterStudents,
    check::NOT_YOURS,
    list::{StudentFilter, StudentRow},
};
use crate::{account::StudentItem, enums::StudentStatus};

/// Who gets a number.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct StudentNumbering {
    #[oai(flatten)]
    pub rows: Chosen<StudentItem, StudentFilter>,
}

impl Example for StudentNumbering {
    fn example() -> Self {
        Self { rows: Chosen::items(vec![StudentItem { id: 1, version: 1 }]) }
    }
}

pub struct Numbering;

#[OpenApi(prefix_path = "/adult/pc/studentRoll", tag = "crate::Tag::StudentStatus")]
impl Numbering {
    /// 生成学号
    #[oai(path = "/studentNo/generate", method = "post", operation_id = "generateStudentNumbers")]
    async fn generate(
        &self,
        caller: Allowed<RegisterStudents>,
        Body(wanted): Body<StudentNumbering>,
    ) -> Result<Reply<Stepped>> {
        Ok(reply(inside(&caller, wanted.rows, Generate {}).await?))
    }
}

/// 生成学号
#[derive(Debug, Object)]
pub(super) struct Generate {}

impl Step for Generate {
    const KIND: &'static str = "student.number";
    const TITLE: &'static str = "生成学号";
    type Permission = RegisterStudents;
    type Item = StudentItem;
    type List = ExportStudents;

    fn item(row: &StudentRow) -> StudentItem {
        StudentItem { id: row.id, version: row.version }
    }

    async fn run(&self, mut tx: Tx, items: Vec<StudentItem>, scope: &Scope) -> Result<BulkResult> {
        let known = lock_numberless(&mut tx, &items, scope).await?;
        let waiting: Vec<i64> = items.iter().filter(|item| known.check(item).is_ok()).map(|item| item.id).collect();
        let numbers: HashMap<i64, Result<String, String>> =
            allocate(&mut tx, &waiting).await?.into_iter().map(|given| (given.student_id, given.number)).collect();
        let mut bulk = Bulk::new(tx, "student");
        for item in items {
            let tx = bulk.row().await?;
            let outcome = match (known.check(&item), numbers.get(&item.id)) {
                (Ok(()), Some(Ok(number))) => give(tx, item.id, number).await,
                (Ok(()), Some(Err(why))) => Err(Error::conflict(why.clone())),
                (Ok(()), None) => Err(Error::internal("a number was neither given nor refused")),
                (Err(Refusal::Changed), _) => Err(tx.stale("student", item.id).await),
                (Err(why), _) => Err(why.told()),
            };
            bulk.ended(item.id, outcome).await?;
        }
        bulk.commit().await
    }
}

/// Why a student gets no number.
#[derive(Debug, PartialEq, Eq)]
enum Refusal {
    NotYours,
    Changed,
    HasNumber(String),
    Left(StudentStatus),
}

impl Refusal {
    fn told(self) -> Error {
        match self {
            Self::NotYours | Self::Changed => Error::new(404, NOT_YOURS),
            Self::HasNumber(number) => Error::conflict(format!("已有学号{number}，不能重新生成")),
            Self::Left(status) => Error::conflict(format!("当前学籍状态为{}，不能生成学号", status.zh())),
        }
    }
}

/// The students of a step, locked in the order of their ids.
struct Locked(HashMap<i64, (i32, Option<String>, StudentStatus)>);

impl Locked {
    /// Only who is here and has none gets a number.
    fn check(&self, item: &StudentItem) -> Result<(), Refusal> {
        let (version, number, status) = self.0.get(&item.id).ok_or(Refusal::NotYours)?;
        if *version != item.version {
            return Err(Refusal::Changed);
        }
        match number {
            Some(number) => Err(Refusal::HasNumber(number.clone())),
            None if status.is_active() => Ok(()),
            None => Err(Refusal::Left(*status)),
        }
    }
}

async fn lock_numberless(tx: &mut Tx, items: &[StudentItem], scope: &Scope) -> Result<Locked> {
    let ids: Vec<i64> = items.iter().map(|item| item.id).collect();
    let rows = sqlx::query!(
        r#"select id, version, student_no, status as "status: StudentStatus" from student
           where id = any($1) and ($2::bigint[] is null or site_id = any($2) or class_id = any($3::bigint[]))
           order by id for update"#,
        &ids,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(Locked(rows.into_iter().map(|row| (row.id, (row.version, row.student_no, row.status))).collect()))
}

/// Gives a student who has none a number: it is remembered for ever, and the account follows it.
///
/// # Errors
/// 422 at `studentNo` when somebody had the number; 409 when an account of another person has that login name.
pub async fn give(tx: &mut Tx, id: i64, number: &str) -> Result<Change> {
    remember(tx, &[(id, number)]).await?;
    let by = tx.by();
    sqlx::query!(
        "update student set student_no = $2, updated_at = now(), updated_by = $3, version = version + 1 where id = $1",
        id,
        number,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|name| (name == "student_no_taken").then(|| Error::field("studentNo", "学号已存在")))?;
    match account::lock(tx, OwnerKind::Student, id).await? {
        Some(account) => {
            let renamed = account.rename(tx, number).await?;
            tx.record(&[renamed]).await?;
        }
        None => {
            let new = NewAccount { owner_id: id, login_name: number, enabled: true };
            open_accounts(tx, OwnerKind::Student, &[new]).await?;
        }
    }
    Ok(Change::status("student", id, "studentNo", None::<&str>, number))
}

/// Whether students that come into the register get numbers by rule.
///
/// # Errors
/// Those of the database.
pub async fn new_are_numbered(connection: &mut PgConnection) -> Result<bool> {
    Ok(is_in_use(connection).await? && given_at_report(connection).await?)
}

/// Gives students that have just come into the register their numbers by rule; answers who got none, and why.
///
/// # Errors
/// As [`give`].
pub async fn give_to_new(tx: &mut Tx, ids: &[i64]) -> Result<Vec<(i64, String)>> {
    let mut without = Vec::new();
    for given in allocate(tx, ids).await? {
        match given.number {
            Ok(number) => {
                let change = give(tx, given.student_id, &number).await?;
                tx.record(&[change]).await?;
            }
            Err(why) => without.push((given.student_id, why)),
        }
    }
    Ok(without)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_who_is_here_and_has_none_gets_a_number() {
        let known = Locked(HashMap::from([
            (1, (1, None, StudentStatus::PendingRegistration)),
            (2, (1, Some("26304120070023".to_owned()), StudentStatus::Registered)),
            (3, (2, None, StudentStatus::Registered)),
            (4, (1, None, StudentStatus::Withdrawn)),
        ]));
        let told = |id| known.check(&StudentItem { id, version: 1 }).err();
        assert_eq!(told(1), None);
        assert_eq!(told(2), Some(Refusal::HasNumber("26304120070023".to_owned())));
        assert_eq!(told(3), Some(Refusal::Changed));
        assert_eq!(told(4), Some(Refusal::Left(StudentStatus::Withdrawn)));
        assert_eq!(told(5), Some(Refusal::NotYours));
        assert_eq!(Refusal::Left(StudentStatus::Withdrawn).told().msg, "当前学籍状态为退学，不能生成学号");
    }
}
