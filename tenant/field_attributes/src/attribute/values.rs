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
        FieldStage::AdmissionInformation | FieldStage::GraduationInformation => of_information(connection, field).await,
        FieldStage::Registration => of_registrations(connection, field).await,
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

async fn of_registrations(connection: &mut PgConnection, field: &FieldAttribute) -> Result<i64> {
    let count = if field.control.is_file() {
        sqlx::query_scalar!(r#"select count(*) as "count!" from registration_file where kind = $1"#, field.field_key)
            .fetch_one(connection)
            .await?
    } else {
        sqlx::query_scalar!(r#"select count(*) as "count!" from registration where extra ? $1"#, field.field_key)
            .fetch_one(connection)
            .await?
    };
    Ok(count)
}

/// Forms of information review bear the name of their stage. A draft may hold an empty value, which is none.
async fn of_information(connection: &mut PgConnection, field: &FieldAttribute) -> Result<i64> {
    let count = if field.control.is_file() {
        sqlx::query_scalar!(
            r#"select count(distinct i.id) as "count!"
               from student_information_file f join student_information i on i.id = f.student_information_id
               where i.kind = $1 and f.purpose = $2"#,
            field.stage.as_str(),
            field.field_key
        )
        .fetch_one(connection)
        .await?
    } else {
        sqlx::query_scalar!(
            r#"select count(*) as "count!" from student_information
               where kind = $1 and content -> 'extra' -> $2::text not in ('null', '""', '[]')"#,
            field.stage.as_str(),
            field.field_key
        )
        .fetch_one(connection)
        .await?
    };
    Ok(count)
}
