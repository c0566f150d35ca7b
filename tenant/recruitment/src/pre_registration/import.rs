//! 导入: people of a batch by sheet, all or none (02 §3). The school's own fields stand behind the built-in ones.

use std::collections::{HashMap, HashSet};

use chrono::NaiveDate;
use infra::{
    Allowed, App, Change, Error, Reply, Result, Scope, Tx, body,
    sheet::{InputColumn, Row, Template},
    transfer::{self, Attachment, ImportAnswer, ImportForm, Imported},
};
use poem_openapi::{Multipart, OpenApi, param::Query, types::multipart::Upload};
use serde_json::{Map, Value, json};
use sqlx::PgConnection;
use student_status::{
    enums::{ExamCategory, PreEduLevel, StudyForm},
    student::references::Word,
};

use super::{
    FetchPreRegistrationSheet, ImportPreRegistrations,
    check::{Door, Known, Person, check, given},
    duplicates,
    form::{PreRegistrationForm, PreRegistrationSave},
    insert::{Entry, insert, open_to_site, open_to_staff},
    offer::{Offer, OfferedMajor},
    remove::remove,
};
use crate::{
    enums::PersonSource,
    id_card::{self, Gender, IdCardType},
};
use field_attributes::{enums::FieldStage, stage::StageFields};

/// Fields of the form, the headings under which they stand, and what is written there. 学习形式 only tells majors of one
/// name apart.
const COLUMNS: [(&str, &str, &str); 25] = [
    ("name", "姓名", "与证件一致"),
    ("idCardType", "证件类型", "不填时为居民身份证"),
    ("idCardNo", "证件号", "居民身份证为18位，最后一位可以是X"),
    ("gender", "性别", "不填时取自身份证号"),
    ("birthday", "出生日期", "不填时取自身份证号，例如 2000-01-31"),
    ("ethnicity", "民族", ""),
    ("politicalStatus", "政治面貌", ""),
    ("phone", "手机", "11位手机号"),
    ("email", "邮箱", ""),
    ("address", "通讯地址", ""),
    ("postalCode", "邮编", "6位数字"),
    ("levelId", "层次", "层次名称或编码"),
    ("majorId", "专业", "专业编码；名称在同一层次和学习形式中唯一时也可填名称"),
    ("studyForm", "学习形式", "专业填写名称时，用来区分同名专业"),
    ("siteId", "站点", "站点编码或名称"),
    ("examCategory", "科类", ""),
    ("preEduLevel", "入学前学历", ""),
    ("preEduSchool", "毕业院校", ""),
    ("preEduMajor", "所学专业", ""),
    ("preEduCertificateNo", "毕业证书号", ""),
    ("preEduGraduatedOn", "毕业日期", "例如 2023-07-01"),
    ("workUnit", "工作单位", ""),
    ("occupation", "职业", ""),
    ("hukouPlace", "户籍地", ""),
    ("referrer", "推荐人", ""),
];
/// Columns that are always filled in; what else the school requires is added.
const REQUIRED: [&str; 6] = ["name", "idCardNo", "phone", "levelId", "majorId", "siteId"];
/// Required of the form, but known without being typed.
const DERIVED: [&str; 3] = ["gender", "birthday", "idCardType"];
/// Columns that are read as text and checked as the form's fields.
const TEXTS: [&str; 13] = [
    "name",
    "idCardNo",
    "phone",
    "email",
    "address",
    "postalCode",
    "preEduSchool",
    "preEduMajor",
    "preEduCertificateNo",
    "workUnit",
    "occupation",
    "hukouPlace",
    "referrer",
];
const TITLE: &str = "预报名";

fn heading(field: &str) -> &'static str {
    COLUMNS.iter().find(|(known, _, _)| *known == field).map_or("", |(_, heading, _)| heading)
}

fn headings() -> [&'static str; 25] {
    COLUMNS.map(|(_, heading, _)| heading)
}

