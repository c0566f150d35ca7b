-- What the 200,000 students are taught: 100,000 questions in 201 banks, a plan for each grade and major with its openings, and the
-- last two semesters as learners have them. Runs behind large_school.sql.

insert into question_bank (code, name, course_id, usage, organization_id, visibility, initials, enabled, created_at, created_by,
                           updated_by)
select 'B' || c.code, c.name || '题库', c.id, (array['homework', 'exam', 'both'])[1 + n % 3], c.organization_id, 'school',
       c.initials || 'tk', n % 20 <> 0, now() - n * interval '1 hour', 0, 0
from (select *, right(code, 5)::integer as n from course) c
where n <= 201;

analyze question_bank;

-- The last bank has 20,000 of them, the others 400 each; no two of a bank ask the same.
insert into question (bank_id, course_id, type, stem, stem_plain, options, answer, chapter_id, difficulty, default_score, status,
                      fingerprint, used_count, last_used_at, source, created_at, created_by, updated_by)
select b.id, b.course_id, t.type, '<p>' || t.stem || '</p>', t.stem, t.options, t.answer, h.id, 1 + n % 5, 2,
       (array['enabled', 'enabled', 'enabled', 'enabled', 'draft', 'pending_review', 'disabled', 'rejected'])[1 + n / 10 % 8],
       sha256(t.stem::bytea), n % 30, case when n % 30 > 0 then now() - n % 400 * interval '1 day' end,
       (array['manual', 'import', 'copy'])[1 + n % 3], now() - n * interval '1 minute', 0, 0
from generate_series(1, 100000) n
join (select *, row_number() over (order by code) as k from question_bank) b on b.k = case when n <= 80000 then 1 + n % 200 else 201 end
join lateral (
    select (array['single_choice', 'true_false', 'essay', 'single_choice', 'short_answer'])[1 + n / 7 % 5] as type) k on true
join lateral (
    select k.type,
           '第' || n || '题：' || (array['企业取得固定资产时', '根据合同法的规定', '下列函数在零点处', '管理的基本职能中'])[1 + n % 4]
               || '，' || (array['应当计入成本的是', '说法正确的是', '请说明理由', '其结果为'])[1 + n / 4 % 4] || n * 7919 % 100003 as stem,
           case when k.type = 'single_choice'
                then '[{"key": "A", "text": "甲"}, {"key": "B", "text": "乙"}, {"key": "C", "text": "丙"}]'::jsonb else '[]'::jsonb end as options,
           case k.type when 'single_choice' then '["A"]'::jsonb when 'true_false' then 'true'::jsonb else '"略"'::jsonb end as answer) t on true
join course_chapter h on h.course_id = b.course_id and h.parent_id is null and h.sort_no = 1 + n % 4;

insert into question_knowledge (question_id, knowledge_point_id)
select q.id, k.id
from question q
join knowledge_point k on k.course_id = q.course_id and k.parent_id is null and k.code = (1 + q.id % 3)::text;

insert into question_quality (question_id, answers, score_rate, discrimination, measured_at)
select id, 40, id % 100, (id % 100) / 100.0, now() from question where used_count > 0;

insert into paper_rule (name, initials, course_id, kind, enabled, created_by, updated_by)
select '组卷规则' || n, 'zjgz' || n, b.course_id, (array['homework', 'exam', 'makeup', 'practice'])[1 + n % 4], n % 10 <> 0, 0, 0
from generate_series(1, 1000) n
join (select course_id, row_number() over (order by code) as k from question_bank) b on b.k = 1 + n % 201;

insert into paper (code, name, initials, course_id, kind, compose_mode, rule_id, rule_seed, status, question_count, score_sum,
                   objective_score, subjective_score, difficulty_coefficient, created_at, updated_at, created_by, updated_by)
select 'SJ' || n, '试卷' || n, 'sj' || n, b.course_id, (array['homework', 'exam', 'makeup', 'practice'])[1 + n % 4],
       case when n % 2 = 0 then 'rule' else 'manual' end, case when n % 2 = 0 then r.id end, case when n % 2 = 0 then n end,
       (array['approved', 'approved', 'draft', 'pending_review', 'rejected', 'disabled'])[1 + n % 6], 20, 40, 30, 10,
       0.600, now() - n * interval '1 hour', now() - n * interval '1 hour', 0, 0
