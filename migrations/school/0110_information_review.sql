-- 信息核对与审查: what students state and sign themselves: the data that are registered for life, their right to be admitted, the
-- form at graduation (part 02 §11). Owner: tenant/information_review.
--
--     not_submitted ─→ submitted ─→ class_passed ─→ approved
--                      submitted ─→ approved         submitted, class_passed, approved ─→ returned ─→ submitted

-- 采集设置: when the students of some grades fill a form in.
create table information_window (
    id                bigint generated always as identity,
    kind              text        not null,
    opens_at          timestamptz not null,
    -- Exclusive.
    closes_at         timestamptz not null,
    -- 承诺书, with {name} {idCardNo} {school} {level} {major}.
    template_text     text,
    -- Raised by every other text.
    template_version  integer     not null default 1,
    require_signature boolean     not null default false,
    require_face      boolean     not null default false,
    enabled           boolean     not null default true,
    created_at        timestamptz not null default now(),
    created_by        bigint      not null,
    updated_at        timestamptz not null default now(),
    updated_by        bigint      not null,
    version           integer     not null default 1,
    constraint information_window_key primary key (id),
    constraint information_window_state_key unique (id, kind, enabled),
    constraint information_window_kind_known check (
        kind in ('admission_information', 'admission_commitment', 'graduation_information')
    ),
    constraint information_window_times_order check (closes_at > opens_at),
    constraint information_window_template_missing check (kind <> 'admission_commitment' or template_text is not null)
);
--;;
create table information_window_grade (
    information_window_id bigint  not null,
    grade_id              bigint  not null,
    -- Those of the window, which carry the rule below.
    kind                  text    not null,
    enabled               boolean not null,
    constraint information_window_grade_key primary key (information_window_id, grade_id),
    constraint information_window_grade_of_window foreign key (information_window_id, kind, enabled)
        references information_window (id, kind, enabled) on update cascade,
    constraint information_window_grade_of_grade foreign key (grade_id) references grade (id)
);
--;;
-- One enabled window a kind and grade.
create unique index information_window_grade_taken on information_window_grade (kind, grade_id) where enabled;
--;;
create index information_window_grade_grade on information_window_grade (grade_id);
--;;
create table student_information (
    id                  bigint generated always as identity,
    kind                text    not null,
    student_id          bigint  not null,
    status              text    not null default 'not_submitted',
    -- What was filled in, as the module's types of the kind say.
    content             jsonb   not null default '{}',
    warnings            text[]  not null default '{}',
    submitted_at        timestamptz,
    submitted_by        text,
    signature_id        bigint,
    signed_at           timestamptz,
    sign_ip             text,
    class_review_by     text,
    class_review_at     timestamptz,
    class_review_remark text,
    -- As they were called then.
    reviewed_by         text,
    reviewed_at         timestamptz,
    -- Why it was returned last.
    remark              text,
    return_count        integer not null default 0,

    -- 核对不符: items that the student says are wrong.
    mismatches          integer not null default 0,
    -- The correction that these opened.
    correction_id       bigint,
    -- 入学照片 that was handed in and is not the student's yet.
    photo_id            bigint,
    -- 入学资格审查.
    evidence_kind       text,
    commitment_version  integer,
    -- As it was signed.
    commitment_text     text,
    conclusion          text,
    chsi_pre_check      text,
    chsi_checked_on     date,
    -- 毕业登记.
    photo_check         text,
    class_opinion       text,
    site_opinion        text,
    school_opinion      text,

    created_at          timestamptz not null default now(),
    created_by          bigint      not null,
    updated_at          timestamptz not null default now(),
    updated_by          bigint      not null,
    version             integer     not null default 1,
    constraint student_information_key primary key (id),
    constraint student_information_kind_known check (
        kind in ('admission_information', 'admission_commitment', 'graduation_information')
    ),
    constraint student_information_status_known check (
        status in ('not_submitted', 'submitted', 'class_passed', 'approved', 'returned')
    ),
    constraint student_information_submitted_missing check (
        status = 'not_submitted' or (submitted_at is not null and submitted_by is not null)
    ),
    constraint student_information_submitted_by_known check (submitted_by in ('student', 'staff')),
    constraint student_information_mismatches_range check (mismatches between 0 and 50),
    constraint student_information_evidence_kind_known check (
        evidence_kind in ('online_code', 'report', 'diploma_copy', 'high_school', 'equivalent')
    ),
    constraint student_information_conclusion_known check (conclusion in ('qualified', 'unqualified', 'supplement')),
    constraint student_information_chsi_pre_check_known check (
        chsi_pre_check in ('not_required', 'pending', 'passed', 'to_check', 'failed')
    ),
    constraint student_information_photo_check_known check (photo_check in ('pending', 'same', 'different')),
    constraint student_information_commitment_missing check (
        (kind = 'admission_commitment') = (chsi_pre_check is not null)
    ),
    constraint student_information_photo_check_missing check (
        (kind = 'graduation_information') = (photo_check is not null)
    ),
    constraint student_information_commitment_text_missing check (
        (commitment_text is null) = (commitment_version is null)
    ),
    constraint student_information_of_student foreign key (student_id) references student (id),
    constraint student_information_of_correction foreign key (correction_id) references student_correction (id),
    constraint student_information_signature_of_file foreign key (signature_id) references file_object (id),
    constraint student_information_photo_of_file foreign key (photo_id) references file_object (id)
);
--;;
create unique index student_information_student_taken on student_information (student_id, kind);
--;;
-- Every list is newest first; its pages come from these in order, without sorting.
create index student_information_newest on student_information (kind, created_at desc, id desc) include (student_id);
--;;
create index student_information_status_newest on student_information (kind, status, created_at desc, id desc)
    include (student_id);
