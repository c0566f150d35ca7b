-- How the 200,000 students came, a batch a grade, and what they asked for since. Runs behind large_school.sql.

insert into pre_registration_batch (code, name, grade_id, starts_at, ends_at, need_audit, public_token, created_by, updated_by)
select 'Y' || g.code, g.code || '年预报名', g.id, make_date(g.entry_year - 1, 6, 1), make_date(g.entry_year - 1, 9, 30), true,
       'lists000' || g.code, 0, 0
from grade g;

insert into pre_registration_batch_level (batch_id, level_id) select b.id, l.id from pre_registration_batch b cross join level l;

insert into pre_registration_batch_major (batch_id, major_id, every_site)
select b.id, m.id, true from pre_registration_batch b cross join major m;

insert into enrollment_batch (code, name, year, season, grade_id, enrolled_on, report_starts_at, report_ends_at, status,
                              created_by, updated_by)
select 'Z' || g.code, g.code || '级招生', g.entry_year, 'spring', g.id, make_date(g.entry_year, 3, 1),
       make_date(g.entry_year, 2, 20), make_date(g.entry_year, 4, 30),
       case when g.entry_year = 2026 then 'open' else 'closed' end, 0, 0
from grade g;

insert into forecast_major (year, grade_id, major_id, planned_quota, status, filed_on, created_by, updated_by)
select g.entry_year, g.id, m.id, 60, 'filed', make_date(g.entry_year - 1, 12, 1), 0, 0
from grade g cross join major m where g.entry_year < 2022;

insert into enrollment_major (batch_id, major_id, level_id, forecast_major_id, authority_code, authority_name, quota, tuition,
                              created_by, updated_by)
select b.id, m.id, m.level_id, f.id, m.code, m.name, 500, 240000, 0, 0
from enrollment_batch b
join forecast_major f on f.grade_id = b.grade_id
join major m on m.id = f.major_id;

insert into site_enrollment (batch_id, site_id, status, submitted_at, created_by, updated_by)
select b.id, s.id, (array['approved', 'approved', 'submitted', 'rejected'])[1 + (b.id + s.id) % 4], now(), 0, 0
from enrollment_batch b cross join site s;

insert into site_enrollment_line (site_enrollment_id, batch_id, enrollment_major_id, quota_applied, quota_approved)
select p.id, p.batch_id, m.id, 30, case when p.status = 'approved' then 20 end
from site_enrollment p join enrollment_major m on m.batch_id = p.batch_id and (m.id + p.site_id) % 8 = 0;

insert into pre_registration (batch_id, grade_id, name, name_grams, pinyin, initials, gender, birthday, id_card_type, id_card_no,
                              phone, level_id, major_id, site_id, study_form, source, status, exam_status, provincial_reg_no,
                              examinee_no, deleted_at, deleted_by, created_at, created_by, updated_by)
select b.id, s.grade_id, s.name, s.name_grams, s.pinyin, s.initials, s.gender, s.birthday, s.id_card_type, s.id_card_no, s.phone,
       s.level_id, s.major_id, s.site_id, s.study_form,
       (array['back_office', 'import', 'student_client', 'site_client'])[1 + s.id % 4],
       case when s.id % 50 = 1 then 'pending' when s.id % 50 = 2 then 'returned' when s.id % 50 = 3 then 'rejected'
            when s.id % 50 = 4 then 'cancelled' else 'approved' end,
       case when s.id % 50 between 1 and 4 then 'none' when s.id % 50 = 5 then 'not_admitted' else 'admitted' end,
       'S' || s.examinee_no, s.examinee_no, case when s.id % 40 = 11 then now() - s.id % 300 * interval '1 day' end,
       case when s.id % 40 = 11 then 0 end, s.created_at, 0, 0
from student s join pre_registration_batch b on b.grade_id = s.grade_id;

insert into admission_import (batch_id, file_name, sha256, mode, total, inserted, updated, unchanged, created_by, updated_by)
select b.id, b.code || '.dbf', encode(sha256(b.code::bytea), 'hex'), 'insert', 20000, 20000, 0, 0, 0, 0
from enrollment_batch b;

