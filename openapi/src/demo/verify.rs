//! Whether what `fill` promises stands: as many rows as it writes, and each case that a list must be able to show.

mod site;

use infra::{App, Error, ReadTx, Result, directory, tx};
use people::id_card;
use schools::demo::{self as mark, Filled};
use units::demo::{EVERY_CASE, sites_for};

use super::STAFF;

/// Of a school with fewer sites not every state of a plan fits.
const FOR_EACH_PLAN: usize = 4;

/// Answers what is missing, a sentence each; nothing when all stands.
///
/// # Errors
/// Only internal ones, and 409 for a real school.
pub async fn verify(app: &App, code: &str) -> Result<Vec<String>> {
    let Some(id) = mark::of_code(app, code).await? else {
        return Ok(vec![format!("没有代码为{code}的演示院校")]);
    };
    let place = app.school(id).await?.ok_or_else(Error::not_found)?;
    let mut tx = tx::at_the_server_read_in(app, &place).await?;
    let Some(filled) = mark::filled(&mut tx).await? else {
        return Ok(vec!["尚未写入演示数据".to_owned()]);
    };
    let mut missing = counted(&mut tx, &filled).await?;
    missing.extend(cases(&mut tx, &filled).await?);
    missing.extend(teaching(&mut tx, &filled).await?);
    missing.extend(examined(&mut tx, &filled).await?);
    missing.extend(summed(&mut tx, &filled).await?);
    missing.extend(numbers(&mut tx).await?);
    drop(tx);
    missing.extend(accounts(app, &place).await?);
    missing.extend(operators(app).await?);
    Ok(missing)
}

fn fewer(what: &str, found: i64, wanted: i64) -> Option<String> {
    (found < wanted).then(|| format!("{what}应为{wanted}，实际为{found}"))
}

async fn counted(tx: &mut ReadTx, filled: &Filled) -> Result<Vec<String>> {
    let found = sqlx::query!(
        r#"select (select count(*) from student where email ~ '^s[0-9]+@student[.]invalid$') as "students!",
                  (select count(*) from grade) as "grades!", (select count(*) from level) as "levels!",
                  (select count(*) from semester where current) as "semesters!", (select count(*) from site) as "sites!",
                  (select count(*) from classroom) as "classrooms!", (select count(*) from teacher) as "teachers!",
                  (select count(*) from site_staff) as "staff!", (select count(*) from class_manager) as "managers!",
                  (select count(*) from class) as "classes!",
                  (select count(*) from course) as "courses!", (select count(*) from course_record) as "records!",
                  (select count(*) from question_bank) as "banks!",
                  (select count(*) from question where parent_id is null) as "questions!",
                  (select count(*) from paper) as "papers!", (select count(*) from paper_rule) as "rules!",
                  (select count(*) from teaching_plan) as "plans!", (select count(*) from course_opening) as "openings!",
                  (select count(*) from pre_registration_batch) as "batches!",
                  (select count(*) from enrollment_batch) as "recruitments!",
                  (select count(*) from pre_registration) as "applicants!", (select count(*) from msg) as "messages!",
                  (select count(*) from support_article) as "help!", (select count(*) from support_question) as "asked!""#
    )
    .fetch_one(&mut **tx)
    .await?;
    let sites = i64::try_from(sites_for(filled.students)).unwrap_or(i64::MAX);
    let teachers = i64::try_from(people::demo::teachers_for(filled.students)).unwrap_or(i64::MAX);
    let students = i64::try_from(filled.students).unwrap_or(i64::MAX);
    let applicants = 2 * i64::try_from(recruitment::demo::people_for(filled.students)).unwrap_or(i64::MAX);
    let expected = [
        ("学生", found.students, students),
        ("年级", found.grades, i64::from(filled.years)),
        ("层次", found.levels, 3),
        ("当前学期", found.semesters, 1),
        ("教学站点", found.sites, sites),
        ("教室", found.classrooms, 4 * sites),
        ("教师", found.teachers, teachers),
        ("站点人员", found.staff, 3 * sites),
        ("班主任", found.managers, people::demo::managers_for(found.classes)),
        ("课程", found.courses, 300),
        ("录播课程", found.records, 12),
        ("题库", found.banks, question_bank::demo::BANKS),
        ("试题", found.questions, question_bank::demo::QUESTIONS),
        ("试卷", found.papers, papers::demo::PAPERS),
        ("组卷策略", found.rules, papers::demo::RULES),
        ("教学计划", found.plans, teaching_plan::demo::plans_for(filled.years)),
        ("开课", found.openings, course_opening::demo::openings_for(filled.years)),
        ("预报名批次", found.batches, 2),
        ("招生批次", found.recruitments, enrolment::demo::batches_for(filled.years)),
        ("预报名人员", found.applicants, applicants),
        ("消息", found.messages, 1),
        ("帮助文章", found.help, support::demo::ARTICLES_OF_SCHOOL),
        ("咨询", found.asked, support::demo::questions_for(students)),
    ];
    Ok(expected.into_iter().filter_map(|(what, found, wanted)| fewer(what, found, wanted)).collect())
}

