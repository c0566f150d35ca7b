-- The register of students.
-- Owner: tenant/student_status. Others read; only this room writes a status.
--
--     pending_registration ─→ registered ↔ suspended
--     pending_registration, registered, suspended ─→ withdrawn
--     registered ─→ transferred_out
--     registered, suspended ─→ expired ─→ withdrawn
--     registered, expired ─→ graduated │ completed │ incomplete ─(revoked)→ registered
-- "Active" is pending_registration, registered, suspended or expired.
-- registrationId, admissionId and the tables of changes and corrections come with their rooms.

create table student (
    id                         bigint generated always as identity,
    -- Collation "C": looked up by prefix, and compared by character code in every database.
    student_no                 text collate "C",
    examinee_no                text collate "C",

    -- The person (key fields: changed by correction only, once admitted).
    name                       text    not null,
    -- Written by the server with every change of name: single characters and pairs for "name contains",
    -- syllables for the order by name, first letters for searching.
    name_grams                 text[]  not null,
    pinyin                     text collate "C" not null,
    initials                   text collate "C" not null,
    former_name                text,
    -- Gender and birthday come from a resident's number; with other documents they may be unknown.
    gender                     text,
    birthday                   date,
    ethnicity                  text,
    political_status           text,
    id_card_type               text    not null default 'resident_id',
    -- Normalised: trimmed, upper case, half width, 18 digits.
    id_card_no                 text collate "C" not null,

    -- How to reach them (free to edit).
    phone                      text collate "C",
    email                      text,
    address                    text,
    postal_code                text,
    work_unit                  text,
    occupation                 text,
    native_place               text,
    hukou_place                text,
    emergency_contact          text,
    emergency_phone            text,

    -- 入学前学历.
    pre_edu_level              text,
    pre_edu_school             text,
    pre_edu_major              text,
    pre_edu_certificate_no     text,
    pre_edu_graduated_on       date,

    -- The enrolment (changed by status change only).
    grade_id                   bigint  not null,
    level_id                   bigint  not null,
    major_id                   bigint  not null,
    study_form                 text    not null,
    schooling_years            numeric(2, 1) not null,
    site_id                    bigint  not null,
    -- Null = 未分班.
    class_id                   bigint,
    enrolled_on                date    not null,
    expected_graduation_on     date    not null,
    max_study_end_on           date    not null,

    status                     text    not null default 'pending_registration',
    status_reason              text,
    suspended_until            date,
    suspended_months           integer not null default 0,
    registered_on              date,
    register_result            text    not null default 'none',
    register_message           text,

    admission_photo_id         bigint,
    enrol_photo_id             bigint,
    graduation_photo_id        bigint,

    total_score                numeric(5, 1),
    exam_category              text,
    source                     text    not null,
    fee_flag                   text    not null default 'none',
    extra                      jsonb   not null default '{}',
    remark                     text,
    created_at                 timestamptz not null default now(),
    created_by                 bigint  not null,
    updated_at                 timestamptz not null default now(),
    updated_by                 bigint  not null,
    version                    integer not null default 1,
    constraint student_key primary key (id),
    constraint student_no_shape check (student_no ~ '^[0-9A-Z]{4,20}$'),
    constraint student_name_missing check (name <> ''),
    constraint student_gender_known check (gender in ('male', 'female')),
    constraint student_ethnicity_shape check (ethnicity ~ '^[0-9]{2}$'),
    constraint student_political_status_shape check (political_status ~ '^[0-9]{2}$'),
    constraint student_id_card_type_known check (
        id_card_type in ('resident_id', 'hmt_residence', 'hk_macau_permit', 'taiwan_permit',
                         'foreign_permanent', 'passport', 'military_id')
    ),
    -- The check digit is the server's; this keeps what was not normalised out.
    constraint student_id_card_no_shape check (
        case when id_card_type in ('resident_id', 'hmt_residence') then id_card_no ~ '^[0-9]{17}[0-9X]$'
             else id_card_no ~ '^[0-9A-Z]{5,20}$' end
    ),
    constraint student_pre_edu_level_known check (
        pre_edu_level in ('senior_high', 'vocational_high', 'equivalent', 'associate', 'bachelor', 'other')
    ),
    constraint student_study_form_known check (
        study_form in ('non_full_time', 'correspondence', 'part_time', 'full_time', 'online')
    ),
    constraint student_schooling_years_range check (schooling_years between 2.0 and 6.0),
    constraint student_schooling_years_half check (mod(schooling_years, 0.5) = 0),
    constraint student_dates_order check (
        expected_graduation_on > enrolled_on and max_study_end_on > enrolled_on
    ),
    constraint student_status_known check (
        status in ('pending_registration', 'registered', 'suspended', 'withdrawn', 'transferred_out', 'expired',
                   'graduated', 'completed', 'incomplete')
    ),
    constraint student_status_reason_known check (
        status_reason in ('voluntary', 'overdue', 'exceed_years', 'academic', 'disciplinary',
                          'qualification_failed', 'duplicate', 'deceased', 'other')
    ),
    constraint student_suspended_months_range check (suspended_months >= 0),
    constraint student_register_result_known check (
        register_result in ('none', 'exported', 'accepted', 'rejected')
    ),
    constraint student_exam_category_known check (
        exam_category in ('liberal', 'science', 'arts_tcm', 'art', 'engineering', 'economics', 'law', 'education',
                          'agriculture', 'medicine')
    ),
    constraint student_source_known check (source in ('report', 'transfer_in', 'legacy')),
    constraint student_fee_flag_known check (fee_flag in ('none', 'arrears')),
    constraint student_of_grade foreign key (grade_id) references grade (id),
    constraint student_of_site foreign key (site_id) references site (id),
    constraint student_major_not_of_level foreign key (major_id, level_id) references major (id, level_id),
    -- 分班: a class only of one's own grade, level, major and site. It also holds a class with students in its place.
    constraint student_class_mismatch foreign key (class_id, grade_id, level_id, major_id, site_id)
        references class (id, grade_id, level_id, major_id, site_id),
    constraint student_admission_photo_of_file foreign key (admission_photo_id) references file_object (id),
    constraint student_enrol_photo_of_file foreign key (enrol_photo_id) references file_object (id),
    constraint student_graduation_photo_of_file foreign key (graduation_photo_id) references file_object (id)
);
--;;
-- A number is given once, for ever. Also the keyword: exact, or by prefix of four characters and more.
create unique index student_no_taken on student (student_no);
--;;
create unique index student_examinee_no_taken on student (examinee_no);
--;;
-- One active enrolment a person; an ended one may stand beside it.
create unique index student_id_card_active_taken on student (id_card_type, id_card_no)
    where status in ('pending_registration', 'registered', 'suspended', 'expired');
