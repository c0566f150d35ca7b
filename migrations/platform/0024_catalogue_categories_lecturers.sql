-- The operator's online-education site beside the schools: its categories and lecturers (01 §9). Owner: platform/catalogue.

-- 分类: trees of at most three levels, one a kind of content. Depth and cycles are the service's to refuse.
create table online_category (
    id            bigint generated always as identity,
    category_type text    not null,
    parent_id     bigint,
    category_name text    not null,
    icon          text,
    remark        text,
    sort          integer not null default 0,
    enabled       boolean not null default true,
    created_at    timestamptz not null default now(),
    created_by    bigint  not null,
    updated_at    timestamptz not null default now(),
    updated_by    bigint  not null,
    version       integer not null default 1,
    constraint online_category_key primary key (id),
    -- What refers to a category says of which kind it must be.
    constraint online_category_kind_key unique (id, category_type),
    constraint online_category_type_known check (category_type in ('record', 'live', 'resource', 'exam', 'problem', 'blog')),
    constraint online_category_under_itself check (parent_id <> id),
    constraint online_category_sort_range check (sort between 0 and 9999),
    constraint online_category_of_parent foreign key (parent_id, category_type) references online_category (id, category_type),
    -- The roots of a kind are siblings too.
    constraint online_category_name_taken unique nulls not distinct (category_type, parent_id, category_name)
);
--;;
-- 讲师 of online courses. `learner_id` is the lecturer's own account on the site: null for those whom operators enter; the
-- reference is made where learners' accounts are. `lecturer_proportion` is the lecturer's part of each sale.
create table lecturer (
    id                  bigint generated always as identity,
    learner_id          bigint,
    lecturer_name       text    not null,
    phone               text    not null,
    email               text,
    position            text,
    head_img            text,
    introduce           text,
    lecturer_proportion numeric(5, 4) not null,
    initials            text    not null default '',
    enabled             boolean not null default true,
    created_at          timestamptz not null default now(),
    created_by          bigint  not null,
    updated_at          timestamptz not null default now(),
    updated_by          bigint  not null,
    version             integer not null default 1,
    constraint lecturer_key primary key (id),
    constraint lecturer_learner_taken unique (learner_id),
    constraint lecturer_proportion_range check (lecturer_proportion between 0 and 1)
);
--;;
create index lecturer_newest on lecturer (created_at desc, id desc);
