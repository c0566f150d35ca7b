//! The built provider, spoken to as its starter does: needs no Terraform.

use std::{
    io::{BufRead, BufReader, Read},
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::Arc,
};

use base64::{Engine, prelude::*};
use bytes::{BufMut, Bytes, BytesMut};
use http_body_util::{BodyExt, Full};
use hyper::{Request, client::conn::http2};
use hyper_util::rt::{TokioExecutor, TokioIo};
use prost::Message;
use provider::protocol::{pb, value::Value};
use rcgen::{BasicConstraints, CertificateParams, IsCa, KeyPair};
use rustls::{
    ClientConfig, DigitallySignedStruct, Error as TlsError, SignatureScheme,
    client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    crypto::{CryptoProvider, aws_lc_rs, verify_tls12_signature, verify_tls13_signature},
    pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, ServerName, UnixTime},
};
use tokio::net::UnixStream;
use tokio_rustls::TlsConnector;

const COOKIE: (&str, &str) =
    ("TF_PLUGIN_MAGIC_COOKIE", "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2");

/// The provider that is built beside this test.
fn program() -> PathBuf {
    let test = std::env::current_exe().expect("this executable");
    test.ancestors().nth(2).expect("target/debug").join("terraform-provider-school")
}

/// A certificate of the starter: P-521, its own authority.
struct Identity {
    certificate: CertificateDer<'static>,
    key: PrivateKeyDer<'static>,
}

impl Identity {
    fn new() -> Self {
        let key = KeyPair::generate_for(&rcgen::PKCS_ECDSA_P521_SHA512).expect("a key");
        let mut params = CertificateParams::new(vec!["localhost".to_owned()]).expect("a name");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let certificate = params.self_signed(&key).expect("signed").der().clone();
        Self { certificate, key: PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der())) }
    }

    fn pem(&self) -> String {
        let text = BASE64_STANDARD.encode(&self.certificate);
        format!("-----BEGIN CERTIFICATE-----\n{text}\n-----END CERTIFICATE-----\n")
    }
}

/// A provider that runs; it is ended with the test.
struct Started {
    child: Child,
    socket: String,
    certificate: Vec<u8>,
}

