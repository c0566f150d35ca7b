//! What the sheets of teachers look like: the export, the import of new ones, the import that also updates by 工号.

use std::collections::HashMap;

use chrono::NaiveDate;
use futures_util::TryStreamExt;
use infra::{
    App, Change, Result, Scope, Tx,
    naming::{Codes, referred},
    sheet::{Cell, Column, InputColumn, Row, Template},
    transfer::{Export, Imported, RowImport, Rows},
};
use people_rules::sheet::{laid_over, tells_birthday};
use serde_json::{Value, json};
use sqlx::PgConnection;
use units::organization;

use super::{
    Teacher, TeacherFilter, TeacherForm, Teachers,
    form::{insert, update},
    list::select,
    lock, remove,
};
use crate::{
    enums::{TeacherDuty, TeacherEducation, TeacherKind, TeacherTitle},
    id_card::{Gender, IdCardType},
};

/// Several duties in one cell.
const SEPARATOR: char = '、';

pub(super) fn words(duties: &[TeacherDuty]) -> String {
    duties.iter().map(|duty| duty.zh()).collect::<Vec<_>>().join("、")
}

impl Export for Teachers {
    type Filter = TeacherFilter;
    type Row = Teacher;
    const KIND: &'static str = "teacher.export";
    type Permission = super::ExportTeachers;
    const PLAIN: Option<&'static str> = Some("user:pc:teacher:exportPlain");
    const TITLE: &'static str = "教师";
    const COLUMNS: &'static [Column<Teacher>] = &[
        Column { heading: "工号", width: 14, cell: |row| Cell::Text(row.work_no.clone()) },
        Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "性别", width: 6, cell: |row| Cell::text(row.gender.map(|gender| gender.zh())) },
        Column { heading: "证件号", width: 20, cell: |row| Cell::text(row.id_card_no.as_deref()) },
        Column { heading: "手机", width: 14, cell: |row| Cell::Text(row.phone.clone()) },
        Column { heading: "邮箱", width: 24, cell: |row| Cell::text(row.email.as_deref()) },
        Column { heading: "机构", width: 20, cell: |row| Cell::Text(row.organization_name.clone()) },
        Column { heading: "职称", width: 10, cell: |row| Cell::text(row.title.map(|title| title.zh())) },
        Column { heading: "类别", width: 8, cell: |row| Cell::Text(row.kind.zh().to_owned()) },
        Column { heading: "职责", width: 20, cell: |row| Cell::Text(words(&row.duties)) },
        Column { heading: "学历", width: 12, cell: |row| Cell::text(row.education.map(|education| education.zh())) },
        Column { heading: "开户行", width: 20, cell: |row| Cell::text(row.bank_name.as_deref()) },
        Column { heading: "银行卡号", width: 22, cell: |row| Cell::text(row.bank_card_no.as_deref()) },
        Column { heading: "状态", width: 8, cell: |row| Cell::Text(row.status.zh().to_owned()) },
        Column { heading: "账号状态", width: 10, cell: |row| Cell::Text(row.account_state.zh().to_owned()) },
        Column { heading: "最近登录", width: 20, cell: |row| Cell::time(row.last_login_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &TeacherFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, Teacher>> {
        Ok(select(connection, None, filter, scope, None))
    }

    fn mask(teacher: &mut Teacher) {
        teacher.mask();
    }
}

/// An import of teachers, with what its rows refer to. With `UPSERT` a 工号 that is known updates its teacher, and an empty
/// cell leaves what is stored (02 §12.2).
pub(crate) struct TeacherSheet<const UPSERT: bool> {
    scope: Scope,
    units: Codes<i64>,
    /// What stands already, by 工号 in small letters; nothing where only new teachers are taken.
    stored: HashMap<String, Teacher>,
    today: NaiveDate,
}

impl<const UPSERT: bool> TeacherSheet<UPSERT> {
    /// The teacher as they stood when the import began.
    pub(super) fn stored(&self, work_no: &str) -> Option<&Teacher> {
        self.stored.get(&work_no.to_lowercase())
    }
}

impl<const UPSERT: bool> RowImport for TeacherSheet<UPSERT> {
    type Form = TeacherForm;
    const KIND: &'static str = if UPSERT { "teacher.upsert" } else { "teacher.import" };
    type Permission = super::ImportTeachers;
    const COLUMNS: &'static [(&'static str, &'static str)] = &[
        ("workNo", "工号"),
        ("name", "姓名"),
        ("gender", "性别"),
        ("birthday", "证件号"),
        ("idCardType", "证件类型"),
        ("idCardNo", "证件号"),
        ("phone", "手机"),
        ("email", "邮箱"),
        ("organizationId", "机构"),
        ("title", "职称"),
        ("kind", "类别"),
        ("duties", "职责"),
        ("education", "学历"),
        ("bankName", "开户行"),
        ("bankCardNo", "银行卡号"),
    ];
    const ONCE: &'static [(&'static str, &'static str)] = &[("工号", "工号"), ("手机", "手机"), ("证件号", "证件号")];

    const CODES: &'static [(&'static str, &'static str)] = &[("机构", "organization")];

    fn template() -> Template {
        fn zh<T>(choices: &'static [(&'static str, T)]) -> impl Iterator<Item = &'static str> {
            choices.iter().map(|(word, _)| *word)
        }
        Template {
            title: "教师",
            columns: vec![
                InputColumn::required("工号", "1至32位字母、数字、下划线或短横线，用于登录"),
                InputColumn::required("姓名", ""),
                InputColumn::optional("性别", "").one_of(zh(Gender::CHOICES)),
                InputColumn::optional("证件类型", "默认为居民身份证").one_of(zh(IdCardType::CHOICES)),
                InputColumn::optional("证件号", "初始密码取后6位"),
                InputColumn::required("手机", "11位手机号"),
                InputColumn::optional("邮箱", ""),
                InputColumn::required("机构", "机构管理中的编码"),
                InputColumn::optional("职称", "").one_of(zh(TeacherTitle::CHOICES)),
                InputColumn::optional("类别", "默认为专任").one_of(zh(TeacherKind::CHOICES)),
                InputColumn::optional("职责", "主讲、辅导、论文指导、阅卷、监考、评阅，多项用“、”分隔"),
                InputColumn::optional("学历", "").one_of(zh(TeacherEducation::CHOICES)),
                InputColumn::optional("开户行", ""),
                InputColumn::optional("银行卡号", "12至19位数字"),
            ],
        }
    }

    async fn start(tx: &mut Tx, scope: Scope) -> Result<Self> {
        let units = organization::by_code(tx).await?;
        let stored: Vec<Teacher> = if UPSERT {
            select(tx, None, &TeacherFilter::default(), &scope, None).try_collect().await?
        } else {
            Vec::new()
        };
        let stored = stored.into_iter().map(|teacher| (teacher.work_no.to_lowercase(), teacher)).collect();
        Ok(Self { scope, units, stored, today: tx.app().clock().today() })
    }

    fn form(&self, row: &mut Row) -> Value {
        let work_no = row.text("工号");
        let id_card_type = row.one_of("证件类型", IdCardType::CHOICES);
        let id_card_no = row.text("证件号");
        let typed = json!({
            "workNo": work_no,
            "name": row.text("姓名"),
            "gender": row.one_of("性别", Gender::CHOICES).map(Gender::as_str),
            "idCardType": id_card_type.map(IdCardType::as_str),
            "idCardNo": id_card_no,
            "phone": row.text("手机"),
            "email": row.text("邮箱"),
            "organizationId": referred(row, "机构", &self.units),
            "title": row.one_of("职称", TeacherTitle::CHOICES).map(TeacherTitle::as_str),
            "kind": row.one_of("类别", TeacherKind::CHOICES).map(TeacherKind::as_str),
            "duties": duties(row),
            "education": row.one_of("学历", TeacherEducation::CHOICES).map(TeacherEducation::as_str),
            "bankName": row.text("开户行"),
            "bankCardNo": row.text("银行卡号"),
        });
        let Some(teacher) = work_no.and_then(|work_no| self.stored(&work_no)) else { return typed };
        let mut stored = stored_form(teacher);
        let kind = id_card_type.or(teacher.id_card_type).unwrap_or(IdCardType::ResidentId);
        if id_card_no.is_some_and(|number| tells_birthday(kind, &number, self.today)) {
            // They came from the number before; the new one tells its own.
            (stored["birthday"], stored["gender"]) = (Value::Null, Value::Null);
        }
        laid_over(stored, typed)
    }

    async fn insert(&mut self, tx: &mut Tx, mut form: TeacherForm) -> Result<Change> {
        let Some(before) = self.stored(&form.work_no) else { return Ok(insert(tx, form, &self.scope).await?.1) };
        // Numbers are compared without regard to case; the stored spelling stays.
        form.work_no.clone_from(&before.work_no);
        // Who edits a teacher while the sheet is read is not overwritten: the version is the one that was read.
        let (change, followed) = update(tx, before, before.version, form, &self.scope).await?;
        tx.record(&followed).await?;
        Ok(change)
    }

    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        if record.is_new("teacher") {
            return remove(tx, record.id, scope).await.map(Some);
        }
        let now = lock(tx, record.id, scope).await?;
        let (change, followed) = update(tx, &now, now.version, record.former::<TeacherForm>(&now)?, scope).await?;
        tx.record(&followed).await?;
        Ok(Some(change))
    }
}

