-- What a school asks for of its own when people report (part 02 §1, §7). Owner: tenant/registration.

-- Values of the school's own fields, by their keys.
alter table registration add column extra jsonb not null default '{}';
--;;
-- Files of such fields. Who goes on in a later batch has the same file there.
create table registration_file (
    id              bigint generated always as identity,
    registration_id bigint not null,
    kind            text   not null,
    file_id         bigint not null,
    constraint registration_file_key primary key (id),
    constraint registration_file_kind_taken unique (registration_id, kind),
    constraint registration_file_kind_shape check (kind ~ '^x_[a-z0-9_]{1,30}$'),
    constraint registration_file_of_registration foreign key (registration_id) references registration (id),
    constraint registration_file_of_file foreign key (file_id) references file_object (id)
);
--;;
-- A file is deleted only after looking here.
create index registration_file_file on registration_file (file_id);
