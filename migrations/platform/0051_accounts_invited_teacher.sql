-- Which teacher of the school the invited person is; the binding gets it when they agree (01 §2.4). Owner: platform/accounts.
alter table sys_school_invitation add column teacher_id bigint;
