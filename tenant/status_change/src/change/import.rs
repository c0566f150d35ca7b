//! 导入学籍异动: 转班, 退学, 休学 and 复学 of record; all rows or none (02 §10). A row becomes approved, and takes effect when its
//! day has come.
//!
//! Writing a row is its check, so it is written also in a dry run; each part of it is undone at once then, so that nobody waits
//! for a check (it counts the seats of a class part by part). Of each part the students are held first, then the classes that they go to, both in the order of their ids.

use std::collections::HashMap;

use chrono::NaiveDate;
use infra::{
    Allowed, Change, Error, OnConstraint, Reply, Result, Scope, Tx,
    sheet::{InputColumn, Row, Template},
    token::Area,
    transfer::{self, Attachment, Import, ImportAnswer, ImportForm, Imported, SentFile, refuse},
};
use poem_openapi::OpenApi;
use status_change_rules::reason::reason_code;
use student_status::{
    enums::StudentStatus,
    id_card::fold,
    student::{Student, check::NOT_YOURS, correct, transfer::Placement},
};

use super::{
    ChangeReason, ChangeResult, ChangeSource, ChangeStage, ChangeStatus, Changes, FetchChangeSheet, ImportChanges,
    WAIVES,
    checks::{Asked, Circumstances, Settings, look},
    form::{
        Accepted, ChangeTarget, explain_constraint, find_own, in_history, judged, last_effect, may_waive, next_no,
        settled, stored, targets,
    },
    locked,
    revoke::{ChangeRevoke, revoke},
    steps::{Due, note, take_effect, withdraw},
};
use crate::{
    ChangeType,
    batch::{Window, covering},
};

/// Rows of one sheet: all of them are held until the last is written.
const MOST_ROWS: usize = 2_000;

/// Of a change that goes with its sheet.
const UNDONE: &str = "撤销导入";

/// The types that a sheet may name.
const TYPES: &[(&str, ChangeType)] = &[
    ("转班", ChangeType::ClassChange),
    ("退学", ChangeType::Dropout),
    ("休学", ChangeType::Suspension),
    ("复学", ChangeType::Return),
];

/// Fields of a refusal and the headings under which they are typed.
const COLUMNS: &[(&str, &str)] = &[
    ("after.siteId", "目标站点"),
    ("after.classId", "目标班级"),
    ("after.gradeId", "目标年级"),
    ("reasonCode", "原因"),
    ("suspendFrom", "休学起"),
    ("suspendMonths", "休学止"),
    ("effectiveOn", "生效日期"),
];

pub struct ImportChange;

#[OpenApi(prefix_path = "/adult/pc/change", tag = "crate::Tag::StatusChange")]
impl ImportChange {
    /// 导入学籍异动
    #[oai(path = "/import", method = "post", operation_id = "importChanges")]
    async fn import(&self, caller: Allowed<ImportChanges>, form: ImportForm) -> Result<Reply<ImportAnswer>> {
        transfer::import::<ChangeSheet>(&caller, form).await
    }

    /// 学籍异动导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchChangeImportTemplate")]
    async fn template(&self, caller: Allowed<FetchChangeSheet>) -> Result<Attachment> {
        transfer::template::<ChangeSheet, _>(&caller).await
    }
}

/// An import of changes, with what its rows may name.
pub(super) struct ChangeSheet {
    scope: Scope,
    /// For whom the window and 科类 are waived.
    waiver: Option<Scope>,
    settings: Settings,
    dry_run: bool,
    rows: usize,
    /// By type and grade.
    windows: HashMap<(ChangeType, i64), Option<Window>>,
    /// By code and by name, in lower case.
    sites: HashMap<String, i64>,
    grades: HashMap<String, i64>,
    /// By grade and name.
    classes: HashMap<(i64, String), i64>,
    seen: HashMap<i64, u32>,
}

