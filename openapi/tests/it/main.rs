//! Stories over HTTP on a real database, and the sweeps over every operation.

mod account_import;
mod accounts;
mod basic_data;
mod crash;
mod every_operation;
mod files;
mod imports;
mod isolation;
mod kit;
mod life;
mod logs;
mod migrations;
mod roles;
mod schools;
mod settings;
mod sign_in;
mod students;
