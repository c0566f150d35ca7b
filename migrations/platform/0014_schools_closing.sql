-- 院校: the defaults of new schools, what a closing needs to remember, which warnings were given. Owner: platform/schools.

-- 平台默认: the settings with which a new school begins; copied into its `school_setting` when it is opened. Null means
-- the default that the code registers for the key.
create table school_setting_default (
    id         bigint generated always as identity,
    key        text    not null,
    value      jsonb   not null,
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint school_setting_default_key primary key (id)
);
--;;
create unique index school_setting_default_taken on school_setting_default (key);
--;;
-- What an archived school was; `status_before` is what a suspended one was, and one that was archived while it was
-- suspended needs both.
alter table school add column archived_from text;
--;;
alter table school add constraint school_archived_from_known
    check ((status = 'archived') = (archived_from is not null) and archived_from in ('trial', 'active', 'suspended'));
--;;
-- The last warning before the end of the service: for which end, and how many days before it. A new end is warned of anew.
alter table school add column warned_end date;
--;;
alter table school add column warned_days integer;
--;;
alter table school add constraint school_warned_days_known check (warned_days in (30, 7, 1));
