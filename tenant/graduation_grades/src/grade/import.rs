//! 导入毕业成绩: one part in a sheet, by its items or as a whole; every row or none (part 04 §8.2).

use std::{
    collections::{BTreeMap, HashMap},
    marker::PhantomData,
};

use infra::{
    Allowed, App, Change, Error, Reply, Result, Scope, Tx,
    sheet::{InputColumn, Row, Template},
    transfer::{self, Attachment, Import, ImportAnswer, ImportForm, Imported},
};
use poem_openapi::{Multipart, OpenApi, param::Query, types::multipart::Upload};
use scores_rules::arith::{NO_SCORE, parsed};
use sqlx::PgConnection;
use student_status::student::check::NOT_YOURS;
use thesis_rules::grade::{GradeTurn, after};

use super::{
    FetchGradeSheet, ImportGrades,
    compute::settle,
    enter::{Given, GradeContent, judged, with, worth, written},
    hold::{Held, held, hold},
    rules::{GradeRules, item_names},
    select::GraduationPart,
};

/// The multipart body of the import.
#[derive(Debug, Multipart)]
#[oai(rename_all = "camelCase")]
pub struct GraduationImportForm {
    /// 文件
    pub file: Upload,
    /// 毕业成绩项
    /// thesis、review 或 defense
    pub part: String,
    /// 仅检查
    pub dry_run: Option<bool>,
    /// 检查时文件的摘要
    /// 仅检查时应答的 sha256；与本次文件不同时拒绝导入
    pub sha256: Option<String>,
}

pub struct ImportGrade;

#[OpenApi(prefix_path = "/adult/pc/graduation/score", tag = "crate::Tag::GraduationGrades")]
impl ImportGrade {
    /// 导入毕业成绩
    /// 论文、评阅或答辩成绩，一次一项
    #[oai(path = "/import", method = "post", operation_id = "importGraduationScores")]
    async fn import(&self, caller: Allowed<ImportGrades>, form: GraduationImportForm) -> Result<Reply<ImportAnswer>> {
        let GraduationImportForm { file, part, dry_run, sha256 } = form;
        let form = ImportForm { file, dry_run, sha256 };
        match chosen(&part)? {
            Chosen::Thesis => transfer::import::<GradeSheet<OfThesis>>(&caller, form).await,
            Chosen::Review => transfer::import::<GradeSheet<OfReview>>(&caller, form).await,
            Chosen::Defense => transfer::import::<GradeSheet<OfDefense>>(&caller, form).await,
        }
    }

    /// 毕业成绩导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchGraduationScoreImportTemplate")]
    async fn template(
        &self,
        caller: Allowed<FetchGradeSheet>,
        /// 毕业成绩项
        /// 不填为论文成绩
        #[oai(validator(max_length = 20))]
        part: Query<Option<String>>,
    ) -> Result<Attachment> {
        match chosen(part.0.as_deref().unwrap_or("thesis"))? {
            Chosen::Thesis => transfer::template::<GradeSheet<OfThesis>, _>(&caller).await,
            Chosen::Review => transfer::template::<GradeSheet<OfReview>, _>(&caller).await,
            Chosen::Defense => transfer::template::<GradeSheet<OfDefense>, _>(&caller).await,
        }
    }
}

/// A part that has a sheet.
enum Chosen {
    Thesis,
    Review,
    Defense,
}

/// # Errors
/// 422 for no such part, and for internships, whose sheet is their own.
fn chosen(word: &str) -> Result<Chosen> {
    match GraduationPart::parse(word) {
        Some(GraduationPart::Thesis) => Ok(Chosen::Thesis),
        Some(GraduationPart::Review) => Ok(Chosen::Review),
        Some(GraduationPart::Defense) => Ok(Chosen::Defense),
        Some(GraduationPart::Internship) => Err(Error::field("part", "实习成绩请在实习成绩页面导入")),
        None => Err(Error::field("part", "请选择毕业成绩项")),
    }
}

/// Which part a sheet holds.
pub(super) trait SheetPart: Send + Sync + 'static {
    const PART: GraduationPart;
    const KIND: &'static str;
    const TITLE: &'static str;
}

