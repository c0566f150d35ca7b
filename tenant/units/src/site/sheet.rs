//! What the sheets of sites look like: the export, the import.

use futures_util::{StreamExt, TryStreamExt};
use infra::{
    App, Change, Result, Scope, Tx,
    across::Keyed,
    naming::{Codes, referred},
    sheet::{Cell, Column, InputColumn, Row, Template},
    transfer::{Export, Imported, RowImport, Rows},
};
use serde_json::{Value, json};
use sqlx::PgConnection;
use unit_rules::region::Regions;

use super::{Site, SiteFilter, SiteForm, SiteKind, Sites, SitesOn, hide, insert, region, remove};
use crate::organization;

impl Export for Sites {
    type Filter = SiteFilter;
    type Row = Site;
    const KIND: &'static str = "site.export";
    type Permission = super::ExportSites;
    const PLAIN: Option<&'static str> = Some("adult:pc:site:exportPlain");
    const TITLE: &'static str = "站点";
    const COLUMNS: &'static [Column<Site>] = &[
        Column { heading: "编码", width: 14, cell: |site| Cell::Text(site.code.clone()) },
        Column { heading: "名称", width: 28, cell: |site| Cell::Text(site.name.clone()) },
        Column { heading: "类型", width: 12, cell: |site| Cell::Text(site.kind.zh().to_owned()) },
        Column { heading: "地区", width: 28, cell: |site| Cell::text(site.region_name.clone()) },
        Column { heading: "联系人", width: 12, cell: |site| Cell::text(site.contact.clone()) },
        Column { heading: "电话", width: 16, cell: |site| Cell::text(site.phone.clone()) },
        Column { heading: "备案编号", width: 18, cell: |site| Cell::text(site.filing_no.clone()) },
        Column { heading: "有效期", width: 12, cell: |site| Cell::date(site.filing_expires_on) },
        Column { heading: "班级数", width: 10, cell: |site| Cell::Int(site.class_count) },
        Column { heading: "在籍人数", width: 10, cell: |site| Cell::Int(site.student_count) },
        Column { heading: "可容纳人数", width: 12, cell: |site| Cell::Int(site.capacity.into()) },
        Column { heading: "状态", width: 8, cell: |site| Cell::Text(site.status.zh().to_owned()) },
    ];

    async fn rows<'c>(
        app: &App,
        connection: &'c mut PgConnection,
        filter: &SiteFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, Site>> {
        let regions = region::names(app).await?;
        let on = SitesOn { filter: filter.clone(), day: app.clock().today() };
        let sites = Self::all(connection, &on, scope).await?;
        let named = sites.map_ok(move |mut site| {
            region::name(&regions, &mut site);
            site
        });
        Ok(named.boxed())
    }

    fn mask(site: &mut Site) {
        hide(site);
    }
}

/// An import of sites, with what its rows refer to.
pub(crate) struct SiteImport {
    scope: Scope,
    units: Codes<i64>,
    regions: Regions,
}

impl RowImport for SiteImport {
    type Form = SiteForm;
    const KIND: &'static str = "site.import";
    type Permission = super::ImportSites;
    const COLUMNS: &'static [(&'static str, &'static str)] = &[
        ("code", "站点编码"),
        ("name", "站点名称"),
        ("kind", "类型"),
        ("organizationId", "管理机构编码"),
        ("hostUnit", "设点单位"),
        ("filingNo", "备案编号"),
        ("filingExpiresOn", "备案有效期"),
        ("region", "地区代码"),
        ("address", "地址"),
        ("contact", "联系人"),
        ("phone", "电话"),
        ("capacity", "容量"),
    ];
    const ONCE: &'static [(&'static str, &'static str)] =
        &[("站点编码", "编码"), ("站点名称", "名称"), ("备案编号", "备案编号")];

    const CODES: &'static [(&'static str, &'static str)] = &[("管理机构编码", "organization")];

    fn template() -> Template {
        Template {
            title: "站点",
            columns: vec![
                InputColumn::required("站点编码", "1至32位字母、数字、下划线或短横线"),
                InputColumn::required("站点名称", ""),
                InputColumn::required("类型", "").one_of(SiteKind::CHOICES.iter().map(|(word, _)| *word)),
                InputColumn::optional("管理机构编码", "机构管理中的编码"),
                InputColumn::optional("设点单位", "校外教学点必填"),
                InputColumn::optional("备案编号", ""),
                InputColumn::optional("备案有效期", "如 2028-08-31"),
                InputColumn::optional("地区代码", "六位行政区划代码，如 420111"),
                InputColumn::optional("地址", ""),
                InputColumn::optional("联系人", ""),
                InputColumn::optional("电话", "手机号，或带区号的固定电话，如 027-87654321"),
                InputColumn::optional("容量", "可容纳人数，0或不填表示不限"),
            ],
        }
    }

    async fn start(tx: &mut Tx, scope: Scope) -> Result<Self> {
        let units = organization::by_code(tx).await?;
        Ok(Self { scope, units, regions: region::names(tx.app()).await? })
    }

    fn form(&self, row: &mut Row) -> Value {
        let region = row.text("地区代码");
        if let Some(code) = region.as_deref().filter(|code| !self.regions.has(code)) {
            row.refuse("地区代码", region::unknown(code).msg);
        }
        json!({
            "code": row.text("站点编码"),
            "name": row.text("站点名称"),
            "kind": row.one_of("类型", SiteKind::CHOICES).map(SiteKind::as_str),
            "organizationId": referred(row, "管理机构编码", &self.units),
            "hostUnit": row.text("设点单位"),
            "filingNo": row.text("备案编号"),
            "filingExpiresOn": row.date("备案有效期"),
            "region": region,
            "address": row.text("地址"),
            "contact": row.text("联系人"),
            "phone": row.text("电话"),
            "capacity": row.integer("容量").unwrap_or_default(),
        })
    }

    async fn insert(&mut self, tx: &mut Tx, form: SiteForm) -> Result<Change> {
        Ok(insert(tx, form, &self.scope).await?.1)
    }

    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        remove(tx, record.id, scope).await.map(Some)
    }
}