/// A row as it was read.
struct Wanted {
    student: i64,
    own_grade: i64,
    kind: ChangeType,
    site: Option<i64>,
    grade: Option<i64>,
    class: Option<String>,
    reason_code: Option<ChangeReason>,
    reason: String,
    suspend_from: Option<NaiveDate>,
    suspend_months: Option<i32>,
    effective_on: NaiveDate,
    filing_no: Option<String>,
}

impl Import for ChangeSheet {
    const KIND: &'static str = "student_change.import";
    type Permission = ImportChanges;
    const COUNTED: &'static [&'static str] = &["异动类型"];

    const CODES: &'static [(&'static str, &'static str)] = &[("目标站点", "site"), ("目标年级", "grade")];

    fn template() -> Template {
        Template {
            title: "学籍异动",
            columns: vec![
                InputColumn::required("学号", ""),
                InputColumn::required("姓名", "与学籍中的姓名一致"),
                InputColumn::required("异动类型", "").one_of(TYPES.iter().map(|(word, _)| *word)),
                InputColumn::optional("目标站点", "转班到其他站点时填写站点编码或名称"),
                InputColumn::optional("目标班级", "转班和复学填写，目标年级中班级的完整名称"),
                InputColumn::optional("目标年级", "复学填写年级编码或名称，例如 2027级；不填时按休学时间推算"),
                InputColumn::required("原因", "退学和休学填写系统中的原因，例如 本人申请；其他内容记为其他"),
                InputColumn::optional("休学起", "休学填写，例如 2026-09-01；系统中没有休学记录的学生复学时也填写"),
                InputColumn::optional("休学止", "与休学起一同填写，为休学起之后6个月或12个月的前一天，例如 2027-08-31"),
                InputColumn::required("生效日期", "例如 2026-09-01；不晚于今天的立即生效"),
                InputColumn::optional("备案文号", ""),
            ],
        }
    }

    async fn start(tx: &mut Tx, scope: Scope, _into: Option<i64>) -> Result<Self> {
        let sites = sqlx::query!("select id, code, name from site").fetch_all(&mut **tx).await?;
        let grades = sqlx::query!("select id, code, name from grade").fetch_all(&mut **tx).await?;
        let classes = sqlx::query!("select id, grade_id, name from class").fetch_all(&mut **tx).await?;
        let by_words = |rows: Vec<(i64, String, String)>| {
            // A code goes before a name that is spelt like it.
            let mut known: HashMap<String, i64> = rows.iter().map(|(id, code, _)| (code.to_lowercase(), *id)).collect();
            for (id, _, name) in rows {
                known.entry(name.to_lowercase()).or_insert(id);
            }
            known
        };
        Ok(Self {
            scope,
            waiver: None,
            settings: Settings::of_school(tx).await?,
            dry_run: false,
            rows: 0,
            windows: HashMap::new(),
            sites: by_words(sites.into_iter().map(|row| (row.id, row.code, row.name)).collect()),
            grades: by_words(grades.into_iter().map(|row| (row.id, row.code, row.name)).collect()),
            classes: classes.into_iter().map(|row| ((row.grade_id, row.name), row.id)).collect(),
            seen: HashMap::new(),
        })
    }

    /// The waiver is that of this moment: a job may begin long after the file was sent.
    async fn begin(&mut self, tx: &mut Tx, sent: &SentFile<'_>) -> Result<()> {
        let rights = tx.app().rights(tx.actor().id, Area::School, sent.school).await?;
        self.waiver = rights.get(WAIVES).cloned();
        self.dry_run = sent.dry_run;
        Ok(())
    }

    async fn rows(&mut self, tx: &mut Tx, rows: &mut [Row], _write: bool) -> Result<Vec<Change>> {
        self.rows += rows.len();
        if self.rows > MOST_ROWS {
            return Err(Error::field("file", format!("一次最多导入{MOST_ROWS}行学籍异动，请分成几个文件导入")));
        }
        if !self.dry_run {
            return self.part(tx, rows).await;
        }
        // Around the points of the rows, which have ended when this one is gone back to; what was held is free then.
        tx.savepoint().await?;
        self.part(tx, rows).await?;
        tx.row_failed(Error::conflict("检查完毕")).await?;
        Ok(Vec::new())
    }

    /// What is approved for a later day is withdrawn, what has taken effect is taken back as by 撤销. The change stays under its
    /// number as 已撤回 or 已撤销.
    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        let found = find_own(tx, record.id, scope).await?;
        if found.status == ChangeStatus::Executed {
            let wanted = ChangeRevoke { id: found.id, version: found.version, remark: Some(UNDONE.to_owned()) };
            return revoke(tx, &wanted, scope).await.map(Some);
        }
        withdraw(tx, &found, UNDONE, scope).await.map(Some)
    }

    async fn named(tx: &mut Tx, record: &Imported) -> Result<String> {
        let name = sqlx::query_scalar!(
            r#"select s.name as "name!" from student_change c join student s on s.id = c.student_id where c.id = $1"#,
            record.id
        )
        .fetch_optional(&mut **tx)
        .await?;
        Ok(name.unwrap_or_default())
    }
}

