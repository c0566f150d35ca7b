//! RSA with SHA-256, as both providers sign. Keys are Base64, with or without the lines around them.

use aws_lc_rs::{
    rand::SystemRandom,
    rsa::KeyPair,
    signature::{ParsedPublicKey, RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_SHA256},
};
use base64::{Engine, prelude::BASE64_STANDARD};

fn bytes_of(key: &str) -> Option<Vec<u8>> {
    let body: String = key.lines().filter(|line| !line.starts_with("-----")).flat_map(str::split_whitespace).collect();
    BASE64_STANDARD.decode(body).ok()
}

/// The signature in Base64; none for a key that is none. (The padding takes no random numbers.)
pub fn signed(private_key: &str, message: &str) -> Option<String> {
    let der = bytes_of(private_key)?;
    let pair = KeyPair::from_pkcs8(&der).or_else(|_| KeyPair::from_der(&der)).ok()?;
    let mut signature = vec![0; pair.public_modulus_len()];
    pair.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), message.as_bytes(), &mut signature).ok()?;
    Some(BASE64_STANDARD.encode(signature))
}

/// Whether the holder of the key signed this.
pub fn is_signed(public_key: &str, message: &[u8], signature: &str) -> bool {
    let checked = || {
        let key = ParsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, bytes_of(public_key)?).ok()?;
        key.verify_sig(message, &BASE64_STANDARD.decode(signature).ok()?).ok()
    };
    checked().is_some()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use aws_lc_rs::{
        encoding::{AsDer, Pkcs8V1Der, PublicKeyX509Der},
        rsa::KeySize,
        signature::KeyPair as _,
    };

    /// A pair of keys as they are typed.
    pub(crate) fn pair() -> (String, String) {
        let pair = KeyPair::generate(KeySize::Rsa2048).expect("a pair");
        let private: Pkcs8V1Der<'_> = pair.as_der().expect("a private key");
        let public: PublicKeyX509Der<'_> = pair.public_key().as_der().expect("a public key");
        let private = BASE64_STANDARD.encode(private.as_ref());
        let public = BASE64_STANDARD.encode(public.as_ref());
        (format!("-----BEGIN PRIVATE KEY-----\n{private}\n-----END PRIVATE KEY-----"), public)
    }

    #[test]
    fn what_one_key_signs_the_other_knows() {
        let ((private, public), (_, stranger)) = (pair(), pair());
        let signature = signed(&private, "一笔付款").expect("a signature");
        assert!(is_signed(&public, "一笔付款".as_bytes(), &signature));
        assert!(!is_signed(&public, "两笔付款".as_bytes(), &signature));
        assert!(!is_signed(&stranger, "一笔付款".as_bytes(), &signature));
        assert!(!is_signed("nonsense", b"", &signature) && signed("nonsense", "").is_none());
    }
}
