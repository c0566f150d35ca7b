-- How what large_teaching.sql teaches was examined last spring, and who graduated: batches, candidates, seats, answers on the net, sheets
-- and scores, theses and practical work, graduates with their certificates and archives. Runs once, behind it and with its
-- `course_place`.

insert into test_batch (code, name, initials, semester_id, kind, mode, exam_starts_on, exam_ends_on, score_entry_starts_at,
                        score_entry_ends_at, ticket_prefix, status, closed_at, archived_at, created_at, created_by, updated_by)
select 'KS' || e.code, e.name || '期末考试', 'qmks', e.id, 'final', 'mixed', e.ends_on - 20, e.ends_on - 5, e.ends_on - 20,
       e.ends_on + 20, e.year || '0' || right(e.code, 1), x.status, case when x.status <> 'active' then e.ends_on + 20 end,
       case when x.status = 'archived' then e.ends_on + 60 end, e.ends_on - 60, 0, 0
from semester e
cross join lateral (
    select case when e.current then 'active' when e.year = 2026 then 'closed' else 'archived' end as status) x;

insert into test_batch (code, name, initials, semester_id, kind, mode, exam_starts_on, exam_ends_on, score_entry_starts_at,
                        score_entry_ends_at, ticket_prefix, status, created_at, created_by, updated_by)
select 'BK' || e.code, e.name || '补考', 'bk', e.id, 'makeup', 'offline', e.starts_on + 30, e.starts_on + 40, e.starts_on + 30,
       e.starts_on + 60, e.year || '1' || right(e.code, 1), 'active', e.starts_on, 0, 0
from semester e
where e.current;

-- Of both semesters of this year two mornings: one for each course of a term that is examined on paper.
insert into offline_session (batch_id, code, name, starts_at, ends_at, duration_minutes, status, seated_at, confirmed_at, created_at,
                             created_by, updated_by)
select b.id, '0' || n, '第' || n || '场', (b.exam_starts_on + n + time '09:00') at time zone 'Asia/Shanghai',
       (b.exam_starts_on + n + time '11:00') at time zone 'Asia/Shanghai', 120, x.status,
       case when x.status = 'finished' then b.exam_starts_on end, case when x.status = 'finished' then b.exam_starts_on end,
       b.created_at, 0, 0
from test_batch b
join semester e on e.id = b.semester_id and e.year = 2026
cross join generate_series(1, 2) n
cross join lateral (select case when b.status = 'closed' then 'finished' else 'draft' end as status) x
where b.kind = 'final';

insert into exam_setup (batch_id, mode, course_id, semester_id, name, initials, round, assess_mode, starts_at, ends_at,
                        duration_minutes, paper_mode, paper_total, session_id, status, marking_status, submitted_by, submitted_by_name,
                        submitted_at, published_at, closed_at, created_by_name, created_at, created_by, updated_by)
select b.id, x.mode, c.course_id, e.id, c.name || '期末考试', c.initials || 'ks', 'first',
       case when x.mode = 'online' then 'online' else 'closed_book' end, case when x.mode = 'online' then x.starts_at end,
       case when x.mode = 'online' then x.starts_at + interval '12 hours' end, case when x.mode = 'online' then 120 end,
       case when x.mode = 'online' then 'fixed' end, case when x.mode = 'online' then 100 end,
       case when x.mode = 'offline' and x.status in ('approved', 'published', 'closed') then s.id end, x.status,
       case when x.status = 'closed' then 'transferred' else 'none' end, case when x.status = 'submitted' then 0 end,
       case when x.status = 'submitted' then '王老师' end, case when x.status = 'submitted' then now() end,
       case when x.status in ('published', 'closed') then b.created_at end, case when x.status = 'closed' then b.closed_at end, '王老师',
       b.created_at - c.no * interval '1 minute', 0, 0
from (select distinct semester_id, course_id from course_opening where kind = 'plan') o
join semester e on e.id = o.semester_id and e.year = 2026
join test_batch b on b.semester_id = e.id and b.kind = 'final'
join course_place c on c.course_id = o.course_id
join offline_session s on s.batch_id = b.id and s.code = '0' || (1 + c.place % 2)
cross join lateral (
    select case when c.place < 2 then 'offline' else 'online' end as mode,
           (b.exam_starts_on + c.no % 10 + time '08:00') at time zone 'Asia/Shanghai' as starts_at,
           case when not e.current then 'closed'
                when c.place < 2 then (array['draft', 'submitted', 'approved', 'published'])[1 + c.no / 4 % 4]
                when c.no % 20 = 3 then 'draft'
                else 'published' end as status) x;

insert into exam_setup_class (setup_id, class_id)
select s.id, k.id
from exam_setup s
join course_opening o on o.semester_id = s.semester_id and o.course_id = s.course_id and o.kind = 'plan'
join class k on k.grade_id = o.grade_id and k.major_id = o.major_id;

