-- What a job needs to run may name a person (a list's keyword). `params` is what may be read; the whole stands sealed in
-- `input`, only where the two differ and only until the job ends. Owner: infra.
alter table job add column input bytea;
--;;
alter table job add constraint job_input_kept check (input is null or state in ('queued', 'running'));
--;;
-- Nobody reads the params of a job that has ended.
update job set params = '{}' where state in ('done', 'failed', 'cancelled');
