-- What is taught in the school of large_school.sql: questions and papers, plans, openings with who teaches and who takes them, study
-- on the net, homework, the timetable and who came. Runs once, behind large_history.sql.
--
-- The 2,000 courses are a hundred lots of twenty, four a term; majors n and n + 100 have lot n in their plans, in every grade. So the
-- number of a course says its term and its place in it. Courses of the places 0 and 1 meet face to face and are examined on paper,
-- those of 2 and 3 are studied and examined on the net; those of place 3 are chosen.

create temporary table course_place on commit drop as
select c.id as course_id, c.code, c.name, c.initials, c.type_id, c.credits, c.hours, c.lecture_hours, c.online_hours, c.exam_form,
       c.assess_mode, c.organization_id, n.no, (n.no - 1) / 20 as lot, 1 + (n.no - 1) % 20 / 4 as term_no, (n.no - 1) % 4 as place
from course c
cross join lateral (select right(c.code, 5)::integer as no) n
where c.code ~ '^K[0-9]{5}$';

analyze course_place;

insert into question_bank (code, name, course_id, usage, organization_id, initials, created_by_name, created_at, created_by,
                           updated_by)
select 'TK' || lpad(c.no::text, 5, '0'), c.name || '题库', c.course_id, case when c.no % 10 = 9 then 'exam' else 'both' end,
       c.organization_id, c.initials || 'tk', '王老师', now() - c.no * interval '1 hour', 0, 0
from course_place c;

-- Fifty of each bank. By its fingerprint, which nothing else has, a question is found again as the k-th of its bank.
insert into question (bank_id, course_id, type, stem, stem_plain, options, answer, analysis, chapter_id, difficulty, default_score,
                      upload, status, fingerprint, used_count, last_used_at, source, reject_reason, created_by_name, created_at,
                      created_by, updated_at, updated_by)
select b.id, b.course_id, x.type, '<p>' || x.words || '</p>', x.words,
       case when x.type in ('single_choice', 'multiple_choice')
            then '[{"letter":"A","content":"<p>甲</p>"},{"letter":"B","content":"<p>乙</p>"},
                   {"letter":"C","content":"<p>丙</p>"},{"letter":"D","content":"<p>丁</p>"}]'::jsonb
            else '[]'::jsonb end,
       case x.type when 'single_choice' then '{"letters":["A"]}'::jsonb
                   when 'multiple_choice' then '{"letters":["A","C"]}'::jsonb
                   when 'true_false' then '{"value":true}'::jsonb
                   when 'fill_blank' then '{"blanks":[{"accept":["要素"],"match":"loose","score":2}],"unordered":false,"manual":false}'::jsonb
                   when 'case_analysis' then null
                   else '{"text":"<p>参考答案</p>"}'::jsonb end,
       '<p>见教材。</p>', h.id, 1 + k % 5, case when k % 10 < 7 then 2 else 10 end,
       case when x.type = 'file_upload' then '{"extensions":["doc","pdf"],"maxFiles":3,"maxSizeMb":20}'::jsonb end,
       case k when 41 then 'draft' when 42 then 'pending_review' when 43 then 'disabled' when 44 then 'rejected' else 'enabled' end,
       sha256((b.code || '-' || k)::bytea), x.used, case when x.used > 0 then now() - c.no * interval '1 hour' end,
       (array['manual', 'import', 'import', 'copy'])[1 + k % 4], case when k = 44 then '题干不完整' end, '王老师',
       now() - (c.no * 50 + k) * interval '1 minute', 0, now() - (c.no * 50 + k) * interval '1 minute', 0
from question_bank b
join course_place c on c.course_id = b.course_id
cross join generate_series(0, 49) k
join course_chapter h on h.course_id = b.course_id and h.parent_id is null and h.sort_no = 1 + k % 4
cross join lateral (
    select case when k = 49 then 'file_upload'
                else (array['single_choice', 'single_choice', 'single_choice', 'single_choice', 'multiple_choice', 'true_false',
                            'fill_blank', 'short_answer', 'essay', 'case_analysis'])[1 + k % 10] end as type,
           c.name || (array['下列说法正确的是', '的基本特征是', '的主要原则有哪些'])[1 + k % 3] || k as words,
           case when k < 11 or k between 20 and 30 then 1 + c.no % 20 else 0 end as used) x;

