-- Graduation: who is examined in which batch by which rules, what was decided; degrees; punishments and outside examinations that
-- the rules ask for. Owner: tenant/graduation. Others read.
--
--     graduation_batch ── graduation_user ── student ─┐
--     degree_application ── student ──────────────────┴─ graduation_audit_item (a row of each rule)
--     graduation_rule        student_discipline ── exam_violation        external_exam_score
--     batch: draft → auditing → confirmed → registered → archived
--     user:  listed → site_checked → decided → confirmed → revoked      listed, site_checked, decided → removed
--     degree: applied → audited → approved → awarded      audited → refused

-- 毕业批次.
create table graduation_batch (
    id                bigint generated always as identity,
    code              text    not null,
    name              text    not null,
    initials          text    not null default '',
    year              integer not null,
    season            text    not null,
    kind              text    not null default 'regular',
    graduates_on      date,
    certificate_date  date,
    -- Empty: all.
    grade_ids         bigint[] not null default '{}',
    level_ids         bigint[] not null default '{}',
    major_ids         bigint[] not null default '{}',
    site_ids          bigint[] not null default '{}',
    audit_starts_on   date,
    audit_ends_on     date,
    degree_enabled    boolean not null default true,
    -- Where certificates are fetched; none: as the school or the site says. Nobody is told before the day.
    collect_place     text,
    collect_from      date,
    status            text    not null default 'draft',
    started_at        timestamptz,
    confirmed_by      bigint,
    confirmed_by_name text,
    confirmed_at      timestamptz,
    registered_at     timestamptz,
    archived_at       timestamptz,
    remark            text,
    created_at        timestamptz not null default now(),
    created_by        bigint  not null,
    updated_at        timestamptz not null default now(),
    updated_by        bigint  not null,
    version           integer not null default 1,
    constraint graduation_batch_key primary key (id),
    constraint graduation_batch_code_shape check (code ~ '^[A-Za-z0-9_-]{1,32}$'),
    constraint graduation_batch_year_range check (year between 1980 and 2100),
    constraint graduation_batch_season_known check (season in ('spring', 'autumn')),
    constraint graduation_batch_kind_known check (kind in ('regular', 'conversion')),
    constraint graduation_batch_status_known check (
        status in ('draft', 'auditing', 'confirmed', 'registered', 'archived')
    ),
    constraint graduation_batch_audit_order check (audit_ends_on >= audit_starts_on),
    constraint graduation_batch_dates_missing check (
        status = 'draft' or (graduates_on is not null and certificate_date is not null)
    ),
    constraint graduation_batch_confirmed_missing check (
        status not in ('confirmed', 'registered', 'archived') or confirmed_at is not null
    ),
    constraint graduation_batch_name_taken unique (name),
    constraint graduation_batch_season_taken unique (year, season, kind)
);
--;;
create unique index graduation_batch_code_taken on graduation_batch (lower(code));
--;;
create index graduation_batch_newest on graduation_batch (created_at desc, id);
--;;
-- 毕业条件 and 学位条件; of one code the row that names more counts.
create table graduation_rule (
    id         bigint generated always as identity,
    purpose    text    not null,
    rule_code  text    not null,
    grade_id   bigint,
    level_id   bigint,
    major_id   bigint,
    -- As the module's type of the code says.
    params     jsonb   not null default '{}',
    severity   text    not null default 'must',
    waivable   boolean not null default false,
    enabled    boolean not null default true,
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint graduation_rule_key primary key (id),
    constraint graduation_rule_purpose_known check (purpose in ('graduation', 'degree')),
    constraint graduation_rule_code_known check (
        case purpose
            when 'graduation' then rule_code in ('status', 'duration', 'credits', 'compulsory', 'elective', 'internship',
                                                 'thesis', 'fee', 'discipline', 'information', 'photo', 'prior_diploma',
                                                 'scores_settled')
            else rule_code in ('graduated', 'average', 'degree_courses', 'foreign_language', 'thesis', 'integrity', 'within',
                               'failures')
        end
    ),
    constraint graduation_rule_severity_known check (severity in ('must', 'warn')),
    constraint graduation_rule_scope_taken unique nulls not distinct (purpose, rule_code, grade_id, level_id, major_id),
    constraint graduation_rule_of_grade foreign key (grade_id) references grade (id),
    constraint graduation_rule_of_level foreign key (level_id) references level (id),
    constraint graduation_rule_of_major foreign key (major_id) references major (id)
);
--;;
create index graduation_rule_newest on graduation_rule (created_at desc, id);
--;;
create index graduation_rule_grade on graduation_rule (grade_id) where grade_id is not null;
--;;
create index graduation_rule_level on graduation_rule (level_id) where level_id is not null;
--;;
create index graduation_rule_major on graduation_rule (major_id) where major_id is not null;
--;;
insert into graduation_rule (purpose, rule_code, params, waivable, created_by, updated_by)
values ('graduation', 'status', '{}', false, 0, 0),
       ('graduation', 'duration', '{"toleranceDays":0}', false, 0, 0),
       ('graduation', 'credits', '{}', false, 0, 0),
       ('graduation', 'compulsory', '{}', false, 0, 0),
       ('graduation', 'elective', '{}', false, 0, 0),
       ('graduation', 'internship', '{}', false, 0, 0),
       ('graduation', 'thesis', '{}', false, 0, 0),
       ('graduation', 'fee', '{}', true, 0, 0),
       ('graduation', 'discipline', '{"blockTypes":["probation","expulsion"]}', false, 0, 0),
       ('graduation', 'information', '{}', true, 0, 0),
       ('graduation', 'photo', '{}', false, 0, 0),
       ('graduation', 'prior_diploma', '{}', true, 0, 0),
       ('graduation', 'scores_settled', '{}', false, 0, 0),
       ('degree', 'graduated', '{}', false, 0, 0),
       ('degree', 'average', '{"least":70}', false, 0, 0),
       ('degree', 'degree_courses', '{"eachLeast":60,"meanLeast":70}', false, 0, 0),
       ('degree', 'foreign_language', '{"accepted":[{"type":"degree_english","least":null},{"type":"cet4","least":425},{"type":"pets3","least":null}]}', false, 0, 0),
       ('degree', 'thesis', '{"least":70}', false, 0, 0),
       ('degree', 'integrity', '{}', false, 0, 0),
       ('degree', 'within', '{"months":12}', false, 0, 0),
       ('degree', 'failures', '{"most":99}', false, 0, 0);
