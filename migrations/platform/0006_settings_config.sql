-- 系统配置, 敏感词, and the rows of 参数 (01 §3.1). Owner: platform/settings.

-- 系统配置: settings of a provider or a site. `content` holds what anybody with the right may read; the fields that are
-- secrets stand together in `secrets`, sealed under the deployment's data key, and never leave the server.
create table sys_config (
    id          bigint generated always as identity,
    config_name text    not null,
    config_kind text    not null,
    -- Null: the platform's.
    school_id   bigint,
    content     jsonb   not null,
    secrets     bytea,
    is_default  boolean not null default false,
    enabled     boolean not null default true,
    remark      text,
    created_at  timestamptz not null default now(),
    created_by  bigint  not null,
    updated_at  timestamptz not null default now(),
    updated_by  bigint  not null,
    version     integer not null default 1,
    constraint sys_config_key primary key (id),
    constraint sys_config_of_school foreign key (school_id) references school (id),
    constraint sys_config_kind_known check (config_kind in ('website', 'storage', 'video_polyv', 'video_baijiayun',
        'video_aliyun', 'sms', 'wechat_mp', 'app_push', 'mail')),
    constraint sys_config_content_shape check (jsonb_typeof(content) = 'object')
);
--;;
create unique index sys_config_default_taken on sys_config (config_kind, school_id) nulls not distinct
    where is_default and enabled;
--;;
create index sys_config_of_school_listed on sys_config (school_id, config_kind);
--;;
-- 敏感词: `normal` is the word as it is compared (NFKC, lower case, letters and digits only), so that two spellings of
-- one word cannot stand beside each other.
create table sensitive_word (
    id         bigint generated always as identity,
    word       text    not null,
    normal     text    not null,
    category   text    not null,
    action     text    not null,
    enabled    boolean not null default true,
    -- Times the word was met in what people sent; trials of the checker do not count.
    hit_count  bigint  not null default 0,
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint sensitive_word_key primary key (id),
    constraint sensitive_word_category_known check (category in ('politics', 'porn', 'violence', 'abuse', 'ad', 'other')),
    constraint sensitive_word_action_known check (action in ('reject', 'review', 'mask'))
);
--;;
create unique index sensitive_word_taken on sensitive_word (normal);
--;;
-- Every parameter has a row, so that it has a number; null means the default of the code. A parameter that people
-- added (group 自定义, type text) also has its name here.
alter table sys_param alter column value drop not null;
--;;
alter table sys_param add column name text;
--;;
alter table sys_param add column remark text;
--;;
alter table sys_param add column created_at timestamptz not null default now();
--;;
alter table sys_param add column created_by bigint not null default 0;