/// The same of what is taught; of a single grade nothing is over yet, and it has no electives.
async fn teaching(tx: &mut ReadTx, filled: &Filled) -> Result<Vec<String>> {
    if filled.students < EVERY_CASE || filled.years < 2 {
        return Ok(Vec::new());
    }
    let missing = sqlx::query_scalar!(
        r#"select c.what as "what!" from (values
             ('待开课的开课', exists (select from course_opening where status = 'draft')),
             ('已开课的开课', exists (select from course_opening where status = 'opened')),
             ('已结课的开课', exists (select from course_opening where status = 'closed')),
             ('已取消的开课', exists (select from course_opening where status = 'cancelled')),
             ('重修班', exists (select from course_opening where kind = 'retake')),
             ('选课规则', exists (select from selection_rule where need_audit)),
             ('全部班级的主讲', exists (select from course_allocation where role = 'lecturer' and class_id is null)),
             ('一个班级的主讲', exists (select from course_allocation where role = 'lecturer' and class_id is not null)),
             ('批阅教师', exists (select from course_allocation where role = 'marker')),
             ('待审核的选课', exists (select from course_selection where status = 'pending')),
             ('已选的选课', exists (select from course_selection where status = 'selected')),
             ('已退选的选课', exists (select from course_selection where status = 'dropped')),
             ('免修的选课', exists (select from course_selection where status = 'exempted')),
             ('已完成的选课', exists (select from course_selection where status = 'completed')),
             ('第二次修读的选课', exists (select from course_selection where attempt_no > 1)),
             ('一页以上的选课', (select count(*) > 500 from course_selection)),
             ('草稿的排课', exists (select from course_arrange where status = 'draft')),
             ('已发布的排课', exists (select from course_arrange where status = 'published')),
             ('已取消的排课', exists (select from course_arrange where status = 'cancelled')),
             ('实验课的排课', exists (select from course_arrange where kind = 'lab')),
             ('停课的课次', exists (select from course_arrange_session s join course_arrange a on a.id = s.arrange_id
                              where s.status = 'cancelled' and a.status = 'published')),
             ('调课的课次', exists (select from course_arrange_session where moved_from_id is not null)),
             ('站点自己的节次', exists (select from lesson_period where site_id is not null)),
             ('不可用时间', exists (select from resource_occupation where source_type = 'blocked')),
             ('出勤的考勤', exists (select from instruction_attendance where result = 'present')),
             ('迟到的考勤', exists (select from instruction_attendance where result = 'late')),
             ('请假的考勤', exists (select from instruction_attendance where result = 'leave')),
             ('缺勤的考勤', exists (select from instruction_attendance where result = 'absent')),
             ('录入中的面授成绩', exists (select from instruction_score where status = 'draft')),
             ('已提交的面授成绩', exists (select from instruction_score where status = 'submitted')),
             ('已确认的面授成绩', exists (select from instruction_score where status = 'confirmed')),
             ('设置了在线教学的开课', exists (select from online_teaching)),
             ('已完成的学习进度', exists (select from study_course_progress where finished_at is not null)),
             ('学习中的学习进度', exists (select from study_course_progress where progress > 0 and finished_at is null)),
             ('导入的学习进度', exists (select from study_course_progress where imported_progress is not null)),
             ('有未计入秒数的学习会话', exists (select from study_session where rejected_seconds > 0)),
             ('因其他设备结束的学习会话', exists (select from study_session where end_reason = 'other_device')),
             ('长时间无响应的学习会话', exists (select from study_session where end_reason = 'silent')),
             ('督促过的学生', exists (select from study_reminder)),
             ('教师回复的答疑', exists (select from course_qa_reply where by_kind = 'teacher')),
             ('待回复的答疑', exists (select from course_qa q where not exists (select from course_qa_reply r where r.qa_id = q.id))),
             ('优质的答疑', exists (select from course_qa where excellent)),
             ('草稿的作业', exists (select from homework where status = 'draft')),
             ('已发布的作业', exists (select from homework where status = 'published')),
             ('已截止的作业', exists (select from homework where status = 'closed')),
             ('已撤回的作业', exists (select from homework where status = 'withdrawn')),
             ('附件作业', exists (select from homework where kind = 'upload')),
             ('章节测验', exists (select from homework where purpose = 'chapter_test')),
             ('未作答的学生作业', exists (select from homework_student where state = 'not_started')),
             ('作答中的学生作业', exists (select from homework_student where state = 'in_progress')),
             ('待批阅的学生作业', exists (select from homework_student where state = 'submitted')),
             ('已批阅的学生作业', exists (select from homework_student where state = 'marked')),
             ('已退回的学生作业', exists (select from homework_student where state = 'returned')),
             ('缺交的学生作业', exists (select from homework_student where state = 'missed')),
             ('免做的学生作业', exists (select from homework_student where state = 'exempt')),
             ('作废的学生作业', exists (select from homework_student where state = 'void')),
             ('第二次作答', exists (select from answer_sheet where attempt_no > 1)),
             ('相似的答卷', exists (select from answer_similarity)),
             ('作业成绩', exists (select from homework_result where score is not null)),
             ('隐藏的答疑', exists (select from course_qa where hidden))
           ) as c (what, is_there) where not c.is_there"#
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(missing.into_iter().map(|what| format!("缺少{what}")).collect())
}

