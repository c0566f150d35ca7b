//! What records hold in a field. The values lie with the module of the stage, which alone writes them.

use infra::Result;
use sqlx::PgConnection;

use super::FieldAttribute;
use crate::enums::FieldStage;

/// How many records hold a value in a field of one's own, those in the recycle bin among them. The template has no records.
pub(super) async fn holding(connection: &mut PgConnection, school: Option<i64>, field: &FieldAttribute) -> Result<i64> {
    if school.is_none() {
        return Ok(0);
    }
    match field.stage {
        FieldStage::PreRegistration => of_pre_registrations(connection, field).await,
        // Nothing is registered, confirmed or graduated with these fields yet.
        FieldStage::Registration | FieldStage::AdmissionInformation | FieldStage::GraduationInformation => Ok(0),
    }
}

async fn of_pre_registrations(connection: &mut PgConnection, field: &FieldAttribute) -> Result<i64> {
    let count = if field.control.is_file() {
        sqlx::query_scalar!(
            r#"select count(distinct pre_registration_id) as "count!" from pre_registration_file where kind = $1"#,
            field.field_key
        )
        .fetch_one(connection)
        .await?
    } else {
        sqlx::query_scalar!(r#"select count(*) as "count!" from pre_registration where extra ? $1"#, field.field_key)
            .fetch_one(connection)
            .await?
    };
    Ok(count)
}
