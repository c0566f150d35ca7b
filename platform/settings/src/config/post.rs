//! The mail server of a config: connected as the settings allow, with the encryption and the account that it names.

use std::time::Duration;

use infra::{App, Error, Result, outbound};
use lettre::{
    AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor,
    message::Mailbox,
    transport::smtp::{
        Error as SmtpError, PoolConfig,
        authentication::Credentials,
        client::{Tls, TlsParameters},
    },
};

use super::kinds::{MailConfig, MailSecurity};

/// Hands letters to one mail server.
pub struct Post {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    pub from: Mailbox,
    pub reply_to: Option<Mailbox>,
}

fn mailbox(name: Option<&String>, address: &str) -> Result<Mailbox> {
    let address = address.parse().map_err(|_| Error::conflict("邮件配置的地址不正确"))?;
    Ok(Mailbox::new(name.cloned(), address))
}

impl Post {
    /// Connects only what the settings allow: the name is resolved here, and the certificate still has to be its own.
    ///
    /// # Errors
    /// 409 when the server may not be connected, or an address is none.
    pub async fn open(app: &App, config: &MailConfig) -> Result<Self> {
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
        })
    }

    /// Signs in when there is an account, and hands a letter over.
    ///
    /// # Errors
    /// What the server, the encryption or the way to it refused.
    pub async fn send(&self, letter: Message) -> Result<(), SmtpError> {
        self.transport.send(letter).await.map(drop)
    }
}
