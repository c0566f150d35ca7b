-- Statistics: what schools publish of themselves for the operators' pages, when each was looked at last, and the visits of the
-- operators' own site (part 05 A). Owner: tenant/statistics. Numbers and names of units only, no person of a school.

-- When a school was written to, and up to when its facts were looked at. A school that nobody writes to costs nothing.
create table stat_watch (
    school_id    bigint not null,
    written_at   timestamptz,
    -- By the server's clock and by the database's: facts bear one or the other.
    swept_at     timestamptz,
    swept_db_at  timestamptz,
    refreshed_at timestamptz,
    published_at timestamptz,
    constraint stat_watch_key primary key (school_id)
);
--;;
create index stat_watch_written on stat_watch (written_at);
--;;
create table stat_school_day (
    school_id          bigint  not null,
    date               date    not null,
    students_by_status jsonb   not null,
    active_students    integer not null,
    joined             integer not null,
    left_school        integer not null,
    pre_registrations  integer not null,
    admissions         integer not null,
    reported           integer not null,
    graduates          integer not null,
    degrees            integer not null,
    login_students     integer not null,
    login_others       integer not null,
    logins             integer not null,
    learners           integer not null,
    credited_seconds   bigint  not null,
    homework_submitted integer not null,
    exams_taken        integer not null,
    -- Of the year of the day, as it stood then.
    admitted_of_year   integer not null,
    graduated_of_year  integer not null,
    constraint stat_school_day_key primary key (school_id, date)
);
--;;
create index stat_school_day_date on stat_school_day (date);
--;;
-- The sums of a semester: of all, and by site, major, level and course.
create table stat_school_term (
    school_id      bigint  not null,
    semester_code  text    not null,
    kind           text    not null,
    key_code       text    not null,
    key_name       text    not null,
    is_current     boolean not null,
    students       integer not null,
    classes        integer not null,
    roster         integer not null,
    not_started    integer not null,
    studying       integer not null,
    finished       integer not null,
    reached        integer not null,
    progress_sum   bigint  not null,
    study_seconds  bigint  not null,
    hw_tasks       integer not null,
    hw_should      integer not null,
    hw_handed      integer not null,
    hw_on_time     integer not null,
    hw_marked      integer not null,
    hw_missed      integer not null,
    hw_pending     integer not null,
    hw_scored      integer not null,
    hw_score_sum   bigint  not null,
    hw_passed      integer not null,
    exams          integer not null,
    enrolled       integer not null,
    should         integer not null,
    present        integer not null,
    absent         integer not null,
    deferred       integer not null,
    exempt         integer not null,
    disqualified   integer not null,
    cheating       integer not null,
    violation      integer not null,
    scored         integer not null,
    score_sum      bigint  not null,
    score_sq_sum   bigint  not null,
    passed         integer not null,
    excellent      integer not null,
    risk_high      integer not null,
    login_students integer not null,
    logins         integer not null,
    active_seconds bigint  not null,
    computed_at    timestamptz not null,
    constraint stat_school_term_key primary key (school_id, semester_code, kind, key_code),
    constraint stat_school_term_kind_known check (kind in ('total', 'site', 'major', 'level', 'course'))
);
--;;
create index stat_school_term_code on stat_school_term (semester_code, kind);
--;;
-- Different people of a month: days do not add up.
create table stat_school_month (
    school_id        bigint  not null,
    -- Its first day.
    month            date    not null,
    login_students   integer not null,
    learners         integer not null,
    logins           integer not null,
    active_seconds   bigint  not null,
    never_logged_in  integer not null,
    active_students  integer not null,
    credited_seconds bigint  not null,
    constraint stat_school_month_key primary key (school_id, month)
);
--;;
-- Where the visitors of a school came from; 0 is the operators' own site.
create table stat_visit_day (
    school_id         bigint  not null,
    date              date    not null,
    channel           text    not null,
    terminal          text    not null,
    pv                integer not null,
    uv                integer not null,
    pre_registrations integer not null,
    admissions        integer not null,
    registrations     integer not null,
    learners          integer not null,
    constraint stat_visit_day_key primary key (school_id, date, channel, terminal)
);
--;;
create index stat_visit_day_date on stat_visit_day (date);
--;;
-- The operators' own links and visits; a school's stand in its schema.
create table promotion_link (
    id          bigint generated always as identity,
    code        text collate "C" not null,
    name        text    not null,
    source_channel text not null,
    site_id     bigint,
    target_page text    not null,
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
    constraint promotion_link_site_missing check (site_id is null and batch_id is null)
);
--;;
create index promotion_link_newest on promotion_link (created_at desc, id);
--;;
create table visit (
    id              bigint generated always as identity,
    visitor_key     text collate "C" not null,
    at              timestamptz not null,
    page            text    not null,
    ref_id          bigint,
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
--;;
-- Days whose visits are to be counted anew.
create table stat_dirty (
    kind      text   not null,
    k1        bigint not null,
    k2        bigint not null default 0,
    day       date   not null default '1970-01-01',
    marked_at timestamptz not null,
    constraint stat_dirty_key primary key (kind, k1, k2, day),
    constraint stat_dirty_kind_known check (kind = 'visit')
);
