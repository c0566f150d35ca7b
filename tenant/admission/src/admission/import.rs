//! 导入录取数据: the authority's file, taken over as a whole or not at all (02 §6.4).
//!
//! ```text
//! file ─ inspect ─→ columns and codes ─ a person says what they mean ─→ dry run ─→ import ─→ matching
//! ```
//! The batch is held meanwhile, but for a dry run, so that one file after the other is taken over; what was said of columns and
//! codes is kept for the next one.

mod inspect;
mod maps;
mod read;
mod records;
mod undo;
mod write;

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    path::PathBuf,
    sync::Arc,
};

use admission_rules::matching::{join, overwritable};
use enrolment::{
    admitting::{OpenBatch, hold_open, keep_mapping, known, open},
    batch::{EnrollmentColumn, EnrollmentField},
};
use infra::{
    Allowed, Change, Error, Reply, Result, Scope, Tx,
    clock::Moment,
    files::{self, FileType, NewFile, Uploader},
    sheet::{Row, Template},
    transfer::{self, EffectCount, Finished, ImportAnswer, ImportForm, Imported, RowDifference, SentFile, Written},
};
use poem_openapi::{Multipart, OpenApi, types::multipart::Upload};
use recruitment::admitting;
use serde_json::{Map, Value, json};
use sqlx::PgConnection;
use student_status::student::references::words;

use self::{
    maps::{AdmissionMaps, Reading},
    read::{Known, Read, Taken, by_value, read},
    write::{Into, Standing, There, insert, standing, there, update},
};
use super::{
    ImportAdmissions,
    matching::matched,
    person::{Person, changed, held, write as write_people},
    view::masked,
};
use crate::enums::{AdmissionImportMode, AdmissionIssue, AdmissionMatchStatus, AdmissionStatus};

/// What the rows are, for the names of files.
const TITLE: &str = "录取数据";

/// The multipart body of the import.
#[derive(Debug, Multipart)]
#[oai(rename_all = "camelCase")]
pub struct AdmissionImportForm {
    /// 招生批次
    pub batch_id: i64,
    /// 文件
    /// dbf、xls、xlsx 或 csv
    pub file: Upload,
    /// 导入方式
    /// insert 只新增（不填时），update 新增并更新
    pub mode: Option<String>,
    /// 字段映射
    /// JSON数组，元素为{field, column}；未列出的字段沿用批次的映射
    pub column_map: Option<String>,
    /// 代码映射
    /// JSON数组，元素为{field, code, value}；未列出的代码沿用批次的映射
    pub value_maps: Option<String>,
    /// 仅检查
    pub dry_run: Option<bool>,
    /// 检查时文件的摘要
    /// 仅检查时应答的 sha256；与本次文件不同时拒绝导入
    pub sha256: Option<String>,
}

pub struct Import;

#[OpenApi(prefix_path = "/adult/pc/admission", tag = "crate::Tag::Admission")]
impl Import {
    /// 导入录取数据
    #[oai(path = "/import", method = "post", operation_id = "importAdmissions")]
    async fn import(
        &self,
        caller: Allowed<ImportAdmissions>,
        form: AdmissionImportForm,
    ) -> Result<Reply<ImportAnswer>> {
        let AdmissionImportForm { batch_id, file, mode, column_map, value_maps, dry_run, sha256 } = form;
        let mode = match mode.as_deref() {
            None | Some("") => AdmissionImportMode::Insert,
            Some(word) => AdmissionImportMode::parse(word).ok_or_else(|| Error::field("mode", "请选择导入方式"))?,
        };
        let maps = AdmissionMaps::parse(column_map.as_deref(), value_maps.as_deref())?;
        let form = ImportForm { file, dry_run, sha256 };
        transfer::import_with::<AdmissionFile>(&caller, form, Some(batch_id), Said { mode, maps }.kept()).await
    }
}

/// The operations around files of the authority.
pub(super) fn api() -> impl OpenApi {
    (Import, inspect::Inspect, records::Records)
}

/// What was said beside a file.
#[derive(Debug, Clone)]
struct Said {
    mode: AdmissionImportMode,
    maps: AdmissionMaps,
}

impl Said {
    fn kept(&self) -> Value {
        let maps = poem_openapi::types::ToJSON::to_json(&self.maps);
        json!({ "mode": self.mode.as_str(), "maps": maps })
    }

