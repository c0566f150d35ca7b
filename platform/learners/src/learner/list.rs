//! How learners are read.

use chrono::NaiveDate;
use futures_util::TryStreamExt;
use infra::{
    Error, Paging, Result,
    clock::{Moment, day_began, day_ended},
    naming::typed,
    transfer::Rows,
};
use learner_rules::enums::{LearnerSource, MemberState};
use poem_openapi::Object;
use sqlx::PgConnection;

use super::Learner;

/// Of the sign-ins of a learner so many are shown.
const SIGN_INS: i64 = 50;

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct LearnerFilter {
    /// 昵称
    #[oai(validator(max_length = 30))]
    pub nickname: Option<String>,
    /// 手机号
    /// 完整的11位手机号
    #[oai(validator(pattern = "^[0-9]{0,11}$"))]
    pub phone: Option<String>,
    /// 学员编号
    pub learner_id: Option<i64>,
    /// 注册来源
    pub source: Option<LearnerSource>,
    /// 会员
    pub member_state: Option<MemberState>,
    /// 启用
    pub enabled: Option<bool>,
    /// 注册日期起
    pub created_from: Option<NaiveDate>,
    /// 注册日期止
    pub created_to: Option<NaiveDate>,
}

/// Newest first.
pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<i64>,
    filter: &LearnerFilter,
    page: Option<Paging>,
    now: Moment,
) -> Rows<'c, Learner> {
    let rows = sqlx::query_as!(
        Learner,
        r#"select e.id, e.phone, e.nickname, e.gender as "gender: _", e.birthday, e.head_img, e.source as "source: _",
                  case when e.vip_expires_at is null then 'none' when e.vip_expires_at > $8 then 'running' else 'ended' end
                      as "member_state!: _",
                  e.vip_expires_at,
                  exists (select from platform.lecturer l where l.learner_id = e.id and l.enabled) as "is_lecturer!",
                  exists (select from platform.blogger b where b.learner_id = e.id and b.enabled) as "is_blogger!",
                  e.linked_school_id, s.name as "linked_school_name?", e.password_hash is not null as "has_password!",
                  e.last_login_at, e.enabled, e.created_at, e.version
           from platform.user_ext e left join platform.school s on s.id = e.linked_school_id
           where ($1::bigint is null or e.id = $1)
             and ($2::text is null or strpos(e.nickname, $2) > 0 or starts_with(e.initials, lower($2)))
             and ($3::text is null or e.phone = $3)
             and ($4::text is null or e.source = $4)
             and ($5::text is null or case $5 when 'none' then e.vip_expires_at is null
                                              when 'running' then e.vip_expires_at > $8 else e.vip_expires_at <= $8 end)
             and ($6::boolean is null or e.enabled = $6)
             and ($7::timestamptz is null or e.created_at >= $7)
             and ($9::timestamptz is null or e.created_at < $9)
             and ($12::bigint is null or e.id = $12)
           order by e.created_at desc, e.id desc limit $10 offset $11"#,
        only,
        typed(filter.nickname.as_deref()),
        typed(filter.phone.as_deref()),
        filter.source.map(LearnerSource::as_str),
        filter.member_state.map(MemberState::as_str),
        filter.enabled,
        filter.created_from.map(day_began),
        now,
        filter.created_to.map(day_ended),
        page.map(Paging::limit),
        page.map(Paging::offset),
        filter.learner_id
    )
    .fetch(connection);
    Box::pin(rows)
}

pub(super) async fn count(connection: &mut PgConnection, filter: &LearnerFilter, now: Moment) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.user_ext e
           where ($1::text is null or strpos(e.nickname, $1) > 0 or starts_with(e.initials, lower($1)))
             and ($2::text is null or e.phone = $2)
             and ($3::text is null or e.source = $3)
             and ($4::text is null or case $4 when 'none' then e.vip_expires_at is null
                                              when 'running' then e.vip_expires_at > $7 else e.vip_expires_at <= $7 end)
             and ($5::boolean is null or e.enabled = $5)
             and ($6::timestamptz is null or e.created_at >= $6)
             and ($8::timestamptz is null or e.created_at < $8)
             and ($9::bigint is null or e.id = $9)"#,
        typed(filter.nickname.as_deref()),
        typed(filter.phone.as_deref()),
        filter.source.map(LearnerSource::as_str),
        filter.member_state.map(MemberState::as_str),
        filter.enabled,
        filter.created_from.map(day_began),
        now,
        filter.created_to.map(day_ended),
        filter.learner_id
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

/// # Errors
/// 404 when there is none.
pub(crate) async fn find(connection: &mut PgConnection, id: i64, now: Moment) -> Result<Learner> {
    let found = select(connection, Some(id), &LearnerFilter::default(), None, now).try_next().await?;
    found.ok_or_else(Error::not_found)
}

/// How a learner came in, or did not.
#[derive(Debug, Clone, Object)]
#[oai(rename = "LearnerSignIn", rename_all = "camelCase")]
pub struct SignIn {
    /// 编号
    pub id: i64,
    /// 时间
    pub at: Moment,
    /// 结果
    pub result: String,
    /// IP地址
    pub ip: String,
    /// 设备
    pub device: String,
}

fn result_of(event: &str, reason: Option<&str>) -> &'static str {
    match (event, reason) {
        ("login", _) => "登录成功",
        ("logout", _) => "退出登录",
        ("idle", _) => "空闲退出",
        (_, Some("wrong_password")) => "密码错误",
        (_, Some("wrong_sms_code")) => "验证码错误",
        (_, Some("locked")) => "账号已锁定",
        (_, Some("disabled")) => "账号已停用",
        _ => "登录失败",
    }
}

fn device_of(word: &str) -> &'static str {
    match word {
        "mobile" => "手机",
        "tablet" => "平板",
        "mini_program" => "小程序",
        _ => "电脑",
    }
}

/// The newest first.
pub(super) async fn sign_ins(connection: &mut PgConnection, learner: i64) -> Result<Vec<SignIn>> {
    let rows = sqlx::query!(
        "select id, at, event, reason, ip, device from platform.login_log
         where client = 'learner' and user_id = $1 order by at desc, id desc limit $2",
        learner,
        SIGN_INS
    )
    .fetch_all(connection)
    .await?;
    let shown = rows.into_iter().map(|row| SignIn {
        id: row.id,
        at: row.at,
        result: result_of(&row.event, row.reason.as_deref()).to_owned(),
        ip: row.ip,
        device: device_of(&row.device).to_owned(),
    });
    Ok(shown.collect())
}
