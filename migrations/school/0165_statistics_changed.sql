-- By what a roll-up finds what changed since it looked last, in tables of other modules. Owner: tenant/statistics reads alone.

create index study_course_progress_changed on study_course_progress (updated_at);
--;;
create index course_selection_changed on course_selection (updated_at);
--;;
create index homework_student_changed on homework_student (updated_at);
--;;
create index exam_candidate_changed on exam_candidate (updated_at);
--;;
create index exam_score_changed on exam_score (updated_at);
--;;
create index client_session_issued on client_session (issued_at) where actor_user_id is null;
--;;
create index pre_registration_visited on pre_registration (updated_at) where visitor_key is not null;
--;;
-- 学习记录: the newest first, over the sessions of all.
create index study_session_recent on study_session (started_at desc, id desc);
