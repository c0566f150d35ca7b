-- Courses: their types, the library from which plans are made, and what is taught with. Owner: tenant/courses. Others read.
--
--     curriculum_type ── course ─┬─ course_chapter ── course_period ── course_record
--      (two levels)        │     ├─ knowledge_point
--                          │     └─ course_record (one default a course)
--                          └ course_prerequisite (no circle; the service refuses)

-- 课程类型: a tree of two levels; a course hangs on a leaf.
create table curriculum_type (
    id                bigint generated always as identity,
    code              text    not null,
    name              text    not null,
    parent_id         bigint,
    system_kind       text    not null,
    default_exam_form text,
    initials          text    not null default '',
    enabled           boolean not null default true,
    sort_no           integer not null default 0,
    created_at        timestamptz not null default now(),
    created_by        bigint  not null,
    updated_at        timestamptz not null default now(),
    updated_by        bigint  not null,
    version           integer not null default 1,
    constraint curriculum_type_key primary key (id),
    constraint curriculum_type_code_shape check (code ~ '^[A-Za-z0-9_-]{1,32}$'),
    constraint curriculum_type_system_kind_known check (
        system_kind in ('public_basic', 'major_basic', 'major_core', 'extension', 'practice', 'thesis')
    ),
    constraint curriculum_type_exam_form_known check (default_exam_form in ('exam', 'check')),
    constraint curriculum_type_under_itself check (parent_id <> id),
    constraint curriculum_type_sort_no_range check (sort_no between 0 and 9999),
    constraint curriculum_type_of_parent foreign key (parent_id) references curriculum_type (id),
    constraint curriculum_type_name_taken unique (name)
);
--;;
create unique index curriculum_type_code_taken on curriculum_type (lower(code));
--;;
create index curriculum_type_parent on curriculum_type (parent_id);
--;;
-- Every school begins with one type of each kind (03 A5), the schools that exist already too.
insert into curriculum_type (code, name, system_kind, default_exam_form, initials, sort_no, created_by, updated_by)
values ('GGJC', '公共基础课', 'public_basic', 'exam', 'ggjck', 10, 0, 0),
       ('ZYJC', '专业基础课', 'major_basic', 'exam', 'zyjck', 20, 0, 0),
       ('ZYHX', '专业核心课', 'major_core', 'exam', 'zyhxk', 30, 0, 0),
       ('NLTZ', '职业能力拓展课', 'extension', 'check', 'zynltzk', 40, 0, 0),
       ('SJHJ', '实践环节', 'practice', 'check', 'sjhj', 50, 0, 0),
       ('BYSJ', '毕业设计(论文)', 'thesis', 'check', 'bysjlw', 60, 0, 0);
