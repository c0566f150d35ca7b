-- Lists that count most of a school are counted out of indexes alone. Owners: tenant/admission, tenant/registration,
-- tenant/information_review, tenant/student_status.
-- Which lead is whose: also from the one to the other without a look at the rows.
drop index admission_pre_registration_taken;
--;;
create unique index admission_pre_registration_taken on admission (pre_registration_id) include (id);
--;;
-- Whoever came: the leads who reported.
create index registration_came on registration (admission_id) where status = 'reported' and deleted_at is null;
--;;
-- 计入应提交: who is in the register.
create index student_active on student (id) where active;
--;;
-- The forms of a kind by their students, with what their tabs count.
create index student_information_person on student_information (kind, student_id) include (status, photo_id);
