-- The list of messages by type, newest first (01 §7).
create index msg_type_newest on msg (msg_type, created_at desc, id desc);
