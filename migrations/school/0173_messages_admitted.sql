-- Whom the school audited of the admitted is told so before they are students. Every row that is there obeys the narrower rule, so
-- none is looked at. Owner: platform/messages.
alter table msg_delivery drop constraint msg_delivery_recipient_known;
--;;
alter table msg_delivery add constraint msg_delivery_recipient_known
    check (recipient_type in ('student', 'teacher', 'site_staff', 'class_manager', 'account', 'pre_registration', 'admission'))
    not valid;
