//! 导入历史成绩: what was taken before the school opened its first course here; every row or none (part 04 §7).

use std::collections::{HashMap, HashSet};

use course_opening::history::{TakenBefore, import_history};
use course_selection::score::{complete_selection, remove_history};
use infra::{
    Allowed, Change, Error, Reply, Result, Scope, Tx,
    naming::{Codes, referred},
    sheet::{InputColumn, Row, Template},
    transfer::{self, Attachment, Import, ImportAnswer, ImportForm, Imported},
};
use poem_openapi::{Object, OpenApi};
use scores_rules::{
    arith::{NO_SCORE, parsed, points},
    enums::{EffectiveRound, ExamRound, ScoreMark},
    gpa,
    resolve::Place,
    total::{Total, text},
};
use student_status::{id_card::fold, student::check::NOT_YOURS};
use teaching_plan::enums::CourseNature;

use super::{FetchHistorySheet, ImportHistory};
use crate::score::{Rules, ensure::ensure};

const YES_NO: &[(&str, bool)] = &[("是", true), ("否", false)];
/// Marks that an old record may have.
const MARKS: &[(&str, ScoreMark)] = &[
    ("缺考", ScoreMark::Absent),
    ("违纪", ScoreMark::Violation),
    ("作弊", ScoreMark::Cheating),
    ("取消资格", ScoreMark::Disqualified),
    ("免修", ScoreMark::Exempt),
];

pub struct ImportPast;

#[OpenApi(prefix_path = "/adult/pc/adult/achievement", tag = "crate::Tag::Scores")]
impl ImportPast {
    /// 导入历史成绩
    /// 系统启用前的学期
    #[oai(path = "/import", method = "post", operation_id = "importAchievements")]
    async fn import(&self, caller: Allowed<ImportHistory>, form: ImportForm) -> Result<Reply<ImportAnswer>> {
        transfer::import::<HistorySheet>(&caller, form).await
    }

    /// 历史成绩导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchAchievementImportTemplate")]
    async fn template(&self, caller: Allowed<FetchHistorySheet>) -> Result<Attachment> {
        transfer::template::<HistorySheet, _>(&caller).await
    }
}

/// A student that a row names.
struct Known {
    id: i64,
    name: String,
    site: i64,
    class: Option<i64>,
    grade: i64,
    level: i64,
    major: i64,
}

/// What an old record says, as the trail keeps it.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
struct PastContent {
    /// 选课编号
    selection_id: i64,
    /// 成绩显示
    display_text: String,
    /// 总评
    total: Option<f64>,
    /// 学分
    credits: f64,
}

/// A row that is right by itself.
struct Past {
    taken: TakenBefore,
    place: Place,
    total: Option<i64>,
    mark: ScoreMark,
    makeup: bool,
}

/// One import, with what its rows may name.
pub(super) struct HistorySheet {
    scope: Scope,
    semesters: Codes<i64>,
    /// Those before the first that was opened here.
    early: HashSet<i64>,
    courses: Codes<i64>,
    rules: Rules,
    /// The line at which a student's course of a semester stood first.
    seen: HashMap<(i64, i64, i64), u32>,
}

impl Import for HistorySheet {
    const KIND: &'static str = "achievement.import";
    type Permission = ImportHistory;
    const CODES: &'static [(&'static str, &'static str)] = &[("学期编码", "semester"), ("课程编码", "course")];

    fn template() -> Template {
        Template {
            title: "历史成绩",
            columns: vec![
                InputColumn::required("学号", ""),
                InputColumn::required("姓名", ""),
                InputColumn::required("课程编码", ""),
                InputColumn::required("学期编码", "系统启用前的学期"),
                InputColumn::required("学分", "0.5至30"),
                InputColumn::required("性质", "").one_of(CourseNature::CHOICES.iter().map(|(zh, _)| *zh)),
                InputColumn::optional("总评", "0至100，最多一位小数；与特殊情况填一项"),
                InputColumn::optional("特殊情况", "").one_of(MARKS.iter().map(|(zh, _)| *zh)),
                InputColumn::optional("补考", "不填为否").one_of(YES_NO.iter().map(|(zh, _)| *zh)),
            ],
        }
    }

