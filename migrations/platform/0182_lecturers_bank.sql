-- Where the money of whoever earns on the site goes (01 §9.5, §9.11). Owner: platform/lecturers.

-- 收款银行卡: one of a learner. A withdrawal keeps the card as it was when it was asked for.
create table account_bank (
    id             bigint generated always as identity,
    learner_id     bigint not null,
    bank_card_no   text   not null,
    bank_name      text   not null,
    bank_branch    text,
    bank_user_name text   not null,
    phone          text   not null,
    created_at     timestamptz not null default now(),
    created_by     bigint  not null,
    updated_at     timestamptz not null default now(),
    updated_by     bigint  not null,
    version        integer not null default 1,
    constraint account_bank_key primary key (id),
    constraint account_bank_learner_taken unique (learner_id),
    constraint account_bank_of_learner foreign key (learner_id) references user_ext (id)
);
