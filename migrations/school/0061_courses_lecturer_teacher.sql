-- A lecturer is a text or a teacher of the school, whose name is then shown (03 A6). Owner: tenant/courses.
alter table course_record add column lecturer_teacher_id bigint;
--;;
alter table course_record add constraint course_record_of_teacher foreign key (lecturer_teacher_id) references teacher (id);
--;;
create index course_record_teacher on course_record (lecturer_teacher_id) where lecturer_teacher_id is not null;