from generate_series(1, 3000) n
join (select course_id, row_number() over (order by code) as k from question_bank) b on b.k = 1 + n % 201
join (select id, row_number() over (order by id) as k from paper_rule) r on r.k = 1 + n % 1000;

analyze question, paper, paper_rule;

insert into paper_section (paper_id, sort_no, title) select id, 1, '单项选择题' from paper;

insert into paper_question (paper_id, section_id, question_id, sort_no, score)
select x.paper_id, x.section_id, x.question_id, x.place, 2
from (select p.id as paper_id, s.id as section_id, q.id as question_id, row_number() over (partition by p.id order by q.id) as place
      from paper p
      join paper_section s on s.paper_id = p.id
      join lateral (select q.id from question q where q.course_id = p.course_id and q.status = 'enabled' and q.id % 7 = p.id % 7
                    order by q.id limit 20) q on true) x;

insert into paper_snapshot (paper_id, paper_version, course_id, kind, code, name, variant, content, sha256, total_score,
                            question_count, created_at, created_by)
select id, version, course_id, kind, code, name, variant, '{"sections": []}', encode(sha256(code::bytea), 'hex'), 40, 20,
       created_at, 0
from paper where status in ('approved', 'disabled');

insert into teaching_plan (grade_id, level_id, major_id, name, total_credits, min_compulsory_credits, min_elective_credits, term_count,
                           status, effective_at, initials, created_at, created_by, updated_by)
select g.id, m.level_id, m.id, g.name || m.name || '教学计划', 80, 80, 0, 5, 'effective', make_date(g.entry_year, 2, 1),
       g.code || 'j' || m.initials, make_date(g.entry_year, 1, 1) + m.id * interval '1 minute', 0, 0
from grade g cross join major m;

analyze teaching_plan;

insert into plan_course (plan_id, course_id, type_id, nature, term_no, credits, hours, lecture_hours, online_hours, exam_form,
                         assess_mode, sort_no, created_by, updated_by)
select p.id, c.id, c.type_id, 'compulsory', 1 + k / 4, 4, 48, 32, 16, 'exam', 'closed_book', k, 0, 0
from teaching_plan p
cross join generate_series(0, 19) k
join course c on c.code = 'K' || lpad((1 + (p.major_id * 7 + k * 97) % 2000)::text, 5, '0');

analyze plan_course;

insert into course_opening (semester_id, kind, plan_course_id, course_id, grade_id, level_id, major_id, term_no, type_id, nature,
                            credits, hours, lecture_hours, online_hours, exam_form, assess_mode, teaching_mode, status, opened_at,
                            closed_at, created_at, created_by, updated_by)
select s.id, 'plan', c.id, c.course_id, p.grade_id, p.level_id, p.major_id, c.term_no, c.type_id, c.nature, c.credits, c.hours,
       c.lecture_hours, c.online_hours, c.exam_form, c.assess_mode, (array['online', 'offline', 'blended'])[1 + c.id % 3],
       case when s.current then 'opened' else 'closed' end, s.starts_on, case when not s.current then s.ends_on end,
       s.starts_on - c.id % 1000 * interval '1 minute', 0, 0
from plan_course c
join teaching_plan p on p.id = c.plan_id
join grade g on g.id = p.grade_id
join semester s on s.code = (g.entry_year + (c.term_no - 1) / 2) || '-' || (1 + (c.term_no - 1) % 2);

insert into course_allocation (opening_id, class_id, teacher_id, role, hours, created_by, updated_by)
select o.id, c.id, t.id, 'lecturer', 16, 0, 0
from course_opening o
join semester s on s.id = o.semester_id and s.code in ('2026-1', '2026-2')
join class c on c.grade_id = o.grade_id and c.major_id = o.major_id
join (select id, row_number() over (order by id) - 1 as k, count(*) over () as teachers from teacher) t
     on t.k = (o.course_id * 3 + c.id) % t.teachers
where o.id % 10 <> 0;

