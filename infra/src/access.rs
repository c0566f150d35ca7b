//! Who may call: every operation names its audience in its signature, and gets a way to the database from nowhere else.
//!
//! - [`Allowed<P>`]: a back-office session that holds the code of `P`, in the area of `P`;
//! - [`SignedIn<M>`]: any back-office session; - [`Public<M>`]: anybody.
//!
//! `P` is a type made by [`permissions!`], one for each use of a code: it says whether the call writes. A call that only
//! reads gets no writing transaction, and a read-only session is refused before the body is looked at.

mod admit;
mod place;

use std::{marker::PhantomData, sync::Arc};

use serde_json::Value;

use crate::{
    app::App,
    audit::Actor,
    db::Purpose,
    directory::School,
    error::{Error, Result},
    http::Visit,
    session::{Rights, Scope, SessionState},
    syslog::Slot,
    token::{Area, Claims},
    tx::{ReadTx, Tx},
};

pub use place::{
    Anywhere, AtHome, Data, InPlatform, InSchool, MayWrite, Mode, Permission, Place, Reads, ReadsAlways, ReadsLogged,
    Writes, WritesAlways, WritesOwnSession,
};
/// A person with a checked session.
#[derive(Debug, Clone)]
pub struct Caller {
    pub session: Arc<SessionState>,
    pub claims: Claims,
    pub school: Option<Arc<School>>,
    pub visit: Visit,
    idempotency: Option<crate::tx::Idempotency>,
    rights: Arc<Rights>,
    slot: Slot,
    app: App,
}

impl Caller {
    pub fn app(&self) -> &App {
        &self.app
    }

    pub fn user_id(&self) -> i64 {
        self.session.user_id
    }

    pub fn rights(&self) -> &Rights {
        &self.rights
    }

    /// Whether a further code is held, for what an answer may contain (`…:exportPlain`).
    pub fn holds(&self, code: &str) -> bool {
        self.rights.contains_key(code)
    }

    /// Adds to this call's row of the operation log what its body does not say: how many rows left, of which file.
    pub fn note(&self, name: &'static str, value: impl Into<Value>) {
        self.slot.note(name, value.into());
    }

    /// Who stands in the audit trail.
    pub fn actor(&self) -> Actor {
        let operator_inside = self.claims.act.is_some() && self.session.area == Area::School;
        Actor {
            kind: if self.session.user_type == "platform" { "platform" } else { "school" }.to_owned(),
            id: self.session.user_id,
            name: self.session.real_name.clone(),
            on_behalf_of: operator_inside
                .then(|| {
                    self.school
                        .as_ref()
                        .map(|school| format!("平台人员 {} 进入 {}", self.session.real_name, school.name))
                })
                .flatten(),
            ip: self.visit.ip.clone(),
            trace_id: self.visit.trace_id.clone(),
        }
    }

    /// The school whose data are meant; none means `platform`'s.
    fn place_of(&self, data: Data) -> Result<Option<&School>> {
        match data {
            Data::School => Ok(Some(self.school.as_deref().ok_or_else(wrong_area)?)),
            Data::Platform => Ok(None),
            Data::Home => Ok(self.school.as_deref()),
        }
    }

    async fn read_at(&self, data: Data, purpose: Purpose) -> Result<ReadTx> {
        let inner = match self.place_of(data)? {
            Some(school) => self.app.db().in_school(school.key()?, purpose).await?,
            None => self.app.db().in_platform(purpose).await?,
        };
        Ok(ReadTx::new(inner))
    }

    async fn write_at(&self, data: Data, purpose: Purpose) -> Result<Tx> {
        let inner = match self.place_of(data)? {
            Some(school) => self.app.db().in_school(school.key()?, purpose).await?,
            None => self.app.db().in_platform(purpose).await?,
        };
        let tx = Tx::open(inner, self.app.clone(), self.actor(), self.idempotency.clone()).await?;
        Ok(tx.logged_in(self.slot.clone()))
    }

    /// A snapshot of where the session is: its school, or `platform`.
    pub async fn home_read(&self) -> Result<ReadTx> {
        self.read_at(Data::Home, Purpose::Read).await
    }
}

fn wrong_area() -> Error {
    Error::new(403, "当前身份与所选区域不一致，请重新进入")
}

/// Proof that the caller holds the code of `P` in the area of `P`.
pub struct Allowed<P: Permission> {
    caller: Caller,
    permission: PhantomData<P>,
}

impl<P: Permission> std::ops::Deref for Allowed<P> {
    type Target = Caller;

    fn deref(&self) -> &Caller {
        &self.caller
    }
}