impl ChangeSheet {
    /// Writes some rows; what is wrong with one stands on it.
    async fn part(&mut self, tx: &mut Tx, rows: &mut [Row]) -> Result<Vec<Change>> {
        let students = students(tx, rows).await?;
        let read: Vec<Option<Wanted>> = rows.iter_mut().map(|row| self.read(row, &students)).collect();
        self.hold_classes(tx, &read).await?;
        let mut changes = Vec::with_capacity(rows.len());
        for (row, wanted) in rows.iter_mut().zip(read) {
            let Some(wanted) = wanted else { continue };
            tx.savepoint().await?;
            match self.write(tx, wanted).await {
                Ok(change) => {
                    tx.row_done().await?;
                    changes.push(change);
                }
                Err(error) => {
                    tx.row_failed(error.clone()).await?;
                    refuse(row, COLUMNS, &error);
                }
            }
        }
        Ok(changes)
    }

    /// Holds the classes that the rows may go to, in the order of their ids; of a return without a grade those of that name in
    /// every grade, because its grade follows only later.
    async fn hold_classes(&self, tx: &mut Tx, read: &[Option<Wanted>]) -> Result<()> {
        let mut ids: Vec<i64> = Vec::new();
        for wanted in read.iter().flatten() {
            let Some(name) = &wanted.class else { continue };
            if wanted.kind == ChangeType::Return && wanted.grade.is_none() {
                ids.extend(self.classes.iter().filter(|((_, other), _)| other == name).map(|(_, id)| *id));
            } else {
                let place = (wanted.grade.unwrap_or(wanted.own_grade), name.clone());
                ids.extend(self.classes.get(&place));
            }
        }
        classes::class::seats_of_classes(tx, &ids).await?;
        Ok(())
    }

    /// The window of a type and a grade, looked for once.
    async fn window(&mut self, tx: &mut Tx, of: (ChangeType, i64)) -> Result<Option<Window>> {
        if let Some(known) = self.windows.get(&of) {
            return Ok(known.clone());
        }
        let now = tx.app().clock().now();
        let found = covering(tx, of, false, now).await?;
        self.windows.insert(of, found.clone());
        Ok(found)
    }
}

/// A student that a row names.
struct Known {
    id: i64,
    name: String,
    grade_id: i64,
    site_id: i64,
    class_id: Option<i64>,
}

/// The students whom the rows name, by number; all of them held, in the order of their ids.
async fn students(tx: &mut Tx, rows: &mut [Row]) -> Result<HashMap<String, Known>> {
    let numbers: Vec<String> = rows.iter().filter_map(|row| row.peek("学号")).map(|number| fold(&number)).collect();
    let found = sqlx::query!(
        r#"select id, student_no as "student_no!", name, grade_id, site_id, class_id from student
           where student_no = any($1) order by id for update"#,
        &numbers
    )
    .fetch_all(&mut **tx)
    .await?;
    let known = |id, name, grade_id, site_id, class_id| Known { id, name, grade_id, site_id, class_id };
    Ok(found
        .into_iter()
        .map(|row| (row.student_no, known(row.id, row.name, row.grade_id, row.site_id, row.class_id)))
        .collect())
}

