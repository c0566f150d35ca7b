-- Teachers, site staff and class managers, and the sessions of all people of the clients. Owner: tenant/people.
-- Their accounts stand in client_account since 0002.

-- 教师. A row of somebody who left stays: what he taught refers to it.
create table teacher (
    id              bigint generated always as identity,
    work_no         text    not null,
    name            text    not null,
    initials        text    not null,
    gender          text,
    birthday        date,
    id_card_type    text,
    id_card_no      text collate "C",
    -- A code of the dictionary ethnicity.
    ethnicity       text,
    phone           text collate "C" not null,
    email           text,
    organization_id bigint  not null,
    education       text,
    degree          text,
    title           text,
    kind            text    not null default 'full_time',
    duties          text[]  not null default '{}',
    bank_name       text,
    bank_card_no    text,
    photo           text,
    remark          text,
    status          text    not null default 'active',
    created_at      timestamptz not null default now(),
    created_by      bigint  not null,
    updated_at      timestamptz not null default now(),
    updated_by      bigint  not null,
    version         integer not null default 1,
    constraint teacher_key primary key (id),
    constraint teacher_work_no_shape check (work_no ~ '^[A-Za-z0-9_-]{1,32}$'),
    constraint teacher_gender_known check (gender in ('male', 'female')),
    constraint teacher_id_card_type_known check (id_card_type in ('resident_id', 'hmt_residence', 'hk_macau_permit',
        'taiwan_permit', 'foreign_permanent', 'passport', 'military_id')),
    constraint teacher_id_card_whole check ((id_card_type is null) = (id_card_no is null)),
    constraint teacher_education_known check (education in ('doctor', 'master', 'bachelor', 'other')),
    constraint teacher_title_known check (title in ('professor', 'associate_professor', 'lecturer', 'assistant',
        'engineer', 'other')),
    constraint teacher_kind_known check (kind in ('full_time', 'external')),
    constraint teacher_duties_known check (duties <@ array['lecturer', 'tutor', 'adviser', 'marker', 'invigilator',
        'reviewer']),
    constraint teacher_status_known check (status in ('active', 'disabled', 'left')),
    constraint teacher_of_organization foreign key (organization_id) references organization (id)
);
--;;
create unique index teacher_work_no_taken on teacher (lower(work_no));
--;;
create unique index teacher_phone_taken on teacher (phone);
--;;
create unique index teacher_id_card_taken on teacher (id_card_type, id_card_no) where id_card_no is not null;
--;;
create index teacher_organization on teacher (organization_id);
--;;
-- The majors that a teacher teaches in.
create table teacher_major (
    teacher_id bigint not null,
    major_id   bigint not null,
    constraint teacher_major_key primary key (teacher_id, major_id),
    constraint teacher_major_of_teacher foreign key (teacher_id) references teacher (id) on delete cascade,
    constraint teacher_major_of_major foreign key (major_id) references major (id)
);
--;;
create index teacher_major_by_major on teacher_major (major_id);
--;;
-- 站点人员: who looks after a site, in the site client.
create table site_staff (
    id         bigint generated always as identity,
    site_id    bigint  not null,
    work_no    text,
    name       text    not null,
    initials   text    not null,
    gender     text,
    id_card_no text collate "C",
    phone      text collate "C" not null,
    email      text,
    duty       text    not null,
    is_primary boolean not null default false,
    status     text    not null default 'active',
    remark     text,
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint site_staff_key primary key (id),
    constraint site_staff_work_no_shape check (work_no ~ '^[A-Za-z0-9_-]{1,32}$'),
    constraint site_staff_gender_known check (gender in ('male', 'female')),
    constraint site_staff_duty_known check (duty in ('principal', 'academic', 'admission', 'finance', 'other')),
    constraint site_staff_status_known check (status in ('active', 'disabled', 'left')),
    constraint site_staff_of_site foreign key (site_id) references site (id)
);
--;;
create unique index site_staff_work_no_taken on site_staff (lower(work_no)) where work_no is not null;
--;;
create unique index site_staff_phone_taken on site_staff (phone);
--;;
-- 主要负责人: one a site.
create unique index site_staff_primary_taken on site_staff (site_id) where is_primary;
--;;
create index site_staff_site on site_staff (site_id);
--;;
-- 班主任. Which classes are his stands in class.manager_id: a class has one manager.
create table class_manager (
    id         bigint generated always as identity,
    work_no    text    not null,
    name       text    not null,
    initials   text    not null,
    gender     text,
    id_card_no text collate "C",
    phone      text collate "C" not null,
    -- Who also teaches.
    teacher_id bigint,
    status     text    not null default 'active',
    remark     text,
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint class_manager_key primary key (id),
    constraint class_manager_work_no_shape check (work_no ~ '^[A-Za-z0-9_-]{1,32}$'),
    constraint class_manager_gender_known check (gender in ('male', 'female')),
    constraint class_manager_status_known check (status in ('active', 'disabled', 'left')),
    constraint class_manager_of_teacher foreign key (teacher_id) references teacher (id)
);
--;;
create unique index class_manager_work_no_taken on class_manager (lower(work_no));
--;;
create unique index class_manager_phone_taken on class_manager (phone);
--;;
create unique index class_manager_teacher_taken on class_manager (teacher_id) where teacher_id is not null;
--;;
-- The sites whose classes a manager may have.
create table class_manager_site (
    manager_id bigint not null,
    site_id    bigint not null,
    constraint class_manager_site_key primary key (manager_id, site_id),
    constraint class_manager_site_of_manager foreign key (manager_id) references class_manager (id) on delete cascade,
    constraint class_manager_site_of_site foreign key (site_id) references site (id)
);
--;;
create index class_manager_site_by_site on class_manager_site (site_id);
--;;
alter table class add column manager_id bigint;
--;;
alter table class add constraint class_of_class_manager foreign key (manager_id) references class_manager (id);
--;;
create index class_manager_of_class on class (manager_id) where manager_id is not null;
--;;
-- A session of a person of the clients. Stands in the school, so that what ends an account ends its sessions in one
-- transaction; the row decides, not the token. infra reads it to admit a request.
create table client_session (
    jti               uuid    not null,
    -- student, teacher, site: which client application.
    client            text    not null,
    -- Who the person is: as client_account.owner_kind.
    kind              text    not null,
    person_id         bigint  not null,
    account_id        bigint  not null,
    login_name        text    not null,
    person_name       text    not null,
    -- Of a one-click sign-in: the account in platform that acts, its name, kind and session, and why.
    actor_user_id     bigint,
    actor_name        text,
    actor_session     uuid,
    reason            text,
    read_only         boolean not null default false,
    must_change       boolean not null default false,
    password_failures integer not null default 0,
    ip                text    not null,
    user_agent        text    not null,
    issued_at         timestamptz not null,
    last_seen_at      timestamptz not null,
    expires_at        timestamptz not null,
    revoked_at        timestamptz,
    revoke_reason     text,
    constraint client_session_key primary key (jti),
    constraint client_session_client_known check (client in ('student', 'teacher', 'site')),
    constraint client_session_kind_known check (kind in ('student', 'teacher', 'site_staff', 'class_manager')),
    constraint client_session_actor_whole check ((actor_user_id is null) = (actor_name is null)
        and (actor_user_id is null) = (actor_session is null) and (actor_user_id is null) = (reason is null)),
    constraint client_session_reason_known check (revoke_reason in ('logout', 'replaced', 'kicked', 'password_changed',
        'password_reset', 'account_disabled', 'school_disabled', 'idle')),
    constraint client_session_of_account foreign key (account_id) references client_account (id) on delete cascade
);
--;;
create index client_session_of_person_active on client_session (kind, person_id) where revoked_at is null;
--;;
create index client_session_by_account on client_session (account_id);
--;;
-- How often somebody signed in as others within the hour.
create index client_session_by_actor on client_session (actor_user_id, issued_at) where actor_user_id is not null;
