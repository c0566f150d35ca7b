-- What of the catalogue and of the schools stands on the home page of the operator's site (01 §9.1). Owner: platform/site_content.
--
--     zone ── zone_item ┄→ what its type names, of the modules that own it

-- 首页专区: a shelf of one kind of content.
create table zone (
    id         bigint generated always as identity,
    terminal   text    not null,
    zone_title text    not null,
    zone_desc  text,
    zone_type  text    not null,
    show_count integer not null default 5,
    layout     text    not null,
    sort       integer not null default 0,
    enabled    boolean not null default true,
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint zone_key primary key (id),
    constraint zone_terminal_known check (terminal in ('pc', 'app')),
    constraint zone_type_known check (zone_type in ('record', 'live', 'resource', 'exam', 'blog', 'lecturer')),
    constraint zone_show_count_range check (show_count between 1 and 20),
    constraint zone_layout_known check (layout in ('grid', 'list', 'scroll')),
    constraint zone_sort_range check (sort >= 0)
);
--;;
create index zone_order on zone (terminal, sort, id desc);
--;;
create index zone_newest on zone (created_at desc, id desc);
--;;
-- 专区内容. `ref_id` is a number of the table that the zone's type names: what is deleted there stays here as 已失效.
create table zone_item (
    id         bigint generated always as identity,
    zone_id    bigint  not null,
    ref_id     bigint  not null,
    sort       integer not null default 0,
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint zone_item_key primary key (id),
    constraint zone_item_sort_range check (sort >= 0),
    constraint zone_item_taken unique (zone_id, ref_id),
    constraint zone_item_of_zone foreign key (zone_id) references zone (id)
);
--;;
create index zone_item_order on zone_item (zone_id, sort, id desc);
--;;
-- 院校专区: schools that the home page shows while they are on trial or active.
create table zone_school (
    id         bigint generated always as identity,
    school_id  bigint  not null,
    cover_img  text,
    slogan     text,
    -- Null: the school's own site.
    link_url   text,
    terminal   text    not null default 'both',
    sort       integer not null default 0,
    enabled    boolean not null default true,
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint zone_school_key primary key (id),
    constraint zone_school_terminal_known check (terminal in ('both', 'pc', 'app')),
    constraint zone_school_sort_range check (sort >= 0),
    constraint zone_school_taken unique (school_id),
    constraint zone_school_of_school foreign key (school_id) references school (id)
);
--;;
create index zone_school_order on zone_school (sort, id desc);
--;;
create index zone_school_newest on zone_school (created_at desc, id desc);
--;;
-- 首页分类: categories of the catalogue that the home page offers; at most ten a terminal, which the service refuses.
create table home_category (
    id          bigint generated always as identity,
    terminal    text    not null,
    category_id bigint  not null,
    -- Null: the category's own name.
    title       text,
    icon        text,
    sort        integer not null default 0,
    enabled     boolean not null default true,
    created_at  timestamptz not null default now(),
    created_by  bigint  not null,
    updated_at  timestamptz not null default now(),
    updated_by  bigint  not null,
    version     integer not null default 1,
    constraint home_category_key primary key (id),
    constraint home_category_terminal_known check (terminal in ('pc', 'app')),
    constraint home_category_sort_range check (sort >= 0),
    constraint home_category_taken unique (terminal, category_id),
    constraint home_category_of_category foreign key (category_id) references online_category (id)
);
--;;
create index home_category_order on home_category (terminal, sort, id desc);
--;;
create index home_category_category on home_category (category_id);
--;;
create index home_category_newest on home_category (created_at desc, id desc);
