-- Orders and payments of the operators' online-education site (01 §9.4).
-- Owners: platform/orders (all tables), platform/settings (the new columns of pay_channel), platform/messages (whom messages go to).
--
--     pending ─paid→ paid ─refund→ refunding ─whole→ refunded        refunding ─part, or refused→ paid
--        └─30 minutes, or cancelled→ closed ─paid too late→ paid │ refunding

-- 支付方式, what the provider keeps of each payment (0.006 means 0.6 %), and how the way is shown.
alter table pay_channel add column pay_type text not null default 'offline';
--;;
alter table pay_channel add column fee_rate numeric(5, 4) not null default 0;
--;;
alter table pay_channel add column logo text;
--;;
update pay_channel
set pay_type = case provider when 'wechat_v3' then 'wechat' when 'alipay' then 'alipay' else 'offline' end,
    fee_rate = case when provider in ('wechat_v3', 'alipay') then 0.006 else 0 end;
--;;
alter table pay_channel add constraint pay_channel_pay_type_known check (pay_type in ('wechat', 'alipay', 'offline'));
--;;
alter table pay_channel add constraint pay_channel_fee_range check (fee_rate between 0 and 0.05);
--;;
-- 支付规则: by which channel an amount is paid on a terminal. The smallest priority wins.
create table pay_rule (
    id         bigint generated always as identity,
    terminal   text    not null,
    pay_type   text    not null,
    channel_id bigint  not null,
    -- 分; no upper end where it is null.
    min_amount bigint  not null default 0,
    max_amount bigint,
    priority   integer not null,
    enabled    boolean not null default true,
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint pay_rule_key primary key (id),
    constraint pay_rule_terminal_known check (terminal in ('pc', 'h5', 'app', 'mini_program', 'wechat_browser')),
    constraint pay_rule_pay_type_known check (pay_type in ('wechat', 'alipay', 'offline')),
    constraint pay_rule_priority_taken unique (terminal, pay_type, priority),
    constraint pay_rule_priority_range check (priority between 1 and 99),
    constraint pay_rule_amount_order check (min_amount >= 0 and min_amount <= max_amount),
    constraint pay_rule_of_channel foreign key (channel_id) references pay_channel (id)
);
--;;
create index pay_rule_channel on pay_rule (channel_id);
--;;
-- 订单. The product's name and prices are those of the day on which it was ordered; amounts are 分. What is split is frozen until
-- `settled_at`. `price_paid` is to be paid, and was once `paid_at` stands.
create table order_info (
    id              bigint generated always as identity,
    order_no        text collate "C" not null,
    learner_id      bigint  not null,
    phone           text collate "C" not null,
    product_type    text    not null,
    product_id      bigint  not null,
    product_name    text    not null,
    -- How long the product may be used; null for ever. Of membership the months stand in its set.
    valid_days      integer,
    lecturer_id     bigint,
    -- Into whose account the lecturer's part went when it was paid; null for a lecturer without an account on the site.
    lecturer_learner_id bigint,
    price_original  bigint  not null,
    price_sale      bigint  not null,
    seckill_id      bigint,
    vip_discount    bigint  not null default 0,
    -- A row of coupon_user, which names this order.
    coupon_user_id  bigint,
    coupon_discount bigint  not null default 0,
    price_paid      bigint  not null,
    refunded_amount bigint  not null default 0,
    pay_type        text,
    channel_id      bigint,
    trade_no        text,
    order_status    text    not null default 'pending',
    source          text    not null,
    -- Where it was ordered; null for what an operator opened.
    terminal        text,
    -- Who brought the buyer, and their part.
    promoter_id     bigint,
    promoter_ratio  numeric(3, 2),
    commission      bigint  not null default 0,
    lecturer_profit bigint  not null default 0,
    platform_profit bigint  not null default 0,
    fee_amount      bigint  not null default 0,
    pay_before      timestamptz not null,
    paid_at         timestamptz,
    closed_at       timestamptz,
    settled_at      timestamptz,
    abnormal        text    not null default 'none',
    remark_admin    text,
    created_at      timestamptz not null default now(),
    created_by      bigint  not null,
    updated_at      timestamptz not null default now(),
    updated_by      bigint  not null,
    version         integer not null default 1,
    constraint order_info_key primary key (id),
    constraint order_info_no_taken unique (order_no),
    constraint order_info_no_shape check (order_no ~ '^[0-9]{18}$'),
    constraint order_info_product_known check (product_type in ('record', 'live', 'resource', 'exam', 'vip')),
    constraint order_info_pay_type_known check (pay_type in ('wechat', 'alipay', 'offline', 'free')),
    constraint order_info_status_known check (order_status in ('pending', 'paid', 'refunding', 'refunded', 'closed')),
    constraint order_info_source_known check (source in ('pc', 'h5', 'app', 'mini_program', 'manual')),
    constraint order_info_terminal_known check (terminal in ('pc', 'h5', 'app', 'mini_program', 'wechat_browser')),
    constraint order_info_abnormal_known check (abnormal in ('none', 'amount_mismatch', 'late_paid')),
    constraint order_info_price_range check (price_paid >= 0 and price_sale >= 0 and price_original >= 0),
    constraint order_info_refund_range check (refunded_amount between 0 and price_paid),
    constraint order_info_paid_missing check (order_status in ('pending', 'closed') or paid_at is not null),
    constraint order_info_closed_missing check (order_status <> 'closed' or closed_at is not null),
    constraint order_info_promoter_whole check ((promoter_id is null) = (promoter_ratio is null)),
    constraint order_info_of_learner foreign key (learner_id) references user_ext (id),
    constraint order_info_of_lecturer foreign key (lecturer_id) references lecturer (id),
    constraint order_info_of_earner foreign key (lecturer_learner_id) references user_ext (id),
    constraint order_info_of_seckill foreign key (seckill_id) references seckill (id),
    constraint order_info_of_channel foreign key (channel_id) references pay_channel (id),
    constraint order_info_of_promoter foreign key (promoter_id) references user_ext (id)
);
--;;
create index order_info_newest on order_info (created_at desc, id desc);
--;;
create index order_info_status on order_info (order_status, created_at desc, id desc);
--;;
create index order_info_learner on order_info (learner_id, created_at desc, id desc);
--;;
create index order_info_phone on order_info (phone);
--;;
create index order_info_product on order_info (product_type, product_id, created_at desc);
--;;
create index order_info_pay_type on order_info (pay_type, created_at desc, id desc) where pay_type is not null;
--;;
create index order_info_source on order_info (source, created_at desc, id desc);
--;;
-- What promoters brought of a product.
create index order_info_brought on order_info (product_type, product_id) where promoter_id is not null;
--;;
create index order_info_paid on order_info (paid_at desc) where paid_at is not null;
--;;
create index order_info_lecturer on order_info (lecturer_id, created_at desc, id desc) where lecturer_id is not null;
--;;
create index order_info_earner on order_info (lecturer_learner_id) where lecturer_learner_id is not null;
--;;
create index order_info_seckill on order_info (seckill_id, learner_id) where seckill_id is not null;
--;;
create index order_info_channel on order_info (channel_id) where channel_id is not null;
--;;
create index order_info_promoter on order_info (promoter_id) where promoter_id is not null;
--;;
create index order_info_abnormal on order_info (abnormal, created_at desc) where abnormal <> 'none';
--;;
-- What is to be closed.
create index order_info_overdue on order_info (pay_before) where order_status = 'pending';
--;;
-- What is to be settled.
create index order_info_unsettled on order_info (paid_at) where order_status = 'paid' and settled_at is null;
--;;
-- Of a product somebody has one order that waits. Membership is bought month upon month.
create unique index order_info_pending_once on order_info (learner_id, product_type, product_id)
    where order_status = 'pending' and product_type <> 'vip';
