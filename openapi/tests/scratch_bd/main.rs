#![allow(dead_code)]
mod kit;
mod basic_data;
