-- The register in the order of names. Owner: tenant/student_status.
create index student_pinyin on student (pinyin, created_at desc, id desc);
