//! 学籍异动 of one student: asked for, looked at by the sites, decided by the school, written into the register on its day, and
//! taken back (02 §10). The checks C1–C8 stand in `change/checks.rs`, the flow in `change/rules.rs`.

mod checks;
mod client;
pub mod effect;
mod form;
mod import;
mod look;
mod papers;
mod print;
mod revoke;
mod rules;
mod select;
mod sheet;
mod statistics;
mod steps;

use infra::{
    Allowed, Body, Edit, Entity, Error, Paged, Part, Reply, Result, Saved, Scope, Tx,
    across::{self, SchoolPage},
    enumeration, permissions, reply,
    setting::Settings,
    steps::job,
    transfer::{self, Exported, export_job, import_job},
};
use poem_openapi::{OpenApi, param::Query};
use student_status::enums::WithdrawReason;

pub use form::{ChangeForm, ChangeSave, ChangeTarget};
pub use select::{ChangeFile, ChangeFilter, ChangeNames, ChangeStep, ChangeView, StudentChange};

pub(crate) use form::next_no;
pub(crate) use steps::note;

use form::{Applicant, insert, submit, update};

permissions! {
    pages
        "/schoolPC/studentStatus/transaction/changeApplication",
        "/schoolPC/studentStatus/professional",
        "/schoolPC/studentStatus/hierarchical",
        "/schoolPC/studentStatus/dropout",
        "/schoolPC/studentStatus/classChange",
        "/platformPC/studentStatus/professional",
        "/platformPC/studentStatus/hierarchical",
        "/platformPC/studentStatus/dropout",
        "/platformPC/studentStatus/classChange";
    EachSchool Reads       ListChanges        = "adult:pc:change:list" "学籍异动列表";
    EachSchool Reads       ViewChange         = "adult:pc:change:view" "查看学籍异动";
    InSchool   Writes      SaveChange         = "adult:pc:change:save" "新增学籍异动";
    InSchool   Reads       CheckChange        = "adult:pc:change:save" "新增学籍异动";
    InSchool   Writes      EditChange         = "adult:pc:change:edit" "编辑学籍异动";
    InSchool   Writes      ReviewChangeOfSite = "adult:pc:change:siteReview" "站点审核异动";
    InSchool   Writes      AcceptChange       = "adult:pc:change:acceptReview" "接收站点审核异动";
    InSchool   Writes      AuditChange        = "adult:pc:change:audit" "审批学籍异动";
    InSchool   Writes      RejectChange       = "adult:pc:change:reject" "驳回学籍异动";
    InSchool   Writes      ReviewChanges      = "adult:pc:change:batchReview" "批量审批学籍异动";
    InSchool   Writes      RevokeChange       = "adult:pc:change:revoke" "撤销学籍异动";
    InSchool   Writes      WaiveChangeRules   = "adult:pc:change:changeStatus" "补办学籍异动";
    InSchool   Writes      ImportChanges      = "adult:pc:change:import" "导入学籍异动";
    InSchool   Reads       FetchChangeSheet   = "adult:pc:change:import" "导入学籍异动";
    EachSchool ReadsLogged ExportChanges      = "adult:pc:change:export" "导出学籍异动";
}

/// Who holds it for a student is asked neither for the window nor for 科类.
const WAIVES: &str = "adult:pc:change:changeStatus";

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[
        ChangeStatus::ENUMERATION,
        ChangeReason::ENUMERATION,
        ChangeSource::ENUMERATION,
        ChangeScope::ENUMERATION,
        ChangeStage::ENUMERATION,
        ChangeResult::ENUMERATION,
        statistics::ChangeStatisticBy::ENUMERATION,
    ],
    entities: &[Entity { table: "student_change", name: "学籍异动", counted: "条学籍异动" }],
    jobs: &[
        export_job::<Changes>(),
        import_job::<import::ChangeSheet>(),
        job::<steps::ReviewAll>(),
        job::<steps::FileAll>(),
        effect::JOB,
    ],
    schedules: &[effect::SCHEDULE],
    settings: &[Settings {
        group: "recruitment",
        settings: &[checks::PROFESSIONAL_DEADLINE_MONTHS, checks::HIERARCHICAL_PAIRS, checks::SUSPENSION_MAX_MONTHS],
    }],
    option_pages: PAGES,
    ..Part::NONE
};

