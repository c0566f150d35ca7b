-- The operators' site as it is after three years: 200,000 learners, as many orders and coupons, and believably much of what else stands
-- there. Runs once, in `platform`, with the names of people in `person`; n of one thing meets n of another by temporary tables that
-- number them. Nothing of it is due: whoever works on what is due finds nothing to do.

insert into online_category (category_type, category_name, sort, created_by, updated_by)
select t.type, '分类' || n, n, 0, 0
from unnest(array['record', 'live', 'resource', 'exam', 'problem', 'blog']) t (type) cross join generate_series(1, 10) n;

insert into online_category (category_type, parent_id, category_name, sort, created_by, updated_by)
select c.category_type, c.id, c.category_name || '之' || n, n, 0, 0
from online_category c cross join generate_series(1, 5) n
where c.parent_id is null;

create temporary table nth_category on commit drop as
select row_number() over (partition by category_type order by id) as nth, id, category_type
from online_category where parent_id is not null;

-- One in twenty has no nickname, one in fifty is switched off, one in ten is a member and one in ten was.
insert into user_ext (phone, nickname, initials, gender, birthday, source, enabled, vip_expires_at, last_login_at, created_at, created_by,
                      updated_by)
select '15' || lpad(n::text, 9, '0'), case when n % 20 <> 0 then p.name end, case when n % 20 <> 0 then p.initials else '' end,
       (array['unknown', 'male', 'female'])[1 + n % 3], date '1975-01-01' + n % 9000,
       (array['pc', 'h5', 'app', 'mini_program', 'admin'])[1 + n % 5], n % 50 <> 0,
       case n % 10 when 0 then now() + (1 + n % 365) * interval '1 day' when 1 then now() - (1 + n % 365) * interval '1 day' end,
       case when n % 10 < 7 then now() - n % 50000 * interval '10 minutes' end, now() - n * interval '8 minutes', 0, 0
from generate_series(1, 200000) n
join person p on p.place = n * 7 % 11520;

create temporary table nth_learner on commit drop as
select row_number() over (order by phone) as nth, id, phone, coalesce(nickname, '学员' || id) as name, vip_expires_at
from user_ext;

analyze nth_learner;

insert into vip_set (set_name, months, price_original, price, discount_rate, benefits, sort, enabled, created_at, created_by, updated_by)
select '会员' || n, n, 3000 * n, 2500 * n, 0.85, '课程八五折', n, n % 10 <> 0, now() - n * interval '20 days', 0, 0
from generate_series(1, 20) n;

-- Four in five of the lecturers have an account on the site.
insert into lecturer (learner_id, lecturer_name, phone, email, position, introduce, lecturer_proportion, initials, enabled, created_at,
                      created_by, updated_by)
select case when n <= 400 then l.id end, p.name, '158' || lpad(n::text, 8, '0'), 'l' || n || '@example.com',
       (array['教授', '副教授', '讲师'])[1 + n % 3], '从事成人教育多年', 0.6, p.initials, n % 25 <> 0, now() - n * interval '2 days', 0, 0
from generate_series(1, 500) n
join person p on p.place = n * 11 % 11520
join nth_learner l on l.nth = n;

create temporary table nth_lecturer on commit drop as
select row_number() over (order by phone) as nth, id, learner_id from lecturer;

insert into lecturer_audit (learner_id, lecturer_name, initials, phone, lecturer_proportion, audit_status, audit_opinion, audited_by,
                            audited_at, created_at, created_by, updated_by)
select l.id, p.name, p.initials, l.phone, 0.6, x.status, case when x.status = 'rejected' then '请补充教学经历' end,
       case when x.status <> 'pending' then 1 end, case when x.status <> 'pending' then now() - n * interval '5 hours' end,
       now() - n * interval '6 hours', 0, 0
from generate_series(1, 5000) n
cross join lateral (select case when n % 10 = 0 then 'pending' when n % 10 < 4 then 'rejected' else 'approved' end) x (status)
join person p on p.place = n * 13 % 11520
join nth_learner l on l.nth = 2000 + n;

-- Lecturers and promoters earn. The journal of each comes to what the account says.
insert into user_account (learner_id, total_income, available, frozen, withdrawn, created_by, updated_by)
select l.id, 500000, 300000, 100000, 100000, 0, 0 from nth_learner l where l.nth <= 2000;

insert into account_journal (learner_id, kind, amount, moved, ref_type, ref_id, balance_after)
select l.id, 'income', 500000, 500000, 'user_account', l.id, 300000 from nth_learner l where l.nth <= 2000;

insert into account_bank (learner_id, bank_card_no, bank_name, bank_branch, bank_user_name, phone, created_by, updated_by)
select l.id, '622202' || lpad(l.nth::text, 13, '0'), '中国工商银行', '海口国贸支行', l.name, l.phone, 0, 0
from nth_learner l where l.nth <= 2000;

insert into account_extract_log (learner_id, amount, bank_card_no, bank_name, bank_branch, bank_user_name, phone, status, opinion,
                                 audited_by, audited_at, pay_no, paid_by, paid_at, created_at, created_by, updated_by)
select l.id, 10000 + n % 900 * 100, '622202' || lpad(l.nth::text, 13, '0'), '中国工商银行', '海口国贸支行', l.name, l.phone, x.status,
       case when x.status in ('rejected', 'failed') then '户名与卡号不符' end,
       case when x.status <> 'pending' then 1 end, case when x.status <> 'pending' then now() - n * interval '2 hours' end,
       case when x.status = 'paid' then 'PAY' || n end, case when x.status = 'paid' then 1 end,
       case when x.status = 'paid' then now() - n * interval '1 hour' end, now() - n * interval '150 minutes', 0, 0
from generate_series(1, 10000) n
cross join lateral (
    select case n % 10 when 0 then 'pending' when 1 then 'approved' when 2 then 'rejected' when 3 then 'failed' else 'paid' end) x (status)
join nth_learner l on l.nth = 1 + n % 2000;

