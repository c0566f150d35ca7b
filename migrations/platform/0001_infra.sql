-- What every room of the platform stands on: the trail of changes, jobs, files, keys.
-- Owner: infra.

-- Who changed which record, field by field, written in the transaction of the change. Insert only.
create table audit_log (
    id            bigint generated always as identity,
    at            timestamptz not null default now(),
    trace_id      text   not null,
    actor_type    text   not null,
    actor_id      bigint not null,
    actor_name    text   not null,
    on_behalf_of  text,
    ip            text   not null,
    entity_type   text   not null,
    entity_id     bigint not null,
    action        text   not null,
    changes       jsonb  not null,
    batch_id      uuid,
    constraint audit_log_key primary key (id)
);
--;;
create index audit_log_record on audit_log (entity_type, entity_id, at desc);
--;;
create index audit_log_trace on audit_log (trace_id);
--;;
-- Who called what, written after the answer through a bounded queue. Insert only.
create table sys_log (
    id              bigint generated always as identity,
    at              timestamptz not null,
    trace_id        text     not null,
    actor_type      text     not null,
    actor_id        bigint   not null,
    actor_name      text     not null,
    on_behalf_of    text,
    school_id       bigint,
    module          text     not null,
    operation       text     not null,
    permission_code text     not null,
    method          text     not null,
    path            text     not null,
    result_code     integer  not null,
    duration_ms     integer  not null,
    ip              text     not null,
    params          jsonb    not null,
    sensitive       boolean  not null,
    entity_type     text,
    entity_id       bigint,
    constraint sys_log_key primary key (id)
);
--;;
create index sys_log_newest on sys_log (at desc, id desc);
--;;
create index sys_log_school on sys_log (school_id, at desc);
--;;
create index sys_log_of_actor on sys_log (actor_id, at desc);
--;;
create index sys_log_trace on sys_log (trace_id);
--;;
-- Long work: exports, imports, opening a school.
--     queued ─lease→ running ─→ done │ failed │ cancelled
create table job (
    id             bigint generated always as identity,
    school_id      bigint,
    kind           text    not null,
    target         text    not null default '',
    title          text    not null,
    params         jsonb   not null,
    state          text    not null default 'queued',
    step           text    not null default '',
    total          bigint  not null default 0,
    done           bigint  not null default 0,
    message        text    not null default '',
    errors         jsonb   not null default '[]',
    result_file_id bigint,
    cancel_asked   boolean not null default false,
    started_by     bigint  not null,
    actor_name     text    not null,
    actor          jsonb   not null,
    leased_until   timestamptz,
    attempts       integer not null default 0,
    created_at     timestamptz not null default now(),
    started_at     timestamptz,
    finished_at    timestamptz,
    constraint job_key primary key (id),
    constraint job_state_known check (state in ('queued', 'running', 'done', 'failed', 'cancelled'))
);
--;;
-- One piece of work at a time for each school, kind and target.
create unique index job_already_running on job (coalesce(school_id, 0), kind, target)
    where state in ('queued', 'running');
--;;
create index job_waiting on job (created_at) where state in ('queued', 'running');
--;;
create index job_newest on job (school_id, id desc);
--;;
create index job_mine on job (started_by, id desc);
--;;
-- Bytes lie in the object store under `key`; everything else about a file stands here.
create table file_object (
    id            bigint generated always as identity,
    key           text     not null,
    original_name text     not null,
    size          bigint   not null,
    content_type  text     not null,
    sha256        text,
    file_type     smallint not null,
    state         text     not null,
    owner_type    text,
    owner_id      bigint,
    uploader_id   bigint   not null,
    created_at    timestamptz not null default now(),
    expires_at    timestamptz,
    constraint file_object_key primary key (id),
    constraint file_object_state_known check (state in ('pending', 'stored', 'deleted')),
    constraint file_object_type_known check (file_type in (1, 2, 3))
);
--;;
create unique index file_object_key_once on file_object (key);
--;;
create index file_object_expiring on file_object (expires_at) where expires_at is not null;
--;;
-- A repeated save with the same key gives the same answer and creates nothing.
create table idempotency_key (
    key        text   not null,
    user_id    bigint not null,
    operation  text   not null,
    body_hash  bytea  not null,
    result_id  bigint not null,
    created_at timestamptz not null default now(),
    constraint idempotency_key_used primary key (user_id, key)
);
--;;
-- Key pairs and secrets of the deployment, sealed by the master key; all servers share them.
create table server_key (
    id         bigint generated always as identity,
    purpose    text  not null,
    sealed     bytea not null,
    created_at timestamptz not null,
    retired_at timestamptz,
    constraint server_key_key primary key (id)
);
--;;
create unique index server_key_current on server_key (purpose) where retired_at is null;
--;;
-- Each pair ever seeded: seeding adds what is missing and never brings back what people removed.
create table seed_done (
    kind text not null,
    key  text not null,
    at   timestamptz not null default now(),
    constraint seed_done_key primary key (kind, key)
);
