//! basic_data
