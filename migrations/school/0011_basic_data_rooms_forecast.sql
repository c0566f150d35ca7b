-- Classrooms of the sites, and the majors a school means to recruit for.
-- Owner: tenant/basic_data. Others read.

-- 教室: where a site teaches and examines. Building and number are compared without regard to case.
create table classroom (
    id            bigint generated always as identity,
    site_id       bigint  not null,
    -- Empty text, not null: two rooms without a building are in the same place.
    building      text    not null default '',
    room_no       text    not null,
    name          text    not null,
    room_type     text    not null default 'ordinary',
    capacity      integer not null,
    -- Null = no examinations are held there.
    exam_capacity integer,
    initials      text    not null default '',
    enabled       boolean not null default true,
    created_at    timestamptz not null default now(),
    created_by    bigint  not null,
    updated_at    timestamptz not null default now(),
    updated_by    bigint  not null,
    version       integer not null default 1,
    constraint classroom_key primary key (id),
    constraint classroom_room_no_missing check (room_no <> ''),
    constraint classroom_room_type_known check (
        room_type in ('ordinary', 'multimedia', 'computer', 'lab', 'language')
    ),
    constraint classroom_capacity_range check (capacity between 1 and 2000),
    constraint classroom_exam_capacity_range check (exam_capacity between 1 and capacity),
    constraint classroom_of_site foreign key (site_id) references site (id)
);
--;;
create unique index classroom_room_taken on classroom (site_id, lower(building), lower(room_no));
--;;
-- 拟招生专业: what a school files for a year with the ministry's platform; only what was filed may be recruited for.
--     draft ─submit→ submitted ─audit→ filed
--                    submitted ─reject→ rejected ─edit, submit→ submitted
--     draft, submitted, filed ─withdraw→ withdrawn
create table forecast_major (
    id               bigint generated always as identity,
    year             integer not null,
    grade_id         bigint  not null,
    major_id         bigint  not null,
    planned_quota    integer not null,
    -- 分 a year; null = the major's.
    tuition_per_year bigint,
    basis            text,
    status           text    not null default 'draft',
    filing_no        text,
    filed_on         date,
    filing_result    text,
    created_at       timestamptz not null default now(),
    created_by       bigint  not null,
    updated_at       timestamptz not null default now(),
    updated_by       bigint  not null,
    version          integer not null default 1,
    constraint forecast_major_key primary key (id),
    constraint forecast_major_year_range check (year between 1980 and 2100),
    constraint forecast_major_planned_quota_range check (planned_quota between 1 and 10000),
    constraint forecast_major_tuition_range check (tuition_per_year >= 0),
    constraint forecast_major_status_known check (
        status in ('draft', 'submitted', 'filed', 'rejected', 'withdrawn')
    ),
    constraint forecast_major_filed_on_missing check (status <> 'filed' or filed_on is not null),
    constraint forecast_major_of_grade foreign key (grade_id) references grade (id),
    constraint forecast_major_of_major foreign key (major_id) references major (id),
    constraint forecast_major_year_taken unique (year, major_id)
);
--;;
create index forecast_major_grade on forecast_major (grade_id);
--;;
create index forecast_major_major on forecast_major (major_id);
--;;
-- The sites at which it is to be taught. Whoever writes them replaces the whole set.
create table forecast_major_site (
    forecast_major_id bigint not null,
    site_id           bigint not null,
    constraint forecast_major_site_key primary key (forecast_major_id, site_id),
    constraint forecast_major_site_of_forecast foreign key (forecast_major_id)
        references forecast_major (id),
    constraint forecast_major_site_of_site foreign key (site_id) references site (id)
);
--;;
create index forecast_major_site_site on forecast_major_site (site_id);
