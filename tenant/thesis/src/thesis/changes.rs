//! 延期, 变更题目, 取消 and 催办 of theses.

use chrono::NaiveDate;
use infra::{Allowed, Body, BulkResult, Change, Error, Reply, Result, Saved, Tx, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use scenes::{Person, PersonKind, Persons, notify};
use serde_json::json;
use student_status::student::check::NOT_YOURS;
use thesis_rules::{
    enums::{ThesisStage, ThesisStatus},
    title,
};

use super::{
    CancelThesis, ChangeTitle, ExtendThesis, RemindTheses,
    document::extended,
    hold::{Held, held, hold},
    steps::of_theses,
    topics::give_back,
};

/// More time for the stage at hand.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ThesisExtend {
    /// 论文
    pub id: i64,
    /// 延至
    pub until: NaiveDate,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
    /// 版本
    pub version: i32,
}

impl Example for ThesisExtend {
    fn example() -> Self {
        Self { id: 1, until: NaiveDate::default(), reason: "住院治疗".to_owned(), version: 1 }
    }
}

/// Another title.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ThesisTitleChange {
    /// 论文
    pub id: i64,
    /// 题目
    #[oai(validator(min_length = 5, max_length = 60))]
    pub title: String,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
    /// 版本
    pub version: i32,
}

impl Example for ThesisTitleChange {
    fn example() -> Self {
        Self {
            id: 1, title: "小微企业成本控制研究".to_owned(), reason: "缩小研究范围".to_owned(), version: 1
        }
    }
}

/// A thesis that is no more.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ThesisCancel {
    /// 论文
    pub id: i64,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
    /// 版本
    pub version: i32,
}

impl Example for ThesisCancel {
    fn example() -> Self {
        Self { id: 1, reason: "学生休学".to_owned(), version: 1 }
    }
}

/// Whose students are reminded.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct ThesesRemind {
    /// 论文
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub ids: Vec<i64>,
}

impl Example for ThesesRemind {
    fn example() -> Self {
        Self { ids: vec![1] }
    }
}

pub struct Changing;

