-- Course openings: which course is taught in which semester for which grade and major, who teaches it, and by which rules
-- students select. Owner: tenant/course_opening. Others read.
--
--     plan_course ─generate→ course_opening ─┬─ course_allocation (class, teacher)
--                                            └─ course_selection (student; the next file)
--     draft ─open→ opened ─close→ closed         draft, opened ─cancel→ cancelled
--     selection_rule: of a semester, a grade of it, a major of it; the most specific one counts

-- 开课. What it says of the course is copied from the plan, refreshed while it is a draft and frozen when it is opened.
create table course_opening (
    id                bigint generated always as identity,
    semester_id       bigint  not null,
    kind              text    not null,
    -- The version it was generated from; not the key, because a later version has other courses.
    plan_course_id    bigint,
    course_id         bigint  not null,
    -- Of what lies outside a plan none means any.
    grade_id          bigint,
    level_id          bigint,
    major_id          bigint,
    term_no           integer,
    type_id           bigint  not null,
    nature            text    not null,
    elective_group_id bigint,
    credits           numeric(3, 1) not null,
    hours             integer not null,
    lecture_hours     integer not null default 0,
    online_hours      integer not null default 0,
    practice_hours    integer not null default 0,
    self_study_hours  integer not null default 0,
    exam_form         text    not null,
    assess_mode       text,
    teaching_mode     text    not null,
    -- None: as many as come.
    capacity          integer,
    status            text    not null default 'draft',
    opened_at         timestamptz,
    closed_at         timestamptz,
    cancel_reason     text,
    remark            text,
    created_at        timestamptz not null default now(),
    created_by        bigint  not null,
    updated_at        timestamptz not null default now(),
    updated_by        bigint  not null,
    version           integer not null default 1,
    constraint course_opening_key primary key (id),
    constraint course_opening_kind_known check (kind in ('plan', 'extra', 'retake')),
    constraint course_opening_status_known check (status in ('draft', 'opened', 'closed', 'cancelled')),
    constraint course_opening_nature_known check (nature in ('compulsory', 'limited_elective', 'elective')),
    constraint course_opening_teaching_mode_known check (teaching_mode in ('online', 'offline', 'blended')),
    constraint course_opening_exam_form_known check (exam_form in ('exam', 'check')),
    constraint course_opening_assess_mode_known check (
        assess_mode in ('closed_book', 'open_book', 'online', 'report', 'oral', 'practical')
    ),
    constraint course_opening_plan_course_missing check (
        kind <> 'plan'
        or (plan_course_id is not null and grade_id is not null and major_id is not null and term_no is not null)
    ),
    constraint course_opening_level_missing check ((major_id is null) = (level_id is null)),
    constraint course_opening_credits_range check (credits between 0.5 and 30),
    constraint course_opening_hours_range check (
        lecture_hours >= 0 and online_hours >= 0 and practice_hours >= 0 and self_study_hours >= 0
    ),
    constraint course_opening_hours_sum check (
        hours = lecture_hours + online_hours + practice_hours + self_study_hours
    ),
    constraint course_opening_capacity_range check (capacity between 1 and 100000),
    -- Lets a selection prove that its semester and course are the opening's.
    constraint course_opening_with_course unique (id, semester_id, course_id),
    constraint course_opening_of_semester foreign key (semester_id) references semester (id),
    constraint course_opening_of_course foreign key (course_id) references course (id),
    constraint course_opening_of_plan_course foreign key (plan_course_id, course_id)
        references plan_course (id, course_id),
    constraint course_opening_of_grade foreign key (grade_id) references grade (id),
    constraint course_opening_major_not_of_level foreign key (major_id, level_id) references major (id, level_id),
    constraint course_opening_of_curriculum_type foreign key (type_id) references curriculum_type (id),
    constraint course_opening_of_group foreign key (elective_group_id) references plan_elective_group (id)
);
--;;
create unique index course_opening_taken on course_opening (semester_id, course_id, kind, grade_id, major_id)
    nulls not distinct where status <> 'cancelled';
--;;
create index course_opening_newest on course_opening (created_at desc, id);
--;;
create index course_opening_semester on course_opening (semester_id, created_at desc, id);
--;;
create index course_opening_course on course_opening (course_id, semester_id);
--;;
create index course_opening_cohort on course_opening (grade_id, major_id, semester_id);
--;;
create index course_opening_plan_course on course_opening (plan_course_id);
--;;
create index course_opening_major on course_opening (major_id, level_id);
--;;
create index course_opening_type on course_opening (type_id);
--;;
create index course_opening_group on course_opening (elective_group_id) where elective_group_id is not null;
--;;
create index course_opening_opened on course_opening (semester_id, id) where status = 'opened';
--;;
-- 选课规则. Which one counts: that of the major, else of the grade, else of the semester; of two alike that of the term.
create table selection_rule (
    id               bigint generated always as identity,
    semester_id      bigint  not null,
    grade_id         bigint,
    major_id         bigint,
    term_no          integer,
    min_credits      numeric(4, 1) not null default 0,
    max_credits      numeric(4, 1) not null,
    select_starts_at timestamptz not null,
    select_ends_at   timestamptz not null,
    drop_ends_at     timestamptz not null,
    need_audit       boolean not null default false,
    created_at       timestamptz not null default now(),
    created_by       bigint  not null,
    updated_at       timestamptz not null default now(),
    updated_by       bigint  not null,
    version          integer not null default 1,
    constraint selection_rule_key primary key (id),
    constraint selection_rule_term_range check (term_no between 1 and 12),
    constraint selection_rule_credits_order check (min_credits between 0 and max_credits and max_credits <= 250),
    constraint selection_rule_window_order check (select_ends_at > select_starts_at),
    constraint selection_rule_drop_order check (drop_ends_at >= select_starts_at),
    constraint selection_rule_taken unique nulls not distinct (semester_id, grade_id, major_id, term_no),
    constraint selection_rule_of_semester foreign key (semester_id) references semester (id),
    constraint selection_rule_of_grade foreign key (grade_id) references grade (id),
    constraint selection_rule_of_major foreign key (major_id) references major (id)
);
--;;
create index selection_rule_newest on selection_rule (created_at desc, id);
--;;
create index selection_rule_grade on selection_rule (grade_id);
--;;
create index selection_rule_major on selection_rule (major_id);
--;;
-- 任课安排: who lectures, tutors and marks. Without a class it is of all classes; one that names the class goes before it.
create table course_allocation (
    id         bigint generated always as identity,
    opening_id bigint  not null,
    class_id   bigint,
    teacher_id bigint  not null,
    role       text    not null,
    hours      integer,
    remark     text,
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint course_allocation_key primary key (id),
    constraint course_allocation_role_known check (role in ('lecturer', 'tutor', 'marker')),
    constraint course_allocation_hours_range check (hours between 0 and 1000),
    constraint course_allocation_taken unique nulls not distinct (opening_id, class_id, teacher_id, role),
    constraint course_allocation_of_opening foreign key (opening_id) references course_opening (id),
    constraint course_allocation_of_class foreign key (class_id) references class (id),
    constraint course_allocation_of_teacher foreign key (teacher_id) references teacher (id)
);
--;;
create unique index course_allocation_lecturer_taken on course_allocation (opening_id, class_id)
    nulls not distinct where role = 'lecturer';
--;;
create index course_allocation_class on course_allocation (class_id);
--;;
create index course_allocation_teacher on course_allocation (teacher_id, opening_id);
