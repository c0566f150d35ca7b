//! What the sheets of class managers look like: the export, the import.

use classes::class::{self, KnownClass, class_set_manager, managed_classes};
use infra::{
    App, Change, Error, Result, Scope, Tx,
    naming::Codes,
    sheet::{Cell, Column, InputColumn, Row, Template},
    transfer::{Export, Imported, RowImport, Rows},
};
use poem_openapi::Object;
use serde_json::{Value, json};
use sqlx::PgConnection;
use units::site::{self, KnownSite};

use super::{
    ClassManager, ClassManagerFilter, ClassManagerForm, ClassManagers,
    allocation::{assign, outdate},
    form::insert,
    list::{find, select},
    remove,
};

impl Export for ClassManagers {
    type Filter = ClassManagerFilter;
    type Row = ClassManager;
    const KIND: &'static str = "classManager.export";
    type Permission = super::ExportClassManagers;
    const PLAIN: Option<&'static str> = Some("user:pc:classManager:exportPlain");
    const TITLE: &'static str = "班主任";
    const COLUMNS: &'static [Column<ClassManager>] = &[
        Column { heading: "工号", width: 14, cell: |row| Cell::Text(row.work_no.clone()) },
        Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "手机", width: 14, cell: |row| Cell::Text(row.phone.clone()) },
        Column { heading: "证件号", width: 20, cell: |row| Cell::text(row.id_card_no.as_deref()) },
        Column { heading: "站点", width: 30, cell: |row| Cell::Text(row.site_names.join("、")) },
        Column { heading: "班级数", width: 10, cell: |row| Cell::Int(row.class_count) },
        Column { heading: "学生数", width: 10, cell: |row| Cell::Int(row.student_count) },
        Column { heading: "状态", width: 8, cell: |row| Cell::Text(row.status.zh().to_owned()) },
        Column { heading: "账号状态", width: 10, cell: |row| Cell::Text(row.account_state.zh().to_owned()) },
        Column { heading: "最近登录", width: 20, cell: |row| Cell::time(row.last_login_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &ClassManagerFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, ClassManager>> {
        Ok(select(connection, None, filter, scope, None))
    }

    fn mask(person: &mut ClassManager) {
        person.mask();
    }
}

/// A row: what 新增 takes, and the classes that are given at once.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(crate) struct ImportedManager {
    #[oai(flatten)]
    form: ClassManagerForm,
    /// 班级
    class_ids: Vec<i64>,
}

/// An import of class managers, with the sites and classes that its rows may name.
pub(crate) struct ClassManagerSheet {
    scope: Scope,
    sites: Codes<KnownSite>,
    classes: Codes<KnownClass>,
    /// The classes that the row written last was given.
    given: Vec<Change>,
}

impl RowImport for ClassManagerSheet {
    type Form = ImportedManager;
    const KIND: &'static str = "classManager.import";
    type Permission = super::ImportClassManagers;
    const COLUMNS: &'static [(&'static str, &'static str)] =
        &[("workNo", "工号"), ("name", "姓名"), ("phone", "手机"), ("siteIds", "站点编码"), ("classIds", "班级")];
    const ONCE: &'static [(&'static str, &'static str)] = &[("工号", "工号"), ("手机", "手机")];

    const CODES: &'static [(&'static str, &'static str)] = &[("站点编码", "site"), ("班级", "class")];

    fn template() -> Template {
        Template {
            title: "班主任",
            columns: vec![
                InputColumn::required("工号", "1至32位字母、数字、下划线或短横线，用于登录"),
                InputColumn::required("姓名", ""),
                InputColumn::required("手机", "11位手机号"),
                InputColumn::required("站点编码", "站点管理中的编码，多个用“、”分隔"),
                InputColumn::optional("班级", "班级编码，多个用“、”分隔"),
            ],
        }
    }

    async fn start(tx: &mut Tx, scope: Scope) -> Result<Self> {
        let sites = site::by_code(tx, &scope).await?;
        let classes = class::by_code(tx, &scope).await?;
        Ok(Self { scope, sites, classes, given: Vec::new() })
    }

    fn form(&self, row: &mut Row) -> Value {
        json!({
            "workNo": row.text("工号"),
            "name": row.text("姓名"),
            "phone": row.text("手机"),
            "siteIds": several(row, "站点编码", &self.sites, |site| site.id),
            "classIds": several(row, "班级", &self.classes, |class| class.id),
        })
    }

    async fn insert(&mut self, tx: &mut Tx, row: ImportedManager) -> Result<Change> {
        let (id, change) = insert(tx, row.form, &self.scope).await?;
        if !row.class_ids.is_empty() {
            let manager = find(tx, id, &Scope::whole_school()).await?;
            let mut allocation = assign(tx, &manager, &row.class_ids, false, &self.scope).await?;
            self.given = allocation.split_off(1);
            tx.record(&allocation).await?;
        }
        Ok(change)
    }

    fn wrote(&mut self, own: Change) -> Vec<Change> {
        let given = std::mem::take(&mut self.given);
        std::iter::once(own).chain(given).collect()
    }

    /// The classes that a manager was given have nobody again, so that the manager, whose record is older, can go.
    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        if record.entity == "class_manager" {
            return remove(tx, record.id, scope).await.map(Some);
        }
        released(tx, scope, record).await
    }
}

/// A class that an import gave to a manager has nobody again.
///
/// # Errors
/// 404 outside the scope; 409 when the manager is another one by now.
pub(super) async fn released(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
    let given: Option<i64> = record.after::<Option<i64>>("managerId")?.flatten();
    let class = managed_classes(tx, &[record.id]).await?.pop();
    let class = class.filter(|class| scope.sees(Some(class.site_id), Some(class.id))).ok_or_else(Error::not_found)?;
    if class.manager_id != given {
        return Err(Imported::changed());
    }
    let change = class_set_manager(tx, &[&class], None).await?.pop();
    outdate(tx, given.as_slice()).await?;
    Ok(change)
}

/// The rows that a cell names by their codes; a code that nobody has is refused on the row.
fn several<T>(row: &mut Row, heading: &str, codes: &Codes<T>, id: impl Fn(&T) -> i64) -> Vec<i64> {
    let Some(text) = row.text(heading) else { return Vec::new() };
    let mut found = Vec::new();
    for code in text.split(['、', ',', '，']).map(str::trim).filter(|code| !code.is_empty()) {
        match codes.get(code) {
            Some(known) => found.push(id(known)),
            None => row.refuse(heading, format!("编码“{code}”不存在")),
        }
    }
    found
}
