-- 我的消息: an operator's letters, newest first, as the schools' tables have it. Owner: platform/messages.
create index msg_delivery_inbox on msg_delivery (recipient_type, recipient_id, created_at desc, id desc)
    where channel = 'in_app' and status = 'sent';