#[OpenApi(prefix_path = "/adult/pc/thesis", tag = "crate::Tag::Thesis")]
impl Changing {
    /// 论文延期
    /// 延长一名学生当前阶段的截止日期
    #[oai(path = "/extend", method = "put", operation_id = "extendThesis")]
    async fn extend(&self, caller: Allowed<ExtendThesis>, Body(wanted): Body<ThesisExtend>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let thesis = held(&mut tx, wanted.id, &[], &caller.scope()).await?;
        thesis.as_read(&mut tx, wanted.version).await?;
        thesis.goes_on()?;
        if !matches!(thesis.stage, ThesisStage::Topic | ThesisStage::Proposal | ThesisStage::Draft | ThesisStage::Final)
        {
            return Err(Error::conflict(format!("论文在{}阶段，没有提交截止日期", thesis.stage.zh())));
        }
        if wanted.until < tx.app().clock().today() {
            return Err(Error::field("until", "延期日期不能早于今天"));
        }
        let by = tx.by();
        let id = sqlx::query_scalar!(
            "insert into thesis_extension (thesis_id, stage, until, reason, created_by) values ($1, $2, $3, $4, $5) returning id",
            wanted.id,
            thesis.stage.as_str(),
            wanted.until,
            wanted.reason,
            by
        )
        .fetch_one(&mut *tx)
        .await?;
        let what = json!({ "extensionId": id, "stage": thesis.stage.as_str(), "until": wanted.until.to_string() });
        tx.commit(Change::event("thesis", wanted.id, "extend", what).because(Some(&wanted.reason[..]))).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 变更论文题目
    #[oai(path = "/changeTitle", method = "put", operation_id = "changeThesisTitle")]
    async fn change_title(
        &self,
        caller: Allowed<ChangeTitle>,
        Body(wanted): Body<ThesisTitleChange>,
    ) -> Result<Reply<Saved>> {
        title::fits(&wanted.title).map_err(|why| Error::field("title", why))?;
        let mut tx = caller.begin().await?;
        let thesis = held(&mut tx, wanted.id, &[], &caller.scope()).await?;
        thesis.as_read(&mut tx, wanted.version).await?;
        thesis.goes_on()?;
        if thesis.stage == ThesisStage::Topic {
            return Err(Error::conflict("论文还在选题阶段，请选择或指定题目"));
        }
        let (by, now) = (tx.by(), tx.app().clock().now());
        sqlx::query!(
            "update thesis set title = $2, title_changed_at = $3, updated_at = now(), updated_by = $4, version = version + 1
             where id = $1",
            wanted.id,
            wanted.title,
            now as _,
            by
        )
        .execute(&mut *tx)
        .await?;
        let change = Change::status("thesis", wanted.id, "title", json!(thesis.title), wanted.title.clone());
        tx.commit(change.because(Some(&wanted.reason[..]))).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 取消论文
    #[oai(path = "/cancel", method = "put", operation_id = "cancelThesis")]
    async fn cancel(&self, caller: Allowed<CancelThesis>, Body(wanted): Body<ThesisCancel>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let thesis = held(&mut tx, wanted.id, &[], &caller.scope()).await?;
        thesis.as_read(&mut tx, wanted.version).await?;
        if thesis.status != ThesisStatus::Active {
            return Err(Error::conflict(format!("论文{}，不能取消", thesis.status.zh())));
        }
        give_back(&mut tx, &thesis).await?;
        sqlx::query!("delete from defense_slot where thesis_id = $1 and result is null", wanted.id)
            .execute(&mut *tx)
            .await?;
        let by = tx.by();
        sqlx::query!(
            "update thesis
             set status = 'cancelled', topic_id = null, remark = $2, updated_at = now(), updated_by = $3, version = version + 1
             where id = $1",
            wanted.id,
            wanted.reason,
            by
        )
        .execute(&mut *tx)
        .await?;
        let change = Change::status("thesis", wanted.id, "status", thesis.status.as_str(), "cancelled");
        tx.commit(change.because(Some(&wanted.reason[..]))).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 催办论文
    #[oai(path = "/remind", method = "put", operation_id = "remindTheses")]
    async fn remind(
        &self,
        caller: Allowed<RemindTheses>,
        Body(wanted): Body<ThesesRemind>,
    ) -> Result<Reply<BulkResult>> {
        let mut tx = caller.begin().await?;
        let found = hold(&mut tx, &wanted.ids, &[], &caller.scope()).await?;
        let mut ids = wanted.ids;
        ids.sort_unstable();
        ids.dedup();
        let mut bulk = of_theses(tx);
        for id in ids {
            let row = bulk.row().await?;
            let outcome = match found.get(&id) {
                Some(thesis) => reminded(row, thesis).await,
                None => Err(Error::new(404, NOT_YOURS)),
            };
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }
}

/// Tells a student when their stage ends, with the extension that they got. The thesis is held.
///
/// # Errors
/// 409 for a thesis that does not go on, and in a stage in which nothing is handed in.
pub(crate) async fn reminded(tx: &mut Tx, thesis: &Held) -> Result<Change> {
    thesis.goes_on()?;
    let extended = extended(tx, thesis).await?;
    let due = match thesis.stage {
        ThesisStage::Topic => thesis.topic_to,
        ThesisStage::Proposal => thesis.proposal_due,
        ThesisStage::Draft => thesis.draft_due,
        ThesisStage::Final => thesis.final_due,
        ThesisStage::Similarity | ThesisStage::Review | ThesisStage::Defense | ThesisStage::Done => None,
    };
    let due = due
        .max(extended)
        .ok_or_else(|| Error::conflict(format!("论文在{}阶段，没有提交截止日期", thesis.stage.zh())))?;
    let today = tx.app().clock().today();
    let by = tx.by();
    sqlx::query!(
        "update thesis set reminded_on = $2, updated_at = now(), updated_by = $3, version = version + 1 where id = $1",
        thesis.id,
        today,
        by
    )
    .execute(&mut **tx)
    .await?;
    let values = [("title".to_owned(), thesis.stage.zh().to_owned()), ("endsAt".to_owned(), due.to_string())];
    let person = Person { kind: PersonKind::Student, id: thesis.student_id };
    let once = format!("thesis_due:{}:{today}", thesis.id);
    notify(tx, "thesis_due", Persons::Recipients(vec![person]), values.into(), Some(&once)).await?;
    Ok(Change::event("thesis", thesis.id, "remind", json!({ "stage": thesis.stage.as_str() })))
}
