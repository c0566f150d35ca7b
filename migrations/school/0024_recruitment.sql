-- 预报名: windows in which people tell the school that they want to study, and the people (part 02 §2, §3).
-- Owner: tenant/recruitment.
--
--     pending ─→ approved │ returned │ rejected      returned ─→ approved │ rejected │ pending
--     rejected, cancelled ─→ pending                 pending, returned ─→ cancelled      approved ─→ pending
-- A batch's phase (未开始, 进行中, 已结束, 已停用) follows from starts_at, ends_at and enabled.

create table pre_registration_batch (
    id           bigint generated always as identity,
    code         text collate "C" not null,
    name         text    not null,
    grade_id     bigint  not null,
    starts_at    timestamptz not null,
    -- Exclusive: at this moment nobody enters any more.
    ends_at      timestamptz not null,
    need_audit   boolean not null,
    -- Cleaned rich text.
    notice       text,
    enabled      boolean not null default true,
    -- 暂停清理: what is personal in its rows stays although the time is over (05 E3).
    privacy_hold boolean not null default false,
    created_at   timestamptz not null default now(),
    created_by   bigint  not null,
    updated_at   timestamptz not null default now(),
    updated_by   bigint  not null,
    version      integer not null default 1,
    constraint pre_registration_batch_key primary key (id),
    constraint pre_registration_batch_grade_taken unique (id, grade_id),
    constraint pre_registration_batch_code_shape check (code ~ '^[A-Za-z0-9-]{2,20}$'),
    constraint pre_registration_batch_name_missing check (name <> ''),
    constraint pre_registration_batch_time_order check (ends_at > starts_at),
    constraint pre_registration_batch_of_grade foreign key (grade_id) references grade (id)
);
--;;
create unique index pre_registration_batch_code_taken on pre_registration_batch (lower(code));
--;;
create unique index pre_registration_batch_name_taken on pre_registration_batch (name);
--;;
create index pre_registration_batch_grade on pre_registration_batch (grade_id);
--;;
create table pre_registration_batch_level (
    batch_id bigint not null,
    level_id bigint not null,
    constraint pre_registration_batch_level_key primary key (batch_id, level_id),
    constraint pre_registration_batch_level_of_batch foreign key (batch_id) references pre_registration_batch (id),
    constraint pre_registration_batch_level_of_level foreign key (level_id) references level (id)
);
--;;
create index pre_registration_batch_level_level on pre_registration_batch_level (level_id);
--;;
-- What a batch offers: a major at every site, or at those named below.
create table pre_registration_batch_major (
    batch_id   bigint  not null,
    major_id   bigint  not null,
    every_site boolean not null,
    constraint pre_registration_batch_major_key primary key (batch_id, major_id),
    constraint pre_registration_batch_major_of_batch foreign key (batch_id) references pre_registration_batch (id),
    constraint pre_registration_batch_major_of_major foreign key (major_id) references major (id)
);
--;;
create index pre_registration_batch_major_major on pre_registration_batch_major (major_id);
--;;
create table pre_registration_batch_site (
    batch_id bigint not null,
    major_id bigint not null,
    site_id  bigint not null,
    constraint pre_registration_batch_site_key primary key (batch_id, major_id, site_id),
    constraint pre_registration_batch_site_of_major foreign key (batch_id, major_id)
        references pre_registration_batch_major (batch_id, major_id) on delete cascade,
    constraint pre_registration_batch_site_of_site foreign key (site_id) references site (id)
);
--;;
create index pre_registration_batch_site_site on pre_registration_batch_site (site_id);
--;;
create table pre_registration (
    id                     bigint generated always as identity,
    batch_id               bigint  not null,
    -- The batch's, so that a list by grade needs no look at the batches.
    grade_id               bigint  not null,

    name                   text    not null,
    -- As of a student: pairs for "name contains", syllables for the order, first letters for searching.
    name_grams             text[]  not null,
    pinyin                 text collate "C" not null,
    initials               text collate "C" not null,
    gender                 text    not null,
    birthday               date,
    ethnicity              text,
    political_status       text,
    id_card_type           text    not null,
    -- Normalised as a student's; `*` once what is personal was taken away.
    id_card_no             text collate "C" not null,
    phone                  text collate "C" not null,
    -- Another of the batch had this phone when it was typed; agents share phones, so it only warns.
    phone_duplicate        boolean not null default false,
    email                  text,
    address                text,
    postal_code            text,

    level_id               bigint  not null,
    major_id               bigint  not null,
    site_id                bigint  not null,
    -- The major's.
    study_form             text    not null,
    exam_category          text,

    pre_edu_level          text,
    pre_edu_school         text,
    pre_edu_major          text,
    pre_edu_certificate_no text,
    pre_edu_graduated_on   date,
    work_unit              text,
    occupation             text,
    hukou_place            text,
    referrer               text,
    photo_id               bigint,
    -- Values of the school's own fields, by their keys.
    extra                  jsonb   not null default '{}',

    source                 text    not null,
    status                 text    not null,
    exam_status            text    not null default 'none',
    -- 网报号.
    provincial_reg_no      text collate "C",
    examinee_no            text collate "C",
    -- The person is a student whose graduation comes before the entry of the batch's grade.
    dup_student            boolean not null default false,
    audit_remark           text,
    audited_by             bigint,
    audited_at             timestamptz,
    -- Name, number, phone, address and files were taken away; what is counted stays (05 E3).
    scrubbed_at            timestamptz,
    -- In the recycle bin.
    deleted_at             timestamptz,
    deleted_by             bigint,
    created_at             timestamptz not null default now(),
    created_by             bigint  not null,
    updated_at             timestamptz not null default now(),
    updated_by             bigint  not null,
    version                integer not null default 1,
    constraint pre_registration_key primary key (id),
    constraint pre_registration_name_missing check (name <> ''),
    constraint pre_registration_gender_known check (gender in ('male', 'female')),
    constraint pre_registration_ethnicity_shape check (ethnicity ~ '^[0-9]{2}$'),
    constraint pre_registration_political_status_shape check (political_status ~ '^[0-9]{2}$'),
    constraint pre_registration_id_card_type_known check (
        id_card_type in ('resident_id', 'hmt_residence', 'hk_macau_permit', 'taiwan_permit', 'foreign_permanent',
                         'passport', 'military_id')
    ),
    constraint pre_registration_id_card_no_shape check (
        scrubbed_at is not null
        or case when id_card_type in ('resident_id', 'hmt_residence') then id_card_no ~ '^[0-9]{17}[0-9X]$'
                else id_card_no ~ '^[0-9A-Z]{5,20}$' end
    ),
    constraint pre_registration_phone_shape check (scrubbed_at is not null or phone ~ '^1[3-9][0-9]{9}$'),
    constraint pre_registration_study_form_known check (
        study_form in ('non_full_time', 'correspondence', 'part_time', 'full_time', 'online')
    ),
    constraint pre_registration_exam_category_known check (
        exam_category in ('liberal', 'science', 'arts_tcm', 'art', 'engineering', 'economics', 'law', 'education',
                          'agriculture', 'medicine')
    ),
    constraint pre_registration_pre_edu_level_known check (
        pre_edu_level in ('senior_high', 'vocational_high', 'equivalent', 'associate', 'bachelor', 'other')
    ),
    constraint pre_registration_source_known check (
        source in ('student_client', 'site_client', 'back_office', 'import')
    ),
    constraint pre_registration_status_known check (
        status in ('pending', 'returned', 'approved', 'rejected', 'cancelled')
    ),
    constraint pre_registration_exam_status_known check (
        exam_status in ('none', 'registered', 'admitted', 'not_admitted')
    ),
    constraint pre_registration_deleted_order check ((deleted_at is null) = (deleted_by is null)),
    constraint pre_registration_of_batch foreign key (batch_id, grade_id)
        references pre_registration_batch (id, grade_id),
    constraint pre_registration_not_offered foreign key (batch_id, major_id)
        references pre_registration_batch_major (batch_id, major_id),
    constraint pre_registration_level_of_batch foreign key (batch_id, level_id)
        references pre_registration_batch_level (batch_id, level_id),
    constraint pre_registration_major_not_of_level foreign key (major_id, level_id) references major (id, level_id),
    constraint pre_registration_of_site foreign key (site_id) references site (id),
    constraint pre_registration_photo_of_file foreign key (photo_id) references file_object (id)
);
--;;
-- One person once in a batch (part 02 §0.2). Rows in the bin and rows that name nobody any more stand beside it.
create unique index pre_registration_id_card_taken on pre_registration (batch_id, id_card_type, id_card_no)
    where deleted_at is null and scrubbed_at is null;
