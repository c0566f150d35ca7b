//! The check of every request, and the extractors that carry its outcome into the handlers and the codes into the document.

use std::{marker::PhantomData, sync::Arc};

use futures_util::{FutureExt, future::BoxFuture};
use poem::{Request, RequestBody};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ExtractParamOptions,
    registry::{MetaSecurityScheme, Registry},
};

use super::{
    Allowed, Caller, Client, Clients, Customer, Data, Mode, Permission, Person, Public, Realm, Sender, SignedIn,
    client, customer, not_whole, wrong_area,
};
use crate::{
    app::App,
    clock::Moment,
    directory::School,
    error::{Error, Result},
    http::{ExportWish, Named, RequestOrigin},
    machine::{self, Machine},
    params,
    session::{Scope, SessionState, ended},
    syslog::{CallLog, Logged, SIGNED_IN},
    token::{self, Area, Claims},
};

/// Names the school that a machine token means; from people it is refused inside a school.
const SCHOOL: &str = "schoolId";
/// With it a page says that it asks by itself and nobody is before it: such a call keeps no session alive (01 §1.4).
const UNATTENDED: &str = "x-unattended";

/// What the check must know of an operation.
struct Wanted {
    code: Option<&'static str>,
    name: &'static str,
    platform: bool,
    school: bool,
    /// Whether an operator may name the school that they mean.
    named: bool,
    /// Whether there are none but a school's data.
    of_school: bool,
    /// Whether the code must be held for the whole school.
    whole: bool,
    writes: bool,
    changes_data: bool,
    logged: bool,
    before_password_change: bool,
    before_second_step: bool,
}

/// Who calls, before anything is asked of them.
struct Known {
    session: Arc<SessionState>,
    claims: Claims,
    school: Option<Arc<School>>,
    machine: Option<Arc<Machine>>,
}

/// The check of every request, in the order of 01 §1.2.
///
/// Boxed: the compiler proves for every operation that its future is `Send`, and need not look in here each time.
fn admit(request: &Request, wanted: Wanted) -> BoxFuture<'_, Result<Caller>> {
    admitted(request, wanted).boxed()
}

