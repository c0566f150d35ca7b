//! 导入: many plans in one sheet, or the courses of one. A grade and major without a version that is worked on gets a draft; one
//! that has a draft is filled, in addition to what it has or instead of it (part 03 B1).
//!
//! The rows of a plan may stand anywhere in the sheet; they are written together behind the last row, each plan with one record in
//! the trail, so that an undo puts the whole of it back.

use std::{
    collections::{BTreeMap, HashMap},
    marker::PhantomData,
};

use calendar::grade::{self, KnownGrade};
use courses::course::{AssessMode, ExamForm};
use infra::{
    Allowed, Change, Error, Reply, Result, Scope, Tx,
    access::{MayWrite, Permission},
    naming::{Codes, is_switched_off, referred, tidy},
    sheet::{InputColumn, Row, RowError, Template},
    transfer::{self, Attachment, EffectCount, Finished, Import, ImportAnswer, ImportForm, Imported, SentFile, refuse},
};
use poem_openapi::{
    Multipart, OpenApi,
    types::{ParseFromJSON, ToJSON, multipart::Upload},
};
use serde_json::{Value, json};
use teaching_plan_rules::head::Required;

use super::{
    FetchPlanSheet, Held, ImportPlans,
    content::{ContentCourse, ContentGroup, PlanContent, clear, content_of, put},
    form::{MOST_TERMS, NewPlan, Place, insert_row, touch},
    held,
    import_known::{OfMajor, Open, library, limits, majors, open},
    known, remove,
    select::told,
};
use crate::{
    course::{Base, MOST_COURSES, MOST_GROUPS, PlanCourseForm, Settled},
    credit::{is_half, points, shown, tenths},
    enums::{CourseNature, PlanFillMode, PlanStatus},
};

/// The multipart body of the import of many plans.
#[derive(Debug, Multipart)]
#[oai(rename_all = "camelCase")]
pub struct PlanImportForm {
    /// 文件
    pub file: Upload,
    /// 仅检查
    pub dry_run: Option<bool>,
    /// 检查时文件的摘要
    pub sha256: Option<String>,
    /// 导入方式
    /// append追加到已有草稿，replace覆盖已有草稿的课程
    pub mode: Option<String>,
}

/// What kind of sheet: of many plans, or of one.
pub(crate) trait Kind: Send + 'static {
    const KIND: &'static str;
    type Permission: Permission<Mode: MayWrite>;
    /// Whether the plan is chosen beside the sheet.
    const ONE: bool;
    const TITLE: &'static str;
}

pub(crate) enum ManyPlans {}
pub(crate) enum OnePlan {}

impl Kind for ManyPlans {
    const KIND: &'static str = "teaching_plan.import";
    type Permission = ImportPlans;
    const ONE: bool = false;
    const TITLE: &'static str = "教学计划";
}

impl Kind for OnePlan {
    const KIND: &'static str = "plan_course.import";
    type Permission = crate::course::ImportPlanCourses;
    const ONE: bool = true;
    const TITLE: &'static str = "计划课程";
}

pub struct Imports;

#[OpenApi(prefix_path = "/adult/pc/teachingPlan", tag = "crate::Tag::TeachingPlan")]
impl Imports {
    /// 教学计划导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchTeachingPlanImportTemplate")]
    async fn template(&self, caller: Allowed<FetchPlanSheet>) -> Result<Attachment> {
        transfer::template::<PlanSheet<ManyPlans>, _>(&caller).await
    }

    /// 导入教学计划
    /// 一张表可有多个年级专业；没有草稿的新增一个，已有草稿的按导入方式处理
    #[oai(path = "/import", method = "post", operation_id = "importTeachingPlans")]
    async fn import(&self, caller: Allowed<ImportPlans>, form: PlanImportForm) -> Result<Reply<ImportAnswer>> {
        let PlanImportForm { file, dry_run, sha256, mode } = form;
        let more = mode_of(mode.as_deref())?;
        transfer::import_with::<PlanSheet<ManyPlans>>(&caller, ImportForm { file, dry_run, sha256 }, None, more).await
    }
}

