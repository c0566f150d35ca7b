-- What went wrong is rare, and what the log screens are asked for most (01 §6.2).
create index login_log_failed on login_log (at desc, id desc) where not success;
--;;
create index sys_log_refused on sys_log (result_code, at desc, id desc) where result_code <> 200;
