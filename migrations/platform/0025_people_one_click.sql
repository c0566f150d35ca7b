-- 一键登录 of the last hour, by whom: thirty are all that a member of the staff has over all schools (01 §1.4.14), and a
-- school sees only its own. Older rows go with the next. Owner: tenant/people.
create table one_click_entry (
    id      bigint generated always as identity,
    user_id bigint      not null,
    at      timestamptz not null,
    constraint one_click_entry_key primary key (id)
);
--;;
create index one_click_entry_of_user on one_click_entry (user_id, at);
