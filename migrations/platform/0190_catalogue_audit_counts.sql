-- How many versions of each kind of course are in each state: the tabs of the audits are counted from here, without what was
-- typed. Owners: platform/catalogue.
create index online_course_revision_counted on online_course_revision (course_id, audit_status) where audit_status <> 'draft';
