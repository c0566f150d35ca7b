-- 字段属性: which fields people fill in at a stage of their way into the school (part 02 §1). The operator's template: a
-- school takes it over when it is opened (school/0023) and afterwards what it is given by 下发.
-- Owner: tenant/field_attributes.
create table field_attribute (
    id               bigint generated always as identity,
    stage            text    not null,
    -- Built-in: the name on the wire; the school's own: x_….
    field_key        text collate "C" not null,
    label            text    not null,
    group_name       text    not null,
    control          text    not null,
    -- The words to choose from.
    dict_type        text,
    built_in         boolean not null default false,
    -- Cannot be switched off, hidden or left empty.
    system_required  boolean not null default false,
    visible          boolean not null default true,
    required         boolean not null default false,
    student_editable boolean not null default true,
    max_length       integer,
    pattern          text,
    help_text        text,
    sort             integer not null,
    enabled          boolean not null default true,
    created_at       timestamptz not null default now(),
    created_by       bigint  not null,
    updated_at       timestamptz not null default now(),
    updated_by       bigint  not null,
    version          integer not null default 1,
    constraint field_attribute_key primary key (id),
    constraint field_attribute_field_key_taken unique (stage, field_key),
    constraint field_attribute_stage_known check (
        stage in ('pre_registration', 'registration', 'admission_information', 'graduation_information')
    ),
    constraint field_attribute_field_key_shape check (built_in or field_key ~ '^x_[a-z0-9_]{1,30}$'),
    constraint field_attribute_label_missing check (label <> ''),
    constraint field_attribute_group_name_known check (
        group_name in ('basic', 'contact', 'pre_education', 'work', 'application', 'material', 'other')
    ),
    constraint field_attribute_control_known check (
        control in ('text', 'textarea', 'number', 'date', 'select', 'multi_select', 'switch', 'image', 'file')
    ),
    constraint field_attribute_required_visible check (visible or not required),
    constraint field_attribute_system_required_on check (not system_required or (required and visible and enabled)),
    constraint field_attribute_max_length_range check (max_length between 1 and 2000)
);
--;;
insert into field_attribute (stage, field_key, label, group_name, control, dict_type, built_in, system_required, required,
                             student_editable, max_length, sort, created_by, updated_by)
select 'pre_registration', f.field_key, f.label, f.group_name, f.control, f.dict_type, true, f.system_required,
       f.system_required, true, f.max_length, f.sort * 10, 0, 0
from (values
    (1,  'name',                '姓名',         'basic',         'text',   null,               true,  40),
    (2,  'idCardType',          '证件类型',     'basic',         'select', null,               true,  null),
    (3,  'idCardNo',            '证件号',       'basic',         'text',   null,               true,  40),
    (4,  'gender',              '性别',         'basic',         'select', null,               true,  null),
    (5,  'birthday',            '出生日期',     'basic',         'date',   null,               false, null),
    (6,  'ethnicity',           '民族',         'basic',         'select', 'ethnicity',        false, null),
    (7,  'politicalStatus',     '政治面貌',     'basic',         'select', 'political_status', false, null),
    (8,  'phone',               '手机',         'contact',       'text',   null,               true,  11),
    (9,  'email',               '邮箱',         'contact',       'text',   null,               false, 100),
    (10, 'address',             '通讯地址',     'contact',       'text',   null,               false, 200),
    (11, 'postalCode',          '邮编',         'contact',       'text',   null,               false, 6),
    (12, 'levelId',             '层次',         'application',   'select', null,               true,  null),
    (13, 'majorId',             '专业',         'application',   'select', null,               true,  null),
    (14, 'siteId',              '站点',         'application',   'select', null,               true,  null),
    (15, 'examCategory',        '科类',         'application',   'select', null,               false, null),
    (16, 'preEduLevel',         '入学前学历',   'pre_education', 'select', null,               false, null),
    (17, 'preEduSchool',        '毕业院校',     'pre_education', 'text',   null,               false, 100),
    (18, 'preEduMajor',         '所学专业',     'pre_education', 'text',   null,               false, 100),
    (19, 'preEduCertificateNo', '毕业证书号',   'pre_education', 'text',   null,               false, 30),
    (20, 'preEduGraduatedOn',   '毕业日期',     'pre_education', 'date',   null,               false, null),
    (21, 'workUnit',            '工作单位',     'work',          'text',   null,               false, 60),
    (22, 'occupation',          '职业',         'work',          'text',   null,               false, 60),
    (23, 'hukouPlace',          '户籍地',       'work',          'text',   null,               false, 60),
    (24, 'referrer',            '推荐人',       'other',         'text',   null,               false, 60),
    (25, 'photo',               '照片',         'material',      'image',  null,               false, null),
    (26, 'attachments',         '材料',         'material',      'file',   null,               false, null)
) as f (sort, field_key, label, group_name, control, dict_type, system_required, max_length);