insert into exam_setup_paper (setup_id, slot, paper_id, snapshot_id)
select s.id, 'A', p.id, case when s.status <> 'draft' then n.id end
from exam_setup s
join paper p on p.course_id = s.course_id and p.kind = 'exam'
join paper_snapshot n on n.paper_id = p.id
where s.mode = 'online';

analyze exam_setup, exam_setup_paper;

insert into exam_candidate (setup_id, selection_id, batch_id, course_id, student_id, round, eligibility, eligibility_reason, attendance,
                            snapshot_id, slot, final_raw, final_score, created_at, created_by, updated_by)
select s.id, c.id, s.batch_id, s.course_id, c.student_id, 'first', x.eligibility,
       case when x.eligibility <> 'eligible' then '缺勤超过三分之一' end, x.attendance, p.snapshot_id, p.slot,
       case when x.attendance = 'present' then c.final_score end, case when x.attendance = 'present' then c.final_score end,
       s.created_at, 0, 0
from exam_setup s
join course_opening o on o.semester_id = s.semester_id and o.course_id = s.course_id and o.kind = 'plan'
join course_selection c on c.opening_id = o.id and c.status in ('selected', 'completed')
left join exam_setup_paper p on p.setup_id = s.id
cross join lateral (
    select y.eligibility,
           case when s.status <> 'closed' then 'unknown' when y.eligibility <> 'eligible' or c.id % 40 = 1 then 'absent'
                else 'present' end as attendance
    from (select case when c.id % 90 = 7 then 'disqualified' else 'eligible' end as eligibility) y) x
where s.status in ('published', 'closed');

insert into exam_marker (setup_id, teacher_id, deadline_at, status, assigned, done, created_at, created_by, updated_by)
select distinct on (s.id) s.id, a.teacher_id, s.ends_at + interval '10 days',
       case when s.status = 'closed' then 'finished' when s.id % 3 = 0 then 'working' else 'assigned' end,
       case when s.status = 'closed' then 80 else 0 end, case when s.status = 'closed' then 80 else 0 end, s.created_at, 0, 0
from exam_setup s
join course_opening o on o.semester_id = s.semester_id and o.course_id = s.course_id and o.kind = 'plan'
join course_allocation a on a.opening_id = o.id and a.role = 'lecturer'
where s.mode = 'online'
order by s.id, a.teacher_id;

insert into exam_deferral (student_id, batch_id, course_id, selection_id, reason_type, reason, applied_by, applied_by_name, status,
                           reviewed_by, reviewed_by_name, reviewed_at, opinion, created_at, created_by, updated_by)
select d.student_id, d.batch_id, d.course_id, d.selection_id, (array['illness', 'work', 'family', 'other'])[1 + d.id % 4],
       '当日不能到场', (array['student', 'staff'])[1 + d.id % 2], y.name, x.status, case when x.status <> 'applied' then 0 end,
       case when x.status <> 'applied' then '李老师' end, case when x.status <> 'applied' then now() end,
       case when x.status = 'rejected' then '材料不足' end, now() - d.id % 3000 * interval '1 hour', 0, 0
from exam_candidate d
join student y on y.id = d.student_id
join test_batch b on b.id = d.batch_id and b.status = 'active'
cross join lateral (select (array['applied', 'approved', 'rejected'])[1 + d.id / 60 % 3] as status) x
where d.id % 60 = 0;

insert into exam_violation (candidate_id, level, clause, description, source, reported_by, reported_by_name, status, decided_by,
                            decided_by_name, decided_at, decision, penalty, created_at, created_by, updated_by)
select d.id, x.level, case when x.level = 'cheating' then 'Z1' else 'W1' end, '携带与考试有关的资料',
       (array['online_monitor', 'invigilator', 'marking', 'other'])[1 + d.id / 400 % 4], 0, '王老师', x.status,
       case when x.status <> 'reported' then 0 end, case when x.status <> 'reported' then '李老师' end,
       case when x.status <> 'reported' then now() end, case when x.status <> 'reported' then '按规定处理' end,
       case when x.status = 'confirmed' then 'score_void' end, now() - d.id % 3000 * interval '1 hour', 0, 0
from exam_candidate d
cross join lateral (
    select case when d.id / 400 % 3 = 0 then 'cheating' else 'violation' end as level,
           (array['reported', 'confirmed', 'confirmed', 'dismissed'])[1 + d.id / 400 % 4] as status) x
where d.id % 400 = 0 and d.attendance = 'present';

update exam_candidate d
set violation_level = v.level, violation_id = v.id
from exam_violation v
where v.candidate_id = d.id and v.status = 'confirmed';

insert into exam_room (site_id, classroom_id, building, room_no, name, initials, rows_count, columns_count, capacity, room_type,
                       created_by, updated_by)
