-- 录取: whom the authority admitted, as its file says, with their lead and their site (part 02 §6). Owner: tenant/admission.
--
--     imported ⇄ assigned ─→ audited          imported, assigned ─→ rejected ─→ assigned
--     imported, assigned, rejected ─→ cancelled ─→ imported          imported, assigned, cancelled ─→ the recycle bin

-- A row of a batch has its grade with it.
alter table enrollment_batch add constraint enrollment_batch_grade_taken unique (id, grade_id);
--;;
-- The same of a major of a batch.
alter table enrollment_major add constraint enrollment_major_offer_taken unique (id, batch_id, major_id, level_id);
--;;
-- A file of the authority that was taken over; each once in a batch.
create table admission_import (
    id         bigint generated always as identity,
    batch_id   bigint  not null,
    file_name  text    not null,
    -- The file as it came.
    file_id    bigint,
    -- Of its bytes, in hexadecimal.
    sha256     text    not null,
    mode       text    not null,
    total      integer not null,
    inserted   integer not null,
    updated    integer not null,
    unchanged  integer not null,
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint admission_import_key primary key (id),
    constraint admission_import_batch_taken unique (id, batch_id),
    constraint admission_import_file_taken unique (batch_id, sha256),
    constraint admission_import_sha256_shape check (sha256 ~ '^[0-9a-f]{64}$'),
    constraint admission_import_mode_known check (mode in ('insert', 'update')),
    constraint admission_import_total_order check (total = inserted + updated + unchanged),
    constraint admission_import_of_batch foreign key (batch_id) references enrollment_batch (id),
    constraint admission_import_file_of_file foreign key (file_id) references file_object (id)
);
--;;
create index admission_import_newest on admission_import (batch_id, created_at desc, id desc);
--;;
-- A file is deleted only after looking here.
create index admission_import_file on admission_import (file_id) where file_id is not null;
--;;
create table admission (
    id                   bigint generated always as identity,
    batch_id             bigint  not null,
    -- The file that wrote the row last.
    import_id            bigint  not null,
    -- The batch's, so that a list by grade needs no look at the batches.
    grade_id             bigint  not null,

    -- 考生号: opaque, with its leading zeros.
    examinee_no          text collate "C" not null,
    ticket_no            text collate "C",
    name                 text    not null,
    -- As of a student: pairs for "name contains", syllables for the order, first letters for searching.
    name_grams           text[]  not null,
    pinyin               text collate "C" not null,
    initials             text collate "C" not null,
    gender               text    not null,
    birthday             date    not null,
    id_card_type         text    not null default 'resident_id',
    -- Normalised; a number that does not pass its check stands as the authority has it.
    id_card_no           text collate "C" not null,
    ethnicity            text,
    political_status     text,
    -- As the authority has it, and from then on as people write it: any telephone.
    phone                text collate "C",
    address              text,
    postal_code          text,

    enrollment_major_id  bigint  not null,
    -- The major's.
    major_id             bigint  not null,
    level_id             bigint  not null,
    study_form           text    not null,
    schooling_years      numeric(2, 1) not null,
    authority_major_code text    not null,
    authority_major_name text,
    exam_category        text,
    -- Tenths of a point.
    total_score          integer,
    bonus_score          integer,
    -- {source column: tenths of a point}.
    scores               jsonb   not null default '{}',
    pre_edu_level        text,
    pre_edu_school       text,
    pre_edu_graduated_on date,
    work_started_on      date,
    admitted_on          date,
    -- {source column: text} of the file; never edited.
    raw                  jsonb   not null,

    -- Of somebody with a conflict it is who they could be.
    pre_registration_id  bigint,
    match_status         text    not null default 'unmatched',
    issues               text[]  not null default '{}',
    site_id              bigint,
    status               text    not null default 'imported',
    -- Why it was cancelled.
    cancel_remark        text,
    -- The authority's picture.
    photo_id             bigint,
    audit_remark         text,
    audited_by           bigint,
    audited_at           timestamptz,
    -- In the recycle bin.
    deleted_at           timestamptz,
    deleted_by           bigint,
    created_at           timestamptz not null default now(),
    created_by           bigint  not null,
    updated_at           timestamptz not null default now(),
    updated_by           bigint  not null,
    version              integer not null default 1,
    constraint admission_key primary key (id),
    constraint admission_examinee_no_shape check (examinee_no ~ '^[0-9A-Za-z]{8,18}$'),
    constraint admission_name_missing check (name <> ''),
    constraint admission_gender_known check (gender in ('male', 'female')),
    constraint admission_id_card_type_known check (
        id_card_type in ('resident_id', 'hmt_residence', 'hk_macau_permit', 'taiwan_permit', 'foreign_permanent',
                         'passport', 'military_id')
    ),
    constraint admission_id_card_no_missing check (id_card_no <> ''),
    constraint admission_ethnicity_shape check (ethnicity ~ '^[0-9]{2}$'),
    constraint admission_political_status_shape check (political_status ~ '^[0-9]{2}$'),
    constraint admission_study_form_known check (
        study_form in ('non_full_time', 'correspondence', 'part_time', 'full_time', 'online')
    ),
    constraint admission_exam_category_known check (
        exam_category in ('liberal', 'science', 'arts_tcm', 'art', 'engineering', 'economics', 'law', 'education',
                          'agriculture', 'medicine')
    ),
    constraint admission_total_score_range check (total_score between 0 and 6000),
    constraint admission_pre_edu_level_known check (
        pre_edu_level in ('senior_high', 'vocational_high', 'equivalent', 'associate', 'bachelor', 'other')
    ),
    constraint admission_match_status_known check (match_status in ('matched', 'unmatched', 'conflict')),
    constraint admission_pre_registration_missing check ((match_status = 'unmatched') = (pre_registration_id is null)),
    constraint admission_issues_known check (
        issues <@ array['id_checksum', 'name_differs', 'major_differs', 'site_missing', 'active_student', 'over_quota',
                        'photo_missing']
    ),
    constraint admission_status_known check (status in ('imported', 'assigned', 'audited', 'rejected', 'cancelled')),
    -- Whoever was assigned has a site, and nobody else but who was rejected has one.
    constraint admission_site_missing check (
        case when status in ('assigned', 'audited') then site_id is not null
             when status in ('imported', 'cancelled') then site_id is null else true end
    ),
    constraint admission_deleted_order check ((deleted_at is null) = (deleted_by is null)),
    constraint admission_of_import foreign key (import_id, batch_id) references admission_import (id, batch_id),
    constraint admission_of_batch foreign key (batch_id, grade_id) references enrollment_batch (id, grade_id),
    constraint admission_not_offered foreign key (enrollment_major_id, batch_id, major_id, level_id)
        references enrollment_major (id, batch_id, major_id, level_id),
    constraint admission_of_pre_registration foreign key (pre_registration_id) references pre_registration (id),
    constraint admission_of_site foreign key (site_id) references site (id),
    constraint admission_photo_of_file foreign key (photo_id) references file_object (id)
);
--;;
-- One person once in a batch (part 02 §0.2); rows in the bin stand beside it, and an import looks at them too.
create unique index admission_examinee_no_taken on admission (batch_id, examinee_no) where deleted_at is null;
--;;
create unique index admission_id_card_taken on admission (batch_id, id_card_type, id_card_no) where deleted_at is null;
--;;
create unique index admission_pre_registration_taken on admission (pre_registration_id);
--;;
-- What the bin holds of a number:
create index admission_bin_examinee_no on admission (batch_id, examinee_no) where deleted_at is not null;
--;;
create index admission_bin_id_card on admission (batch_id, id_card_no) where deleted_at is not null;
--;;
-- The recycle bin, last deleted first:
create index admission_bin on admission (deleted_at desc, id desc) where deleted_at is not null;
--;;
-- The keyword:
create index admission_id_card_no on admission (id_card_no) where deleted_at is null;
--;;
create index admission_phone on admission (phone) where deleted_at is null;
--;;
create index admission_examinee_no on admission (examinee_no) where deleted_at is null;
--;;
create index admission_ticket_no on admission (ticket_no) where deleted_at is null;
--;;
create index admission_name_grams on admission using gin (name_grams) where deleted_at is null;
--;;
-- 人员名单:
create index admission_name on admission (name) where deleted_at is null;
--;;
create index admission_initials on admission (initials) where deleted_at is null;
--;;
-- Every list is newest first; the pages come from these in order, without sorting. With no filter:
create index admission_newest on admission (created_at desc, id desc) where deleted_at is null;
--;;
-- By batch, and the figures of a batch from the index alone:
create index admission_batch_newest on admission (batch_id, created_at desc, id desc)
    include (status, match_status) where deleted_at is null;
