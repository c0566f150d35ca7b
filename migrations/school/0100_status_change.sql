-- 学籍异动: applications to change major, level, class or site, to be suspended, to return and to leave, and the windows in
-- which they are accepted (part 02 §10). Owner: tenant/status_change; what takes effect, tenant/student_status writes into the
-- register.
--
--     draft ─→ pending_site ─→ pending_target_site ─→ pending_school ─→ approved ─→ executed ─→ revoked
--              pending_site ─→ pending_school          pending_* ─→ rejected
--     draft, pending_* ─→ cancelled                    approved ─→ cancelled, when it could not take effect

-- 异动批次: a window.
create table change_batch (
    id           bigint generated always as identity,
    code         text collate "C" not null,
    name         text        not null,
    types        text[]      not null,
    starts_at    timestamptz not null,
    -- Exclusive.
    ends_at      timestamptz not null,
    -- What its changes have as the day of their effect, unless they name another.
    effective_on date,
    site_review  boolean     not null default true,
    -- Whether students may apply themselves.
    client_entry boolean     not null default false,
    enabled      boolean     not null default true,
    created_at   timestamptz not null default now(),
    created_by   bigint      not null,
    updated_at   timestamptz not null default now(),
    updated_by   bigint      not null,
    version      integer     not null default 1,
    constraint change_batch_key primary key (id),
    constraint change_batch_code_shape check (code ~ '^[A-Za-z0-9-]{2,20}$'),
    constraint change_batch_name_missing check (name <> ''),
    constraint change_batch_types_known check (
        types <> '{}' and types <@ array['professional', 'hierarchical', 'class_change', 'dropout', 'suspension', 'return',
                                         'transfer_out']
    ),
    constraint change_batch_times_order check (ends_at > starts_at)
);
--;;
create unique index change_batch_code_taken on change_batch (lower(code));
--;;
create unique index change_batch_name_taken on change_batch (name);
--;;
create index change_batch_newest on change_batch (created_at desc, id);
--;;
-- Of which grades; none stands for all.
create table change_batch_grade (
    change_batch_id bigint not null,
    grade_id        bigint not null,
    constraint change_batch_grade_key primary key (change_batch_id, grade_id),
    constraint change_batch_grade_of_batch foreign key (change_batch_id) references change_batch (id),
    constraint change_batch_grade_of_grade foreign key (grade_id) references grade (id)
);
--;;
create index change_batch_grade_grade on change_batch_grade (grade_id);
--;;
-- The numbers of changes, a row for each that was taken: so that nobody who takes one keeps others waiting until the end of
-- what they do.
create table student_change_counter (
    no bigint generated always as identity,
    constraint student_change_counter_key primary key (no)
);
--;;
create table student_change (
    id                 bigint generated always as identity,
    change_no          text collate "C" not null,
    -- None: outside of the windows, by whoever may do that.
    change_batch_id    bigint,
    student_id         bigint  not null,
    type               text    not null,
    status             text    not null,
    -- {gradeId, levelId, majorId, studyForm, schoolingYears, siteId, classId, status}: as it was when it was sent in, and as it
    -- is to be.
    before             jsonb   not null,
    after              jsonb   not null,
    -- Those of `after` that others may not delete meanwhile, where they differ.
    target_major_id    bigint,
    target_site_id     bigint,
    target_class_id    bigint,
    reason_code        text,
    reason             text    not null,
    suspend_from       date,
    suspend_until      date,
    -- How long: of a suspension, and of the one that a return ends.
    suspend_months     integer,
    target_school_name text,
    renumber           boolean not null default false,
    -- None: the day of the approval.
    effective_on       date,
    executed_at        timestamptz,
    filing_no          text,
    filed_on           date,
    source             text    not null,
    applicant_name     text    not null,
    -- It was only to be had by somebody who may act outside of the windows: neither they nor 科类 are asked for.
    waived             boolean not null default false,
    -- When it was sent in: its deadlines are measured by this.
    submitted_at       timestamptz,
    -- Since when it has its status.
    moved_at           timestamptz not null default now(),
    -- Why an approved one could not take effect on its day.
    alert              text,
    created_at         timestamptz not null default now(),
    -- The account that asked, also as somebody else; 0 for a person of the clients.
    created_by         bigint  not null,
    updated_at         timestamptz not null default now(),
    updated_by         bigint  not null,
    version            integer not null default 1,
    constraint student_change_key primary key (id),
    constraint student_change_no_taken unique (change_no),
    constraint student_change_no_shape check (change_no ~ '^YD[0-9]{12,}$'),
    constraint student_change_type_known check (
        type in ('professional', 'hierarchical', 'class_change', 'dropout', 'suspension', 'return', 'transfer_out')
    ),
    constraint student_change_status_known check (
        status in ('draft', 'pending_site', 'pending_target_site', 'pending_school', 'approved', 'executed', 'rejected',
                   'cancelled', 'revoked')
    ),
    constraint student_change_reason_code_known check (
        reason_code in ('voluntary', 'overdue', 'exceed_years', 'academic', 'disciplinary', 'qualification_failed',
                        'duplicate', 'deceased', 'illness', 'military', 'childbirth', 'work', 'family', 'other')
    ),
    constraint student_change_reason_missing check (reason <> ''),
    constraint student_change_suspension_missing check (
        type <> 'suspension' or (suspend_from is not null and suspend_until is not null and suspend_months is not null)
    ),
    constraint student_change_school_name_missing check (type <> 'transfer_out' or target_school_name is not null),
    constraint student_change_source_known check (source in ('student_client', 'site_client', 'back_office', 'import')),
    constraint student_change_executed_at_missing check (
        (status in ('executed', 'revoked')) = (executed_at is not null)
    ),
    constraint student_change_effective_on_missing check (
        status not in ('approved', 'executed', 'revoked') or effective_on is not null
    ),
    constraint student_change_submitted_at_missing check (
        status in ('draft', 'cancelled') or submitted_at is not null
    ),
    constraint student_change_alert_of_approved check (alert is null or status in ('approved', 'cancelled')),
    constraint student_change_of_batch foreign key (change_batch_id) references change_batch (id),
    constraint student_change_of_student foreign key (student_id) references student (id),
    constraint student_change_of_major foreign key (target_major_id) references major (id),
    constraint student_change_of_site foreign key (target_site_id) references site (id),
    constraint student_change_of_class foreign key (target_class_id) references class (id)
);
--;;
-- One open change a student.
create unique index student_change_open_taken on student_change (student_id)
    where status in ('draft', 'pending_site', 'pending_target_site', 'pending_school', 'approved');