impl Drop for Started {
    fn drop(&mut self) {
        // One that ended by itself is not there to be ended.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn command() -> Command {
    let mut command = Command::new(program());
    command.env_clear().stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn start(identity: &Identity) -> Started {
    let mut child = command()
        .env(COOKIE.0, COOKIE.1)
        .env("PLUGIN_PROTOCOL_VERSIONS", "5,6")
        .env("PLUGIN_CLIENT_CERT", identity.pem())
        .spawn()
        .expect("it starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
    let parts: Vec<&str> = line.trim_end().split('|').collect();
    assert_eq!((parts.len(), &parts[..3], parts[4]), (6, &["1", "6", "unix"][..], "grpc"), "{line}");
    let certificate = BASE64_STANDARD_NO_PAD.decode(parts[5]).expect("Base64 without padding");
    Started { child, socket: parts[3].to_owned(), certificate }
}

/// The server is the one whose certificate stood in the line.
#[derive(Debug)]
struct Pinned(Vec<u8>, Arc<CryptoProvider>);

impl ServerCertVerifier for Pinned {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, TlsError> {
        assert_eq!(end_entity.as_ref(), self.0);
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        verify_tls12_signature(message, cert, dss, &self.1.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        verify_tls13_signature(message, cert, dss, &self.1.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.1.signature_verification_algorithms.supported_schemes()
    }
}

type Sender = http2::SendRequest<Full<Bytes>>;

async fn connect(started: &Started, identity: Option<&Identity>) -> Result<Sender, String> {
    let crypto = Arc::new(aws_lc_rs::default_provider());
    let builder = ClientConfig::builder_with_provider(crypto.clone())
        .with_safe_default_protocol_versions()
        .expect("versions")
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(Pinned(started.certificate.clone(), crypto)));
    let mut config = match identity {
        Some(identity) => builder
            .with_client_auth_cert(vec![identity.certificate.clone()], identity.key.clone_key())
            .expect("a key that fits"),
        None => builder.with_no_client_auth(),
    };
    config.alpn_protocols = vec![b"h2".to_vec()];
    let stream = UnixStream::connect(&started.socket).await.expect("it listens");
    let name = ServerName::try_from("localhost").expect("a name");
    let stream = TlsConnector::from(Arc::new(config)).connect(name, stream).await.map_err(|error| error.to_string())?;
    let (sender, connection) =
        http2::handshake(TokioExecutor::new(), TokioIo::new(stream)).await.map_err(|error| error.to_string())?;
    tokio::spawn(async move { drop(connection.await) });
    Ok(sender)
}

/// The message of an answer, or the status.
async fn call(sender: &mut Sender, path: &str, message: &[u8]) -> Result<Vec<u8>, String> {
    let mut frame = BytesMut::new();
    frame.put_u8(0);
    frame.put_u32(u32::try_from(message.len()).expect("small"));
    frame.put_slice(message);
    let request = Request::post(format!("https://localhost{path}"))
        .header("content-type", "application/grpc")
        .header("te", "trailers")
        .body(Full::new(frame.freeze()))
        .expect("a request");
    let response = sender.send_request(request).await.map_err(|error| error.to_string())?;
    assert_eq!(response.headers()["content-type"], "application/grpc");
    let body = response.into_body().collect().await.map_err(|error| error.to_string())?;
    let trailers = body.trailers().cloned().expect("trailers");
    match trailers["grpc-status"].to_str().expect("a number") {
        "0" => Ok(body.to_bytes()[5..].to_vec()),
        status => Err(status.to_owned()),
    }
}

async fn schemas(sender: &mut Sender) -> pb::SchemaAnswer {
    let answer = call(sender, "/tfplugin6.Provider/GetProviderSchema", &[]).await.expect("an answer");
    pb::SchemaAnswer::decode(answer.as_slice()).expect("schemas")
}

#[test]
fn by_hand_it_says_one_sentence_and_ends() {
    let output = command().output().expect("it runs");
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    let told = String::from_utf8(output.stderr).expect("text");
    assert_eq!((told.lines().count(), told.contains("Terraform starts it")), (1, true), "{told}");
}

#[tokio::test]
async fn the_client_that_was_named_is_served_and_nobody_else() {
    let identity = Identity::new();
    let started = start(&identity);
    let mut sender = connect(&started, Some(&identity)).await.expect("let in");
    let answer = schemas(&mut sender).await;
    assert!(answer.resource_schemas.contains_key("school") && answer.resource_schemas.len() == 20);
    assert!(answer.server_capabilities.is_some_and(|can| can.plan_destroy));
    // What is not spoken here is said so; the starter goes on without it.
    assert_eq!(call(&mut sender, "/plugin.GRPCStdio/StreamStdio", &[]).await, Err("12".to_owned()));
    assert_eq!(call(&mut sender, "/tfplugin6.Provider/ReadResource", &[0xff]).await, Err("3".to_owned()));
    for stranger in [None, Some(&Identity::new())] {
        let outcome = match connect(&started, stranger).await {
            Ok(mut sender) => call(&mut sender, "/tfplugin6.Provider/GetProviderSchema", &[]).await,
            Err(refused) => Err(refused),
        };
        assert!(outcome.is_err(), "a stranger was served");
    }
    schemas(&mut sender).await;
}

#[tokio::test]
async fn an_interrupt_is_not_for_it_and_a_shutdown_ends_it() {
    let identity = Identity::new();
    let mut started = start(&identity);
    let mut sender = connect(&started, Some(&identity)).await.expect("let in");
    let pid = started.child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().expect("kill runs").success());
    schemas(&mut sender).await;
    call(&mut sender, "/plugin.GRPCController/Shutdown", &[]).await.expect("an answer");
    let status = started.child.wait().expect("it ends");
    assert!(status.success(), "{status}");
    assert!(!std::path::Path::new(&started.socket).exists(), "the socket stays behind");
    let mut told = String::new();
    started.child.stderr.take().expect("piped").read_to_string(&mut told).expect("text");
    assert!(!told.contains("panicked"), "{told}");
}

#[tokio::test]
async fn a_new_school_is_planned_without_a_server() {
    let identity = Identity::new();
    let started = start(&identity);
    let mut sender = connect(&started, Some(&identity)).await.expect("let in");
    let attributes = schemas(&mut sender).await.resource_schemas["school"].block.clone().expect("a block").attributes;
    let mut config: provider::protocol::value::Object =
        attributes.iter().map(|attribute| (attribute.name.clone(), Value::Null)).collect();
    config.insert("code".to_owned(), Value::Text("10589".to_owned()));
    config.insert("name".to_owned(), Value::Text("海南示范大学".to_owned()));
    config.insert("admin_password_wo".to_owned(), Value::Text("S3cret-in-no-plan".to_owned()));
    let config = Value::Object(config).encode();
    let asked = pb::PlanRequest {
        type_name: "school".to_owned(),
        prior_state: Some(Value::Null.encode()),
        proposed_new_state: Some(config.clone()),
        config: Some(config),
        prior_private: Vec::new(),
    };
    let answer =
        call(&mut sender, "/tfplugin6.Provider/PlanResourceChange", &asked.encode_to_vec()).await.expect("a plan");
    let text = String::from_utf8_lossy(&answer);
    assert!(text.contains("10589") && !text.contains("S3cret-in-no-plan"));
    let plan = pb::PlanAnswer::decode(answer.as_slice()).expect("a plan");
    assert!(plan.diagnostics.is_empty());
    let planned = Value::decode(plan.planned_state.as_ref()).expect("a value").into_object();
    assert_eq!((&planned["id"], &planned["deletion_protection"]), (&Value::Unknown, &Value::Bool(true)));
    assert_eq!(planned.len(), attributes.len());
    assert!(String::from_utf8_lossy(&plan.planned_private).contains("key"));
}
