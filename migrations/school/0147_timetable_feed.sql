-- Addresses under which a calendar program reads somebody's lessons. Owner: tenant/timetable.

-- 课表订阅: one address a person. Who has the address sees the lessons; it is kept as a hash, shown once, renewed and taken back.
create table timetable_feed (
    id         bigint generated always as identity,
    kind       text   not null,
    person_id  bigint not null,
    -- SHA-256.
    key_hash   bytea  not null,
    created_at timestamptz not null default now(),
    created_by bigint not null,
    updated_at timestamptz not null default now(),
    updated_by bigint not null,
    version    integer not null default 1,
    constraint timetable_feed_key primary key (id),
    constraint timetable_feed_kind_known check (kind in ('student', 'teacher')),
    constraint timetable_feed_taken unique (kind, person_id),
    constraint timetable_feed_key_taken unique (key_hash)
);