/// What is examined, and who finishes: of three grades, and of these the oldest only where its theses are over.
async fn examined(tx: &mut ReadTx, filled: &Filled) -> Result<Vec<String>> {
    if filled.students < EVERY_CASE || filled.years < 3 {
        return Ok(Vec::new());
    }
    let finishes = sqlx::query_scalar!(
        r#"select exists (select from course_selection c join course u on u.id = c.course_id and u.kind = 'thesis'
                          where c.status = 'completed') as "finishes!""#
    )
    .fetch_one(&mut **tx)
    .await?;
    let missing = sqlx::query_scalar!(
        r#"select c.what as "what!" from (values
             ('考场', exists (select from exam_room)),
             ('已结束的考试批次', exists (select from test_batch where status = 'closed')),
             ('已结束的考试场次', exists (select from offline_session where status = 'finished')),
             ('座位已确认的考试场次', exists (select from offline_session where status = 'confirmed')),
             ('已编排的考试场次', exists (select from offline_session where status = 'seated')),
             ('未编排的考试场次', exists (select from offline_session where status = 'draft')),
             ('准考证', exists (select from exam_ticket)),
             ('监考安排', exists (select from invigilation)),
             ('已登记的考场情况', exists (select from offline_room_record where status = 'recorded')),
             ('已确认的考场情况', exists (select from offline_room_record where status = 'confirmed')),
             ('草稿的线下考试', exists (select from exam_setup where mode = 'offline' and status = 'draft')),
             ('待审核的线下考试', exists (select from exam_setup where mode = 'offline' and status = 'submitted')),
             ('已审核的线下考试', exists (select from exam_setup where mode = 'offline' and status = 'approved')),
             ('已发布的线下考试', exists (select from exam_setup where mode = 'offline' and status = 'published')),
             ('已结束的线下考试', exists (select from exam_setup where mode = 'offline' and status = 'closed')),
             ('已取消的线下考试', exists (select from exam_setup where mode = 'offline' and status = 'cancelled')),
             ('进行中的在线考试', exists (select from exam_setup where mode = 'online' and status = 'published')),
             ('阅卷中的在线考试', exists (select from exam_setup where mode = 'online' and marking_status = 'marking')),
             ('已转入成绩的在线考试', exists (select from exam_setup where mode = 'online' and marking_status = 'transferred')),
             ('作答中的考试答卷', exists (select from answer_sheet where exam_candidate_id is not null and mark_state = 'in_progress')),
             ('待阅的考试答卷', exists (select from answer_sheet where exam_candidate_id is not null and mark_state = 'submitted')),
             ('已阅的考试答卷', exists (select from answer_sheet where exam_candidate_id is not null and mark_state = 'marked')),
             ('阅卷教师', exists (select from exam_marker)),
             ('待审核的缓考', exists (select from exam_deferral where status = 'applied')),
             ('已批准的缓考', exists (select from exam_deferral where status = 'approved')),
             ('已使用的缓考', exists (select from exam_deferral where status = 'used')),
             ('待认定的违规', exists (select from exam_violation where status = 'reported')),
             ('已认定的违规', exists (select from exam_violation where status = 'confirmed')),
             ('待录入的成绩登记表', exists (select from score_sheet where status = 'pending')),
             ('录入中的成绩登记表', exists (select from score_sheet where status = 'entering')),
             ('待初审的成绩登记表', exists (select from score_sheet where status = 'submitted')),
             ('待终审的成绩登记表', exists (select from score_sheet where status = 'first_reviewed')),
             ('待发布的成绩登记表', exists (select from score_sheet where status = 'reviewed')),
             ('已发布的成绩登记表', exists (select from score_sheet where status = 'published')),
             ('已锁定的成绩登记表', exists (select from score_sheet where status = 'locked')),
             ('已退回的成绩登记表', exists (select from score_sheet where status = 'returned')),
             ('待审核的成绩更正', exists (select from score_correction where status = 'applied')),
             ('已通过的成绩更正', exists (select from score_correction where status = 'approved')),
             ('不及格的已锁定成绩', exists (select from course_score where status = 'locked' and not passed)),
             ('论文计划', exists (select from thesis_plan)),
             ('答辩中的论文', exists (select from thesis where stage = 'defense')),
             -- Who reviews and hears a thesis does not advise it: a few teachers are not enough.
             ('待审核的毕业成绩', exists (select from graduation_score where status = 'submitted')
                                  or (select count(*) < 10 from teacher where status = 'active')),
             ('已锁定的毕业成绩', not $1::boolean or exists (select from graduation_score where status = 'locked')),
             ('已通过的实习', exists (select from internship where status = 'passed')),
             ('符合毕业条件的毕业生', not $1::boolean or exists (select from graduation_user where status = 'site_checked' and audit_result = 'passed')),
             ('不符合毕业条件的毕业生', exists (select from graduation_user where status = 'site_checked' and audit_result = 'failed')),
             ('已终审的毕业生', exists (select from graduation_user where status = 'decided')),
             ('已授予的学位申请', not $1::boolean or exists (select from degree_application where status = 'awarded')),
             ('毕业的学生', not $1::boolean or exists (select from student where status = 'graduated')),
             ('审核中的毕业批次', exists (select from graduation_batch where status = 'auditing')),
             ('已确认的毕业批次', not $1::boolean or exists (select from graduation_batch where status = 'confirmed')),
             ('毕业证书', not $1::boolean or exists (select from certificate where kind = 'graduation')),
             ('结业证书', not $1::boolean or exists (select from certificate where kind = 'completion')),
             ('学位证书', not $1::boolean or exists (select from certificate where kind = 'degree')),
             ('已发放的证书', not $1::boolean or exists (select from certificate where status = 'issued')),
             ('已编号的证书', not $1::boolean or exists (select from certificate where status = 'allocated')),
             ('已打印的证书', not $1::boolean or exists (select from certificate where status = 'printed')),
             ('已作废的证书', not $1::boolean or exists (select from certificate where status = 'voided')),
             ('收集中的毕业档案', not $1::boolean or exists (select from archive where status = 'collecting')),
             ('齐全的毕业档案', not $1::boolean or exists (select from archive where status = 'complete')),
             ('已归档的毕业档案', not $1::boolean or exists (select from archive where status = 'sealed')),
             ('已移交的毕业档案', not $1::boolean or exists (select from archive where status = 'handed_over')),
             ('处分', exists (select from student_discipline)),
             ('校外考试成绩', exists (select from external_exam_score))
           ) as c (what, is_there) where not c.is_there"#,
        finishes
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(missing.into_iter().map(|what| format!("缺少{what}")).collect())
}