insert into question (bank_id, course_id, parent_id, sub_no, type, stem, stem_plain, answer, difficulty, default_score, status,
                      fingerprint, source, created_by_name, created_at, created_by, updated_by)
select q.bank_id, q.course_id, q.id, n, 'true_false', '<p>小题' || n || '</p>', '小题' || n, '{"value":true}'::jsonb, q.difficulty, 5,
       q.status, sha256((q.id || '-' || n)::bytea), q.source, q.created_by_name, q.created_at, 0, 0
from question q
cross join generate_series(1, 2) n
where q.type = 'case_analysis';

insert into question_knowledge (question_id, knowledge_point_id)
select q.id, p.id
from question q
join knowledge_point p on p.course_id = q.course_id and p.code = (1 + q.id % 3) || '-' || (1 + q.id % 4)
where q.parent_id is null;

insert into question_quality (question_id, answers, score_rate, discrimination, measured_at)
select q.id, 5 + q.id % 200, 20 + q.id % 80, case when q.id % 200 >= 15 then (q.id % 100) / 100.0 end, now()
from question q
where q.parent_id is null and q.used_count > 0;

insert into paper_rule (name, initials, course_id, kind, total_score, duration_minutes, created_at, created_by, updated_at, updated_by)
select '期末组卷', 'qmzj', c.course_id, 'exam', 100, 120, now() - c.no * interval '1 hour', 0, now() - c.no * interval '1 hour', 0
from course_place c
where c.no % 5 = 0;

insert into paper_rule_item (rule_id, sort_no, title, type, count, score_each)
select r.id, 1, '一、单项选择题', 'single_choice', 10, 10 from paper_rule r;

insert into paper_rule_bank (item_id, bank_id)
select i.id, b.id from paper_rule_item i join paper_rule r on r.id = i.rule_id join question_bank b on b.course_id = r.course_id;

-- Of each course a paper for its examination, of seven in ten one for homework, and some that are still worked on.
insert into paper (code, name, initials, course_id, kind, compose_mode, rule_id, duration_minutes, status, question_count, score_sum,
                   objective_score, subjective_score, difficulty_coefficient, reject_reason, submitted_by, created_by_name,
                   created_at, created_by, updated_at, updated_by)
select k.letter || lpad(c.no::text, 5, '0'), c.name || k.title, c.initials || 'sj', c.course_id, k.kind,
       case when k.kind = 'exam' and r.id is not null then 'rule' else 'manual' end, case when k.kind = 'exam' then r.id end, k.minutes,
       x.status, case when x.filled then 10 else 0 end, case when x.filled then 100 else 0 end, case when x.filled then 80 else 0 end,
       case when x.filled then 20 else 0 end, case when x.filled then 0.55 end, case when x.status = 'rejected' then '请补充试题' end,
       case when x.status <> 'draft' then 0 end, '王老师', now() - c.no * interval '1 hour', 0, now() - c.no * interval '1 hour', 0
from course_place c
cross join (values ('H', '作业卷', 'homework', null::integer), ('E', '期末卷', 'exam', 120), ('X', '练习卷', 'practice', 60))
           k (letter, title, kind, minutes)
left join paper_rule r on r.course_id = c.course_id
cross join lateral (
    select case when k.letter <> 'X' then 'approved'
                else (array['draft', 'pending_review', 'rejected', 'disabled'])[1 + c.no / 3 % 4] end as status,
           k.letter <> 'X' as filled) x
where k.letter = 'E' or k.letter = 'H' and c.no % 10 < 7 or k.letter = 'X' and c.no % 3 = 0;

insert into paper_section (paper_id, sort_no, title, default_score)
select p.id, 1, '一、综合题', 10 from paper p where p.status = 'approved';

