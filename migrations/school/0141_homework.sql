-- Homework: what is set for opened courses, answered in the students' client, marked by machine and by teachers. Owner:
-- tenant/homework. Others read. Sheets are shared with online examinations, whose candidates come with them.
--
--     homework ─┬─ homework_target (opening, class)   homework_marker (teacher, class, questions)   homework_paper
--               ├─ homework_snapshot ── paper_snapshot                      (frozen when it is published)
--               └─ homework_student ── answer_sheet ─┬─ answer_item ── answer_file
--                                                    ├─ answer_similarity   └ sheet_return
--     homework: draft ─publish→ published ─close→ closed ─reopen→ published      published ─withdraw→ withdrawn ─publish→
--     sheet:    in_progress → submitted → marked        submitted, marked ─return→ returned ─(not redone)→ as it was     any → void

-- 作业. One may be of several openings of the same course.
create table homework (
    id                   bigint generated always as identity,
    semester_id          bigint  not null,
    course_id            bigint  not null,
    title                text    not null,
    initials             text    not null default '',
    purpose              text    not null,
    chapter_id           bigint,
    kind                 text    not null,
    -- None of what is handed in as files.
    paper_mode           text,
    rule_id              bigint,
    -- By which each student's paper is drawn.
    rule_seed            bigint,
    instruction          text,
    upload               jsonb,
    total_score          numeric(5, 1) not null,
    pass_score           numeric(5, 1) not null,
    starts_at            timestamptz not null,
    ends_at              timestamptz not null,
    late_until           timestamptz,
    -- Percent.
    late_penalty         integer not null default 0,
    duration_minutes     integer,
    max_attempts         integer not null default 1,
    attempt_scoring      text    not null default 'highest',
    min_interval_minutes integer not null default 0,
    shuffle_questions    boolean not null default false,
    shuffle_options      boolean not null default false,
    show_answer          text    not null default 'after_close',
    -- Percent of the course that must have been studied.
    required_progress    numeric(4, 1) not null default 0,
    weight               numeric(4, 1) not null default 1,
    -- None: answers are not compared.
    similarity_threshold integer default 60,
    mark_due_at          timestamptz,
    status               text    not null default 'draft',
    published_at         timestamptz,
    closed_at            timestamptz,
    -- The day on which its markers were told last that sheets wait beyond their time.
    overdue_told_on      date,
    -- The account's name when it was set: accounts stand in the platform's schema.
    created_by_name      text    not null default '',
    created_at           timestamptz not null default now(),
    created_by           bigint  not null,
    updated_at           timestamptz not null default now(),
    updated_by           bigint  not null,
    version              integer not null default 1,
    constraint homework_key primary key (id),
    constraint homework_purpose_known check (purpose in ('homework', 'chapter_test')),
    constraint homework_chapter_missing check (purpose <> 'chapter_test' or chapter_id is not null),
    constraint homework_kind_known check (kind in ('paper', 'upload')),
    constraint homework_paper_mode_known check (paper_mode in ('fixed', 'random_pool', 'random_rule')),
    constraint homework_paper_mode_missing check ((kind = 'paper') = (paper_mode is not null)),
    constraint homework_rule_missing check ((rule_id is not null) = coalesce(paper_mode = 'random_rule', false)),
    constraint homework_instruction_missing check (kind = 'paper' or (instruction is not null and upload is not null)),
    constraint homework_total_range check (total_score between 0.5 and 1000),
    constraint homework_pass_range check (pass_score between 0 and total_score),
    constraint homework_window_order check (ends_at > starts_at),
    constraint homework_late_order check (late_until > ends_at),
    constraint homework_mark_due_order check (mark_due_at > ends_at),
    constraint homework_penalty_range check (late_penalty between 0 and 100),
    constraint homework_duration_range check (duration_minutes between 5 and 600),
    constraint homework_attempts_range check (max_attempts between 1 and 10),
    constraint homework_scoring_known check (attempt_scoring in ('highest', 'last', 'average')),
    constraint homework_interval_range check (min_interval_minutes between 0 and 1440),
    constraint homework_show_answer_known check (show_answer in ('never', 'after_submit', 'after_close', 'after_marked')),
    constraint homework_shown_at_once check (show_answer <> 'after_submit' or max_attempts = 1),
    constraint homework_progress_range check (required_progress between 0 and 100),
    constraint homework_weight_range check (weight between 0 and 100),
    constraint homework_similarity_range check (similarity_threshold between 30 and 100),
    constraint homework_status_known check (status in ('draft', 'published', 'closed', 'withdrawn')),
    constraint homework_published_missing check (status not in ('published', 'closed') or published_at is not null),
    constraint homework_title_taken unique (semester_id, course_id, title),
    -- Lets a target prove that its opening is of the homework's semester and course.
    constraint homework_with_course unique (id, semester_id, course_id),
    constraint homework_of_semester foreign key (semester_id) references semester (id),
    constraint homework_of_course foreign key (course_id) references course (id),
    constraint homework_of_chapter foreign key (chapter_id, course_id) references course_chapter (id, course_id),
    constraint homework_of_rule foreign key (rule_id) references paper_rule (id)
);
--;;
create index homework_newest on homework (created_at desc, id);
--;;
create index homework_course on homework (course_id, semester_id);
--;;
create index homework_chapter on homework (chapter_id, course_id) where chapter_id is not null;
--;;
create index homework_rule on homework (rule_id) where rule_id is not null;
--;;
create index homework_status on homework (status, created_at desc, id);
--;;
create index homework_ending on homework (ends_at) where status = 'published';
--;;
-- 对象: an opening, or a class of it.
create table homework_target (
    id          bigint generated always as identity,
    homework_id bigint not null,
    semester_id bigint not null,
    course_id   bigint not null,
    opening_id  bigint not null,
    class_id    bigint,
    constraint homework_target_key primary key (id),
    constraint homework_target_taken unique nulls not distinct (homework_id, opening_id, class_id),
    constraint homework_target_of_homework foreign key (homework_id, semester_id, course_id)
        references homework (id, semester_id, course_id) on delete cascade,
    constraint homework_target_of_opening foreign key (opening_id, semester_id, course_id)
        references course_opening (id, semester_id, course_id),
    constraint homework_target_of_class foreign key (class_id) references class (id)
);
--;;
create index homework_target_opening on homework_target (opening_id, class_id);
--;;
create index homework_target_class on homework_target (class_id) where class_id is not null;
--;;
-- 批阅教师: of a class or of all, of some questions ("3", "7.2") or of all.
create table homework_marker (
    id            bigint generated always as identity,
    homework_id   bigint not null,
    teacher_id    bigint not null,
    class_id      bigint,
    question_seqs text[] not null default '{}',
    -- How many sheets at the most.
    quota         integer,
    constraint homework_marker_key primary key (id),
    constraint homework_marker_quota_range check (quota between 1 and 100000),
    constraint homework_marker_taken unique nulls not distinct (homework_id, teacher_id, class_id),
    constraint homework_marker_of_homework foreign key (homework_id) references homework (id) on delete cascade,
    constraint homework_marker_of_teacher foreign key (teacher_id) references teacher (id),
    constraint homework_marker_of_class foreign key (class_id) references class (id)
);
--;;
create index homework_marker_teacher on homework_marker (teacher_id, homework_id);
--;;
create index homework_marker_class on homework_marker (class_id) where class_id is not null;
--;;
-- 试卷: one, or those of which each student gets one.
create table homework_paper (
    homework_id bigint  not null,
    paper_id    bigint  not null,
    sort_no     integer not null,
    constraint homework_paper_key primary key (homework_id, paper_id),
    constraint homework_paper_place_taken unique (homework_id, sort_no),
    constraint homework_paper_of_homework foreign key (homework_id) references homework (id) on delete cascade,
    constraint homework_paper_of_paper foreign key (paper_id) references paper (id)
);
--;;
create index homework_paper_paper on homework_paper (paper_id);
--;;
-- 快照: what is answered since it was published.
create table homework_snapshot (
    homework_id bigint  not null,
    snapshot_id bigint  not null,
    sort_no     integer not null,
    constraint homework_snapshot_key primary key (homework_id, snapshot_id),
    constraint homework_snapshot_of_homework foreign key (homework_id) references homework (id) on delete cascade,
    constraint homework_snapshot_of_snapshot foreign key (snapshot_id) references paper_snapshot (id)
);
--;;
create index homework_snapshot_snapshot on homework_snapshot (snapshot_id);
--;;
-- 学生作业. Its state and hand-in follow the student's newest sheet that is not void.
create table homework_student (
    id             bigint generated always as identity,
    homework_id    bigint  not null,
    selection_id   bigint  not null,
    snapshot_id    bigint  not null,
    state          text    not null default 'not_started',
    attempts_used  integer not null default 0,
    extra_attempts integer not null default 0,
    extended_until timestamptz,
    -- One more attempt until then, because a sheet was given back.
    redo_until     timestamptz,
    exempt_reason  text,
    -- What it was before it became void with its selection.
    former_state   text,
    submitted_at   timestamptz,
    late           boolean not null default false,
    final_raw      numeric(5, 1),
    -- Of a hundred.
    final_score    numeric(4, 1),
    similarity     numeric(4, 1),
    due_told_at    timestamptz,
    created_at     timestamptz not null default now(),
    created_by     bigint  not null,
    updated_at     timestamptz not null default now(),
    updated_by     bigint  not null,
    version        integer not null default 1,
    constraint homework_student_key primary key (id),
    constraint homework_student_state_known check (
        state in ('not_started', 'in_progress', 'submitted', 'marked', 'returned', 'missed', 'exempt', 'void')
    ),
    constraint homework_student_former_known check (
        former_state in ('not_started', 'in_progress', 'submitted', 'marked', 'returned', 'missed', 'exempt')
    ),
    constraint homework_student_attempts_range check (attempts_used >= 0 and extra_attempts between 0 and 100),
    constraint homework_student_exempt_reason_missing check (state <> 'exempt' or exempt_reason is not null),
    constraint homework_student_raw_range check (final_raw between 0 and 1000),
    constraint homework_student_score_range check (final_score between 0 and 100),
    constraint homework_student_similarity_range check (similarity between 0 and 100),
    constraint homework_student_taken unique (homework_id, selection_id),
    constraint homework_student_of_homework foreign key (homework_id) references homework (id),
    constraint homework_student_of_selection foreign key (selection_id) references course_selection (id),
    constraint homework_student_of_snapshot foreign key (snapshot_id) references paper_snapshot (id)
);
--;;
create index homework_student_newest on homework_student (created_at desc, id);
--;;
create index homework_student_selection on homework_student (selection_id, state);
--;;
create index homework_student_snapshot on homework_student (snapshot_id);
--;;
create index homework_student_state on homework_student (homework_id, state);
--;;
create index homework_student_in_state on homework_student (state, created_at desc, id);
--;;
create index homework_student_score on homework_student (final_score) where final_score is not null;
--;;
create index homework_student_late on homework_student (created_at desc, id) where late;
--;;
-- 答卷 of one attempt: of homework, or of an online examination.
create table answer_sheet (
    id                  bigint generated always as identity,
    homework_student_id bigint,
    exam_candidate_id   bigint,
    attempt_no          integer not null,
    -- Done again because one was given back: it has the time that its row has for that, also when the homework is closed.
    redo                boolean not null default false,
    snapshot_id         bigint  not null,
    -- By which its questions and options are shown in another order.
    seed                bigint  not null default 0,
    started_at          timestamptz not null,
    deadline_at         timestamptz not null,
    submitted_at        timestamptz,
    submit_kind         text,
    late                boolean not null default false,
    ip                  text    not null default '',
    device              text    not null default '',
    last_client_seq     bigint  not null default 0,
    objective_score     numeric(5, 1),
    subjective_score    numeric(5, 1),
    penalty             numeric(5, 1) not null default 0,
    total_score         numeric(5, 1),
    similarity          numeric(4, 1),
    mark_state          text    not null default 'in_progress',
    -- Who is to mark it; of a question that is given to somebody else its item says so.
    marker_id           bigint,
    marked_at           timestamptz,
    marked_by_name      text,
    -- Who has it open, until when; a teacher of the client has an account of another kind.
    locked_kind         text,
    locked_by           bigint,
    locked_by_name      text,
    locked_until        timestamptz,
    created_at          timestamptz not null default now(),
    created_by          bigint  not null,
    updated_at          timestamptz not null default now(),
    updated_by          bigint  not null,
    version             integer not null default 1,
    constraint answer_sheet_key primary key (id),
    constraint answer_sheet_of_one check ((homework_student_id is null) <> (exam_candidate_id is null)),
    constraint answer_sheet_attempt_range check (attempt_no >= 1),
    constraint answer_sheet_deadline_order check (deadline_at >= started_at),
    constraint answer_sheet_submit_kind_known check (
        submit_kind in ('student', 'auto_time', 'auto_close', 'staff', 'forced', 'switch_limit', 'idle', 'face_fail')
    ),
    constraint answer_sheet_state_known check (mark_state in ('in_progress', 'submitted', 'marked', 'returned', 'void')),
    constraint answer_sheet_submitted_missing check (
        mark_state in ('in_progress', 'void') or (submitted_at is not null and submit_kind is not null)
    ),
    constraint answer_sheet_total_missing check (mark_state <> 'marked' or total_score is not null),
    constraint answer_sheet_locked_kind_known check (locked_kind in ('account', 'teacher')),
    constraint answer_sheet_lock_whole check (
        (locked_kind is null) = (locked_by is null) and (locked_by is null) = (locked_until is null)
    ),
    constraint answer_sheet_attempt_taken unique nulls not distinct (homework_student_id, exam_candidate_id, attempt_no),
    constraint answer_sheet_of_student foreign key (homework_student_id) references homework_student (id),
    constraint answer_sheet_of_snapshot foreign key (snapshot_id) references paper_snapshot (id),
    constraint answer_sheet_of_marker foreign key (marker_id) references teacher (id)
);
--;;
-- A student answers one sheet of a homework at a time.
create unique index answer_sheet_open_taken on answer_sheet (homework_student_id) where mark_state = 'in_progress';
--;;
create unique index answer_sheet_exam_open_taken on answer_sheet (exam_candidate_id) where mark_state = 'in_progress';
--;;
create index answer_sheet_exam on answer_sheet (exam_candidate_id) where exam_candidate_id is not null;
--;;
create index answer_sheet_due on answer_sheet (deadline_at) where mark_state = 'in_progress';
--;;
create index answer_sheet_state on answer_sheet (mark_state, submitted_at, id);
--;;
create index answer_sheet_newest on answer_sheet (created_at desc, id);
--;;
create index answer_sheet_in_state on answer_sheet (mark_state, created_at desc, id);
--;;
create index answer_sheet_submitted on answer_sheet (submitted_at) where submitted_at is not null;
--;;
create index answer_sheet_late on answer_sheet (created_at desc, id) where late;
--;;
create index answer_sheet_similar on answer_sheet (similarity) where similarity > 0;
--;;
create index answer_sheet_snapshot on answer_sheet (snapshot_id);
--;;
create index answer_sheet_marker on answer_sheet (marker_id, mark_state);
--;;
-- 答案 to one question of a sheet.
create table answer_item (
    id                   bigint generated always as identity,
    sheet_id             bigint not null,
    snapshot_question_id bigint not null,
    seq                  text   not null,
    -- In the question's own letters, whatever letters were shown.
    answer               jsonb,
    client_seq           bigint not null default 0,
    saved_at             timestamptz,
    auto_score           numeric(5, 1),
    score                numeric(5, 1),
    mark_state           text   not null default 'pending',
    comment              text,
    annotations          jsonb  not null default '[]',
    -- Who is to mark this question, when somebody else marks the sheet.
    marker_id            bigint,
    marked_by_account_id bigint,
    marked_by_teacher_id bigint,
    marked_at            timestamptz,
    constraint answer_item_key primary key (id),
    constraint answer_item_state_known check (mark_state in ('auto', 'pending', 'marked')),
    constraint answer_item_score_range check (score between 0 and 1000 and auto_score between 0 and 1000),
    constraint answer_item_score_missing check (mark_state = 'pending' or score is not null),
    constraint answer_item_taken unique (sheet_id, snapshot_question_id),
    constraint answer_item_of_sheet foreign key (sheet_id) references answer_sheet (id),
    constraint answer_item_of_question foreign key (snapshot_question_id) references snapshot_question (id),
    constraint answer_item_of_marker foreign key (marker_id) references teacher (id),
    constraint answer_item_marked_by_teacher foreign key (marked_by_teacher_id) references teacher (id)
);
--;;
create index answer_item_question on answer_item (snapshot_question_id);
--;;
create index answer_item_marker on answer_item (marker_id) where marker_id is not null;
--;;
create index answer_item_marked_by on answer_item (marked_by_teacher_id) where marked_by_teacher_id is not null;
--;;
-- Files of an answer, in their order.
create table answer_file (
    item_id bigint  not null,
    file_id bigint  not null,
    sort_no integer not null,
    constraint answer_file_key primary key (item_id, file_id),
    constraint answer_file_of_item foreign key (item_id) references answer_item (id) on delete cascade,
    constraint answer_file_of_object foreign key (file_id) references file_object (id)
);
--;;
create index answer_file_object on answer_file (file_id);
--;;
-- 相似: two answers to the same question, the older sheet first.
create table answer_similarity (
    id          bigint generated always as identity,
    -- None of what was set without a paper.
    question_id bigint,
    sheet_a     bigint not null,
    sheet_b     bigint not null,
    seq_a       text   not null,
    seq_b       text   not null,
    percent     numeric(4, 1) not null,
    -- [{a: [from, to], b: [from, to]}] in characters of both texts.
    fragments   jsonb  not null default '[]',
    verdict     text   not null default 'open',
    verdict_by  bigint,
    verdict_at  timestamptz,
    note        text,
    created_at  timestamptz not null default now(),
    created_by  bigint  not null,
    updated_at  timestamptz not null default now(),
    updated_by  bigint  not null,
    version     integer not null default 1,
    constraint answer_similarity_key primary key (id),
    constraint answer_similarity_order check (sheet_a < sheet_b),
    constraint answer_similarity_percent_range check (percent between 0 and 100),
    constraint answer_similarity_verdict_known check (verdict in ('open', 'confirmed', 'dismissed')),
    constraint answer_similarity_taken unique (sheet_a, sheet_b, seq_a),
    constraint answer_similarity_of_a foreign key (sheet_a) references answer_sheet (id),
    constraint answer_similarity_of_b foreign key (sheet_b) references answer_sheet (id)
);
--;;
create index answer_similarity_b on answer_similarity (sheet_b);
--;;
create index answer_similarity_newest on answer_similarity (created_at desc, id);
--;;
create index answer_similarity_likest on answer_similarity (percent desc, id);
--;;
-- 退回重做: until when it may be done again, and what the sheet was before.
create table sheet_return (
    id         bigint generated always as identity,
    sheet_id   bigint not null,
    reason     text   not null,
    redo_until timestamptz not null,
    from_state text   not null,
    -- None while it waits for the student.
    ended      text,
    ended_at   timestamptz,
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint sheet_return_key primary key (id),
    constraint sheet_return_from_known check (from_state in ('submitted', 'marked')),
    constraint sheet_return_ended_known check (ended in ('redone', 'restored')),
    constraint sheet_return_of_sheet foreign key (sheet_id) references answer_sheet (id)
);
--;;
-- A sheet is given back once at a time.
create unique index sheet_return_open_taken on sheet_return (sheet_id) where ended is null;
--;;
create index sheet_return_due on sheet_return (redo_until) where ended is null;
--;;
create index sheet_return_sheet on sheet_return (sheet_id);
--;;
-- What scores read of homework (part 03 B6): a row of each selection and each homework that is closed, or of which nothing is
-- open any more. Penalties are in the score. A row whose marking is still to come has neither a score nor is it missed.
create view homework_result as
select h.id as homework_id, c.id as selection_id, c.student_id, c.course_id, c.semester_id, h.weight,
       case when s.state <> 'missed' then s.final_score end as score, s.state = 'missed' as missed
from homework_student s
join homework h on h.id = s.homework_id
join course_selection c on c.id = s.selection_id
where h.purpose = 'homework' and s.state not in ('exempt', 'void')
  and (h.status = 'closed'
       or h.status = 'published'
          and not exists (
              select from homework_student o
              where o.homework_id = h.id and o.state not in ('marked', 'missed', 'exempt', 'void')));
