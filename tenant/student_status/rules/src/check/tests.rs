//! The worked examples of 02 §0.2, §0.3, §9.3 and §9.5, through the whole check.

use people::id_card::Gender;
use poem_openapi::types::Example;
use term::{Season, Term};

use super::*;
use crate::{
    enums::{FeeFlag, WithdrawReason},
    references::{GradeRef, LevelRef, MajorRef, SiteRef},
    student::Student,
};

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn today() -> NaiveDate {
    day("2026-05-20")
}

fn words(list: &[(&str, &str, bool)]) -> Vec<Word> {
    list.iter()
        .map(|(value, label, enabled)| Word {
            value: (*value).to_owned(),
            label: (*label).to_owned(),
            enabled: *enabled,
        })
        .collect()
}

/// Two grades, two levels, three majors, three sites and a class.
fn known() -> References {
    let grade = |id, code: &str, year, season, enabled| GradeRef {
        id,
        code: code.to_owned(),
        name: format!("{code}级"),
        entered: Term { year, season },
        enabled,
    };
    let level = |id, name: &str, max_half_years| LevelRef {
        id,
        code: name.to_owned(),
        name: name.to_owned(),
        max_half_years,
        enabled: true,
    };
    let major = |id, name: &str, level_id, study_form, enabled| MajorRef {
        id,
        code: format!("M{id}"),
        name: name.to_owned(),
        level_id,
        study_form,
        enabled,
    };
    let site = |id, name: &str, status: &str| SiteRef {
        id,
        code: format!("S{id}"),
        name: name.to_owned(),
        status: status.to_owned(),
        capacity: 0,
        taken: 0,
        filing_expires_on: None,
    };
    let class = ClassRef {
        id: 1,
        name: "26春会计1班".to_owned(),
        grade_id: 1,
        level_id: 1,
        major_id: 1,
        site_id: 1,
        enabled: true,
    };
    References {
        grades: [
            grade(1, "2026", 2026, Season::Spring, true),
            grade(2, "2022", 2022, Season::Spring, true),
            grade(3, "2025A", 2025, Season::Autumn, false),
        ]
        .map(|grade| (grade.id, grade))
        .into(),
        levels: [level(1, "专升本", 10), level(2, "高起本", 16)].map(|level| (level.id, level)).into(),
        majors: [
            major(1, "会计学", 1, StudyForm::NonFullTime, true),
            major(2, "法学", 2, StudyForm::NonFullTime, true),
            major(3, "护理学", 1, StudyForm::Online, false),
        ]
        .map(|major| (major.id, major))
        .into(),
        sites: [site(1, "城东站", "active"), site(2, "城西站", "suspended"), site(3, "城南站", "active")]
            .map(|site| (site.id, site))
            .into(),
        classes: [(1, class)].into(),
        ethnicities: words(&[("01", "汉族", true), ("97", "其他", false)]),
        political: words(&[("13", "群众", true)]),
        graduate_account_days: 180,
        ..References::default()
    }
}

fn form() -> StudentForm {
    StudentForm::example()
}

fn checked(form: &StudentForm) -> NewStudent {
    check(form, &known(), &Scope::whole_school(), today()).unwrap()
}

/// What the first wrong field is told.
fn told(form: StudentForm) -> (String, String) {
    let wrong = check(&form, &known(), &Scope::whole_school(), today()).unwrap_err();
    (wrong[0].field.clone(), wrong[0].message.clone())
}

fn at(field: &str, message: &str) -> (String, String) {
    (field.to_owned(), message.to_owned())
}

/// A student of 2022 who has graduated.
pub(crate) fn graduate(on: &str) -> NewStudent {
    checked(&StudentForm {
        grade_id: 2,
        enrolled_on: day("2022-03-01"),
        status: Some(StudentStatus::Graduated),
        ended_on: Some(day(on)),
        ..form()
    })
}

