//! 个人资料: one's own name, contacts and picture.

use accounts::user::{
    AccountGender,
    details::{self, Details},
};
use infra::{
    Body, Change, Error, Reply, Result, Saved, SignedIn, Writes, access::ReadsBeforeSecondStep, clock::Moment, mask,
    reply,
};
use poem_openapi::{Object, OpenApi, types::Example};
use sqlx::PgConnection;

/// One's own account.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OwnProfile {
    /// 编号
    id: i64,
    /// 账号
    login_name: String,
    /// 姓名
    real_name: String,
    /// 手机号
    phone: Option<String>,
    /// 邮箱
    email: Option<String>,
    /// 性别
    gender: AccountGender,
    /// 头像
    avatar: Option<String>,
    /// 最近登录
    last_login_at: Option<Moment>,
    /// 最近登录地址
    last_login_ip: Option<String>,
    /// 密码修改时间
    password_changed_at: Moment,
    /// 两步验证
    totp_enabled: bool,
    /// 须启用两步验证
    /// 本人的角色要求
    totp_required: bool,
    /// 两步验证启用时间
    totp_confirmed_at: Option<Moment>,
    /// 剩余恢复码
    recovery_codes_left: i64,
    /// 版本
    version: i32,
}

/// What a person types about themself, with the version that was read.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OwnProfileEdit {
    /// 版本
    version: i32,
    /// 姓名
    #[oai(validator(min_length = 2, max_length = 30))]
    real_name: String,
    /// 手机号
    #[oai(validator(max_length = 11))]
    phone: Option<String>,
    /// 邮箱
    #[oai(validator(max_length = 60, pattern = "^[^@\\s]+@[^@\\s]+$"))]
    email: Option<String>,
    /// 性别
    gender: AccountGender,
    /// 头像
    #[oai(validator(max_length = 500))]
    avatar: Option<String>,
}

impl Example for OwnProfileEdit {
    fn example() -> Self {
        Self {
            version: 1,
            real_name: "王五".to_owned(),
            phone: Some("13800000001".to_owned()),
            email: None,
            gender: AccountGender::Unknown,
            avatar: None,
        }
    }
}

pub struct OwnProfiles;

#[OpenApi(prefix_path = "/system/pc/sys/user", tag = "crate::Tag::SignIn")]
impl OwnProfiles {
    /// 查看本人资料
    #[oai(path = "/view/current", method = "get", operation_id = "viewOwnProfile")]
    async fn view(&self, caller: SignedIn<ReadsBeforeSecondStep>) -> Result<Reply<OwnProfile>> {
        let mut tx = caller.platform().await?;
        let mut profile = find(&mut tx, caller.user_id()).await?;
        hide(&mut profile);
        Ok(reply(profile))
    }

    /// 修改本人资料
    #[oai(path = "/edit/current", method = "put", operation_id = "editOwnProfile")]
    async fn edit(&self, caller: SignedIn<Writes>, Body(edit): Body<OwnProfileEdit>) -> Result<Reply<Saved>> {
        let id = caller.user_id();
        let mut tx = caller.begin().await?;
        sqlx::query!("select id from platform.sys_user where id = $1 for update", id).fetch_one(&mut *tx).await?;
        let before = find(&mut tx, id).await?;
        if before.version != edit.version {
            return Err(tx.stale("sys_user", id).await);
        }
        let kept = sqlx::query!("select gmt_expires, remark from platform.sys_user where id = $1", id)
            .fetch_one(&mut *tx)
            .await?;
        let mut typed = Details {
            real_name: edit.real_name,
            phone: edit.phone,
            email: edit.email,
            gender: edit.gender,
            gmt_expires: kept.gmt_expires,
            remark: kept.remark,
        };
        details::unmask(&mut tx, id, &mut typed).await?;
        details::write(&mut tx, id, &typed).await?;
        details::set_picture(&mut tx, id, picture(edit.avatar)?.as_deref()).await?;
        let after = find(&mut tx, id).await?;
        tx.commit(Change::edited("sys_user", id, &before, &after)).await?;
        Ok(reply(Saved { id }))
    }
}

/// # Errors
/// 422 for what was not uploaded here: only an address of ours, or of the store over https.
fn picture(url: Option<String>) -> Result<Option<String>> {
    let url = url.filter(|url| !url.is_empty());
    match &url {
        Some(url) if !infra::link::is_link(url) => Err(Error::field("avatar", "头像格式不正确，请重新上传")),
        _ => Ok(url),
    }
}

fn hide(profile: &mut OwnProfile) {
    profile.phone = profile.phone.as_deref().map(mask::phone);
    profile.email = profile.email.as_deref().map(mask::email);
}

async fn find(connection: &mut PgConnection, id: i64) -> Result<OwnProfile> {
    let row = sqlx::query!(
        r#"select u.id, u.login_name, u.real_name, u.phone, u.email, u.gender as "gender: AccountGender", u.avatar,
                  u.last_login_at, u.last_login_ip, u.password_changed_at, u.version, t.confirmed_at as "confirmed_at?",
                  exists (select from platform.sys_user_role ur join platform.sys_role r on r.id = ur.role_id
                          where ur.user_id = u.id and r.enabled and r.totp_required) as "required!",
                  (select count(*) from platform.sys_recovery_code c where c.user_id = u.id and c.used_at is null) as "left!"
           from platform.sys_user u
           left join platform.sys_user_totp t on t.user_id = u.id and t.confirmed_at is not null
           where u.id = $1"#,
        id
    )
    .fetch_one(connection)
    .await?;
    Ok(OwnProfile {
        id: row.id,
        login_name: row.login_name,
        real_name: row.real_name,
        phone: row.phone,
        email: row.email,
        gender: row.gender,
        avatar: row.avatar,
        last_login_at: row.last_login_at,
        last_login_ip: row.last_login_ip,
        password_changed_at: row.password_changed_at,
        totp_enabled: row.confirmed_at.is_some(),
        totp_required: row.required,
        totp_confirmed_at: row.confirmed_at,
        recovery_codes_left: row.left,
        version: row.version,
    })
}
