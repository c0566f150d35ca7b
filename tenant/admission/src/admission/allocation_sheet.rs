//! 导入站点分配: who studies where, by sheet; all or none (02 §6).

use std::collections::HashMap;

use infra::{
    Allowed, Change, Error, Reply, Result, Scope, Tx,
    naming::{Codes, referred},
    sheet::{InputColumn, Row, Template},
    transfer::{self, Attachment, ImportAnswer, ImportForm},
};
use people::id_card::fold;
use poem_openapi::{Multipart, OpenApi, types::multipart::Upload};
use student_status::student::check::NOT_YOURS;
use units::site::{self, KnownSite};

use super::{
    FetchAllocationSheet, ImportAllocations,
    person::{Person, Placer, changed, held, write},
};

const NUMBER: &str = "考生号";
const NAME: &str = "姓名";
const SITE: &str = "站点编码";

/// The multipart body of the import.
#[derive(Debug, Multipart)]
#[oai(rename_all = "camelCase")]
pub struct AllocationImportForm {
    /// 招生批次
    pub batch_id: i64,
    /// 文件
    pub file: Upload,
    /// 仅检查
    pub dry_run: Option<bool>,
    /// 检查时文件的摘要
    /// 仅检查时应答的 sha256；与本次文件不同时拒绝导入
    pub sha256: Option<String>,
}

pub struct Sheet;

#[OpenApi(prefix_path = "/adult/pc/admission", tag = "crate::Tag::Admission")]
impl Sheet {
    /// 站点分配导入模板
    #[oai(path = "/allocation/import/template", method = "get", operation_id = "fetchAllocationImportTemplate")]
    async fn template(&self, caller: Allowed<FetchAllocationSheet>) -> Result<Attachment> {
        transfer::template::<AllocationSheet>(caller.app()).await
    }

    /// 导入站点分配
    #[oai(path = "/allocation/import", method = "post", operation_id = "importAllocations")]
    async fn import(
        &self,
        caller: Allowed<ImportAllocations>,
        form: AllocationImportForm,
    ) -> Result<Reply<ImportAnswer>> {
        let AllocationImportForm { batch_id, file, dry_run, sha256 } = form;
        let form = ImportForm { file, dry_run, sha256 };
        transfer::import_into::<AllocationSheet>(&caller, form, Some(batch_id)).await
    }
}

/// One import: the people of the batch whom the scope shows, by their 考生号, with the places of all sites.
pub(crate) struct AllocationSheet {
    scope: Scope,
    people: HashMap<String, Person>,
    sites: Codes<KnownSite>,
    placer: Placer,
    seen: HashMap<String, u32>,
}

impl transfer::Import for AllocationSheet {
    const KIND: &'static str = "admission.allocation";
    type Permission = ImportAllocations;

    fn template() -> Template {
        Template {
            title: "站点分配",
            columns: vec![
                InputColumn::required(NUMBER, "与录取数据一致"),
                InputColumn::required(NAME, "与录取数据一致"),
                InputColumn::required(SITE, ""),
            ],
        }
    }

    async fn start(tx: &mut Tx, scope: Scope, into: Option<i64>) -> Result<Self> {
        let batch = into.ok_or_else(|| Error::field("batchId", "请选择招生批次"))?;
        enrolment::admitting::share_open(tx, batch).await?;
        let ids = sqlx::query_scalar!("select id from admission where batch_id = $1 and deleted_at is null", batch)
            .fetch_all(&mut **tx)
            .await?;
        let people = held(tx, &ids, &scope).await?;
        let sites = sqlx::query_scalar!("select id from site").fetch_all(&mut **tx).await?;
        Ok(Self {
            placer: Placer::hold(tx, &people, &sites).await?,
            people: people.into_iter().map(|person| (person.examinee_no.clone(), person)).collect(),
            sites: site::by_code(tx, &scope).await?,
            scope,
            seen: HashMap::new(),
        })
    }

    async fn rows(&mut self, tx: &mut Tx, rows: &mut [Row], write_them: bool) -> Result<Vec<Change>> {
        let mut moved = Vec::new();
        for row in rows.iter_mut() {
            moved.extend(self.moved(row));
        }
        if !write_them || rows.iter().any(|row| !row.errors().is_empty()) {
            return Ok(Vec::new());
        }
        let after: Vec<Person> = moved.iter().map(|(_, after)| after.clone()).collect();
        write(tx, &after).await?;
        Ok(moved.iter().map(|(before, after)| changed(before, after)).collect())
    }
}

impl AllocationSheet {
    /// The person before and behind the row; none, with the reasons on the row, when it is wrong.
    fn moved(&mut self, row: &mut Row) -> Option<(Person, Person)> {
        let number = fold(&row.required(NUMBER));
        let name = row.required(NAME);
        let site = referred(row, SITE, &self.sites).cloned();
        if !row.errors().is_empty() {
            return None;
        }
        let site = site?;
        let Some(before) = self.people.get(&number).cloned() else {
            row.refuse(NUMBER, if self.scope.is_whole() { "本批次没有该考生号的录取数据" } else { NOT_YOURS });
            return None;
        };
        let first = *self.seen.entry(number.clone()).or_insert(row.number());
        if first != row.number() {
            row.refuse(NUMBER, format!("与第{first}行考生号重复"));
        }
        if before.name != name {
            row.refuse(NAME, format!("姓名与录取数据不一致（{}）", before.name));
        }
        if !before.is_open() {
            row.refuse(NUMBER, format!("当前状态为{}，不能分配站点", before.status.zh()));
        }
        if !self.scope.sees(Some(site.id), None) {
            row.refuse(SITE, NOT_YOURS);
        }
        if !row.errors().is_empty() {
            return None;
        }
        let mut after = before.clone();
        match self.placer.place(&mut after, site.id) {
            Ok(None) => {}
            Ok(Some(beyond)) => row.warn(SITE, beyond),
            Err(why) => {
                row.refuse(SITE, why);
                return None;
            }
        }
        self.people.insert(number, after.clone());
        Some((before, after))
    }
}
