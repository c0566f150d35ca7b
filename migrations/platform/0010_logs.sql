-- What the log screens ask for (01 §6.2, 05 E1): always a span of days, often a person in it, newest first.
-- Owner: platform/logs. Rows are written by infra and by platform/accounts.

-- People type an account from its beginning, without regard to case.
create index login_log_of_account on login_log (lower(login_name) collate "C", at desc);
--;;
create index login_log_of_person on login_log (real_name collate "C", at desc);
--;;
-- Its place is taken by login_log_of_account.
drop index login_log_of_name;
--;;
alter table login_log add constraint login_log_event_known check (event in ('login', 'login_failed', 'logout', 'kicked',
    'idle', 'expired', 'school_enter', 'school_leave', 'one_click'));
--;;
-- Two lists part the operation log by who acted; what operators do inside a school stands in both.
create index sys_log_of_system on sys_log (at desc, id desc) where actor_type in ('platform', 'job');
--;;
create index sys_log_of_users on sys_log (at desc, id desc)
    where actor_type not in ('platform', 'job') or (actor_type = 'platform' and school_id is not null);
--;;
create index sys_log_of_person on sys_log (actor_name collate "C", at desc);
