-- Face-to-face instruction: who came to the sessions, and how they did. Owner: tenant/instruction. Others read.
--
--     course_arrange_session ─ instruction_attendance ─┐
--     course_selection ────────────────────────────────┴─ instruction_score
--     draft ─submit→ submitted ─confirm→ confirmed      submitted ─return→ draft      confirmed ─revoke→ submitted

-- 考勤: whether somebody of the roster came to a session.
create table instruction_attendance (
    id           bigint generated always as identity,
    session_id   bigint  not null,
    selection_id bigint  not null,
    result       text    not null,
    source       text    not null,
    created_at   timestamptz not null default now(),
    created_by   bigint  not null,
    updated_at   timestamptz not null default now(),
    updated_by   bigint  not null,
    version      integer not null default 1,
    constraint instruction_attendance_key primary key (id),
    constraint instruction_attendance_result_known check (result in ('present', 'late', 'leave', 'absent')),
    constraint instruction_attendance_source_known check (source in ('staff', 'import', 'teacher')),
    constraint instruction_attendance_taken unique (session_id, selection_id),
    constraint instruction_attendance_of_session foreign key (session_id) references course_arrange_session (id),
    constraint instruction_attendance_of_selection foreign key (selection_id) references course_selection (id)
);
--;;
create index instruction_attendance_selection on instruction_attendance (selection_id);
--;;
-- 面授成绩: of a selection; none where nothing was registered yet, which is read as a draft.
create table instruction_score (
    id                bigint generated always as identity,
    selection_id      bigint  not null,
    -- Sessions that count for the student: those registered but for leave.
    required_sessions integer not null default 0,
    -- Late counts half.
    attended_count    numeric(5, 1) not null default 0,
    attendance_rate   numeric(4, 1),
    attendance_score  numeric(4, 1),
    -- Typed by a sheet, which is allowed as long as there are no sessions.
    attendance_typed  boolean not null default false,
    performance_score numeric(4, 1),
    total_score       numeric(4, 1),
    status            text    not null default 'draft',
    submitted_by      bigint,
    submitted_at      timestamptz,
    confirmed_by      bigint,
    confirmed_at      timestamptz,
    return_reason     text,
    created_at        timestamptz not null default now(),
    created_by        bigint  not null,
    updated_at        timestamptz not null default now(),
    updated_by        bigint  not null,
    version           integer not null default 1,
    constraint instruction_score_key primary key (id),
    constraint instruction_score_status_known check (status in ('draft', 'submitted', 'confirmed')),
    constraint instruction_score_required_range check (required_sessions >= 0),
    constraint instruction_score_attended_range check (attended_count between 0 and required_sessions),
    constraint instruction_score_attendance_range check (attendance_score between 0 and 100),
    constraint instruction_score_performance_range check (performance_score between 0 and 100),
    constraint instruction_score_total_range check (total_score between 0 and 100),
    constraint instruction_score_performance_missing check (status = 'draft' or performance_score is not null),
    constraint instruction_score_submitted_missing check (status = 'draft' or submitted_at is not null),
    constraint instruction_score_confirmed_missing check (status <> 'confirmed' or confirmed_at is not null),
    constraint instruction_score_taken unique (selection_id),
    constraint instruction_score_of_selection foreign key (selection_id) references course_selection (id)
);
--;;
create index instruction_score_status on instruction_score (status, selection_id);
--;;
-- 考勤汇总 (03 C1), for the parts that score and count: of every selection with attendance or a score.
create view attendance_summary as
select c.id as selection_id, c.student_id, c.course_id, c.semester_id,
       coalesce(a.present + a.late + a.absent, 0) as required, coalesce(a.present, 0) as present, coalesce(a.late, 0) as late,
       coalesce(a.leave, 0) as leave, coalesce(a.absent, 0) as absent,
       round((a.present * 2 + a.late) * 50.0 / nullif(a.present + a.late + a.absent, 0), 1) as rate,
       case when s.status = 'confirmed' then s.total_score end as instruction_total
from course_selection c
left join instruction_score s on s.selection_id = c.id
left join (
    select x.selection_id, count(*) filter (where x.result = 'present') as present,
           count(*) filter (where x.result = 'late') as late, count(*) filter (where x.result = 'leave') as leave,
           count(*) filter (where x.result = 'absent') as absent
    from instruction_attendance x group by x.selection_id
) a on a.selection_id = c.id
where s.id is not null or a.selection_id is not null;
