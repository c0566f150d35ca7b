-- 常用视图: filters, order and columns of a list under a name (00 §4). Owner: infra.
-- Those of the operators. The person's account is the platform's, so its number is no reference here.
create table saved_view (
    id         bigint generated always as identity,
    user_id    bigint  not null,
    list       text    not null,
    name       text    not null,
    path       text    not null,
    query      text    not null default '',
    columns    text[]  not null default '{}',
    shared     boolean not null default false,
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint saved_view_key primary key (id),
    constraint saved_view_path_local check (path ~ '^/[^/\\]')
);
--;;
-- One name a person and list.
create unique index saved_view_name_once on saved_view (user_id, list, name);
--;;
create index saved_view_shared on saved_view (list) where shared;
--;;
-- Who keeps which view in the menu: one's own, or one that a colleague shares.
create table saved_view_pin (
    user_id    bigint not null,
    view_id    bigint not null,
    created_at timestamptz not null default now(),
    created_by bigint not null,
    constraint saved_view_pin_key primary key (user_id, view_id),
    constraint saved_view_pin_view_fk foreign key (view_id) references saved_view on delete cascade
);
--;;
create index saved_view_pin_view on saved_view_pin (view_id);