--;;
-- 异动记录 of a student, and the list of somebody whose data scope is sites or classes.
create index student_change_student on student_change (student_id, created_at desc, id);
--;;
create index student_change_newest on student_change (created_at desc, id);
--;;
-- The tabs of the working queue.
create index student_change_status_newest on student_change (status, created_at desc, id);
--;;
-- The four result lists.
create index student_change_type_newest on student_change (type, created_at desc, id);
--;;
-- 生效时间 from–to, and what is due tonight.
create index student_change_effective on student_change (effective_on, status) where effective_on is not null;
--;;
create index student_change_batch on student_change (change_batch_id) where change_batch_id is not null;
--;;
-- What waits at the receiving site; a site, major or class is deleted only after looking here.
create index student_change_target_site on student_change (target_site_id) where target_site_id is not null;
--;;
create index student_change_target_major on student_change (target_major_id) where target_major_id is not null;
--;;
create index student_change_target_class on student_change (target_class_id) where target_class_id is not null;
--;;
-- 附件.
create table student_change_file (
    id                bigint generated always as identity,
    student_change_id bigint not null,
    file_id           bigint not null,
    constraint student_change_file_key primary key (id),
    constraint student_change_file_file_taken unique (file_id),
    constraint student_change_file_of_change foreign key (student_change_id) references student_change (id),
    constraint student_change_file_of_file foreign key (file_id) references file_object (id)
);
--;;
create index student_change_file_change on student_change_file (student_change_id);
--;;
-- 办理过程: who asked, who decided and when it took effect, as they were called then. Insert only.
create table student_change_step (
    id                bigint generated always as identity,
    student_change_id bigint not null,
    step              text   not null,
    result            text,
    remark            text,
    actor_kind        text   not null,
    actor_id          bigint not null,
    actor_name        text   not null,
    created_at        timestamptz not null default now(),
    constraint student_change_step_key primary key (id),
    constraint student_change_step_step_known check (
        step in ('save', 'edit', 'submit', 'site', 'target_site', 'school', 'execute', 'alert', 'cancel', 'revoke')
    ),
    constraint student_change_step_result_known check (result in ('pass', 'reject')),
    constraint student_change_step_of_change foreign key (student_change_id) references student_change (id)
);
--;;
create index student_change_step_change on student_change_step (student_change_id);
--;;
-- The history tells which change it came of.
create index student_status_change_change on student_status_change (change_id) where change_id is not null;
--;;
alter table student_status_change add constraint student_status_change_of_change
    foreign key (change_id) references student_change (id);