/// What is said beside the sheet.
///
/// # Errors
/// 422 at `mode`.
pub(crate) fn mode_of(mode: Option<&str>) -> Result<Value> {
    let mode = mode.unwrap_or(PlanFillMode::Append.as_str());
    match PlanFillMode::parse(mode) {
        Some(mode) => Ok(json!({ "mode": mode.as_str() })),
        None => Err(Error::field("mode", "导入方式取值无效，请重新选择")),
    }
}

const GRADE: &str = "年级编码";
const MAJOR: &str = "校内专业代码";
const COURSE: &str = "课程代码";
const NATURE: &str = "课程性质";
const GROUP: &str = "选修组";
const GROUP_CREDITS: &str = "选修组最低学分";
const TERM: &str = "开课学期";
const CREDITS: &str = "学分";
const REMARK: &str = "备注";
const HOURS: [&str; 4] = ["面授学时", "线上学时", "实践学时", "自学学时"];
const YES_NO: &[(&str, bool)] = &[("是", true), ("否", false)];
/// Fields of a course's form and where they are typed.
const COLUMNS: &[(&str, &str)] = &[
    ("courseId", COURSE),
    ("nature", NATURE),
    ("electiveGroupId", GROUP),
    ("termNo", TERM),
    ("credits", CREDITS),
    ("lectureHours", HOURS[0]),
    ("onlineHours", HOURS[1]),
    ("practiceHours", HOURS[2]),
    ("selfStudyHours", HOURS[3]),
    ("remark", REMARK),
];

/// What the sheet puts into one plan.
#[derive(Debug, Default)]
struct Target {
    courses: Vec<ContentCourse>,
    groups: Vec<ContentGroup>,
    /// Which row brought a course first.
    seen: HashMap<i64, u32>,
    /// Which row said first how many credits of a group are chosen.
    said: HashMap<String, u32>,
    /// Its first row in the sheet.
    first: u32,
}

/// One import: what its rows refer to, and what they put where.
pub(crate) struct PlanSheet<K> {
    grades: Codes<KnownGrade>,
    majors: Codes<OfMajor>,
    courses: Codes<Base>,
    open: HashMap<(i64, i64), Open>,
    /// Of a sheet of one plan: its grade and major.
    only: Option<(i64, i64)>,
    /// Terms of a new plan of a major.
    terms: HashMap<i64, i32>,
    limits: HashMap<i64, (i32, i32)>,
    mode: PlanFillMode,
    targets: BTreeMap<(i64, i64), Target>,
    made: i64,
    filled: i64,
    kind: PhantomData<fn() -> K>,
}

