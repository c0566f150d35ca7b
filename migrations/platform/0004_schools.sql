-- 院校: the tenants. Each has a schema and a database role of its own.
-- Owner: platform/schools. accounts and infra read it.
--     trial ─→ active ⇄ suspended ─→ archived ─→ deleted (tombstone)

create table school (
    id                        bigint generated always as identity,
    code                      text    not null,
    name                      text    not null,
    short_name                text,
    identity_code             text,
    domain                    text,
    logo                      text,
    logo_no_word              text,
    ico                       text,
    title                     text,
    login_background          text,
    brand_color               text,
    assistance_center_enabled boolean not null default false,
    status                    text    not null,
    status_before             text,
    status_reason             text,
    archived_at               timestamptz,
    provision_state           text    not null default 'pending',
    provision_step            text    not null default '',
    provision_error           text,
    expires_on                date,
    student_quota             integer,
    storage_quota_gb          integer,
    contact_name              text,
    contact_phone             text,
    province                  text,
    address                   text,
    remark                    text,
    deletion_protection       boolean not null default true,
    node                      text    not null default 'default',
    schema_name               text    not null,
    db_role                   text    not null,
    schema_version            bigint  not null default 0,
    schema_checksum           text    not null default '',
    structure_hash            text    not null default '',
    initials                  text    not null default '',
    deleted_at                timestamptz,
    created_at                timestamptz not null default now(),
    created_by                bigint  not null,
    updated_at                timestamptz not null default now(),
    updated_by                bigint  not null,
    version                   integer not null default 1,
    constraint school_key primary key (id),
    constraint school_status_known check (status in ('trial', 'active', 'suspended', 'archived')),
    constraint school_provision_known check (provision_state in ('pending', 'running', 'ready', 'failed')),
    constraint school_trial_expires check (status <> 'trial' or expires_on is not null)
);
--;;
create unique index school_code_taken on school (code);
--;;
create unique index school_name_taken on school (name) where deleted_at is null;
--;;
create unique index school_domain_taken on school (domain) where domain is not null and deleted_at is null;
--;;
create index school_behind on school (schema_version) where deleted_at is null;
--;;
alter table sys_user_school add constraint sys_user_school_at_school foreign key (school_id) references school (id);
--;;
alter table sys_role add constraint sys_role_of_school foreign key (school_id) references school (id);
--;;
alter table sys_session add constraint sys_session_at_school foreign key (school_id) references school (id);
