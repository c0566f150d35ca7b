//! 导入计划: numbers that the school decided itself, for many sites at once. They stand as approved.
//!
//! A sheet may take from one site what it gives to another, in whichever order its rows stand: what is left of a major is
//! judged behind the last row.

use std::collections::{BTreeMap, HashMap, HashSet};

use infra::{
    Allowed, Change, Error, OnConstraint, Reply, Result, Scope, Tx,
    naming::{Codes, referred},
    sheet::{InputColumn, Row, RowError, Template},
    transfer::{self, Attachment, Finished, ImportAnswer, ImportForm, Imported, RowDifference},
};
use majors::major::{self, KnownMajor, StudyForm};
use poem_openapi::{
    Multipart, OpenApi,
    types::{ToJSON, multipart::Upload},
};
use serde_json::json;
use student_status::student::check::NOT_YOURS;
use units::site::{self, KnownSite};

use super::{
    FetchSiteEnrollmentSheet, ImportSiteEnrollments, SiteEnrollmentStatus,
    form::explain_constraint,
    grant::{self, Held},
    undo::{self, Granted, changed},
};
use crate::{Level, batch::running};

/// The multipart body of the import.
#[derive(Debug, Multipart)]
#[oai(rename_all = "camelCase")]
pub struct SiteEnrollmentImportForm {
    /// 招生批次
    pub batch_id: i64,
    /// 文件
    pub file: Upload,
    /// 仅检查
    pub dry_run: Option<bool>,
    /// 检查时文件的摘要
    /// 仅检查时应答的 sha256；与本次文件不同时拒绝导入
    pub sha256: Option<String>,
}

pub struct PlanImport;

#[OpenApi(prefix_path = "/adult/pc/siteEnrollment", tag = "crate::Tag::Enrolment")]
impl PlanImport {
    /// 站点招生导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchSiteEnrollmentImportTemplate")]
    async fn template(&self, caller: Allowed<FetchSiteEnrollmentSheet>) -> Result<Attachment> {
        transfer::template::<PlanSheet, _>(&caller).await
    }

    /// 导入站点招生
    ///
    /// 站点没有申报时新增一份已核定的；已核定的按表修改，待核定的须先核定或删除。
    #[oai(path = "/import", method = "post", operation_id = "importSiteEnrollments")]
    async fn import(
        &self,
        caller: Allowed<ImportSiteEnrollments>,
        form: SiteEnrollmentImportForm,
    ) -> Result<Reply<ImportAnswer>> {
        let SiteEnrollmentImportForm { batch_id, file, dry_run, sha256 } = form;
        let form = ImportForm { file, dry_run, sha256 };
        transfer::import_into::<PlanSheet>(&caller, form, Some(batch_id)).await
    }
}

/// What of the batch a site has.
struct Known {
    id: i64,
    status: SiteEnrollmentStatus,
}

/// How full a site would be.
struct Places {
    name: String,
    capacity: i32,
    students: i64,
    granted: i64,
}

/// What must come before a sheet may grant a site anything; none for a plan that stands.
fn before_import(status: SiteEnrollmentStatus) -> Option<&'static str> {
    match status {
        SiteEnrollmentStatus::Approved => None,
        SiteEnrollmentStatus::Draft => Some("为草稿，请先提交并核定，或删除后再导入"),
        SiteEnrollmentStatus::Submitted => Some("为待审核，请先核定"),
        SiteEnrollmentStatus::Rejected => Some("已退回，请站点修改并提交、核定后再导入"),
    }
}

/// A row that is right by itself.
struct Line {
    row: u32,
    site: i64,
    major: i64,
    /// What the site was granted before; none when it was not.
    had: Option<i32>,
    granted: i32,
}

impl Line {
    fn before(&self) -> Option<Granted> {
        self.had.map(|had| Granted { enrollment_major_id: self.major, quota_approved: had })
    }

    fn now(&self) -> Granted {
        Granted { enrollment_major_id: self.major, quota_approved: self.granted }
    }
}

/// The column of what is granted.
const GRANTED: &str = "核定人数";