--;;
create index student_information_submitted on student_information (kind, submitted_at desc, id desc)
    where submitted_at is not null;
--;;
create index student_information_mismatches on student_information (kind, created_at desc, id desc) where mismatches > 0;
--;;
create index student_information_evidence on student_information (evidence_kind, created_at desc, id desc)
    where evidence_kind is not null;
--;;
-- 承诺书 that nobody signed yet; of other kinds there is none to sign.
create index student_information_unsigned on student_information (created_at desc, id desc)
    where kind = 'admission_commitment' and commitment_text is null;
--;;
create index student_information_conclusion on student_information (conclusion, created_at desc, id desc)
    where conclusion is not null;
--;;
create index student_information_pre_check on student_information (chsi_pre_check, created_at desc, id desc)
    where chsi_pre_check is not null;
--;;
create index student_information_photo_check on student_information (photo_check, created_at desc, id desc)
    where photo_check is not null;
--;;
-- A correction or a file is deleted only after looking here.
create index student_information_correction on student_information (correction_id) where correction_id is not null;
--;;
create index student_information_signature on student_information (signature_id) where signature_id is not null;
--;;
create index student_information_photo on student_information (photo_id) where photo_id is not null;
--;;
-- 材料 that prove something, and the scan of a form that was signed on paper.
create table student_information_file (
    id                     bigint generated always as identity,
    student_information_id bigint not null,
    purpose                text   not null,
    file_id                bigint not null,
    constraint student_information_file_key primary key (id),
    constraint student_information_file_file_taken unique (file_id),
    -- Or the key of a field of the school's own.
    constraint student_information_file_purpose_known check (purpose in ('attachment', 'paper') or purpose like 'x\_%'),
    constraint student_information_file_of_information foreign key (student_information_id)
        references student_information (id),
    constraint student_information_file_of_file foreign key (file_id) references file_object (id)
);
--;;
create index student_information_file_information on student_information_file (student_information_id);
--;;
-- 办理过程: who handed in and who decided, as they were called then. Insert only.
create table student_information_step (
    id                     bigint generated always as identity,
    student_information_id bigint not null,
    step                   text   not null,
    remark                 text,
    actor_kind             text   not null,
    actor_id               bigint not null,
    actor_name             text   not null,
    created_at             timestamptz not null default now(),
    constraint student_information_step_key primary key (id),
    constraint student_information_step_step_known check (
        step in ('submit', 'class_pass', 'approve', 'return', 'take_back', 'pre_check')
    ),
    constraint student_information_step_of_information foreign key (student_information_id)
        references student_information (id)
);
--;;
create index student_information_step_information on student_information_step (student_information_id);
--;;
-- 催办: a class is reminded once in 24 hours. What it says of a class that is gone is of no account.
create table information_reminder (
    kind        text        not null,
    class_id    bigint      not null,
    reminded_at timestamptz not null,
    constraint information_reminder_key primary key (kind, class_id),
    constraint information_reminder_kind_known check (
        kind in ('admission_information', 'admission_commitment', 'graduation_information')
    )
);
