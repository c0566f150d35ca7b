//! The checks C2–C8: whether a student may be changed so, and how they would stand then (02 §10). C1, the window, is asked
//! where an application comes in ([`super::form`]).
//!
//! The same look is taken when somebody tries, when it is sent in, when it is decided and on the day of its effect; nothing is
//! locked by it. A seat in a class is taken by [`student_status::student::transfer::execute`] alone.

use chrono::NaiveDate;
use infra::{FieldError, Result, Scope, naming::is_switched_off};
use serde_json::Value;
use sqlx::PgConnection;
use status_change_rules::settings::{HIERARCHICAL_PAIRS, PROFESSIONAL_DEADLINE_MONTHS, SUSPENSION_MAX_MONTHS, is_pair};
use student_status::{
    enums::{ExamCategory, StudentStatus, StudyForm},
    student::{
        Student,
        check::place_differs,
        transfer::{Effect, Placement},
    },
};
use term::EntryLevel;

use super::{ChangeReason, form::ChangeTarget, rules};
use crate::ChangeType;

/// Told of a class that lies beyond the scope.
const NOT_TO_BE_CHOSEN: &str = "所选班级不可选";

/// What is asked for.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    pub(super) kind: ChangeType,
    pub(super) target: ChangeTarget,
    pub(super) reason_code: Option<ChangeReason>,
    pub(super) suspend_from: Option<NaiveDate>,
    pub(super) suspend_months: Option<i32>,
}

/// The settings that the checks go by, read once for many changes.
#[derive(Debug)]
pub(super) struct Settings {
    deadline_months: i64,
    pairs: Value,
    most_months: i64,
}

impl Settings {
    /// # Errors
    /// Those of the database.
    pub(super) async fn of_school(connection: &mut PgConnection) -> Result<Self> {
        Ok(Self {
            deadline_months: PROFESSIONAL_DEADLINE_MONTHS.number(connection).await?,
            pairs: HIERARCHICAL_PAIRS.value(connection).await?,
            most_months: SUSPENSION_MAX_MONTHS.number(connection).await?,
        })
    }
}

/// When, by whom, and beside which change it is looked at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Circumstances<'a> {
    /// The day by which deadlines are measured: that on which it was sent in.
    pub(super) on: NaiveDate,
    /// 科类 is not asked for.
    pub(super) waived: bool,
    /// The change itself, which is none of the others.
    pub(super) but: Option<i64>,
    /// Whom the figures of a class are told that lies in it; everybody where there is none.
    pub(super) told_to: Option<&'a Scope>,
    /// As they were read for many changes; none: what is needed is read.
    pub(super) settings: Option<&'a Settings>,
}

/// How a student would stand.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Planned {
    pub(super) effect: Effect,
    pub(super) after: Placement,
    /// Of a suspension.
    pub(super) suspend_until: Option<NaiveDate>,
    /// Of a suspension, or of the one that a return ends.
    pub(super) months: Option<i32>,
}

/// What a look has found.
#[derive(Debug, Default)]
pub(super) struct Looked {
    /// What is not filled in, or names nothing.
    pub(super) wrong: Vec<FieldError>,
    /// Why it may not be.
    pub(super) reasons: Vec<String>,
    /// Whether something stood in the way that was waived.
    pub(super) waived: bool,
    /// None where what is wrong leaves nothing to plan.
    pub(super) planned: Option<Planned>,
}

impl Looked {
    fn at(&mut self, field: &str, message: impl Into<String>) {
        self.wrong.push(FieldError { field: field.to_owned(), message: message.into() });
    }

    fn refuse(&mut self, why: impl Into<String>) {
        self.reasons.push(why.into());
    }

    fn unless(&mut self, allowed: Result<(), String>) {
        self.reasons.extend(allowed.err());
    }
}