insert into live_channel (channel_name, provider, channel_no, scene, max_viewers, state, enabled, created_at, created_by, updated_by)
select '直播间' || n, (array['polyv', 'baijiayun'])[1 + n % 2], (100000 + n)::text, (array['lecture', 'small_class'])[1 + n / 2 % 2],
       500, case when n % 4 = 0 then 'ended' else 'idle' end, n % 20 <> 0, now() - n * interval '3 days', 0, 0
from generate_series(1, 200) n;

insert into media_asset (title, channel, vid, file_name, size, duration, state, created_by, updated_by)
select '网站视频' || n, 'storage', 'site/' || n, n || '.mp4', 90000000, 2700, 'ready', 0, 0 from generate_series(1, 1000) n;

-- Of each five courses one is given live and one is a file of the library; of twenty one is a draft, one waits and one was refused.
insert into online_course (course_type, course_name, category_id, lecturer_id, cover, introduce, is_free, price_original, price_sale,
                           valid_days, audit_status, school_shared, enabled, initials, resource_file_key, resource_file_name,
                           resource_ext, resource_pages, resource_size, download_count, count_buy, score_count, score_avg, created_at,
                           created_by, updated_by)
select x.type, x.title || n, g.id, t.id, 'https://img.example.com/' || n || '.png', '课程简介', n % 25 = 0, 10000 + n % 50 * 1000,
       case when n % 25 = 0 then 0 else 8000 + n % 50 * 800 end, case when n % 3 = 0 then 365 end,
       case n / 5 % 20 when 1 then 'draft' when 2 then 'pending' when 3 then 'rejected' else 'approved' end,
       x.type = 'record' and n % 4 = 0, n % 50 <> 0, x.initials || n,
       case when x.type = 'resource' then 'site/resource/' || n end, case when x.type = 'resource' then '讲义' || n end,
       case when x.type = 'resource' then (array['pdf', 'docx', 'pptx', 'xlsx'])[1 + n / 5 % 4] end,
       case when x.type = 'resource' then 20 end, case when x.type = 'resource' then 300000 end,
       case when x.type = 'resource' then n % 900 else 0 end, n % 700, n % 40,
       case when n % 40 > 0 then 3.0 + n % 20 * 0.1 end, now() - n * interval '5 hours', 0, 0
from generate_series(1, 5000) n
cross join lateral (
    select case n % 5 when 0 then 'live' when 1 then 'resource' else 'record' end,
           (array['会计学原理', '大学英语', '高等数学', '管理学', '法学概论'])[1 + n / 5 % 5],
           (array['kjxyl', 'dxyy', 'gdsx', 'glx', 'fxgl'])[1 + n / 5 % 5]) x (type, title, initials)
join nth_category g on g.category_type = x.type and g.nth = 1 + n / 5 % 50
join nth_lecturer t on t.nth = 1 + n % 500;

insert into online_course_revision (course_id, content, audit_status, submitter_id, submitted_at, audit_opinion, audited_by, audited_at,
                                    created_by, updated_by)
select c.id, jsonb_build_object('courseName', c.course_name, 'lecturerId', c.lecturer_id, 'introduce', c.introduce), c.audit_status, 1,
       c.created_at, case when c.audit_status = 'rejected' then '请补充简介' end,
       case when c.audit_status in ('approved', 'rejected') then 1 end,
       case when c.audit_status in ('approved', 'rejected') then c.created_at + interval '1 hour' end, 0, 0
from online_course c;

-- Of ten published courses one has a new version that waits.
insert into online_course_revision (course_id, content, base, changes, audit_status, submitter_id, submitted_at, created_by, updated_by)
select c.id, r.content || jsonb_build_object('introduce', '新的简介'), r.content, array['introduce'], 'pending', 1,
       c.created_at + interval '4 hours', 0, 0
from online_course c join online_course_revision r on r.course_id = c.id
where c.audit_status = 'approved' and c.id % 10 = 4;

update online_course c
set published_revision_id = r.id, putaway = case when c.id % 10 = 7 then 'off' else 'on' end
from online_course_revision r
where r.course_id = c.id and r.audit_status = 'approved';

create temporary table nth_course on commit drop as
select row_number() over (order by created_at desc) as nth, id, course_type, course_name, category_id from online_course;

insert into online_chapter (course_id, chapter_name, sort, created_by, updated_by)
select c.id, '第' || n || '章', n, 0, 0
from online_course c cross join generate_series(1, 2) n
where c.course_type <> 'resource';

insert into online_period (chapter_id, period_name, is_free, media_asset_id, live_channel_id, starts_at, ends_at, sort, created_by,
                           updated_by)
select h.id, '第' || n || '节', n = 1, case when c.course_type = 'record' then m.id end, case when c.course_type = 'live' then v.id end,
       case when c.course_type = 'live' then x.at end, case when c.course_type = 'live' then x.at + interval '2 hours' end, n, 0, 0
from online_chapter h
join online_course c on c.id = h.course_id
cross join generate_series(1, 3) n
cross join lateral (select now() + (h.id % 400 - 200) * interval '1 day' + n * interval '3 hours') x (at)
join (select id, row_number() over (order by id) - 1 as k from media_asset where vid like 'site/%') m on m.k = h.id % 1000
join (select id, row_number() over (order by id) - 1 as k from live_channel) v on v.k = h.id % 200;

insert into course_recommend (course_id, position, category_id, sort, enabled, created_at, created_by, updated_by)
select c.id, x.position, case when x.position = 'category' then c.category_id end, n, n % 10 <> 0, now() - n * interval '1 day', 0, 0
from generate_series(1, 600) n
cross join lateral (select (array['home', 'category', 'detail'])[1 + n % 3]) x (position)
join nth_course c on c.nth = n * 7;

-- What learners say: one comment in twenty waits, one was refused.
insert into course_comment (course_id, learner_id, learner_name, content, audit_status, audit_opinion, is_top, like_count, ip, created_at,
                            created_by, updated_by)
