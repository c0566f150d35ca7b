//! The plugin protocol 6 as any provider speaks it; it knows no word of the product.
//!
//! ```text
//! handshake   environment → socket with mutual TLS → one line on stdout
//! server      gRPC over HTTP/2: one message in, one out
//! provider    the methods of the protocol, over values instead of messages
//! value       what an attribute holds; msgpack and JSON
//! random      what nobody can guess
//! schema      attributes, and the messages that describe them
//! diagnostic  what a person is told, and where
//! pb          the messages
//! ```

pub mod diagnostic;
pub mod handshake;
pub mod pb;
pub mod provider;
pub mod random;
pub mod schema;
pub mod server;
pub mod value;
