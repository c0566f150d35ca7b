-- What people of pre-registration were told goes with them; they are found among the deliveries by their number.
create index msg_delivery_applicant on msg_delivery (recipient_id) where recipient_type = 'pre_registration';
