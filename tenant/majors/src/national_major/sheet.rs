//! What the sheets of national majors look like: the export, and the import of a whole catalogue.

use std::collections::{HashMap, hash_map::Entry};

use futures_util::TryStreamExt;
use infra::{
    App, Change, Result, Scope, Tx,
    across::Keyed,
    body,
    jobs::JobRun,
    pinyin,
    sheet::{Cell, Column, InputColumn, Row, Template},
    transfer::{Export, Import, Imported, RowDifference, Rows},
};
use major_rules::{
    code::{national_code_controlled, national_code_special},
    national_major::{NationalMajorForm, Users, applied, differences},
};
use serde_json::json;
use sqlx::PgConnection;
use term::NationalLevel;

use super::{Discipline, NationalMajor, NationalMajorFilter, NationalMajors, upkeep::remove, used};

impl Export for NationalMajors {
    type Filter = NationalMajorFilter;
    type Row = NationalMajor;
    const KIND: &'static str = "national_major.export";
    type Permission = crate::national_major::upkeep::ExportNationalMajors;
    const TITLE: &'static str = "国家专业";
    const COLUMNS: &'static [Column<NationalMajor>] = &[
        Column { heading: "代码", width: 12, cell: |major| Cell::Text(major.code.clone()) },
        Column { heading: "名称", width: 28, cell: |major| Cell::Text(major.name.clone()) },
        Column { heading: "层次", width: 8, cell: |major| Cell::Text(major.level.zh().to_owned()) },
        Column { heading: "门类", width: 20, cell: |major| Cell::Text(major.discipline.clone()) },
        Column { heading: "专业类", width: 20, cell: |major| Cell::text(major.category.clone()) },
        Column { heading: "学位", width: 24, cell: |major| Cell::Text(major.degrees.join("|")) },
        Column { heading: "年版", width: 8, cell: |major| Cell::Int(major.year.into()) },
        Column { heading: "特设", width: 8, cell: |major| Cell::Bool(major.special) },
        Column { heading: "国控", width: 8, cell: |major| Cell::Bool(major.controlled) },
        Column { heading: "启用", width: 8, cell: |major| Cell::Bool(major.enabled) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &NationalMajorFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, NationalMajor>> {
        Self::all(connection, filter, scope).await
    }
}

/// Fields of the form and the headings under which they are typed.
const COLUMNS: [(&str, &str); 8] = [
    ("code", "专业代码"),
    ("name", "专业名称"),
    ("level", "培养层次"),
    ("disciplineCode", "门类代码"),
    ("categoryCode", "专业类代码"),
    ("category", "专业类名称"),
    ("degrees", "可授学位"),
    ("year", "目录年版"),
];

const LEVELS: &[(&str, NationalLevel)] = &[("本科", NationalLevel::Bachelor), ("专科", NationalLevel::Associate)];

/// The import of a catalogue: what is new is added, what is there is brought up to date, what is missing stays.
pub(crate) struct NationalMajorImport {
    known: HashMap<(String, i32), NationalMajor>,
    seen: HashMap<(String, i32), u32>,
    differences: Vec<RowDifference>,
}

impl Import for NationalMajorImport {
    const KIND: &'static str = "national_major.import";
    type Permission = crate::national_major::upkeep::ImportNationalMajors;

    fn template() -> Template {
        Template {
            title: "国家专业",
            columns: vec![
                InputColumn::required("专业代码", "如 120203K、530302"),
                InputColumn::required("专业名称", ""),
                InputColumn::required("培养层次", "").one_of(LEVELS.iter().map(|(word, _)| *word)),
                InputColumn::required("门类代码", "两位数字，如 12 管理学、53 财经商贸大类"),
                InputColumn::optional("专业类代码", "四位数字，交叉学科不填"),
                InputColumn::optional("专业类名称", "如 工商管理类"),
                InputColumn::optional("可授学位", "本科填写，多个用 | 分隔"),
                InputColumn::required("目录年版", "如 2026"),
            ],
        }
    }

