-- Examinations: their rounds, what is set in them, who sits for it, who marks it, who is excused and who broke the rules; online
-- and offline alike. Owner: tenant/exams. Others read.
--
--     test_batch ── exam_setup ─┬─ exam_setup_class, exam_setup_paper ── paper_snapshot
--                               ├─ exam_candidate ── course_selection
--                               └─ exam_marker ── teacher
--     exam_deferral (student, batch, course)      exam_violation ── exam_candidate
--     batch: draft → active ⇄ closed → archived
--     setup, online:  draft ⇄ published → closed ─reopen (some)→ published       draft, published → cancelled
--     setup, offline: draft → submitted → approved ⇄ published → closed          submitted ─(not passed)→ draft

-- 考试批次: one organised round of examinations of a semester.
create table test_batch (
    id                    bigint generated always as identity,
    code                  text    not null,
    name                  text    not null,
    initials              text    not null default '',
    semester_id           bigint  not null,
    kind                  text    not null,
    mode                  text    not null,
    exam_starts_on        date,
    exam_ends_on          date,
    -- Before it nobody fetches a ticket.
    ticket_publish_at     timestamptz,
    -- The day on which students were told that tickets are open.
    ticket_told_on        date,
    score_entry_starts_at timestamptz,
    score_entry_ends_at   timestamptz,
    review_levels         integer not null default 2,
    -- 0: never.
    auto_lock_days        integer not null default 15,
    room_capacity_default integer not null default 30,
    room_min_fill         integer not null default 10,
    ticket_prefix         text    not null,
    -- 考生须知, as tickets print it.
    notice                text,
    status                text    not null default 'draft',
    closed_at             timestamptz,
    archived_at           timestamptz,
    remark                text,
    created_at            timestamptz not null default now(),
    created_by            bigint  not null,
    updated_at            timestamptz not null default now(),
    updated_by            bigint  not null,
    version               integer not null default 1,
    constraint test_batch_key primary key (id),
    constraint test_batch_code_shape check (code ~ '^[A-Za-z0-9-]{1,20}$'),
    constraint test_batch_kind_known check (kind in ('final', 'makeup', 'final_makeup')),
    constraint test_batch_mode_known check (mode in ('online', 'offline', 'mixed')),
    constraint test_batch_status_known check (status in ('draft', 'active', 'closed', 'archived')),
    constraint test_batch_dates_order check (exam_ends_on >= exam_starts_on),
    constraint test_batch_entry_order check (score_entry_ends_at > score_entry_starts_at),
    constraint test_batch_dates_missing check (
        status = 'draft'
        or (exam_starts_on is not null and exam_ends_on is not null and score_entry_starts_at is not null
            and score_entry_ends_at is not null)
    ),
    constraint test_batch_review_range check (review_levels between 1 and 2),
    constraint test_batch_lock_range check (auto_lock_days between 0 and 90),
    constraint test_batch_room_range check (room_capacity_default between 1 and 900),
    constraint test_batch_fill_range check (room_min_fill between 0 and room_capacity_default),
    constraint test_batch_prefix_shape check (ticket_prefix ~ '^[0-9]{6}$'),
    constraint test_batch_closed_missing check (status not in ('closed', 'archived') or closed_at is not null),
    constraint test_batch_archived_missing check (status <> 'archived' or archived_at is not null),
    constraint test_batch_name_taken unique (name),
    constraint test_batch_prefix_taken unique (ticket_prefix),
    constraint test_batch_of_semester foreign key (semester_id) references semester (id)
);
--;;
create unique index test_batch_code_taken on test_batch (lower(code));
--;;
create index test_batch_newest on test_batch (created_at desc, id);
--;;
create index test_batch_semester on test_batch (semester_id);
--;;
create index test_batch_status on test_batch (status, created_at desc, id);
--;;
-- 考试安排: the examination of one course in one batch. Offline ones take their time from their session.
create table exam_setup (
    id                      bigint generated always as identity,
    batch_id                bigint  not null,
    mode                    text    not null,
    course_id               bigint  not null,
    -- In which the course was studied.
    semester_id             bigint  not null,
    name                    text    not null,
    initials                text    not null default '',
    round                   text    not null,
    assess_mode             text    not null,
    -- Of an offline setup in a session: none, the session has them.
    starts_at               timestamptz,
    ends_at                 timestamptz,
    duration_minutes        integer,
    late_limit_minutes      integer,
    earliest_submit_minutes integer not null default 0,
    max_attempts            integer not null default 1,
    attempt_scoring         text    not null default 'highest',
    -- None of what is not answered here.
    paper_mode              text,
    rule_id                 bigint,
    -- By which papers are dealt and drawn.
    seed                    bigint  not null default 0,
    shuffle_questions       boolean not null default true,
    shuffle_options         boolean not null default true,
    paper_total             numeric(5, 1),
    pass_score              numeric(5, 1) not null default 60,
    marking_mode            text    not null default 'single',
    -- Percent of a question's score.
    mark_diff_percent       integer not null default 15,
    anonymous_marking       boolean not null default true,
    show_score              text    not null default 'after_publish',
    show_answer             text    not null default 'never',
    min_progress            numeric(4, 1),
    min_homework            numeric(4, 1),
    max_absence             numeric(4, 1) default 33,
    require_fee             boolean not null default false,
    -- Deferred candidates of earlier batches are taken in too.
    include_deferred        boolean not null default true,
    -- 防作弊设置, as the module's type says.
    anti_cheat              jsonb   not null default '{}',
    session_id              bigint,
    -- Oral, practical or as a report: nobody is seated.
    no_seating              boolean not null default false,
    status                  text    not null default 'draft',
    marking_status          text    not null default 'none',
    submitted_by            bigint,
    submitted_by_name       text,
    submitted_at            timestamptz,
    reviewed_by             bigint,
    reviewed_by_name        text,
    reviewed_at             timestamptz,
    review_opinion          text,
    published_at            timestamptz,
    closed_at               timestamptz,
    -- Opened again for some candidates, until the latest of them is over.
    reopened_until          timestamptz,
    cancel_reason           text,
    -- The day on which candidates were told that it is tomorrow.
    reminded_on             date,
    remark                  text,
    created_by_name         text    not null default '',
    created_at              timestamptz not null default now(),
    created_by              bigint  not null,
    updated_at              timestamptz not null default now(),
    updated_by              bigint  not null,
    version                 integer not null default 1,
    constraint exam_setup_key primary key (id),
    constraint exam_setup_mode_known check (mode in ('online', 'offline')),
    constraint exam_setup_round_known check (round in ('first', 'makeup', 'final_makeup')),
    constraint exam_setup_assess_mode_known check (
        assess_mode in ('closed_book', 'open_book', 'online', 'report', 'oral', 'practical')
    ),
    constraint exam_setup_window_order check (ends_at > starts_at),
    constraint exam_setup_window_missing check (
        case when mode = 'online' then starts_at is not null and ends_at is not null and duration_minutes is not null
             when session_id is not null then starts_at is null and ends_at is null
             else (starts_at is null) = (ends_at is null) end
    ),
    constraint exam_setup_duration_range check (duration_minutes between 10 and 300),
    constraint exam_setup_late_range check (late_limit_minutes between 0 and 300),
    constraint exam_setup_earliest_range check (earliest_submit_minutes between 0 and 300),
    constraint exam_setup_attempts_range check (max_attempts between 1 and 3),
    constraint exam_setup_scoring_known check (attempt_scoring in ('highest', 'last')),
    constraint exam_setup_paper_mode_known check (paper_mode in ('fixed', 'random_pool', 'by_class', 'random_rule')),
    constraint exam_setup_paper_mode_missing check ((mode = 'online') = (paper_mode is not null)),
    constraint exam_setup_rule_missing check ((rule_id is not null) = coalesce(paper_mode = 'random_rule', false)),
    constraint exam_setup_total_range check (paper_total between 0.5 and 1000),
    constraint exam_setup_pass_range check (pass_score between 0 and 100),
    constraint exam_setup_marking_mode_known check (marking_mode in ('auto', 'single', 'double')),
    constraint exam_setup_diff_range check (mark_diff_percent between 5 and 50),
    constraint exam_setup_show_score_known check (show_score in ('never', 'after_submit', 'after_end', 'after_publish')),
    constraint exam_setup_show_answer_known check (show_answer in ('never', 'after_submit', 'after_end', 'after_publish')),
    constraint exam_setup_progress_range check (min_progress between 0 and 100),
    constraint exam_setup_homework_range check (min_homework between 0 and 100),
    constraint exam_setup_absence_range check (max_absence between 0 and 100),
    constraint exam_setup_session_known check (session_id is null or mode = 'offline'),
    constraint exam_setup_seating_known check (not no_seating or assess_mode in ('oral', 'practical', 'report')),
    constraint exam_setup_status_known check (
        status in ('draft', 'submitted', 'approved', 'published', 'closed', 'cancelled')
        and (mode = 'offline' or status not in ('submitted', 'approved'))
    ),
    constraint exam_setup_marking_known check (marking_status in ('none', 'marking', 'done', 'transferred')),
    constraint exam_setup_submitted_missing check (status <> 'submitted' or submitted_by is not null),
    constraint exam_setup_published_missing check (status not in ('published', 'closed') or published_at is not null),
    constraint exam_setup_cancel_reason_missing check (status <> 'cancelled' or cancel_reason is not null),
    -- Lets a candidate prove that its batch and course are the setup's.
    constraint exam_setup_with_course unique (id, batch_id, course_id),
    constraint exam_setup_of_batch foreign key (batch_id) references test_batch (id),
    constraint exam_setup_of_course foreign key (course_id) references course (id),
    constraint exam_setup_of_semester foreign key (semester_id) references semester (id),
    constraint exam_setup_of_rule foreign key (rule_id) references paper_rule (id)
);
--;;
create index exam_setup_newest on exam_setup (created_at desc, id);
--;;
create index exam_setup_batch on exam_setup (batch_id, mode, status);
--;;
create index exam_setup_course on exam_setup (course_id, semester_id);
--;;
create index exam_setup_semester on exam_setup (semester_id);
--;;
create index exam_setup_rule on exam_setup (rule_id) where rule_id is not null;
--;;
create index exam_setup_session on exam_setup (session_id) where session_id is not null;
--;;
create index exam_setup_status on exam_setup (mode, status, created_at desc, id);
--;;
create index exam_setup_ending on exam_setup (ends_at) where status = 'published';
--;;
-- 考试对象.
create table exam_setup_class (
    setup_id bigint not null,
    class_id bigint not null,
    constraint exam_setup_class_key primary key (setup_id, class_id),
    constraint exam_setup_class_of_setup foreign key (setup_id) references exam_setup (id) on delete cascade,
    constraint exam_setup_class_of_class foreign key (class_id) references class (id)
);
--;;
create index exam_setup_class_class on exam_setup_class (class_id);
--;;
-- 试卷, A to F; of what is drawn for each candidate none. Offline setups print theirs.
create table exam_setup_paper (
    setup_id    bigint not null,
    slot        text   not null,
    paper_id    bigint not null,
    -- Since it was published.
    snapshot_id bigint,
    constraint exam_setup_paper_key primary key (setup_id, slot),
    constraint exam_setup_paper_slot_known check (slot in ('A', 'B', 'C', 'D', 'E', 'F')),
    constraint exam_setup_paper_taken unique (setup_id, paper_id),
    constraint exam_setup_paper_of_setup foreign key (setup_id) references exam_setup (id) on delete cascade,
    constraint exam_setup_paper_of_paper foreign key (paper_id) references paper (id),
    constraint exam_setup_paper_of_snapshot foreign key (snapshot_id) references paper_snapshot (id)
);
--;;
create index exam_setup_paper_paper on exam_setup_paper (paper_id);
--;;
create index exam_setup_paper_snapshot on exam_setup_paper (snapshot_id) where snapshot_id is not null;
--;;
-- 考生. Course, batch and student are copied, so that one of them sits once for a course in a batch.
create table exam_candidate (
    id                   bigint generated always as identity,
    setup_id             bigint  not null,
    selection_id         bigint  not null,
    batch_id             bigint  not null,
    course_id            bigint  not null,
    student_id           bigint  not null,
    round                text    not null,
    eligibility          text    not null default 'eligible',
    eligibility_reason   text,
    -- Decided by a person; a refresh leaves it.
    eligibility_override boolean not null default false,
    override_reason      text,
    override_by_name     text,
    -- Added by a person: a refresh does not take it away.
    added_by_hand        boolean not null default false,
    attendance           text    not null default 'unknown',
    violation_level      text    not null default 'none',
    -- Which case decided it.
    violation_id         bigint,
    snapshot_id          bigint,
    slot                 text,
    extra_minutes        integer not null default 0,
    -- May enter again until then, although the examination is over.
    reopened_until       timestamptz,
    final_raw            numeric(5, 1),
    final_score          numeric(4, 1),
    removed              boolean not null default false,
    remove_reason        text,
    created_at           timestamptz not null default now(),
    created_by           bigint  not null,
    updated_at           timestamptz not null default now(),
    updated_by           bigint  not null,
    version              integer not null default 1,
    constraint exam_candidate_key primary key (id),
    constraint exam_candidate_round_known check (round in ('first', 'deferred', 'makeup', 'final_makeup')),
    constraint exam_candidate_eligibility_known check (eligibility in ('eligible', 'disqualified', 'deferred', 'exempt')),
    constraint exam_candidate_override_missing check (not eligibility_override or override_reason is not null),
    constraint exam_candidate_attendance_known check (attendance in ('unknown', 'present', 'absent')),
    constraint exam_candidate_violation_known check (violation_level in ('none', 'violation', 'cheating')),
    constraint exam_candidate_violation_missing check ((violation_level = 'none') = (violation_id is null)),
    constraint exam_candidate_slot_known check (slot in ('A', 'B', 'C', 'D', 'E', 'F')),
    constraint exam_candidate_extra_range check (extra_minutes between 0 and 120),
    constraint exam_candidate_raw_range check (final_raw between 0 and 1000),
    constraint exam_candidate_score_range check (final_score between 0 and 100),
    constraint exam_candidate_removed_missing check (not removed or remove_reason is not null),
    constraint exam_candidate_taken unique (setup_id, selection_id),
    constraint exam_candidate_of_setup foreign key (setup_id, batch_id, course_id)
        references exam_setup (id, batch_id, course_id),
    constraint exam_candidate_of_batch foreign key (batch_id) references test_batch (id),
    constraint exam_candidate_of_course foreign key (course_id) references course (id),
    constraint exam_candidate_of_selection foreign key (selection_id) references course_selection (id),
    constraint exam_candidate_of_student foreign key (student_id) references student (id),
    constraint exam_candidate_of_snapshot foreign key (snapshot_id) references paper_snapshot (id)
);
--;;
-- One examination of a course for a student in a batch.
create unique index exam_candidate_course_taken on exam_candidate (batch_id, course_id, student_id) where not removed;
--;;
create index exam_candidate_newest on exam_candidate (created_at desc, id);
--;;
-- Filters for the few: most sit for the first time, may sit, came and broke no rule.
create index exam_candidate_round on exam_candidate (round, created_at desc, id) where round <> 'first';
--;;
create index exam_candidate_eligibility on exam_candidate (eligibility, created_at desc, id) where eligibility <> 'eligible';
--;;
create index exam_candidate_absent on exam_candidate (created_at desc, id) where attendance = 'absent';
--;;
create index exam_candidate_level on exam_candidate (violation_level, created_at desc, id) where violation_level <> 'none';
--;;
create index exam_candidate_setup on exam_candidate (setup_id, eligibility) where not removed;
--;;
create index exam_candidate_batch on exam_candidate (batch_id, setup_id);
--;;
create index exam_candidate_course on exam_candidate (course_id);
--;;
create index exam_candidate_selection on exam_candidate (selection_id);
--;;
create index exam_candidate_student on exam_candidate (student_id, batch_id);
--;;
create index exam_candidate_snapshot on exam_candidate (snapshot_id) where snapshot_id is not null;
--;;
-- 阅卷教师; of an offline setup also who enters the sheets of these classes.
create table exam_marker (
    id            bigint generated always as identity,
    setup_id      bigint  not null,
    teacher_id    bigint  not null,
    scope         text    not null default 'all',
    class_ids     bigint[] not null default '{}',
    -- "3", "7.2"; of every slot.
    question_seqs text[]  not null default '{}',
    quota         integer,
    arbiter       boolean not null default false,
    deadline_at   timestamptz,
    status        text    not null default 'assigned',
    -- Kept by the steps of marking.
    assigned      integer not null default 0,
    done          integer not null default 0,
    reminded_at   timestamptz,
    created_at    timestamptz not null default now(),
    created_by    bigint  not null,
    updated_at    timestamptz not null default now(),
    updated_by    bigint  not null,
    version       integer not null default 1,
    constraint exam_marker_key primary key (id),
    constraint exam_marker_scope_known check (scope in ('all', 'by_class', 'by_question')),
    constraint exam_marker_classes_missing check ((scope = 'by_class') = (class_ids <> '{}')),
    constraint exam_marker_questions_missing check ((scope = 'by_question') = (question_seqs <> '{}')),
    constraint exam_marker_quota_range check (quota between 1 and 100000),
    constraint exam_marker_counts_range check (assigned >= 0 and done >= 0),
    constraint exam_marker_status_known check (status in ('assigned', 'working', 'finished')),
    constraint exam_marker_taken unique (setup_id, teacher_id),
    constraint exam_marker_of_setup foreign key (setup_id) references exam_setup (id) on delete cascade,
    constraint exam_marker_of_teacher foreign key (teacher_id) references teacher (id)
);
--;;
create index exam_marker_teacher on exam_marker (teacher_id, status);
--;;
create index exam_marker_newest on exam_marker (created_at desc, id);
--;;
-- 缓考申请 of a course in a batch, also before its examination is set.
create table exam_deferral (
    id               bigint generated always as identity,
    student_id       bigint  not null,
    batch_id         bigint  not null,
    course_id        bigint  not null,
    -- Whose examination is put off.
    selection_id     bigint  not null,
    reason_type      text    not null,
    reason           text    not null,
    applied_by       text    not null,
    applied_by_name  text    not null default '',
    status           text    not null default 'applied',
    reviewed_by      bigint,
    reviewed_by_name text,
    reviewed_at      timestamptz,
    opinion          text,
    created_at       timestamptz not null default now(),
    created_by       bigint  not null,
    updated_at       timestamptz not null default now(),
    updated_by       bigint  not null,
    version          integer not null default 1,
    constraint exam_deferral_key primary key (id),
    constraint exam_deferral_reason_type_known check (reason_type in ('illness', 'work', 'family', 'other')),
    constraint exam_deferral_applied_by_known check (applied_by in ('student', 'staff')),
    constraint exam_deferral_status_known check (status in ('applied', 'approved', 'rejected', 'cancelled', 'used')),
    constraint exam_deferral_opinion_missing check (status <> 'rejected' or opinion is not null),
    constraint exam_deferral_of_student foreign key (student_id) references student (id),
    constraint exam_deferral_of_batch foreign key (batch_id) references test_batch (id),
    constraint exam_deferral_of_course foreign key (course_id) references course (id),
    constraint exam_deferral_of_selection foreign key (selection_id) references course_selection (id)
);
--;;
create unique index exam_deferral_taken on exam_deferral (student_id, batch_id, course_id)
    where status not in ('cancelled', 'rejected');
