//! 导入考勤成绩 and 答疑成绩: every row or none (part 04 §5.7). Counts of questions and answers come to a value by the rule.

use std::collections::HashMap;

use infra::{
    Allowed, Change, Error, Reply, Result, Scope, Tx,
    naming::{Codes, referred},
    sheet::{InputColumn, Row, Template},
    transfer::{self, Attachment, Import, ImportAnswer, ImportForm, Imported},
};
use poem_openapi::{OpenApi, param::Query};
use scores_rules::{
    arith::{NO_SCORE, in_tenths, parsed},
    enums::{ComponentKind, ComponentSource, CourseScoreStatus, ScoreKind},
    params::Params,
    questions,
    resolve::Place,
};
use serde_json::{Value, json};
use student_status::id_card::fold;

use super::{
    FetchComponentSheet, ImportComponents,
    edit::{ComponentContent, Entry, content, held, put, restore},
};
use crate::{
    rule::Resolver,
    score::{compute::compute, ensure::ensure, settle},
    sheet::hold::hold_scores,
};

/// The parts that a sheet may name.
const KINDS: &[(&str, ComponentKind)] =
    &[("考勤成绩", ComponentKind::Attendance), ("答疑成绩", ComponentKind::Questions)];

pub struct ImportComponent;

#[OpenApi(prefix_path = "/adult/pc/score/component", tag = "crate::Tag::Scores")]
impl ImportComponent {
    /// 导入成绩明细
    /// 考勤成绩和答疑成绩
    #[oai(path = "/import", method = "post", operation_id = "importScoreComponents")]
    async fn import(
        &self,
        caller: Allowed<ImportComponents>,
        /// 成绩项
        /// 不填为按各行的成绩项
        kind: Query<Option<ComponentKind>>,
        form: ImportForm,
    ) -> Result<Reply<ImportAnswer>> {
        let into = match kind.0 {
            None => None,
            Some(kind) => {
                let place = KINDS.iter().position(|(_, one)| *one == kind);
                let place = place.ok_or_else(|| Error::field("kind", format!("{}由系统计算，不能导入", kind.zh())))?;
                Some(i64::try_from(place).map_err(Error::internal)?)
            }
        };
        transfer::import_into::<ComponentSheet>(&caller, form, into).await
    }

    /// 成绩明细导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchScoreComponentImportTemplate")]
    async fn template(&self, caller: Allowed<FetchComponentSheet>) -> Result<Attachment> {
        transfer::template::<ComponentSheet, _>(&caller).await
    }
}

/// A selection that a line names.
struct Chosen {
    selection: i64,
    name: String,
    place: Place,
    status: Option<CourseScoreStatus>,
}

/// One import, with what its rows may name.
pub(super) struct ComponentSheet {
    scope: Scope,
    semesters: Codes<i64>,
    courses: Codes<i64>,
    questions: Resolver,
    /// The part that the page is of; none where rows say it.
    kind: Option<ComponentKind>,
    /// The line at which a selection and a part stood first.
    seen: HashMap<(i64, &'static str), u32>,
    name: String,
}

impl Import for ComponentSheet {
    const KIND: &'static str = "score_component.import";
    type Permission = ImportComponents;
    const CODES: &'static [(&'static str, &'static str)] = &[("学期编码", "semester"), ("课程编码", "course")];

    fn template() -> Template {
        Template {
            title: "成绩明细",
            columns: vec![
                InputColumn::required("学号", ""),
                InputColumn::required("姓名", ""),
                InputColumn::required("课程编码", ""),
                InputColumn::required("学期编码", "例如 2026-1"),
                InputColumn::optional("成绩项", "不填为考勤成绩").one_of(KINDS.iter().map(|(word, _)| *word)),
                InputColumn::optional("成绩", "0至100，最多一位小数"),
                InputColumn::optional("提问次数", "答疑成绩可填次数，不填成绩"),
                InputColumn::optional("回答次数", ""),
                InputColumn::optional("备注", ""),
            ],
        }
    }

    async fn start(tx: &mut Tx, scope: Scope, into: Option<i64>) -> Result<Self> {
        let semesters = sqlx::query!("select code, id from semester").fetch_all(&mut **tx).await?;
        let courses = sqlx::query!("select code, id from course").fetch_all(&mut **tx).await?;
        Ok(Self {
            scope,
            semesters: semesters.into_iter().map(|row| (row.code, row.id)).collect(),
            courses: courses.into_iter().map(|row| (row.code, row.id)).collect(),
            questions: Resolver::load(tx, ScoreKind::Questions).await?,
            kind: into.and_then(|place| KINDS.get(usize::try_from(place).ok()?)).map(|(_, kind)| *kind),
            seen: HashMap::new(),
            name: tx.actor().name.clone(),
        })
    }