/// Looks at everything that 02 §10 asks of a student and a type, but for the window.
///
/// # Errors
/// Those of the database; what is found is no error.
pub(super) async fn look(
    connection: &mut PgConnection,
    student: &Student,
    asked: &Asked,
    circumstances: Circumstances<'_>,
) -> Result<Looked> {
    let mut looked = Looked::default();
    let others = sqlx::query!(
        r#"select (select change_no from student_change
                   where student_id = $1 and id is distinct from $2
                     and status in ('draft', 'pending_site', 'pending_target_site', 'pending_school', 'approved')) as change_no,
                  exists (select from student_correction
                          where student_id = $1 and status in ('pending_site', 'pending_school', 'pending_province'))
                      as "correction!",
                  exists (select from graduation_user
                          where student_id = $1 and status in ('listed', 'site_checked', 'decided')) as "graduation!""#,
        student.id,
        circumstances.but
    )
    .fetch_one(&mut *connection)
    .await?;
    // C2.
    if let Some(other) = others.change_no {
        looked.refuse(format!("该生有未完成的异动{other}"));
    }
    // C3.
    looked.unless(rules::status_allows(asked.kind, student.status));
    // C4.
    if others.graduation {
        looked.refuse("该生已进入毕业审核");
    }
    // C5.
    if others.correction {
        looked.refuse("该生有未完成的信息更正");
    }
    reason_fits(student, asked, &mut looked);
    looked.planned = match asked.kind {
        ChangeType::Professional | ChangeType::Hierarchical => {
            another_major(connection, student, asked, circumstances, &mut looked).await?
        }
        ChangeType::ClassChange => another_class(connection, student, asked, circumstances, &mut looked).await?,
        ChangeType::Suspension => suspension(connection, student, asked, circumstances, &mut looked).await?,
        ChangeType::Return => back(connection, student, asked, circumstances, &mut looked).await?,
        ChangeType::Dropout => {
            let reason = asked.reason_code.and_then(ChangeReason::of_withdrawal);
            reason.map(|reason| leaving(student, Effect::Dropout(reason)))
        }
        ChangeType::TransferOut => Some(leaving(student, Effect::TransferOut)),
    };
    Ok(looked)
}

/// The code of the reason belongs to the type; who is beyond the longest study withdraws for that (02 §9.2).
fn reason_fits(student: &Student, asked: &Asked, looked: &mut Looked) {
    match (asked.kind, asked.reason_code) {
        (ChangeType::Dropout | ChangeType::Suspension, None) => looked.at("reasonCode", "请选择原因"),
        (ChangeType::Dropout, Some(reason)) if reason.of_withdrawal().is_none() => {
            looked.at("reasonCode", format!("“{}”不是退学的原因，请重新选择", reason.zh()));
        }
        (ChangeType::Suspension, Some(reason)) if !reason.is_of_suspension() => {
            looked.at("reasonCode", format!("“{}”不是休学的原因，请重新选择", reason.zh()));
        }
        (ChangeType::Dropout, Some(reason))
            if student.status == StudentStatus::Expired && reason != ChangeReason::ExceedYears =>
        {
            looked.refuse("超学制的学生退学，原因须为超过最长学习年限");
        }
        (ChangeType::Dropout | ChangeType::Suspension, Some(_)) => {}
        (_, Some(_)) => looked.at("reasonCode", "只有退学和休学填写原因代码"),
        (_, None) => {}
    }
}

/// Who leaves has no class any more.
fn leaving(student: &Student, effect: Effect) -> Planned {
    let status = effect.status(student.status);
    let after = Placement { class_id: None, status, ..Placement::of(student) };
    Planned { effect, after, suspend_until: None, months: None }
}

/// A major that somebody wants to change to.
struct Major {
    id: i64,
    name: String,
    enabled: bool,
    study_form: StudyForm,
    schooling_years: f64,
    level_id: i64,
    level_name: String,
    level_enabled: bool,
    entry_level: EntryLevel,
}

async fn major(connection: &mut PgConnection, id: i64) -> Result<Option<Major>> {
    let found = sqlx::query_as!(
        Major,
        r#"select m.id, m.name, m.enabled, m.study_form as "study_form: _", m.schooling_years::float8 as "schooling_years!",
                  m.level_id, l.name as level_name, l.enabled as level_enabled, l.entry_level as "entry_level: _"
           from major m join level l on l.id = m.level_id where m.id = $1"#,
        id
    )
    .fetch_optional(connection)
    .await?;
    Ok(found)
}

