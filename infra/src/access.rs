//! Who may call: every operation names its audience in its signature, and gets a way to the database from nowhere else.
//!
//! - [`Allowed<P>`]: a back-office session that holds the code of `P`, in the area of `P`;
//! - [`SignedIn<M>`]: any back-office session; - [`Public<M>`]: anybody.
//!
//! `P` is a type made by [`permissions!`], one for each use of a code: it says whether the call writes. A call that only
//! reads gets no writing transaction, and a read-only session is refused before the body is looked at.

use std::{marker::PhantomData, sync::Arc};

use poem::{Request, RequestBody};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ExtractParamOptions,
    registry::{MetaSecurityScheme, Registry},
};

use crate::{
    app::App,
    audit::Actor,
    db::Purpose,
    directory::School,
    error::{Error, Result},
    http::Visit,
    params,
    session::{Rights, Scope, SessionState, ended},
    syslog::Logged,
    token::{self, Area, Claims},
    tx::{ReadTx, Tx},
};

/// Where an operation may be called.
pub trait Place: Send + Sync + 'static {
    const PLATFORM: bool;
    const SCHOOL: bool;
    /// Whether its data are the school's; else `platform`'s.
    const IN_SCHOOL: bool;
}

/// Only inside a school.
#[derive(Debug)]
pub enum InSchool {}
/// Only in the operators' area.
#[derive(Debug)]
pub enum InPlatform {}
/// In both; reads `platform` only.
#[derive(Debug)]
pub enum Anywhere {}

impl Place for InSchool {
    const PLATFORM: bool = false;
    const SCHOOL: bool = true;
    const IN_SCHOOL: bool = true;
}
impl Place for InPlatform {
    const PLATFORM: bool = true;
    const SCHOOL: bool = false;
    const IN_SCHOOL: bool = false;
}
impl Place for Anywhere {
    const PLATFORM: bool = true;
    const SCHOOL: bool = true;
    const IN_SCHOOL: bool = false;
}

/// Whether an operation writes, and whether it is open to somebody who must first change the password.
pub trait Mode: Send + Sync + 'static {
    const WRITES: bool;
    const BEFORE_PASSWORD_CHANGE: bool = false;
    /// An export or the view of a whole personal value: logged although nothing is written.
    const LOGGED: bool = Self::WRITES;
    /// Refused to a read-only session.
    const CHANGES_DATA: bool = Self::WRITES;
}
#[derive(Debug)]
pub enum Reads {}
#[derive(Debug)]
pub enum Writes {}
/// Reads what the log must show: exports, whole personal values, private files.
#[derive(Debug)]
pub enum ReadsLogged {}
/// Reads, also while the password must be changed.
#[derive(Debug)]
pub enum ReadsAlways {}
/// Writes, also while the password must be changed.
#[derive(Debug)]
pub enum WritesAlways {}
/// Writes the session alone, so that a read-only one may call it.
#[derive(Debug)]
pub enum WritesOwnSession {}

impl Mode for Reads {
    const WRITES: bool = false;
}
impl Mode for Writes {
    const WRITES: bool = true;
}
impl Mode for ReadsLogged {
    const WRITES: bool = false;
    const LOGGED: bool = true;
}
impl Mode for ReadsAlways {
    const WRITES: bool = false;
    const BEFORE_PASSWORD_CHANGE: bool = true;
}
impl Mode for WritesAlways {
    const WRITES: bool = true;
    const BEFORE_PASSWORD_CHANGE: bool = true;
}

impl Mode for WritesOwnSession {
    const WRITES: bool = true;
    const CHANGES_DATA: bool = false;
}

/// A use of a permission code by one operation; made by [`permissions!`].
pub trait Permission: Send + Sync + 'static {
    type Place: Place;
    type Mode: Mode;
    const CODE: &'static str;
    const NAME: &'static str;
    /// The code, then what the document says of the operation: place and mode.
    const SCHEME: &'static str;
}

/// Marks a permission whose operations may open a writing transaction.
pub trait MayWrite {}
impl MayWrite for Writes {}
impl MayWrite for WritesAlways {}
impl MayWrite for WritesOwnSession {}

/// Names the permission codes of a file of operations: the type, whether it reads or writes, where, code, Chinese name.
///
/// ```text
/// permissions! {
///     pages "/schoolPC/basicData/site", "/platformPC/basicData/site";
///     InSchool Reads  ListSites = "adult:pc:site:list" "站点列表";
///     InSchool Writes SaveSite  = "adult:pc:site:save" "新增站点";
/// }
/// ```
/// The constant `PERMISSIONS` of the file is for the room's registry.
#[macro_export]
macro_rules! permissions {
    (pages $($page:literal),*; $($place:ident $mode:ident $name:ident = $code:literal $zh:literal;)+) => {
        $(
            #[doc = $zh]
            #[derive(Debug)]
            pub enum $name {}
            impl $crate::access::Permission for $name {
                type Place = $crate::access::$place;
                type Mode = $crate::access::$mode;
                const CODE: &'static str = $code;
                const NAME: &'static str = $zh;
                const SCHEME: &'static str = concat!($code, "|", stringify!($place), "|", stringify!($mode));
            }
        )+
        const PAGES: &[&str] = &[$($page),*];
        pub const PERMISSIONS: &[$crate::room::PermissionEntry] = &[
            $($crate::room::PermissionEntry { code: $code, name: $zh, pages: PAGES }),+
        ];
    };
}

