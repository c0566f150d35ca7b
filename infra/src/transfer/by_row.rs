//! Imports of some thousand rows, each as if somebody had typed it.

use std::{collections::HashMap, future::Future};

use poem_openapi::types::ParseFromJSON;
use serde_json::Value;

use super::{Import, Imported, undo};
use crate::{
    Change, Error, Result, Scope, Tx,
    access::{MayWrite, Permission},
    body,
    jobs::JobRun,
    sheet::{Row, Template},
};

/// An import whose every row goes the way of `save`: the form is checked as its body would be, then inserted by the same
/// function. For sheets of some thousand rows; [`ByRow`] makes it an [`Import`].
pub trait RowImport: Sized + Send + 'static {
    /// The body of `save`.
    type Form: ParseFromJSON + Send + 'static;
    const KIND: &'static str;
    type Permission: Permission<Mode: MayWrite>;
    /// Fields of the form and the headings under which they are typed.
    const COLUMNS: &'static [(&'static str, &'static str)];
    /// Headings whose values may occur once in a file, each with the word that the message uses.
    const ONCE: &'static [(&'static str, &'static str)];

    fn template() -> Template;

    /// As [`Import::CODES`].
    const CODES: &'static [(&'static str, &'static str)] = &[];

    /// Reads once what the rows refer to.
    fn start(tx: &mut Tx, scope: Scope) -> impl Future<Output = Result<Self>> + Send;

    /// Before rows are looked at one by one: locks, in a fixed order, what they refer to and what must not change until
    /// they are written. (What undoing them holds is [`Import::hold`].)
    fn hold_referred(&mut self, _tx: &mut Tx, _rows: &[Row]) -> impl Future<Output = Result<()>> + Send {
        async { Ok(()) }
    }

    /// The row as the body of `save`; a reference by code that does not exist is refused on the row.
    fn form(&self, row: &mut Row) -> Value;

    /// What `save` does with a checked body.
    fn insert(&mut self, tx: &mut Tx, form: Self::Form) -> impl Future<Output = Result<Change>> + Send;

    /// What `save` tells of the record that was written last as worth a second look; nothing of it is refused.
    fn warnings(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// What the row wrote, in its order: its `own` record, and others that changed with it. They go back the other way
    /// round.
    fn wrote(&mut self, own: Change) -> Vec<Change> {
        vec![own]
    }

    /// As [`Import::elsewhere`].
    fn elsewhere(_run: &JobRun, _new: &[i64]) -> impl Future<Output = Result<HashMap<i64, String>>> + Send {
        async { Ok(HashMap::new()) }
    }

    /// As [`Import::named`].
    fn named(tx: &mut Tx, record: &Imported) -> impl Future<Output = Result<String>> + Send {
        undo::name_of(tx, record)
    }

    /// As [`Import::undo`].
    fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> impl Future<Output = Result<Option<Change>>> + Send;
}

/// A [`RowImport`] at work.
pub struct ByRow<R> {
    inner: R,
    seen: HashMap<(&'static str, String), u32>,
}

impl<R: RowImport> ByRow<R> {
    /// What the rows are read with.
    pub fn inner(&self) -> &R {
        &self.inner
    }

    /// The later of two rows with the same value is wrong.
    fn refuse_repeated(&mut self, row: &mut Row) {
        for (heading, word) in R::ONCE {
            let Some(text) = row.text(heading) else { continue };
            let first = *self.seen.entry((heading, text.to_lowercase())).or_insert(row.number());
            if first != row.number() {
                row.refuse(heading, format!("与第{first}行{word}重复"));
            }
        }
    }
}

impl<R: RowImport> Import for ByRow<R> {
    const KIND: &'static str = R::KIND;
    const CODES: &'static [(&'static str, &'static str)] = R::CODES;
    type Permission = R::Permission;

    fn template() -> Template {
        R::template()
    }

    async fn start(tx: &mut Tx, scope: Scope, _into: Option<i64>) -> Result<Self> {
        Ok(Self { inner: R::start(tx, scope).await?, seen: HashMap::new() })
    }

    /// Inserting is the check, so it is done also in a dry run and after the first wrong row; all of it is undone then.
    async fn rows(&mut self, tx: &mut Tx, rows: &mut [Row], _write: bool) -> Result<Vec<Change>> {
        let mut changes = Vec::with_capacity(rows.len());
        self.inner.hold_referred(tx, rows).await?;
        for row in rows {
            let value = self.inner.form(row);
            self.refuse_repeated(row);
            let form = match body::check::<R::Form>(value) {
                Ok(form) => form,
                Err(error) => {
                    refuse(row, R::COLUMNS, &error);
                    continue;
                }
            };
            if !row.errors().is_empty() {
                continue;
            }
            tx.savepoint().await?;
            match self.inner.insert(tx, form).await {
                Ok(change) => {
                    tx.row_done().await?;
                    for warning in self.inner.warnings() {
                        row.warn("", warning);
                    }
                    changes.extend(self.inner.wrote(change));
                }
                Err(error) => {
                    tx.row_failed(error.clone()).await?;
                    refuse(row, R::COLUMNS, &error);
                }
            }
        }
        Ok(changes)
    }

    async fn elsewhere(run: &JobRun, new: &[i64]) -> Result<HashMap<i64, String>> {
        R::elsewhere(run, new).await
    }

    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        R::undo(tx, scope, record).await
    }

    async fn named(tx: &mut Tx, record: &Imported) -> Result<String> {
        R::named(tx, record).await
    }
}

/// Notes the refusal of a form in the cells of its fields.
pub fn refuse(row: &mut Row, columns: &[(&'static str, &'static str)], error: &Error) {
    let fields = error.data.as_array().filter(|_| error.code == 422);
    let Some(fields) = fields else { return row.refuse("", error.msg.to_string()) };
    for field in fields {
        let name = field["field"].as_str().unwrap_or_default();
        let heading = columns.iter().find(|(known, _)| *known == name).map_or("", |(_, heading)| heading);
        row.refuse_once(heading, field["message"].as_str().unwrap_or_default());
    }
}
