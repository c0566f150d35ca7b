//! Of those of a demonstration school who were audited some came, some are kept, gave up, are late or were struck off, and the
//! others are still to come, with the fee paid or not (05 G4).

use chrono::{Days, NaiveDate};
use infra::{Result, Scope, Tx, clock::day_began};
use people::demo::Dice;

use crate::{
    enums::{RegistrationMaterial, RegistrationStatus, ReserveReason, VerifyMethod},
    registration::{
        held::{Arriving, held, write},
        report::enter_invented,
    },
};

/// What became of somebody, and whether they have paid.
type Outcome = (RegistrationStatus, bool);

/// Each of these occurs, however few people there are.
const PLANTED: [Outcome; 9] = [
    (RegistrationStatus::Reported, true),
    (RegistrationStatus::Reserved, true),
    (RegistrationStatus::Abandoned, false),
    (RegistrationStatus::NoShow, false),
    (RegistrationStatus::Revoked, false),
    (RegistrationStatus::Pending, false),
    (RegistrationStatus::Pending, true),
    (RegistrationStatus::Reported, true),
    (RegistrationStatus::Reported, true),
];

/// What usually becomes of people while they report.
const OUTCOMES: [(Outcome, f64); 7] = [
    ((RegistrationStatus::Reported, true), 45.0),
    ((RegistrationStatus::Pending, true), 20.0),
    ((RegistrationStatus::Pending, false), 22.0),
    ((RegistrationStatus::Reserved, true), 3.0),
    ((RegistrationStatus::Abandoned, false), 5.0),
    ((RegistrationStatus::NoShow, false), 4.0),
    ((RegistrationStatus::Revoked, false), 1.0),
];

/// Has the people report whom the demonstration's admissions opened.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx, seed: u64, today: NaiveDate) -> Result<()> {
    let ids = sqlx::query_scalar!("select id from registration where status = 'pending' order by id")
        .fetch_all(&mut **tx)
        .await?;
    let people = held(tx, &ids, &Scope::whole_school()).await?;
    let (mut paid, mut coming, mut others) = (Vec::new(), Vec::new(), Vec::new());
    for (nth, person) in people.into_iter().enumerate() {
        let mut dice = Dice::new(seed, "registration", nth);
        let drawn = dice.weighted(&OUTCOMES);
        let (status, has_paid) = PLANTED.get(nth).copied().unwrap_or(drawn);
        if has_paid {
            paid.push(person.id);
        }
        match status {
            RegistrationStatus::Reported => coming.push(checked(person)),
            RegistrationStatus::Pending => {}
            _ => others.push(left(person, status, today)),
        }
    }
    pay(tx, &paid, today).await?;
    write(tx, &others).await?;
    enter_invented(tx, coming).await
}

/// Somebody who was at the desk with their papers.
fn checked(person: Arriving) -> Arriving {
    use RegistrationMaterial::{Commitment, DiplomaCopy, DiplomaVerification, IdCopy};
    Arriving {
        verified: Some(VerifyMethod::Manual),
        materials: vec![IdCopy, DiplomaCopy, DiplomaVerification, Commitment],
        ..person
    }
}

/// Somebody who does not come now, and why.
fn left(mut person: Arriving, status: RegistrationStatus, today: NaiveDate) -> Arriving {
    person.status = status;
    person.reason = match status {
        RegistrationStatus::Reserved => Some("住院治疗，申请推迟入学".to_owned()),
        RegistrationStatus::Abandoned => Some("工作调动，本人放弃入学".to_owned()),
        RegistrationStatus::Revoked => Some("前置学历不符合要求".to_owned()),
        _ => None,
    };
    if status == RegistrationStatus::Reserved {
        person.reserve_reason = Some(ReserveReason::Illness);
        person.reserve_until = today.checked_add_days(Days::new(60));
    }
    person
}

/// A year's fee, some days ago, as the sheet of the bank has it.
async fn pay(tx: &mut Tx, ids: &[i64], today: NaiveDate) -> Result<()> {
    let day = today.checked_sub_days(Days::new(3)).unwrap_or(today);
    sqlx::query!(
        "update registration r
         set fee_paid = true, paid_amount = e.tuition, paid_at = $2, fee_source = 'import', trade_no = 'YH' || r.examinee_no
         from enrollment_major e
         where r.id = any($1) and e.id = r.enrollment_major_id",
        ids,
        day_began(day) as _
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
