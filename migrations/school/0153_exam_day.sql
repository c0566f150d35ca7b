-- The day of examinations on paper: who watches which room, who came, what happened. Owner: tenant/exam_day. Others read.
--
--     offline_session_room ─┬─ invigilation ── invigilator ── teacher
--                           └─ offline_room_record: none → recorded ⇄ confirmed ─ offline_room_file

-- 监考员.
create table invigilator (
    id         bigint generated always as identity,
    kind       text    not null,
    teacher_id bigint,
    name       text    not null,
    initials   text    not null default '',
    gender     text,
    id_card_no text collate "C",
    phone      text collate "C",
    site_id    bigint  not null,
    available  boolean not null default true,
    remark     text,
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint invigilator_key primary key (id),
    constraint invigilator_kind_known check (kind in ('teacher', 'external')),
    constraint invigilator_teacher_missing check ((kind = 'teacher') = (teacher_id is not null)),
    constraint invigilator_gender_known check (gender in ('male', 'female')),
    constraint invigilator_teacher_taken unique (teacher_id),
    constraint invigilator_of_teacher foreign key (teacher_id) references teacher (id),
    constraint invigilator_of_site foreign key (site_id) references site (id)
);
--;;
-- One person from outside is there once.
create unique index invigilator_external_taken on invigilator (id_card_no) where kind = 'external' and id_card_no is not null;
--;;
create index invigilator_newest on invigilator (created_at desc, id);
--;;
create index invigilator_site on invigilator (site_id, available);
--;;
-- 监考安排.
create table invigilation (
    id              bigint generated always as identity,
    session_room_id bigint  not null,
    invigilator_id  bigint  not null,
    role            text    not null,
    signed_in       boolean not null default false,
    created_at      timestamptz not null default now(),
    created_by      bigint  not null,
    updated_at      timestamptz not null default now(),
    updated_by      bigint  not null,
    version         integer not null default 1,
    constraint invigilation_key primary key (id),
    constraint invigilation_role_known check (role in ('chief', 'assistant', 'patrol')),
    constraint invigilation_taken unique (session_room_id, invigilator_id),
    constraint invigilation_of_room foreign key (session_room_id) references offline_session_room (id),
    constraint invigilation_of_invigilator foreign key (invigilator_id) references invigilator (id)
);
--;;
create unique index invigilation_chief_taken on invigilation (session_room_id) where role = 'chief';
--;;
create index invigilation_invigilator on invigilation (invigilator_id);
--;;
-- 考场情况 of a session's room, whose number it bears; without a row nothing is registered.
create table offline_room_record (
    id                bigint  not null,
    -- Seats whose candidates did not come.
    absent_seats      integer[] not null default '{}',
    present_count     integer not null,
    absent_count      integer not null,
    note              text,
    status            text    not null default 'recorded',
    recorded_by_name  text    not null default '',
    recorded_at       timestamptz not null,
    confirmed_by_name text,
    confirmed_at      timestamptz,
    created_at        timestamptz not null default now(),
    created_by        bigint  not null,
    updated_at        timestamptz not null default now(),
    updated_by        bigint  not null,
    version           integer not null default 1,
    constraint offline_room_record_key primary key (id),
    constraint offline_room_record_counts_range check (
        present_count >= 0 and absent_count >= 0 and absent_count = cardinality(absent_seats)
    ),
    constraint offline_room_record_status_known check (status in ('recorded', 'confirmed')),
    constraint offline_room_record_confirmed_missing check ((status = 'confirmed') = (confirmed_at is not null)),
    constraint offline_room_record_of_room foreign key (id) references offline_session_room (id)
);
--;;
create index offline_room_record_status on offline_room_record (status, id);
--;;
-- 签字的考场情况记录表.
create table offline_room_file (
    record_id bigint  not null,
    file_id   bigint  not null,
    sort_no   integer not null,
    constraint offline_room_file_key primary key (record_id, file_id),
    constraint offline_room_file_of_record foreign key (record_id) references offline_room_record (id) on delete cascade,
    constraint offline_room_file_of_object foreign key (file_id) references file_object (id)
);
--;;
create index offline_room_file_object on offline_room_file (file_id);
