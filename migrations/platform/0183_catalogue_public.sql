-- What visitors and learners of the operators' site ask for (01 §9.11). Owners: platform/catalogue, site_study, site_content.

-- Courses that everybody sees, the newest first.
create index online_course_public on online_course (id desc)
    where enabled and putaway = 'on' and audit_status = 'approved';
--;;
-- What is said of a course, as its page shows it.
create index course_comment_public on course_comment (course_id, is_top desc, created_at desc, id desc)
    where parent_id is null and audit_status = 'approved';
--;;
-- A click counts for a word wherever it stands.
create index search_word_clicked on search_word (word);
