-- How many blogs are in each state, beside who wrote them: the tabs of the list are counted from here, without what was written.
-- Owners: platform/community.
create index blog_counted on blog (blogger_id, audit_status);
