-- What the courses of the operators' site lacked of 01 §9.2: files that lessons bring with them, and a number that stands before the
-- real one in what visitors read. Owner: platform/catalogue.

-- Keys of files that are the course's, in their order. Whoever has the right to the course loads them.
alter table online_period add column attachment_keys text[] not null default '{}';
--;;
-- Visitors read `count_buy_base + count_buy`; whoever keeps the books reads `count_buy`.
alter table online_course add column count_buy_base bigint not null default 0;
--;;
alter table online_course add constraint online_course_buy_base_range check (count_buy_base between 0 and 9999999);
