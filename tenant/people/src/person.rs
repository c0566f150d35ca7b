//! Who stands behind an account, whatever their kind: what sign-in and one-click sign-in must know.

use infra::Result;
use sqlx::PgConnection;

use crate::{account::OwnerKind, password::initial_password, setting};

/// The person of an account.
#[derive(Debug, Clone)]
pub struct Person {
    pub name: String,
    pub id_card_no: Option<String>,
    /// Works or studies here: may sign in.
    pub active: bool,
}

/// A row of the table of its kind; `student` is read here and written by its own module.
pub async fn find(connection: &mut PgConnection, kind: OwnerKind, id: i64) -> Result<Option<Person>> {
    let person = match kind {
        OwnerKind::Student => {
            sqlx::query_as!(
                Person,
                r#"select name, id_card_no as "id_card_no?", status <> 'withdrawn' as "active!" from student where id = $1"#,
                id
            )
            .fetch_optional(connection)
            .await?
        }
        OwnerKind::Teacher => {
            sqlx::query_as!(
                Person,
                r#"select name, id_card_no, status = 'active' as "active!" from teacher where id = $1"#,
                id
            )
            .fetch_optional(connection)
            .await?
        }
        OwnerKind::SiteStaff => {
            sqlx::query_as!(
                Person,
                r#"select name, id_card_no, status = 'active' as "active!" from site_staff where id = $1"#,
                id
            )
            .fetch_optional(connection)
            .await?
        }
        OwnerKind::ClassManager => {
            sqlx::query_as!(
                Person,
                r#"select name, id_card_no, status = 'active' as "active!" from class_manager where id = $1"#,
                id
            )
            .fetch_optional(connection)
            .await?
        }
    };
    Ok(person)
}

impl Person {
    /// The password of the school's rule; none when the rule asks for an ID number that is not known.
    pub async fn initial_password(&self, connection: &mut PgConnection) -> Result<Option<String>> {
        let rule = setting::initial_password_rule(connection).await?;
        Ok(initial_password(&rule, self.id_card_no.as_deref()))
    }
}
