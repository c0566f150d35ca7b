-- Courses of the operator's online-education site (01 §9.2). Owner: platform/catalogue. Rooms of the schools read, through it.
--
--     online_course ─┬─ online_chapter ── online_period ── media_asset
--                    └─ online_course_revision: what somebody typed; approved, it is copied into the three tables

-- 线上课程. Until its first version is approved, the course has the fields of that version and neither chapters nor periods.
--     audit_status:   draft │ pending │ rejected ─(first approval)→ approved, for good
--     putaway:        off ⇄ on                      on: approved, a period is there, all videos are ready
create table online_course (
    id                    bigint generated always as identity,
    course_type           text    not null,
    course_name           text    not null,
    category_id           bigint  not null,
    lecturer_id           bigint  not null,
    cover                 text    not null,
    introduce             text,
    is_free               boolean not null,
    -- 分.
    price_original        bigint  not null,
    price_sale            bigint  not null,
    -- Null: for ever.
    valid_days            integer,
    putaway               text    not null default 'off',
    audit_status          text    not null,
    -- Schools may take it over.
    school_shared         boolean not null default false,
    published_revision_id bigint,
    enabled               boolean not null default true,
    initials              text    not null default '',
    created_at            timestamptz not null default now(),
    created_by            bigint  not null,
    updated_at            timestamptz not null default now(),
    updated_by            bigint  not null,
    version               integer not null default 1,
    constraint online_course_key primary key (id),
    constraint online_course_type_known check (course_type in ('record', 'live', 'resource')),
    constraint online_course_price_range check (price_sale between 0 and price_original),
    constraint online_course_price_free check (is_free = (price_sale = 0)),
    constraint online_course_valid_days_range check (valid_days between 1 and 36500),
    constraint online_course_putaway_known check (putaway in ('on', 'off')),
    constraint online_course_audit_status_known check (audit_status in ('draft', 'pending', 'approved', 'rejected')),
    constraint online_course_putaway_approved check (putaway = 'off' or published_revision_id is not null),
    -- The category is one of this kind of course.
    constraint online_course_of_category foreign key (category_id, course_type)
        references online_category (id, category_type),
    constraint online_course_of_lecturer foreign key (lecturer_id) references lecturer (id)
);
--;;
create index online_course_newest on online_course (course_type, id desc);
--;;
create index online_course_category on online_course (category_id, course_type);
--;;
create index online_course_lecturer on online_course (lecturer_id);
--;;
-- What schools may choose from.
create index online_course_shared on online_course (course_type, id desc)
    where school_shared and enabled and putaway = 'on';
--;;
-- 章. A name stands once in a course, because schools join chapters by their titles.
create table online_chapter (
    id           bigint generated always as identity,
    course_id    bigint  not null,
    chapter_name text    not null,
    chapter_desc text,
    sort         integer not null,
    created_at   timestamptz not null default now(),
    created_by   bigint  not null,
    updated_at   timestamptz not null default now(),
    updated_by   bigint  not null,
    version      integer not null default 1,
    constraint online_chapter_key primary key (id),
    constraint online_chapter_of_course foreign key (course_id) references online_course (id)
);
--;;
create index online_chapter_course on online_chapter (course_id, sort);
--;;
-- 课时. It keeps its number from version to version, so that what learners did with it stays.
create table online_period (
    id             bigint generated always as identity,
    chapter_id     bigint  not null,
    period_name    text    not null,
    is_free        boolean not null,
    media_asset_id bigint  not null,
    sort           integer not null,
    created_at     timestamptz not null default now(),
    created_by     bigint  not null,
    updated_at     timestamptz not null default now(),
    updated_by     bigint  not null,
    version        integer not null default 1,
    constraint online_period_key primary key (id),
    constraint online_period_of_chapter foreign key (chapter_id) references online_chapter (id),
    constraint online_period_of_media foreign key (media_asset_id) references media_asset (id)
);
--;;
create index online_period_chapter on online_period (chapter_id, sort);
--;;
create index online_period_media on online_period (media_asset_id);
--;;
-- 审核版本: the whole of a course as somebody typed it. A course has at most one that is not approved.
--     draft ─submit→ pending → approved │ rejected ─edit→ draft, pending or approved
create table online_course_revision (
    id            bigint generated always as identity,
    course_id     bigint  not null,
    -- Course, chapters and periods.
    content       jsonb   not null,
    -- What was published when this was submitted; null for a course's first version.
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
    constraint online_course_revision_key primary key (id),
    constraint online_course_revision_status_known check (audit_status in ('draft', 'pending', 'approved', 'rejected')),
    constraint online_course_revision_opinion_missing check (audit_status <> 'rejected' or audit_opinion is not null),
    constraint online_course_revision_auditor_missing check (
        audit_status not in ('approved', 'rejected') or (audited_by is not null and audited_at is not null)
    ),
    constraint online_course_revision_of_course foreign key (course_id) references online_course (id),
    -- Lets a course prove that the version is its own.
    constraint online_course_revision_with_course unique (id, course_id)
);
--;;
create unique index online_course_revision_open_once on online_course_revision (course_id) where audit_status <> 'approved';
--;;
create index online_course_revision_course on online_course_revision (course_id, id desc);
--;;
create index online_course_revision_waiting on online_course_revision (audit_status, submitted_at desc, id desc);
--;;
alter table online_course add constraint online_course_of_revision
    foreign key (published_revision_id, id) references online_course_revision (id, course_id);
