//! A class manager as list, view and export show them.

use futures_util::TryStreamExt;
use infra::{Error, Paging, Result, Scope, clock::Moment, mask, transfer::Rows};
use poem_openapi::Object;
use sqlx::PgConnection;

use crate::{account::AccountState, enums::StaffStatus, id_card::Gender};

/// A class manager with their sites, the numbers of their classes and students, and the account.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ClassManager {
    /// 编号
    pub id: i64,
    /// 工号
    pub work_no: String,
    /// 姓名
    pub name: String,
    /// 性别
    pub gender: Option<Gender>,
    /// 证件号
    pub id_card_no: Option<String>,
    /// 手机
    pub phone: String,
    /// 站点
    pub site_ids: Vec<i64>,
    /// 站点名称
    pub site_names: Vec<String>,
    /// 班级
    pub class_ids: Vec<i64>,
    /// 班级数
    pub class_count: i64,
    /// 学生数
    pub student_count: i64,
    /// 兼任教师
    pub teacher_id: Option<i64>,
    /// 兼任教师姓名
    pub teacher_name: Option<String>,
    /// 状态
    pub status: StaffStatus,
    /// 备注
    pub remark: Option<String>,
    /// 登录名
    pub login_name: Option<String>,
    /// 账号状态
    pub account_state: AccountState,
    /// 账号版本
    pub account_version: Option<i32>,
    /// 需修改密码
    pub must_change: Option<bool>,
    /// 最近登录
    pub last_login_at: Option<Moment>,
    /// 版本
    pub version: i32,
}

impl ClassManager {
    /// As lists show it; the whole values are one call for one person (05 E4).
    pub(super) fn mask(&mut self) {
        self.phone = mask::phone(&self.phone);
        self.id_card_no = self.id_card_no.as_deref().map(mask::id_card);
    }
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct ClassManagerFilter {
    /// 姓名、工号或手机
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
    /// 站点
    pub site_id: Option<i64>,
    /// 状态
    pub status: Option<StaffStatus>,
}

/// In the list's order.
pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<i64>,
    filter: &ClassManagerFilter,
    scope: &Scope,
    page: Option<Paging>,
) -> Rows<'c, ClassManager> {
    let rows = sqlx::query_as!(
        ClassManager,
        r#"select p.id, p.work_no, p.name, p.gender as "gender: _", p.id_card_no, p.phone,
                  array(select x.site_id from class_manager_site x where x.manager_id = p.id order by 1) as "site_ids!",
                  array(select s.name from class_manager_site x join site s on s.id = x.site_id
                        where x.manager_id = p.id order by x.site_id) as "site_names!",
                  array(select c.id from class c where c.manager_id = p.id order by c.code) as "class_ids!",
                  (select count(*) from class c where c.manager_id = p.id) as "class_count!",
                  (select count(*) from class c join student t on t.class_id = c.id
                     and t.active
                   where c.manager_id = p.id) as "student_count!",
                  p.teacher_id, e.name as "teacher_name?", p.status as "status: _", p.remark, a.login_name as "login_name?",
                  case when a.id is null then 'none' when not a.enabled then 'disabled'
                       when a.locked_until > now() then 'locked' else 'enabled' end as "account_state!: AccountState",
                  a.version as "account_version?", a.must_change as "must_change?", a.last_login_at,
                  p.version
           from class_manager p
           left join teacher e on e.id = p.teacher_id
           left join client_account a on a.owner_kind = 'class_manager' and a.owner_id = p.id
           where ($1::bigint is null or p.id = $1)
             and ($2::bigint[] is null
                  or exists (select from class_manager_site x where x.manager_id = p.id and x.site_id = any($2))
                  or exists (select from class c where c.manager_id = p.id and c.id = any($3::bigint[])))
             and ($4::text is null or strpos(p.name, $4) > 0 or starts_with(lower(p.work_no), lower($4)) or p.phone = $4
                  or starts_with(p.initials, lower($4)))
             and ($5::bigint is null
                  or exists (select from class_manager_site x where x.manager_id = p.id and x.site_id = $5))
             and ($6::text is null or p.status = $6)
           order by p.work_no collate "C"
           limit $7 offset $8"#,
        only,
        scope.sites(),
        scope.classes(),
        filter.keyword,
        filter.site_id,
        filter.status.map(StaffStatus::as_str),
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows)
}

pub(super) async fn count(connection: &mut PgConnection, filter: &ClassManagerFilter, scope: &Scope) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from class_manager p
           where ($1::bigint[] is null
                  or exists (select from class_manager_site x where x.manager_id = p.id and x.site_id = any($1))
                  or exists (select from class c where c.manager_id = p.id and c.id = any($2::bigint[])))
             and ($3::text is null or strpos(p.name, $3) > 0 or starts_with(lower(p.work_no), lower($3)) or p.phone = $3
                  or starts_with(p.initials, lower($3)))
             and ($4::bigint is null
                  or exists (select from class_manager_site x where x.manager_id = p.id and x.site_id = $4))
             and ($5::text is null or p.status = $5)"#,
        scope.sites(),
        scope.classes(),
        filter.keyword,
        filter.site_id,
        filter.status.map(StaffStatus::as_str)
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

pub(super) async fn page(
    connection: &mut PgConnection,
    filter: &ClassManagerFilter,
    scope: &Scope,
    paging: Paging,
) -> Result<Vec<ClassManager>> {
    Ok(select(connection, None, filter, scope, Some(paging)).try_collect().await?)
}

/// # Errors
/// 404 when they do not exist or lie outside the scope.
pub(super) async fn find(connection: &mut PgConnection, id: i64, scope: &Scope) -> Result<ClassManager> {
    let found = select(connection, Some(id), &ClassManagerFilter::default(), scope, None).try_next().await?;
    found.ok_or_else(Error::not_found)
}
