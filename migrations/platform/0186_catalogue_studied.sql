-- How many began to study a course, kept when they begin: the lists of the site, which anybody may ask for, would count the learners of
-- every course that they show. Owners: platform/catalogue; platform/site_study tells it.
alter table online_course add column count_study bigint not null default 0;
--;;
update online_course c set count_study = s.learners
from (select course_id, count(*) as learners from online_course_study group by course_id) s
where s.course_id = c.id;
