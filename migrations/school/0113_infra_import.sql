-- 导入记录: what an import wrote, so that it can be undone for 30 days. Owner: infra.
create table import_run (
    id           bigint generated always as identity,
    kind         text   not null,
    title        text   not null,
    file_name    text   not null,
    total        bigint not null default 0,
    records      bigint not null default 0,
    at           timestamptz not null default now(),
    by_id        bigint not null,
    by_name      text   not null,
    -- The rows of the trail that the import wrote, and those of its undoing.
    batch_id     uuid   not null,
    undo_batch   uuid   not null,
    undone       bigint not null default 0,
    undone_at    timestamptz,
    undone_by    text,
    constraint import_run_key primary key (id),
    constraint import_run_undone check (undone between 0 and records)
);
--;;
create index import_run_newest on import_run (at desc, id desc);
--;;
-- In the order in which they were written. What an edited record held is sealed; of a new one its number is enough.
create table import_record (
    run_id    bigint  not null,
    seq       integer not null,
    entity    text    not null,
    entity_id bigint  not null,
    action    text    not null,
    held      bytea,
    undone    boolean not null default false,
    constraint import_record_key primary key (run_id, seq)
);
--;;
alter table import_record add constraint import_record_run foreign key (run_id) references import_run (id) on delete cascade;
--;;
create index import_record_entity on import_record (entity, entity_id);