select c.id, l.id, l.name, '第' || n || '条评论：老师讲得很清楚', x.status, case when x.status = 'rejected' then '与课程无关' end,
       n % 500 = 7, n % 90, '10.0.' || n % 250 || '.7', now() - n * interval '15 minutes', 0, 0
from generate_series(1, 80000) n
cross join lateral (select case n % 20 when 0 then 'pending' when 1 then 'rejected' else 'approved' end) x (status)
join nth_course c on c.nth = 1 + n % 5000
join nth_learner l on l.nth = n;

insert into course_comment (course_id, learner_name, parent_id, content, audit_status, created_at, created_by, updated_by)
select m.course_id, '网站运营', m.id, '感谢您的评价', 'approved', m.created_at + interval '5 minutes', 0, 0
from course_comment m
where m.id % 4 = 2;

insert into course_rating (course_id, learner_id, learner_name, score, content, created_at, created_by, updated_by)
select c.id, l.id, l.name, 1 + (n + n / 5) % 5, case when n % 3 = 0 then '值得一学' end, now() - n * interval '15 minutes', 0, 0
from generate_series(1, 100000) n
join nth_course c on c.nth = 1 + n % 5000
join nth_learner l on l.nth = n;

create temporary table nth_studied on commit drop as
select row_number() over (order by id) as nth, id from online_course where course_type <> 'resource' and audit_status = 'approved';

insert into online_course_study (learner_id, course_id, learner_name, phone, watched_seconds, device, started_at, last_at)
select l.id, c.id, l.name, l.phone, 600 + n % 16000, 'web', now() - n * interval '15 minutes' - interval '20 days',
       now() - n * interval '15 minutes'
from generate_series(1, 100000) n
join nth_studied c on c.nth = 1 + n % 3000
join nth_learner l on l.nth = n;

update online_course c set count_study = s.learners
from (select course_id, count(*) as learners from online_course_study group by course_id) s
where s.course_id = c.id;

create temporary table nth_period on commit drop as
select h.course_id, row_number() over (partition by h.course_id order by h.sort, p.sort) as nth, p.id
from online_chapter h join online_period p on p.chapter_id = h.id;

analyze nth_period;

-- Nobody, one, up to all six lessons of a course, the last of them not to its end.
insert into online_study (learner_id, period_id, course_id, watched_seconds, position_seconds, finished_at, beat_at)
select s.learner_id, p.id, s.course_id, 2400, 2500, case when p.nth < s.id % 8 then s.last_at end, s.last_at
from online_course_study s join nth_period p on p.course_id = s.course_id and p.nth <= s.id % 8;

insert into online_study_day (course_id, day, seconds)
select c.id, current_date - d, 600 + d * 60
from nth_studied c cross join generate_series(0, 39) d
where c.nth <= 3000;

-- Questions and exams.
insert into online_problem (category_id, type, stem, stem_plain, options, difficulty, default_score, sub_questions, source, fingerprint,
                            enabled, created_at, created_by, updated_by)
select g.id,
       (array['single_choice', 'multiple_choice', 'true_false', 'fill_blank', 'short_answer', 'essay', 'case_analysis', 'listening',
              'file_upload'])[1 + n % 9],
       '<p>第' || n || '题：下列说法正确的是</p>', '第' || n || '题：下列说法正确的是', '[]', 1 + n % 5, 20, '[]',
       (array['manual', 'import', 'import', 'copy'])[1 + n % 4], decode(md5(n::text), 'hex'), n % 50 <> 0,
       now() - n * interval '1 hour', 0, 0
from generate_series(1, 20000) n
join nth_category g on g.category_type = 'problem' and g.nth = 1 + n % 50;

insert into online_exam (exam_name, category_id, lecturer_id, is_free, price_original, price_sale, duration_minutes, total_score,
                         pass_score, attempt_limit, problem_total, audit_status, count_buy, enabled, initials, created_at, created_by,
                         updated_by)
select x.title || n || '模拟卷', g.id, t.id, n % 25 = 0, 3000 + n % 50 * 100, case when n % 25 = 0 then 0 else 2000 + n % 50 * 100 end,
       90, 1000, 600, 3, 20, case n / 5 % 20 when 1 then 'draft' when 2 then 'pending' when 3 then 'rejected' else 'approved' end,
       n % 300, n % 50 <> 0, x.initials || n || 'mnj', now() - n * interval '5 hours', 0, 0
from generate_series(1, 5000) n
cross join lateral (
    select (array['会计学原理', '大学英语', '高等数学', '管理学', '法学概论'])[1 + n % 5],
           (array['kjxyl', 'dxyy', 'gdsx', 'glx', 'fxgl'])[1 + n % 5]) x (title, initials)
join nth_category g on g.category_type = 'exam' and g.nth = 1 + n % 50
join nth_lecturer t on t.nth = 1 + n % 500;

insert into online_exam_revision (exam_id, content, audit_status, submitter_id, submitted_at, audit_opinion, audited_by, audited_at,
                                  created_by, updated_by)
select e.id, jsonb_build_object('examName', e.exam_name, 'lecturerId', e.lecturer_id), e.audit_status, 1, e.created_at,
       case when e.audit_status = 'rejected' then '请补充解析' end, case when e.audit_status in ('approved', 'rejected') then 1 end,
       case when e.audit_status in ('approved', 'rejected') then e.created_at + interval '1 hour' end, 0, 0
from online_exam e;

insert into online_exam_revision (exam_id, content, base, changes, audit_status, submitter_id, submitted_at, created_by, updated_by)
select e.id, r.content || jsonb_build_object('examName', e.exam_name || '二'), r.content, array['examName'], 'pending', 1,
       e.created_at + interval '4 hours', 0, 0
from online_exam e join online_exam_revision r on r.exam_id = e.id
where e.audit_status = 'approved' and e.id % 10 = 4;

