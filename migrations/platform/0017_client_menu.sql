-- 客户端菜单: what students, teachers and site staff find in their own clients (02 §12.5). Owner: tenant/people.

create table user_menu (
    id             bigint generated always as identity,
    client_kind    text    not null,
    -- Null at the top. At most three levels, which the server counts.
    parent_id      bigint,
    name           text    not null,
    path           text    not null default '',
    icon           text    not null default '',
    open_kind      text    not null default 'page',
    -- What the person must be for the entry: class:* are those of class managers.
    permission_key text,
    -- Empty: every school.
    school_ids     bigint[] not null default '{}',
    sort           integer not null default 1,
    enabled        boolean not null default true,
    created_at     timestamptz not null default now(),
    created_by     bigint  not null,
    updated_at     timestamptz not null default now(),
    updated_by     bigint  not null,
    version        integer not null default 1,
    constraint user_menu_key primary key (id),
    constraint user_menu_client_kind_known check (client_kind in ('student', 'teacher', 'site')),
    constraint user_menu_open_kind_known check (open_kind in ('page', 'link')),
    constraint user_menu_sort_range check (sort between 0 and 9999),
    -- A menu hangs under one of its own client.
    constraint user_menu_with_client unique (id, client_kind),
    constraint user_menu_of_parent foreign key (parent_id, client_kind) references user_menu (id, client_kind),
    constraint user_menu_name_taken unique nulls not distinct (client_kind, parent_id, name)
);
--;;
create index user_menu_parent on user_menu (parent_id) where parent_id is not null;