    fn of(kept: &Value) -> Result<Self> {
        let mode = kept["mode"].as_str().and_then(AdmissionImportMode::parse);
        let maps = poem_openapi::types::ParseFromJSON::parse_from_json(Some(kept["maps"].clone()));
        Ok(Self {
            mode: mode.ok_or_else(|| Error::internal("the import has no mode"))?,
            maps: maps.map_err(|error: poem_openapi::types::ParseError<AdmissionMaps>| {
                Error::internal(error.into_message())
            })?,
        })
    }
}

/// When the batch took over a file of these bytes; none when it did not.
async fn imported_before(connection: &mut PgConnection, batch: i64, sha256: &str) -> Result<Option<Moment>> {
    let at = sqlx::query_scalar!(
        "select created_at as \"at: Moment\" from admission_import where batch_id = $1 and sha256 = $2",
        batch,
        sha256
    )
    .fetch_optional(connection)
    .await?;
    Ok(at)
}

/// # Errors
/// 409 when the batch took over this file already.
async fn is_new(connection: &mut PgConnection, batch: i64, sha256: &str) -> Result<()> {
    match imported_before(connection, batch, sha256).await? {
        None => Ok(()),
        Some(at) => Err(Error::conflict(format!("该文件已于{}导入", at.format("%Y-%m-%d %H:%M:%S")))),
    }
}

/// A file that is kept, and under which name it came.
#[derive(Debug)]
struct Source {
    path: PathBuf,
    name: String,
    sha256: String,
    school: Option<i64>,
}

/// A row that was written and is to be matched.
#[derive(Debug, Clone, Copy)]
struct Fresh {
    id: i64,
    new: bool,
    /// The site that the file names, or that the person had.
    wish: Option<i64>,
}

/// One import.
pub(crate) struct AdmissionFile {
    batch: OpenBatch,
    mode: AdmissionImportMode,
    /// From [`transfer::Import::begin`] on.
    reading: Option<Arc<(Known, Source)>>,
    /// The record of the import, from the first row on that is written.
    record: Option<i64>,
    /// Row by 考生号 and by identity number.
    examinee_nos: HashMap<String, u32>,
    id_card_nos: HashMap<String, u32>,
    written: Written,
    fresh: Vec<Fresh>,
    differences: Vec<RowDifference>,
    effect: Vec<EffectCount>,
    /// What becomes of leads whose person is somebody else now.
    released: Vec<i64>,
}

impl transfer::Import for AdmissionFile {
    const KIND: &'static str = "admission.import";
    type Permission = ImportAdmissions;
    const FOREIGN: bool = true;

    fn template() -> Template {
        Template { title: TITLE, columns: Vec::new() }
    }

    async fn admit(connection: &mut PgConnection, sent: &SentFile<'_>) -> Result<()> {
        let batch = open(connection, batch_of(sent.into)?).await?;
        is_new(connection, batch.id, sent.sha256).await?;
        Reading::of(connection, &batch, &Said::of(sent.more)?.maps, sent.headings).await?;
        Ok(())
    }

    /// # Errors
    /// 403 for whoever may see a part of the school alone.
    async fn start(tx: &mut Tx, scope: Scope, into: Option<i64>) -> Result<Self> {
        if !scope.is_whole() {
            return Err(Error::forbidden());
        }
        Ok(Self {
            batch: open(tx, batch_of(into)?).await?,
            mode: AdmissionImportMode::Insert,
            reading: None,
            record: None,
            examinee_nos: HashMap::new(),
            id_card_nos: HashMap::new(),
            written: Written::default(),
            fresh: Vec::new(),
            differences: Vec::new(),
            effect: Vec::new(),
            released: Vec::new(),
        })
    }

