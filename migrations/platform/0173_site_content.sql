-- What the operator's public site is decorated with (01 §9.1). Owner: platform/site_content. Everybody may read what is enabled.

-- 头部导航: of the site on computers or of the app; at most ten of each are enabled, which the service refuses.
create table nav_bar (
    id         bigint generated always as identity,
    terminal   text    not null,
    nav_title  text    not null,
    nav_url    text    not null,
    target     text    not null,
    icon       text,
    sort       integer not null default 0,
    enabled    boolean not null default true,
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint nav_bar_key primary key (id),
    constraint nav_bar_terminal_known check (terminal in ('pc', 'app')),
    constraint nav_bar_target_known check (target in ('self', 'blank')),
    constraint nav_bar_sort_range check (sort >= 0)
);
--;;
create index nav_bar_order on nav_bar (terminal, sort, id desc);
--;;
create index nav_bar_newest on nav_bar (created_at desc, id desc);
--;;
-- 顶部广告 and 首页轮播, shown while enabled and now lies in [begins_at, ends_at). Of the enabled ones at the top of a terminal no two
-- periods overlap, which the service refuses.
create table adv (
    id           bigint generated always as identity,
    adv_location text    not null,
    terminal     text    not null,
    adv_title    text    not null,
    adv_img      text    not null,
    adv_url      text,
    target       text    not null,
    begins_at    timestamptz not null,
    ends_at      timestamptz not null,
    closable     boolean not null default true,
    -- Behind a picture that is narrower than the page: #rrggbb, of 首页轮播 alone.
    bg_color     text,
    sort         integer not null default 0,
    enabled      boolean not null default true,
    created_at   timestamptz not null default now(),
    created_by   bigint  not null,
    updated_at   timestamptz not null default now(),
    updated_by   bigint  not null,
    version      integer not null default 1,
    constraint adv_key primary key (id),
    constraint adv_location_known check (adv_location in ('top', 'carousel')),
    constraint adv_terminal_known check (terminal in ('pc', 'app')),
    constraint adv_target_known check (target in ('self', 'blank')),
    constraint adv_time_order check (ends_at > begins_at),
    constraint adv_bg_color_shape check (bg_color ~ '^#[0-9a-fA-F]{6}$'),
    constraint adv_bg_color_of_carousel check (bg_color is null or adv_location = 'carousel'),
    constraint adv_sort_range check (sort >= 0)
);
--;;
create index adv_order on adv (adv_location, terminal, sort, id desc);
--;;
create index adv_newest on adv (created_at desc, id desc);
--;;
-- What is shown now, and with what a new period may overlap.
create index adv_ends on adv (adv_location, terminal, ends_at) where enabled;
--;;
-- 底部导航: columns, and below each of them links and articles. Depth and cycles are the service's to refuse.
create table website_nav (
    id         bigint generated always as identity,
    parent_id  bigint,
    nav_title  text    not null,
    link_url   text,
    -- Cleaned HTML.
    content    text,
    sort       integer not null default 0,
    enabled    boolean not null default true,
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint website_nav_key primary key (id),
    constraint website_nav_under_itself check (parent_id <> id),
    -- A column leads nowhere or to one place, what stands below it to exactly one.
    constraint website_nav_leads_once check (
        num_nonnulls(link_url, content) = 1 or (parent_id is null and num_nonnulls(link_url, content) = 0)
    ),
    constraint website_nav_sort_range check (sort >= 0),
    constraint website_nav_of_parent foreign key (parent_id) references website_nav (id)
);
--;;
create index website_nav_parent on website_nav (parent_id, sort, id desc);
--;;
-- 友情链接.
create table website_link (
    id         bigint generated always as identity,
    link_name  text    not null,
    link_url   text    not null,
    logo       text,
    target     text    not null,
    sort       integer not null default 0,
    enabled    boolean not null default true,
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint website_link_key primary key (id),
    constraint website_link_target_known check (target in ('self', 'blank')),
    constraint website_link_sort_range check (sort >= 0)
);
--;;
create index website_link_order on website_link (sort, id desc);
--;;
create index website_link_newest on website_link (created_at desc, id desc);
--;;
-- 分享海报模板: a picture of 750×1334 points and what is drawn on it.
create table sharing_template (
    id         bigint generated always as identity,
    name       text    not null,
    share_type text    not null,
    bg_image   text    not null,
    -- [{kind, x, y, w, h, color, size}], in points of the picture; a QR code is among them.
    elements   jsonb   not null,
    is_default boolean not null default false,
    sort       integer not null default 0,
    enabled    boolean not null default true,
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint sharing_template_key primary key (id),
    constraint sharing_template_type_known check (share_type in ('course', 'exam', 'promoter', 'live')),
    constraint sharing_template_sort_range check (sort >= 0)
);
--;;
create unique index sharing_template_default_taken on sharing_template (share_type) where is_default;
--;;
create index sharing_template_order on sharing_template (share_type, sort, id desc);
--;;
create index sharing_template_newest on sharing_template (created_at desc, id desc);
--;;
-- 搜索词: what the search of the site offers, and what stands in its empty field.
create table search_word (
    id          bigint generated always as identity,
    terminal    text    not null,
    word_type   text    not null,
    word        text    not null,
    jump_url    text,
    click_count bigint  not null default 0,
    sort        integer not null default 0,
    enabled     boolean not null default true,
    created_at  timestamptz not null default now(),
    created_by  bigint  not null,
    updated_at  timestamptz not null default now(),
    updated_by  bigint  not null,
    version     integer not null default 1,
    constraint search_word_key primary key (id),
    constraint search_word_terminal_known check (terminal in ('pc', 'app')),
    constraint search_word_type_known check (word_type in ('hot', 'placeholder')),
    constraint search_word_clicks_range check (click_count >= 0),
    constraint search_word_sort_range check (sort >= 0),
    constraint search_word_taken unique (terminal, word_type, word)
);
--;;
create index search_word_order on search_word (terminal, word_type, sort, id desc);
--;;
create index search_word_newest on search_word (created_at desc, id desc);