impl ChangeSheet {
    /// What the row asks for; none, with the reasons on the row, when it is wrong.
    fn read(&mut self, row: &mut Row, students: &HashMap<String, Known>) -> Option<Wanted> {
        let (number, name) = (fold(&row.required("学号")), row.required("姓名"));
        let kind = row.one_of("异动类型", TYPES);
        let (reason, effective_on) = (row.required("原因"), row.date("生效日期"));
        let site = referred(row, "目标站点", &self.sites);
        let grade = referred(row, "目标年级", &self.grades);
        let (class, filing_no) = (row.text("目标班级"), row.text("备案文号"));
        let (from, until) = (row.date("休学起"), row.date("休学止"));
        let student = match students.get(&number) {
            Some(student) => Some(student),
            None if number.is_empty() => None,
            None => {
                row.refuse("学号", "没有该学号的学生");
                None
            }
        };
        if let Some(student) = student {
            if !self.scope.sees(Some(student.site_id), student.class_id) {
                row.refuse("", NOT_YOURS);
                return None;
            }
            if student.name != name && !name.is_empty() {
                row.refuse("姓名", "与学籍中的姓名不一致");
            }
            let first = *self.seen.entry(student.id).or_insert(row.number());
            if first != row.number() {
                row.refuse("", format!("与第{first}行是同一名学生"));
            }
        }
        let length = reason.chars().count();
        if length > 500 || length == 1 {
            row.refuse("原因", "应为2至500个字符");
        }
        if filing_no.as_deref().is_some_and(|no| no.chars().count() > 50) {
            row.refuse("备案文号", "不能超过50个字符");
        }
        let kind = kind?;
        let suspend_months = match (kind, from, until) {
            (ChangeType::Suspension | ChangeType::Return, Some(from), Some(until)) => {
                let months =
                    [6, 12].into_iter().find(|months| super::rules::suspended_until(from, *months) == Some(until));
                if months.is_none() {
                    row.refuse("休学止", "应为休学起之后6个月或12个月的前一天");
                }
                months
            }
            (ChangeType::Suspension, _, None) => {
                row.refuse("休学止", "休学须填写休学止");
                None
            }
            _ => None,
        };
        if !row.errors().is_empty() {
            return None;
        }
        Some(Wanted {
            student: student?.id,
            own_grade: student?.grade_id,
            kind,
            site,
            grade,
            class,
            reason_code: reason_code(kind, &reason),
            reason,
            suspend_from: from.filter(|_| kind == ChangeType::Suspension),
            suspend_months,
            effective_on: effective_on?,
            filing_no,
        })
    }

