//! 录取照片 that come late: the authority sends its pictures when some have reported already (02 §6, §9.8).

use infra::{Change, Result, Tx};
use serde_json::json;

/// Gives the pictures of admissions, each an admission and a file, to the students who came from them and have none.
///
/// # Errors
/// Those of the database.
pub async fn give(tx: &mut Tx, photos: &[(i64, i64)]) -> Result<Vec<Change>> {
    let by = tx.by();
    let (admissions, files): (Vec<i64>, Vec<i64>) = photos.iter().copied().unzip();
    let ids = sqlx::query_scalar!(
        "select id from student where admission_id = any($1) and admission_photo_id is null order by id for no key update",
        &admissions
    )
    .fetch_all(&mut **tx)
    .await?;
    let given = sqlx::query!(
        r#"update student s
           set admission_photo_id = p.file_id, updated_at = now(), updated_by = $4, version = s.version + 1
           from unnest($2::bigint[], $3::bigint[]) as p (admission_id, file_id)
           where s.id = any($1) and s.admission_id = p.admission_id and s.admission_photo_id is null
           returning s.id, p.file_id as "file_id!""#,
        &ids,
        &admissions,
        &files,
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    let noted = given
        .into_iter()
        .map(|row| Change::event("student", row.id, "photo", json!({ "admissionPhotoId": row.file_id })));
    Ok(noted.collect())
}

/// Takes the picture of an admission from the students who have it; they have the `former` one, or none.
///
/// # Errors
/// Those of the database.
pub async fn take_back(tx: &mut Tx, admission: i64, file: i64, former: Option<i64>) -> Result<Vec<Change>> {
    let by = tx.by();
    let ids = sqlx::query_scalar!(
        "update student
         set admission_photo_id = $3::bigint, updated_at = now(), updated_by = $4, version = version + 1
         where admission_id = $1 and admission_photo_id = $2
         returning id",
        admission,
        file,
        former,
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(ids.into_iter().map(|id| Change::status("student", id, "admissionPhotoId", file, former)).collect())
}