insert into admission (batch_id, import_id, grade_id, examinee_no, name, name_grams, pinyin, initials, gender, birthday, id_card_no,
                       phone, enrollment_major_id, major_id, level_id, study_form, schooling_years, authority_major_code,
                       authority_major_name, total_score, admitted_on, raw, pre_registration_id, match_status, issues, site_id,
                       status, photo_id, deleted_at, deleted_by, created_at, created_by, updated_by)
select b.id, i.id, s.grade_id, s.examinee_no, s.name, s.name_grams, s.pinyin, s.initials, s.gender, s.birthday, s.id_card_no, s.phone,
       m.id, s.major_id, s.level_id, s.study_form, s.schooling_years, m.authority_code, m.authority_name, 2000 + s.id % 1500,
       b.enrolled_on, jsonb_build_object('KSH', s.examinee_no, 'XM', s.name), p.id,
       case when p.id is null then 'unmatched' when s.id % 30 = 7 then 'conflict' else 'matched' end,
       case when s.id % 30 = 7 then array['name_differs'] when s.id % 30 = 8 then array['photo_missing', 'over_quota']
            else '{}' end,
       case when s.id % 25 not in (3, 4) then s.site_id end,
       case s.id % 25 when 1 then 'assigned' when 2 then 'rejected' when 3 then 'imported' when 4 then 'cancelled' else 'audited' end,
       s.admission_photo_id, case when s.id % 25 = 3 and s.id % 2 = 0 then now() - s.id % 300 * interval '1 day' end,
       case when s.id % 25 = 3 and s.id % 2 = 0 then 0 end, s.created_at, 0, 0
from student s
join enrollment_batch b on b.grade_id = s.grade_id
join admission_import i on i.batch_id = b.id
join enrollment_major m on m.batch_id = b.id and m.major_id = s.major_id
left join pre_registration p on p.id_card_no = s.id_card_no and p.deleted_at is null and s.id % 30 <> 9;

insert into registration (admission_id, batch_id, grade_id, enrollment_major_id, major_id, level_id, study_form, schooling_years,
                          site_id, examinee_no, name, name_grams, pinyin, initials, gender, birthday, id_card_type, id_card_no, phone,
                          status, identity_verified, verify_method, materials, fee_paid, paid_amount, paid_at, fee_source,
                          reserve_reason, reserve_until, reported_at, reported_by, student_id, deleted_at, deleted_by, created_at,
                          created_by, updated_by)
select a.id, a.batch_id, a.grade_id, a.enrollment_major_id, a.major_id, a.level_id, a.study_form, a.schooling_years, a.site_id,
       a.examinee_no, a.name, a.name_grams, a.pinyin, a.initials, a.gender, a.birthday, a.id_card_type, a.id_card_no, a.phone, x.status,
       x.status = 'reported', case when x.status = 'reported' then 'manual' end, array['id_copy', 'photo'], s.id % 9 <> 0,
       case when s.id % 9 <> 0 then 240000 end, case when s.id % 9 <> 0 then a.created_at end,
       case when s.id % 9 <> 0 then 'import' end, case when x.status = 'reserved' then 'illness' end,
       case when x.status = 'reserved' then current_date + 60 end, case when x.status = 'reported' then a.created_at end,
       case when x.status = 'reported' then '王老师' end, case when x.status = 'reported' then s.id end,
       case when x.status = 'abandoned' and s.id % 2 = 0 then now() end,
       case when x.status = 'abandoned' and s.id % 2 = 0 then 0 end, a.created_at, 0, 0
from admission a
join student s on s.examinee_no = a.examinee_no
cross join lateral (select case s.id % 30 when 11 then 'pending' when 12 then 'reserved' when 13 then 'abandoned' when 14 then 'no_show'
                                   when 15 then 'revoked' else 'reported' end as status) x
where a.status = 'audited';

insert into change_batch (code, name, types, starts_at, ends_at, created_by, updated_by)
select 'B' || n, '异动批次' || n, array['professional', 'class_change', 'dropout', 'suspension', 'return'], make_date(2020 + n, 3, 1),
       make_date(2020 + n, 12, 1), 0, 0
from generate_series(1, 6) n;

