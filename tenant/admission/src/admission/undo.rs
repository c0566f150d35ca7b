//! Undoing imports: somebody stands again as before, with the lead and the place that they had, where nobody else has them by now.

use infra::{Change, Error, Result, Scope, Tx, transfer::Imported};
use recruitment::admitting;

use super::person::{Person, Placer, Stand, changed, write};
use crate::enums::{AdmissionIssue, AdmissionMatchStatus};

/// Takes back what an import made of somebody who is held; none when it made nothing.
///
/// # Errors
/// 404 when the former site lies outside the scope; 409 when the person changed since, was decided, or somebody else has the lead or
/// the place.
pub(super) async fn undone(tx: &mut Tx, person: &Person, record: &Imported, scope: &Scope) -> Result<Option<Change>> {
    let now = Stand::from(person);
    let former: Stand = record.former(&now)?;
    if former == now {
        return Ok(None);
    }
    if !person.is_open() {
        return Err(Error::conflict(format!("当前状态为{}，不能撤销", person.status.zh())));
    }
    let after = stands_again(tx, person, former, scope).await?;
    write(tx, std::slice::from_ref(&after)).await?;
    Ok(Some(changed(person, &after)))
}

/// The person as they stood, to be written. Leads are released and admitted already.
///
/// # Errors
/// As [`undone`].
pub(super) async fn stands_again(tx: &mut Tx, now: &Person, former: Stand, scope: &Scope) -> Result<Person> {
    lead_again(tx, now, &former).await?;
    let mut after = now.clone();
    let mut beyond = None;
    if former.site_id != now.site_id {
        let mut placer = Placer::hold(tx, std::slice::from_ref(now), former.site_id.as_slice()).await?;
        match former.site_id {
            Some(site) if !scope.sees(Some(site), None) => return Err(Error::not_found()),
            Some(site) => {
                placer.place(&mut after, site).map_err(Error::conflict)?;
                beyond = Some(after.issues.contains(&AdmissionIssue::OverQuota));
            }
            None => placer.leave(&mut after),
        }
    }
    let Stand { pre_registration_id, match_status, issues, site_id, status, phone, address, postal_code } = former;
    let mut after =
        Person { pre_registration_id, match_status, issues, site_id, status, phone, address, postal_code, ..after };
    // Whether the place is beyond the plan is of today.
    if let Some(beyond) = beyond {
        after.note(AdmissionIssue::OverQuota, beyond);
    }
    Ok(after)
}

/// The lead of now is free, and that from before is the person's again.
async fn lead_again(tx: &mut Tx, now: &Person, former: &Stand) -> Result<()> {
    let of =
        |lead: Option<i64>, matched: AdmissionMatchStatus| lead.filter(|_| matched == AdmissionMatchStatus::Matched);
    let admitted = of(now.pre_registration_id, now.match_status);
    let again = of(former.pre_registration_id, former.match_status);
    let both: Vec<i64> = now.pre_registration_id.into_iter().chain(former.pre_registration_id).collect();
    if both.is_empty() {
        return Ok(());
    }
    admitting::hold(tx, &[], &[], &[], &both).await?;
    if let Some(lead) = former.pre_registration_id.filter(|lead| now.pre_registration_id != Some(*lead)) {
        let whole = Scope::whole_school();
        let found = admitting::candidate(tx, lead, now.grade_id, now.id, &whole).await;
        found.map_err(|error| if error.code == 422 { Error::conflict(error.msg) } else { error })?;
    }
    let mut changes = Vec::new();
    if let Some(lead) = admitted.filter(|_| admitted != again) {
        changes.extend(admitting::release(tx, &[lead]).await?);
    }
    if let Some(lead) = again.filter(|_| admitted != again) {
        changes.extend(admitting::admit(tx, &[lead]).await?);
    }
    tx.record(&changes).await
}
