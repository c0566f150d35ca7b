-- Whose people the reader is of; 0 for operators. Only here: a school has no readers but its own.
alter table support_read add column school_id bigint not null generated always as (split_part(reader, '/', 1)::bigint) stored;
--;;
-- The figures of a school go over its own people's reads alone.
create index support_read_school on support_read (school_id, day);
--;;
-- How many searches without a hit a reader has had today.
create index support_search_miss_reader on support_search_miss (day, reader);
--;;
-- Its asker is still to hear of it: the outbox of their school is beyond this transaction. Only here.
alter table support_reply add column untold boolean not null default false;
--;;
-- What the job of every minute tells.
create index support_reply_untold on support_reply (created_at) where untold;
