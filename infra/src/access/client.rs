//! The audience of the client applications: people of a school who never come into the console (01 §1.4.14–15).

use std::{marker::PhantomData, sync::Arc};

use futures_util::{FutureExt, future::BoxFuture};
use poem::Request;

use super::{MayWrite, Mode, Person, Public, Reads, admit::app_of, customer::admit_person};
use crate::{
    app::App,
    audit::Actor,
    client_session::ClientSession,
    clock::Moment,
    db::Purpose,
    directory::School,
    error::{Error, Result},
    http::RequestOrigin,
    pace::Pace,
    params,
    session::ended,
    syslog::{CallLog, Logged, SIGNED_IN},
    token::{self, Claims},
    tx::{ReadTx, Tx},
};

/// Which client applications an operation takes tokens of; made by [`clients!`](crate::clients).
pub trait Clients: Send + Sync + 'static {
    const NAMES: &'static [&'static str];
    /// The names as the document tells them, then place and mode.
    const READING: &'static str;
    const WRITING: &'static str;
    /// The same for [`Sender`].
    const OPEN_READING: &'static str;
    const OPEN_WRITING: &'static str;
}

/// Names an audience of client applications.
///
/// ```text
/// clients! { pub AnyClient = "one", "other" }
/// ```
#[macro_export]
macro_rules! clients {
    ($($(#[$meta:meta])* pub $name:ident = $first:literal $(, $more:literal)*;)+) => {
        $(
            $(#[$meta])*
            #[derive(Debug)]
            pub enum $name {}
            impl $crate::access::Clients for $name {
                const NAMES: &'static [&'static str] = &[$first $(, $more)*];
                const READING: &'static str = concat!("client:", $first $(, ",client:", $more)*, "|InClient|Reads");
                const WRITING: &'static str = concat!("client:", $first $(, ",client:", $more)*, "|InClient|Writes");
                const OPEN_READING: &'static str =
                    concat!("public,client:", $first $(, ",client:", $more)*, "|InClient|Reads");
                const OPEN_WRITING: &'static str =
                    concat!("public,client:", $first $(, ",client:", $more)*, "|InClient|Writes");
            }
        )+
    };
}

/// Proof of a session in one of the client applications of `K`. It reaches its own school, and there its own person.
pub struct Client<K: Clients, M: Mode = Reads> {
    pub app: App,
    pub session: Arc<ClientSession>,
    pub school: Arc<School>,
    pub claims: Claims,
    pub visit: RequestOrigin,
    /// Which operation is called.
    pub(super) operation: String,
    slot: CallLog,
    audience: PhantomData<(K, M)>,
}

/// Somebody in one of the client applications of `K`, or a visitor without a session who shows the token of a link in the query,
/// which nobody has looked at yet.
pub enum Sender<K: Clients, M: Mode = Reads> {
    Person(Person<K, M>),
    Visitor(Box<Public<M>>),
}

impl<K: Clients, M: Mode> Client<K, M> {
    /// Who stands in the audit trail: the person, and who acts for them.
    pub fn actor(&self) -> Actor {
        Actor {
            kind: self.session.kind.clone(),
            id: self.session.person_id,
            name: self.session.person_name.clone(),
            on_behalf_of: self.session.acting.as_ref().map(|acting| format!("员工 {}", acting.name)),
            ip: self.visit.ip.clone(),
            trace_id: self.visit.trace_id.clone(),
        }
    }

    /// A snapshot of the person's school.
    pub fn read(&self) -> BoxFuture<'_, Result<ReadTx>> {
        async move { Ok(ReadTx::new(self.app.db().in_school(self.school.key()?, Purpose::Read).await?)) }.boxed()
    }

    /// A reading look at `platform`.
    pub fn platform(&self) -> BoxFuture<'_, Result<ReadTx>> {
        async move { Ok(ReadTx::new(self.app.db().in_platform(Purpose::Read).await?)) }.boxed()
    }

    /// # Errors
    /// 403 when somebody else acts for the person: study, answers and the own password are nobody else's.
    pub fn in_person(&self, refusal: &'static str) -> Result<()> {
        if self.session.acting.is_some() { Err(Error::new(403, refusal)) } else { Ok(()) }
    }
}

impl<K: Clients, M: Mode + MayWrite> Client<K, M> {
    /// A writing transaction in the person's school.
    pub fn begin(&self) -> BoxFuture<'_, Result<Tx>> {
        async move {
            let inner = self.app.db().in_school(self.school.key()?, Purpose::Write).await?;
            let tx = Tx::open(inner, self.app.clone(), self.actor(), None).await?;
            Ok(tx.placed(Some(self.school.id)).logged_in(self.slot.clone()))
        }
        .boxed()
    }

    /// A writing transaction in `platform`, for the login log.
    pub async fn begin_platform(&self) -> Result<Tx> {
        let inner = self.app.db().in_platform(Purpose::Write).await?;
        Tx::open(inner, self.app.clone(), self.actor(), None).await
    }
}