/// The multipart body of the import.
#[derive(Debug, Multipart)]
#[oai(rename_all = "camelCase")]
pub struct PreRegistrationImportForm {
    /// 批次
    pub batch_id: i64,
    /// 文件
    pub file: Upload,
    /// 仅检查
    pub dry_run: Option<bool>,
    /// 检查时文件的摘要
    /// 仅检查时应答的 sha256；与本次文件不同时拒绝导入
    pub sha256: Option<String>,
}

pub struct Import;

#[OpenApi(prefix_path = "/adult/pc/preRegistration", tag = "crate::Tag::Recruitment")]
impl Import {
    /// 预报名导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "preRegistrationImportTemplate")]
    async fn template(
        &self,
        caller: Allowed<FetchPreRegistrationSheet>,
        /// 批次
        /// 填写后模板带有该批次可选的层次、专业和站点
        #[oai(name = "batchId")]
        batch_id: Query<Option<i64>>,
    ) -> Result<Attachment> {
        let app = caller.app();
        let mut tx = caller.read().await?;
        let template = template_of(app, &mut tx, batch_id.0, &caller.scope()).await?;
        drop(tx);
        transfer::workbook(app, template).await
    }

    /// 导入预报名
    #[oai(path = "/import", method = "post", operation_id = "importPreRegistrations")]
    async fn import(
        &self,
        caller: Allowed<ImportPreRegistrations>,
        form: PreRegistrationImportForm,
    ) -> Result<Reply<ImportAnswer>> {
        let PreRegistrationImportForm { batch_id, file, dry_run, sha256 } = form;
        let form = ImportForm { file, dry_run, sha256 };
        transfer::import_into::<PreRegistrationSheet>(&caller, form, Some(batch_id)).await
    }
}

/// The template, with what may be chosen in a batch where one is named.
///
/// # Errors
/// 422 at `batchId` when there is no such batch.
pub(super) async fn template_of(
    app: &App,
    connection: &mut PgConnection,
    batch: Option<i64>,
    scope: &Scope,
) -> Result<Template> {
    Ok(match batch {
        Some(batch) => {
            let known = Known::load(app, connection, batch).await?;
            columns(&known.fields, Some((&known, scope)))
        }
        None => columns(&StageFields::load(app, connection, FieldStage::PreRegistration).await?, None),
    })
}

/// The columns of the fields that the school asks for, with the batch's own values to choose from where it is known.
fn columns(fields: &StageFields, offered: Option<(&Known, &Scope)>) -> Template {
    let asked = |key: &str| {
        key == "studyForm" || REQUIRED.contains(&key) || fields.fields().iter().any(|field| field.key == key)
    };
    let required = |key: &str| {
        let required = fields.fields().iter().any(|field| field.key == key && field.required);
        REQUIRED.contains(&key) || (required && !DERIVED.contains(&key))
    };
    let built_in = COLUMNS.into_iter().filter(|(key, _, _)| asked(key)).map(|(key, heading, hint)| {
        let column =
            if required(key) { InputColumn::required(heading, hint) } else { InputColumn::optional(heading, hint) };
        column.one_of(choices(key, offered))
    });
    Template { title: TITLE, columns: built_in.chain(fields.columns(&headings())).collect() }
}

