//! 题库: the questions of a course for homework, for examinations or for both (part 03 A7).

mod form;
mod options;
mod select;

use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Edit, EnabledChange, Entity, Error, History, Ids, KeptRows, Paged, Part,
    Reply, Result, Saved, Sorted, Tx,
    access::Permission,
    across::{self, SchoolPage},
    enumeration,
    naming::resolve_id,
    options::Source,
    permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};

use crate::{
    enums::{BankUsage, BankVisibility},
    question::sees_answers,
};

pub use form::QuestionBankForm;
pub(crate) use select::BanksSeen;
pub use select::{
    BankChapterCount, BankMember, BankSpread, BankTypeCount, QuestionBank, QuestionBankFilter, QuestionBankView, seen,
};

use form::{insert, members, update};
use select::{find, spread};

permissions! {
    pages "/schoolPC/basicData/exam/questionBank", "/platformPC/basicData/exam/questionBank";
    EachSchool Reads       ListQuestionBanks        = "exam:pc:questionBank:list" "题库列表";
    EachSchool Reads       ViewQuestionBank         = "exam:pc:questionBank:view" "查看题库";
    EachSchool Writes      SaveQuestionBank         = "exam:pc:questionBank:save" "新增题库";
    EachSchool Writes      EditQuestionBank         = "exam:pc:questionBank:edit" "编辑题库";
    EachSchool Writes      DeleteQuestionBank       = "exam:pc:questionBank:delete" "删除题库";
    EachSchool Writes      DeleteQuestionBanks      = "exam:pc:questionBank:batchDel" "批量删除题库";
    EachSchool Writes      ChangeQuestionBankStatus = "exam:pc:questionBank:update:status" "启用停用题库";
    EachSchool ReadsLogged ExportQuestionBanks      = "exam:pc:questionBank:export" "导出题库";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[BankUsage::ENUMERATION, BankVisibility::ENUMERATION, QuestionBankSort::ENUMERATION],
    entities: &[
        Entity { table: "question_bank", name: "题库", counted: "个题库" },
        Entity { table: "question_bank_member", name: "题库成员", counted: "名成员" },
    ],
    jobs: &[export_job::<QuestionBanks>()],
    histories: &[History { table: "question_bank", code: "exam:pc:questionBank:view", scope: None }],
    kept: &[KeptRows {
        table: "question_bank",
        seen: "visibility = 'school' or created_by = $2 or exists (
                   select from question_bank_member m where m.bank_id = question_bank.id and m.account_id = $2)",
    }],
    options: &[
        Source::new("questionBank", |connection, asked| Box::pin(options::banks(connection, asked)))
            .below("题库的课程"),
        Source::new("account", |connection, asked| Box::pin(options::accounts(connection, asked))).of_platform(),
    ],
    option_pages: PAGES,
    ..Part::NONE
};

enumeration! {
    /// 题库排序字段
    pub enum QuestionBankSort = "questionBankSort" {
        Code = "code" "题库编码",
        Name = "name" "题库名称",
        CourseName = "courseName" "课程",
        QuestionCount = "questionCount" "题量",
    }
}

pub struct QuestionBanks;

#[OpenApi(prefix_path = "/exam/pc/questionBank", tag = "crate::Tag::QuestionBank")]
impl QuestionBanks {
    /// 题库列表
    #[oai(path = "/list", method = "post", operation_id = "listQuestionBanks")]
    async fn list(
        &self,
        caller: Allowed<ListQuestionBanks>,
        Body(asked): Body<Sorted<QuestionBankFilter, QuestionBankSort>>,
    ) -> Result<Reply<SchoolPage<QuestionBank>>> {
        let paging = asked.paging()?;
        across::list::<Self, _>(&caller, paging, viewed(&caller, asked.filter)).await
    }

    /// 查看题库
    #[oai(path = "/view", method = "get", operation_id = "viewQuestionBank")]
    async fn view(
        &self,
        caller: Allowed<ViewQuestionBank>,
        /// 编号
        id: Query<Option<i64>>,
        /// 题库编码
        code: Query<Option<String>>,
    ) -> Result<Reply<QuestionBankView>> {
        let mut tx = caller.read().await?;
        let id = resolve_id(&mut tx, "question_bank", id.0, code.0).await?;
        let bank = find(&mut tx, id, caller.user_id()).await?;
        Ok(reply(spread(&mut tx, bank).await?))
    }