create temporary table paper_place on commit drop as
select p.id as paper_id, s.id as section_id, n.place, q.id as question_id
from paper p
join paper_section s on s.paper_id = p.id
join question_bank b on b.course_id = p.course_id
cross join generate_series(1, 10) n (place)
join question q on q.bank_id = b.id and q.parent_id is null
               and q.fingerprint = sha256((b.code || '-' || (case p.kind when 'exam' then 20 else 0 end
                                                             + case when n.place = 10 then 10 else n.place - 1 end))::bytea);

analyze paper_place;

insert into paper_question (paper_id, section_id, question_id, sort_no, score)
select paper_id, section_id, question_id, place, 10 from paper_place;

insert into paper_snapshot (paper_id, paper_version, course_id, kind, code, name, content, sha256, total_score, question_count,
                            created_at, created_by)
select p.id, p.version, p.course_id, p.kind, p.code, p.name,
       jsonb_build_object('sections', jsonb_build_array(jsonb_build_object(
           'id', s.id, 'title', s.title, 'instruction', null, 'type', null, 'defaultScore', 10, 'multipleRule', s.multiple_rule,
           'questions', x.questions))),
       encode(sha256(p.code::bytea), 'hex'), 100, 10, p.created_at, 0
from paper p
join paper_section s on s.paper_id = p.id
join (select n.paper_id,
             jsonb_agg(jsonb_build_object(
                 'questionId', q.id, 'seq', n.place::text, 'type', q.type, 'stem', q.stem, 'options', q.options, 'answer', q.answer,
                 'analysis', q.analysis, 'difficulty',
                 (array['easy', 'fairly_easy', 'medium', 'fairly_hard', 'hard'])[q.difficulty], 'chapterId', q.chapter_id,
                 'chapterTitle', null, 'knowledgePointIds', '[]'::jsonb, 'knowledgePointNames', '[]'::jsonb, 'score', 10,
                 'blankScores', null, 'subScores', null, 'status', q.status, 'usedCount', q.used_count, 'revision', q.revision,
                 'mediaKey', null, 'playLimit', null, 'upload', q.upload, 'allowAttachment', q.allow_attachment,
                 'subQuestions', '[]'::jsonb) order by n.place) as questions
      from paper_place n join question q on q.id = n.question_id
      group by n.paper_id) x on x.paper_id = p.id;

insert into snapshot_question (snapshot_id, seq, question_id, whole_id, revision, type, score, scheme, answer)
select s.id, n.place::text, q.id, q.id, q.revision, q.type, 10, 'all_or_nothing', q.answer
from paper_snapshot s
join paper_place n on n.paper_id = s.paper_id
join question q on q.id = n.question_id;

insert into teaching_plan (grade_id, level_id, major_id, name, total_credits, min_compulsory_credits, min_elective_credits, term_count,
                           status, submitted_by, submitted_by_name, submitted_at, audited_by, audited_by_name, audited_at,
                           effective_at, initials, created_at, created_by, updated_by)
select g.id, m.level_id, m.id, g.name || m.name || '教学计划', 60, 45, 15, 5, 'effective', 0, '王老师', d.made, 0, '李老师',
       d.made, d.made, g.code || 'j' || m.initials || 'jxjh', d.made, 0, 0
from grade g
cross join major m
cross join lateral (select make_date(g.entry_year - 1, 12, 1) + m.id * interval '1 minute' as made) d;

-- The next version of the newest, which is not in effect yet.
insert into teaching_plan (grade_id, level_id, major_id, version_no, name, total_credits, min_compulsory_credits, min_elective_credits,
                           term_count, status, submitted_by, submitted_by_name, submitted_at, audit_opinion, initials, created_by,
                           updated_by)
select p.grade_id, p.level_id, p.major_id, 2, p.name, 60, 45, 15, 5, x.status, case when x.status <> 'draft' then 0 end,
       case when x.status <> 'draft' then '王老师' end, case when x.status <> 'draft' then now() end,
       case when x.status = 'rejected' then '请核对学分' end, p.initials, 0, 0
from teaching_plan p
join grade g on g.id = p.grade_id and g.code = '2026'
cross join lateral (select (array['draft', 'submitted', 'rejected'])[1 + p.id % 3] as status) x;

