-- What the rules found worth a second look in a correction, when it was asked for or looked at again: whoever decides reads it.
-- (`request_id` is not written any more: infra keeps what a client sent within a day.) Owner: tenant/corrections.
alter table student_correction add column warnings text[] not null default '{}';
