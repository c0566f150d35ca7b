-- What a person keeps of his own account: machine tokens for programs, and the second step of signing in (00 §8).
-- Owner: platform/accounts. infra reads all of it to admit a request.

-- A program acts under an account of its own, without password and roles: logs, trails and `created_by` name it apart
-- from its owner, and its schools are rows like everybody's.
alter table sys_user drop constraint sys_user_type_known;
--;;
alter table sys_user add constraint sys_user_type_known check (user_type in ('platform', 'school', 'machine'));
--;;
-- 机器令牌: never more than its owner may do at the moment of use. The secret itself is kept nowhere.
create table sys_machine_token (
    id               bigint generated always as identity,
    name             text    not null,
    owner_id         bigint  not null,
    account_id       bigint  not null,
    -- The beginning of the secret, by which people tell tokens apart.
    shown_prefix     text    not null,
    secret_digest    bytea   not null,
    permission_codes text[]  not null,
    -- The schools the owner chose; null means all of his. What he loses later is taken away at the next use.
    school_ids       bigint[],
    expires_at       timestamptz not null,
    enabled          boolean not null default true,
    last_used_at     timestamptz,
    last_used_ip     text,
    remark           text,
    created_at       timestamptz not null default now(),
    created_by       bigint  not null,
    updated_at       timestamptz not null default now(),
    updated_by       bigint  not null,
    version          integer not null default 1,
    constraint sys_machine_token_key primary key (id),
    constraint sys_machine_token_of_owner foreign key (owner_id) references sys_user (id),
    constraint sys_machine_token_of_account foreign key (account_id) references sys_user (id),
    constraint sys_machine_token_codes_missing check (cardinality(permission_codes) > 0)
);
--;;
create unique index sys_machine_token_secret_taken on sys_machine_token (secret_digest);
--;;
create unique index sys_machine_token_name_taken on sys_machine_token (owner_id, lower(name));
--;;
create unique index sys_machine_token_account_once on sys_machine_token (account_id);
--;;
-- 两步验证: the secret of a person's authenticator, sealed. Until it is confirmed by a first code it opens nothing.
create table sys_user_totp (
    id           bigint generated always as identity,
    user_id      bigint  not null,
    sealed       bytea   not null,
    confirmed_at timestamptz,
    -- The newest step of thirty seconds whose code was used; no code opens twice.
    last_step    bigint  not null default 0,
    created_at   timestamptz not null default now(),
    created_by   bigint  not null,
    updated_at   timestamptz not null default now(),
    updated_by   bigint  not null,
    version      integer not null default 1,
    constraint sys_user_totp_key primary key (id),
    constraint sys_user_totp_of_user foreign key (user_id) references sys_user (id)
);
--;;
create unique index sys_user_totp_once on sys_user_totp (user_id);
--;;
-- 恢复码: each takes the place of one code of the authenticator, once.
create table sys_recovery_code (
    id      bigint generated always as identity,
    user_id bigint not null,
    digest  bytea  not null,
    used_at timestamptz,
    constraint sys_recovery_code_key primary key (id),
    constraint sys_recovery_code_of_user foreign key (user_id) references sys_user (id)
);
--;;
create unique index sys_recovery_code_once on sys_recovery_code (user_id, digest);
--;;
-- Whoever has such a role sets up the second step before anything else.
alter table sys_role add column totp_required boolean not null default false;
