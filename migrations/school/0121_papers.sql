-- Papers: what is put together of questions, the rules that draw them, and what is frozen when something uses a paper.
-- Owner: tenant/papers. Others read.
--
--     paper ── paper_section ── paper_question ── question        paper_rule ── paper_rule_item ── paper_rule_bank, _chapter, _point
--     paper ─freeze→ paper_snapshot ── snapshot_question ── snapshot_correction        (insert only: the school's role may neither change nor delete it)
--     draft ─submit→ pending_review ─audit→ approved ⇄ disabled       pending_review ─reject→ rejected ─edit→ draft

-- 组卷策略.
create table paper_rule (
    id                       bigint generated always as identity,
    name                     text    not null,
    initials                 text    not null default '',
    course_id                bigint  not null,
    kind                     text    not null,
    total_score              numeric(5, 1) not null default 100,
    duration_minutes         integer,
    avoid_recent_semesters   integer not null default 0,
    avoid_homework_questions boolean not null default false,
    enabled                  boolean not null default true,
    created_at               timestamptz not null default now(),
    created_by               bigint  not null,
    updated_at               timestamptz not null default now(),
    updated_by               bigint  not null,
    version                  integer not null default 1,
    constraint paper_rule_key primary key (id),
    constraint paper_rule_kind_known check (kind in ('homework', 'exam', 'makeup', 'practice')),
    constraint paper_rule_total_range check (total_score between 0.5 and 1000),
    constraint paper_rule_duration_range check (duration_minutes between 10 and 300),
    constraint paper_rule_avoid_range check (avoid_recent_semesters between 0 and 6),
    constraint paper_rule_name_taken unique (course_id, name),
    constraint paper_rule_of_course foreign key (course_id) references course (id)
);
--;;
create index paper_rule_newest on paper_rule (updated_at desc, id desc);
--;;
-- A section of what a rule draws, from which chapters, points and difficulties; none named: all.
create table paper_rule_item (
    id                  bigint generated always as identity,
    rule_id             bigint  not null,
    sort_no             integer not null,
    title               text    not null,
    type                text    not null,
    difficulties        smallint[] not null default '{}',
    count               integer not null,
    score_each          numeric(5, 1) not null,
    multiple_rule       text    not null default 'all_or_nothing',
    constraint paper_rule_item_key primary key (id),
    constraint paper_rule_item_type_known check (
        type in ('single_choice', 'multiple_choice', 'true_false', 'fill_blank', 'short_answer', 'essay',
                 'case_analysis', 'listening', 'file_upload')
    ),
    constraint paper_rule_item_count_range check (count between 1 and 200),
    constraint paper_rule_item_score_range check (score_each between 0.1 and 100),
    constraint paper_rule_item_multiple_known check (multiple_rule in ('all_or_nothing', 'partial_half', 'partial_ratio')),
    constraint paper_rule_item_of_rule foreign key (rule_id) references paper_rule (id) on delete cascade,
    constraint paper_rule_item_place_taken unique (rule_id, sort_no)
);
--;;
create table paper_rule_bank (
    item_id bigint not null,
    bank_id bigint not null,
    constraint paper_rule_bank_key primary key (item_id, bank_id),
    constraint paper_rule_bank_of_item foreign key (item_id) references paper_rule_item (id) on delete cascade,
    constraint paper_rule_bank_of_bank foreign key (bank_id) references question_bank (id)
);
--;;
create index paper_rule_bank_bank on paper_rule_bank (bank_id);
--;;
create table paper_rule_chapter (
    item_id    bigint not null,
    chapter_id bigint not null,
    constraint paper_rule_chapter_key primary key (item_id, chapter_id),
    constraint paper_rule_chapter_of_item foreign key (item_id) references paper_rule_item (id) on delete cascade,
    constraint paper_rule_chapter_of_chapter foreign key (chapter_id) references course_chapter (id)
);
--;;
create index paper_rule_chapter_chapter on paper_rule_chapter (chapter_id);
--;;
create table paper_rule_point (
    item_id            bigint not null,
    knowledge_point_id bigint not null,
    constraint paper_rule_point_key primary key (item_id, knowledge_point_id),
    constraint paper_rule_point_of_item foreign key (item_id) references paper_rule_item (id) on delete cascade,
    constraint paper_rule_point_of_point foreign key (knowledge_point_id) references knowledge_point (id)
);
--;;
create index paper_rule_point_point on paper_rule_point (knowledge_point_id);
--;;
-- 试卷. Papers of one family are versions and variants (A/B 卷) of each other; the first of a family has none named.
create table paper (
    id                     bigint generated always as identity,
    code                   text    not null,
    name                   text    not null,
    initials               text    not null default '',
    course_id              bigint  not null,
    kind                   text    not null,
    compose_mode           text    not null default 'manual',
    rule_id                bigint,
    rule_seed              bigint,
    total_score            numeric(5, 1) not null default 100,
    pass_score             numeric(5, 1) not null default 60,
    duration_minutes       integer,
    overlap_max_percent    integer not null default 100,
    family_id              bigint,
    version_no             integer not null default 1,
    variant                text    not null default 'A',
    status                 text    not null default 'draft',
    -- Kept with the composition, so that lists need not add up.
    question_count         integer not null default 0,
    score_sum              numeric(6, 1) not null default 0,
    objective_score        numeric(6, 1) not null default 0,
    subjective_score       numeric(6, 1) not null default 0,
    difficulty_coefficient numeric(4, 3),
    reject_reason          text,
    submitted_by           bigint,
    created_by_name        text    not null default '',
    created_at             timestamptz not null default now(),
    created_by             bigint  not null,
    updated_at             timestamptz not null default now(),
    updated_by             bigint  not null,
    version                integer not null default 1,
    constraint paper_key primary key (id),
    constraint paper_code_shape check (code ~ '^[A-Za-z0-9_-]{1,32}$'),
    constraint paper_kind_known check (kind in ('homework', 'exam', 'makeup', 'practice')),
    constraint paper_compose_mode_known check (compose_mode in ('manual', 'rule', 'mixed')),
    constraint paper_variant_known check (variant in ('A', 'B', 'C', 'D', 'E', 'F')),
    constraint paper_status_known check (status in ('draft', 'pending_review', 'approved', 'rejected', 'disabled')),
    constraint paper_total_range check (total_score between 0.5 and 1000),
    constraint paper_pass_range check (pass_score between 0 and total_score),
    constraint paper_duration_range check (duration_minutes between 10 and 300),
    constraint paper_duration_missing check (kind <> 'homework' or duration_minutes is null),
    constraint paper_overlap_range check (overlap_max_percent between 0 and 100),
    constraint paper_of_course foreign key (course_id) references course (id),
    constraint paper_of_rule foreign key (rule_id) references paper_rule (id),
    constraint paper_of_family foreign key (family_id) references paper (id)
);
--;;
create unique index paper_code_taken on paper (lower(code));
--;;
create unique index paper_variant_taken on paper (coalesce(family_id, id), version_no, variant);
--;;
create index paper_newest on paper (updated_at desc, id desc);
--;;
create index paper_course on paper (course_id);
--;;
create index paper_rule_used on paper (rule_id);
--;;
create index paper_family on paper (family_id);
--;;
-- Banks of other courses from which a paper may take questions.
create table paper_extra_bank (
    paper_id bigint not null,
    bank_id  bigint not null,
    constraint paper_extra_bank_key primary key (paper_id, bank_id),
    constraint paper_extra_bank_of_paper foreign key (paper_id) references paper (id) on delete cascade,
    constraint paper_extra_bank_of_bank foreign key (bank_id) references question_bank (id)
);
--;;
create index paper_extra_bank_bank on paper_extra_bank (bank_id);
--;;
create table paper_section (
    id            bigint generated always as identity,
    paper_id      bigint  not null,
    sort_no       integer not null,
    title         text    not null,
    instruction   text,
    type          text,
    default_score numeric(5, 1),
    multiple_rule text    not null default 'all_or_nothing',
    constraint paper_section_key primary key (id),
    constraint paper_section_type_known check (
        type in ('single_choice', 'multiple_choice', 'true_false', 'fill_blank', 'short_answer', 'essay',
                 'case_analysis', 'listening', 'file_upload')
    ),
    constraint paper_section_score_range check (default_score between 0.1 and 100),
    constraint paper_section_multiple_known check (multiple_rule in ('all_or_nothing', 'partial_half', 'partial_ratio')),
    constraint paper_section_with_paper unique (id, paper_id),
    constraint paper_section_of_paper foreign key (paper_id) references paper (id) on delete cascade
);
--;;
create index paper_section_paper on paper_section (paper_id, sort_no);
--;;
create table paper_question (
    paper_id     bigint  not null,
    section_id   bigint  not null,
    question_id  bigint  not null,
    sort_no      integer not null,
    score        numeric(5, 1) not null,
    blank_scores jsonb,
    sub_scores   jsonb,
    constraint paper_question_key primary key (paper_id, question_id),
    constraint paper_question_score_range check (score between 0.1 and 100),
    constraint paper_question_of_section foreign key (section_id, paper_id) references paper_section (id, paper_id)
        on delete cascade,
    constraint paper_question_of_question foreign key (question_id) references question (id)
);
--;;
create index paper_question_question on paper_question (question_id);
--;;
create index paper_question_section on paper_question (section_id, paper_id, sort_no);
--;;
-- 试卷快照: a paper as it was when something used it. Shared with online examinations.
create table paper_snapshot (
    id             bigint generated always as identity,
    paper_id       bigint,
    paper_version  integer,
    rule_id        bigint,
    course_id      bigint  not null,
    kind           text    not null,
    code           text    not null default '',
    name           text    not null,
    variant        text    not null default 'A',
    content        jsonb   not null,
    sha256         text    not null,
    total_score    numeric(5, 1) not null,
    question_count integer not null,
    created_at     timestamptz not null default now(),
    created_by     bigint  not null,
    constraint paper_snapshot_key primary key (id),
    constraint paper_snapshot_kind_known check (kind in ('homework', 'exam', 'makeup', 'practice')),
    constraint paper_snapshot_variant_known check (variant in ('A', 'B', 'C', 'D', 'E', 'F')),
    constraint paper_snapshot_taken unique nulls not distinct (paper_id, paper_version, rule_id, sha256),
    constraint paper_snapshot_of_paper foreign key (paper_id) references paper (id),
    constraint paper_snapshot_of_rule foreign key (rule_id) references paper_rule (id),
    constraint paper_snapshot_of_course foreign key (course_id) references course (id)
);
--;;
create index paper_snapshot_newest on paper_snapshot (created_at desc, id desc);
--;;
create index paper_snapshot_recent on paper_snapshot (course_id, kind, created_at);
--;;
create index paper_snapshot_rule on paper_snapshot (rule_id);
--;;
-- A question of a snapshot, "3" or "7.2"; the question itself may be gone since.
create table snapshot_question (
    id          bigint generated always as identity,
    snapshot_id bigint  not null,
    seq         text    not null,
    question_id bigint,
    -- The question that the paper holds: of a sub-question the one that it stands in, else the question itself.
    whole_id    bigint,
    revision    integer not null,
    type        text    not null,
    score       numeric(5, 1) not null,
    scheme      text    not null,
    answer      jsonb,
    constraint snapshot_question_key primary key (id),
    constraint snapshot_question_type_known check (
        type in ('single_choice', 'multiple_choice', 'true_false', 'fill_blank', 'short_answer', 'essay',
                 'case_analysis', 'listening', 'file_upload')
    ),
    constraint snapshot_question_scheme_known check (scheme in ('all_or_nothing', 'partial_half', 'partial_ratio')),
    constraint snapshot_question_place_taken unique (snapshot_id, seq),
    constraint snapshot_question_of_snapshot foreign key (snapshot_id) references paper_snapshot (id)
);
--;;
create index snapshot_question_of on snapshot_question (question_id);
--;;
create index snapshot_question_whole on snapshot_question (whole_id);
--;;
-- 更正答案: the only way to correct a key; the last one counts.
create table snapshot_correction (
    id                   bigint generated always as identity,
    snapshot_question_id bigint  not null,
    old_answer           jsonb,
    new_answer           jsonb,
    new_scheme           text,
    full_score           boolean not null default false,
    reason               text    not null,
    created_at           timestamptz not null default now(),
    created_by           bigint  not null,
    constraint snapshot_correction_key primary key (id),
    constraint snapshot_correction_scheme_known check (new_scheme in ('all_or_nothing', 'partial_half', 'partial_ratio')),
    constraint snapshot_correction_of_question foreign key (snapshot_question_id) references snapshot_question (id)
);
--;;
create index snapshot_correction_question on snapshot_correction (snapshot_question_id, id);
