//! The fields of a stage as the module of that stage asks for them (02 §1): what must be there, and the school's own values.
//!
//! Built-in fields are columns of the module; of them only "required", length and pattern are checked here. The school's own
//! values are one JSON object beside them, typed by control; files lie beside that, under the field's key.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};

use chrono::NaiveDate;
use infra::{
    App, Error, FieldError, Result,
    sheet::{Cell, InputColumn, Row},
};
use regex::Regex;
use serde_json::{Map, Value, json};
use sqlx::PgConnection;

use crate::enums::{FieldControl, FieldGroup, FieldStage};

/// The longest text of a field that names no length of its own.
const LONGEST: usize = 2000;
/// The words of a switch in a sheet.
const YES_NO: [(&str, bool); 2] = [("是", true), ("否", false)];

/// A field that is asked for: enabled and shown.
#[derive(Debug, Clone)]
pub struct Field {
    pub key: String,
    pub label: String,
    pub group: FieldGroup,
    pub control: FieldControl,
    pub dict_type: Option<String>,
    pub built_in: bool,
    pub required: bool,
    pub student_editable: bool,
    pub max_length: Option<i32>,
    pub pattern: Option<Regex>,
    pub help_text: Option<String>,
}

/// A word of a dictionary that may be chosen.
#[derive(Debug, Clone)]
pub struct Word {
    pub value: String,
    pub label: String,
}

/// What a record holds in a built-in field, or whether there is a file.
#[derive(Debug, Clone, Copy)]
pub enum Given<'v> {
    Nothing,
    Text(&'v str),
    Something,
}

impl<'v> Given<'v> {
    /// Of a text that may be missing.
    pub fn text(text: Option<&'v str>) -> Self {
        text.filter(|text| !text.is_empty()).map_or(Self::Nothing, Self::Text)
    }

    /// Of anything else.
    pub fn some<T>(value: Option<T>) -> Self {
        value.map_or(Self::Nothing, |_| Self::Something)
    }
}

/// The fields of a stage in their order, read once for a form or a whole sheet.
#[derive(Debug, Default)]
pub struct StageFields {
    fields: Vec<Field>,
    words: HashMap<String, Vec<Word>>,
}

impl StageFields {
    /// Reads the fields of the caller's school (or, at home in the platform, of the template).
    pub async fn load(app: &App, connection: &mut PgConnection, stage: FieldStage) -> Result<Self> {
        let rows = sqlx::query!(
            r#"select field_key, label, group_name as "group: FieldGroup", control as "control: FieldControl", dict_type,
                      built_in, required, student_editable, max_length, pattern, help_text
               from field_attribute where stage = $1 and enabled and visible order by sort, id"#,
            stage.as_str()
        )
        .fetch_all(connection)
        .await?;
        let mut fields = Vec::with_capacity(rows.len());
        for row in rows {
            fields.push(Field {
                key: row.field_key,
                label: row.label,
                group: row.group,
                control: row.control,
                dict_type: row.dict_type,
                built_in: row.built_in,
                required: row.required,
                student_editable: row.student_editable,
                max_length: row.max_length,
                pattern: row.pattern.as_deref().map(whole).transpose().map_err(Error::internal)?,
                help_text: row.help_text,
            });
        }
        let types: Vec<String> = fields.iter().filter_map(|field| field.dict_type.clone()).collect();
        Ok(Self { words: words(app, &types).await?, fields })
    }

    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// What may be chosen in a field.
    pub fn words(&self, field: &Field) -> &[Word] {
        field.dict_type.as_ref().and_then(|kind| self.words.get(kind)).map_or(&[], Vec::as_slice)
    }

    /// The school's own fields whose value is a file.
    pub fn file_keys(&self) -> impl Iterator<Item = &str> {
        self.own().filter(|field| field.control.is_file()).map(|field| field.key.as_str())
    }

    /// Whether a field is filled with a file.
    pub fn is_file(&self, key: &str) -> bool {
        self.fields.iter().any(|field| field.key == key && field.control.is_file())
    }

    /// Whether a field is asked for.
    pub fn asks(&self, key: &str) -> bool {
        self.fields.iter().any(|field| field.key == key)
    }

