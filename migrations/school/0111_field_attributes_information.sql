-- The fields of these two stages, as the platform's template has them (part 02 §1). Owner: tenant/field_attributes.
insert into field_attribute (stage, field_key, label, group_name, control, dict_type, built_in, system_required, visible,
                             required, student_editable, max_length, pattern, help_text, sort, enabled, created_by, updated_by)
select stage, field_key, label, group_name, control, dict_type, built_in, system_required, visible,
       required, student_editable, max_length, pattern, help_text, sort, enabled, 0, 0
from platform.field_attribute
where stage in ('admission_information', 'graduation_information') and built_in
on conflict do nothing;