--;;
-- The keyword, and "who is this" of every import: all enrolments of a number.
create index student_id_card_no on student (id_card_no);
--;;
create index student_phone on student (phone);
--;;
-- The keyword as a part of the name: name_grams @> the pairs of the keyword. Trigrams cannot see two characters.
create index student_name_grams on student using gin (name_grams);
--;;
-- Every list is newest first: created_at desc, id desc. The pages come from these in order, without sorting.
-- BeRegistered 全部 and studentList without a filter:
create index student_newest on student (created_at desc, id desc);
--;;
-- Tabs 待注册, 在籍, 休学, 超学制; dropOut; finishSchool; the nightly check of max_study_end_on:
create index student_status_newest on student (status, created_at desc, id desc);
--;;
-- F1 站点, and every list of a person whose data scope is sites:
create index student_site_newest on student (site_id, created_at desc, id desc);
--;;
-- F1 班级, the roster, seats of a class, 未分班 (class_id is null), and data scope by classes; status inside, because
-- seats are counted over active students:
create index student_class_newest on student (class_id, created_at desc, id desc) include (status);
--;;
-- F1 专业:
create index student_major_newest on student (major_id, created_at desc, id desc);
--;;
-- F1 年级, and the totals of every combination that names a grade (the statistics drawer, 在籍人数 of a grade):
create index student_grade_newest on student (grade_id, created_at desc, id desc);
--;;
create index student_cohort on student (grade_id, level_id, major_id, site_id, class_id, status, study_form);
--;;
-- F1 层次 and 学习形式 have three to five values; their totals are read from the index alone:
create index student_level_newest on student (level_id, created_at desc, id desc);
--;;
create index student_study_form_newest on student (study_form, created_at desc, id desc);
--;;
-- A file is deleted only after looking here; without these every expired export would read all students.
create index student_admission_photo on student (admission_photo_id) where admission_photo_id is not null;
--;;
create index student_enrol_photo on student (enrol_photo_id) where enrol_photo_id is not null;
--;;
create index student_graduation_photo on student (graduation_photo_id) where graduation_photo_id is not null;
--;;
-- 学籍变动记录: one row for each change of status or of an enrolment field. Insert only; replayed from the first row
-- it gives the present status. change_id points to student_change, which comes with status changes.
create table student_status_change (
    id           bigint generated always as identity,
    student_id   bigint  not null,
    kind         text    not null,
    from_status  text,
    to_status    text    not null,
    before       jsonb   not null default '{}',
    after        jsonb   not null default '{}',
    reason       text,
    change_id    bigint,
    document_no  text,
    effective_on date    not null,
    created_at   timestamptz not null default now(),
    created_by   bigint  not null,
    updated_at   timestamptz not null default now(),
    updated_by   bigint  not null,
    version      integer not null default 1,
    constraint student_status_change_key primary key (id),
    constraint student_status_change_kind_known check (
        kind in ('enrol', 'register', 'professional', 'hierarchical', 'class_change', 'dropout', 'suspension',
                 'return', 'transfer_out', 'expire', 'graduate', 'complete', 'incomplete', 'correction', 'revoke')
    ),
    constraint student_status_change_from_known check (
        from_status in ('pending_registration', 'registered', 'suspended', 'withdrawn', 'transferred_out', 'expired',
                        'graduated', 'completed', 'incomplete')
    ),
    constraint student_status_change_to_known check (
        to_status in ('pending_registration', 'registered', 'suspended', 'withdrawn', 'transferred_out', 'expired',
                      'graduated', 'completed', 'incomplete')
    ),
    constraint student_status_change_from_missing check (kind = 'enrol' or from_status is not null),
    constraint student_status_change_of_student foreign key (student_id) references student (id)
);
--;;
-- The history of one student, oldest first.
create index student_status_change_history on student_status_change (student_id, created_at, id);
--;;
-- dropOut and finishSchool: 生效时间 of the leaving.
create index student_status_change_effective on student_status_change (kind, effective_on);
