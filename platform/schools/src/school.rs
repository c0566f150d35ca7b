//! 院校: the tenants as operators list, open and edit them (01 §5).

pub mod export;
mod form;
mod open;

use std::sync::Arc;

use chrono::{Duration, NaiveDate};
use infra::{
    Allowed, App, Body, Change, Entity, Error, OnConstraint, Page, Paged, Paging, Part, ReadTx, Reply, Result, Saved,
    SignedIn,
    clock::Moment,
    enumeration, jobs,
    params::{IntParam, Param, ParamKind},
    permissions, reply,
};
use poem_openapi::{Object, OpenApi, param::Query};

pub use export::SchoolExport;
use form::next_status;
pub use form::{NewSchool, NewSchoolStatus, SchoolEdit, SchoolForm};
pub(crate) use form::{check_color, explain_constraint};
pub(crate) use open::write;
pub use open::{Opened, open};

/// Days of a trial when no end is typed.
pub const TRIAL_DAYS: IntParam = IntParam { code: "school.trialDays", default: 30, min: 1, max: 365 };

/// The schools from which a new one usually takes over its basic data, by their codes.
const TEMPLATES: Param = Param::new(
    "school.templates",
    "模板院校",
    "院校",
    ParamKind::Text {
        default: "无",
        pattern: "^(无|[0-9a-z]{2,20}(,[0-9a-z]{2,20}){0,9})$",
        hint: "院校代码，最多10个，用英文逗号分隔；没有时填“无”",
    },
);

pub const PARAMS: &[Param] = &[TRIAL_DAYS.entry("试用天数", "院校"), TEMPLATES];

permissions! {
    pages "/sys/school/list";
    InPlatform Reads  ListSchools    = "system:pc:sys:school:list" "院校列表";
    InPlatform Reads  ViewSchool     = "system:pc:sys:school:view" "查看院校";
    InPlatform Writes SaveSchool     = "system:pc:sys:school:save" "新增院校";
    InPlatform Writes EditSchool     = "system:pc:sys:school:edit" "编辑院校";
    InPlatform Reads  EnterSchool    = "system:pc:sys:school:enter" "进入院校";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS, export::PERMISSIONS],
    enumerations: &[
        SchoolStatus::ENUMERATION,
        ProvisionState::ENUMERATION,
        Expiry::ENUMERATION,
        NewSchoolStatus::ENUMERATION,
    ],
    entities: &[
        Entity { table: "school", name: "院校", counted: "所院校" },
        Entity { table: "demonstration", name: "演示标记", counted: "个演示标记" },
    ],
    params: &[PARAMS],
    jobs: &[export::JOB],
    ..Part::NONE
};

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
    /// 归档时间
    pub archived_at: Option<Moment>,
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
    /// 演示院校
    /// 其中的人员和业务数据均为虚构，开通后不能更改
    pub demo: bool,
    /// 创建时间
    pub created_at: Moment,
    /// 最近活跃
    pub last_active_at: Option<Moment>,
    /// 占用配额的学生
    /// 学籍状态为在籍和休学的学生
    pub student_count: Option<i64>,
    /// 站点数
    pub site_count: Option<i64>,
    /// 已用存储(字节)
    pub storage_used: Option<i64>,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct SchoolFilter {
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
    /// 演示院校
    pub demo: Option<bool>,
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
    /// 模板院校
    /// 新开通的院校一般从它复制基础数据，由参数“模板院校”指定
    template: bool,
}

pub struct Schools;

