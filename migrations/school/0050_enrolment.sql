-- 招生批次: the official recruitment of a grade, the majors that it recruits for (招生专业), and what each site takes on of
-- them (站点招生; part 02 §4, §5). Owner: tenant/enrolment.
--
--     enrollment_batch  draft ─→ open ─→ closed ─→ open
--     site_enrollment   draft ─→ submitted ─→ approved ─→ submitted      submitted ─→ rejected ─→ draft

create table enrollment_batch (
    id                 bigint generated always as identity,
    code               text collate "C" not null,
    name               text    not null,
    -- 招生年度: of the exam, the year before a spring entry.
    year               integer not null,
    season             text    not null,
    grade_id           bigint  not null,
    -- What students get as the day of their entry.
    enrolled_on        date    not null,
    -- Exclusive; null = sites may declare until the batch is closed.
    site_apply_ends_at timestamptz,
    report_starts_at   timestamptz,
    report_ends_at     timestamptz,
    -- [{field, column of the authority's file}], and [{field, code of the authority, what it means here}].
    column_map         jsonb   not null default '[]',
    value_maps         jsonb   not null default '[]',
    status             text    not null default 'draft',
    created_at         timestamptz not null default now(),
    created_by         bigint  not null,
    updated_at         timestamptz not null default now(),
    updated_by         bigint  not null,
    version            integer not null default 1,
    constraint enrollment_batch_key primary key (id),
    constraint enrollment_batch_code_shape check (code ~ '^[A-Za-z0-9-]{2,20}$'),
    constraint enrollment_batch_name_missing check (name <> ''),
    constraint enrollment_batch_year_range check (year between 1980 and 2100),
    constraint enrollment_batch_season_known check (season in ('spring', 'autumn')),
    constraint enrollment_batch_status_known check (status in ('draft', 'open', 'closed')),
    constraint enrollment_batch_report_order check (report_ends_at > report_starts_at),
    constraint enrollment_batch_of_grade foreign key (grade_id) references grade (id)
);
--;;
create unique index enrollment_batch_code_taken on enrollment_batch (lower(code));
--;;
create unique index enrollment_batch_name_taken on enrollment_batch (name);
--;;
create index enrollment_batch_grade on enrollment_batch (grade_id);
--;;
-- One batch of a grade is open.
create unique index enrollment_batch_open_taken on enrollment_batch (grade_id) where status = 'open';
--;;
-- A major that the batch recruits for: one that was filed for its grade.
create table enrollment_major (
    id                bigint generated always as identity,
    batch_id          bigint  not null,
    major_id          bigint  not null,
    -- The major's.
    level_id          bigint  not null,
    forecast_major_id bigint  not null,
    -- The authority's code; null until it is known.
    authority_code    text collate "C",
    authority_name    text,
    exam_category     text,
    quota             integer not null,
    -- 分 a year.
    tuition           bigint  not null,
    enabled           boolean not null default true,
    created_at        timestamptz not null default now(),
    created_by        bigint  not null,
    updated_at        timestamptz not null default now(),
    updated_by        bigint  not null,
    version           integer not null default 1,
    constraint enrollment_major_key primary key (id),
    constraint enrollment_major_major_taken unique (batch_id, major_id),
    constraint enrollment_major_batch_taken unique (id, batch_id),
    constraint enrollment_major_authority_code_shape check (authority_code ~ '^[0-9A-Za-z]{1,10}$'),
    constraint enrollment_major_exam_category_known check (
        exam_category in ('liberal', 'science', 'arts_tcm', 'art', 'engineering', 'economics', 'law', 'education',
                          'agriculture', 'medicine')
    ),
    constraint enrollment_major_quota_range check (quota between 0 and 99999),
    constraint enrollment_major_tuition_range check (tuition between 0 and 100000000),
    constraint enrollment_major_of_batch foreign key (batch_id) references enrollment_batch (id),
    constraint enrollment_major_of_major foreign key (major_id, level_id) references major (id, level_id),
    constraint enrollment_major_of_level foreign key (level_id) references level (id),
    constraint enrollment_major_of_forecast foreign key (forecast_major_id) references forecast_major (id)
);
--;;
-- The authority tells majors apart within a level.
create unique index enrollment_major_authority_taken on enrollment_major (batch_id, level_id, lower(authority_code));
--;;
create index enrollment_major_major on enrollment_major (major_id);
--;;
create index enrollment_major_level on enrollment_major (level_id);
--;;
create index enrollment_major_forecast on enrollment_major (forecast_major_id);
--;;
-- What a site takes on of a batch.
create table site_enrollment (
    id            bigint generated always as identity,
    batch_id      bigint  not null,
    site_id       bigint  not null,
    status        text    not null default 'draft',
    submitted_at  timestamptz,
    contact_name  text,
    contact_phone text collate "C",
    attachment_id bigint,
    remark        text,
    -- Why it was sent back, or what was said of the approval.
    review_remark text,
    reviewed_by   bigint,
    reviewed_at   timestamptz,
    created_at    timestamptz not null default now(),
    created_by    bigint  not null,
    updated_at    timestamptz not null default now(),
    updated_by    bigint  not null,
    version       integer not null default 1,
    constraint site_enrollment_key primary key (id),
    constraint site_enrollment_site_taken unique (batch_id, site_id),
    constraint site_enrollment_batch_taken unique (id, batch_id),
    constraint site_enrollment_status_known check (status in ('draft', 'submitted', 'approved', 'rejected')),
    constraint site_enrollment_submitted_at_missing check (status = 'draft' or submitted_at is not null),
    constraint site_enrollment_of_batch foreign key (batch_id) references enrollment_batch (id),
    constraint site_enrollment_of_site foreign key (site_id) references site (id),
    constraint site_enrollment_attachment_of_file foreign key (attachment_id) references file_object (id)
);
--;;
create index site_enrollment_site on site_enrollment (site_id);
--;;
create index site_enrollment_newest on site_enrollment (created_at desc, id);
--;;
-- A file is deleted only after looking here.
create index site_enrollment_attachment on site_enrollment (attachment_id) where attachment_id is not null;
--;;
-- For how many people of a major. Whoever writes them has locked their plan.
create table site_enrollment_line (
    id                  bigint generated always as identity,
    site_enrollment_id  bigint  not null,
    -- That of the plan and of the major.
    batch_id            bigint  not null,
    enrollment_major_id bigint  not null,
    quota_applied       integer not null,
    -- Null until the plan is approved.
    quota_approved      integer,
    constraint site_enrollment_line_key primary key (id),
    constraint site_enrollment_line_major_taken unique (site_enrollment_id, enrollment_major_id),
    constraint site_enrollment_line_quota_applied_range check (quota_applied between 1 and 9999),
    constraint site_enrollment_line_quota_approved_range check (quota_approved between 0 and 9999),
    constraint site_enrollment_line_of_plan foreign key (site_enrollment_id, batch_id)
        references site_enrollment (id, batch_id) on delete cascade,
    constraint site_enrollment_line_of_major foreign key (enrollment_major_id, batch_id)
        references enrollment_major (id, batch_id)
);
--;;
-- What a major's sites have together.
create index site_enrollment_line_major on site_enrollment_line (enrollment_major_id) include (quota_approved);
