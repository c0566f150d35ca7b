//! How a plugin begins: the starter's environment, a socket with mutual TLS, and one line on standard output.
//!
//! ```text
//! TF_PLUGIN_MAGIC_COOKIE   a fixed public text: somebody started us who knows what we are
//! PLUGIN_CLIENT_CERT       the only client that may connect
//! PLUGIN_UNIX_SOCKET_DIR   where the socket is to be
//! → 1|6|unix|<path>|grpc|<our certificate>
//! ```
//! Nothing else is ever printed to standard output. An interrupt is not for us: it reaches the whole process group,
//! and the starter tells us by a call when something is to end early; a plugin that died of it would lose what it just
//! made.

use std::{
    fs, io,
    os::unix::fs::{DirBuilderExt, PermissionsExt},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
};

use base64::{Engine, prelude::BASE64_STANDARD_NO_PAD};
use rcgen::{BasicConstraints, CertificateParams, IsCa, KeyPair};
use rustls::{
    CertificateError, DigitallySignedStruct, DistinguishedName, Error as TlsError, ServerConfig, SignatureScheme,
    client::danger::HandshakeSignatureValid,
    crypto::{CryptoProvider, aws_lc_rs, verify_tls12_signature, verify_tls13_signature},
    pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, UnixTime, pem::PemObject},
    server::danger::{ClientCertVerified, ClientCertVerifier},
};
use tokio::{
    net::UnixListener,
    signal::unix::{SignalKind, signal},
    sync::watch,
};
use tokio_rustls::TlsAcceptor;

use super::{provider::Provider, random, server};

const COOKIE: (&str, &str) =
    ("TF_PLUGIN_MAGIC_COOKIE", "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2");
const CLIENT: &str = "PLUGIN_CLIENT_CERT";
const VERSIONS: &str = "PLUGIN_PROTOCOL_VERSIONS";
const FOLDER: &str = "PLUGIN_UNIX_SOCKET_DIR";
/// Of this protocol.
const VERSION: &str = "6";
/// Characters of a socket's path, with the zero at its end.
const LONGEST: usize = 107;

/// What the starter told us.
#[derive(Debug, PartialEq, Eq)]
pub struct Asked {
    /// DER of the only client.
    client: Vec<u8>,
    folder: PathBuf,
}

/// # Errors
/// One sentence, when nobody who speaks the protocol started us.
fn asked(name: &str, variable: impl Fn(&str) -> Option<String>) -> Result<Asked, String> {
    if variable(COOKIE.0).as_deref() != Some(COOKIE.1) {
        return Err(format!("{name} is a plugin: Terraform starts it, it is not to be run by hand."));
    }
    if let Some(versions) = variable(VERSIONS)
        && !versions.split(',').any(|version| version.trim() == VERSION)
    {
        return Err(format!("{name} needs Terraform 1.0 or newer (plugin protocol {VERSION}; offered: {versions})."));
    }
    let pem = variable(CLIENT).filter(|pem| !pem.is_empty()).ok_or_else(|| {
        format!("{name} only speaks to a client with a certificate: unset TF_DISABLE_PLUGIN_TLS and run again.")
    })?;
    let client = CertificateDer::from_pem_slice(pem.as_bytes())
        .map_err(|error| format!("{CLIENT} is no certificate: {error}."))?;
    let folder = variable(FOLDER).filter(|folder| !folder.is_empty()).map_or_else(std::env::temp_dir, PathBuf::from);
    Ok(Asked { client: client.to_vec(), folder })
}

/// Runs the plugin until the starter ends it.
pub fn main<P: Provider>(name: &str, provider: impl FnOnce() -> P) -> ExitCode {
    let outcome = asked(name, |variable| std::env::var(variable).ok()).and_then(|asked| {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .map_err(|error| format!("{name} cannot start: {error}."))?;
        runtime
            .block_on(run(&asked, Arc::new(provider())))
            .map_err(|error| format!("{name} cannot listen in {}: {error}.", asked.folder.display()))
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("{sentence}");
            ExitCode::FAILURE
        }
    }
}

/// The folder of the socket; it goes with the plugin.
struct Folder(PathBuf);

impl Folder {
    /// For this user alone, whatever the mask says.
    fn new(parent: &Path) -> io::Result<Self> {
        let name = random::hex::<6>().map_err(|error| io::Error::other(error.to_string()))?;
        let path = parent.join(format!("plugin-{name}"));
        fs::DirBuilder::new().mode(0o700).create(&path)?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o700))?;
        Ok(Self(path))
    }

    fn socket(&self) -> PathBuf {
        self.0.join("socket")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.0) {
            eprintln!("[WARN] {} stays behind: {error}", self.0.display());
        }
    }
}

/// In the folder that was asked for, or beside it where its path is too long for a socket.
fn folder(asked: &Path) -> io::Result<Folder> {
    let folder = Folder::new(asked)?;
    if folder.socket().as_os_str().len() <= LONGEST { Ok(folder) } else { Folder::new(Path::new("/tmp")) }
}

