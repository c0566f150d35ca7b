//! What is used elsewhere stays (01 §9.0).

pub use infra::{just_referred, unreferred};
