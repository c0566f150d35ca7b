-- 200,000 students in 2,000 classes, and believably much of what else a school keeps. Runs once, in the school's schema,
-- with the names of people in `person`; n of one thing meets n of another by their codes.

insert into grade (code, name, entry_year, created_by, updated_by)
select y::text, y || '级', y, 0, 0 from generate_series(2017, 2026) y;

insert into level (code, name, entry_level, national_level, schooling_years, max_years, min_hours, initials, created_by, updated_by)
values ('GQZ', '高中起点专科', 'high_school_to_associate', 'associate', 2.5, 5, 1600, 'gzqdzk', 0, 0),
       ('ZSB', '专科起点本科', 'associate_to_bachelor', 'bachelor', 2.5, 5, 1600, 'zkqdbk', 0, 0),
       ('GQB', '高中起点本科', 'high_school_to_bachelor', 'bachelor', 5, 8, 2600, 'gzqdbk', 0, 0);

insert into semester (code, name, year, season, starts_on, ends_on, current, created_by, updated_by)
select y || t.number, y || t.name, y, t.season, make_date(y, t.month, 1), make_date(y, t.month, 1) + 136,
       y = 2026 and t.season = 'autumn', 0, 0
from generate_series(2017, 2026) y
cross join (values ('-1', '年春季学期', 'spring', 3), ('-2', '年秋季学期', 'autumn', 9)) t (number, name, season, month);

insert into organization (code, name, kind, initials, created_by, updated_by)
select 'C' || n, '学院' || n, 'college', 'xy' || n, 0, 0 from generate_series(1, 20) n;

insert into organization (code, name, parent_id, kind, initials, created_by, updated_by)
select 'D' || n, '教研室' || n, c.id, 'department', 'jys' || n, 0, 0
from generate_series(1, 60) n join organization c on c.code = 'C' || (1 + n % 20);

insert into site (code, name, short_name, kind, organization_id, host_unit, filing_no, filing_expires_on, region, status,
                  initials, created_by, updated_by)
select n::text, '教学点' || n, '点' || n, (array['headquarter', 'external', 'cooperative'])[1 + n % 3], o.id, '合作单位' || n,
       'BA' || n, make_date(2024 + n % 5, 12, 31), (array['420100', '420500', '430100', '510100'])[1 + n % 4],
       case when n % 10 = 0 then 'suspended' else 'active' end, 'jxd' || n, 0, 0
from generate_series(1, 40) n join organization o on o.code = 'C' || (1 + n % 20);

insert into classroom (site_id, building, room_no, name, room_type, capacity, exam_capacity, initials, created_by, updated_by)
select s.id, '教学楼' || n % 3, (100 + n)::text, '教室' || (100 + n),
       (array['ordinary', 'multimedia', 'computer', 'lab', 'language'])[1 + n % 5], 60, 30, 'js' || (100 + n), 0, 0
from site s cross join generate_series(1, 30) n;

insert into major (code, name, national_major_id, national_code, national_name, level_id, study_form, schooling_years,
                   total_credits, organization_id, initials, created_by, updated_by)
select n::text, '专业' || n, n, lpad(n::text, 6, '0'), '专业' || n, l.id,
       case when n % 10 = 0 then 'part_time' else 'non_full_time' end, l.schooling_years, 90, o.id, 'zy' || n, 0, 0
from generate_series(1, 200) n
join level l on l.code = (array['GQZ', 'ZSB', 'GQB'])[1 + n % 3]
join organization o on o.code = 'C' || (1 + n % 20);

insert into forecast_major (year, grade_id, major_id, planned_quota, status, filed_on, created_by, updated_by)
select g.entry_year, g.id, m.id, 60, case when g.entry_year < 2026 then 'filed' else 'draft' end,
       case when g.entry_year < 2026 then make_date(g.entry_year - 1, 12, 1) end, 0, 0
from grade g cross join major m where g.entry_year >= 2022;

