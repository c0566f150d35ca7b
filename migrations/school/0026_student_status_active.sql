-- Owner: tenant/student_status.
-- 在籍: which statuses count as in the register is said here, once; statements ask for `active`.
alter table student add column active boolean not null
    generated always as (status in ('pending_registration', 'registered', 'suspended', 'expired')) stored;
--;;
drop index student_id_card_active_taken;
--;;
-- One active enrolment a person; an ended one may stand beside it.
create unique index student_id_card_active_taken on student (id_card_type, id_card_no) where active;
--;;
drop index student_class_newest;
--;;
-- The students of a class; its seats are counted without a look at the rows.
create index student_class_newest on student (class_id, created_at desc, id desc) include (status, active);
--;;
drop index student_cohort;
--;;
-- Division: who of a cohort has no class, and figures by cohort.
create index student_cohort on student (grade_id, level_id, major_id, site_id, class_id, status, study_form) include (active);