/// A person with a checked session.
#[derive(Debug, Clone)]
pub struct Caller {
    pub session: Arc<SessionState>,
    pub claims: Claims,
    pub school: Option<Arc<School>>,
    pub visit: Visit,
    idempotency: Option<crate::tx::Idempotency>,
    rights: Arc<Rights>,
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

    fn school(&self) -> Result<&Arc<School>> {
        self.school.as_ref().ok_or_else(wrong_area)
    }

    pub(crate) async fn school_read(&self, purpose: Purpose) -> Result<ReadTx> {
        let inner = self.app.db().in_school(self.school()?.key()?, purpose).await?;
        Ok(ReadTx::new(inner))
    }

    pub(crate) async fn platform_read(&self) -> Result<ReadTx> {
        Ok(ReadTx::new(self.app.db().in_platform(Purpose::Read).await?))
    }

    /// A snapshot of where the session is: its school, or `platform`.
    pub async fn home_read(&self) -> Result<ReadTx> {
        if self.school.is_some() { self.school_read(Purpose::Read).await } else { self.platform_read().await }
    }

    async fn school_write(&self, purpose: Purpose) -> Result<Tx> {
        let inner = self.app.db().in_school(self.school()?.key()?, purpose).await?;
        Tx::open(inner, self.app.clone(), self.actor(), self.idempotency.clone()).await
    }

    async fn platform_write(&self) -> Result<Tx> {
        let inner = self.app.db().in_platform(Purpose::Write).await?;
        Tx::open(inner, self.app.clone(), self.actor(), self.idempotency.clone()).await
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
        self.caller.platform_read().await
    }
}

impl<P: Permission> Allowed<P> {
    /// A snapshot of where the operation lives: the caller's school, or `platform`.
    pub async fn read(&self) -> Result<ReadTx> {
        if P::Place::IN_SCHOOL {
            self.caller.school_read(Purpose::Read).await
        } else {
            self.caller.platform_read().await
        }
    }

    /// The same without time limit, on the pool for long work.
    pub async fn read_long(&self) -> Result<ReadTx> {
        if P::Place::IN_SCHOOL {
            self.caller.school_read(Purpose::LongRead).await
        } else {
            self.caller.platform_read().await
        }
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
        if P::Place::IN_SCHOOL {
            self.caller.school_write(Purpose::Write).await
        } else {
            self.caller.platform_write().await
        }
    }

    /// The same without time limit, on the pool for long work.
    pub async fn begin_long(&self) -> Result<Tx> {
        if P::Place::IN_SCHOOL {
            self.caller.school_write(Purpose::LongWrite).await
        } else {
            self.caller.platform_write().await
        }
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
        self.caller.platform_read().await
    }

    /// A snapshot of the caller's school; 403 in the operators' area.
    pub async fn school_read(&self) -> Result<ReadTx> {
        self.caller.school_read(Purpose::Read).await
    }

    pub fn caller(&self) -> &Caller {
        &self.caller
    }
}

impl<M: Mode + MayWrite> SignedIn<M> {
    /// A writing transaction in `platform`, for one's own session, password, jobs.
    pub async fn begin(&self) -> Result<Tx> {
        self.caller.platform_write().await
    }