insert into plan_elective_group (plan_id, name, min_credits, min_courses, sort_no, created_by, updated_by)
select p.id, '专业选修课', 10, 2, 1, 0, 0 from teaching_plan p where p.version_no = 1;

insert into plan_course (plan_id, course_id, type_id, nature, elective_group_id, term_no, credits, hours, lecture_hours, online_hours,
                         exam_form, assess_mode, sort_no, created_by, updated_by)
select p.id, c.course_id, c.type_id, case when c.place = 3 then 'elective' else 'compulsory' end, case when c.place = 3 then e.id end,
       c.term_no, c.credits, c.hours, c.lecture_hours, c.online_hours, c.exam_form, c.assess_mode, c.term_no * 10 + c.place, 0, 0
from teaching_plan p
join major m on m.id = p.major_id
join plan_elective_group e on e.plan_id = p.id
join course_place c on c.lot = (m.code::integer - 1) % 100;

-- Of every term that has begun; grades enter in spring, so that term t of the grade y is its (t + 1) / 2-th year.
insert into course_opening (semester_id, kind, plan_course_id, course_id, grade_id, level_id, major_id, term_no, type_id, nature,
                            elective_group_id, credits, hours, lecture_hours, online_hours, exam_form, assess_mode, teaching_mode,
                            capacity, status, opened_at, closed_at, created_at, created_by, updated_by)
select e.id, 'plan', x.id, x.course_id, p.grade_id, p.level_id, p.major_id, x.term_no, x.type_id, x.nature, x.elective_group_id,
       x.credits, x.hours, x.lecture_hours, x.online_hours, x.exam_form, x.assess_mode,
       (array['blended', 'offline', 'online', 'online'])[1 + c.place], case when c.place = 3 then 300 end,
       case when e.current then 'opened' else 'closed' end, e.starts_on, case when not e.current then e.ends_on end,
       e.starts_on - x.id % 20000 * interval '1 second', 0, 0
from plan_course x
join teaching_plan p on p.id = x.plan_id
join grade g on g.id = p.grade_id
join course_place c on c.course_id = x.course_id
join semester e on e.code = (g.entry_year + (x.term_no - 1) / 2) || '-' || (1 + (x.term_no - 1) % 2);

-- For those who did not pass last spring.
insert into course_opening (semester_id, kind, course_id, type_id, nature, credits, hours, lecture_hours, online_hours, exam_form,
                            assess_mode, teaching_mode, status, opened_at, created_at, created_by, updated_by)
select e.id, 'retake', c.course_id, c.type_id, 'compulsory', c.credits, c.hours, c.lecture_hours, c.online_hours, c.exam_form,
       c.assess_mode, 'online', 'opened', e.starts_on, e.starts_on, 0, 0
from course_place c
join semester e on e.code = '2026-2'
where c.no % 6 = 1 and c.term_no in (1, 3, 5);

analyze plan_course, course_opening;

-- Of a semester everybody teaches one course, and some a second; one in ten of today's has nobody yet.
insert into course_allocation (opening_id, teacher_id, role, hours, created_by, updated_by)
select o.id, t.id, 'lecturer', 32, 0, 0
from (select id, semester_id, row_number() over (partition by semester_id order by id) as n from course_opening where kind = 'plan') o
join semester e on e.id = o.semester_id
join (select id, row_number() over (order by id) as n from teacher) t on t.n = 1 + o.n % 3000
where not (e.current and o.n % 10 = 0);

insert into course_allocation (opening_id, teacher_id, role, created_by, updated_by)
select o.id, t.id, 'marker', 0, 0
from (select id, semester_id, row_number() over (partition by semester_id order by id) as n from course_opening where kind = 'plan') o
join semester e on e.id = o.semester_id and e.year = 2026
join (select id, row_number() over (order by id) as n from teacher) t on t.n = 1 + (o.n + 1500) % 3000;

insert into selection_rule (semester_id, grade_id, min_credits, max_credits, select_starts_at, select_ends_at, drop_ends_at,
                            created_at, created_by, updated_by)
