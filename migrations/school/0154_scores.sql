-- Scores: how one comes about, the sheets in which it becomes official, its correction, its transcript. Owner: tenant/scores.
-- Others read.
--
--     course_selection ── course_score ─┬─ course_score_component (study, homework, attendance, questions; frozen with the sheet)
--                                       ├─ exam_score (of a round)
--                                       ├─ score_sheet_row ── score_sheet
--                                       └─ score_correction
--     sheet: pending → entering → submitted → first_reviewed → reviewed ⇄ published → locked
--            submitted, first_reviewed, reviewed ─reject→ returned ─submit→ submitted

-- 成绩规则: of the whole school where no place is named. One that names more counts before one that names less.
create table score_rule (
    id         bigint generated always as identity,
    kind       text    not null,
    grade_id   bigint,
    level_id   bigint,
    major_id   bigint,
    course_id  bigint,
    -- As the module's type of the kind says.
    params     jsonb   not null,
    enabled    boolean not null default true,
    remark     text,
    updated_by_name text not null default '',
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint score_rule_key primary key (id),
    constraint score_rule_kind_known check (
        kind in ('study', 'homework', 'final_exam', 'attendance', 'questions', 'thesis', 'review', 'defense', 'total',
                 'graduation_total')
    ),
    constraint score_rule_course_known check (
        course_id is null or kind not in ('thesis', 'review', 'defense', 'graduation_total')
    ),
    -- The rule of the whole school is always there.
    constraint score_rule_default_enabled check (
        enabled or grade_id is not null or level_id is not null or major_id is not null or course_id is not null
    ),
    constraint score_rule_scope_taken unique nulls not distinct (kind, grade_id, level_id, major_id, course_id),
    constraint score_rule_of_grade foreign key (grade_id) references grade (id),
    constraint score_rule_of_level foreign key (level_id) references level (id),
    constraint score_rule_of_major foreign key (major_id) references major (id),
    constraint score_rule_of_course foreign key (course_id) references course (id)
);
--;;
create index score_rule_newest on score_rule (kind, updated_at desc, id);
--;;
create index score_rule_grade on score_rule (grade_id) where grade_id is not null;
--;;
create index score_rule_level on score_rule (level_id) where level_id is not null;
--;;
create index score_rule_major on score_rule (major_id) where major_id is not null;
--;;
create index score_rule_course on score_rule (course_id) where course_id is not null;
--;;
insert into score_rule (kind, params, created_by, updated_by)
values ('study', '{"progressWeight":80,"minutesWeight":20,"daysWeight":0,"fullMinutes":null,"fullDays":null}', 0, 0),
       ('homework', '{"method":"weighted","n":null}', 0, 0),
       ('final_exam', '{"examMinimum":0,"makeupMethod":"exam_only_capped","makeupCap":60,"makeupLimit":2,"finalMakeupLimit":1,"absentTotal":"zero","cheatingMakeup":"none","violationMakeup":true,"disqualifiedMakeup":false}', 0, 0),
       ('attendance', '{"source":"instruction_total","base":100,"absentDeduct":10,"lateDeduct":3,"leaveDeduct":2,"floor":0,"absenceFailPercent":33}', 0, 0),
       ('questions', '{"perQuestion":10,"perAnswer":5,"cap":100}', 0, 0),
       ('thesis', '{"items":[{"code":"topic","name":"选题","weight":20},{"code":"content","name":"内容","weight":40},{"code":"format","name":"规范","weight":20},{"code":"attitude","name":"态度","weight":20}],"itemsRequired":false}', 0, 0),
       ('review', '{"items":[{"code":"novelty","name":"创新","weight":20},{"code":"argument","name":"论证","weight":50},{"code":"format","name":"规范","weight":30}],"itemsRequired":false}', 0, 0),
       ('defense', '{"items":[{"code":"statement","name":"陈述","weight":40},{"code":"answers","name":"回答","weight":40},{"code":"manner","name":"仪态","weight":20}],"itemsRequired":false}', 0, 0),
       ('total', '{"weights":{"study":20,"homework":20,"attendance":0,"questions":0,"final_exam":60},"scale":0,"passLine":60,"missing":{"study":"zero","homework":"zero","attendance":"zero","questions":"zero","final_exam":"block"},"gradingMode":"percent","gpaScale":"linear_5"}', 0, 0),
       ('graduation_total', '{"weights":{"internship":0,"thesis":40,"review":20,"defense":40},"scale":0,"passLine":60,"floors":{"review":60,"defense":60},"excellentMaxPercent":15,"gradingMode":"five_level"}', 0, 0);
