//! 导入证书: numbers that the school gave elsewhere (part 04 §10).

use std::collections::HashMap;

use certificate_rules::enums::{CertificateKind, CertificateStatus};
use chsi::national_code;
use infra::{
    Change, Error, OnConstraint, Result, Scope, Tx,
    sheet::{InputColumn, Row, Template},
    transfer::{Imported, RowImport},
};
use poem_openapi::Object;
use serde_json::{Value, json};

use super::{ImportCertificates, steps::held};
use crate::{numbers::wanted, settings::PRESIDENT_NAME};

const DIGITS: usize = 18;

/// A number that somebody has.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct GivenNumber {
    student_id: i64,
    batch_id: i64,
    kind: CertificateKind,
    number: String,
}

/// Whoever is to be numbered, by student number.
struct Waiting {
    student: i64,
    batch: i64,
    kind: CertificateKind,
}

/// One import, with what its rows may name.
pub(super) struct CertificateSheet {
    national: String,
    waiting: HashMap<String, Waiting>,
}

impl RowImport for CertificateSheet {
    type Form = GivenNumber;
    const KIND: &'static str = "certificate.import";
    type Permission = ImportCertificates;
    const COLUMNS: &'static [(&'static str, &'static str)] =
        &[("studentId", "学号"), ("batchId", "学号"), ("kind", "学号"), ("number", "证书编号")];
    const ONCE: &'static [(&'static str, &'static str)] = &[("学号", "学号"), ("证书编号", "证书编号")];

    fn template() -> Template {
        Template {
            title: "证书",
            columns: vec![InputColumn::required("学号", ""), InputColumn::required("证书编号", "18位数字")],
        }
    }

    async fn start(tx: &mut Tx, _scope: Scope) -> Result<Self> {
        let app = tx.app().clone();
        let national = national_code(&app, tx).await?;
        if national.len() != 5 || !national.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(Error::conflict("院校国标代码应为5位数字，请先在学校信息中填写"));
        }
        let rows = sqlx::query!(
            r#"select y.student_no as "student_no!", y.id as "student!", g.batch_id as "batch!",
                      case g.decision when 'graduate' then 'graduation' else 'completion' end as "kind!: CertificateKind"
               from graduation_outcome g join student y on y.id = g.student_id
               where g.decision in ('graduate', 'complete') and y.student_no is not null"#
        )
        .fetch_all(&mut **tx)
        .await?;
        let waiting = rows
            .into_iter()
            .map(|row| (row.student_no, Waiting { student: row.student, batch: row.batch, kind: row.kind }));
        Ok(Self { national, waiting: waiting.collect() })
    }

    /// Nobody gives numbers in these batches meanwhile.
    async fn hold_referred(&mut self, tx: &mut Tx, rows: &[Row]) -> Result<()> {
        let batches: Vec<i64> =
            rows.iter().filter_map(|row| self.waiting.get(&row.peek("学号")?)).map(|own| own.batch).collect();
        sqlx::query_scalar!("select id from graduation_batch where id = any($1) order by id for share", &batches)
            .fetch_all(&mut **tx)
            .await?;
        Ok(())
    }

    fn form(&self, row: &mut Row) -> Value {
        let number = row.required("证书编号");
        if number.len() != DIGITS || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            row.refuse_once("证书编号", "证书编号应为18位数字");
        } else if !number.starts_with(&self.national) {
            row.refuse("证书编号", format!("证书编号前5位应为{}", self.national));
        }
        let student = row.required("学号");
        let Some(own) = self.waiting.get(&student) else {
            row.refuse_once("学号", "学号不存在，或该生没有毕业、结业结论");
            return json!({ "number": number });
        };
        json!({ "studentId": own.student, "batchId": own.batch, "kind": own.kind.as_str(), "number": number })
    }

    async fn insert(&mut self, tx: &mut Tx, form: GivenNumber) -> Result<Change> {
        let one =
            wanted(tx, &[(form.student_id, form.batch_id, form.kind)]).await?.pop().ok_or_else(Error::not_found)?;
        let taken = sqlx::query!(
            r#"select exists (select from certificate where student_id = $1 and kind = $2 and status <> 'voided') as "own!",
                      exists (select from certificate where number = $3) as "number!""#,
            form.student_id,
            form.kind.as_str(),
            form.number
        )
        .fetch_one(&mut **tx)
        .await?;
        if taken.own {
            return Err(Error::field("studentId", format!("该生已有{}编号", form.kind.zh())));
        }
        if taken.number {
            return Err(Error::field("number", "证书编号已存在"));
        }
        let principal = PRESIDENT_NAME.value(tx).await?.as_str().unwrap_or_default().to_owned();
        let by = tx.by();
        let id = sqlx::query_scalar!(
            "insert into certificate (student_id, batch_id, kind, number, year, level_code, holder, principal_name, imported, created_by,
                                      updated_by)
             values ($1, $2, $3, $4, $5, $6, $7, $8, true, $9, $9) returning id",
            form.student_id,
            form.batch_id,
            form.kind.as_str(),
            form.number,
            one.year,
            one.level_code,
            one.holder,
            principal,
            by
        )
        .fetch_one(&mut **tx)
        .await
        .on_constraint(|constraint| match constraint {
            "certificate_student_taken" => Some(Error::field("studentId", format!("该生已有{}编号", form.kind.zh()))),
            "certificate_number_taken" => Some(Error::field("number", "证书编号已存在")),
            _ => None,
        })?;
        Ok(Change::created("certificate", id, &form))
    }

    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        let before = held(tx, record.id, None, scope).await?;
        if before.status != CertificateStatus::Allocated || before.print_count > 0 {
            return Err(Error::conflict(format!("证书{}，不能撤销导入", before.status.zh())));
        }
        tx.remove("certificate", before.id, &before.number).await?;
        Ok(Some(Change::deleted("certificate", before.id, &before)))
    }
}