/// A student as the register has it.
pub(crate) fn stored() -> Student {
    Student {
        id: 1,
        student_no: None,
        examinee_no: None,
        name: "张三".to_owned(),
        former_name: None,
        gender: Some(Gender::Female),
        birthday: Some(day("1949-12-31")),
        ethnicity: None,
        political_status: None,
        id_card_type: IdCardType::ResidentId,
        id_card_no: "11010519491231002X".to_owned(),
        phone: Some("13800000001".to_owned()),
        email: None,
        address: None,
        postal_code: None,
        work_unit: None,
        occupation: None,
        native_place: None,
        hukou_place: None,
        emergency_contact: None,
        emergency_phone: None,
        pre_edu_level: None,
        pre_edu_school: None,
        pre_edu_major: None,
        pre_edu_certificate_no: None,
        pre_edu_graduated_on: None,
        grade_id: 1,
        grade_name: "2026级".to_owned(),
        level_id: 1,
        level_name: "专升本".to_owned(),
        major_id: 1,
        major_name: "会计学".to_owned(),
        study_form: StudyForm::NonFullTime,
        schooling_years: 2.5,
        site_id: 1,
        site_name: "城东站".to_owned(),
        class_id: None,
        class_name: None,
        enrolled_on: day("2026-03-01"),
        expected_graduation_on: day("2028-07-10"),
        max_study_end_on: day("2031-02-28"),
        status: StudentStatus::PendingRegistration,
        status_reason: None,
        ended_on: None,
        suspended_until: None,
        suspended_months: 0,
        registered_on: None,
        register_result: RegisterResult::None,
        register_message: None,
        admission_photo_id: None,
        enrol_photo_id: None,
        graduation_photo_id: None,
        total_score: None,
        exam_category: None,
        source: StudentSource::Legacy,
        fee_flag: FeeFlag::None,
        remark: None,
        created_at: "2026-05-20T08:00:00+08:00".parse().unwrap(),
        version: 1,
    }
}

#[test]
fn what_follows_from_the_form_is_computed() {
    let new = checked(&form());
    assert_eq!(new.birthday, Some(day("2000-02-29")));
    assert_eq!(new.gender, Some(Gender::Female));
    assert_eq!(new.expected_graduation_on, day("2028-07-10"));
    assert_eq!(new.max_study_end_on, day("2031-02-28"));
    assert_eq!(new.schooling_half_years, 5);
    assert_eq!((new.status, new.register_result), (StudentStatus::PendingRegistration, RegisterResult::None));
    assert_eq!(new.source, StudentSource::Legacy);
    assert_eq!(new.login_name(), Some("26420101150001"));
    assert!(new.account_enabled);
    let numbered = NewStudent { student_no: Some("26304120070023".to_owned()), ..new };
    assert_eq!(numbered.login_name(), Some("26304120070023"));
    let high = checked(&StudentForm { level_id: 2, major_id: 2, schooling_years: 5.0, ..form() });
    assert_eq!((high.expected_graduation_on, high.max_study_end_on), (day("2031-01-10"), day("2034-02-28")));
}

#[test]
fn the_number_is_normalised_and_compared() {
    let old = StudentForm { id_card_no: "110105491231002".to_owned(), gender: None, ..form() };
    assert_eq!(checked(&old).id_card_no, "11010519491231002X");
    let wrong = |number: &str| told(StudentForm { id_card_no: number.to_owned(), ..form() });
    assert_eq!(wrong("1199002000022910"), at("idCardNo", "身份证号长度应为18位"));
    assert_eq!(wrong("119900200002291009"), at("idCardNo", "身份证号校验位错误，应为8"));
    assert_eq!(wrong("440524188001010014"), at("idCardNo", "身份证号中的出生日期无效"));
    assert_eq!(told(StudentForm { gender: Some(Gender::Male), ..form() }), at("gender", "性别与身份证号不符"));
    assert_eq!(
        told(StudentForm { birthday: Some(day("2000-02-28")), ..form() }),
        at("birthday", "出生日期与身份证号不符")
    );
    assert_eq!(told(StudentForm { enrolled_on: day("2015-02-28"), ..form() }), at("idCardNo", "入学时未满15周岁"));
}