--;;
create index admission_import_rows on admission (import_id, created_at desc, id desc) where deleted_at is null;
--;;
create index admission_grade_newest on admission (grade_id, created_at desc, id desc) where deleted_at is null;
--;;
create index admission_level_newest on admission (level_id, created_at desc, id desc) where deleted_at is null;
--;;
create index admission_major_newest on admission (major_id, created_at desc, id desc) where deleted_at is null;
--;;
create index admission_study_form_newest on admission (study_form, created_at desc, id desc) where deleted_at is null;
--;;
-- Also every list of a person whose data scope is sites:
create index admission_site_newest on admission (site_id, created_at desc, id desc) where deleted_at is null;
--;;
create index admission_status_newest on admission (status, created_at desc, id desc) where deleted_at is null;
--;;
create index admission_match_status_newest on admission (match_status, created_at desc, id desc)
    where deleted_at is null;
--;;
-- Who has a problem, and which:
create index admission_issues on admission using gin (issues) where deleted_at is null and issues <> '{}';
--;;
-- Who holds a place of a major, at which site; the bin included who refers to a major of a batch at all.
create index admission_places on admission (enrollment_major_id, site_id) include (status, deleted_at);
--;;
-- A file is deleted only after looking here.
create index admission_photo on admission (photo_id) where photo_id is not null;