    async fn begin(&mut self, tx: &mut Tx, sent: &SentFile<'_>) -> Result<()> {
        let Said { mode, maps } = Said::of(sent.more)?;
        if !sent.dry_run {
            self.batch = hold_open(tx, self.batch.id).await?;
        }
        is_new(tx, self.batch.id, sent.sha256).await?;
        let today = tx.app().clock().today();
        let sites = sqlx::query!(
            "select id, lower(code) as \"code!\", lower(name) as \"name!\" from site where status = 'active'"
        )
        .fetch_all(&mut **tx)
        .await?;
        let mut by_word: HashMap<String, i64> = sites.iter().map(|site| (site.name.clone(), site.id)).collect();
        // A code goes before a name that is spelt like it.
        by_word.extend(sites.into_iter().map(|site| (site.code, site.id)));
        let app = tx.app().clone();
        let (ethnicities, political) = words(&app).await?;
        let known = Known {
            reading: Reading::of(tx, &self.batch, &maps, sent.headings).await?,
            majors: known(tx, self.batch.id).await?,
            sites: by_word,
            ethnicities: by_value(&ethnicities),
            political: by_value(&political),
            today,
            enrolled_on: self.batch.enrolled_on,
        };
        let source = Source {
            path: sent.path.to_owned(),
            name: sent.name.to_owned(),
            sha256: sent.sha256.to_owned(),
            school: sent.school,
        };
        self.mode = mode;
        self.reading = Some(Arc::new((known, source)));
        Ok(())
    }

    async fn rows(&mut self, tx: &mut Tx, rows: &mut [Row], write: bool) -> Result<Vec<Change>> {
        let reading = self.reading()?;
        let (known, _) = &*reading;
        let mut found: Vec<Option<Read>> = rows.iter_mut().map(|row| read(row, known)).collect();
        for (row, read) in rows.iter_mut().zip(&found) {
            if let Some(read) = read {
                self.refuse_repeated(row, read, &known.reading);
            }
        }
        let of = |number: fn(&Taken) -> &String| -> Vec<String> {
            found.iter().flatten().map(|read| number(&read.taken).clone()).collect()
        };
        let (examinee_nos, id_card_nos) = (of(|taken| &taken.examinee_no), of(|taken| &taken.id_card_no));
        let there = there(tx, self.batch.id, &examinee_nos, &id_card_nos, write).await?;
        let mut plans = Vec::with_capacity(rows.len());
        for (row, read) in rows.iter_mut().zip(&mut found) {
            let Some(read) = read else { continue };
            if there.students.contains(&read.taken.id_card_no) {
                read.issues.push(AdmissionIssue::ActiveStudent);
            }
            match plan(read, &there, self.mode) {
                Ok(plan) => plans.push((&*read, plan)),
                Err((field, why)) => row.refuse(known.reading.column(field).unwrap_or_default(), why),
            }
        }
        let wrong = rows.iter().any(|row| !row.errors().is_empty());
        self.count(&plans, &known.reading.kept.0);
        if !write || wrong {
            return Ok(Vec::new());
        }
        // The rows are the importer's no more.
        let plans: Vec<(Read, Plan)> = plans.into_iter().map(|(read, plan)| (read.clone(), plan)).collect();
        self.put(tx, &plans).await
    }

    async fn finish(&mut self, tx: &mut Tx, write: bool) -> Result<Finished> {
        if !write {
            return Ok(Finished::default());
        }
        let mut changes = Vec::new();
        if self.record.is_none() {
            // Nothing of the file was new; that it came is known all the same.
            changes.push(self.begun(tx).await?.1);
        }
        changes.extend(self.matched(tx).await?);
        let reading = self.reading()?;
        let (columns, values) = &reading.0.reading.kept;
        changes.extend(keep_mapping(tx, &self.batch, columns, values).await?);
        self.kept(tx).await?;
        Ok(Finished { changes, ..Finished::default() })
    }

    fn written(&self) -> Option<Written> {
        Some(self.written)
    }

    fn effect(&self) -> Vec<EffectCount> {
        self.effect.clone()
    }

    fn differences(self) -> Vec<RowDifference> {
        self.differences
    }

    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        undo::undo(tx, scope, record).await
    }

    async fn named(tx: &mut Tx, record: &Imported) -> Result<String> {
        undo::named(tx, record).await
    }
}

fn batch_of(into: Option<i64>) -> Result<i64> {
    into.ok_or_else(|| Error::field("batchId", "请选择招生批次"))
}

/// What is done with a row.
#[derive(Debug, Clone)]
enum Plan {
    Insert,
    Update { before: Box<Standing>, anew: bool },
    Keep,
}