/// One import: what its rows refer to, and what they grant.
pub(crate) struct PlanSheet {
    batch: i64,
    scope: Scope,
    /// By site, with what it has of the batch.
    places: HashMap<i64, Places>,
    sites: Codes<KnownSite>,
    majors: Codes<KnownMajor>,
    levels: HashMap<String, Level>,
    /// The batch's majors, by the school's.
    offered: HashMap<i64, i64>,
    held: HashMap<i64, Held>,
    plans: HashMap<i64, Known>,
    /// What plans were granted before, by site and major of the batch.
    before: HashMap<(i64, i64), i32>,
    /// How many people were admitted, by site and major of the batch.
    admitted: HashMap<(i64, i64), i64>,
    seen: HashMap<(i64, i64), u32>,
    lines: Vec<Line>,
    differences: Vec<RowDifference>,
}

impl transfer::Import for PlanSheet {
    const KIND: &'static str = "site_enrollment.import";
    type Permission = ImportSiteEnrollments;

    const CODES: &'static [(&'static str, &'static str)] =
        &[("站点编码", "site"), ("层次", "level"), ("专业代码", "major")];

    fn template() -> Template {
        Template {
            title: "站点招生计划",
            columns: vec![
                InputColumn::required("站点编码", ""),
                InputColumn::required("层次", "名称或编码"),
                InputColumn::required("专业代码", "学校专业中的代码"),
                InputColumn::required("学习形式", "").one_of(StudyForm::CHOICES.iter().map(|(word, _)| *word)),
                InputColumn::required(GRANTED, "0至9999"),
            ],
        }
    }

    async fn start(tx: &mut Tx, scope: Scope, into: Option<i64>) -> Result<Self> {
        let batch = into.ok_or_else(|| Error::field("batchId", "请选择招生批次"))?;
        running(tx, batch).await?;
        // Plans, then majors: as whoever grants holds them.
        let plans = sqlx::query!(
            r#"select id, site_id, status as "status: SiteEnrollmentStatus" from site_enrollment where batch_id = $1
               order by id for update"#,
            batch
        )
        .fetch_all(&mut **tx)
        .await?;
        let offered = sqlx::query!("select id, major_id from enrollment_major where batch_id = $1", batch)
            .fetch_all(&mut **tx)
            .await?;
        let ids: Vec<i64> = offered.iter().map(|row| row.id).collect();
        let held = grant::hold(tx, &ids, None).await?;
        let before = sqlx::query!(
            r#"select p.site_id, n.enrollment_major_id, n.quota_approved as "granted!"
               from site_enrollment_line n join site_enrollment p on p.id = n.site_enrollment_id
               where n.batch_id = $1 and n.quota_approved is not null"#,
            batch
        )
        .fetch_all(&mut **tx)
        .await?;
        // Whoever takes places holds the majors too.
        let admitted = sqlx::query!(
            r#"select enrollment_major_id, site_id as "site_id!", count(*) as "people!" from admission
               where enrollment_major_id = any($1) and site_id is not null and status in ('assigned', 'audited')
                 and deleted_at is null
               group by enrollment_major_id, site_id"#,
            &ids
        )
        .fetch_all(&mut **tx)
        .await?;
        let sites = sqlx::query!(
            r#"select s.id, s.name, s.capacity, coalesce(n.students, 0) as "students!" from site s
               left join (select site_id, count(*) as students from student where active group by site_id) n on n.site_id = s.id"#
        )
        .fetch_all(&mut **tx)
        .await?;
        let mut places: HashMap<i64, Places> = sites
            .into_iter()
            .map(|row| {
                let places = Places { name: row.name, capacity: row.capacity, students: row.students, granted: 0 };
                (row.id, places)
            })
            .collect();
        for row in &before {
            if let Some(places) = places.get_mut(&row.site_id) {
                places.granted += i64::from(row.granted);
            }
        }
        Ok(Self {
            batch,
            sites: site::by_code(tx, &scope).await?,
            scope,
            places,
            majors: major::by_code(tx).await?,
            levels: crate::levels(tx).await?,
            offered: offered.into_iter().map(|row| (row.major_id, row.id)).collect(),
            held,
            plans: plans.into_iter().map(|row| (row.site_id, Known { id: row.id, status: row.status })).collect(),
            before: before.into_iter().map(|row| ((row.site_id, row.enrollment_major_id), row.granted)).collect(),
            admitted: admitted.into_iter().map(|row| ((row.site_id, row.enrollment_major_id), row.people)).collect(),
            seen: HashMap::new(),
            lines: Vec::new(),
            differences: Vec::new(),
        })
    }

    async fn rows(&mut self, _tx: &mut Tx, rows: &mut [Row], _write: bool) -> Result<Vec<Change>> {
        for row in rows {
            if let Some(line) = self.line(row) {
                self.lines.push(line);
            }
        }
        Ok(Vec::new())
    }

