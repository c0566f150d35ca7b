//! 院校: the tenants as operators list, open and edit them (01 §5).

use std::sync::Arc;

use accounts::{
    account::{self, NewAccount},
    password,
};
use chrono::{Duration, NaiveDate};
use infra::{
    Allowed, App, Body, Change, Error, OnConstraint, Page, Paging, ReadTx, Reply, Result, Saved, SignedIn, Tx,
    clock::Moment, enumeration, jobs, params::IntParam, permissions, reply,
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use serde_json::json;

use crate::provision;

/// Days of a trial when no end is typed.
pub const TRIAL_DAYS: IntParam = IntParam { code: "school.trialDays", default: 30, min: 1, max: 365 };

permissions! {
    pages "/sys/school/list";
    InPlatform Reads  ListSchools    = "system:pc:sys:school:list" "院校列表";
    InPlatform Reads  ViewSchool     = "system:pc:sys:school:view" "查看院校";
    InPlatform Writes SaveSchool     = "system:pc:sys:school:save" "新增院校";
    InPlatform Writes EditSchool     = "system:pc:sys:school:edit" "编辑院校";
    InPlatform Reads  EnterSchool    = "system:pc:sys:school:enter" "进入院校";
}

enumeration! {
    /// 院校状态
    pub enum SchoolStatus = "schoolStatus" {
        Trial = "trial" "试用",
        Active = "active" "正常",
        Suspended = "suspended" "停用",
        Archived = "archived" "归档",
    }
}

enumeration! {
    /// 开通进度
    pub enum ProvisionState = "provisionState" {
        Pending = "pending" "待开通",
        Running = "running" "开通中",
        Ready = "ready" "已开通",
        Failed = "failed" "开通失败",
    }
}

enumeration! {
    /// 到期情况
    pub enum Expiry = "schoolExpiry" {
        Within30Days = "within_30_days" "30天内到期",
        Expired = "expired" "已过期",
    }
}

/// A school as the list shows it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct School {
    /// 编号
    pub id: i64,
    /// 院校代码
    pub code: String,
    /// 院校名称
    pub name: String,
    /// 简称
    pub short_name: Option<String>,
    /// 院校标识码
    pub identity_code: Option<String>,
    /// 域名
    pub domain: Option<String>,
    /// 标志
    pub logo: Option<String>,
    /// 无字标志
    pub logo_no_word: Option<String>,
    /// 页面图标
    pub ico: Option<String>,
    /// 站点标题
    pub title: Option<String>,
    /// 登录背景
    pub login_background: Option<String>,
    /// 品牌色
    pub brand_color: Option<String>,
    /// 帮助中心
    pub assistance_center_enabled: bool,
    /// 状态
    pub status: SchoolStatus,
    /// 停用原因
    pub status_reason: Option<String>,
    /// 开通进度
    pub provision_state: ProvisionState,
    /// 开通步骤
    pub provision_step: String,
    /// 开通错误
    pub provision_error: Option<String>,
    /// 服务到期
    pub expires_on: Option<NaiveDate>,
    /// 学生配额
    pub student_quota: Option<i32>,
    /// 存储配额(GB)
    pub storage_quota_gb: Option<i32>,
    /// 联系人
    pub contact_name: Option<String>,
    /// 联系电话
    pub contact_phone: Option<String>,
    /// 省份
    pub province: Option<String>,
    /// 地址
    pub address: Option<String>,
    /// 备注
    pub remark: Option<String>,
    /// 删除保护
    pub deletion_protection: bool,
    /// 创建时间
    pub created_at: Moment,
    /// 最近活跃
    pub last_active_at: Option<Moment>,
    /// 在籍学生
    pub student_count: Option<i64>,
    /// 站点数
    pub site_count: Option<i64>,
    /// 版本
    pub version: i32,
}

