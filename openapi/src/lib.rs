//! The leaf: puts the modules together into a document, a server and a command line. Nothing depends on it.

mod console;
pub mod demo;
pub mod document;
pub mod modules;
pub mod server;
pub mod start;
pub mod upgrade;

pub use connections;
