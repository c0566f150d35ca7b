-- A large file comes in parts, so that an upload that broke off goes on where it stopped. While it is under way the row says
-- what the store calls the upload and how large its parts are; both are empty for files that are sent whole, and afterwards.
-- Owner: infra.
alter table file_object add column upload_id text;
--;;
alter table file_object add column part_size bigint;
--;;
alter table file_object add constraint file_object_part_size_missing check ((upload_id is null) = (part_size is null));
--;;
alter table file_object add constraint file_object_part_size_range check (part_size > 0);