/// What an operator types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SchoolForm {
    /// 院校名称
    #[oai(validator(max_length = 60))]
    pub name: String,
    /// 简称
    #[oai(validator(max_length = 12))]
    pub short_name: Option<String>,
    /// 院校标识码
    /// 应为10位数字
    #[oai(validator(pattern = "^[0-9]{10}$"))]
    pub identity_code: Option<String>,
    /// 域名
    /// 例如 cj.example.edu.cn，不含协议和端口
    #[oai(validator(max_length = 100, pattern = "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$"))]
    pub domain: Option<String>,
    /// 标志
    #[oai(validator(max_length = 300))]
    pub logo: Option<String>,
    /// 无字标志
    #[oai(validator(max_length = 300))]
    pub logo_no_word: Option<String>,
    /// 页面图标
    #[oai(validator(max_length = 300))]
    pub ico: Option<String>,
    /// 站点标题
    #[oai(validator(max_length = 60))]
    pub title: Option<String>,
    /// 登录背景
    #[oai(validator(max_length = 300))]
    pub login_background: Option<String>,
    /// 品牌色
    /// 例如 #165DFF
    #[oai(validator(pattern = "^#[0-9a-fA-F]{6}$"))]
    pub brand_color: Option<String>,
    /// 帮助中心
    #[oai(default)]
    pub assistance_center_enabled: bool,
    /// 服务到期
    pub expires_on: Option<NaiveDate>,
    /// 学生配额
    #[oai(validator(minimum(value = "1"), maximum(value = "10000000")))]
    pub student_quota: Option<i32>,
    /// 存储配额(GB)
    #[oai(validator(minimum(value = "1"), maximum(value = "1000000")))]
    pub storage_quota_gb: Option<i32>,
    /// 联系人
    #[oai(validator(max_length = 30))]
    pub contact_name: Option<String>,
    /// 联系电话
    #[oai(validator(max_length = 30))]
    pub contact_phone: Option<String>,
    /// 省份
    #[oai(validator(max_length = 30))]
    pub province: Option<String>,
    /// 地址
    #[oai(validator(max_length = 200))]
    pub address: Option<String>,
    /// 备注
    #[oai(validator(max_length = 255))]
    pub remark: Option<String>,
}

/// A school to be opened, with its first administrator.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct NewSchool {
    /// 院校代码
    /// 2至20位小写字母或数字，通常为教育部5位院校代码
    #[oai(validator(pattern = "^[0-9a-z]{2,20}$"))]
    pub code: String,
    /// 状态
    pub status: NewSchoolStatus,
    #[oai(flatten)]
    pub form: SchoolForm,
    /// 管理员账号
    /// 4至32位字母、数字或 _ . @ -
    #[oai(validator(pattern = "^[A-Za-z0-9_.@-]{4,32}$"))]
    pub admin_login_name: Option<String>,
    /// 管理员姓名
    #[oai(validator(min_length = 2, max_length = 30))]
    pub admin_real_name: Option<String>,
    /// 管理员手机号
    /// 应为11位手机号
    #[oai(validator(pattern = "^1[3-9][0-9]{9}$"))]
    pub admin_phone: Option<String>,
    /// 管理员密码密文
    #[oai(validator(max_length = 1024))]
    pub admin_password: Option<String>,
}

enumeration! {
    /// 新院校的状态
    pub enum NewSchoolStatus = "newSchoolStatus" {
        Trial = "trial" "试用",
        Active = "active" "正常",
    }
}

impl SchoolForm {
    fn named(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            short_name: None,
            identity_code: None,
            domain: None,
            logo: None,
            logo_no_word: None,
            ico: None,
            title: None,
            login_background: None,
            brand_color: None,
            assistance_center_enabled: false,
            expires_on: None,
            student_quota: None,
            storage_quota_gb: None,
            contact_name: None,
            contact_phone: None,
            province: None,
            address: None,
            remark: None,
        }
    }
}

impl NewSchool {
    /// A trial school of which only code and name are known.
    pub fn named(code: &str, name: &str) -> Self {
        Self {
            code: code.to_owned(),
            status: NewSchoolStatus::Trial,
            form: SchoolForm::named(name),
            admin_login_name: None,
            admin_real_name: None,
            admin_phone: None,
            admin_password: None,
        }
    }
}

