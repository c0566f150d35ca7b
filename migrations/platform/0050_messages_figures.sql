-- What a school tells of its part of a platform's message beside the counters: by channel, by hour, by reason of failure, and
-- how many short messages it was. Null until the school has told. Owner: platform/messages.
alter table msg_school add column figures jsonb;
