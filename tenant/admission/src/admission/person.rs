//! Somebody who was admitted, as matching and assignment know them: held, changed in memory, and written with others in one
//! statement. Whatever step: batches are held first, then rows in the order of their numbers, then leads, then majors.

use std::collections::{HashMap, HashSet};

pub(crate) use admission_rules::person::{Person, before, is_broken};
use enrolment::admitting::{PlacesOf, places, places_now, refuses_beyond_quota};
use infra::{Change, Error, Result, Scope, Tx};
use poem_openapi::Object;
use sqlx::PgConnection;

use crate::enums::{AdmissionIssue, AdmissionMatchStatus, AdmissionStatus};

/// These rows, those aside that the scope does not show; nobody else changes them until the transaction ends.
pub(crate) async fn held(tx: &mut Tx, ids: &[i64], scope: &Scope) -> Result<Vec<Person>> {
    let ids = sqlx::query_scalar!(
        "select id from admission
         where id = any($1) and deleted_at is null and ($2::bigint[] is null or site_id = any($2))
         order by id for no key update",
        ids,
        scope.sites()
    )
    .fetch_all(&mut **tx)
    .await?;
    now(tx, &ids, scope).await
}

/// The batches of these rows against their end, and against a file that is taken over: it holds its batch before any row, and so
/// does whoever changes rows.
pub(crate) async fn share_batches(tx: &mut Tx, ids: &[i64]) -> Result<()> {
    sqlx::query_scalar!(
        "select id from enrollment_batch where id in (select batch_id from admission where id = any($1))
         order by id for share",
        ids
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(())
}

/// The same rows as they are now, held by nobody: for a check.
pub(crate) async fn now(connection: &mut PgConnection, ids: &[i64], scope: &Scope) -> Result<Vec<Person>> {
    let rows = sqlx::query_as!(
        Person,
        r#"select id, version, batch_id, grade_id, name, id_card_no, examinee_no, phone, address, postal_code,
                  enrollment_major_id, major_id, total_score, pre_registration_id, match_status as "match_status: _",
                  issues as "issues: _", site_id, status as "status: _"
           from admission
           where id = any($1) and deleted_at is null and ($2::bigint[] is null or site_id = any($2))
           order by id"#,
        ids,
        scope.sites()
    )
    .fetch_all(connection)
    .await?;
    Ok(rows)
}

/// One of them, as it was read.
///
/// # Errors
/// 404 outside the scope, 409 when it changed since.
pub(crate) async fn held_one(tx: &mut Tx, id: i64, version: Option<i32>, scope: &Scope) -> Result<Person> {
    share_batches(tx, &[id]).await?;
    let person = held(tx, &[id], scope).await?.pop().ok_or_else(Error::not_found)?;
    match version {
        Some(version) if version != person.version => Err(tx.stale("admission", id).await),
        _ => Ok(person),
    }
}

/// Writes what steps change of the rows.
pub(crate) async fn write(tx: &mut Tx, people: &[Person]) -> Result<()> {
    if people.is_empty() {
        return Ok(());
    }
    let by = tx.by();
    let ids: Vec<i64> = people.iter().map(|person| person.id).collect();
    let leads: Vec<Option<i64>> = people.iter().map(|person| person.pre_registration_id).collect();
    let matches: Vec<&str> = people.iter().map(|person| person.match_status.as_str()).collect();
    let issues: Vec<String> = people
        .iter()
        .map(|person| person.issues.iter().map(|issue| issue.as_str()).collect::<Vec<_>>().join(","))
        .collect();
    let sites: Vec<Option<i64>> = people.iter().map(|person| person.site_id).collect();
    let statuses: Vec<&str> = people.iter().map(|person| person.status.as_str()).collect();
    let phones: Vec<Option<&str>> = people.iter().map(|person| person.phone.as_deref()).collect();
    let addresses: Vec<Option<&str>> = people.iter().map(|person| person.address.as_deref()).collect();
    let postal_codes: Vec<Option<&str>> = people.iter().map(|person| person.postal_code.as_deref()).collect();
    sqlx::query!(
        "update admission a
         set pre_registration_id = w.lead, match_status = w.match_status,
             issues = array_remove(string_to_array(w.issues, ','), ''), site_id = w.site, status = w.status,
             phone = w.phone, address = w.address, postal_code = w.postal_code,
             updated_at = now(), updated_by = $1, version = a.version + 1
         from unnest($2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::bigint[], $7::text[], $8::text[], $9::text[],
                     $10::text[])
              as w (id, lead, match_status, issues, site, status, phone, address, postal_code)
         where a.id = w.id",
        by,
        &ids,
        leads as _,
        matches as _,
        &issues,
        sites as _,
        statuses as _,
        phones as _,
        addresses as _,
        postal_codes as _
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// What steps change of a row, as the trail tells it.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub(crate) struct Stand {
    /// 预报名编号
    pub pre_registration_id: Option<i64>,
    /// 匹配
    pub match_status: AdmissionMatchStatus,
    /// 问题
    pub issues: Vec<AdmissionIssue>,
    /// 站点编号
    pub site_id: Option<i64>,
    /// 状态
    pub status: AdmissionStatus,
    /// 手机
    pub phone: Option<String>,
    /// 通讯地址
    pub address: Option<String>,
    /// 邮编
    pub postal_code: Option<String>,
}

impl From<&Person> for Stand {
    fn from(person: &Person) -> Self {
        Self {
            pre_registration_id: person.pre_registration_id,
            match_status: person.match_status,
            issues: person.issues.clone(),
            site_id: person.site_id,
            status: person.status,
            phone: person.phone.clone(),
            address: person.address.clone(),
            postal_code: person.postal_code.clone(),
        }
    }
}

/// The record of what a step made of a row.
pub(crate) fn changed(before: &Person, after: &Person) -> Change {
    Change::edited("admission", after.id, &Stand::from(before), &Stand::from(after))
}

/// That a step was taken which found nothing to change: every call that writes leaves a record.
pub(crate) fn untouched(people: &[Person]) -> Option<Change> {
    people.first().map(|person| changed(person, person))
}

/// Places that are held while people are given sites.
pub(crate) struct Placer {
    places: PlacesOf,
    refuses: bool,
    /// Sites that take people.
    active: HashSet<i64>,
    names: HashMap<i64, String>,
}

impl Placer {
    /// Holds the places of these people at these sites, and at those where they are.
    pub async fn hold(tx: &mut Tx, people: &[Person], wanted: &[i64]) -> Result<Self> {
        let (majors, sites) = asked(people, wanted);
        let places = places(tx, &majors, &sites).await?;
        Self::over(tx, places, &sites).await
    }

    /// The same places as they are now, held by nobody: for a check.
    pub async fn look(tx: &mut Tx, people: &[Person], wanted: &[i64]) -> Result<Self> {
        let (majors, sites) = asked(people, wanted);
        let places = places_now(tx, &majors, &sites).await?;
        Self::over(tx, places, &sites).await
    }

    async fn over(tx: &mut Tx, places: PlacesOf, sites: &[i64]) -> Result<Self> {
        let known =
            sqlx::query!("select id, name, status = 'active' as \"active!\" from site where id = any($1)", sites)
                .fetch_all(&mut **tx)
                .await?;
        Ok(Self {
            refuses: refuses_beyond_quota(tx).await?,
            places,
            active: known.iter().filter(|site| site.active).map(|site| site.id).collect(),
            names: known.into_iter().map(|site| (site.id, site.name)).collect(),
        })
    }

    /// Whether the site takes people.
    pub fn is_active(&self, site: i64) -> bool {
        self.active.contains(&site)
    }

    /// Gives the person this site; who has it keeps it, no longer beyond the plan when the plan is enough now. Answers what is told when the site is beyond its plan then.
    ///
    /// # Errors
    /// Why not; the person stays where they are.
    pub fn place(&mut self, person: &mut Person, site: i64) -> Result<Option<String>, String> {
        if person.site_id == Some(site) {
            let places = self.places.get(&(person.enrollment_major_id, site));
            if places.is_some_and(|places| !places.is_beyond()) {
                person.note(AdmissionIssue::OverQuota, false);
            }
            return Ok(None);
        }
        if !self.is_active(site) {
            let name = self.names.get(&site).map_or("", String::as_str);
            return Err(format!("站点“{name}”未在招生，请选择其他站点"));
        }
        let places = self.places.get_mut(&(person.enrollment_major_id, site));
        let beyond = places.ok_or_else(|| "所选站点不存在，请重新选择".to_owned())?.take(self.refuses)?;
        self.leave(person);
        person.site_id = Some(site);
        person.status = AdmissionStatus::Assigned;
        person.note(AdmissionIssue::OverQuota, beyond.is_some());
        person.note(AdmissionIssue::SiteMissing, false);
        Ok(beyond)
    }

    /// Takes the site away.
    pub fn clear(&mut self, person: &mut Person) {
        self.leave(person);
        person.status = AdmissionStatus::Imported;
        person.note(AdmissionIssue::OverQuota, false);
    }

    /// Gives back the person's place, for another that follows.
    pub fn leave(&mut self, person: &mut Person) {
        let Some(site) = person.site_id.take() else { return };
        if let Some(places) = self.places.get_mut(&(person.enrollment_major_id, site)) {
            places.give_back();
        }
    }
}

/// Of which majors and sites the places are: of these people, at these sites and those where they are.
fn asked(people: &[Person], wanted: &[i64]) -> (Vec<i64>, Vec<i64>) {
    let mut majors: Vec<i64> = people.iter().map(|person| person.enrollment_major_id).collect();
    majors.sort_unstable();
    majors.dedup();
    let mut sites: Vec<i64> = people.iter().filter_map(|person| person.site_id).chain(wanted.iter().copied()).collect();
    sites.sort_unstable();
    sites.dedup();
    (majors, sites)
}
