-- The rest of the operators' online-education site (01 §9.2, §9.3, §9.5): live courses and their channels, files of the library,
-- recommendations, who asks to teach, what learners say of courses and how far they are, what lecturers earn and take out.
-- Learners are numbers here: their accounts stand where learners are kept, and so does the reference.
-- Owners: platform/live (live_channel), platform/catalogue (course_recommend, the new columns), platform/lecturers (lecturer_audit,
-- user_account, account_journal, account_extract_log), platform/site_study (course_comment, course_rating, online_study and its kin).

-- 直播频道: where lessons are given live. `state` is told by the provider, or by the operator who ends it. `secrets` holds the address
-- of the stream and the assistants' password, sealed.
--     idle → living → ended
create table live_channel (
    id              bigint generated always as identity,
    channel_name    text    not null,
    provider        text    not null,
    -- The provider's own number.
    channel_no      text    not null,
    scene           text    not null,
    max_viewers     integer,
    state           text    not null default 'idle',
    secrets         bytea,
    enabled         boolean not null default true,
    created_at      timestamptz not null default now(),
    created_by      bigint  not null,
    updated_at      timestamptz not null default now(),
    updated_by      bigint  not null,
    version         integer not null default 1,
    constraint live_channel_key primary key (id),
    constraint live_channel_provider_known check (provider in ('polyv', 'baijiayun')),
    constraint live_channel_scene_known check (scene in ('lecture', 'small_class')),
    constraint live_channel_state_known check (state in ('idle', 'living', 'ended')),
    constraint live_channel_viewers_range check (max_viewers between 1 and 100000)
);
--;;
-- A number is one channel of its provider.
create unique index live_channel_no_taken on live_channel (provider, channel_no);
--;;
create index live_channel_newest on live_channel (created_at desc, id desc);
--;;
-- The file of the library that a resource is. Null until one was uploaded.
alter table online_course add column resource_file_key text;
--;;
alter table online_course add column resource_file_name text;
--;;
alter table online_course add column resource_ext text;
--;;
alter table online_course add column resource_pages integer;
--;;
-- Bytes.
alter table online_course add column resource_size bigint;
--;;
alter table online_course add column download_count bigint not null default 0;
--;;
-- What is bought, studied and thought of it; kept by whoever sells, teaches and is told.
alter table online_course add column count_buy bigint not null default 0;
--;;
alter table online_course add column score_count bigint not null default 0;
--;;
-- One place; null until somebody scored.
alter table online_course add column score_avg numeric(2, 1);
--;;
alter table online_course add constraint online_course_resource_pages_range check (resource_pages between 1 and 100000);
--;;
alter table online_course add constraint online_course_score_avg_range check (score_avg between 1 and 5);
--;;
alter table online_course add constraint online_course_score_together check ((score_avg is null) = (score_count = 0));
--;;
create index online_course_resource_ext on online_course (resource_ext, id desc) where course_type = 'resource';
--;;
-- A lesson is watched, or given at a time on a channel.
alter table online_period alter column media_asset_id drop not null;
--;;
alter table online_period add column live_channel_id bigint;
--;;
alter table online_period add column starts_at timestamptz;
--;;
alter table online_period add column ends_at timestamptz;
--;;
alter table online_period add column replay_asset_id bigint;
--;;
alter table online_period add constraint online_period_of_channel
    foreign key (live_channel_id) references live_channel (id);
--;;
alter table online_period add constraint online_period_of_replay
    foreign key (replay_asset_id) references media_asset (id);
--;;
alter table online_period add constraint online_period_one_kind
    check ((media_asset_id is null) = (live_channel_id is not null));
--;;
alter table online_period add constraint online_period_time_missing
    check ((live_channel_id is null) = (starts_at is null) and (starts_at is null) = (ends_at is null));
