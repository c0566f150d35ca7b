-- Teaching plans: for one grade and major, which courses in which term, with which credits, hours and examination.
-- Owner: tenant/teaching_plan. Others read.
--
--     grade ┐
--     level ┼─ teaching_plan (versions; one in effect) ─┬─ plan_course ── course (its credits and hours are copied)
--     major ┘                                           └─ plan_elective_group ── the courses of which some are chosen
--     draft ─submit→ submitted ─audit→ effective ─(a later version)→ superseded
--     submitted ─reject→ rejected ─edit, submit→ …     submitted ─recall→ draft     draft, rejected, submitted ─withdraw→ withdrawn

-- 教学计划. What is in effect is never edited: a revision is the next version.
create table teaching_plan (
    id                     bigint generated always as identity,
    grade_id               bigint  not null,
    level_id               bigint  not null,
    major_id               bigint  not null,
    version_no             integer not null default 1,
    name                   text    not null,
    total_credits          numeric(4, 1) not null,
    min_compulsory_credits numeric(4, 1) not null,
    min_elective_credits   numeric(4, 1) not null,
    term_count             integer not null,
    objective              text,
    remark                 text,
    file_id                bigint,
    status                 text    not null default 'draft',
    -- The accounts' names when they acted: accounts stand in the platform's schema.
    submitted_by           bigint,
    submitted_by_name      text,
    submitted_at           timestamptz,
    audited_by             bigint,
    audited_by_name        text,
    audited_at             timestamptz,
    audit_opinion          text,
    effective_at           timestamptz,
    initials               text    not null default '',
    created_at             timestamptz not null default now(),
    created_by             bigint  not null,
    updated_at             timestamptz not null default now(),
    updated_by             bigint  not null,
    version                integer not null default 1,
    constraint teaching_plan_key primary key (id),
    constraint teaching_plan_status_known check (
        status in ('draft', 'submitted', 'rejected', 'effective', 'superseded', 'withdrawn')
    ),
    constraint teaching_plan_version_no_range check (version_no >= 1),
    constraint teaching_plan_term_count_range check (term_count between 1 and 12),
    constraint teaching_plan_credits_range check (
        min_compulsory_credits >= 0 and min_elective_credits >= 0 and total_credits between 0.5 and 250
    ),
    constraint teaching_plan_credits_sum check (total_credits = min_compulsory_credits + min_elective_credits),
    constraint teaching_plan_effective_at_missing check (
        status not in ('effective', 'superseded') or effective_at is not null
    ),
    constraint teaching_plan_version_taken unique (grade_id, major_id, version_no),
    constraint teaching_plan_of_grade foreign key (grade_id) references grade (id),
    constraint teaching_plan_of_level foreign key (level_id) references level (id),
    constraint teaching_plan_major_not_of_level foreign key (major_id, level_id) references major (id, level_id),
    constraint teaching_plan_file_of_object foreign key (file_id) references file_object (id)
);
--;;
-- One version in effect, and one that is worked on.
create unique index teaching_plan_effective_taken on teaching_plan (grade_id, major_id) where status = 'effective';
--;;
create unique index teaching_plan_open_taken on teaching_plan (grade_id, major_id)
    where status in ('draft', 'submitted', 'rejected');
--;;
create index teaching_plan_newest on teaching_plan (created_at desc, id);
--;;
create index teaching_plan_major on teaching_plan (major_id, level_id);
--;;
create index teaching_plan_level on teaching_plan (level_id);
--;;
create index teaching_plan_status on teaching_plan (status, id desc);
--;;
create index teaching_plan_file on teaching_plan (file_id) where file_id is not null;
--;;
-- 选修组: of its courses so many credits, and courses, are to be chosen.
create table plan_elective_group (
    id          bigint generated always as identity,
    plan_id     bigint  not null,
    name        text    not null,
    min_credits numeric(4, 1) not null,
    min_courses integer,
    sort_no     integer not null default 0,
    created_at  timestamptz not null default now(),
    created_by  bigint  not null,
    updated_at  timestamptz not null default now(),
    updated_by  bigint  not null,
    version     integer not null default 1,
    constraint plan_elective_group_key primary key (id),
    constraint plan_elective_group_credits_range check (min_credits between 0 and 250),
    constraint plan_elective_group_courses_range check (min_courses between 1 and 50),
    constraint plan_elective_group_sort_no_range check (sort_no between 0 and 9999),
    constraint plan_elective_group_name_taken unique (plan_id, name),
    -- Lets a course of a plan prove that its group is of the same plan.
    constraint plan_elective_group_with_plan unique (id, plan_id),
    constraint plan_elective_group_of_plan foreign key (plan_id) references teaching_plan (id) on delete cascade
);
--;;
-- 计划课程. Which course it is stays; a course over two terms is two courses.
create table plan_course (
    id                bigint generated always as identity,
    plan_id           bigint  not null,
    course_id         bigint  not null,
    type_id           bigint  not null,
    nature            text    not null,
    elective_group_id bigint,
    term_no           integer not null,
    credits           numeric(3, 1) not null,
    hours             integer not null,
    lecture_hours     integer not null default 0,
    online_hours      integer not null default 0,
    practice_hours    integer not null default 0,
    self_study_hours  integer not null default 0,
    exam_form         text    not null,
    assess_mode       text,
    degree_course     boolean not null default false,
    sort_no           integer not null default 0,
    remark            text,
    created_at        timestamptz not null default now(),
    created_by        bigint  not null,
    updated_at        timestamptz not null default now(),
    updated_by        bigint  not null,
    version           integer not null default 1,
    constraint plan_course_key primary key (id),
    constraint plan_course_nature_known check (nature in ('compulsory', 'limited_elective', 'elective')),
    constraint plan_course_group_missing check ((nature = 'compulsory') = (elective_group_id is null)),
    constraint plan_course_term_range check (term_no between 1 and 12),
    constraint plan_course_credits_range check (credits between 0.5 and 30),
    constraint plan_course_credits_half check (mod(credits, 0.5) = 0),
    constraint plan_course_hours_range check (
        lecture_hours >= 0 and online_hours >= 0 and practice_hours >= 0 and self_study_hours >= 0
    ),
    constraint plan_course_hours_sum check (hours = lecture_hours + online_hours + practice_hours + self_study_hours),
    constraint plan_course_exam_form_known check (exam_form in ('exam', 'check')),
    constraint plan_course_assess_mode_known check (
        assess_mode in ('closed_book', 'open_book', 'online', 'report', 'oral', 'practical')
    ),
    constraint plan_course_sort_no_range check (sort_no between 0 and 9999),
    constraint plan_course_taken unique (plan_id, course_id),
    -- Lets an opening prove that its course is the plan's.
    constraint plan_course_with_course unique (id, course_id),
    constraint plan_course_of_plan foreign key (plan_id) references teaching_plan (id) on delete cascade,
    constraint plan_course_of_course foreign key (course_id) references course (id),
    constraint plan_course_of_curriculum_type foreign key (type_id) references curriculum_type (id),
    constraint plan_course_of_group foreign key (elective_group_id, plan_id)
        references plan_elective_group (id, plan_id)
);
--;;
create index plan_course_course on plan_course (course_id);
--;;
create index plan_course_type on plan_course (type_id);
--;;
create index plan_course_group on plan_course (elective_group_id, plan_id) where elective_group_id is not null;
--;;
create index plan_course_place on plan_course (plan_id, term_no, sort_no);
