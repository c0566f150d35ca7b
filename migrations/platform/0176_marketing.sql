-- Marketing of the operators' online-education site (01 §9.4). Owner: platform/marketing.
--
--     coupon ─received or granted→ coupon_user: unused ─ordered→ locked ─paid→ used     unused ─its time→ expired
--                                                  ↑──── closed ──────┘
--     seckill: a product at a lower price for a while, as long as the stock lasts
--     chosen: a product of whose price whoever brings the buyer gets a part

-- 优惠券. Amounts are 分. What somebody received is bound by these terms, so they stand still from the first receipt on.
create table coupon (
    id                 bigint generated always as identity,
    coupon_name        text    not null,
    coupon_type        text    not null,
    -- What the price must reach; 0 where it need not.
    threshold          bigint  not null default 0,
    -- What full reductions and direct ones take off.
    amount             bigint,
    -- What is paid of the price with a discount: 0.90 means 90 %; and the most that it takes off, null for any.
    rate               numeric(3, 2),
    max_discount       bigint,
    scope_type         text    not null,
    -- Of which kind the products of `scope_ids` are.
    scope_product_type text,
    scope_ids          bigint[] not null default '{}',
    total_count        integer not null,
    per_limit          integer not null default 1,
    receive_begins_at  timestamptz not null,
    receive_ends_at    timestamptz not null,
    -- Between two moments, or so many days from the receipt on.
    valid_type         text    not null,
    valid_from         timestamptz,
    valid_to           timestamptz,
    valid_days         integer,
    received_count     integer not null default 0,
    used_count         integer not null default 0,
    enabled            boolean not null default true,
    created_at         timestamptz not null default now(),
    created_by         bigint  not null,
    updated_at         timestamptz not null default now(),
    updated_by         bigint  not null,
    version            integer not null default 1,
    constraint coupon_key primary key (id),
    constraint coupon_type_known check (coupon_type in ('full_reduction', 'discount', 'direct')),
    constraint coupon_scope_known check (scope_type in ('all', 'category', 'product')),
    constraint coupon_valid_known check (valid_type in ('fixed', 'days')),
    constraint coupon_product_known check (scope_product_type in ('record', 'live', 'resource', 'exam', 'vip')),
    constraint coupon_threshold_range check (threshold >= 0),
    constraint coupon_amount_missing check ((coupon_type = 'discount') = (amount is null)),
    constraint coupon_amount_range check (amount > 0),
    constraint coupon_rate_missing check ((coupon_type = 'discount') = (rate is not null)),
    constraint coupon_rate_range check (rate between 0.01 and 0.99),
    constraint coupon_max_discount_range check (max_discount is null or max_discount > 0 and coupon_type = 'discount'),
    constraint coupon_scope_missing check ((scope_type = 'all') = (cardinality(scope_ids) = 0)),
    constraint coupon_product_missing check ((scope_type = 'product') = (scope_product_type is not null)),
    constraint coupon_count_range check (received_count between 0 and total_count),
    constraint coupon_used_range check (used_count between 0 and received_count),
    constraint coupon_limit_range check (per_limit between 1 and 100),
    constraint coupon_receive_order check (receive_begins_at < receive_ends_at),
    constraint coupon_valid_missing check (
        (valid_type = 'fixed') = (valid_from is not null and valid_to is not null) and (valid_type = 'days') = (valid_days is not null)
    ),
    constraint coupon_valid_order check (valid_from < valid_to),
    constraint coupon_days_range check (valid_days between 1 and 3650)
);
--;;
create index coupon_newest on coupon (created_at desc, id desc);
--;;
-- 领取记录: a coupon in somebody's hands. `order_id` is the order that holds or used it.
create table coupon_user (
    id         bigint generated always as identity,
    coupon_id  bigint  not null,
    learner_id bigint  not null,
    status     text    not null default 'unused',
    -- Given by an operator.
    granted    boolean not null,
    valid_from timestamptz not null,
    valid_to   timestamptz not null,
    order_id   bigint,
    used_at    timestamptz,
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint coupon_user_key primary key (id),
    constraint coupon_user_status_known check (status in ('unused', 'locked', 'used', 'expired')),
    constraint coupon_user_order_missing check ((status in ('locked', 'used')) = (order_id is not null)),
    constraint coupon_user_used_missing check ((status = 'used') = (used_at is not null)),
    constraint coupon_user_of_coupon foreign key (coupon_id) references coupon (id),
    constraint coupon_user_of_learner foreign key (learner_id) references user_ext (id)
);
--;;
create index coupon_user_coupon on coupon_user (coupon_id, id desc);
--;;
create index coupon_user_learner on coupon_user (learner_id, id desc);
--;;
-- An order holds one.
create unique index coupon_user_order_once on coupon_user (order_id) where order_id is not null;
--;;
-- What ends, and of what its owner is told before.
create index coupon_user_ending on coupon_user (valid_to) where status = 'unused';
--;;
-- 秒杀活动. Sold and locked together never exceed the stock: the order that takes one says so in its own statement.
create table seckill (
    id            bigint generated always as identity,
    activity_name text    not null,
    product_type  text    not null,
    product_id    bigint  not null,
    -- 分.
    seckill_price bigint  not null,
    stock_total   integer not null,
    stock_sold    integer not null default 0,
    stock_locked  integer not null default 0,
    per_limit     integer not null default 1,
    begins_at     timestamptz not null,
    ends_at       timestamptz not null,
    enabled       boolean not null default true,
    created_at    timestamptz not null default now(),
    created_by    bigint  not null,
    updated_at    timestamptz not null default now(),
    updated_by    bigint  not null,
    version       integer not null default 1,
    constraint seckill_key primary key (id),
    constraint seckill_product_known check (product_type in ('record', 'live', 'resource', 'exam', 'vip')),
    constraint seckill_price_range check (seckill_price >= 0),
    constraint seckill_stock_range check (stock_sold >= 0 and stock_locked >= 0 and stock_sold + stock_locked <= stock_total),
    constraint seckill_limit_range check (per_limit between 1 and 99),
    constraint seckill_span check (begins_at < ends_at)
);
--;;
create index seckill_newest on seckill (begins_at desc, id desc);
--;;
create index seckill_product on seckill (product_type, product_id, begins_at);
--;;
-- 分销商品: `ratio` of what is paid goes to whoever brought the buyer.
create table chosen (
    id                 bigint generated always as identity,
    product_type       text    not null,
    product_id         bigint  not null,
    ratio              numeric(3, 2) not null,
    begins_at          timestamptz not null,
    ends_at            timestamptz not null,
    poster_template_id bigint,
    enabled            boolean not null default true,
    created_at         timestamptz not null default now(),
    created_by         bigint  not null,
    updated_at         timestamptz not null default now(),
    updated_by         bigint  not null,
    version            integer not null default 1,
    constraint chosen_key primary key (id),
    constraint chosen_product_known check (product_type in ('record', 'live', 'resource', 'exam', 'vip')),
    constraint chosen_product_taken unique (product_type, product_id),
    constraint chosen_ratio_range check (ratio between 0.01 and 0.50),
    constraint chosen_span check (begins_at < ends_at),
    constraint chosen_of_poster foreign key (poster_template_id) references sharing_template (id)
);
--;;
create index chosen_newest on chosen (created_at desc, id desc);
--;;
create index chosen_poster on chosen (poster_template_id) where poster_template_id is not null;
