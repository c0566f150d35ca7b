-- 字段属性 of the school: which fields its people fill in at a stage (part 02 §1); the platform has the template, a table of
-- the same shape. Owner: tenant/field_attributes.
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
-- The one place where a school's file reads the platform: what the template says on the day on which the school begins.
insert into field_attribute (stage, field_key, label, group_name, control, dict_type, built_in, system_required, visible,
                             required, student_editable, max_length, pattern, help_text, sort, enabled, created_by, updated_by)
select stage, field_key, label, group_name, control, dict_type, built_in, system_required, visible,
       required, student_editable, max_length, pattern, help_text, sort, enabled, 0, 0
from platform.field_attribute;
