-- What somebody was told is looked for when they go out of their register.
create index msg_delivery_person on msg_delivery (recipient_type, recipient_id)
    where recipient_type <> 'pre_registration';
