//! 公众号: the API of an official account. Its access token is the provider's stable one, which every server gets the same, so that
//! no server invalidates another's; each remembers it until five minutes before its end, for all who use the account: template
//! messages here, menus and materials elsewhere (01 §9.9, 05 D4).

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::Duration,
};

pub use channel_rules::outcome::Outcome;
use channel_rules::wechat::{is_taken, refusal, token_is_over};
use infra::{App, Result, clock::Moment};
use reqwest::{
    RequestBuilder,
    multipart::{Form, Part},
};
use serde_json::{Value, json};
use settings::config::kinds::WechatConfig;

use crate::channel::{http, needed, unanswered};

/// Where the provider answers. Only a test has another place, and says so before the first call.
#[derive(Debug, Clone)]
pub struct WechatEndpoint(pub String);

impl Default for WechatEndpoint {
    fn default() -> Self {
        Self("https://api.weixin.qq.com".to_owned())
    }
}

/// Tokens with their ends, by application.
#[derive(Default)]
struct Tokens(Mutex<HashMap<String, (String, Moment)>>);

/// A file that goes to the provider.
#[derive(Debug, Clone)]
pub struct WechatFile {
    pub name: String,
    pub content_type: String,
    pub bytes: Vec<u8>,
    /// What stands beside it in the form, as a video's title.
    pub description: Option<String>,
}

/// An official account at the provider.
pub struct OfficialAccount {
    app_id: String,
    secret: String,
    base: String,
    tokens: Arc<Tokens>,
    client: reqwest::Client,
}

/// A file of some megabytes may take so long.
const UPLOAD_SECONDS: u64 = 120;

impl OfficialAccount {
    /// # Errors
    /// 409 for a config without the secret.
    pub fn new(app: &App, config: &WechatConfig) -> Result<Self> {
        Ok(Self {
            app_id: config.app_id.clone(),
            secret: needed(config.app_secret.as_ref(), "应用密钥")?,
            base: app.of_room(|_| WechatEndpoint::default()).0.clone(),
            tokens: app.of_room(|_| Tokens::default()),
            client: http()?,
        })
    }

    /// The access token, asked for when none is remembered.
    ///
    /// # Errors
    /// What the provider refuses it for.
    pub async fn token(&self, now: Moment) -> Result<String, Outcome> {
        let known = self.tokens.0.lock().expect("nothing panics while it holds the tokens").get(&self.app_id).cloned();
        if let Some((token, until)) = known
            && until > now
        {
            return Ok(token);
        }
        let asked = json!({ "grant_type": "client_credential", "appid": self.app_id, "secret": self.secret });
        let answer = answered(self.client.post(format!("{}/cgi-bin/stable_token", self.base)).json(&asked)).await?;
        let Some(token) = answer["access_token"].as_str() else { return Err(refusal(&answer)) };
        let seconds = answer["expires_in"].as_i64().unwrap_or(0) - 300;
        let until = now + chrono::Duration::seconds(seconds);
        self.tokens
            .0
            .lock()
            .expect("nothing panics while it holds the tokens")
            .insert(self.app_id.clone(), (token.to_owned(), until));
        Ok(token.to_owned())
    }

    fn forget(&self) {
        self.tokens.0.lock().expect("nothing panics while it holds the tokens").remove(&self.app_id);
    }

    async fn address(&self, now: Moment, path: &str) -> Result<(String, [(&'static str, String); 1]), Outcome> {
        let token = self.token(now).await?;
        Ok((format!("{}/cgi-bin/{path}", self.base), [("access_token", token)]))
    }

    /// Sends JSON to a path below `cgi-bin`; with a token that is over, once more with a new one.
    ///
    /// # Errors
    /// What the provider refuses it for.
    pub async fn post(&self, now: Moment, path: &str, body: &Value) -> Result<Value, Outcome> {
        let answer = self.post_once(now, path, body).await?;
        if !token_is_over(&answer) {
            return taken(answer);
        }
        self.forget();
        taken(self.post_once(now, path, body).await?)
    }

    async fn post_once(&self, now: Moment, path: &str, body: &Value) -> Result<Value, Outcome> {
        let (address, token) = self.address(now, path).await?;
        answered(self.client.post(address).query(&token).json(body)).await
    }

    /// Asks a path below `cgi-bin`; with a token that is over, once more with a new one.
    ///
    /// # Errors
    /// What the provider refuses it for.
    pub async fn get(&self, now: Moment, path: &str) -> Result<Value, Outcome> {
        let answer = self.get_once(now, path).await?;
        if !token_is_over(&answer) {
            return taken(answer);
        }
        self.forget();
        taken(self.get_once(now, path).await?)
    }

    async fn get_once(&self, now: Moment, path: &str) -> Result<Value, Outcome> {
        let (address, token) = self.address(now, path).await?;
        answered(self.client.get(address).query(&token)).await
    }

    /// Keeps a file at the provider as a permanent material of a kind.
    ///
    /// # Errors
    /// What the provider refuses it for.
    pub async fn keep(&self, now: Moment, kind: &str, file: &WechatFile) -> Result<Value, Outcome> {
        let answer = self.keep_once(now, kind, file).await?;
        if !token_is_over(&answer) {
            return taken(answer);
        }
        self.forget();
        taken(self.keep_once(now, kind, file).await?)
    }

    async fn keep_once(&self, now: Moment, kind: &str, file: &WechatFile) -> Result<Value, Outcome> {
        let (address, token) = self.address(now, "material/add_material").await?;
        let part = Part::bytes(file.bytes.clone()).file_name(file.name.clone());
        let part = part.mime_str(&file.content_type).map_err(|error| unanswered(&error))?;
        let mut form = Form::new().part("media", part);
        if let Some(description) = &file.description {
            form = form.text("description", description.clone());
        }
        let asked = self.client.post(address).query(&token).query(&[("type", kind)]).multipart(form);
        answered(asked.timeout(Duration::from_secs(UPLOAD_SECONDS))).await
    }
}

/// What came back, whatever it says.
async fn answered(asked: RequestBuilder) -> Result<Value, Outcome> {
    let answer = asked.send().await.map_err(|error| unanswered(&error))?;
    answer.json().await.map_err(|error| unanswered(&error))
}

fn taken(answer: Value) -> Result<Value, Outcome> {
    if is_taken(&answer) { Ok(answer) } else { Err(refusal(&answer)) }
}
