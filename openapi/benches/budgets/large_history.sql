-- What the register has kept of the 200,000 students: they were seated, moved, left, came back, graduated. Runs behind
-- large_recruitment.sql. Of what was asked for, the rows of the students themselves stay as they were laid.

-- Everybody who is seated was, three weeks after the enrolment.
insert into student_status_change (student_id, kind, from_status, to_status, before, after, effective_on, created_by, updated_by)
select s.id, 'class_change', 'registered', 'registered', jsonb_build_object('siteId', s.site_id, 'classId', null),
       jsonb_build_object('siteId', s.site_id, 'classId', s.class_id), s.enrolled_on + 21, 0, 0
from student s
where s.class_id is not null;

insert into student_status_change (student_id, kind, from_status, to_status, effective_on, created_by, updated_by)
select s.id, 'graduate', 'registered', 'graduated', s.expected_graduation_on, 0, 0
from student s
where s.status = 'graduated';

insert into student_status_change (student_id, kind, from_status, to_status, before, after, change_id, effective_on, created_by,
                                   updated_by)
select s.id, c.type, x.was, x.becomes,
       case c.type when 'professional' then jsonb_build_object('majorId', m.id, 'classId', k.id)
                   when 'class_change' then jsonb_build_object('siteId', k.site_id, 'classId', k.id)
                   else jsonb_build_object('status', x.was) end,
       case c.type when 'professional' then jsonb_build_object('majorId', s.major_id, 'classId', s.class_id)
                   when 'class_change' then jsonb_build_object('siteId', s.site_id, 'classId', s.class_id)
                   else jsonb_build_object('status', x.becomes) end,
       c.id, c.effective_on, 0, 0
from student_change c
join student s on s.id = c.student_id
join (select id, row_number() over (order by id) - 1 as n from major) m on m.n = s.id % 200
join (select id, site_id, row_number() over (order by id) - 1 as n from class) k on k.n = s.id % 2000
join (values ('professional', 'registered', 'registered'), ('class_change', 'registered', 'registered'),
             ('dropout', 'registered', 'withdrawn'), ('suspension', 'registered', 'suspended'),
             ('return', 'suspended', 'registered'), ('transfer_out', 'registered', 'transferred_out')) x (type, was, becomes)
     on x.type = c.type
where c.status = 'executed';

insert into student_status_change (student_id, kind, from_status, to_status, before, after, effective_on, created_by, updated_by)
select c.student_id, 'correction', s.status, s.status, jsonb_build_object('name', s.name || '一'),
       jsonb_build_object('name', s.name), c.decided_on, 0, 0
from student_correction c
join student s on s.id = c.student_id
where c.status = 'approved';

-- Every grade fills each of the three forms in.
insert into information_window (kind, opens_at, closes_at, template_text, created_by, updated_by)
select k.kind, '2026-01-01 00:00+08', '2027-01-01 00:00+08',
       case when k.kind = 'admission_commitment' then '本人{name}承诺所提交的材料真实有效。' end, 0, 0
from unnest(array['admission_information', 'admission_commitment', 'graduation_information']) k (kind);

insert into information_window_grade (information_window_id, grade_id, kind, enabled)
select w.id, g.id, w.kind, w.enabled from information_window w cross join grade g;