    /// 新增题库
    #[oai(path = "/save", method = "post", operation_id = "saveQuestionBank")]
    async fn save(
        &self,
        caller: Allowed<SaveQuestionBank>,
        Body(form): Body<QuestionBankForm>,
    ) -> Result<Reply<Saved>> {
        let members = members(&mut *caller.platform().await?, caller.school_id(), &form).await?;
        let mut tx = match caller.begin().await {
            Ok(tx) => tx,
            Err(error) => return error.replayed().map(|id| reply(Saved { id })).ok_or(error),
        };
        let (id, change) = insert(&mut tx, &form, &members).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑题库
    #[oai(path = "/edit", method = "put", operation_id = "editQuestionBank")]
    async fn edit(
        &self,
        caller: Allowed<EditQuestionBank>,
        Body(edit): Body<Edit<QuestionBankForm>>,
    ) -> Result<Reply<Saved>> {
        let members = members(&mut *caller.platform().await?, caller.school_id(), &edit.form).await?;
        let mut tx = caller.begin().await?;
        let change = update(&mut tx, &edit, &members, sees_answers(&caller)).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: edit.id }))
    }

    /// 删除题库
    #[oai(path = "/delete", method = "delete", operation_id = "deleteQuestionBank")]
    async fn delete(
        &self,
        caller: Allowed<DeleteQuestionBank>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除题库
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteQuestionBanks")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteQuestionBanks>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::new(caller.begin().await?, "question_bank");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用题库
    #[oai(path = "/update/status", method = "put", operation_id = "changeQuestionBankStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeQuestionBankStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let by = tx.by();
        find(&mut tx, wanted.id, by).await?;
        let change = tx.set_enabled("question_bank", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 导出题库
    #[oai(path = "/export", method = "post", operation_id = "exportQuestionBanks")]
    async fn export(
        &self,
        caller: Allowed<ExportQuestionBanks>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<QuestionBankFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, viewed(&caller, asked.filter), job.0).await
    }
}

/// The list of whoever calls: what its creator keeps to some members is theirs alone.
fn viewed<P: Permission>(caller: &Allowed<P>, filter: QuestionBankFilter) -> BanksSeen {
    BanksSeen { filter, viewer: Some(caller.user_id()) }
}

async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let by = tx.by();
    tx.lock("question_bank", id).await?;
    let before = find(tx, id, by).await?;
    let held = sqlx::query!(
        r#"select (select count(*) from paper_extra_bank where bank_id = $1) as "papers!",
                  (select count(*) from paper_rule_bank where bank_id = $1) as "items!""#,
        id
    )
    .fetch_one(&mut **tx)
    .await?;
    // Sub-questions are rows too; people count questions.
    let held = [(before.question_count, "道试题"), (held.papers, "份试卷"), (held.items, "个策略大题")];
    let held: Vec<String> = held.iter().filter(|(n, _)| *n > 0).map(|(n, word)| format!("{n}{word}")).collect();
    if !held.is_empty() {
        return Err(Error::conflict(format!("“{}”已被引用，不能删除：{}", before.name, held.join("、"))));
    }
    sqlx::query!("delete from question_bank_member where bank_id = $1", id).execute(&mut **tx).await?;
    tx.remove("question_bank", id, &before.name).await?;
    Ok(Change::deleted("question_bank", id, &before))
}

/// Refuses to give questions another use: of an examination bank to whoever may not see its answers, as those of other banks
/// are seen by all; and against papers that then may not hold them. `bank` or `question` says which are meant. Papers that are out
/// of use hinder nobody: they are looked at again before they come back, are copied into one that passes, or are frozen.
///
/// # Errors
/// The refusal in Chinese, as 409.
pub(crate) async fn refuse_other_use(
    tx: &mut Tx,
    (bank, question): (Option<i64>, Option<i64>),
    (from, to): (BankUsage, BankUsage),
    may_see: bool,
) -> Result<()> {
    if from == to {
        return Ok(());
    }
    if from == BankUsage::Exam && !may_see {
        return Err(Error::conflict("考试题库的答案对您不可见，不能改为其他用途"));
    }
    let kinds: Vec<String> = to.kinds().iter().map(|kind| (*kind).to_owned()).collect();
    let papers = sqlx::query_scalar!(
        r#"select count(distinct p.id) as "count!" from paper p
           join paper_question x on x.paper_id = p.id join question q on q.id = x.question_id
           where ($1::bigint is null or q.bank_id = $1) and ($2::bigint is null or q.id = $2)
             and p.status <> 'disabled' and p.kind <> all($3)"#,
        bank,
        question,
        &kinds
    )
    .fetch_one(&mut **tx)
    .await?;
    if papers > 0 {
        return Err(Error::conflict(format!("已被{papers}份其他用途的试卷引用，不能改为{}", to.zh())));
    }
    Ok(())
}

/// A bank into which questions go.
#[derive(Debug, Clone)]
pub struct BankHead {
    pub id: i64,
    pub name: String,
    pub course_id: i64,
    pub usage: BankUsage,
}

/// The bank that a form names, for a question that comes into it.
///
/// # Errors
/// 422 at `bankId` for one that is not there, not the account's to see, or switched off.
pub(crate) async fn chosen(tx: &mut Tx, id: i64) -> Result<BankHead> {
    let by = tx.by();
    let found = seen(tx, id, by).await?.ok_or_else(|| Error::field("bankId", "所选题库不存在，请重新选择"))?;
    if !found.enabled {
        return Err(infra::naming::switched_off("bankId", &found.name));
    }
    Ok(BankHead { id, name: found.name, course_id: found.course_id, usage: found.usage })
}
