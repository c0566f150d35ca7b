//! 本校字段: what a school asks for of its own when people report (02 §1). Values stand in the row, files beside it, both by the keys
//! of the fields; what is asked for no more stays as it was, and is not shown.

use std::collections::{BTreeMap, HashMap};

use field_attributes::{
    enums::FieldStage,
    stage::{Given, StageFields},
};
use infra::{App, Error, FieldError, Result, Tx, files};
use poem_openapi::Object;
pub use registration_rules::own::RegistrationFileForm;
use serde_json::{Map, Value};
use sqlx::PgConnection;

use super::attached::let_go;

/// The same as people see it.
#[derive(Debug, Clone, Object)]
pub struct RegistrationFile {
    /// 字段标识
    pub kind: String,
    /// 文件
    pub key: String,
    /// 文件名
    pub name: String,
    /// 地址
    pub url: Option<String>,
}

/// A file that lies beside a registration.
#[derive(Debug, Clone)]
pub(super) struct Kept {
    registration_id: i64,
    kind: String,
    file_id: i64,
    key: String,
    name: String,
}

/// What the school asks for.
///
/// # Errors
/// Those of the database.
pub(super) async fn asked(app: &App, connection: &mut PgConnection) -> Result<StageFields> {
    StageFields::load(app, connection, FieldStage::Registration).await
}

/// The files of these registrations.
///
/// # Errors
/// Those of the database.
pub(super) async fn kept(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<Kept>> {
    let files = sqlx::query_as!(
        Kept,
        "select f.registration_id, f.kind, f.file_id, o.key, o.original_name as name
         from registration_file f join file_object o on o.id = f.file_id
         where f.registration_id = any($1) order by f.id",
        ids
    );
    Ok(files.fetch_all(connection).await?)
}

/// The files of a registration with their short-lived addresses.
///
/// # Errors
/// Those of the database and of the store.
pub(super) async fn shown(app: &App, connection: &mut PgConnection, id: i64) -> Result<Vec<RegistrationFile>> {
    let mut shown = Vec::new();
    for Kept { kind, key, name, .. } in kept(connection, &[id]).await? {
        let url = files::address_of_key(app, connection, &key).await?;
        shown.push(RegistrationFile { kind, key, name, url });
    }
    Ok(shown)
}

/// What is typed of the fields; none stays as it is.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Typed<'t> {
    pub values: Option<&'t BTreeMap<String, Value>>,
    pub files: Option<&'t [RegistrationFileForm]>,
}

/// Values and files as they will be stored.
#[derive(Debug)]
pub(super) struct Said {
    pub values: Map<String, Value>,
    pub files: Vec<RegistrationFileForm>,
}

/// What was typed, checked as a whole; what stays as it is must do as well (02 §1, scenario 2).
///
/// # Errors
/// One sentence for each wrong field, under its key.
pub(super) fn said(
    fields: &StageFields,
    typed: Typed<'_>,
    values: &Map<String, Value>,
    there: &[Kept],
) -> Result<Said, Vec<FieldError>> {
    let mut wrong = Vec::new();
    let is_there = |file: &RegistrationFileForm| there.iter().any(|old| old.kind == file.kind && old.key == file.key);
    let form = |old: &Kept| RegistrationFileForm { kind: old.kind.clone(), key: old.key.clone() };
    let files: Vec<RegistrationFileForm> = match typed.files {
        None => there.iter().map(form).collect(),
        Some(sent) => {
            for (index, file) in sent.iter().enumerate() {
                let message = if !fields.is_file(&file.kind) && !is_there(file) {
                    "没有该材料字段或已停用，请刷新后重新上传"
                } else if sent.iter().take(index).any(|other| other.kind == file.kind) {
                    "每个字段只能上传一个文件"
                } else {
                    continue;
                };
                wrong.push(FieldError { field: format!("files[{index}].kind"), message: message.to_owned() });
            }
            let open = |kind: &str| fields.is_file(kind);
            let sent = sent.iter().filter(|file| open(&file.kind)).cloned();
            sent.chain(there.iter().filter(|old| !open(&old.kind)).map(form)).collect()
        }
    };
    wrong.extend(fields.wrong(|key| given(fields, key, files.iter().map(|file| file.kind.as_str()))));
    let own = match typed.values {
        Some(typed) => fields.own_values(typed, values),
        None => fields.own_values(&as_they_are(fields, values), values),
    };
    let stored = own.map_err(|own| wrong.extend(own)).ok();
    match stored {
        Some(values) if wrong.is_empty() => Ok(Said { values, files }),
        _ => Err(wrong),
    }
}