    async fn start(tx: &mut Tx, scope: Scope, _into: Option<i64>) -> Result<Self> {
        let semesters = sqlx::query!(
            r#"select code, id, starts_on < coalesce(
                   (select min(f.starts_on) from course_opening o join semester f on f.id = o.semester_id
                    where o.opened_at is not null), 'infinity'::date) as "early!"
               from semester"#
        )
        .fetch_all(&mut **tx)
        .await?;
        let courses = sqlx::query!("select code, id from course").fetch_all(&mut **tx).await?;
        Ok(Self {
            scope,
            early: semesters.iter().filter(|row| row.early).map(|row| row.id).collect(),
            semesters: semesters.into_iter().map(|row| (row.code, row.id)).collect(),
            courses: courses.into_iter().map(|row| (row.code, row.id)).collect(),
            rules: Rules::load(tx).await?,
            seen: HashMap::new(),
        })
    }

    async fn rows(&mut self, tx: &mut Tx, rows: &mut [Row], write: bool) -> Result<Vec<Change>> {
        let numbers: Vec<String> = rows.iter().filter_map(|row| row.peek("学号")).map(|number| fold(&number)).collect();
        let found = sqlx::query!(
            r#"select student_no as "student_no!", id, name, site_id, class_id, grade_id, level_id, major_id from student
               where student_no = any($1) order by id for share"#,
            &numbers
        )
        .fetch_all(&mut **tx)
        .await?;
        let students: HashMap<String, Known> = found
            .into_iter()
            .map(|row| {
                let known = Known {
                    id: row.id,
                    name: row.name,
                    site: row.site_id,
                    class: row.class_id,
                    grade: row.grade_id,
                    level: row.level_id,
                    major: row.major_id,
                };
                (row.student_no, known)
            })
            .collect();
        let mut changes = Vec::new();
        for row in rows {
            let Some(past) = self.read(row, &students) else { continue };
            if !write || !row.errors().is_empty() {
                continue;
            }
            match self.write(tx, past).await {
                Ok(written) => changes.extend(written),
                Err(error) if error.code == 409 => row.refuse("课程编码", error.msg.into_owned()),
                Err(error) => return Err(error),
            }
        }
        Ok(changes)
    }

    /// The score goes with its selection, as long as nothing else hangs on them.
    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        if record.is_new("course_selection") || record.is_new("course_opening") {
            return Ok(None);
        }
        let row = sqlx::query!(
            "select s.selection_id, s.display_text, s.total::float8 as total, s.credits::float8 as credits, s.imported, y.name,
                    y.site_id, y.class_id
             from course_score s join student y on y.id = s.student_id where s.id = $1 for update of s",
            record.id
        )
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(Error::not_found)?;
        if !scope.sees(Some(row.site_id), row.class_id) {
            return Err(Error::not_found());
        }
        if !row.imported {
            return Err(Imported::changed());
        }
        let before = PastContent {
            selection_id: row.selection_id,
            display_text: row.display_text,
            total: row.total,
            credits: row.credits.unwrap_or_default(),
        };
        tx.remove("course_score", record.id, &row.name).await?;
        let gone = remove_history(tx, row.selection_id).await?;
        tx.record(&[gone]).await?;
        Ok(Some(Change::deleted("course_score", record.id, &before)))
    }

    async fn named(tx: &mut Tx, record: &Imported) -> Result<String> {
        let name = sqlx::query_scalar!(
            "select y.name from course_score s join student y on y.id = s.student_id where s.id = $1",
            record.id
        )
        .fetch_optional(&mut **tx)
        .await?;
        Ok(name.unwrap_or_default())
    }
}

