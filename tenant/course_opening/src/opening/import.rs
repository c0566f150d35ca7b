//! 导入开课: openings outside the plans, every row or none, each as if somebody had typed it (part 03 B2). Goes back as long as
//! it waits.

use infra::{
    Allowed, Change, Reply, Result, Scope, Tx,
    across::Keyed,
    naming::{Codes, referred},
    sheet::{InputColumn, Row, Template},
    transfer::{self, Attachment, ByRow, ImportAnswer, ImportForm, Imported, RowImport},
};
use poem_openapi::OpenApi;
use serde_json::{Value, json};

use super::{FetchOpeningSheet, ImportOpenings, OpeningForm, Openings, form::insert, remove};
use crate::{
    enums::{OpeningKind, TeachingMode},
    of_whole_school,
};

pub struct ImportOpening;

#[OpenApi(prefix_path = "/adult/pc/courseOpening", tag = "crate::Tag::CourseOpening")]
impl ImportOpening {
    /// 导入开课
    /// 计划外的课程和重修班；计划内的课程按计划生成
    #[oai(path = "/import", method = "post", operation_id = "importCourseOpenings")]
    async fn import(&self, caller: Allowed<ImportOpenings>, form: ImportForm) -> Result<Reply<ImportAnswer>> {
        of_whole_school(&caller.scope())?;
        transfer::import::<ByRow<OpeningSheet>>(&caller, form).await
    }

    /// 开课导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchCourseOpeningImportTemplate")]
    async fn template(&self, caller: Allowed<FetchOpeningSheet>) -> Result<Attachment> {
        transfer::template::<ByRow<OpeningSheet>, _>(&caller).await
    }
}

/// The kinds that a sheet may name.
const KINDS: &[(&str, OpeningKind)] =
    &[(OpeningKind::Extra.zh(), OpeningKind::Extra), (OpeningKind::Retake.zh(), OpeningKind::Retake)];

/// One import, with what its rows may name.
pub(super) struct OpeningSheet {
    scope: Scope,
    semesters: Codes<i64>,
    courses: Codes<i64>,
    grades: Codes<i64>,
    majors: Codes<i64>,
}

impl RowImport for OpeningSheet {
    type Form = OpeningForm;
    const KIND: &'static str = "course_opening.import";
    type Permission = ImportOpenings;
    const COLUMNS: &'static [(&'static str, &'static str)] = &[
        ("semesterId", "学期编码"),
        ("courseId", "课程代码"),
        ("kind", "开课类别"),
        ("gradeId", "年级编码"),
        ("majorId", "校内专业代码"),
        ("teachingMode", "教学方式"),
        ("capacity", "人数上限"),
    ];
    const ONCE: &'static [(&'static str, &'static str)] = &[];

    const CODES: &'static [(&'static str, &'static str)] =
        &[("学期编码", "semester"), ("课程代码", "course"), ("年级编码", "grade"), ("校内专业代码", "major")];

    fn template() -> Template {
        Template {
            title: "开课",
            columns: vec![
                InputColumn::required("学期编码", "例如 2026-1"),
                InputColumn::required("课程代码", ""),
                InputColumn::required("开课类别", "").one_of(KINDS.iter().map(|(word, _)| *word)),
                InputColumn::optional("年级编码", "不填为不限年级"),
                InputColumn::optional("校内专业代码", "不填为不限专业"),
                InputColumn::optional("教学方式", "不填时按学时推算")
                    .one_of(TeachingMode::CHOICES.iter().map(|(word, _)| *word)),
                InputColumn::optional("人数上限", "1至100000，不填为不限"),
            ],
        }
    }

    async fn start(tx: &mut Tx, scope: Scope) -> Result<Self> {
        of_whole_school(&scope)?;
        let semesters = sqlx::query!("select code, id from semester").fetch_all(&mut **tx).await?;
        let courses = sqlx::query!("select code, id from course").fetch_all(&mut **tx).await?;
        let grades = sqlx::query!("select code, id from grade").fetch_all(&mut **tx).await?;
        let majors = sqlx::query!("select code, id from major").fetch_all(&mut **tx).await?;
        Ok(Self {
            scope,
            semesters: semesters.into_iter().map(|row| (row.code, row.id)).collect(),
            courses: courses.into_iter().map(|row| (row.code, row.id)).collect(),
            grades: grades.into_iter().map(|row| (row.code, row.id)).collect(),
            majors: majors.into_iter().map(|row| (row.code, row.id)).collect(),
        })
    }

    fn form(&self, row: &mut Row) -> Value {
        json!({
            "semesterId": referred(row, "学期编码", &self.semesters),
            "courseId": referred(row, "课程代码", &self.courses),
            "kind": row.one_of("开课类别", KINDS).map(OpeningKind::as_str),
            "gradeId": referred(row, "年级编码", &self.grades),
            "majorId": referred(row, "校内专业代码", &self.majors),
            "teachingMode": row.one_of("教学方式", TeachingMode::CHOICES).map(TeachingMode::as_str),
            "capacity": row.integer("人数上限"),
        })
    }

    async fn insert(&mut self, tx: &mut Tx, form: OpeningForm) -> Result<Change> {
        Ok(insert(tx, &form, &self.scope).await?.1)
    }

    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        remove(tx, record.id, scope).await.map(Some)
    }

    async fn named(tx: &mut Tx, record: &Imported) -> Result<String> {
        let found = Openings::rows(tx, &[record.id], &Scope::whole_school()).await?;
        Ok(found.into_iter().next().map(|opening| opening.course_name).unwrap_or_default())
    }
}
