//! What the sheets of courses look like: the export, the import of new ones, the import that also updates by code.

use std::collections::{BTreeSet, HashMap};

use course_rules::{prerequisites::Graph, sheet::laid_over};
use futures_util::TryStreamExt;
use infra::{
    App, Change, Error, Result, Scope, Tx,
    naming::{Codes, code_taken, referred, tenths},
    sheet::{Cell, Column, InputColumn, Row, Template},
    transfer::{Export, Imported, RowImport, Rows},
};
use serde_json::{Value, json};
use settings::sensitive;
use sqlx::PgConnection;
use units::organization;

use super::{
    AssessMode, Course, CourseFilter, CourseForm, CourseKind, CourseSource, Courses, ExamForm,
    form::{Complete, check_references, insert, prepare, update},
    lock, prerequisites, remove,
    rules::{self, Density},
    select,
};
use crate::curriculum_type::{self, KnownType};

impl Export for Courses {
    type Filter = CourseFilter;
    type Row = Course;
    const KIND: &'static str = "course.export";
    type Permission = super::ExportCourses;
    const TITLE: &'static str = "院校课程";
    const COLUMNS: &'static [Column<Course>] = &[
        Column { heading: "课程代码", width: 14, cell: |course| Cell::Text(course.code.clone()) },
        Column { heading: "课程名称", width: 32, cell: |course| Cell::Text(course.name.clone()) },
        Column { heading: "课程类型", width: 18, cell: |course| Cell::Text(course.type_name.clone()) },
        Column { heading: "类别", width: 10, cell: |course| Cell::Text(course.kind.zh().to_owned()) },
        Column { heading: "开课单位", width: 24, cell: |course| Cell::text(course.organization_name.clone()) },
        Column { heading: "学分", width: 8, cell: |course| tenths(course.credits) },
        Column { heading: "总学时", width: 8, cell: |course| Cell::Int(course.hours.into()) },
        Column { heading: "面授学时", width: 10, cell: |course| Cell::Int(course.lecture_hours.into()) },
        Column { heading: "线上学时", width: 10, cell: |course| Cell::Int(course.online_hours.into()) },
        Column { heading: "实践学时", width: 10, cell: |course| Cell::Int(course.practice_hours.into()) },
        Column { heading: "自学学时", width: 10, cell: |course| Cell::Int(course.self_study_hours.into()) },
        Column { heading: "考核类型", width: 10, cell: |course| Cell::Text(course.exam_form.zh().to_owned()) },
        Column {
            heading: "考核方式", width: 14, cell: |course| Cell::text(course.assess_mode.map(AssessMode::zh))
        },
        Column { heading: "学位课", width: 8, cell: |course| Cell::Bool(course.degree_course) },
        Column { heading: "先修课程", width: 30, cell: |course| Cell::Text(course.prerequisite_names.join("、")) },
        Column { heading: "来源", width: 10, cell: |course| Cell::Text(course.source.zh().to_owned()) },
        Column { heading: "资源数", width: 8, cell: |course| Cell::Int(course.record_count) },
        Column { heading: "题库题量", width: 10, cell: |course| Cell::Int(course.question_count) },
        Column { heading: "启用", width: 8, cell: |course| Cell::Bool(course.enabled) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &CourseFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, Course>> {
        Ok(select(connection, None, filter, None))
    }
}

/// An import of new courses alone.
pub type NewCourses = CourseImport<false>;
/// An import that updates the courses whose codes it knows. Empty cells leave what is stored.
pub type UpsertedCourses = CourseImport<true>;

/// An import of courses, with what its rows refer to. A prerequisite is known by an earlier row too.
pub struct CourseImport<const UPSERT: bool> {
    type_codes: Codes<i64>,
    types: HashMap<i64, KnownType>,
    units: Codes<i64>,
    /// By code in small letters.
    courses: HashMap<String, i64>,
    /// What stands already, for updates.
    stored: HashMap<i64, Course>,
    graph: Graph,
    names: Names,
    density: Density,
    /// Of the row that was written last.
    warnings: Vec<String>,
}

/// Codes of the courses by their names, as the rows so far leave them.
#[derive(Default)]
struct Names(HashMap<String, BTreeSet<String>>);

impl Names {
    fn set(&mut self, code: &str, before: Option<&str>, name: &str) {
        if let Some(codes) = before.and_then(|before| self.0.get_mut(before)) {
            codes.remove(code);
        }
        self.0.entry(name.to_owned()).or_default().insert(code.to_owned());
    }