/// What statistics tell of people, courses and visitors.
async fn summed(tx: &mut ReadTx, filled: &Filled) -> Result<Vec<String>> {
    if filled.students < EVERY_CASE {
        return Ok(Vec::new());
    }
    let missing = sqlx::query_scalar!(
        r#"select c.what as "what!" from (values
             ('客户端登录', exists (select from client_login)),
             ('从未登录的学生', exists (select from student s where s.active and not exists (
                                    select from client_login l where l.owner_kind = 'student' and l.owner_id = s.id))),
             ('启用的推广链接', exists (select from promotion_link where enabled)),
             ('停用的推广链接', exists (select from promotion_link where not enabled)),
             ('站点的推广链接', exists (select from promotion_link where site_id is not null)),
             ('访问统计', exists (select from visit_day where link_id <> 0)),
             ('登录统计', exists (select from stat_login_day)),
             ('开课统计', exists (select from stat_opening_class)),
             ('学校每日统计', (select count(*) > 30 from stat_school_day)),
             ('没有待汇总的变动', not exists (select from stat_dirty)),
             ('督学规则', exists (select from supervise_rule where enabled)),
             ('待处理的督学案例', exists (select from supervise_case where status = 'open')),
             ('跟进中的督学案例', exists (select from supervise_case where status = 'following')),
             ('已关闭的督学案例', exists (select from supervise_case where status = 'closed')),
             ('忽略的督学预警', exists (select from supervise_flag where muted)),
             ('人工关注的学生', exists (select from supervise_flag where kind = 'manual')),
             ('督学联系记录', exists (select from supervise_contact)),
             ('督学提醒记录', exists (select from supervise_remind)),
             ('督学每日数据', (select count(distinct date) > 10 from supervise_day))
           ) as c (what, is_there) where not c.is_there"#
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(missing.into_iter().map(|what| format!("缺少{what}")).collect())
}

