-- BeRegistered: 注册结果 and 来源, with the newest first.
create index student_register_result_newest on student (register_result, created_at desc, id desc);
--;;
create index student_source_newest on student (source, created_at desc, id desc);
--;;
-- BeRegistered: 入学日期 from–to.
create index student_enrolled_on on student (enrolled_on);
--;;
-- BeRegistered: 缺少照片, of each kind.
create index student_without_admission_photo on student (created_at desc, id desc) where admission_photo_id is null;
--;;
create index student_without_enrol_photo on student (created_at desc, id desc) where enrol_photo_id is null;
--;;
create index student_without_graduation_photo on student (created_at desc, id desc) where graduation_photo_id is null;
