//! 年度结转: a grade, the semesters of its year and its classes are made for a later year, as they were shown. An added
//! convenience beside part 03 A1 and A4: what a registrar would else copy by hand each year.
//!
//! ```text
//! source grade, target year ─→ plan, with its digest ─(shown, ticked)→ the same plan ─→ grade, semesters, classes
//! ```
//! Each row of the plan is new, there already, or blocked with the reason. What is ticked is made in one transaction, or
//! nothing is: a plan that came out otherwise meanwhile is refused. A person limited to sites sees and makes the classes of
//! their sites alone; grades and semesters are the whole school's for everybody who holds the code. Classes are made by the
//! school alone (03 A4), and so it rolls over by itself. What each entity becomes stands beside the entity.

use std::collections::HashSet;

use calendar::{
    grade::roll_over::{self as grade, RollOverGrade, SourceGrade},
    roll_over::RollOverState,
    semester::roll_over::{self as semesters, RollOverSemester},
};
use infra::{Allowed, Body, Change, Error, Part, Reply, Result, Scope, Tx, migrate::hex, permissions, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use serde_json::json;
use sha2::{Digest, Sha256};
use sqlx::PgConnection;
use term::Term;

use crate::class::roll_over::{self as classes, PlannedClass, RollOverClass};

permissions! {
    pages "/schoolPC/basicData/grade", "/platformPC/basicData/grade";
    InSchool Reads  PreviewRollOver  = "adult:pc:grade:rollOver" "年度结转";
    InSchool Writes CarryOutRollOver = "adult:pc:grade:rollOver" "年度结转";
}

pub const PART: Part = Part { permissions: &[PERMISSIONS], ..Part::NONE };

/// The last year that a code of a grade may name.
const LAST_YEAR: i32 = 2099;

/// Which grade, into which year.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct RollOverWish {
    /// 来源年级
    /// 不填时取最近入学的年级
    pub grade_id: Option<i64>,
    /// 目标年份
    /// 不填时取来源年级的下一年
    #[oai(validator(minimum(value = "1980"), maximum(value = "2099")))]
    pub year: Option<i32>,
}

impl Example for RollOverWish {
    fn example() -> Self {
        Self { grade_id: Some(1), year: Some(2027) }
    }
}

/// What would be made, row by row.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct RollOverPlan {
    /// 来源年级
    pub grade_id: i64,
    /// 来源年级名称
    pub grade_name: String,
    /// 来源年份
    pub from_year: i32,
    /// 目标年份
    pub year: i32,
    /// 预览的摘要
    pub digest: String,
    /// 年级
    pub grade: RollOverGrade,
    /// 学期
    pub semesters: Vec<RollOverSemester>,
    /// 班级
    pub classes: Vec<RollOverClass>,
}

/// The ticked rows of a plan that was shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct RollOverOrder {
    /// 来源年级
    pub grade_id: i64,
    /// 目标年份
    #[oai(validator(minimum(value = "1980"), maximum(value = "2099")))]
    pub year: i32,
    /// 预览的摘要
    #[oai(validator(max_length = 64))]
    pub digest: String,
    /// 新建年级
    #[oai(default)]
    pub grade: bool,
    /// 来源学期
    #[oai(default, validator(max_items = 2))]
    pub semester_ids: Vec<i64>,
    /// 来源班级
    #[oai(default, validator(max_items = 2000))]
    pub class_ids: Vec<i64>,
}

impl Example for RollOverOrder {
    fn example() -> Self {
        Self {
            grade_id: 1,
            year: 2027,
            digest: "0".repeat(64),
            grade: true,
            semester_ids: vec![1, 2],
            class_ids: vec![1],
        }
    }
}

/// 结转的结果
#[derive(Debug, Clone, PartialEq, Eq, Object)]
pub struct RolledOver {
    /// 目标年级
    /// 没有目标年级时为来源年级
    pub id: i64,
    /// 新建年级数
    pub grades: i64,
    /// 新建学期数
    pub semesters: i64,
    /// 新建班级数
    pub classes: i64,
}

pub struct RollOver;

#[OpenApi(prefix_path = "/adult/pc/grade/rollOver", tag = "crate::Tag::Classes")]
impl RollOver {
    /// 预览年度结转
    #[oai(path = "/preview", method = "post", operation_id = "previewRollOver")]
    async fn preview(
        &self,
        caller: Allowed<PreviewRollOver>,
        Body(wish): Body<RollOverWish>,
    ) -> Result<Reply<RollOverPlan>> {
        let mut tx = caller.read().await?;
        Ok(reply(plan(&mut tx, &wish, &caller.scope()).await?.told()))
    }

    /// 执行年度结转
    #[oai(path = "/save", method = "post", operation_id = "saveRollOver")]
    async fn save(
        &self,
        caller: Allowed<CarryOutRollOver>,
        Body(order): Body<RollOverOrder>,
    ) -> Result<Reply<RolledOver>> {
        let done = match carry_out(&caller, &order).await {
            Ok(done) => done,
            Err(error) => match error.replayed() {
                Some(id) => repeated(&mut *caller.read().await?, id, &order.digest).await?,
                None => return Err(error),
            },
        };
        Ok(reply(done))
    }
}

