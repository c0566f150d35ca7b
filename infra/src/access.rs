//! Who may call: every operation names its audience in its signature, and gets a way to the database from nowhere else.
//!
//! - [`Allowed<P>`]: a back-office session that holds the code of `P`, in the area of `P`;
//! - [`SignedIn<M>`]: any back-office session; - [`Public<M>`]: anybody, who may show a session;
//! - [`Client<K, M>`]: a person of a school in one of the client applications of `K`; - [`Customer<K, M>`]: a customer of the
//!   operators' own site; - [`Person<K, M>`]: either; - [`Sender<K, M>`]: the same, or a visitor who shows the token of a link.
//!
//! `P` is a type made by [`permissions!`], one for each use of a code: it says whether the call writes. A call that only
//! reads gets no writing transaction, and a read-only session is refused before the body is looked at.
//!
//! What a handler awaits comes boxed: for every operation the compiler proves several times that its future is `Send`, and
//! the proof ends at the box. An allocation costs nothing beside a round trip to the database.

mod admit;
mod client;
mod customer;
mod many;
mod once;
mod realm;

use std::{marker::PhantomData, sync::Arc};

use futures_util::{FutureExt, future::BoxFuture};
use serde_json::Value;
use uuid::Uuid;

use crate::{
    app::App,
    audit::Actor,
    clock::Moment,
    db::Purpose,
    directory::School,
    error::{Error, Result},
    http::{ExportWish, RequestOrigin},
    machine::Machine,
    session::{Rights, Scope, SessionState},
    syslog::{CallLog, Logged, SIGNED_IN},
    token::{Area, Claims},
    tx::{ReadTx, Tx},
};

pub use client::{Client, Clients, Sender};
pub use customer::{Customer, Person};
pub use once::Once;
pub use realm::{
    Anywhere, AtHome, Data, EachSchool, FromOutside, FromSchool, HomeOrNamed, InPlatform, InSchool, ManySchools,
    MayWrite, Mode, OverSchools, Permission, Reads, ReadsAlways, ReadsBeforeSecondStep, ReadsLogged, Realm,
    WholeAtHome, WholeFromSchool, WholeSchool, Writes, WritesAlways, WritesBeforeSecondStep, WritesOwnSession,
    WritesOwnSessionAlways, WritesUnlogged,
};
/// A person with a checked session.
#[derive(Debug, Clone)]
pub struct Caller {
    pub session: Arc<SessionState>,
    pub claims: Claims,
    pub school: Option<Arc<School>>,
    pub visit: RequestOrigin,
    idempotency: Option<crate::tx::Idempotency>,
    rights: Arc<Rights>,
    /// The token, where a program calls.
    machine: Option<Arc<Machine>>,
    /// Of a list over schools: rows that were created later are left out.
    until: Option<Moment>,
    wish: ExportWish,
    slot: CallLog,
    app: App,
}

impl Caller {
    /// The school whose data the call means: that of the session, or the one that an operator named.
    pub fn school_id(&self) -> Option<i64> {
        self.school.as_ref().map(|school| school.id)
    }