    async fn start(tx: &mut Tx, _scope: Scope, _into: Option<i64>) -> Result<Self> {
        let known = NationalMajors::all(tx, &NationalMajorFilter::default(), &Scope::whole_school()).await?;
        let known: Vec<NationalMajor> = known.try_collect().await?;
        Ok(Self {
            known: known.into_iter().map(|major| ((major.code.clone(), major.year), major)).collect(),
            seen: HashMap::new(),
            differences: Vec::new(),
        })
    }

    async fn rows(&mut self, tx: &mut Tx, rows: &mut [Row], write: bool) -> Result<Vec<Change>> {
        let mut wanted = Vec::with_capacity(rows.len());
        for row in rows.iter_mut() {
            let Some(form) = self.form(row) else { continue };
            let before = self.known.get(&(form.code.clone(), form.year));
            let differences = differences(row.number(), before, &form);
            if before.is_none() || !differences.is_empty() {
                self.differences.extend(differences);
                wanted.push(form);
            }
        }
        if !write || rows.iter().any(|row| !row.errors().is_empty()) {
            return Ok(Vec::new());
        }
        let unchanged = rows.len() - wanted.len();
        let ids = put(tx, &wanted).await?;
        let changes = wanted
            .iter()
            .zip(ids)
            .map(|(form, id)| match self.known.get(&(form.code.clone(), form.year)) {
                Some(before) => Change::edited("national_major", id, before, &applied(before, form)),
                None => Change::created("national_major", id, form),
            })
            // That somebody compared the catalogue is kept too, also when it was all the same.
            .chain(
                (unchanged > 0)
                    .then(|| Change::event("national_major", 0, "import", json!({ "unchanged": unchanged }))),
            );
        Ok(changes.collect())
    }

    fn differences(self) -> Vec<RowDifference> {
        self.differences
    }

    async fn elsewhere(run: &JobRun, new: &[i64]) -> Result<HashMap<i64, String>> {
        used::held(run, new).await
    }