--;;
create unique index pre_registration_examinee_no_taken on pre_registration (batch_id, examinee_no)
    where deleted_at is null;
--;;
create unique index pre_registration_provincial_reg_no_taken on pre_registration (batch_id, provincial_reg_no)
    where deleted_at is null;
--;;
-- The keyword, and whether the person stands in another open batch.
create index pre_registration_id_card_no on pre_registration (id_card_no) where deleted_at is null;
--;;
create index pre_registration_phone on pre_registration (phone) where deleted_at is null;
--;;
create index pre_registration_examinee_no on pre_registration (examinee_no) where deleted_at is null;
--;;
create index pre_registration_provincial_reg_no on pre_registration (provincial_reg_no) where deleted_at is null;
--;;
create index pre_registration_name_grams on pre_registration using gin (name_grams) where deleted_at is null;
--;;
create index pre_registration_initials on pre_registration (initials) where deleted_at is null;
--;;
-- Every list is newest first; the pages come from these in order, without sorting. With no filter:
create index pre_registration_newest on pre_registration (created_at desc, id desc) where deleted_at is null;
--;;
-- By batch, and the figures of a batch (people, approved, the funnel) from the index alone:
create index pre_registration_batch_newest on pre_registration (batch_id, created_at desc, id desc)
    include (status, exam_status) where deleted_at is null;