insert into forecast_major_site (forecast_major_id, site_id)
select f.id, s.id from forecast_major f join site s on (f.id + s.id) % 8 = 0;

insert into teacher (work_no, name, initials, gender, phone, organization_id, education, title, kind, duties, status,
                     created_by, updated_by)
select 'T' || lpad(n::text, 5, '0'), p.name, p.initials, (array['male', 'female'])[1 + n % 2], '138' || lpad(n::text, 8, '0'),
       o.id, 'master', (array['professor', 'associate_professor', 'lecturer', 'assistant'])[1 + n % 4],
       case when n % 5 = 0 then 'external' else 'full_time' end,
       array[(array['lecturer', 'tutor', 'adviser', 'marker'])[1 + n % 4]],
       case when n % 25 = 0 then 'left' else 'active' end, 0, 0
from generate_series(1, 3000) n
join person p on p.place = n * 11 % 11520
join organization o on o.code = 'D' || (1 + n % 60);

insert into teacher_major (teacher_id, major_id)
select t.id, m.id from (select id, row_number() over (order by id) as n from teacher) t
join major m on m.code in ((1 + t.n % 200)::text, (1 + (t.n * 7 + 3) % 200)::text);

insert into site_staff (site_id, name, initials, gender, phone, duty, is_primary, status, created_by, updated_by)
select s.id, p.name, p.initials, (array['male', 'female'])[1 + n % 2], '137' || lpad(n::text, 8, '0'),
       (array['principal', 'academic', 'admission', 'finance', 'other'])[1 + n % 5], n <= 40,
       case when n % 25 = 0 then 'left' else 'active' end, 0, 0
from generate_series(1, 500) n
join person p on p.place = n * 13 % 11520
join site s on s.code = (1 + n % 40)::text;

insert into class_manager (work_no, name, initials, gender, phone, status, created_by, updated_by)
select 'M' || lpad(n::text, 4, '0'), p.name, p.initials, (array['male', 'female'])[1 + n % 2], '136' || lpad(n::text, 8, '0'),
       case when n % 25 = 0 then 'disabled' else 'active' end, 0, 0
from generate_series(1, 400) n
join person p on p.place = n * 17 % 11520;

insert into class (code, name, grade_id, level_id, major_id, site_id, seq, capacity, manager_id, initials, created_by, updated_by)
select g.code || lpad(n::text, 4, '0'), g.name || m.name || '第' || n || '班', g.id, m.level_id, m.id, s.id, 1, 120, w.id,
       g.code || 'j' || m.initials, 0, 0
from generate_series(0, 1999) n
join grade g on g.code = (2017 + n % 10)::text
join major m on m.code = (1 + n / 10 % 200)::text
join site s on s.code = (1 + (n + n / 10) % 40)::text
join class_manager w on w.work_no = 'M' || lpad((1 + n % 400)::text, 4, '0');

insert into class_counter (grade_id, level_id, major_id, site_id, last_seq)
select grade_id, level_id, major_id, site_id, seq from class;

insert into class_manager_site (manager_id, site_id) select distinct manager_id, site_id from class;

insert into file_object (key, original_name, size, content_type, file_type, state, uploader_id)
select 'photo/' || n, n || '.jpg', 30000, 'image/jpeg', 1, 'stored', 0 from generate_series(1, 200000) n;

insert into file_object (key, original_name, size, content_type, file_type, state, uploader_id)
select 'paper/' || n, n || '.pdf', 300000, 'application/pdf', 1, 'stored', 0 from generate_series(0, 499) n;

-- Who came before 2022 has graduated, the last three grades study. Of every class a few are not seated; a photo in twenty
-- is missing.
insert into student (student_no, examinee_no, name, name_grams, pinyin, initials, gender, birthday, id_card_no, phone, grade_id,
                     level_id, major_id, study_form, schooling_years, site_id, class_id, enrolled_on, expected_graduation_on,
                     max_study_end_on, status, register_result, admission_photo_id, source, created_at, created_by, updated_by)