/// # Errors
/// The field of the row, and why it is not taken over.
fn plan(read: &Read, there: &There, mode: AdmissionImportMode) -> Result<Plan, (EnrollmentField, String)> {
    use EnrollmentField::{ExamineeNo, IdCardNo};
    let taken = &read.taken;
    if let Some(standing) = there.standing.get(&taken.examinee_no) {
        let other = there.by_card.get(&taken.id_card_no).filter(|other| **other != taken.examinee_no);
        if let Some(other) = other {
            return Err((IdCardNo, format!("该证件号已有录取数据（考生号{other}）")));
        }
        let (same, gone) = (standing.taken == *taken, standing.status == AdmissionStatus::Cancelled);
        return match mode {
            _ if same && !gone => Ok(Plan::Keep),
            AdmissionImportMode::Insert if same => Ok(Plan::Keep),
            AdmissionImportMode::Insert => Err((ExamineeNo, "考生号已存在且数据不同".to_owned())),
            AdmissionImportMode::Update => {
                overwritable(standing.status).map_err(|why| (ExamineeNo, why.to_owned()))?;
                let before = &standing.taken;
                // Another card, another major, or a name that was not the lead's: who their lead is and where they study is
                // asked again.
                let anew = gone
                    || standing.match_status == AdmissionMatchStatus::Conflict
                    || before.id_card_no != taken.id_card_no
                    || before.enrollment_major_id != taken.enrollment_major_id;
                Ok(Plan::Update { before: Box::new(standing.clone()), anew })
            }
        };
    }
    if there.in_bin.contains(&taken.examinee_no) || there.in_bin.contains(&taken.id_card_no) {
        return Err((ExamineeNo, "该考生号在回收站，请先恢复或清除".to_owned()));
    }
    if let Some(other) = there.by_card.get(&taken.id_card_no) {
        return Err((IdCardNo, format!("该证件号已有录取数据（考生号{other}）")));
    }
    Ok(Plan::Insert)
}

impl AdmissionFile {
    /// The later of two rows with one number is wrong.
    fn refuse_repeated(&mut self, row: &mut Row, read: &Read, reading: &Reading) {
        let taken = &read.taken;
        let first = *self.examinee_nos.entry(taken.examinee_no.clone()).or_insert(read.row);
        if first != read.row {
            let column = reading.column(EnrollmentField::ExamineeNo).unwrap_or_default();
            row.refuse(column, format!("与第{first}行考生号重复"));
        }
        let first = *self.id_card_nos.entry(taken.id_card_no.clone()).or_insert(read.row);
        if first != read.row {
            let column = reading.column(EnrollmentField::IdCardNo).unwrap_or_default();
            row.refuse(column, format!("与第{first}行证件号重复"));
        }
    }

    fn reading(&self) -> Result<Arc<(Known, Source)>> {
        self.reading.clone().ok_or_else(|| Error::internal("the import has not begun"))
    }

    /// Counts what the rows do, and tells how those differ that change one.
    fn count(&mut self, plans: &[(&Read, Plan)], columns: &[EnrollmentColumn]) {
        for (read, plan) in plans {
            match plan {
                Plan::Insert => {
                    self.written.inserted += 1;
                    if self.mode == AdmissionImportMode::Update {
                        self.differences.push(difference(read, "", "", ""));
                    }
                }
                Plan::Keep => self.written.unchanged += 1,
                Plan::Update { before, .. } => {
                    self.written.updated += 1;
                    self.differences.extend(differences(read, before, columns));
                }
            }
        }
    }

    async fn put(&mut self, tx: &mut Tx, plans: &[(Read, Plan)]) -> Result<Vec<Change>> {
        let mut changes = Vec::with_capacity(plans.len() + 1);
        let import = match self.record {
            Some(import) => import,
            None => {
                let (import, begun) = self.begun(tx).await?;
                changes.push(begun);
                import
            }
        };
        let into = Into { batch: self.batch.id, grade: self.batch.grade_id, import };
        let new: Vec<&Read> =
            plans.iter().filter(|(_, plan)| matches!(plan, Plan::Insert)).map(|(read, _)| read).collect();
        let ids = insert(tx, into, &new).await?;
        for read in new {
            let Some(id) = ids.get(&read.taken.examinee_no).copied() else { continue };
            self.fresh.push(Fresh { id, new: true, wish: read.site });
            let what = json!({
                "examineeNo": read.taken.examinee_no, "name": read.taken.name,
                "enrollmentMajorId": read.taken.enrollment_major_id, "importId": import,
            });
            changes.push(Change::created("admission", id, &what));
        }
        let mut overwritten = Vec::new();
        for (read, plan) in plans {
            let Plan::Update { before, anew } = plan else { continue };
            let lead = before.pre_registration_id.filter(|_| before.match_status == AdmissionMatchStatus::Matched);
            if *anew {
                self.released.extend(lead);
            }
            // Whose card is another may be somebody else than whose lead brought the site.
            let another = lead.is_some() && before.taken.id_card_no != read.taken.id_card_no;
            let kept = before.site_id.filter(|_| !another);
            self.fresh.push(Fresh { id: before.id, new: false, wish: read.site.or(kept) });
            overwritten.push((read, before.id, *anew));
        }
        update(tx, into, &overwritten).await?;
        let ids: Vec<i64> = overwritten.iter().map(|(_, id, _)| *id).collect();
        let after: HashMap<i64, Standing> = standing(tx, &ids).await?.into_iter().map(|one| (one.id, one)).collect();
        for (_, plan) in plans {
            let Plan::Update { before, .. } = plan else { continue };
            let after = after.get(&before.id).ok_or_else(Error::not_found)?;
            changes.push(Change::edited("admission", before.id, &told(before), &told(after)));
        }
        Ok(changes)
    }