/// Every state that a list shows occurs.
async fn cases(tx: &mut ReadTx, filled: &Filled) -> Result<Vec<String>> {
    if filled.students < EVERY_CASE {
        return Ok(Vec::new());
    }
    let missing = sqlx::query_scalar!(
        r#"select c.what as "what!" from (values
             ('学籍状态为在籍的学生', exists (select from student where status = 'registered')),
             ('学籍状态为待注册的学生', exists (select from student where status = 'pending_registration')),
             ('学籍状态为休学的学生', exists (select from student where status = 'suspended')),
             ('学籍状态为退学的学生', exists (select from student where status = 'withdrawn')),
             ('持港澳台居民居住证的学生', exists (select from student where id_card_type = 'hmt_residence')),
             ('持护照的学生', exists (select from student where id_card_type = 'passport')),
             ('有学生的停招站点', exists (select from site s join student t on t.site_id = s.id where s.status = 'suspended' and t.active)),
             ('只有离校学生的撤销站点', exists (select from site s where s.status = 'closed'
                 and exists (select from student t where t.site_id = s.id)
                 and not exists (select from student t where t.site_id = s.id and t.active))),
             ('停用的教师', exists (select from teacher where status = 'disabled')),
             ('离职的教师', exists (select from teacher where status = 'left')),
             ('停用的站点人员', exists (select from site_staff where status = 'disabled')),
             ('离职的站点人员', exists (select from site_staff where status = 'left')),
             ('停用的班主任', exists (select from class_manager where status = 'disabled')),
             ('离职的班主任', exists (select from class_manager where status = 'left')),
             ('草稿的帮助文章', exists (select from support_article where status = 'draft')),
             ('定时发布的帮助文章', exists (select from support_article where publish_at is not null)),
             ('已发布的帮助文章', exists (select from support_article where status = 'published')),
             ('有未发布修改的帮助文章', exists (select from support_article where status = 'published' and changed)),
             ('已下线的帮助文章', exists (select from support_article where status = 'offline')),
             ('无结果的帮助搜索', exists (select from support_search_miss)),
             ('待回复的咨询', exists (select from support_question where status = 'waiting')),
             ('待审的咨询', exists (select from support_question where pending_review)),
             ('已回复的咨询', exists (select from support_question where status = 'replied')),
             ('已关闭的咨询', exists (select from support_question where status = 'closed')),
             ('不满意的咨询', exists (select from support_question where not satisfied)),
             ('草稿状态的试题', exists (select from question where status = 'draft')),
             ('待审核的试题', exists (select from question where status = 'pending_review')),
             ('停用的试题', exists (select from question where status = 'disabled')),
             ('已退回的试题', exists (select from question where status = 'rejected')),
             ('待审核的试卷', exists (select from paper where status = 'pending_review')),
             ('已通过的试卷', exists (select from paper where status = 'approved')),
             ('草稿状态的教学计划', exists (select from teaching_plan where status = 'draft')),
             ('待审核的教学计划', exists (select from teaching_plan where status = 'submitted')),
             ('已退回的教学计划', exists (select from teaching_plan where status = 'rejected')),
             ('生效的教学计划', exists (select from teaching_plan where status = 'effective')),
             ('已被替代的教学计划', exists (select from teaching_plan where status = 'superseded')),
             ('作废的教学计划', exists (select from teaching_plan where status = 'withdrawn')),
             ('待审核的预报名', exists (select from pre_registration where status = 'pending')),
             ('已退回的预报名', exists (select from pre_registration where status = 'returned')),
             ('已通过的预报名', exists (select from pre_registration where status = 'approved')),
             ('未通过的预报名', exists (select from pre_registration where status = 'rejected')),
             ('已取消的预报名', exists (select from pre_registration where status = 'cancelled')),
             ('已网报的预报名', exists (select from pre_registration where exam_status = 'registered')),
             ('已录取的预报名', exists (select from pre_registration where exam_status = 'admitted')),
             ('未录取的预报名', exists (select from pre_registration where exam_status = 'not_admitted')),
             ('已备案的专业申报', exists (select from forecast_major where status = 'filed')),
             ('已提交的专业申报', exists (select from forecast_major where status = 'submitted')),
             ('草稿状态的专业申报', exists (select from forecast_major where status = 'draft')),
             ('未通过的专业申报', exists (select from forecast_major where status = 'rejected')),
             ('待站点的信息更正', exists (select from student_correction where status = 'pending_site')),
             ('待学校的信息更正', exists (select from student_correction where status = 'pending_school')),
             ('待省厅的信息更正', exists (select from student_correction where status = 'pending_province')),
             ('已更正的信息更正', exists (select from student_correction where status = 'approved')),
             ('不通过的信息更正', exists (select from student_correction where status = 'rejected')),
             ('已取消的信息更正', exists (select from student_correction where status = 'cancelled')),
             ('草稿状态的学籍异动', exists (select from student_change where status = 'draft')),
             ('待站点审核的学籍异动', exists (select from student_change where status = 'pending_site')),
             ('待接收站点的学籍异动', exists (select from student_change where status = 'pending_target_site')),
             ('待学校审批的学籍异动', exists (select from student_change where status = 'pending_school')),
             ('已批准待生效的学籍异动', exists (select from student_change where status = 'approved')),
             ('已生效的学籍异动', exists (select from student_change where status = 'executed')),
             ('不批准的学籍异动', exists (select from student_change where status = 'rejected')),
             ('已撤回的学籍异动', exists (select from student_change where status = 'cancelled')),
             ('已撤销的学籍异动', exists (select from student_change where status = 'revoked')),
             ('早已生效的转专业', not $2::boolean or exists (select from student_change
                 where type = 'professional' and status = 'executed')),
             ('早已生效的转班', not $2 or exists (select from student_change where type = 'class_change' and status = 'executed')),
             ('早已生效的复学', not $2 or exists (select from student_change where type = 'return' and status = 'executed')),
             ('未提交的学籍注册信息', exists (select from student_information where kind = 'admission_information' and status = 'not_submitted')),
             ('待审核的学籍注册信息', exists (select from student_information where kind = 'admission_information' and status = 'submitted')),
             ('已通过的学籍注册信息', exists (select from student_information where kind = 'admission_information' and status = 'approved')),
             ('已退回的学籍注册信息', exists (select from student_information where kind = 'admission_information' and status = 'returned')),
             ('未提交的入学资格审查', exists (select from student_information where kind = 'admission_commitment' and status = 'not_submitted')),
             ('待审核的入学资格审查', exists (select from student_information where kind = 'admission_commitment' and status = 'submitted')),
             ('已通过的入学资格审查', exists (select from student_information where kind = 'admission_commitment' and status = 'approved')),
             ('已退回的入学资格审查', exists (select from student_information where kind = 'admission_commitment' and status = 'returned')),
             ('未提交的毕业登记', exists (select from student_information where kind = 'graduation_information' and status = 'not_submitted')),
             ('待审核的毕业登记', exists (select from student_information where kind = 'graduation_information' and status = 'submitted')),
             ('已通过的毕业登记', exists (select from student_information where kind = 'graduation_information' and status = 'approved')),
             ('已退回的毕业登记', exists (select from student_information where kind = 'graduation_information' and status = 'returned')),
             ('核对不符的学籍注册信息', exists (select from student_information where mismatches > 0)),
             ('结论为合格的入学资格审查', exists (select from student_information where conclusion = 'qualified')),
             ('结论为不合格的入学资格审查', exists (select from student_information where conclusion = 'unqualified')),
             ('待补材料的入学资格审查', exists (select from student_information where conclusion = 'supplement')),
             ('不需要清查的入学资格审查', exists (select from student_information where chsi_pre_check = 'not_required')),
             ('未查的入学资格审查', exists (select from student_information where chsi_pre_check = 'pending')),
             ('清查通过的入学资格审查', exists (select from student_information where chsi_pre_check = 'passed')),
             ('待清查的入学资格审查', exists (select from student_information where chsi_pre_check = 'to_check')),
             ('清查未通过的入学资格审查', exists (select from student_information where chsi_pre_check = 'failed')),
             ('未比对照片的毕业登记', exists (select from student_information where photo_check = 'pending')),
             ('三照不一致的毕业登记', exists (select from student_information where photo_check = 'different')),
             ('启用的采集设置', exists (select from information_window where enabled)),
             ('待审核的站点招生', exists (select from site_enrollment where status = 'submitted')),
             ('草稿状态的站点招生', not $1::boolean or exists (select from site_enrollment where status = 'draft')),
             ('已退回的站点招生', not $1 or exists (select from site_enrollment where status = 'rejected')),
             ('招满的招生专业', exists (select from enrollment_major e where e.quota = (
                 select sum(n.quota_approved) from site_enrollment_line n where n.enrollment_major_id = e.id))),
             ('待分配的录取数据', exists (select from admission where status = 'imported')),
             ('待审核的录取数据', exists (select from admission where status = 'assigned')),
             ('已注销的录取数据', exists (select from admission where status = 'cancelled')),
             ('有冲突的录取数据', exists (select from admission where match_status = 'conflict')),
             ('未匹配的录取数据', exists (select from admission where match_status = 'unmatched')),
             ('证件号校验未通过的录取数据', exists (select from admission where 'id_checksum' = any(issues))),
             ('姓名不一致的录取数据', exists (select from admission where 'name_differs' = any(issues))),
             ('站点无法使用的录取数据', exists (select from admission where 'site_missing' = any(issues))),
             ('在籍学生的录取数据', exists (select from admission where 'active_student' = any(issues))),
             ('超计划的录取数据', exists (select from admission where 'over_quota' = any(issues))),
             ('已审核的录取数据', exists (select from admission where status = 'audited')),
             ('待报到的人员', exists (select from registration where status = 'pending')),
             ('已报到的人员', exists (select from registration r join student s on s.id = r.student_id
                 where r.status = 'reported' and s.registration_id = r.id)),
             ('保留入学资格的人员', exists (select from registration where status = 'reserved')),
             ('放弃入学资格的人员', exists (select from registration where status = 'abandoned')),
             ('逾期未报到的人员', exists (select from registration where status = 'no_show')),
             ('取消入学资格的人员', exists (select from registration where status = 'revoked')),
             ('未缴费的待报到人员', exists (select from registration where status = 'pending' and not fee_paid)),
             ('未发布的录播课程', exists (select from course_record where status = 'draft')),
             ('转码中的视频', exists (select from media_asset where state = 'processing')),
             ('停用的专业', exists (select from major where not enabled)),
             ('学生超过容量的教学站点', exists (select from site s where s.capacity < (select count(*) from student t where t.site_id = s.id)))
           ) as c (what, is_there) where not c.is_there"#,
        sites_for(filled.students) >= FOR_EACH_PLAN,
        filled.years > 1
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(missing.into_iter().map(|what| format!("缺少{what}")).collect())
}

