//! 本人资料: what learners see and say of themselves.

use chrono::NaiveDate;
use infra::{Body, Change, Customer, Error, Reads, Reply, Result, Saved, Writes, clock::Moment, mask, pinyin, reply};
use learner_rules::{
    enums::LearnerGender,
    form::{OwnLearnerForm, checked_birthday, checked_nickname},
};
use poem_openapi::{Object, OpenApi};
use settings::{
    sensitive::{Screened, screen_field},
    website,
};

use crate::{
    LearnerClient, account,
    learner::list::find,
    right::{LearnerRight, rights},
    session, share, vip,
};

/// A learner, as they see themselves.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OwnLearnerProfile {
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
    /// 会员到期
    pub vip_expires_at: Option<Moment>,
    /// 会员折扣
    /// 现有会员的折扣，0.85即按85%付款；不是会员时为空
    pub vip_discount_rate: Option<f64>,
    /// 已设密码
    pub has_password: bool,
    /// 权益
    pub rights: Vec<LearnerRight>,
    /// 分享码
    /// 当天生成，7天内有效；他人下单时填写，即记为本人推广
    pub share_code: String,
}

pub struct OwnLearner;

#[OpenApi(prefix_path = "/user/client/learner", tag = "crate::Tag::Learners")]
impl OwnLearner {
    /// 我的学员资料
    #[oai(path = "/view", method = "get", operation_id = "viewOwnLearner")]
    async fn view(&self, caller: Customer<LearnerClient, Reads>) -> Result<Reply<OwnLearnerProfile>> {
        let now = caller.app.clock().now();
        let id = caller.session.person_id;
        let mut tx = caller.read().await?;
        let learner = find(&mut tx, id, now).await?;
        let vip_discount_rate = vip::discount(&mut tx, id, now).await?;
        let rights = rights(&mut tx, id).await?;
        Ok(reply(OwnLearnerProfile {
            id,
            phone: mask::phone(&learner.phone),
            nickname: learner.nickname,
            gender: learner.gender,
            birthday: learner.birthday,
            head_img: learner.head_img,
            vip_expires_at: learner.vip_expires_at,
            vip_discount_rate,
            has_password: learner.has_password,
            rights,
            share_code: share::code(&caller.app, id, caller.app.clock().today()),
        }))
    }

    /// 修改我的学员资料
    #[oai(path = "/edit", method = "put", operation_id = "editOwnLearner")]
    async fn edit(
        &self,
        caller: Customer<LearnerClient, Writes>,
        Body(form): Body<OwnLearnerForm>,
    ) -> Result<Reply<Saved>> {
        let app = &caller.app;
        checked_birthday(form.birthday, app.clock().today())?;
        let site = website::title(app).await?;
        let nickname = match checked_nickname(form.nickname, &site)? {
            None => None,
            // A nickname has no audit of its own: what somebody would have to look at first is not taken.
            Some(typed) => match screen_field(app, "nickname", &typed).await? {
                Screened::Publish(text) => Some(text),
                Screened::Review(_) => return Err(Error::field("nickname", "昵称含需审核的内容，请换一个")),
            },
        };
        let id = caller.session.person_id;
        let now = app.clock().now();
        let mut tx = caller.begin().await?;
        account::lock(&mut tx, id).await?;
        let before = find(&mut tx, id, now).await?;
        let by = tx.by();
        sqlx::query!(
            "update platform.user_ext set nickname = $2, initials = $3, gender = $4, birthday = $5, head_img = $6,
                    updated_at = now(), updated_by = $7, version = version + 1
             where id = $1",
            id,
            nickname,
            pinyin::initials(nickname.as_deref().unwrap_or_default()),
            form.gender.unwrap_or(LearnerGender::Unknown).as_str(),
            form.birthday,
            form.head_img,
            by
        )
        .execute(&mut *tx)
        .await?;
        let after = find(&mut tx, id, now).await?;
        session::rename(&mut tx, id, &after.name()).await?;
        tx.commit(Change::edited("user_ext", id, &before, &after)).await?;
        Ok(reply(Saved { id }))
    }
}