select e.id, g.id, 4, 20, e.starts_on - 10, e.starts_on + 20, e.starts_on + 40, e.starts_on - 20, 0, 0
from semester e
join (select id, entry_year from grade union all select null, null) g on g.id is null or e.year >= g.entry_year;

-- Who studies takes what the plan has of this year's semesters; those of the first are over.
insert into course_selection (student_id, opening_id, semester_id, course_id, class_id, source, status, selected_at, dropped_at,
                              drop_reason, exempt_reason, final_score, passed, created_at, created_by, updated_by)
select s.id, o.id, o.semester_id, o.course_id, s.class_id, case when o.nature = 'compulsory' then 'plan' else 'self' end, x.status,
       case when x.status in ('selected', 'completed') then d.taken end, case when x.status = 'dropped' then d.taken end,
       case when x.status = 'dropped' then '工作安排' end, case when x.status = 'exempted' then '已取得相应成绩' end,
       case when x.status = 'completed' then x.score end, case when x.status = 'completed' then x.score >= 60 end, d.taken, 0, 0
from course_opening o
join semester e on e.id = o.semester_id and e.year = 2026
join student s on s.grade_id = o.grade_id and s.major_id = o.major_id and s.status = 'registered'
cross join lateral (
    select case when (s.id + o.id) % 100 = 3 then 'dropped'
                when e.current and o.nature = 'elective' and (s.id + o.id) % 20 = 7 then 'pending'
                when e.current then 'selected'
                when (s.id + o.id) % 100 = 5 then 'exempted'
                else 'completed' end as status,
           55 + (s.id * 7 + o.id) % 45 as score) x
cross join lateral (select e.starts_on + s.id % 100000 * interval '1 second' as taken) d
where o.kind = 'plan';

insert into course_selection (student_id, opening_id, semester_id, course_id, class_id, source, attempt_no, status, selected_at,
                              created_at, created_by, updated_by)
select c.student_id, o.id, o.semester_id, o.course_id, c.class_id, 'retake', 2, 'selected', o.created_at, o.created_at, 0, 0
from course_selection c
join course_opening o on o.course_id = c.course_id and o.kind = 'retake'
where c.status = 'completed' and not c.passed;

analyze course_allocation, course_selection;

insert into online_teaching (id, finish_percent, daily_limit_minutes, created_at, created_by, updated_by)
select o.id, 90, 240, o.created_at, 0, 0
from course_opening o
join semester e on e.id = o.semester_id and e.year = 2026
where o.teaching_mode <> 'offline';

-- One in six has studied everything, of eight periods.
insert into study_course_progress (id, opening_id, progress, study_seconds, login_days, last_at, finished_periods, total_periods,
                                   finished_at)
select c.id, c.opening_id, p.progress, p.progress * 90, p.progress / 5, case when p.progress > 0 then p.latest end,
       p.progress * 8 / 100, 8, case when p.progress = 100 then p.latest end
from course_selection c
cross join lateral (
    select least(100, c.id * 13 % 120)::integer as progress, now() - c.id % 5000 * interval '20 minutes' as latest) p
where c.status in ('selected', 'completed');

insert into course_qa (selection_id, chapter_id, title, content, excellent, hidden, created_at, created_by, updated_by)
select c.id, h.id, '关于第' || 1 + c.id % 9 || '讲的疑问', '请问这一部分应当怎样理解？', c.id % 20 = 1, c.id % 50 = 2,
       now() - c.id % 20000 * interval '10 minutes', 0, 0
from course_selection c
join course_chapter h on h.course_id = c.course_id and h.parent_id is null and h.sort_no = 1
where c.id % 17 = 0 and c.status in ('selected', 'completed');

insert into course_qa_reply (qa_id, by_kind, by_id, by_name, content, created_at)
select q.id, 'teacher', t.id, t.name, '请参看教材中的例题。', q.created_at + interval '1 hour'
from course_qa q
join course_selection c on c.id = q.selection_id
join course_allocation a on a.opening_id = c.opening_id and a.role = 'lecturer'
join teacher t on t.id = a.teacher_id
where q.id % 4 <> 0;

