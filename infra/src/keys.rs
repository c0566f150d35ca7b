//! The deployment's keys: RSA for passwords on the wire, Ed25519 for tokens, HMAC for signatures of our own, AES for
//! secrets at rest.
//!
//! They stand in `platform.server_key`, sealed with AES-256-GCM under a master key that is never in the database,
//! so that all servers of a deployment share them.

use std::{
    path::Path,
    sync::{Arc, RwLock},
};

use aws_lc_rs::{
    aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey},
    digest, hmac,
    signature::{Ed25519KeyPair, KeyPair},
};
use base64::{Engine, prelude::BASE64_STANDARD};
use rsa::{
    Oaep, RsaPrivateKey,
    pkcs8::{DecodePrivateKey, EncodePrivateKey, EncodePublicKey},
    traits::PublicKeyParts,
};
use sha2::Sha256;
use sqlx::PgConnection;

use crate::{
    clock::{Moment, Random},
    error::{Error, Result},
};

/// The former RSA key still decrypts for this long after a rotation (01 §1.4.3).
const FORMER_KEY_HOURS: i64 = 24;

/// Seals what is at rest. 32 bytes from `CHENGJIAO_MASTER_KEY` (Base64) or the file `master.key`.
#[derive(Clone)]
pub struct MasterKey(Arc<LessSafeKey>);

impl MasterKey {
    /// # Errors
    /// A sentence for the operator when the text is not 32 bytes in Base64.
    pub fn from_base64(text: &str) -> Result<Self, String> {
        let bytes = BASE64_STANDARD.decode(text.trim()).map_err(|_| "the master key is not Base64".to_owned())?;
        Self::from_bytes(&bytes)
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let key = UnboundKey::new(&AES_256_GCM, bytes).map_err(|_| "the master key must have 32 bytes".to_owned())?;
        Ok(Self(Arc::new(LessSafeKey::new(key))))
    }

    /// Reads the key's file, or makes it, readable by its owner alone.
    ///
    /// # Errors
    /// A sentence for the operator when the file can be neither read nor made.
    pub fn from_file(path: &Path, random: &Random) -> Result<Self, String> {
        use std::{io::Write, os::unix::fs::OpenOptionsExt};
        match std::fs::read_to_string(path) {
            Ok(text) => Self::from_base64(&text),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let text = BASE64_STANDARD.encode(random.bytes::<32>());
                let written = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path).and_then(
                    |mut file| {
                        file.write_all(text.as_bytes())?;
                        file.sync_all()
                    },
                );
                match written {
                    Ok(()) => Self::from_base64(&text),
                    // Another server made it in the same moment.
                    Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Self::from_file(path, random),
                    Err(error) => Err(format!("cannot write {}: {error}", path.display())),
                }
            }
            Err(error) => Err(format!("cannot read {}: {error}", path.display())),
        }
    }

    fn seal(&self, random: &Random, plain: &[u8]) -> Result<Vec<u8>> {
        let nonce: [u8; NONCE_LEN] = random.bytes();
        let mut sealed = plain.to_vec();
        self.0
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::empty(), &mut sealed)
            .map_err(Error::internal)?;
        Ok([nonce.as_slice(), &sealed].concat())
    }

    fn open(&self, sealed: &[u8]) -> Result<Vec<u8>, String> {
        let wrong = || "a key in platform.server_key was sealed with another master key".to_owned();
        let (nonce, body) = sealed.split_at_checked(NONCE_LEN).ok_or_else(wrong)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| wrong())?;
        let mut body = body.to_vec();
        let plain = self.0.open_in_place(nonce, Aad::empty(), &mut body).map_err(|_| wrong())?;
        Ok(plain.to_vec())
    }
}

struct Open {
    rsa: RsaPrivateKey,
    former_rsa: Option<RsaPrivateKey>,
    public_key: String,
    token_pkcs8: Vec<u8>,
    token_public: Vec<u8>,
    token_kid: String,
    hmac: hmac::Key,
    data: MasterKey,
}

/// The opened keys of this server.
#[derive(Clone)]
pub struct Keys(Arc<RwLock<Arc<Open>>>);

