//! Rules of settings that need no database: what configs hold and how their secrets are kept, words that nobody may publish, values of
//! parameters, how providers of videos sign and list, the files of reference data (01 §3, §4).

pub mod aliyun;
pub mod content;
pub mod kinds;
pub mod lexicon;
pub mod media;
pub mod orphans;
pub mod param;
pub mod polyv;
pub mod seed;
pub mod sign;
pub mod words;
