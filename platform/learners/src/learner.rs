//! 学员管理: learners as operators see and keep them (01 §9.6).
//!
//! ```text
//! enabled ⇄ disabled    disabling ends every session          resetPassword → a random one, once told
//! ```
//! A learner stays: what was bought and written hangs on them. Only an import that is undone takes away whom nothing refers to.

mod form;
mod link;
pub(crate) mod list;
mod sheet;

use chrono::NaiveDate;
use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Edit, EnabledChange, Error, History, Page, Paged, Part, Reply, Result, Saved, UnmaskedFields,
    Warned,
    clock::Moment,
    mask, permissions, reply,
    transfer::{self, Attachment, ByRow, Exported, ImportAnswer, ImportForm, export_job, import_job},
};
use learner_rules::{
    enums::{CodeScene, LearnerGender, LearnerSource, MemberState, ProductType},
    form::LearnerForm,
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use settings::website;

use crate::{
    account,
    right::{self, LearnerRight, Product},
    session::{self, Ended},
    vip::{self, Membership},
};

pub use list::LearnerFilter;

use form::{insert, store, warned};
use list::{SignIn, count, find, select, sign_ins};
use sheet::LearnerSheet;

permissions! {
    pages "/user/ext/list";
    InPlatform Reads       ListLearners         = "user:pc:ext:list" "学员列表";
    InPlatform Reads       ViewLearner          = "user:pc:ext:view" "查看学员";
    InPlatform ReadsLogged ViewLearnerPlain     = "user:pc:ext:viewPlain" "查看学员完整信息";
    InPlatform Writes      SaveLearner          = "user:pc:ext:save" "新增学员";
    InPlatform Writes      EditLearner          = "user:pc:ext:edit" "编辑学员";
    InPlatform Writes      ChangeLearnerStatus  = "user:pc:ext:update:status" "启用停用学员";
    InPlatform Writes      ResetLearnerPassword = "user:pc:ext:update:password" "重置学员密码";
    InPlatform Writes      GrantLearnerRight    = "user:pc:ext:grantRight" "赠送权益";
    InPlatform Writes      GrantLearnerVip      = "user:pc:ext:grantVip" "开通会员";
    InPlatform Writes      ImportLearners       = "user:pc:ext:import" "导入学员";
    InPlatform Reads       FetchLearnerSheet    = "user:pc:ext:import" "导入学员";
    InPlatform ReadsLogged ExportLearners       = "user:pc:ext:export" "导出学员";
    InPlatform ReadsLogged ExportLearnersPlain  = "user:pc:ext:exportPlain" "导出学员完整信息";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[
        LearnerSource::ENUMERATION,
        LearnerGender::ENUMERATION,
        MemberState::ENUMERATION,
        CodeScene::ENUMERATION,
    ],
    jobs: &[export_job::<Learners>(), import_job::<ByRow<LearnerSheet>>()],
    plain: &[PLAIN],
    histories: &[History { table: "user_ext", code: "user:pc:ext:view", scope: None }],
    ..Part::NONE
};

const PLAIN: UnmaskedFields = UnmaskedFields {
    entity: "user_ext",
    table: "platform.user_ext",
    code: "user:pc:ext:viewPlain",
    fields: &[("phone", "phone")],
    scope: ("id", None),
    live: None,
    platform: Some("$2::bigint is null and $3::bigint is not null"),
};

/// A learner, as stored and shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Learner {
    /// 编号
    pub id: i64,
    /// 手机号
    pub phone: String,
    /// 昵称
    pub nickname: Option<String>,
    /// 性别
    pub gender: LearnerGender,
    /// 生日
    pub birthday: Option<NaiveDate>,
    /// 头像
    pub head_img: Option<String>,
    /// 注册来源
    pub source: LearnerSource,
    /// 会员
    pub member_state: MemberState,
    /// 会员到期
    pub vip_expires_at: Option<Moment>,
    /// 是讲师
    pub is_lecturer: bool,
    /// 是博主
    pub is_blogger: bool,
    /// 关联院校
    pub linked_school_id: Option<i64>,
    /// 关联院校名称
    pub linked_school_name: Option<String>,
    /// 已设密码
    /// 未设密码的学员用短信验证码登录
    pub has_password: bool,
    /// 最近登录
    pub last_login_at: Option<Moment>,
    /// 启用
    pub enabled: bool,
    /// 注册时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

impl Learner {
    /// What others read of them: the nickname, or their phone as lists show it.
    pub(crate) fn name(&self) -> String {
        self.nickname.clone().unwrap_or_else(|| mask::phone(&self.phone))
    }

    /// As lists show them; the whole number is one call for one person (05 E4).
    fn mask(&mut self) {
        self.phone = mask::phone(&self.phone);
    }
}

/// A learner with what they have and how they came in.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct LearnerDetail {
    #[oai(flatten)]
    pub learner: Learner,
    /// 关联学号
    /// 无权查看该院校时为空
    pub linked_student_no: Option<String>,
    /// 关联学生姓名
    pub linked_student_name: Option<String>,
    /// 会员折扣
    /// 现有会员的折扣，0.85即按85%付款；不是会员时为空
    pub vip_discount_rate: Option<f64>,
    /// 会员记录
    pub memberships: Vec<Membership>,
    /// 权益
    pub rights: Vec<LearnerRight>,
    /// 最近登录记录
    /// 最近50条
    pub sign_ins: Vec<SignIn>,
}

