-- What a part of a long step has done and is worth a second look, beside what it could not do. Owner: infra.
alter table job_part add column warnings jsonb not null default '[]';
