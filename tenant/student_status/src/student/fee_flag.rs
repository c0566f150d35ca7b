//! 导入欠费标记: who owes money, by sheet; all rows or none (02 §13).

use std::collections::HashMap;

use infra::{
    Allowed, Change, Error, Reply, Result, Scope, Tx,
    sheet::{InputColumn, Row, Template},
    transfer::{self, Attachment, Import, ImportAnswer, ImportForm, Imported},
};
use poem_openapi::OpenApi;
use student_status_rules::check::NOT_YOURS;

use super::{FetchStudentSheet, ImportStudents};
use crate::{enums::FeeFlag, id_card::fold};

const STUDENT_NO: &str = "学号";
const NAME: &str = "姓名";
const ARREARS: &str = "欠费";

pub struct FeeFlags;

#[OpenApi(prefix_path = "/adult/pc/studentRoll/feeFlag", tag = "crate::Tag::StudentStatus")]
impl FeeFlags {
    /// 导入欠费标记
    #[oai(path = "/import", method = "post", operation_id = "importFeeFlags")]
    async fn import(&self, caller: Allowed<ImportStudents>, form: ImportForm) -> Result<Reply<ImportAnswer>> {
        transfer::import::<FeeFlagSheet>(&caller, form).await
    }

    /// 欠费标记导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchFeeFlagTemplate")]
    async fn template(&self, caller: Allowed<FetchStudentSheet>) -> Result<Attachment> {
        transfer::template::<FeeFlagSheet, _>(&caller).await
    }
}

/// A student that a row may name.
struct Known {
    id: i64,
    name: String,
    flag: FeeFlag,
    site_id: i64,
    class_id: Option<i64>,
}

/// An import of flags.
pub(crate) struct FeeFlagSheet {
    scope: Scope,
    seen: HashMap<i64, u32>,
}

impl Import for FeeFlagSheet {
    const KIND: &'static str = "student.fee_flag_import";
    type Permission = ImportStudents;

    const COUNTED: &'static [&'static str] = &[ARREARS];

    fn template() -> Template {
        Template {
            title: "欠费标记",
            columns: vec![
                InputColumn::required(STUDENT_NO, ""),
                InputColumn::required(NAME, "与学籍中的姓名一致"),
                InputColumn::required(ARREARS, "是或否").one_of(["是", "否"]),
            ],
        }
    }

    async fn start(_tx: &mut Tx, scope: Scope, _into: Option<i64>) -> Result<Self> {
        Ok(Self { scope, seen: HashMap::new() })
    }

    async fn rows(&mut self, tx: &mut Tx, rows: &mut [Row], write: bool) -> Result<Vec<Change>> {
        let known = known(tx, rows).await?;
        let marked: Vec<(i64, FeeFlag, FeeFlag)> = rows.iter_mut().filter_map(|row| self.marked(row, &known)).collect();
        if !write || rows.iter().any(|row| !row.errors().is_empty()) {
            return Ok(Vec::new());
        }
        mark(tx, marked).await
    }

    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        let (was, is) = (record.before::<FeeFlag>("feeFlag")?, record.after::<FeeFlag>("feeFlag")?);
        let (Some(was), Some(is)) = (was, is) else { return Ok(None) };
        let student = sqlx::query!(
            r#"select fee_flag as "flag: FeeFlag", site_id, class_id from student where id = $1 for update"#,
            record.id
        )
        .fetch_optional(&mut **tx)
        .await?
        .filter(|student| scope.sees(Some(student.site_id), student.class_id))
        .ok_or_else(Error::not_found)?;
        if student.flag != is {
            return Err(Imported::changed());
        }
        Ok(mark(tx, vec![(record.id, is, was)]).await?.pop())
    }
}

impl FeeFlagSheet {
    /// Whose flag becomes which from which; none, with the reasons on the row, when it is wrong.
    fn marked(&mut self, row: &mut Row, known: &HashMap<String, Known>) -> Option<(i64, FeeFlag, FeeFlag)> {
        let number = fold(&row.required(STUDENT_NO));
        let name = row.required(NAME);
        let owes = row.one_of(ARREARS, &[("是", true), ("否", false)]);
        let Some(found) = known.get(&number) else {
            row.refuse_once(STUDENT_NO, "没有该学号的学生");
            return None;
        };
        if !self.scope.sees(Some(found.site_id), found.class_id) {
            row.refuse("", NOT_YOURS);
            return None;
        }
        if found.name != name && !name.is_empty() {
            row.refuse(NAME, "与学籍中的姓名不一致");
        }
        let first = *self.seen.entry(found.id).or_insert(row.number());
        if first != row.number() {
            row.refuse(STUDENT_NO, format!("与第{first}行是同一名学生"));
        }
        let flag = if owes? { FeeFlag::Arrears } else { FeeFlag::None };
        row.errors().is_empty().then_some((found.id, found.flag, flag))
    }
}

async fn known(tx: &mut Tx, rows: &mut [Row]) -> Result<HashMap<String, Known>> {
    let numbers: Vec<String> =
        rows.iter_mut().filter_map(|row| row.text(STUDENT_NO)).map(|number| fold(&number)).collect();
    let found = sqlx::query!(
        r#"select id, name, student_no as "student_no!", fee_flag as "flag: FeeFlag", site_id, class_id
           from student where student_no = any($1) order by id for update"#,
        &numbers
    )
    .fetch_all(&mut **tx)
    .await?;
    let known = found.into_iter().map(|row| {
        let one = Known { id: row.id, name: row.name, flag: row.flag, site_id: row.site_id, class_id: row.class_id };
        (row.student_no, one)
    });
    Ok(known.collect())
}

/// Writes the flags that differ.
async fn mark(tx: &mut Tx, marked: Vec<(i64, FeeFlag, FeeFlag)>) -> Result<Vec<Change>> {
    let by = tx.by();
    let other: Vec<(i64, FeeFlag, FeeFlag)> = marked.into_iter().filter(|(_, from, to)| from != to).collect();
    let ids: Vec<i64> = other.iter().map(|(id, ..)| *id).collect();
    let flags: Vec<&str> = other.iter().map(|(.., to)| to.as_str()).collect();
    sqlx::query!(
        "update student s set fee_flag = w.flag, updated_at = now(), updated_by = $3, version = s.version + 1
         from unnest($1::bigint[], $2::text[]) as w (id, flag) where s.id = w.id",
        &ids,
        flags as _,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(other
        .into_iter()
        .map(|(id, from, to)| Change::status("student", id, "feeFlag", from.as_str(), to.as_str()))
        .collect())
}
