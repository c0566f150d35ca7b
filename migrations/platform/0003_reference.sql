-- What ships with the product and is the same for every school: value lists, regions, the ministry's majors.
-- Owner: platform/settings (dictionary, region), tenant/basic_data (national_major); the loader of both writes seed_load.
-- No school's table points here with a foreign key: a school copies the code and name it chose.
-- Rows which the loader wrote carry 0 in created_by and updated_by; a row that a person edited carries that person,
-- and the loader then leaves it alone.

create table platform.dict_type (
    id         bigint generated always as identity,
    dict_type  text    not null,
    dict_name  text    not null,
    standard   text,
    built_in   boolean not null default false,
    remark     text,
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint dict_type_key primary key (id),
    constraint dict_type_taken unique (dict_type),
    constraint dict_type_shape check (dict_type ~ '^[a-z][a-z0-9_]{1,49}$')
);
--;;
-- The id is called dictCode on the wire. A value that rows of a school carry is disabled, never deleted.
create table platform.dict_data (
    id         bigint generated always as identity,
    dict_type  text    not null,
    dict_value text    not null,
    dict_label text    not null,
    sort       integer not null default 1,
    is_default boolean not null default false,
    enabled    boolean not null default true,
    built_in   boolean not null default false,
    remark     text,
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint dict_data_key primary key (id),
    constraint dict_data_of_type foreign key (dict_type) references platform.dict_type (dict_type),
    constraint dict_data_value_taken unique (dict_type, dict_value),
    constraint dict_data_label_taken unique (dict_type, dict_label),
    constraint dict_data_sort_range check (sort between 0 and 9999)
);
--;;
create unique index dict_data_default_once on platform.dict_data (dict_type) where is_default;
--;;
-- Administrative divisions, GB/T 2260. Nobody edits them: a code that left the list is disabled, so that an old
-- address keeps its name. official: on identity papers; statistical: development zones, hidden from selectors about
-- persons; virtual: placeholders such as 市辖区, shown by the name of their parent.
create table platform.region (
    code        text    not null,
    name        text    not null,
    level       text    not null,
    parent_code text,
    kind        text    not null,
    enabled     boolean not null default true,
    constraint region_key primary key (code),
    constraint region_code_shape check (code ~ '^[0-9]{6}$'),
    constraint region_level_known check (level in ('province', 'prefecture', 'county')),
    constraint region_kind_known check (kind in ('official', 'statistical', 'virtual')),
    constraint region_of_parent foreign key (parent_code) references platform.region (code),
    constraint region_parent_missing check ((level = 'province') = (parent_code is null))
);
--;;
create index region_children on platform.region (parent_code, code);
--;;
-- 国家专业库: the ministry's catalogues by edition; an old edition stays, because old cohorts refer to it.
-- B codes are the supplement for adult education and occur at both levels.
create table platform.national_major (
    id              bigint generated always as identity,
    code            text    not null,
    name            text    not null,
    level           text    not null,
    discipline_code text    not null,
    discipline      text    not null,
    category_code   text,
    category        text,
    -- The degrees a school may choose among; empty for associate majors.
    degrees         text[]  not null default '{}',
    special         boolean not null,
    controlled      boolean not null,
    year            integer not null,
    former_code     text,
    -- How sure the shipped code is; other than confirmed and name_seen the screen shows 待核对.
    checked         text    not null default 'confirmed',
    enabled         boolean not null default true,
    initials        text    not null default '',
    created_at      timestamptz not null default now(),
    created_by      bigint  not null,
    updated_at      timestamptz not null default now(),
    updated_by      bigint  not null,
    version         integer not null default 1,
    constraint national_major_key primary key (id),
    constraint national_major_code_taken unique (code, year),
    constraint national_major_level_known check (level in ('bachelor', 'associate')),
    constraint national_major_code_shape check (
        code ~ '^B[0-9]{6}$'
        or (level = 'bachelor' and code ~ '^([0-9]{6}(T|K|TK)?|[0-9]{7}(T|TK))$')
        or (level = 'associate' and code ~ '^[0-9]{6}K?$')
    ),
    constraint national_major_special_by_code check (special = (code ~ 'TK?$')),
    constraint national_major_controlled_by_code check (controlled = (code ~ 'K$')),
    constraint national_major_discipline_shape check (discipline_code ~ '^[0-9]{2}$'),
    constraint national_major_category_shape check (category_code ~ '^[0-9]{4}$'),
    constraint national_major_degree_of_bachelor check (level = 'bachelor' or degrees = '{}'),
    constraint national_major_year_range check (year between 1980 and 2100),
    constraint national_major_checked_known check (checked in ('confirmed', 'name_seen', 'order_uncertain', 'unchecked'))
);
--;;
create index national_major_class on platform.national_major (level, discipline_code, category_code);
--;;
-- Which shipped file was loaded in which state; an unchanged file is not read again.
create table platform.seed_load (
    file      text not null,
    sha256    text not null,
    loaded_at timestamptz not null,
    constraint seed_load_key primary key (file)
);
