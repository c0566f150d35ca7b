-- What a job found worth a second look; unlike errors it kept nothing back.
alter table job add column warnings jsonb not null default '[]';