insert into selection_rule (semester_id, grade_id, max_credits, select_starts_at, select_ends_at, drop_ends_at, created_by, updated_by)
select s.id, g.id, 40, s.starts_on, s.starts_on + 30, s.starts_on + 30, 0, 0
from semester s cross join grade g where s.starts_on >= make_date(g.entry_year, 3, 1);

analyze course_opening, teaching_plan, plan_course;

-- The last two semesters: learned before, being learned now.
insert into course_selection (student_id, opening_id, semester_id, course_id, class_id, source, status, selected_at, dropped_at,
                              drop_reason, exempt_reason, final_score, passed, created_at, created_by, updated_by)
select s.id, o.id, o.semester_id, o.course_id, s.class_id, (array['plan', 'plan', 'plan', 'self', 'admin'])[1 + s.id % 5], x.status,
       case when x.status not in ('pending', 'dropped', 'exempted') then o.opened_at end,
       case when x.status = 'dropped' then o.opened_at end, case when x.status = 'dropped' then '不再学习' end,
       case when x.status = 'exempted' then '已有学分' end, case when x.status = 'completed' then 40 + (s.id * 7 + o.id) % 61 end,
       case when x.status = 'completed' then (s.id * 7 + o.id) % 61 >= 20 end, o.opened_at + s.id * interval '1 second', 0, 0
from course_opening o
join semester t on t.id = o.semester_id and t.code in ('2026-1', '2026-2')
join student s on s.grade_id = o.grade_id and s.major_id = o.major_id and s.status in ('registered', 'suspended')
join lateral (
    select case when (s.id + o.id) % 40 = 1 then 'dropped' when (s.id + o.id) % 40 = 2 then 'exempted'
                when not t.current then 'completed' when (s.id + o.id) % 40 = 3 then 'pending' else 'selected' end as status) x on true;

analyze course_selection;

insert into online_teaching (id, course_record_id, study_starts_at, study_ends_at, created_by, updated_by)
select o.id, r.id, s.starts_on, s.ends_on, 0, 0
from course_opening o
join semester s on s.id = o.semester_id and s.code in ('2026-1', '2026-2')
left join course_record r on r.course_id = o.course_id and r.is_default
where o.teaching_mode <> 'offline';

insert into study_course_progress (id, opening_id, progress, study_seconds, login_days, last_at, finished_periods, total_periods,
                                   finished_at)
select c.id, c.opening_id, x.progress, x.progress * 300, x.progress / 5, now() - c.id % 200 * interval '1 hour', x.progress / 13, 8,
       case when x.progress = 100 then now() end
from course_selection c
join online_teaching o on o.id = c.opening_id
join lateral (select least(100, c.id % 150) as progress) x on true
where c.status in ('selected', 'completed');

insert into homework (semester_id, course_id, title, initials, purpose, kind, paper_mode, total_score, pass_score, starts_at, ends_at,
                      late_until, mark_due_at, status, published_at, created_at, created_by, updated_by)
select o.semester_id, o.course_id, c.name || '第' || n || '次作业', c.initials || 'd' || n || 'czy', 'homework', 'paper', 'fixed', 100, 60,
       o.opened, now() - interval '20 days' + o.course_id % 40 * interval '1 day', null, null,
       case when o.course_id % 25 = 0 then 'draft' else 'published' end, case when o.course_id % 25 <> 0 then o.opened end,
       o.opened + o.course_id * interval '1 minute', 0, 0
from (select o.semester_id, o.course_id, min(o.opened_at) as opened
      from course_opening o join semester s on s.id = o.semester_id and s.current
      group by o.semester_id, o.course_id) o
join course c on c.id = o.course_id
cross join generate_series(1, 2) n;

insert into homework_target (homework_id, semester_id, course_id, opening_id)
select h.id, h.semester_id, h.course_id, o.id
from homework h join course_opening o on o.semester_id = h.semester_id and o.course_id = h.course_id;

insert into paper_snapshot (course_id, kind, code, name, content, sha256, total_score, question_count, created_by)
select course_id, 'homework', 'H' || id, title, '{"sections": []}', encode(sha256(id::text::bytea), 'hex'), 100, 2, 0 from homework;

