//! 学员可改: what a school does not let students change themselves stays as it was (02 §1).

use std::collections::BTreeMap;

use field_attributes::stage::StageFields;
use infra::Result;
use serde_json::Value;
use sqlx::PgConnection;

use super::{papers, submit::Hand};
use crate::content::InformationFileForm;

/// The fields of a stage, as far as they are shut to whoever fills it in; staff may change all of them.
pub(crate) struct Locked<'f> {
    fields: &'f StageFields,
    by_student: bool,
}

impl<'f> Locked<'f> {
    pub fn of(fields: &'f StageFields, hand: Hand<'_>) -> Self {
        Self { fields, by_student: matches!(hand, Hand::Student { .. }) }
    }

    /// Whether the field is shown without being open to change.
    pub fn holds(&self, key: &str) -> bool {
        self.by_student && self.fields.fields().iter().any(|field| field.key == key && !field.student_editable)
    }

    /// Whether what is typed in the field counts.
    pub fn asks(&self, key: &str) -> bool {
        self.fields.asks(key) && !self.holds(key)
    }

    /// The school's own values: those that were typed, and of the shut fields the former ones.
    pub fn extra(
        &self,
        mut typed: BTreeMap<String, Value>,
        former: &BTreeMap<String, Value>,
    ) -> BTreeMap<String, Value> {
        typed.retain(|key, _| !self.holds(key));
        let kept = former.iter().filter(|(key, _)| self.holds(key));
        typed.extend(kept.map(|(key, value)| (key.clone(), value.clone())));
        typed
    }

    /// The same of the files of a form.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn files(
        &self,
        connection: &mut PgConnection,
        form: i64,
        typed: &[InformationFileForm],
    ) -> Result<Vec<InformationFileForm>> {
        let mut files: Vec<_> = typed.iter().filter(|file| !self.holds(&file.kind)).cloned().collect();
        if self.by_student {
            let former = papers::of(connection, form).await?;
            let kept = former.into_iter().filter(|file| self.holds(&file.kind));
            files.extend(kept.map(|file| InformationFileForm { kind: file.kind, key: file.key }));
        }
        Ok(files)
    }
}
