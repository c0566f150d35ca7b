-- 报到: who of the admitted comes, and who does not (part 02 §7). Owner: tenant/registration.
--
--     pending ─→ reported ─→ (taken back) pending          pending, no_show ─→ abandoned
--     pending ─→ reserved ─→ pending │ abandoned           pending ─→ no_show ─→ pending
--     pending, reserved ─→ revoked                         pending, abandoned, no_show ─→ the recycle bin

create table registration (
    id                  bigint generated always as identity,
    admission_id        bigint  not null,
    batch_id            bigint  not null,
    grade_id            bigint  not null,
    -- The place where somebody begins: that of the admission, or that of the later batch they went on to.
    enrollment_major_id bigint  not null,
    major_id            bigint  not null,
    level_id            bigint  not null,
    study_form          text    not null,
    schooling_years     numeric(2, 1) not null,
    site_id             bigint  not null,

    -- The person, copied at the audit of the admission, which nothing changes from then on; the phone follows it.
    examinee_no         text collate "C" not null,
    name                text    not null,
    name_grams          text[]  not null,
    pinyin              text collate "C" not null,
    initials            text collate "C" not null,
    gender              text    not null,
    birthday            date    not null,
    id_card_type        text    not null,
    id_card_no          text collate "C" not null,
    phone               text collate "C",

    status              text    not null default 'pending',
    -- Who waits from the end of the reporting on, because somebody let them, is not late by the clock.
    pending_since       timestamptz not null default now(),
    -- 人证核验, and the papers that were handed in.
    identity_verified   boolean not null default false,
    verify_method       text,
    materials           text[]  not null default '{}',
    photo_id            bigint,

    fee_paid            boolean not null default false,
    -- 分.
    paid_amount         bigint,
    paid_at             timestamptz,
    fee_source          text,
    trade_no            text collate "C",

    reserve_reason      text,
    -- The last day on which the place is kept.
    reserve_until       date,
    -- Why somebody is kept, gone or struck off, and the paper that says so.
    reason              text,
    attachment_id       bigint,

    reported_at         timestamptz,
    -- As they were called then.
    reported_by         text,
    student_id          bigint,
    -- Of the earlier batch in which the place was kept; that one is carried on.
    previous_id         bigint,
    carried_on          boolean not null default false,
    -- In the recycle bin.
    deleted_at          timestamptz,
    deleted_by          bigint,
    created_at          timestamptz not null default now(),
    created_by          bigint  not null,
    updated_at          timestamptz not null default now(),
    updated_by          bigint  not null,
    version             integer not null default 1,
    constraint registration_key primary key (id),
    constraint registration_status_known check (
        status in ('pending', 'reported', 'reserved', 'abandoned', 'no_show', 'revoked')
    ),
    constraint registration_verify_method_known check (verify_method in ('manual', 'card_reader', 'face')),
    constraint registration_verify_method_missing check (identity_verified = (verify_method is not null)),
    constraint registration_materials_known check (
        materials <@ array['id_copy', 'diploma_copy', 'diploma_verification', 'photo', 'commitment']
    ),
    constraint registration_fee_source_known check (fee_source in ('import', 'payment', 'manual')),
    constraint registration_fee_source_missing check (fee_paid = (fee_source is not null)),
    constraint registration_paid_at_missing check (not fee_paid or (paid_at is not null and paid_amount is not null)),
    constraint registration_paid_amount_range check (paid_amount between 0 and 100000000),
    constraint registration_reserve_reason_known check (
        reserve_reason in ('data_error', 'illness', 'military', 'work', 'other')
    ),
    constraint registration_reserve_until_missing check (
        status <> 'reserved' or (reserve_until is not null and reserve_reason is not null)
    ),
    constraint registration_student_missing check ((status = 'reported') = (student_id is not null)),
    constraint registration_reported_at_missing check ((status = 'reported') = (reported_at is not null)),
    -- Only a kept place goes on in a later batch.
    constraint registration_carried_on_known check (not carried_on or status = 'reserved'),
    constraint registration_deleted_known check (
        deleted_at is null or status in ('pending', 'abandoned', 'no_show')
    ),
    constraint registration_deleted_order check ((deleted_at is null) = (deleted_by is null)),
    constraint registration_of_admission foreign key (admission_id) references admission (id),
    constraint registration_of_batch foreign key (batch_id, grade_id) references enrollment_batch (id, grade_id),
    constraint registration_not_offered foreign key (enrollment_major_id, batch_id, major_id, level_id)
        references enrollment_major (id, batch_id, major_id, level_id),
    constraint registration_of_site foreign key (site_id) references site (id),
    constraint registration_of_student foreign key (student_id) references student (id),
    constraint registration_of_previous foreign key (previous_id) references registration (id),
    constraint registration_photo_of_file foreign key (photo_id) references file_object (id),
    constraint registration_attachment_of_file foreign key (attachment_id) references file_object (id)
);
--;;
-- Somebody who was admitted comes or does not, once.
create unique index registration_admission_taken on registration (admission_id)
    where deleted_at is null and not carried_on;