/// C6.
async fn another_major(
    connection: &mut PgConnection,
    student: &Student,
    asked: &Asked,
    circumstances: Circumstances<'_>,
    looked: &mut Looked,
) -> Result<Option<Planned>> {
    let Some(wanted) = asked.target.major_id else {
        looked.at("after.majorId", "请选择目标专业");
        return Ok(None);
    };
    let Some(target) = major(connection, wanted).await? else {
        looked.at("after.majorId", "所选专业不存在，请重新选择");
        return Ok(None);
    };
    if !target.enabled {
        looked.refuse(is_switched_off(&target.name));
    }
    if target.id == student.major_id {
        looked.refuse("目标专业与原专业相同");
    }
    let effect = if asked.kind == ChangeType::Professional {
        professional(connection, student, &target, circumstances, looked).await?;
        Effect::Professional
    } else {
        hierarchical(connection, student, asked, (&target, circumstances), looked).await?;
        Effect::Hierarchical
    };
    let place = [student.grade_id, target.level_id, target.id, student.site_id];
    class_of(connection, student, (asked.target.class_id, circumstances), place, looked).await?;
    let after = Placement {
        level_id: target.level_id,
        major_id: target.id,
        study_form: target.study_form,
        schooling_years: target.schooling_years,
        class_id: asked.target.class_id,
        ..Placement::of(student)
    };
    Ok(Some(Planned { effect, after, suspend_until: None, months: None }))
}

async fn professional(
    connection: &mut PgConnection,
    student: &Student,
    target: &Major,
    circumstances: Circumstances<'_>,
    looked: &mut Looked,
) -> Result<()> {
    if target.level_id != student.level_id {
        looked.refuse(format!("专业“{}”不属于该生的层次，请办理转层次", target.name));
    }
    let facts = sqlx::query!(
        r#"select exists (select from enrollment_major e join enrollment_batch b on b.id = e.batch_id
                          where b.grade_id = $2 and b.status <> 'draft' and e.enabled and e.major_id = $3) as "recruited!",
                  (select e.exam_category from enrollment_major e join enrollment_batch b on b.id = e.batch_id
                   where b.grade_id = $2 and b.status <> 'draft' and e.enabled and e.major_id = $3
                   order by e.id desc limit 1) as "category: ExamCategory",
                  (select e.exam_category from enrollment_major e join enrollment_batch b on b.id = e.batch_id
                   where b.grade_id = $2 and b.status <> 'draft' and e.major_id = $4
                   order by e.id desc limit 1) as "former: ExamCategory",
                  exists (select from student_change
                          where student_id = $1 and type = 'professional' and status = 'executed'
                            and id is distinct from $5) as "again!""#,
        student.id,
        student.grade_id,
        target.id,
        student.major_id,
        circumstances.but
    )
    .fetch_one(&mut *connection)
    .await?;
    if !facts.recruited {
        looked.refuse(format!("专业“{}”不在该生年级的招生批次中", target.name));
    }
    let own = student.exam_category.or(facts.former).map(|category| category.at(target.entry_level));
    let wanted = facts.category.map(|category| category.at(target.entry_level));
    if let (Some(own), Some(wanted)) = (own, wanted)
        && own != wanted
    {
        if circumstances.waived {
            looked.waived = true;
        } else {
            looked.refuse(format!("科类不同（{}、{}），不能转专业", own.zh(), wanted.zh()));
        }
    }
    let months = match circumstances.settings {
        Some(settings) => settings.deadline_months,
        None => PROFESSIONAL_DEADLINE_MONTHS.number(connection).await?,
    };
    let months = u32::try_from(months).unwrap_or_default();
    looked.unless(rules::within_deadline(student.enrolled_on, circumstances.on, months));
    if facts.again {
        looked.refuse("该生已转过专业，只能转一次");
    }
    Ok(())
}

