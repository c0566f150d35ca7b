-- The home page of both areas (01 §11): figures of each school that the operators' page adds up, and what people chose.
-- Owner: platform/overview.

-- One row a school, written anew by the job `overview.rollup`; no request walks over the schools.
create table overview_school (
    school_id        bigint not null,
    active_students  bigint not null,
    students_by_status jsonb not null,
    students_by_level  jsonb not null,
    computed_at      timestamptz not null,
    constraint overview_school_key primary key (school_id)
);
--;;
-- 快捷入口: pages of the menu that a person put on the home page of an area, in order.
create table dashboard_shortcut (
    id          bigint generated always as identity,
    user_id     bigint   not null,
    client_type smallint not null,
    paths       text[]   not null,
    created_at  timestamptz not null default now(),
    created_by  bigint   not null,
    updated_at  timestamptz not null default now(),
    updated_by  bigint   not null,
    version     integer  not null default 1,
    constraint dashboard_shortcut_key primary key (id),
    constraint dashboard_shortcut_client_known check (client_type in (0, 1)),
    constraint dashboard_shortcut_range check (cardinality(paths) between 0 and 8)
);
--;;
create unique index dashboard_shortcut_once on dashboard_shortcut (user_id, client_type);
--;;
-- Sign-ins of thirty days by kind of person.
create index login_log_of_days on login_log (at) where success and event = 'login';