pub(super) enum OfThesis {}
impl SheetPart for OfThesis {
    const PART: GraduationPart = GraduationPart::Thesis;
    const KIND: &'static str = "graduation_score.import.thesis";
    const TITLE: &'static str = "论文成绩";
}

pub(super) enum OfReview {}
impl SheetPart for OfReview {
    const PART: GraduationPart = GraduationPart::Review;
    const KIND: &'static str = "graduation_score.import.review";
    const TITLE: &'static str = "评阅成绩";
}

pub(super) enum OfDefense {}
impl SheetPart for OfDefense {
    const PART: GraduationPart = GraduationPart::Defense;
    const KIND: &'static str = "graduation_score.import.defense";
    const TITLE: &'static str = "答辩成绩";
}

/// One import of a part.
pub(super) struct GradeSheet<P> {
    scope: Scope,
    rules: GradeRules,
    /// Of every rule of the part.
    items: Vec<String>,
    /// The line at which a selection stood first.
    seen: HashMap<i64, u32>,
    name: String,
    part: PhantomData<P>,
}

/// A student of a line, with the last thesis course that they are in.
struct Meant {
    name: String,
    selection: Option<i64>,
}

impl<P: SheetPart> Import for GradeSheet<P> {
    const KIND: &'static str = P::KIND;
    type Permission = ImportGrades;

    fn template() -> Template {
        Template {
            title: P::TITLE,
            columns: vec![
                InputColumn::required("学号", ""),
                InputColumn::required("姓名", ""),
                InputColumn::optional("成绩", "0至100，最多一位小数；填写评分项时可不填"),
                InputColumn::optional("评语", ""),
            ],
        }
    }

    /// With the items of all rules that students may have.
    async fn sheet(_app: &App, connection: &mut PgConnection) -> Result<Template> {
        let mut template = Self::template();
        let columns = item_names(connection, P::PART).await?.into_iter().map(|(name, weight)| {
            let hint = weight.map_or_else(|| "学生的评分规则有此项时填写".to_owned(), |weight| format!("占{weight}%"));
            InputColumn::optional(name, hint)
        });
        drop(template.columns.splice(3..3, columns));
        Ok(template)
    }

    async fn start(tx: &mut Tx, scope: Scope, _into: Option<i64>) -> Result<Self> {
        let rules = GradeRules::load(tx).await?;
        let items = item_names(tx, P::PART).await?.into_iter().map(|(name, _)| name).collect();
        Ok(Self { scope, rules, items, seen: HashMap::new(), name: tx.actor().name.clone(), part: PhantomData })
    }

    async fn rows(&mut self, tx: &mut Tx, rows: &mut [Row], write: bool) -> Result<Vec<Change>> {
        let meant = meant(tx, rows, &self.scope).await?;
        let by = tx.by();
        let selections: Vec<i64> = meant.values().filter_map(|one| one.selection).collect();
        let found = hold(tx, &selections, &self.scope).await?;
        let (mut changes, mut done) = (Vec::new(), Vec::new());
        for row in rows {
            let Some((held, given)) = self.read(row, &meant, &found) else { continue };
            let score = match worth(&self.rules, held, P::PART, &given) {
                Ok(score) => score,
                Err(error) => {
                    row.refuse("成绩", error.msg.into_owned());
                    continue;
                }
            };
            if !write || !row.errors().is_empty() {
                continue;
            }
            let content = with(held, P::PART, score, given);
            match written(tx, held, P::PART, &content, (Some(by), &self.name)).await {
                Ok(change) => changes.push(change),
                Err(error) if error.code == 409 => row.refuse("学号", error.msg.into_owned()),
                Err(error) => return Err(error),
            }
            done.push(held.selection);
        }
        settle(tx, &self.rules, &done).await?;
        Ok(changes)
    }