impl Example for NewSchool {
    fn example() -> Self {
        Self::named("10589", "东湖示范学院")
    }
}

/// The whole form again, with the version that was read.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SchoolEdit {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 转为正式
    #[oai(default)]
    pub activate: bool,
    /// 删除保护
    #[oai(default = "protected")]
    pub deletion_protection: bool,
    #[oai(flatten)]
    pub form: SchoolForm,
}

fn protected() -> bool {
    true
}

impl Example for SchoolEdit {
    fn example() -> Self {
        Self {
            id: 1, version: 1, activate: false, deletion_protection: true, form: SchoolForm::named("东湖示范学院")
        }
    }
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SchoolFilter {
    /// 当前页
    pub page_current: Option<i64>,
    /// 每页条数
    pub page_size: Option<i64>,
    /// 名称或代码
    #[oai(validator(max_length = 60))]
    pub keyword: Option<String>,
    /// 状态
    pub status: Option<SchoolStatus>,
    /// 到期情况
    pub expiry: Option<Expiry>,
    /// 省份
    #[oai(validator(max_length = 30))]
    pub province: Option<String>,
    /// 开通进度
    pub provision_state: Option<ProvisionState>,
}

impl Example for SchoolFilter {
    fn example() -> Self {
        Self { page_current: Some(1), page_size: Some(20), ..Self::default() }
    }
}

/// The answer of opening a school; the password is shown this once.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Opened {
    /// 编号
    pub id: i64,
    /// 任务编号
    pub job_id: Option<i64>,
    /// 管理员账号
    pub admin_login_name: Option<String>,
    /// 初始密码
    pub initial_password: Option<String>,
}

/// A school in a selector.
#[derive(Debug, Clone, Object)]
pub struct SchoolOption {
    /// 编号
    code: i64,
    /// 名称
    desc: String,
    /// 状态
    status: SchoolStatus,
}

pub struct Schools;

#[OpenApi(prefix_path = "/system/pc/sys/school", tag = "crate::Tag::Schools")]
impl Schools {
    /// 院校列表
    #[oai(path = "/list", method = "post", operation_id = "listSchools")]
    async fn list(
        &self,
        caller: Allowed<ListSchools>,
        Body(filter): Body<SchoolFilter>,
    ) -> Result<Reply<Page<School>>> {
        let paging = Paging::of(filter.page_current, filter.page_size)?;
        let mut tx = caller.read().await?;
        let (total, mut list) = page(&mut tx, caller.user_id(), &filter, paging, caller.app().clock().today()).await?;
        drop(tx);
        for school in &mut list {
            count_people(&caller, school).await?;
        }
        Ok(reply(paging.page(total, list)))
    }

    /// 查看院校
    #[oai(path = "/view", method = "get", operation_id = "viewSchool")]
    async fn view(
        &self,
        caller: Allowed<ViewSchool>,
        /// 编号
        id: Query<Option<i64>>,
        /// 院校代码
        code: Query<Option<String>>,
    ) -> Result<Reply<School>> {
        if id.is_some() == code.is_some() {
            return Err(Error::malformed());
        }
        let mut tx = caller.read().await?;
        let mut school = find(&mut tx, caller.user_id(), id.0, code.0.as_deref()).await?;
        drop(tx);
        count_people(&caller, &mut school).await?;
        Ok(reply(school))
    }

    /// 可管院校选项
    #[oai(path = "/available/list", method = "get", operation_id = "listAvailableSchools")]
    async fn available(
        &self,
        caller: SignedIn,
        /// 名称、代码或拼音首字母
        keyword: Query<Option<String>>,
    ) -> Result<Reply<Vec<SchoolOption>>> {
        let mut tx = caller.platform().await?;
        let options = sqlx::query_as!(
            SchoolOption,
            r#"select s.id as code, s.name as "desc", s.status as "status: _" from platform.school s
               where s.deleted_at is null and s.provision_state = 'ready'
                 and ($2::text is null or s.name like '%' || $2 || '%' or s.code like $2 || '%' or s.initials like lower($2) || '%')
                 and exists (select from platform.sys_user u where u.id = $1 and u.user_type = 'platform' and (u.school_scope = 'all'
                     or exists (select from platform.sys_user_school b where b.user_id = $1 and b.school_id = s.id and b.enabled)))
               order by s.code limit 200"#,
            caller.user_id(),
            keyword.0
        )
        .fetch_all(&mut *tx)
        .await?;
        Ok(reply(options))
    }