select c.site_id, c.id, c.building, c.room_no, c.name, c.initials, 10, 10, 100, c.room_type, 0, 0 from classroom c;

-- A class sits together in a room of its site.
create temporary table seated on commit drop as
select d.id as candidate_id, s.session_id, d.student_id, k.site_id,
       dense_rank() over (partition by s.session_id, k.site_id order by c.class_id) as room,
       row_number() over (partition by s.session_id, c.class_id order by d.id) as seat
from exam_candidate d
join exam_setup s on s.id = d.setup_id and s.mode = 'offline' and s.status = 'closed'
join course_selection c on c.id = d.selection_id
join class k on k.id = c.class_id
where d.eligibility = 'eligible';

insert into offline_session_room (session_id, room_id, site_id, exam_room_no, planned_count, created_by, updated_by)
select x.session_id, r.id, x.site_id, lpad(x.room::text, 3, '0'), x.planned, 0, 0
from (select session_id, site_id, room, count(*) as planned from seated group by session_id, site_id, room) x
join (select id, site_id, row_number() over (partition by site_id order by id) as n from exam_room) r
     on r.site_id = x.site_id and r.n = x.room;

insert into offline_seat (candidate_id, session_id, session_room_id, seat_no, student_id, created_by, updated_by)
select x.candidate_id, x.session_id, r.id, x.seat, x.student_id, 0, 0
from seated x
join offline_session_room r on r.session_id = x.session_id and r.site_id = x.site_id and r.exam_room_no = lpad(x.room::text, 3, '0');

insert into exam_ticket (batch_id, student_id, ticket_no, created_by)
select x.batch_id, x.student_id, x.ticket_prefix || lpad(x.n::text, 8, '0'), 0
from (select o.batch_id, o.student_id, b.ticket_prefix, row_number() over (partition by o.batch_id order by o.student_id) as n
      from (select distinct s.batch_id, x.student_id from seated x join offline_session s on s.id = x.session_id) o
      join test_batch b on b.id = o.batch_id) x;

insert into invigilator (kind, teacher_id, name, initials, gender, phone, site_id, created_by, updated_by)
select 'teacher', t.id, t.name, t.initials, t.gender, t.phone, s.id, 0, 0
from (select *, row_number() over (order by id) as n from teacher) t
join site s on s.code = (1 + t.n % 40)::text
where t.n <= 1200;

-- The first two of a site watch its first room, the next two the second, and so on.
insert into invigilation (session_room_id, invigilator_id, role, signed_in, created_by, updated_by)
select r.id, i.id, case when i.n % 2 = 1 then 'chief' else 'assistant' end, true, 0, 0
from offline_session_room r
join (select id, site_id, row_number() over (partition by site_id order by id) as n from invigilator) i
     on i.site_id = r.site_id and (i.n + 1) / 2 = r.exam_room_no::integer;

insert into offline_room_record (id, present_count, absent_count, status, recorded_by_name, recorded_at, confirmed_by_name, confirmed_at,
                                 created_by, updated_by)
select r.id, r.planned_count, 0, x.status, '王老师', now(), case when x.status = 'confirmed' then '李老师' end,
       case when x.status = 'confirmed' then now() end, 0, 0
from offline_session_room r
cross join lateral (select case when r.id % 5 = 0 then 'recorded' else 'confirmed' end as status) x;

-- What was answered on the net.
insert into answer_sheet (exam_candidate_id, attempt_no, snapshot_id, started_at, deadline_at, submitted_at, submit_kind, ip, device,
                          objective_score, subjective_score, total_score, mark_state, marked_at, marked_by_name, created_at, created_by,
                          updated_by)
select d.id, 1, d.snapshot_id, s.starts_at + d.id % 600 * interval '1 minute', s.ends_at + interval '2 hours',
       s.starts_at + (d.id % 600 + 90) * interval '1 minute',
       (array['student', 'student', 'student', 'auto_time', 'forced'])[1 + d.id % 5], '127.0.0.1', 'pc', 40, d.final_raw - 40,
       d.final_raw, 'marked', s.ends_at + interval '3 days', '王老师', s.starts_at + d.id % 600 * interval '1 minute', 0, 0
from exam_candidate d
join exam_setup s on s.id = d.setup_id and s.mode = 'online' and s.status = 'closed'
where d.attendance = 'present';

insert into exam_sheet_monitor (id, candidate_id, device_id, holds_device, last_beat_at, last_activity_at, switch_count, risk_score,
                                risk_level, created_by, updated_by)
select a.id, a.exam_candidate_id, 'd' || a.id, false, a.submitted_at, a.submitted_at, a.id % 4, a.id % 50,
       case when a.id % 50 = 1 then 'high' when a.id % 50 < 6 then 'medium' else 'low' end, 0, 0
from answer_sheet a
where a.exam_candidate_id is not null;

