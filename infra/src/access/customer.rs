//! The audience of the operators' own site: its customers, who have a session in one of the client applications and belong to no
//! school (01 §9.6, §1.4.15). What they do stands in `platform`.

use std::{marker::PhantomData, sync::Arc};

use futures_util::{FutureExt, future::BoxFuture};
use poem::Request;

use super::{
    Client, Clients, MayWrite, Mode, Public, Reads,
    client::{IDLE, Shown, client_of, shown},
};
use crate::{
    app::App,
    audit::Actor,
    client_session::ClientSession,
    db::Purpose,
    error::{Error, Result},
    http::RequestOrigin,
    session::ended,
    syslog::{CallLog, Logged, SIGNED_IN},
    token::{self, Area, Claims},
    tx::{ReadTx, Tx},
};

/// Proof of a session of a customer in one of the client applications of `K`. It reaches `platform`, and there its own person.
pub struct Customer<K: Clients, M: Mode = Reads> {
    pub app: App,
    pub session: Arc<ClientSession>,
    pub claims: Claims,
    pub visit: RequestOrigin,
    slot: CallLog,
    audience: PhantomData<(K, M)>,
}

/// Somebody in one of the client applications of `K`, wherever their account stands.
pub enum Person<K: Clients, M: Mode = Reads> {
    OfSchool(Box<Client<K, M>>),
    OfSite(Box<Customer<K, M>>),
}

impl<K: Clients, M: Mode> Customer<K, M> {
    /// Who stands in the audit trail.
    pub fn actor(&self) -> Actor {
        Actor {
            kind: self.session.kind.clone(),
            id: self.session.person_id,
            name: self.session.person_name.clone(),
            on_behalf_of: None,
            ip: self.visit.ip.clone(),
            trace_id: self.visit.trace_id.clone(),
        }
    }

    /// A snapshot of `platform`.
    pub fn read(&self) -> BoxFuture<'_, Result<ReadTx>> {
        async move { Ok(ReadTx::new(self.app.db().in_platform(Purpose::Read).await?)) }.boxed()
    }
}

impl<K: Clients, M: Mode + MayWrite> Customer<K, M> {
    /// A writing transaction in `platform`.
    pub fn begin(&self) -> BoxFuture<'_, Result<Tx>> {
        async move {
            let inner = self.app.db().in_platform(Purpose::Write).await?;
            let tx = Tx::open(inner, self.app.clone(), self.actor(), None).await?;
            Ok(tx.logged_in(self.slot.clone()))
        }
        .boxed()
    }
}

impl<K: Clients, M: Mode> Person<K, M> {
    pub fn app(&self) -> &App {
        match self {
            Self::OfSchool(client) => &client.app,
            Self::OfSite(customer) => &customer.app,
        }
    }

    pub fn session(&self) -> &ClientSession {
        match self {
            Self::OfSchool(client) => &client.session,
            Self::OfSite(customer) => &customer.session,
        }
    }

    /// The person's school; none for a customer of the operators' site.
    pub fn school_id(&self) -> Option<i64> {
        match self {
            Self::OfSchool(client) => Some(client.school.id),
            Self::OfSite(_) => None,
        }
    }

    /// A snapshot of where the person's rows stand: their school, or `platform`.
    pub fn read(&self) -> BoxFuture<'_, Result<ReadTx>> {
        match self {
            Self::OfSchool(client) => client.read(),
            Self::OfSite(customer) => customer.read(),
        }
    }
}

impl<K: Clients, M: Mode + MayWrite> Person<K, M> {
    /// A writing transaction there.
    pub fn begin(&self) -> BoxFuture<'_, Result<Tx>> {
        match self {
            Self::OfSchool(client) => client.begin(),
            Self::OfSite(customer) => customer.begin(),
        }
    }
}

impl<M: Mode> Public<M> {
    /// The customer of the operators' own site whose token came with the call, in one of the client applications of `K`: what
    /// everybody may see can hold more for them. None for everybody else, also for a session that ended.
    ///
    /// # Errors
    /// Those of the database.
    pub fn customer<K: Clients>(&self) -> BoxFuture<'_, Result<Option<Arc<ClientSession>>>> {
        async move {
            let now = self.app.clock().now();
            let Ok(claims) = token::verify(self.app.keys(), self.token.as_deref(), now) else { return Ok(None) };
            let asked = claims.client.as_deref().is_some_and(|client| K::NAMES.contains(&client));
            if claims.area != Area::Platform || !asked {
                return Ok(None);
            }
            let session = self.app.customer_session(claims.jti).await?;
            Ok(session.filter(|session| {
                session.revoke_reason.is_none()
                    && session.expires_at > now
                    && now - session.last_seen_at <= IDLE
                    && !session.must_change
            }))
        }
        .boxed()
    }
}

/// The check of every request with a token of a customer, in the order of 01 §1.2.
pub(super) fn admit_customer<K: Clients, M: Mode>(request: &Request) -> BoxFuture<'_, Result<Customer<K, M>>> {
    async move { customer_of(request, shown::<K>(request).await?).await }.boxed()
}

/// The check of a request of whoever is in a client.
pub(super) fn admit_person<K: Clients, M: Mode>(request: &Request) -> BoxFuture<'_, Result<Person<K, M>>> {
    async move {
        let shown = shown::<K>(request).await?;
        Ok(match shown.claims.area {
            Area::School => Person::OfSchool(Box::new(client_of(request, shown).await?)),
            Area::Platform => Person::OfSite(Box::new(customer_of(request, shown).await?)),
        })
    }
    .boxed()
}

async fn customer_of<K: Clients, M: Mode>(request: &Request, shown: Shown) -> Result<Customer<K, M>> {
    let Shown { app, visit, now, claims } = shown;
    if claims.area != Area::Platform {
        return Err(Error::new(403, "当前身份不能访问"));
    }
    let session = app.customer_session(claims.jti).await?.ok_or_else(|| ended("logout"))?;
    if let Some(reason) = session.revoke_reason.as_deref() {
        return Err(ended(reason));
    }
    if session.expires_at <= now {
        return Err(token::expired());
    }
    if now - session.last_seen_at > IDLE {
        app.end_idle_customer(&session, now).await?;
        return Err(token::expired());
    }
    if session.must_change && !M::BEFORE_PASSWORD_CHANGE {
        return Err(Error::new(403, "请先修改密码"));
    }
    if now - session.last_seen_at > chrono::Duration::seconds(60) {
        app.touch_customer(session.jti, now).await?;
    }
    let slot = request.extensions().get::<CallLog>().cloned().unwrap_or_default();
    let customer = Customer { app, session, claims, visit, slot, audience: PhantomData };
    customer.slot.fill(Logged {
        code: SIGNED_IN,
        operation: "客户端操作".into(),
        logged: M::LOGGED,
        sensitive: M::LOGGED && !M::WRITES,
        actor: customer.actor(),
        school_id: None,
        session_id: Some(customer.session.jti),
    });
    Ok(customer)
}