    /// The record of the import, the first of all that it writes; its counts come at the end.
    async fn begun(&mut self, tx: &mut Tx) -> Result<(i64, Change)> {
        let reading = self.reading()?;
        let source = &reading.1;
        let by = tx.by();
        let id = sqlx::query_scalar!(
            "insert into admission_import (batch_id, file_name, sha256, mode, total, inserted, updated, unchanged, created_by,
                 updated_by)
             values ($1, $2, $3, $4, 0, 0, 0, 0, $5, $5) returning id",
            self.batch.id,
            source.name,
            source.sha256,
            self.mode.as_str(),
            by
        )
        .fetch_one(&mut **tx)
        .await?;
        self.record = Some(id);
        let what = json!({ "batchId": self.batch.id, "fileName": source.name, "mode": self.mode.as_str() });
        Ok((id, Change::created("admission_import", id, &what)))
    }

    /// Looks for the leads of what was written, gives sites, and counts what came of it. What became of somebody new goes with their
    /// own record, and what became of a lead with its person's.
    async fn matched(&mut self, tx: &mut Tx) -> Result<Vec<Change>> {
        let ids: Vec<i64> = self.fresh.iter().map(|fresh| fresh.id).collect();
        let wishes: HashMap<i64, i64> = self.fresh.iter().filter_map(|fresh| Some((fresh.id, fresh.wish?))).collect();
        let mut people = held(tx, &ids, &Scope::whole_school()).await?;
        let old: HashMap<i64, Person> = people.iter().map(|person| (person.id, person.clone())).collect();
        // Who keeps the lead is compared with it anew: their name may be another.
        let kept: Vec<i64> = people.iter().filter_map(|person| person.pre_registration_id).collect();
        let leads: HashMap<i64, admitting::Lead> =
            admitting::of(tx, &kept).await?.into_iter().map(|lead| (lead.id, lead)).collect();
        for person in &mut people {
            let was = person.match_status;
            if let Some(lead) = person.pre_registration_id.and_then(|id| leads.get(&id)) {
                join(person, lead);
                // Somebody looked once and said that they are one.
                if was == AdmissionMatchStatus::Matched {
                    person.match_status = was;
                }
            }
        }
        let mut beside = matched(tx, &mut people, &wishes, &self.released).await?;
        let differ: Vec<Person> = people.iter().filter(|person| old[&person.id] != **person).cloned().collect();
        write_people(tx, &differ).await?;
        let mut counts: BTreeMap<(u8, &'static str, &'static str), i64> = BTreeMap::new();
        for person in &people {
            let place = match person.match_status {
                AdmissionMatchStatus::Matched => 0,
                AdmissionMatchStatus::Conflict => 1,
                AdmissionMatchStatus::Unmatched => 2,
            };
            *counts.entry((place, "匹配", person.match_status.zh())).or_default() += 1;
            *counts.entry((3, "状态", person.status.zh())).or_default() += 1;
        }
        let new: HashSet<i64> = self.fresh.iter().filter(|fresh| fresh.new).map(|fresh| fresh.id).collect();
        let mut changes = Vec::new();
        for person in &differ {
            let change = changed(&old[&person.id], person);
            if new.contains(&person.id) { &mut beside } else { &mut changes }.push(change);
        }
        tx.record(&beside).await?;
        let told = |((_, column, value), count): ((u8, &str, &str), i64)| EffectCount {
            column: column.to_owned(),
            value: value.to_owned(),
            count,
        };
        self.effect = counts.into_iter().map(told).collect();
        Ok(changes)
    }

    /// Keeps the file, and writes the counts of the record.
    async fn kept(&self, tx: &mut Tx) -> Result<()> {
        let import = self.record.ok_or_else(|| Error::internal("the import has no record"))?;
        let reading = self.reading()?;
        let source = &reading.1;
        let (app, by) = (tx.app().clone(), tx.by());
        let file = NewFile {
            name: &source.name,
            content_type: "application/octet-stream",
            kind: FileType::Private,
            owner: Some(("admission_import", import)),
            uploader: Uploader::Account(by),
            expires_at: None,
        };
        let file = files::keep_file(&app, tx, source.school, &file, &source.path).await?;
        let Written { inserted, updated, unchanged } = self.written;
        let small = |count: i64| i32::try_from(count).map_err(Error::internal);
        sqlx::query!(
            "update admission_import set file_id = $2, total = $3, inserted = $4, updated = $5, unchanged = $6,
                    updated_at = now(), updated_by = $7, version = version + 1
             where id = $1",
            import,
            file,
            small(inserted + updated + unchanged)?,
            small(inserted)?,
            small(updated)?,
            small(unchanged)?,
            by
        )
        .execute(&mut **tx)
        .await?;
        let what = json!({ "inserted": inserted, "updated": updated, "unchanged": unchanged });
        tx.record(&[Change::event("admission_import", import, "import", what)]).await
    }
}

