//! Who is there already (02 §0.2): the same person in this batch or in another open one, an active student, the same phone.
//! Whoever enters the person afterwards holds the number before they look: [`id_card::hold`](crate::id_card::hold).

use std::collections::{HashMap, HashSet};

use chrono::NaiveDate;
use infra::{FieldError, Result, clock::Moment};
use sqlx::PgConnection;

use super::{check::Person, offer::Offer};
use crate::id_card::IdCardType;

/// What a new person has in common with those there are.
#[derive(Debug, Default)]
pub(super) struct Common {
    pub wrong: Vec<FieldError>,
    /// The row because of which they are wrong has the phone of the new person too.
    pub theirs: bool,
    /// An active student who graduates before the batch's grade enters.
    pub student: bool,
    /// Somebody else of the batch has this phone.
    pub phone: bool,
}

/// Numbers are compared with the kind of document they stand in.
type Number = (IdCardType, String);

struct Entered {
    batch_id: i64,
    batch_name: String,
    site_name: String,
    phone: String,
    at: Moment,
    /// Waits or was approved in a batch that is open.
    elsewhere: bool,
}

struct Student {
    number: Option<String>,
    graduates_on: NaiveDate,
}

/// For each of the people what they have in common with others; `own` is the row that one of them has already.
pub(super) async fn look(
    connection: &mut PgConnection,
    offer: &Offer,
    people: &[&Person],
    own: Option<i64>,
    now: Moment,
) -> Result<Vec<Common>> {
    let numbers: Vec<String> = people.iter().map(|person| person.form.id_card_no.clone()).collect();
    let entered = entered(connection, &numbers, own, now).await?;
    let students = students(connection, &numbers).await?;
    let phones = phones(connection, offer.batch_id, people, own).await?;
    Ok(people
        .iter()
        .map(|person| {
            let key = (person.form.id_card_type, person.form.id_card_no.clone());
            let mut common = Common { phone: phones.contains(&person.form.phone), ..Common::default() };
            let rows = entered.get(&key).map_or(&[][..], Vec::as_slice);
            let theirs = |row: &Entered| row.phone == person.form.phone;
            let refused = if let Some(row) = rows.iter().find(|row| row.batch_id == offer.batch_id) {
                let at = row.at.format("%Y-%m-%d %H:%M");
                Some((format!("该证件号在本批次已有预报名（{}，{at}）", row.site_name), theirs(row)))
            } else if let Some(row) = rows.iter().find(|row| row.elsewhere) {
                Some((format!("该证件号已在批次“{}”预报名", row.batch_name), theirs(row)))
            } else if let Some(student) = students.get(&key) {
                common.student = offer.entry_on.is_some_and(|entry_on| student.graduates_on < entry_on);
                let number = student.number.as_deref().unwrap_or("学号未生成");
                (!common.student).then(|| (format!("该人员为在籍学生（{number}），不能预报名"), false))
            } else {
                None
            };
            if let Some((message, theirs)) = refused {
                common.theirs = theirs;
                common.wrong.push(FieldError { field: "idCardNo".to_owned(), message });
            }
            common
        })
        .collect())
}

async fn entered(
    connection: &mut PgConnection,
    numbers: &[String],
    own: Option<i64>,
    now: Moment,
) -> Result<HashMap<Number, Vec<Entered>>> {
    let rows = sqlx::query!(
        r#"select p.id_card_type as "kind: IdCardType", p.id_card_no, p.batch_id, b.name as batch_name,
                  t.name as site_name, p.phone, p.created_at,
                  b.enabled and b.starts_at <= $3 and b.ends_at > $3
                  and p.status in ('pending', 'returned', 'approved') as "elsewhere!"
           from pre_registration p
           join pre_registration_batch b on b.id = p.batch_id
           join site t on t.id = p.site_id
           where p.id_card_no = any($1) and p.deleted_at is null and p.scrubbed_at is null
             and ($2::bigint is null or p.id <> $2)"#,
        numbers,
        own,
        now
    )
    .fetch_all(connection)
    .await?;
    let mut found: HashMap<Number, Vec<Entered>> = HashMap::new();
    for row in rows {
        found.entry((row.kind, row.id_card_no)).or_default().push(Entered {
            batch_id: row.batch_id,
            batch_name: row.batch_name,
            site_name: row.site_name,
            phone: row.phone,
            at: row.created_at,
            elsewhere: row.elsewhere,
        });
    }
    Ok(found)
}

async fn students(connection: &mut PgConnection, numbers: &[String]) -> Result<HashMap<Number, Student>> {
    let rows = sqlx::query!(
        r#"select id_card_type as "kind: IdCardType", id_card_no, coalesce(student_no, examinee_no) as number,
                  expected_graduation_on
           from student
           where id_card_no = any($1) and active"#,
        numbers
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            let student = Student { number: row.number, graduates_on: row.expected_graduation_on };
            ((row.kind, row.id_card_no), student)
        })
        .collect())
}

async fn phones(
    connection: &mut PgConnection,
    batch: i64,
    people: &[&Person],
    own: Option<i64>,
) -> Result<HashSet<String>> {
    let phones: Vec<String> = people.iter().map(|person| person.form.phone.clone()).collect();
    let taken = sqlx::query_scalar!(
        "select distinct phone from pre_registration
         where phone = any($1) and batch_id = $2 and deleted_at is null and ($3::bigint is null or id <> $3)",
        &phones,
        batch,
        own
    )
    .fetch_all(connection)
    .await?;
    Ok(taken.into_iter().collect())
}
