-- 用户消息: the newest deliveries of the platform's own people, page by page. Owner: platform/messages.
create index msg_delivery_newest on msg_delivery (created_at desc, id desc);
