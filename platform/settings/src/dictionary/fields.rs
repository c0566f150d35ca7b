//! Fields of a stage that offer the words of a dictionary (02 §1). A school's own field keeps its word in the JSON of its
//! rows, where no column is named like the type.

use infra::Result;
use sqlx::PgConnection;

/// Fields of this schema that offer the words of a type.
pub(super) async fn offering(connection: &mut PgConnection, dict_type: &str) -> Result<i64> {
    let count =
        sqlx::query_scalar!(r#"select count(*) as "count!" from field_attribute where dict_type = $1"#, dict_type)
            .fetch_one(connection)
            .await?;
    Ok(count)
}

/// Rows of a school, those in the bin included, that carry a word in a field of its own: by table, as many as there are.
pub(super) async fn rows_using(
    connection: &mut PgConnection,
    dict_type: &str,
    value: &str,
) -> Result<[(&'static str, i64); 2]> {
    let pre_registrations = sqlx::query_scalar!(
        // A list contains a word as the word contains itself.
        r#"select count(distinct p.id) as "count!"
           from field_attribute f
           join pre_registration p on p.extra -> f.field_key @> to_jsonb($2::text)
           where f.stage = 'pre_registration' and f.dict_type = $1 and not f.built_in"#,
        dict_type,
        value
    )
    .fetch_one(&mut *connection)
    .await?;
    let information = sqlx::query_scalar!(
        // These forms bear the name of their stage.
        r#"select count(distinct i.id) as "count!"
           from field_attribute f
           join student_information i
             on i.kind = f.stage and i.content -> 'extra' -> f.field_key @> to_jsonb($2::text)
           where f.dict_type = $1 and not f.built_in"#,
        dict_type,
        value
    )
    .fetch_one(connection)
    .await?;
    Ok([("pre_registration", pre_registrations), ("student_information", information)])
}
