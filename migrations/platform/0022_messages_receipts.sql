-- 短信回执: a provider tells by its own number what became of a short message, and names no school. Two halves meet here,
-- in either order: what was sent (delivery_id, school_id) and what the provider told (told_at). Owner: platform/messages.
--     sent alone │ told alone ─→ both: due_at ─applied in the delivery's schema→ due_at null;  all gone after seven days
-- Counted by the config under whose secret it was told, so that nobody speaks of another's messages. No address is kept.
create table msg_receipt (
    config_id       bigint not null,
    -- 阿里云 BizId, 腾讯云 SerialNo.
    provider_msg_id text collate "C" not null,
    delivery_id     bigint,
    -- Null beside a delivery_id: the platform's own.
    school_id       bigint,
    ok              boolean,
    -- What the provider calls the failure, and says of it.
    provider_code   text,
    detail          text,
    -- When the person got it, or when it failed.
    told_at         timestamptz,
    -- When both halves are there and the delivery does not know yet.
    due_at          timestamptz,
    created_at      timestamptz not null,
    constraint msg_receipt_key primary key (config_id, provider_msg_id),
    constraint msg_receipt_told_whole check ((told_at is null) = (ok is null)),
    constraint msg_receipt_due_both check (due_at is null or (told_at is not null and delivery_id is not null))
);
--;;
create index msg_receipt_due on msg_receipt (due_at) where due_at is not null;
--;;
create index msg_receipt_oldest on msg_receipt (created_at);