    /// 新增院校
    #[oai(path = "/save", method = "post", operation_id = "saveSchool")]
    async fn save(&self, caller: Allowed<SaveSchool>, Body(new): Body<NewSchool>) -> Result<Reply<Opened>> {
        let app = caller.app().clone();
        let password = match &new.admin_password {
            Some(cipher) => Some(app.keys().decrypt(cipher, app.random()).await?),
            None => None,
        };
        let tx = match caller.begin().await {
            Ok(tx) => tx,
            Err(error) => match error.replayed() {
                Some(id) => return Ok(reply(opened_before(&app, id).await?)),
                None => return Err(error),
            },
        };
        let opened = open(tx, &new, password).await?;
        jobs::wake(&app);
        Ok(reply(opened))
    }

    /// 编辑院校
    #[oai(path = "/edit", method = "put", operation_id = "editSchool")]
    async fn edit(&self, caller: Allowed<EditSchool>, Body(edit): Body<SchoolEdit>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let before = find(&mut tx, caller.user_id(), Some(edit.id), None).await?;
        let status = next_status(&before, &edit)?;
        check_look(&edit.form)?;
        let form = &edit.form;
        let by = tx.by();
        let changed = sqlx::query!(
            "update platform.school set name = $3, short_name = $4, identity_code = $5, domain = $6, logo = $7, logo_no_word = $8,
                    ico = $9, title = $10, login_background = $11, brand_color = $12, assistance_center_enabled = $13,
                    expires_on = $14, student_quota = $15, storage_quota_gb = $16, contact_name = $17, contact_phone = $18,
                    province = $19, address = $20, remark = $21, status = $22, deletion_protection = $23, initials = $24,
                    updated_at = now(), updated_by = $25, version = version + 1
             where id = $1 and version = $2",
            edit.id,
            edit.version,
            form.name,
            form.short_name,
            form.identity_code,
            form.domain,
            form.logo,
            form.logo_no_word,
            form.ico,
            form.title,
            form.login_background,
            form.brand_color,
            form.assistance_center_enabled,
            form.expires_on,
            form.student_quota,
            form.storage_quota_gb,
            form.contact_name,
            form.contact_phone,
            form.province,
            form.address,
            form.remark,
            status.as_str(),
            edit.deletion_protection,
            infra::pinyin::initials(&form.name),
            by
        )
        .execute(&mut *tx)
        .await
        .on_constraint(taken)?;
        if changed.rows_affected() == 0 {
            return Err(tx.stale("school", edit.id).await);
        }
        let after = find(&mut tx, caller.user_id(), Some(edit.id), None).await?;
        tx.notice("school", edit.id);
        tx.commit(Change::edited("school", edit.id, &before, &after)).await?;
        Ok(reply(Saved { id: edit.id }))
    }
}

fn taken(constraint: &str) -> Option<Error> {
    match constraint {
        "school_code_taken" => Some(Error::conflict("院校代码已存在")),
        "school_name_taken" => Some(Error::field("name", "院校名称已存在")),
        "school_domain_taken" => Some(Error::field("domain", "该域名已被其他院校使用")),
        "school_trial_expires" => Some(Error::field("expiresOn", "试用院校须填写服务到期日期")),
        _ => None,
    }
}

/// A school becomes active only by an edit that says so and gives the end of the service (01 §5.2).
fn next_status(before: &School, edit: &SchoolEdit) -> Result<SchoolStatus> {
    if edit.activate && before.status == SchoolStatus::Trial {
        if edit.form.expires_on.is_none() {
            return Err(Error::field("expiresOn", "转为正式须填写服务到期日期"));
        }
        return Ok(SchoolStatus::Active);
    }
    Ok(before.status)
}

