//! Which students a list, its count and its export are of: one condition for all of them.

/// A statement over `student s` with the condition of a [`student_status_rules::register::Wanted`] in its middle: the macro
/// of sqlx, the row type, the text before, the wanted, the text behind (parameters from `$27`) and its parameters.
macro_rules! of_register {
    ($query:ident [$($row:ident)?] [$($head:tt)+] $wanted:ident [$($tail:tt)*] $(, $extra:expr)*) => {
        sqlx::$query!(
            $($row,)?
            $($head)+ +
            " where ($1::bigint is null or s.grade_id = $1)
                and ($2::bigint is null or s.level_id = $2)
                and ($3::bigint is null or s.major_id = $3)
                and ($4::text is null or s.study_form = $4)
                and ($5::bigint is null or s.site_id = $5)
                and ($6::bigint is null or s.class_id = $6)
                and ($7::text is null or s.id_card_no = $7)
                and ($8::text is null or s.phone = $8)
                and ($9::text is null or s.student_no like $9 or s.examinee_no like $9 or s.id_card_no = rtrim($9, '%')
                     or ($9 !~ '[0-9]' and s.initials like lower(rtrim($9, '%')) || '%'))
                and ($10::text[] is null or s.name_grams @> $10)
                and ($11::text is null or s.status = $11)
                and ($12::text[] is null or s.status = any($12))
                and ($13::text is null or s.register_result = $13)
                and ($14::boolean is null or (s.class_id is not null) = $14)
                and ($15::text is null or case $15 when 'admission' then s.admission_photo_id
                                                   when 'enrol' then s.enrol_photo_id
                                                   else s.graduation_photo_id end is null)
                and ($16::date is null or s.enrolled_on >= $16)
                and ($17::date is null or s.enrolled_on <= $17)
                and ($18::text is null or s.source = $18)
                and ($19::text is null or s.status_reason = $19)
                and ($20::date is null or s.ended_on >= $20)
                and ($21::date is null or s.ended_on <= $21)
                and ($22::bigint[] is null or s.site_id = any($22) or s.class_id = any($23::bigint[]))
                and ($24::text[] is null or s.name = any($24) or s.student_no = any($24) or s.examinee_no = any($24)
                     or s.id_card_no = any($24) or s.phone = any($24))
                and ($25::timestamptz is null or s.created_at = $25)
                and (($26::text[])[1] is null or s.grade_id = any(array(
                         select x.id from grade x where strpos(lower(x.code), ($26::text[])[1]) > 0 or strpos(lower(x.name), ($26::text[])[1]) > 0)))
                and (($26::text[])[2] is null or s.level_id = any(array(
                         select x.id from level x where strpos(lower(x.code), ($26::text[])[2]) > 0 or strpos(lower(x.name), ($26::text[])[2]) > 0)))
                and (($26::text[])[3] is null or s.major_id = any(array(
                         select x.id from major x where strpos(lower(x.code), ($26::text[])[3]) > 0 or strpos(lower(x.name), ($26::text[])[3]) > 0)))
                and (($26::text[])[4] is null or s.site_id = any(array(
                         select x.id from site x where strpos(lower(x.code), ($26::text[])[4]) > 0 or strpos(lower(x.name), ($26::text[])[4]) > 0)))
                and (($26::text[])[5] is null or s.class_id = any(array(
                         select x.id from class x where strpos(lower(x.code), ($26::text[])[5]) > 0 or strpos(lower(x.name), ($26::text[])[5]) > 0))) " $($tail)*,
            $wanted.grade_id,
            $wanted.level_id,
            $wanted.major_id,
            $wanted.study_form.map($crate::enums::StudyForm::as_str),
            $wanted.site_id,
            $wanted.class_id,
            $wanted.keyword.id_card_no.as_deref(),
            $wanted.keyword.phone.as_deref(),
            $wanted.keyword.number.as_deref(),
            $wanted.keyword.name_grams.as_deref(),
            $wanted.status.map($crate::enums::StudentStatus::as_str),
            $wanted.statuses.as_deref(),
            $wanted.register_result.map($crate::enums::RegisterResult::as_str),
            $wanted.assigned,
            $wanted.photo_missing.map($crate::enums::PhotoKind::as_str),
            $wanted.enrolled_from,
            $wanted.enrolled_to,
            $wanted.source.map($crate::enums::StudentSource::as_str),
            $wanted.status_reason.map($crate::enums::WithdrawReason::as_str),
            $wanted.ended_from,
            $wanted.ended_to,
            $wanted.scope.sites(),
            $wanted.scope.classes(),
            $wanted.among.as_deref(),
            $wanted.entered_at,
            $wanted.texts.as_deref() as _
            $(, $extra)*
        )
    };
}

pub(crate) use of_register;
