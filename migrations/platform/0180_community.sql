-- 社区 of the operators' site: what learners write there, who they are, what is shown before others (01 §9.8).
-- Owner: platform/community.
--
--     blogger ── blog ── blog_comment          community_question ── community_answer
--     blog, community_question ── community_label
--     article_zone ── article_zone_item → blog        community_recommend → blog │ community_question │ blogger
--     community_certificate: pending → approved │ rejected,  approved → revoked
--
-- How many use a label, how many blogs, comments and answers there are is counted, so that no number is ever wrong.

-- 标签.
create table community_label (
    id         bigint generated always as identity,
    label_name text    not null,
    label_type text    not null,
    enabled    boolean not null default true,
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint community_label_key primary key (id),
    constraint community_label_type_known check (label_type in ('blog', 'question'))
);
--;;
create unique index community_label_taken on community_label (lower(label_name));
--;;
create index community_label_newest on community_label (created_at desc, id desc);
--;;
-- 博主: a learner who wrote a blog. The name is the one under which they wrote last. Switched off, none of their blogs is seen.
create table blogger (
    id           bigint generated always as identity,
    learner_id   bigint  not null,
    blogger_name text    not null,
    initials     text    not null default '',
    introduce    text,
    level        integer not null default 1,
    fans_count   bigint  not null default 0,
    enabled      boolean not null default true,
    created_at   timestamptz not null default now(),
    created_by   bigint  not null,
    updated_at   timestamptz not null default now(),
    updated_by   bigint  not null,
    version      integer not null default 1,
    constraint blogger_key primary key (id),
    constraint blogger_of_learner foreign key (learner_id) references user_ext (id),
    constraint blogger_learner_taken unique (learner_id),
    constraint blogger_level_range check (level between 1 and 10),
    constraint blogger_fans_range check (fans_count >= 0)
);
--;;
create index blogger_newest on blogger (created_at desc, id desc);
--;;
create index blogger_level on blogger (level, created_at desc, id desc);
--;;
create index blogger_off on blogger (created_at desc, id desc) where not enabled;
--;;
-- 博客. Seen on the site: approved, on the shelf, of a blogger who is not switched off.
create table blog (
    id            bigint generated always as identity,
    title         text    not null,
    content       text    not null,
    summary       text,
    cover         text,
    category_id   bigint,
    blogger_id    bigint  not null,
    article_type  text    not null,
    source_url    text,
    audit_status  text    not null default 'pending',
    audit_opinion text,
    audited_by    bigint,
    audited_at    timestamptz,
    putaway       text    not null default 'on',
    is_top        boolean not null default false,
    is_recommend  boolean not null default false,
    read_count    bigint  not null default 0,
    like_count    bigint  not null default 0,
    ip            text,
    created_at    timestamptz not null default now(),
    created_by    bigint  not null,
    updated_at    timestamptz not null default now(),
    updated_by    bigint  not null,
    version       integer not null default 1,
    constraint blog_key primary key (id),
    constraint blog_of_category foreign key (category_id) references online_category (id),
    constraint blog_of_blogger foreign key (blogger_id) references blogger (id),
    constraint blog_article_type_known check (article_type in ('original', 'reprint')),
    constraint blog_source_missing check ((article_type = 'reprint') = (source_url is not null)),
    constraint blog_status_known check (audit_status in ('pending', 'approved', 'rejected')),
    constraint blog_opinion_missing check (audit_status <> 'rejected' or audit_opinion is not null),
    constraint blog_putaway_known check (putaway in ('on', 'off'))
);
--;;
create index blog_newest on blog (created_at desc, id desc);
--;;
create index blog_waiting on blog (audit_status, created_at desc, id desc);
--;;
create index blog_of_one on blog (blogger_id, created_at desc, id desc);
--;;
create index blog_category on blog (category_id) where category_id is not null;
--;;
create index blog_off on blog (created_at desc, id desc) where putaway = 'off';
--;;
create index blog_top on blog (created_at desc, id desc) where is_top;
--;;
create index blog_recommended on blog (created_at desc, id desc) where is_recommend;
--;;
create table blog_label (
    blog_id  bigint not null,
    label_id bigint not null,
    constraint blog_label_key primary key (blog_id, label_id),
    constraint blog_label_of_blog foreign key (blog_id) references blog (id),
    constraint blog_label_of_label foreign key (label_id) references community_label (id)
);
--;;
create index blog_label_used on blog_label (label_id);
--;;
-- 博客评论, and answers to them. A comment stays as it was written.
create table blog_comment (
    id            bigint generated always as identity,
    blog_id       bigint not null,
    learner_id    bigint not null,
    learner_name  text   not null,
    parent_id     bigint,
    content       text   not null,
    audit_status  text   not null,
    audit_opinion text,
    like_count    bigint not null default 0,
    ip            text,
    created_at    timestamptz not null default now(),
    created_by    bigint not null,
    updated_at    timestamptz not null default now(),
    updated_by    bigint not null,
    version       integer not null default 1,
    constraint blog_comment_key primary key (id),
    constraint blog_comment_of_blog foreign key (blog_id) references blog (id),
    constraint blog_comment_of_learner foreign key (learner_id) references user_ext (id),
    constraint blog_comment_of_parent foreign key (parent_id) references blog_comment (id),
    constraint blog_comment_status_known check (audit_status in ('pending', 'approved', 'rejected')),
    constraint blog_comment_opinion_missing check (audit_status <> 'rejected' or audit_opinion is not null),
    constraint blog_comment_content_missing check (content <> '')
);
--;;
create index blog_comment_blog on blog_comment (blog_id, created_at desc, id desc);
--;;
create index blog_comment_parent on blog_comment (parent_id) where parent_id is not null;
--;;
create index blog_comment_learner on blog_comment (learner_id);
--;;
-- 问答. A question that is closed takes no more answers.
create table community_question (
    id                 bigint generated always as identity,
    title              text    not null,
    content            text    not null,
    learner_id         bigint  not null,
    learner_name       text    not null,
    accepted_answer_id bigint,
    closed             boolean not null default false,
    audit_status       text    not null default 'pending',
    audit_opinion      text,
    audited_by         bigint,
    audited_at         timestamptz,
    ip                 text,
    created_at         timestamptz not null default now(),
    created_by         bigint  not null,
    updated_at         timestamptz not null default now(),
    updated_by         bigint  not null,
    version            integer not null default 1,
    constraint community_question_key primary key (id),
    constraint community_question_of_learner foreign key (learner_id) references user_ext (id),
    constraint community_question_status_known check (audit_status in ('pending', 'approved', 'rejected')),
    constraint community_question_opinion_missing check (audit_status <> 'rejected' or audit_opinion is not null)
);
--;;
create index community_question_newest on community_question (created_at desc, id desc);
--;;
create index community_question_waiting on community_question (audit_status, created_at desc, id desc);
--;;
create index community_question_closed on community_question (closed, created_at desc, id desc);
--;;
create index community_question_learner on community_question (learner_id);
--;;
create table community_question_label (
    question_id bigint not null,
    label_id    bigint not null,
    constraint community_question_label_key primary key (question_id, label_id),
    constraint community_question_label_of_question foreign key (question_id) references community_question (id),
    constraint community_question_label_of_label foreign key (label_id) references community_label (id)
);
--;;
create index community_question_label_used on community_question_label (label_id);
--;;
-- 回答.
create table community_answer (
    id            bigint generated always as identity,
    question_id   bigint not null,
    learner_id    bigint not null,
    learner_name  text   not null,
    content       text   not null,
    audit_status  text   not null,
    audit_opinion text,
    like_count    bigint not null default 0,
    ip            text,
    created_at    timestamptz not null default now(),
    created_by    bigint not null,
    updated_at    timestamptz not null default now(),
    updated_by    bigint not null,
    version       integer not null default 1,
    constraint community_answer_key primary key (id),
    -- What a question names as the accepted one is one of its own.
    constraint community_answer_place unique (question_id, id),
    constraint community_answer_of_question foreign key (question_id) references community_question (id),
    constraint community_answer_of_learner foreign key (learner_id) references user_ext (id),
    constraint community_answer_status_known check (audit_status in ('pending', 'approved', 'rejected')),
    constraint community_answer_opinion_missing check (audit_status <> 'rejected' or audit_opinion is not null),
    constraint community_answer_content_missing check (content <> '')
);
--;;
create index community_answer_question on community_answer (question_id, created_at desc, id desc);
--;;
create index community_answer_learner on community_answer (learner_id);
--;;
alter table community_question add constraint community_question_of_answer
    foreign key (id, accepted_answer_id) references community_answer (question_id, id);
