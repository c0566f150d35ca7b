//! Stories over HTTP on a real database, and the sweeps over every operation.

mod kit;
mod schools;
mod sign_in;
