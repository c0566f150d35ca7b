//! 测试发送: a template with its samples, to the operator's own address; an attempt is kept, never a message (05 D3).

use channels::channel::{Outcome, Outgoing, Way, way};
use infra::{Allowed, Body, Change, Error, Reply, Result, mask, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use scenes::{
    conf::{Template, TestTemplate, find},
    enums::Channel,
    html, scene, template,
};
use serde_json::{Value, json};

/// Which template is tried.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct Trial {
    /// 编号
    pub id: i64,
}

impl Example for Trial {
    fn example() -> Self {
        Self { id: 1 }
    }
}

/// What a trial found.
#[derive(Debug, Clone, Object)]
pub struct TemplateTried {
    /// 结果
    pub message: String,
}

pub struct Trials;

#[OpenApi(prefix_path = "/user/pc/psd/list/conf", tag = "crate::Tag::Messages")]
impl Trials {
    /// 测试发送消息模板
    #[oai(path = "/test", method = "post", operation_id = "testTemplate")]
    async fn test(&self, caller: Allowed<TestTemplate>, Body(trial): Body<Trial>) -> Result<Reply<TemplateTried>> {
        let app = caller.app();
        let now = app.clock().now();
        let mut tx = caller.read().await?;
        let chosen = find(&mut tx, trial.id).await?;
        let variables = scene::find(&mut tx, chosen.scene_id).await?.variables;
        let own = sqlx::query!("select phone, email from platform.sys_user where id = $1", caller.user_id())
            .fetch_one(&mut *tx)
            .await?;
        drop(tx);
        let address = own_address(chosen.channel, own.phone, own.email)?;
        let shown = template::rendered(chosen.channel, &chosen.title, &chosen.content, &template::samples(&variables))?;
        let text = match chosen.channel {
            Channel::AppPush => html::text_of(&shown.content),
            _ => shown.content,
        };
        let told = shown_address(chosen.channel, &address);
        let outgoing = Outgoing {
            delivery_id: 0,
            address: address.clone(),
            title: shown.title,
            content: text,
            template: chosen.provider_template_code.clone().map(|code| (code, shown.values)),
        };
        let (outcome, message) = match way(app, chosen.channel, None, false).await? {
            Way::Inbox => return Err(Error::conflict("站内信不需要测试发送，请用预览查看")),
            Way::Unusable => return Err(Error::conflict("渠道配置不完整，请先在系统配置中补全")),
            Way::Recorded => (Outcome::accepted(None), format!("已记录发给{told}的测试消息，未实际发送")),
            Way::Provider(adapter) => {
                let outcome = adapter.send(now, std::slice::from_ref(&outgoing)).await.pop();
                let outcome = outcome.ok_or_else(|| Error::internal("an adapter gave no outcome"))?;
                (outcome, format!("已发送到{told}"))
            }
        };
        let mut tx = caller.begin().await?;
        if message.starts_with("已记录") {
            sqlx::query!(
                "insert into platform.msg_recorded (channel, address, title, content, at) values ($1, $2, $3, $4, $5)",
                chosen.channel.as_str(),
                address,
                outgoing.title,
                outgoing.content,
                now
            )
            .execute(&mut *tx)
            .await?;
        }
        let (ok, code, detail) = match &outcome {
            Outcome::Accepted { .. } => (true, None, None),
            Outcome::Rejected { code, provider_code, detail } => {
                (false, Some(code.as_str()), Some(format!("{provider_code} {detail}").trim().to_owned()))
            }
        };
        sqlx::query!(
            "insert into platform.msg_attempt (no, at, ok, code, detail) values (1, $1, $2, $3, $4)",
            now,
            ok,
            code,
            detail
        )
        .execute(&mut *tx)
        .await?;
        tx.commit(Change::event("psd_conf", chosen.id, "test", trail(&chosen, ok))).await?;
        match outcome {
            Outcome::Accepted { .. } => Ok(reply(TemplateTried { message })),
            Outcome::Rejected { code, .. } => {
                let detail = detail.unwrap_or_default();
                Err(Error::conflict(format!("测试发送失败：{}（{detail}）", code.zh())))
            }
        }
    }
}

fn trail(chosen: &Template, ok: bool) -> Value {
    json!({ "sceneCode": chosen.scene_code, "channel": chosen.channel.as_str(), "ok": ok })
}

fn own_address(channel: Channel, phone: Option<String>, email: Option<String>) -> Result<String> {
    match channel {
        Channel::InApp => Err(Error::conflict("站内信不需要测试发送，请用预览查看")),
        Channel::Sms => phone.ok_or_else(|| Error::conflict("您的账号没有手机号，请先在账号资料中补充")),
        Channel::Mail => email.ok_or_else(|| Error::conflict("您的账号没有邮箱，请先在账号资料中补充")),
        Channel::Wechat | Channel::AppPush => {
            Err(Error::conflict(format!("后台账号没有{}，不能测试发送", channel.address_words())))
        }
    }
}

fn shown_address(channel: Channel, address: &str) -> String {
    match channel {
        Channel::Sms => mask::phone(address),
        Channel::Mail => mask::email(address),
        _ => address.to_owned(),
    }
}
