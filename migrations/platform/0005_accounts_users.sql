-- System users and school users as people manage them.
-- Owner: platform/accounts.

-- A deleted account keeps its row, because logs and trails name it; its login name and phone are free again.
alter table sys_user add column deleted_at timestamptz;
--;;
-- The initial passwords of one import, sealed. The importer may fetch them once, within a day; then only the row is left,
-- which also says that the job has done its work.
create table initial_password_sheet (
    id            bigint generated always as identity,
    job_id        bigint,
    sealed        bytea,
    account_count integer not null,
    expires_at    timestamptz not null,
    fetched_at    timestamptz,
    created_at    timestamptz not null default now(),
    created_by    bigint  not null,
    updated_at    timestamptz not null default now(),
    updated_by    bigint  not null,
    version       integer not null default 1,
    constraint initial_password_sheet_key primary key (id),
    constraint initial_password_sheet_fetched check (fetched_at is null or sealed is null)
);
--;;
create unique index initial_password_sheet_once_per_job on initial_password_sheet (job_id) where job_id is not null;
--;;
create index initial_password_sheet_expiring on initial_password_sheet (expires_at) where sealed is not null;
