//! What the sheets of site staff look like: the export, the import.

use infra::{
    App, Change, Result, Scope, Tx,
    naming::{Codes, referred},
    sheet::{Cell, Column, InputColumn, Row, Template},
    transfer::{Export, Imported, RowImport, Rows},
};
use serde_json::{Value, json};
use sqlx::PgConnection;
use units::site::{self, KnownSite};

use super::{SiteStaff, SiteStaffFilter, SiteStaffForm, SiteStaffs, form::insert, list::select, remove};
use crate::{enums::SiteStaffDuty, id_card::Gender};

const YES_OR_NO: &[(&str, bool)] = &[("是", true), ("否", false)];

impl Export for SiteStaffs {
    type Filter = SiteStaffFilter;
    type Row = SiteStaff;
    const KIND: &'static str = "siteStaff.export";
    type Permission = super::ExportSiteStaff;
    const PLAIN: Option<&'static str> = Some("user:pc:siteStaff:exportPlain");
    const TITLE: &'static str = "站点人员";
    const COLUMNS: &'static [Column<SiteStaff>] = &[
        Column { heading: "站点", width: 24, cell: |row| Cell::Text(row.site_name.clone()) },
        Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "工号", width: 14, cell: |row| Cell::text(row.work_no.as_deref()) },
        Column { heading: "手机", width: 14, cell: |row| Cell::Text(row.phone.clone()) },
        Column { heading: "证件号", width: 20, cell: |row| Cell::text(row.id_card_no.as_deref()) },
        Column { heading: "邮箱", width: 24, cell: |row| Cell::text(row.email.as_deref()) },
        Column { heading: "职务", width: 10, cell: |row| Cell::Text(row.duty.zh().to_owned()) },
        Column {
            heading: "主要负责人",
            width: 12,
            cell: |row| Cell::Text(if row.is_primary { "是" } else { "否" }.to_owned()),
        },
        Column { heading: "状态", width: 8, cell: |row| Cell::Text(row.status.zh().to_owned()) },
        Column { heading: "账号状态", width: 10, cell: |row| Cell::Text(row.account_state.zh().to_owned()) },
        Column { heading: "最近登录", width: 20, cell: |row| Cell::time(row.last_login_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &SiteStaffFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, SiteStaff>> {
        Ok(select(connection, None, filter, scope, None))
    }

    fn mask(person: &mut SiteStaff) {
        person.mask();
    }
}

/// An import of site staff, with the sites that its rows may name.
pub(crate) struct SiteStaffSheet {
    scope: Scope,
    sites: Codes<KnownSite>,
}

impl RowImport for SiteStaffSheet {
    type Form = SiteStaffForm;
    const KIND: &'static str = "siteStaff.import";
    type Permission = super::ImportSiteStaff;
    const COLUMNS: &'static [(&'static str, &'static str)] = &[
        ("siteId", "站点编码"),
        ("name", "姓名"),
        ("phone", "手机"),
        ("workNo", "工号"),
        ("gender", "性别"),
        ("idCardNo", "证件号"),
        ("email", "邮箱"),
        ("duty", "职务"),
        ("isPrimary", "主要负责人"),
    ];
    const ONCE: &'static [(&'static str, &'static str)] = &[("手机", "手机"), ("工号", "工号")];

    const CODES: &'static [(&'static str, &'static str)] = &[("站点编码", "site")];

    fn template() -> Template {
        Template {
            title: "站点人员",
            columns: vec![
                InputColumn::required("站点编码", "站点管理中的编码"),
                InputColumn::required("姓名", ""),
                InputColumn::required("手机", "11位手机号，没有工号时用于登录"),
                InputColumn::optional("工号", "用于登录"),
                InputColumn::optional("性别", "").one_of(Gender::CHOICES.iter().map(|(word, _)| *word)),
                InputColumn::optional("证件号", "初始密码取后6位"),
                InputColumn::optional("邮箱", ""),
                InputColumn::required("职务", "").one_of(SiteStaffDuty::CHOICES.iter().map(|(word, _)| *word)),
                InputColumn::optional("主要负责人", "每个站点一名").one_of(YES_OR_NO.iter().map(|(word, _)| *word)),
            ],
        }
    }

    async fn start(tx: &mut Tx, scope: Scope) -> Result<Self> {
        let sites = site::by_code(tx, &scope).await?;
        Ok(Self { scope, sites })
    }

    fn form(&self, row: &mut Row) -> Value {
        json!({
            "siteId": referred(row, "站点编码", &self.sites).map(|site| site.id),
            "name": row.text("姓名"),
            "phone": row.text("手机"),
            "workNo": row.text("工号"),
            "gender": row.one_of("性别", Gender::CHOICES).map(Gender::as_str),
            "idCardNo": row.text("证件号"),
            "email": row.text("邮箱"),
            "duty": row.one_of("职务", SiteStaffDuty::CHOICES).map(SiteStaffDuty::as_str),
            "isPrimary": row.one_of("主要负责人", YES_OR_NO).unwrap_or(false),
        })
    }

    async fn insert(&mut self, tx: &mut Tx, form: SiteStaffForm) -> Result<Change> {
        Ok(insert(tx, form, &self.scope).await?.1)
    }

    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        remove(tx, record.id, scope).await.map(Some)
    }
}
