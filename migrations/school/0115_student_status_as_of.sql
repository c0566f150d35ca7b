-- The register as it stood on a day: what took effect later. Owner: tenant/student_status.
create index student_status_change_later on student_status_change (effective_on, student_id);
