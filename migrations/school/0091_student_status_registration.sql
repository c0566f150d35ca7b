-- A student who reported knows from which registration and admission they come (part 02 §9.1). Owner: tenant/student_status.

alter table student add column registration_id bigint;
--;;
alter table student add column admission_id bigint;
--;;
alter table student add constraint student_of_registration foreign key (registration_id) references registration (id);
--;;
alter table student add constraint student_of_admission foreign key (admission_id) references admission (id);
--;;
create unique index student_registration_taken on student (registration_id);
--;;
create index student_admission on student (admission_id) where admission_id is not null;