#[OpenApi(prefix_path = "/system/pc/sys/school", tag = "crate::Tag::Schools")]
impl Schools {
    /// 院校列表
    #[oai(path = "/list", method = "post", operation_id = "listSchools")]
    async fn list(
        &self,
        caller: Allowed<ListSchools>,
        Body(asked): Body<Paged<SchoolFilter>>,
    ) -> Result<Reply<Page<School>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let (total, mut list) = page(&mut tx, caller.user_id(), &filter, paging, caller.app().clock().today()).await?;
        drop(tx);
        for school in &mut list {
            add_figures(&caller, school).await?;
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
        add_figures(&caller, &mut school).await?;
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
        let named = caller.app().param_text(TEMPLATES.code).await?;
        let templates: Vec<String> = named.split(',').map(str::to_owned).collect();
        let mut tx = caller.platform().await?;
        let options = sqlx::query_as!(
            SchoolOption,
            r#"select s.id as code, s.name as "desc", s.status as "status: _", s.code = any($3) as "template!"
               from platform.school s
               where s.deleted_at is null and s.provision_state = 'ready'
                 and ($2::text is null or s.name like '%' || $2 || '%' or s.code like $2 || '%' or s.initials like lower($2) || '%')
                 and exists (select from platform.sys_user u where u.id = $1 and u.user_type = 'platform' and (u.school_scope = 'all'
                     or exists (select from platform.sys_user_school b where b.user_id = $1 and b.school_id = s.id and b.enabled)))
               order by s.code = any($3) desc, s.code limit 200"#,
            caller.user_id(),
            keyword.0,
            &templates
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
                Some(id) => return Ok(reply(open::opened_before(&app, id).await?)),
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
        check_color(edit.form.brand_color.as_deref())?;
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
        .on_constraint(explain_constraint)?;
        if changed.rows_affected() == 0 {
            return Err(tx.stale("school", edit.id).await);
        }
        let after = find(&mut tx, caller.user_id(), Some(edit.id), None).await?;
        tx.notice("school", edit.id);
        tx.commit(Change::edited("school", edit.id, &before, &after)).await?;
        Ok(reply(Saved { id: edit.id }))
    }
}

/// Students, sites and files of one school; unknown while the school is not ready.
async fn add_figures<P: infra::access::Permission>(caller: &Allowed<P>, school: &mut School) -> Result<()> {
    let Some(known) = open_place(caller.app(), school).await? else { return Ok(()) };
    count(&mut *caller.look_into(&known).await?, school).await
}

/// Where the school's own rows lie; none before they can be read.
async fn open_place(app: &App, school: &School) -> Result<Option<Arc<infra::directory::School>>> {
    let known = app.school(school.id).await?;
    Ok(known.filter(|known| school.provision_state == ProvisionState::Ready && known.key().is_ok()))
}

/// The figures of a school, out of its own rows.
async fn count(connection: &mut sqlx::PgConnection, school: &mut School) -> Result<()> {
    let counted = sqlx::query!(
        r#"select (select count(*) from student where status in ('registered', 'suspended')) as "students!",
                  (select count(*) from site where status <> 'closed') as "sites!""#
    )
    .fetch_one(&mut *connection)
    .await?;
    school.student_count = Some(counted.students);
    school.site_count = Some(counted.sites);
    school.storage_used = Some(infra::files::used(connection).await?);
    Ok(())
}

async fn page(
    tx: &mut ReadTx,
    user_id: i64,
    filter: &SchoolFilter,
    paging: Paging,
    today: NaiveDate,
) -> Result<(i64, Vec<School>)> {
    let ids = matching(tx, user_id, filter, today).await?;
    let total = i64::try_from(ids.len()).unwrap_or(i64::MAX);
    let wanted: Vec<i64> = ids
        .into_iter()
        .skip(usize::try_from(paging.offset()).unwrap_or(usize::MAX))
        .take(usize::try_from(paging.limit()).unwrap_or(usize::MAX))
        .collect();
    let list = rows(tx, &wanted).await?;
    Ok((total, list))
}

/// All schools of a filter that the operator may act for, in the list's order.
async fn matching(tx: &mut ReadTx, user_id: i64, filter: &SchoolFilter, today: NaiveDate) -> Result<Vec<i64>> {
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
             and ($9::boolean is null or s.demo = $9)
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
        user_id,
        filter.demo
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(ids)
}

/// # Errors
/// 404 when it does not exist or is outside the operator's schools; a program is told 403 for the latter, as it would take
/// a school that it may no longer see for one that is gone, and make it again.
pub(crate) async fn find(
    connection: &mut sqlx::PgConnection,
    user_id: i64,
    wanted: Option<i64>,
    code: Option<&str>,
) -> Result<School> {
    let id = sqlx::query_scalar!(
        "select s.id from platform.school s where s.deleted_at is null and (s.id = $1 or s.code = $2)
           and ($3::bigint = 0 or exists (select from platform.sys_user u where u.id = $3 and (u.school_scope = 'all'
               or exists (select from platform.sys_user_school b where b.user_id = $3 and b.school_id = s.id and b.enabled))))",
        wanted,
        code,
        user_id
    )
    .fetch_optional(&mut *connection)
    .await?;
    let Some(id) = id else { return Err(out_of_reach(connection, user_id, wanted, code).await?) };
    rows(connection, &[id]).await?.pop().ok_or_else(Error::not_found)
}

async fn out_of_reach(
    connection: &mut sqlx::PgConnection,
    user_id: i64,
    id: Option<i64>,
    code: Option<&str>,
) -> Result<Error> {
    let there = sqlx::query_scalar!(
        r#"select exists (
               select from platform.school s join platform.sys_user u on u.id = $3 and u.user_type = 'machine'
               where s.deleted_at is null and (s.id = $1 or s.code = $2)) as "there!""#,
        id,
        code,
        user_id
    )
    .fetch_one(connection)
    .await?;
    Ok(if there { Error::new(403, "没有进入该院校的权限") } else { Error::not_found() })
}

async fn rows(connection: &mut sqlx::PgConnection, ids: &[i64]) -> Result<Vec<School>> {
    let rows = sqlx::query!(
        r#"select s.id, s.code, s.name, s.short_name, s.identity_code, s.domain, s.logo, s.logo_no_word, s.ico, s.title,
                  s.login_background, s.brand_color, s.assistance_center_enabled, s.status as "status: SchoolStatus", s.status_reason, s.archived_at,
                  s.provision_state as "provision_state: ProvisionState", s.provision_step, s.provision_error, s.expires_on,
                  s.student_quota, s.storage_quota_gb, s.contact_name, s.contact_phone, s.province, s.address, s.remark,
                  s.deletion_protection, s.demo, s.created_at, s.version,
                  (select max(last_seen_at) from platform.sys_session where school_id = s.id) as last_active_at
           from platform.school s where s.id = any($1) order by s.created_at desc, s.id desc"#,
        ids
    )
    .fetch_all(connection)
    .await?;
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
            archived_at: row.archived_at,
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
            demo: row.demo,
            created_at: row.created_at,
            last_active_at: row.last_active_at,
            student_count: None,
            site_count: None,
            storage_used: None,
            version: row.version,
        })
        .collect())
}

/// The school from the directory, for steps that also touch its schema.
pub(crate) async fn of_directory(app: &App, id: i64) -> Result<Arc<infra::directory::School>> {
    app.school(id).await?.ok_or_else(Error::not_found)
}