    /// Whether the caller's school is this one; an operator may act for all, or for those that they are bound to (01 §1.1).
    async fn may_act_for(&self, school: &School) -> Result<()> {
        match self.session.school_id {
            Some(own) if own == school.id => return Ok(()),
            Some(_) => return Err(wrong_area()),
            None => {}
        }
        let mut tx = self.read_at(Data::Platform, Purpose::Read).await?;
        let may = sqlx::query_scalar!(
            r#"select u.school_scope = 'all' or exists (
                   select from platform.sys_user_school b where b.user_id = u.id and b.school_id = $2 and b.enabled) as "may!"
               from platform.sys_user u where u.id = $1"#,
            self.session.user_id,
            school.id
        )
        .fetch_optional(&mut *tx)
        .await?;
        if may == Some(true) { Ok(()) } else { Err(Error::not_found()) }
    }

    pub fn app(&self) -> &App {
        &self.app
    }

    pub fn user_id(&self) -> i64 {
        self.session.user_id
    }

    pub fn rights(&self) -> &Rights {
        &self.rights
    }

    /// Of a list over schools: rows that were created later are left out.
    pub(crate) fn until(&self) -> Option<Moment> {
        self.until
    }

    /// Of an export: which columns, and whether whole numbers.
    pub(crate) fn export_wish(&self) -> &ExportWish {
        &self.wish
    }

    /// The machine token that calls, if it is none of a person.
    pub fn machine(&self) -> Option<&Machine> {
        self.machine.as_deref()
    }

    /// Whether a further code is held at all, for what is of no site or class. Of rows that are, the further code's own scope decides:
    /// it is found in [`Caller::rights`].
    pub fn holds(&self, code: &str) -> bool {
        self.rights.contains_key(code)
    }

    /// Adds to this call's row of the operation log what its body does not say: how many rows left, of which file.
    pub fn note(&self, name: &'static str, value: impl Into<Value>) {
        self.slot.note(name, value.into());
    }

    /// Says that the answer shows nothing whole, so that the log does not call it sensitive.
    pub(crate) fn masked(&self) {
        self.slot.masked();
    }

    /// Who stands in the audit trail.
    pub fn actor(&self) -> Actor {
        let operator_inside =
            (self.claims.act.is_some() || self.machine.is_some()) && self.session.area == Area::School;
        // A token names itself, and whose it is.
        let person = self.machine.as_ref().map_or(&self.session.real_name, |machine| &machine.owner_name);
        let owner = self.machine.as_ref().map(|machine| machine.owner_name.clone());
        Actor {
            kind: if self.session.user_type == "platform" { "platform" } else { "school" }.to_owned(),
            id: self.session.user_id,
            name: self.session.real_name.clone(),
            on_behalf_of: operator_inside
                .then(|| self.school.as_ref().map(|school| format!("平台人员 {person} 进入 {}", school.name)))
                .flatten()
                .or(owner),
            ip: self.visit.ip.clone(),
            trace_id: self.visit.trace_id.clone(),
        }
    }

    /// The school whose data are meant; none means `platform`'s.
    fn place_of(&self, data: Data) -> Result<Option<&School>> {
        match data {
            Data::School => Ok(Some(self.school.as_deref().ok_or_else(choose_school)?)),
            Data::Platform => Ok(None),
            Data::Home => Ok(self.school.as_deref()),
        }
    }

    fn read_at(&self, data: Data, purpose: Purpose) -> BoxFuture<'_, Result<ReadTx>> {
        async move {
            let inner = match self.place_of(data)? {
                Some(school) => self.app.db().in_school(school.key()?, purpose).await?,
                None => self.app.db().in_platform(purpose).await?,
            };
            Ok(ReadTx::new(inner))
        }
        .boxed()
    }

    fn write_at(&self, data: Data, purpose: Purpose) -> BoxFuture<'_, Result<Tx>> {
        async move {
            let inner = match self.place_of(data)? {
                Some(school) => self.app.db().in_school(school.key()?, purpose).await?,
                None => self.app.db().in_platform(purpose).await?,
            };
            let tx = Tx::open(inner, self.app.clone(), self.actor(), self.idempotency.clone()).await?;
            let school = self.place_of(data)?.map(|school| school.id);
            Ok(tx.placed(school).logged_in(self.slot.clone()))
        }
        .boxed()
    }

    /// A snapshot of where the session is: its school or the one that is named, or `platform`.
    pub fn home_read(&self) -> BoxFuture<'_, Result<ReadTx>> {
        self.read_at(Data::Home, Purpose::Read)
    }
}

/// A call over a school's data from the operators' area that names none.
pub(crate) fn choose_school() -> Error {
    Error::field("schoolId", "请选择院校")
}

/// What is of the whole school is not for whoever is given a part of it.
fn not_whole(operation: &str) -> Error {
    Error::new(403, format!("您只能管理已分配的站点或班级，“{operation}”请由数据范围为全校的人员办理"))
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
    pub fn platform(&self) -> BoxFuture<'_, Result<ReadTx>> {
        self.caller.read_at(Data::Platform, Purpose::Read)
    }
}

impl<P: Permission> Allowed<P> {
    /// Sessions and locks of the database, as the login role; no table can be read there.
    ///
    /// # Errors
    /// 403 from inside a school.
    pub async fn server_view(&self) -> Result<ReadTx> {
        if self.caller.session.area != Area::Platform {
            return Err(wrong_area());
        }
        Ok(ReadTx::new(self.caller.app.db().as_login().await?))
    }