/// Under this name the trail hides the raw data, which have everybody's numbers in columns of any name; an import that is undone has
/// them whole.
const RAW: &str = "rawSecret";

/// All that a file changes of a row, as the trail tells it: what the authority says, and what becomes of it here.
fn told(standing: &Standing) -> Value {
    // What is a column of a table here has the names of the wire there.
    let taken = match serde_json::to_value(&standing.taken) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    };
    let named = |name: String| if name == "raw" { RAW.to_owned() } else { camel(&name) };
    let mut all: Map<String, Value> = taken.into_iter().map(|(name, value)| (named(name), value)).collect();
    let own = json!({
        "importId": standing.import_id, "preRegistrationId": standing.pre_registration_id,
        "matchStatus": standing.match_status.as_str(),
        "issues": standing.issues.iter().map(|issue| issue.as_str()).collect::<Vec<_>>(), "siteId": standing.site_id,
        "status": standing.status.as_str(), "phone": standing.phone, "address": standing.address,
        "postalCode": standing.postal_code, "cancelRemark": standing.cancel_remark,
    });
    if let Value::Object(own) = own {
        all.extend(own);
    }
    Value::Object(all)
}

fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |whole, word| {
        let mut signs = word.chars();
        let head = signs.next().map(|sign| sign.to_ascii_uppercase()).into_iter().collect::<String>();
        whole + &head + signs.as_str()
    })
}

fn difference(read: &Read, column: &str, before: &str, after: &str) -> RowDifference {
    RowDifference {
        row: read.row,
        name: read.taken.name.clone(),
        column: column.to_owned(),
        before: before.to_owned(),
        after: after.to_owned(),
    }
}

/// How the columns differ from those of the file before; where none does, the maps were others. Personal values are masked, so
/// that two which differ may look the same.
fn differences(read: &Read, before: &Standing, columns: &[EnrollmentColumn]) -> Vec<RowDifference> {
    let (old, new) = (&before.taken.raw, &read.taken.raw);
    let names: std::collections::BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let of = |map: &BTreeMap<String, String>, name: &String| map.get(name).cloned().unwrap_or_default();
    let shown = |map: &BTreeMap<String, String>, name: &String| masked(columns, name, &of(map, name));
    let found: Vec<RowDifference> = names
        .into_iter()
        .filter(|name| of(old, name) != of(new, name))
        .map(|name| difference(read, name, &shown(old, name), &shown(new, name)))
        .collect();
    if !found.is_empty() {
        return found;
    }
    let why = if before.status == AdmissionStatus::Cancelled { "恢复录取" } else { "按新的映射读取" };
    vec![difference(read, "映射", "", why)]
}
