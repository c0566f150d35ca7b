-- For other modules, by selection: how far the course is studied, for how long, how many of its videos and recordings are finished,
-- and the mean of its closed chapter tests (one that was missed counts 0; none: no test). Owner: tenant/online_study.
create view study_summary as
select c.id as selection_id, c.student_id, c.course_id, c.semester_id,
       coalesce(p.progress, 0) as progress_percent,
       (coalesce(p.study_seconds, 0) + coalesce(p.imported_seconds, 0)) / 60 as study_minutes,
       v.done::integer as video_done, v.total::integer as video_total, t.average as chapter_test_average
from course_selection c
join course_opening o on o.id = c.opening_id
left join online_teaching n on n.id = o.id
left join study_course_progress p on p.id = c.id
cross join lateral (
    select count(*) as total, count(x.finished_at) as done
    from course_period d
    left join study_progress x on x.period_id = d.id and x.selection_id = c.id
    where d.course_record_id = coalesce(n.course_record_id, (
              select r.id from course_record r
              where r.course_id = o.course_id and r.is_default and r.status = 'published'))
      and d.enabled and d.kind in ('video', 'audio')) v
cross join lateral (
    select round(avg(case when s.state = 'missed' then 0 else s.final_score end), 1) as average
    from homework_student s
    join homework h on h.id = s.homework_id
    where s.selection_id = c.id and h.purpose = 'chapter_test' and h.status = 'closed'
      and s.state not in ('exempt', 'void') and (s.state = 'missed' or s.final_score is not null)) t;