insert into exam_event (sheet_id, type, occurred_at, received_at)
select a.id, v.type, a.started_at + v.later, a.started_at + v.later
from answer_sheet a
cross join (values ('enter', interval '0'), ('leave_page', interval '20 minutes'), ('return_page', interval '21 minutes')) v (type, later)
where a.exam_candidate_id is not null and a.id % 10 = 0;

insert into course_score (selection_id, student_id, course_id, semester_id, attempt_no, plan_course_id, class_id, credits, nature,
                          first_total, first_mark, total, mark, effective_round, display_text, passed, earned_credits, grade_point,
                          makeup_used, status, published_at, counted_at, locked_at, created_at, created_by, updated_by)
select c.id, c.student_id, c.course_id, c.semester_id, 1, o.plan_course_id, c.class_id, o.credits, o.nature, x.total, x.mark, x.total,
       x.mark, x.round, case when x.mark = 'absent' then '缺考' else trim_scale(x.total)::text end, x.total >= 60,
       case when x.total >= 60 then o.credits else 0 end, case when x.total >= 60 then (x.total - 50) / 10 else 0 end,
       case when x.round = 'makeup' then 1 else 0 end, x.status, case when x.status <> 'pending' then x.told end,
       case when x.status <> 'pending' then x.told end, case when x.status = 'locked' then x.told end, c.created_at, 0, 0
from course_selection c
join course_opening o on o.id = c.opening_id
join exam_candidate d on d.selection_id = c.id
cross join lateral (
    select case when d.attendance = 'absent' then 0 else c.final_score end as total,
           case when d.eligibility = 'disqualified' then 'disqualified' when d.attendance = 'absent' then 'absent' else 'normal' end as mark,
           case when c.id % 100 = 7 and d.attendance = 'present' then 'makeup' else 'first' end as round,
           case when c.id % 20 = 0 then 'pending' when c.id % 20 < 12 then 'published' else 'locked' end as status,
           timestamptz '2026-07-20 00:00+08' as told) x
where c.status = 'completed';

analyze exam_candidate, course_score;

-- A sheet of each class and course.
insert into score_sheet (sheet_no, batch_id, course_id, semester_id, class_id, round, teacher_id, source, total_count, entered_count,
                         absent_count, status, submitted_by, submitted_by_kind, submitted_by_name, submitted_at, first_reviewed_by,
                         first_reviewed_by_name, first_reviewed_at, reviewed_by, reviewed_by_name, reviewed_at, published_at, locked_at,
                         created_at, created_by, updated_by)
select 'CJ' || lpad((row_number() over (order by n.setup_id, n.class_id))::text, 8, '0'), s.batch_id, s.course_id, s.semester_id,
       n.class_id, 'first', m.teacher_id, case when s.mode = 'online' then 'online' else 'offline' end, n.total, n.total, n.absent,
       x.status, 0, 'account', '王老师', x.told, 0, '李老师', x.told, case when x.status <> 'first_reviewed' then 0 end,
       case when x.status <> 'first_reviewed' then '赵老师' end, case when x.status <> 'first_reviewed' then x.told end,
       case when x.status in ('published', 'locked') then x.told end, case when x.status = 'locked' then x.told end, s.created_at, 0, 0
from (select d.setup_id, c.class_id, count(*) as total, count(*) filter (where d.attendance = 'absent') as absent
      from exam_candidate d join course_selection c on c.id = d.selection_id
      where c.status = 'completed' and c.class_id is not null
      group by d.setup_id, c.class_id) n
join exam_setup s on s.id = n.setup_id
left join exam_marker m on m.setup_id = s.id
cross join lateral (
    select (array['published', 'locked', 'locked', 'reviewed', 'first_reviewed'])[1 + n.class_id % 5] as status,
           timestamptz '2026-07-20 00:00+08' as told) x;

insert into score_sheet_row (sheet_id, course_score_id, candidate_id, row_round, raw, value, mark, mark_fixed, created_by, updated_by)
select h.id, k.id, d.id, 'first', case when d.attendance = 'present' then d.final_raw end,
       case when d.attendance = 'present' then d.final_score end, k.mark, k.mark = 'disqualified', 0, 0
from score_sheet h
join course_score k on k.semester_id = h.semester_id and k.course_id = h.course_id and k.class_id = h.class_id
join exam_candidate d on d.selection_id = k.selection_id and d.batch_id = h.batch_id;

insert into exam_score (course_score_id, round, setup_id, candidate_id, raw, value, mark, source, sheet_id, published, total,
                        entered_by_name, created_at, created_by, updated_by)
select k.id, 'first', d.setup_id, d.id, case when d.attendance = 'present' then d.final_raw end,
       case when d.attendance = 'present' then d.final_score end, k.mark,
       case when s.mode = 'online' then 'online' else 'offline_entry' end, h.id, k.status <> 'pending', k.first_total, '王老师',
       k.created_at, 0, 0