/// A person of the clients may leave theirs alone so long (01 §1.4.15).
pub(super) const IDLE: chrono::Duration = chrono::Duration::hours(12);

/// The name in a query under which a visitor shows the token of a link.
const LINK: &str = "publicToken=";

/// The check of a request that a visitor may make too: whoever shows the token of a session is no visitor.
pub(super) async fn admit_sender<K: Clients, M: Mode>(request: &Request) -> Result<Sender<K, M>> {
    let shows_link = request.uri().query().is_some_and(|query| query.split('&').any(|pair| pair.starts_with(LINK)));
    if shows_link && request.header("token").is_none() {
        return Ok(Sender::Visitor(Box::new(Public::of(request)?)));
    }
    Ok(Sender::Person(admit_person(request).await?))
}

/// The check of every request with a token of the clients, in the order of 01 §1.2.
pub(super) fn admit<K: Clients, M: Mode>(request: &Request) -> BoxFuture<'_, Result<Client<K, M>>> {
    async move { client_of(request, shown::<K>(request).await?).await }.boxed()
}

/// A token of the clients that is signed, in its time and of one of the applications that are asked for; whether its session stands
/// is still to be seen.
pub(super) struct Shown {
    pub(super) app: App,
    pub(super) visit: RequestOrigin,
    pub(super) now: Moment,
    pub(super) claims: Claims,
}

pub(super) async fn shown<K: Clients>(request: &Request) -> Result<Shown> {
    let app = app_of(request)?;
    let visit = RequestOrigin::of(request);
    let now = app.clock().now();
    let claims = token::verify(app.keys(), request.header("token"), now)?;
    if !claims.client.as_deref().is_some_and(|client| K::NAMES.contains(&client)) {
        return Err(stranger());
    }
    // Before anything is asked of the database.
    app.in_pace("client", &claims.jti.to_string(), Pace::per_second(app.int(params::CLIENT_CALLS).await?))?;
    Ok(Shown { app, visit, now, claims })
}

fn stranger() -> Error {
    Error::new(403, "当前身份不能访问")
}

pub(super) async fn client_of<K: Clients, M: Mode>(request: &Request, shown: Shown) -> Result<Client<K, M>> {
    let Shown { app, visit, now, claims } = shown;
    let school = app.school(claims.school_id.ok_or_else(stranger)?).await?.ok_or_else(|| ended("school_disabled"))?;
    if !school.is_open() {
        return Err(ended("school_disabled"));
    }
    let session = app.client_session(&school, claims.jti).await?.ok_or_else(|| ended("logout"))?;
    if let Some(reason) = session.revoke_reason.as_deref() {
        return Err(ended(reason));
    }
    // A token that was renewed elsewhere says less than the row.
    if session.expires_at <= now {
        return Err(token::expired());
    }
    if now - session.last_seen_at > IDLE {
        app.end_idle_client(&school, &session, now).await?;
        return Err(token::expired());
    }
    if let Some(acting) = &session.acting {
        let own = app.session(acting.session).await?.ok_or_else(|| ended("logout"))?;
        let over = own.revoke_reason.is_some() || own.root_revoke_reason.is_some() || own.expires_at <= now;
        if over || !own.user_enabled || !own.bound {
            return Err(ended("logout"));
        }
    }
    if let Some(refusal) = M::IN_PERSON.filter(|_| session.acting.is_some()) {
        return Err(Error::new(403, refusal));
    }
    if session.read_only && M::CHANGES_DATA {
        return Err(Error::new(403, "代登录仅可查看，不能提交或修改"));
    }
    if session.must_change && !M::BEFORE_PASSWORD_CHANGE {
        return Err(Error::new(403, "请先修改密码"));
    }
    if now - session.last_seen_at > chrono::Duration::seconds(60) {
        app.touch_client(&school, session.jti, now).await?;
    }
    let slot = request.extensions().get::<CallLog>().cloned().unwrap_or_default();
    let operation = request.uri().path().to_owned();
    let client = Client { app, session, school, claims, visit, operation, slot, audience: PhantomData };
    client.slot.fill(Logged {
        code: SIGNED_IN,
        operation: "客户端操作".into(),
        logged: M::LOGGED,
        sensitive: M::LOGGED && !M::WRITES,
        actor: client.actor(),
        school_id: Some(client.school.id),
        session_id: Some(client.session.jti),
    });
    Ok(client)
}