async fn hierarchical(
    connection: &mut PgConnection,
    student: &Student,
    asked: &Asked,
    (target, circumstances): (&Major, Circumstances<'_>),
    looked: &mut Looked,
) -> Result<()> {
    if let Some(level) = asked.target.level_id.filter(|level| *level != target.level_id) {
        let name =
            sqlx::query_scalar!("select name from level where id = $1", level).fetch_optional(&mut *connection).await?;
        match name {
            Some(name) => looked.refuse(format!("专业“{}”不属于层次“{name}”", target.name)),
            None => looked.at("after.levelId", "所选层次不存在，请重新选择"),
        }
    }
    if !target.level_enabled {
        looked.refuse(is_switched_off(&target.level_name));
    }
    let from = sqlx::query_scalar!(
        r#"select entry_level as "entry_level: EntryLevel" from level where id = $1"#,
        student.level_id
    )
    .fetch_one(&mut *connection)
    .await?;
    let allowed = match circumstances.settings {
        Some(settings) => is_pair(&settings.pairs, from, target.entry_level),
        None => is_pair(&HIERARCHICAL_PAIRS.value(connection).await?, from, target.entry_level),
    };
    if !allowed {
        looked.refuse(format!("不允许由{}转为{}", from.zh(), target.entry_level.zh()));
    }
    Ok(())
}

/// C7.
async fn another_class(
    connection: &mut PgConnection,
    student: &Student,
    asked: &Asked,
    circumstances: Circumstances<'_>,
    looked: &mut Looked,
) -> Result<Option<Planned>> {
    let site_id = asked.target.site_id.unwrap_or(student.site_id);
    let class_id = asked.target.class_id;
    let place = [student.grade_id, student.level_id, student.major_id, site_id];
    if site_id == student.site_id {
        match class_id {
            None => looked.at("after.classId", "请选择目标班级"),
            Some(class) if Some(class) == student.class_id => looked.refuse("已在该班级"),
            Some(_) => {}
        }
    } else {
        let site = sqlx::query!(
            r#"select t.name, t.status,
                      exists (select from class c where c.grade_id = $2 and c.level_id = $3 and c.major_id = $4
                                and c.site_id = t.id and c.enabled)
                      or exists (select from site_enrollment_line n
                                 join site_enrollment p on p.id = n.site_enrollment_id
                                 join enrollment_major e on e.id = n.enrollment_major_id
                                 join enrollment_batch b on b.id = e.batch_id
                                 where p.site_id = t.id and p.status = 'approved' and n.quota_approved > 0
                                   and e.major_id = $4 and b.grade_id = $2) as "offered!"
               from site t where t.id = $1"#,
            site_id,
            student.grade_id,
            student.level_id,
            student.major_id
        )
        .fetch_optional(&mut *connection)
        .await?;
        match site {
            None => {
                looked.at("after.siteId", "所选站点不存在，请重新选择");
                return Ok(None);
            }
            Some(site) if site.status != "active" => looked.refuse(is_switched_off(&site.name)),
            Some(site) if !site.offered => {
                looked.refuse(format!("站点“{}”没有该专业的招生计划和班级，不能转入", site.name));
            }
            Some(_) => {}
        }
    }
    class_of(connection, student, (class_id, circumstances), place, looked).await?;
    let after = Placement { site_id, class_id, ..Placement::of(student) };
    Ok(Some(Planned { effect: Effect::ClassChange, after, suspend_until: None, months: None }))
}

/// A class to be in is one of the place, switched on, with room. Whoever does not see it is told no more than that.
async fn class_of(
    connection: &mut PgConnection,
    student: &Student,
    (class, circumstances): (Option<i64>, Circumstances<'_>),
    place: [i64; 4],
    looked: &mut Looked,
) -> Result<()> {
    let Some(id) = class else { return Ok(()) };
    let found = sqlx::query!(
        r#"select c.name, c.enabled, c.grade_id, c.level_id, c.major_id, c.site_id, c.capacity::bigint as "capacity!",
                  (select count(*) from student s where s.class_id = c.id and s.active) as "taken!"
           from class c where c.id = $1"#,
        id
    )
    .fetch_optional(connection)
    .await?;
    let Some(class) = found else {
        looked.at("after.classId", "所选班级不存在，请重新选择");
        return Ok(());
    };
    let (name, capacity, taken) = (class.name, class.capacity, class.taken);
    let told = circumstances.told_to.is_none_or(|scope| scope.sees(Some(class.site_id), Some(id)));
    if let Some(why) = place_differs(place, [class.grade_id, class.level_id, class.major_id, class.site_id]) {
        looked.refuse(if told { why } else { NOT_TO_BE_CHOSEN.to_owned() });
    } else if !class.enabled {
        looked.refuse(if told { format!("班级“{name}”已停用") } else { NOT_TO_BE_CHOSEN.to_owned() });
    } else if student.class_id != Some(id) && taken + 1 > capacity {
        looked.refuse(if told {
            format!("班级容量{capacity}，已有{taken}人，超出{}人", taken + 1 - capacity)
        } else {
            "所选班级已满".to_owned()
        });
    }
    Ok(())
}

/// C8, of a suspension.
async fn suspension(
    connection: &mut PgConnection,
    student: &Student,
    asked: &Asked,
    circumstances: Circumstances<'_>,
    looked: &mut Looked,
) -> Result<Option<Planned>> {
    let Some(from) = asked.suspend_from else {
        looked.at("suspendFrom", "请填写休学开始日期");
        return Ok(None);
    };
    let until = asked.suspend_months.and_then(|months| rules::suspended_until(from, months));
    let (Some(months), Some(until)) = (asked.suspend_months, until) else {
        looked.at("suspendMonths", "休学时间应为6个月或12个月");
        return Ok(None);
    };
    if from < student.enrolled_on {
        looked.at("suspendFrom", "休学开始日期不能早于入学日期");
    }
    if until < circumstances.on {
        // Of record only.
        if circumstances.waived {
            looked.waived = true;
        } else {
            looked.at("suspendFrom", format!("休学至{until}，已经结束，请核对休学开始日期"));
        }
    }
    let military = asked.reason_code == Some(ChangeReason::Military);
    let most = match circumstances.settings {
        Some(settings) => settings.most_months,
        None => SUSPENSION_MAX_MONTHS.number(connection).await?,
    };
    looked.unless(rules::within_total(student.suspended_months, months, most, military));
    let after = Placement { status: StudentStatus::Suspended, ..Placement::of(student) };
    let effect = Effect::Suspension { until, months, military };
    Ok(Some(Planned { effect, after, suspend_until: Some(until), months: Some(months) }))
}

/// C8, of a return: into the same grade after half a year, else into the next one that has the major.
async fn back(
    connection: &mut PgConnection,
    student: &Student,
    asked: &Asked,
    circumstances: Circumstances<'_>,
    looked: &mut Looked,
) -> Result<Option<Planned>> {
    looked.unless(rules::may_return(student.suspended_until, circumstances.on));
    let known = sqlx::query_scalar!(
        "select suspend_months from student_change
         where student_id = $1 and type = 'suspension' and status = 'executed' order by executed_at desc, id desc limit 1",
        student.id
    )
    .fetch_optional(&mut *connection)
    .await?
    .flatten();
    // Who was suspended before there were changes has only the sum; who came as suspended, not even that.
    let summed = Some(student.suspended_months).filter(|months| *months > 0);
    let months = match (known.or(summed), asked.suspend_months) {
        (Some(months), _) | (None, Some(months @ (6 | 12))) => months,
        (None, Some(_)) => {
            looked.at("suspendMonths", "休学时间应为6个月或12个月");
            return Ok(None);
        }
        (None, None) => {
            looked.at("suspendMonths", "请填写休学月数");
            return Ok(None);
        }
    };
    let grade = if months <= 6 {
        Some((student.grade_id, student.grade_name.clone()))
    } else {
        sqlx::query!(
            "select n.id, n.name from grade o
             join grade n on (n.entry_year, n.entry_season = 'autumn') > (o.entry_year, o.entry_season = 'autumn')
             where o.id = $1 and n.enabled
               and exists (select from enrollment_major e join enrollment_batch b on b.id = e.batch_id
                           where b.grade_id = n.id and b.status <> 'draft' and e.enabled and e.major_id = $2)
             order by n.entry_year, n.entry_season = 'autumn', n.code limit 1",
            student.grade_id,
            student.major_id
        )
        .fetch_optional(&mut *connection)
        .await?
        .map(|row| (row.id, row.name))
    };
    let Some((grade_id, grade_name)) = grade else {
        looked.refuse("没有招收该专业的下一年级，不能复学");
        return Ok(None);
    };
    if asked.target.grade_id.is_some_and(|wanted| wanted != grade_id) {
        looked.refuse(format!("休学{months}个月，应复学到{grade_name}"));
    }
    if asked.target.class_id.is_none() {
        looked.at("after.classId", "请选择复学后的班级");
    }
    let place = [grade_id, student.level_id, student.major_id, student.site_id];
    class_of(connection, student, (asked.target.class_id, circumstances), place, looked).await?;
    let after = Placement {
        grade_id,
        class_id: asked.target.class_id,
        status: StudentStatus::Registered,
        ..Placement::of(student)
    };
    Ok(Some(Planned { effect: Effect::Return { months }, after, suspend_until: None, months: Some(months) }))
}