--;;
-- 课程成绩: one a selection.
create table course_score (
    id              bigint generated always as identity,
    selection_id    bigint  not null,
    student_id      bigint  not null,
    course_id       bigint  not null,
    semester_id     bigint  not null,
    attempt_no      integer not null,
    plan_course_id  bigint,
    class_id        bigint,
    credits         numeric(3, 1) not null,
    nature          text    not null,
    grading_mode    text    not null default 'percent',
    first_total     numeric(4, 1),
    first_mark      text,
    -- The best of the first examination and its make-ups.
    total           numeric(4, 1),
    mark            text,
    effective_round text,
    display_text    text    not null default '',
    passed          boolean,
    earned_credits  numeric(3, 1) not null default 0,
    grade_point     numeric(3, 2),
    makeup_used     integer not null default 0,
    -- 公式快照: rule, its version, weights and params; none until it is frozen.
    formula         jsonb,
    -- 由历史成绩导入.
    imported        boolean not null default false,
    status          text    not null default 'computing',
    stale           boolean not null default false,
    published_at    timestamptz,
    -- When what counts of it changed last: it was published, taken back, corrected. An audit that is older is out of date.
    counted_at      timestamptz,
    locked_at       timestamptz,
    created_at      timestamptz not null default now(),
    created_by      bigint  not null,
    updated_at      timestamptz not null default now(),
    updated_by      bigint  not null,
    version         integer not null default 1,
    constraint course_score_key primary key (id),
    constraint course_score_nature_known check (nature in ('compulsory', 'limited_elective', 'elective')),
    constraint course_score_grading_known check (grading_mode in ('percent', 'five_level', 'two_level')),
    constraint course_score_total_range check (total between 0 and 100 and first_total between 0 and 100),
    constraint course_score_first_mark_known check (
        first_mark in ('normal', 'absent', 'deferred', 'violation', 'cheating', 'disqualified', 'exempt')
    ),
    constraint course_score_mark_known check (
        mark in ('normal', 'absent', 'deferred', 'violation', 'cheating', 'disqualified', 'exempt')
    ),
    constraint course_score_round_known check (
        effective_round in ('first', 'deferred', 'makeup', 'final_makeup', 'exempt')
    ),
    constraint course_score_credits_range check (credits between 0.5 and 30 and earned_credits between 0 and credits),
    constraint course_score_point_range check (grade_point between 0 and 5),
    constraint course_score_makeup_range check (makeup_used >= 0),
    constraint course_score_status_known check (status in ('computing', 'pending', 'published', 'locked')),
    constraint course_score_published_missing check (
        status not in ('published', 'locked') or (published_at is not null and display_text <> '')
    ),
    constraint course_score_locked_missing check (status <> 'locked' or locked_at is not null),
    constraint course_score_selection_taken unique (selection_id),
    constraint course_score_of_selection foreign key (selection_id) references course_selection (id),
    constraint course_score_of_student foreign key (student_id) references student (id),
    constraint course_score_of_course foreign key (course_id) references course (id),
    constraint course_score_of_semester foreign key (semester_id) references semester (id),
    constraint course_score_of_plan_course foreign key (plan_course_id, course_id) references plan_course (id, course_id),
    constraint course_score_of_class foreign key (class_id) references class (id)
);
--;;
create index course_score_newest on course_score (created_at desc, id);
--;;
create index course_score_student on course_score (student_id, status, semester_id);
--;;
create index course_score_course on course_score (course_id, semester_id, status);
--;;
create index course_score_semester on course_score (semester_id, status, id);
--;;
create index course_score_class on course_score (class_id, semester_id) where class_id is not null;
--;;
create index course_score_plan_course on course_score (plan_course_id, course_id) where plan_course_id is not null;
--;;
-- Who did not pass, for make-ups, warnings and the audit.
create index course_score_failed on course_score (course_id, student_id)
    where status in ('published', 'locked') and passed is false;