insert into homework_snapshot (homework_id, snapshot_id, sort_no)
select h.id, p.id, 1 from homework h join paper_snapshot p on p.code = 'H' || h.id;

insert into snapshot_question (snapshot_id, seq, revision, type, score, scheme, answer)
select p.snapshot_id, n::text, 1, case n when 1 then 'single_choice' else 'essay' end, 50, 'all_or_nothing', '["A"]'
from homework_snapshot p cross join generate_series(1, 2) n;

insert into homework_student (homework_id, selection_id, snapshot_id, state, attempts_used, submitted_at, late, final_raw, final_score,
                              similarity, created_at, created_by, updated_by)
select h.id, c.id, p.snapshot_id, x.state, case when x.state in ('submitted', 'marked', 'returned') then 1 else 0 end,
       case when x.state in ('submitted', 'marked', 'returned') then h.starts_at + c.id % 86400 * interval '1 minute' end,
       x.state in ('submitted', 'marked') and c.id % 20 = 0, case when x.state = 'marked' then c.id % 101 end,
       case when x.state = 'marked' then c.id % 101 end, case when c.id % 50 = 0 then 65 end,
       h.created_at + c.id * interval '1 millisecond', 0, 0
from homework h
join homework_snapshot p on p.homework_id = h.id
join course_selection c on c.semester_id = h.semester_id and c.course_id = h.course_id and c.status = 'selected'
join lateral (
    select (array['not_started', 'submitted', 'marked', 'marked', 'marked', 'returned', 'missed'])[1 + (c.id + h.id) % 7] as state) x
     on true
where h.status = 'published';

analyze homework, homework_target, homework_student, course_allocation;

insert into homework_marker (homework_id, teacher_id, class_id)
select distinct h.id, a.teacher_id, a.class_id
from homework h
join homework_target t on t.homework_id = h.id
join course_allocation a on a.opening_id = t.opening_id;

insert into answer_sheet (homework_student_id, attempt_no, snapshot_id, started_at, deadline_at, submitted_at, submit_kind, late,
                          objective_score, subjective_score, total_score, similarity, mark_state, created_at, created_by, updated_by)
select s.id, 1, s.snapshot_id, s.submitted_at - interval '1 hour', s.submitted_at + interval '1 hour', s.submitted_at, 'student',
       s.late, 50, case when s.state = 'marked' then 20 end, case when s.state = 'marked' then 70 end, s.similarity, s.state,
       s.submitted_at, 0, 0
from homework_student s where s.state in ('submitted', 'marked', 'returned');

analyze answer_sheet, snapshot_question;

insert into answer_item (sheet_id, snapshot_question_id, seq, answer, auto_score, score, mark_state)
select a.id, q.id, q.seq, '["A"]', case when q.seq = '1' then 50 end,
       case when q.seq = '1' then 50 when a.mark_state = 'marked' then 20 end,
       case when q.seq = '1' then 'auto' when a.mark_state = 'marked' then 'marked' else 'pending' end
from answer_sheet a join snapshot_question q on q.snapshot_id = a.snapshot_id;

-- Of sheets that are much alike, each with the next of its kind.
insert into answer_similarity (sheet_a, sheet_b, seq_a, seq_b, percent, verdict, created_by, updated_by)
select x.id, x.next, '2', '2', 65, (array['open', 'confirmed', 'dismissed'])[1 + x.id % 3], 0, 0
from (select id, lead(id) over (order by snapshot_id, id) as next from answer_sheet where similarity > 0) x
where x.next > x.id;

insert into instruction_score (selection_id, required_sessions, attended_count, attendance_rate, attendance_score, performance_score,
                               total_score, status, submitted_at, confirmed_at, created_by, updated_by)
select c.id, 8, 8 - c.id % 4, 50 + c.id % 50, 50 + c.id % 50, 60 + c.id % 40, 60 + c.id % 40, x.status,
       case when x.status <> 'draft' then now() end, case when x.status = 'confirmed' then now() end, 0, 0
from course_selection c
join course_opening o on o.id = c.opening_id and o.teaching_mode <> 'online'
join lateral (select (array['draft', 'submitted', 'confirmed'])[1 + c.id % 3] as status) x on true
where c.status in ('selected', 'completed');
