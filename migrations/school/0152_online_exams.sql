-- Examinations on the net: what is watched of an answer sheet, and marks of two markers. Owner: tenant/online_exams. Others read.
--
--     exam_candidate ── answer_sheet ─┬─ exam_sheet_monitor ─┬─ exam_event (what happened; written once)
--                                     │                      └─ exam_command (what its player is told next)
--                                     └─ answer_item ── exam_item_mark (1, 2 and, where they differ too much, 3)

alter table answer_sheet add constraint answer_sheet_of_candidate
    foreign key (exam_candidate_id) references exam_candidate (id);
--;;
-- 监考记录 of a sheet, whose number it bears.
create table exam_sheet_monitor (
    id              bigint  not null,
    candidate_id    bigint  not null,
    device_id       text    not null,
    -- None: it was set free, and the next device may go on.
    holds_device    boolean not null default true,
    last_beat_at    timestamptz not null,
    last_activity_at timestamptz not null,
    switch_count    integer not null default 0,
    face_fail_count integer not null default 0,
    risk_score      integer not null default 0,
    risk_level      text    not null default 'low',
    face_file_id    bigint,
    force_reason    text,
    void_reason     text,
    created_at      timestamptz not null default now(),
    created_by      bigint  not null,
    updated_at      timestamptz not null default now(),
    updated_by      bigint  not null,
    version         integer not null default 1,
    constraint exam_sheet_monitor_key primary key (id),
    constraint exam_sheet_monitor_counts_range check (switch_count >= 0 and face_fail_count >= 0 and risk_score >= 0),
    constraint exam_sheet_monitor_risk_known check (risk_level in ('low', 'medium', 'high')),
    constraint exam_sheet_monitor_of_sheet foreign key (id) references answer_sheet (id),
    constraint exam_sheet_monitor_of_candidate foreign key (candidate_id) references exam_candidate (id),
    constraint exam_sheet_monitor_face_of_file foreign key (face_file_id) references file_object (id)
);
--;;
create index exam_sheet_monitor_candidate on exam_sheet_monitor (candidate_id);
--;;
create index exam_sheet_monitor_risk on exam_sheet_monitor (risk_level, id);
--;;
create index exam_sheet_monitor_face_file on exam_sheet_monitor (face_file_id) where face_file_id is not null;
--;;
-- 考试事件. Not parted by month, because a school's role makes no tables; found by time through their pages.
create table exam_event (
    id          bigint generated always as identity,
    sheet_id    bigint  not null,
    type        text    not null,
    -- By the client's clock.
    occurred_at timestamptz,
    received_at timestamptz not null,
    seconds     integer,
    file_id     bigint,
    detail      text,
    -- An account or a person of the client.
    by_name     text,
    constraint exam_event_key primary key (id),
    constraint exam_event_type_known check (
        type in ('enter', 'leave_page', 'return_page', 'fullscreen_exit', 'copy', 'paste', 'multi_device', 'ip_change',
                 'face_pass', 'face_mismatch', 'face_missing', 'multi_face', 'snapshot', 'idle', 'network_lost',
                 'network_back', 'warn', 'force_submit', 'release_device', 'extend')
    ),
    constraint exam_event_seconds_range check (seconds >= 0),
    constraint exam_event_of_sheet foreign key (sheet_id) references answer_sheet (id),
    constraint exam_event_of_file foreign key (file_id) references file_object (id)
);
--;;
create index exam_event_sheet on exam_event (sheet_id, id);
--;;
create index exam_event_file on exam_event (file_id) where file_id is not null;
--;;
create index exam_event_received on exam_event using brin (received_at);
--;;
-- What a player is told with its next beat.
create table exam_command (
    id           bigint generated always as identity,
    sheet_id     bigint  not null,
    type         text    not null,
    text         text,
    delivered_at timestamptz,
    created_at   timestamptz not null default now(),
    created_by   bigint  not null,
    updated_at   timestamptz not null default now(),
    updated_by   bigint  not null,
    version      integer not null default 1,
    constraint exam_command_key primary key (id),
    constraint exam_command_type_known check (type in ('warn', 'submit', 'extend')),
    constraint exam_command_of_sheet foreign key (sheet_id) references answer_sheet (id)
);
--;;
create index exam_command_sheet on exam_command (sheet_id, id);
--;;
create index exam_command_waiting on exam_command (sheet_id) where delivered_at is null;
--;;
-- 双评: a row for each marker of an answer, made when it is given out; the third one's word stands.
create table exam_item_mark (
    id                bigint generated always as identity,
    item_id           bigint  not null,
    seq_no            integer not null,
    marker_teacher_id bigint  not null,
    -- Who typed it: a teacher in the client, or an account on their behalf.
    account_id        bigint,
    score             numeric(5, 1),
    comment           text,
    marked_at         timestamptz,
    created_at        timestamptz not null default now(),
    created_by        bigint  not null,
    updated_at        timestamptz not null default now(),
    updated_by        bigint  not null,
    version           integer not null default 1,
    constraint exam_item_mark_key primary key (id),
    constraint exam_item_mark_seq_range check (seq_no between 1 and 3),
    constraint exam_item_mark_score_range check (score between 0 and 1000),
    constraint exam_item_mark_marked_missing check ((score is null) = (marked_at is null)),
    constraint exam_item_mark_taken unique (item_id, seq_no),
    -- Nobody marks an answer twice.
    constraint exam_item_mark_marker_taken unique (item_id, marker_teacher_id),
    constraint exam_item_mark_of_item foreign key (item_id) references answer_item (id),
    constraint exam_item_mark_of_marker foreign key (marker_teacher_id) references teacher (id)
);
--;;
create index exam_item_mark_marker on exam_item_mark (marker_teacher_id, item_id) where score is null;
--;;
create index exam_item_mark_teacher on exam_item_mark (marker_teacher_id);