select g.code || lpad(n::text, 8, '0'), right(g.code, 2) || lpad(n::text, 12, '0'), p.name, p.grams, p.pinyin, p.initials,
       (array['male', 'female'])[1 + n / 2000 % 2], date '1975-01-01' + n % 9000,
       '429900' || to_char(date '1975-01-01' + n % 9000, 'YYYYMMDD') || lpad((n / 9000)::text, 3, '0') || 'X',
       '139' || lpad(n::text, 8, '0'), c.grade_id, c.level_id, c.major_id, m.study_form, m.schooling_years, c.site_id,
       case when n / 2000 % 25 <> 0 then c.id end, make_date(g.entry_year, 3, 1), make_date(g.entry_year + 2, 7, 10),
       make_date(g.entry_year + 5, 2, 28),
       case when g.entry_year = 2026 and n / 2000 % 4 = 0 then 'pending_registration'
            when g.entry_year < 2022 or g.entry_year < 2024 and n / 2000 % 10 <> 0 then 'graduated'
            when g.entry_year < 2024 then 'expired'
            when n / 2000 % 50 = 7 then 'suspended'
            when n / 2000 % 50 = 9 then 'withdrawn'
            else 'registered' end,
       case when g.entry_year = 2026 and n / 2000 % 4 = 0 then 'none' when n % 199 = 0 then 'rejected' else 'accepted' end,
       case when n % 20 <> 0 then f.id end,
       case when g.entry_year < 2020 then 'legacy' when n % 97 = 0 then 'transfer_in' else 'report' end,
       now() - n * interval '1 second', 0, 0
from generate_series(1, 200000) n
join (select row_number() over (order by id) - 1 as n, * from class) c (k) on c.k = n % 2000
join grade g on g.id = c.grade_id
join major m on m.id = c.major_id
join person p on p.place = n * 7 % 11520
join file_object f on f.key = 'photo/' || n;

insert into student_status_change (student_id, kind, from_status, to_status, effective_on, created_by, updated_by)
select s.id, v.kind, v.was, v.becomes, s.enrolled_on, 0, 0
from student s
cross join (values ('enrol', null, 'pending_registration'), ('register', 'pending_registration', 'registered')) v (kind, was, becomes)
where v.kind = 'enrol' or s.status <> 'pending_registration';

-- Of students three in a hundred have no account, one in a hundred a disabled one; seven in ten have signed in.
insert into client_account (owner_kind, owner_id, login_name, enabled, first_login_at, last_login_at, created_by, updated_by)
select 'student', id, student_no, id % 100 <> 0, case when id % 10 < 7 then created_at end,
       case when id % 10 < 7 then now() - id % 50000 * interval '10 minutes' end, 0, 0
from student where id % 33 <> 0
union all
select 'teacher', id, work_no, true, null, null, 0, 0 from teacher
union all
select 'site_staff', id, phone, true, null, null, 0, 0 from site_staff
union all
select 'class_manager', id, work_no, true, null, null, 0, 0 from class_manager;

insert into curriculum_type (code, name, parent_id, system_kind, default_exam_form, initials, sort_no, created_by, updated_by)
select t.code || n, t.name || n, t.id, t.system_kind, t.default_exam_form, t.initials || n, t.sort_no + n, 0, 0
from curriculum_type t cross join generate_series(1, 2) n where t.parent_id is null;

insert into course (code, name, type_id, kind, organization_id, credits, hours, lecture_hours, online_hours, exam_form,
                    assess_mode, syllabus_file_id, source, initials, created_by, updated_by)
