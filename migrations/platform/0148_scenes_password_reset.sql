-- Who resets a password is the school's staff, and no link follows. Words that somebody edited stay.
update psd_conf set
    content = '<p>{{name}}，您的登录密码已由工作人员重置，请使用初始密码或工作人员告知的密码登录，登录后须修改。如非本人要求，请联系{{school}}。</p>'
where channel = 'in_app'
  and scene_id in (select id from psd_info where scene_code = 'account_password_reset')
  and content = '<p>{{name}}，您的密码已申请重置，请在10分钟内打开链接完成设置：{{link}}</p>';
