-- Messages of the school: what was told to its people. The platform has tables of the same shape. Owner: platform/messages.

-- 消息: what is to be told, to whom, by which channels (01 §7).
--     draft ─→ scheduled ─→ sending ─→ sent │ failed;  scheduled ─cancel→ draft;  sending, sent ─→ recalled
-- Recipients are resolved when it is sent, within the data scope that its sender has at that moment. A message of a scene
-- (scene_code) is made by the dispatcher. The counters are kept by the statements that change deliveries.
create table msg (
    id              bigint generated always as identity,
    title           text    not null,
    -- Cleaned HTML.
    content         text    not null,
    msg_type        text    not null,
    channels        text[]  not null,
    audience        text    not null,
    -- {gradeIds, levelIds, majorIds, siteIds, classIds, studentStatus}; AND of fields, OR inside one.
    audience_filter jsonb   not null default '{}',
    -- The imported recipients of audience `list`.
    list_id         bigint,
    -- Only of the platform's messages: the schools whose students are meant.
    school_ids      bigint[] not null default '{}',
    jump_type       text    not null default 'none',
    jump_target     text,
    send_mode       text    not null default 'now',
    send_at         timestamptz,
    top_until       timestamptz,
    status          text    not null default 'draft',
    -- Why it was not sent, for a person.
    fail_reason     text,
    scene_code      text,
    -- The platform's message that this school's one is a part of.
    origin_id       bigint,
    -- The message whose unread this one reminds.
    remind_of       bigint,
    -- Whose data scope decides the recipients.
    sender_id       bigint,
    -- Accounts lie in `platform`, so a list takes the name from here.
    creator_name    text    not null,
    -- When its recipients were resolved.
    resolved_at     timestamptz,
    finished_at     timestamptz,
    person_count    bigint  not null default 0,
    total_count     bigint  not null default 0,
    sent_count      bigint  not null default 0,
    failed_count    bigint  not null default 0,
    cancelled_count bigint  not null default 0,
    -- Of in_app: sent, and read.
    inbox_count     bigint  not null default 0,
    read_count      bigint  not null default 0,
    remark          text,
    created_at      timestamptz not null default now(),
    created_by      bigint  not null,
    updated_at      timestamptz not null default now(),
    updated_by      bigint  not null,
    version         integer not null default 1,
    constraint msg_key primary key (id),
    constraint msg_type_known check (msg_type in ('system', 'teaching', 'exam', 'recruit', 'graduation', 'marketing')),
    constraint msg_channels_known check (
        channels <@ array['in_app', 'sms', 'wechat', 'app_push', 'mail'] and cardinality(channels) > 0
    ),
    constraint msg_audience_known check (audience in ('all_students', 'student_filter', 'list', 'scene')),
    constraint msg_jump_type_known check (jump_type in ('none', 'url', 'course', 'exam', 'homework')),
    constraint msg_send_mode_known check (send_mode in ('now', 'timed')),
    constraint msg_status_known check (status in ('draft', 'scheduled', 'sending', 'sent', 'failed', 'recalled')),
    constraint msg_timed_at check (status <> 'scheduled' or send_at is not null),
    constraint msg_scene_named check ((audience = 'scene') = (scene_code is not null))
);
--;;
create index msg_newest on msg (created_at desc, id desc);
--;;
create index msg_status_newest on msg (status, created_at desc, id desc);
--;;
-- What the workers look for: due messages, and those that wait for their recipients.
create index msg_scheduled on msg (send_at) where status = 'scheduled';
--;;
create index msg_unresolved on msg (id) where status = 'sending' and resolved_at is null;
--;;
create unique index msg_origin_once on msg (origin_id) where origin_id is not null;
--;;
create index msg_remind_of on msg (remind_of) where remind_of is not null;
--;;
-- An imported list of recipients; a form names it by its number before the message exists.
create table msg_list (
    id         bigint generated always as identity,
    file_name  text    not null,
    person_ids bigint[] not null,
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint msg_list_key primary key (id)
);
--;;
alter table msg add constraint msg_of_list foreign key (list_id) references msg_list (id);
--;;
-- 投递: one message, one person, one channel (05 D2). Written by statements over thousands of rows and by no person, so
-- it carries moments instead of who and version.
--     queued ─lease→ delivering ─→ sent ─receipt→ delivered │ failed;  queued ─→ cancelled;  in_app unread ─recall→ recalled
create table msg_delivery (
    id               bigint generated always as identity,
    msg_id           bigint   not null,
    recipient_type   text     not null,
    recipient_id     bigint   not null,
    -- As they were when the message was sent: what lists show and search.
    recipient_name   text     not null,
    recipient_no     text collate "C",
    site_id          bigint,
    class_id         bigint,
    -- Phone, mail address, openId or alias; in_app needs none.
    address          text,
    channel          text     not null,
    marketing        boolean  not null default false,
    -- 1 codes and security, 5 normal, 9 bulk.
    priority         smallint not null default 5,
    status           text     not null default 'queued',
    fail_code        text,
    provider_status  text,
    provider_msg_id  text,
    attempts         integer  not null default 0,
    -- A lease ran out before its outcome was known, so the person may have got it twice.
    maybe_twice      boolean  not null default false,
    next_attempt_at  timestamptz not null,
    lease_until      timestamptz,
    expires_at       timestamptz not null,
    template_id      bigint,
    -- Of sms and wechat what was sent; of other channels only where it differs from the message.
    rendered_title   text,
    rendered_content text,
    -- What the provider's own template is filled with: {code, values}.
    provider_template jsonb,
    segments         integer  not null default 0,
    created_at       timestamptz not null,
    first_attempt_at timestamptz,
    sent_at          timestamptz,
    delivered_at     timestamptz,
    read_at          timestamptz,
    constraint msg_delivery_key primary key (id),
    constraint msg_delivery_of_msg foreign key (msg_id) references msg (id) on delete cascade,
    constraint msg_delivery_recipient_known check (recipient_type in ('student', 'account')),
    constraint msg_delivery_channel_known check (channel in ('in_app', 'sms', 'wechat', 'app_push', 'mail')),
    constraint msg_delivery_status_known check (
        status in ('queued', 'delivering', 'sent', 'delivered', 'failed', 'cancelled', 'recalled')
    ),
    constraint msg_delivery_fail_code_known check (
        fail_code in ('no_address', 'no_openid', 'template_missing', 'provider_rejected', 'rate_limited', 'quota', 'expired',
                      'invalid_address', 'blacklisted', 'content_rejected', 'provider_busy', 'timeout', 'not_configured')
    ),
    constraint msg_delivery_once unique (msg_id, recipient_type, recipient_id, channel)
);
--;;
-- The workers: the queue of a channel in its order, when the next row is due, leases that ran out.
create index msg_delivery_queue on msg_delivery (channel, priority, id) where status = 'queued';
--;;
create index msg_delivery_due on msg_delivery (next_attempt_at) where status = 'queued';
--;;
create index msg_delivery_leased on msg_delivery (lease_until) where status = 'delivering';
--;;
-- failureLog without a message: the newest failures of the area, without a look at the millions that went well.
create index msg_delivery_failed on msg_delivery (created_at desc, id desc) where status = 'failed';
--;;
create index msg_delivery_failed_of_msg on msg_delivery (msg_id, id desc) where status = 'failed';
--;;
-- The inbox of a person, and its unread ones.
create index msg_delivery_unread on msg_delivery (recipient_type, recipient_id)
    where channel = 'in_app' and status = 'sent' and read_at is null;
