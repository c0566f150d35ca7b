-- From which course of the operator's site, and from which of its versions, a record was taken over (03 A6). Both are
-- numbers of `platform`: nothing that changes there changes the record.
alter table course_record add column platform_course_id bigint;
--;;
alter table course_record add column platform_revision_id bigint;
--;;
alter table course_record add constraint course_record_platform_revision_missing
    check ((platform_course_id is null) = (platform_revision_id is null));
--;;
-- The same version is taken over once a course; a newer one becomes a record of its own.
create unique index course_record_platform_taken on course_record (course_id, platform_course_id, platform_revision_id);
