//! 导入监考员: each row as if somebody had typed it (part 04 §4.6).

use exam_seat_rules::enums::InvigilatorKind;
use infra::{
    Change, Result, Scope, Tx,
    naming::{Codes, referred},
    sheet::{InputColumn, Row, Template},
    transfer::{Imported, RowImport},
};
use people::id_card::Gender;
use serde_json::{Value, json};

use super::{ImportInvigilators, InvigilatorForm, form::insert, remove};

/// One import, with what its rows may name.
pub(super) struct WatcherSheet {
    scope: Scope,
    sites: Codes<i64>,
    teachers: Codes<(i64, String)>,
}

impl RowImport for WatcherSheet {
    type Form = InvigilatorForm;
    const KIND: &'static str = "invigilator.import";
    type Permission = ImportInvigilators;
    const COLUMNS: &'static [(&'static str, &'static str)] = &[
        ("kind", "类型"),
        ("teacherId", "工号"),
        ("name", "姓名"),
        ("gender", "性别"),
        ("phone", "手机号"),
        ("idCardNo", "身份证号"),
        ("siteId", "站点编码"),
    ];
    const ONCE: &'static [(&'static str, &'static str)] = &[("工号", "工号"), ("身份证号", "身份证号")];
    const CODES: &'static [(&'static str, &'static str)] = &[("站点编码", "site")];

    fn template() -> Template {
        Template {
            title: "监考员",
            columns: vec![
                InputColumn::required("类型", "本校教师或外聘"),
                InputColumn::optional("工号", "本校教师必填"),
                InputColumn::required("姓名", ""),
                InputColumn::optional("性别", "男或女"),
                InputColumn::required("手机号", ""),
                InputColumn::optional("身份证号", ""),
                InputColumn::required("站点编码", ""),
            ],
        }
    }

    async fn start(tx: &mut Tx, scope: Scope) -> Result<Self> {
        let sites = sqlx::query!("select code, id from site").fetch_all(&mut **tx).await?;
        let teachers = sqlx::query!("select work_no, id, name from teacher").fetch_all(&mut **tx).await?;
        Ok(Self {
            scope,
            sites: sites.into_iter().map(|row| (row.code, row.id)).collect(),
            teachers: teachers.into_iter().map(|row| (row.work_no, (row.id, row.name))).collect(),
        })
    }

    fn form(&self, row: &mut Row) -> Value {
        // Also as people say it for short.
        let kinds = [
            ("本校", InvigilatorKind::Teacher),
            ("本校教师", InvigilatorKind::Teacher),
            ("外聘", InvigilatorKind::External),
        ];
        let kind = row.one_of("类型", &kinds);
        let name = row.required("姓名");
        let teacher = referred(row, "工号", &self.teachers).cloned();
        match (kind, &teacher) {
            (Some(InvigilatorKind::Teacher), None) if row.peek("工号").is_none() => row.refuse("工号", "请填写工号"),
            (Some(InvigilatorKind::Teacher), Some((_, known))) if *known != name => {
                row.refuse("姓名", "姓名与工号不符");
            }
            _ => {}
        }
        json!({
            "kind": kind.map(InvigilatorKind::as_str),
            "teacherId": teacher.map(|(id, _)| id),
            "name": name,
            "gender": row.one_of("性别", Gender::CHOICES).map(Gender::as_str),
            "phone": row.text("手机号"),
            "idCardNo": row.text("身份证号"),
            "siteId": referred(row, "站点编码", &self.sites),
        })
    }

    async fn insert(&mut self, tx: &mut Tx, form: InvigilatorForm) -> Result<Change> {
        insert(tx, form, &self.scope).await.map(|(_, change)| change)
    }

    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        remove(tx, record.id, scope).await.map(Some)
    }
}