    /// A writing transaction where the session is: its school, or `platform`.
    pub async fn begin_home(&self) -> Result<Tx> {
        if self.caller.school.is_some() {
            self.caller.school_write(Purpose::Write).await
        } else {
            self.caller.platform_write().await
        }
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

/// What the check must know of an operation.
struct Wanted {
    code: Option<&'static str>,
    name: &'static str,
    platform: bool,
    school: bool,
    changes_data: bool,
    logged: bool,
    before_password_change: bool,
}

/// The check of every request, in the order of 01 §1.2.
async fn admit(request: &Request, wanted: Wanted) -> Result<Caller> {
    let app = app_of(request)?;
    let visit = Visit::of(request);
    let now = app.clock().now();
    let token = request.header("token");
    // Machine tokens come with system administration; until then they are no token.
    let claims = token::verify(app.keys(), token.filter(|token| !token.starts_with("cjm_")), now)?;
    if claims.client.is_some() {
        return Err(Error::new(403, "当前身份不能访问"));
    }
    if request.header("schoolId").is_some() && claims.school_id.is_some() {
        return Err(Error::malformed());
    }
    let session = app.session(claims.jti).await?.ok_or_else(|| ended("logout"))?;
    if let Some(reason) = session.revoke_reason.as_deref().or(session.root_revoke_reason.as_deref()) {
        return Err(ended(reason));
    }
    let unseen = now - session.last_seen_at;
    if unseen > chrono::Duration::minutes(app.int(params::IDLE_MINUTES).await?) {
        app.end_idle(&session, now).await?;
        return Err(token::expired());
    }
    if !session.user_enabled || !session.bound {
        return Err(ended("account_disabled"));
    }
    if session.gmt_expires.is_some_and(|end| end <= now) {
        return Err(ended("account_expired"));
    }
    let school = match session.school_id {
        None => None,
        Some(id) => {
            let school = app.school(id).await?.ok_or_else(|| ended("school_disabled"))?;
            if !school.is_open() && !session.read_only {
                return Err(ended("school_disabled"));
            }
            Some(school)
        }
    };
    if session.read_only && wanted.changes_data {
        let open = school.as_ref().is_none_or(|school| school.is_open());
        return Err(Error::new(
            403,
            if open {
                "代登录仅可查看，不能提交或修改"
            } else {
                "院校已停用或归档，仅可查看"
            },
        ));
    }
    if !wanted.before_password_change {
        let days = app.int(params::PASSWORD_MAX_DAYS).await?;
        let too_old = days > 0 && now - session.password_changed_at > chrono::Duration::days(days);
        if session.must_change_password || too_old {
            return Err(Error::new(403, "请先修改密码"));
        }
    }
    let here = match session.area {
        Area::Platform => wanted.platform,
        Area::School => wanted.school,
    };
    let rights = app.rights(session.user_id, session.area, session.school_id).await?;
    if !here {
        return Err(wrong_area());
    }
    if let Some(code) = wanted.code
        && !rights.contains_key(code)
    {
        return Err(Error::forbidden());
    }
    if unseen > chrono::Duration::seconds(60) {
        app.touch(&session, now).await?;
    }
    let caller = Caller {
        idempotency: request.extensions().get::<crate::tx::Idempotency>().cloned(),
        session,
        claims,
        school,
        visit,
        rights,
        app,
    };
    if let Some(slot) = request.extensions().get::<crate::syslog::Slot>() {
        slot.fill(Logged {
            code: wanted.code.unwrap_or("signed-in"),
            operation: wanted.name,
            logged: wanted.logged,
            actor: caller.actor(),
            school_id: caller.session.school_id,
        });
    }
    Ok(caller)
}

fn app_of(request: &Request) -> Result<App> {
    request.data::<App>().cloned().ok_or_else(|| Error::internal("the server was built without its App"))
}

/// Extractors that are security schemes: the scheme's name carries the code into the document.
macro_rules! security_scheme {
    ([$generic:ident: $bound:ident] $type:ty, $name:expr, |$request:ident| $extract:expr) => {
        impl<'a, $generic: $bound> ApiExtractor<'a> for $type {
            const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::SecurityScheme];
            type ParamType = ();
            type ParamRawType = ();

            fn register(registry: &mut Registry) {
                registry.create_security_scheme(
                    $name,
                    MetaSecurityScheme {
                        ty: "apiKey",
                        description: None,
                        name: Some("token"),
                        key_in: Some("header"),
                        scheme: None,
                        bearer_format: None,
                        flows: None,
                        openid_connect_url: None,
                    },
                );
            }

            fn security_schemes() -> Vec<&'static str> {
                vec![$name]
            }

            async fn from_request(
                $request: &'a Request,
                _body: &mut RequestBody,
                _options: ExtractParamOptions<Self::ParamType>,
            ) -> poem::Result<Self> {
                Ok($extract)
            }
        }
    };
}

security_scheme!([P: Permission] Allowed<P>, P::SCHEME, |request| Self {
    caller: admit(request, Wanted {
        code: Some(P::CODE),
        name: P::NAME,
        platform: P::Place::PLATFORM,
        school: P::Place::SCHOOL,
        changes_data: P::Mode::CHANGES_DATA,
        logged: P::Mode::LOGGED,
        before_password_change: P::Mode::BEFORE_PASSWORD_CHANGE,
    })
    .await?,
    permission: PhantomData,
});

security_scheme!([M: Mode] SignedIn<M>, if M::WRITES { "signed-in|Anywhere|Writes" } else { "signed-in|Anywhere|Reads" },
|request| Self {
    caller: admit(request, Wanted {
        code: None,
        name: "本人操作",
        platform: true,
        school: true,
        changes_data: M::CHANGES_DATA,
        logged: M::LOGGED,
        before_password_change: M::BEFORE_PASSWORD_CHANGE,
    })
    .await?,
    mode: PhantomData,
});

security_scheme!([M: Mode] Public<M>, if M::WRITES { "public|Anywhere|Writes" } else { "public|Anywhere|Reads" },
|request| Self {
    app: app_of(request)?,
    visit: Visit::of(request),
    token: request.header("token").map(ToOwned::to_owned),
    mode: PhantomData,
});