/// A learner, with the version that was read.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct LearnerItem {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: Option<i32>,
}

impl Example for LearnerItem {
    fn example() -> Self {
        Self { id: 1, version: Some(1) }
    }
}

/// A password that is told this once.
#[derive(Debug, Clone, Object)]
pub struct LearnerPassword {
    /// 编号
    pub id: i64,
    /// 新密码
    /// 仅显示这一次，学员登录后须修改
    pub password: String,
}

/// 赠送权益.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct RightGrant {
    /// 编号
    pub id: i64,
    /// 商品类型
    pub product_type: ProductType,
    /// 商品编号
    pub product_id: i64,
    /// 天数
    /// 已有该商品的，在到期日之后顺延
    #[oai(validator(minimum(value = "1"), maximum(value = "3650")))]
    pub days: i32,
    /// 版本
    pub version: Option<i32>,
}

impl Example for RightGrant {
    fn example() -> Self {
        Self { id: 1, product_type: ProductType::Record, product_id: 1, days: 30, version: None }
    }
}

/// 开通会员.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct VipGrant {
    /// 编号
    pub id: i64,
    /// 会员设置
    pub vip_set_id: i64,
    /// 版本
    pub version: Option<i32>,
}

impl Example for VipGrant {
    fn example() -> Self {
        Self { id: 1, vip_set_id: 1, version: None }
    }
}

pub struct Learners;