select 'K' || lpad(n::text, 5, '0'), (array['高等数学', '大学英语', '会计学原理', '管理学', '法学概论'])[1 + n % 5] || n, t.id,
       (array['theory', 'practice', 'internship', 'thesis'])[1 + n % 4], o.id, 2 + n % 5 * 0.5, 48, 32, 16,
       (array['exam', 'check'])[1 + n % 2], 'closed_book', f.id,
       (array['own', 'own', 'own', 'shared', 'purchased'])[1 + n % 5],
       (array['gdsx', 'dxyy', 'kjxyl', 'glx', 'fxgl'])[1 + n % 5] || n, 0, 0
from generate_series(1, 2000) n
join (select id, row_number() over (order by id) - 1 as k from curriculum_type where parent_id is not null) t on t.k = n % 12
join organization o on o.code = 'D' || (1 + n % 60)
left join file_object f on f.key = 'paper/' || n;

insert into course_prerequisite (course_id, prerequisite_id)
select c.id, e.id from course c join course e on e.code = 'K' || lpad((right(c.code, 5)::integer - 1000)::text, 5, '0')
where c.code > 'K01000';

insert into course_record (course_id, name, lecturer_name, source, version_no, is_default, status, initials, updated_at,
                           created_by, updated_by)
select c.id, c.name || '录播', p.name, c.source, 1 + n / 2001, n <= 2000,
       (array['published', 'published', 'published', 'draft', 'off_shelf'])[1 + n % 5], c.initials || 'lb',
       now() - n * interval '1 minute', 0, 0
from generate_series(1, 3000) n
join course c on c.code = 'K' || lpad((1 + n % 2000)::text, 5, '0')
join person p on p.place = n * 11 % 11520;

insert into course_chapter (course_id, title, hours, initials, sort_no, created_by, updated_by)
select c.id, '第' || n || '章', 8, 'd' || n || 'z', n, 0, 0 from course c cross join generate_series(1, 4) n;

insert into course_chapter (course_id, parent_id, title, hours, initials, sort_no, created_by, updated_by)
select h.course_id, h.id, '第' || n || '节', 4, 'd' || n || 'j', n, 0, 0 from course_chapter h cross join generate_series(1, 2) n;

insert into media_asset (title, channel, vid, file_name, size, duration, state, created_by, updated_by)
select '视频' || n, 'storage', 'video/' || n, n || '.mp4', 90000000, 2700,
       case when n % 50 = 0 then 'processing' else 'ready' end, 0, 0
from generate_series(0, 11999) n;

-- In each section of a record one period, by turns a film and a paper.
insert into course_period (course_record_id, course_id, chapter_id, title, kind, media_asset_id, file_id, duration_seconds,
                           page_count, sort_no, created_by, updated_by)
select x.record_id, x.course_id, x.chapter_id, x.title, case when m.id is null then 'document' else 'video' end, m.id, f.id,
       m.duration, case when m.id is null then 12 end, 1, 0, 0
from (select r.id as record_id, r.course_id, h.id as chapter_id, h.title, row_number() over (order by r.id, h.id) as n
      from course_record r join course_chapter h on h.course_id = r.course_id and h.parent_id is not null) x
left join media_asset m on x.n % 2 = 0 and m.vid = 'video/' || (x.n / 2 % 12000)
left join file_object f on x.n % 2 = 1 and f.key = 'paper/' || (x.n % 500);

insert into knowledge_point (course_id, code, name, initials, sort_no, created_by, updated_by)
select c.id, n::text, '知识点' || n, 'zsd' || n, n, 0, 0 from course c cross join generate_series(1, 3) n;

insert into knowledge_point (course_id, parent_id, code, name, initials, sort_no, created_by, updated_by)
select k.course_id, k.id, k.code || '-' || n, k.name || '之' || n, k.initials || 'z' || n, n, 0, 0
from knowledge_point k cross join generate_series(1, 4) n;

-- The menus of the clients are the platform's, and stay.
insert into platform.user_menu (client_kind, name, path, sort, created_by, updated_by)
select c.kind, '菜单' || n, '/menu/' || n, n, 0, 0
from unnest(array['student', 'teacher', 'site']) c (kind) cross join generate_series(1, 20) n
on conflict do nothing;
