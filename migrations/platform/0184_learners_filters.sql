-- What learners are filtered by besides their phone and day: where they came from, and whose account is off. Newest first.
create index user_ext_source on user_ext (source, created_at desc, id desc);
--;;
create index user_ext_disabled on user_ext (created_at desc, id desc) where not enabled;
