//! 匹配: who of those that wanted to study was admitted (02 §6.4-6).
//!
//! ```text
//! the same ID number ─else─ the same 考生号 ─→ candidate ─ the same name → matched, else conflict
//! matched: the lead is admitted; its site is taken over, its phone wins, its address fills what is empty
//! ```

use std::collections::{HashMap, HashSet};

use admission_rules::matching::{chosen, join, taken_over};
use infra::{
    Allowed, Body, BulkFailure, BulkResult, Change, Error, Reply, Result, Scope, Tx, Warned,
    across::Item,
    reply,
    steps::{Chosen, Step, Stepped, inside},
};
use poem_openapi::{Object, OpenApi, types::Example};
use recruitment::admitting::{self, Lead};
use sqlx::PgConnection;
use student_status::student::check::NOT_YOURS;

use super::{
    EditAdmission, ExportAdmissions,
    list::{AdmissionFilter, AdmissionRow},
    person::{Person, Placer, before, changed, held, held_one, share_batches, untouched, write},
};
use crate::{
    enums::{AdmissionIssue, AdmissionMatchStatus},
    id_card::fold,
};

/// An admission as it was read.
#[derive(Debug, Clone, Copy, Object)]
pub struct AdmissionItem {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
}

impl Item for AdmissionItem {
    fn id(&self) -> i64 {
        self.id
    }
}

pub(super) fn as_listed(row: &AdmissionRow) -> AdmissionItem {
    AdmissionItem { id: row.id, version: row.version }
}

/// Several people.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct AdmissionsChosen {
    #[oai(flatten)]
    pub rows: Chosen<AdmissionItem, AdmissionFilter>,
}

impl Example for AdmissionsChosen {
    fn example() -> Self {
        Self { rows: Chosen::items(vec![AdmissionItem { id: 1, version: 1 }]) }
    }
}

/// Who is whom, as a person decided.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct AdmissionMatch {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 预报名
    /// 不填时取消匹配
    pub pre_registration_id: Option<i64>,
}

impl Example for AdmissionMatch {
    fn example() -> Self {
        Self { id: 1, version: 1, pre_registration_id: Some(1) }
    }
}

pub struct Match;

#[OpenApi(prefix_path = "/adult/pc/admission", tag = "crate::Tag::Admission")]
impl Match {
    /// 重新匹配预报名
    /// 已匹配的人员保持不变
    #[oai(path = "/match", method = "post", operation_id = "matchAdmissions")]
    async fn again(
        &self,
        caller: Allowed<EditAdmission>,
        Body(wanted): Body<AdmissionsChosen>,
    ) -> Result<Reply<Stepped>> {
        Ok(reply(inside(&caller, wanted.rows, MatchAll {}).await?))
    }

    /// 手工匹配预报名
    #[oai(path = "/matchManual", method = "put", operation_id = "matchAdmissionByHand")]
    async fn by_hand(
        &self,
        caller: Allowed<EditAdmission>,
        Body(wanted): Body<AdmissionMatch>,
    ) -> Result<Reply<Warned>> {
        let mut tx = caller.begin().await?;
        let scope = caller.scope();
        let person = held_one(&mut tx, wanted.id, Some(wanted.version), &scope).await?;
        open(&person).map_err(Error::conflict)?;
        let (changes, warnings) = match wanted.pre_registration_id {
            Some(lead) => linked(&mut tx, person, lead, &scope).await?,
            None => (unlinked(&mut tx, person).await?, Vec::new()),
        };
        tx.commit_all(changes).await?;
        Ok(reply(Warned { id: wanted.id, warnings }))
    }
}

/// # Errors
/// Why nothing of the person is matched any more.
fn open(person: &Person) -> Result<(), String> {
    if person.is_open() {
        Ok(())
    } else {
        Err(format!("当前状态为{}，不能匹配预报名", person.status.zh()))
    }
}

/// The person is this lead. Who was taken for the person before is free again.
async fn linked(tx: &mut Tx, mut person: Person, lead: i64, scope: &Scope) -> Result<(Vec<Change>, Vec<String>)> {
    let old = person.clone();
    let both: Vec<i64> = old.pre_registration_id.into_iter().chain([lead]).collect();
    admitting::hold(tx, &[], &[], &[], &both).await?;
    let lead = admitting::candidate(tx, lead, person.grade_id, person.id, scope).await?;
    let mut changes = Vec::new();
    if let Some(other) = old.pre_registration_id.filter(|other| *other != lead.id) {
        changes.extend(admitting::release(tx, &[other]).await?);
    }
    join(&mut person, &lead);
    // Two who are one, whatever their names: somebody looked.
    person.match_status = AdmissionMatchStatus::Matched;
    taken_over(&mut person, &lead);
    let mut placer = Placer::hold(tx, std::slice::from_ref(&person), &[lead.site_id]).await?;
    let told = if person.site_id.is_none() { seat(&mut placer, &mut person, lead.site_id) } else { None };
    write(tx, std::slice::from_ref(&person)).await?;
    changes.push(changed(&old, &person));
    changes.extend(admitting::admit(tx, &[lead.id]).await?);
    Ok((changes, told.into_iter().collect()))
}

