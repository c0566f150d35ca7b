-- Whoever reported and was corrected since is listed by what the register calls them (part 02 §9.6). Owner: tenant/registration.

update registration r
set name = s.name, name_grams = s.name_grams, pinyin = s.pinyin, initials = s.initials,
    gender = coalesce(s.gender, r.gender), birthday = coalesce(s.birthday, r.birthday), id_card_type = s.id_card_type,
    id_card_no = s.id_card_no, examinee_no = coalesce(s.examinee_no, r.examinee_no)
from student s
where s.id = r.student_id
  and exists (select from student_status_change h where h.student_id = s.id and h.kind = 'correction');