enumeration! {
    /// 异动状态
    pub enum ChangeStatus = "changeStatus" {
        Draft = "draft" "草稿",
        PendingSite = "pending_site" "待站点审核",
        PendingTargetSite = "pending_target_site" "待接收站点",
        PendingSchool = "pending_school" "待学校审批",
        Approved = "approved" "已批准待生效",
        Executed = "executed" "已生效",
        Rejected = "rejected" "不批准",
        Cancelled = "cancelled" "已撤回",
        Revoked = "revoked" "已撤销",
    }
}

enumeration! {
    /// 异动原因
    pub enum ChangeReason = "changeReason" {
        Voluntary = "voluntary" "本人申请",
        Overdue = "overdue" "逾期未注册/未复学",
        ExceedYears = "exceed_years" "超过最长学习年限",
        Academic = "academic" "学业原因",
        Disciplinary = "disciplinary" "开除学籍",
        QualificationFailed = "qualification_failed" "资格复查不合格",
        Duplicate = "duplicate" "重复学籍",
        Deceased = "deceased" "死亡",
        Illness = "illness" "因病",
        Military = "military" "应征入伍",
        Childbirth = "childbirth" "生育",
        Work = "work" "工作原因",
        Family = "family" "家庭原因",
        Other = "other" "其他",
    }
}

impl ChangeReason {
    /// Why somebody withdraws; none for what is only a reason of a suspension.
    pub fn of_withdrawal(self) -> Option<WithdrawReason> {
        WithdrawReason::parse(self.as_str())
    }

    /// Whether somebody may be suspended for it.
    pub const fn is_of_suspension(self) -> bool {
        matches!(self, Self::Illness | Self::Military | Self::Childbirth | Self::Work | Self::Family | Self::Other)
    }
}

enumeration! {
    /// 异动来源
    pub enum ChangeSource = "changeSource" {
        StudentClient = "student_client" "学员端",
        SiteClient = "site_client" "站点端",
        BackOffice = "back_office" "后台",
        Import = "import" "导入",
    }
}

enumeration! {
    /// 异动页签
    pub enum ChangeScope = "changeScope" {
        All = "all" "全部",
        PendingSite = "pending_site" "待站点",
        PendingTargetSite = "pending_target_site" "待接收站点",
        PendingSchool = "pending_school" "待学校审批",
        Approved = "approved" "已批准待生效",
        Results = "results" "办理结果",
    }
}

impl ChangeScope {
    /// What the tab or screen shows (02 §10).
    pub fn shows(self, status: ChangeStatus) -> bool {
        match self {
            Self::All => true,
            Self::PendingSite => status == ChangeStatus::PendingSite,
            Self::PendingTargetSite => status == ChangeStatus::PendingTargetSite,
            Self::PendingSchool => status == ChangeStatus::PendingSchool,
            Self::Approved => status == ChangeStatus::Approved,
            Self::Results => {
                matches!(status, ChangeStatus::Approved | ChangeStatus::Executed | ChangeStatus::Revoked)
            }
        }
    }
}

enumeration! {
    /// 办理环节
    pub enum ChangeStage = "changeStage" {
        Save = "save" "保存草稿",
        Edit = "edit" "修改",
        Submit = "submit" "提交",
        Site = "site" "站点审核",
        TargetSite = "target_site" "接收站点审核",
        School = "school" "学校审批",
        Execute = "execute" "生效",
        Alert = "alert" "未能生效",
        Cancel = "cancel" "撤回",
        Revoke = "revoke" "撤销",
    }
}

