-- A job over a school's data that an operator began from outside the school: his rights of the operators' area count, and
-- it stands in his job centre there. Owner: infra.
alter table job add column from_platform boolean not null default false;