--;;
-- 毕业生 of a batch.
create table graduation_user (
    id              bigint generated always as identity,
    batch_id        bigint  not null,
    student_id      bigint  not null,
    audit_result    text    not null default 'pending',
    -- Out of date when a score of the student counted anew since (course_score.counted_at).
    audited_at      timestamptz,
    suggestion      text,
    site_opinion    text    not null default 'none',
    site_remark     text,
    site_by_name    text,
    site_at         timestamptz,
    decision        text    not null default 'none',
    decision_reason text,
    decided_by      bigint,
    decided_by_name text,
    decided_at      timestamptz,
    status          text    not null default 'listed',
    -- Which status the register had before the confirmation.
    former_status   text,
    -- Credits and averages at the confirmation.
    snapshot        jsonb,
    remove_reason   text,
    revoke_reason   text,
    revoke_file_id  bigint,
    created_at      timestamptz not null default now(),
    created_by      bigint  not null,
    updated_at      timestamptz not null default now(),
    updated_by      bigint  not null,
    version         integer not null default 1,
    constraint graduation_user_key primary key (id),
    constraint graduation_user_result_known check (audit_result in ('pending', 'passed', 'failed')),
    constraint graduation_user_audited_missing check ((audit_result = 'pending') = (audited_at is null)),
    constraint graduation_user_suggestion_known check (suggestion in ('graduate', 'complete', 'delay', 'incomplete')),
    constraint graduation_user_opinion_known check (site_opinion in ('none', 'agree', 'disagree')),
    constraint graduation_user_decision_known check (decision in ('none', 'graduate', 'complete', 'delay', 'incomplete')),
    constraint graduation_user_reason_missing check (
        decision not in ('complete', 'incomplete') or decision_reason is not null
    ),
    constraint graduation_user_status_known check (
        status in ('listed', 'site_checked', 'decided', 'confirmed', 'removed', 'revoked')
    ),
    constraint graduation_user_decided_missing check (status not in ('decided', 'confirmed') or decision <> 'none'),
    constraint graduation_user_snapshot_missing check (status <> 'confirmed' or snapshot is not null),
    constraint graduation_user_removed_missing check (status <> 'removed' or remove_reason is not null),
    constraint graduation_user_revoked_missing check (
        status <> 'revoked' or (revoke_reason is not null and revoke_file_id is not null)
    ),
    constraint graduation_user_taken unique (batch_id, student_id),
    constraint graduation_user_of_batch foreign key (batch_id) references graduation_batch (id),
    constraint graduation_user_of_student foreign key (student_id) references student (id),
    constraint graduation_user_revoke_of_file foreign key (revoke_file_id) references file_object (id)
);
--;;
-- A student is in one open batch.
create unique index graduation_user_open_taken on graduation_user (student_id)
    where status in ('listed', 'site_checked', 'decided');
