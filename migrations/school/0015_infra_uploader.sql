-- Who sent a file in: an account of the console, or one of the people of the clients, whose numbers are counted apart.
-- Owner: infra.
alter table file_object add column uploader_type text not null default 'account';