fn choices(key: &str, offered: Option<(&Known, &Scope)>) -> Vec<String> {
    fn zh<T>(choices: &[(&'static str, T)]) -> Vec<String> {
        let mut words: Vec<String> = choices.iter().map(|(word, _)| (*word).to_owned()).collect();
        words.dedup();
        words
    }
    let labels = |words: &[Word]| words.iter().filter(|word| word.enabled).map(|word| word.label.clone()).collect();
    let mut sorted: Vec<String> = match (key, offered) {
        ("idCardType", _) => return zh(IdCardType::CHOICES),
        ("gender", _) => return zh(Gender::CHOICES),
        ("studyForm", _) => return zh(StudyForm::CHOICES),
        ("preEduLevel", _) => return zh(PreEduLevel::CHOICES),
        ("examCategory", _) => {
            let mut words = zh(ExamCategory::CHOICES);
            let mut seen = HashSet::new();
            words.retain(|word| seen.insert(word.clone()));
            return words;
        }
        ("ethnicity", Some((known, _))) => return labels(&known.ethnicities),
        ("politicalStatus", Some((known, _))) => return labels(&known.political),
        ("levelId", Some((known, _))) => known.offer.levels.values().map(|level| level.name.clone()).collect(),
        ("majorId", Some((known, _))) => {
            known.offer.majors.values().filter(|major| major.enabled).map(|major| major.code.clone()).collect()
        }
        ("siteId", Some((known, scope))) => known
            .offer
            .sites
            .values()
            .filter(|site| site.active && scope.sees(Some(site.id), None))
            .map(|site| site.code.clone())
            .collect(),
        _ => Vec::new(),
    };
    sorted.sort();
    sorted
}

/// One import: what the rows refer to, and what was seen of the file.
pub(crate) struct PreRegistrationSheet {
    known: Known,
    scope: Scope,
    today: NaiveDate,
    source: PersonSource,
    levels: HashMap<String, i64>,
    sites: HashMap<String, i64>,
    persons: HashMap<(IdCardType, String), u32>,
    phones: HashSet<String>,
}

impl transfer::Import for PreRegistrationSheet {
    const KIND: &'static str = "pre_registration.import";
    const COUNTED: &'static [&'static str] = &["层次", "专业", "站点"];
    type Permission = super::ImportPreRegistrations;

    fn template() -> Template {
        columns(&StageFields::default(), None)
    }

    async fn sheet(app: &App, connection: &mut PgConnection) -> Result<Template> {
        Ok(columns(&StageFields::load(app, connection, FieldStage::PreRegistration).await?, None))
    }

    async fn start(tx: &mut Tx, scope: Scope, into: Option<i64>) -> Result<Self> {
        let app = tx.app().clone();
        let batch = into.ok_or_else(|| Error::field("batchId", "请选择批次"))?;
        let known = Known::load(&app, tx, batch).await?;
        open_to_staff(&known.offer)?;
        fn both(id: i64, code: &str, name: &str) -> [(String, i64); 2] {
            [(name.to_lowercase(), id), (code.to_lowercase(), id)]
        }
        let Offer { levels, sites, .. } = &known.offer;
        Ok(Self {
            levels: levels.values().flat_map(|level| both(level.id, &level.code, &level.name)).collect(),
            sites: sites.values().flat_map(|site| both(site.id, &site.code, &site.name)).collect(),
            persons: HashMap::new(),
            phones: HashSet::new(),
            today: app.clock().today(),
            source: PersonSource::Import,
            known,
            scope,
        })
    }

    async fn rows(&mut self, tx: &mut Tx, rows: &mut [Row], write: bool) -> Result<Vec<Change>> {
        let mut right = Vec::with_capacity(rows.len());
        for (index, row) in rows.iter_mut().enumerate() {
            if let Some(person) = self.person(row) {
                right.push((index, person));
            }
        }
        let people: Vec<&Person> = right.iter().map(|(_, person)| person).collect();
        let now = tx.app().clock().now();
        if write {
            id_card::hold(tx, &people.iter().map(|person| person.form.id_card_no.as_str()).collect::<Vec<_>>()).await?;
        }
        let mut common = duplicates::look(tx, &self.known.offer, &people, None, now).await?;
        for ((index, person), common) in right.iter().zip(&mut common) {
            for wrong in common.wrong.drain(..) {
                rows[*index].refuse_once(heading(&wrong.field), wrong.message);
            }
            common.phone |= !self.phones.insert(person.form.phone.clone());
        }
        if !write || rows.iter().any(|row| !row.errors().is_empty()) {
            return Ok(Vec::new());
        }
        let entries: Vec<Entry<'_>> = right
            .iter()
            .zip(&common)
            .map(|((_, person), common)| {
                let missing = self.known.fields.missing(|key| given(&person.form, key), &person.extra);
                Entry { person, common, incomplete: !missing.is_empty() }
            })
            .collect();
        let ids = insert(tx, &self.known.offer, &entries, self.source).await?;
        let batch_id = self.known.offer.batch_id;
        Ok(ids
            .into_iter()
            .zip(right)
            .map(|(id, (_, person))| {
                let entered = PreRegistrationSave { batch_id, form: person.form };
                Change::created("pre_registration", id, &entered)
            })
            .collect())
    }

    /// Whom the sheet entered goes into the recycle bin, as whoever is deleted does.
    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        remove(tx, record.id, scope).await.map(Some)
    }
}