impl HistorySheet {
    /// What a line says; none, with the reasons on it, when it is wrong.
    fn read(&mut self, row: &mut Row, students: &HashMap<String, Known>) -> Option<Past> {
        let (number, name) = (fold(&row.required("学号")), row.required("姓名"));
        let course = referred(row, "课程编码", &self.courses).copied();
        let semester = referred(row, "学期编码", &self.semesters).copied();
        let credits = row.decimal("学分", 1);
        let nature = row.one_of("性质", CourseNature::CHOICES);
        let (total, mark) = (row.text("总评"), row.one_of("特殊情况", MARKS));
        let makeup = row.one_of("补考", YES_NO).unwrap_or_default();
        let total = match total {
            None => None,
            Some(said) => match parsed(&said, 1_000) {
                Some(total) => Some(total),
                None => {
                    row.refuse("总评", NO_SCORE);
                    return None;
                }
            },
        };
        if total.is_some() == mark.is_some() {
            row.refuse("总评", "总评和特殊情况须填写一项");
            return None;
        }
        if credits.is_some_and(|credits| !(5..=300).contains(&credits)) {
            row.refuse("学分", "学分应在0.5到30之间");
            return None;
        }
        if semester.is_some_and(|semester| !self.early.contains(&semester)) {
            row.refuse("学期编码", "只能导入系统启用前的学期");
            return None;
        }
        let Some(student) = students.get(&number) else {
            if !number.is_empty() {
                row.refuse("学号", "学号不存在");
            }
            return None;
        };
        if !self.scope.sees(Some(student.site), student.class) {
            row.refuse("学号", NOT_YOURS);
            return None;
        }
        if student.name != name {
            row.refuse("姓名", "姓名与学号不符");
            return None;
        }
        let (course_id, semester_id, credits, nature) = (course?, semester?, credits?, nature?);
        let first = *self.seen.entry((student.id, course_id, semester_id)).or_insert(row.number());
        if first != row.number() {
            row.refuse("课程编码", format!("第 {} 行与第 {first} 行重复", row.number()));
            return None;
        }
        Some(Past {
            taken: TakenBefore { student_id: student.id, course_id, semester_id, credits, nature, attempt_no: 1 },
            place: Place { grade: student.grade, level: student.level, major: student.major, course: Some(course_id) },
            total,
            mark: mark.unwrap_or(ScoreMark::Normal),
            makeup,
        })
    }

    async fn write(&self, tx: &mut Tx, past: Past) -> Result<Vec<Change>> {
        let before = sqlx::query_scalar!(
            r#"select count(*) as "before!" from course_selection where student_id = $1 and course_id = $2 and status = 'completed'"#,
            past.taken.student_id,
            past.taken.course_id
        )
        .fetch_one(&mut **tx)
        .await?;
        let attempt_no = i32::try_from(before + 1).map_err(Error::internal)?;
        let (selection, made) = import_history(tx, &TakenBefore { attempt_no, ..past.taken }).await?;
        let id = *ensure(tx, &[selection]).await?.get(&selection).ok_or_else(Error::not_found)?;
        let formula = self.rules.formula(past.place)?.total;
        let exempt = past.mark == ScoreMark::Exempt;
        let value = if exempt { None } else { Some(past.total.unwrap_or_default()) };
        let passed = exempt || (past.mark == ScoreMark::Normal && value.is_some_and(|total| total >= formula.pass()));
        let round = if past.makeup { ExamRound::Makeup } else { ExamRound::First };
        let said = Total { value, mark: past.mark, passed: Some(passed), blocked: Vec::new(), steps: Vec::new() };
        let said = text(&said, formula.grading_mode, round);
        let point = match (exempt, value) {
            (false, Some(total)) if passed => Some(gpa::point(formula.gpa_scale, total)),
            (false, _) => Some(0),
            (true, _) => None,
        };
        let effective = if exempt { EffectiveRound::Exempt } else { round.effective() };
        let (by, now) = (tx.by(), tx.app().clock().now());
        sqlx::query!(
            "update course_score
             set first_total = case when $8 then null else $2::bigint / 10.0 end, first_mark = $3, total = $2::bigint / 10.0, mark = $3,
                 effective_round = $4, display_text = $5, passed = $6, earned_credits = case when $6 then credits else 0 end,
                 grade_point = $7::bigint / 100.0, makeup_used = case when $8 then 1 else 0 end, imported = true, status = 'locked',
                 published_at = $9::timestamptz, counted_at = $9::timestamptz, locked_at = $9::timestamptz, updated_at = now(),
                 updated_by = $10, version = version + 1
             where id = $1",
            id,
            value,
            past.mark.as_str(),
            effective.as_str(),
            said,
            passed,
            point,
            past.makeup,
            now as _,
            by
        )
        .execute(&mut **tx)
        .await?;
        let completed = complete_selection(tx, selection, value.unwrap_or_default(), passed).await?;
        // What followed of it is told by the trail alone: it goes with the score.
        let mut followed = made;
        followed.push(completed);
        tx.record(&followed).await?;
        let content = PastContent {
            selection_id: selection,
            display_text: said,
            total: value.map(points),
            credits: points(past.taken.credits),
        };
        Ok(vec![Change::created("course_score", id, &content)])
    }
}