--;;
create index course_score_stale on course_score (id) where stale;
--;;
-- Filters for the few: most have a plain score of the first examination.
create index course_score_mark on course_score (mark, created_at desc, id) where mark <> 'normal';
--;;
create index course_score_round on course_score (effective_round, created_at desc, id) where effective_round <> 'first';
--;;
create index course_score_counted on course_score (student_id, counted_at) where counted_at is not null;
--;;
-- Which published scores lock by themselves.
create index course_score_locking on course_score (published_at) where status = 'published';
--;;
-- 成绩组成.
create table course_score_component (
    id              bigint generated always as identity,
    course_score_id bigint  not null,
    kind            text    not null,
    value           numeric(4, 1),
    applicability   text    not null,
    source          text    not null default 'computed',
    -- What it was computed of, for its explanation.
    detail          jsonb   not null default '{}',
    rule_id         bigint,
    computed_at     timestamptz,
    frozen          boolean not null default false,
    -- 来源已变化: what it would be now, where it is frozen and differs.
    fresh_value     numeric(4, 1),
    entered_by_name text,
    reason          text,
    created_at      timestamptz not null default now(),
    created_by      bigint  not null,
    updated_at      timestamptz not null default now(),
    updated_by      bigint  not null,
    version         integer not null default 1,
    constraint course_score_component_key primary key (id),
    constraint course_score_component_kind_known check (kind in ('study', 'homework', 'attendance', 'questions')),
    constraint course_score_component_range check (value between 0 and 100 and fresh_value between 0 and 100),
    constraint course_score_component_applicability_known check (applicability in ('value', 'none', 'not_applicable')),
    constraint course_score_component_value_missing check ((applicability = 'value') = (value is not null)),
    constraint course_score_component_source_known check (source in ('computed', 'imported', 'entered')),
    constraint course_score_component_fresh_known check (fresh_value is null or frozen),
    constraint course_score_component_taken unique (course_score_id, kind),
    constraint course_score_component_of_score foreign key (course_score_id) references course_score (id),
    constraint course_score_component_of_rule foreign key (rule_id) references score_rule (id) on delete set null
);
--;;
create index course_score_component_newest on course_score_component (kind, created_at desc, id);
--;;
create index course_score_component_rule on course_score_component (rule_id) where rule_id is not null;
--;;
create index course_score_component_fresh on course_score_component (id) where fresh_value is not null;
--;;
create index course_score_component_source on course_score_component (kind, source, created_at desc, id)
    where source <> 'computed';