impl<K: Kind> Import for PlanSheet<K> {
    const KIND: &'static str = K::KIND;
    type Permission = K::Permission;
    const COUNTED: &'static [&'static str] = if K::ONE { &[] } else { &[GRADE] };

    const CODES: &'static [(&'static str, &'static str)] = &[(GRADE, "grade"), (MAJOR, "major"), (COURSE, "course")];

    fn template() -> Template {
        let of_many =
            [InputColumn::required(GRADE, "年级管理中的编码"), InputColumn::required(MAJOR, "学校专业中的代码")];
        let mut columns: Vec<InputColumn> = if K::ONE { Vec::new() } else { of_many.into_iter().collect() };
        columns.extend([
            InputColumn::required(COURSE, "院校课程中的代码，须已启用"),
            InputColumn::required(NATURE, "").one_of(CourseNature::CHOICES.iter().map(|(word, _)| *word)),
            InputColumn::optional(GROUP, "限选、任选课程必填；同名的为同一组"),
            InputColumn::optional(GROUP_CREDITS, "0.5的倍数；新的选修组至少在一行填写"),
            InputColumn::required(TERM, "第几学期，整数"),
            InputColumn::optional(CREDITS, "0.5至30，0.5的倍数；不填时取课程的"),
            InputColumn::optional(HOURS[0], "整数；不填时取课程的"),
            InputColumn::optional(HOURS[1], "整数；不填时取课程的"),
            InputColumn::optional(HOURS[2], "整数；不填时取课程的"),
            InputColumn::optional(HOURS[3], "整数；不填时取课程的"),
            InputColumn::optional("考核类型", "不填时取课程的").one_of(ExamForm::CHOICES.iter().map(|(word, _)| *word)),
            InputColumn::optional("考核方式", "不填时取课程的")
                .one_of(AssessMode::CHOICES.iter().map(|(word, _)| *word)),
            InputColumn::optional("学位课", "不填时取课程的").one_of(["是", "否"]),
            InputColumn::optional(REMARK, "不超过500个字符"),
        ]);
        Template { title: K::TITLE, columns }
    }

    async fn start(tx: &mut Tx, _scope: Scope, into: Option<i64>) -> Result<Self> {
        let only = match (K::ONE, into) {
            (true, Some(id)) => {
                let plan = known(tx, id).await?;
                plan.editable()?;
                Some((plan.grade_id, plan.major_id))
            }
            (true, None) => return Err(Error::field("planId", "请选择教学计划")),
            (false, _) => None,
        };
        let (majors, terms) = majors(tx).await?;
        Ok(Self {
            grades: grade::by_code(tx).await?,
            majors,
            terms,
            courses: library(tx).await?,
            open: open(tx).await?,
            only,
            limits: limits(tx).await?,
            mode: PlanFillMode::Append,
            targets: BTreeMap::new(),
            made: 0,
            filled: 0,
            kind: PhantomData,
        })
    }

    async fn begin(&mut self, _tx: &mut Tx, sent: &SentFile<'_>) -> Result<()> {
        let mode = sent.more["mode"].as_str().and_then(PlanFillMode::parse);
        self.mode = mode.unwrap_or(PlanFillMode::Append);
        Ok(())
    }

    async fn rows(&mut self, _tx: &mut Tx, rows: &mut [Row], _write: bool) -> Result<Vec<Change>> {
        for row in rows {
            self.take(row);
        }
        Ok(Vec::new())
    }

    async fn finish(&mut self, tx: &mut Tx, write: bool) -> Result<Finished> {
        let targets = std::mem::take(&mut self.targets);
        let mut finished = Finished::default();
        for (place, target) in &targets {
            finished.errors.extend(self.too_much(*place, target));
        }
        for (place, target) in targets {
            match self.open.get(&place) {
                Some(_) => self.filled += 1,
                None => self.made += 1,
            }
            if write && finished.errors.is_empty() {
                match self.write(tx, place, &target).await? {
                    Ok(change) => finished.changes.push(change),
                    Err(error) => finished.errors.push(error),
                }
            }
        }
        Ok(finished)
    }

    fn effect(&self) -> Vec<EffectCount> {
        let count =
            |value: &str, count: i64| EffectCount { column: "教学计划".to_owned(), value: value.to_owned(), count };
        let counts = [("新增草稿", self.made), ("填入已有草稿", self.filled)];
        counts.into_iter().filter(|(_, of)| *of > 0).map(|(value, of)| count(value, of)).collect()
    }

    async fn undo(tx: &mut Tx, _scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        let plan = held(tx, record.id).await?;
        if !plan.is_draft() {
            return Err(Imported::changed());
        }
        let now = content_of(tx, plan.id).await?;
        if record.is_new("teaching_plan") {
            let same = as_imported(tx, plan.id).await? == Some(now);
            return if same { remove(tx, &plan).await.map(Some) } else { Err(Imported::changed()) };
        }
        let before: PlanContent = record.former(&now)?;
        clear(tx, plan.id).await?;
        put(tx, plan.id, &before).await?;
        touch(tx, plan.id).await?;
        Ok(Some(Change::edited("teaching_plan", plan.id, &now, &before)))
    }
}

