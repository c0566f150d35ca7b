//! A server, a school and a signed-in person in one line each, for stories over HTTP on a real database.
//!
//! Every call of every story that writes and succeeds must leave a row in the audit trail.
//!
//! One private cluster a run; a template database that is migrated once and holds two open schools; a copy of it for
//! each test. Rows that stories write past the server stand in [`rows`].

pub mod accounts;
pub mod admission;
mod client;
pub mod clients;
mod cluster;
pub mod cohort;
pub mod community;
mod copies;
pub mod corrections;
pub mod courses;
pub mod enrolment;
pub mod exam_seats;
pub mod exams;
pub mod files;
pub mod graduation;
pub mod homework;
pub mod imports;
pub mod information;
pub mod jobs;
pub mod learners;
pub mod lecturers;
pub mod lessons;
pub mod openings;
pub mod orders;
pub mod plans;
pub mod platform_courses;
pub mod pre_registrations;
pub mod questions;
pub mod quizzes;
pub mod registration;
pub mod rows;
pub mod scores;
mod server;
pub mod sheets;
pub mod site;
pub mod site_content;
pub mod site_staff;
pub mod statistics;
pub mod status_change;
pub mod students;
pub mod study;
pub mod supervision;
pub mod support;
pub mod teachers;
pub mod terraform;
mod trail;
pub mod wechat;
mod wire;

pub use client::{Answer, Client, fields, signed};
pub use server::{PASSWORD, Server, within};
pub use wire::Listening;