--;;
create index graduation_user_newest on graduation_user (created_at desc, id);
--;;
create index graduation_user_batch on graduation_user (batch_id, status, audit_result);
--;;
create index graduation_user_status on graduation_user (status, created_at desc, id);
--;;
create index graduation_user_decision on graduation_user (decision, created_at desc, id) where decision <> 'none';
--;;
create index graduation_user_student on graduation_user (student_id);
--;;
create index graduation_user_revoke_file on graduation_user (revoke_file_id) where revoke_file_id is not null;
--;;
-- By which plan somebody of a grade and major is examined: the one in effect, else the newest that was.
create view graduation_plan as
select distinct on (p.grade_id, p.major_id) p.grade_id, p.major_id, p.id as plan_id, p.total_credits
from teaching_plan p
where p.status in ('effective', 'superseded')
order by p.grade_id, p.major_id, (p.status = 'effective') desc, p.version_no desc;
--;;
-- How the studies of whoever left ended: of several batches that were confirmed, the last one that decided more than a delay.
create view graduation_outcome as
select g.id, g.batch_id, g.student_id, g.decision
from graduation_user g
where g.status = 'confirmed' and g.decision in ('graduate', 'complete', 'incomplete')
  and not exists (select from graduation_user n
                  where n.student_id = g.student_id and n.id > g.id and n.status = 'confirmed' and n.decision <> 'delay');
--;;
-- 学位申请.
create table degree_application (
    id              bigint generated always as identity,
    student_id      bigint  not null,
    batch_id        bigint  not null,
    applied_on      date    not null,
    source          text    not null,
    audit_result    text    not null default 'pending',
    audited_at      timestamptz,
    decision        text    not null default 'none',
    committee_date  date,
    committee_no    text,
    chair_name      text,
    reason          text,
    decided_by_name text,
    decided_at      timestamptz,
    awarded_at      timestamptz,
    status          text    not null default 'applied',
    created_at      timestamptz not null default now(),
    created_by      bigint  not null,
    updated_at      timestamptz not null default now(),
    updated_by      bigint  not null,
    version         integer not null default 1,
    constraint degree_application_key primary key (id),
    constraint degree_application_source_known check (source in ('student', 'staff')),
    constraint degree_application_result_known check (audit_result in ('pending', 'passed', 'failed')),
    constraint degree_application_audited_missing check ((audit_result = 'pending') = (audited_at is null)),
    constraint degree_application_decision_known check (decision in ('none', 'approved', 'refused')),
    constraint degree_application_committee_missing check (
        decision = 'none' or (committee_date is not null and committee_no is not null)
    ),
    constraint degree_application_reason_missing check (decision <> 'refused' or reason is not null),
    constraint degree_application_status_known check (status in ('applied', 'audited', 'approved', 'awarded', 'refused')),
    constraint degree_application_awarded_missing check ((status = 'awarded') = (awarded_at is not null)),
    constraint degree_application_of_student foreign key (student_id) references student (id),
    constraint degree_application_of_batch foreign key (batch_id) references graduation_batch (id)
);
--;;
create unique index degree_application_open_taken on degree_application (student_id) where status <> 'refused';
--;;
create index degree_application_newest on degree_application (created_at desc, id);
--;;
create index degree_application_student on degree_application (student_id);
--;;
create index degree_application_batch on degree_application (batch_id, status);
--;;
create index degree_application_status on degree_application (status, created_at desc, id);
--;;
-- 审核明细: what each rule said.
create table graduation_audit_item (
    id                    bigint generated always as identity,
    graduation_user_id    bigint,
    degree_application_id bigint,
    rule_code             text    not null,
    severity              text    not null,
    passed                boolean not null,
    required              text    not null default '',
    actual                text    not null default '',
    explanation           text    not null default '',
    detail                jsonb   not null default '{}',
    waived                boolean not null default false,
    waive_reason          text,
    waive_file_id         bigint,
    waived_by_name        text,
    waived_at             timestamptz,
    created_at            timestamptz not null default now(),
    created_by            bigint  not null,
    updated_at            timestamptz not null default now(),
    updated_by            bigint  not null,
    version               integer not null default 1,
    constraint graduation_audit_item_key primary key (id),
    constraint graduation_audit_item_of_one check ((graduation_user_id is null) <> (degree_application_id is null)),
    constraint graduation_audit_item_severity_known check (severity in ('must', 'warn')),
    constraint graduation_audit_item_waive_missing check (
        not waived or (waive_reason is not null and waive_file_id is not null)
    ),
    constraint graduation_audit_item_user_taken unique (graduation_user_id, rule_code),
    constraint graduation_audit_item_degree_taken unique (degree_application_id, rule_code),
    constraint graduation_audit_item_of_user foreign key (graduation_user_id) references graduation_user (id),
    constraint graduation_audit_item_of_degree foreign key (degree_application_id) references degree_application (id),
    constraint graduation_audit_item_waive_of_file foreign key (waive_file_id) references file_object (id)
);
--;;
create index graduation_audit_item_failed on graduation_audit_item (rule_code, graduation_user_id)
    where not passed and not waived;