    /// The way of an application that everybody has agreed to.
    ///
    /// # Errors
    /// 422 at what names a site beyond the scope: nobody there is asked, so only who may act for both moves students between them.
    async fn write(&mut self, tx: &mut Tx, wanted: Wanted) -> Result<Change> {
        let (now, today) = (tx.app().clock().now(), tx.app().clock().today());
        let student = correct::hold(tx, wanted.student, &self.scope).await?;
        let window = self.window(tx, (wanted.kind, student.grade_id)).await?;
        let asked = self.asked(tx, &student, &wanted).await?;
        if let Some(site) = asked.target.site_id.filter(|site| *site != student.site_id)
            && !self.scope.sees(Some(site), asked.target.class_id)
        {
            return Err(Error::field("after.siteId", NOT_YOURS));
        }
        let may_be_waived = may_waive(self.waiver.as_ref(), &student);
        let mut looked = look(tx, &student, &asked, self.circumstances(&student, today)).await?;
        let (window, outside) = match judged(window, (asked.kind, student.grade_id), (false, may_be_waived)) {
            Ok(Accepted { window, waived }) => (window, waived),
            Err(closed) => {
                looked.reasons.insert(0, closed.to_owned());
                (None, false)
            }
        };
        let waived = outside || looked.waived;
        let planned = settled(looked)?;
        let last = last_effect(tx, student.id).await?;
        in_history(&student, last, wanted.effective_on).map_err(|why| Error::field("effectiveOn", why))?;
        let change_no = next_no(tx, today).await?;
        let before = Placement::of(&student);
        let [major, site, class] = targets(&before, &planned.after);
        let by = tx.by();
        let id = sqlx::query_scalar!(
            "insert into student_change (change_no, change_batch_id, student_id, type, status, before, after, target_major_id,
                 target_site_id, target_class_id, reason_code, reason, suspend_from, suspend_until, suspend_months,
                 effective_on, filing_no, source, applicant_name, waived, submitted_at, moved_at, created_by, updated_by)
             values ($1, $2, $3, $4, 'approved', $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $20,
                     $21, $21) returning id",
            change_no,
            window.map(|window| window.id),
            student.id,
            asked.kind.as_str(),
            stored(&before),
            stored(&planned.after),
            major,
            site,
            class,
            asked.reason_code.map(ChangeReason::as_str),
            wanted.reason,
            asked.suspend_from,
            planned.suspend_until,
            planned.months,
            wanted.effective_on,
            wanted.filing_no,
            ChangeSource::Import.as_str(),
            student.name,
            waived,
            now,
            by
        )
        .fetch_one(&mut **tx)
        .await
        .on_constraint(explain_constraint)?;
        note(tx, id, ChangeStage::Submit, None, None).await?;
        note(tx, id, ChangeStage::School, Some(ChangeResult::Pass), None).await?;
        if wanted.effective_on <= today {
            let change = locked(tx, id, &Scope::whole_school()).await?;
            let due = Due { renumber: false, effective_on: wanted.effective_on };
            take_effect(tx, &student, &change, &planned, due).await?;
        }
        let after = Changes::find(tx, id, &Scope::whole_school()).await?;
        debug_assert!(matches!(after.status, ChangeStatus::Approved | ChangeStatus::Executed));
        Ok(Change::created("student_change", id, &after))
    }

    fn circumstances(&self, student: &Student, today: NaiveDate) -> Circumstances<'_> {
        Circumstances {
            on: today,
            waived: may_waive(self.waiver.as_ref(), student),
            but: None,
            told_to: Some(&self.scope),
            settings: Some(&self.settings),
        }
    }

    /// The row with its class, which is named within its grade. Who is 超学制 withdraws for that, whatever the sheet says.
    async fn asked(&self, tx: &mut Tx, student: &Student, wanted: &Wanted) -> Result<Asked> {
        let mut asked = Asked {
            kind: wanted.kind,
            target: ChangeTarget { grade_id: wanted.grade, site_id: wanted.site, ..ChangeTarget::default() },
            reason_code: match (wanted.kind, student.status) {
                (ChangeType::Dropout, StudentStatus::Expired) => Some(ChangeReason::ExceedYears),
                _ => wanted.reason_code,
            },
            suspend_from: wanted.suspend_from,
            suspend_months: wanted.suspend_months,
        };
        if let Some(name) = &wanted.class {
            let mut grade = wanted.grade.unwrap_or(student.grade_id);
            if wanted.kind == ChangeType::Return && wanted.grade.is_none() {
                // The grade follows from the length of the suspension.
                let today = tx.app().clock().today();
                let planned = look(tx, student, &asked, self.circumstances(student, today)).await?.planned;
                grade = planned.map_or(grade, |planned| planned.after.grade_id);
            }
            let class = self.classes.get(&(grade, name.clone()));
            let missing = || Error::field("after.classId", format!("目标年级没有班级“{name}”"));
            asked.target.class_id = Some(*class.ok_or_else(missing)?);
        }
        Ok(asked)
    }
}

/// The id behind a code or a name; one that nothing has is refused on the row.
fn referred(row: &mut Row, heading: &str, known: &HashMap<String, i64>) -> Option<i64> {
    let text = row.text(heading)?;
    let found = known.get(&text.to_lowercase()).copied();
    if found.is_none() {
        row.refuse(heading, format!("没有“{text}”，请核对"));
    }
    found
}