    async fn rows(&mut self, tx: &mut Tx, rows: &mut [Row], write: bool) -> Result<Vec<Change>> {
        let chosen = self.chosen(tx, rows).await?;
        let mut entries = Vec::new();
        for row in rows {
            if let Some(read) = self.read(row, &chosen)
                && row.errors().is_empty()
            {
                entries.push(read);
            }
        }
        if !write || entries.is_empty() {
            return Ok(Vec::new());
        }
        let mut selections: Vec<i64> = entries.iter().map(|read| read.selection).collect();
        selections.sort_unstable();
        selections.dedup();
        let scores = ensure(tx, &selections).await?;
        let held: Vec<i64> = scores.values().copied().collect();
        hold_scores(tx, &held).await?;
        // They were read before they were held: one that was submitted meanwhile takes no value, as where one is typed.
        let late = sqlx::query_scalar!(
            r#"select exists (select from course_score where id = any($1) and status <> 'computing') as "late!""#,
            &held
        )
        .fetch_one(&mut **tx)
        .await?;
        if late {
            return Err(Error::conflict("有成绩已提交，不能导入，请重新检查文件"));
        }
        let mut changes = Vec::with_capacity(entries.len());
        for Line { selection, kind, value, detail, reason } in entries {
            let score = *scores.get(&selection).ok_or_else(Error::not_found)?;
            let entry = Entry { score, kind, value, source: ComponentSource::Imported, detail, reason };
            changes.push(put(tx, &entry, &self.name).await?);
        }
        settle(tx, &held).await?;
        Ok(changes)
    }

    /// What stood there before stands there again: a value that somebody typed or imported, else the computed one.
    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        if record.is_new("course_score_component") {
            let of = sqlx::query!(
                r#"select course_score_id, kind as "kind: ComponentKind", value::float8 as "value" from course_score_component
                   where id = $1"#,
                record.id
            )
            .fetch_optional(&mut **tx)
            .await?
            .ok_or_else(Error::not_found)?;
            held(tx, of.course_score_id, scope).await?;
            sqlx::query!("delete from course_score_component where id = $1", record.id).execute(&mut **tx).await?;
            tx.forget_imported("course_score_component", &[record.id]).await?;
            compute(tx, &[of.course_score_id], &[of.kind]).await?;
            settle(tx, &[of.course_score_id]).await?;
            let what = serde_json::json!({ "courseScoreId": of.course_score_id, "value": of.value });
            return Ok(Some(Change::event("course_score_component", record.id, "delete", what)));
        }
        let of = sqlx::query!(
            r#"select course_score_id, kind as "kind: ComponentKind" from course_score_component where id = $1"#,
            record.id
        )
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(Error::not_found)?;
        held(tx, of.course_score_id, scope).await?;
        let now = content(tx, of.course_score_id, of.kind).await?.ok_or_else(Error::not_found)?;
        let former: ComponentContent = record.former(&now)?;
        let typed = former.value.filter(|_| former.source != ComponentSource::Computed);
        let Some(value) = typed.and_then(|value| in_tenths(value, 1_000)) else {
            return restore(tx, record.id, scope).await.map(Some);
        };
        let (score, name) = (of.course_score_id, tx.actor().name.clone());
        let reason = Some("撤销导入，恢复原值".to_owned());
        let entry = Entry { score, kind: of.kind, value, source: former.source, detail: json!({}), reason };
        let change = put(tx, &entry, &name).await?;
        settle(tx, &[score]).await?;
        Ok(Some(change))
    }

    async fn named(tx: &mut Tx, record: &Imported) -> Result<String> {
        let name = sqlx::query_scalar!(
            "select y.name from course_score_component k join course_score s on s.id = k.course_score_id
             join student y on y.id = s.student_id where k.id = $1",
            record.id
        )
        .fetch_optional(&mut **tx)
        .await?;
        Ok(name.unwrap_or_default())
    }
}

/// What a line says; the value in tenths.
struct Line {
    selection: i64,
    kind: ComponentKind,
    value: i64,
    /// The counts that it came of.
    detail: Value,
    reason: Option<String>,
}

/// Number of the student, semester, course.
type Key = (String, i64, i64);

