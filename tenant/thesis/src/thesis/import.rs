//! 导入学生论文: topics with advisers, or what the checker found; each row takes the way of its step, every row or none (part 04 §8.1).

use std::collections::{BTreeMap, HashMap};

use chrono::NaiveDate;
use infra::{
    Allowed, Change, Error, Reply, Result, Scope, Tx,
    naming::Codes,
    sheet::{InputColumn, Row, Template},
    transfer::{self, Attachment, Import, ImportAnswer, ImportForm, Imported},
};
use poem_openapi::{Multipart, Object, OpenApi, param::Query, types::multipart::Upload};
use scores_rules::arith::{parsed, points};
use thesis_rules::{
    enums::{ThesisStage, ThesisStageStatus, ThesisStatus},
    title,
};

use super::{
    FetchThesisSheet, ImportTheses,
    hold::{Held, held, hold},
    steps::{LATER, checked},
    topics::{advise, place, room, take, topic},
};

/// The multipart body of the import.
#[derive(Debug, Multipart)]
#[oai(rename_all = "camelCase")]
pub struct ThesisImportForm {
    /// 文件
    pub file: Upload,
    /// 导入内容
    /// adviser 选题和导师、similarity 查重
    pub kind: String,
    /// 仅检查
    pub dry_run: Option<bool>,
    /// 检查时文件的摘要
    /// 仅检查时应答的 sha256；与本次文件不同时拒绝导入
    pub sha256: Option<String>,
}

pub struct ImportThesis;

#[OpenApi(prefix_path = "/adult/pc/thesis", tag = "crate::Tag::Thesis")]
impl ImportThesis {
    /// 导入学生论文
    /// 选题和导师，或查重结果
    #[oai(path = "/import", method = "post", operation_id = "importTheses")]
    async fn import(&self, caller: Allowed<ImportTheses>, form: ThesisImportForm) -> Result<Reply<ImportAnswer>> {
        let ThesisImportForm { file, kind, dry_run, sha256 } = form;
        let form = ImportForm { file, dry_run, sha256 };
        match kind.as_str() {
            "adviser" => transfer::import::<ChoiceSheet>(&caller, form).await,
            "similarity" => transfer::import::<SimilaritySheet>(&caller, form).await,
            _ => Err(Error::field("kind", "请选择导入内容")),
        }
    }

    /// 学生论文导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchThesisImportTemplate")]
    async fn template(
        &self,
        caller: Allowed<FetchThesisSheet>,
        /// 导入内容
        /// 不填为选题和导师
        #[oai(validator(max_length = 20))]
        kind: Query<Option<String>>,
    ) -> Result<Attachment> {
        match kind.0.as_deref() {
            None | Some("adviser") => transfer::template::<ChoiceSheet, _>(&caller).await,
            Some("similarity") => transfer::template::<SimilaritySheet, _>(&caller).await,
            Some(_) => Err(Error::field("kind", "请选择导入内容")),
        }
    }
}

/// Told of a number that nobody within the scope has.
const UNKNOWN: &str = "学号不存在";

/// The theses that go on of the students whom rows name, held; each by the number of its student. A student beyond the scope is as
/// unknown as a number that nobody has.
struct Meant {
    of: HashMap<String, Option<i64>>,
    held: BTreeMap<i64, Held>,
}

async fn meant(tx: &mut Tx, rows: &[Row], topics: &[i64], scope: &Scope) -> Result<Meant> {
    let numbers: Vec<String> = rows.iter().filter_map(|row| row.peek("学号")).collect();
    let found = sqlx::query!(
        r#"select y.student_no as "student_no!",
                  (select t.id from thesis t where t.student_id = y.id and t.status = 'active' order by t.id desc limit 1) as "thesis?"
           from student y
           where y.student_no = any($1) and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))"#,
        &numbers,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(&mut **tx)
    .await?;
    let of: HashMap<String, Option<i64>> = found.into_iter().map(|row| (row.student_no, row.thesis)).collect();
    let ids: Vec<i64> = of.values().flatten().copied().collect();
    let held = hold(tx, &ids, topics, scope).await?;
    Ok(Meant { of, held })
}

impl Meant {
    /// The thesis that a row is of; none, with the reason on it.
    fn thesis(&self, row: &mut Row, seen: &mut HashMap<i64, u32>) -> Option<&Held> {
        let number = row.required("学号");
        let id = match self.of.get(&number) {
            Some(Some(id)) => *id,
            Some(None) => {
                row.refuse("学号", "该生没有进行中的论文");
                return None;
            }
            None => {
                if !number.is_empty() {
                    row.refuse("学号", UNKNOWN);
                }
                return None;
            }
        };
        let Some(held) = self.held.get(&id) else {
            row.refuse("学号", UNKNOWN);
            return None;
        };
        let first = *seen.entry(id).or_insert(row.number());
        if first != row.number() {
            row.refuse("学号", format!("第 {} 行与第 {first} 行重复", row.number()));
            return None;
        }
        Some(held)
    }
}

/// What a thesis is about and who advises it.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct Choice {
    topic_id: Option<i64>,
    title: Option<String>,
    adviser_id: Option<i64>,
}