-- One of each of seven in ten courses and semester, the last of these a test of the first chapter.
insert into homework (semester_id, course_id, title, initials, purpose, chapter_id, kind, paper_mode, total_score, pass_score,
                      starts_at, ends_at, late_until, late_penalty, mark_due_at, status, published_at, closed_at, created_by_name,
                      created_at, created_by, updated_by)
select e.id, c.course_id, case when x.test then '第一章测验' else '第一次作业' end, 'dyczy',
       case when x.test then 'chapter_test' else 'homework' end, case when x.test then h.id end, 'paper', 'fixed', 100, 60,
       x.starts_at, x.ends_at, x.ends_at + interval '5 days', 10, x.ends_at + interval '10 days', x.status,
       case when x.status <> 'draft' then x.starts_at end, case when x.status = 'closed' then x.ends_at + interval '5 days' end,
       '王老师', x.starts_at - c.no * interval '1 minute', 0, 0
from (select distinct semester_id, course_id from course_opening where kind = 'plan') o
join semester e on e.id = o.semester_id and e.year = 2026
join course_place c on c.course_id = o.course_id and c.no % 10 < 7
join course_chapter h on h.course_id = c.course_id and h.parent_id is null and h.sort_no = 1
cross join lateral (
    select c.no % 10 = 6 as test,
           case when e.current then now() - interval '30 days' else e.starts_on + interval '30 days' end as starts_at,
           case when e.current then now() + interval '30 days' else e.starts_on + interval '90 days' end as ends_at,
           case when not e.current then 'closed' when c.no % 50 = 3 then 'draft' else 'published' end as status) x;

insert into homework_target (homework_id, semester_id, course_id, opening_id)
select h.id, h.semester_id, h.course_id, o.id
from homework h
join course_opening o on o.semester_id = h.semester_id and o.course_id = h.course_id and o.kind = 'plan';

insert into homework_marker (homework_id, teacher_id)
select distinct t.homework_id, a.teacher_id
from homework_target t
join course_allocation a on a.opening_id = t.opening_id and a.role = 'lecturer';

insert into homework_paper (homework_id, paper_id, sort_no)
select h.id, p.id, 1 from homework h join paper p on p.course_id = h.course_id and p.kind = 'homework';

insert into homework_snapshot (homework_id, snapshot_id, sort_no)
select h.id, s.id, 1
from homework h
join homework_paper p on p.homework_id = h.id
join paper_snapshot s on s.paper_id = p.paper_id
where h.status <> 'draft';

analyze homework, homework_target, homework_snapshot;

insert into homework_student (homework_id, selection_id, snapshot_id, state, attempts_used, exempt_reason, redo_until, submitted_at,
                              late, final_raw, final_score, similarity, created_at, created_by, updated_by)
select h.id, c.id, n.snapshot_id, x.state, case when x.state in ('not_started', 'missed', 'exempt') then 0 else 1 end,
       case when x.state = 'exempt' then '已批准免做' end, case when x.state = 'returned' then now() + interval '7 days' end,
       case when x.handed_in then h.starts_at + c.id % 1000 * interval '20 minutes' end, x.handed_in and c.id % 50 = 9,
       case when x.state = 'marked' then 50 + c.id % 51 end, case when x.state = 'marked' then 50 + c.id % 51 end,
       case when x.handed_in then c.id % 30 end, h.created_at, 0, 0
from homework h
join homework_snapshot n on n.homework_id = h.id
join homework_target t on t.homework_id = h.id
join course_selection c on c.opening_id = t.opening_id and c.status in ('selected', 'completed')
cross join lateral (
    select y.state, y.state in ('submitted', 'marked', 'returned') as handed_in
    from (select case when h.status = 'closed'
                      then case c.id % 20 when 0 then 'missed' when 1 then 'missed' when 2 then 'exempt' when 3 then 'submitted'
                                          else 'marked' end
                      when c.id % 20 < 8 then 'not_started'
                      when c.id % 20 = 8 then 'in_progress'
                      when c.id % 20 < 14 then 'submitted'
                      when c.id % 20 = 14 then 'returned'
                      else 'marked' end as state) y) x;

