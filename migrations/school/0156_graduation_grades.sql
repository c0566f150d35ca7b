-- Scores of practical work and theses, and the total that becomes the score of a thesis course. Owner: tenant/graduation_grades.
-- Others read.
--
--     course_selection (a course of internship) ── internship: draft → submitted → passed    submitted → returned → submitted
--     course_selection (a course of thesis) ── graduation_score ── thesis
--     graduation_score: pending → entering → submitted → reviewed → published → locked    submitted, reviewed → returned

-- 实习.
create table internship (
    id                bigint generated always as identity,
    selection_id      bigint  not null,
    student_id        bigint  not null,
    unit              text,
    post              text,
    starts_on         date,
    ends_on           date,
    mentor            text,
    mentor_phone      text collate "C",
    -- 在职免实习.
    apply_waiver      boolean not null default false,
    report_file_id    bigint,
    appraisal_file_id bigint,
    unit_score        numeric(4, 1),
    teacher_score     numeric(4, 1),
    score             numeric(4, 1),
    waived            boolean not null default false,
    status            text    not null default 'draft',
    submitted_at      timestamptz,
    -- Who entered the scores: they do not audit them.
    scored_by         bigint,
    scored_by_name    text,
    audited_by        bigint,
    audited_by_name   text,
    audited_at        timestamptz,
    return_reason     text,
    created_at        timestamptz not null default now(),
    created_by        bigint  not null,
    updated_at        timestamptz not null default now(),
    updated_by        bigint  not null,
    version           integer not null default 1,
    constraint internship_key primary key (id),
    constraint internship_dates_order check (ends_on >= starts_on),
    constraint internship_scores_range check (
        unit_score between 0 and 100 and teacher_score between 0 and 100 and score between 0 and 100
    ),
    constraint internship_status_known check (status in ('draft', 'submitted', 'passed', 'returned')),
    constraint internship_passed_missing check (status <> 'passed' or (score is not null and audited_at is not null)),
    constraint internship_returned_missing check (status <> 'returned' or return_reason is not null),
    constraint internship_taken unique (selection_id),
    constraint internship_of_selection foreign key (selection_id) references course_selection (id),
    constraint internship_of_student foreign key (student_id) references student (id),
    constraint internship_report_of_file foreign key (report_file_id) references file_object (id),
    constraint internship_appraisal_of_file foreign key (appraisal_file_id) references file_object (id)
);
--;;
create index internship_newest on internship (created_at desc, id);
--;;
create index internship_student on internship (student_id);
--;;
create index internship_status on internship (status, created_at desc, id);
--;;
create index internship_report_file on internship (report_file_id) where report_file_id is not null;
--;;
create index internship_appraisal_file on internship (appraisal_file_id) where appraisal_file_id is not null;
--;;
-- 毕业成绩.
create table graduation_score (
    id                bigint generated always as identity,
    selection_id      bigint  not null,
    student_id        bigint  not null,
    thesis_id         bigint,
    internship_score  numeric(4, 1),
    thesis_score      numeric(4, 1),
    thesis_items      jsonb   not null default '[]',
    thesis_comment    text,
    thesis_by_name    text,
    thesis_at         timestamptz,
    review_score      numeric(4, 1),
    review_items      jsonb   not null default '[]',
    review_comment    text,
    review_by_name    text,
    review_at         timestamptz,
    defense_score     numeric(4, 1),
    defense_items     jsonb   not null default '[]',
    defense_comment   text,
    defense_by_name   text,
    defense_at        timestamptz,
    total             numeric(4, 1),
    grade_word        text,
    veto              text,
    formula           jsonb,
    status            text    not null default 'pending',
    submitted_by      bigint,
    submitted_by_name text,
    submitted_at      timestamptz,
    reviewed_by       bigint,
    reviewed_by_name  text,
    reviewed_at       timestamptz,
    published_at      timestamptz,
    locked_at         timestamptz,
    return_reason     text,
    created_at        timestamptz not null default now(),
    created_by        bigint  not null,
    updated_at        timestamptz not null default now(),
    updated_by        bigint  not null,
    version           integer not null default 1,
    constraint graduation_score_key primary key (id),
    constraint graduation_score_parts_range check (
        internship_score between 0 and 100 and thesis_score between 0 and 100 and review_score between 0 and 100
        and defense_score between 0 and 100
    ),
    constraint graduation_score_total_range check (total between 0 and 100),
    constraint graduation_score_status_known check (
        status in ('pending', 'entering', 'submitted', 'reviewed', 'published', 'locked', 'returned')
    ),
    constraint graduation_score_total_missing check (
        status not in ('submitted', 'reviewed', 'published', 'locked') or total is not null
    ),
    constraint graduation_score_submitted_missing check (
        status not in ('submitted', 'reviewed', 'published', 'locked') or submitted_by is not null
    ),
    constraint graduation_score_reviewed_missing check (
        status not in ('reviewed', 'published', 'locked') or reviewed_by is not null
    ),
    constraint graduation_score_published_missing check (status not in ('published', 'locked') or published_at is not null),
    constraint graduation_score_returned_missing check (status <> 'returned' or return_reason is not null),
    constraint graduation_score_taken unique (selection_id),
    constraint graduation_score_of_selection foreign key (selection_id) references course_selection (id),
    constraint graduation_score_of_student foreign key (student_id) references student (id),
    constraint graduation_score_of_thesis foreign key (thesis_id) references thesis (id)
);
--;;
create index graduation_score_newest on graduation_score (created_at desc, id);
--;;
create index graduation_score_student on graduation_score (student_id);
--;;
create index graduation_score_thesis on graduation_score (thesis_id) where thesis_id is not null;
--;;
create index graduation_score_status on graduation_score (status, created_at desc, id);