    fn own(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|field| !field.built_in)
    }

    /// What is wrong with the built-in fields and with the files, of which `given` tells what is there.
    pub fn wrong<'v>(&self, given: impl Fn(&str) -> Given<'v>) -> Vec<FieldError> {
        let looked_at = self.fields.iter().filter(|field| field.built_in || field.control.is_file());
        looked_at
            .filter_map(|field| {
                let message = match given(&field.key) {
                    Given::Nothing => field.required.then(|| field.missing()),
                    Given::Text(text) => field.text_wrong(text),
                    Given::Something => None,
                };
                message.map(|message| FieldError { field: field.key.clone(), message })
            })
            .collect()
    }

    /// The labels of the required fields that are empty, in their order.
    pub fn missing<'v>(&self, given: impl Fn(&str) -> Given<'v>, extra: &Map<String, Value>) -> Vec<&str> {
        let required = self.fields.iter().filter(|field| field.required);
        required
            .filter(|field| {
                if field.built_in || field.control.is_file() {
                    matches!(given(&field.key), Given::Nothing)
                } else {
                    !extra.contains_key(&field.key)
                }
            })
            .map(|field| field.label.as_str())
            .collect()
    }

    /// The school's own values as they will be stored. What the record holds in fields that are no longer asked for stays.
    ///
    /// # Errors
    /// One sentence for each wrong field, under its key.
    pub fn own_values(
        &self,
        typed: &BTreeMap<String, Value>,
        before: &Map<String, Value>,
    ) -> Result<Map<String, Value>, Vec<FieldError>> {
        let asked = |key: &str| self.own().any(|field| field.key == key && !field.control.is_file());
        let mut wrong: Vec<FieldError> = typed
            .keys()
            .filter(|key| !asked(key))
            .map(|key| FieldError {
                field: key.clone(), message: "没有该字段或已停用，请刷新后重新填写".to_owned()
            })
            .collect();
        let mut stored: Map<String, Value> =
            before.iter().filter(|(key, _)| !asked(key)).map(|(key, value)| (key.clone(), value.clone())).collect();
        for field in self.own().filter(|field| !field.control.is_file()) {
            let value = typed.get(&field.key).filter(|value| !is_empty(value));
            let checked = match value {
                None if field.required => Err(field.missing()),
                None => Ok(None),
                Some(value) => self.value(field, value, before.get(&field.key)).map(Some),
            };
            match checked {
                Ok(Some(value)) => {
                    stored.insert(field.key.clone(), value);
                }
                Ok(None) => {}
                Err(message) => wrong.push(FieldError { field: field.key.clone(), message }),
            }
        }
        if wrong.is_empty() { Ok(stored) } else { Err(wrong) }
    }

    /// A value as its control stores it. A word that was switched off stays with the records that hold it.
    fn value(&self, field: &Field, value: &Value, held: Option<&Value>) -> Result<Value, String> {
        let word = |value: &Value| {
            let known = self.words(field).iter().any(|word| Some(word.value.as_str()) == value.as_str());
            let stays =
                held.is_some_and(|held| held == value || held.as_array().is_some_and(|held| held.contains(value)));
            if known || stays {
                Ok(value.clone())
            } else {
                Err("所选项不存在或已停用，请重新选择".to_owned())
            }
        };
        match field.control {
            FieldControl::Text | FieldControl::Textarea => {
                let text = value.as_str().ok_or("应为文本")?.trim();
                field.text_wrong(text).map_or_else(|| Ok(json!(text)), Err)
            }
            FieldControl::Number => value.as_f64().map(|_| value.clone()).ok_or_else(|| "应为数字".to_owned()),
            FieldControl::Date => {
                let day = value.as_str().and_then(|text| text.parse::<NaiveDate>().ok());
                day.map(|day| json!(day)).ok_or_else(|| "应为日期，例如 2026-03-01".to_owned())
            }
            FieldControl::Select => word(value),
            FieldControl::MultiSelect => {
                let chosen = value.as_array().ok_or("应为若干选项")?;
                chosen.iter().map(word).collect::<Result<Vec<Value>, String>>().map(Value::Array)
            }
            FieldControl::Switch => value.as_bool().map(Value::Bool).ok_or_else(|| "应为是或否".to_owned()),
            FieldControl::Image | FieldControl::File => Err("请通过材料上传".to_owned()),
        }
    }

    /// The columns of the school's own fields in a sheet whose other headings are `taken`.
    pub fn columns(&self, taken: &[&str]) -> Vec<InputColumn> {
        self.headed(taken)
            .map(|(field, heading)| {
                let hint = field.help_text.clone().unwrap_or_default();
                let hint = if field.control == FieldControl::MultiSelect && hint.is_empty() {
                    "多项用顿号隔开".to_owned()
                } else {
                    hint
                };
                let column = if field.required {
                    InputColumn::required(heading, hint)
                } else {
                    InputColumn::optional(heading, hint)
                };
                match field.control {
                    FieldControl::Select => column.one_of(self.words(field).iter().map(|word| word.label.clone())),
                    FieldControl::Switch => column.one_of(YES_NO.map(|(word, _)| word)),
                    _ => column,
                }
            })
            .collect()
    }

    /// The school's own values that a row of such a sheet holds, as somebody would have typed them; what cannot be read is
    /// noted in the row.
    pub fn typed(&self, row: &mut Row, taken: &[&str]) -> BTreeMap<String, Value> {
        let mut typed = BTreeMap::new();
        for (field, heading) in self.headed(taken) {
            let value = match field.control {
                FieldControl::Date => row.date(&heading).map(|day| json!(day)),
                FieldControl::Switch => row.one_of(&heading, &YES_NO).map(Value::Bool),
                FieldControl::Number => row.text(&heading).and_then(|text| match text.parse::<f64>() {
                    Ok(number) if number.is_finite() => Some(json!(number)),
                    _ => {
                        row.refuse(&heading, "应为数字");
                        None
                    }
                }),
                FieldControl::Select => row.text(&heading).map(|text| self.word(field, &text)),
                FieldControl::MultiSelect => row.text(&heading).map(|text| {
                    let words = text.split(['、', ',', '，']).map(str::trim).filter(|word| !word.is_empty());
                    words.map(|word| self.word(field, word)).collect()
                }),
                _ => row.text(&heading).map(Value::String),
            };
            typed.extend(value.map(|value| (field.key.clone(), value)));
        }
        typed
    }

    /// Under which heading of such a sheet a field stands.
    pub fn heading(&self, key: &str, taken: &[&str]) -> Option<String> {
        self.headed(taken).find(|(field, _)| field.key == key).map(|(_, heading)| heading)
    }

    /// The school's own fields, files aside, as the columns of a sheet that is made of records; its other headings are `taken`.
    pub fn told(&self, taken: &[&str]) -> Vec<OwnHeading> {
        let heading = |(field, heading): (&Field, String)| OwnHeading {
            heading,
            field: field.clone(),
            words: self.words(field).to_vec(),
        };
        self.headed(taken).map(heading).collect()
    }

    /// The label, and where two columns would have the same, the key beside it.
    fn headed<'s>(&'s self, taken: &'s [&str]) -> impl Iterator<Item = (&'s Field, String)> {
        self.own().filter(|field| !field.control.is_file()).map(move |field| {
            let alike = self.own().filter(|other| other.label == field.label).count() > 1;
            let heading = if alike || taken.contains(&field.label.as_str()) {
                format!("{}（{}）", field.label, field.key)
            } else {
                field.label.clone()
            };
            (field, heading)
        })
    }

    /// The value of a word by its label; a label that nobody knows stays, and is refused with the others.
    fn word(&self, field: &Field, label: &str) -> Value {
        let known = self.words(field).iter().find(|word| word.label == label || word.value == label);
        json!(known.map_or(label, |word| word.value.as_str()))
    }
}

