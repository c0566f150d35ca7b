-- 帮助中心: what people are told in their own client or console, and what they ask (part 05 B). Owner: tenant/support. Others read.
--
--     support_category ── support_article ── support_article_version (one a publication; readers see the last)
--                                         └─ support_read (who read it on which day, and whether it helped)
--     support_question ── support_reply
--
-- A school's part, beside the platform's articles that its people read too. `platform` has the same tables.

-- 帮助分类: trees of at most two levels, one an audience.
create table support_category (
    id         bigint generated always as identity,
    audience   text    not null,
    parent_id  bigint,
    name       text    not null,
    -- The address of a picture.
    icon       text,
    sort       integer not null default 0,
    enabled    boolean not null default true,
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint support_category_key primary key (id),
    -- What refers to a category says for whom it must be.
    constraint support_category_audience_key unique (id, audience),
    constraint support_category_audience_known check (audience in ('student', 'teacher', 'site', 'school')),
    constraint support_category_under_itself check (parent_id <> id),
    constraint support_category_sort_range check (sort between 0 and 9999),
    constraint support_category_of_parent foreign key (parent_id, audience) references support_category (id, audience),
    -- The roots of an audience are siblings too.
    constraint support_category_name_taken unique nulls not distinct (audience, parent_id, name)
);
--;;
-- 帮助文章.
--     draft ─publish→ published ─offline→ offline ─publish→ published;  deleted: draft, offline
-- The row holds what is being written: readers see the version that was published last, until `changed` is published too. Place,
-- order, schools and times are in force at once.
create table support_article (
    id             bigint generated always as identity,
    audience       text    not null,
    category_id    bigint  not null,
    title          text    not null,
    keywords       text[]  not null default '{}',
    -- Cleaned HTML.
    content        text    not null,
    -- Its attachments, of `file_object`, in their order.
    file_ids       bigint[] not null default '{}',
    video_asset_id bigint,
    -- Only of the platform's articles: whom they are for. None: for all.
    school_ids     bigint[] not null default '{}',
    pinned         boolean not null default false,
    sort           integer not null default 0,
    status         text    not null default 'draft',
    -- When it is published, or taken offline, by itself.
    publish_at     timestamptz,
    offline_at     timestamptz,
    -- Goes up with every publication.
    version_no     integer not null default 0,
    -- Whether what is written differs from what readers see.
    changed        boolean not null default true,
    published_at   timestamptz,
    -- Each person counts once a day.
    view_count     bigint  not null default 0,
    helpful        bigint  not null default 0,
    unhelpful      bigint  not null default 0,
    created_at     timestamptz not null default now(),
    created_by     bigint  not null,
    updated_at     timestamptz not null default now(),
    updated_by     bigint  not null,
    version        integer not null default 1,
    constraint support_article_key primary key (id),
    constraint support_article_audience_known check (audience in ('student', 'teacher', 'site', 'school')),
    constraint support_article_status_known check (status in ('draft', 'published', 'offline')),
    constraint support_article_published_once check (status = 'draft' or version_no > 0),
    constraint support_article_sort_range check (sort between 0 and 9999),
    constraint support_article_time_order check (offline_at > publish_at),
    constraint support_article_counts_range check (view_count >= 0 and helpful >= 0 and unhelpful >= 0),
    constraint support_article_of_category foreign key (category_id, audience) references support_category (id, audience),
    constraint support_article_of_video foreign key (video_asset_id) references media_asset (id),
    constraint support_article_title_taken unique (category_id, title)
);
--;;
-- The list: the pinned of a category first, then by their order.
create index support_article_order on support_article (audience, category_id, pinned desc, sort, id);
--;;
create index support_article_status on support_article (audience, status);
--;;
create index support_article_published on support_article (audience, published_at desc);
--;;
-- What the job of every minute looks for.
create index support_article_publish_due on support_article (publish_at) where publish_at is not null;
--;;
create index support_article_offline_due on support_article (offline_at) where offline_at is not null;
--;;
create index support_article_video on support_article (video_asset_id) where video_asset_id is not null;
--;;
-- What was published, each time.
create table support_article_version (
    id             bigint generated always as identity,
    article_id     bigint  not null,
    version_no     integer not null,
    title          text    not null,
    keywords       text[]  not null default '{}',
    content        text    not null,
    -- Its words without markup.
    content_text   text    not null,
    -- Title, keywords and words in lower case; their characters and pairs, by which the index finds them.
    searched       text    not null,
    grams          text[]  not null,
    file_ids       bigint[] not null default '{}',
    video_asset_id bigint,
    published_at   timestamptz not null,
    published_by   bigint  not null,
    -- Accounts lie in `platform`, so a list takes the name from here.
    published_name text    not null,
    constraint support_article_version_key primary key (id),
    constraint support_article_version_taken unique (article_id, version_no),
    constraint support_article_version_of_article foreign key (article_id) references support_article (id),
    constraint support_article_version_of_video foreign key (video_asset_id) references media_asset (id)
);
--;;
create index support_article_version_grams on support_article_version using gin (grams);
--;;
create index support_article_version_video on support_article_version (video_asset_id) where video_asset_id is not null;
--;;
-- Who read an article on which day: kind and number, and in `platform` the school before them. Kept so that each counts once.
create table support_read (
    article_id bigint  not null,
    day        date    not null,
    reader     text    not null,
    -- 有用, 没用, or nothing said.
    helpful    boolean,
    constraint support_read_key primary key (article_id, day, reader),
    constraint support_read_of_article foreign key (article_id) references support_article (id)
);
--;;
create index support_read_day on support_read (day);
--;;
-- Searches that found nothing: each person's once a day.
create table support_search_miss (
    day      date not null,
    audience text not null,
    word     text not null,
    reader   text not null,
    constraint support_search_miss_key primary key (day, audience, word, reader),
    constraint support_search_miss_audience_known check (audience in ('student', 'teacher', 'site', 'school'))
);
--;;
-- 咨询 of the school's students, teachers and site staff.
--     waiting ⇄ replied ─→ closed
-- The other area has a table of the same shape: there `school_id` is whose people ask; here it is empty.
create table support_question (
    id             bigint generated always as identity,
    audience       text    not null,
    school_id      bigint,
    asker_kind     text    not null,
    asker_id       bigint  not null,
    asker_name     text    not null,
    -- Where the asker was then; the data scope looks at both.
    site_id        bigint,
    site_name      text,
    class_id       bigint,
    class_name     text,
    category_id    bigint,
    title          text    not null,
    content        text    not null,
    file_ids       bigint[] not null default '{}',
    status         text    not null default 'waiting',
    -- 待审: a word was met that somebody should look at.
    pending_review boolean not null default false,
    -- Since when it waits, and when it was replied to last.
    asked_at       timestamptz not null,
    replied_at     timestamptz,
    closed_at      timestamptz,
    -- Whose duty it is; accounts lie in `platform`, so a list takes the name from here.
    assigned_to    bigint,
    assigned_name  text,
    satisfied      boolean,
    as_article_id  bigint,
    created_at     timestamptz not null default now(),
    created_by     bigint  not null,
    updated_at     timestamptz not null default now(),
    updated_by     bigint  not null,
    version        integer not null default 1,
    constraint support_question_key primary key (id),
    constraint support_question_audience_known check (audience in ('student', 'teacher', 'site', 'school')),
    constraint support_question_asker_known check (
        asker_kind in ('student', 'teacher', 'site_staff', 'class_manager', 'school_staff')
    ),
    constraint support_question_status_known check (status in ('waiting', 'replied', 'closed')),
    constraint support_question_closed check ((status = 'closed') = (closed_at is not null)),
    constraint support_question_of_site foreign key (site_id) references site (id),
    constraint support_question_of_class foreign key (class_id) references class (id),
    constraint support_question_of_category foreign key (category_id, audience) references support_category (id, audience),
    constraint support_question_as_article foreign key (as_article_id) references support_article (id)
);
--;;
create index support_question_newest on support_question (audience, created_at desc, id desc);
--;;
create index support_question_status on support_question (audience, status, created_at desc, id desc);
--;;
create index support_question_asker on support_question (asker_kind, asker_id, created_at desc);
--;;
create index support_question_site on support_question (site_id, audience, created_at desc);
--;;
create index support_question_class on support_question (class_id);
--;;
create index support_question_school on support_question (school_id, created_at desc);
--;;
create index support_question_category on support_question (category_id);
--;;
create index support_question_duty on support_question (assigned_to);
--;;
create index support_question_article on support_question (as_article_id) where as_article_id is not null;
--;;
-- What the job of the night closes.
create index support_question_replied on support_question (replied_at) where status = 'replied';
--;;
-- What was said after the question, by its asker or by staff; written once.
create table support_reply (
    id          bigint generated always as identity,
    question_id bigint  not null,
    from_asker  boolean not null,
    by_id       bigint  not null,
    by_name     text    not null,
    content     text    not null,
    file_ids    bigint[] not null default '{}',
    created_at  timestamptz not null,
    constraint support_reply_key primary key (id),
    constraint support_reply_of_question foreign key (question_id) references support_question (id)
);
--;;
create index support_reply_question on support_reply (question_id, created_at, id);
