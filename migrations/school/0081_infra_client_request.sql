-- What people of the client applications sent under a number of their own within the last day, with the answer that they got:
-- sent again after a lost answer it does nothing, and is answered alike. Owner: infra.
create table client_request (
    person_kind text   not null,
    person_id   bigint not null,
    request_id  text   not null,
    operation   text   not null,
    body_hash   bytea  not null,
    answer      jsonb  not null,
    created_at  timestamptz not null default now(),
    constraint client_request_used primary key (person_kind, person_id, request_id)
);
