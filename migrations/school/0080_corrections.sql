-- 信息更正: the key fields of a person change by an approved correction alone (part 02 §9.6). Owner: tenant/corrections; what is
-- approved, tenant/student_status writes into the register.
--
--     pending_site ─→ pending_school ─→ pending_province ─→ approved
--                     pending_school ─→ approved, of who is not registered with 学信网 yet
--     pending_* ─→ rejected │ cancelled

create table student_correction (
    id              bigint generated always as identity,
    student_id      bigint  not null,
    kind            text    not null,
    reason          text    not null,
    -- {field: {from, to}} of the fields that differ.
    changes         jsonb   not null,
    status          text    not null,
    source          text    not null,
    -- Of the client's call: sent twice it asks once.
    request_id      text,
    applicant_name  text    not null,
    province_doc_no text,
    decided_on      date,
    created_at      timestamptz not null default now(),
    -- The account that asked, also as somebody else; 0 for the student.
    created_by      bigint  not null,
    updated_at      timestamptz not null default now(),
    updated_by      bigint  not null,
    version         integer not null default 1,
    constraint student_correction_key primary key (id),
    constraint student_correction_kind_known check (kind in ('data_error', 'changed_by_police')),
    constraint student_correction_reason_missing check (reason <> ''),
    constraint student_correction_changes_missing check (changes <> '{}'),
    constraint student_correction_status_known check (
        status in ('pending_site', 'pending_school', 'pending_province', 'approved', 'rejected', 'cancelled')
    ),
    constraint student_correction_source_known check (source in ('student_client', 'back_office')),
    constraint student_correction_decided_on_missing check (
        (status in ('approved', 'rejected')) = (decided_on is not null)
    ),
    constraint student_correction_of_student foreign key (student_id) references student (id)
);
--;;
-- One open correction a student.
create unique index student_correction_open_taken on student_correction (student_id)
    where status in ('pending_site', 'pending_school', 'pending_province');
--;;
create unique index student_correction_request_taken on student_correction (student_id, request_id)
    where request_id is not null;
--;;
-- 更正记录 of a student, and the list of somebody whose data scope is sites or classes.
create index student_correction_student on student_correction (student_id, created_at desc, id);
--;;
create index student_correction_newest on student_correction (created_at desc, id);
--;;
-- 材料: what proves the new values.
create table student_correction_file (
    id                    bigint generated always as identity,
    student_correction_id bigint not null,
    kind                  text   not null,
    file_id               bigint not null,
    constraint student_correction_file_key primary key (id),
    constraint student_correction_file_file_taken unique (file_id),
    constraint student_correction_file_kind_known check (
        kind in ('id_card', 'hukou', 'police_certificate', 'birth_certificate', 'exam_ticket', 'other')
    ),
    constraint student_correction_file_of_correction foreign key (student_correction_id) references student_correction (id),
    constraint student_correction_file_of_file foreign key (file_id) references file_object (id)
);
--;;
create index student_correction_file_correction on student_correction_file (student_correction_id);
--;;
-- 办理过程: who asked and who decided, as they were called then. Insert only.
create table student_correction_step (
    id                    bigint generated always as identity,
    student_correction_id bigint not null,
    from_status           text,
    to_status             text   not null,
    remark                text,
    actor_kind            text   not null,
    actor_id              bigint not null,
    actor_name            text   not null,
    created_at            timestamptz not null default now(),
    constraint student_correction_step_key primary key (id),
    constraint student_correction_step_from_known check (
        from_status in ('pending_site', 'pending_school', 'pending_province', 'approved', 'rejected', 'cancelled')
    ),
    constraint student_correction_step_to_known check (
        to_status in ('pending_site', 'pending_school', 'pending_province', 'approved', 'rejected', 'cancelled')
    ),
    constraint student_correction_step_of_correction foreign key (student_correction_id) references student_correction (id)
);
--;;
create index student_correction_step_correction on student_correction_step (student_correction_id);