    /// What the part held before stands again.
    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        let selection = sqlx::query_scalar!("select selection_id from graduation_score where id = $1", record.id)
            .fetch_optional(&mut **tx)
            .await?
            .ok_or_else(Error::not_found)?;
        let held = held(tx, selection, scope).await?;
        let former: GradeContent = record.former(&held.content)?;
        let (by, name) = (tx.by(), tx.actor().name.clone());
        let change = written(tx, &held, P::PART, &former, (Some(by), &name)).await?;
        let rules = GradeRules::load(tx).await?;
        settle(tx, &rules, &[selection]).await?;
        Ok(Some(change))
    }

    async fn named(tx: &mut Tx, record: &Imported) -> Result<String> {
        let name = sqlx::query_scalar!(
            "select y.name from graduation_score g join student y on y.id = g.student_id where g.id = $1",
            record.id
        )
        .fetch_optional(&mut **tx)
        .await?;
        Ok(name.unwrap_or_default())
    }
}

/// Students within the scope by their number: of others a line hears what it hears of a number that is nobody's.
async fn meant(tx: &mut Tx, rows: &[Row], scope: &Scope) -> Result<HashMap<String, Meant>> {
    let numbers: Vec<String> = rows.iter().filter_map(|row| row.peek("学号")).collect();
    let found = sqlx::query!(
        r#"select y.student_no as "student_no!", y.name as "name!",
                  (select c.id from course_selection c join course u on u.id = c.course_id and u.kind = 'thesis'
                   where c.student_id = y.id and c.status in ('selected', 'completed')
                   order by c.status = 'selected' desc, c.id desc limit 1) as "selection?"
           from student y
           where y.student_no = any($1) and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))"#,
        &numbers,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(found.into_iter().map(|row| (row.student_no, Meant { name: row.name, selection: row.selection })).collect())
}

impl<P: SheetPart> GradeSheet<P> {
    /// What a line says; none, with the reasons on it, when it is wrong.
    fn read<'h>(
        &mut self,
        row: &mut Row,
        meant: &HashMap<String, Meant>,
        found: &'h BTreeMap<i64, Held>,
    ) -> Option<(&'h Held, Given)> {
        let (number, name) = (row.required("学号"), row.required("姓名"));
        let comment = row.text("评语");
        if comment.as_deref().is_some_and(|comment| comment.chars().count() > 1_000) {
            row.refuse("评语", "不能超过1000个字符");
            return None;
        }
        let Some(one) = meant.get(&number) else {
            if !number.is_empty() {
                row.refuse("学号", "学号不存在");
            }
            return None;
        };
        let Some(selection) = one.selection else {
            row.refuse("学号", "该生没有毕业论文课程");
            return None;
        };
        let Some(held) = found.get(&selection) else {
            row.refuse("学号", NOT_YOURS);
            return None;
        };
        if one.name != name {
            row.refuse("姓名", "姓名与学号不符");
            return None;
        }
        if let Err(why) = after(held.status, GradeTurn::Enter) {
            row.refuse("学号", why);
            return None;
        }
        if let Err(why) = judged(held, P::PART) {
            row.refuse("学号", why);
            return None;
        }
        let first = *self.seen.entry(selection).or_insert(row.number());
        if first != row.number() {
            row.refuse("学号", format!("第 {} 行与第 {first} 行重复", row.number()));
            return None;
        }
        let mut given = Given { comment, ..Given::default() };
        if let Some(text) = row.text("成绩") {
            given.score = parsed(&text, 1_000);
            if given.score.is_none() {
                row.refuse("成绩", NO_SCORE);
                return None;
            }
        }
        let items = &self.rules.items(P::PART, held.place).ok()?.items;
        for name in &self.items {
            if row.peek(name).is_some() && !items.iter().any(|item| item.name == *name) {
                row.refuse(name, "该生的评分规则没有此项，请留空");
                return None;
            }
        }
        for item in items {
            let Some(text) = row.text(&item.name) else { continue };
            let Some(score) = parsed(&text, 1_000) else {
                row.refuse(&item.name, NO_SCORE);
                return None;
            };
            given.items.push((item.code.clone(), score));
        }
        if given.score.is_none() && given.items.is_empty() {
            row.refuse("成绩", "请填写成绩");
            return None;
        }
        Some((held, given))
    }
}