update online_exam e
set published_revision_id = r.id, putaway = case when e.id % 10 = 7 then 'off' else 'on' end
from online_exam_revision r
where r.exam_id = e.id and r.audit_status = 'approved';

create temporary table nth_exam on commit drop as
select row_number() over (order by created_at desc) as nth, id, exam_name, category_id from online_exam;

create temporary table nth_problem on commit drop as
select row_number() over (order by created_at desc) as nth, id from online_problem;

analyze nth_problem;

insert into online_exam_problem (exam_id, problem_id)
select e.id, p.id
from nth_exam e
cross join generate_series(0, 19) j
join nth_problem p on p.nth = 1 + (e.nth * 20 + j) % 20000;

insert into exam_recommend (exam_id, position, category_id, sort, enabled, created_at, created_by, updated_by)
select e.id, x.position, case when x.position = 'category' then e.category_id end, n, n % 10 <> 0, now() - n * interval '1 day', 0, 0
from generate_series(1, 600) n
cross join lateral (select (array['home', 'category', 'detail'])[1 + n % 3]) x (position)
join nth_exam e on e.nth = n * 7;

insert into exam_grade_info (grade_name, lecturer_id, invite_code, max_members, verify, starts_on, ends_on, enabled, initials, created_at,
                             created_by, updated_by)
select '考试班' || n, t.id, 'G' || lpad(n::text, 5, '0'), 2000, (array['free', 'audit'])[1 + n % 2], current_date - n % 300,
       current_date - n % 300 + 365, n % 50 <> 0, 'ksb' || n, now() - n * interval '1 day', 0, 0
from generate_series(1, 1000) n
join nth_lecturer t on t.nth = 1 + n % 500;

create temporary table nth_class on commit drop as
select row_number() over (order by invite_code) as nth, id from exam_grade_info;

-- A hundred members each; the first class is as large as a class may be.
insert into exam_grade_member (grade_id, learner_id, state, joined_at, created_at, created_by, updated_by)
select k.id, l.id, x.state, case when x.state = 'joined' then now() - n * interval '10 minutes' end, now() - n * interval '15 minutes', 0, 0
from generate_series(1, 100000) n
cross join lateral (select case n / 1000 % 20 when 0 then 'pending' when 1 then 'removed' else 'joined' end) x (state)
join nth_class k on k.nth = 1 + n % 1000
join nth_learner l on l.nth = n;

insert into exam_grade_member (grade_id, learner_id, state, joined_at, created_by, updated_by)
select k.id, l.id, 'joined', now() - interval '90 days', 0, 0
from nth_class k join nth_learner l on l.nth % 5 = 0 and l.nth <= 9000
where k.nth = 1
on conflict (grade_id, learner_id) do nothing;

insert into exam_grade_exam (grade_id, exam_id, opens_at, closes_at, created_by, updated_by)
select k.id, e.id, now() - interval '100 days', now() + interval '265 days', 0, 0
from nth_class k
cross join lateral (values (1::bigint), (2 + k.nth * 2 % 4900), (3 + k.nth * 2 % 4900)) x (exam)
join nth_exam e on e.nth = x.exam;

-- One attempt in five is of the first exam, taken in a class. Of ten one is not handed in and one waits for its marks.
insert into online_exam_record (exam_id, learner_id, attempt_no, grade_id, exam_name, total_score, pass_score, snapshot, marks, state,
                                submit_kind, started_at, deadline_at, saved_at, submitted_at, objective_score, score, passed, created_at,
                                created_by, updated_by)
select e.id, l.id, 1, k.id, e.exam_name, 1000, 600, '[]', case when n % 3 = 0 then '[{"objective": false}]'::jsonb else '[]' end, x.state,
       case when x.state <> 'doing' then 'learner' end, x.at,
       case when x.state = 'doing' then now() + interval '10 years' else x.at + interval '90 minutes' end, x.at + interval '1 hour',
       case when x.state <> 'doing' then x.at + interval '1 hour' end, case when x.state <> 'doing' then n % 500 end,
       case when x.state = 'finished' then n % 1001 end, case when x.state = 'finished' then n % 1001 >= 600 end, x.at, 0, 0
from generate_series(1, 50000) n
cross join lateral (
    select case n / 5 % 10 when 0 then 'doing' when 1 then 'marking' else 'finished' end, now() - n * interval '30 minutes') x (state, at)
join nth_exam e on e.nth = case when n % 5 = 0 then 1 else 1 + n % 5000 end
join nth_learner l on l.nth = n
left join nth_class k on n % 5 = 0 and k.nth = case when n <= 9000 then 1 else 1 + n % 1000 end;

-- What is sold, and how it is paid.
insert into pay_rule (terminal, pay_type, channel_id, min_amount, max_amount, priority, enabled, created_at, created_by, updated_by)
select t.terminal, h.pay_type, h.id, n * 1000, case when n < 20 then n * 1000 + 999 end, n, n % 10 <> 0, now() - n * interval '10 days', 0, 0
from unnest(array['pc', 'h5', 'app', 'mini_program', 'wechat_browser']) t (terminal)
cross join pay_channel h
cross join generate_series(1, 20) n
where h.channel_code in ('wechat', 'alipay', 'offline');

create temporary table nth_product on commit drop as
select 'course' as kind, nth, c.course_type as product_type, c.id, c.course_name as name, c.price_original, c.price_sale as price, c.lecturer_id
from (select row_number() over (order by id) as nth, * from online_course) c
union all
select 'exam', nth, 'exam', e.id, e.exam_name, e.price_original, e.price_sale, e.lecturer_id
from (select row_number() over (order by id) as nth, * from online_exam) e
union all
select 'vip', nth, 'vip', v.id, v.set_name, v.price_original, v.price, null
from (select row_number() over (order by id) as nth, * from vip_set) v;

analyze nth_product;

