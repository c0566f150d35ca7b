//! 分配站点: who studies where (02 §6). Places are held, so that two who assign at once do not take the same one.

use std::collections::HashMap;

use admission_rules::allocation::{Where, allowed, wanted};
use infra::{
    Allowed, Body, BulkFailure, BulkResult, BulkWarning, Error, Reply, Result, Scope, Tx, reply,
    steps::{Chosen, Step, Stepped, inside},
};
use poem_openapi::{Object, OpenApi, types::Example};
use recruitment::admitting;
use sqlx::PgConnection;
use student_status::student::check::NOT_YOURS;

use super::{
    AllocateAdmissions, ExportAdmissions,
    list::{AdmissionFilter, AdmissionRow},
    matching::{AdmissionItem, Rows, as_listed, by_score, rows},
    person::{Person, Placer, changed, untouched, write},
};

/// Who is given which site.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct AdmissionAllocation {
    #[oai(flatten)]
    pub rows: Chosen<AdmissionItem, AdmissionFilter>,
    /// 站点
    pub site_id: Option<i64>,
    /// 按预报名分配
    /// 分配到预报名的站点
    pub by_pre_registration: Option<bool>,
    /// 取消分配
    /// 清除站点，恢复为待分配
    pub clear: Option<bool>,
}

impl Example for AdmissionAllocation {
    fn example() -> Self {
        Self {
            rows: Chosen::items(vec![AdmissionItem { id: 1, version: 1 }]),
            site_id: Some(1),
            by_pre_registration: None,
            clear: None,
        }
    }
}

pub struct Allocation;

#[OpenApi(prefix_path = "/adult/pc/admission", tag = "crate::Tag::Admission")]
impl Allocation {
    /// 分配站点
    /// 按总分从高到低、考生号从小到大的顺序办理
    #[oai(path = "/allocation", method = "post", operation_id = "allocateAdmissions")]
    async fn allocate(
        &self,
        caller: Allowed<AllocateAdmissions>,
        Body(asked): Body<AdmissionAllocation>,
    ) -> Result<Reply<Stepped>> {
        let AdmissionAllocation { rows, site_id, by_pre_registration, clear } = asked;
        if let Where::To(site) = wanted(site_id, by_pre_registration, clear)? {
            check_site(&mut *caller.read().await?, site, &caller.scope()).await?;
        }
        Ok(reply(inside(&caller, rows, AllocateAll { site_id, by_pre_registration, clear }).await?))
    }
}

/// # Errors
/// 422 at `siteId` for a site that is gone, takes nobody, or lies beyond the scope.
async fn check_site(connection: &mut PgConnection, site: i64, scope: &Scope) -> Result<()> {
    let known = sqlx::query!("select name, status = 'active' as \"active!\" from site where id = $1", site)
        .fetch_optional(connection)
        .await?;
    match known {
        None => Err(Error::field("siteId", "所选站点不存在，请重新选择")),
        Some(_) if !scope.sees(Some(site), None) => Err(Error::field("siteId", NOT_YOURS)),
        Some(site) if !site.active => {
            Err(Error::field("siteId", format!("站点“{}”未在招生，请选择其他站点", site.name)))
        }
        Some(_) => Ok(()),
    }
}

/// 分配站点
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(crate) struct AllocateAll {
    site_id: Option<i64>,
    by_pre_registration: Option<bool>,
    clear: Option<bool>,
}

impl Step for AllocateAll {
    const KIND: &'static str = "admission.allocate";
    const TITLE: &'static str = "分配站点";
    type Permission = AllocateAdmissions;
    type Item = AdmissionItem;
    type List = ExportAdmissions;

    fn item(row: &AdmissionRow) -> AdmissionItem {
        as_listed(row)
    }

    async fn in_order(&self, connection: &mut PgConnection, items: Vec<AdmissionItem>) -> Result<Vec<AdmissionItem>> {
        by_score(connection, items).await
    }

    async fn run(&self, tx: Tx, items: Vec<AdmissionItem>, scope: &Scope) -> Result<BulkResult> {
        Ok(self.run_warned(tx, items, scope).await?.0)
    }

    async fn run_warned(
        &self,
        mut tx: Tx,
        items: Vec<AdmissionItem>,
        scope: &Scope,
    ) -> Result<(BulkResult, Vec<BulkWarning>)> {
        let to = wanted(self.site_id, self.by_pre_registration, self.clear)?;
        let Rows { people, mut failed } = rows(&mut tx, &items, scope, |person| allowed(person, to)).await?;
        let sites = self.sites(&mut tx, &people, to).await?;
        let all: Vec<i64> = sites.values().copied().collect();
        let mut placer = Placer::hold(&mut tx, &people, &all).await?;
        let (mut done, mut differ, mut changes, mut warnings) = (0, Vec::new(), Vec::new(), Vec::new());
        let mut kept = None;
        for before in people {
            let mut person = before.clone();
            let went = match (to, sites.get(&person.id)) {
                (Where::Nowhere, _) => {
                    placer.clear(&mut person);
                    Ok(None)
                }
                (_, Some(site)) if scope.sees(Some(*site), None) => placer.place(&mut person, *site),
                _ => Err(NOT_YOURS.to_owned()),
            };
            match went {
                Ok(beyond) => {
                    warnings.extend(beyond.map(|msg| BulkWarning { id: person.id, name: person.name.clone(), msg }));
                    done += 1;
                    if before != person {
                        changes.push(changed(&before, &person));
                        differ.push(person);
                    } else {
                        kept = untouched(&[person]);
                    }
                }
                Err(msg) => failed.push(BulkFailure { id: person.id, name: person.name, msg }),
            }
        }
        write(&mut tx, &differ).await?;
        if changes.is_empty() {
            changes.extend(kept);
        }
        tx.commit_all(changes).await?;
        Ok((BulkResult { done, failed }, warnings))
    }
}

impl AllocateAll {
    /// The site of each.
    async fn sites(&self, tx: &mut Tx, people: &[Person], to: Where) -> Result<HashMap<i64, i64>> {
        match to {
            Where::Nowhere => Ok(HashMap::new()),
            Where::To(site) => Ok(people.iter().map(|person| (person.id, site)).collect()),
            Where::ByLead => {
                let leads: Vec<i64> = people.iter().filter_map(|person| person.pre_registration_id).collect();
                let sites: HashMap<i64, i64> =
                    admitting::of(tx, &leads).await?.into_iter().map(|lead| (lead.id, lead.site_id)).collect();
                Ok(people
                    .iter()
                    .filter_map(|person| Some((person.id, *sites.get(&person.pre_registration_id?)?)))
                    .collect())
            }
        }
    }
}
