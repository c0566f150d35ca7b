//! A teacher as list, view and export show it.

use chrono::NaiveDate;
use futures_util::TryStreamExt;
use infra::{
    Error, Paging, Result, Scope,
    across::{Key, Listed},
    clock::Moment,
    mask,
    naming::sought_word,
    transfer::Rows,
};
use poem_openapi::Object;
use sqlx::PgConnection;

use super::Teachers;
use crate::{
    account::AccountState,
    enums::{StaffStatus, TeacherDuty, TeacherEducation, TeacherKind, TeacherTitle},
    id_card::{Gender, IdCardType},
};

/// A teacher with the account.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Teacher {
    /// 编号
    pub id: i64,
    /// 工号
    pub work_no: String,
    /// 姓名
    pub name: String,
    /// 性别
    pub gender: Option<Gender>,
    /// 出生日期
    pub birthday: Option<NaiveDate>,
    /// 证件类型
    pub id_card_type: Option<IdCardType>,
    /// 证件号
    pub id_card_no: Option<String>,
    /// 民族
    pub ethnicity: Option<String>,
    /// 手机
    pub phone: String,
    /// 邮箱
    pub email: Option<String>,
    /// 机构
    pub organization_id: i64,
    /// 机构名称
    pub organization_name: String,
    /// 学历
    pub education: Option<TeacherEducation>,
    /// 学位
    pub degree: Option<String>,
    /// 职称
    pub title: Option<TeacherTitle>,
    /// 类别
    pub kind: TeacherKind,
    /// 职责
    pub duties: Vec<TeacherDuty>,
    /// 授课专业
    pub major_ids: Vec<i64>,
    /// 授课专业名称
    pub major_names: Vec<String>,
    /// 开户行
    pub bank_name: Option<String>,
    /// 银行卡号
    pub bank_card_no: Option<String>,
    /// 照片
    pub photo: Option<String>,
    /// 备注
    pub remark: Option<String>,
    /// 状态
    pub status: StaffStatus,
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

impl Teacher {
    /// As lists show it; the whole values are one call for one teacher (05 E4).
    pub(super) fn mask(&mut self) {
        self.phone = mask::phone(&self.phone);
        self.id_card_no = self.id_card_no.as_deref().map(mask::id_card);
        self.bank_card_no = self.bank_card_no.as_deref().map(mask::bank_card);
        self.email = self.email.as_deref().map(mask::email);
    }
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct TeacherFilter {
    /// 姓名、工号或手机
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
    /// 机构
    pub organization_id: Option<i64>,
    /// 机构
    /// 编码或名称包含；查看全部院校时代替机构编号
    #[oai(validator(max_length = 50))]
    pub organization_text: Option<String>,
    /// 职称
    pub title: Option<TeacherTitle>,
    /// 类别
    pub kind: Option<TeacherKind>,
    /// 职责
    pub duty: Option<TeacherDuty>,
    /// 状态
    pub status: Option<StaffStatus>,
}

impl Listed for Teachers {
    type Filter = TeacherFilter;
    type Row = Teacher;

    fn id(row: &Teacher) -> i64 {
        row.id
    }

    async fn page(
        connection: &mut PgConnection,
        filter: &TeacherFilter,
        scope: &Scope,
        paging: Paging,
    ) -> Result<(i64, Vec<Teacher>)> {
        let total = count(connection, filter, scope).await?;
        Ok((total, masked(select(connection, None, filter, scope, Some(paging))).await?))
    }

