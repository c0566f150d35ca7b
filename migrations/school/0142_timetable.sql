-- The timetable of face-to-face teaching: which course meets which classes, when and where. Owner: tenant/timetable. Others read;
-- occupations of examinations are written by its functions.
--
--     course_opening ─┬─ course_arrange_class ─ course_arrange ─ course_arrange_session ─ resource_occupation
--     course_arrange: draft ─publish→ published      draft, published ─cancel→ cancelled
--     session: scheduled ─cancel, move→ cancelled    (a move makes another session that names this one)

-- 节次: when the lessons of a day begin and end. Without a site they are those of every site that has none of its own.
create table lesson_period (
    id         bigint generated always as identity,
    site_id    bigint,
    no         integer not null,
    starts_at  time    not null,
    ends_at    time    not null,
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint lesson_period_key primary key (id),
    constraint lesson_period_no_range check (no between 1 and 14),
    constraint lesson_period_time_order check (ends_at > starts_at),
    constraint lesson_period_no_taken unique nulls not distinct (site_id, no),
    constraint lesson_period_of_site foreign key (site_id) references site (id)
);
--;;
-- 排课: one course taught by one teacher to some classes together, by weeks or on dates.
create table course_arrange (
    id                  bigint generated always as identity,
    semester_id         bigint  not null,
    course_id           bigint  not null,
    teacher_id          bigint  not null,
    site_id             bigint  not null,
    -- None: live on the net.
    classroom_id        bigint,
    kind                text    not null,
    mode                text    not null,
    -- Monday is 1.
    weekday             integer,
    weeks               integer[] not null default '{}',
    dates               date[]  not null default '{}',
    period_from         integer not null,
    period_to           integer not null,
    allow_over_capacity boolean not null default false,
    status              text    not null default 'draft',
    published_at        timestamptz,
    cancel_reason       text,
    remark              text,
    created_at          timestamptz not null default now(),
    created_by          bigint  not null,
    updated_at          timestamptz not null default now(),
    updated_by          bigint  not null,
    version             integer not null default 1,
    constraint course_arrange_key primary key (id),
    constraint course_arrange_kind_known check (kind in ('lecture', 'tutoring', 'lab', 'exam_review', 'live')),
    constraint course_arrange_mode_known check (mode in ('weekly', 'dates')),
    constraint course_arrange_status_known check (status in ('draft', 'published', 'cancelled')),
    constraint course_arrange_classroom_missing check (kind = 'live' or classroom_id is not null),
    constraint course_arrange_weekday_range check (weekday between 1 and 7),
    constraint course_arrange_weeks_range check (1 <= all (weeks) and 30 >= all (weeks)),
    constraint course_arrange_times_missing check (
        case mode when 'weekly' then weekday is not null and weeks <> '{}' and dates = '{}'
                  else weekday is null and weeks = '{}' and dates <> '{}' end
    ),
    constraint course_arrange_period_range check (period_from >= 1 and period_to <= 14),
    constraint course_arrange_period_order check (period_from <= period_to),
    constraint course_arrange_cancel_reason_missing check (status <> 'cancelled' or cancel_reason is not null),
    -- Lets a class prove that its opening is of the same semester and course.
    constraint course_arrange_with_course unique (id, semester_id, course_id),
    constraint course_arrange_of_semester foreign key (semester_id) references semester (id),
    constraint course_arrange_of_course foreign key (course_id) references course (id),
    constraint course_arrange_of_teacher foreign key (teacher_id) references teacher (id),
    constraint course_arrange_of_site foreign key (site_id) references site (id),
    constraint course_arrange_of_classroom foreign key (classroom_id) references classroom (id)
);
--;;
create index course_arrange_newest on course_arrange (created_at desc, id);
--;;
create index course_arrange_semester on course_arrange (semester_id, created_at desc, id);
--;;
create index course_arrange_course on course_arrange (course_id, semester_id);
--;;
create index course_arrange_teacher on course_arrange (teacher_id, semester_id);
--;;
create index course_arrange_site on course_arrange (site_id, semester_id);
--;;
create index course_arrange_classroom on course_arrange (classroom_id) where classroom_id is not null;
--;;
create index course_arrange_status on course_arrange (status, created_at desc, id);
--;;
-- The classes that an arrangement teaches together, each by its opening.
create table course_arrange_class (
    arrange_id  bigint not null,
    class_id    bigint not null,
    opening_id  bigint not null,
    semester_id bigint not null,
    course_id   bigint not null,
    constraint course_arrange_class_key primary key (arrange_id, class_id),
    constraint course_arrange_class_of_arrange foreign key (arrange_id, semester_id, course_id)
        references course_arrange (id, semester_id, course_id),
    constraint course_arrange_class_of_class foreign key (class_id) references class (id),
    constraint course_arrange_class_of_opening foreign key (opening_id, semester_id, course_id)
        references course_opening (id, semester_id, course_id)
);
--;;
create index course_arrange_class_class on course_arrange_class (class_id, opening_id);
--;;
create index course_arrange_class_opening on course_arrange_class (opening_id, class_id);
--;;
-- Who teaches beside the teacher.
create table course_arrange_assistant (
    arrange_id bigint not null,
    teacher_id bigint not null,
    constraint course_arrange_assistant_key primary key (arrange_id, teacher_id),
    constraint course_arrange_assistant_of_arrange foreign key (arrange_id) references course_arrange (id),
    constraint course_arrange_assistant_of_teacher foreign key (teacher_id) references teacher (id)
);
--;;
create index course_arrange_assistant_teacher on course_arrange_assistant (teacher_id);
--;;
-- 课次: one meeting. Teacher, room and times are its own: they are copied when it is made and changed by a move alone.
create table course_arrange_session (
    id            bigint generated always as identity,
    arrange_id    bigint  not null,
    held_on       date    not null,
    period_from   integer not null,
    period_to     integer not null,
    starts_at     timestamptz not null,
    ends_at       timestamptz not null,
    teacher_id    bigint  not null,
    classroom_id  bigint,
    status        text    not null default 'scheduled',
    -- The session that was moved here.
    moved_from_id bigint,
    reason        text,
    created_at    timestamptz not null default now(),
    created_by    bigint  not null,
    updated_at    timestamptz not null default now(),
    updated_by    bigint  not null,
    version       integer not null default 1,
    constraint course_arrange_session_key primary key (id),
    constraint course_arrange_session_status_known check (status in ('scheduled', 'cancelled')),
    constraint course_arrange_session_period_range check (period_from >= 1 and period_to <= 14),
    constraint course_arrange_session_period_order check (period_from <= period_to),
    constraint course_arrange_session_time_order check (ends_at > starts_at),
    constraint course_arrange_session_reason_missing check (status <> 'cancelled' or reason is not null),
    constraint course_arrange_session_moved_once unique (moved_from_id),
    constraint course_arrange_session_of_arrange foreign key (arrange_id) references course_arrange (id),
    constraint course_arrange_session_of_teacher foreign key (teacher_id) references teacher (id),
    constraint course_arrange_session_of_classroom foreign key (classroom_id) references classroom (id),
    constraint course_arrange_session_of_moved foreign key (moved_from_id) references course_arrange_session (id)
);
--;;
create index course_arrange_session_arrange on course_arrange_session (arrange_id, held_on);
--;;
create index course_arrange_session_date on course_arrange_session (held_on, status);
--;;
create index course_arrange_session_teacher on course_arrange_session (teacher_id, held_on);
--;;
create index course_arrange_session_classroom on course_arrange_session (classroom_id, held_on) where classroom_id is not null;
--;;
-- Whom and what a session, an examination or somebody's word keeps busy, and when: half-open, so that what follows at once is no
-- clash. Nobody is in two places: the exclusion says so whoever writes.
create table resource_occupation (
    id          bigint generated always as identity,
    kind        text      not null,
    -- A row of teacher, classroom or class, by kind: no foreign key can say so.
    resource_id bigint    not null,
    during      tstzrange not null,
    source_type text      not null,
    -- A session, or what the examinations' part names; none where somebody typed it.
    source_id   bigint,
    note        text,
    created_at  timestamptz not null default now(),
    created_by  bigint    not null,
    updated_at  timestamptz not null default now(),
    updated_by  bigint    not null,
    version     integer   not null default 1,
    constraint resource_occupation_key primary key (id),
    constraint resource_occupation_kind_known check (kind in ('teacher', 'classroom', 'class')),
    constraint resource_occupation_source_type_known check (source_type in ('session', 'exam_session', 'blocked')),
    constraint resource_occupation_source_missing check ((source_type = 'blocked') = (source_id is null)),
    constraint resource_occupation_during_shape check (
        not isempty(during) and not lower_inf(during) and not upper_inf(during) and lower_inc(during) and not upper_inc(during)
    ),
    constraint resource_occupation_overlap exclude using gist (kind with =, resource_id with =, during with &&)
);
--;;
create index resource_occupation_source on resource_occupation (source_type, source_id);
--;;
create index resource_occupation_blocked on resource_occupation (kind, resource_id) where source_type = 'blocked';
--;;
-- 自动排课方案: what a job proposes; nothing is scheduled until somebody takes it over, which writes drafts.
create table arrange_proposal (
    id          bigint generated always as identity,
    -- Of platform.job: no foreign key leaves the schema.
    job_id      bigint  not null,
    semester_id bigint  not null,
    -- The classes that it is for, so that whoever does not see all of them does not see it.
    class_ids   bigint[] not null,
    -- As the call answers it.
    proposal    jsonb   not null,
    status      text    not null default 'open',
    accepted_at timestamptz,
    created_at  timestamptz not null default now(),
    created_by  bigint  not null,
    updated_at  timestamptz not null default now(),
    updated_by  bigint  not null,
    version     integer not null default 1,
    constraint arrange_proposal_key primary key (id),
    constraint arrange_proposal_status_known check (status in ('open', 'accepted')),
    constraint arrange_proposal_accepted_missing check (status <> 'accepted' or accepted_at is not null),
    constraint arrange_proposal_job_taken unique (job_id),
    constraint arrange_proposal_of_semester foreign key (semester_id) references semester (id)
);
--;;
create index arrange_proposal_semester on arrange_proposal (semester_id);