    /// A snapshot of where the operation lives: the caller's school, or `platform`.
    pub fn read(&self) -> BoxFuture<'_, Result<ReadTx>> {
        self.caller.read_at(P::Realm::DATA, Purpose::Read)
    }

    /// The same without time limit, on the pool for long work.
    pub fn read_long(&self) -> BoxFuture<'_, Result<ReadTx>> {
        self.caller.read_at(P::Realm::DATA, Purpose::LongRead)
    }
}

impl<P: Permission> Allowed<P> {
    /// An operator's look into one school, as that school's own role: for the figures of a list over schools (00 §3).
    ///
    /// # Errors
    /// 403 from inside a school: there the claim alone decides; 404 when the operator may not act for the school; 409 while
    /// the school is being opened or migrated.
    pub fn look_into<'a>(&'a self, school: &'a School) -> BoxFuture<'a, Result<ReadTx>> {
        async move {
            if self.caller.session.area != Area::Platform {
                return Err(wrong_area());
            }
            self.read_in(school).await
        }
        .boxed()
    }

    /// Every school that has a schema, to ask each in turn who uses something of the platform: [`Allowed::ask`].
    ///
    /// # Errors
    /// 403 from inside a school.
    pub fn every_school(&self) -> BoxFuture<'_, Result<Vec<Arc<School>>>> {
        async move {
            if self.caller.session.area != Area::Platform {
                return Err(wrong_area());
            }
            let ids = sqlx::query_scalar!(
                "select id from platform.school where deleted_at is null and provision_state = 'ready' order by id"
            )
            .fetch_all(&mut *self.platform().await?)
            .await?;
            let mut schools = Vec::with_capacity(ids.len());
            for id in ids {
                schools.extend(self.caller.app.school(id).await?);
            }
            Ok(schools)
        }
        .boxed()
    }

    /// The same look as [`Allowed::look_into`] for a number that must come from every school.
    ///
    /// # Errors
    /// 409 when the school cannot be asked: it is being migrated, or the operator may not act for it.
    pub fn ask<'a>(&'a self, school: &'a School) -> BoxFuture<'a, Result<ReadTx>> {
        async move {
            self.look_into(school).await.map_err(|error| match error.code {
                409 => Error::conflict(format!("“{}”正在升级，暂时不能确认引用情况，请稍后再试", school.name)),
                404 => Error::conflict("您只能管理部分院校，不能确认其他院校的引用情况，请由管理全部院校的人员办理"),
                _ => error,
            })
        }
        .boxed()
    }

    /// A look into one school for a call of both areas: the caller's own, or for an operator one that they may act for.
    ///
    /// # Errors
    /// 403 from inside another school; 404 and 409 as [`Allowed::look_into`].
    pub fn read_in<'a>(&'a self, school: &'a School) -> BoxFuture<'a, Result<ReadTx>> {
        async move {
            self.caller.may_act_for(school).await?;
            Ok(ReadTx::new(self.caller.app.db().in_school(school.key()?, Purpose::Read).await?))
        }
        .boxed()
    }
}

impl<P: Permission> Allowed<P>
where
    P::Mode: MayWrite,
{
    /// The same as [`Allowed::read_in`] to write.
    pub fn begin_in<'a>(&'a self, school: &'a School) -> BoxFuture<'a, Result<Tx>> {
        async move {
            self.caller.may_act_for(school).await?;
            let inner = self.caller.app.db().in_school(school.key()?, Purpose::Write).await?;
            let tx = Tx::open(inner, self.caller.app.clone(), self.caller.actor(), None).await?;
            Ok(tx.placed(Some(school.id)).logged_in(self.caller.slot.clone()))
        }
        .boxed()
    }

    /// A writing transaction where the operation lives.
    pub fn begin(&self) -> BoxFuture<'_, Result<Tx>> {
        self.caller.write_at(P::Realm::DATA, Purpose::Write)
    }

    /// The same without time limit, on the pool for long work.
    pub fn begin_long(&self) -> BoxFuture<'_, Result<Tx>> {
        self.caller.write_at(P::Realm::DATA, Purpose::LongWrite)
    }
}

/// Proof of a session, without a code. With the place [`HomeOrNamed`] an operator may name the school that they mean.
pub struct SignedIn<M: Mode = Reads, P: Realm = Anywhere> {
    caller: Caller,
    mode: PhantomData<(M, P)>,
}