insert into sharing_template (name, share_type, bg_image, elements, is_default, sort, enabled, created_at, created_by, updated_by)
select '海报' || n, t.type, 'https://img.example.com/poster.png', '[]', n = 1, n, n % 10 <> 0, now() - n * interval '5 days', 0, 0
from unnest(array['course', 'exam', 'promoter', 'live']) t (type) cross join generate_series(1, 50) n;

insert into seckill (activity_name, product_type, product_id, seckill_price, stock_total, stock_sold, per_limit, begins_at, ends_at, enabled,
                     created_at, created_by, updated_by)
select '限时秒杀' || n, p.product_type, p.id, p.price / 2, 1000, 300, 2, x.begins, x.begins + interval '20 days', n % 20 <> 0,
       now() - n * interval '2 days', 0, 0
from generate_series(1, 500) n
cross join lateral (
    select now() + case n % 3 when 0 then -30 - n when 1 then -10 else 30 + n end * interval '1 day') x (begins)
join nth_product p on p.kind = 'course' and p.nth = n;

insert into chosen (product_type, product_id, ratio, begins_at, ends_at, poster_template_id, enabled, created_at, created_by, updated_by)
select p.product_type, p.id, 0.10, now() - interval '1 year', now() + interval '1 year', s.id, n % 20 <> 0, now() - n * interval '1 day', 0, 0
from generate_series(1, 1000) n
join nth_product p on p.kind = 'course' and p.nth = 500 + n
left join (select id, row_number() over (order by id) as k from sharing_template where share_type = 'promoter') s on n % 3 = 0 and s.k = 1 + n % 50;

insert into coupon (coupon_name, coupon_type, amount, rate, max_discount, scope_type, scope_product_type, scope_ids, total_count, per_limit,
                    receive_begins_at, receive_ends_at, valid_type, valid_from, valid_to, valid_days, received_count, used_count, enabled,
                    created_at, created_by, updated_by)
select '优惠券' || n, x.type, case when x.type <> 'discount' then 500 end, case when x.type = 'discount' then 0.90 end,
       case when x.type = 'discount' then 5000 end, x.scope, case when x.scope = 'product' then p.product_type end,
       case x.scope when 'all' then '{}'::bigint[] when 'category' then array[g.id] else array[p.id] end, 10000, 5,
       now() - interval '3 years', now() + interval '1 year', x.valid,
       case when x.valid = 'fixed' then now() - interval '3 years' end, case when x.valid = 'fixed' then now() + interval '2 years' end,
       case when x.valid = 'days' then 730 end, 400, 40, n % 20 <> 0, now() - n * interval '2 days', 0, 0
from generate_series(1, 500) n
cross join lateral (
    select (array['full_reduction', 'discount', 'direct'])[1 + n % 3], case n % 5 when 0 then 'category' when 1 then 'product' else 'all' end,
           case when n % 2 = 0 then 'fixed' else 'days' end) x (type, scope, valid)
join nth_category g on g.category_type = 'record' and g.nth = 1 + n % 50
join nth_product p on p.kind = 'course' and p.nth = n;

-- Four orders each of 50,000 learners: of twenty one waits, three were closed, one went back whole; few are on their way back. An order
-- and the coupon that it holds name each other, so the coupon has the number of the order.
insert into order_info (order_no, learner_id, phone, product_type, product_id, product_name, lecturer_id, lecturer_learner_id,
                        price_original, price_sale, seckill_id, coupon_user_id, coupon_discount, price_paid, refunded_amount, pay_type,
                        channel_id, trade_no, order_status, source, terminal, promoter_id, promoter_ratio, commission, lecturer_profit,
                        platform_profit, fee_amount, pay_before, paid_at, closed_at, settled_at, abnormal, remark_admin, created_at,
                        created_by, updated_by)
select to_char(y.at, 'YYYYMMDD') || lpad(y.n::text, 10, '0'), l.id, l.phone, y.product_type, y.product_id, y.name, y.lecturer_id, t.learner_id,
       y.price_original, y.price, s.id, case when y.has_coupon then y.n end, y.price - y.paid, y.paid,
       case when y.status = 'refunded' then y.paid when y.status = 'paid' and y.n % 20 in (7, 9, 11) then y.paid / 10 else 0 end,
       case when y.is_paid then coalesce(h.pay_type, 'free') end, h.id, case when h.id is not null then 'T' || y.n end, y.status,
       (array['pc', 'h5', 'app', 'mini_program', 'manual'])[1 + y.n % 5], (array['pc', 'h5', 'app', 'mini_program', null])[1 + y.n % 5],
       w.id, case when w.id is not null then 0.10 end, case when w.id is not null and y.is_paid then y.paid / 10 else 0 end,
       case when y.lecturer_id is not null and y.is_paid then y.paid / 2 else 0 end, case when y.is_paid then y.paid / 4 else 0 end,
       case when h.id is not null then y.paid * 6 / 1000 else 0 end,
       case when y.status = 'pending' then now() + interval '10 years' else y.at + interval '30 minutes' end,
       case when y.is_paid then y.at + interval '3 minutes' end, case when y.status = 'closed' then y.at + interval '30 minutes' end,
       case when y.is_paid then y.at + interval '7 days' end,
       case when not y.is_paid then 'none' when y.n % 1000 = 13 then 'amount_mismatch' when y.n % 1000 = 14 then 'late_paid' else 'none' end,
       case when y.n % 50 = 6 then '已电话核实' end, y.at, 0, 0
from (select x.*, x.status in ('paid', 'refunding', 'refunded') as is_paid, p.product_type, p.id as product_id, p.name, p.lecturer_id,
             p.price_original, p.price, p.price - case when x.has_coupon then least(500, p.price) else 0 end as paid
      from (select n, now() - n * interval '8 minutes' as at, n % 20 = 0 or n % 10 = 8 as has_coupon,
                   case when n % 400 = 5 then 'refunding' when n % 20 = 0 then 'pending' when n % 20 < 4 then 'closed'
                        when n % 20 = 4 then 'refunded' else 'paid' end as status,
                   case n % 10 when 9 then 'exam' when 7 then 'vip' else 'course' end as kind
            from generate_series(1, 200000) n) x
      join nth_product p on p.kind = x.kind and p.nth = 1 + (x.n + x.n / 50000) % case when x.kind = 'vip' then 20 else 5000 end) y
