-- Supervision: who falls behind, a case of each student and semester, what is done about it (part 05 C). Owner: tenant/supervision.
--
--     facts of other modules ─[supervise.scan, each night, by supervise_rule]→ supervise_case, supervise_flag
--     case ─contact, remind, transfer→ its records       open ─contact→ following ─(no flag for three days)→ relieved ─(new flag)→ open
-- Measures and expected values are tenths. One scan at a time goes on: it stands in supervise_scan until it ends.

-- 督学规则: from which measure on a flag is yellow, orange or red; by scope, of which the narrowest counts.
create table supervise_rule (
    id          bigint generated always as identity,
    kind        text    not null,
    -- Empty: all.
    grade_ids   bigint[] not null default '{}',
    level_ids   bigint[] not null default '{}',
    site_ids    bigint[] not null default '{}',
    params      jsonb   not null default '{}',
    -- Null: the level is not used.
    yellow      integer,
    orange      integer,
    red         integer,
    grace_weeks integer not null default 3,
    enabled     boolean not null default true,
    created_at  timestamptz not null default now(),
    created_by  bigint  not null,
    updated_at  timestamptz not null default now(),
    updated_by  bigint  not null,
    version     integer not null default 1,
    constraint supervise_rule_key primary key (id),
    constraint supervise_rule_kind_known check (
        kind in ('video_lag', 'homework_overdue', 'homework_due', 'exam_risk', 'exam_absent', 'score_failed', 'silent', 'fee',
                 'information', 'study_limit')
    ),
    constraint supervise_rule_grace_range check (grace_weeks between 0 and 8),
    constraint supervise_rule_level_missing check (yellow is not null or orange is not null or red is not null)
);
--;;
create unique index supervise_rule_taken on supervise_rule (kind, grade_ids, level_ids, site_ids) where enabled;
--;;
insert into supervise_rule (kind, params, yellow, orange, red, created_by, updated_by) values
    ('video_lag', '{"clearBelow": 5}', 15, 30, 50, 0, 0),
    ('homework_overdue', '{}', 1, 2, 4, 0, 0),
    ('homework_due', '{"days": 3}', 1, null, null, 0, 0),
    ('exam_risk', '{}', 14, 7, 3, 0, 0),
    ('exam_absent', '{"days": 60}', 1, 2, 3, 0, 0),
    ('score_failed', '{}', 1, 3, 5, 0, 0),
    ('silent', '{}', 14, 30, 60, 0, 0),
    ('fee', '{}', null, 1, null, 0, 0),
    ('information', '{}', 7, 3, null, 0, 0),
    ('study_limit', '{}', 12, 6, 3, 0, 0);