/// No number can be a person's, and each agrees with birthday, sex and check digit.
async fn numbers(tx: &mut ReadTx) -> Result<Vec<String>> {
    let people = sqlx::query!(
        "select id_card_no, gender, birthday from student
         where email ~ '^s[0-9]+@student[.]invalid$' and id_card_type in ('resident_id', 'hmt_residence')"
    )
    .fetch_all(&mut **tx)
    .await?;
    let wrong = people.iter().filter(|person| {
        let number = &person.id_card_no;
        let birthday = person.birthday.map(|day| day.format("%Y%m%d").to_string()).unwrap_or_default();
        let is_female = number.as_bytes().get(16).is_some_and(|digit| (digit - b'0').is_multiple_of(2));
        number.get(2..6) != Some("9900")
            || number.get(6..14) != Some(birthday.as_str())
            || person.gender.as_deref() != Some(if is_female { "female" } else { "male" })
            || number.get(..17).is_none_or(|head| !number.ends_with(id_card::check_digit(head)))
    });
    let others = sqlx::query_scalar!(
        r#"select count(*) as "count!" from student
           where email ~ '^s[0-9]+@student[.]invalid$' and id_card_type = 'passport' and id_card_no !~ '^DEMO[0-9]{7}$'"#
    )
    .fetch_one(&mut **tx)
    .await?;
    match wrong.count() + usize::try_from(others).unwrap_or(usize::MAX) {
        0 => Ok(Vec::new()),
        count => Ok(vec![format!("{count}名学生的证件号码不符合演示数据的规则")]),
    }
}