/// White text on the brand colour must reach 4.5 : 1 (WCAG 2.1, 1.4.3).
fn check_look(form: &SchoolForm) -> Result<()> {
    let Some(color) = &form.brand_color else { return Ok(()) };
    match contrast_with_white(color) {
        Some(ratio) if ratio >= 4.5 => Ok(()),
        Some(ratio) => Err(Error::field(
            "brandColor",
            format!("品牌色与白色文字的对比度为{ratio:.1}，应不低于4.5，请选择较深的颜色"),
        )),
        None => Err(Error::field("brandColor", "品牌色格式不正确")),
    }
}

/// Contrast of white text on `#rrggbb`, 1 to 21.
fn contrast_with_white(color: &str) -> Option<f64> {
    let number = u32::from_str_radix(color.strip_prefix('#')?, 16).ok()?;
    let channel = |shift: u32| {
        let value = f64::from((number >> shift) & 0xff) / 255.0;
        if value <= 0.03928 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    Some(1.05 / (0.2126 * channel(16) + 0.7152 * channel(8) + 0.0722 * channel(0) + 0.05))
}

/// Writes school, first administrator and binding in one transaction and starts the job that makes its schema (ruling 7).
pub async fn open(mut tx: Tx, new: &NewSchool, password: Option<String>) -> Result<Opened> {
    let app = tx.app().clone();
    let now = app.clock().now();
    check_look(&new.form)?;
    let form = &new.form;
    let expires_on = match (new.status, form.expires_on) {
        (NewSchoolStatus::Trial, None) => Some(now.date_naive() + Duration::days(app.int(TRIAL_DAYS).await?)),
        (_, given) => given,
    };
    let by = tx.by();
    let id = sqlx::query_scalar!(r#"select nextval(pg_get_serial_sequence('platform.school', 'id')) as "id!""#)
        .fetch_one(&mut *tx)
        .await?;
    let schema = format!("school_{id}");
    sqlx::query!(
        "insert into platform.school (id, code, name, short_name, identity_code, domain, logo, logo_no_word, ico, title, login_background,
             brand_color, assistance_center_enabled, status, expires_on, student_quota, storage_quota_gb, contact_name, contact_phone,
             province, address, remark, schema_name, db_role, initials, created_by, updated_by)
         overriding system value
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25,
             $26, $26)",
        id,
        new.code,
        form.name,
        form.short_name,
        form.identity_code,
        form.domain,
        form.logo,
        form.logo_no_word,
        form.ico,
        form.title,
        form.login_background,
        form.brand_color,
        form.assistance_center_enabled,
        new.status.as_str(),
        expires_on,
        form.student_quota,
        form.storage_quota_gb,
        form.contact_name,
        form.contact_phone,
        form.province,
        form.address,
        form.remark,
        schema,
        format!("{}{schema}", app.db().role_prefix()),
        infra::pinyin::initials(&form.name),
        by
    )
    .execute(&mut *tx)
    .await
    .on_constraint(taken)?;
    let login_name = new.admin_login_name.clone().unwrap_or_else(|| format!("{}_admin", new.code));
    let typed = password.is_some();
    let initial = match password {
        Some(typed) => {
            password::check(&typed, &login_name, new.admin_phone.as_deref())
                .map_err(|weak| Error::field("adminPassword", weak.zh()))?;
            typed
        }
        None => password::random(&app),
    };
    let admin = NewAccount {
        login_name: &login_name,
        real_name: new.admin_real_name.as_deref().unwrap_or("院校管理员"),
        phone: new.admin_phone.as_deref(),
        user_type: "school",
        password: &initial,
        must_change: true,
        built_in: false,
    };
    let admin_id = account::create(&mut tx, &admin, now).await.map_err(of_admin)?;
    account::bind(&mut tx, admin_id, id, true).await?;
    account::give_role(&mut tx, admin_id, "school_admin", Some(id)).await?;
    let job = jobs::NewJob {
        kind: provision::KIND.kind,
        target: id.to_string(),
        title: format!("开通院校 {}", form.name),
        params: json!({ "schoolId": id }),
    };
    let job_id = jobs::start_in(&mut tx, None, &job).await?;
    let what =
        json!({ "code": new.code, "name": form.name, "status": new.status.as_str(), "adminLoginName": login_name });
    tx.notice("school", id);
    tx.commit(Change::event("school", id, "insert", what)).await?;
    Ok(Opened {
        id,
        job_id: Some(job_id),
        admin_login_name: Some(login_name),
        initial_password: (!typed).then_some(initial),
    })
}