    /// Others with the name, of which a person is told ten.
    fn namesakes(&self, code: &str, name: &str) -> Vec<String> {
        self.0.get(name).into_iter().flatten().filter(|other| *other != code).take(10).cloned().collect()
    }
}

const YES_NO: &[(&str, bool)] = &[("是", true), ("否", false)];

impl<const UPSERT: bool> CourseImport<UPSERT> {
    fn prerequisites(&self, row: &mut Row) -> Option<Vec<i64>> {
        const HEADING: &str = "先修课程代码";
        let typed = row.text(HEADING)?;
        let mut ids = Vec::new();
        for code in typed.split([';', '；']).map(str::trim).filter(|code| !code.is_empty()) {
            match self.courses.get(&code.to_lowercase()) {
                Some(id) => ids.push(*id),
                None => row.refuse(HEADING, format!("编码“{code}”不存在")),
            }
        }
        Some(ids)
    }

    /// The stored course as the form that would save it unchanged; hours follow from their parts.
    fn stored_form(&self, code: Option<&str>) -> Option<Value> {
        let course = self.stored.get(self.courses.get(&code?.to_lowercase())?)?;
        Some(json!({
            "englishName": course.english_name,
            "kind": course.kind.as_str(),
            "organizationId": course.organization_id,
            "lectureHours": course.lecture_hours,
            "onlineHours": course.online_hours,
            "practiceHours": course.practice_hours,
            "selfStudyHours": course.self_study_hours,
            "assessMode": course.assess_mode.map(AssessMode::as_str),
            "degreeCourse": course.degree_course,
            "prerequisiteIds": course.prerequisite_ids,
            "textbook": course.textbook.as_ref().map(|book| json!({
                "name": book.name, "author": book.author, "press": book.press, "isbn": book.isbn, "edition": book.edition,
            })),
            "introduction": course.introduction,
            "syllabusKey": course.syllabus_key,
            "coverUrl": course.cover_url,
            "source": course.source.as_str(),
            "sortNo": course.sort_no,
        }))
    }
}

impl<const UPSERT: bool> RowImport for CourseImport<UPSERT> {
    type Form = CourseForm;
    const KIND: &'static str = if UPSERT { "course.upsert" } else { "course.import" };
    type Permission = super::ImportCourses;
    const COLUMNS: &'static [(&'static str, &'static str)] = &[
        ("code", "课程代码"),
        ("name", "课程名称"),
        ("typeId", "课程类型编码"),
        ("kind", "类别"),
        ("organizationId", "开课单位编码"),
        ("credits", "学分"),
        ("lectureHours", "面授学时"),
        ("onlineHours", "线上学时"),
        ("practiceHours", "实践学时"),
        ("selfStudyHours", "自学学时"),
        ("examForm", "考核类型"),
        ("assessMode", "考核方式"),
        ("degreeCourse", "学位课"),
        ("prerequisiteIds", "先修课程代码"),
        ("textbook.name", "教材名称"),
        ("textbook.author", "作者"),
        ("textbook.press", "出版社"),
        ("textbook.isbn", "ISBN"),
        ("source", "来源"),
    ];
    const ONCE: &'static [(&'static str, &'static str)] = &[("课程代码", "代码")];

    const CODES: &'static [(&'static str, &'static str)] =
        &[("课程类型编码", "curriculumType"), ("开课单位编码", "organization"), ("先修课程代码", "course")];

    fn template() -> Template {
        Template {
            title: "院校课程",
            columns: vec![
                InputColumn::required("课程代码", "1至32位字母、数字、下划线或短横线"),
                InputColumn::required("课程名称", ""),
                InputColumn::required("课程类型编码", "课程类型中的编码，须为没有下级的类型"),
                InputColumn::optional("类别", "不填时按课程类型")
                    .one_of(CourseKind::CHOICES.iter().map(|(word, _)| *word)),
                InputColumn::optional("开课单位编码", "机构管理中的编码"),
                InputColumn::required("学分", "0.5至30，0.5的倍数"),
                InputColumn::optional("面授学时", "整数，不填为0"),
                InputColumn::optional("线上学时", "整数，不填为0"),
                InputColumn::optional("实践学时", "整数，不填为0"),
                InputColumn::optional("自学学时", "整数，不填为0"),
                InputColumn::required("考核类型", "").one_of(ExamForm::CHOICES.iter().map(|(word, _)| *word)),
                InputColumn::optional("考核方式", "").one_of(AssessMode::CHOICES.iter().map(|(word, _)| *word)),
                InputColumn::optional("学位课", "不填为否").one_of(["是", "否"]),
                InputColumn::optional("先修课程代码", "多门课程用分号分隔；先修课程须已存在，或在本表前面的行"),
                InputColumn::optional("教材名称", ""),
                InputColumn::optional("作者", ""),
                InputColumn::optional("出版社", ""),
                InputColumn::optional("ISBN", "13位，可带短横线"),
                InputColumn::optional("来源", "不填为自建").one_of(CourseSource::CHOICES.iter().map(|(word, _)| *word)),
            ],
        }
    }

