-- The tabs above the list of openings count each state: those of rare states were found by reading all openings (03 B2).
-- Owner: tenant/course_opening.
create index course_opening_state on course_opening (status, created_at desc, id);
