-- How much the files of the school filled when they were last added up: one row, rewritten by the nightly clean-up, which
-- alone removes files. What is filled now is `bytes` and the sizes of the files after `counted_to`, so that an upload reads
-- one day's files and waits for no other upload. Without the six columns: nobody edits it. Owner: infra.
create table file_usage (
    one        boolean     not null default true,
    counted_to bigint      not null,
    bytes      bigint      not null,
    counted_at timestamptz not null default now(),
    constraint file_usage_key primary key (one),
    constraint file_usage_once check (one),
    constraint file_usage_range check (counted_to >= 0 and bytes >= 0)
);
--;;
insert into file_usage (counted_to, bytes)
select coalesce(max(id), 0), coalesce(sum(size), 0)::bigint from file_object;
