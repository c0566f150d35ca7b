//! 邮件: a real mail server. 4xx is tried again, 5xx is final; a certificate that does not fit fails, without a bypass.

use std::time::Duration;

use infra::{App, Error, Result, clock::Moment, outbound};
use lettre::{
    AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor,
    message::{Mailbox, MultiPart},
    transport::smtp::{
        PoolConfig,
        authentication::Credentials,
        client::{Tls, TlsParameters},
    },
};
use settings::config::kinds::{MailConfig, MailSecurity};

use super::{Adapter, Limits, Outcome, Outgoing};
use crate::{html, words::FailCode};

pub(super) struct Smtp {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
    reply_to: Option<Mailbox>,
    limits: Limits,
}

fn mailbox(name: Option<&String>, address: &str) -> Result<Mailbox> {
    let address = address.parse().map_err(|_| Error::conflict("邮件配置的地址不正确"))?;
    Ok(Mailbox::new(name.cloned(), address))
}

impl Smtp {
    /// Connects only what the settings allow: the name is resolved here, and the certificate still has to be its own.
    pub(super) async fn new(app: &App, config: &MailConfig) -> Result<Self> {
        let port = u16::try_from(config.port).map_err(Error::internal)?;
        let addresses = app.config().outbound.targets.resolve(&config.host, port).await?;
        let address = addresses.first().ok_or_else(outbound::unreachable_server)?.ip().to_string();
        let unusable = |_| Error::conflict("邮件配置的服务器不正确");
        let certified = || TlsParameters::new(config.host.clone()).map_err(unusable);
        let encryption = match config.security {
            MailSecurity::Starttls => Tls::Required(certified()?),
            MailSecurity::Tls => Tls::Wrapper(certified()?),
            MailSecurity::Plain => Tls::None,
        };
        let builder = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(address).tls(encryption);
        let builder = match (&config.user, &config.password) {
            (Some(user), Some(password)) => builder.credentials(Credentials::new(user.clone(), password.clone())),
            _ => builder,
        };
        let connections = u32::try_from(config.pool_size).unwrap_or(1);
        let transport = builder
            .port(port)
            .timeout(Some(Duration::from_secs(u64::try_from(config.timeout_seconds).unwrap_or(15))))
            .pool_config(PoolConfig::new().max_size(connections))
            .build();
        Ok(Self {
            transport,
            from: mailbox(config.from_name.as_ref(), &config.from)?,
            reply_to: config.reply_to.as_deref().map(|address| mailbox(None, address)).transpose()?,
            limits: Limits { batch: 20, per_minute: i64::from(config.per_minute) },
        })
    }

    fn letter(&self, mail: &Outgoing) -> Result<Message, Outcome> {
        let wrong = || Outcome::rejected(FailCode::InvalidAddress, "", "邮箱地址格式不正确");
        let to: Mailbox = mail.address.parse().map_err(|_| wrong())?;
        let mut builder = Message::builder()
            .from(self.from.clone())
            .to(to)
            .subject(&mail.title)
            .message_id(Some(format!("<{}.chengjiao@{}>", mail.delivery_id, self.from.email.domain())));
        if let Some(reply_to) = &self.reply_to {
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
        match self.transport.send(letter).await {
            Ok(_) => Outcome::accepted(Some(format!("{}.chengjiao", mail.delivery_id))),
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