insert into answer_sheet (homework_student_id, attempt_no, snapshot_id, started_at, deadline_at, submitted_at, submit_kind, late, ip,
                          device, objective_score, subjective_score, total_score, similarity, mark_state, marker_id, marked_at,
                          marked_by_name, created_at, created_by, updated_by)
select s.id, 1, s.snapshot_id, h.starts_at, h.late_until, s.submitted_at, case when s.submitted_at is not null then 'student' end,
       s.late, '127.0.0.1', 'phone', case when s.submitted_at is not null then 40 end,
       case when s.state = 'marked' then s.final_raw - 40 end, case when s.state = 'marked' then s.final_raw end, s.similarity, s.state,
       a.teacher_id, case when s.state = 'marked' then h.ends_at end, case when s.state = 'marked' then t.name end,
       h.starts_at + s.id % 1000 * interval '10 minutes', 0, 0
from homework_student s
join homework h on h.id = s.homework_id
join course_selection c on c.id = s.selection_id
left join course_allocation a on a.opening_id = c.opening_id and a.role = 'lecturer'
left join teacher t on t.id = a.teacher_id
where s.state in ('in_progress', 'submitted', 'marked', 'returned');

-- The question that a teacher marks.
insert into answer_item (sheet_id, snapshot_question_id, seq, answer, client_seq, saved_at, score, mark_state, marked_by_teacher_id,
                         marked_at)
select a.id, q.id, q.seq, '{"html":"<p>特征有三。</p>"}'::jsonb, 1, a.started_at + interval '10 minutes',
       case when a.mark_state = 'marked' then 6 end, case when a.mark_state = 'marked' then 'marked' else 'pending' end,
       case when a.mark_state = 'marked' then a.marker_id end, a.marked_at
from answer_sheet a
join snapshot_question q on q.snapshot_id = a.snapshot_id and q.seq = '8'
where a.homework_student_id is not null;

insert into answer_similarity (question_id, sheet_a, sheet_b, seq_a, seq_b, percent, verdict, created_by, updated_by)
select q.question_id, a.id, a.other, '8', '8', 60 + a.id % 40, (array['open', 'open', 'confirmed', 'dismissed'])[1 + a.id % 4], 0, 0
from (select x.id, x.snapshot_id, x.mark_state, lead(x.id) over (partition by s.homework_id order by x.id) as other
      from answer_sheet x join homework_student s on s.id = x.homework_student_id) a
join snapshot_question q on q.snapshot_id = a.snapshot_id and q.seq = '8'
where a.other is not null and a.mark_state <> 'in_progress' and a.id % 61 = 0;

insert into sheet_return (sheet_id, reason, redo_until, from_state, created_by, updated_by)
select a.id, '请补充论据', now() + interval '7 days', 'marked', 0, 0
from answer_sheet a
where a.homework_student_id is not null and a.mark_state = 'returned';

insert into lesson_period (no, starts_at, ends_at, created_by, updated_by)
select n, time '08:00' + (n - 1) * interval '1 hour', time '08:45' + (n - 1) * interval '1 hour', 0, 0
from generate_series(1, 10) n
on conflict do nothing;

-- Each class meets on Saturdays for one course, on Sundays for another, in a room of its own among those of its site; of a semester
-- nobody teaches two of these. So nobody is in two places.
create temporary table lesson on commit drop as
select o.id as opening_id, o.semester_id, o.course_id, k.id as class_id, k.site_id, a.teacher_id, c.place, e.starts_on,
       row_number() over (partition by o.semester_id, k.site_id, c.place order by o.id) as room
from course_opening o
join semester e on e.id = o.semester_id and e.year = 2026
join course_place c on c.course_id = o.course_id and c.place < 2
join class k on k.grade_id = o.grade_id and k.major_id = o.major_id
join course_allocation a on a.opening_id = o.id and a.role = 'lecturer'
where o.kind = 'plan';

insert into course_arrange (semester_id, course_id, teacher_id, site_id, classroom_id, kind, mode, weekday, weeks, period_from,
                            period_to, status, published_at, created_at, created_by, updated_by)
