//! How the provider seals what it tells us, and how we seal what we answer: AES-256 in CBC mode, the key from 43 characters of the
//! config, the first half of it as IV, blocks of 32 bytes.
//!
//! ```text
//! 16 random bytes │ length of the message, 4 bytes │ message │ number of the application │ padding
//! ```
//! <https://developers.weixin.qq.com/doc/offiaccount/Message_Management/Message_encryption_and_decryption_instructions.html>

use aws_lc_rs::{
    cipher::{AES_256, DecryptingKey, DecryptionContext, EncryptingKey, EncryptionContext, UnboundCipherKey},
    iv::FixedLength,
};
use base64::{
    Engine, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
    prelude::BASE64_STANDARD,
};

const BLOCK: usize = 32;
const RANDOM: usize = 16;

/// Why something sealed is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    #[error("the key of the config is none")]
    Key,
    #[error("it is not sealed with this key")]
    Seal,
    #[error("it was sealed for another application")]
    OtherApplication,
}

/// The key of an official account's messages.
pub struct Seal {
    key: [u8; BLOCK],
}

/// The 43 characters may end in bits that are none of the key.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::RequireNone),
);

impl Seal {
    /// # Errors
    /// [`Broken::Key`] for anything but 43 characters of Base64.
    pub fn of(encoding_aes_key: &str) -> Result<Self, Broken> {
        let bytes = LENIENT.decode(encoding_aes_key).map_err(|_| Broken::Key)?;
        Ok(Self { key: bytes.try_into().map_err(|_| Broken::Key)? })
    }

    fn iv(&self) -> FixedLength<16> {
        let mut iv = [0; 16];
        iv.copy_from_slice(&self.key[..16]);
        FixedLength::from(iv)
    }

    fn bound(&self) -> Result<UnboundCipherKey, Broken> {
        UnboundCipherKey::new(&AES_256, &self.key).map_err(|_| Broken::Key)
    }

    /// What was sealed for an application.
    ///
    /// # Errors
    /// [`Broken::Seal`] and [`Broken::OtherApplication`].
    pub fn open(&self, sealed: &str, app_id: &str) -> Result<String, Broken> {
        let mut bytes = BASE64_STANDARD.decode(sealed).map_err(|_| Broken::Seal)?;
        if bytes.is_empty() || bytes.len() % 16 != 0 {
            return Err(Broken::Seal);
        }
        let key = DecryptingKey::cbc(self.bound()?).map_err(|_| Broken::Key)?;
        let plain = key.decrypt(&mut bytes, DecryptionContext::Iv128(self.iv())).map_err(|_| Broken::Seal)?;
        let padding = usize::from(*plain.last().ok_or(Broken::Seal)?);
        let end = plain.len().checked_sub(padding).filter(|_| (1..=BLOCK).contains(&padding)).ok_or(Broken::Seal)?;
        let content = plain.get(RANDOM..end).ok_or(Broken::Seal)?;
        let (length, rest) = content.split_at_checked(4).ok_or(Broken::Seal)?;
        let length = u32::from_be_bytes(length.try_into().map_err(|_| Broken::Seal)?);
        let length = usize::try_from(length).map_err(|_| Broken::Seal)?;
        let (message, of) = rest.split_at_checked(length).ok_or(Broken::Seal)?;
        if of != app_id.as_bytes() {
            return Err(Broken::OtherApplication);
        }
        String::from_utf8(message.to_vec()).map_err(|_| Broken::Seal)
    }

    /// Seals a message for an application.
    ///
    /// # Errors
    /// [`Broken`] only when the cipher cannot be had.
    pub fn close(&self, message: &str, app_id: &str, random: [u8; RANDOM]) -> Result<String, Broken> {
        let length = u32::try_from(message.len()).map_err(|_| Broken::Seal)?;
        let mut bytes = random.to_vec();
        bytes.extend_from_slice(&length.to_be_bytes());
        bytes.extend_from_slice(message.as_bytes());
        bytes.extend_from_slice(app_id.as_bytes());
        let padding = BLOCK - bytes.len() % BLOCK;
        bytes.resize(bytes.len() + padding, u8::try_from(padding).map_err(|_| Broken::Seal)?);
        let key = EncryptingKey::cbc(self.bound()?).map_err(|_| Broken::Key)?;
        key.less_safe_encrypt(&mut bytes, EncryptionContext::Iv128(self.iv())).map_err(|_| Broken::Seal)?;
        Ok(BASE64_STANDARD.encode(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG";
    const APP: &str = "wx1234567890abcdef";

    #[test]
    fn what_is_sealed_is_opened_again() {
        let seal = Seal::of(KEY).expect("a key");
        for message in ["", "你好", &"长".repeat(700)] {
            let sealed = seal.close(message, APP, [7; 16]).expect("sealed");
            assert_eq!(seal.open(&sealed, APP).as_deref(), Ok(message));
        }
    }

    #[test]
    fn nothing_else_is_opened() {
        let seal = Seal::of(KEY).expect("a key");
        let sealed = seal.close("你好", APP, [7; 16]).expect("sealed");
        assert_eq!(seal.open(&sealed, "wx0000000000000000"), Err(Broken::OtherApplication));
        let other = Seal::of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789abcdefg").expect("a key");
        assert!(other.open(&sealed, APP).is_err());
        for broken in ["", "!", "AAAA", &sealed[..24]] {
            assert!(seal.open(broken, APP).is_err(), "{broken}");
        }
        assert!(Seal::of("short").is_err());
    }
}
