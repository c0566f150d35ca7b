-- Online study: what is watched in an opened course, how far each student is, and what they ask. Owner: tenant/online_study.
-- Others read.
--
--     course_opening ── online_teaching (which material, when, from which share a period is finished)
--     course_selection ─┬─ study_progress (one a period) ─→ study_course_progress (one a selection), study_day, study_reminder
--                       ├─ study_session (one that lives a student; each beat of its player moves it on)
--                       └─ course_qa ── course_qa_reply

-- 在线教学 of an opening, whose number it bears: without a row everything is as it is by default.
create table online_teaching (
    id                    bigint  not null,
    -- None: the course's default.
    course_record_id      bigint,
    -- None: the semester's.
    study_starts_at       timestamptz,
    study_ends_at         timestamptz,
    finish_percent        integer not null default 90,
    max_speed             numeric(2, 1) not null default 1.5,
    allow_seek_unwatched  boolean not null default false,
    -- 0: none.
    daily_limit_minutes   integer not null default 0,
    sequential            boolean not null default false,
    required_progress     integer not null default 0,
    face_check            boolean not null default false,
    created_at            timestamptz not null default now(),
    created_by            bigint  not null,
    updated_at            timestamptz not null default now(),
    updated_by            bigint  not null,
    version               integer not null default 1,
    constraint online_teaching_key primary key (id),
    constraint online_teaching_window_order check (study_ends_at > study_starts_at),
    constraint online_teaching_finish_percent_range check (finish_percent between 50 and 100),
    constraint online_teaching_max_speed_range check (max_speed between 1.0 and 2.0),
    constraint online_teaching_daily_limit_range check (daily_limit_minutes between 0 and 1440),
    constraint online_teaching_required_progress_range check (required_progress between 0 and 100),
    constraint online_teaching_of_opening foreign key (id) references course_opening (id),
    constraint online_teaching_of_record foreign key (course_record_id) references course_record (id)
);
--;;
create index online_teaching_record on online_teaching (course_record_id) where course_record_id is not null;
--;;
-- By which periods and which rule the progress of an opening's students was counted: what differs from how both stand is
-- counted anew. Kept by the job.
create table study_shape (
    opening_id bigint not null,
    shape      text   not null,
    counted_at timestamptz not null,
    constraint study_shape_key primary key (opening_id),
    constraint study_shape_of_opening foreign key (opening_id) references course_opening (id)
);
--;;
-- 课时学习进度. What was watched, in seconds of the video (of a live lesson in seconds since its beginning), or which pages; what is
-- finished stays finished.
create table study_progress (
    id              bigint generated always as identity,
    selection_id    bigint  not null,
    period_id       bigint  not null,
    watched         int4multirange not null default '{}',
    pages           int4multirange not null default '{}',
    -- How many of the period's seconds or pages these are.
    seen            integer not null default 0,
    -- How long it took.
    watched_seconds integer not null default 0,
    last_position   integer not null default 0,
    progress        numeric(4, 1) not null default 0,
    finished_at     timestamptz,
    first_at        timestamptz not null,
    last_at         timestamptz not null,
    client_kinds    text[]  not null default '{}',
    constraint study_progress_key primary key (id),
    constraint study_progress_taken unique (selection_id, period_id),
    constraint study_progress_progress_range check (progress between 0 and 100),
    constraint study_progress_seconds_range check (seen >= 0 and watched_seconds >= 0 and last_position >= 0),
    constraint study_progress_of_selection foreign key (selection_id) references course_selection (id),
    constraint study_progress_of_period foreign key (period_id) references course_period (id)
);
--;;
create index study_progress_period on study_progress (period_id);
--;;
-- 课程学习进度 of a selection, whose number it bears. Whoever changes anything of the selection's study holds this row first.
create table study_course_progress (
    id                bigint  not null,
    -- The selection's opening when it was counted last.
    opening_id        bigint  not null,
    progress          numeric(4, 1) not null default 0,
    study_seconds     bigint  not null default 0,
    login_days        integer not null default 0,
    last_at           timestamptz,
    finished_periods  integer not null default 0,
    total_periods     integer not null default 0,
    finished_at       timestamptz,
    -- From another platform: never less than this.
    imported_progress numeric(4, 1),
    imported_seconds  bigint  not null default 0,
    updated_at        timestamptz not null default now(),
    constraint study_course_progress_key primary key (id),
    constraint study_course_progress_range check (progress between 0 and 100 and imported_progress between 0 and 100),
    constraint study_course_progress_counts_range check (
        study_seconds >= 0 and login_days >= 0 and finished_periods >= 0 and total_periods >= 0 and imported_seconds >= 0
    ),
    constraint study_course_progress_finished check (finished_at is null or progress = 100),
    constraint study_course_progress_of_selection foreign key (id) references course_selection (id),
    constraint study_course_progress_of_opening foreign key (opening_id) references course_opening (id)
);
--;;
create index study_course_progress_opening on study_course_progress (opening_id, id);
--;;
create index study_course_progress_progress on study_course_progress (progress, id);
--;;
-- 学习天数: how long a student studied a course on a day of China.
create table study_day (
    selection_id bigint  not null,
    day          date    not null,
    seconds      integer not null default 0,
    constraint study_day_key primary key (selection_id, day),
    constraint study_day_seconds_range check (seconds >= 0),
    constraint study_day_of_selection foreign key (selection_id) references course_selection (id)
);
--;;
create index study_day_day on study_day (day, selection_id);
--;;
-- 督促: who was told to study a course, once a day.
create table study_reminder (
    id           bigint generated always as identity,
    selection_id bigint  not null,
    day          date    not null,
    -- How far they were.
    progress     numeric(4, 1) not null,
    reminded_at  timestamptz not null,
    constraint study_reminder_key primary key (id),
    constraint study_reminder_taken unique (selection_id, day),
    constraint study_reminder_progress_range check (progress between 0 and 100),
    constraint study_reminder_of_selection foreign key (selection_id) references course_selection (id)
);
--;;
-- 学习会话: one player of one student. The server numbers it, counts the seconds between its beats by its own clock, and keeps the
-- answer to the last of them. Kept 24 months; not parted by month, because a school's role makes no tables.
create table study_session (
    id               bigint generated always as identity,
    selection_id     bigint  not null,
    student_id       bigint  not null,
    period_id        bigint  not null,
    -- Of which sign-in.
    sign_in          uuid    not null,
    started_at       timestamptz not null,
    -- Never goes back, whichever server takes the beat.
    last_beat_at     timestamptz not null,
    -- By how much what was credited is ahead of the clock; a student's next session begins with it.
    ahead_millis     integer not null default 0,
    seq              bigint  not null default 0,
    answer           jsonb,
    credited_seconds integer not null default 0,
    rejected_seconds integer not null default 0,
    ip               text    not null default '',
    device           text    not null default '',
    ended_at         timestamptz,
    end_reason       text,
    constraint study_session_key primary key (id),
    constraint study_session_seconds_range check (credited_seconds >= 0 and rejected_seconds >= 0),
    constraint study_session_ahead_range check (ahead_millis between 0 and 5000),
    constraint study_session_end_reason_known check (
        end_reason in ('closed', 'silent', 'other_device', 'other_period', 'reset')
    ),
    constraint study_session_end_reason_missing check ((ended_at is null) = (end_reason is null)),
    constraint study_session_of_selection foreign key (selection_id) references course_selection (id),
    constraint study_session_of_student foreign key (student_id) references student (id),
    constraint study_session_of_period foreign key (period_id) references course_period (id)
);
--;;
-- A student studies in one place at a time.
create unique index study_session_live_taken on study_session (student_id) where ended_at is null;
--;;
create index study_session_selection on study_session (selection_id, started_at desc, id desc);
--;;
create index study_session_student on study_session (student_id, id desc);
--;;
create index study_session_period on study_session (period_id);
--;;
create index study_session_started on study_session using brin (started_at);
--;;
-- 课程答疑: a question of a student in a course.
create table course_qa (
    id           bigint generated always as identity,
    selection_id bigint  not null,
    chapter_id   bigint,
    title        text    not null,
    content      text    not null,
    excellent    boolean not null default false,
    hidden       boolean not null default false,
    created_at   timestamptz not null default now(),
    created_by   bigint  not null,
    updated_at   timestamptz not null default now(),
    updated_by   bigint  not null,
    version      integer not null default 1,
    constraint course_qa_key primary key (id),
    constraint course_qa_of_selection foreign key (selection_id) references course_selection (id),
    constraint course_qa_of_chapter foreign key (chapter_id) references course_chapter (id)
);
--;;
create index course_qa_selection on course_qa (selection_id, created_at desc, id);
--;;
create index course_qa_newest on course_qa (created_at desc, id);
--;;
create index course_qa_chapter on course_qa (chapter_id) where chapter_id is not null;
--;;
-- What is answered to it; nobody changes it afterwards.
create table course_qa_reply (
    id         bigint generated always as identity,
    qa_id      bigint not null,
    by_kind    text   not null,
    by_id      bigint not null,
    by_name    text   not null,
    content    text   not null,
    created_at timestamptz not null,
    constraint course_qa_reply_key primary key (id),
    constraint course_qa_reply_by_kind_known check (by_kind in ('student', 'teacher', 'staff')),
    constraint course_qa_reply_of_qa foreign key (qa_id) references course_qa (id)
);
--;;
create index course_qa_reply_qa on course_qa_reply (qa_id, created_at, id);
--;;
create index course_qa_reply_by on course_qa_reply (by_kind, by_id);
--;;
-- For other modules, by selection: own questions, own answers to others of the same course and semester, and what was marked
-- excellent; hidden questions count for nobody.
create view qa_summary as
select c.id as selection_id, c.student_id, c.course_id, c.semester_id,
       (select count(*) from course_qa q where q.selection_id = c.id and not q.hidden) as asked,
       (select count(*)
        from course_qa_reply r
        join course_qa q on q.id = r.qa_id and not q.hidden
        join course_selection o on o.id = q.selection_id and o.course_id = c.course_id and o.semester_id = c.semester_id
        where r.by_kind = 'student' and r.by_id = c.student_id and o.student_id <> c.student_id) as answered,
       (select count(*) from course_qa q where q.selection_id = c.id and q.excellent and not q.hidden) as excellent
from course_selection c;
--;;
-- Which classes take part in an opening: each with somebody on its roster.
create view opening_class as
select distinct opening_id, class_id from course_selection
where status in ('selected', 'completed') and class_id is not null;