#[test]
fn other_documents_leave_birthday_and_gender_open() {
    let passport = StudentForm {
        id_card_type: Some(IdCardType::Passport),
        id_card_no: "e12345678".to_owned(),
        gender: None,
        ..form()
    };
    let new = checked(&passport);
    assert_eq!((new.id_card_no.as_str(), new.gender, new.birthday), ("E12345678", None, None));
    let unborn = StudentForm { birthday: Some(day("2026-05-21")), ..passport };
    assert_eq!(told(unborn), at("birthday", "出生日期不能晚于今天"));
}

#[test]
fn words_stand_in_their_dictionary() {
    assert_eq!(
        told(StudentForm { ethnicity: Some("99".to_owned()), ..form() }),
        at("ethnicity", "民族取值无效，请重新选择")
    );
    assert_eq!(
        told(StudentForm { ethnicity: Some("97".to_owned()), ..form() }),
        at("ethnicity", "“其他”已停用，请选择其他项")
    );
    let mut odd = form();
    odd.free.political_status = Some("汉".to_owned());
    assert_eq!(told(odd), at("politicalStatus", "政治面貌取值无效，请重新选择"));
}

#[test]
fn references_exist_fit_and_are_switched_on() {
    assert_eq!(told(StudentForm { grade_id: 9, ..form() }), at("gradeId", "所选年级不存在，请重新选择"));
    assert_eq!(
        told(StudentForm { grade_id: 3, enrolled_on: day("2025-09-01"), ..form() }),
        at("gradeId", "“2025A级”已停用，请选择其他项")
    );
    assert_eq!(told(StudentForm { major_id: 2, ..form() }), at("majorId", "专业“法学”不属于层次“专升本”"));
    assert_eq!(told(StudentForm { major_id: 3, ..form() }), at("majorId", "“护理学”已停用，请选择其他项"));
    assert_eq!(told(StudentForm { site_id: 2, ..form() }), at("siteId", "“城西站”已停用，请选择其他项"));
    assert_eq!(told(StudentForm { class_id: Some(9), ..form() }), at("classId", "所选班级不存在，请重新选择"));
    assert_eq!(
        told(StudentForm { schooling_years: 1.5, ..form() }),
        at("schoolingYears", "学制应为2至6年，且为0.5的倍数")
    );
    assert_eq!(
        told(StudentForm { enrolled_on: day("2029-03-01"), ..form() }),
        at("enrolledOn", "入学日期与年级“2026级”不符")
    );
}

#[test]
fn a_class_holds_its_own_students_only() {
    assert!(checked(&StudentForm { class_id: Some(1), ..form() }).class_id.is_some());
    assert_eq!(told(StudentForm { class_id: Some(1), site_id: 3, ..form() }), at("classId", "与班级的站点不一致"));
    let other = StudentForm { class_id: Some(1), level_id: 2, major_id: 2, schooling_years: 5.0, ..form() };
    assert_eq!(told(other), at("classId", "与班级的层次、专业不一致"));
}

#[test]
fn the_older_forms_are_for_grades_before_2026() {
    use StudyForm::{Correspondence, FullTime, NonFullTime, Online, PartTime};
    assert!(form_allowed(NonFullTime, NonFullTime, 2026));
    assert!(form_allowed(Correspondence, NonFullTime, 2025));
    assert!(form_allowed(PartTime, NonFullTime, 2022));
    assert!(!form_allowed(Correspondence, NonFullTime, 2026));
    assert!(form_allowed(Correspondence, Correspondence, 2026));
    assert!(!form_allowed(NonFullTime, Correspondence, 2024));
    assert!(!form_allowed(FullTime, NonFullTime, 2024));
    assert!(form_allowed(Online, Online, 2024));
    assert_eq!(
        told(StudentForm { study_form: Correspondence, ..form() }),
        at("studyForm", "学习形式与专业“会计学”的非脱产不符")
    );
}

