-- 文件 and 音视频 of a school (01 §4.1). Owner: file_object infra, media_asset platform/settings.

-- In which store the bytes lie; null: the deployment's own.
alter table file_object add column storage_config_id bigint;
--;;
-- 音视频: the only record of a video or audio; other tables keep its id.
--     uploading ─(channel)→ processing ─(channel)→ ready │ failed
create table media_asset (
    id          bigint generated always as identity,
    title       text    not null,
    channel     text    not null,
    -- The channel's number, or the key in the store.
    vid         text    not null,
    file_name   text    not null,
    size        bigint  not null,
    -- Seconds; null until the channel has told them.
    duration    integer,
    cover_url   text,
    state       text    not null default 'uploading',
    fail_reason text,
    category_id text,
    created_at  timestamptz not null default now(),
    created_by  bigint  not null,
    updated_at  timestamptz not null default now(),
    updated_by  bigint  not null,
    version     integer not null default 1,
    constraint media_asset_key primary key (id),
    constraint media_asset_channel_known check (channel in ('storage', 'aliyun', 'polyv', 'baijiayun')),
    constraint media_asset_state_known check (state in ('uploading', 'processing', 'ready', 'failed'))
);
--;;
create unique index media_asset_vid_taken on media_asset (channel, vid);
--;;
create index media_asset_newest on media_asset (id desc, state);