from course_score k
join exam_candidate d on d.selection_id = k.selection_id
join exam_setup s on s.id = d.setup_id
left join score_sheet h on h.batch_id = d.batch_id and h.course_id = k.course_id and h.class_id = k.class_id;

insert into course_score_component (course_score_id, kind, value, applicability, source, rule_id, computed_at, frozen, created_at,
                                    created_by, updated_by)
select k.id, v.kind, case when k.id % 30 <> 1 then 60 + k.id % 41 end, case when k.id % 30 <> 1 then 'value' else 'none' end,
       case when k.id % 50 = 0 then 'imported' else 'computed' end, r.id, k.created_at, true, k.created_at, 0, 0
from course_score k
cross join (values ('study'), ('homework')) v (kind)
join score_rule r on r.kind = v.kind and r.grade_id is null and r.level_id is null and r.major_id is null and r.course_id is null;

insert into score_correction (course_score_id, target, exam_score_id, old_value, old_mark, new_value, new_mark, old_text, reason_type,
                              reason, status, applied_by, applied_by_name, audited_by, audited_by_name, audited_at, opinion, created_at,
                              created_by, updated_by)
select k.id, 'exam', x.id, x.value, x.mark, x.value + 1, 'normal', k.display_text,
       (array['entry_error', 'marking_error', 'recount', 'other'])[1 + k.id / 400 % 4], '试卷漏计一题', v.status, 0, '王老师',
       case when v.status <> 'applied' then 0 end, case when v.status <> 'applied' then '李老师' end,
       case when v.status <> 'applied' then now() end, case when v.status = 'rejected' then '核对无误' end,
       now() - k.id % 3000 * interval '1 hour', 0, 0
from course_score k
join exam_score x on x.course_score_id = k.id
cross join lateral (select (array['applied', 'approved', 'rejected'])[1 + k.id / 400 % 3] as status) v
where k.id % 400 = 0 and k.status <> 'pending' and x.mark = 'normal';

-- Of last term's courses the third is a thesis, the second an internship.
insert into thesis_plan (code, name, semester_id, topic_from, topic_to, proposal_due, draft_due, final_due, similarity_due, review_due,
                         defense_from, defense_to, status, created_by, updated_by)
select 'LW2026', '2026届毕业论文', e.id, e.starts_on, e.starts_on + 20, e.starts_on + 40, e.starts_on + 70, e.starts_on + 90,
       e.starts_on + 95, e.starts_on + 105, e.starts_on + 110, e.starts_on + 120, 'active', 0, 0
from semester e
where e.code = '2026-1';

insert into thesis_adviser (plan_id, teacher_id, quota, created_by, updated_by)
select p.id, t.id, 60, 0, 0
from thesis_plan p
join (select id, row_number() over (order by id) as n from teacher) t on t.n <= 400;

insert into thesis_topic (plan_id, title, title_key, initials, teacher_id, source, capacity, taken, status, audited_by_name, audited_at,
                          created_at, created_by, updated_by)
select a.plan_id, '成人教育教学改革研究之' || a.n || '-' || k, '成人教育教学改革研究之' || a.n || '-' || k, 'crjyjxggyj', a.teacher_id,
       (array['production', 'research', 'social', 'other'])[1 + k % 4], 20, 5, case k when 9 then 'submitted' when 10 then 'closed' else 'approved' end,
       case when k <> 9 then '李老师' end, case when k <> 9 then now() end, now() - (a.n * 10 + k) * interval '1 minute', 0, 0
from (select plan_id, teacher_id, row_number() over (order by id) as n from thesis_adviser) a
cross join generate_series(1, 10) k;

insert into thesis (plan_id, selection_id, student_id, topic_id, title, adviser_id, stage, stage_status, similarity_rate,
                    similarity_tool, similarity_count, similarity_on, defense_result, status, finished_at, created_at, created_by,
                    updated_by)
select p.id, c.id, c.student_id, case when x.stage <> 'topic' then t.id end, case when x.stage <> 'topic' then t.title end, a.teacher_id,
       x.stage, case when x.stage = 'done' then 'passed' else (array['pending', 'submitted', 'returned'])[1 + c.id / 10 % 3] end,
       case when x.stage in ('review', 'defense', 'done') then c.id % 30 end,
       case when x.stage in ('review', 'defense', 'done') then '知网' end,
       case when x.stage in ('review', 'defense', 'done') then 1 else 0 end,
       case when x.stage in ('review', 'defense', 'done') then p.similarity_due end, case when x.stage = 'done' then 'passed' end,
       case when x.stage = 'done' then 'finished' else 'active' end, case when x.stage = 'done' then now() end, c.created_at, 0, 0
