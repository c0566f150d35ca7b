-- Exams of the operators' online-education site: questions, exams and their versions, what is recommended, and what learners
-- answered (01 §9.7). Owner: platform/quizzes.
--
--     online_problem ── online_exam_problem ── online_exam ── online_exam_revision: what somebody typed; approved, it is the exam
--                                                  └── online_exam_record: one attempt of a learner, with its own copy of the questions
--
-- Scores are tenths of a point.

-- 试题. The shape is that of the schools' questions (03 A7); `sub_questions` are those within a 综合题 or 听力题.
create table online_problem (
    id               bigint generated always as identity,
    category_id      bigint  not null,
    type             text    not null,
    stem             text    not null,
    -- The words of the stem, to be searched.
    stem_plain       text    not null,
    options          jsonb   not null,
    answer           jsonb,
    analysis         text,
    difficulty       smallint not null,
    default_score    bigint  not null,
    -- The audio of a 听力题.
    media_key        text,
    play_limit       integer,
    upload           jsonb,
    allow_attachment boolean not null default false,
    sub_questions    jsonb   not null,
    -- Pictures and audio, by their keys.
    file_keys        text[]  not null default '{}',
    source           text    not null,
    -- What makes two questions the same.
    fingerprint      bytea   not null,
    -- Rises with what is asked or right.
    revision         integer not null default 1,
    -- Stood in a published exam: attempts may show it for ever.
    frozen           boolean not null default false,
    enabled          boolean not null default true,
    created_at       timestamptz not null default now(),
    created_by       bigint  not null,
    updated_at       timestamptz not null default now(),
    updated_by       bigint  not null,
    version          integer not null default 1,
    constraint online_problem_key primary key (id),
    constraint online_problem_type_known check (type in ('single_choice', 'multiple_choice', 'true_false', 'fill_blank', 'short_answer',
        'essay', 'case_analysis', 'listening', 'file_upload')),
    constraint online_problem_difficulty_range check (difficulty between 1 and 5),
    constraint online_problem_score_range check (default_score between 1 and 1000),
    constraint online_problem_source_known check (source in ('manual', 'import', 'copy')),
    constraint online_problem_of_category foreign key (category_id) references online_category (id),
    constraint online_problem_taken unique (category_id, fingerprint)
);
--;;
create index online_problem_newest on online_problem (id desc);
--;;
create index online_problem_of_type on online_problem (type, id desc);
--;;
create index online_problem_created on online_problem (created_at desc);
--;;
create index online_problem_difficulty on online_problem (difficulty, id desc);
--;;
create index online_problem_source on online_problem (source, id desc);
--;;
create index online_problem_disabled on online_problem (id desc) where not enabled;
--;;
create index online_problem_files on online_problem using gin (file_keys);
--;;
-- 试卷. Until its first version is approved, it has the fields of that version.
--     audit_status:   draft │ pending │ rejected ─(first approval)→ approved, for good
--     putaway:        off ⇄ on
create table online_exam (
    id                    bigint generated always as identity,
    exam_name             text    not null,
    category_id           bigint,
    lecturer_id           bigint,
    cover                 text,
    is_free               boolean not null,
    -- 分.
    price_original        bigint  not null,
    price_sale            bigint  not null,
    duration_minutes      integer not null,
    total_score           bigint  not null,
    pass_score            bigint  not null,
    -- 0: as often as they like.
    attempt_limit         integer not null,
    problem_total         integer not null,
    putaway               text    not null default 'off',
    audit_status          text    not null,
    published_revision_id bigint,
    -- Orders that were paid and not wholly refunded.
    count_buy             bigint  not null default 0,
    enabled               boolean not null default true,
    initials              text    not null default '',
    created_at            timestamptz not null default now(),
    created_by            bigint  not null,
    updated_at            timestamptz not null default now(),
    updated_by            bigint  not null,
    version               integer not null default 1,
    constraint online_exam_key primary key (id),
    constraint online_exam_price_range check (price_sale between 0 and price_original),
    constraint online_exam_price_free check (is_free = (price_sale = 0)),
    constraint online_exam_duration_range check (duration_minutes between 1 and 600),
    constraint online_exam_pass_range check (pass_score between 0 and total_score),
    constraint online_exam_attempts_range check (attempt_limit between 0 and 100),
    constraint online_exam_putaway_known check (putaway in ('on', 'off')),
    constraint online_exam_audit_status_known check (audit_status in ('draft', 'pending', 'approved', 'rejected')),
    constraint online_exam_putaway_approved check (putaway = 'off' or published_revision_id is not null),
    constraint online_exam_of_category foreign key (category_id) references online_category (id),
    constraint online_exam_of_lecturer foreign key (lecturer_id) references lecturer (id)
);
--;;
create index online_exam_newest on online_exam (id desc);
--;;
create index online_exam_category on online_exam (category_id, id desc);
--;;
create index online_exam_lecturer on online_exam (lecturer_id, id desc);
--;;
create index online_exam_created on online_exam (created_at desc);
--;;
create index online_exam_putaway on online_exam (putaway, id desc);
--;;
create index online_exam_audited on online_exam (audit_status, id desc);
--;;
create index online_exam_disabled on online_exam (id desc) where not enabled;
--;;
-- 审核版本: the whole of an exam as somebody typed it. An exam has at most one that is not approved.
--     draft ─submit→ pending → approved │ rejected ─edit→ draft, pending or approved
create table online_exam_revision (
    id            bigint generated always as identity,
    exam_id       bigint  not null,
    content       jsonb   not null,
    -- What was published when this was submitted; null for an exam's first version.
    base          jsonb,
    -- The fields in which both differ.
    changes       text[]  not null default '{}',
    audit_status  text    not null,
    submitter_id  bigint  not null,
    submitted_at  timestamptz not null default now(),
    audit_opinion text,
    audited_by    bigint,
    audited_at    timestamptz,
    created_at    timestamptz not null default now(),
    created_by    bigint  not null,
    updated_at    timestamptz not null default now(),
    updated_by    bigint  not null,
    version       integer not null default 1,
    constraint online_exam_revision_key primary key (id),
    constraint online_exam_revision_status_known check (audit_status in ('draft', 'pending', 'approved', 'rejected')),
    constraint online_exam_revision_opinion_missing check (audit_status <> 'rejected' or audit_opinion is not null),
    constraint online_exam_revision_auditor_missing check (
        audit_status not in ('approved', 'rejected') or (audited_by is not null and audited_at is not null)
    ),
    constraint online_exam_revision_of_exam foreign key (exam_id) references online_exam (id),
    -- Lets an exam prove that the version is its own.
    constraint online_exam_revision_with_exam unique (id, exam_id)
);
--;;
create unique index online_exam_revision_open_once on online_exam_revision (exam_id) where audit_status <> 'approved';
--;;
create index online_exam_revision_exam on online_exam_revision (exam_id, id desc);
--;;
create index online_exam_revision_waiting on online_exam_revision (audit_status, submitted_at desc, id desc);
--;;
create index online_exam_revision_newest on online_exam_revision (submitted_at desc, id desc);
--;;
alter table online_exam add constraint online_exam_of_revision
    foreign key (published_revision_id, id) references online_exam_revision (id, exam_id);
