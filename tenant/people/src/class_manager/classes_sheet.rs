//! 导入班级 (part 03 A4): a row is a class as 新增 takes it, and whoever is to look after it.

use std::collections::BTreeSet;

use classes::class::{
    ClassForm, ClassRows, FetchClassSheet, ImportClasses, ManagedClass, class_set_manager, managed_classes,
};
use infra::{
    Allowed, Change, Reply, Result, Scope, Tx,
    naming::{Codes, referred},
    sheet::{InputColumn, Row, Template},
    transfer::{self, Attachment, ByRow, ImportAnswer, ImportForm, Imported, RowImport},
};
use people_rules::appoint::{is_gone, is_of_other_sites};
use poem_openapi::{Object, OpenApi};
use serde_json::{Value, json};

use super::allocation::outdate;
use crate::enums::StaffStatus;

const MANAGER: &str = "班主任工号";

/// A row.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(crate) struct ImportedClass {
    #[oai(flatten)]
    form: ClassForm,
    /// 班主任
    manager_id: Option<i64>,
}

/// A manager whom a row may name.
struct KnownManager {
    id: i64,
    name: String,
    status: StaffStatus,
    site_ids: Vec<i64>,
}

/// An import of classes, with the managers of the scope.
pub(crate) struct ClassSheet {
    rows: ClassRows,
    scope: Scope,
    managers: Codes<KnownManager>,
    /// Those whom rows named so far: locked until the end.
    held: BTreeSet<i64>,
    /// That the class written last has a manager now.
    given: Vec<Change>,
}

async fn managers(tx: &mut Tx, scope: &Scope) -> Result<Codes<KnownManager>> {
    let rows = sqlx::query!(
        r#"select p.id, p.work_no, p.name, p.status as "status: StaffStatus",
                  array(select x.site_id from class_manager_site x where x.manager_id = p.id) as "site_ids!"
           from class_manager p
           where ($1::bigint[] is null
                  or exists (select from class_manager_site x where x.manager_id = p.id and x.site_id = any($1))
                  or exists (select from class c where c.manager_id = p.id and c.id = any($2::bigint[])))"#,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(&mut **tx)
    .await?;
    let known = |id, name, status, site_ids| KnownManager { id, name, status, site_ids };
    Ok(rows.into_iter().map(|row| (row.work_no, known(row.id, row.name, row.status, row.site_ids))).collect())
}

impl RowImport for ClassSheet {
    type Form = ImportedClass;
    const KIND: &'static str = "class.import";
    type Permission = ImportClasses;
    const COLUMNS: &'static [(&'static str, &'static str)] = &[
        ("code", "班级编码"),
        ("name", "班级名称"),
        ("gradeId", "年级编码"),
        ("levelId", "层次编码"),
        ("majorId", "校内专业代码"),
        ("siteId", "站点编码"),
        ("managerId", MANAGER),
        ("capacity", "容量"),
    ];
    const ONCE: &'static [(&'static str, &'static str)] = ClassRows::ONCE;

    const CODES: &'static [(&'static str, &'static str)] = &[
        ("年级编码", "grade"),
        ("层次编码", "level"),
        ("校内专业代码", "major"),
        ("站点编码", "site"),
        (MANAGER, "classManager"),
    ];

    fn template() -> Template {
        let mut columns = ClassRows::columns();
        columns.push(InputColumn::optional(MANAGER, "负责该站点的班主任，可不填"));
        Template { title: "班级", columns }
    }

    async fn start(tx: &mut Tx, scope: Scope) -> Result<Self> {
        let managers = managers(tx, &scope).await?;
        let rows = ClassRows::start(tx, scope.clone()).await?;
        Ok(Self { rows, scope, managers, held: BTreeSet::new(), given: Vec::new() })
    }

    /// Who is to get a class neither leaves nor loses a site meanwhile; of several in the order of their numbers.
    async fn hold_referred(&mut self, tx: &mut Tx, rows: &[Row]) -> Result<()> {
        self.rows.hold_referred(tx, rows).await?;
        let named = rows.iter().filter_map(|row| self.managers.get(&row.peek(MANAGER)?));
        let new: BTreeSet<i64> = named.map(|manager| manager.id).filter(|id| !self.held.contains(id)).collect();
        if new.is_empty() {
            return Ok(());
        }
        let ids: Vec<i64> = new.iter().copied().collect();
        sqlx::query_scalar!("select id from class_manager where id = any($1) order by id for update", &ids)
            .fetch_all(&mut **tx)
            .await?;
        // As they are now that nobody changes them.
        self.managers = managers(tx, &self.scope).await?;
        self.held.extend(new);
        outdate(tx, &ids).await
    }

    fn form(&self, row: &mut Row) -> Value {
        let mut form = self.rows.form(row);
        let Some(manager) = referred(row, MANAGER, &self.managers) else { return form };
        if manager.status != StaffStatus::Active {
            row.refuse(MANAGER, is_gone(&manager.name));
        } else if form["siteId"].as_i64().is_some_and(|site| !manager.site_ids.contains(&site)) {
            row.refuse(MANAGER, is_of_other_sites(&manager.name));
        }
        form["managerId"] = json!(manager.id);
        form
    }

    async fn insert(&mut self, tx: &mut Tx, row: ImportedClass) -> Result<Change> {
        let (id, change) = self.rows.insert(tx, row.form).await?;
        if let Some(manager) = row.manager_id {
            let class = managed_classes(tx, &[id]).await?;
            let class: Vec<&ManagedClass> = class.iter().collect();
            self.given = class_set_manager(tx, &class, Some(manager)).await?;
        }
        Ok(change)
    }

    fn wrote(&mut self, own: Change) -> Vec<Change> {
        let given = std::mem::take(&mut self.given);
        std::iter::once(own).chain(given).collect()
    }

    /// A class loses its manager before it goes itself.
    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        if record.is_new("class") {
            return ClassRows::undo(tx, record.id, scope).await.map(Some);
        }
        super::sheet::released(tx, scope, record).await
    }
}

pub struct ClassSheets;

#[OpenApi(prefix_path = "/adult/pc/class", tag = "crate::Tag::People")]
impl ClassSheets {
    /// 班级导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchClassImportTemplate")]
    async fn template(&self, caller: Allowed<FetchClassSheet>) -> Result<Attachment> {
        transfer::template::<ByRow<ClassSheet>, _>(&caller).await
    }

    /// 导入班级
    #[oai(path = "/import", method = "post", operation_id = "importClasses")]
    async fn import(&self, caller: Allowed<ImportClasses>, form: ImportForm) -> Result<Reply<ImportAnswer>> {
        transfer::import::<ByRow<ClassSheet>>(&caller, form).await
    }
}
