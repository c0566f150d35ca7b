-- So many rows in each of the tables that only grow; `{rows}` is their number. The logs lie in the last 91 days, which is the
-- longest span that a person may ask for; messages in three years.
do $$
declare
    log text;
    month timestamp;
begin
    foreach log in array array['login_log', 'sys_log'] loop
        month := date_trunc('month', now() at time zone 'Asia/Shanghai') - interval '3 months';
        while month < date_trunc('month', now() at time zone 'Asia/Shanghai') loop
            execute format('create table if not exists platform.%I partition of platform.%I for values from (%L) to (%L)',
                log || to_char(month, '_YYYYMM'), log, month at time zone 'Asia/Shanghai',
                (month + interval '1 month') at time zone 'Asia/Shanghai');
            month := month + interval '1 month';
        end loop;
    end loop;
end $$;

insert into platform.login_log (at, client, kind, user_id, login_name, real_name, school_id, event, success, reason, ip,
    user_agent, device)
select now() - n / {rows}.0::float8 * interval '7800000 seconds',
    case n % 5 when 0 then null when 1 then 'teacher' else 'student' end,
    case n % 5 when 0 then 'account' when 1 then 'teacher' else 'student' end,
    n % 500000, 'u' || n % 500000, '学员' || n % 500000, n % 200 + 1,
    case when n % 50 = 0 then 'login_failed' when n % 3 = 0 then 'logout' else 'login' end, n % 50 <> 0,
    case when n % 50 = 0 then 'wrong_password' end, '10.' || n % 250 || '.' || n % 200 || '.7', 'Mozilla/5.0', 'pc'
from generate_series(1, {rows}) n;

insert into platform.sys_log (at, trace_id, actor_type, actor_id, actor_name, school_id, module, operation, permission_code,
    method, path, result_code, duration_ms, ip, params, sensitive, entity_type, entity_id)
select now() - n / {rows}.0::float8 * interval '7800000 seconds', md5(n::text),
    case n % 10 when 0 then 'platform' when 1 then 'job' else 'school' end, n % 5000, '教务' || n % 5000,
    case when n % 10 > 0 then n % 200 + 1 end, case n % 3 when 0 then 'adult' when 1 then 'user' else 'course' end,
    '编辑学生' || n % 40, 'adult:pc:studentRoll:edit', 'PUT', '/adult/pc/studentRoll/edit',
    case when n % 100 = 0 then 409 else 200 end, n % 300, '10.0.' || n % 250 || '.7', '{}', n % 500 = 0, 'student', n
from generate_series(1, {rows}) n;

insert into platform.msg (title, content, msg_type, channels, audience, status, creator_name, created_at, created_by, updated_by)
select '通知' || n, '<p>第' || n || '号通知</p>',
    case n % 4 when 0 then 'teaching' when 1 then 'exam' when 2 then 'marketing' else 'system' end,
    case n % 10 when 0 then array['in_app', 'sms'] else array['in_app'] end, 'all_students',
    case when n % 1000 = 0 then 'failed' when n % 200 = 0 then 'draft' else 'sent' end, '教务' || n % 50,
    now() - n / {rows}.0::float8 * interval '94608000 seconds', 0, 0
from generate_series(1, {rows}) n;
