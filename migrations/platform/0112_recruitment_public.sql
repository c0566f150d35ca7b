-- Codes by short message that visitors of public forms asked for, so that phone and address are counted over all schools and
-- by all servers (02 §13). Neither the phone nor the code stands here. Rows of more than two days go. Owner: tenant/recruitment.
create table public_code_sent (
    id           bigint generated always as identity,
    school_id    bigint not null,
    -- Keyed, so that no table of all phones leads back.
    phone_digest bytea  not null,
    client_ip    text   not null,
    sent_at      timestamptz not null,
    constraint public_code_sent_key primary key (id)
);
--;;
create index public_code_sent_phone on public_code_sent (phone_digest, sent_at desc);
--;;
create index public_code_sent_address on public_code_sent (client_ip, sent_at desc);
--;;
create index public_code_sent_by_age on public_code_sent (sent_at);