--;;
-- Limits of a person: short messages of the last day.
create index msg_delivery_sms_of_person on msg_delivery (recipient_id, sent_at) where channel = 'sms' and sent_at is not null;
--;;
create index msg_delivery_marketing_of_person on msg_delivery (recipient_id, created_at) where marketing;
--;;
-- Each try of a delivery, or of a template's trial (no delivery then). Insert only; holds no content and no address.
create table msg_attempt (
    id              bigint generated always as identity,
    delivery_id     bigint,
    no              integer not null,
    at              timestamptz not null,
    duration_ms     integer not null default 0,
    ok              boolean not null,
    code            text,
    provider_code   text,
    provider_msg_id text,
    detail          text,
    constraint msg_attempt_key primary key (id),
    constraint msg_attempt_of_delivery foreign key (delivery_id) references msg_delivery (id) on delete cascade
);
--;;
create index msg_attempt_delivery on msg_attempt (delivery_id, no);
--;;
-- 发件记录: what the adapter `recorded` would have sent. Insert only, kept 90 days.
create table msg_recorded (
    id          bigint generated always as identity,
    delivery_id bigint,
    channel     text not null,
    address     text,
    title       text not null,
    content     text not null,
    at          timestamptz not null,
    constraint msg_recorded_key primary key (id)
);
--;;
create index msg_recorded_newest on msg_recorded (at desc, id desc);
--;;
-- Events of business transactions that something else shall follow (01 §6.4). Insert by the change, then by the
-- dispatcher: pending ─→ done │ skipped │ failed ─retry→ pending.
create table event_outbox (
    id              bigint generated always as identity,
    kind            text    not null,
    -- Of a message its scene.
    name            text    not null,
    payload         jsonb   not null,
    dedupe_key      text,
    status          text    not null default 'pending',
    skip_reason     text,
    attempts        integer not null default 0,
    occurred_at     timestamptz not null,
    next_attempt_at timestamptz not null,
    processed_at    timestamptz,
    constraint event_outbox_key primary key (id),
    constraint event_outbox_kind_known check (kind in ('event', 'message', 'job')),
    constraint event_outbox_status_known check (status in ('pending', 'done', 'skipped', 'failed'))
);
--;;
create unique index event_outbox_dedupe_once on event_outbox (dedupe_key) where dedupe_key is not null;
--;;
create index event_outbox_pending on event_outbox (kind, next_attempt_at, id) where status = 'pending';
--;;
create index event_outbox_newest on event_outbox (occurred_at desc, id desc);
