-- 公众号 of the operators: its menu, materials and replies, who follows it, and what the provider told already (01 §9.9).
-- Owner: platform/wechat.
--
--     gzh_menu ─publish→ the provider, a row of gzh_publish      the provider ─pull→ gzh_menu
--     gzh_material ⇄ the provider: what lacks its number there goes, what is not known here comes
--     gzh_auto_reply: keyword │ default │ subscribe → words or a material

-- 自定义菜单: two levels. What has others below it does nothing.
create table gzh_menu (
    id         bigint generated always as identity,
    parent_id  bigint,
    name       text    not null,
    menu_type  text,
    menu_key   text,
    url        text,
    app_id     text,
    page_path  text,
    sort       integer not null default 1,
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint gzh_menu_key primary key (id),
    constraint gzh_menu_of_parent foreign key (parent_id) references gzh_menu (id),
    constraint gzh_menu_type_known check (menu_type in
        ('click', 'view', 'miniprogram', 'scancode_push', 'pic_photo_or_album', 'location_select')),
    constraint gzh_menu_sort_range check (sort between 0 and 9999)
);
--;;
create index gzh_menu_order on gzh_menu (parent_id, sort, id desc);
--;;
-- What was published, as the provider took it, or stood there when it was pulled; the newest is what followers see.
create table gzh_publish (
    id         bigint generated always as identity,
    content    jsonb   not null,
    pulled     boolean not null default false,
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint gzh_publish_key primary key (id)
);
--;;
-- 素材. A file of ours, or articles; `media_id` is its number at the provider, none while it has to go there. What came from there
-- has no file.
create table gzh_material (
    id               bigint generated always as identity,
    material_type    text    not null,
    name             text    not null,
    file_key         text    collate "C",
    duration_seconds integer,
    media_id         text    collate "C",
    -- Of a picture at the provider, which anybody may see.
    media_url        text,
    synced_at        timestamptz,
    created_at       timestamptz not null default now(),
    created_by       bigint  not null,
    updated_at       timestamptz not null default now(),
    updated_by       bigint  not null,
    version          integer not null default 1,
    constraint gzh_material_key primary key (id),
    constraint gzh_material_type_known check (material_type in ('image', 'voice', 'video', 'news')),
    constraint gzh_material_media_taken unique (media_id),
    constraint gzh_material_file_known check (material_type <> 'news' or file_key is null),
    constraint gzh_material_synced_together check ((media_id is null) = (synced_at is null)),
    constraint gzh_material_seconds_range check (duration_seconds between 1 and 60)
);
--;;
create index gzh_material_newest on gzh_material (material_type, created_at desc, id desc);
--;;
create index gzh_material_waiting on gzh_material (id) where media_id is null;
--;;
-- 图文: the articles of a material, in their order, each with a picture among the materials.
create table gzh_article (
    material_id bigint  not null,
    position    integer not null,
    title       text    not null,
    author      text,
    digest      text,
    cover_id    bigint,
    content     text    not null,
    link_url    text,
    constraint gzh_article_key primary key (material_id, position),
    constraint gzh_article_of_material foreign key (material_id) references gzh_material (id),
    constraint gzh_article_of_cover foreign key (cover_id) references gzh_material (id),
    constraint gzh_article_position_range check (position between 1 and 8)
);
--;;
create index gzh_article_cover on gzh_article (cover_id) where cover_id is not null;
--;;
-- What of ours lies at the provider and is wanted no more, until the next exchange removes it there.
create table gzh_dropped_media (
    media_id      text collate "C" not null,
    material_type text not null,
    dropped_at    timestamptz not null default now(),
    constraint gzh_dropped_media_key primary key (media_id)
);
--;;
-- 自动回复.
create table gzh_auto_reply (
    id          bigint generated always as identity,
    reply_kind  text    not null,
    keywords    text[]  not null default '{}',
    match_mode  text,
    reply_type  text    not null,
    content     text,
    material_id bigint,
    sort        integer not null default 1,
    enabled     boolean not null default true,
    created_at  timestamptz not null default now(),
    created_by  bigint  not null,
    updated_at  timestamptz not null default now(),
    updated_by  bigint  not null,
    version     integer not null default 1,
    constraint gzh_auto_reply_key primary key (id),
    constraint gzh_auto_reply_kind_known check (reply_kind in ('subscribe', 'default', 'keyword')),
    constraint gzh_auto_reply_mode_known check (match_mode in ('exact', 'contains')),
    constraint gzh_auto_reply_keyword_missing check (
        (reply_kind = 'keyword') = (match_mode is not null) and (reply_kind = 'keyword') = (cardinality(keywords) > 0)
    ),
    constraint gzh_auto_reply_type_known check (reply_type in ('text', 'image', 'voice', 'video', 'news')),
    constraint gzh_auto_reply_one_content check (
        (reply_type = 'text') = (content is not null) and (reply_type = 'text') = (material_id is null)
    ),
    constraint gzh_auto_reply_sort_range check (sort between 0 and 9999),
    constraint gzh_auto_reply_of_material foreign key (material_id) references gzh_material (id)
);
--;;
create index gzh_auto_reply_order on gzh_auto_reply (reply_kind, sort, id desc);
--;;
create index gzh_auto_reply_material on gzh_auto_reply (material_id) where material_id is not null;
--;;
-- Whoever follows, and whoever is not understood, gets one answer.
create unique index gzh_auto_reply_one_in_use on gzh_auto_reply (reply_kind) where enabled and reply_kind <> 'keyword';
--;;
-- The keywords of the replies that are in use, folded: each leads to one.
create table gzh_keyword (
    keyword  text collate "C" not null,
    reply_id bigint not null,
    constraint gzh_keyword_key primary key (keyword),
    constraint gzh_keyword_of_reply foreign key (reply_id) references gzh_auto_reply (id)
);
--;;
create index gzh_keyword_reply on gzh_keyword (reply_id);
--;;
-- 粉丝. The provider tells their number at the account and nothing else; the learner is known once they are bound.
create table gzh_fan (
    open_id       text collate "C" not null,
    learner_id    bigint,
    subscribed_at timestamptz not null,
    left_at       timestamptz,
    constraint gzh_fan_key primary key (open_id),
    constraint gzh_fan_of_learner foreign key (learner_id) references user_ext (id)
);
--;;
create index gzh_fan_learner on gzh_fan (learner_id) where learner_id is not null;
--;;
-- What the provider told already: it tells again when no answer comes in time. Rows of more than a day go.
create table gzh_callback (
    key         text collate "C" not null,
    received_at timestamptz not null,
    constraint gzh_callback_key primary key (key)
);
--;;
create index gzh_callback_received on gzh_callback (received_at);
