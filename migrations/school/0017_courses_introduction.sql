-- 简介 of a record is rich text from here on: clean HTML. What was typed as plain text becomes paragraphs, a line each, and
-- no sign in it becomes markup.
update course_record
set introduction = '<p>'
    || replace(
        replace(replace(replace(replace(introduction, '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), chr(13), ''),
        chr(10), '</p><p>'
    )
    || '</p>'
where introduction is not null;
