//! 生成学号: students get the next numbers of their rules, and sign in by them from then on (02 §9.4).

use std::collections::HashMap;

use infra::{
    Allowed, Body, Bulk, BulkResult, BulkWarning, Change, Error, OnConstraint, Reply, Result, Scope, Tx, reply,
    steps::{Chosen, Step, Stepped, inside},
    transfer::Imported,
};
use people::account::{self, NewAccount, OwnerKind, follow_numbers, open_accounts};
use poem_openapi::{Object, OpenApi, types::Example};
use sqlx::PgConnection;
use student_numbers::{
    allocation::{self, Allocated, allocate, remember},
    rule::{given_at_report, is_in_use},
};
use student_status_rules::{
    account::StudentItem,
    list::StudentFilter,
    new_student::NewStudent,
    number::{Holder, Locked, Refusal},
    warnings::too_wide,
};

use super::{ExportStudents, RegisterStudents, list::StudentRow};
use crate::enums::StudentStatus;

/// So many get their numbers in one statement, which may look through the whole register once.
const PART: usize = 10_000;

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

    async fn in_order(&self, connection: &mut PgConnection, items: Vec<StudentItem>) -> Result<Vec<StudentItem>> {
        as_numbered(connection, items).await
    }

    async fn run(&self, tx: Tx, items: Vec<StudentItem>, scope: &Scope) -> Result<BulkResult> {
        Ok(self.run_warned(tx, items, scope).await?.0)
    }

    async fn run_warned(
        &self,
        mut tx: Tx,
        items: Vec<StudentItem>,
        scope: &Scope,
    ) -> Result<(BulkResult, Vec<BulkWarning>)> {
        let known = lock_numberless(&mut tx, &items, scope).await?;
        let waiting: Vec<i64> = items.iter().filter(|item| known.check(item).is_ok()).map(|item| item.id).collect();
        let numbers: HashMap<i64, Result<String, String>> =
            allocate(&mut tx, &waiting).await?.into_iter().map(|given| (given.student_id, given.number)).collect();
        let (mut bulk, mut warnings) = (Bulk::new(tx, "student"), Vec::new());
        for item in items {
            let tx = bulk.row().await?;
            let outcome = match (known.check(&item), numbers.get(&item.id)) {
                (Ok(()), Some(Ok(number))) => give(tx, item.id, number).await,
                (Ok(()), Some(Err(why))) => Err(Error::conflict(why.clone())),
                (Ok(()), None) => Err(Error::internal("a number was neither given nor refused")),
                (Err(Refusal::Changed), _) => Err(tx.stale("student", item.id).await),
                (Err(why), _) => Err(why.told()),
            };
            if let (Ok(_), Some(Ok(number))) = (&outcome, numbers.get(&item.id)) {
                warnings.extend(too_wide(number).map(|msg| known.warning(item.id, msg)));
            }
            bulk.ended(item.id, outcome).await?;
        }
        Ok((bulk.commit().await?, warnings))
    }
}

/// The rows of a step in the order in which their rules number them, so that the parts of a long one go on from each other.
pub(super) async fn as_numbered(
    connection: &mut PgConnection,
    mut items: Vec<StudentItem>,
) -> Result<Vec<StudentItem>> {
    let ids: Vec<i64> = items.iter().map(|item| item.id).collect();
    let order = allocation::in_order(connection, &ids).await?;
    let places: HashMap<i64, usize> = order.into_iter().enumerate().map(|(place, id)| (id, place)).collect();
    // Who is gone is told so at the end.
    items.sort_by_key(|item| places.get(&item.id).copied().unwrap_or(usize::MAX));
    Ok(items)
}