select l.semester_id, l.course_id, l.teacher_id, l.site_id, r.id, 'lecture', 'weekly', 6 + l.place, array[1, 2, 3, 4, 5, 6, 7, 8], 1, 2,
       x.status, case when x.status = 'published' then l.starts_on end, l.starts_on - l.opening_id % 9000 * interval '1 minute', 0, 0
from lesson l
join (select id, site_id, row_number() over (partition by site_id order by id) as n from classroom) r
     on r.site_id = l.site_id and r.n = l.room
cross join lateral (select case when l.opening_id % 25 = 0 then 'draft' else 'published' end as status) x;

insert into course_arrange_class (arrange_id, class_id, opening_id, semester_id, course_id)
select a.id, l.class_id, l.opening_id, a.semester_id, a.course_id
from course_arrange a
join lesson l on l.semester_id = a.semester_id and l.teacher_id = a.teacher_id;

insert into course_arrange_session (arrange_id, held_on, period_from, period_to, starts_at, ends_at, teacher_id, classroom_id,
                                    created_by, updated_by)
select a.id, d.held_on, 1, 2, (d.held_on + time '08:00') at time zone 'Asia/Shanghai',
       (d.held_on + time '09:45') at time zone 'Asia/Shanghai', a.teacher_id, a.classroom_id, 0, 0
from course_arrange a
join semester e on e.id = a.semester_id
cross join unnest(a.weeks) w (week)
cross join lateral (select date_trunc('week', e.starts_on)::date + (w.week - 1) * 7 + a.weekday - 1 as held_on) d
where a.status = 'published';

insert into resource_occupation (kind, resource_id, during, source_type, source_id, created_by, updated_by)
select v.kind, v.id, tstzrange(s.starts_at, s.ends_at), 'session', s.id, 0, 0
from course_arrange_session s
cross join lateral (values ('teacher', s.teacher_id), ('classroom', s.classroom_id)) v (kind, id)
union all
select 'class', k.class_id, tstzrange(s.starts_at, s.ends_at), 'session', s.id, 0, 0
from course_arrange_session s
join course_arrange_class k on k.arrange_id = s.arrange_id;

-- On a Monday.
insert into resource_occupation (kind, resource_id, during, source_type, note, created_by, updated_by)
select 'teacher', t.id, tstzrange('2026-12-14 08:00+08', '2026-12-14 18:00+08'), 'blocked', '外出培训', 0, 0
from teacher t
where t.id % 3 = 0;

-- Of the first lesson of last spring.
insert into instruction_attendance (session_id, selection_id, result, source, created_by, updated_by)
select s.id, c.id, case c.id % 50 when 1 then 'absent' when 2 then 'late' when 3 then 'leave' else 'present' end,
       (array['staff', 'import', 'teacher'])[1 + c.id % 3], 0, 0
from (select distinct on (arrange_id) id, arrange_id from course_arrange_session order by arrange_id, held_on) s
join course_arrange_class k on k.arrange_id = s.arrange_id
join semester e on e.id = k.semester_id and not e.current
join course_selection c on c.opening_id = k.opening_id and c.class_id = k.class_id and c.status = 'completed';

insert into instruction_score (selection_id, required_sessions, attended_count, attendance_rate, attendance_score, performance_score,
                               total_score, status, submitted_by, submitted_at, confirmed_by, confirmed_at, created_by, updated_by)
select a.selection_id, x.required, x.came, case when x.required > 0 then x.came * 100 end,
       case when x.required > 0 then x.came * 100 end, case when x.status <> 'draft' then 60 + a.id % 40 end,
       case when x.status <> 'draft' then 60 + a.id % 40 end, x.status, case when x.status <> 'draft' then 0 end,
       case when x.status <> 'draft' then now() end, case when x.status = 'confirmed' then 0 end,
       case when x.status = 'confirmed' then now() end, 0, 0
from instruction_attendance a
cross join lateral (
    select case when a.result = 'leave' then 0 else 1 end as required,
           case a.result when 'present' then 1 when 'late' then 0.5 else 0 end as came,
           case a.id % 10 when 0 then 'draft' when 1 then 'submitted' else 'confirmed' end as status) x;