--;;
create index pre_registration_grade_newest on pre_registration (grade_id, created_at desc, id desc)
    where deleted_at is null;
--;;
create index pre_registration_level_newest on pre_registration (level_id, created_at desc, id desc)
    where deleted_at is null;
--;;
create index pre_registration_major_newest on pre_registration (major_id, created_at desc, id desc)
    where deleted_at is null;
--;;
create index pre_registration_study_form_newest on pre_registration (study_form, created_at desc, id desc)
    where deleted_at is null;
--;;
-- Also every list of a person whose data scope is sites:
create index pre_registration_site_newest on pre_registration (site_id, created_at desc, id desc)
    where deleted_at is null;
--;;
create index pre_registration_status_newest on pre_registration (status, created_at desc, id desc)
    where deleted_at is null;
--;;
create index pre_registration_exam_status_newest on pre_registration (exam_status, created_at desc, id desc)
    where deleted_at is null;
--;;
create index pre_registration_source_newest on pre_registration (source, created_at desc, id desc)
    where deleted_at is null;
--;;
-- Who holds a major, a level or a batch itself, the bin included:
create index pre_registration_major on pre_registration (batch_id, major_id);
--;;
-- Of whom something personal is still to be taken away; an old batch has none:
create index pre_registration_personal on pre_registration (batch_id)
    where scrubbed_at is null and exam_status <> 'admitted';
--;;
-- The recycle bin, last deleted first:
create index pre_registration_bin on pre_registration (deleted_at desc, id desc) where deleted_at is not null;
--;;
-- A file is deleted only after looking here.
create index pre_registration_photo on pre_registration (photo_id) where photo_id is not null;
--;;
-- 材料: scans of the identity card and the diploma, and what the school's own fields ask for (kind = the field's key).
create table pre_registration_file (
    id                  bigint generated always as identity,
    pre_registration_id bigint not null,
    kind                text   not null,
    file_id             bigint not null,
    constraint pre_registration_file_key primary key (id),
    constraint pre_registration_file_kind_known check (
        kind in ('id_front', 'id_back', 'diploma', 'other') or kind ~ '^x_[a-z0-9_]{1,30}$'
    ),
    constraint pre_registration_file_of_person foreign key (pre_registration_id) references pre_registration (id),
    constraint pre_registration_file_of_file foreign key (file_id) references file_object (id)
);
--;;
create index pre_registration_file_person on pre_registration_file (pre_registration_id);
--;;
create unique index pre_registration_file_file_taken on pre_registration_file (file_id);
