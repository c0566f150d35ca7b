//! The words of dictionaries. They are the platform's; no school reads them by itself.

use infra::{App, Error, Result};

/// A word of a dictionary.
#[derive(Debug, Clone)]
pub(crate) struct Word {
    pub value: String,
    pub label: String,
    pub enabled: bool,
}

/// Where somebody heard of a school.
pub(crate) const CHANNELS: &str = "source_channel";

/// The words of a dictionary in its order, those that are switched off among them.
///
/// # Errors
/// Those of the database.
pub(crate) async fn words(app: &App, dictionary: &str) -> Result<Vec<Word>> {
    Ok(sqlx::query_as!(
        Word,
        "select dict_value as value, dict_label as label, enabled from platform.dict_data where dict_type = $1 order by sort, id",
        dictionary
    )
    .fetch_all(&mut *app.platform_read().await?)
    .await?)
}

/// What a word says; a word that is gone says itself.
pub(crate) fn label(words: &[Word], value: &str) -> String {
    words.iter().find(|word| word.value == value).map_or_else(|| value.to_owned(), |word| word.label.clone())
}

/// # Errors
/// 422 at `field` when there is no such word, or it is switched off.
pub(crate) fn offered(words: &[Word], field: &'static str, value: &str) -> Result<()> {
    if words.iter().any(|word| word.enabled && word.value == value) {
        Ok(())
    } else {
        Err(Error::field(field, "没有这个选项，请重新选择"))
    }
}