fn choice(thesis: &Held) -> Choice {
    Choice { topic_id: thesis.topic_id, title: thesis.title.clone(), adviser_id: thesis.adviser_id }
}

/// Topics and advisers.
pub(super) struct ChoiceSheet {
    scope: Scope,
    teachers: Codes<i64>,
    seen: HashMap<i64, u32>,
}

impl Import for ChoiceSheet {
    const KIND: &'static str = "thesis.import";
    type Permission = ImportTheses;

    fn template() -> Template {
        Template {
            title: "选题和导师",
            columns: vec![
                InputColumn::required("学号", ""),
                InputColumn::optional("题目", "选题库中已通过的题目"),
                InputColumn::optional("导师工号", "不填为题目的导师"),
            ],
        }
    }

    async fn start(tx: &mut Tx, scope: Scope, _into: Option<i64>) -> Result<Self> {
        let teachers = sqlx::query!("select work_no, id from teacher").fetch_all(&mut **tx).await?;
        let teachers = teachers.into_iter().map(|row| (row.work_no, row.id)).collect();
        Ok(Self { scope, teachers, seen: HashMap::new() })
    }

    /// The step is the check, so it is done also in a dry run; all of it is undone then.
    async fn rows(&mut self, tx: &mut Tx, rows: &mut [Row], _write: bool) -> Result<Vec<Change>> {
        let keys: Vec<String> = rows.iter().filter_map(|row| row.peek("题目")).map(|name| title::key(&name)).collect();
        let topics = sqlx::query!("select id, plan_id, title_key from thesis_topic where title_key = any($1)", &keys)
            .fetch_all(&mut **tx)
            .await?;
        let ids: Vec<i64> = topics.iter().map(|row| row.id).collect();
        let topics: HashMap<(i64, String), i64> =
            topics.into_iter().map(|row| ((row.plan_id, row.title_key), row.id)).collect();
        let meant = meant(tx, rows, &ids, &self.scope).await?;
        let mut changes = Vec::with_capacity(rows.len());
        for row in rows {
            let Some(thesis) = meant.thesis(row, &mut self.seen) else { continue };
            let (name, work_no) = (row.text("题目"), row.text("导师工号"));
            let about = name.as_ref().map(|name| topics.get(&(thesis.plan_id, title::key(name))).copied());
            let teacher = work_no.as_ref().map(|code| self.teachers.get(code).copied());
            match (about, teacher) {
                (None, None) => row.refuse("题目", "请填写题目或导师工号"),
                (Some(None), _) => row.refuse("题目", "本批次没有该题目"),
                (_, Some(None)) => row.refuse("导师工号", "工号不存在"),
                (about, teacher) => {
                    tx.savepoint().await?;
                    match chosen(tx, thesis, about.flatten(), teacher.flatten(), &self.scope).await {
                        Ok(change) => {
                            tx.row_done().await?;
                            changes.push(change);
                        }
                        Err(error) => {
                            let why = error.msg.to_string();
                            tx.row_failed(error).await?;
                            row.refuse(if name.is_some() { "题目" } else { "导师工号" }, why);
                        }
                    }
                }
            }
        }
        Ok(changes)
    }

    /// Topic and adviser as before, as long as nothing was handed in since and both have a place left.
    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        let topics: Vec<i64> = record.before::<Option<i64>>("topicId")?.flatten().into_iter().collect();
        let thesis = held(tx, record.id, &topics, scope).await?;
        let now = choice(&thesis);
        let former: Choice = record.former(&now)?;
        let first = if thesis.require_proposal { ThesisStage::Proposal } else { ThesisStage::Draft };
        let early = thesis.stage == ThesisStage::Topic
            || (thesis.stage, thesis.stage_status) == (first, ThesisStageStatus::Pending);
        if !early || thesis.status != ThesisStatus::Active {
            return Err(Imported::changed());
        }
        if former.topic_id != now.topic_id {
            if let Some(topic) = now.topic_id {
                place(tx, topic, -1).await?;
            }
            if let Some(about) = former.topic_id {
                let about = topic(tx, about).await?;
                if about.taken >= about.capacity {
                    return Err(Error::conflict("原题目已被选满，不能恢复"));
                }
                place(tx, about.id, 1).await?;
            }
        }
        if let Some(teacher) = former.adviser_id.filter(|_| former.adviser_id != now.adviser_id) {
            room(tx, &thesis, teacher).await?;
        }
        let by = tx.by();
        let stage = if former.topic_id.is_none() { ThesisStage::Topic } else { thesis.stage };
        sqlx::query!(
            "update thesis set topic_id = $2, title = $3, adviser_id = $4, stage = $5, stage_status = 'pending', updated_at = now(),
                    updated_by = $6, version = version + 1
             where id = $1",
            record.id,
            former.topic_id,
            former.title,
            former.adviser_id,
            stage.as_str(),
            by
        )
        .execute(&mut **tx)
        .await?;
        Ok(Some(Change::edited("thesis", record.id, &now, &former)))
    }

    async fn named(tx: &mut Tx, record: &Imported) -> Result<String> {
        name_of(tx, record.id).await
    }
}