impl ComponentSheet {
    /// The selections that these rows name, and the students of which they name none; a student beyond the scope is as unknown as a
    /// number that nobody has.
    async fn chosen(&self, tx: &mut Tx, rows: &[Row]) -> Result<HashMap<Key, Option<Chosen>>> {
        let (mut numbers, mut semesters, mut courses) = (Vec::new(), Vec::new(), Vec::new());
        for row in rows {
            let semester = row.peek("学期编码").and_then(|code| self.semesters.get(&code).copied());
            let course = row.peek("课程编码").and_then(|code| self.courses.get(&code).copied());
            if let (Some(number), Some(semester), Some(course)) = (row.peek("学号"), semester, course) {
                numbers.push(fold(&number));
                semesters.push(semester);
                courses.push(course);
            }
        }
        let found = sqlx::query!(
            r#"select distinct on (w.number, w.semester, w.course)
                      w.number as "number!", w.semester as "semester!", w.course as "course!", c.id as "selection?",
                      y.name as "name!", y.grade_id as "grade_id!", y.level_id as "level_id!",
                      y.major_id as "major_id!", s.status as "status?: CourseScoreStatus"
               from unnest($1::text[], $2::bigint[], $3::bigint[]) as w (number, semester, course)
               join student y on y.student_no = w.number
                              and ($4::bigint[] is null or y.site_id = any($4) or y.class_id = any($5::bigint[]))
               left join course_selection c on c.student_id = y.id and c.semester_id = w.semester and c.course_id = w.course
                    and c.status in ('selected', 'completed')
               left join course_score s on s.selection_id = c.id
               order by w.number, w.semester, w.course, c.attempt_no desc"#,
            &numbers,
            &semesters,
            &courses,
            self.scope.sites(),
            self.scope.classes()
        )
        .fetch_all(&mut **tx)
        .await?;
        let known = found.into_iter().map(|row| {
            let place =
                Place { grade: row.grade_id, level: row.level_id, major: row.major_id, course: Some(row.course) };
            let chosen = row.selection.map(|selection| Chosen { selection, name: row.name, place, status: row.status });
            ((row.number, row.semester, row.course), chosen)
        });
        Ok(known.collect())
    }

    /// What a line says; none, with the reasons on it, when it is wrong.
    fn read(&mut self, row: &mut Row, chosen: &HashMap<Key, Option<Chosen>>) -> Option<Line> {
        let (number, name) = (fold(&row.required("学号")), row.required("姓名"));
        let course = referred(row, "课程编码", &self.courses).copied();
        let semester = referred(row, "学期编码", &self.semesters).copied();
        let typed = row.one_of("成绩项", KINDS);
        let (score, reason) = (row.text("成绩"), row.text("备注"));
        let (asked, answered) = (row.integer("提问次数"), row.integer("回答次数"));
        let counts = asked.is_some() || answered.is_some();
        let kind = typed.or(self.kind);
        let kind = kind.unwrap_or(if counts { ComponentKind::Questions } else { ComponentKind::Attendance });
        if let Some(own) = self.kind.filter(|own| *own != kind) {
            row.refuse("成绩项", format!("这里只能导入{}", own.zh()));
            return None;
        }
        if reason.as_deref().is_some_and(|reason| reason.chars().count() > 200) {
            row.refuse("备注", "不能超过200个字符");
        }
        let value = match (score, counts) {
            (Some(text), false) => match parsed(&text, 1_000) {
                Some(value) => Some(value),
                None => {
                    row.refuse("成绩", NO_SCORE);
                    None
                }
            },
            (None, true) if kind == ComponentKind::Questions => None,
            (None, true) => {
                row.refuse("提问次数", "只有答疑成绩可以填写次数");
                return None;
            }
            (Some(_), true) => {
                row.refuse("成绩", "成绩和次数只能填写一项");
                return None;
            }
            (None, false) => {
                row.refuse("成绩", "请填写成绩");
                return None;
            }
        };
        if [asked, answered].into_iter().flatten().any(|count| !(0..=100_000).contains(&count)) {
            row.refuse("提问次数", "次数应为0到100000之间的整数");
            return None;
        }
        let key = (number, semester?, course?);
        let chosen = match chosen.get(&key) {
            None => {
                if !key.0.is_empty() {
                    row.refuse("学号", "学号不存在");
                }
                return None;
            }
            Some(None) => {
                row.refuse("课程编码", "该生该学期未选该课程");
                return None;
            }
            Some(Some(chosen)) => chosen,
        };
        if chosen.name != name {
            row.refuse("姓名", "姓名与学号不符");
            return None;
        }
        if chosen.status.is_some_and(|status| status != CourseScoreStatus::Computing) {
            row.refuse("学号", "成绩已提交，不能导入");
            return None;
        }
        let first = *self.seen.entry((chosen.selection, kind.as_str())).or_insert(row.number());
        if first != row.number() {
            row.refuse("学号", format!("第 {} 行与第 {first} 行重复", row.number()));
            return None;
        }
        let value = match (value, counts) {
            (Some(value), _) => value,
            (None, true) => match &self.questions.of(chosen.place).params {
                Params::Questions(params) => {
                    questions::value(params, asked.unwrap_or_default(), answered.unwrap_or_default())
                }
                _ => return None,
            },
            (None, false) => return None,
        };
        let detail = if counts {
            json!({ "asked": asked.unwrap_or_default(), "answered": answered.unwrap_or_default() })
        } else {
            json!({})
        };
        Some(Line { selection: chosen.selection, kind, value, detail, reason })
    }
}