impl<K: Kind> PlanSheet<K> {
    /// Notes what a row puts into its plan; nothing, with the reasons on the row, when it is wrong.
    fn take(&mut self, row: &mut Row) {
        let place = self.place(row);
        let course = self.course(row);
        let nature = row.one_of(NATURE, CourseNature::CHOICES);
        let group = row.text(GROUP).map(|name| tidy(&name));
        let least = row.decimal(GROUP_CREDITS, 1);
        let form = form_of(row, nature, group.is_some());
        let (Some(place), Some(base), Some(form)) = (place, course, form) else { return };
        let settled = match Settled::of(&form, &base) {
            Ok(settled) => settled,
            Err(error) => return refuse(row, COLUMNS, &error),
        };
        let terms = self.term_count(place);
        if !(1..=terms).contains(&settled.term_no) {
            row.refuse(TERM, format!("开课学期应在1到{terms}之间"));
        }
        if group.as_ref().is_some_and(|name| name.chars().count() > 100) {
            row.refuse(GROUP, "不能超过100个字符");
        }
        if least.is_some_and(|least| !is_half(points(least), 0, 2_500)) {
            row.refuse(GROUP_CREDITS, "应在0到250之间，为0.5的倍数");
        }
        if row.errors().is_empty() {
            self.bring(row, place, &base, &settled, group, least);
        }
    }

    /// The grade and major of a row.
    fn place(&self, row: &mut Row) -> Option<(i64, i64)> {
        if let Some(only) = self.only {
            return Some(only);
        }
        let grade = referred(row, GRADE, &self.grades).cloned();
        let major = referred(row, MAJOR, &self.majors).cloned();
        let (grade, major) = (grade?, major?);
        let open = self.open.get(&(grade.id, major.id));
        if open.is_none() && !grade.enabled {
            row.refuse(GRADE, is_switched_off(&grade.name));
        }
        if open.is_none() && !major.enabled {
            row.refuse(MAJOR, is_switched_off(&major.name));
        }
        if let Some(open) = open.filter(|open| open.status == PlanStatus::Submitted) {
            row.refuse(MAJOR, format!("该年级专业的V{}待审核，请先撤回或退回", open.version_no));
        }
        Some((grade.id, major.id))
    }

    /// The course of a row as the library has it.
    fn course(&self, row: &mut Row) -> Option<Base> {
        let course = referred(row, COURSE, &self.courses).cloned()?;
        if !course.enabled {
            row.refuse(COURSE, is_switched_off(&course.name));
        }
        Some(course)
    }

    /// Terms of the plan that a row goes into.
    fn term_count(&self, place: (i64, i64)) -> i32 {
        match self.open.get(&place) {
            Some(open) => open.term_count,
            None => self.terms.get(&place.1).copied().unwrap_or(MOST_TERMS),
        }
    }

    fn bring(
        &mut self,
        row: &mut Row,
        place: (i64, i64),
        base: &Base,
        settled: &Settled,
        group: Option<String>,
        least: Option<i64>,
    ) {
        let open = self.open.get(&place);
        let stays = self.mode == PlanFillMode::Append;
        let target = self.targets.entry(place).or_default();
        if target.first == 0 {
            target.first = row.number();
        }
        let first = *target.seen.entry(base.course_id).or_insert(row.number());
        if first != row.number() {
            row.refuse(COURSE, format!("与第{first}行课程重复"));
        } else if stays && open.is_some_and(|open| open.courses.contains(&base.course_id)) {
            row.refuse(COURSE, format!("课程“{}”已在计划中", base.name));
        }
        if let Some(name) = &group {
            let stored = open.filter(|_| stays).and_then(|open| open.groups.get(name)).copied();
            group_of(row, target, name, stored, least);
        }
        if !row.errors().is_empty() {
            return;
        }
        if let Some(doubt) = self.limits.get(&place.1).and_then(|limits| settled.doubt(&base.name, *limits)) {
            row.warn(CREDITS, doubt);
        }
        let sort_no = i32::try_from(target.courses.len()).unwrap_or(0) * 10;
        target.courses.push(ContentCourse {
            course_id: base.course_id,
            type_id: settled.type_id,
            nature: settled.nature,
            group_name: group,
            term_no: settled.term_no,
            credits: settled.credits,
            lecture_hours: settled.lecture_hours,
            online_hours: settled.online_hours,
            practice_hours: settled.practice_hours,
            self_study_hours: settled.self_study_hours,
            exam_form: settled.exam_form,
            assess_mode: settled.assess_mode,
            degree_course: settled.degree_course,
            sort_no: sort_no.min(9_999),
            remark: settled.remark.clone(),
        });
    }