/// Told when something that the plan rests on is no longer as it was shown.
pub(crate) fn changed_meanwhile() -> Error {
    Error::conflict("年级、学期或班级已变化，请重新预览")
}

/// What is to become of a grade and its year.
struct Plan {
    source: SourceGrade,
    year: i32,
    grade: RollOverGrade,
    semesters: Vec<RollOverSemester>,
    classes: Vec<PlannedClass>,
}

/// Reads what there is and works out what would be made. Nothing is written.
///
/// # Errors
/// 422 at the source or the year that cannot be chosen.
async fn plan(connection: &mut PgConnection, wish: &RollOverWish, scope: &Scope) -> Result<Plan> {
    let source = grade::source(connection, wish.grade_id).await?;
    let year = target_year(source.entered, wish.year)?;
    let grade = grade::target(connection, &source, year).await?;
    let from = source.entered.year;
    let semesters = semesters::semesters(connection, from, year - from).await?;
    let classes = classes::classes(connection, source.id, &grade, scope).await?;
    Ok(Plan { source, year, grade, semesters, classes })
}

/// # Errors
/// 422 at `year` unless it comes after the source's, and is one that a grade may have.
fn target_year(entered: Term, wanted: Option<i32>) -> Result<i32> {
    let year = wanted.unwrap_or(entered.year + 1);
    if year <= entered.year {
        return Err(Error::field("year", format!("目标年份应晚于来源年级的入学年份{}", entered.year)));
    }
    if year > LAST_YEAR {
        return Err(Error::field("year", format!("目标年份不能晚于{LAST_YEAR}年")));
    }
    Ok(year)
}

impl Plan {
    /// The same for the same plan only: all that would be written, and what would not. How many sit in a source class
    /// decides nothing.
    fn digest(&self) -> String {
        let grade = json!([self.grade.id, self.grade.code, self.grade.name, self.grade.state.as_str()]);
        let semesters = self.semesters.iter().map(|row| {
            json!([row.source_id, row.code, row.name, row.starts_on, row.ends_on, row.state.as_str(), row.reason])
        });
        let classes = self.classes.iter().map(|PlannedClass { shown: row, .. }| {
            json!([row.source_id, row.code, row.name, row.capacity, row.state.as_str(), row.reason])
        });
        let told =
            json!([self.source.id, self.year, grade, semesters.collect::<Vec<_>>(), classes.collect::<Vec<_>>()]);
        hex(&Sha256::digest(told.to_string()))
    }

    fn told(self) -> RollOverPlan {
        RollOverPlan {
            digest: self.digest(),
            grade_id: self.source.id,
            grade_name: self.source.name,
            from_year: self.source.entered.year,
            year: self.year,
            grade: self.grade,
            semesters: self.semesters,
            classes: self.classes.into_iter().map(|class| class.shown).collect(),
        }
    }

    /// The rows that an order ticks.
    ///
    /// # Errors
    /// 422 at the field with a row that is not to be made, and when nothing was ticked.
    fn ticked(&self, order: &RollOverOrder) -> Result<Ticked<'_>> {
        let grade = order.grade.then_some(&self.grade);
        if grade.is_some_and(|grade| grade.state != RollOverState::New) {
            return Err(not_new("grade"));
        }
        let semesters = chosen(&self.semesters, &order.semester_ids, |row| (row.source_id, row.state));
        let semesters = semesters.ok_or_else(|| not_new("semesterIds"))?;
        let classes =
            chosen(&self.classes, &order.class_ids, |PlannedClass { shown, .. }| (shown.source_id, shown.state));
        let classes = classes.ok_or_else(|| not_new("classIds"))?;
        if !classes.is_empty() && grade.is_none() && self.grade.id.is_none() {
            return Err(Error::field("classIds", "班级须有年级，请同时勾选新建年级"));
        }
        if grade.is_none() && semesters.is_empty() && classes.is_empty() {
            return Err(Error::refused("请至少勾选一项"));
        }
        Ok(Ticked { grade, semesters, classes })
    }
}

fn not_new(field: &str) -> Error {
    Error::field(field, "只能勾选将新建的内容，请重新选择")
}

/// The rows of a plan that are to be made.
struct Ticked<'p> {
    grade: Option<&'p RollOverGrade>,
    semesters: Vec<&'p RollOverSemester>,
    classes: Vec<&'p PlannedClass>,
}

/// The rows of these sources; none when one of them is not new.
fn chosen<'p, Row>(rows: &'p [Row], ids: &[i64], of: impl Fn(&Row) -> (i64, RollOverState)) -> Option<Vec<&'p Row>> {
    let wanted: HashSet<i64> = ids.iter().copied().collect();
    let found: Vec<&Row> = rows
        .iter()
        .filter(|row| {
            let (id, state) = of(row);
            state == RollOverState::New && wanted.contains(&id)
        })
        .collect();
    (found.len() == wanted.len()).then_some(found)
}

