-- 报名链接码: what the link and the QR code of a batch carry; renewed on demand (02 §2). Owner: tenant/recruitment.
alter table pre_registration_batch add column public_token text collate "C";
--;;
update pre_registration_batch set public_token = left(replace(gen_random_uuid()::text, '-', ''), 12);
--;;
alter table pre_registration_batch alter column public_token set not null;
--;;
alter table pre_registration_batch add constraint pre_registration_batch_token_shape
    check (public_token ~ '^[A-Za-z0-9]{12}$');
--;;
create unique index pre_registration_batch_token_taken on pre_registration_batch (public_token);
