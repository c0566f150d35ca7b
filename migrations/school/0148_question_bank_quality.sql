-- How well questions tell apart who knows from who does not, from marked answers. Owner: tenant/question_bank.

-- 试题质量, computed anew each night; a question that nobody answered yet has none.
create table question_quality (
    question_id    bigint  not null,
    -- In so many marked sheets.
    answers        integer not null,
    -- Of a hundred: what was given of what could be given.
    score_rate     numeric(4, 1) not null,
    -- By how much the best quarter of the sheets had more of it than the worst; none while there are few.
    discrimination numeric(3, 2),
    measured_at    timestamptz not null,
    constraint question_quality_key primary key (question_id),
    constraint question_quality_answers_range check (answers > 0),
    constraint question_quality_rate_range check (score_rate between 0 and 100),
    constraint question_quality_discrimination_range check (discrimination between -1 and 1),
    constraint question_quality_of_question foreign key (question_id) references question (id) on delete cascade
);
--;;
create index question_quality_rate on question_quality (score_rate);
--;;
create index question_quality_discrimination on question_quality (discrimination) where discrimination is not null;