    /// What can be said only of all rows of a plan.
    fn too_much(&self, place: (i64, i64), target: &Target) -> Vec<RowError> {
        let error = |column: &str, message: String| RowError { row: target.first, column: column.to_owned(), message };
        let stays = self.open.get(&place).filter(|_| self.mode == PlanFillMode::Append);
        let mut errors = Vec::new();
        let courses = target.courses.len() + stays.map_or(0, |open| open.courses.len());
        if i64::try_from(courses).unwrap_or(i64::MAX) > MOST_COURSES {
            errors.push(error(COURSE, format!("一个教学计划最多{MOST_COURSES}门课程，共{courses}门")));
        }
        let groups = target.groups.len() + stays.map_or(0, |open| open.groups.len());
        if groups > MOST_GROUPS {
            errors.push(error(GROUP, format!("一个教学计划最多{MOST_GROUPS}个选修组，共{groups}个")));
        }
        for group in target.groups.iter().filter(|group| !target.said.contains_key(&group.name)) {
            errors.push(error(GROUP_CREDITS, format!("请填写选修组“{}”的最低学分", group.name)));
        }
        errors
    }

    /// Writes what the sheet puts into one plan; the refusal at its first row when somebody changed it meanwhile.
    async fn write(
        &mut self,
        tx: &mut Tx,
        place: (i64, i64),
        target: &Target,
    ) -> Result<std::result::Result<Change, RowError>> {
        let content = PlanContent { groups: target.groups.clone(), courses: target.courses.clone() };
        if let Some(open) = self.open.get(&place) {
            let plan = held(tx, open.id).await?;
            if plan.version != open.version || !plan.is_draft() {
                let message = "该计划刚被他人修改，请重新导入".to_owned();
                return Ok(Err(RowError { row: target.first, column: MAJOR.to_owned(), message }));
            }
            return Ok(Ok(self.fill(tx, &plan, &content).await?));
        }
        Ok(Ok(make(tx, place, &content).await?))
    }

    async fn fill(&self, tx: &mut Tx, plan: &Held, content: &PlanContent) -> Result<Change> {
        let before = content_of(tx, plan.id).await?;
        if self.mode == PlanFillMode::Replace {
            clear(tx, plan.id).await?;
        }
        put(tx, plan.id, content).await?;
        touch(tx, plan.id).await?;
        let after = content_of(tx, plan.id).await?;
        Ok(Change::edited("teaching_plan", plan.id, &before, &after))
    }
}

/// What the import that made a plan put into it, as the trail has it.
async fn as_imported(tx: &mut Tx, plan: i64) -> Result<Option<PlanContent>> {
    let changes = sqlx::query_scalar!(
        r#"select changes as "changes!" from audit_log
           where entity_type = 'teaching_plan' and entity_id = $1 and action = 'import' order by at limit 1"#,
        plan
    )
    .fetch_optional(&mut **tx)
    .await?;
    let fields = changes.as_ref().and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let after = |name: &str| fields.iter().find(|row| row["field"] == name).map(|row| row["after"].clone());
    let (Some(groups), Some(courses)) = (after("groups"), after("courses")) else { return Ok(None) };
    let content = json!({ "groups": groups, "courses": courses });
    Ok(PlanContent::parse_from_json(Some(content)).ok())
}

