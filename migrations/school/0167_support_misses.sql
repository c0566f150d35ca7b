-- How many searches without a hit a reader has had today.
create index support_search_miss_reader on support_search_miss (day, reader);
