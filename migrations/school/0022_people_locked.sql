-- studentList: 账号状态 locked, the rare one.
create index client_account_locked on client_account (owner_kind, owner_id) where locked_until is not null;