--;;
create index registration_admission on registration (admission_id);
--;;
create unique index registration_student_taken on registration (student_id);
--;;
create unique index registration_trade_no_taken on registration (trade_no);
--;;
create unique index registration_previous_taken on registration (previous_id);
--;;
-- The recycle bin, last deleted first:
create index registration_bin on registration (deleted_at desc, id desc) where deleted_at is not null;
--;;
-- The keyword:
create index registration_id_card_no on registration (id_card_no) where deleted_at is null;
--;;
create index registration_phone on registration (phone) where deleted_at is null;
--;;
create index registration_examinee_no on registration (examinee_no) where deleted_at is null;
--;;
create index registration_name_grams on registration using gin (name_grams) where deleted_at is null;
--;;
create index registration_name on registration (name) where deleted_at is null;
--;;
create index registration_initials on registration (initials) where deleted_at is null;
--;;
-- Every list is newest first; the pages come from these in order, without sorting. With no filter:
create index registration_newest on registration (created_at desc, id desc) where deleted_at is null;
--;;
-- By batch, and the figures of a batch from the index alone:
create index registration_batch_newest on registration (batch_id, created_at desc, id desc)
    include (status) where deleted_at is null;
--;;
create index registration_grade_newest on registration (grade_id, created_at desc, id desc) where deleted_at is null;
--;;
create index registration_level_newest on registration (level_id, created_at desc, id desc) where deleted_at is null;
--;;
create index registration_major_newest on registration (major_id, created_at desc, id desc) where deleted_at is null;
--;;
create index registration_study_form_newest on registration (study_form, created_at desc, id desc)
    where deleted_at is null;
--;;
-- Also every list of a person whose data scope is sites:
create index registration_site_newest on registration (site_id, created_at desc, id desc) where deleted_at is null;
--;;
create index registration_status_newest on registration (status, created_at desc, id desc) where deleted_at is null;
--;;
-- 缴费, 核验: of those who are still to come, who lacks what.
create index registration_fee_newest on registration (fee_paid, created_at desc, id desc) where deleted_at is null;
--;;
create index registration_verified_newest on registration (identity_verified, created_at desc, id desc)
    where deleted_at is null;
--;;
-- 报到数 of a major at a site.
create index registration_reported on registration (enrollment_major_id, site_id)
    where status = 'reported' and deleted_at is null;
--;;
-- The night looks for those whose time is over.
create index registration_waiting on registration (batch_id, id) where status = 'pending' and deleted_at is null;
--;;
create index registration_reserved on registration (reserve_until, id) where status = 'reserved' and not carried_on;
--;;
-- A file is deleted only after looking here.
create index registration_photo on registration (photo_id) where photo_id is not null;
--;;
create index registration_attachment on registration (attachment_id) where attachment_id is not null;