--;;
-- 到账: a payment that a provider told of, or an operator. A provider tells several times of one: its number counts once.
create table order_payment (
    id         bigint generated always as identity,
    order_id   bigint  not null,
    channel_id bigint  not null,
    trade_no   text    not null,
    pay_type   text    not null,
    -- 分.
    amount     bigint  not null,
    paid_at    timestamptz not null,
    -- What became of it: it paid the order, it was another amount, it goes back.
    outcome    text    not null,
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint order_payment_key primary key (id),
    constraint order_payment_taken unique (channel_id, trade_no),
    constraint order_payment_outcome_known check (outcome in ('paid', 'amount_mismatch', 'returned')),
    constraint order_payment_amount_range check (amount >= 0),
    constraint order_payment_of_order foreign key (order_id) references order_info (id),
    constraint order_payment_of_channel foreign key (channel_id) references pay_channel (id)
);
--;;
create index order_payment_order on order_payment (order_id, id);
--;;
-- 退款. What it takes back of each part is counted when it succeeds.
--     processing → success │ failed
create table order_refund (
    id                bigint generated always as identity,
    order_id          bigint  not null,
    -- Which payment goes back.
    payment_id        bigint  not null,
    amount            bigint  not null,
    reason            text    not null,
    status            text    not null default 'processing',
    refund_no         text collate "C" not null,
    channel_refund_no text,
    commission_back   bigint  not null default 0,
    lecturer_back     bigint  not null default 0,
    platform_back     bigint  not null default 0,
    fail_reason       text,
    -- 0: the server itself.
    operator_id       bigint  not null,
    finished_at       timestamptz,
    created_at        timestamptz not null default now(),
    created_by        bigint  not null,
    updated_at        timestamptz not null default now(),
    updated_by        bigint  not null,
    version           integer not null default 1,
    constraint order_refund_key primary key (id),
    constraint order_refund_no_taken unique (refund_no),
    constraint order_refund_status_known check (status in ('processing', 'success', 'failed')),
    constraint order_refund_amount_range check (amount > 0),
    constraint order_refund_finished_missing check ((status = 'processing') = (finished_at is null)),
    constraint order_refund_of_order foreign key (order_id) references order_info (id),
    constraint order_refund_of_payment foreign key (payment_id) references order_payment (id)
);
--;;
create index order_refund_order on order_refund (order_id, id);
--;;
create index order_refund_payment on order_refund (payment_id);
--;;
create index order_refund_running on order_refund (created_at) where status = 'processing';
--;;
-- 分销记录: what a promoter gets of an order. `reversed` went back with refunds.
--     frozen → settled        frozen, settled ─whole refund→ cancelled
create table distribution (
    id          bigint generated always as identity,
    order_id    bigint  not null,
    promoter_id bigint  not null,
    ratio       numeric(3, 2) not null,
    -- 分.
    amount      bigint  not null,
    reversed    bigint  not null default 0,
    status      text    not null default 'frozen',
    created_at  timestamptz not null default now(),
    created_by  bigint  not null,
    updated_at  timestamptz not null default now(),
    updated_by  bigint  not null,
    version     integer not null default 1,
    constraint distribution_key primary key (id),
    constraint distribution_order_once unique (order_id),
    constraint distribution_status_known check (status in ('frozen', 'settled', 'cancelled')),
    constraint distribution_amount_range check (amount >= 0 and reversed between 0 and amount),
    constraint distribution_of_order foreign key (order_id) references order_info (id),
    constraint distribution_of_promoter foreign key (promoter_id) references user_ext (id)
);
--;;
create index distribution_newest on distribution (created_at desc, id desc);
--;;
create index distribution_status on distribution (status, created_at desc, id desc);
--;;
create index distribution_promoter on distribution (promoter_id, created_at desc, id desc);
--;;
alter table coupon_user add constraint coupon_user_of_order foreign key (order_id) references order_info (id);
--;;
alter table user_vip add constraint user_vip_of_order foreign key (order_id) references order_info (id);
--;;
create index learner_right_order on learner_right (order_id) where order_id is not null;
--;;
alter table learner_right add constraint learner_right_of_order foreign key (order_id) references order_info (id);
--;;
-- Learners are told what became of their orders.
alter table msg_delivery drop constraint msg_delivery_recipient_known;
--;;
alter table msg_delivery add constraint msg_delivery_recipient_known check (recipient_type in ('student', 'account', 'learner')) not valid;
