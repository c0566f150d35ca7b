-- A session that ran out is closed as such, so that the log can tell when. Owner: platform/accounts.
alter table sys_session drop constraint sys_session_reason_known;
--;;
alter table sys_session add constraint sys_session_reason_known check (revoke_reason in ('logout', 'replaced', 'kicked',
    'password_changed', 'password_reset', 'account_disabled', 'account_expired', 'school_disabled', 'idle', 'left_school', 'expired'));
