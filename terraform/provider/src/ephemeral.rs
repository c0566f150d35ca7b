//! Ephemeral resources: machine tokens that live as long as a run and stand in no state.
//!
//! The server lets people issue tokens, and no token: the provider that opens one has a person's session as its token.

use serde_json::json;

use crate::{
    api::{Api, Call, number, random_key, text},
    data::Described,
    failure::{Failure, Result},
    protocol::{
        diagnostic::Diagnostic,
        schema::{Attribute, Type, attribute},
        value::{Object, Value},
    },
};

const SAVE: &str = "/system/pc/sys/machineToken/save";
const DELETE: &str = "/system/pc/sys/machineToken/delete";

/// What all tokens have.
fn token(asked: Attribute) -> Vec<Attribute> {
    let ends = "When it ends even if the run does not: RFC 3339, such as timeadd(timestamp(), \"1h\").";
    vec![
        asked,
        attribute("permissions", Type::TextSet, "What it may do; never more than who issues it.").required(),
        attribute("expires_at", Type::Text, ends).required(),
        attribute("token", Type::Text, "The token.").read_only().sensitive(),
        attribute("id", Type::Text, "The server's number of it.").read_only(),
    ]
}

pub fn all() -> Vec<Described> {
    vec![
        Described {
            name: "school_token",
            says: "A token for one school, ended with the run.",
            attributes: token(attribute("school_code", Type::Text, "Code of the school.").required()),
        },
        Described {
            name: "school_api_token",
            says: "A token for several schools, ended with the run.",
            attributes: token(attribute(
                "school_codes",
                Type::TextSet,
                "Codes of the schools; left out, all that one may act for.",
            )),
        },
    ]
}

/// Issues a token; the second of the answer is by what it is ended.
///
/// # Errors
/// Those of the call.
pub async fn open(api: &Api, name: &str, config: Object) -> Result<(Object, Vec<u8>)> {
    let value = |name: &str| config.get(name).cloned().unwrap_or_default();
    let codes = match name {
        "school_token" => vec![value("school_code")],
        "school_api_token" => value("school_codes").as_list().to_vec(),
        _ => return Err(Failure::Told(Diagnostic::error(format!("There is no ephemeral resource {name}")))),
    };
    let is_for_all = name == "school_api_token" && value("school_codes").is_null();
    if codes.is_empty() && !is_for_all {
        let told = Diagnostic::error("A token for no school").at("school_codes");
        return Err(Failure::Told(told.detail("An empty set is not all schools: leave `school_codes` out for those.")));
    }
    let mut schools = Vec::with_capacity(codes.len());
    for code in &codes {
        schools.push(api.school(code.as_text().unwrap_or_default()).await?);
    }
    let key = random_key()?;
    let form = json!({
        "name": format!("terraform {}", &key[..12]), "remark": name,
        "permissionCodes": value("permissions").json(), "expiresAt": value("expires_at").json(),
        "schoolScope": if is_for_all { "all" } else { "listed" }, "schoolIds": schools,
    });
    // Without a key: an answer that is lost cannot be had again, as the secret is shown once.
    let answer = api.send(Call::post(SAVE, form)).await?;
    let id = number(&answer, "id")?.to_string();
    let mut result = config;
    result.insert("token".to_owned(), Value::Text(text(&answer, "secret")?.to_owned()));
    result.insert("id".to_owned(), Value::Text(id.clone()));
    Ok((result, id.into_bytes()))
}

/// Ends a token.
///
/// # Errors
/// Those of the call; one that is gone is ended.
pub async fn close(api: &Api, private: &[u8]) -> Result<()> {
    let id = String::from_utf8_lossy(private);
    match api.send(Call::delete(DELETE).with("id", id)).await {
        Err(failure) if !failure.is_gone() => Err(failure),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_filter_that_found_no_school_gives_no_token_for_all() {
        let (_, stop) = tokio::sync::watch::channel(true);
        let api = Api::new("http://127.0.0.1:9", String::new(), "t", stop).expect("an address");
        let config = |codes: Value| Object::from([("school_codes".to_owned(), codes)]);
        let failure = open(&api, "school_api_token", config(Value::List(Vec::new()))).await.expect_err("no school");
        let Failure::Told(told) = failure else { panic!("it is seen here: {failure:?}") };
        assert_eq!(told.path, Diagnostic::error("").at("school_codes").path);
        // Left out it is asked of the server, which is not there.
        let failure = open(&api, "school_api_token", config(Value::Null)).await.expect_err("no server");
        assert!(matches!(failure, Failure::Unreachable(_)), "{failure:?}");
    }
}