async fn name_of(tx: &mut Tx, thesis: i64) -> Result<String> {
    let name = sqlx::query_scalar!(
        "select y.name from thesis t join student y on y.id = t.student_id where t.id = $1",
        thesis
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(name.unwrap_or_default())
}

/// Gives a thesis its topic, then its adviser. It is held, and so is the topic.
async fn chosen(tx: &mut Tx, thesis: &Held, about: Option<i64>, teacher: Option<i64>, scope: &Scope) -> Result<Change> {
    thesis.goes_on()?;
    let before = choice(thesis);
    if let Some(about) = about {
        let about = topic(tx, about).await?;
        take(tx, thesis, &about, false).await?;
    }
    if let Some(teacher) = teacher {
        let thesis = held(tx, thesis.id, &[], scope).await?;
        advise(tx, &thesis, teacher).await?;
    }
    let after = choice(&held(tx, thesis.id, &[], scope).await?);
    Ok(Change::edited("thesis", thesis.id, &before, &after))
}

/// What a check changes.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct Checked {
    stage: ThesisStage,
    stage_status: ThesisStageStatus,
    status: ThesisStatus,
    similarity_rate: Option<f64>,
    similarity_tool: Option<String>,
    similarity_on: Option<NaiveDate>,
    similarity_count: i32,
}

async fn checked_now(tx: &mut Tx, thesis: i64) -> Result<Checked> {
    sqlx::query_as!(
        Checked,
        r#"select stage as "stage: _", stage_status as "stage_status: _", status as "status: _",
                  similarity_rate::float8 as similarity_rate, similarity_tool, similarity_on, similarity_count
           from thesis where id = $1"#,
        thesis
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)
}

/// What the checker found.
pub(super) struct SimilaritySheet {
    scope: Scope,
    seen: HashMap<i64, u32>,
}

impl Import for SimilaritySheet {
    const KIND: &'static str = "thesis_similarity.import";
    type Permission = ImportTheses;

    fn template() -> Template {
        Template {
            title: "论文查重",
            columns: vec![
                InputColumn::required("学号", ""),
                InputColumn::required("复制比", "0至100，最多一位小数"),
                InputColumn::required("检测系统", "例如 知网"),
                InputColumn::optional("检测日期", "例如 2026-04-20"),
            ],
        }
    }

    async fn start(_tx: &mut Tx, scope: Scope, _into: Option<i64>) -> Result<Self> {
        Ok(Self { scope, seen: HashMap::new() })
    }

    async fn rows(&mut self, tx: &mut Tx, rows: &mut [Row], _write: bool) -> Result<Vec<Change>> {
        let meant = meant(tx, rows, &[], &self.scope).await?;
        let today = tx.app().clock().today();
        let mut changes = Vec::with_capacity(rows.len());
        for row in rows {
            let thesis = meant.thesis(row, &mut self.seen);
            let (text, tool, on) = (row.required("复制比"), row.required("检测系统"), row.date("检测日期"));
            if tool.chars().count() > 50 {
                row.refuse("检测系统", "不能超过50个字符");
            }
            if on.is_some_and(|day| day > today) {
                row.refuse("检测日期", LATER);
            }
            let rate = parsed(&text, 1_000);
            if rate.is_none() && !text.is_empty() {
                row.refuse("复制比", "应为0到100之间的数字，最多一位小数");
            }
            let (Some(thesis), Some(rate)) = (thesis, rate) else { continue };
            if !row.errors().is_empty() {
                continue;
            }
            let before = checked_now(tx, thesis.id).await?;
            tx.savepoint().await?;
            match checked(tx, thesis, rate, (&tool, on)).await {
                Ok(_) => {
                    tx.row_done().await?;
                    let after = Checked { similarity_rate: Some(points(rate)), ..checked_now(tx, thesis.id).await? };
                    changes.push(Change::edited("thesis", thesis.id, &before, &after));
                }
                Err(error) => {
                    let why = error.msg.to_string();
                    tx.row_failed(error).await?;
                    row.refuse("复制比", why);
                }
            }
        }
        Ok(changes)
    }

    /// Where the thesis stood before its check, as long as it still stands where the check led.
    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        held(tx, record.id, &[], scope).await?;
        let now = checked_now(tx, record.id).await?;
        let former: Checked = record.former(&now)?;
        let by = tx.by();
        sqlx::query!(
            "update thesis set stage = $2, stage_status = $3, status = $4, similarity_rate = $5::float8::numeric, similarity_tool = $6,
                    similarity_count = $7, similarity_on = $9, remark = null, updated_at = now(), updated_by = $8, version = version + 1
             where id = $1",
            record.id,
            former.stage.as_str(),
            former.stage_status.as_str(),
            former.status.as_str(),
            former.similarity_rate,
            former.similarity_tool,
            former.similarity_count,
            by,
            former.similarity_on
        )
        .execute(&mut **tx)
        .await?;
        Ok(Some(Change::edited("thesis", record.id, &now, &former)))
    }

    async fn named(tx: &mut Tx, record: &Imported) -> Result<String> {
        name_of(tx, record.id).await
    }
}