--;;
-- 文章专区: a shelf of blogs.
create table article_zone (
    id         bigint generated always as identity,
    zone_title text    not null,
    sort       integer not null default 1,
    enabled    boolean not null default true,
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint article_zone_key primary key (id),
    constraint article_zone_sort_range check (sort between 0 and 9999)
);
--;;
create index article_zone_order on article_zone (sort, id desc);
--;;
create table article_zone_item (
    id         bigint generated always as identity,
    zone_id    bigint  not null,
    blog_id    bigint  not null,
    sort       integer not null default 1,
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint article_zone_item_key primary key (id),
    constraint article_zone_item_of_zone foreign key (zone_id) references article_zone (id),
    constraint article_zone_item_of_blog foreign key (blog_id) references blog (id),
    constraint article_zone_item_taken unique (zone_id, blog_id)
);
--;;
create index article_zone_item_order on article_zone_item (zone_id, sort, id desc);
--;;
create index article_zone_item_blog on article_zone_item (blog_id);
--;;
-- 社区推荐: what stands before others at a place. One of the three is meant, the one of `ref_type`.
create table community_recommend (
    id          bigint generated always as identity,
    ref_type    text    not null,
    blog_id     bigint,
    question_id bigint,
    blogger_id  bigint,
    position    text    not null,
    sort        integer not null default 1,
    enabled     boolean not null default true,
    created_at  timestamptz not null default now(),
    created_by  bigint  not null,
    updated_at  timestamptz not null default now(),
    updated_by  bigint  not null,
    version     integer not null default 1,
    constraint community_recommend_key primary key (id),
    constraint community_recommend_type_known check (ref_type in ('blog', 'question', 'blogger')),
    constraint community_recommend_one_meant check (
        (ref_type = 'blog') = (blog_id is not null) and (ref_type = 'question') = (question_id is not null)
        and (ref_type = 'blogger') = (blogger_id is not null)
    ),
    constraint community_recommend_position_known check (position in ('home', 'side')),
    constraint community_recommend_sort_range check (sort between 0 and 9999),
    constraint community_recommend_of_blog foreign key (blog_id) references blog (id),
    constraint community_recommend_of_question foreign key (question_id) references community_question (id),
    constraint community_recommend_of_blogger foreign key (blogger_id) references blogger (id),
    constraint community_recommend_taken unique nulls not distinct (position, blog_id, question_id, blogger_id)
);
--;;
create index community_recommend_order on community_recommend (position, sort, id desc);
--;;
create index community_recommend_blog on community_recommend (blog_id) where blog_id is not null;
--;;
create index community_recommend_question on community_recommend (question_id) where question_id is not null;
--;;
create index community_recommend_blogger on community_recommend (blogger_id) where blogger_id is not null;
--;;
-- 认证: what a learner says that they are, with private proofs. Approved and within its time it is their badge.
create table community_certificate (
    id            bigint generated always as identity,
    learner_id    bigint not null,
    learner_name  text   not null,
    cert_type     text   not null,
    title         text   not null,
    proof_keys    text[] not null,
    audit_status  text   not null default 'pending',
    opinion       text,
    audited_by    bigint,
    audited_at    timestamptz,
    expires_on    date,
    revoke_reason text,
    created_at    timestamptz not null default now(),
    created_by    bigint not null,
    updated_at    timestamptz not null default now(),
    updated_by    bigint not null,
    version       integer not null default 1,
    constraint community_certificate_key primary key (id),
    constraint community_certificate_of_learner foreign key (learner_id) references user_ext (id),
    constraint community_certificate_type_known check (cert_type in ('expert', 'teacher', 'organization')),
    constraint community_certificate_status_known check (audit_status in ('pending', 'approved', 'rejected', 'revoked')),
    constraint community_certificate_opinion_missing check (audit_status <> 'rejected' or opinion is not null),
    constraint community_certificate_auditor_missing check (
        (audit_status = 'pending') = (audited_by is null) and (audited_by is null) = (audited_at is null)
    ),
    constraint community_certificate_reason_missing check ((audit_status = 'revoked') = (revoke_reason is not null)),
    constraint community_certificate_proof_missing check (cardinality(proof_keys) between 1 and 5)
);
--;;
-- Nobody asks twice before they are answered.
create unique index community_certificate_pending_once on community_certificate (learner_id) where audit_status = 'pending';
--;;
create index community_certificate_waiting on community_certificate (audit_status, created_at desc, id desc);
--;;
-- Those that wait stand before all others in the list.
create index community_certificate_order on community_certificate ((audit_status = 'pending') desc, created_at desc, id desc);
--;;
-- Whose badge is shown.
create index community_certificate_badge on community_certificate (learner_id, audited_at desc) where audit_status = 'approved';
