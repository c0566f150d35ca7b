-- Sign-in, accounts, roles, menus, permissions.
-- Owner: platform/accounts. infra reads sys_session, sys_user and the permission tables to admit a request.

create table sys_user (
    id                   bigint generated always as identity,
    login_name           text    not null,
    real_name            text    not null,
    phone                text,
    email                text,
    gender               text    not null default 'unknown',
    avatar               text,
    user_type            text    not null,
    school_scope         text    not null default 'all',
    password_hash        text    not null,
    password_changed_at  timestamptz not null,
    must_change_password boolean not null default true,
    gmt_expires          timestamptz,
    enabled              boolean not null default true,
    built_in             boolean not null default false,
    last_login_at        timestamptz,
    last_login_ip        text,
    remark               text,
    permission_version   integer not null default 1,
    created_at           timestamptz not null default now(),
    created_by           bigint  not null,
    updated_at           timestamptz not null default now(),
    updated_by           bigint  not null,
    version              integer not null default 1,
    constraint sys_user_key primary key (id),
    constraint sys_user_type_known check (user_type in ('platform', 'school')),
    constraint sys_user_scope_known check (school_scope in ('all', 'listed')),
    constraint sys_user_gender_known check (gender in ('unknown', 'male', 'female'))
);
--;;
create unique index sys_user_login_name_taken on sys_user (lower(login_name));
--;;
create unique index sys_user_phone_taken on sys_user (phone) where phone is not null;
--;;
-- The last five passwords, so that none of them comes back.
create table sys_password_history (
    id            bigint generated always as identity,
    user_id       bigint not null,
    password_hash text   not null,
    at            timestamptz not null,
    constraint sys_password_history_key primary key (id),
    constraint sys_password_history_of_user foreign key (user_id) references sys_user (id)
);
--;;
create index sys_password_history_newest on sys_password_history (user_id, at desc);
--;;
-- Counts wrong passwords by account name and by address, also for names that do not exist.
--     open ─five failures in fifteen minutes→ locked ─time or unlock→ open
create table sys_login_guard (
    key              text    not null,
    failures         integer not null default 0,
    first_failure_at timestamptz,
    locked_until     timestamptz,
    locks_in_24h     integer not null default 0,
    last_lock_at     timestamptz,
    constraint sys_login_guard_key primary key (key)
);
--;;
-- One row for each signed call of `authenticate`; a login consumes exactly one.
create table sys_challenge (
    id               bigint generated always as identity,
    login_name       text    not null,
    signature_digest bytea   not null,
    stage            text    not null,
    client_ip        text    not null,
    timestamp_ms     bigint  not null,
    nonce            integer not null,
    issued_at        timestamptz not null,
    expires_at       timestamptz not null,
    consumed_at      timestamptz,
    constraint sys_challenge_key primary key (id)
);
--;;
create unique index sys_challenge_repeated on sys_challenge (login_name, nonce, timestamp_ms);
--;;
create index sys_challenge_newest on sys_challenge (login_name, client_ip, stage, id desc) where consumed_at is null;
--;;
create index sys_challenge_by_age on sys_challenge (issued_at);
--;;
-- A session is active until it is revoked; nothing comes back from revoked.
create table sys_session (
    jti           uuid   not null,
    root_jti      uuid   not null,
    parent_jti    uuid,
    user_id       bigint not null,
    client        text,
    kind          text   not null default 'account',
    area          text   not null,
    school_id     bigint,
    actor_user_id bigint,
    reason        text,
    read_only     boolean not null default false,
    ip            text   not null,
    user_agent    text   not null,
    issued_at     timestamptz not null,
    last_seen_at  timestamptz not null,
    expires_at    timestamptz not null,
    revoked_at    timestamptz,
    revoke_reason text,
    password_failures integer not null default 0,
    constraint sys_session_key primary key (jti),
    constraint sys_session_of_user foreign key (user_id) references sys_user (id),
    constraint sys_session_area_known check (area in ('platform', 'school')),
    constraint sys_session_school_when_school check ((area = 'school') = (school_id is not null)),
    constraint sys_session_reason_known check (revoke_reason in ('logout', 'replaced', 'kicked', 'password_changed',
        'password_reset', 'account_disabled', 'account_expired', 'school_disabled', 'idle', 'left_school'))
);
--;;
create index sys_session_of_user_active on sys_session (user_id) where revoked_at is null;
--;;
create index sys_session_of_root on sys_session (root_jti) where revoked_at is null;
--;;
-- Sign-in, sign-out, entering and leaving a school. Insert only.
create table login_log (
    id          bigint generated always as identity,
    at          timestamptz not null,
    client      text,
    kind        text    not null default 'account',
    user_id     bigint,
    login_name  text    not null,
    real_name   text,
    school_id   bigint,
    event       text    not null,
    success     boolean not null,
    reason      text,
    ip          text    not null,
    user_agent  text    not null,
    device      text    not null,
    session_id  uuid,
    constraint login_log_key primary key (id)
);
--;;
create index login_log_newest on login_log (at desc, id desc);
--;;
create index login_log_of_name on login_log (login_name, at desc);
--;;
create index login_log_of_school on login_log (school_id, at desc);
--;;
-- 院校绑定: at which schools an account works.
create table sys_user_school (
    id           bigint generated always as identity,
    user_id      bigint  not null,
    school_id    bigint  not null,
    enabled      boolean not null default true,
    gmt_expires  timestamptz,
    is_admin     boolean not null default false,
    teacher_id   bigint,
    last_used_at timestamptz,
    created_at   timestamptz not null default now(),
    created_by   bigint  not null,
    updated_at   timestamptz not null default now(),
    updated_by   bigint  not null,
    version      integer not null default 1,
    constraint sys_user_school_key primary key (id),
    constraint sys_user_school_of_user foreign key (user_id) references sys_user (id)
);
--;;
create unique index sys_user_school_bound_once on sys_user_school (user_id, school_id);
--;;
create index sys_user_school_of_school on sys_user_school (school_id);
--;;
create table sys_role (
    id          bigint generated always as identity,
    role_name   text     not null,
    client_type smallint not null,
    school_id   bigint,
    data_scope  text     not null default 'whole_school',
    enabled     boolean  not null default true,
    built_in    boolean  not null default false,
    seed_key    text,
    remark      text,
    created_at  timestamptz not null default now(),
    created_by  bigint   not null,
    updated_at  timestamptz not null default now(),
    updated_by  bigint   not null,
    version     integer  not null default 1,
    constraint sys_role_key primary key (id),
    constraint sys_role_client_known check (client_type in (0, 1)),
    constraint sys_role_scope_known check (data_scope in ('whole_school', 'named_sites', 'named_classes')),
    constraint sys_role_name_taken unique nulls not distinct (client_type, school_id, role_name)
);
--;;
create unique index sys_role_seeded_once on sys_role (seed_key) where seed_key is not null;
--;;
create table sys_role_scope (
    role_id     bigint not null,
    target_type text   not null,
    target_id   bigint not null,
    constraint sys_role_scope_key primary key (role_id, target_type, target_id),
    constraint sys_role_scope_of_role foreign key (role_id) references sys_role (id),
    constraint sys_role_scope_type_known check (target_type in ('site', 'class'))
);
--;;
create table sys_user_role (
    id         bigint generated always as identity,
    user_id    bigint not null,
    role_id    bigint not null,
    school_id  bigint,
    created_at timestamptz not null default now(),
    created_by bigint not null,
    constraint sys_user_role_key primary key (id),
    constraint sys_user_role_of_user foreign key (user_id) references sys_user (id),
    constraint sys_user_role_of_role foreign key (role_id) references sys_role (id),
    constraint sys_user_role_given_once unique nulls not distinct (user_id, role_id, school_id)
);
--;;
create index sys_user_role_by_role on sys_user_role (role_id);
--;;
-- A person's own targets; when rows exist they replace the role's.
create table sys_user_role_scope (
    user_role_id bigint not null,
    target_type  text   not null,
    target_id    bigint not null,
    constraint sys_user_role_scope_key primary key (user_role_id, target_type, target_id),
    constraint sys_user_role_scope_of_assignment foreign key (user_role_id) references sys_user_role (id) on delete cascade,
    constraint sys_user_role_scope_type_known check (target_type in ('site', 'class'))
);
--;;
create table sys_menu (
    id          bigint generated always as identity,
    parent_id   bigint   not null default 0,
    client_type smallint not null,
    menu_name   text     not null,
    menu_type   text     not null,
    path        text     not null,
    icon        text     not null default '',
    sort        integer  not null default 1,
    hidden      boolean  not null default false,
    keep_alive  boolean  not null default true,
    frame_url   text,
    enabled     boolean  not null default true,
    built_in    boolean  not null default false,
    -- Whether the console that ships with this server has the screen; set by seeding, never by people.
    shipped     boolean  not null default false,
    -- The code that opens the page; null on a directory and on pages for everybody who is signed in.
    open_code   text,
    remark      text,
    created_at  timestamptz not null default now(),
    created_by  bigint   not null,
    updated_at  timestamptz not null default now(),
    updated_by  bigint   not null,
    version     integer  not null default 1,
    constraint sys_menu_key primary key (id),
    constraint sys_menu_client_known check (client_type in (0, 1)),
    constraint sys_menu_type_known check (menu_type in ('directory', 'page'))
);
--;;
create unique index sys_menu_path_taken on sys_menu (client_type, path);
--;;
create index sys_menu_children on sys_menu (parent_id);
--;;
create table sys_permission (
    id              bigint generated always as identity,
    menu_id         bigint  not null,
    permission_name text    not null,
    permission_code text    not null,
    enabled         boolean not null default true,
    created_at      timestamptz not null default now(),
    created_by      bigint  not null,
    updated_at      timestamptz not null default now(),
    updated_by      bigint  not null,
    version         integer not null default 1,
    constraint sys_permission_key primary key (id),
    constraint sys_permission_of_menu foreign key (menu_id) references sys_menu (id),
    constraint sys_permission_once_per_menu unique (menu_id, permission_code)
);
--;;
create index sys_permission_by_code on sys_permission (permission_code);
--;;
create table sys_role_menu (
    role_id bigint not null,
    menu_id bigint not null,
    constraint sys_role_menu_key primary key (role_id, menu_id),
    constraint sys_role_menu_of_role foreign key (role_id) references sys_role (id),
    constraint sys_role_menu_of_menu foreign key (menu_id) references sys_menu (id)
);
--;;
create table sys_role_permission (
    role_id       bigint not null,
    permission_id bigint not null,
    constraint sys_role_permission_key primary key (role_id, permission_id),
    constraint sys_role_permission_of_role foreign key (role_id) references sys_role (id),
    constraint sys_role_permission_of_permission foreign key (permission_id) references sys_permission (id)
);
--;;
create index sys_role_permission_by_permission on sys_role_permission (permission_id);
--;;
-- 参数: single typed values that rules read; the code holds name, range and default.
create table sys_param (
    id         bigint generated always as identity,
    code       text    not null,
    value      text    not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint sys_param_key primary key (id)
);
--;;
create unique index sys_param_code_taken on sys_param (code);