/// Makes what is ticked, if the plan still is the one that was shown.
async fn carry_out(caller: &Allowed<CarryOutRollOver>, order: &RollOverOrder) -> Result<RolledOver> {
    let mut tx = caller.begin().await?;
    lock(&mut tx, order.year).await?;
    let wish = RollOverWish { grade_id: Some(order.grade_id), year: Some(order.year) };
    let plan = plan(&mut tx, &wish, &caller.scope()).await?;
    if plan.digest() != order.digest {
        return Err(changed_meanwhile());
    }
    let ticked = plan.ticked(order)?;
    let mut made = Vec::new();
    let mut target = plan.grade.id;
    if let Some(grade) = ticked.grade {
        let (id, change) = grade::make(&mut tx, &plan.source, grade).await.map_err(taken_meanwhile)?;
        target = Some(id);
        made.push(change);
    }
    for semester in &ticked.semesters {
        made.push(semesters::make(&mut tx, semester).await.map_err(taken_meanwhile)?);
    }
    if let Some(grade_id) = target {
        made.extend(classes::make(&mut tx, grade_id, &ticked.classes).await?);
    }
    let count = |rows: usize| i64::try_from(rows).map_err(Error::internal);
    let done = RolledOver {
        id: target.unwrap_or(plan.source.id),
        grades: i64::from(ticked.grade.is_some()),
        semesters: count(ticked.semesters.len())?,
        classes: count(ticked.classes.len())?,
    };
    let what = json!({
        "gradeId": plan.source.id, "year": plan.year, "digest": order.digest,
        "grades": done.grades, "semesters": done.semesters, "classes": done.classes,
    });
    let mut changes = vec![Change::event("grade", done.id, "rollOver", what)];
    changes.extend(made);
    tx.commit_all(changes).await?;
    Ok(done)
}

/// Nobody else rolls over, or makes classes in a grade of the target year, until this transaction ends. Counters before
/// grades, as whoever makes a class takes them.
async fn lock(tx: &mut Tx, year: i32) -> Result<()> {
    sqlx::query!(
        r#"select pg_advisory_xact_lock(hashtextextended('roll over ' || current_schema(), 0))::text as "locked""#
    )
    .fetch_one(&mut **tx)
    .await?;
    sqlx::query!(
        "select c.last_seq from class_counter c join grade g on g.id = c.grade_id where g.entry_year = $1
         order by c.grade_id, c.level_id, c.major_id, c.site_id for update of c",
        year
    )
    .fetch_all(&mut **tx)
    .await?;
    sqlx::query!("select id from grade where entry_year = $1 order by id for update", year)
        .fetch_all(&mut **tx)
        .await?;
    Ok(())
}

/// The plan saw that code, name and days were free; whoever has them now took them since.
fn taken_meanwhile(error: Error) -> Error {
    if error.code == 422 { changed_meanwhile() } else { error }
}

/// What the same call made before, as its record tells.
async fn repeated(connection: &mut PgConnection, id: i64, digest: &str) -> Result<RolledOver> {
    let told = sqlx::query!(
        r#"select jsonb_path_query_first(changes, '$[*] ? (@.field == "grades").after')::bigint as "grades!",
                  jsonb_path_query_first(changes, '$[*] ? (@.field == "semesters").after')::bigint as "semesters!",
                  jsonb_path_query_first(changes, '$[*] ? (@.field == "classes").after')::bigint as "classes!"
           from audit_log
           where entity_type = 'grade' and entity_id = $1 and action = 'rollOver'
             and changes @> jsonb_build_array(jsonb_build_object('field', 'digest', 'after', $2::text))
           order by at desc limit 1"#,
        id,
        digest
    )
    .fetch_optional(connection)
    .await?
    .ok_or_else(Error::not_found)?;
    Ok(RolledOver { id, grades: told.grades, semesters: told.semesters, classes: told.classes })
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::Season;

    #[test]
    fn the_target_year_comes_after_the_source() {
        let told = |entry: i32, wanted: Option<i32>| {
            let entered = Term { year: entry, season: Season::Spring };
            target_year(entered, wanted).map_or_else(|error| error.msg.into_owned(), |year| year.to_string())
        };
        assert_eq!(told(2026, None), "2027");
        assert_eq!(told(2026, Some(2030)), "2030");
        assert_eq!(told(2026, Some(2026)), "目标年份应晚于来源年级的入学年份2026");
        assert_eq!(told(2099, None), "目标年份不能晚于2099年");
    }

    #[test]
    fn only_new_rows_are_chosen_and_each_once() {
        let rows = [(1, RollOverState::New), (2, RollOverState::Exists), (3, RollOverState::New)];
        let told = |ids: &[i64]| chosen(&rows, ids, |row| *row).map(|rows| rows.len());
        assert_eq!(told(&[]), Some(0));
        assert_eq!(told(&[3, 3, 1]), Some(2));
        assert_eq!(told(&[1, 2]), None);
        assert_eq!(told(&[9]), None);
    }
}