async fn lock_numberless(tx: &mut Tx, items: &[StudentItem], scope: &Scope) -> Result<Locked> {
    let ids: Vec<i64> = items.iter().map(|item| item.id).collect();
    let rows = sqlx::query!(
        r#"select id, name, version, student_no, status as "status: StudentStatus" from student
           where id = any($1) and ($2::bigint[] is null or site_id = any($2) or class_id = any($3::bigint[]))
           order by id for update"#,
        &ids,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(&mut **tx)
    .await?;
    let holder = |name, version, student_no, status| Holder { name, version, student_no, status };
    let rows = rows.into_iter().map(|row| (row.id, holder(row.name, row.version, row.student_no, row.status)));
    Ok(Locked(rows.collect()))
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

/// [`give`] to many, set-wise: answers the records of the students in their order.
///
/// # Errors
/// As [`give`].
pub(super) async fn give_all(tx: &mut Tx, given: &[(i64, &str)]) -> Result<Vec<Change>> {
    remember(tx, given).await?;
    let by = tx.by();
    let ids: Vec<i64> = given.iter().map(|(id, _)| *id).collect();
    let numbers: Vec<&str> = given.iter().map(|(_, number)| *number).collect();
    sqlx::query!(
        "update student s set student_no = n.number, updated_at = now(), updated_by = $3, version = s.version + 1
         from unnest($1::bigint[], $2::text[]) as n (id, number) where s.id = n.id",
        &ids,
        &numbers as _,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|name| (name == "student_no_taken").then(|| Error::field("studentNo", "学号已存在")))?;
    let renamed = follow_numbers(tx, OwnerKind::Student, given).await?;
    tx.record(&renamed).await?;
    Ok(given.iter().map(|(id, number)| Change::status("student", *id, "studentNo", None::<&str>, *number)).collect())
}

/// Takes back a number that [`give`] gave by a sheet: the student has none again, and signs in by their 考生号 or not at all. The
/// mended sheet may bring the number again.
///
/// # Errors
/// 404 outside the scope; 409 when they have another number by now, or when somebody else signs in by their 考生号.
pub(super) async fn take_back(tx: &mut Tx, id: i64, number: &str, scope: &Scope) -> Result<Change> {
    let student =
        sqlx::query!("select student_no, examinee_no, site_id, class_id from student where id = $1 for update", id)
            .fetch_optional(&mut **tx)
            .await?
            .filter(|student| scope.sees(Some(student.site_id), student.class_id))
            .ok_or_else(Error::not_found)?;
    if student.student_no.as_deref() != Some(number) {
        return Err(Imported::changed());
    }
    allocation::forget(tx, id, number).await?;
    let by = tx.by();
    sqlx::query!(
        "update student set student_no = null, updated_at = now(), updated_by = $2, version = version + 1 where id = $1",
        id,
        by
    )
    .execute(&mut **tx)
    .await?;
    match (account::lock(tx, OwnerKind::Student, id).await?, student.examinee_no) {
        (Some(account), Some(former)) => {
            let renamed = account.rename(tx, &former).await?;
            tx.record(&[renamed]).await?;
        }
        (Some(_), None) => account::remove(tx, OwnerKind::Student, id).await?,
        (None, _) => {}
    }
    Ok(Change::status("student", id, "studentNo", number, None::<&str>))
}

/// Which of the students that come into the register get numbers by rule as they come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbered {
    /// The school has no rule.
    Nobody,
    /// Those who come registered already: the others get theirs with the registration.
    Registered,
    Everybody,
}

impl Numbered {
    /// By the rules and the setting of the school.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn of_school(connection: &mut PgConnection) -> Result<Self> {
        Ok(match (is_in_use(connection).await?, given_at_report(connection).await?) {
            (false, _) => Self::Nobody,
            (true, false) => Self::Registered,
            (true, true) => Self::Everybody,
        })
    }

    /// Whether this one gets a number: who is here and brought none.
    pub fn includes(self, new: &NewStudent) -> bool {
        new.is_to_be_numbered()
            && match self {
                Self::Nobody => false,
                Self::Registered => new.status != StudentStatus::PendingRegistration,
                Self::Everybody => true,
            }
    }
}

/// Gives students that have just come into the register their numbers by rule; answers who got none, and why.
///
/// # Errors
/// As [`give`].
pub async fn give_to_new(tx: &mut Tx, ids: &[i64]) -> Result<Vec<(i64, String)>> {
    let (mut given, mut without) = (Vec::with_capacity(ids.len()), Vec::new());
    for Allocated { student_id, number } in allocate(tx, ids).await? {
        match number {
            Ok(number) => given.push((student_id, number)),
            Err(why) => without.push((student_id, why)),
        }
    }
    for part in given.chunks(PART) {
        let part: Vec<(i64, &str)> = part.iter().map(|(student, number)| (*student, number.as_str())).collect();
        let changes = give_all(tx, &part).await?;
        tx.record(&changes).await?;
    }
    Ok(without)
}
