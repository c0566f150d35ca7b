-- The public form of pre-registration (02 §13): codes that prove a phone, and codes that open one's own row again.
-- Owner: tenant/recruitment.
--
-- The last code of a phone: good for some minutes, some tries, and one use. It is stored keyed, as its phone is.
create table pre_registration_code (
    phone_digest bytea   not null,
    code_digest  bytea   not null,
    -- Wrong tries.
    failures     integer not null default 0,
    sent_at      timestamptz not null,
    expires_at   timestamptz not null,
    used_at      timestamptz,
    constraint pre_registration_code_key primary key (phone_digest)
);
--;;
create index pre_registration_code_by_age on pre_registration_code (expires_at);
--;;
-- SHA-256 of the 查询码 that whoever filled in the form was shown once; none of rows that came in otherwise.
alter table pre_registration add column query_code_hash bytea;
--;;
-- The key of the browser's visits, so that a registration can be counted with the link that led to it (05 A1).
alter table pre_registration add column visitor_key text collate "C";