/// The fields of the administrator have other names in this form.
fn of_admin(error: Error) -> Error {
    let field = match error.data[0]["field"].as_str() {
        Some("loginName") => "adminLoginName",
        Some("phone") => "adminPhone",
        _ => return error,
    };
    Error::field(field, error.msg.into_owned())
}

/// The answer to a repeated save: the same school, without the secret that was shown once.
async fn opened_before(app: &App, id: i64) -> Result<Opened> {
    let mut tx = app.platform_read().await?;
    let row = sqlx::query!(
        r#"select (select max(id) from platform.job where kind = 'school.provision' and target = $1::bigint::text) as job_id,
                  (select u.login_name from platform.sys_user_school b join platform.sys_user u on u.id = b.user_id
                   where b.school_id = $1 and b.is_admin order by b.id limit 1) as login_name"#,
        id
    )
    .fetch_one(&mut *tx)
    .await?;
    Ok(Opened { id, job_id: row.job_id, admin_login_name: row.login_name, initial_password: None })
}

/// Students and sites of one school; unknown while the school is not ready.
async fn count_people<P: infra::access::Permission>(caller: &Allowed<P>, school: &mut School) -> Result<()> {
    let Some(known) = caller.app().school(school.id).await? else { return Ok(()) };
    if school.provision_state != ProvisionState::Ready || known.key().is_err() {
        return Ok(());
    }
    let mut tx = caller.look_into(&known).await?;
    let counted = sqlx::query!(
        r#"select (select count(*) from student where status in ('registered', 'suspended')) as "students!",
                  (select count(*) from site where status <> 'closed') as "sites!""#
    )
    .fetch_one(&mut *tx)
    .await?;
    school.student_count = Some(counted.students);
    school.site_count = Some(counted.sites);
    Ok(())
}

async fn page(
    tx: &mut ReadTx,
    user_id: i64,
    filter: &SchoolFilter,
    paging: Paging,
    today: NaiveDate,
) -> Result<(i64, Vec<School>)> {
    let (expired_before, expires_before) = match filter.expiry {
        Some(Expiry::Expired) => (Some(today), None),
        Some(Expiry::Within30Days) => (None, Some(today + Duration::days(30))),
        None => (None, None),
    };
    let ids = sqlx::query_scalar!(
        r#"select s.id from platform.school s
           where s.deleted_at is null
             and ($1::text is null or s.name like '%' || $1 || '%' or s.code like $1 || '%' or s.initials like lower($1) || '%')
             and ($2::text is null or s.status = $2)
             and ($3::text is null or s.province = $3)
             and ($4::text is null or s.provision_state = $4)
             and ($5::date is null or s.expires_on < $5)
             and ($6::date is null or s.expires_on between $7 and $6)
             and exists (select from platform.sys_user u where u.id = $8 and (u.school_scope = 'all'
                 or exists (select from platform.sys_user_school b where b.user_id = $8 and b.school_id = s.id and b.enabled)))
           order by s.created_at desc, s.id desc"#,
        filter.keyword,
        filter.status.map(SchoolStatus::as_str),
        filter.province,
        filter.provision_state.map(ProvisionState::as_str),
        expired_before,
        expires_before,
        today,
        user_id
    )
    .fetch_all(&mut **tx)
    .await?;
    let total = i64::try_from(ids.len()).unwrap_or(i64::MAX);
    let wanted: Vec<i64> = ids
        .into_iter()
        .skip(usize::try_from(paging.offset()).unwrap_or(usize::MAX))
        .take(usize::try_from(paging.limit()).unwrap_or(usize::MAX))
        .collect();
    let list = rows(tx, &wanted).await?;
    Ok((total, list))
}

