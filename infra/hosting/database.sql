-- Prepares a PostgreSQL (15 or newer) that the server does not start itself: two roles, the database, the extensions. Run once by
-- a superuser (or what a cloud gives instead of one); it may be repeated.
--
--   OWNER_PASSWORD=… APP_PASSWORD=… psql --dbname postgres -v ON_ERROR_STOP=1 --file database.sql
--
-- (psql 14 or newer. The passwords come from the environment: everybody on a machine sees the arguments of its programs.)
--
-- chengjiao_owner  owns the tables, makes schools and their roles             → DATABASE_OWNER_URL
-- chengjiao_app    answers requests; inherits nothing, so that what it may is only what a transaction takes on → DATABASE_URL

\getenv owner_password OWNER_PASSWORD
\getenv app_password APP_PASSWORD
\if :{?owner_password}
\else
\warn 'OWNER_PASSWORD is not in the environment'
select 1 / 0 as owner_password_is_missing;
\endif
\if :{?app_password}
\else
\warn 'APP_PASSWORD is not in the environment'
select 1 / 0 as app_password_is_missing;
\endif

select 'create role chengjiao_owner login createrole'
where not exists (select from pg_roles where rolname = 'chengjiao_owner') \gexec
select 'create role chengjiao_app login noinherit'
where not exists (select from pg_roles where rolname = 'chengjiao_app') \gexec
select 'create role chengjiao_platform nologin'
where not exists (select from pg_roles where rolname = 'chengjiao_platform') \gexec
alter role chengjiao_owner password :'owner_password';
alter role chengjiao_app noinherit password :'app_password';
-- The owner gives what it has to who needs it.
grant chengjiao_platform to chengjiao_owner with admin option;
-- The monitor shows what all roles run.
grant pg_read_all_stats to chengjiao_platform;

-- Whoever runs this in a cloud is no superuser, and must be a member to make something the owner's.
select format('grant chengjiao_owner to %I', current_user)
where not (select rolsuper from pg_roles where rolname = current_user) \gexec
select 'create database chengjiao owner chengjiao_owner encoding ''UTF8'' template template0'
where not exists (select from pg_database where datname = 'chengjiao') \gexec

\connect chengjiao
create schema if not exists ext authorization chengjiao_owner;
grant usage on schema ext to public;
create extension if not exists btree_gist schema ext;
-- For the monitor, where it may be made; it counts only where shared_preload_libraries names it.
do $$ begin
    create extension if not exists pg_stat_statements schema ext;
exception when insufficient_privilege or undefined_file or feature_not_supported then
    raise notice 'without pg_stat_statements the monitor shows no statements';
end $$;
-- Nobody makes things in the schema that everybody sees.
revoke create on schema public from public;