--;;
create index exam_deferral_newest on exam_deferral (created_at desc, id);
--;;
create index exam_deferral_batch on exam_deferral (batch_id, status);
--;;
create index exam_deferral_status on exam_deferral (status, created_at desc, id);
--;;
create index exam_deferral_student on exam_deferral (student_id);
--;;
create index exam_deferral_course on exam_deferral (course_id, status);
--;;
create index exam_deferral_selection on exam_deferral (selection_id);
--;;
-- 证明材料; late: why it was approved after the examination.
create table exam_deferral_file (
    deferral_id bigint  not null,
    file_id     bigint  not null,
    late        boolean not null default false,
    sort_no     integer not null,
    constraint exam_deferral_file_key primary key (deferral_id, file_id),
    constraint exam_deferral_file_of_deferral foreign key (deferral_id) references exam_deferral (id) on delete cascade,
    constraint exam_deferral_file_of_object foreign key (file_id) references file_object (id)
);
--;;
create index exam_deferral_file_object on exam_deferral_file (file_id);
--;;
-- 违规记录.
create table exam_violation (
    id               bigint generated always as identity,
    candidate_id     bigint  not null,
    level            text    not null,
    clause           text    not null,
    description      text    not null,
    source           text    not null,
    reported_by      bigint  not null,
    reported_by_kind text    not null default 'account',
    reported_by_name text    not null default '',
    status           text    not null default 'reported',
    decided_by       bigint,
    decided_by_name  text,
    decided_at       timestamptz,
    decision         text,
    penalty          text,
    revoke_reason    text,
    created_at       timestamptz not null default now(),
    created_by       bigint  not null,
    updated_at       timestamptz not null default now(),
    updated_by       bigint  not null,
    version          integer not null default 1,
    constraint exam_violation_key primary key (id),
    constraint exam_violation_level_known check (level in ('violation', 'cheating')),
    constraint exam_violation_clause_known check (
        clause in ('W1', 'W2', 'W3', 'W4', 'W5', 'W6', 'W7', 'W8', 'W9', 'W10', 'Z1', 'Z2', 'Z3', 'Z4', 'Z5', 'Z6', 'Z7',
                   'Z8', 'Z9', 'Z10')
    ),
    constraint exam_violation_clause_level check ((level = 'cheating') = starts_with(clause, 'Z')),
    constraint exam_violation_source_known check (source in ('online_monitor', 'invigilator', 'marking', 'other')),
    constraint exam_violation_reporter_known check (reported_by_kind in ('account', 'teacher')),
    constraint exam_violation_status_known check (status in ('reported', 'confirmed', 'dismissed', 'revoked')),
    constraint exam_violation_penalty_known check (penalty in ('score_void', 'batch_void', 'discipline')),
    constraint exam_violation_penalty_missing check ((penalty is not null) = (status in ('confirmed', 'revoked'))),
    constraint exam_violation_decided_missing check (status = 'reported' or decided_at is not null),
    constraint exam_violation_revoke_missing check ((status = 'revoked') = (revoke_reason is not null)),
    constraint exam_violation_of_candidate foreign key (candidate_id) references exam_candidate (id)
);
--;;
create index exam_violation_newest on exam_violation (created_at desc, id);
--;;
create index exam_violation_candidate on exam_violation (candidate_id, status);
--;;
create index exam_violation_status on exam_violation (status, created_at desc, id);
--;;
create table exam_violation_file (
    violation_id bigint  not null,
    file_id      bigint  not null,
    sort_no      integer not null,
    constraint exam_violation_file_key primary key (violation_id, file_id),
    constraint exam_violation_file_of_violation foreign key (violation_id) references exam_violation (id),
    constraint exam_violation_file_of_object foreign key (file_id) references file_object (id)
);
--;;
create index exam_violation_file_object on exam_violation_file (file_id);
--;;
alter table exam_candidate add constraint exam_candidate_of_violation
    foreign key (violation_id) references exam_violation (id);
--;;
create index exam_candidate_violation on exam_candidate (violation_id) where violation_id is not null;
