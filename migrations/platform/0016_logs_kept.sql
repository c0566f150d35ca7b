-- The two logs lie in months, so that what is older than `log.keepMonths` goes as a whole (01 §6, 05 E3), and each day is
-- sealed, so that a changed row is found (05 E1). Owner: platform/logs.
--
--     login_log, sys_log ─┬─ …_202611   one table a month of China, made two months ahead
--                         └─ …_other    what fits none; empty while the server runs at least once in two months

alter table login_log rename to login_log_old;
--;;
alter table sys_log rename to sys_log_old;
--;;
create table login_log (like login_log_old including defaults including constraints) partition by range (at);
--;;
create table sys_log (like sys_log_old including defaults) partition by range (at);
--;;
alter table login_log alter column id add generated always as identity;
--;;
alter table sys_log alter column id add generated always as identity;
--;;
create table login_log_other partition of login_log default;
--;;
create table sys_log_other partition of sys_log default;
--;;
-- From the first month that has rows to the next one.
do $$
declare
    log text;
    month timestamp;
begin
    foreach log in array array['login_log', 'sys_log'] loop
        execute format('select date_trunc(''month'', coalesce(min(at), now()) at time zone ''Asia/Shanghai'') from %I', log || '_old')
            into month;
        while month <= date_trunc('month', now() at time zone 'Asia/Shanghai') + interval '1 month' loop
            execute format('create table %I partition of %I for values from (%L) to (%L)', log || to_char(month, '_YYYYMM'), log,
                month at time zone 'Asia/Shanghai', (month + interval '1 month') at time zone 'Asia/Shanghai');
            month := month + interval '1 month';
        end loop;
    end loop;
end $$;
--;;
insert into login_log overriding system value select * from login_log_old;
--;;
insert into sys_log overriding system value select * from sys_log_old;
--;;
select setval(pg_get_serial_sequence('login_log', 'id'), coalesce(max(id), 0) + 1, false) from login_log;
--;;
select setval(pg_get_serial_sequence('sys_log', 'id'), coalesce(max(id), 0) + 1, false) from sys_log;
--;;
drop table login_log_old;
--;;
drop table sys_log_old;
--;;
alter table login_log add constraint login_log_key primary key (id, at);
--;;
create index login_log_newest on login_log (at desc, id desc);
--;;
create index login_log_of_school on login_log (school_id, at desc);
--;;
create index login_log_of_account on login_log (lower(login_name) collate "C", at desc);
--;;
create index login_log_of_person on login_log (real_name collate "C", at desc);
--;;
create index login_log_of_days on login_log (at) where success and event = 'login';
--;;
alter table sys_log add constraint sys_log_key primary key (id, at);
--;;
create index sys_log_newest on sys_log (at desc, id desc);
--;;
create index sys_log_school on sys_log (school_id, at desc);
--;;
create index sys_log_of_actor on sys_log (actor_id, at desc);
--;;
create index sys_log_trace on sys_log (trace_id);
--;;
create index sys_log_of_session on sys_log (session_id, id) where session_id is not null;
--;;
create index sys_log_of_system on sys_log (at desc, id desc) where actor_type in ('platform', 'job');
--;;
create index sys_log_of_users on sys_log (at desc, id desc)
    where actor_type not in ('platform', 'job') or (actor_type = 'platform' and school_id is not null);
--;;
create index sys_log_of_person on sys_log (actor_name collate "C", at desc);
--;;
-- A sealed day: of each row its number and the beginning of its hash, sixteen bytes a row in the order of the numbers, and
-- over all of them a hash that continues that of the day before. Insert only.
create table log_seal (
    log       text        not null,
    day       date        not null,
    rows      bigint      not null,
    digests   bytea       not null,
    hash      bytea       not null,
    sealed_at timestamptz not null,
    constraint log_seal_key primary key (log, day),
    constraint log_seal_log_known check (log in ('login', 'operation')),
    constraint log_seal_of_rows check (length(digests) = rows * 16)
);