    async fn finish(&mut self, tx: &mut Tx, write: bool) -> Result<Finished> {
        let lines = std::mem::take(&mut self.lines);
        // What the sheet replaces is free before any of it is granted again.
        for line in &lines {
            self.take_back(line);
        }
        let mut finished = Finished { errors: self.grant(&lines), warnings: self.crowded(&lines), changes: Vec::new() };
        if write && finished.errors.is_empty() {
            finished.changes = self.write(tx, lines).await?;
        }
        Ok(finished)
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

impl PlanSheet {
    /// What the row grants; none, with the reasons on the row, when it is wrong.
    fn line(&mut self, row: &mut Row) -> Option<Line> {
        let site = referred(row, "站点编码", &self.sites).cloned();
        let major = crate::major_of(row, &self.levels, &self.majors).map(|(major, _)| major);
        let wanted = row.integer(GRANTED);
        let granted = wanted.and_then(|wanted| i32::try_from(wanted).ok()).filter(|wanted| (0..=9999).contains(wanted));
        if wanted.is_some() && granted.is_none() {
            row.refuse(GRANTED, "应在0到9999之间");
        }
        let (site, major, granted) = (site?, major?, granted?);
        if !self.scope.sees(Some(site.id), None) {
            row.refuse("站点编码", NOT_YOURS);
            return None;
        }
        let plan = self.plans.get(&site.id);
        if let Some(wait) = plan.and_then(|plan| before_import(plan.status)) {
            row.refuse("站点编码", format!("“{}”的申报{wait}", site.name));
        } else if plan.is_none()
            && let Err(error) = site.enrols("siteId")
        {
            transfer::refuse(row, &[("siteId", "站点编码")], &error);
        }
        let Some(offered) = self.offered.get(&major.id).copied() else {
            row.refuse("专业代码", format!("“{}”不在本批次的招生专业中", major.name));
            return None;
        };
        let first = *self.seen.entry((site.id, offered)).or_insert(row.number());
        if first != row.number() {
            row.refuse("专业代码", format!("与第{first}行站点和专业重复"));
        }
        let held = self.held.get(&offered)?;
        if granted > 0 && !held.enabled {
            row.refuse("专业代码", format!("“{}”已停用，不能核定人数", held.name));
        }
        // What the school decided anew for a site that stands; what was beyond it before is the authority's.
        let admitted = self.admitted.get(&(site.id, offered)).copied().unwrap_or(0);
        if self.before.contains_key(&(site.id, offered)) && i64::from(granted) < admitted {
            row.refuse(GRANTED, format!("已有{admitted}名录取学生，不能低于该数"));
        }
        if !row.errors().is_empty() {
            return None;
        }
        let had = self.before.get(&(site.id, offered)).copied();
        let line = Line { row: row.number(), site: site.id, major: offered, had, granted };
        self.differences.extend(self.difference(&line, format!("{} {}", site.name, held.name)));
        Some(line)
    }

    /// How the row differs from what the site was granted; a line without a column for what it had not.
    fn difference(&self, line: &Line, name: String) -> Option<RowDifference> {
        let (column, before, after) = match self.before.get(&(line.site, line.major)) {
            None => ("", String::new(), String::new()),
            Some(before) if *before == line.granted => return None,
            Some(before) => (GRANTED, before.to_string(), line.granted.to_string()),
        };
        Some(RowDifference { row: line.row, name, column: column.to_owned(), before, after })
    }

    /// Gives back what the site had of the major.
    fn take_back(&mut self, line: &Line) {
        let had = i64::from(self.before.remove(&(line.site, line.major)).unwrap_or(0));
        if let Some(held) = self.held.get_mut(&line.major) {
            held.granted -= had;
        }
        if let Some(places) = self.places.get_mut(&line.site) {
            places.granted -= had;
        }
    }

    /// Takes the numbers from what is left of the majors. Where it is too much the first row that exceeds says so.
    fn grant(&mut self, lines: &[Line]) -> Vec<RowError> {
        let (mut errors, mut exceeded) = (Vec::new(), HashSet::new());
        for line in lines {
            let Some(held) = self.held.get_mut(&line.major) else { continue };
            match held.grant(line.granted.into()) {
                Err(refused) if exceeded.insert(line.major) => {
                    errors.push(RowError { row: line.row, column: GRANTED.to_owned(), message: refused.to_string() });
                }
                Err(_) => {}
                Ok(()) => {
                    if let Some(places) = self.places.get_mut(&line.site) {
                        places.granted += i64::from(line.granted);
                    }
                }
            }
        }
        errors
    }

    /// Sites that would be over their capacity with all that the sheet grants them, each at its last row.
    fn crowded(&self, lines: &[Line]) -> Vec<RowError> {
        let last: HashMap<i64, u32> = lines.iter().map(|line| (line.site, line.row)).collect();
        let over = |(site, row): (i64, u32)| {
            let places = self.places.get(&site)?;
            let over = grant::over_capacity(places.capacity, places.students, places.granted)?;
            Some(RowError { row, column: GRANTED.to_owned(), message: format!("“{}”{over}", places.name) })
        };
        last.into_iter().filter_map(over).collect()
    }

    /// What sites gave back comes before what was granted of it: undone the last first, everybody finds room.
    async fn write(&mut self, tx: &mut Tx, lines: Vec<Line>) -> Result<Vec<Change>> {
        let mut of_sites: BTreeMap<i64, Vec<Line>> = BTreeMap::new();
        for line in lines {
            of_sites.entry(line.site).or_default().push(line);
        }
        let (mut changes, mut granted) = (Vec::with_capacity(of_sites.len()), Vec::with_capacity(of_sites.len()));
        for (site, lines) in of_sites {
            let new = !self.plans.contains_key(&site);
            let id = self.plan(tx, site).await?;
            set(tx, self.batch, id, &lines).await?;
            if new {
                let lines: Vec<Granted> = lines.iter().map(Line::now).collect();
                let status = SiteEnrollmentStatus::Approved.as_str();
                let what = json!({ "batchId": self.batch, "siteId": site, "status": status, "lines": lines.to_json() });
                granted.push(Change::created("site_enrollment", id, &what));
                continue;
            }
            let differ = lines.iter().filter(|line| line.had != Some(line.granted));
            let (less, more): (Vec<&Line>, Vec<&Line>) =
                differ.partition(|line| line.had.is_some_and(|had| line.granted < had));
            let told = |lines: &[&Line]| {
                let before = lines.iter().filter_map(|line| line.before()).collect();
                changed(id, before, lines.iter().map(|line| line.now()).collect())
            };
            if !less.is_empty() {
                changes.push(told(&less));
            }
            if !more.is_empty() || less.is_empty() {
                granted.push(told(&more));
            }
        }
        changes.append(&mut granted);
        Ok(changes)
    }

    /// The site's plan; a new one is approved from the beginning.
    async fn plan(&mut self, tx: &mut Tx, site: i64) -> Result<i64> {
        let (by, now) = (tx.by(), tx.app().clock().now());
        if let Some(known) = self.plans.get(&site) {
            sqlx::query!(
                "update site_enrollment set reviewed_by = $2, reviewed_at = $3, updated_at = now(), updated_by = $2,
                        version = version + 1 where id = $1",
                known.id,
                by,
                now
            )
            .execute(&mut **tx)
            .await?;
            return Ok(known.id);
        }
        let id = sqlx::query_scalar!(
            "insert into site_enrollment (batch_id, site_id, status, submitted_at, reviewed_by, reviewed_at, created_by, updated_by)
             values ($1, $2, 'approved', $3, $4, $3, $4, $4) returning id",
            self.batch,
            site,
            now,
            by
        )
        .fetch_one(&mut **tx)
        .await
        .on_constraint(explain_constraint)?;
        self.plans.insert(site, Known { id, status: SiteEnrollmentStatus::Approved });
        Ok(id)
    }
}

async fn set(tx: &mut Tx, batch: i64, plan: i64, lines: &[Line]) -> Result<()> {
    let majors: Vec<i64> = lines.iter().map(|line| line.major).collect();
    let granted: Vec<i32> = lines.iter().map(|line| line.granted).collect();
    // What nobody applied for counts as applied for; at least one person is.
    sqlx::query!(
        "insert into site_enrollment_line (site_enrollment_id, batch_id, enrollment_major_id, quota_applied, quota_approved)
         select $1, $2, w.major, greatest(w.granted, 1), w.granted from unnest($3::bigint[], $4::integer[]) as w (major, granted)
         on conflict on constraint site_enrollment_line_major_taken do update set quota_approved = excluded.quota_approved",
        plan,
        batch,
        &majors,
        &granted
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