impl<M: Mode, P: Realm> std::ops::Deref for SignedIn<M, P> {
    type Target = Caller;

    fn deref(&self) -> &Caller {
        &self.caller
    }
}

impl<M: Mode, P: Realm> SignedIn<M, P> {
    pub fn platform(&self) -> BoxFuture<'_, Result<ReadTx>> {
        self.caller.read_at(Data::Platform, Purpose::Read)
    }

    /// A snapshot of the school that is meant; 422 for an operator who names none.
    pub fn school_read(&self) -> BoxFuture<'_, Result<ReadTx>> {
        self.caller.read_at(Data::School, Purpose::Read)
    }

    pub fn caller(&self) -> &Caller {
        &self.caller
    }
}

impl<M: Mode + MayWrite, P: Realm> SignedIn<M, P> {
    /// A writing transaction in `platform`, for one's own session, password, jobs.
    pub fn begin(&self) -> BoxFuture<'_, Result<Tx>> {
        self.caller.write_at(Data::Platform, Purpose::Write)
    }

    /// A writing transaction where the session is: its school or the one that is named, or `platform`.
    pub fn begin_home(&self) -> BoxFuture<'_, Result<Tx>> {
        self.caller.write_at(Data::Home, Purpose::Write)
    }
}

/// Anybody, also without a session.
pub struct Public<M: Mode = Reads> {
    pub app: App,
    pub visit: RequestOrigin,
    /// The token as it came, unchecked.
    pub token: Option<String>,
    slot: CallLog,
    mode: PhantomData<M>,
}

impl<M: Mode> Public<M> {
    /// Puts the call into the operation log under the name of whose session the token was found to be.
    pub fn log_as(&self, actor: Actor, school_id: Option<i64>, session: Uuid) {
        self.slot.fill(Logged {
            code: SIGNED_IN,
            operation: "本人操作".into(),
            logged: true,
            sensitive: false,
            actor,
            school_id,
            session_id: Some(session),
        });
    }

    pub fn platform(&self) -> BoxFuture<'_, Result<ReadTx>> {
        async move { Ok(ReadTx::new(self.app.db().in_platform(Purpose::Read).await?)) }.boxed()
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

    /// A snapshot of a school for whoever shows an address that the school gave out: what is read first is whether it did.
    ///
    /// # Errors
    /// 409 while the school is being opened or migrated.
    pub async fn read_in(&self, school: &School) -> Result<ReadTx> {
        Ok(ReadTx::new(self.app.db().in_school(school.key()?, Purpose::Read).await?))
    }
}

impl<M: Mode + MayWrite> Public<M> {
    /// A writing transaction in `platform`: challenges, counters, sessions.
    pub fn begin(&self) -> BoxFuture<'_, Result<Tx>> {
        async move {
            let inner = self.app.db().in_platform(Purpose::Write).await?;
            Tx::open(inner, self.app.clone(), self.nobody(), None).await
        }
        .boxed()
    }

    /// A writing transaction in a school whose own person signs in: the host named the school, and the password that is
    /// asked for next decides. Ends with [`Tx::commit_untracked`].
    ///
    /// # Errors
    /// 409 while the school is being opened or migrated.
    pub async fn begin_in(&self, school: &School) -> Result<Tx> {
        let inner = self.app.db().in_school(school.key()?, Purpose::Write).await?;
        Ok(Tx::open(inner, self.app.clone(), self.nobody(), None).await?.placed(Some(school.id)))
    }

    /// The same for what a visitor does there without an account, because the link that they have opens it; `door` stands in
    /// the trail.
    ///
    /// # Errors
    /// 409 while the school is being opened or migrated.
    pub async fn visit_in(&self, school: &School, door: &str) -> Result<Tx> {
        let mut tx = self.begin_in(school).await?;
        tx.acts_now(Actor { kind: "public".to_owned(), name: door.to_owned(), ..self.nobody() });
        Ok(tx)
    }

    fn nobody(&self) -> Actor {
        Actor {
            kind: "platform".to_owned(),
            id: 0,
            name: "未登录".to_owned(),
            on_behalf_of: None,
            ip: self.visit.ip.clone(),
            trace_id: self.visit.trace_id.clone(),
        }
    }
}