enumeration! {
    /// 异动审核结果
    pub enum ChangeResult = "changeResult" {
        Pass = "pass" "通过",
        Reject = "reject" "不通过",
    }
}

pub struct Changes;

#[OpenApi(prefix_path = "/adult/pc/change", tag = "crate::Tag::StatusChange")]
impl Changes {
    /// 学籍异动列表
    #[oai(path = "/list", method = "post", operation_id = "listChanges")]
    async fn list(
        &self,
        caller: Allowed<ListChanges>,
        Body(asked): Body<Paged<ChangeFilter>>,
    ) -> Result<Reply<SchoolPage<StudentChange>>> {
        let today = caller.app().clock().today();
        let mut answer = across::list::<Self, _>(&caller, asked.paging()?, asked.filter).await?;
        for change in &mut answer.0.data.list {
            change.row.reach(today);
        }
        Ok(answer)
    }

    /// 查看学籍异动
    #[oai(path = "/view", method = "get", operation_id = "viewChange")]
    async fn view(
        &self,
        caller: Allowed<ViewChange>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<ChangeView>> {
        let mut tx = caller.read().await?;
        let change = Self::find(&mut tx, id.0, &caller.scope()).await?;
        let mut views = select::viewed(caller.app(), &mut tx, vec![change]).await?;
        views.pop().map(reply).ok_or_else(Error::not_found)
    }

    /// 新增学籍异动
    /// 默认存为草稿；submit 为真时同时提交
    #[oai(path = "/save", method = "post", operation_id = "saveChange")]
    async fn save(&self, caller: Allowed<SaveChange>, Body(wanted): Body<ChangeSave>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let scope = caller.scope();
        let applicant = Applicant::office(&scope, caller.rights().get(WAIVES));
        let (id, change) = insert(&mut tx, wanted, &applicant).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑学籍异动
    #[oai(path = "/edit", method = "put", operation_id = "editChange")]
    async fn edit(&self, caller: Allowed<EditChange>, Body(edit): Body<Edit<ChangeForm>>) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = update(&mut tx, edit, &caller.scope(), caller.rights().get(WAIVES)).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 提交学籍异动
    #[oai(path = "/submit", method = "post", operation_id = "submitChange")]
    async fn submit(&self, caller: Allowed<SaveChange>, Body(wanted): Body<steps::ChangeItem>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = submit(&mut tx, wanted, &caller.scope(), caller.rights().get(WAIVES)).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 导出学籍异动
    #[oai(path = "/export", method = "post", operation_id = "exportChanges")]
    async fn export(
        &self,
        caller: Allowed<ExportChanges>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<ChangeFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

/// The operations on changes.
pub(crate) fn api() -> impl OpenApi {
    (
        Changes,
        look::Look,
        steps::Steps,
        revoke::Revoke,
        import::ImportChange,
        statistics::Statistics,
        print::Print,
        client::OwnChanges,
    )
}

/// The change, kept from others until the transaction ends. Whoever asks holds its student first.
///
/// # Errors
/// 404 outside the scope.
async fn locked(tx: &mut Tx, id: i64, scope: &Scope) -> Result<StudentChange> {
    tx.lock("student_change", id).await?;
    Changes::find(tx, id, scope).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_is_one_of_a_withdrawal_or_of_a_suspension() {
        let words = |holds: fn(ChangeReason) -> bool| {
            ChangeReason::CHOICES.iter().filter(|(_, reason)| holds(*reason)).map(|(word, _)| *word).collect::<Vec<_>>()
        };
        assert_eq!(words(ChangeReason::is_of_suspension), ["因病", "应征入伍", "生育", "工作原因", "家庭原因", "其他"]);
        assert_eq!(words(|reason| reason.of_withdrawal().is_some()).len(), 9);
        assert!(words(|reason| reason.of_withdrawal().is_none() && !reason.is_of_suspension()).is_empty());
        for (word, reason) in WithdrawReason::CHOICES {
            assert!(ChangeReason::parse(reason.as_str()).is_some(), "{word}");
        }
    }
}
