-- How many comments of courses are in each state: the tabs of the list are counted from here, without what was said.
-- Owners: platform/site_study.
create index course_comment_counted on course_comment (course_id, audit_status);
