-- Question bank: banks of a course, their questions. Owner: tenant/question_bank. Others read.
--
--     course ── question_bank (homework, exam, both) ── question ─┬─ its sub-questions (one level; 综合题, 听力题)
--                    └ question_bank_member                       ├─ question_knowledge ── knowledge_point
--                                                                 └─ question_media ── file_object (pictures of its texts)
--     draft ─submit→ pending_review ─audit→ enabled ⇄ disabled        pending_review ─reject→ rejected ─edit→ draft

-- 题库. What only its creator and members may see has the visibility owner.
create table question_bank (
    id              bigint generated always as identity,
    code            text    not null,
    name            text    not null,
    course_id       bigint  not null,
    usage           text    not null,
    organization_id bigint,
    visibility      text    not null default 'school',
    initials        text    not null default '',
    enabled         boolean not null default true,
    -- The account's name when it made the bank: accounts stand in the platform's schema.
    created_by_name text    not null default '',
    created_at      timestamptz not null default now(),
    created_by      bigint  not null,
    updated_at      timestamptz not null default now(),
    updated_by      bigint  not null,
    version         integer not null default 1,
    constraint question_bank_key primary key (id),
    constraint question_bank_code_shape check (code ~ '^[A-Za-z0-9_-]{1,32}$'),
    constraint question_bank_usage_known check (usage in ('homework', 'exam', 'both')),
    constraint question_bank_visibility_known check (visibility in ('school', 'owner')),
    constraint question_bank_name_taken unique (name),
    -- Lets a question prove that it is of its bank's course.
    constraint question_bank_with_course unique (id, course_id),
    constraint question_bank_of_course foreign key (course_id) references course (id),
    constraint question_bank_of_organization foreign key (organization_id) references organization (id)
);
--;;
create unique index question_bank_code_taken on question_bank (lower(code));
--;;
create index question_bank_course on question_bank (course_id);
--;;
create index question_bank_organization on question_bank (organization_id);
--;;
create index question_bank_newest on question_bank (created_at desc, id);
--;;
-- 成员: accounts of the console, with their names when they were chosen.
create table question_bank_member (
    bank_id    bigint not null,
    account_id bigint not null,
    name       text   not null,
    constraint question_bank_member_key primary key (bank_id, account_id),
    constraint question_bank_member_of_bank foreign key (bank_id) references question_bank (id) on delete cascade
);
--;;
-- 试题. A sub-question is a row of its own below its parent and is saved with it, under the parent's version.
create table question (
    id               bigint generated always as identity,
    bank_id          bigint  not null,
    course_id        bigint  not null,
    parent_id        bigint,
    sub_no           integer,
    type             text    not null,
    -- Clean HTML; pictures name the key of their file.
    stem             text    not null,
    -- The words of the stem, for searching and comparing.
    stem_plain       text    not null,
    has_image        boolean not null default false,
    options          jsonb   not null default '[]',
    answer           jsonb,
    analysis         text,
    chapter_id       bigint,
    -- 1 易 to 5 难.
    difficulty       smallint not null default 3,
    default_score    numeric(5, 1) not null,
    media_file_id    bigint,
    play_limit       integer,
    upload           jsonb,
    allow_attachment boolean not null default false,
    status           text    not null,
    revision         integer not null default 1,
    -- sha256 of what makes two questions the same.
    fingerprint      bytea   not null,
    used_count       integer not null default 0,
    last_used_at     timestamptz,
    source           text    not null default 'manual',
    reject_reason    text,
    created_by_name  text    not null default '',
    created_at       timestamptz not null default now(),
    created_by       bigint  not null,
    updated_at       timestamptz not null default now(),
    updated_by       bigint  not null,
    version          integer not null default 1,
    constraint question_key primary key (id),
    constraint question_type_known check (
        type in ('single_choice', 'multiple_choice', 'true_false', 'fill_blank', 'short_answer', 'essay',
                 'case_analysis', 'listening', 'file_upload')
    ),
    constraint question_status_known check (status in ('draft', 'pending_review', 'enabled', 'disabled', 'rejected')),
    constraint question_source_known check (source in ('manual', 'import', 'copy')),
    constraint question_difficulty_range check (difficulty between 1 and 5),
    constraint question_score_range check (default_score between 0.5 and 100),
    constraint question_play_limit_range check (play_limit between 0 and 99),
    constraint question_sub_no_missing check ((parent_id is null) = (sub_no is null)),
    constraint question_sub_type_known check (parent_id is null or type not in ('case_analysis', 'listening')),
    constraint question_of_bank foreign key (bank_id, course_id) references question_bank (id, course_id),
    constraint question_of_parent foreign key (parent_id) references question (id),
    constraint question_of_chapter foreign key (chapter_id, course_id) references course_chapter (id, course_id),
    constraint question_media_of_file foreign key (media_file_id) references file_object (id),
    constraint question_sub_no_taken unique (parent_id, sub_no)
);
--;;
create unique index question_fingerprint_taken on question (bank_id, fingerprint) where parent_id is null;
--;;
create index question_bank_of on question (bank_id, id desc) where parent_id is null;
--;;
create index question_drawn on question (bank_id, type, difficulty, chapter_id) where status = 'enabled' and parent_id is null;
--;;
create index question_course on question (course_id, id desc) where parent_id is null;
--;;
create index question_chapter on question (chapter_id, course_id);
--;;
create index question_status on question (status, id desc) where parent_id is null;
--;;
create index question_newest on question (created_at desc, id) where parent_id is null;
--;;
create index question_media_file on question (media_file_id) where media_file_id is not null;
--;;
-- 试题的知识点.
create table question_knowledge (
    question_id        bigint not null,
    knowledge_point_id bigint not null,
    constraint question_knowledge_key primary key (question_id, knowledge_point_id),
    constraint question_knowledge_of_question foreign key (question_id) references question (id) on delete cascade,
    constraint question_knowledge_of_point foreign key (knowledge_point_id) references knowledge_point (id)
);
--;;
create index question_knowledge_point on question_knowledge (knowledge_point_id);
--;;
-- Pictures of the texts of a question and its sub-questions, by their file.
create table question_media (
    question_id bigint not null,
    file_id     bigint not null,
    constraint question_media_key primary key (question_id, file_id),
    constraint question_media_of_question foreign key (question_id) references question (id) on delete cascade,
    constraint question_media_of_object foreign key (file_id) references file_object (id)
);
--;;
create index question_media_object on question_media (file_id);