    async fn start(tx: &mut Tx, _scope: Scope) -> Result<Self> {
        let graph = prerequisites::lock(tx).await?;
        let types = curriculum_type::all(tx).await?;
        let units = organization::by_code(tx).await?;
        let stored: Vec<Course> =
            if UPSERT { select(tx, None, &CourseFilter::default(), None).try_collect().await? } else { Vec::new() };
        let known = sqlx::query!("select id, code, name from course").fetch_all(&mut **tx).await?;
        let mut names = Names::default();
        for course in &known {
            names.set(&course.code, None, &course.name);
        }
        let courses = known.into_iter().map(|course| (course.code.to_lowercase(), course.id)).collect();
        Ok(Self {
            type_codes: types.iter().map(|(code, known)| (code.clone(), known.id)).collect(),
            types: types.into_iter().map(|(_, known)| (known.id, known)).collect(),
            units,
            courses,
            stored: stored.into_iter().map(|course| (course.id, course)).collect(),
            graph,
            names,
            density: rules::density_limits(tx).await?,
            warnings: Vec::new(),
        })
    }

    fn form(&self, row: &mut Row) -> Value {
        let code = row.text("课程代码");
        let (name, author, press, isbn) =
            (row.text("教材名称"), row.text("作者"), row.text("出版社"), row.text("ISBN"));
        let textbook = (name.is_some() || author.is_some() || press.is_some() || isbn.is_some())
            .then(|| json!({ "name": name, "author": author, "press": press, "isbn": isbn }));
        let typed = json!({
            "code": code,
            "name": row.text("课程名称"),
            "typeId": referred(row, "课程类型编码", &self.type_codes),
            "kind": row.one_of("类别", CourseKind::CHOICES).map(CourseKind::as_str),
            "organizationId": referred(row, "开课单位编码", &self.units),
            "credits": row.decimal("学分", 1).map(|tenths| tenths as f64 / 10.0),
            "lectureHours": row.integer("面授学时"),
            "onlineHours": row.integer("线上学时"),
            "practiceHours": row.integer("实践学时"),
            "selfStudyHours": row.integer("自学学时"),
            "examForm": row.one_of("考核类型", ExamForm::CHOICES).map(ExamForm::as_str),
            "assessMode": row.one_of("考核方式", AssessMode::CHOICES).map(AssessMode::as_str),
            "degreeCourse": row.one_of("学位课", YES_NO),
            "prerequisiteIds": self.prerequisites(row),
            "textbook": textbook,
            "source": row.one_of("来源", CourseSource::CHOICES).map(CourseSource::as_str),
        });
        laid_over(self.stored_form(code.as_deref()), typed)
    }

    async fn insert(&mut self, tx: &mut Tx, mut form: CourseForm) -> Result<Change> {
        let code = form.code.to_lowercase();
        let known = self.courses.get(&code).copied();
        if known.is_some() && !UPSERT {
            return Err(code_taken(&form.code));
        }
        let of_type = self.types.get(&form.type_id).ok_or_else(Error::not_found)?;
        let before = known.and_then(|id| self.stored.get(&id));
        if let Some(before) = before {
            // Codes are compared without regard to case; the stored spelling stays.
            form.code.clone_from(&before.code);
        }
        check_references(tx, &form, of_type, before).await?;
        let course = Complete::of(form, of_type)?;
        let earlier = course.typed.prerequisite_ids.clone();
        prerequisites::check(tx, &earlier, before.map_or(&[], |before| &before.prerequisite_ids)).await?;
        let (id, change) = match before {
            Some(before) => {
                prerequisites::refuse_circle(&self.graph, tx, before.id, &earlier).await?;
                (before.id, update(tx, before, None, &course).await?)
            }
            None => insert(tx, &course).await?,
        };
        self.courses.insert(code, id);
        self.graph.set(id, earlier);
        let code = &course.typed.code;
        self.names.set(code, before.map(|before| before.name.as_str()), &course.name);
        let namesakes = self.names.namesakes(code, &course.name);
        self.warnings = rules::warnings(&namesakes, course.typed.credits, course.hours, self.density);
        let words = sensitive::met(tx.app(), &course.name).await?;
        if !words.is_empty() {
            self.warnings.push(format!("课程名称包含敏感词：{}，请核对", words.join("、")));
        }
        Ok(change)
    }

    fn warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }

    async fn undo(tx: &mut Tx, _scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        if record.is_new("course") {
            return remove(tx, record.id).await.map(Some);
        }
        let graph = prerequisites::lock(tx).await?;
        let now = lock(tx, record.id).await?;
        let course = prepare(tx, record.former::<CourseForm>(&now)?, Some(&now)).await?;
        let earlier = &course.typed.prerequisite_ids;
        prerequisites::check(tx, earlier, &now.prerequisite_ids).await?;
        prerequisites::refuse_circle(&graph, tx, record.id, earlier).await?;
        update(tx, &now, None, &course).await.map(Some)
    }
}