from course_selection c
join semester e on e.id = c.semester_id and e.code = '2026-1'
join course_place k on k.course_id = c.course_id and k.term_no = 5 and k.place = 2
cross join thesis_plan p
join (select teacher_id, row_number() over (order by id) as n from thesis_adviser) a on a.n = 1 + c.id % 400
join (select id, title, row_number() over (order by id) as n from thesis_topic) t on t.n = 1 + c.id % 4000
cross join lateral (
    select (array['topic', 'proposal', 'draft', 'final', 'review', 'defense', 'done', 'done', 'done', 'done'])[1 + c.id % 10] as stage) x
where c.status = 'completed';

insert into thesis_review (thesis_id, reviewer_id, score, opinion, submitted_at, created_by, updated_by)
select t.id, t.adviser_id, 70 + t.id % 25, 'agree', now(), 0, 0 from thesis t where t.stage in ('defense', 'done');

insert into defense_group (plan_id, name, mode, held_at, ends_at, place, secretary_teacher_id, status, created_by, updated_by)
select p.id, '第' || k || '组', 'onsite', (p.defense_from + time '08:00') at time zone 'Asia/Shanghai',
       (p.defense_from + time '18:00') at time zone 'Asia/Shanghai', '教学楼' || k, t.id,
       case when k % 10 = 0 then 'arranged' else 'finished' end, 0, 0
from thesis_plan p
cross join generate_series(1, 100) k
join (select id, row_number() over (order by id) as n from teacher) t on t.n = 2000 + k;

insert into defense_member (group_id, teacher_id, chair)
select g.id, t.id, k = 1
from (select id, row_number() over (order by id) as n from defense_group) g
cross join generate_series(1, 3) k
join (select id, row_number() over (order by id) as n from teacher) t on t.n = 2200 + g.n * 3 + k;

insert into defense_slot (group_id, thesis_id, order_no, present, score, result, created_by, updated_by)
select g.id, t.id, t.n / 100 + 1, case when t.stage = 'done' then true end, case when t.stage = 'done' then 70 + t.id % 25 end,
       case when t.stage = 'done' then 'passed' end, 0, 0
from (select id, stage, row_number() over (order by id) as n from thesis where stage in ('defense', 'done')) t
join (select id, row_number() over (order by id) as n from defense_group) g on g.n = 1 + t.n % 100;

insert into internship (selection_id, student_id, unit, post, starts_on, ends_on, mentor, unit_score, teacher_score, score, status,
                        apply_waiver, submitted_at, scored_by, scored_by_name, audited_by, audited_by_name, audited_at, return_reason,
                        created_at, created_by, updated_by)
select c.id, c.student_id, '第' || 1 + c.id % 500 || '实习单位', '见习', e.starts_on, e.starts_on + 60, '张师傅', x.score, x.score, x.score,
       x.status, c.id % 9 = 0, case when x.status <> 'draft' then now() end, case when x.score is not null then 0 end,
       case when x.score is not null then '王老师' end, case when x.status = 'passed' then 0 end,
       case when x.status = 'passed' then '李老师' end, case when x.status = 'passed' then now() end,
       case when x.status = 'returned' then '请补充鉴定表' end, c.created_at, 0, 0
from course_selection c
join semester e on e.id = c.semester_id and e.code = '2026-1'
join course_place k on k.course_id = c.course_id and k.term_no = 5 and k.place = 1
cross join lateral (
    select y.status, case when y.status = 'passed' then 70 + c.id % 25 end as score
    from (select (array['draft', 'submitted', 'returned', 'passed', 'passed', 'passed'])[1 + c.id % 6] as status) y) x
where c.status = 'completed';

insert into graduation_score (selection_id, student_id, thesis_id, thesis_score, thesis_by_name, thesis_at, review_score, defense_score,
                              total, grade_word, status, submitted_by, submitted_by_name, submitted_at, reviewed_by, reviewed_by_name,
                              reviewed_at, published_at, locked_at, created_at, created_by, updated_by)
select t.selection_id, t.student_id, t.id, x.score, case when x.score is not null then '王老师' end,
       case when x.score is not null then now() end, x.score, x.score, x.score, case when x.score is not null then '良好' end, x.status,
       case when x.status not in ('pending', 'entering') then 0 end, case when x.status not in ('pending', 'entering') then '王老师' end,
       case when x.status not in ('pending', 'entering') then now() end,
       case when x.status in ('reviewed', 'published', 'locked') then 0 end,
       case when x.status in ('reviewed', 'published', 'locked') then '李老师' end,
       case when x.status in ('reviewed', 'published', 'locked') then now() end,
       case when x.status in ('published', 'locked') then now() end, case when x.status = 'locked' then now() end, t.created_at, 0, 0
from thesis t
cross join lateral (
    select y.status, case when y.status not in ('pending', 'entering') then 70 + t.id % 25 end as score
    from (select case when t.stage <> 'done' then (array['pending', 'entering'])[1 + t.id % 2]
                      else (array['submitted', 'reviewed', 'published', 'locked'])[1 + t.id / 10 % 4] end as status) y) x;

