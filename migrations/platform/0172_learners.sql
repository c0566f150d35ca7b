-- Learners of the operators' online-education site: their accounts, sessions and codes, membership, and what they may use
-- (01 §9.6, §9.11). Owner: platform/learners. infra reads customer_session to admit a request.
--
--     register, save, import → user_ext ─(code or password)→ customer_session
--     vip_set ─(bought or granted)→ user_vip: the months of user_ext.vip_expires_at, set by set
--     learner_right: what somebody may use and until when

-- 学员. The phone is what they sign in with. Without a password they sign in by a code and set one then.
create table user_ext (
    id                bigint generated always as identity,
    phone             text collate "C" not null,
    nickname          text,
    -- Of the nickname, for those who search by pinyin.
    initials          text    not null default '',
    gender            text    not null default 'unknown',
    birthday          date,
    head_img          text,
    source            text    not null,
    password_hash     text,
    must_change       boolean not null default false,
    enabled           boolean not null default true,
    vip_expires_at    timestamptz,
    -- A student of a school who is the same person; nothing of the student's record follows from it.
    linked_school_id  bigint,
    linked_student_id bigint,
    last_login_at     timestamptz,
    -- The key of the browser's visits, so that a registration can be counted with the link that led to it (05 A1).
    visitor_key       text collate "C",
    created_at        timestamptz not null default now(),
    created_by        bigint  not null,
    updated_at        timestamptz not null default now(),
    updated_by        bigint  not null,
    version           integer not null default 1,
    constraint user_ext_key primary key (id),
    constraint user_ext_phone_taken unique (phone),
    constraint user_ext_phone_shape check (phone ~ '^1[3-9][0-9]{9}$'),
    constraint user_ext_gender_known check (gender in ('unknown', 'male', 'female')),
    constraint user_ext_source_known check (source in ('pc', 'h5', 'app', 'mini_program', 'admin')),
    constraint user_ext_link_whole check ((linked_school_id is null) = (linked_student_id is null)),
    constraint user_ext_student_taken unique (linked_school_id, linked_student_id),
    constraint user_ext_of_school foreign key (linked_school_id) references school (id)
);
--;;
create index user_ext_newest on user_ext (created_at desc, id desc);
--;;
create index user_ext_members on user_ext (vip_expires_at) where vip_expires_at is not null;
--;;
-- Whose registration may still be found to come of a visit.
create index user_ext_visited on user_ext (created_at) where visitor_key is not null;
--;;
-- 讲师: their own account on the site, which was to be referred to once it stands.
alter table lecturer add constraint lecturer_of_learner foreign key (learner_id) references user_ext (id);
--;;
-- A learner's sign-in. The token names its row.
create table customer_session (
    jti               uuid    not null,
    client            text    not null,
    kind              text    not null,
    person_id         bigint  not null,
    login_name        text    not null,
    person_name       text    not null,
    must_change       boolean not null default false,
    -- Begun by a code: for a while the password may be set anew without the former one.
    by_code           boolean not null default false,
    -- Wrong own passwords; the fifth ends the session.
    password_failures integer not null default 0,
    ip                text    not null,
    user_agent        text    not null,
    issued_at         timestamptz not null,
    last_seen_at      timestamptz not null,
    expires_at        timestamptz not null,
    revoked_at        timestamptz,
    revoke_reason     text,
    constraint customer_session_key primary key (jti),
    constraint customer_session_client_known check (client = 'learner'),
    constraint customer_session_kind_known check (kind = 'learner'),
    constraint customer_session_reason_known check (revoke_reason in ('logout', 'replaced', 'kicked', 'password_changed',
        'password_reset', 'account_disabled', 'idle')),
    constraint customer_session_of_learner foreign key (person_id) references user_ext (id) on delete cascade
);
--;;
create index customer_session_of_person on customer_session (person_id) where revoked_at is null;
--;;
create index customer_session_by_person on customer_session (person_id, issued_at desc);
--;;
-- How a learner came in, newest first.
create index login_log_of_learner on login_log (user_id, at desc) where client = 'learner';
--;;
-- Codes by short message. The newest of a phone and scene is the one that counts: for five minutes, five tries and one use.
-- Neither the phone nor the code stands here as it is. Rows of more than two days go.
create table learner_code (
    id           bigint generated always as identity,
    -- Keyed, so that no table of all phones leads back.
    phone_digest bytea   not null,
    scene        text    not null,
    code_digest  bytea   not null,
    client_ip    text    not null,
    failures     integer not null default 0,
    sent_at      timestamptz not null,
    expires_at   timestamptz not null,
    used_at      timestamptz,
    constraint learner_code_key primary key (id),
    constraint learner_code_scene_known check (scene in ('register', 'login'))
);
--;;
create index learner_code_phone on learner_code (phone_digest, sent_at desc);
--;;
create index learner_code_address on learner_code (client_ip, sent_at desc);
--;;
create index learner_code_by_age on learner_code (sent_at);
--;;
-- 会员: what membership is sold as.
create table vip_set (
    id             bigint generated always as identity,
    set_name       text    not null,
    months         integer not null,
    -- 分.
    price_original bigint  not null,
    price          bigint  not null,
    -- Of what a member pays of a price: 0.85 means 85 %.
    discount_rate  numeric(3, 2) not null,
    benefits       text,
    sort           integer not null default 1,
    enabled        boolean not null default true,
    created_at     timestamptz not null default now(),
    created_by     bigint  not null,
    updated_at     timestamptz not null default now(),
    updated_by     bigint  not null,
    version        integer not null default 1,
    constraint vip_set_key primary key (id),
    constraint vip_set_name_taken unique (set_name),
    constraint vip_set_months_range check (months between 1 and 60),
    constraint vip_set_price_range check (price between 0 and price_original),
    constraint vip_set_rate_range check (discount_rate between 0.10 and 1.00),
    constraint vip_set_sort_range check (sort between 0 and 9999)
);
--;;
create index vip_set_order on vip_set (sort, id desc);
--;;
-- 会员记录: months that were bought, or granted (then without an order), one behind the other.
create table user_vip (
    id         bigint generated always as identity,
    learner_id bigint  not null,
    vip_set_id bigint  not null,
    order_id   bigint,
    from_at    timestamptz not null,
    to_at      timestamptz not null,
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint user_vip_key primary key (id),
    constraint user_vip_span check (to_at > from_at),
    constraint user_vip_order_once unique (order_id),
    constraint user_vip_of_learner foreign key (learner_id) references user_ext (id),
    constraint user_vip_of_set foreign key (vip_set_id) references vip_set (id)
);
--;;
create index user_vip_learner on user_vip (learner_id, to_at desc);
--;;
create index user_vip_set on user_vip (vip_set_id);
--;;
-- 权益: what a learner may use; null means for ever. Membership is none of these.
create table learner_right (
    id           bigint generated always as identity,
    learner_id   bigint  not null,
    product_type text    not null,
    product_id   bigint  not null,
    -- The order that it was bought with, or bought with last; null for what was only granted.
    order_id     bigint,
    expires_at   timestamptz,
    created_at   timestamptz not null default now(),
    created_by   bigint  not null,
    updated_at   timestamptz not null default now(),
    updated_by   bigint  not null,
    version      integer not null default 1,
    constraint learner_right_key primary key (id),
    constraint learner_right_once unique (learner_id, product_type, product_id),
    constraint learner_right_type_known check (product_type in ('record', 'live', 'resource', 'exam')),
    constraint learner_right_of_learner foreign key (learner_id) references user_ext (id)
);
--;;
create index learner_right_product on learner_right (product_type, product_id);
--;;
-- Which visits of the operators' site led to a registration; a school's stand in its schema. Owner: tenant/statistics.
create table visit_conversion (
    kind            text   not null,
    ref_id          bigint not null,
    visitor_key     text collate "C" not null,
    page            text   not null,
    link_id         bigint not null,
    channel         text   not null,
    terminal        text   not null,
    referrer_domain text   not null,
    at              timestamptz not null,
    constraint visit_conversion_key primary key (kind, ref_id),
    constraint visit_conversion_kind_known check (kind = 'learner')
);
--;;
create index visit_conversion_at on visit_conversion (at);
