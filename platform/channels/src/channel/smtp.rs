//! 邮件: a real mail server. 4xx is tried again, 5xx is final; a certificate that does not fit fails, without a bypass.

use infra::{App, Result, clock::Moment};
use lettre::{
    Message,
    message::{Mailbox, MultiPart},
};
use scenes::html;
use settings::config::{kinds::MailConfig, post::Post};

use super::{Adapter, Limits, Outcome, Outgoing};
use crate::enums::FailCode;

pub(super) struct Smtp {
    post: Post,
    limits: Limits,
}

impl Smtp {
    pub(super) async fn new(app: &App, config: &MailConfig) -> Result<Self> {
        Ok(Self {
            post: Post::open(app, config).await?,
            limits: Limits { batch: 20, per_minute: i64::from(config.per_minute) },
        })
    }

    fn letter(&self, mail: &Outgoing) -> Result<Message, Outcome> {
        let wrong = || Outcome::rejected(FailCode::InvalidAddress, "", "邮箱地址格式不正确");
        let to: Mailbox = mail.address.parse().map_err(|_| wrong())?;
        let mut builder = Message::builder()
            .from(self.post.from.clone())
            .to(to)
            .subject(&mail.title)
            .message_id(Some(format!("<{}.chengjiao@{}>", mail.delivery_id, self.post.from.email.domain())));
        if let Some(reply_to) = &self.post.reply_to {
            builder = builder.reply_to(reply_to.clone());
        }
        builder
            .multipart(MultiPart::alternative_plain_html(html::text_of(&mail.content), mail.content.clone()))
            .map_err(|error| Outcome::rejected(FailCode::ContentRejected, "", error.to_string()))
    }

    async fn send_one(&self, mail: &Outgoing) -> Outcome {
        let letter = match self.letter(mail) {
            Ok(letter) => letter,
            Err(outcome) => return outcome,
        };
        match self.post.send(letter).await {
            Ok(()) => Outcome::accepted(Some(format!("{}.chengjiao", mail.delivery_id))),
            Err(error) => {
                let status = error.status().map(|code| code.to_string()).unwrap_or_default();
                let code = if error.is_permanent() {
                    FailCode::ProviderRejected
                } else if error.is_timeout() {
                    FailCode::Timeout
                } else {
                    FailCode::ProviderBusy
                };
                Outcome::rejected(code, status, error.to_string())
            }
        }
    }
}

#[async_trait::async_trait]
impl Adapter for Smtp {
    fn limits(&self) -> Limits {
        self.limits
    }

    async fn send(&self, _now: Moment, batch: &[Outgoing]) -> Vec<Outcome> {
        futures_util::future::join_all(batch.iter().map(|mail| self.send_one(mail))).await
    }
}