-- Two grades have graduated; of a third every second is examined.
insert into graduation_batch (code, name, initials, year, season, graduates_on, certificate_date, grade_ids, audit_starts_on,
                              audit_ends_on, status, started_at, confirmed_by, confirmed_by_name, confirmed_at, registered_at,
                              archived_at, created_at, created_by, updated_by)
select 'BY' || v.year, v.year || '年夏季毕业', 'xjby', v.year, 'autumn', make_date(v.year, 7, 10), make_date(v.year, 7, 10), array[g.id],
       make_date(v.year, 5, 1), make_date(v.year, 6, 20), v.status, make_date(v.year, 5, 1),
       case when v.status <> 'auditing' then 0 end, case when v.status <> 'auditing' then '李老师' end,
       case when v.status <> 'auditing' then make_date(v.year, 7, 1) end, case when v.status <> 'auditing' then make_date(v.year, 8, 1) end,
       case when v.status = 'archived' then make_date(v.year, 12, 1) end, make_date(v.year, 4, 1), 0, 0
from (values (2022, '2020', 'archived'), (2023, '2021', 'registered'), (2026, '2024', 'auditing')) v (year, grade, status)
join grade g on g.code = v.grade;

insert into graduation_user (batch_id, student_id, audit_result, audited_at, suggestion, site_opinion, site_by_name, site_at, decision,
                             decision_reason, decided_by, decided_by_name, decided_at, status, former_status, snapshot, created_at,
                             created_by, updated_by)
select b.id, s.id, x.result, case when x.result <> 'pending' then b.audit_starts_on end,
       case x.result when 'passed' then 'graduate' when 'failed' then 'delay' end,
       case when x.status = 'listed' then 'none' else 'agree' end, case when x.status <> 'listed' then '刘老师' end,
       case when x.status <> 'listed' then b.audit_ends_on end, x.decision, case when x.decision = 'complete' then '学分未修满' end,
       case when x.decision <> 'none' then 0 end, case when x.decision <> 'none' then '李老师' end,
       case when x.decision <> 'none' then b.audit_ends_on end, x.status, case when x.status = 'confirmed' then 'registered' end,
       case when x.status = 'confirmed' then '{}'::jsonb end, b.created_at + s.id % 20000 * interval '1 minute', 0, 0
from graduation_batch b
join student s on s.grade_id = b.grade_ids[1]
              and (s.status = 'graduated' or b.status = 'auditing' and s.status = 'registered' and s.id % 2 = 0)
cross join lateral (
    select y.status,
           case when b.status <> 'auditing' or s.id % 10 < 6 then 'passed' when s.id % 10 < 8 then 'failed' else 'pending' end as result,
           case when y.status not in ('decided', 'confirmed') then 'none' when s.id % 20 = 0 then 'complete' else 'graduate' end as decision
    from (select case when b.status <> 'auditing' then 'confirmed'
                      else (array['listed', 'site_checked', 'decided'])[1 + s.id / 2 % 3] end as status) y) x;

insert into graduation_audit_item (graduation_user_id, rule_code, severity, passed, required, actual, created_by, updated_by)
select u.id, v.code, 'must', u.audit_result = 'passed' or v.code = 'photo', '60', case when u.audit_result = 'passed' then '60' else '40' end,
       0, 0
from graduation_user u
cross join (values ('credits'), ('compulsory'), ('photo')) v (code)
where u.audit_result <> 'pending';

insert into degree_application (student_id, batch_id, applied_on, source, audit_result, audited_at, decision, committee_date, committee_no,
                                chair_name, reason, decided_by_name, decided_at, awarded_at, status, created_at, created_by, updated_by)
select u.student_id, u.batch_id, b.audit_ends_on, (array['student', 'staff'])[1 + u.id % 2], x.result,
       case when x.result <> 'pending' then b.audit_ends_on end, x.decision, case when x.decision <> 'none' then b.graduates_on end,
       case when x.decision <> 'none' then '第1号' end, case when x.decision <> 'none' then '周主席' end,
       case when x.decision = 'refused' then '平均分不足' end, case when x.decision <> 'none' then '李老师' end,
       case when x.decision <> 'none' then b.graduates_on end, case when x.status = 'awarded' then b.graduates_on end, x.status,
       u.created_at, 0, 0
from graduation_user u
join graduation_batch b on b.id = u.batch_id
cross join lateral (
    select case when b.status = 'auditing' then 'applied' when u.id % 40 = 0 then 'refused' else 'awarded' end as status,
           case when b.status = 'auditing' then 'none' when u.id % 40 = 0 then 'refused' else 'approved' end as decision,
           case when b.status = 'auditing' then 'pending' when u.id % 40 = 0 then 'failed' else 'passed' end as result) x
where u.id % 4 = 0 and u.decision <> 'complete';