    async fn keys(
        connection: &mut PgConnection,
        filter: &TeacherFilter,
        scope: &Scope,
        until: Moment,
        most: i64,
    ) -> Result<Vec<Key>> {
        let keys = sqlx::query_as!(
            Key,
            r#"select t.id, t.created_at, count(*) over () as "total!" from teacher t
               where t.created_at <= $1
                 and $2::boolean
                 and ($3::text is null or strpos(t.name, $3) > 0 or starts_with(lower(t.work_no), lower($3)) or t.phone = $3
                      or t.id_card_no = upper($3) or starts_with(t.initials, lower($3)))
                 and ($4::bigint is null or t.organization_id = $4)
                 and ($10::text is null or t.organization_id = any(array(
                          select x.id from organization x where strpos(lower(x.code), $10) > 0 or strpos(lower(x.name), $10) > 0)))
                 and ($5::text is null or t.title = $5)
                 and ($6::text is null or t.kind = $6)
                 and ($7::text is null or t.duties @> array[$7])
                 and ($8::text is null or t.status = $8)
               order by t.created_at desc, t.id
               limit $9"#,
            until,
            scope.is_whole(),
            filter.keyword,
            filter.organization_id,
            filter.title.map(TeacherTitle::as_str),
            filter.kind.map(TeacherKind::as_str),
            filter.duty.map(TeacherDuty::as_str),
            filter.status.map(StaffStatus::as_str),
            most,
            sought_word(filter.organization_text.as_deref())
        )
        .fetch_all(connection)
        .await?;
        Ok(keys)
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<Teacher>> {
        masked(select(connection, Some(ids), &TeacherFilter::default(), &Scope::whole_school(), None)).await
    }
}

/// In the list's order.
pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<&[i64]>,
    filter: &TeacherFilter,
    scope: &Scope,
    page: Option<Paging>,
) -> Rows<'c, Teacher> {
    let rows = sqlx::query_as!(
        Teacher,
        r#"select t.id, t.work_no, t.name, t.gender as "gender: _", t.birthday, t.id_card_type as "id_card_type: _", t.id_card_no,
                  t.ethnicity, t.phone, t.email, t.organization_id, o.name as organization_name, t.education as "education: _",
                  t.degree, t.title as "title: _", t.kind as "kind: _", t.duties as "duties: _",
                  array(select m.major_id from teacher_major m where m.teacher_id = t.id order by 1) as "major_ids!",
                  array(select j.name from teacher_major m join major j on j.id = m.major_id
                        where m.teacher_id = t.id order by m.major_id) as "major_names!",
                  t.bank_name, t.bank_card_no, t.photo, t.remark, t.status as "status: _", a.login_name as "login_name?",
                  case when a.id is null then 'none' when not a.enabled then 'disabled'
                       when a.locked_until > now() then 'locked' else 'enabled' end as "account_state!: AccountState",
                  a.version as "account_version?", a.must_change as "must_change?", a.last_login_at,
                  t.version
           from teacher t
           join organization o on o.id = t.organization_id
           left join client_account a on a.owner_kind = 'teacher' and a.owner_id = t.id
           where ($1::bigint[] is null or t.id = any($1))
             and $2::boolean
             and ($3::text is null or strpos(t.name, $3) > 0 or starts_with(lower(t.work_no), lower($3)) or t.phone = $3
                  or t.id_card_no = upper($3) or starts_with(t.initials, lower($3)))
             and ($4::bigint is null or t.organization_id = $4)
             and ($11::text is null or t.organization_id = any(array(
                      select x.id from organization x where strpos(lower(x.code), $11) > 0 or strpos(lower(x.name), $11) > 0)))
             and ($5::text is null or t.title = $5)
             and ($6::text is null or t.kind = $6)
             and ($7::text is null or t.duties @> array[$7])
             and ($8::text is null or t.status = $8)
           order by t.work_no collate "C"
           limit $9 offset $10"#,
        only,
        scope.is_whole(),
        filter.keyword,
        filter.organization_id,
        filter.title.map(TeacherTitle::as_str),
        filter.kind.map(TeacherKind::as_str),
        filter.duty.map(TeacherDuty::as_str),
        filter.status.map(StaffStatus::as_str),
        page.map(Paging::limit),
        page.map(Paging::offset),
        sought_word(filter.organization_text.as_deref())
    )
    .fetch(connection);
    Box::pin(rows)
}

async fn count(connection: &mut PgConnection, filter: &TeacherFilter, scope: &Scope) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from teacher t
           where $1::boolean
             and ($2::text is null or strpos(t.name, $2) > 0 or starts_with(lower(t.work_no), lower($2)) or t.phone = $2
                  or t.id_card_no = upper($2) or starts_with(t.initials, lower($2)))
             and ($3::bigint is null or t.organization_id = $3)
             and ($8::text is null or t.organization_id = any(array(
                      select x.id from organization x where strpos(lower(x.code), $8) > 0 or strpos(lower(x.name), $8) > 0)))
             and ($4::text is null or t.title = $4)
             and ($5::text is null or t.kind = $5)
             and ($6::text is null or t.duties @> array[$6])
             and ($7::text is null or t.status = $7)"#,
        scope.is_whole(),
        filter.keyword,
        filter.organization_id,
        filter.title.map(TeacherTitle::as_str),
        filter.kind.map(TeacherKind::as_str),
        filter.duty.map(TeacherDuty::as_str),
        filter.status.map(StaffStatus::as_str),
        sought_word(filter.organization_text.as_deref())
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

/// As lists show them.
async fn masked(rows: Rows<'_, Teacher>) -> Result<Vec<Teacher>> {
    let mut list: Vec<Teacher> = rows.try_collect().await?;
    list.iter_mut().for_each(Teacher::mask);
    Ok(list)
}

/// # Errors
/// 404 when it does not exist or lies outside the scope.
pub(super) async fn find(connection: &mut PgConnection, id: i64, scope: &Scope) -> Result<Teacher> {
    let found = select(connection, Some(&[id]), &TeacherFilter::default(), scope, None).try_next().await?;
    found.ok_or_else(Error::not_found)
}
