-- Basic data: the calendar frame, the units, the majors, the classes, and the settings of the school.
-- Owner: tenant/basic_data (school_setting: platform/schools). Others read.
--
--     grade ┐
--     level ┼─ class ── student
--     major ┤   │
--     site ─┘   └ its (major, level) is a pair of major, its seq comes from class_counter
--
-- No school column anywhere: the schema is the school.
-- Codes are compared without regard to case. `initials` (拼音首字母) is written by the server from the name.

-- A missing row means the default that the code registers for the key.
create table school_setting (
    key        text    not null,
    value      jsonb   not null,
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint school_setting_key primary key (key)
);
--;;
-- 年级: an entry cohort. Year and season are its place on the calendar; the code is only its name.
create table grade (
    id           bigint generated always as identity,
    code         text    not null,
    name         text    not null,
    entry_year   integer not null,
    entry_season text    not null default 'spring',
    enabled      boolean not null default true,
    sort_no      integer not null default 0,
    remark       text,
    created_at   timestamptz not null default now(),
    created_by   bigint  not null,
    updated_at   timestamptz not null default now(),
    updated_by   bigint  not null,
    version      integer not null default 1,
    constraint grade_key primary key (id),
    constraint grade_code_shape check (code ~ '^[0-9]{4}[A-Z]?$'),
    constraint grade_entry_year_by_code check (left(code, 4) = entry_year::text),
    constraint grade_entry_season_known check (entry_season in ('spring', 'autumn')),
    constraint grade_sort_no_range check (sort_no between 0 and 9999),
    constraint grade_name_taken unique (name),
    constraint grade_entry_taken unique (entry_year, entry_season)
);
--;;
create unique index grade_code_taken on grade (lower(code));
--;;
-- 层次 (the wire calls it arrangement). Several levels may share one entry level.
create table level (
    id                   bigint generated always as identity,
    code                 text    not null,
    name                 text    not null,
    entry_level          text    not null,
    -- 培养层次 follows from the entry level; stored because other rooms compare it with the national major's.
    national_level       text    not null,
    schooling_years      numeric(2, 1) not null,
    max_years            numeric(3, 1) not null,
    min_hours            integer not null,
    hours_per_credit_min integer not null default 16,
    hours_per_credit_max integer not null default 18,
    min_offline_ratio    integer not null default 20,
    initials             text    not null default '',
    enabled              boolean not null default true,
    sort_no              integer not null default 0,
    remark               text,
    created_at           timestamptz not null default now(),
    created_by           bigint  not null,
    updated_at           timestamptz not null default now(),
    updated_by           bigint  not null,
    version              integer not null default 1,
    constraint level_key primary key (id),
    constraint level_code_shape check (code ~ '^[A-Za-z0-9_-]{1,32}$'),
    constraint level_entry_level_known check (
        entry_level in ('high_school_to_associate', 'associate_to_bachelor', 'high_school_to_bachelor')
    ),
    constraint level_national_level_by_entry check (
        national_level = case entry_level when 'high_school_to_associate' then 'associate' else 'bachelor' end
    ),
    constraint level_schooling_years_range check (schooling_years between 2.0 and 6.0),
    constraint level_schooling_years_half check (mod(schooling_years, 0.5) = 0),
    constraint level_max_years_half check (mod(max_years, 0.5) = 0),
    constraint level_max_years_too_short check (max_years >= schooling_years),
    constraint level_min_hours_range check (min_hours >= 0),
    constraint level_hours_per_credit_order check (hours_per_credit_min between 1 and hours_per_credit_max),
    constraint level_min_offline_ratio_range check (min_offline_ratio between 0 and 100),
    constraint level_sort_no_range check (sort_no between 0 and 9999),
    constraint level_name_taken unique (name)
);
--;;
create unique index level_code_taken on level (lower(code));
--;;
-- 学期.
--     open ─close→ closed ─reopen→ open        (closed_at null = open)
-- setCurrent clears the old row in one statement and marks the new one in the next: a unique index is checked row by
-- row, so one statement over both could meet two current rows.
create table semester (
    id         bigint generated always as identity,
    code       text    not null,
    name       text    not null,
    year       integer not null,
    season     text    not null,
    starts_on  date    not null,
    ends_on    date    not null,
    current    boolean not null default false,
    closed_at  timestamptz,
    holidays   date[]  not null default '{}',
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint semester_key primary key (id),
    constraint semester_code_shape check (code ~ '^[0-9]{4}-[12]$'),
    constraint semester_season_known check (season in ('spring', 'autumn')),
    constraint semester_code_by_date check (
        code = year::text || case season when 'spring' then '-1' else '-2' end
    ),
    constraint semester_dates_order check (ends_on > starts_on),
    constraint semester_too_long check (ends_on - starts_on < 30 * 7),
    constraint semester_holiday_outside check (
        starts_on <= all (holidays) and ends_on >= all (holidays) and array_position(holidays, null) is null
    ),
    constraint semester_code_taken unique (code),
    constraint semester_name_taken unique (name),
    -- A date belongs to one semester at most; checked at once, because a person reads why.
    constraint semester_dates_overlap exclude using gist (daterange(starts_on, ends_on, '[]') with &&)
);
--;;
create unique index semester_current_once on semester (current) where current;
--;;
-- 机构: colleges and offices, a tree of at most five levels. Depth and cycles are the service's to refuse.
create table organization (
    id         bigint generated always as identity,
    code       text    not null,
    name       text    not null,
    short_name text,
    parent_id  bigint,
    kind       text    not null,
    leader     text,
    phone      text,
    initials   text    not null default '',
    sort_no    integer not null default 0,
    enabled    boolean not null default true,
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint organization_key primary key (id),
    constraint organization_code_shape check (code ~ '^[A-Za-z0-9_-]{1,32}$'),
    constraint organization_kind_known check (kind in ('college', 'department', 'center')),
    constraint organization_under_itself check (parent_id <> id),
    constraint organization_sort_no_range check (sort_no between 0 and 9999),
    constraint organization_of_parent foreign key (parent_id) references organization (id),
    -- The roots are siblings too.
    constraint organization_name_taken unique nulls not distinct (parent_id, name)
);
--;;
create unique index organization_code_taken on organization (lower(code));
--;;
-- 教学站点.
--     active 在用 ↔ suspended 停招;   either ─→ closed 撤销 ─(with a reason)→ suspended
create table site (
    id                bigint generated always as identity,
    code              text    not null,
    name              text    not null,
    short_name        text,
    kind              text    not null,
    organization_id   bigint,
    host_unit         text,
    filing_no         text,
    filing_expires_on date,
    -- A code of platform.region, checked by the server: no foreign key leaves the schema.
    region            text,
    address           text,
    contact           text,
    phone             text,
    email             text,
    capacity          integer not null default 0,
    status            text    not null default 'active',
    initials          text    not null default '',
    created_at        timestamptz not null default now(),
    created_by        bigint  not null,
    updated_at        timestamptz not null default now(),
    updated_by        bigint  not null,
    version           integer not null default 1,
    constraint site_key primary key (id),
    constraint site_code_shape check (code ~ '^[A-Za-z0-9_-]{1,32}$'),
    constraint site_kind_known check (kind in ('headquarter', 'external', 'cooperative')),
    constraint site_host_unit_missing check (kind <> 'external' or coalesce(host_unit, '') <> ''),
    constraint site_region_shape check (region ~ '^[0-9]{6}$'),
    constraint site_capacity_range check (capacity >= 0),
    constraint site_status_known check (status in ('active', 'suspended', 'closed')),
    constraint site_of_organization foreign key (organization_id) references organization (id),
    constraint site_name_taken unique (name)
);
--;;
create unique index site_code_taken on site (lower(code));
--;;
create unique index site_filing_no_taken on site (filing_no) where filing_no is not null;
--;;
create index site_organization on site (organization_id);
--;;
create index site_region on site (region text_pattern_ops);
--;;
-- 学校专业. Code and name of the national major are copied, and the copy wins in reports.
create table major (
    id                bigint generated always as identity,
    code              text    not null,
    name              text    not null,
    national_major_id bigint  not null,
    national_code     text    not null,
    national_name     text    not null,
    level_id          bigint  not null,
    study_form        text    not null default 'non_full_time',
    -- Empty text, not null: two majors without a direction are the same major.
    direction         text    not null default '',
    schooling_years   numeric(2, 1) not null,
    total_credits     numeric(4, 1) not null,
    organization_id   bigint,
    degree_awarded    boolean not null default false,
    degree            text,
    -- 分 a year.
    tuition_per_year  bigint,
    initials          text    not null default '',
    enabled           boolean not null default true,
    sort_no           integer not null default 0,
    remark            text,
    created_at        timestamptz not null default now(),
    created_by        bigint  not null,
    updated_at        timestamptz not null default now(),
    updated_by        bigint  not null,
    version           integer not null default 1,
    constraint major_key primary key (id),
    constraint major_code_shape check (code ~ '^[A-Za-z0-9_-]{1,32}$'),
    constraint major_study_form_known check (
        study_form in ('non_full_time', 'correspondence', 'part_time', 'full_time', 'online')
    ),
    constraint major_schooling_years_range check (schooling_years between 2.0 and 6.0),
    constraint major_schooling_years_half check (mod(schooling_years, 0.5) = 0),
    constraint major_total_credits_range check (total_credits between 40 and 250),
    constraint major_degree_missing check (not degree_awarded or degree is not null),
    constraint major_tuition_range check (tuition_per_year >= 0),
    constraint major_sort_no_range check (sort_no between 0 and 9999),
    constraint major_of_level foreign key (level_id) references level (id),
    constraint major_of_organization foreign key (organization_id) references organization (id),
    constraint major_offering_taken unique (national_major_id, level_id, study_form, direction),
    -- Lets class, student and later tables prove that their level is the major's.
    constraint major_with_level unique (id, level_id)
);
--;;
create unique index major_code_taken on major (lower(code));
--;;
create index major_level on major (level_id);
--;;
create index major_organization on major (organization_id);
--;;
-- 班级: grade, level, major and site; the study form follows from the major. managerId comes with the class managers.
create table class (
    id           bigint generated always as identity,
    code         text    not null,
    name         text    not null,
    grade_id     bigint  not null,
    level_id     bigint  not null,
    major_id     bigint  not null,
    site_id      bigint  not null,
    seq          integer not null,
    capacity     integer not null,
    -- Set by the nightly job when the last active student has ended.
    graduated_at timestamptz,
    initials     text    not null default '',
    enabled      boolean not null default true,
    remark       text,
    created_at   timestamptz not null default now(),
    created_by   bigint  not null,
    updated_at   timestamptz not null default now(),
    updated_by   bigint  not null,
    version      integer not null default 1,
    constraint class_key primary key (id),
    constraint class_code_shape check (code ~ '^[A-Za-z0-9_-]{1,32}$'),
    constraint class_capacity_range check (capacity between 1 and 500),
    constraint class_seq_range check (seq >= 1),
    constraint class_of_grade foreign key (grade_id) references grade (id),
    constraint class_of_site foreign key (site_id) references site (id),
    constraint class_major_not_of_level foreign key (major_id, level_id) references major (id, level_id),
    constraint class_name_taken unique (grade_id, name),
    constraint class_seq_taken unique (grade_id, level_id, major_id, site_id, seq),
    -- Lets a student row prove that it equals its class in grade, level, major and site.
    constraint class_with_place unique (id, grade_id, level_id, major_id, site_id)
);
--;;
create unique index class_code_taken on class (lower(code));
--;;
create index class_major on class (major_id, level_id);
--;;
create index class_level on class (level_id);
--;;
create index class_site on class (site_id);
--;;
-- The greatest number ever given under a grade, level, major and site, so that the number of a deleted class does not
-- come back. Its row is also the lock of two people who generate classes at once: insert the row if it is missing
-- (on conflict do nothing), then `update … set last_seq = last_seq + n … returning last_seq`.
create table class_counter (
    grade_id bigint  not null,
    level_id bigint  not null,
    major_id bigint  not null,
    site_id  bigint  not null,
    last_seq integer not null default 0,
    constraint class_counter_key primary key (grade_id, level_id, major_id, site_id)
);
