//! Stories over HTTP on a real database, and the sweeps over every operation.

mod basic_data;
mod every_operation;
mod files;
mod isolation;
mod kit;
mod life;
mod migrations;
mod schools;
mod sign_in;
