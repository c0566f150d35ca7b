-- A long step goes over its rows a part at a time, each in a transaction of its own. The part's own transaction writes its row here,
-- so that a job which is leased again after a crash does no part twice. Gone when the job ends. Owner: infra.
create table job_part (
    job_id bigint  not null,
    part   integer not null,
    done   integer,
    failed jsonb   not null default '[]',
    constraint job_part_key primary key (job_id, part)
);
