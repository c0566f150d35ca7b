//! 组卷策略: how many questions of which kind a paper takes, and where from (part 03 A8).

mod form;
mod generate;
mod select;

use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Edit, EnabledChange, Entity, History, Ids, Paged, Part, Reply, Result,
    Saved, Scope, Sorted, Tx,
    across::{self, Keyed, SchoolPage},
    enumeration,
    options::Source,
    permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};

pub use form::{PaperRuleForm, PaperRuleItemForm};
pub use generate::{GeneratedPapers, PaperGeneration, RuleCheck, RuleCheckItem, RuleToCheck, deal};
pub use select::{PaperRule, PaperRuleFilter, PaperRuleView};

use form::{insert, update};
use select::viewed;

permissions! {
    pages "/schoolPC/basicData/testPaperManagement", "/platformPC/basicData/testPaperManagement";
    EachSchool Reads       ListPaperRules        = "exam:pc:exam:rule:list" "组卷策略列表";
    EachSchool Reads       ViewPaperRule         = "exam:pc:exam:rule:view" "查看组卷策略";
    EachSchool Writes      SavePaperRule         = "exam:pc:exam:rule:save" "新增组卷策略";
    EachSchool Writes      EditPaperRule         = "exam:pc:exam:rule:edit" "编辑组卷策略";
    EachSchool Writes      DeletePaperRule       = "exam:pc:exam:rule:delete" "删除组卷策略";
    EachSchool Writes      DeletePaperRules      = "exam:pc:exam:rule:batchDel" "批量删除组卷策略";
    EachSchool Writes      ChangePaperRuleStatus = "exam:pc:exam:rule:update:status" "启用停用组卷策略";
    EachSchool ReadsLogged ExportPaperRules      = "exam:pc:exam:rule:export" "导出组卷策略";
    EachSchool Reads       CheckPaperRule        = "exam:pc:exam:rule:check" "检查策略题量";
    EachSchool Writes      GeneratePapers        = "exam:pc:exam:rule:generate" "按策略生成试卷";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[PaperRuleSort::ENUMERATION],
    entities: &[
        Entity { table: "paper_rule", name: "组卷策略", counted: "个组卷策略" },
        Entity { table: "paper_rule_item", name: "策略大题", counted: "个策略大题" },
        Entity { table: "paper_rule_bank", name: "策略题库", counted: "个策略大题" },
        Entity { table: "paper_rule_chapter", name: "策略章节", counted: "个策略大题" },
        Entity { table: "paper_rule_point", name: "策略知识点", counted: "个策略大题" },
    ],
    jobs: &[export_job::<PaperRules>()],
    histories: &[History { table: "paper_rule", code: "exam:pc:exam:rule:view", scope: None }],
    options: &[
        Source::new("paperRule", |connection, asked| Box::pin(select::options(connection, asked))).below("策略的课程")
    ],
    option_pages: PAGES,
    ..Part::NONE
};

enumeration! {
    /// 组卷策略排序字段
    pub enum PaperRuleSort = "paperRuleSort" {
        Name = "name" "策略名称",
        UpdatedAt = "updatedAt" "更新时间",
    }
}

pub struct PaperRules;

#[OpenApi(prefix_path = "/exam/pc/exam/rule", tag = "crate::Tag::Papers")]
impl PaperRules {
    /// 组卷策略列表
    #[oai(path = "/list", method = "post", operation_id = "listPaperRules")]
    async fn list(
        &self,
        caller: Allowed<ListPaperRules>,
        Body(asked): Body<Sorted<PaperRuleFilter, PaperRuleSort>>,
    ) -> Result<Reply<SchoolPage<PaperRule>>> {
        across::list::<Self, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 查看组卷策略
    #[oai(path = "/view", method = "get", operation_id = "viewPaperRule")]
    async fn view(
        &self,
        caller: Allowed<ViewPaperRule>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<PaperRuleView>> {
        let mut tx = caller.read().await?;
        Ok(reply(viewed(&mut tx, id.0).await?.seen_by(&mut tx, caller.user_id()).await?))
    }

    /// 新增组卷策略
    #[oai(path = "/save", method = "post", operation_id = "savePaperRule")]
    async fn save(&self, caller: Allowed<SavePaperRule>, Body(form): Body<PaperRuleForm>) -> Result<Reply<Saved>> {
        let mut tx = match caller.begin().await {
            Ok(tx) => tx,
            Err(error) => return error.replayed().map(|id| reply(Saved { id })).ok_or(error),
        };
        let (id, change) = insert(&mut tx, &form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑组卷策略
    #[oai(path = "/edit", method = "put", operation_id = "editPaperRule")]
    async fn edit(
        &self,
        caller: Allowed<EditPaperRule>,
        Body(edit): Body<Edit<PaperRuleForm>>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = update(&mut tx, &edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: edit.id }))
    }

    /// 删除组卷策略
    #[oai(path = "/delete", method = "delete", operation_id = "deletePaperRule")]
    async fn delete(
        &self,
        caller: Allowed<DeletePaperRule>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除组卷策略
    #[oai(path = "/batchDel", method = "post", operation_id = "deletePaperRules")]
    async fn delete_many(&self, caller: Allowed<DeletePaperRules>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::new(caller.begin().await?, "paper_rule");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用组卷策略
    #[oai(path = "/update/status", method = "put", operation_id = "changePaperRuleStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangePaperRuleStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = tx.set_enabled("paper_rule", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 导出组卷策略
    #[oai(path = "/export", method = "post", operation_id = "exportPaperRules")]
    async fn export(
        &self,
        caller: Allowed<ExportPaperRules>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<PaperRuleFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

/// What belongs to the rule goes with it.
async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    tx.lock("paper_rule", id).await?;
    let before = PaperRules::find(tx, id, &Scope::whole_school()).await?;
    sqlx::query!("delete from paper_rule_item where rule_id = $1", id).execute(&mut **tx).await?;
    tx.remove("paper_rule", id, &before.name).await?;
    Ok(Change::deleted("paper_rule", id, &before))
}

pub(crate) fn api() -> impl OpenApi {
    (PaperRules, generate::Generation)
}
