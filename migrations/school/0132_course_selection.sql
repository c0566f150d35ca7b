-- Course selections: the roster of everything that is taught, studied and examined. Owner: tenant/course_selection. Others read.
--
--     pending ─audit→ selected ─(its score is published)→ completed ─(taken back)→ selected
--     pending ─reject→ dropped      pending, selected ─drop→ dropped ─(selected again)→ selected
--     pending, selected ─exempt→ exempted

-- 选课. Who repeats a course has two of them.
create table course_selection (
    id              bigint generated always as identity,
    student_id      bigint  not null,
    opening_id      bigint  not null,
    semester_id     bigint  not null,
    course_id       bigint  not null,
    class_id        bigint,
    -- Chosen by somebody: it does not follow the student to another class.
    class_by_hand   boolean not null default false,
    source          text    not null,
    attempt_no      integer not null default 1,
    status          text    not null,
    selected_at     timestamptz,
    dropped_at      timestamptz,
    drop_reason     text,
    -- The student's status took it away: it comes back with the status, which what a person dropped does not.
    dropped_by_sync boolean not null default false,
    exempt_reason   text,
    exempt_file_id  bigint,
    audited_by      bigint,
    audited_at      timestamptz,
    final_score     numeric(5, 1),
    passed          boolean,
    remark          text,
    created_at      timestamptz not null default now(),
    created_by      bigint  not null,
    updated_at      timestamptz not null default now(),
    updated_by      bigint  not null,
    version         integer not null default 1,
    constraint course_selection_key primary key (id),
    constraint course_selection_source_known check (source in ('plan', 'self', 'admin', 'retake', 'makeup_study')),
    constraint course_selection_status_known check (
        status in ('pending', 'selected', 'dropped', 'exempted', 'completed')
    ),
    constraint course_selection_attempt_range check (attempt_no >= 1),
    constraint course_selection_selected_at_missing check (status = 'pending' or selected_at is not null
        or status in ('dropped', 'exempted')),
    constraint course_selection_dropped_at_missing check (status <> 'dropped' or dropped_at is not null),
    constraint course_selection_sync_known check (not dropped_by_sync or status = 'dropped'),
    constraint course_selection_exempt_reason_missing check (status <> 'exempted' or exempt_reason is not null),
    constraint course_selection_score_range check (final_score between 0 and 1000),
    constraint course_selection_passed_missing check (status <> 'completed' or passed is not null),
    constraint course_selection_student_taken unique (student_id, opening_id),
    constraint course_selection_of_student foreign key (student_id) references student (id),
    constraint course_selection_of_opening foreign key (opening_id, semester_id, course_id)
        references course_opening (id, semester_id, course_id),
    constraint course_selection_of_class foreign key (class_id) references class (id),
    constraint course_selection_exempt_of_file foreign key (exempt_file_id) references file_object (id)
);
--;;
-- A student is in a course once at a time.
create unique index course_selection_active_taken on course_selection (student_id, course_id)
    where status in ('pending', 'selected');
--;;
create index course_selection_newest on course_selection (created_at desc, id);
--;;
create index course_selection_semester on course_selection (semester_id, created_at desc, id);
--;;
create index course_selection_course on course_selection (semester_id, course_id, status);
--;;
create index course_selection_opening on course_selection (opening_id, status) include (class_id);
--;;
create index course_selection_class on course_selection (class_id, opening_id) include (status);
--;;
create index course_selection_status on course_selection (status, created_at desc, id);
--;;
create index course_selection_exempt_file on course_selection (exempt_file_id) where exempt_file_id is not null;
--;;
-- Who did not pass a course, for those who take it again.
create index course_selection_failed on course_selection (course_id, created_at desc, id)
    where status = 'completed' and not passed;
--;;
-- To whom something happened lately, whose rosters follow.
create index student_status_change_newest on student_status_change (created_at);