impl<P: Permission> Allowed<P> {
    /// The rows that the code of `P` opens to this person.
    pub fn scope(&self) -> Scope {
        self.caller.rights.get(P::CODE).cloned().unwrap_or_default()
    }

    /// The person alone, for a job that goes on after the answer.
    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// A reading look at `platform`, beside the school's own transaction.
    pub async fn platform(&self) -> Result<ReadTx> {
        self.caller.read_at(Data::Platform, Purpose::Read).await
    }
}

impl<P: Permission> Allowed<P> {
    /// A snapshot of where the operation lives: the caller's school, or `platform`.
    pub async fn read(&self) -> Result<ReadTx> {
        self.caller.read_at(P::Place::DATA, Purpose::Read).await
    }

    /// The same without time limit, on the pool for long work.
    pub async fn read_long(&self) -> Result<ReadTx> {
        self.caller.read_at(P::Place::DATA, Purpose::LongRead).await
    }
}

impl<P: Permission> Allowed<P> {
    /// An operator's look into one school, as that school's own role: for the figures of a list over schools (00 §3).
    ///
    /// # Errors
    /// 403 from inside a school: there the claim alone decides; 409 while the school is being opened or migrated.
    pub async fn look_into(&self, school: &School) -> Result<ReadTx> {
        if self.caller.session.area != Area::Platform {
            return Err(wrong_area());
        }
        Ok(ReadTx::new(self.caller.app.db().in_school(school.key()?, Purpose::Read).await?))
    }
}

impl<P: Permission> Allowed<P>
where
    P::Mode: MayWrite,
{
    /// A writing transaction where the operation lives.
    pub async fn begin(&self) -> Result<Tx> {
        self.caller.write_at(P::Place::DATA, Purpose::Write).await
    }

    /// The same without time limit, on the pool for long work.
    pub async fn begin_long(&self) -> Result<Tx> {
        self.caller.write_at(P::Place::DATA, Purpose::LongWrite).await
    }
}

/// Proof of a session, without a code.
pub struct SignedIn<M: Mode = Reads> {
    caller: Caller,
    mode: PhantomData<M>,
}

impl<M: Mode> std::ops::Deref for SignedIn<M> {
    type Target = Caller;

    fn deref(&self) -> &Caller {
        &self.caller
    }
}

impl<M: Mode> SignedIn<M> {
    pub async fn platform(&self) -> Result<ReadTx> {
        self.caller.read_at(Data::Platform, Purpose::Read).await
    }

    /// A snapshot of the caller's school; 403 in the operators' area.
    pub async fn school_read(&self) -> Result<ReadTx> {
        self.caller.read_at(Data::School, Purpose::Read).await
    }

    pub fn caller(&self) -> &Caller {
        &self.caller
    }
}

impl<M: Mode + MayWrite> SignedIn<M> {
    /// A writing transaction in `platform`, for one's own session, password, jobs.
    pub async fn begin(&self) -> Result<Tx> {
        self.caller.write_at(Data::Platform, Purpose::Write).await
    }

    /// A writing transaction where the session is: its school, or `platform`.
    pub async fn begin_home(&self) -> Result<Tx> {
        self.caller.write_at(Data::Home, Purpose::Write).await
    }
}

/// Anybody, also without a session.
pub struct Public<M: Mode = Reads> {
    pub app: App,
    pub visit: Visit,
    /// The token as it came, unchecked.
    pub token: Option<String>,
    mode: PhantomData<M>,
}

impl<M: Mode> Public<M> {
    pub async fn platform(&self) -> Result<ReadTx> {
        Ok(ReadTx::new(self.app.db().in_platform(Purpose::Read).await?))
    }

    /// A snapshot of whose site this host is: the open school with that domain, or `platform`. For what everybody may
    /// see; nothing that needs a right may be read with it.
    pub async fn at_host(&self) -> Result<ReadTx> {
        let inner = match self.app.school_of_host(&self.visit.host).await? {
            Some(school) => self.app.db().in_school(school.key()?, Purpose::Read).await?,
            None => self.app.db().in_platform(Purpose::Read).await?,
        };
        Ok(ReadTx::new(inner))
    }
}

impl<M: Mode + MayWrite> Public<M> {
    /// A writing transaction in `platform`: challenges, counters, sessions.
    pub async fn begin(&self) -> Result<Tx> {
        let inner = self.app.db().in_platform(Purpose::Write).await?;
        let actor = Actor {
            kind: "platform".to_owned(),
            id: 0,
            name: "未登录".to_owned(),
            on_behalf_of: None,
            ip: self.visit.ip.clone(),
            trace_id: self.visit.trace_id.clone(),
        };
        Tx::open(inner, self.app.clone(), actor, None).await
    }
}