--;;
-- 院校课程. Credits, hours and exam form are defaults: each plan copies them.
create table course (
    id                bigint generated always as identity,
    code              text    not null,
    -- Equal names are allowed, with a warning.
    name              text    not null,
    english_name      text,
    type_id           bigint  not null,
    kind              text    not null,
    organization_id   bigint,
    credits           numeric(3, 1) not null,
    hours             integer not null,
    lecture_hours     integer not null default 0,
    online_hours      integer not null default 0,
    practice_hours    integer not null default 0,
    self_study_hours  integer not null default 0,
    exam_form         text    not null,
    assess_mode       text,
    degree_course     boolean not null default false,
    textbook_name     text,
    textbook_author   text,
    textbook_press    text,
    textbook_isbn     text,
    textbook_edition  text,
    introduction      text,
    syllabus_file_id  bigint,
    cover_url         text,
    source            text    not null default 'own',
    initials          text    not null default '',
    enabled           boolean not null default true,
    sort_no           integer not null default 0,
    created_at        timestamptz not null default now(),
    created_by        bigint  not null,
    updated_at        timestamptz not null default now(),
    updated_by        bigint  not null,
    version           integer not null default 1,
    constraint course_key primary key (id),
    constraint course_code_shape check (code ~ '^[A-Za-z0-9_-]{1,32}$'),
    constraint course_kind_known check (kind in ('theory', 'practice', 'internship', 'thesis')),
    constraint course_credits_range check (credits between 0.5 and 30),
    constraint course_credits_half check (mod(credits, 0.5) = 0),
    constraint course_hours_range check (
        lecture_hours >= 0 and online_hours >= 0 and practice_hours >= 0 and self_study_hours >= 0
    ),
    constraint course_hours_sum check (hours = lecture_hours + online_hours + practice_hours + self_study_hours),
    constraint course_exam_form_known check (exam_form in ('exam', 'check')),
    constraint course_assess_mode_known check (
        assess_mode in ('closed_book', 'open_book', 'online', 'report', 'oral', 'practical')
    ),
    constraint course_textbook_name_missing check (
        textbook_name is not null
        or coalesce(textbook_author, textbook_press, textbook_isbn, textbook_edition) is null
    ),
    constraint course_isbn_shape check (textbook_isbn ~ '^97[89][0-9]{10}$'),
    constraint course_source_known check (source in ('own', 'shared', 'purchased', 'platform')),
    constraint course_sort_no_range check (sort_no between 0 and 9999),
    constraint course_of_curriculum_type foreign key (type_id) references curriculum_type (id),
    constraint course_of_organization foreign key (organization_id) references organization (id),
    constraint course_syllabus_of_file foreign key (syllabus_file_id) references file_object (id)
);
--;;
create unique index course_code_taken on course (lower(code));
--;;
create index course_type on course (type_id);
--;;
create index course_organization on course (organization_id);
--;;
create index course_name on course (name);
--;;
-- 先修课程: what must be passed before. Written with its course, so the course's version stands for both.
create table course_prerequisite (
    course_id       bigint not null,
    prerequisite_id bigint not null,
    constraint course_prerequisite_key primary key (course_id, prerequisite_id),
    constraint course_prerequisite_of_itself check (course_id <> prerequisite_id),
    constraint course_prerequisite_of_course foreign key (course_id) references course (id) on delete cascade,
    constraint course_prerequisite_of_earlier foreign key (prerequisite_id) references course (id)
);
--;;
create index course_prerequisite_earlier on course_prerequisite (prerequisite_id);
--;;
-- 课程资源: one set of recorded material of a course, of one lecturer and edition. How many of its periods there are and how
-- many are ready is counted when asked: the state of a video changes in another room.
--     draft ─publish→ published ⇄ off_shelf
create table course_record (
    id            bigint generated always as identity,
    course_id     bigint  not null,
    name          text    not null,
    lecturer_name text,
    cover_url     text,
    introduction  text,
    source        text    not null default 'own',
    version_no    integer not null default 1,
    is_default    boolean not null default false,
    status        text    not null default 'draft',
    initials      text    not null default '',
    created_at    timestamptz not null default now(),
    created_by    bigint  not null,
    updated_at    timestamptz not null default now(),
    updated_by    bigint  not null,
    version       integer not null default 1,
    constraint course_record_key primary key (id),
    constraint course_record_source_known check (source in ('own', 'shared', 'purchased', 'platform')),
    constraint course_record_status_known check (status in ('draft', 'published', 'off_shelf')),
    constraint course_record_version_no_range check (version_no >= 1),
    constraint course_record_of_course foreign key (course_id) references course (id),
    -- Lets a period prove that its chapter is of the same course.
    constraint course_record_with_course unique (id, course_id)
);
--;;
create unique index course_record_default_once on course_record (course_id) where is_default;
--;;
create index course_record_course on course_record (course_id);
--;;
create index course_record_newest on course_record (updated_at desc, id desc);
--;;
-- 章节: the syllabus of a course, 章 and 节. Material is replaced without touching it.
create table course_chapter (
    id         bigint generated always as identity,
    course_id  bigint  not null,
    parent_id  bigint,
    title      text    not null,
    hours      integer not null default 0,
    initials   text    not null default '',
    sort_no    integer not null default 0,
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint course_chapter_key primary key (id),
    constraint course_chapter_hours_range check (hours between 0 and 999),
    constraint course_chapter_sort_no_range check (sort_no between 0 and 9999),
    constraint course_chapter_under_itself check (parent_id <> id),
    constraint course_chapter_of_course foreign key (course_id) references course (id),
    constraint course_chapter_with_course unique (id, course_id),
    constraint course_chapter_of_parent foreign key (parent_id, course_id) references course_chapter (id, course_id),
    constraint course_chapter_title_taken unique nulls not distinct (course_id, parent_id, title)
);
--;;
create index course_chapter_parent on course_chapter (parent_id, course_id);
--;;
-- 课时: what a learner opens. It hangs on a chapter of the course and belongs to one record.
create table course_period (
    id               bigint generated always as identity,
    course_record_id bigint  not null,
    course_id        bigint  not null,
    chapter_id       bigint  not null,
    title            text    not null,
    kind             text    not null,
    media_asset_id   bigint,
    file_id          bigint,
    -- Where a live lesson or a link leads.
    url              text,
    live_starts_at   timestamptz,
    live_ends_at     timestamptz,
    duration_seconds integer,
    page_count       integer,
    weight           integer not null default 1,
    required         boolean not null default true,
    free_preview     boolean not null default false,
    enabled          boolean not null default true,
    sort_no          integer not null default 0,
    created_at       timestamptz not null default now(),
    created_by       bigint  not null,
    updated_at       timestamptz not null default now(),
    updated_by       bigint  not null,
    version          integer not null default 1,
    constraint course_period_key primary key (id),
    constraint course_period_kind_known check (kind in ('video', 'audio', 'document', 'live', 'link')),
    constraint course_period_media_missing check (kind not in ('video', 'audio') or media_asset_id is not null),
    constraint course_period_file_missing check (kind <> 'document' or file_id is not null),
    constraint course_period_url_missing check (kind not in ('live', 'link') or url is not null),
    constraint course_period_live_order check (live_ends_at > live_starts_at),
    constraint course_period_duration_range check (duration_seconds > 0),
    constraint course_period_page_count_range check (page_count > 0),
    constraint course_period_weight_range check (weight between 0 and 100),
    constraint course_period_sort_no_range check (sort_no between 0 and 9999),
    constraint course_period_of_record foreign key (course_record_id, course_id) references course_record (id, course_id),
    constraint course_period_of_chapter foreign key (chapter_id, course_id) references course_chapter (id, course_id),
    constraint course_period_of_media foreign key (media_asset_id) references media_asset (id),
    constraint course_period_of_file foreign key (file_id) references file_object (id)
);
--;;
create index course_period_record on course_period (course_record_id, sort_no);
--;;
create index course_period_chapter on course_period (chapter_id);
--;;
create index course_period_media on course_period (media_asset_id);
