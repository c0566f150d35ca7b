-- Owner: tenant/people.
-- When an account was switched off because what its person was here for had ended. That is done once: whoever is let in again
-- afterwards stays in.
alter table client_account add column ended_at timestamptz;
--;;
update client_account set ended_at = now() where owner_kind = 'student' and not enabled;
