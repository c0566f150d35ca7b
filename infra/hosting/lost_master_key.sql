-- When the master key is lost for good (see the run book): forgets everything that it sealed, so that servers start with a new key.
-- As the owner, with all servers stopped:  psql "$DATABASE_OWNER_URL" -v ON_ERROR_STOP=1 --file lost_master_key.sql
--
-- Stays: schools, people, their passwords (they are hashed), files.
-- Goes: sessions, secrets of configs and payment channels, second steps with their recovery codes, initial passwords that nobody
-- fetched, what jobs that wait were told, and of imports the former values of edited records (they cannot be undone any more).
begin;
set local search_path = platform, ext;
delete from server_key;
update sys_config set secrets = null, version = version + 1, updated_at = now(), updated_by = 0 where secrets is not null;
update pay_channel_unique set secrets = null, version = version + 1, updated_at = now(), updated_by = 0 where secrets is not null;
delete from sys_recovery_code;
delete from sys_user_totp;
update initial_password_sheet set sealed = null where sealed is not null;
commit;
