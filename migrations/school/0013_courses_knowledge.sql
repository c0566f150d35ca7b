-- 知识点: what questions of a course are about, a tree of at most three levels (the service refuses a fourth). A name stands once in
-- a course, because sheets of questions name the points alone.
create table knowledge_point (
    id         bigint generated always as identity,
    course_id  bigint  not null,
    parent_id  bigint,
    code       text    collate "C" not null,
    name       text    not null,
    initials   text    not null default '',
    sort_no    integer not null default 0,
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint knowledge_point_key primary key (id),
    constraint knowledge_point_code_shape check (code ~ '^[A-Za-z0-9_-]{1,32}$'),
    constraint knowledge_point_sort_no_range check (sort_no between 0 and 9999),
    constraint knowledge_point_under_itself check (parent_id <> id),
    constraint knowledge_point_of_course foreign key (course_id) references course (id),
    -- Lets a point prove that its superior, and a question that its point, is of the same course.
    constraint knowledge_point_with_course unique (id, course_id),
    constraint knowledge_point_of_parent foreign key (parent_id, course_id) references knowledge_point (id, course_id),
    constraint knowledge_point_name_taken unique (course_id, name)
);
--;;
create unique index knowledge_point_code_taken on knowledge_point (course_id, lower(code));
--;;
create index knowledge_point_parent on knowledge_point (parent_id, course_id);