join nth_learner l on l.nth = 1 + y.n * 3 % 150000
left join lecturer t on t.id = y.lecturer_id
left join seckill s on y.n % 5 = 1 and s.product_type = y.product_type and s.product_id = y.product_id
left join nth_learner w on y.n % 10 in (3, 6) and w.nth = 1 + y.n % 2000
left join pay_channel h on y.is_paid and y.paid > 0
     and h.channel_code = case when y.status = 'refunding' then 'wechat' else (array['wechat', 'alipay', 'offline'])[1 + y.n % 3] end;

create temporary table nth_order on commit drop as
select right(order_no, 10)::integer as nth, id, learner_id from order_info;

analyze nth_order;

insert into order_payment (order_id, channel_id, trade_no, pay_type, amount, paid_at, outcome, created_by, updated_by)
select o.id, o.channel_id, o.trade_no, o.pay_type, o.price_paid, o.paid_at, 'paid', 0, 0
from order_info o where o.channel_id is not null;

-- Whole, in part, and in part without success; 50,000 but for what was free.
insert into order_refund (order_id, payment_id, amount, reason, status, refund_no, commission_back, fail_reason, operator_id, finished_at,
                          created_at, created_by, updated_by)
select o.id, p.id, case when x.nth % 20 = 4 then o.price_paid else o.price_paid / 10 end, '学员申请退款', y.status, 'R' || x.nth, 0,
       case when y.status = 'failed' then '商户余额不足' end, 1, case when y.status <> 'processing' then o.paid_at + interval '2 days' end,
       case when y.status = 'processing' then now() + interval '10 years' else o.paid_at + interval '1 day' end, 0, 0
from nth_order x
cross join lateral (
    select case when x.nth % 400 = 5 then 'processing' when x.nth % 20 = 12 then 'failed' else 'success' end) y (status)
join order_info o on o.id = x.id
join order_payment p on p.order_id = o.id
where x.nth % 400 = 5 or x.nth % 20 in (4, 7, 9, 11, 12);

insert into distribution (order_id, promoter_id, ratio, amount, reversed, status, created_at, created_by, updated_by)
select o.id, o.promoter_id, o.promoter_ratio, o.commission, case when o.order_status = 'refunded' then o.commission else 0 end,
       case when o.order_status = 'refunded' then 'cancelled' when o.settled_at > now() then 'frozen' else 'settled' end, o.paid_at, 0, 0
from order_info o where o.promoter_id is not null and o.paid_at is not null;

insert into learner_right (learner_id, product_type, product_id, order_id, created_by, updated_by)
select o.learner_id, o.product_type, o.product_id, o.id, 0, 0
from order_info o where o.order_status = 'paid' and o.product_type <> 'vip'
on conflict (learner_id, product_type, product_id) do nothing;

-- Bought and granted.
insert into user_vip (learner_id, vip_set_id, order_id, from_at, to_at, created_by, updated_by)
select o.learner_id, o.product_id, o.id, o.paid_at, o.paid_at + interval '1 year', 0, 0
from order_info o where o.order_status = 'paid' and o.product_type = 'vip'
union all
select l.id, v.id, null, l.vip_expires_at - interval '1 year', l.vip_expires_at, 0, 0
from nth_learner l join nth_product v on v.kind = 'vip' and v.nth = 1 + l.nth / 10 % 20
where l.vip_expires_at is not null;

-- Those that an order holds or used are its buyer's; the others lie with everybody, three in ten run out.
insert into coupon_user (id, coupon_id, learner_id, status, granted, valid_from, valid_to, order_id, used_at, created_at, created_by, updated_by)
overriding system value
select x.n, k.id, coalesce(o.learner_id, l.id), x.status, x.n % 7 = 0, x.at,
       case when x.status = 'expired' then x.at + interval '5 minutes' else now() + interval '2 years' end, o.id,
       case when x.status = 'used' then x.at + interval '3 minutes' end, x.at, 0, 0
from (select n, now() - n * interval '8 minutes',
             case when n % 20 = 0 then 'locked' when n % 10 = 8 then 'used' when n % 10 in (5, 6, 7) then 'expired' else 'unused' end
      from generate_series(1, 200000) n) x (n, at, status)
join (select id, row_number() over (order by id) - 1 as k from coupon) k on k.k = x.n % 500
join nth_learner l on l.nth = x.n
left join nth_order o on x.status in ('locked', 'used') and o.nth = x.n;

select setval(pg_get_serial_sequence('coupon_user', 'id'), 200000);

-- What learners write.
insert into community_label (label_name, label_type, enabled, created_at, created_by, updated_by)
select '标签' || n, (array['blog', 'question'])[1 + n % 2], n % 50 <> 0, now() - n * interval '1 day', 0, 0 from generate_series(1, 500) n;

create temporary table nth_label on commit drop as
select row_number() over (partition by label_type order by id) as nth, id, label_type from community_label;

insert into blogger (learner_id, blogger_name, initials, introduce, level, fans_count, enabled, created_at, created_by, updated_by)
select l.id, p.name, p.initials, '写写学习心得', 1 + n % 10, n % 3000, n % 50 <> 0, now() - n * interval '4 hours', 0, 0
from generate_series(1, 5000) n
join person p on p.place = n * 17 % 11520
join nth_learner l on l.nth = n * 20;

create temporary table nth_blogger on commit drop as
select row_number() over (order by id) as nth, id from blogger;

insert into blog (title, content, summary, category_id, blogger_id, article_type, source_url, audit_status, audit_opinion, audited_by,
                  audited_at, putaway, is_top, is_recommend, read_count, like_count, ip, created_at, created_by, updated_by)