--;;
create index graduation_audit_item_waive_file on graduation_audit_item (waive_file_id) where waive_file_id is not null;
--;;
-- 处分.
create table student_discipline (
    id              bigint generated always as identity,
    student_id      bigint  not null,
    type            text    not null,
    document_no     text    not null,
    reason          text    not null,
    decided_on      date    not null,
    expires_on      date,
    released_on     date,
    release_reason  text,
    violation_id    bigint,
    status          text    not null default 'effective',
    created_at      timestamptz not null default now(),
    created_by      bigint  not null,
    updated_at      timestamptz not null default now(),
    updated_by      bigint  not null,
    version         integer not null default 1,
    constraint student_discipline_key primary key (id),
    constraint student_discipline_type_known check (
        type in ('warning', 'serious_warning', 'demerit', 'probation', 'expulsion')
    ),
    constraint student_discipline_dates_order check (expires_on >= decided_on and released_on >= decided_on),
    constraint student_discipline_status_known check (status in ('effective', 'released', 'revoked')),
    constraint student_discipline_released_missing check (status <> 'released' or released_on is not null),
    constraint student_discipline_no_taken unique (student_id, document_no),
    constraint student_discipline_of_student foreign key (student_id) references student (id),
    constraint student_discipline_of_violation foreign key (violation_id) references exam_violation (id)
);
--;;
create index student_discipline_newest on student_discipline (created_at desc, id);
--;;
create index student_discipline_day on student_discipline (decided_on desc, created_at desc, id);
--;;
create index student_discipline_effective on student_discipline (student_id, type) where status = 'effective';
--;;
create index student_discipline_violation on student_discipline (violation_id) where violation_id is not null;
--;;
-- 校外考试成绩.
create table external_exam_score (
    id             bigint generated always as identity,
    student_id     bigint  not null,
    type           text    not null,
    score          numeric(5, 1),
    certificate_no text,
    exam_date      date    not null,
    passed         boolean not null,
    created_at     timestamptz not null default now(),
    created_by     bigint  not null,
    updated_at     timestamptz not null default now(),
    updated_by     bigint  not null,
    version        integer not null default 1,
    constraint external_exam_score_key primary key (id),
    constraint external_exam_score_type_known check (
        type in ('degree_english', 'cet4', 'cet6', 'pets3', 'national_self_study', 'other')
    ),
    constraint external_exam_score_range check (score between 0 and 999.9),
    constraint external_exam_score_no_taken unique (type, certificate_no),
    constraint external_exam_score_date_taken unique (student_id, type, exam_date),
    constraint external_exam_score_of_student foreign key (student_id) references student (id)
);
--;;
create index external_exam_score_newest on external_exam_score (created_at desc, id);
--;;
create index external_exam_score_day on external_exam_score (exam_date desc, created_at desc, id);