/// The person is none of the leads. Their site stays.
async fn unlinked(tx: &mut Tx, mut person: Person) -> Result<Vec<Change>> {
    let old = person.clone();
    let lead = person.pre_registration_id.ok_or_else(|| Error::conflict("该人员尚未匹配预报名"))?;
    person.unlink();
    write(tx, std::slice::from_ref(&person)).await?;
    let mut changes = vec![changed(&old, &person)];
    if old.match_status == AdmissionMatchStatus::Matched {
        changes.extend(admitting::release(tx, &[lead]).await?);
    }
    Ok(changes)
}

/// 重新匹配
#[derive(Debug, Object)]
pub(crate) struct MatchAll {}

impl Step for MatchAll {
    const KIND: &'static str = "admission.match";
    const TITLE: &'static str = "重新匹配预报名";
    type Permission = EditAdmission;
    type Item = AdmissionItem;
    type List = ExportAdmissions;

    fn item(row: &AdmissionRow) -> AdmissionItem {
        as_listed(row)
    }

    async fn in_order(&self, connection: &mut PgConnection, items: Vec<AdmissionItem>) -> Result<Vec<AdmissionItem>> {
        by_score(connection, items).await
    }

    async fn run(&self, mut tx: Tx, items: Vec<AdmissionItem>, scope: &Scope) -> Result<BulkResult> {
        let Rows { mut people, failed, .. } = rows(&mut tx, &items, scope, open).await?;
        let old: HashMap<i64, Person> = people.iter().map(|person| (person.id, person.clone())).collect();
        // Who could be whom is found anew, so that nobody keeps a lead that is another's.
        let mut freed = Vec::new();
        for person in people.iter_mut().filter(|person| person.match_status == AdmissionMatchStatus::Conflict) {
            person.unlink();
            freed.push(person.clone());
        }
        write(&mut tx, &freed).await?;
        let mut changes = matched(&mut tx, &mut people, &HashMap::new(), &[]).await?;
        let freed: HashSet<i64> = freed.iter().map(|person| person.id).collect();
        let differs = |person: &&Person| old[&person.id] != **person;
        changes.extend(people.iter().filter(differs).map(|person| changed(&old[&person.id], person)));
        // Who has the same lead again has it written again: it was taken away.
        let differ: Vec<Person> =
            people.iter().filter(|person| differs(person) || freed.contains(&person.id)).cloned().collect();
        write(&mut tx, &differ).await?;
        if changes.is_empty() {
            changes.extend(untouched(&people));
        }
        let done = i64::try_from(people.len()).unwrap_or(i64::MAX);
        tx.commit_all(changes).await?;
        Ok(BulkResult { done, failed })
    }
}

/// The rows of a step, and those that are refused.
pub(super) struct Rows {
    pub people: Vec<Person>,
    pub failed: Vec<BulkFailure>,
}

/// Holds the rows of a step, and parts those that changed since they were read, lie beyond the scope or fail the rule. They keep
/// the order of the items.
pub(super) async fn rows(
    tx: &mut Tx,
    items: &[AdmissionItem],
    scope: &Scope,
    rule: impl Fn(&Person) -> Result<(), String> + Send,
) -> Result<Rows> {
    let ids: Vec<i64> = items.iter().map(|item| item.id).collect();
    share_batches(tx, &ids).await?;
    let mut known: HashMap<i64, Person> =
        held(tx, &ids, scope).await?.into_iter().map(|person| (person.id, person)).collect();
    let (mut people, mut failed) = (Vec::with_capacity(items.len()), Vec::new());
    for item in items {
        let (name, why) = match known.remove(&item.id) {
            None => (String::new(), out_of_reach(scope)),
            Some(person) if person.version != item.version => {
                (person.name.clone(), tx.stale("admission", item.id).await.msg.into_owned())
            }
            Some(person) => match rule(&person) {
                Ok(()) => {
                    people.push(person);
                    continue;
                }
                Err(why) => (person.name.clone(), why),
            },
        };
        failed.push(BulkFailure { id: item.id, name, msg: why });
    }
    Ok(Rows { people, failed })
}