/// The same sheet from a site: while the batch is open, and known as the site's.
pub(super) struct SiteSheet(PreRegistrationSheet);

impl transfer::Import for SiteSheet {
    const KIND: &'static str = "pre_registration.import_of_site";
    const COUNTED: &'static [&'static str] = <PreRegistrationSheet as transfer::Import>::COUNTED;
    type Permission = super::ImportPreRegistrations;

    fn template() -> Template {
        <PreRegistrationSheet as transfer::Import>::template()
    }

    async fn sheet(app: &App, connection: &mut PgConnection) -> Result<Template> {
        <PreRegistrationSheet as transfer::Import>::sheet(app, connection).await
    }

    async fn start(tx: &mut Tx, scope: Scope, into: Option<i64>) -> Result<Self> {
        let mut sheet = <PreRegistrationSheet as transfer::Import>::start(tx, scope, into).await?;
        open_to_site(tx, sheet.known.offer.batch_id).await?;
        sheet.source = PersonSource::SiteClient;
        Ok(Self(sheet))
    }

    async fn rows(&mut self, tx: &mut Tx, rows: &mut [Row], write: bool) -> Result<Vec<Change>> {
        <PreRegistrationSheet as transfer::Import>::rows(&mut self.0, tx, rows, write).await
    }

    /// In the console, by whoever imports there.
    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        <PreRegistrationSheet as transfer::Import>::undo(tx, scope, record).await
    }
}

impl PreRegistrationSheet {
    /// The row as a checked form; none when something is wrong, which is noted in its cells.
    fn person(&mut self, row: &mut Row) -> Option<Person> {
        let typed = self.typed(row);
        let own = self.known.fields.typed(row, &headings());
        let form = match body::check::<PreRegistrationForm>(typed) {
            Ok(form) => PreRegistrationForm { extra: own, ..form },
            Err(error) => {
                transfer::refuse(row, &COLUMNS.map(|(key, heading, _)| (key, heading)), &error);
                return None;
            }
        };
        let person = match check(&form, &self.known, &self.scope, self.today, None, Door::Sheet) {
            Ok(person) => person,
            Err(wrong) => {
                for wrong in wrong {
                    let own = self.known.fields.heading(&wrong.field, &headings());
                    row.refuse_once(own.as_deref().unwrap_or_else(|| heading(&wrong.field)), wrong.message);
                }
                return None;
            }
        };
        let number = (person.form.id_card_type, person.form.id_card_no.clone());
        let first = *self.persons.entry(number).or_insert(row.number());
        if first != row.number() {
            row.refuse("证件号", format!("与第{first}行证件号重复"));
        }
        row.errors().is_empty().then_some(person)
    }