async fn accounts(app: &App, place: &directory::School) -> Result<Vec<String>> {
    let noted = mark::noted(app, "sys_user", Some(place.id)).await?;
    let found = there(app, &noted).await?;
    Ok(fewer("院校账号", found, STAFF.len() as i64 + 1).into_iter().collect())
}

/// Those that were made; a school may be filled without them.
async fn operators(app: &App) -> Result<Vec<String>> {
    let noted = mark::noted(app, "sys_user", None).await?;
    let found = there(app, &noted).await?;
    let accounts = fewer("平台账号", found, noted.len() as i64);
    let (navs, zones) = (mark::noted(app, "nav_bar", None).await?, mark::noted(app, "zone", None).await?);
    let there = sqlx::query!(
        r#"select (select count(*) from platform.nav_bar where id = any($1)) as "navs!",
                  (select count(*) from platform.zone where id = any($2)) as "zones!""#,
        &navs,
        &zones
    )
    .fetch_one(&mut *app.platform_read().await?)
    .await?;
    let heads = fewer("网站头部导航", there.navs, navs.len() as i64);
    let shelves = fewer("首页专区", there.zones, zones.len() as i64);
    let accounts = accounts.into_iter().chain(site::customers(app).await?).chain(site::written(app).await?);
    Ok(accounts.chain(heads).chain(shelves).collect())
}

async fn there(app: &App, accounts: &[i64]) -> Result<i64> {
    let mut tx = app.platform_read().await?;
    let found =
        sqlx::query_scalar!(r#"select count(*) as "found!" from platform.sys_user where id = any($1)"#, accounts)
            .fetch_one(&mut *tx)
            .await?;
    Ok(found)
}