--;;
-- Which questions an exam needs: those of its published version and of the one that is open.
create table online_exam_problem (
    exam_id    bigint not null,
    problem_id bigint not null,
    constraint online_exam_problem_key primary key (exam_id, problem_id),
    constraint online_exam_problem_of_exam foreign key (exam_id) references online_exam (id),
    constraint online_exam_problem_of_problem foreign key (problem_id) references online_problem (id)
);
--;;
create index online_exam_problem_problem on online_exam_problem (problem_id);
--;;
-- 推荐试卷: where the site shows an exam before others. `category_id` only for the position of a category.
create table exam_recommend (
    id          bigint generated always as identity,
    exam_id     bigint  not null,
    position    text    not null,
    category_id bigint,
    begins_at   timestamptz,
    ends_at     timestamptz,
    sort        integer not null default 1,
    enabled     boolean not null default true,
    created_at  timestamptz not null default now(),
    created_by  bigint  not null,
    updated_at  timestamptz not null default now(),
    updated_by  bigint  not null,
    version     integer not null default 1,
    constraint exam_recommend_key primary key (id),
    constraint exam_recommend_position_known check (position in ('home', 'category', 'detail')),
    constraint exam_recommend_category_missing check ((position = 'category') = (category_id is not null)),
    constraint exam_recommend_time_order check (ends_at > begins_at),
    constraint exam_recommend_sort_range check (sort between 0 and 9999),
    constraint exam_recommend_of_exam foreign key (exam_id) references online_exam (id),
    constraint exam_recommend_of_category foreign key (category_id) references online_category (id),
    constraint exam_recommend_taken unique nulls not distinct (exam_id, position, category_id)
);
--;;
create index exam_recommend_order on exam_recommend (position, sort, id desc);
--;;
create index exam_recommend_category on exam_recommend (category_id) where category_id is not null;
--;;
-- 考试记录: one attempt. Name, limits and questions are those of the moment in which it began; nothing that is edited later reaches it.
--     doing ─submit, or the time is over→ marking ─(every answer has its score)→ finished
create table online_exam_record (
    id               bigint generated always as identity,
    exam_id          bigint  not null,
    learner_id       bigint  not null,
    attempt_no       integer not null,
    -- The class in which it was taken; none of one that was taken on the site itself.
    grade_id         bigint,
    exam_name        text    not null,
    total_score      bigint  not null,
    pass_score       bigint  not null,
    -- The questions with their keys.
    snapshot         jsonb   not null,
    answers          jsonb   not null default '[]',
    -- What each answer earned, by whom; empty until it is handed in.
    marks            jsonb   not null default '[]',
    state            text    not null default 'doing',
    submit_kind      text,
    started_at       timestamptz not null,
    deadline_at      timestamptz not null,
    saved_at         timestamptz,
    submitted_at     timestamptz,
    objective_score  bigint,
    subjective_score bigint,
    score            bigint,
    passed           boolean,
    marked_by        bigint,
    marked_at        timestamptz,
    created_at       timestamptz not null default now(),
    created_by       bigint  not null,
    updated_at       timestamptz not null default now(),
    updated_by       bigint  not null,
    version          integer not null default 1,
    constraint online_exam_record_key primary key (id),
    constraint online_exam_record_once unique (exam_id, learner_id, attempt_no),
    constraint online_exam_record_state_known check (state in ('doing', 'marking', 'finished')),
    constraint online_exam_record_submit_known check (submit_kind in ('learner', 'time')),
    constraint online_exam_record_submitted check ((state = 'doing') = (submitted_at is null)),
    constraint online_exam_record_scored check ((state = 'finished') = (score is not null and passed is not null)),
    constraint online_exam_record_of_exam foreign key (exam_id) references online_exam (id),
    constraint online_exam_record_of_learner foreign key (learner_id) references user_ext (id)
);
--;;
-- Nobody takes an exam twice at once.
create unique index online_exam_record_doing_once on online_exam_record (exam_id, learner_id) where state = 'doing';
--;;
create index online_exam_record_newest on online_exam_record (exam_id, started_at desc, id desc);
--;;
create index online_exam_record_learner on online_exam_record (learner_id, id desc);
--;;
-- Whose time runs out.
create index online_exam_record_deadline on online_exam_record (deadline_at) where state = 'doing';
--;;
create index online_exam_record_first on online_exam_record (exam_id) where attempt_no = 1;
--;;
create index online_exam_record_marking on online_exam_record (exam_id, id desc) where state = 'marking';
--;;
create index online_exam_record_started on online_exam_record (started_at desc, id desc);
