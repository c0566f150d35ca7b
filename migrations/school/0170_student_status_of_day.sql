-- The register of a day goes by indexes. Owner: tenant/student_status.
-- The history of one student, what took effect behind a day first of all. It leads to a student's rows as the one it replaces.
create index student_status_change_of_day on student_status_change (student_id, effective_on, id);
--;;
drop index student_status_change_history;
--;;
-- Whose status changed behind a day, and from which:
create index student_status_change_status on student_status_change (effective_on, from_status) include (student_id)
    where from_status <> to_status;
--;;
drop index student_status_change_later;
--;;
-- Whose grade, level, major, site, class or name changed, and who had a value before:
create index student_status_change_before on student_status_change using gin (before);
