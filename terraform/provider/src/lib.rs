//! A Terraform provider for the schools of an operator.
//!
//! ```text
//! protocol/    what any provider must speak: handshake, TLS, gRPC, values, schemas; no word of the product
//! api          the server's calls: envelope, repetition, refusals as diagnostics
//! kind         the life of a described resource: plan, apply, read, import
//! entity       resources that are one record with save, edit, view and delete
//! rights       the tree of permissions; areas and scopes
//! resources/   one file a resource: its description and what is its own
//! data, ephemeral
//! ```
//!
//! Invariants: a plan calls nobody; what is secret is never in a state, a plan or a log; nothing replaces a school or
//! what has persons in it; a repeated apply makes nothing twice.

pub mod api;
pub mod data;
#[cfg(test)]
mod docs;
#[cfg(test)]
mod document;
pub mod entity;
pub mod ephemeral;
pub mod failure;
pub mod field;
pub mod kind;
pub mod protocol;
pub mod provider;
pub mod resources;
pub mod rights;