/// The stored teacher as the form that would save it unchanged; what every sheet must have comes from the sheet.
fn stored_form(teacher: &Teacher) -> Value {
    let duties: Vec<&str> = teacher.duties.iter().map(|duty| duty.as_str()).collect();
    json!({
        "gender": teacher.gender.map(Gender::as_str),
        "birthday": teacher.birthday,
        "idCardType": teacher.id_card_type.map(IdCardType::as_str),
        "idCardNo": teacher.id_card_no,
        "ethnicity": teacher.ethnicity,
        "email": teacher.email,
        "education": teacher.education.map(TeacherEducation::as_str),
        "degree": teacher.degree,
        "title": teacher.title.map(TeacherTitle::as_str),
        "kind": teacher.kind.as_str(),
        "duties": duties,
        "majorIds": teacher.major_ids,
        "bankName": teacher.bank_name,
        "bankCardNo": teacher.bank_card_no,
        "photo": teacher.photo,
        "remark": teacher.remark,
        "status": teacher.status.as_str(),
    })
}

/// The duties of a cell; a word that is none is refused on the row.
fn duties(row: &mut Row) -> Option<Vec<&'static str>> {
    let text = row.text("职责")?;
    let mut found = Vec::new();
    for word in text.split([SEPARATOR, ',', '，']).map(str::trim).filter(|word| !word.is_empty()) {
        match TeacherDuty::CHOICES.iter().find(|(zh, _)| *zh == word) {
            Some((_, duty)) => found.push(duty.as_str()),
            None => row.refuse("职责", format!("没有职责“{word}”")),
        }
    }
    found.dedup();
    Some(found)
}
