-- Classes in which learners of the operators' site take exams together (01 §9.7). Owner: platform/quiz_classes.

-- 考试班级. Whoever knows the code may ask to come in; the code is random and can be changed.
create table exam_grade_info (
    id          bigint generated always as identity,
    grade_name  text    not null,
    lecturer_id bigint,
    invite_code text collate "C" not null,
    max_members integer not null,
    -- free: whoever has the code is in; audit: an operator lets them in.
    verify      text    not null,
    starts_on   date    not null,
    ends_on     date    not null,
    enabled     boolean not null default true,
    initials    text    not null default '',
    created_at  timestamptz not null default now(),
    created_by  bigint  not null,
    updated_at  timestamptz not null default now(),
    updated_by  bigint  not null,
    version     integer not null default 1,
    constraint exam_grade_info_key primary key (id),
    constraint exam_grade_info_code_taken unique (invite_code),
    constraint exam_grade_info_code_shape check (invite_code ~ '^[A-Z0-9]{6}$'),
    constraint exam_grade_info_members_range check (max_members between 1 and 2000),
    constraint exam_grade_info_verify_known check (verify in ('free', 'audit')),
    constraint exam_grade_info_day_order check (ends_on >= starts_on),
    constraint exam_grade_info_of_lecturer foreign key (lecturer_id) references lecturer (id)
);
--;;
create index exam_grade_info_newest on exam_grade_info (id desc);
--;;
create index exam_grade_info_lecturer on exam_grade_info (lecturer_id);
--;;
create index exam_grade_info_created on exam_grade_info (created_at desc);
--;;
create index exam_grade_info_disabled on exam_grade_info (id desc) where not enabled;
--;;
-- 班级成员.
--     free:   joined ⇄ removed        audit:  pending → joined │ removed        removed → joined by an operator alone
create table exam_grade_member (
    id           bigint generated always as identity,
    grade_id     bigint  not null,
    learner_id   bigint  not null,
    state        text    not null,
    joined_at    timestamptz,
    created_at   timestamptz not null default now(),
    created_by   bigint  not null,
    updated_at   timestamptz not null default now(),
    updated_by   bigint  not null,
    version      integer not null default 1,
    constraint exam_grade_member_key primary key (id),
    constraint exam_grade_member_once unique (grade_id, learner_id),
    constraint exam_grade_member_state_known check (state in ('pending', 'joined', 'removed')),
    constraint exam_grade_member_joined check (state <> 'joined' or joined_at is not null),
    constraint exam_grade_member_of_grade foreign key (grade_id) references exam_grade_info (id),
    constraint exam_grade_member_of_learner foreign key (learner_id) references user_ext (id)
);
--;;
create index exam_grade_member_state on exam_grade_member (grade_id, state, id desc);
--;;
create index exam_grade_member_learner on exam_grade_member (learner_id);
--;;
-- 考试安排: which exam the class takes, and when it may be begun.
create table exam_grade_exam (
    id         bigint generated always as identity,
    grade_id   bigint  not null,
    exam_id    bigint  not null,
    opens_at   timestamptz not null,
    closes_at  timestamptz not null,
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint exam_grade_exam_key primary key (id),
    constraint exam_grade_exam_taken unique (grade_id, exam_id),
    constraint exam_grade_exam_time_order check (closes_at > opens_at),
    constraint exam_grade_exam_of_grade foreign key (grade_id) references exam_grade_info (id),
    constraint exam_grade_exam_of_exam foreign key (exam_id) references online_exam (id)
);
--;;
create index exam_grade_exam_exam on exam_grade_exam (exam_id);
--;;
alter table online_exam_record add constraint online_exam_record_of_grade
    foreign key (grade_id) references exam_grade_info (id);
--;;
create index online_exam_record_grade on online_exam_record (grade_id, exam_id, learner_id) where grade_id is not null;
