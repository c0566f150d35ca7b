-- Examinations on paper: rooms, sessions, who sits where, tickets. Owner: tenant/exam_seats. Others read.
--
--     site ── exam_room ── classroom            offline_point (batch: the people of a site sit at another)
--     test_batch ── offline_session ─┬─ offline_session_site
--                                    └─ offline_session_room ── offline_seat ── exam_candidate
--     test_batch ── exam_ticket ── student
--     session: draft → seated ⇄ confirmed → finished

-- 考场.
create table exam_room (
    id            bigint generated always as identity,
    site_id       bigint  not null,
    classroom_id  bigint,
    -- Empty text, not null: two rooms without a building are in the same place.
    building      text    not null default '',
    room_no       text    not null,
    name          text    not null,
    initials      text    not null default '',
    rows_count    integer not null,
    columns_count integer not null,
    capacity      integer not null,
    -- Counted from 1, row by row.
    blocked_seats integer[] not null default '{}',
    room_type     text    not null default 'ordinary',
    monitored     boolean not null default false,
    -- The smaller comes first.
    priority      integer not null default 100,
    enabled       boolean not null default true,
    created_at    timestamptz not null default now(),
    created_by    bigint  not null,
    updated_at    timestamptz not null default now(),
    updated_by    bigint  not null,
    version       integer not null default 1,
    constraint exam_room_key primary key (id),
    constraint exam_room_room_no_missing check (room_no <> ''),
    constraint exam_room_grid_range check (rows_count between 1 and 30 and columns_count between 1 and 30),
    constraint exam_room_capacity_range check (
        capacity >= 1 and capacity + cardinality(blocked_seats) <= rows_count * columns_count
    ),
    constraint exam_room_blocked_range check (1 <= all (blocked_seats) and rows_count * columns_count >= all (blocked_seats)),
    constraint exam_room_type_known check (room_type in ('ordinary', 'multimedia', 'computer', 'lab', 'language')),
    constraint exam_room_priority_range check (priority between 0 and 9999),
    constraint exam_room_classroom_taken unique (classroom_id),
    -- Lets a room of a session prove its site.
    constraint exam_room_with_site unique (id, site_id),
    constraint exam_room_of_site foreign key (site_id) references site (id),
    constraint exam_room_of_classroom foreign key (classroom_id) references classroom (id)
);
--;;
create unique index exam_room_place_taken on exam_room (site_id, lower(building), lower(room_no));
--;;
create index exam_room_newest on exam_room (created_at desc, id);
--;;
create index exam_room_order on exam_room (site_id, priority, id) where enabled;
--;;
-- 考点: at which site the candidates of a site sit; without a row at their own.
create table offline_point (
    id           bigint generated always as identity,
    batch_id     bigint  not null,
    site_id      bigint  not null,
    exam_site_id bigint  not null,
    created_at   timestamptz not null default now(),
    created_by   bigint  not null,
    updated_at   timestamptz not null default now(),
    updated_by   bigint  not null,
    version      integer not null default 1,
    constraint offline_point_key primary key (id),
    constraint offline_point_taken unique (batch_id, site_id),
    constraint offline_point_of_batch foreign key (batch_id) references test_batch (id),
    constraint offline_point_of_site foreign key (site_id) references site (id),
    constraint offline_point_of_exam_site foreign key (exam_site_id) references site (id)
);
--;;
create index offline_point_site on offline_point (site_id);
--;;
create index offline_point_exam_site on offline_point (exam_site_id, batch_id);
--;;
-- 考试场次.
create table offline_session (
    id               bigint generated always as identity,
    batch_id         bigint  not null,
    code             text    not null,
    name             text    not null,
    starts_at        timestamptz not null,
    ends_at          timestamptz not null,
    duration_minutes integer not null,
    status           text    not null default 'draft',
    -- How seats were given last, as the module's type says, with the seed that gives them again.
    seating          jsonb,
    seated_at        timestamptz,
    confirmed_at     timestamptz,
    created_at       timestamptz not null default now(),
    created_by       bigint  not null,
    updated_at       timestamptz not null default now(),
    updated_by       bigint  not null,
    version          integer not null default 1,
    constraint offline_session_key primary key (id),
    constraint offline_session_code_shape check (code ~ '^[0-9]{2}$'),
    constraint offline_session_time_order check (ends_at > starts_at),
    constraint offline_session_duration_range check (duration_minutes between 10 and 300),
    constraint offline_session_status_known check (status in ('draft', 'seated', 'confirmed', 'finished')),
    constraint offline_session_seated_missing check (status = 'draft' or seated_at is not null),
    constraint offline_session_confirmed_missing check (status not in ('confirmed', 'finished') or confirmed_at is not null),
    constraint offline_session_code_taken unique (batch_id, code),
    constraint offline_session_of_batch foreign key (batch_id) references test_batch (id)
);
--;;
create index offline_session_newest on offline_session (created_at desc, id);
--;;
create index offline_session_time on offline_session (starts_at, id);
--;;
-- Of which sites the session is; none: of all.
create table offline_session_site (
    session_id bigint not null,
    site_id    bigint not null,
    constraint offline_session_site_key primary key (session_id, site_id),
    constraint offline_session_site_of_session foreign key (session_id) references offline_session (id) on delete cascade,
    constraint offline_session_site_of_site foreign key (site_id) references site (id)
);
--;;
create index offline_session_site_site on offline_session_site (site_id);
--;;
-- 场次考场. With a classroom it keeps it busy, under its own number, as its invigilators are.
create table offline_session_room (
    id            bigint generated always as identity,
    session_id    bigint  not null,
    room_id       bigint  not null,
    site_id       bigint  not null,
    exam_room_no  text    not null,
    planned_count integer not null default 0,
    paper_bag_no  text,
    created_at    timestamptz not null default now(),
    created_by    bigint  not null,
    updated_at    timestamptz not null default now(),
    updated_by    bigint  not null,
    version       integer not null default 1,
    constraint offline_session_room_key primary key (id),
    constraint offline_session_room_no_shape check (exam_room_no ~ '^[0-9]{3}$'),
    constraint offline_session_room_planned_range check (planned_count >= 0),
    constraint offline_session_room_taken unique (session_id, room_id),
    constraint offline_session_room_no_taken unique (session_id, site_id, exam_room_no),
    -- Lets a seat prove that its room is the session's.
    constraint offline_session_room_with_session unique (id, session_id),
    constraint offline_session_room_of_session foreign key (session_id) references offline_session (id),
    constraint offline_session_room_of_room foreign key (room_id, site_id) references exam_room (id, site_id),
    constraint offline_session_room_of_site foreign key (site_id) references site (id)
);
--;;
create index offline_session_room_room on offline_session_room (room_id, site_id);
--;;
create index offline_session_room_site on offline_session_room (site_id, session_id);
--;;
-- 座位编排. Seats are counted over those that may be used.
create table offline_seat (
    id              bigint generated always as identity,
    candidate_id    bigint  not null,
    session_id      bigint  not null,
    session_room_id bigint  not null,
    seat_no         integer not null,
    student_id      bigint  not null,
    -- Put there by a person.
    manual          boolean not null default false,
    created_at      timestamptz not null default now(),
    created_by      bigint  not null,
    updated_at      timestamptz not null default now(),
    updated_by      bigint  not null,
    version         integer not null default 1,
    constraint offline_seat_key primary key (id),
    constraint offline_seat_no_range check (seat_no between 1 and 900),
    constraint offline_seat_candidate_taken unique (candidate_id),
    constraint offline_seat_taken unique (session_room_id, seat_no),
    constraint offline_seat_student_taken unique (session_id, student_id),
    constraint offline_seat_of_candidate foreign key (candidate_id) references exam_candidate (id),
    constraint offline_seat_of_room foreign key (session_room_id, session_id)
        references offline_session_room (id, session_id),
    constraint offline_seat_of_student foreign key (student_id) references student (id)
);
--;;
create index offline_seat_student on offline_seat (student_id);
--;;
create index offline_seat_room on offline_seat (session_room_id, session_id);
--;;
-- 准考证: given once, kept for ever.
create table exam_ticket (
    id         bigint generated always as identity,
    batch_id   bigint not null,
    student_id bigint not null,
    ticket_no  text collate "C" not null,
    created_at timestamptz not null default now(),
    created_by bigint not null,
    constraint exam_ticket_key primary key (id),
    constraint exam_ticket_no_shape check (ticket_no ~ '^[0-9]{14}$'),
    constraint exam_ticket_taken unique (batch_id, student_id),
    constraint exam_ticket_no_taken unique (ticket_no),
    constraint exam_ticket_of_batch foreign key (batch_id) references test_batch (id),
    constraint exam_ticket_of_student foreign key (student_id) references student (id)
);
--;;
create index exam_ticket_student on exam_ticket (student_id);
--;;
alter table exam_setup add constraint exam_setup_of_session foreign key (session_id) references offline_session (id);
--;;
-- When a setup is, wherever that stands.
create view exam_setup_time as
select s.id as setup_id, coalesce(x.starts_at, s.starts_at) as starts_at, coalesce(x.ends_at, s.ends_at) as ends_at
from exam_setup s left join offline_session x on x.id = s.session_id;