--;;
-- 督学案例: of a student in a semester there is one.
create table supervise_case (
    id               bigint generated always as identity,
    student_id       bigint  not null,
    semester_id      bigint  not null,
    level            text    not null,
    status           text    not null default 'open',
    -- Whose it is, and the class for which that was so: who changes their class comes to its manager.
    manager_id       bigint,
    class_id         bigint,
    flag_count       integer not null default 0,
    first_flagged_at timestamptz not null,
    last_contact_at  timestamptz,
    next_contact_on  date,
    -- Since when there is no live flag.
    clear_since      date,
    relieved_at      timestamptz,
    closed_at        timestamptz,
    closed_reason    text,
    remark           text,
    created_at       timestamptz not null default now(),
    created_by       bigint  not null,
    updated_at       timestamptz not null default now(),
    updated_by       bigint  not null,
    version          integer not null default 1,
    constraint supervise_case_key primary key (id),
    constraint supervise_case_taken unique (student_id, semester_id),
    constraint supervise_case_level_known check (level in ('yellow', 'orange', 'red')),
    constraint supervise_case_status_known check (status in ('open', 'following', 'relieved', 'closed')),
    constraint supervise_case_reason_known check (
        closed_reason in ('withdrawn', 'transferred_out', 'graduated', 'suspended', 'semester_end', 'no_need')
    ),
    constraint supervise_case_reason_missing check ((status = 'closed') = (closed_reason is not null)),
    constraint supervise_case_of_student foreign key (student_id) references student (id),
    constraint supervise_case_of_semester foreign key (semester_id) references semester (id),
    constraint supervise_case_of_manager foreign key (manager_id) references class_manager (id)
);
--;;
create index supervise_case_list on supervise_case (semester_id, status, level);
--;;
create index supervise_case_manager on supervise_case (manager_id, status) where manager_id is not null;
--;;
create index supervise_case_next on supervise_case (semester_id, next_contact_on) where next_contact_on is not null;
--;;
-- 预警项.
create table supervise_flag (
    id          bigint generated always as identity,
    case_id     bigint  not null,
    kind        text    not null,
    ref_type    text    not null,
    ref_id      bigint  not null,
    course_id   bigint,
    -- What it is about: a course, a homework, an examination.
    title       text    not null default '',
    -- Why an examination is not yet open to the student.
    lack        text,
    value       integer not null,
    expected    integer,
    level       text    not null,
    since       timestamptz not null,
    cleared_at  timestamptz,
    muted       boolean not null default false,
    mute_reason text,
    muted_by    text,
    updated_at  timestamptz not null,
    constraint supervise_flag_key primary key (id),
    constraint supervise_flag_taken unique (case_id, kind, ref_id),
    constraint supervise_flag_kind_known check (
        kind in ('video_lag', 'homework_overdue', 'homework_due', 'exam_risk', 'exam_absent', 'score_failed', 'silent', 'fee',
                 'information', 'study_limit', 'manual')
    ),
    constraint supervise_flag_ref_known check (
        ref_type in ('selection', 'homework_student', 'exam_candidate', 'information', 'student')
    ),
    constraint supervise_flag_level_known check (level in ('yellow', 'orange', 'red')),
    constraint supervise_flag_reason_missing check (not muted or mute_reason is not null),
    constraint supervise_flag_of_case foreign key (case_id) references supervise_case (id) on delete cascade
);
--;;
create index supervise_flag_live on supervise_flag (kind, case_id) where cleared_at is null;
--;;
create index supervise_flag_course on supervise_flag (course_id) where cleared_at is null;
--;;
-- 联系记录.
create table supervise_contact (
    id              bigint generated always as identity,
    case_id         bigint  not null,
    contact_way     text    not null,
    contact_result  text    not null,
    lag_reason      text,
    content         text    not null,
    next_contact_on date,
    by_kind         text    not null,
    by_id           bigint  not null,
    by_name         text    not null,
    contacted_at    timestamptz not null,
    created_at      timestamptz not null default now(),
    created_by      bigint  not null,
    updated_at      timestamptz not null default now(),
    updated_by      bigint  not null,
    version         integer not null default 1,
    constraint supervise_contact_key primary key (id),
    constraint supervise_contact_by_known check (by_kind in ('staff', 'class_manager', 'site_staff')),
    constraint supervise_contact_content_missing check (content <> ''),
    constraint supervise_contact_of_case foreign key (case_id) references supervise_case (id)
);
--;;
create index supervise_contact_case on supervise_contact (case_id, contacted_at desc);
--;;
create index supervise_contact_newest on supervise_contact (contacted_at desc, id desc);
--;;
create index supervise_contact_by on supervise_contact (by_kind, by_id, contacted_at);
--;;
create table supervise_contact_file (
    contact_id bigint  not null,
    file_id    bigint  not null,
    sort_no    integer not null,
    constraint supervise_contact_file_key primary key (contact_id, file_id),
    constraint supervise_contact_file_of_contact foreign key (contact_id) references supervise_contact (id) on delete cascade,
    constraint supervise_contact_file_of_file foreign key (file_id) references file_object (id)
);
--;;
create index supervise_contact_file_file on supervise_contact_file (file_id);
--;;
-- 提醒记录: what a student was told at once, whatever the number of flags.
create table supervise_remind (
    id          bigint generated always as identity,
    batch       uuid    not null,
    case_id     bigint  not null,
    kinds       text[]  not null,
    channels    text[]  not null,
    lines       text    not null,
    -- Of the message that is made of it.
    dedupe_key  text    not null,
    reminded_at timestamptz not null,
    by_name     text    not null,
    constraint supervise_remind_key primary key (id),
    constraint supervise_remind_of_case foreign key (case_id) references supervise_case (id) on delete cascade
);
--;;
create index supervise_remind_case on supervise_remind (case_id, reminded_at desc);
--;;
create index supervise_remind_newest on supervise_remind (reminded_at desc, id desc);
--;;
-- 转交记录.
create table supervise_transfer (
    id              bigint generated always as identity,
    case_id         bigint  not null,
    from_manager_id bigint,
    to_manager_id   bigint  not null,
    by_name         text    not null,
    transferred_at  timestamptz not null,
    remark          text,
    constraint supervise_transfer_key primary key (id),
    constraint supervise_transfer_of_case foreign key (case_id) references supervise_case (id) on delete cascade,
    constraint supervise_transfer_of_manager foreign key (to_manager_id) references class_manager (id)
);
--;;
create index supervise_transfer_case on supervise_transfer (case_id, transferred_at desc);
--;;
create index supervise_transfer_manager on supervise_transfer (to_manager_id);
--;;
-- 扫描: the one that goes on, and those that ended within a month.
create table supervise_scan (
    id         bigint generated always as identity,
    started_at timestamptz not null,
    -- When it last got on: one that is silent for some minutes died.
    beat_at    timestamptz not null,
    ended_at   timestamptz,
    by_name    text    not null,
    students   integer not null default 0,
    changed    integer not null default 0,
    constraint supervise_scan_key primary key (id)
);
--;;
create unique index supervise_scan_one on supervise_scan ((1)) where ended_at is null;
--;;
-- 督学日: cases of a class that go on, as the scan of a night left them.
create table supervise_day (
    date      date    not null,
    -- 0: none.
    class_id  bigint  not null,
    site_id   bigint  not null,
    yellow    integer not null,
    orange    integer not null,
    red       integer not null,
    constraint supervise_day_key primary key (date, class_id, site_id)
);
--;;
-- Telephone numbers of students that a class manager looked at on a day.
create table supervise_phone_view (
    manager_id bigint  not null,
    day        date    not null,
    seen       integer not null,
    constraint supervise_phone_view_key primary key (manager_id, day)
);