select '第' || n || '篇：备考心得', '<p>' || repeat('坚持学习，每天都有收获。', 10) || '</p>', '坚持学习，每天都有收获', g.id, b.id, x.kind,
       case when x.kind = 'reprint' then 'https://example.com/' || n end, x.status, case when x.status = 'rejected' then '内容重复' end,
       case when x.status <> 'pending' then 1 end, case when x.status <> 'pending' then now() - n * interval '12 minutes' end,
       case when n % 50 = 7 then 'off' else 'on' end, n % 1000 = 9, n % 200 = 11, n % 5000, n % 300, '10.0.' || n % 250 || '.7',
       now() - n * interval '15 minutes', 0, 0
from generate_series(1, 100000) n
cross join lateral (
    select case n % 20 when 0 then 'pending' when 1 then 'rejected' else 'approved' end,
           case when n % 10 = 3 then 'reprint' else 'original' end) x (status, kind)
join nth_category g on g.category_type = 'blog' and g.nth = 1 + n % 50
join nth_blogger b on b.nth = 1 + n % 5000;

create temporary table nth_blog on commit drop as
select row_number() over (order by created_at) as nth, id from blog;

analyze nth_blog;

insert into blog_label (blog_id, label_id)
select b.id, k.id
from nth_blog b
cross join lateral (values (1 + b.nth % 250), (1 + (b.nth * 7 + 3) % 250)) x (label)
join nth_label k on k.label_type = 'blog' and k.nth = x.label;

-- One comment and one answer in fifty lie at the same blog and question.
insert into blog_comment (blog_id, learner_id, learner_name, content, audit_status, audit_opinion, like_count, ip, created_at, created_by,
                          updated_by)
select b.id, l.id, l.name, '第' || n || '条评论：写得很好', x.status, case when x.status = 'rejected' then '广告' end, n % 90,
       '10.0.' || n % 250 || '.7', now() - n * interval '12 minutes', 0, 0
from generate_series(1, 100000) n
cross join lateral (select case n / 5 % 20 when 0 then 'pending' when 1 then 'rejected' else 'approved' end) x (status)
join nth_blog b on b.nth = case when n % 50 = 0 then 1 else n end
join nth_learner l on l.nth = n;

insert into community_question (title, content, learner_id, learner_name, closed, audit_status, audit_opinion, audited_by, audited_at, ip,
                                created_at, created_by, updated_by)
select '第' || n || '问：怎样安排复习', '<p>时间不够，怎样安排复习？</p>', l.id, l.name, n % 10 = 7, x.status,
       case when x.status = 'rejected' then '内容重复' end, case when x.status <> 'pending' then 1 end,
       case when x.status <> 'pending' then now() - n * interval '12 minutes' end, '10.0.' || n % 250 || '.7',
       now() - n * interval '15 minutes', 0, 0
from generate_series(1, 100000) n
cross join lateral (select case n % 20 when 0 then 'pending' when 1 then 'rejected' else 'approved' end) x (status)
join nth_learner l on l.nth = 50000 + n;

create temporary table nth_question on commit drop as
select row_number() over (order by created_at) as nth, id from community_question;

analyze nth_question;

insert into community_question_label (question_id, label_id)
select q.id, k.id from nth_question q join nth_label k on k.label_type = 'question' and k.nth = 1 + q.nth % 250;

insert into community_answer (question_id, learner_id, learner_name, content, audit_status, audit_opinion, like_count, ip, created_at,
                              created_by, updated_by)
select q.id, l.id, l.name, '第' || n || '个回答：每天固定一小时', x.status, case when x.status = 'rejected' then '广告' end, n % 90,
       '10.0.' || n % 250 || '.7', now() - n * interval '12 minutes', 0, 0
from generate_series(1, 100000) n
cross join lateral (select case n / 5 % 20 when 0 then 'pending' when 1 then 'rejected' else 'approved' end) x (status)
join nth_question q on q.nth = case when n % 50 = 0 then 1 else n end
join nth_learner l on l.nth = n;

update community_question q
set accepted_answer_id = a.id
from (select question_id, min(id) as id from community_answer where audit_status = 'approved' group by question_id) a
where a.question_id = q.id and q.id % 4 = 1;

insert into article_zone (zone_title, sort, enabled, created_at, created_by, updated_by)
select '专区' || n, n, n % 10 <> 0, now() - n * interval '5 days', 0, 0 from generate_series(1, 100) n;

insert into article_zone_item (zone_id, blog_id, sort, created_by, updated_by)
select z.id, b.id, b.nth % 200, 0, 0 from article_zone z join nth_blog b on b.nth / 200 = z.sort;

insert into community_recommend (ref_type, blog_id, question_id, blogger_id, position, sort, enabled, created_at, created_by, updated_by)
select x.type, case when x.type = 'blog' then b.id end, case when x.type = 'question' then q.id end, case when x.type = 'blogger' then g.id end,
       (array['home', 'side'])[1 + n % 2], n, n % 10 <> 0, now() - n * interval '1 day', 0, 0
from generate_series(1, 1000) n
cross join lateral (select (array['blog', 'question', 'blogger'])[1 + n % 3]) x (type)
join nth_blog b on b.nth = n
join nth_question q on q.nth = n
join nth_blogger g on g.nth = n;

insert into community_certificate (learner_id, learner_name, cert_type, title, proof_keys, audit_status, opinion, audited_by, audited_at,
                                   expires_on, revoke_reason, created_at, created_by, updated_by)
select l.id, l.name, (array['expert', 'teacher', 'organization'])[1 + n % 3], '会计师' || n, array['proof/' || n], x.status,
       case when x.status = 'rejected' then '证明材料不清晰' end, case when x.status <> 'pending' then 1 end,
       case when x.status <> 'pending' then now() - n * interval '2 hours' end,
       case when x.status = 'approved' and n % 2 = 0 then current_date + n % 700 - 100 end,
       case when x.status = 'revoked' then '证书已失效' end, now() - n * interval '150 minutes', 0, 0
