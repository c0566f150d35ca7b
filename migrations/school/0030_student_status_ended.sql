-- Owner: tenant/student_status.
-- The day on which the enrolment ended: what 退学与转出 and 毕(结)业学生 list and look for. The history tells the same; none
-- where nobody knew the day.
alter table student add column ended_on date;
--;;
update student s set ended_on = h.effective_on
from (select distinct on (student_id) student_id, effective_on from student_status_change
      where kind in ('dropout', 'transfer_out', 'graduate', 'complete', 'incomplete')
      order by student_id, created_at desc, id desc) h
where h.student_id = s.id and not s.active;
--;;
alter table student add constraint student_ended_on_of_active check (ended_on is null or not active);
--;;
-- 生效时间 and 毕业时间 from–to.
create index student_ended_on on student (ended_on) where ended_on is not null;