async fn admitted(request: &Request, wanted: Wanted) -> Result<Caller> {
    let app = app_of(request)?;
    let visit = RequestOrigin::of(request);
    let now = app.clock().now();
    let Known { session, claims, school, machine } = match request.header("token") {
        Some(secret) if secret.starts_with(machine::PREFIX) => program(&app, request, secret, &wanted, now).await?,
        token => person(&app, request, token, now).await?,
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
    if !wanted.before_second_step && session.must_set_totp {
        return Err(Error::new(403, "请先启用两步验证"));
    }
    let here = match session.area {
        // A program is led into its schools by the header, and has no other way to them.
        Area::Platform => wanted.platform && !(wanted.of_school && machine.is_some()),
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
    if wanted.whole && !wanted.code.and_then(|code| rights.get(code)).is_some_and(Scope::is_whole) {
        return Err(not_whole(wanted.name));
    }
    match &machine {
        Some(machine) => app.note_use(machine, &visit.ip, now).await?,
        None if request.header(UNATTENDED).is_none() && now - session.last_seen_at > chrono::Duration::seconds(60) => {
            app.touch(&session, now).await?;
        }
        None => {}
    }
    let session_id = machine.is_none().then_some(claims.jti);
    let mut caller = Caller {
        idempotency: request.extensions().get::<crate::tx::Idempotency>().cloned(),
        session,
        claims,
        school,
        visit,
        rights,
        machine,
        until: request.extensions().get::<Named>().and_then(|named| named.until),
        wish: request.extensions().get::<ExportWish>().cloned().unwrap_or_default(),
        slot: request.extensions().get::<CallLog>().cloned().unwrap_or_default(),
        app,
    };
    if wanted.named
        && let Some(&Named { school: Some(school), .. }) = request.extensions().get()
    {
        caller.school = Some(named(&caller, school, wanted.changes_data).await?);
    }
    caller.slot.fill(Logged {
        code: wanted.code.unwrap_or(SIGNED_IN),
        operation: wanted.name.into(),
        logged: wanted.logged,
        // Logged reads are those of what is personal or private; changes have the trail.
        sensitive: wanted.logged && !wanted.writes,
        actor: caller.actor(),
        school_id: caller.school_id(),
        session_id,
    });
    Ok(caller)
}

/// The school that an operator means, as far as they may act for it (00 §3, 05 F 2).
async fn named(caller: &Caller, id: i64, changes_data: bool) -> Result<Arc<School>> {
    if caller.session.area == Area::School || caller.machine.is_some() {
        return Err(Error::malformed());
    }
    let school = caller.app.school(id).await?.ok_or_else(Error::not_found)?;
    caller.may_act_for(&school).await?;
    if changes_data && !school.is_open() {
        return Err(Error::new(403, "院校已停用或归档，仅可查看"));
    }
    school.key()?;
    Ok(school)
}

/// A person's session, as far as it stands.
async fn person(app: &App, request: &Request, token: Option<&str>, now: Moment) -> Result<Known> {
    let claims = token::verify(app.keys(), token, now)?;
    if claims.client.is_some() {
        return Err(Error::new(403, "当前身份不能访问"));
    }
    if request.header(SCHOOL).is_some() && claims.school_id.is_some() {
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
    Ok(Known { session, claims, school, machine: None })
}

/// A machine token; the header `schoolId` leads it into a school (00 §8).
async fn program(app: &App, request: &Request, secret: &str, wanted: &Wanted, now: Moment) -> Result<Known> {
    let machine = app.machine(secret).await?.ok_or_else(|| Error::new(301, "机器令牌无效，请检查后重试"))?;
    machine.check(now)?;
    if wanted.code.is_none() && wanted.writes {
        return Err(Error::new(403, "机器令牌不能办理本人事项，请使用账号登录"));
    }
    let school = match request.header(SCHOOL) {
        None => None,
        Some(id) => {
            let id: i64 = id.parse().map_err(|_| Error::malformed())?;
            let platform = app.rights(machine.account_id, Area::Platform, None).await?;
            if !machine.may_enter(&platform, id) {
                return Err(Error::new(403, "没有进入该院校的权限"));
            }
            Some(app.school(id).await?.ok_or_else(|| Error::new(403, "没有进入该院校的权限"))?)
        }
    };
    let id = school.as_ref().map(|school| school.id);
    let read_only = school.as_ref().is_some_and(|school| !school.is_open());
    let session = Arc::new(machine.session(id, read_only, now));
    Ok(Known { claims: machine.claims(id, read_only, now), session, school, machine: Some(machine) })
}

pub(super) fn app_of(request: &Request) -> Result<App> {
    request.data::<App>().cloned().ok_or_else(|| Error::internal("the server was built without its App"))
}

/// Extractors that are security schemes: the scheme's name carries the code into the document.
macro_rules! security_scheme {
    ([$($generic:ident: $bound:ident),+] $type:ty, $name:expr, |$request:ident| $extract:expr) => {
        impl<'a, $($generic: $bound),+> ApiExtractor<'a> for $type {
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
        platform: P::Realm::PLATFORM,
        school: P::Realm::SCHOOL,
        named: P::Realm::NAMED,
        of_school: P::Realm::DATA == Data::School,
        whole: P::Realm::WHOLE,
        writes: P::Mode::WRITES,
        changes_data: P::Mode::CHANGES_DATA,
        logged: P::Mode::LOGGED,
        before_password_change: P::Mode::BEFORE_PASSWORD_CHANGE,
        before_second_step: P::Mode::BEFORE_SECOND_STEP,
    })
    .await?,
    permission: PhantomData,
});

security_scheme!([M: Mode, P: Realm] SignedIn<M, P>, match (P::NAMED, M::WRITES) {
    (false, false) => "signed-in|Anywhere|Reads",
    (false, true) => "signed-in|Anywhere|Writes",
    (true, false) => "signed-in|HomeOrNamed|Reads",
    (true, true) => "signed-in|HomeOrNamed|Writes",
},
|request| Self {
    caller: admit(request, Wanted {
        code: None,
        name: "本人操作",
        platform: true,
        school: true,
        named: P::NAMED,
        of_school: false,
        whole: false,
        writes: M::WRITES,
        changes_data: M::CHANGES_DATA,
        logged: M::LOGGED,
        before_password_change: M::BEFORE_PASSWORD_CHANGE,
        before_second_step: M::BEFORE_SECOND_STEP,
    })
    .await?,
    mode: PhantomData,
});

security_scheme!([M: Mode] Public<M>, if M::WRITES { "public|Anywhere|Writes" } else { "public|Anywhere|Reads" },
|request| Self::of(request)?);

impl<M: Mode> Public<M> {
    pub(super) fn of(request: &Request) -> Result<Self> {
        Ok(Self {
            app: app_of(request)?,
            visit: RequestOrigin::of(request),
            token: request.header("token").map(ToOwned::to_owned),
            slot: request.extensions().get::<CallLog>().cloned().unwrap_or_default(),
            mode: PhantomData,
        })
    }
}

security_scheme!([K: Clients, M: Mode] Sender<K, M>, if M::WRITES { K::OPEN_WRITING } else { K::OPEN_READING },
|request| client::admit_sender::<K, M>(request).await?);

security_scheme!([K: Clients, M: Mode] Client<K, M>, if M::WRITES { K::WRITING } else { K::READING },
|request| client::admit::<K, M>(request).await?);

security_scheme!([K: Clients, M: Mode] Customer<K, M>, if M::WRITES { K::WRITING } else { K::READING },
|request| customer::admit_customer::<K, M>(request).await?);

security_scheme!([K: Clients, M: Mode] Person<K, M>, if M::WRITES { K::WRITING } else { K::READING },
|request| customer::admit_person::<K, M>(request).await?);
