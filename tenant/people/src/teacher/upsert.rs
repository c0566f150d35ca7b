//! 更新已有 (02 §12.2): the import that also updates the teachers whose 工号 it knows, and tells what it would change.

use std::collections::HashMap;

use futures_util::TryStreamExt;
use infra::{
    Change, Result, Scope, Tx,
    sheet::{Row, Template},
    transfer::{ByRow, Import, Imported, RowDifference},
};

use super::{
    Teacher, TeacherFilter,
    list::select,
    sheet::{TeacherSheet, words},
};
use crate::{
    enums::{TeacherEducation, TeacherTitle},
    id_card::{Gender, IdCardType},
};

type Rows = ByRow<TeacherSheet<true>>;

/// The rows are checked and written as they are typed. How they differ is read after each batch; what stood before was read
/// when the import began, and a 工号 comes once in a sheet.
pub(crate) struct UpsertedTeachers {
    rows: Rows,
    scope: Scope,
    differences: Vec<RowDifference>,
}

impl Import for UpsertedTeachers {
    const KIND: &'static str = <Rows as Import>::KIND;
    type Permission = <Rows as Import>::Permission;

    fn template() -> Template {
        Rows::template()
    }

    async fn start(tx: &mut Tx, scope: Scope, into: Option<i64>) -> Result<Self> {
        Ok(Self { rows: Rows::start(tx, scope.clone(), into).await?, scope, differences: Vec::new() })
    }

    async fn rows(&mut self, tx: &mut Tx, rows: &mut [Row], write: bool) -> Result<Vec<Change>> {
        let numbers: Vec<String> = rows.iter_mut().filter_map(number).collect();
        let changes = self.rows.rows(tx, rows, write).await?;
        let after = standing(tx, &numbers, &self.scope).await?;
        for row in rows.iter_mut().filter(|row| row.errors().is_empty()) {
            let Some(number) = number(row) else { continue };
            if let Some(teacher) = after.get(&number) {
                let before = self.rows.inner().stored(&number);
                self.differences.extend(differences(row.number(), before, teacher));
            }
        }
        Ok(changes)
    }

    fn differences(self) -> Vec<RowDifference> {
        self.differences
    }

    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        <Rows as Import>::undo(tx, scope, record).await
    }
}

/// The 工号 of a row, as numbers are compared.
fn number(row: &mut Row) -> Option<String> {
    row.text("工号").map(|number| number.to_lowercase())
}

/// The teachers with these numbers, by number in small letters.
async fn standing(tx: &mut Tx, numbers: &[String], scope: &Scope) -> Result<HashMap<String, Teacher>> {
    let ids = sqlx::query_scalar!("select id from teacher where lower(work_no) = any($1)", numbers)
        .fetch_all(&mut **tx)
        .await?;
    let teachers: Vec<Teacher> = select(tx, Some(&ids), &TeacherFilter::default(), scope, None).try_collect().await?;
    Ok(teachers.into_iter().map(|teacher| (teacher.work_no.to_lowercase(), teacher)).collect())
}

/// What the sheet can change of a teacher, in its own words.
fn told(teacher: &Teacher) -> [(&'static str, String); 13] {
    let word = |text: Option<&str>| text.unwrap_or_default().to_owned();
    [
        ("姓名", teacher.name.clone()),
        ("性别", word(teacher.gender.map(Gender::zh))),
        ("证件类型", word(teacher.id_card_type.map(IdCardType::zh))),
        ("证件号", word(teacher.id_card_no.as_deref())),
        ("手机", teacher.phone.clone()),
        ("邮箱", word(teacher.email.as_deref())),
        ("机构", teacher.organization_name.clone()),
        ("职称", word(teacher.title.map(TeacherTitle::zh))),
        ("类别", teacher.kind.zh().to_owned()),
        ("职责", words(&teacher.duties)),
        ("学历", word(teacher.education.map(TeacherEducation::zh))),
        ("开户行", word(teacher.bank_name.as_deref())),
        ("银行卡号", word(teacher.bank_card_no.as_deref())),
    ]
}

/// The same as lists show it.
fn told_masked(teacher: &Teacher) -> [(&'static str, String); 13] {
    let mut masked = teacher.clone();
    masked.mask();
    told(&masked)
}

/// What a row changed of the teacher that was there; one line without a column for a new one. Whole values are compared,
/// masked ones shown.
fn differences(row: u32, before: Option<&Teacher>, after: &Teacher) -> Vec<RowDifference> {
    let line = |column: &str, before: String, after_it: String| RowDifference {
        row,
        name: format!("{} {}", after.work_no, after.name),
        column: column.to_owned(),
        before,
        after: after_it,
    };
    let Some(before) = before else { return vec![line("", String::new(), String::new())] };
    let whole = told(before).into_iter().zip(told(after));
    let shown = told_masked(before).into_iter().zip(told_masked(after));
    whole
        .zip(shown)
        .filter(|((was, is), _)| was != is)
        .map(|(_, ((column, was), (_, is)))| line(column, was, is))
        .collect()
}