/// # Errors
/// 404 when it does not exist or is outside the operator's schools.
pub(crate) async fn find(
    connection: &mut sqlx::PgConnection,
    user_id: i64,
    id: Option<i64>,
    code: Option<&str>,
) -> Result<School> {
    let id = sqlx::query_scalar!(
        "select s.id from platform.school s where s.deleted_at is null and (s.id = $1 or s.code = $2)
           and ($3::bigint = 0 or exists (select from platform.sys_user u where u.id = $3 and (u.school_scope = 'all'
               or exists (select from platform.sys_user_school b where b.user_id = $3 and b.school_id = s.id and b.enabled))))",
        id,
        code,
        user_id
    )
    .fetch_optional(&mut *connection)
    .await?
    .ok_or_else(Error::not_found)?;
    rows(connection, &[id]).await?.pop().ok_or_else(Error::not_found)
}

async fn rows(connection: &mut sqlx::PgConnection, ids: &[i64]) -> Result<Vec<School>> {
    let rows = sqlx::query!(
        r#"select s.id, s.code, s.name, s.short_name, s.identity_code, s.domain, s.logo, s.logo_no_word, s.ico, s.title,
                  s.login_background, s.brand_color, s.assistance_center_enabled, s.status as "status: SchoolStatus", s.status_reason,
                  s.provision_state as "provision_state: ProvisionState", s.provision_step, s.provision_error, s.expires_on,
                  s.student_quota, s.storage_quota_gb, s.contact_name, s.contact_phone, s.province, s.address, s.remark,
                  s.deletion_protection, s.created_at, s.version,
                  (select max(last_seen_at) from platform.sys_session where school_id = s.id) as last_active_at
           from platform.school s where s.id = any($1) order by s.created_at desc, s.id desc"#,
        ids
    )
    .fetch_all(connection)
    .await?;
    let zone = infra::clock::china();
    Ok(rows
        .into_iter()
        .map(|row| School {
            id: row.id,
            code: row.code,
            name: row.name,
            short_name: row.short_name,
            identity_code: row.identity_code,
            domain: row.domain,
            logo: row.logo,
            logo_no_word: row.logo_no_word,
            ico: row.ico,
            title: row.title,
            login_background: row.login_background,
            brand_color: row.brand_color,
            assistance_center_enabled: row.assistance_center_enabled,
            status: row.status,
            status_reason: row.status_reason,
            provision_state: row.provision_state,
            provision_step: row.provision_step,
            provision_error: row.provision_error,
            expires_on: row.expires_on,
            student_quota: row.student_quota,
            storage_quota_gb: row.storage_quota_gb,
            contact_name: row.contact_name,
            contact_phone: row.contact_phone,
            province: row.province,
            address: row.address,
            remark: row.remark,
            deletion_protection: row.deletion_protection,
            created_at: row.created_at.with_timezone(&zone),
            last_active_at: row.last_active_at.map(|at| at.with_timezone(&zone)),
            student_count: None,
            site_count: None,
            version: row.version,
        })
        .collect())
}

/// The school from the directory, for steps that also touch its schema.
pub(crate) async fn of_directory(app: &App, id: i64) -> Result<Arc<infra::directory::School>> {
    app.school(id).await?.ok_or_else(Error::not_found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_brand_colour_must_carry_white_text() {
        let ratio = |color| contrast_with_white(color).map(|ratio| (ratio * 10.0).round() / 10.0);
        assert_eq!(ratio("#165DFF"), Some(5.2));
        assert_eq!(ratio("#FF7D00"), Some(2.6));
        assert_eq!(ratio("#000000"), Some(21.0));
        assert_eq!(ratio("blue"), None);
    }
}