insert into certificate (student_id, batch_id, kind, number, year, level_code, seq_no, holder, principal_name, status, print_count,
                         printed_at, receiver, receiver_relation, issued_on, registered_at, register_result, created_at, created_by,
                         updated_by)
select u.student_id, u.batch_id, case when u.decision = 'complete' then 'completion' else 'graduation' end,
       '104865' || b.year || '06' || lpad(u.n::text, 6, '0'), b.year, '06', u.n,
       jsonb_build_object('name', s.name, 'level', l.name, 'major', m.name), '郑校长', x.status,
       case when x.status = 'allocated' then 0 else 1 end, case when x.status <> 'allocated' then b.graduates_on end,
       case when x.status = 'issued' then s.name end, case when x.status = 'issued' then '本人' end,
       case when x.status = 'issued' then b.graduates_on + 10 end, b.registered_at, 'success', u.created_at, 0, 0
from (select *, row_number() over (partition by batch_id order by id) as n from graduation_user where status = 'confirmed') u
join graduation_batch b on b.id = u.batch_id
join student s on s.id = u.student_id
join level l on l.id = s.level_id
join major m on m.id = s.major_id
cross join lateral (select (array['issued', 'issued', 'issued', 'printed', 'allocated'])[1 + u.id % 5] as status) x;

insert into certificate (student_id, batch_id, kind, number, year, level_code, seq_no, holder, principal_name, status, created_at,
                         created_by, updated_by)
select a.student_id, a.batch_id, 'degree', '104864' || b.year || lpad(a.n::text, 7, '0'), b.year, '4', a.n,
       jsonb_build_object('name', s.name, 'level', l.name, 'major', m.name), '郑校长', 'allocated', a.created_at, 0, 0
from (select *, row_number() over (partition by batch_id order by id) as n from degree_application where status = 'awarded') a
join graduation_batch b on b.id = a.batch_id
join student s on s.id = a.student_id
join level l on l.id = s.level_id
join major m on m.id = s.major_id;

insert into archive (student_id, batch_id, archive_no, status, ready_count, needed_count, sealed_by, sealed_by_name, sealed_at,
                     bundle_file_id, bundle_sha256, created_at, created_by, updated_by)
select u.student_id, u.batch_id, 'DA' || lpad(u.id::text, 10, '0'), x.status, case when x.status = 'collecting' then 3 else 4 end, 4,
       case when x.status = 'sealed' then 0 end, case when x.status = 'sealed' then '李老师' end,
       case when x.status = 'sealed' then u.decided_at end, case when x.status = 'sealed' then f.id end,
       case when x.status = 'sealed' then encode(sha256('bundle'::bytea), 'hex') end, u.created_at, 0, 0
from graduation_user u
join file_object f on f.key = 'paper/0'
cross join lateral (select (array['collecting', 'complete', 'complete', 'sealed'])[1 + u.id % 4] as status) x
where u.status = 'confirmed';

insert into archive_item (archive_id, code, origin, needed, file_id, pages, sha256, generated_at, status, created_by, updated_by)
select a.id, v.code, 'generated', true, case when x.ready then f.id end, case when x.ready then 1 end,
       case when x.ready then encode(sha256('page'::bytea), 'hex') end, case when x.ready then now() end,
       case when x.ready then 'ready' else 'missing' end, 0, 0
from archive a
join file_object f on f.key = 'paper/1'
cross join (values ('cover'), ('roll'), ('transcript'), ('certificate')) v (code)
cross join lateral (select a.status <> 'collecting' or v.code <> 'certificate' as ready) x;

insert into student_discipline (student_id, type, document_no, reason, decided_on, expires_on, released_on, status, created_at,
                                created_by, updated_by)
select s.id, (array['warning', 'serious_warning', 'demerit', 'probation'])[1 + s.id / 150 % 4], '处分' || s.id, '考试违纪',
       date '2025-01-01' + (s.id % 600)::integer, date '2026-01-01' + (s.id % 600)::integer,
       case when x.status = 'released' then date '2026-06-01' + (s.id % 600)::integer end, x.status,
       now() - s.id % 5000 * interval '1 hour', 0, 0
from student s
cross join lateral (select (array['effective', 'effective', 'released', 'revoked'])[1 + s.id / 600 % 4] as status) x
where s.id % 150 = 7;

insert into external_exam_score (student_id, type, score, certificate_no, exam_date, passed, created_at, created_by, updated_by)
select s.id, x.type, case when x.type = 'cet4' then 350 + s.id % 200 else 50 + s.id % 50 end, 'W' || s.id,
       date '2024-01-01' + (s.id % 900)::integer, s.id % 3 <> 0, now() - s.id % 5000 * interval '1 hour', 0, 0
from student s
cross join lateral (select (array['degree_english', 'cet4', 'pets3', 'other'])[1 + s.id / 30 % 4] as type) x
where s.id % 30 = 11;