--;;
create index course_score_component_none on course_score_component (kind, created_at desc, id) where applicability = 'none';
--;;
-- 成绩登记表.
create table score_sheet (
    id                  bigint generated always as identity,
    sheet_no            text collate "C" not null,
    batch_id            bigint  not null,
    course_id           bigint  not null,
    semester_id         bigint  not null,
    class_id            bigint,
    round               text    not null,
    teacher_id          bigint,
    source              text    not null,
    -- None: the batch's window.
    entry_open_until    timestamptz,
    extend_reason       text,
    total_count         integer not null default 0,
    entered_count       integer not null default 0,
    absent_count        integer not null default 0,
    status              text    not null default 'pending',
    submitted_by        bigint,
    -- Whether that is an account or a teacher of the client.
    submitted_by_kind   text,
    submitted_by_name   text,
    submitted_at        timestamptz,
    first_reviewed_by   bigint,
    first_reviewed_by_name text,
    first_reviewed_at   timestamptz,
    reviewed_by         bigint,
    reviewed_by_name    text,
    reviewed_at         timestamptz,
    review_opinion      text,
    published_at        timestamptz,
    locked_at           timestamptz,
    return_reason       text,
    reminded_at         timestamptz,
    created_at          timestamptz not null default now(),
    created_by          bigint  not null,
    updated_at          timestamptz not null default now(),
    updated_by          bigint  not null,
    version             integer not null default 1,
    constraint score_sheet_key primary key (id),
    constraint score_sheet_round_known check (round in ('first', 'makeup', 'final_makeup')),
    constraint score_sheet_source_known check (source in ('online', 'offline', 'assessment')),
    constraint score_sheet_status_known check (
        status in ('pending', 'entering', 'submitted', 'first_reviewed', 'reviewed', 'published', 'locked', 'returned')
    ),
    constraint score_sheet_counts_range check (
        total_count >= 0 and entered_count between 0 and total_count and absent_count between 0 and total_count
    ),
    constraint score_sheet_submitter_known check (submitted_by_kind in ('account', 'teacher')),
    constraint score_sheet_submitter_whole check ((submitted_by is null) = (submitted_by_kind is null)),
    constraint score_sheet_submitted_missing check (
        status not in ('submitted', 'first_reviewed', 'reviewed', 'published', 'locked') or submitted_at is not null
    ),
    constraint score_sheet_reviewed_missing check (
        status not in ('reviewed', 'published', 'locked') or reviewed_at is not null or first_reviewed_at is not null
    ),
    constraint score_sheet_published_missing check (status not in ('published', 'locked') or published_at is not null),
    constraint score_sheet_locked_missing check (status <> 'locked' or locked_at is not null),
    constraint score_sheet_returned_missing check (status <> 'returned' or return_reason is not null),
    constraint score_sheet_no_taken unique (sheet_no),
    constraint score_sheet_taken unique nulls not distinct (batch_id, course_id, class_id, round),
    constraint score_sheet_of_batch foreign key (batch_id) references test_batch (id),
    constraint score_sheet_of_course foreign key (course_id) references course (id),
    constraint score_sheet_of_semester foreign key (semester_id) references semester (id),
    constraint score_sheet_of_class foreign key (class_id) references class (id),
    constraint score_sheet_of_teacher foreign key (teacher_id) references teacher (id)
);
--;;
create index score_sheet_newest on score_sheet (created_at desc, id);
--;;
create index score_sheet_status on score_sheet (status, round, created_at desc, id);
--;;
create index score_sheet_course on score_sheet (course_id, semester_id);
--;;
create index score_sheet_semester on score_sheet (semester_id);
--;;
create index score_sheet_class on score_sheet (class_id) where class_id is not null;
--;;
create index score_sheet_teacher on score_sheet (teacher_id, status) where teacher_id is not null;
--;;
create index score_sheet_locking on score_sheet (published_at) where status = 'published';
--;;
-- 签字扫描件.
create table score_sheet_file (
    sheet_id bigint  not null,
    file_id  bigint  not null,
    sort_no  integer not null,
    constraint score_sheet_file_key primary key (sheet_id, file_id),
    constraint score_sheet_file_of_sheet foreign key (sheet_id) references score_sheet (id) on delete cascade,
    constraint score_sheet_file_of_object foreign key (file_id) references file_object (id)
);
--;;
create index score_sheet_file_object on score_sheet_file (file_id);
--;;
create table score_sheet_row (
    id              bigint generated always as identity,
    sheet_id        bigint  not null,
    course_score_id bigint  not null,
    candidate_id    bigint,
    -- 不计: their selection was dropped before it was submitted.
    excluded        boolean not null default false,
    row_round       text    not null,
    raw             numeric(5, 1),
    paper_total     numeric(5, 1) not null default 100,
    value           numeric(4, 1),
    mark            text,
    -- Of a deferral, a violation, a disqualification or a record of absence: nobody types over it.
    mark_fixed      boolean not null default false,
    created_at      timestamptz not null default now(),
    created_by      bigint  not null,
    updated_at      timestamptz not null default now(),
    updated_by      bigint  not null,
    version         integer not null default 1,
    constraint score_sheet_row_key primary key (id),
    constraint score_sheet_row_round_known check (row_round in ('first', 'deferred', 'makeup', 'final_makeup')),
    constraint score_sheet_row_raw_range check (raw between 0 and paper_total),
    constraint score_sheet_row_total_range check (paper_total between 0.5 and 1000),
    constraint score_sheet_row_value_range check (value between 0 and 100),
    constraint score_sheet_row_value_missing check ((raw is null) = (value is null) or mark is not null),
    constraint score_sheet_row_mark_known check (
        mark in ('normal', 'absent', 'deferred', 'violation', 'cheating', 'disqualified', 'exempt')
    ),
    constraint score_sheet_row_fixed_missing check (not mark_fixed or mark is not null),
    constraint score_sheet_row_taken unique (sheet_id, course_score_id),
    constraint score_sheet_row_of_sheet foreign key (sheet_id) references score_sheet (id),
    constraint score_sheet_row_of_score foreign key (course_score_id) references course_score (id),
    constraint score_sheet_row_of_candidate foreign key (candidate_id) references exam_candidate (id)
);
--;;
create index score_sheet_row_score on score_sheet_row (course_score_id);
--;;
create index score_sheet_row_candidate on score_sheet_row (candidate_id) where candidate_id is not null;
--;;
-- 考试成绩 of one round.
create table exam_score (
    id              bigint generated always as identity,
    course_score_id bigint  not null,
    round           text    not null,
    round_no        integer not null default 1,
    setup_id        bigint,
    candidate_id    bigint,
    raw             numeric(5, 1),
    paper_total     numeric(5, 1) not null default 100,
    value           numeric(4, 1),
    mark            text    not null default 'normal',
    source          text    not null,
    sheet_id        bigint,
    published       boolean not null default false,
    -- What the round came to, by the formula that counted then.
    total           numeric(4, 1),
    entered_by_name text    not null default '',
    created_at      timestamptz not null default now(),
    created_by      bigint  not null,
    updated_at      timestamptz not null default now(),
    updated_by      bigint  not null,
    version         integer not null default 1,
    constraint exam_score_key primary key (id),
    constraint exam_score_round_known check (round in ('first', 'deferred', 'makeup', 'final_makeup')),
    constraint exam_score_round_no_range check (round_no between 1 and 20),
    constraint exam_score_raw_range check (raw between 0 and paper_total),
    constraint exam_score_total_range check (paper_total between 0.5 and 1000 and total between 0 and 100),
    constraint exam_score_value_range check (value between 0 and 100),
    constraint exam_score_mark_known check (
        mark in ('normal', 'absent', 'deferred', 'violation', 'cheating', 'disqualified', 'exempt')
    ),
    constraint exam_score_value_missing check (mark <> 'normal' or value is not null),
    constraint exam_score_source_known check (source in ('online', 'offline_entry', 'import')),
    constraint exam_score_taken unique (course_score_id, round, round_no),
    constraint exam_score_of_score foreign key (course_score_id) references course_score (id),
    constraint exam_score_of_setup foreign key (setup_id) references exam_setup (id),
    constraint exam_score_of_candidate foreign key (candidate_id) references exam_candidate (id),
    constraint exam_score_of_sheet foreign key (sheet_id) references score_sheet (id)
);
--;;
create unique index exam_score_candidate_taken on exam_score (candidate_id) where candidate_id is not null;
--;;
create index exam_score_newest on exam_score (created_at desc, id);
--;;
create index exam_score_setup on exam_score (setup_id) where setup_id is not null;
--;;
create index exam_score_sheet on exam_score (sheet_id) where sheet_id is not null;
--;;
create index exam_score_source on exam_score (source, created_at desc, id);
--;;
create index exam_score_mark on exam_score (mark, created_at desc, id) where mark <> 'normal';
--;;
create index exam_score_round on exam_score (round, created_at desc, id) where round <> 'first';
--;;
-- 成绩更正: the only way to change what is published.
create table score_correction (
    id               bigint generated always as identity,
    course_score_id  bigint  not null,
    target           text    not null,
    component_kind   text,
    exam_score_id    bigint,
    old_value        numeric(4, 1),
    old_mark         text,
    new_value        numeric(4, 1),
    new_mark         text,
    -- What the score was and became.
    old_text         text    not null default '',
    new_text         text,
    reason_type      text    not null,
    reason           text    not null,
    -- Made by the confirmation of a violation, or by its revocation.
    violation_id     bigint,
    status           text    not null default 'applied',
    applied_by       bigint  not null,
    applied_by_name  text    not null default '',
    audited_by       bigint,
    audited_by_name  text,
    audited_at       timestamptz,
    opinion          text,
    created_at       timestamptz not null default now(),
    created_by       bigint  not null,
    updated_at       timestamptz not null default now(),
    updated_by       bigint  not null,
    version          integer not null default 1,
    constraint score_correction_key primary key (id),
    constraint score_correction_target_known check (target in ('exam', 'component', 'mark')),
    -- The last six are parts of what is made elsewhere: of theses and of practical work.
    constraint score_correction_kind_known check (
        component_kind in ('study', 'homework', 'attendance', 'questions', 'internship', 'thesis', 'review', 'defense', 'unit',
                           'teacher')
    ),
    constraint score_correction_kind_missing check ((target = 'component') = (component_kind is not null)),
    -- What was imported, and what was made elsewhere, has no examination.
    constraint score_correction_exam_known check (target <> 'component' or exam_score_id is null),
    constraint score_correction_old_mark_known check (
        old_mark in ('normal', 'absent', 'deferred', 'violation', 'cheating', 'disqualified', 'exempt')
    ),
    constraint score_correction_new_mark_known check (
        new_mark in ('normal', 'absent', 'deferred', 'violation', 'cheating', 'disqualified', 'exempt')
    ),
    constraint score_correction_value_range check (old_value between 0 and 100 and new_value between 0 and 100),
    constraint score_correction_reason_type_known check (
        reason_type in ('entry_error', 'marking_error', 'recount', 'violation', 'other')
    ),
    constraint score_correction_status_known check (status in ('applied', 'approved', 'rejected', 'cancelled')),
    constraint score_correction_audited_missing check (status not in ('approved', 'rejected') or audited_at is not null),
    constraint score_correction_of_score foreign key (course_score_id) references course_score (id),
    constraint score_correction_of_exam foreign key (exam_score_id) references exam_score (id),
    constraint score_correction_of_violation foreign key (violation_id) references exam_violation (id)
);
--;;
create unique index score_correction_open_taken on score_correction (course_score_id, target) where status = 'applied';
--;;
create index score_correction_newest on score_correction (created_at desc, id);
--;;
create index score_correction_score on score_correction (course_score_id, id);
--;;
create index score_correction_exam on score_correction (exam_score_id) where exam_score_id is not null;
--;;
create index score_correction_violation on score_correction (violation_id) where violation_id is not null;
--;;
create index score_correction_status on score_correction (status, created_at desc, id);
--;;
create table score_correction_file (
    correction_id bigint  not null,
    file_id       bigint  not null,
    sort_no       integer not null,
    constraint score_correction_file_key primary key (correction_id, file_id),
    constraint score_correction_file_of_correction foreign key (correction_id) references score_correction (id),
    constraint score_correction_file_of_object foreign key (file_id) references file_object (id)
);
--;;
create index score_correction_file_object on score_correction_file (file_id);
--;;
-- 成绩单: what was printed when, by which number it is verified. Written once.
create table transcript_issue (
    id              bigint generated always as identity,
    student_id      bigint  not null,
    verification_no text collate "C" not null,
    -- What it said.
    content         jsonb   not null,
    sha256          text    not null,
    issued_by_name  text    not null default '',
    created_at      timestamptz not null default now(),
    created_by      bigint  not null,
    constraint transcript_issue_key primary key (id),
    constraint transcript_issue_no_shape check (verification_no ~ '^[0-9A-Z]{16}$'),
    constraint transcript_issue_no_taken unique (verification_no),
    constraint transcript_issue_of_student foreign key (student_id) references student (id)
);
--;;
create index transcript_issue_student on transcript_issue (student_id, id);
--;;
-- What counts of several attempts at a course: the passed one, else the best. Scores that are published or locked alone.
create view transcript_score as
select distinct on (s.student_id, s.course_id)
       s.id as course_score_id, s.student_id, s.course_id, s.selection_id, s.semester_id, s.attempt_no, s.plan_course_id,
       s.credits, s.nature, s.total, s.mark, s.display_text, s.passed, s.earned_credits, s.grade_point, s.makeup_used,
       s.effective_round, s.first_total, s.status, s.published_at
from course_score s
where s.status in ('published', 'locked')
order by s.student_id, s.course_id, s.passed desc nulls last, s.total desc nulls last, s.attempt_no desc, s.id desc;
--;;
-- How far a marker of tenant/exams is: on the net as the steps of marking keep it, on paper by what is typed of the sheets that are
-- theirs to enter.
create view exam_marker_progress as
select m.id as marker_id, m.setup_id,
       case when s.mode = 'online' then m.assigned else w.assigned end as assigned,
       case when s.mode = 'online' then m.done else w.done end as done,
       case when s.mode = 'online' then m.status
            when w.assigned > 0 and w.done = w.assigned then 'finished'
            when w.done > 0 then 'working'
            else 'assigned' end as status
from exam_marker m
join exam_setup s on s.id = m.setup_id
cross join lateral (
    select count(*)::integer as assigned, count(r.mark)::integer as done
    from score_sheet f
    join score_sheet_row r on r.sheet_id = f.id and not r.excluded and not r.mark_fixed
    join exam_candidate c on c.id = r.candidate_id and c.setup_id = m.setup_id
    where s.mode = 'offline' and f.batch_id = s.batch_id and f.course_id = s.course_id and f.teacher_id = m.teacher_id) w;