/// A new draft: its electives are what its groups ask for, the rest of the major's credits is compulsory.
async fn make(tx: &mut Tx, (grade, major): (i64, i64), content: &PlanContent) -> Result<Change> {
    let place = Place::find(tx, grade, major).await?;
    let version_no = sqlx::query_scalar!(
        r#"select coalesce(max(version_no), 0) + 1 as "next!" from teaching_plan where grade_id = $1 and major_id = $2"#,
        grade,
        major
    )
    .fetch_one(&mut **tx)
    .await?;
    let elective = content.groups.iter().map(|group| tenths(group.min_credits)).sum::<i64>().min(place.total);
    let new = NewPlan {
        name: place.name(version_no),
        version_no,
        required: Required { total: place.total, compulsory: place.total - elective, elective },
        term_count: place.term_count.clamp(1, MOST_TERMS),
        objective: None,
        remark: None,
    };
    let id = insert_row(tx, &place, &new).await?;
    put(tx, id, content).await?;
    let mut whole = told(tx, id).await?.to_json().unwrap_or(Value::Null);
    // As it is read again when the import is undone.
    if let (Value::Object(whole), Some(Value::Object(content))) = (&mut whole, content_of(tx, id).await?.to_json()) {
        whole.extend(content);
    }
    Ok(Change::created("teaching_plan", id, &whole))
}

/// The form of a row; none, with the reasons on the row, when a cell cannot be understood.
fn form_of(row: &mut Row, nature: Option<CourseNature>, in_group: bool) -> Option<PlanCourseForm> {
    let term_no = row.integer(TERM).and_then(|term| i32::try_from(term).ok());
    let credits = row.decimal(CREDITS, 1).map(points);
    let [lecture, online, practice, self_study] = HOURS.map(|heading| hours(row, heading));
    let exam_form = row.one_of("考核类型", ExamForm::CHOICES);
    let assess_mode = row.one_of("考核方式", AssessMode::CHOICES);
    let degree_course = row.one_of("学位课", YES_NO);
    let remark = row.text(REMARK);
    if remark.as_ref().is_some_and(|remark| remark.chars().count() > 500) {
        row.refuse(REMARK, "不能超过500个字符");
    }
    let (nature, term_no) = (nature?, term_no?);
    row.errors().is_empty().then_some(PlanCourseForm {
        type_id: None,
        nature,
        // Its number comes when the groups are written.
        elective_group_id: in_group.then_some(0),
        term_no,
        credits,
        hours: None,
        lecture_hours: lecture,
        online_hours: online,
        practice_hours: practice,
        self_study_hours: self_study,
        exam_form,
        assess_mode,
        degree_course,
        sort_no: None,
        remark,
    })
}

fn hours(row: &mut Row, heading: &str) -> Option<i32> {
    let typed = row.integer(heading)?;
    let hours = i32::try_from(typed).ok().filter(|hours| (0..=2_000).contains(hours));
    if hours.is_none() {
        row.refuse(heading, "应在0到2000之间");
    }
    hours
}

/// Notes a group of a plan and how many credits of it are chosen, which every row says alike or not at all.
fn group_of(row: &mut Row, target: &mut Target, name: &str, stored: Option<i64>, least: Option<i64>) {
    if let Some(stored) = stored {
        if least.is_some_and(|least| least != stored) {
            row.refuse(GROUP_CREDITS, format!("计划中选修组“{name}”的最低学分为{}", shown(stored)));
        }
        return;
    }
    let place = target.groups.iter().position(|group| group.name == name);
    let place = place.unwrap_or_else(|| {
        let sort_no = i32::try_from(target.groups.len()).unwrap_or(0) * 10;
        target.groups.push(ContentGroup { name: name.to_owned(), min_credits: 0.0, min_courses: None, sort_no });
        target.groups.len() - 1
    });
    let Some(least) = least else { return };
    match target.said.get(name) {
        None => {
            target.said.insert(name.to_owned(), row.number());
            target.groups[place].min_credits = points(least);
        }
        Some(first) if tenths(target.groups[place].min_credits) != least => {
            row.refuse(GROUP_CREDITS, format!("与第{first}行选修组“{name}”的最低学分不一致"));
        }
        Some(_) => {}
    }
}
