-- 支付通道: by whom the operators' site is paid, and the account there (01 §9.4). Owner of all here: platform/settings.
create table pay_channel (
    id           bigint generated always as identity,
    channel_code text    not null,
    channel_name text    not null,
    provider     text    not null,
    -- Whether its account has all that the provider asks for; kept by the statement that writes the account.
    configured   boolean not null default false,
    enabled      boolean not null default false,
    created_at   timestamptz not null default now(),
    created_by   bigint  not null,
    updated_at   timestamptz not null default now(),
    updated_by   bigint  not null,
    version      integer not null default 1,
    constraint pay_channel_key primary key (id),
    constraint pay_channel_code_shape check (channel_code ~ '^[a-z][a-z0-9_]{1,49}$'),
    constraint pay_channel_code_taken unique (channel_code),
    constraint pay_channel_provider_known check (provider in ('wechat_v3', 'alipay', 'offline', 'mock')),
    constraint pay_channel_enabled_missing check (configured or not enabled)
);
--;;
-- The account of a channel at its provider; one a channel. `secrets` is sealed, as of `sys_config`.
create table pay_channel_unique (
    id         bigint generated always as identity,
    channel_id bigint not null,
    content    jsonb  not null,
    secrets    bytea,
    created_at timestamptz not null default now(),
    created_by bigint not null,
    updated_at timestamptz not null default now(),
    updated_by bigint not null,
    version    integer not null default 1,
    constraint pay_channel_unique_key primary key (id),
    constraint pay_channel_unique_of_channel foreign key (channel_id) references pay_channel (id),
    constraint pay_channel_unique_once unique (channel_id),
    constraint pay_channel_unique_content_shape check (jsonb_typeof(content) = 'object')
);
--;;
-- What a site of this country is paid by; 线下 needs no account.
insert into pay_channel (channel_code, channel_name, provider, configured, created_by, updated_by)
values ('wechat', '微信支付', 'wechat_v3', false, 0, 0), ('alipay', '支付宝', 'alipay', false, 0, 0), ('offline', '线下收款', 'offline', true, 0, 0);
