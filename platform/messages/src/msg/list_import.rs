//! 导入接收人: a sheet of students by 学号 or 手机号; every row must be a student whom the importer may reach (01 §7.5).

use std::collections::{HashMap, HashSet};

use infra::{
    Allowed, Change, Error, Reply, Result, Scope, Tx, reply,
    sheet::{InputColumn, Reader, Row, RowError, Template},
    transfer::{self, SentSheet},
};
use poem_openapi::{Multipart, Object, OpenApi, types::multipart::Upload};
use serde_json::json;

use super::ImportRecipients;

const WHO: &str = "学号或手机号";
const NAME: &str = "姓名";

fn template() -> Template {
    Template {
        title: "接收人",
        columns: vec![
            InputColumn::required(WHO, "学号、考生号或手机号"),
            InputColumn::optional(NAME, "填写时必须与学籍中的姓名一致"),
        ],
    }
}

/// The multipart body.
#[derive(Debug, Multipart)]
pub struct RecipientSheet {
    /// 文件
    pub file: Upload,
}

/// What came of a sheet: the list's number for the message, or what is wrong with its rows.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct ImportedRecipients {
    /// 总行数
    pub total: i64,
    /// 接收人数
    pub imported: i64,
    /// 名单编号
    pub list_id: Option<i64>,
    /// 错误
    pub errors: Vec<RowError>,
}

pub struct ListImport;

#[OpenApi(prefix_path = "/user/pc/msg/recipient", tag = "crate::Tag::Messages")]
impl ListImport {
    /// 导入接收人
    /// 表头为“学号或手机号”和“姓名”；任何一行有误时不保存名单
    #[oai(path = "/import", method = "post", operation_id = "importRecipients")]
    async fn import(
        &self,
        caller: Allowed<ImportRecipients>,
        form: RecipientSheet,
    ) -> Result<Reply<ImportedRecipients>> {
        let sent = SentSheet::receive(caller.app(), template().title, form.file, None).await?;
        let mut reader = Reader::open(sent.path(), &template(), transfer::limits(caller.app()).await?).await?;
        let mut tx = caller.begin_long().await?;
        let (mut ids, mut seen, mut errors, mut total) = (Vec::new(), HashSet::new(), Vec::new(), 0);
        while let Some(mut rows) = reader.next().await? {
            total += i64::try_from(rows.len()).unwrap_or(i64::MAX);
            let found = found(&mut tx, &mut rows, &caller.scope()).await?;
            ids.extend(found.into_iter().filter(|id| seen.insert(*id)));
            errors.extend(rows.into_iter().flat_map(Row::into_errors));
        }
        if total == 0 {
            return Err(Error::field("file", "文件中没有接收人"));
        }
        let imported = i64::try_from(ids.len()).unwrap_or(i64::MAX);
        if !errors.is_empty() {
            errors.truncate(1_000);
            return Ok(reply(ImportedRecipients { total, imported: 0, list_id: None, errors }));
        }
        let by = tx.by();
        let list_id = sqlx::query_scalar!(
            "insert into msg_list (file_name, person_ids, created_by, updated_by) values ($1, $2, $3, $3) returning id",
            sent.name,
            &ids,
            by
        )
        .fetch_one(&mut *tx)
        .await?;
        tx.commit(Change::event("msg_list", list_id, "import", json!({ "file": sent.name, "persons": imported })))
            .await?;
        Ok(reply(ImportedRecipients { total, imported, list_id: Some(list_id), errors }))
    }
}

/// The students of some rows; what is wrong is noted in each.
async fn found(tx: &mut Tx, rows: &mut [Row], scope: &Scope) -> Result<Vec<i64>> {
    let typed: Vec<(String, Option<String>)> = rows.iter_mut().map(|row| (row.required(WHO), row.text(NAME))).collect();
    let wanted: Vec<String> = typed.iter().map(|(who, _)| who.to_uppercase()).collect();
    let known = sqlx::query!(
        r#"select s.id, s.name, s.site_id, s.class_id, w.who as "who!"
           from unnest($1::text[]) as w (who)
           join student s on s.student_no = w.who or s.examinee_no = w.who
                or (s.phone = w.who and s.active)"#,
        &wanted
    )
    .fetch_all(&mut **tx)
    .await?;
    let mut people: HashMap<&str, Vec<(i64, &str)>> = HashMap::new();
    for row in known.iter().filter(|row| scope.sees(Some(row.site_id), row.class_id)) {
        let same = people.entry(row.who.as_str()).or_default();
        if same.iter().all(|(id, _)| *id != row.id) {
            same.push((row.id, row.name.as_str()));
        }
    }
    let mut ids = Vec::new();
    for ((row, (who, name)), wanted) in rows.iter_mut().zip(&typed).zip(&wanted) {
        if who.is_empty() {
            continue;
        }
        let same = people.get(wanted.as_str()).map(Vec::as_slice).unwrap_or_default();
        let fits: Vec<i64> = same
            .iter()
            .filter(|(_, known)| name.as_deref().is_none_or(|name| name == *known))
            .map(|(id, _)| *id)
            .collect();
        match (fits.as_slice(), same.is_empty()) {
            ([id], _) => ids.push(*id),
            ([], true) => row.refuse(WHO, "没有这名学生，或不在您的数据范围内"),
            ([], false) => row.refuse(NAME, "姓名与学籍中的不一致"),
            _ => row.refuse(WHO, "有多名学生使用该号码，请改用学号"),
        }
    }
    Ok(ids)
}