    async fn undo(tx: &mut Tx, _scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        if record.is_new("national_major") {
            return remove(tx, record.id, Users::default()).await.map(Some);
        }
        tx.lock("national_major", record.id).await?;
        let now = NationalMajors::find(tx, record.id, &Scope::whole_school()).await?;
        let former: NationalMajor = record.former(&now)?;
        put_back(tx, &former).await?;
        Ok(Some(Change::edited("national_major", record.id, &now, &former)))
    }
}

impl NationalMajorImport {
    /// The row as the form of 新增; none, with the reasons on the row, when it is wrong.
    fn form(&mut self, row: &mut Row) -> Option<NationalMajorForm> {
        let code = row.text("专业代码");
        let year = row.integer("目录年版");
        let discipline = row.text("门类代码");
        if let Some(unknown) = discipline.as_deref().filter(|code| Discipline::parse(code).is_none()) {
            row.refuse("门类代码", format!("门类代码“{unknown}”不存在"));
        }
        let degrees: Vec<String> = row
            .text("可授学位")
            .map(|text| text.split('|').map(|degree| degree.trim().to_owned()).collect())
            .unwrap_or_default();
        let value = json!({
            "code": code,
            "name": row.text("专业名称"),
            "level": row.one_of("培养层次", LEVELS).map(NationalLevel::as_str),
            "disciplineCode": discipline,
            "categoryCode": row.text("专业类代码"),
            "category": row.text("专业类名称"),
            "degrees": degrees,
            "year": year,
        });
        let form = match body::check::<NationalMajorForm>(value).and_then(NationalMajorForm::checked) {
            Ok(form) => form,
            Err(error) => {
                refuse(row, &error);
                return None;
            }
        };
        match self.seen.entry((form.code.clone(), form.year)) {
            Entry::Occupied(first) => row.refuse("专业代码", format!("与第{}行重复", first.get())),
            Entry::Vacant(place) => {
                place.insert(row.number());
            }
        }
        row.errors().is_empty().then_some(form)
    }
}

/// Notes the refusal of a form in the cells of its fields; a cell that is wrong already is not told twice.
fn refuse(row: &mut Row, error: &infra::Error) {
    let fields = error.data.as_array().map(Vec::as_slice).unwrap_or_default();
    for field in fields {
        let heading = COLUMNS.iter().find(|(name, _)| field["field"] == *name).map_or("", |(_, heading)| heading);
        if !row.errors().iter().any(|known| known.column == heading) {
            row.refuse(heading, field["message"].as_str().unwrap_or_default());
        }
    }
    if fields.is_empty() {
        row.refuse("", error.msg.to_string());
    }
}

/// Adds or replaces majors by code and edition; answers their numbers in the same order.
async fn put(tx: &mut Tx, forms: &[NationalMajorForm]) -> Result<Vec<i64>> {
    if forms.is_empty() {
        return Ok(Vec::new());
    }
    fn column<'f, T>(forms: &'f [NationalMajorForm], field: impl Fn(&'f NationalMajorForm) -> T) -> Vec<T> {
        forms.iter().map(field).collect()
    }
    let by = tx.by();
    let degrees: Vec<String> = column(forms, |form| form.degrees.join("|"));
    let initials: Vec<String> = column(forms, |form| pinyin::text_initials(&form.name));
    let rows = sqlx::query!(
        "insert into platform.national_major as known (code, name, level, discipline_code, discipline, category_code, category,
             degrees, special, controlled, year, initials, created_by, updated_by)
         select code, name, level, discipline_code, discipline, nullif(category_code, ''), nullif(category, ''),
                case when degrees = '' then '{}' else string_to_array(degrees, '|') end, special, controlled, year, initials, $13, $13
         from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
                     $9::boolean[], $10::boolean[], $11::integer[], $12::text[])
              as line (code, name, level, discipline_code, discipline, category_code, category, degrees, special, controlled,
                       year, initials)
         on conflict (code, year) do update
            set name = excluded.name, level = excluded.level, discipline_code = excluded.discipline_code,
                discipline = excluded.discipline, category_code = excluded.category_code, category = excluded.category,
                degrees = excluded.degrees, initials = excluded.initials,
                enabled = known.enabled or known.checked not in ('confirmed', 'name_seen'), checked = 'confirmed',
                updated_at = now(), updated_by = excluded.updated_by, version = known.version + 1
         returning id, code, year",
        &column(forms, |form| form.code.as_str()) as &[&str],
        &column(forms, |form| form.name.as_str()) as &[&str],
        &column(forms, |form| form.level.as_str()) as &[&str],
        &column(forms, |form| form.discipline_code.as_str()) as &[&str],
        &column(forms, |form| form.discipline_code.zh()) as &[&str],
        &column(forms, |form| form.category_code.as_deref().unwrap_or_default()) as &[&str],
        &column(forms, |form| form.category.as_deref().unwrap_or_default()) as &[&str],
        &degrees,
        &column(forms, |form| national_code_special(&form.code)),
        &column(forms, |form| national_code_controlled(&form.code)),
        &column(forms, |form| form.year),
        &initials,
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    let ids: HashMap<(String, i32), i64> = rows.into_iter().map(|row| ((row.code, row.year), row.id)).collect();
    Ok(forms.iter().filter_map(|form| ids.get(&(form.code.clone(), form.year)).copied()).collect())
}

/// A major as it was. Why its code was not sure is not known any more, only that it was not.
async fn put_back(tx: &mut Tx, former: &NationalMajor) -> Result<()> {
    let by = tx.by();
    sqlx::query!(
        "update platform.national_major set name = $2, level = $3, discipline_code = $4, discipline = $5, category_code = $6,
                category = $7, degrees = $8, initials = $9, enabled = $10,
                checked = case when $11 then 'unchecked' else checked end,
                updated_at = now(), updated_by = $12, version = version + 1
         where id = $1",
        former.id,
        former.name,
        former.level.as_str(),
        former.discipline_code,
        former.discipline,
        former.category_code,
        former.category,
        &former.degrees,
        pinyin::text_initials(&former.name),
        former.enabled,
        former.uncertain,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
