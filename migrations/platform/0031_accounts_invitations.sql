-- 院校邀请: a school asks somebody who works elsewhere already to work there too. It is no binding: nothing that asks where
-- an account works reads this table, so until the person agrees it opens and takes nothing. The roles and the
-- administrator's flag are given when he agrees. Owner: platform/accounts.
create table sys_school_invitation (
    id           bigint generated always as identity,
    user_id      bigint  not null,
    school_id    bigint  not null,
    -- As the inviting person typed it; all that the school is told of the account besides a masked name.
    login_name   text    not null,
    role_ids     bigint[] not null,
    -- [{roleId, siteIds, classIds}]: what the roles reach for this person instead of their own.
    scopes       jsonb   not null,
    gmt_expires  timestamptz,
    is_admin     boolean not null,
    state        text    not null default 'pending',
    ends_at      timestamptz not null,
    decided_at   timestamptz,
    created_at   timestamptz not null default now(),
    created_by   bigint  not null,
    updated_at   timestamptz not null default now(),
    updated_by   bigint  not null,
    version      integer not null default 1,
    constraint sys_school_invitation_key primary key (id),
    constraint sys_school_invitation_of_user foreign key (user_id) references sys_user (id),
    constraint sys_school_invitation_at_school foreign key (school_id) references school (id),
    constraint sys_school_invitation_state_known check (state in ('pending', 'accepted', 'refused', 'withdrawn')),
    constraint sys_school_invitation_roles_missing check (cardinality(role_ids) > 0)
);
--;;
create unique index sys_school_invitation_once on sys_school_invitation (user_id, school_id) where state = 'pending';
--;;
create index sys_school_invitation_of_school on sys_school_invitation (school_id, id desc);
--;;
-- Wrong own passwords of a session count within a quarter of an hour; null while there is none.
alter table sys_session add column password_failed_at timestamptz;