#[test]
fn outside_the_scope_nobody_is_entered() {
    let limited = Scope::limited(vec![3], vec![]);
    let wrong = check(&form(), &known(), &limited, today()).unwrap_err();
    assert_eq!((wrong[0].field.as_str(), wrong[0].message.as_str()), ("siteId", "无权操作该数据"));
    let by_class = Scope::limited(vec![], vec![1]);
    assert!(check(&StudentForm { class_id: Some(1), ..form() }, &known(), &by_class, today()).is_ok());
}

#[test]
fn status_and_dates_tell_one_story() {
    let registered =
        StudentForm { status: Some(StudentStatus::Registered), registered_on: Some(day("2026-03-20")), ..form() };
    assert_eq!(checked(&registered).register_result, RegisterResult::Accepted);
    let early = StudentForm { registered_on: Some(day("2026-02-20")), ..registered.clone() };
    assert_eq!(told(early), at("registeredOn", "注册日期应在入学日期与今天之间"));
    let pending = StudentForm { status: None, ..registered.clone() };
    assert_eq!(told(pending), at("registeredOn", "待注册的学生没有注册日期"));
    let ended = StudentForm { ended_on: Some(day("2026-04-01")), ..registered };
    assert_eq!(told(ended), at("endedOn", "在籍的学生没有毕业日期"));
    let reason = StudentForm { status_reason: Some(WithdrawReason::Voluntary), ..form() };
    assert_eq!(told(reason), at("statusReason", "只有退学的学生填写状态原因"));
    let withdrawn = StudentForm { status: Some(StudentStatus::Withdrawn), ..form() };
    assert_eq!(checked(&withdrawn).register_result, RegisterResult::None);
    assert!(!checked(&withdrawn).account_enabled);
    let in_class = StudentForm { class_id: Some(1), ..withdrawn };
    assert_eq!(told(in_class), at("classId", "退学的学生不在班级中，请不要填写班级"));
    let reported = StudentForm { source: Some(StudentSource::Report), ..form() };
    assert_eq!(told(reported).0, "source");
}

#[test]
fn the_account_of_a_graduate_stays_open_for_a_while() {
    assert!(graduate("2026-01-10").account_enabled);
    // 180 days before 2026-05-20 is 2025-11-21.
    assert!(graduate("2025-11-21").account_enabled);
    assert!(!graduate("2025-11-20").account_enabled);
    assert!(!account_enabled(StudentStatus::Completed, None, 180, today()));
}

#[test]
fn a_masked_phone_cannot_be_entered() {
    let mut masked = form();
    masked.free.phone = Some("138****0001".to_owned());
    assert_eq!(told(masked), at("phone", "手机不完整，请填写完整内容"));
    let mut masked = form();
    masked.free.email = Some("z***@example.com".to_owned());
    assert_eq!(told(masked), at("email", "邮箱不完整，请填写完整内容"));
}

#[test]
fn a_score_has_one_place() {
    let scored = |score| StudentForm { free: FreeFields { total_score: Some(score), ..form().free }, ..form() };
    for score in [0.0, 187.3, 187.5, 450.0, 999.9] {
        assert!(check(&scored(score), &known(), &Scope::whole_school(), today()).is_ok(), "{score}");
    }
    assert_eq!(told(scored(187.55)), at("totalScore", "入学总分最多一位小数"));
}

#[test]
fn somebody_active_is_named_by_number() {
    assert_eq!(active_already(Some("26304120070023")), "该人员为在籍学生（26304120070023），不能重复建档");
    assert_eq!(active_already(None), "该人员为在籍学生（学号未生成），不能重复建档");
}