/// A field of the school's own as a column of a sheet that is made of records.
#[derive(Debug, Clone)]
pub struct OwnHeading {
    pub heading: String,
    field: Field,
    words: Vec<Word>,
}

impl OwnHeading {
    /// What a record holds there, in words.
    pub fn cell(&self, values: &BTreeMap<String, Value>) -> Cell {
        match (self.field.control, values.get(&self.field.key)) {
            (_, None | Some(Value::Null)) => Cell::Empty,
            (FieldControl::Switch, Some(Value::Bool(yes))) => Cell::Bool(*yes),
            (FieldControl::Date, Some(Value::String(day))) => {
                day.parse().map_or_else(|_| Cell::Text(day.clone()), Cell::Date)
            }
            (_, Some(Value::Array(chosen))) => {
                Cell::Text(chosen.iter().map(|value| self.word(value)).collect::<Vec<_>>().join("、"))
            }
            (_, Some(Value::Number(number))) => {
                number.as_i64().map_or_else(|| Cell::Text(number.to_string()), Cell::Int)
            }
            (_, Some(value)) => Cell::Text(self.word(value)),
        }
    }

    /// The label of a word that may be chosen; one that was switched off meanwhile is told as it is stored.
    fn word(&self, value: &Value) -> String {
        let text = value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned);
        self.words.iter().find(|word| word.value == text).map_or(text, |word| word.label.clone())
    }
}

impl Field {
    /// Told when it must be filled in.
    fn missing(&self) -> String {
        format!("{}不能为空", self.label)
    }

    fn text_wrong(&self, text: &str) -> Option<String> {
        let most = self.max_length.and_then(|most| usize::try_from(most).ok()).unwrap_or(LONGEST);
        if text.chars().count() > most {
            return Some(format!("不能超过{most}个字符"));
        }
        let unfit = self.pattern.as_ref().is_some_and(|pattern| !pattern.is_match(text));
        unfit.then(|| match self.help_text.as_deref() {
            Some(help) => format!("格式不正确：{help}"),
            None => "格式不正确".to_owned(),
        })
    }
}

/// A pattern that the whole text must match, in time linear in the text.
///
/// # Errors
/// When it is none.
pub(crate) fn whole(pattern: &str) -> Result<Regex, regex::Error> {
    Regex::new(&format!("^(?:{pattern})$"))
}

/// Whether a pattern is one, by itself and within the brackets that [`whole`] puts around it.
pub(crate) fn compiles(pattern: &str) -> bool {
    Regex::new(pattern).is_ok() && whole(pattern).is_ok()
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(values) => values.is_empty(),
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => false,
    }
}

/// The words of dictionaries that are switched on, in their order.
async fn words(app: &App, types: &[String]) -> Result<HashMap<String, Vec<Word>>> {
    let mut found: HashMap<String, Vec<Word>> = HashMap::new();
    if types.is_empty() {
        return Ok(found);
    }
    let rows = sqlx::query!(
        "select dict_type, dict_value, dict_label from platform.dict_data
         where dict_type = any($1) and enabled order by dict_type, sort, dict_value",
        types
    )
    .fetch_all(&mut *app.platform_read().await?)
    .await?;
    for row in rows {
        found.entry(row.dict_type).or_default().push(Word { value: row.dict_value, label: row.dict_label });
    }
    Ok(found)
}
