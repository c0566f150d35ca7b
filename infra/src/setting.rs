//! 院校设置: what a school sets for the rules of the modules (01 §13). A setting stands beside the rule that reads it, with its
//! default and limits; an entity tells its settings in `Part::settings`. What a school set stands in `school_setting`.

pub mod kind;

use futures_util::future::BoxFuture;
use serde_json::Value;
use sqlx::PgConnection;

use self::kind::{Field, Kind};
use crate::{app::App, directory::School, error::Result, files};

/// What must be confirmed before a setting of the connection's school is changed; nothing, when nothing speaks against it.
pub type Doubt = for<'c> fn(&'c mut PgConnection) -> BoxFuture<'c, Result<Option<&'static str>>>;

/// A setting as people see it.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    pub key: &'static str,
    /// 中文
    pub name: &'static str,
    pub kind: Kind,
    /// What it does, where the name does not say it.
    pub help: &'static str,
    /// Shown, but changed by nobody here.
    pub read_only: bool,
    /// The default that is the school's own, instead of the kind's.
    pub of_school: Option<fn(&School) -> Value>,
    /// Whether a change is to be confirmed, whichever way it comes.
    pub doubt: Option<Doubt>,
}

/// Settings of an entity under a tab of the page, by the word of the tab.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    pub group: &'static str,
    pub settings: &'static [Setting],
}

impl Setting {
    pub const fn new(key: &'static str, name: &'static str, kind: Kind, help: &'static str) -> Self {
        Self { key, name, kind, help, read_only: false, of_school: None, doubt: None }
    }

    pub const fn yes_no(key: &'static str, name: &'static str, default: bool, help: &'static str) -> Self {
        Self::new(key, name, Kind::Bool { default }, help)
    }

    /// A whole number of `min` to `max`.
    pub const fn int(key: &'static str, name: &'static str, range: (i64, i64, i64), help: &'static str) -> Self {
        let (default, min, max) = range;
        Self::new(key, name, Kind::Int { default, min, max }, help)
    }

    /// A text of at most `max` characters, none at first.
    pub const fn text(key: &'static str, name: &'static str, max: usize, help: &'static str) -> Self {
        Self::new(key, name, Kind::Text { default: "", max, pattern: None, hint: "" }, help)
    }

    pub const fn object(
        key: &'static str,
        name: &'static str,
        fields: &'static [Field],
        sum: Option<i64>,
        help: &'static str,
    ) -> Self {
        Self::new(key, name, Kind::Object { fields, sum }, help)
    }

    /// What the school of the connection set; null while its default is in force.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn set(&self, connection: &mut PgConnection) -> Result<Value> {
        let set = sqlx::query_scalar!("select value from school_setting where key = $1", self.key)
            .fetch_optional(connection)
            .await?;
        Ok(set.unwrap_or_default())
    }

    /// What is in force in the school of the connection: what it set, or the kind's default.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn value(&self, connection: &mut PgConnection) -> Result<Value> {
        let set = self.set(connection).await?;
        Ok(if set.is_null() { self.kind.default() } else { set })
    }

    /// The key of the stored file that the school of the connection set; none where it set none that is its own.
    ///
    /// # Errors
    /// Those of the database and of the store.
    pub async fn file_key(&self, app: &App, connection: &mut PgConnection) -> Result<Option<String>> {
        let set = self.set(connection).await?;
        let Some(key) = set.as_str() else { return Ok(None) };
        // What is no file of this school has no address.
        Ok(files::address_of_key(app, connection, key).await?.map(|_| key.to_owned()))
    }

    /// [`Setting::value`] of a yes or no.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn is_on(&self, connection: &mut PgConnection) -> Result<bool> {
        Ok(self.value(connection).await?.as_bool().unwrap_or_default())
    }

    /// [`Setting::value`] of a whole number.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn number(&self, connection: &mut PgConnection) -> Result<i64> {
        Ok(self.value(connection).await?.as_i64().unwrap_or_default())
    }
}