#[OpenApi(prefix_path = "/user/pc/ext", tag = "crate::Tag::Learners")]
impl Learners {
    /// 学员列表
    #[oai(path = "/list", method = "post", operation_id = "listLearners")]
    async fn list(
        &self,
        caller: Allowed<ListLearners>,
        Body(asked): Body<Paged<LearnerFilter>>,
    ) -> Result<Reply<Page<Learner>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let now = caller.app().clock().now();
        let mut tx = caller.read().await?;
        let total = count(&mut tx, &filter, now).await?;
        let mut list: Vec<Learner> = select(&mut tx, None, &filter, Some(paging), now).try_collect().await?;
        list.iter_mut().for_each(Learner::mask);
        Ok(reply(paging.page(total, list)))
    }

    /// 查看学员
    #[oai(path = "/view", method = "get", operation_id = "viewLearner")]
    async fn view(
        &self,
        caller: Allowed<ViewLearner>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<LearnerDetail>> {
        let now = caller.app().clock().now();
        let mut tx = caller.read().await?;
        let mut learner = find(&mut tx, id.0, now).await?;
        learner.mask();
        let vip_discount_rate = vip::discount(&mut tx, id.0, now).await?;
        let memberships = vip::memberships(&mut tx, id.0).await?;
        let rights = right::rights(&mut tx, id.0).await?;
        let sign_ins = sign_ins(&mut tx, id.0).await?;
        let linked = link::of(&mut tx, id.0).await?;
        drop(tx);
        let student = match linked {
            Some(linked) => link::student(&caller, linked).await?,
            None => None,
        };
        let (linked_student_no, linked_student_name) =
            student.map_or((None, None), |student| (student.student_no, Some(student.name)));
        Ok(reply(LearnerDetail {
            learner,
            linked_student_no,
            linked_student_name,
            vip_discount_rate,
            memberships,
            rights,
            sign_ins,
        }))
    }

    /// 新增学员
    /// 没有密码，用短信验证码登录
    #[oai(path = "/save", method = "post", operation_id = "saveLearner")]
    async fn save(&self, caller: Allowed<SaveLearner>, Body(form): Body<LearnerForm>) -> Result<Reply<Warned>> {
        let link = link::asked(&caller, &form, None).await?;
        let site = website::title(caller.app()).await?;
        let mut tx = caller.begin().await?;
        let (learner, change) = insert(&mut tx, form, link, &site).await?;
        tx.commit(change).await?;
        Ok(reply(warned(&caller, &learner).await?))
    }

    /// 编辑学员
    #[oai(path = "/edit", method = "put", operation_id = "editLearner")]
    async fn edit(&self, caller: Allowed<EditLearner>, Body(edit): Body<Edit<LearnerForm>>) -> Result<Reply<Warned>> {
        let before = link::of(&mut *caller.read().await?, edit.id).await?;
        let link = link::asked(&caller, &edit.form, before).await?;
        let site = website::title(caller.app()).await?;
        let mut tx = caller.begin().await?;
        let (learner, change) = store(&mut tx, edit, link, &site).await?;
        tx.commit(change).await?;
        Ok(reply(warned(&caller, &learner).await?))
    }

    /// 启用停用学员
    /// 停用后立即退出登录
    #[oai(path = "/update/status", method = "put", operation_id = "changeLearnerStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeLearnerStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = tx.set_enabled("user_ext", &wanted).await?;
        if !wanted.enabled {
            session::end(&mut tx, wanted.id, Ended::AccountDisabled).await?;
        }
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 重置学员密码
    /// 新密码只在应答中显示这一次
    #[oai(path = "/update/password", method = "put", operation_id = "resetLearnerPassword")]
    async fn reset_password(
        &self,
        caller: Allowed<ResetLearnerPassword>,
        Body(wanted): Body<LearnerItem>,
    ) -> Result<Reply<LearnerPassword>> {
        let mut tx = caller.begin().await?;
        let account = account::lock(&mut tx, wanted.id).await?;
        account.unchanged_since(&mut tx, wanted.version).await?;
        let (change, password) = account::reset_password(&mut tx, &account).await?;
        tx.commit(change).await?;
        Ok(reply(LearnerPassword { id: wanted.id, password }))
    }

    /// 赠送权益
    #[oai(path = "/grantRight", method = "post", operation_id = "grantLearnerRight")]
    async fn grant_right(
        &self,
        caller: Allowed<GrantLearnerRight>,
        Body(grant): Body<RightGrant>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let account = account::lock(&mut tx, grant.id).await?;
        account.unchanged_since(&mut tx, grant.version).await?;
        in_use(&account)?;
        let product = Product { kind: grant.product_type, id: grant.product_id };
        let change = right::add_days(&mut tx, grant.id, product, grant.days).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: grant.id }))
    }

    /// 开通会员
    /// 已是会员的，在到期日之后顺延
    #[oai(path = "/grantVip", method = "post", operation_id = "grantLearnerVip")]
    async fn grant_vip(&self, caller: Allowed<GrantLearnerVip>, Body(grant): Body<VipGrant>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let account = account::lock(&mut tx, grant.id).await?;
        account.unchanged_since(&mut tx, grant.version).await?;
        in_use(&account)?;
        let changes = vip::add_months(&mut tx, &account, grant.vip_set_id, None).await?;
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: grant.id }))
    }

    /// 学员导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchLearnerImportTemplate")]
    async fn template(&self, caller: Allowed<FetchLearnerSheet>) -> Result<Attachment> {
        transfer::template::<ByRow<LearnerSheet>, _>(&caller).await
    }

    /// 导入学员
    #[oai(path = "/import", method = "post", operation_id = "importLearners")]
    async fn import(&self, caller: Allowed<ImportLearners>, form: ImportForm) -> Result<Reply<ImportAnswer>> {
        transfer::import::<ByRow<LearnerSheet>>(&caller, form).await
    }

    /// 导出学员
    #[oai(path = "/export", method = "post", operation_id = "exportLearners")]
    async fn export(
        &self,
        caller: Allowed<ExportLearners>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<LearnerFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

/// # Errors
/// 409 for a learner who is switched off: nothing is given to somebody who cannot use it.
fn in_use(account: &account::Account) -> Result<()> {
    if account.enabled { Ok(()) } else { Err(Error::conflict("该学员已停用，请先启用")) }
}
