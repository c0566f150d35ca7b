//! The check of every request, and the extractors that carry its outcome into the handlers and the codes into the document.

use std::marker::PhantomData;

use poem::{Request, RequestBody};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ExtractParamOptions,
    registry::{MetaSecurityScheme, Registry},
};

use super::{Allowed, Caller, Mode, Permission, Place, Public, SignedIn, wrong_area};
use crate::{
    app::App,
    error::{Error, Result},
    http::Visit,
    params,
    session::ended,
    syslog::{Logged, SIGNED_IN, Slot},
    token::{self, Area},
};

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
        slot: request.extensions().get::<Slot>().cloned().unwrap_or_default(),
        app,
    };
    caller.slot.fill(Logged {
        code: wanted.code.unwrap_or(SIGNED_IN),
        operation: wanted.name.into(),
        logged: wanted.logged,
        actor: caller.actor(),
        school_id: caller.session.school_id,
        session_id: Some(caller.claims.jti),
    });
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
