-- Which fields people fill in when they confirm their data and at 毕业登记 (part 02 §1, §11). Owner: tenant/field_attributes.
insert into field_attribute (stage, field_key, label, group_name, control, dict_type, built_in, system_required, required,
                             student_editable, max_length, sort, created_by, updated_by)
select f.stage, f.field_key, f.label, f.group_name, f.control, null, true, f.required, f.required, true, f.max_length,
       f.sort * 10, 0, 0
from (values
    ('admission_information',  1, 'phone',            '手机',         'contact',  'text',     true,  11),
    ('admission_information',  2, 'email',            '邮箱',         'contact',  'text',     false, 100),
    ('admission_information',  3, 'address',          '通讯地址',     'contact',  'text',     false, 200),
    ('admission_information',  4, 'postalCode',       '邮编',         'contact',  'text',     false, 6),
    ('admission_information',  5, 'nativePlace',      '籍贯',         'contact',  'text',     false, 60),
    ('admission_information',  6, 'emergencyContact', '紧急联系人',   'contact',  'text',     false, 50),
    ('admission_information',  7, 'emergencyPhone',   '紧急联系电话', 'contact',  'text',     false, 20),
    ('admission_information',  8, 'workUnit',         '工作单位',     'work',     'text',     false, 60),
    ('admission_information',  9, 'occupation',       '职业',         'work',     'text',     false, 60),
    ('admission_information', 10, 'resume',           '简历',         'work',     'textarea', true,  null),
    ('admission_information', 11, 'enrolPhoto',       '入学照片',     'material', 'image',    false, null),
    ('graduation_information', 1, 'resume',           '简历',         'work',     'textarea', true,  null),
    ('graduation_information', 2, 'family',           '家庭成员',     'basic',    'textarea', false, null),
    ('graduation_information', 3, 'selfAssessment',   '自我鉴定',     'other',    'textarea', true,  800),
    ('graduation_information', 4, 'practice',         '实习',         'other',    'textarea', false, 300),
    ('graduation_information', 5, 'thesisTitle',      '论文题目',     'other',    'text',     false, 300),
    ('graduation_information', 6, 'rewards',          '奖励',         'other',    'textarea', false, 300),
    ('graduation_information', 7, 'punishments',      '处分',         'other',    'textarea', false, 300),
    ('graduation_information', 8, 'contactAfter',     '毕业后联系方式', 'contact', 'text',    false, 100)
) as f (stage, sort, field_key, label, group_name, control, required, max_length);
