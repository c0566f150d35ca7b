//! The picture and the papers of a registration: when they are nobody's any more. Who goes on in a later batch, or becomes a student,
//! has the same picture there, so a file that one row gives up may still be another's.

use infra::{Result, Tx, files};
use sqlx::PgConnection;

/// Gives up a file that the registration no longer names; it is swept away unless another record names it.
///
/// # Errors
/// Those of the database.
pub(super) async fn let_go(tx: &mut Tx, file: Option<i64>, registration: i64) -> Result<()> {
    let Some(file) = file else { return Ok(()) };
    if is_named(tx, file, registration).await? {
        return Ok(());
    }
    let keys = sqlx::query_scalar!("select key from file_object where id = $1", file).fetch_all(&mut **tx).await?;
    files::release(tx, &keys).await
}

/// Whether a record beside this registration names the file: another registration, an admission or a student.
async fn is_named(connection: &mut PgConnection, file: i64, registration: i64) -> Result<bool> {
    let named = sqlx::query_scalar!(
        r#"select exists (select from registration where photo_id = $1 and id <> $2)
               or exists (select from registration where attachment_id = $1 and id <> $2)
               or exists (select from registration_file where file_id = $1 and registration_id <> $2)
               or exists (select from admission where photo_id = $1)
               or exists (select from student where admission_photo_id = $1)
               or exists (select from student where enrol_photo_id = $1)
               or exists (select from student where graduation_photo_id = $1) as "named!""#,
        file,
        registration
    );
    Ok(named.fetch_one(connection).await?)
}