    /// The row as the body of 新增 would be. What cannot be read is refused in its cell, and left out.
    fn typed(&self, row: &mut Row) -> Value {
        let mut typed = Map::new();
        let asked = |key: &str| REQUIRED.contains(&key) || self.known.fields.fields().iter().any(|f| f.key == key);
        for key in TEXTS.into_iter().filter(|key| asked(key)) {
            typed.extend(row.text(heading(key)).map(|text| (key.to_owned(), json!(text))));
        }
        for key in ["birthday", "preEduGraduatedOn"].into_iter().filter(|key| asked(key)) {
            typed.extend(row.date(heading(key)).map(|day| (key.to_owned(), json!(day))));
        }
        let mut put = |key: &str, value: Option<Value>| typed.extend(value.map(|value| (key.to_owned(), value)));
        if asked("idCardType") {
            put("idCardType", row.one_of("证件类型", IdCardType::CHOICES).map(|kind| json!(kind.as_str())));
        }
        if asked("gender") {
            put("gender", row.one_of("性别", Gender::CHOICES).map(|gender| json!(gender.as_str())));
        }
        if asked("preEduLevel") {
            put("preEduLevel", row.one_of("入学前学历", PreEduLevel::CHOICES).map(|level| json!(level.as_str())));
        }
        if asked("ethnicity") {
            put("ethnicity", word(row, "民族", &self.known.ethnicities));
        }
        if asked("politicalStatus") {
            put("politicalStatus", word(row, "政治面貌", &self.known.political));
        }
        let level = self.named(row, "层次", &self.levels);
        let major = self.major(row, level);
        put("levelId", Some(json!(level)));
        put("majorId", Some(json!(major)));
        put("siteId", Some(json!(self.named(row, "站点", &self.sites))));
        if asked("examCategory") {
            put("examCategory", self.exam_category(row, level).map(|category| json!(category.as_str())));
        }
        Value::Object(typed)
    }

    /// A reference by name or code, in any case; 0 when nothing has it.
    fn named(&self, row: &mut Row, heading: &str, known: &HashMap<String, i64>) -> i64 {
        let Some(text) = row.text(heading) else { return 0 };
        let found = known.get(&text.to_lowercase()).copied();
        if found.is_none() {
            row.refuse(heading, format!("“{text}”不存在或不在本批次招收范围内"));
        }
        found.unwrap_or(0)
    }

    /// By its code, or by its name when it is the only one of the level and the study form.
    fn major(&self, row: &mut Row, level: i64) -> i64 {
        let study_form = row.one_of("学习形式", StudyForm::CHOICES);
        let Some(text) = row.text("专业") else { return 0 };
        let fits = |major: &&OfferedMajor| {
            major.level_id == level && study_form.is_none_or(|wanted| wanted == major.study_form)
        };
        let majors = || self.known.offer.majors.values();
        let by_code = majors().find(|major| major.code.eq_ignore_ascii_case(&text));
        let named: Vec<&OfferedMajor> = majors().filter(|major| major.name == text).filter(fits).collect();
        match (by_code, named.as_slice()) {
            (Some(major), _) => {
                if study_form.is_some_and(|wanted| wanted != major.study_form) {
                    row.refuse("学习形式", format!("与专业“{}”的{}不符", major.name, major.study_form.zh()));
                }
                major.id
            }
            (None, [only]) => only.id,
            (None, []) => {
                row.refuse("专业", format!("“{text}”不存在或不在本批次招收范围内"));
                0
            }
            (None, _) => {
                row.refuse("专业", format!("有多个专业名为“{text}”，请填写专业编码或学习形式"));
                0
            }
        }
    }

    fn exam_category(&self, row: &mut Row, level: i64) -> Option<ExamCategory> {
        let category = row.one_of("科类", ExamCategory::CHOICES)?;
        Some(self.known.offer.levels.get(&level).map_or(category, |level| category.at(level.entry_level)))
    }
}

/// A word of a dictionary, by its label or its value.
fn word(row: &mut Row, heading: &str, words: &[Word]) -> Option<Value> {
    let text = row.text(heading)?;
    let found = words.iter().find(|word| word.label == text || word.value == text);
    if found.is_none() {
        row.refuse(heading, format!("“{text}”不在可选范围内，请从下拉列表中选择"));
    }
    found.map(|word| json!(word.value))
}
