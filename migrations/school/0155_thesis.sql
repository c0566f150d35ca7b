-- Theses: from the topic to the defence, every version kept. Owner: tenant/thesis. Others read.
--
--     thesis_plan ─┬─ thesis_topic ── teacher        thesis_adviser ── teacher
--                  ├─ thesis ── course_selection ─┬─ thesis_document   thesis_review ── teacher   thesis_extension
--                  │                              └─ defense_slot ── defense_score
--                  └─ defense_group ── defense_member ── teacher
--     stage: topic → proposal → draft → final → similarity → review → defense → done
--     of a stage: pending → submitted → passed    submitted → returned → submitted    any → failed

-- 论文批次.
create table thesis_plan (
    id                  bigint generated always as identity,
    code                text    not null,
    name                text    not null,
    initials            text    not null default '',
    semester_id         bigint  not null,
    -- Empty: all.
    grade_ids           bigint[] not null default '{}',
    level_ids           bigint[] not null default '{}',
    major_ids           bigint[] not null default '{}',
    topic_from          date,
    topic_to            date,
    proposal_due        date,
    draft_due           date,
    final_due           date,
    similarity_due      date,
    review_due          date,
    defense_from        date,
    defense_to          date,
    topic_mode          text    not null default 'both',
    select_mode         text    not null default 'first_come',
    require_proposal    boolean not null default true,
    adviser_quota       integer not null default 20,
    similarity_limit    numeric(4, 1) not null default 30,
    similarity_attempts integer not null default 2,
    defense_mode        text    not null default 'onsite',
    min_reviewers       integer not null default 1,
    status              text    not null default 'draft',
    created_at          timestamptz not null default now(),
    created_by          bigint  not null,
    updated_at          timestamptz not null default now(),
    updated_by          bigint  not null,
    version             integer not null default 1,
    constraint thesis_plan_key primary key (id),
    constraint thesis_plan_code_shape check (code ~ '^[A-Za-z0-9_-]{1,32}$'),
    constraint thesis_plan_topic_order check (topic_to >= topic_from),
    constraint thesis_plan_defense_order check (defense_to >= defense_from),
    constraint thesis_plan_topic_mode_known check (topic_mode in ('pool', 'self', 'both')),
    constraint thesis_plan_select_mode_known check (select_mode in ('first_come', 'adviser_confirm', 'assigned')),
    constraint thesis_plan_quota_range check (adviser_quota between 1 and 200),
    constraint thesis_plan_limit_range check (similarity_limit between 0 and 100),
    constraint thesis_plan_attempts_range check (similarity_attempts between 1 and 5),
    constraint thesis_plan_defense_mode_known check (defense_mode in ('onsite', 'online', 'written')),
    constraint thesis_plan_reviewers_range check (min_reviewers between 1 and 3),
    constraint thesis_plan_status_known check (status in ('draft', 'active', 'closed')),
    constraint thesis_plan_name_taken unique (name),
    constraint thesis_plan_of_semester foreign key (semester_id) references semester (id)
);
--;;
create unique index thesis_plan_code_taken on thesis_plan (lower(code));
--;;
create index thesis_plan_newest on thesis_plan (created_at desc, id);
--;;
create index thesis_plan_semester on thesis_plan (semester_id);
--;;
-- 选题.
create table thesis_topic (
    id              bigint generated always as identity,
    plan_id         bigint  not null,
    title           text    not null,
    -- Without its spaces.
    title_key       text    not null,
    initials        text    not null default '',
    teacher_id      bigint,
    -- Who proposed it, of one that a student did.
    proposed_by     bigint,
    -- Empty: all.
    major_ids       bigint[] not null default '{}',
    source          text    not null,
    description     text,
    capacity        integer not null default 1,
    taken           integer not null default 0,
    status          text    not null default 'draft',
    submitted_by    bigint,
    audit_opinion   text,
    audited_by_name text,
    audited_at      timestamptz,
    created_at      timestamptz not null default now(),
    created_by      bigint  not null,
    updated_at      timestamptz not null default now(),
    updated_by      bigint  not null,
    version         integer not null default 1,
    constraint thesis_topic_key primary key (id),
    constraint thesis_topic_source_known check (source in ('production', 'research', 'social', 'self', 'other')),
    constraint thesis_topic_teacher_missing check (teacher_id is not null or proposed_by is not null),
    constraint thesis_topic_taken_range check (capacity between 1 and 200 and taken between 0 and capacity),
    constraint thesis_topic_status_known check (status in ('draft', 'submitted', 'approved', 'rejected', 'closed')),
    constraint thesis_topic_opinion_missing check (status <> 'rejected' or audit_opinion is not null),
    constraint thesis_topic_title_taken unique (plan_id, title_key),
    -- Lets a thesis prove that its topic is of its plan.
    constraint thesis_topic_with_plan unique (id, plan_id),
    constraint thesis_topic_of_plan foreign key (plan_id) references thesis_plan (id),
    constraint thesis_topic_of_teacher foreign key (teacher_id) references teacher (id),
    constraint thesis_topic_of_student foreign key (proposed_by) references student (id)
);
--;;
create index thesis_topic_newest on thesis_topic (created_at desc, id);
--;;
create index thesis_topic_open on thesis_topic (plan_id, status);
--;;
create index thesis_topic_teacher on thesis_topic (teacher_id) where teacher_id is not null;
--;;
create index thesis_topic_student on thesis_topic (proposed_by) where proposed_by is not null;
--;;
-- 指导教师.
create table thesis_adviser (
    id         bigint generated always as identity,
    plan_id    bigint  not null,
    teacher_id bigint  not null,
    -- None: the plan's.
    quota      integer,
    major_ids  bigint[] not null default '{}',
    can_review boolean not null default true,
    can_defend boolean not null default true,
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint thesis_adviser_key primary key (id),
    constraint thesis_adviser_quota_range check (quota between 1 and 200),
    constraint thesis_adviser_taken unique (plan_id, teacher_id),
    constraint thesis_adviser_of_plan foreign key (plan_id) references thesis_plan (id),
    constraint thesis_adviser_of_teacher foreign key (teacher_id) references teacher (id)
);
--;;
create index thesis_adviser_teacher on thesis_adviser (teacher_id);
--;;
create index thesis_adviser_newest on thesis_adviser (created_at desc, id);
--;;
-- 学生论文.
create table thesis (
    id               bigint generated always as identity,
    plan_id          bigint  not null,
    selection_id     bigint  not null,
    student_id       bigint  not null,
    attempt_no       integer not null default 1,
    topic_id         bigint,
    title            text,
    title_changed_at timestamptz,
    adviser_id       bigint,
    stage            text    not null default 'topic',
    stage_status     text    not null default 'pending',
    similarity_rate  numeric(4, 1),
    similarity_tool  text,
    similarity_count integer not null default 0,
    defense_result   text,
    status           text    not null default 'active',
    -- Why it was returned or failed last, or is no more.
    remark           text,
    -- The day on which the student was told last that something is due.
    reminded_on      date,
    finished_at      timestamptz,
    created_at       timestamptz not null default now(),
    created_by       bigint  not null,
    updated_at       timestamptz not null default now(),
    updated_by       bigint  not null,
    version          integer not null default 1,
    constraint thesis_key primary key (id),
    constraint thesis_attempt_range check (attempt_no >= 1),
    constraint thesis_stage_known check (
        stage in ('topic', 'proposal', 'draft', 'final', 'similarity', 'review', 'defense', 'done')
    ),
    constraint thesis_stage_status_known check (stage_status in ('pending', 'submitted', 'passed', 'returned', 'failed')),
    constraint thesis_title_missing check (stage = 'topic' or status = 'cancelled' or title is not null),
    constraint thesis_similarity_range check (similarity_rate between 0 and 100 and similarity_count >= 0),
    constraint thesis_defense_known check (defense_result in ('passed', 'second', 'failed')),
    constraint thesis_status_known check (status in ('active', 'finished', 'failed', 'cancelled')),
    constraint thesis_finished_missing check (status <> 'finished' or (stage = 'done' and finished_at is not null)),
    constraint thesis_of_plan foreign key (plan_id) references thesis_plan (id),
    constraint thesis_of_selection foreign key (selection_id) references course_selection (id),
    constraint thesis_of_student foreign key (student_id) references student (id),
    constraint thesis_of_topic foreign key (topic_id, plan_id) references thesis_topic (id, plan_id),
    constraint thesis_of_adviser foreign key (adviser_id) references teacher (id)
);
--;;
create unique index thesis_selection_taken on thesis (selection_id) where status <> 'cancelled';
--;;
create index thesis_newest on thesis (created_at desc, id);
--;;
create index thesis_plan_stage on thesis (plan_id, stage, status);
--;;
create index thesis_selection on thesis (selection_id);
--;;
create index thesis_student on thesis (student_id);
--;;
create index thesis_topic_used on thesis (topic_id, plan_id) where topic_id is not null;
--;;
create index thesis_adviser_load on thesis (adviser_id, plan_id) where adviser_id is not null;
--;;
-- 延期 of one stage for one student; the last one counts.
create table thesis_extension (
    id         bigint generated always as identity,
    thesis_id  bigint  not null,
    stage      text    not null,
    until      date    not null,
    reason     text    not null,
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    constraint thesis_extension_key primary key (id),
    constraint thesis_extension_stage_known check (stage in ('topic', 'proposal', 'draft', 'final')),
    constraint thesis_extension_of_thesis foreign key (thesis_id) references thesis (id)
);
--;;
create index thesis_extension_thesis on thesis_extension (thesis_id, stage, id);
--;;
-- 文稿: each version, never replaced.
create table thesis_document (
    id                bigint generated always as identity,
    thesis_id         bigint  not null,
    kind              text    not null,
    version_no        integer not null,
    file_id           bigint  not null,
    sha256            text    not null,
    pages             integer,
    submitted_at      timestamptz not null,
    submitted_by      text    not null,
    submitted_by_name text    not null default '',
    decision          text    not null default 'pending',
    comment           text,
    decided_by_kind   text,
    decided_by        bigint,
    decided_by_name   text,
    decided_at        timestamptz,
    created_at        timestamptz not null default now(),
    created_by        bigint  not null,
    updated_at        timestamptz not null default now(),
    updated_by        bigint  not null,
    version           integer not null default 1,
    constraint thesis_document_key primary key (id),
    constraint thesis_document_kind_known check (
        kind in ('proposal', 'midterm', 'draft', 'revision', 'final', 'similarity_report', 'slides', 'archived')
    ),
    constraint thesis_document_version_range check (version_no >= 1),
    constraint thesis_document_pages_range check (pages >= 1),
    constraint thesis_document_submitted_by_known check (submitted_by in ('student', 'staff', 'system')),
    constraint thesis_document_decision_known check (decision in ('pending', 'passed', 'returned')),
    constraint thesis_document_decider_known check (decided_by_kind in ('account', 'teacher')),
    constraint thesis_document_comment_missing check (decision <> 'returned' or comment is not null),
    constraint thesis_document_decided_missing check (decision = 'pending' or decided_at is not null),
    constraint thesis_document_taken unique (thesis_id, kind, version_no),
    constraint thesis_document_of_thesis foreign key (thesis_id) references thesis (id),
    constraint thesis_document_of_file foreign key (file_id) references file_object (id)
);
--;;
create index thesis_document_file on thesis_document (file_id);
--;;
-- 评阅.
create table thesis_review (
    id           bigint generated always as identity,
    thesis_id    bigint  not null,
    reviewer_id  bigint  not null,
    items        jsonb   not null default '[]',
    score        numeric(4, 1),
    opinion      text,
    comment      text,
    submitted_at timestamptz,
    created_at   timestamptz not null default now(),
    created_by   bigint  not null,
    updated_at   timestamptz not null default now(),
    updated_by   bigint  not null,
    version      integer not null default 1,
    constraint thesis_review_key primary key (id),
    constraint thesis_review_score_range check (score between 0 and 100),
    constraint thesis_review_opinion_known check (opinion in ('agree', 'revise', 'disagree')),
    constraint thesis_review_submitted_missing check (
        (submitted_at is null) = (opinion is null) and (submitted_at is null) = (score is null)
    ),
    constraint thesis_review_taken unique (thesis_id, reviewer_id),
    constraint thesis_review_of_thesis foreign key (thesis_id) references thesis (id),
    constraint thesis_review_of_reviewer foreign key (reviewer_id) references teacher (id)
);
--;;
create index thesis_review_reviewer on thesis_review (reviewer_id);
--;;
-- 答辩组.
create table defense_group (
    id                   bigint generated always as identity,
    plan_id              bigint  not null,
    name                 text    not null,
    mode                 text    not null,
    held_at              timestamptz,
    ends_at              timestamptz,
    place                text,
    secretary_teacher_id bigint,
    status               text    not null default 'draft',
    created_at           timestamptz not null default now(),
    created_by           bigint  not null,
    updated_at           timestamptz not null default now(),
    updated_by           bigint  not null,
    version              integer not null default 1,
    constraint defense_group_key primary key (id),
    constraint defense_group_mode_known check (mode in ('onsite', 'online', 'written')),
    constraint defense_group_status_known check (status in ('draft', 'arranged', 'finished')),
    constraint defense_group_time_order check (ends_at > held_at),
    constraint defense_group_arranged_missing check (
        status = 'draft' or (held_at is not null and secretary_teacher_id is not null)
    ),
    constraint defense_group_name_taken unique (plan_id, name),
    constraint defense_group_of_plan foreign key (plan_id) references thesis_plan (id),
    constraint defense_group_of_secretary foreign key (secretary_teacher_id) references teacher (id)
);
--;;
create index defense_group_newest on defense_group (created_at desc, id);
--;;
create index defense_group_secretary on defense_group (secretary_teacher_id) where secretary_teacher_id is not null;
--;;
create table defense_member (
    group_id   bigint  not null,
    teacher_id bigint  not null,
    chair      boolean not null default false,
    constraint defense_member_key primary key (group_id, teacher_id),
    constraint defense_member_of_group foreign key (group_id) references defense_group (id) on delete cascade,
    constraint defense_member_of_teacher foreign key (teacher_id) references teacher (id)
);
--;;
create unique index defense_member_chair_taken on defense_member (group_id) where chair;
--;;
create index defense_member_teacher on defense_member (teacher_id);
--;;
create table defense_slot (
    id         bigint generated always as identity,
    group_id   bigint  not null,
    thesis_id  bigint  not null,
    round_no   integer not null default 1,
    order_no   integer not null,
    planned_at timestamptz,
    present    boolean,
    questions  text,
    comment    text,
    score      numeric(4, 1),
    result     text,
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint defense_slot_key primary key (id),
    constraint defense_slot_round_range check (round_no between 1 and 2),
    constraint defense_slot_score_range check (score between 0 and 100),
    constraint defense_slot_result_known check (result in ('passed', 'second', 'failed')),
    constraint defense_slot_second_once check (result <> 'second' or round_no = 1),
    constraint defense_slot_result_missing check ((result is null) = (present is null)),
    constraint defense_slot_taken unique (thesis_id, round_no),
    constraint defense_slot_of_group foreign key (group_id) references defense_group (id),
    constraint defense_slot_of_thesis foreign key (thesis_id) references thesis (id)
);
--;;
create index defense_slot_order on defense_slot (group_id, order_no);
--;;
create table defense_score (
    id                bigint generated always as identity,
    slot_id           bigint  not null,
    member_teacher_id bigint  not null,
    items             jsonb   not null default '[]',
    score             numeric(4, 1) not null,
    created_at        timestamptz not null default now(),
    created_by        bigint  not null,
    updated_at        timestamptz not null default now(),
    updated_by        bigint  not null,
    version           integer not null default 1,
    constraint defense_score_key primary key (id),
    constraint defense_score_range check (score between 0 and 100),
    constraint defense_score_taken unique (slot_id, member_teacher_id),
    constraint defense_score_of_slot foreign key (slot_id) references defense_slot (id),
    constraint defense_score_of_member foreign key (member_teacher_id) references teacher (id)
);
--;;
create index defense_score_member on defense_score (member_teacher_id);