async fn run<P: Provider>(asked: &Asked, provider: Arc<P>) -> io::Result<()> {
    let (certificate, key) = certificate().map_err(io::Error::other)?;
    let tls = TlsAcceptor::from(Arc::new(tls(asked, certificate.clone(), key).map_err(io::Error::other)?));
    let folder = folder(&asked.folder)?;
    let listener = UnixListener::bind(folder.socket())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    announce(&folder.socket(), &certificate)?;
    let (shutdown, mut ending) = watch::channel(false);
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                let (stream, _) = accepted?;
                let (tls, provider, shutdown) = (tls.clone(), provider.clone(), shutdown.clone());
                tokio::spawn(async move {
                    match tls.accept(stream).await {
                        Ok(stream) => server::serve(stream, provider, shutdown).await,
                        Err(error) => eprintln!("[WARN] a client was refused: {error}"),
                    }
                });
            }
            // Swallowed: see above.
            _ = interrupt.recv() => {}
            _ = terminate.recv() => break,
            _ = ending.wait_for(|ends| *ends) => break,
        }
    }
    // The answer to the call that ends us is still on its way.
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    Ok(())
}

/// The one line.
fn announce(socket: &Path, certificate: &CertificateDer<'_>) -> io::Result<()> {
    use io::Write;
    let mut out = io::stdout().lock();
    writeln!(out, "1|{VERSION}|unix|{}|grpc|{}", socket.display(), BASE64_STANDARD_NO_PAD.encode(certificate))?;
    out.flush()
}

/// A certificate for this process alone. It is its own authority: the starter puts it among its roots.
fn certificate() -> Result<(CertificateDer<'static>, PrivateKeyDer<'static>), rcgen::Error> {
    let key = KeyPair::generate()?;
    let mut params = CertificateParams::new(vec!["localhost".to_owned()])?;
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let certificate = params.self_signed(&key)?;
    Ok((certificate.der().clone(), PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()))))
}

fn tls(
    asked: &Asked,
    certificate: CertificateDer<'static>,
    key: PrivateKeyDer<'static>,
) -> Result<ServerConfig, TlsError> {
    let crypto = Arc::new(aws_lc_rs::default_provider());
    let pinned = Pinned { client: asked.client.clone(), crypto: crypto.clone() };
    let mut config = ServerConfig::builder_with_provider(crypto)
        .with_safe_default_protocol_versions()?
        .with_client_cert_verifier(Arc::new(pinned))
        .with_single_cert(vec![certificate], key)?;
    config.alpn_protocols = vec![b"h2".to_vec()];
    Ok(config)
}

/// The client is the one whose certificate we were given: the same bytes, and whoever holds its key.
///
/// A chain is not looked at, as it is its own authority and would be refused as a leaf.
#[derive(Debug)]
struct Pinned {
    client: Vec<u8>,
    crypto: Arc<CryptoProvider>,
}

impl ClientCertVerifier for Pinned {
    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        &[]
    }

    fn verify_client_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _now: UnixTime,
    ) -> Result<ClientCertVerified, TlsError> {
        if end_entity.as_ref() == self.client {
            Ok(ClientCertVerified::assertion())
        } else {
            Err(TlsError::InvalidCertificate(CertificateError::ApplicationVerificationFailure))
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        verify_tls12_signature(message, cert, dss, &self.crypto.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        verify_tls13_signature(message, cert, dss, &self.crypto.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.crypto.signature_verification_algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pem() -> String {
        let (der, _) = certificate().expect("a certificate");
        let lines = base64::prelude::BASE64_STANDARD.encode(&der);
        format!("-----BEGIN CERTIFICATE-----\n{lines}\n-----END CERTIFICATE-----\n")
    }

    fn told(set: &[(&str, &str)]) -> Result<Asked, String> {
        asked("a-plugin", |name| set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn whoever_starts_it_by_hand_is_told_one_sentence() {
        let sentence = "a-plugin is a plugin: Terraform starts it, it is not to be run by hand.";
        assert_eq!(told(&[]).expect_err("no cookie"), sentence);
        assert_eq!(told(&[(COOKIE.0, "else")]).expect_err("another cookie"), sentence);
    }

    #[test]
    fn without_a_client_certificate_or_its_protocol_it_does_not_begin() {
        assert!(told(&[COOKIE]).expect_err("no certificate").contains("TF_DISABLE_PLUGIN_TLS"));
        let pem = pem();
        assert!(told(&[COOKIE, (CLIENT, &pem), (VERSIONS, "5")]).expect_err("too old").contains("offered: 5"));
        let begun = told(&[COOKIE, (CLIENT, &pem), (VERSIONS, "5,6"), (FOLDER, "/run/x")]).expect("all is there");
        assert_eq!(begun.folder, PathBuf::from("/run/x"));
        assert!(told(&[COOKIE, (CLIENT, "-----BEGIN")]).is_err());
    }

    #[test]
    fn only_the_client_that_was_named_is_let_in() {
        let (named, key) = certificate().expect("a certificate");
        let (other, _) = certificate().expect("a certificate");
        let asked = Asked { client: named.to_vec(), folder: PathBuf::new() };
        let crypto = Arc::new(aws_lc_rs::default_provider());
        let pinned = Pinned { client: asked.client.clone(), crypto };
        let now = UnixTime::since_unix_epoch(std::time::Duration::ZERO);
        assert!(pinned.client_auth_mandatory());
        assert!(pinned.verify_client_cert(&named, &[], now).is_ok());
        assert!(pinned.verify_client_cert(&other, &[], now).is_err());
        assert_eq!(tls(&asked, named, key).expect("a configuration").alpn_protocols, [b"h2"]);
    }

    #[test]
    fn the_folder_is_for_its_user_alone_and_goes_with_it() {
        let folder = Folder::new(&std::env::temp_dir()).expect("a folder");
        let path = folder.0.clone();
        assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o700);
        drop(folder);
        assert!(!path.exists());
    }
}