--;;
alter table online_period add constraint online_period_time_order check (ends_at > starts_at);
--;;
-- Who else is on the channel at a time. That no two are is the service's to refuse, which holds the channel meanwhile.
create index online_period_on_channel on online_period (live_channel_id, starts_at) where live_channel_id is not null;
--;;
create index online_period_replay on online_period (replay_asset_id) where replay_asset_id is not null;
--;;
-- 推荐课程: where the site shows a course before others. `category_id` only for the position of a category.
create table course_recommend (
    id          bigint generated always as identity,
    course_id   bigint  not null,
    position    text    not null,
    category_id bigint,
    begins_at   timestamptz,
    ends_at     timestamptz,
    sort        integer not null default 1,
    enabled     boolean not null default true,
    created_at  timestamptz not null default now(),
    created_by  bigint  not null,
    updated_at  timestamptz not null default now(),
    updated_by  bigint  not null,
    version     integer not null default 1,
    constraint course_recommend_key primary key (id),
    constraint course_recommend_position_known check (position in ('home', 'category', 'detail')),
    constraint course_recommend_category_missing check ((position = 'category') = (category_id is not null)),
    constraint course_recommend_time_order check (ends_at > begins_at),
    constraint course_recommend_sort_range check (sort >= 0),
    constraint course_recommend_of_course foreign key (course_id) references online_course (id),
    constraint course_recommend_of_category foreign key (category_id) references online_category (id),
    constraint course_recommend_taken unique nulls not distinct (course_id, position, category_id)
);
--;;
create index course_recommend_order on course_recommend (position, sort, id desc);
--;;
create index course_recommend_category on course_recommend (category_id) where category_id is not null;
--;;
-- 讲师申请: what a learner asks who wants to teach; approved, it becomes the lecturer.
--     pending → approved │ rejected
create table lecturer_audit (
    id                  bigint generated always as identity,
    learner_id          bigint  not null,
    lecturer_name       text    not null,
    initials            text    not null default '',
    phone               text    not null,
    email               text,
    position            text,
    head_img            text,
    introduce           text,
    lecturer_proportion numeric(5, 4) not null,
    audit_status        text    not null default 'pending',
    audit_opinion       text,
    audited_by          bigint,
    audited_at          timestamptz,
    created_at          timestamptz not null default now(),
    created_by          bigint  not null,
    updated_at          timestamptz not null default now(),
    updated_by          bigint  not null,
    version             integer not null default 1,
    constraint lecturer_audit_key primary key (id),
    constraint lecturer_audit_of_learner foreign key (learner_id) references user_ext (id),
    constraint lecturer_audit_status_known check (audit_status in ('pending', 'approved', 'rejected')),
    constraint lecturer_audit_opinion_missing check (audit_status <> 'rejected' or audit_opinion is not null),
    constraint lecturer_audit_auditor_missing check (
        (audit_status = 'pending') = (audited_by is null) and (audited_by is null) = (audited_at is null)
    ),
    constraint lecturer_audit_proportion_range check (lecturer_proportion between 0 and 1)
);
--;;
-- Nobody asks twice before they are answered.
create unique index lecturer_audit_pending_once on lecturer_audit (learner_id) where audit_status = 'pending';
--;;
create index lecturer_audit_waiting on lecturer_audit (audit_status, created_at desc, id desc);
--;;
create index lecturer_audit_learner on lecturer_audit (learner_id);
--;;
-- 课程评论, and answers to them. Whoever answers for the site is no learner: `learner_id` is null then. The name is the one under
-- which it was written.
create table course_comment (
    id           bigint generated always as identity,
    course_id    bigint  not null,
    learner_id   bigint,
    learner_name text    not null,
    parent_id    bigint,
    content      text    not null,
    audit_status text    not null,
    audit_opinion text,
    is_top       boolean not null default false,
    like_count   bigint  not null default 0,
    ip           text,
    created_at   timestamptz not null default now(),
    created_by   bigint  not null,
    updated_at   timestamptz not null default now(),
    updated_by   bigint  not null,
    version      integer not null default 1,
    constraint course_comment_key primary key (id),
    constraint course_comment_status_known check (audit_status in ('pending', 'approved', 'rejected')),
    constraint course_comment_opinion_missing check (audit_status <> 'rejected' or audit_opinion is not null),
    constraint course_comment_content_missing check (content <> ''),
    constraint course_comment_of_course foreign key (course_id) references online_course (id),
    constraint course_comment_of_learner foreign key (learner_id) references user_ext (id),
    constraint course_comment_of_parent foreign key (parent_id) references course_comment (id)
);
--;;
create index course_comment_newest on course_comment (created_at desc, id desc);
--;;
create index course_comment_course on course_comment (course_id, created_at desc, id desc);
--;;
create index course_comment_waiting on course_comment (audit_status, created_at desc, id desc);
--;;
create index course_comment_parent on course_comment (parent_id) where parent_id is not null;
--;;
create index course_comment_learner on course_comment (learner_id);
--;;
-- 课程评分: one of each buyer.
create table course_rating (
    id           bigint generated always as identity,
    course_id    bigint   not null,
    learner_id   bigint   not null,
    learner_name text     not null,
    score        smallint not null,
    content      text,
    created_at   timestamptz not null default now(),
    created_by   bigint   not null,
    updated_at   timestamptz not null default now(),
    updated_by   bigint   not null,
    version      integer  not null default 1,
    constraint course_rating_key primary key (id),
    constraint course_rating_score_range check (score between 1 and 5),
    constraint course_rating_of_course foreign key (course_id) references online_course (id),
    constraint course_rating_of_learner foreign key (learner_id) references user_ext (id),
    constraint course_rating_taken unique (course_id, learner_id)
);
--;;
create index course_rating_newest on course_rating (created_at desc, id desc);
--;;
create index course_rating_learner on course_rating (learner_id);
--;;
-- 讲师账户, in 分. Refunds after settlement may bring `available` below nothing; nothing is taken out until it is back.
create table user_account (
    id           bigint generated always as identity,
    learner_id   bigint not null,
    total_income bigint not null default 0,
    available    bigint not null default 0,
    frozen       bigint not null default 0,
    withdrawn    bigint not null default 0,
    created_at   timestamptz not null default now(),
    created_by   bigint not null,
    updated_at   timestamptz not null default now(),
    updated_by   bigint not null,
    version      integer not null default 1,
    constraint user_account_key primary key (id),
    constraint user_account_of_learner foreign key (learner_id) references user_ext (id),
    constraint user_account_learner_taken unique (learner_id),
    constraint user_account_frozen_range check (frozen >= 0),
    constraint user_account_withdrawn_range check (withdrawn >= 0),
    constraint user_account_sum_known check (total_income = available + frozen + withdrawn)
);
--;;
-- 账户流水: what moved, never changed. `amount` is what the account's whole gained or lost; a move between its parts is nothing of it.
create table account_journal (
    id            bigint generated always as identity,
    learner_id    bigint not null,
    kind          text   not null,
    amount        bigint not null,
    moved         bigint not null,
    ref_type      text   not null,
    ref_id        bigint not null,
    -- What was available afterwards.
    balance_after bigint not null,
    at            timestamptz not null default now(),
    constraint account_journal_key primary key (id),
    constraint account_journal_kind_known check (
        kind in ('income', 'commission', 'settle', 'extract_freeze', 'extract_paid', 'extract_return', 'refund_reverse')
    ),
    -- The same thing moves once.
    constraint account_journal_once unique (learner_id, kind, ref_type, ref_id)
);
--;;
create index account_journal_learner on account_journal (learner_id, id desc);
--;;
-- 提现记录. Bank and card are those of the day on which it was asked for.
--     pending ─approve→ approved ─pay→ paid │ failed        pending ─reject→ rejected
create table account_extract_log (
    id             bigint generated always as identity,
    learner_id     bigint not null,
    amount         bigint not null,
    bank_card_no   text   not null,
    bank_name      text   not null,
    bank_branch    text,
    bank_user_name text   not null,
    phone          text   not null,
    status         text   not null default 'pending',
    opinion        text,
    audited_by     bigint,
    audited_at     timestamptz,
    pay_no         text,
    paid_by        bigint,
    paid_at        timestamptz,
    created_at     timestamptz not null default now(),
    created_by     bigint not null,
    updated_at     timestamptz not null default now(),
    updated_by     bigint not null,
    version        integer not null default 1,
    constraint account_extract_log_key primary key (id),
    constraint account_extract_log_status_known check (status in ('pending', 'approved', 'paid', 'rejected', 'failed')),
    constraint account_extract_log_amount_range check (amount > 0),
    constraint account_extract_log_opinion_missing check (status not in ('rejected', 'failed') or opinion is not null),
    constraint account_extract_log_auditor_missing check (
        (status = 'pending') = (audited_by is null) and (audited_by is null) = (audited_at is null)
    ),
    constraint account_extract_log_pay_no_missing check (status <> 'paid' or (pay_no is not null and paid_at is not null)),
    constraint account_extract_log_of_account foreign key (learner_id) references user_account (learner_id)
);
--;;
create index account_extract_log_newest on account_extract_log (created_at desc, id desc);
--;;
create index account_extract_log_waiting on account_extract_log (status, created_at desc, id desc);
--;;
create index account_extract_log_learner on account_extract_log (learner_id);
--;;
create index account_extract_log_phone on account_extract_log (phone);
--;;
create unique index account_extract_log_pay_no_taken on account_extract_log (pay_no) where pay_no is not null;
--;;
-- How far a learner is with a lesson: seconds that were watched, the furthest that was reached. A lesson that a new version leaves out
-- goes without this; what was done with it is counted no more.
create table online_study (
    learner_id       bigint not null,
    period_id        bigint not null,
    course_id        bigint not null,
    watched_seconds  bigint not null default 0,
    position_seconds bigint not null default 0,
    finished_at      timestamptz,
    beat_at          timestamptz not null,
    constraint online_study_key primary key (learner_id, period_id),
    constraint online_study_of_learner foreign key (learner_id) references user_ext (id)
);
--;;
create index online_study_course on online_study (course_id, learner_id);
--;;
-- The same of a course. The name and phone are those of the last beat; so is the device, of which one at a time counts.
create table online_course_study (
    id              bigint generated always as identity,
    learner_id      bigint not null,
    course_id       bigint not null,
    learner_name    text   not null,
    phone           text   not null,
    watched_seconds bigint not null default 0,
    device          text   not null,
    started_at      timestamptz not null,
    last_at         timestamptz not null,
    constraint online_course_study_key primary key (id),
    constraint online_course_study_once unique (course_id, learner_id),
    constraint online_course_study_of_learner foreign key (learner_id) references user_ext (id),
    constraint online_course_study_of_course foreign key (course_id) references online_course (id)
);
--;;
create index online_course_study_newest on online_course_study (last_at desc, id desc);
--;;
create index online_course_study_phone on online_course_study (phone);
--;;
create index online_course_study_learner on online_course_study (learner_id, last_at desc);
--;;
-- What was studied of a course on a day; a course that somebody studied stays, by the table above.
create table online_study_day (
    course_id bigint not null,
    day       date   not null,
    seconds   bigint not null,
    constraint online_study_day_key primary key (course_id, day)
);
--;;
create index online_study_day_newest on online_study_day (day);
