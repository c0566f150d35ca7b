//! What the selectors of other rooms' forms take from here (part 03 §0.1).

use basic_data::options::Source;

use crate::{chapter, course, curriculum_type, knowledge_point, record};

/// The types of options that this room serves.
pub const OPTIONS: &[Source] = &[
    Source { kind: "curriculumType", find: |connection, asked| Box::pin(curriculum_type::options(connection, asked)) },
    Source { kind: "course", find: |connection, asked| Box::pin(course::options(connection, asked)) },
    Source { kind: "courseRecord", find: |connection, asked| Box::pin(record::options(connection, asked)) },
    Source { kind: "chapter", find: |connection, asked| Box::pin(chapter::options(connection, asked)) },
    Source { kind: "knowledgePoint", find: |connection, asked| Box::pin(knowledge_point::options(connection, asked)) },
];