-- One student in four asked for something; a few of it is still open.
insert into student_change (change_no, change_batch_id, student_id, type, status, before, after, target_site_id, reason_code, reason,
                            suspend_from, suspend_until, suspend_months, target_school_name, effective_on, executed_at, source,
                            applicant_name, submitted_at, moved_at, created_at, created_by, updated_by)
select 'YD20260101' || lpad(s.id::text, 6, '0'), b.id, s.id, x.kind, x.status, v.held, v.held,
       case when x.kind = 'class_change' then s.site_id end, case when x.kind in ('dropout', 'suspension') then 'work' end,
       '工作调动', case when x.kind = 'suspension' then date '2026-03-01' end,
       case when x.kind = 'suspension' then date '2027-02-28' end, case when x.kind = 'suspension' then 12 end,
       case when x.kind = 'transfer_out' then '外地大学' end,
       case when x.status in ('approved', 'executed', 'revoked') then date '2025-01-01' + (s.id % 600)::integer end,
       case when x.status in ('executed', 'revoked') then s.created_at end,
       (array['back_office', 'student_client', 'site_client', 'import'])[1 + s.id % 3], s.name,
       case when x.status <> 'draft' then s.created_at end, s.created_at, s.created_at, 0, 0
from student s
join change_batch b on b.code = 'B' || (1 + s.id % 6)
cross join lateral (
    select (array['professional', 'class_change', 'dropout', 'suspension', 'return', 'transfer_out'])[1 + s.id / 4 % 6] as kind,
           case s.id / 4 % 40 when 1 then 'draft' when 2 then 'pending_site' when 3 then 'pending_school' when 4 then 'approved'
                when 5 then 'rejected' when 6 then 'cancelled' when 7 then 'revoked' else 'executed' end as status) x
cross join lateral (
    select jsonb_build_object('siteId', s.site_id, 'status', 'registered', 'classId', s.class_id, 'gradeId', s.grade_id,
                              'levelId', s.level_id, 'majorId', s.major_id, 'studyForm', s.study_form,
                              'schoolingYears', s.schooling_years) as held) v
where s.id % 4 = 0;

insert into student_correction (student_id, kind, reason, changes, status, source, applicant_name, decided_on, created_at, created_by,
                                updated_by)
select s.id, (array['data_error', 'changed_by_police'])[1 + s.id / 10 % 2], '姓名有误',
       jsonb_build_object('name', jsonb_build_object('from', s.name, 'to', s.name || '一')), x.status,
       (array['back_office', 'student_client'])[1 + s.id / 10 % 2], s.name,
       case when x.status in ('approved', 'rejected') then date '2026-05-01' end, s.created_at, 0, 0
from student s
cross join lateral (select case s.id / 10 % 20 when 1 then 'pending_site' when 2 then 'pending_school' when 3 then 'pending_province'
                                when 4 then 'rejected' when 5 then 'cancelled' else 'approved' end as status) x
where s.id % 10 = 0;

insert into student_information (kind, student_id, status, content, submitted_at, submitted_by, reviewed_by, reviewed_at, mismatches,
                                 evidence_kind, conclusion, chsi_pre_check, photo_check, created_at, created_by, updated_by)
select k.kind, s.id, x.status, '{}', case when x.status <> 'not_submitted' then s.created_at end,
       case when x.status <> 'not_submitted' then 'student' end, case when x.status = 'approved' then '王老师' end,
       case when x.status = 'approved' then s.created_at end, (s.id % 200 = 9)::integer,
       case when k.kind = 'admission_commitment' then (array['online_code', 'report', 'diploma_copy'])[1 + s.id % 3] end,
       case when k.kind = 'admission_commitment' and x.status = 'approved' then 'qualified' end,
       case when k.kind = 'admission_commitment' then (array['not_required', 'passed', 'pending', 'to_check'])[1 + s.id % 4] end,
       case when k.kind = 'graduation_information' then (array['same', 'pending', 'different'])[1 + s.id % 3] end, s.created_at, 0, 0
from student s
cross join unnest(array['admission_information', 'admission_commitment', 'graduation_information']) k (kind)
cross join lateral (select case s.id % 20 when 1 then 'not_submitted' when 2 then 'submitted' when 3 then 'class_passed'
                                when 4 then 'returned' else 'approved' end as status) x;
