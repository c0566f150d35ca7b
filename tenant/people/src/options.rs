//! What the selectors of other rooms' forms take from here (part 03 §0.1).

use basic_data::options::Source;

use crate::class_manager;

/// The types of options that this room serves.
pub const OPTIONS: &[Source] =
    &[Source { kind: "classManager", find: |connection, asked| Box::pin(class_manager::options(connection, asked)) }];