from generate_series(1, 10000) n
cross join lateral (
    select case n % 10 when 0 then 'pending' when 1 then 'rejected' when 2 then 'revoked' else 'approved' end) x (status)
join nth_learner l on l.nth = n * 10;

-- The account at the provider: one material in three has not gone there yet.
insert into gzh_material (material_type, name, file_key, media_id, synced_at, created_at, created_by, updated_by)
select x.type, '素材' || n, case when n % 3 = 0 and x.type <> 'news' then 'gzh/' || n end, case when n % 3 <> 0 then 'm' || n end,
       case when n % 3 <> 0 then now() - n * interval '3 hours' end, now() - n * interval '4 hours', 0, 0
from generate_series(1, 5000) n
cross join lateral (select (array['image', 'voice', 'video', 'news'])[1 + n % 4]) x (type);

insert into gzh_article (material_id, position, title, author, digest, content)
select m.id, n, m.name || '第' || n || '篇', '网站运营', '摘要', '<p>正文</p>'
from gzh_material m cross join generate_series(1, 3) n
where m.material_type = 'news';

insert into gzh_auto_reply (reply_kind, keywords, match_mode, reply_type, content, material_id, sort, enabled, created_at, created_by, updated_by)
select 'keyword', array['关键词' || n], (array['exact', 'contains'])[1 + n % 2], case when m.id is null then 'text' else 'image' end,
       case when m.id is null then '请拨打招生热线' end, m.id, n % 1000, n % 20 <> 0, now() - n * interval '4 hours', 0, 0
from generate_series(1, 5000) n
left join (select id, row_number() over (order by id) as k from gzh_material where material_type = 'image') m on n % 4 = 0 and m.k = n / 4;

insert into gzh_auto_reply (reply_kind, reply_type, content, created_by, updated_by)
values ('subscribe', 'text', '欢迎关注', 0, 0), ('default', 'text', '请输入关键词', 0, 0);

insert into gzh_keyword (keyword, reply_id)
select r.keywords[1], r.id from gzh_auto_reply r where r.reply_kind = 'keyword' and r.enabled;

insert into gzh_menu (name, sort, created_by, updated_by)
select '菜单' || n, n, 0, 0 from generate_series(1, 3) n;

insert into gzh_menu (parent_id, name, menu_type, url, sort, created_by, updated_by)
select g.id, g.name || '之' || n, 'view', 'https://example.com/' || n, n, 0, 0
from gzh_menu g cross join generate_series(1, 5) n
where g.parent_id is null;

insert into gzh_fan (open_id, learner_id, subscribed_at, left_at)
select 'o' || lpad(n::text, 27, '0'), l.id, now() - n * interval '1 hour', case when n % 10 = 0 then now() - n * interval '30 minutes' end
from generate_series(1, 20000) n
left join nth_learner l on n % 2 = 0 and l.nth = n;

-- What the site is decorated with.
insert into nav_bar (terminal, nav_title, nav_url, target, sort, enabled, created_at, created_by, updated_by)
select (array['pc', 'app'])[1 + n % 2], '导航' || n, '/nav/' || n, 'self', n, n <= 20, now() - n * interval '5 days', 0, 0
from generate_series(1, 200) n;

insert into adv (adv_location, terminal, adv_title, adv_img, adv_url, target, begins_at, ends_at, sort, enabled, created_at, created_by,
                 updated_by)
select x.place, (array['pc', 'app'])[1 + n % 2], '广告' || n, 'https://img.example.com/' || n || '.png', '/adv/' || n, 'blank',
       now() - n * interval '1 day', now() - n * interval '1 day' + interval '20 hours', n, n % 10 <> 0, now() - n * interval '1 day', 0, 0
from unnest(array['top', 'carousel']) x (place) cross join generate_series(1, 500) n;

insert into website_nav (nav_title, sort, enabled, created_by, updated_by)
select '栏目' || n, n, true, 0, 0 from generate_series(1, 6) n;

insert into website_nav (parent_id, nav_title, content, sort, enabled, created_by, updated_by)
select w.id, '文章' || n, '<p>正文</p>', n, n % 10 <> 0, 0, 0
from website_nav w cross join generate_series(1, 20) n
where w.parent_id is null;

insert into website_link (link_name, link_url, target, sort, enabled, created_at, created_by, updated_by)
select '友情链接' || n, 'https://example.com/' || n, 'blank', n, n % 10 <> 0, now() - n * interval '1 day', 0, 0 from generate_series(1, 500) n;

insert into search_word (terminal, word_type, word, click_count, sort, enabled, created_at, created_by, updated_by)
select (array['pc', 'app'])[1 + n % 2], (array['hot', 'placeholder'])[1 + n / 2 % 2], '搜索词' || n, n % 900, n, n % 10 <> 0,
       now() - n * interval '4 hours', 0, 0
from generate_series(1, 5000) n;

insert into zone (terminal, zone_title, zone_type, layout, sort, enabled, created_at, created_by, updated_by)
select (array['pc', 'app'])[1 + n % 2], '首页专区' || n, (array['record', 'live', 'resource'])[1 + n % 3], 'grid', n, n % 10 <> 0,
       now() - n * interval '5 days', 0, 0
from generate_series(1, 60) n;

insert into zone_item (zone_id, ref_id, sort, created_by, updated_by)
select z.id, c.id, c.n, 0, 0
from zone z
join (select row_number() over (partition by course_type order by id) as n, id, course_type from online_course) c
     on c.course_type = z.zone_type and c.n <= 200;

insert into zone_school (school_id, slogan, created_by, updated_by)
select id, '随时随地学习', 0, 0 from school;

insert into home_category (terminal, category_id, sort, enabled, created_at, created_by, updated_by)
select t.terminal, c.id, c.sort, c.category_type = 'record', now() - c.id * interval '1 day', 0, 0
from unnest(array['pc', 'app']) t (terminal) cross join online_category c
where c.parent_id is null;
