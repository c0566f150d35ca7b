-- Teachers, site staff and class managers are told as students are. Every row that is there obeys the narrower rules, so
-- none is looked at. Owner: platform/messages.
alter table msg_delivery drop constraint msg_delivery_recipient_known;
--;;
alter table msg_delivery add constraint msg_delivery_recipient_known
    check (recipient_type in ('student', 'teacher', 'site_staff', 'class_manager', 'account', 'pre_registration')) not valid;
--;;
alter table msg drop constraint msg_audience_known;
--;;
alter table msg add constraint msg_audience_known
    check (audience in ('all_students', 'student_filter', 'teachers', 'site_staff', 'class_managers', 'list', 'scene')) not valid;
