-- Accounts of the people who sign in to the other clients, never to this console.
-- Owner: tenant/people. student_status creates a student's account in the transaction that creates the student.

-- password_hash null means "still the initial password": sign-in computes that from the school's rule and the
-- person's ID number. Importing 100,000 students would otherwise take 37 minutes of hashing.
--     initial ─first sign-in, own password→ own ─reset→ initial
--     enabled ↔ disabled;   open ─wrong passwords→ locked_until ─time or 解锁→ open
create table client_account (
    id             bigint generated always as identity,
    owner_kind     text    not null,
    -- A row of student, teacher, site_staff or class_manager, by owner_kind: no foreign key can say so.
    owner_id       bigint  not null,
    -- student: 学号, before that 考生号; others: 工号 or 手机.
    login_name     text    not null,
    password_hash  text,
    must_change    boolean not null default true,
    enabled        boolean not null default true,
    failed_count   integer not null default 0,
    locked_until   timestamptz,
    first_login_at timestamptz,
    last_login_at  timestamptz,
    last_login_ip  text,
    wechat_open_id text,
    created_at     timestamptz not null default now(),
    created_by     bigint  not null,
    updated_at     timestamptz not null default now(),
    updated_by     bigint  not null,
    version        integer not null default 1,
    constraint client_account_key primary key (id),
    constraint client_account_owner_kind_known check (
        owner_kind in ('student', 'teacher', 'site_staff', 'class_manager')
    ),
    constraint client_account_failed_count_range check (failed_count >= 0),
    -- Whoever still has the initial password must change it.
    constraint client_account_initial_must_change check (password_hash is not null or must_change),
    constraint client_account_owner_taken unique (owner_kind, owner_id)
);
--;;
create unique index client_account_login_name_taken on client_account (lower(login_name));
--;;
-- studentList: 最近登录 from–to, and 是否登录过 (last_login_at null or not).
create index client_account_last_login on client_account (owner_kind, last_login_at);
--;;
-- studentList: 账号状态 disabled, the rare one.
create index client_account_disabled on client_account (owner_kind, owner_id) where not enabled;
--;;
create index client_account_wechat on client_account (wechat_open_id) where wechat_open_id is not null;