/// What is told of a row that is not there for the caller.
pub(super) fn out_of_reach(scope: &Scope) -> String {
    if scope.is_whole() { Error::not_found().msg.into_owned() } else { NOT_YOURS.to_owned() }
}

/// The items in the order in which places are taken.
pub(super) async fn by_score(connection: &mut PgConnection, items: Vec<AdmissionItem>) -> Result<Vec<AdmissionItem>> {
    let ids: Vec<i64> = items.iter().map(|item| item.id).collect();
    let ordered = sqlx::query_scalar!(
        r#"select w.id as "id!" from unnest($1::bigint[]) with ordinality as w (id, place) left join admission a on a.id = w.id
           order by a.total_score desc nulls last, a.examinee_no, w.place"#,
        &ids
    )
    .fetch_all(connection)
    .await?;
    let mut of: HashMap<i64, AdmissionItem> = items.into_iter().map(|item| (item.id, item)).collect();
    Ok(ordered.into_iter().filter_map(|id| of.remove(&id)).collect())
}

/// Finds the leads of those who have none, and gives sites to those who are to have one: that of the file (`wishes`), else the
/// lead's. The best score is served first. `left` are leads whose person is somebody else now: they are free before anybody is
/// looked for. Answers what was changed of the leads; the people are to be written.
pub(super) async fn matched(
    tx: &mut Tx,
    people: &mut [Person],
    wishes: &HashMap<i64, i64>,
    left: &[i64],
) -> Result<Vec<Change>> {
    people.sort_by(before);
    // A step may take people of several batches, and so of several grades.
    let mut grades: Vec<i64> = people.iter().map(|person| person.grade_id).collect();
    grades.sort_unstable();
    grades.dedup();
    let seeking: Vec<&Person> = people.iter().filter(|person| person.pre_registration_id.is_none()).collect();
    let id_card_nos: Vec<String> = seeking.iter().map(|person| person.id_card_no.clone()).collect();
    let examinee_nos: Vec<String> = seeking.iter().map(|person| fold(&person.examinee_no)).collect();
    admitting::hold(tx, &grades, &id_card_nos, &examinee_nos, left).await?;
    let mut changes = if left.is_empty() { Vec::new() } else { admitting::release(tx, left).await? };
    let mut found: HashMap<i64, Lead> = HashMap::new();
    for grade in grades {
        let searching: Vec<&Person> =
            people.iter().filter(|person| person.grade_id == grade && person.pre_registration_id.is_none()).collect();
        let id_card_nos: Vec<String> = searching.iter().map(|person| person.id_card_no.clone()).collect();
        let examinee_nos: Vec<String> = searching.iter().map(|person| fold(&person.examinee_no)).collect();
        let leads = admitting::candidates(tx, grade, &id_card_nos, &examinee_nos).await?;
        found.extend(chosen(&searching, leads));
    }
    let mut admitted = Vec::new();
    for person in people.iter_mut() {
        let Some(lead) = found.get(&person.id) else { continue };
        join(person, lead);
        if person.match_status == AdmissionMatchStatus::Matched {
            taken_over(person, lead);
            admitted.push(lead.id);
        }
    }
    let site_of = |person: &Person| {
        let lead = found.get(&person.id).filter(|_| person.match_status == AdmissionMatchStatus::Matched);
        wishes.get(&person.id).copied().or_else(|| lead.map(|lead| lead.site_id))
    };
    let wanted: Vec<i64> = people.iter().filter_map(site_of).collect();
    let mut placer = Placer::hold(tx, people, &wanted).await?;
    for person in people.iter_mut().filter(|person| person.site_id.is_none()) {
        if let Some(site) = site_of(person) {
            seat(&mut placer, person, site);
        }
    }
    changes.extend(admitting::admit(tx, &admitted).await?);
    Ok(changes)
}

/// Gives the person the site that somebody named, where it can be had; says what is worth a second look.
fn seat(placer: &mut Placer, person: &mut Person, site: i64) -> Option<String> {
    let there = placer.is_active(site);
    match placer.place(person, site) {
        Ok(beyond) => beyond,
        Err(why) => {
            person.note(if there { AdmissionIssue::OverQuota } else { AdmissionIssue::SiteMissing }, true);
            Some(why)
        }
    }
}

/// Frees the leads of people who leave: those of the matched are registered again.
pub(super) async fn released(tx: &mut Tx, people: &[Person]) -> Result<Vec<Change>> {
    let leads: Vec<i64> = people
        .iter()
        .filter(|person| person.match_status == AdmissionMatchStatus::Matched)
        .filter_map(|person| person.pre_registration_id)
        .collect();
    if leads.is_empty() { Ok(Vec::new()) } else { admitting::release(tx, &leads).await }
}