/// What a record holds of the values that are asked for.
pub(super) fn as_they_are(fields: &StageFields, values: &Map<String, Value>) -> BTreeMap<String, Value> {
    let asked = values.iter().filter(|(key, _)| fields.asks(key) && !fields.is_file(key));
    asked.map(|(key, value)| (key.clone(), value.clone())).collect()
}

/// The stage has no field of the program's own; a file is there or is not.
fn given<'g>(fields: &StageFields, key: &str, mut files: impl Iterator<Item = &'g str>) -> Given<'static> {
    if fields.is_file(key) { Given::some(files.find(|kind| *kind == key)) } else { Given::Something }
}

/// Has the record these files and no others.
///
/// # Errors
/// 422 at the field when an upload was not completed, or the file is another record's, or this one's already.
pub(super) async fn keep(tx: &mut Tx, id: i64, there: &[Kept], wanted: &[RegistrationFileForm]) -> Result<()> {
    let same = |old: &Kept, file: &RegistrationFileForm| old.kind == file.kind && old.key == file.key;
    for old in there.iter().filter(|old| !wanted.iter().any(|file| same(old, file))) {
        sqlx::query!("delete from registration_file where registration_id = $1 and kind = $2", id, old.kind)
            .execute(&mut **tx)
            .await?;
        let_go(tx, Some(old.file_id), id).await?;
    }
    for file in wanted.iter().filter(|file| !there.iter().any(|old| same(old, file))) {
        let adopted = files::adopt(tx, &file.key, "registration", id).await.map_err(|error| match error.code {
            422 => Error::field(&file.kind, error.msg),
            _ => error,
        })?;
        if let Some(called) = called(tx, id, adopted).await? {
            return Err(Error::field(&file.kind, format!("该文件已是本人的{called}，请另行上传")));
        }
        sqlx::query!(
            "insert into registration_file (registration_id, kind, file_id) values ($1, $2, $3)",
            id,
            file.kind,
            adopted
        )
        .execute(&mut **tx)
        .await?;
    }
    Ok(())
}

/// As what a registration has a file already.
///
/// # Errors
/// Those of the database.
pub(super) async fn called(connection: &mut PgConnection, id: i64, file: i64) -> Result<Option<&'static str>> {
    let named = sqlx::query!(
        r#"select r.photo_id, r.attachment_id,
                  exists (select from registration_file f where f.registration_id = r.id and f.file_id = $2) as "own!"
           from registration r where r.id = $1"#,
        id,
        file
    )
    .fetch_one(connection)
    .await?;
    Ok(if named.photo_id == Some(file) {
        Some("报到照片")
    } else if named.attachment_id == Some(file) {
        Some("附件")
    } else {
        named.own.then_some("本校字段的文件")
    })
}

/// Which files of the fields people have, for a step of several.
pub(super) struct Brought {
    fields: StageFields,
    kinds: HashMap<i64, Vec<String>>,
}

impl Brought {
    /// # Errors
    /// Those of the database.
    pub async fn load(app: &App, connection: &mut PgConnection, ids: &[i64]) -> Result<Self> {
        let fields = asked(app, connection).await?;
        let mut kinds: HashMap<i64, Vec<String>> = HashMap::new();
        for file in kept(connection, ids).await? {
            kinds.entry(file.registration_id).or_default().push(file.kind);
        }
        Ok(Self { fields, kinds })
    }

    /// # Errors
    /// Which of the required fields are empty.
    pub fn complete(&self, id: i64, values: &Map<String, Value>) -> Result<(), String> {
        let kinds = self.kinds.get(&id).map(Vec::as_slice).unwrap_or_default();
        let there = |key: &str| given(&self.fields, key, kinds.iter().map(String::as_str));
        let missing = self.fields.missing(there, values);
        if missing.is_empty() {
            Ok(())
        } else {
            Err(format!("资料不完整：{}，请先在“核验和材料”中补充", missing.join("、")))
        }
    }
}