impl Keys {
    /// Makes missing keys, reads all. Two servers that start together agree: the second one's insert does nothing.
    ///
    /// # Errors
    /// A sentence for the operator: the database is away, or the master key is another one.
    pub async fn load(
        connection: &mut PgConnection,
        master: &MasterKey,
        random: &Random,
        now: Moment,
    ) -> Result<Self, String> {
        for purpose in ["rsa", "token", "hmac", "data"] {
            let exists = sqlx::query_scalar!(
                r#"select exists (select from platform.server_key where purpose = $1 and retired_at is null) as "exists!""#,
                purpose
            )
            .fetch_one(&mut *connection)
            .await
            .map_err(|error| error.to_string())?;
            if !exists {
                let fresh = make(purpose, random)?;
                let sealed = master.seal(random, &fresh).map_err(|error| error.to_string())?;
                sqlx::query!(
                    "insert into platform.server_key (purpose, sealed, created_at) values ($1, $2, $3)
                     on conflict (purpose) where retired_at is null do nothing",
                    purpose,
                    sealed,
                    now
                )
                .execute(&mut *connection)
                .await
                .map_err(|error| error.to_string())?;
            }
        }
        let former_since = now - chrono::Duration::hours(FORMER_KEY_HOURS);
        let rows = sqlx::query!(
            r#"select purpose, sealed, retired_at is null as "current!" from platform.server_key
               where retired_at is null or (purpose = 'rsa' and retired_at > $1)
               order by retired_at desc nulls first"#,
            former_since
        )
        .fetch_all(&mut *connection)
        .await
        .map_err(|error| error.to_string())?;
        let found = |purpose: &str, current: bool| {
            rows.iter()
                .find(|row| row.purpose == purpose && row.current == current)
                .map(|row| master.open(&row.sealed))
                .transpose()
        };
        let missing = || "platform.server_key lacks a key".to_owned();
        let rsa = private_key(&found("rsa", true)?.ok_or_else(missing)?)?;
        let former_rsa = found("rsa", false)?.map(|der| private_key(&der)).transpose()?;
        let token_pkcs8 = found("token", true)?.ok_or_else(missing)?;
        let pair = Ed25519KeyPair::from_pkcs8(&token_pkcs8).map_err(|error| error.to_string())?;
        let token_public = pair.public_key().as_ref().to_vec();
        let public_der = rsa.to_public_key().to_public_key_der().map_err(|error| error.to_string())?;
        let open = Open {
            public_key: BASE64_STANDARD.encode(public_der.as_bytes()),
            rsa,
            former_rsa,
            token_kid: crate::migrate::hex(&digest::digest(&digest::SHA256, &token_public).as_ref()[..8]),
            token_pkcs8,
            token_public,
            hmac: hmac::Key::new(hmac::HMAC_SHA256, &found("hmac", true)?.ok_or_else(missing)?),
            data: MasterKey::from_bytes(&found("data", true)?.ok_or_else(missing)?)?,
        };
        Ok(Self(Arc::new(RwLock::new(Arc::new(open)))))
    }

    fn open(&self) -> Arc<Open> {
        Arc::clone(&self.0.read().expect("nothing panics while it holds the keys"))
    }

    /// Base64 SPKI of the deployment's RSA key, for website info.
    pub fn public_key(&self) -> String {
        self.open().public_key.clone()
    }

    /// The password inside a Base64 RSA-OAEP-SHA-256 cipher text; the former key is tried too.
    ///
    /// # Errors
    /// 422 for anything else, a clear-text password included (01 §1.4.3).
    pub async fn decrypt(&self, cipher: &str, random: &Random) -> Result<String> {
        let refused = || Error::refused("密码解密失败，请刷新页面后重试");
        let open = self.open();
        let bytes = BASE64_STANDARD.decode(cipher.trim()).map_err(|_| refused())?;
        if bytes.len() != open.rsa.size() {
            return Err(refused());
        }
        let seed = random.bytes();
        let plain = tokio::task::spawn_blocking(move || {
            let mut rng = <rand_chacha::ChaCha20Rng as rand_chacha::rand_core::SeedableRng>::from_seed(seed);
            std::iter::once(&open.rsa)
                .chain(&open.former_rsa)
                .find_map(|key| key.decrypt_blinded(&mut rng, Oaep::<Sha256>::new(), &bytes).ok())
        })
        .await
        .map_err(Error::internal)?;
        String::from_utf8(plain.ok_or_else(refused)?).map_err(|_| refused())
    }

    /// Seals secrets that rows keep (01 §3.2.1), under a data key that the master key wraps.
    pub fn seal(&self, random: &Random, plain: &[u8]) -> Result<Vec<u8>> {
        self.open().data.seal(random, plain)
    }

    /// What [`Keys::seal`] sealed.
    ///
    /// # Errors
    /// Internal, when it was sealed under another key.
    pub fn unseal(&self, sealed: &[u8]) -> Result<Vec<u8>> {
        self.open().data.open(sealed).map_err(Error::internal)
    }

    /// HMAC-SHA-256 under the deployment's own key.
    pub fn sign(&self, message: &[u8]) -> Vec<u8> {
        hmac::sign(&self.open().hmac, message).as_ref().to_vec()
    }

    pub fn signature_is_right(&self, message: &[u8], signature: &[u8]) -> bool {
        hmac::verify(&self.open().hmac, message, signature).is_ok()
    }

    pub(crate) fn token_signing(&self) -> (String, Vec<u8>) {
        let open = self.open();
        (open.token_kid.clone(), open.token_pkcs8.clone())
    }

    pub(crate) fn token_public(&self) -> Vec<u8> {
        self.open().token_public.clone()
    }
}

fn make(purpose: &str, random: &Random) -> Result<Vec<u8>, String> {
    match purpose {
        "rsa" => {
            let mut rng = <rand_chacha::ChaCha20Rng as rand_chacha::rand_core::SeedableRng>::from_seed(random.bytes());
            let key = RsaPrivateKey::new(&mut rng, 2048).map_err(|error| error.to_string())?;
            Ok(key.to_pkcs8_der().map_err(|error| error.to_string())?.as_bytes().to_vec())
        }
        "token" => {
            // Made from our own random numbers, so that tests are the same each time.
            let pair = Ed25519KeyPair::from_seed_unchecked(&random.bytes::<32>()).map_err(|error| error.to_string())?;
            Ok(pair.to_pkcs8().map_err(|error| error.to_string())?.as_ref().to_vec())
        }
        _ => Ok(random.bytes::<32>().to_vec()),
    }
}

fn private_key(der: &[u8]) -> Result<RsaPrivateKey, String> {
    RsaPrivateKey::from_pkcs8_der(der).map_err(|error| error.to_string())
}
