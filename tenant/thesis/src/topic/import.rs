//! 导入论文选题 into a plan: each row as if somebody had typed it, submitted for its audit; every row or none (part 04 §8.1).

use std::collections::HashMap;

use infra::{
    Allowed, Change, Reply, Result, Scope, Tx,
    naming::{Codes, referred},
    sheet::{InputColumn, Row, Template},
    transfer::{self, Attachment, Import, ImportAnswer, ImportForm, Imported},
};
use poem_openapi::{OpenApi, param::Query};
use thesis_rules::{enums::TopicSource, title};

use super::{FetchTopicSheet, ImportTopics, ThesisTopicForm, insert, open_plan, remove};

pub struct ImportTopic;

#[OpenApi(prefix_path = "/adult/pc/thesis/topic", tag = "crate::Tag::Thesis")]
impl ImportTopic {
    /// 导入论文选题
    #[oai(path = "/import", method = "post", operation_id = "importThesisTopics")]
    async fn import(
        &self,
        caller: Allowed<ImportTopics>,
        /// 论文批次
        #[oai(name = "planId")]
        plan_id: Query<i64>,
        form: ImportForm,
    ) -> Result<Reply<ImportAnswer>> {
        transfer::import_into::<TopicSheet>(&caller, form, Some(plan_id.0)).await
    }

    /// 论文选题导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchThesisTopicImportTemplate")]
    async fn template(&self, caller: Allowed<FetchTopicSheet>) -> Result<Attachment> {
        transfer::template::<TopicSheet, _>(&caller).await
    }
}

/// One import.
pub(super) struct TopicSheet {
    plan: i64,
    teachers: Codes<i64>,
    majors: Codes<i64>,
    /// The line at which a title stood first.
    seen: HashMap<String, u32>,
}

impl Import for TopicSheet {
    const KIND: &'static str = "thesis_topic.import";
    type Permission = ImportTopics;

    fn template() -> Template {
        Template {
            title: "论文选题",
            columns: vec![
                InputColumn::required("题目", "5至60个字"),
                InputColumn::required("教师工号", ""),
                InputColumn::optional("适用专业编码", "多个用;分隔，不填为全部"),
                InputColumn::optional("来源", "不填为其他").one_of(TopicSource::CHOICES.iter().map(|(word, _)| *word)),
                InputColumn::optional("容量", "不填为1"),
                InputColumn::optional("说明", ""),
            ],
        }
    }

    async fn start(tx: &mut Tx, _scope: Scope, into: Option<i64>) -> Result<Self> {
        let plan = open_plan(tx, into.unwrap_or_default()).await?;
        let teachers = sqlx::query!("select work_no, id from teacher").fetch_all(&mut **tx).await?;
        let majors = sqlx::query!("select code, id from major").fetch_all(&mut **tx).await?;
        Ok(Self {
            plan,
            teachers: teachers.into_iter().map(|row| (row.work_no, row.id)).collect(),
            majors: majors.into_iter().map(|row| (row.code, row.id)).collect(),
            seen: HashMap::new(),
        })
    }

    /// Inserting is the check, so it is done also in a dry run; all of it is undone then.
    async fn rows(&mut self, tx: &mut Tx, rows: &mut [Row], _write: bool) -> Result<Vec<Change>> {
        let mut changes = Vec::with_capacity(rows.len());
        for row in rows {
            let Some(form) = self.read(row) else { continue };
            if !row.errors().is_empty() {
                continue;
            }
            tx.savepoint().await?;
            match insert(tx, &form).await {
                Ok((_, change)) => {
                    tx.row_done().await?;
                    changes.push(change);
                }
                Err(error) => {
                    let why = error.msg.to_string();
                    tx.row_failed(error).await?;
                    row.refuse("题目", why);
                }
            }
        }
        Ok(changes)
    }

    /// A topic that waits for its audit goes as long as nobody decided it.
    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        let by = tx.by();
        sqlx::query!(
            "update thesis_topic set status = 'draft', updated_at = now(), updated_by = $2 where id = $1 and status = 'submitted'",
            record.id,
            by
        )
        .execute(&mut **tx)
        .await?;
        remove(tx, record.id, scope).await.map(Some)
    }

    async fn named(tx: &mut Tx, record: &Imported) -> Result<String> {
        let title = sqlx::query_scalar!("select title from thesis_topic where id = $1", record.id)
            .fetch_optional(&mut **tx)
            .await?;
        Ok(title.unwrap_or_default())
    }
}

impl TopicSheet {
    /// What a line says; none, with the reasons on it, when it is wrong.
    fn read(&mut self, row: &mut Row) -> Option<ThesisTopicForm> {
        let name = row.required("题目");
        if row.required("教师工号").is_empty() {
            return None;
        }
        let teacher = referred(row, "教师工号", &self.teachers).copied();
        let mut majors = Vec::new();
        for code in row.text("适用专业编码").unwrap_or_default().split([';', '；']).map(str::trim) {
            match self.majors.get(code) {
                _ if code.is_empty() => {}
                Some(id) => majors.push(*id),
                None => row.refuse("适用专业编码", format!("编码“{code}”不存在")),
            }
        }
        let source = row.one_of("来源", TopicSource::CHOICES).unwrap_or(TopicSource::Other);
        let capacity = row.integer("容量").unwrap_or(1);
        if !(1..=200).contains(&capacity) {
            row.refuse("容量", "应为1到200之间的整数");
        }
        let description = row.text("说明");
        if description.as_deref().is_some_and(|text| text.chars().count() > 1_000) {
            row.refuse("说明", "不能超过1000个字符");
        }
        if name.is_empty() {
            return None;
        }
        let first = *self.seen.entry(title::key(&name)).or_insert(row.number());
        if first != row.number() {
            row.refuse("题目", format!("第 {} 行与第 {first} 行重复", row.number()));
        }
        Some(ThesisTopicForm {
            plan_id: self.plan,
            title: name,
            teacher_id: Some(teacher?),
            major_ids: majors,
            source,
            description,
            capacity: i32::try_from(capacity).ok()?,
            submit: true,
            closed: false,
        })
    }
}
