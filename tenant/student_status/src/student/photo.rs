//! 照片批量导入 of students: 录取照片, 入学照片 or 学历照片, by 考生号, 证件号 or 学号 (02 §9.8).

use infra::{Allowed, Change, Error, OnConstraint, Reply, Result, Scope, Tx, transfer::Imported};
use poem_openapi::{Multipart, OpenApi, types::multipart::Upload};
use serde_json::{Value, json};
use sqlx::PgConnection;
use student_status_rules::album::{Found, StudentPhotoAnswer};

use super::ImportStudents;
use crate::{
    album::{Album, SentAlbum, import},
    enums::PhotoKind,
};

/// The multipart body.
#[derive(Debug, Multipart)]
#[oai(rename_all = "camelCase")]
struct StudentPhotoForm {
    /// 压缩包
    file: Upload,
    /// 照片类型
    kind: PhotoKind,
    /// 覆盖已有照片
    overwrite: Option<bool>,
    /// 仅检查
    dry_run: Option<bool>,
}

pub struct PhotoImport;

#[OpenApi(prefix_path = "/adult/pc/studentRoll", tag = "crate::Tag::StudentStatus")]
impl PhotoImport {
    /// 导入学生照片
    #[oai(path = "/photo/import", method = "post", operation_id = "importStudentPhotos")]
    async fn photos(
        &self,
        caller: Allowed<ImportStudents>,
        form: StudentPhotoForm,
    ) -> Result<Reply<StudentPhotoAnswer>> {
        let StudentPhotoForm { file, kind, overwrite, dry_run } = form;
        let sent = SentAlbum { file, overwrite: overwrite.unwrap_or(false), dry_run: dry_run.unwrap_or(false) };
        import(&caller, StudentAlbum { kind }, sent).await
    }
}

/// The pictures of one kind.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StudentAlbum {
    kind: PhotoKind,
}

impl Album for StudentAlbum {
    const KIND: &'static str = "student.photo_import";
    const TITLE: &'static str = "学生照片";
    type Permission = ImportStudents;
    const TABLE: &'static str = "student";
    const NOBODY: &'static str = "没有对应的学生";

    fn kind(&self) -> PhotoKind {
        self.kind
    }

    fn field(&self) -> &'static str {
        match self.kind {
            PhotoKind::Admission => "admissionPhotoId",
            PhotoKind::Enrol => "enrolPhotoId",
            PhotoKind::Graduation => "graduationPhotoId",
        }
    }

    fn said(&self) -> Value {
        json!({ "kind": self.kind.as_str() })
    }

    fn of(said: &Value) -> Result<Self> {
        let kind = said["kind"].as_str().and_then(PhotoKind::parse);
        Ok(Self { kind: kind.ok_or_else(|| Error::internal("the job names no kind of photo"))? })
    }

    /// A number is looked for as 考生号, then 证件号, then 学号; of several enrolments of a person the active one counts, else the
    /// newest.
    async fn people(
        &self,
        connection: &mut PgConnection,
        numbers: &[String],
        scope: &Scope,
    ) -> Result<Vec<(String, Found)>> {
        let rows = sqlx::query!(
            r#"select n.number as "number!", s.id as "id!",
                      case $2 when 'admission' then s.admission_photo_id when 'enrol' then s.enrol_photo_id
                              else s.graduation_photo_id end as photo
               from (select examinee_no as number, id, 1 as rank from student where examinee_no = any($1)
                     union all select id_card_no, id, 2 from student where id_card_no = any($1)
                     union all select student_no, id, 3 from student where student_no = any($1)) n
               join student s on s.id = n.id
               where ($3::bigint[] is null or s.site_id = any($3) or s.class_id = any($4::bigint[]))
               order by n.rank, s.active desc, s.id desc"#,
            numbers,
            self.kind.as_str(),
            scope.sites(),
            scope.classes()
        )
        .fetch_all(connection)
        .await?;
        Ok(rows.into_iter().map(|row| (row.number, Found { id: row.id, photo: row.photo })).collect())
    }

    async fn attach(&self, tx: &mut Tx, photos: &[(i64, i64)]) -> Result<Vec<(i64, Option<i64>)>> {
        let by = tx.by();
        let (ids, files): (Vec<i64>, Vec<i64>) = photos.iter().copied().unzip();
        let former = sqlx::query!(
            r#"select id, case $2 when 'admission' then admission_photo_id when 'enrol' then enrol_photo_id
                                  else graduation_photo_id end as photo
               from student where id = any($1) order by id for no key update"#,
            &ids,
            self.kind.as_str()
        )
        .fetch_all(&mut **tx)
        .await?;
        sqlx::query!(
            "update student s
             set admission_photo_id = case $3 when 'admission' then p.file_id else s.admission_photo_id end,
                 enrol_photo_id = case $3 when 'enrol' then p.file_id else s.enrol_photo_id end,
                 graduation_photo_id = case $3 when 'graduation' then p.file_id else s.graduation_photo_id end,
                 updated_at = now(), updated_by = $4, version = s.version + 1
             from unnest($1::bigint[], $2::bigint[]) as p (id, file_id)
             where s.id = p.id",
            &ids,
            &files,
            self.kind.as_str(),
            by
        )
        .execute(&mut **tx)
        .await?;
        Ok(former.into_iter().map(|row| (row.id, row.photo)).collect())
    }

    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        for kind in [PhotoKind::Admission, PhotoKind::Enrol, PhotoKind::Graduation] {
            let album = Self { kind };
            if let Some(file) = record.after::<i64>(album.field())? {
                let former = record.before::<Option<i64>>(album.field())?.flatten();
                return album.put_back(tx, scope, record.id, file, former).await.map(Some);
            }
        }
        Ok(None)
    }
}

impl StudentAlbum {
    /// Takes a picture from a student, who has the former one again.
    ///
    /// # Errors
    /// 404 outside the scope; 409 when they have another one by now, or when the former one is gone.
    async fn put_back(self, tx: &mut Tx, scope: &Scope, id: i64, file: i64, former: Option<i64>) -> Result<Change> {
        let student = sqlx::query!(
            r#"select site_id, class_id,
                      case $2 when 'admission' then admission_photo_id when 'enrol' then enrol_photo_id
                              else graduation_photo_id end as photo
               from student where id = $1 for no key update"#,
            id,
            self.kind.as_str()
        )
        .fetch_optional(&mut **tx)
        .await?
        .filter(|student| scope.sees(Some(student.site_id), student.class_id))
        .ok_or_else(Error::not_found)?;
        if student.photo != Some(file) {
            return Err(Imported::changed());
        }
        let by = tx.by();
        sqlx::query!(
            "update student
             set admission_photo_id = case $2 when 'admission' then $3::bigint else admission_photo_id end,
                 enrol_photo_id = case $2 when 'enrol' then $3 else enrol_photo_id end,
                 graduation_photo_id = case $2 when 'graduation' then $3 else graduation_photo_id end,
                 updated_at = now(), updated_by = $4, version = version + 1
             where id = $1",
            id,
            self.kind.as_str(),
            former,
            by
        )
        .execute(&mut **tx)
        .await
        .on_constraint(|_| Some(Error::conflict("导入前的照片已被清除，不能恢复")))?;
        Ok(Change::status(Self::TABLE, id, self.field(), file, former))
    }
}
