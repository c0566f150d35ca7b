-- Statistics: who signed in, who studies, hands in and passes, summed so that no list walks over the facts; visits of public pages
-- and the links that led to them (part 05 A). Owner: tenant/statistics.
--
--     facts of other modules ─(changed since the last look)→ stat_dirty ─[roll-up]→ stat_*        visit ─→ visit_day
-- Every stat_ row follows from the facts of its key and is written anew, never added to. Days are days of China. Scores and progress
-- are kept in tenths. No foreign keys: a row is numbers, and goes with the key that it was made for. Not parted by month or semester,
-- because a school's role makes no tables.

-- 客户端登录. One of a session that a person opened themselves; sessions of staff who act for somebody have none.
create table client_login (
    id             bigint generated always as identity,
    session        uuid    not null,
    owner_kind     text    not null,
    owner_id       bigint  not null,
    at             timestamptz not null,
    last_beat_at   timestamptz,
    last_seq       bigint  not null default 0,
    ended_at       timestamptz,
    active_seconds integer not null default 0,
    ip             text    not null default '',
    device         text    not null,
    client_name    text    not null,
    -- Not where the same person signed in with the same kind of device less than half an hour before.
    counted        boolean not null,
    constraint client_login_key primary key (id),
    constraint client_login_session_taken unique (session),
    constraint client_login_owner_known check (owner_kind in ('student', 'teacher', 'site_staff', 'class_manager')),
    constraint client_login_device_known check (device in ('pc', 'mobile', 'tablet', 'mini_program')),
    constraint client_login_seconds_range check (active_seconds >= 0)
);
--;;
create index client_login_owner on client_login (owner_kind, owner_id, at);
--;;
create index client_login_at on client_login (at);
--;;
-- 学习日: a selection on a day, with where its student was then.
create table stat_study_day (
    date             date    not null,
    selection_id     bigint  not null,
    student_id       bigint  not null,
    semester_id      bigint  not null,
    course_id        bigint  not null,
    opening_id       bigint  not null,
    -- 0: none.
    class_id         bigint  not null,
    site_id          bigint  not null,
    grade_id         bigint  not null,
    level_id         bigint  not null,
    major_id         bigint  not null,
    credited_seconds integer not null,
    rejected_seconds integer not null,
    sessions         integer not null,
    periods_finished integer not null,
    -- Tenths of a percent, at the end of the day.
    progress_end     integer not null,
    computed_at      timestamptz not null,
    constraint stat_study_day_key primary key (date, selection_id)
);
--;;
create index stat_study_day_student on stat_study_day (date, student_id);
--;;
create index stat_study_day_site on stat_study_day (semester_id, site_id, date);
--;;
create index stat_study_day_selection on stat_study_day (selection_id);
--;;
create index stat_study_day_class on stat_study_day (class_id, date);
--;;
-- 登录日: a person on a day.
create table stat_login_day (
    date           date    not null,
    owner_kind     text    not null,
    owner_id       bigint  not null,
    -- Of students, as on that day; 0: none.
    class_id       bigint  not null,
    site_id        bigint  not null,
    logins         integer not null,
    active_seconds integer not null,
    first_at       timestamptz not null,
    last_at        timestamptz not null,
    -- 1 pc, 2 mobile, 4 tablet, 8 mini program.
    device_mask    integer not null,
    -- A bit for each hour of the day in which somebody signed in.
    hour_mask      integer not null,
    computed_at    timestamptz not null,
    constraint stat_login_day_key primary key (date, owner_kind, owner_id),
    constraint stat_login_day_owner_known check (owner_kind in ('student', 'teacher', 'site_staff', 'class_manager'))
);
--;;
create index stat_login_day_class on stat_login_day (date, owner_kind, class_id);
--;;
create index stat_login_day_owner on stat_login_day (owner_kind, owner_id, date);
--;;
-- 班级日: a class on a day in a course; course 0 is all of them, of which alone people who signed in are told.
create table stat_class_day (
    date               date    not null,
    class_id           bigint  not null,
    course_id          bigint  not null,
    site_id            bigint  not null,
    learners           integer not null,
    credited_seconds   bigint  not null,
    periods_finished   integer not null,
    login_students     integer not null,
    logins             integer not null,
    active_seconds     bigint  not null,
    homework_submitted integer not null,
    exams_taken        integer not null,
    computed_at        timestamptz not null,
    constraint stat_class_day_key primary key (date, class_id, course_id, site_id)
);
--;;
create index stat_class_day_course on stat_class_day (course_id, date);
--;;
-- 开课班级: what the roster of an opening has come to, class by class. Whoever has no class stands in class 0 of their own site and major.
create table stat_opening_class (
    opening_id       bigint  not null,
    class_id         bigint  not null,
    site_id          bigint  not null,
    major_id         bigint  not null,
    grade_id         bigint  not null,
    level_id         bigint  not null,
    semester_id      bigint  not null,
    course_id        bigint  not null,
    roster           integer not null,
    not_started      integer not null,
    studying         integer not null,
    finished         integer not null,
    reached          integer not null,
    progress_sum     bigint  not null,
    -- How many are below 10 %, 20 %, … and up to 100 %.
    bins             integer[] not null,
    study_seconds    bigint  not null,
    -- Of these, from another platform.
    imported_seconds bigint  not null,
    hw_tasks         integer not null,
    hw_should        integer not null,
    hw_handed        integer not null,
    hw_on_time       integer not null,
    hw_marked        integer not null,
    hw_missed        integer not null,
    hw_pending       integer not null,
    hw_scored        integer not null,
    hw_score_sum     bigint  not null,
    hw_passed        integer not null,
    -- Scores below 60, 70, 80, 90, and from there on.
    hw_bands         integer[] not null,
    computed_at      timestamptz not null,
    constraint stat_opening_class_key primary key (opening_id, class_id, site_id, major_id, grade_id, level_id)
);
--;;
create index stat_opening_class_semester on stat_opening_class (semester_id, course_id);
--;;
create index stat_opening_class_class on stat_opening_class (class_id, semester_id);
--;;
create index stat_opening_class_site on stat_opening_class (site_id, semester_id);
--;;
-- 考试班级: what an examination has come to, class by class.
create table stat_exam_class (
    setup_id     bigint  not null,
    class_id     bigint  not null,
    site_id      bigint  not null,
    major_id     bigint  not null,
    grade_id     bigint  not null,
    level_id     bigint  not null,
    batch_id     bigint  not null,
    semester_id  bigint  not null,
    course_id    bigint  not null,
    mode         text    not null,
    round        text    not null,
    enrolled     integer not null,
    should       integer not null,
    present      integer not null,
    absent       integer not null,
    deferred     integer not null,
    exempt       integer not null,
    disqualified integer not null,
    cheating     integer not null,
    violation    integer not null,
    scored       integer not null,
    -- In order: of them median and bands are told.
    scores       integer[] not null,
    score_sum    bigint  not null,
    -- Sum of the squares of tenths.
    score_sq_sum bigint  not null,
    passed       integer not null,
    excellent    integer not null,
    risk_high    integer not null,
    computed_at  timestamptz not null,
    constraint stat_exam_class_key primary key (setup_id, class_id, site_id, major_id, grade_id, level_id)
);
--;;
create index stat_exam_class_semester on stat_exam_class (semester_id, course_id);
--;;
create index stat_exam_class_batch on stat_exam_class (batch_id);
--;;
create index stat_exam_class_site on stat_exam_class (site_id, semester_id);
--;;
create index stat_exam_class_class on stat_exam_class (class_id);
--;;
-- How far a site was at the end of a day: what is compared with seven days later.
create table stat_progress_day (
    date         date    not null,
    semester_id  bigint  not null,
    site_id      bigint  not null,
    roster       integer not null,
    progress_sum bigint  not null,
    constraint stat_progress_day_key primary key (date, semester_id, site_id)
);
--;;
-- 学校日. Kept for ever: the table of a past day is told from it.
create table stat_school_day (
    date               date    not null,
    -- {status: number}.
    students_by_status jsonb   not null,
    active_students    integer not null,
    joined             integer not null,
    left_school        integer not null,
    -- {kind of change: number}.
    changes            jsonb   not null,
    pre_registrations  integer not null,
    admissions         integer not null,
    reported           integer not null,
    graduates          integer not null,
    degrees            integer not null,
    computed_at        timestamptz not null,
    constraint stat_school_day_key primary key (date)
);
--;;
-- What is to be computed anew. A key stands here once, until it was.
create table stat_dirty (
    kind      text   not null,
    k1        bigint not null,
    k2        bigint not null default 0,
    day       date   not null default '1970-01-01',
    marked_at timestamptz not null,
    constraint stat_dirty_key primary key (kind, k1, k2, day),
    constraint stat_dirty_kind_known check (
        kind in ('study', 'login', 'opening_class', 'exam_class', 'class_day', 'visit', 'semester')
    )
);
--;;
-- What the roll-ups did, when there was something to do; kept 30 days.
create table stat_run (
    id          bigint generated always as identity,
    job         text    not null,
    started_at  timestamptz not null,
    finished_at timestamptz,
    keys        integer not null default 0,
    changed     integer not null default 0,
    error       text,
    constraint stat_run_key primary key (id)
);
--;;
create index stat_run_started on stat_run (started_at);
--;;
-- 推广链接: which poster, agent or advertisement brought somebody.
create table promotion_link (
    id          bigint generated always as identity,
    code        text collate "C" not null,
    name        text    not null,
    source_channel text not null,
    site_id     bigint,
    target_page text    not null,
    -- The batch of pre-registration that it leads to.
    batch_id    bigint,
    enabled     boolean not null default true,
    created_at  timestamptz not null default now(),
    created_by  bigint  not null,
    updated_at  timestamptz not null default now(),
    updated_by  bigint  not null,
    version     integer not null default 1,
    constraint promotion_link_key primary key (id),
    constraint promotion_link_code_taken unique (code),
    constraint promotion_link_code_shape check (code ~ '^[A-Za-z0-9]{8}$'),
    constraint promotion_link_name_taken unique (name),
    constraint promotion_link_page_known check (target_page in ('home', 'enrol', 'course', 'help', 'other')),
    constraint promotion_link_of_site foreign key (site_id) references site (id),
    constraint promotion_link_of_batch foreign key (batch_id) references pre_registration_batch (id)
);
--;;
create index promotion_link_newest on promotion_link (created_at desc, id);
--;;
create index promotion_link_site on promotion_link (site_id) where site_id is not null;
--;;
create index promotion_link_batch on promotion_link (batch_id) where batch_id is not null;
--;;
-- 访问, kept 40 days. No address stands here, only a hash of it that another salt makes every day.
create table visit (
    id              bigint generated always as identity,
    visitor_key     text collate "C" not null,
    at              timestamptz not null,
    page            text    not null,
    ref_id          bigint,
    -- 0: none.
    link_id         bigint  not null default 0,
    channel         text    not null,
    terminal        text    not null,
    referrer_domain text    not null default '',
    address_hash    bytea   not null,
    constraint visit_key primary key (id),
    constraint visit_page_known check (page in ('home', 'enrol', 'course', 'help', 'other')),
    constraint visit_terminal_known check (terminal in ('pc', 'h5', 'app', 'mini_program', 'wechat'))
);
--;;
create index visit_at on visit (at);
--;;
create index visit_visitor on visit (visitor_key, at desc);
--;;
create index visit_link on visit (link_id, at) where link_id <> 0;
--;;
-- Whom visits led to what. The last visit with a link or channel within 30 days before has it.
create table visit_conversion (
    kind            text   not null,
    ref_id          bigint not null,
    visitor_key     text collate "C" not null,
    page            text   not null,
    link_id         bigint not null,
    channel         text   not null,
    terminal        text   not null,
    referrer_domain text   not null,
    -- Of what was made: with it counts what becomes of it later.
    at              timestamptz not null,
    constraint visit_conversion_key primary key (kind, ref_id),
    constraint visit_conversion_kind_known check (kind in ('pre_registration', 'learner'))
);
--;;
create index visit_conversion_at on visit_conversion (at);
--;;
-- 访问日. What visits led to stands at the day on which the person registered, also when they are admitted later.
create table visit_day (
    date              date    not null,
    page              text    not null,
    link_id           bigint  not null,
    channel           text    not null,
    terminal          text    not null,
    referrer_domain   text    not null,
    pv                integer not null,
    uv                integer not null,
    pre_registrations integer not null,
    admissions        integer not null,
    registrations     integer not null,
    learners          integer not null,
    constraint visit_day_key primary key (date, page, link_id, channel, terminal, referrer_domain)
);
--;;
create index visit_day_link on visit_day (link_id) where link_id <> 0;
