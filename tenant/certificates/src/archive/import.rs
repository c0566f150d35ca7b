//! 导入移交信息: where sealed archives went, by student number (part 04 §11).

use std::collections::HashMap;

use certificate_rules::enums::ArchiveStatus;
use chrono::NaiveDate;
use infra::{
    Change, Error, Result, Scope, Tx,
    across::Keyed,
    sheet::{InputColumn, Row, Template},
    transfer::{Imported, RowImport},
};
use poem_openapi::Object;
use serde_json::{Value, json};

use super::{Archives, ImportHandovers, steps::hand_over};

/// A row.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct Handover {
    id: i64,
    #[oai(validator(min_length = 2, max_length = 100))]
    to: String,
    date: NaiveDate,
    #[oai(validator(max_length = 40))]
    tracking_no: Option<String>,
}

/// One import, with whose archives its rows may name.
pub(super) struct HandoverSheet {
    scope: Scope,
    archives: HashMap<String, i64>,
}

impl RowImport for HandoverSheet {
    type Form = Handover;
    const KIND: &'static str = "archive.import";
    type Permission = ImportHandovers;
    const COLUMNS: &'static [(&'static str, &'static str)] =
        &[("id", "学号"), ("to", "去向"), ("date", "日期"), ("trackingNo", "单号")];
    const ONCE: &'static [(&'static str, &'static str)] = &[("学号", "学号")];

    fn template() -> Template {
        Template {
            title: "移交信息",
            columns: vec![
                InputColumn::required("学号", ""),
                InputColumn::required("去向", ""),
                InputColumn::required("日期", "例如 2028-07-20"),
                InputColumn::optional("单号", ""),
            ],
        }
    }

    async fn start(tx: &mut Tx, scope: Scope) -> Result<Self> {
        let rows = sqlx::query!(
            r#"select y.student_no as "student_no!", a.id as "id!" from archive a join student y on y.id = a.student_id
               where y.student_no is not null
                 and ($1::bigint[] is null or y.site_id = any($1) or y.class_id = any($2::bigint[]))
               order by a.id"#,
            scope.sites(),
            scope.classes()
        )
        .fetch_all(&mut **tx)
        .await?;
        Ok(Self { scope, archives: rows.into_iter().map(|row| (row.student_no, row.id)).collect() })
    }

    fn form(&self, row: &mut Row) -> Value {
        let student = row.required("学号");
        let id = self.archives.get(&student);
        if id.is_none() {
            row.refuse_once("学号", "学号没有档案，或不在您的管辖范围内");
        }
        json!({ "id": id, "to": row.required("去向"), "date": row.date("日期"), "trackingNo": row.text("单号") })
    }

    async fn insert(&mut self, tx: &mut Tx, form: Handover) -> Result<Change> {
        hand_over(tx, form.id, (&form.to, form.date, form.tracking_no.as_deref()), &self.scope).await
    }

    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        tx.lock("archive", record.id).await?;
        let archive = Archives::find(tx, record.id, scope).await?;
        if archive.status != ArchiveStatus::HandedOver {
            return Err(Error::conflict(format!("档案{}，不能撤销移交", archive.status.zh())));
        }
        let by = tx.by();
        sqlx::query!(
            "update archive set status = 'sealed', handed_to = null, handed_on = null, tracking_no = null, updated_at = now(),
                    updated_by = $2, version = version + 1
             where id = $1",
            record.id,
            by
        )
        .execute(&mut **tx)
        .await?;
        Ok(Some(Change::edited(
            "archive",
            record.id,
            &json!({ "status": "handed_over", "handedTo": archive.handed_to, "handedOn": archive.handed_on,
                "trackingNo": archive.tracking_no }),
            &json!({ "status": "sealed", "handedTo": null, "handedOn": null, "trackingNo": null }),
        )))
    }
}
