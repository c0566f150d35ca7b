-- 演示院校: its people are invented. Written with the row when the school is opened; no statement changes it.
-- Owner of all here: platform/schools.
alter table school add column demo boolean not null default false;
--;;
-- What earlier servers opened for demonstration: nothing but that bore these codes with these names.
update school set demo = true
where (code, name) in (('demo01', '东湖示范学院（演示）'), ('demo02', '南岭示范大学（演示）'));
--;;
-- One row says that this database was made for demonstration. It is written only while there is neither school nor account.
create table demonstration (
    id      boolean     not null default true,
    made_at timestamptz not null default now(),
    constraint demonstration_key primary key (id),
    constraint demonstration_once check (id)
);
--;;
-- A database in which there never was any other school was made by an earlier server for demonstration.
insert into demonstration (id)
select true where exists (select from school where demo) and not exists (select from school where not demo);
--;;
-- What demonstration data wrote into `platform`, so that it can be taken away again and nothing else with it.
create table demo_row (
    table_name text   not null,
    row_id     bigint not null,
    -- The school whose row it is; the operators' own without one.
    school_id  bigint,
    constraint demo_row_key primary key (table_name, row_id),
    constraint demo_row_of_school foreign key (school_id) references school (id)
);
