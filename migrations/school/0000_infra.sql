-- What every room of a school stands on: the trail of changes, files, keys of repeated calls.
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
-- The work's own transaction writes its job's number here, so that a job which is leased again after a crash
-- knows that its work is done.
create table job_done (
    job_id bigint not null,
    result jsonb  not null,
    at     timestamptz not null default now(),
    constraint job_done_key primary key (job_id)
);
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
