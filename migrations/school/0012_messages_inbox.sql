-- 站内信: a person's letters, newest first. Owner: platform/messages.
create index msg_delivery_inbox on msg_delivery (recipient_type, recipient_id, created_at desc, id desc)
    where channel = 'in_app' and status = 'sent';
