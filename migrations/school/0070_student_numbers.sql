-- 学号: the rules by which student numbers are made, and every number that was ever given (part 02 §9.4).
-- Owner: tenant/student_numbers. Only tenant/student_status writes a number into the register.

create table student_no_rule (
    id         bigint generated always as identity,
    name       text    not null,
    -- For every grade that has no rule of its own.
    all_grades boolean not null,
    -- [{kind, text, length, values: [{key, code}]}], the running number last.
    segments   jsonb   not null,
    sort_by    text    not null,
    enabled    boolean not null default true,
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint student_no_rule_key primary key (id),
    constraint student_no_rule_name_missing check (name <> ''),
    constraint student_no_rule_enabled_taken unique (id, enabled),
    constraint student_no_rule_sort_by_known check (sort_by in ('examinee_no', 'name_pinyin', 'report_time'))
);
--;;
create unique index student_no_rule_name_taken on student_no_rule (name);
--;;
create unique index student_no_rule_all_taken on student_no_rule (all_grades) where all_grades and enabled;
--;;
-- The grades of a rule; `enabled` is the rule's, so that the database lets a grade have one enabled rule.
create table student_no_rule_grade (
    rule_id  bigint  not null,
    grade_id bigint  not null,
    enabled  boolean not null,
    constraint student_no_rule_grade_key primary key (rule_id, grade_id),
    constraint student_no_rule_grade_of_rule foreign key (rule_id, enabled) references student_no_rule (id, enabled)
        on update cascade on delete cascade,
    constraint student_no_rule_grade_of_grade foreign key (grade_id) references grade (id)
);
--;;
create unique index student_no_rule_grade_taken on student_no_rule_grade (grade_id) where enabled;
--;;
-- The last running number that was used behind a prefix. Gaps are never filled.
create table student_no_counter (
    scope_key text collate "C" not null,
    last_no   integer not null,
    constraint student_no_counter_key primary key (scope_key),
    constraint student_no_counter_last_no_range check (last_no >= 0)
);
--;;
-- Every number that somebody ever had: one is never given twice, also when its student is gone or has another now.
create table student_number (
    number     text collate "C" not null,
    student_id bigint not null,
    given_at   timestamptz not null default now(),
    constraint student_number_key primary key (number),
    constraint student_number_shape check (number ~ '^[0-9A-Z]{4,20}$')
);
--;;
insert into student_number (number, student_id) select student_no, id from student where student_no is not null;
