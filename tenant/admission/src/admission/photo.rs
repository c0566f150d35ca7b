//! 导入录取照片: the authority's pictures of those whom it admitted, a zip of files named by 考生号 or 证件号 (02 §6, §9.8).

use infra::{Allowed, Change, Error, OnConstraint, Reply, Result, Scope, Tx, transfer::Imported};
use poem_openapi::{Multipart, OpenApi, types::multipart::Upload};
use serde_json::{Value, json};
use sqlx::PgConnection;
use student_status::{
    album::{Album, Found, SentAlbum, StudentPhotoAnswer, import},
    enums::PhotoKind,
    student::admission_photo,
};

use super::{
    ImportAdmissionPhotos,
    person::{held, held_one, share_batches},
};

/// Admissions that are told apart in one transaction.
const AT_ONCE: i64 = 500;

/// The multipart body.
#[derive(Debug, Multipart)]
#[oai(rename_all = "camelCase")]
struct AdmissionPhotoForm {
    /// 压缩包
    file: Upload,
    /// 覆盖已有照片
    overwrite: Option<bool>,
    /// 仅检查
    dry_run: Option<bool>,
}

pub struct Photos;

#[OpenApi(prefix_path = "/adult/pc/admission", tag = "crate::Tag::Admission")]
impl Photos {
    /// 导入录取照片
    /// 报到时带入学籍
    #[oai(path = "/photo/import", method = "post", operation_id = "importAdmissionPhotos")]
    async fn photos(
        &self,
        caller: Allowed<ImportAdmissionPhotos>,
        form: AdmissionPhotoForm,
    ) -> Result<Reply<StudentPhotoAnswer>> {
        let AdmissionPhotoForm { file, overwrite, dry_run } = form;
        let sent = SentAlbum { file, overwrite: overwrite.unwrap_or(false), dry_run: dry_run.unwrap_or(false) };
        import(&caller, AdmissionAlbum, sent).await
    }
}

/// The authority's pictures.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AdmissionAlbum;

impl Album for AdmissionAlbum {
    const KIND: &'static str = "admission.photo_import";
    const TITLE: &'static str = "录取照片";
    type Permission = ImportAdmissionPhotos;
    const TABLE: &'static str = "admission";
    const NOBODY: &'static str = "没有对应的录取数据";

    fn kind(&self) -> PhotoKind {
        PhotoKind::Admission
    }

    fn field(&self) -> &'static str {
        "photoId"
    }

    fn said(&self) -> Value {
        json!({})
    }

    fn of(_said: &Value) -> Result<Self> {
        Ok(Self)
    }

    /// A number is looked for as 考生号, then 证件号; of several admissions of a person the newest counts.
    async fn people(
        &self,
        connection: &mut PgConnection,
        numbers: &[String],
        scope: &Scope,
    ) -> Result<Vec<(String, Found)>> {
        // A 考生号 is opaque; names of files are compared in capitals.
        let small: Vec<String> = numbers.iter().map(|number| number.to_lowercase()).collect();
        let rows = sqlx::query!(
            r#"select n.number as "number!", a.id as "id!", a.photo_id
               from (select upper(examinee_no) as number, id, 1 as rank from admission
                     where (examinee_no = any($1) or examinee_no = any($2)) and deleted_at is null
                     union all select id_card_no, id, 2 from admission where id_card_no = any($1) and deleted_at is null) n
               join admission a on a.id = n.id
               where a.status <> 'cancelled' and ($3::bigint[] is null or a.site_id = any($3))
               order by n.rank, a.id desc"#,
            numbers,
            &small,
            scope.sites()
        )
        .fetch_all(connection)
        .await?;
        Ok(rows.into_iter().map(|row| (row.number, Found { id: row.id, photo: row.photo_id })).collect())
    }

    /// Whoever became a student of one of them before gets it too, unless they have one.
    async fn attach(&self, tx: &mut Tx, photos: &[(i64, i64)]) -> Result<Vec<(i64, Option<i64>)>> {
        let by = tx.by();
        let (ids, files): (Vec<i64>, Vec<i64>) = photos.iter().copied().unzip();
        Self::hold(tx, &ids).await?;
        let former = sqlx::query!("select id, photo_id from admission where id = any($1) order by id", &ids)
            .fetch_all(&mut **tx)
            .await?;
        sqlx::query!(
            "update admission a
             set photo_id = p.file_id, issues = array_remove(a.issues, 'photo_missing'), updated_at = now(), updated_by = $3,
                 version = a.version + 1
             from unnest($1::bigint[], $2::bigint[]) as p (id, file_id)
             where a.id = p.id",
            &ids,
            &files,
            by
        )
        .execute(&mut **tx)
        .await?;
        let given = admission_photo::give(tx, photos).await?;
        tx.record(&given).await?;
        Ok(former.into_iter().map(|row| (row.id, row.photo_id)).collect())
    }

    async fn hold(tx: &mut Tx, people: &[i64]) -> Result<()> {
        share_batches(tx, people).await?;
        held(tx, people, &Scope::whole_school()).await?;
        Ok(())
    }

    /// Whoever became a student of one of them has the former one again too. Whoever has none any more is told apart.
    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        let Some(file) = record.after::<i64>("photoId")? else { return Ok(None) };
        let former = record.before::<Option<i64>>("photoId")?.flatten();
        let person = held_one(tx, record.id, None, scope).await?;
        let by = tx.by();
        let put_back = sqlx::query!(
            "update admission
             set photo_id = $3::bigint,
                 issues = case when $3 is null and status in ('imported', 'assigned', 'audited')
                               then array_append(array_remove(issues, 'photo_missing'), 'photo_missing')
                               else issues end,
                 updated_at = now(), updated_by = $4, version = version + 1
             where id = $1 and photo_id = $2",
            person.id,
            file,
            former,
            by
        )
        .execute(&mut **tx)
        .await
        .on_constraint(|_| Some(Error::conflict("导入前的照片已被清除，不能恢复")))?;
        if put_back.rows_affected() == 0 {
            return Err(Imported::changed());
        }
        let taken = admission_photo::take_back(tx, person.id, file, former).await?;
        tx.record(&taken).await?;
        Ok(Some(Change::status(Self::TABLE, person.id, "photoId", file, former)))
    }

    /// Now that pictures of a batch came, whoever of it has none is told apart. Nobody edits that, so whoever has such a row before
    /// them goes on with it.
    async fn finish(&self, tx: &mut Tx, people: &[i64], scope: &Scope) -> Result<Vec<Change>> {
        let ids = sqlx::query_scalar!(
            "update admission set issues = array_append(issues, 'photo_missing')
             where id in (
                 select id from admission
                 where batch_id in (select batch_id from admission where id = any($1)) and photo_id is null
                   and status in ('imported', 'assigned', 'audited') and deleted_at is null
                   and not issues @> array['photo_missing'] and ($2::bigint[] is null or site_id = any($2))
                 order by id limit $3 for no key update)
             returning id",
            people,
            scope.sites(),
            AT_ONCE
        )
        .fetch_all(&mut **tx)
        .await?;
        let noted = ids.into_iter().map(|id| Change::event("admission", id, "photo", json!({ "photoMissing": true })));
        Ok(noted.collect())
    }
}
