//! Files of a form: 材料, the scan of what was signed on paper, and the picture of a signature.

use std::collections::HashMap;

use information_review_rules::papers::{PAPER, is_purpose};
use infra::{
    App, Error, OnConstraint, Result, Tx,
    files::{self, Takes},
};
use poem_openapi::Object;
use sqlx::PgConnection;

use crate::content::InformationFileForm;

/// For what these files are uploaded.
const PURPOSE: &str = "information";

/// A file, as stored.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
pub struct InformationFile {
    /// 用途
    /// attachment 材料、paper 本人签字的纸质表扫描件，或院校自定义文件字段的标识
    pub kind: String,
    /// 文件
    pub key: String,
    /// 文件名
    pub name: String,
    /// 地址
    #[oai(skip_serializing_if_is_none)]
    pub url: Option<String>,
}

impl InformationFile {
    pub(crate) fn is_paper(&self) -> bool {
        self.kind == PAPER
    }
}

/// The files of one form, as stored.
///
/// # Errors
/// Those of the database.
pub(crate) async fn of(connection: &mut PgConnection, id: i64) -> Result<Vec<InformationFile>> {
    Ok(of_all(connection, &[id]).await?.remove(&id).unwrap_or_default())
}

/// The same of many, by form.
///
/// # Errors
/// Those of the database.
pub(crate) async fn of_all(connection: &mut PgConnection, ids: &[i64]) -> Result<HashMap<i64, Vec<InformationFile>>> {
    let rows = sqlx::query!(
        "select f.student_information_id, f.purpose, o.key, o.original_name
         from student_information_file f join file_object o on o.id = f.file_id
         where f.student_information_id = any($1) order by f.id",
        ids
    )
    .fetch_all(connection)
    .await?;
    let mut papers: HashMap<i64, Vec<InformationFile>> = HashMap::new();
    for row in rows {
        let paper = InformationFile { kind: row.purpose, key: row.key, name: row.original_name, url: None };
        papers.entry(row.student_information_id).or_default().push(paper);
    }
    Ok(papers)
}

/// The files of one form with addresses that soon expire.
///
/// # Errors
/// Those of the database and of the store.
pub(crate) async fn addressed(app: &App, connection: &mut PgConnection, id: i64) -> Result<Vec<InformationFile>> {
    let mut papers = of(connection, id).await?;
    for paper in &mut papers {
        paper.url = Some(files::url_of(app, &paper.key, &paper.name).await?);
    }
    Ok(papers)
}

/// Lets files go that a form gave up and that nothing of it, nor its student, refers to any more.
///
/// # Errors
/// Those of the database.
pub(crate) async fn let_go(tx: &mut Tx, id: i64, keys: &[String]) -> Result<()> {
    let free = sqlx::query_scalar!(
        "select o.key from file_object o join student_information i on i.id = $1 join student s on s.id = i.student_id
         where o.key = any($2) and o.owner_type = 'student_information' and o.owner_id = $1
           and o.id is distinct from i.signature_id and o.id is distinct from i.photo_id
           and o.id is distinct from s.enrol_photo_id
           and not exists (select from student_information_file f where f.file_id = o.id)",
        id,
        keys
    )
    .fetch_all(&mut **tx)
    .await?;
    files::release(tx, &free).await
}

/// A file that is used twice in one form would go with its first use.
///
/// # Errors
/// 422 at the later use.
pub(crate) fn once<'k>(keys: impl IntoIterator<Item = (&'static str, &'k str)>) -> Result<()> {
    let mut seen: Vec<&str> = Vec::new();
    for (field, key) in keys {
        if seen.contains(&key) {
            return Err(Error::field(field, "同一文件只能用在一处，请另行上传"));
        }
        seen.push(key);
    }
    Ok(())
}

/// The key of a file.
///
/// # Errors
/// Those of the database.
pub(crate) async fn key_of(tx: &mut Tx, file: Option<i64>) -> Result<Option<String>> {
    Ok(sqlx::query_scalar!("select key from file_object where id = $1", file).fetch_optional(&mut **tx).await?)
}

/// Replaces the files of a form by those wanted; those that stay are not touched. Answers the keys that it gave up.
///
/// # Errors
/// 422 at `files[n].kind` for a purpose that is none; at `files[n].key` when a file is named twice, an upload was not completed,
/// the file is another record's, or of another kind or larger than papers are.
pub(crate) async fn set(tx: &mut Tx, id: i64, wanted: &[InformationFileForm]) -> Result<Vec<String>> {
    for (index, paper) in wanted.iter().enumerate() {
        if !is_purpose(&paper.kind) {
            return Err(Error::field(&format!("files[{index}].kind"), "文件用途不正确，请重新选择"));
        }
        if wanted.iter().take(index).any(|other| other.key == paper.key) {
            return Err(Error::field(&format!("files[{index}].key"), "同一文件重复上传，请删除其中一个"));
        }
    }
    let before = of(tx, id).await?;
    let same = |old: &InformationFile, paper: &InformationFileForm| old.key == paper.key && old.kind == paper.kind;
    let gone: Vec<String> =
        before.iter().filter(|old| !wanted.iter().any(|paper| same(old, paper))).map(|old| old.key.clone()).collect();
    if !gone.is_empty() {
        sqlx::query!(
            "delete from student_information_file f using file_object o
             where o.id = f.file_id and f.student_information_id = $1 and o.key = any($2)",
            id,
            &gone
        )
        .execute(&mut **tx)
        .await?;
    }
    let is_new = |paper: &InformationFileForm| !before.iter().any(|old| same(old, paper));
    for (index, paper) in wanted.iter().enumerate().filter(|(_, paper)| is_new(paper)) {
        let field = format!("files[{index}].key");
        let file = adopted(tx, id, &paper.key, (Takes::Paper, &field)).await?;
        sqlx::query!(
            "insert into student_information_file (student_information_id, purpose, file_id) values ($1, $2, $3)",
            id,
            paper.kind,
            file
        )
        .execute(&mut **tx)
        .await
        .on_constraint(|name| {
            (name == "student_information_file_file_taken").then(|| Error::field(&field, "该文件已在使用，请重新上传"))
        })?;
    }
    Ok(gone)
}

/// Takes over the picture of a signature; answers its number.
///
/// # Errors
/// 422 at `signature` when the upload was not completed, the file is another record's, or no picture of at most 2 MB.
pub(crate) async fn signed(tx: &mut Tx, id: i64, key: &str) -> Result<i64> {
    adopted(tx, id, key, (Takes::Picture, "signature")).await
}

async fn adopted(tx: &mut Tx, id: i64, key: &str, (takes, field): (Takes, &str)) -> Result<i64> {
    files::adopt_of(tx, key, ("student_information", id), PURPOSE, takes).await.map_err(|error| match error.code {
        422 => Error::field(field, error.msg),
        _ => error,
    })
}
