//! Sweeps over every operation, table and statement, and made-up calls.

mod contract;
mod every_operation;
mod isolation;
mod life;
mod links;
mod migrations;
mod odd_input;
mod owners;
mod redaction;
mod repeated_calls;
mod scale_out;
mod weaker_actors;
mod whole_school;
