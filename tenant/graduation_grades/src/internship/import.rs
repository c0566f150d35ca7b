//! 导入实习: the two scores of internships, every row or none (part 04 §8.2).

use std::collections::HashMap;

use infra::{
    Allowed, Change, Error, Reply, Result, Scope, Tx,
    sheet::{InputColumn, Row, Template},
    transfer::{self, Attachment, Import, ImportAnswer, ImportForm, Imported},
};
use poem_openapi::OpenApi;
use scores_rules::arith::{NO_SCORE, parsed, points};
use student_status::student::check::NOT_YOURS;
use thesis_rules::grade::{InternshipTurn, after_internship};

use super::{
    FetchInternshipSheet, ImportInternships,
    hold::{Held, held, hold},
    write::{InternshipContent, Papers, put},
};

pub struct ImportInternship;

#[OpenApi(prefix_path = "/adult/pc/practice", tag = "crate::Tag::GraduationGrades")]
impl ImportInternship {
    /// 导入实习
    /// 单位评分和教师评分
    #[oai(path = "/import", method = "post", operation_id = "importInternships")]
    async fn import(&self, caller: Allowed<ImportInternships>, form: ImportForm) -> Result<Reply<ImportAnswer>> {
        transfer::import::<InternshipSheet>(&caller, form).await
    }

    /// 实习导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchInternshipImportTemplate")]
    async fn template(&self, caller: Allowed<FetchInternshipSheet>) -> Result<Attachment> {
        transfer::template::<InternshipSheet, _>(&caller).await
    }
}

/// One import.
pub(super) struct InternshipSheet {
    scope: Scope,
    /// The line at which a selection stood first.
    seen: HashMap<i64, u32>,
    name: String,
}

/// A student of a line, with the last internship course that they are in.
struct Meant {
    name: String,
    selection: Option<i64>,
}

impl Import for InternshipSheet {
    const KIND: &'static str = "internship.import";
    type Permission = ImportInternships;

    fn template() -> Template {
        Template {
            title: "实习成绩",
            columns: vec![
                InputColumn::required("学号", ""),
                InputColumn::required("姓名", ""),
                InputColumn::optional("单位评分", "0至100，最多一位小数"),
                InputColumn::optional("教师评分", "0至100，最多一位小数"),
            ],
        }
    }

    async fn start(tx: &mut Tx, scope: Scope, _into: Option<i64>) -> Result<Self> {
        Ok(Self { scope, seen: HashMap::new(), name: tx.actor().name.clone() })
    }

    async fn rows(&mut self, tx: &mut Tx, rows: &mut [Row], write: bool) -> Result<Vec<Change>> {
        let meant = meant(tx, rows, &self.scope).await?;
        let selections: Vec<i64> = meant.values().filter_map(|one| one.selection).collect();
        let found = hold(tx, &selections, &self.scope).await?;
        let by = tx.by();
        let mut changes = Vec::new();
        for row in rows {
            let Some((held, unit, teacher)) = self.read(row, &meant, &found) else { continue };
            if !write || !row.errors().is_empty() {
                continue;
            }
            let content = InternshipContent {
                unit_score: unit.map(points).or(held.content.unit_score),
                teacher_score: teacher.map(points).or(held.content.teacher_score),
                ..held.content.clone()
            };
            let (_, change) = put(tx, held, &content, &Papers::default(), Some((by, &self.name))).await?;
            changes.push(change);
        }
        Ok(changes)
    }

    /// A record that the import made goes; of another the scores are as before.
    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        let selection = of(tx, record.id).await?;
        let held = held(tx, selection, scope).await?;
        held.to(InternshipTurn::Enter)?;
        if record.is_new("internship") {
            if held.report.is_some() || held.appraisal.is_some() || held.content.unit.is_some() {
                return Err(Imported::changed());
            }
            sqlx::query!("delete from internship where id = $1", record.id).execute(&mut **tx).await?;
            tx.forget_imported("internship", &[record.id]).await?;
            return Ok(Some(Change::deleted("internship", record.id, &held.content)));
        }
        let former: InternshipContent = record.former(&held.content)?;
        let (by, name) = (tx.by(), tx.actor().name.clone());
        let (_, change) = put(tx, &held, &former, &Papers::default(), Some((by, &name))).await?;
        Ok(Some(change))
    }

    async fn named(tx: &mut Tx, record: &Imported) -> Result<String> {
        let name = sqlx::query_scalar!(
            "select y.name from internship i join student y on y.id = i.student_id where i.id = $1",
            record.id
        )
        .fetch_optional(&mut **tx)
        .await?;
        Ok(name.unwrap_or_default())
    }
}

async fn of(tx: &mut Tx, record: i64) -> Result<i64> {
    sqlx::query_scalar!("select selection_id from internship where id = $1", record)
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(Error::not_found)
}

/// Students within the scope by their number: of others a line hears what it hears of a number that is nobody's.
async fn meant(tx: &mut Tx, rows: &[Row], scope: &Scope) -> Result<HashMap<String, Meant>> {
    let numbers: Vec<String> = rows.iter().filter_map(|row| row.peek("学号")).collect();
    let found = sqlx::query!(
        r#"select y.student_no as "student_no!", y.name as "name!",
                  (select c.id from course_selection c join course u on u.id = c.course_id and u.kind = 'internship'
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

impl InternshipSheet {
    /// What a line says; none, with the reasons on it, when it is wrong.
    fn read<'h>(
        &mut self,
        row: &mut Row,
        meant: &HashMap<String, Meant>,
        found: &'h std::collections::BTreeMap<i64, Held>,
    ) -> Option<(&'h Held, Option<i64>, Option<i64>)> {
        let (number, name) = (row.required("学号"), row.required("姓名"));
        let mut scores = [None, None];
        for (score, heading) in scores.iter_mut().zip(["单位评分", "教师评分"]) {
            let Some(text) = row.text(heading) else { continue };
            *score = parsed(&text, 1_000);
            if score.is_none() {
                row.refuse(heading, NO_SCORE);
                return None;
            }
        }
        let [unit, teacher] = scores;
        if unit.is_none() && teacher.is_none() {
            row.refuse("单位评分", "请填写单位评分或教师评分");
            return None;
        }
        let Some(one) = meant.get(&number) else {
            if !number.is_empty() {
                row.refuse("学号", "学号不存在");
            }
            return None;
        };
        let Some(selection) = one.selection else {
            row.refuse("学号", "该生没有实习课程");
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
        if let Err(why) = after_internship(held.status, InternshipTurn::Enter) {
            row.refuse("学号", why);
            return None;
        }
        let first = *self.seen.entry(selection).or_insert(row.number());
        if first != row.number() {
            row.refuse("学号", format!("第 {} 行与第 {first} 行重复", row.number()));
            return None;
        }
        Some((held, unit, teacher))
    }
}
