-- What a call's body does not say and the log keeps: rows, file and size of an export, the sum of an import (05 E1);
-- and the session, by which the steps of one entry into a school are found again (05 E2).
alter table sys_log add column notes jsonb not null default '{}';
--;;
alter table sys_log add column session_id uuid;
--;;
create index sys_log_of_session on sys_log (session_id, id) where session_id is not null;
--;;
-- Whole personal values that an account has seen on a day; counted before the value is given (05 E4).
create table plain_view_count (
    user_id bigint  not null,
    day     date    not null,
    seen    integer not null,
    constraint plain_view_count_key primary key (user_id, day)
);
