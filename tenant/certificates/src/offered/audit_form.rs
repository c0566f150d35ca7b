//! What 毕业资格审核表 says of somebody: for graduation's prints and for the archive.

use graduation_rules::{
    enums::{GraduationAuditResult, GraduationDecision, RulePurpose, SiteOpinion},
    form::{AuditForm, AuditFormItem},
    rules::{label, shown},
};
use infra::{Result, mask};
use scores::offered::standing_of;
use sqlx::PgConnection;
use student_status::{enums::StudyForm, id_card::Gender};

/// The forms of these rows of batches, in the order asked for: credits and averages as they were at the confirmation, before it as they
/// are.
///
/// # Errors
/// Those of the database.
pub async fn load(connection: &mut PgConnection, users: &[i64]) -> Result<Vec<AuditForm>> {
    let items = sqlx::query!(
        r#"select graduation_user_id as "user!", rule_code, passed, waived, required, actual, explanation
           from graduation_audit_item where graduation_user_id = any($1) order by id"#,
        users
    )
    .fetch_all(&mut *connection)
    .await?;
    let rows = sqlx::query!(
        r#"select g.id as "id!", y.id as "student!", b.name as "batch!", coalesce(y.student_no, '') as "student_no!",
                  coalesce(y.examinee_no, '') as "examinee_no!", y.name as "name!", y.gender as "gender?: Gender",
                  y.id_card_no as "id_card_no!", e.name as "grade!", l.name as "level!", m.name as "major!",
                  y.study_form as "form!: StudyForm", y.schooling_years::text as "years!", k.name as "class?", t.name as "site!",
                  y.enrolled_on as "enrolled_on!", b.graduates_on as "graduates_on?",
                  g.snapshot is not null as "confirmed!", g.snapshot ->> 'earnedCredits' as "earned?",
                  (select p.total_credits::text from graduation_plan p
                   where p.grade_id = y.grade_id and p.major_id = y.major_id) as "required?",
                  g.snapshot ->> 'average' as "average?",
                  g.audit_result as "result!: GraduationAuditResult", g.site_opinion as "opinion!: SiteOpinion", g.site_remark,
                  g.site_by_name, g.site_at, g.decision as "decision!: GraduationDecision", g.decision_reason, g.decided_by_name,
                  g.decided_at
           from unnest($1::bigint[]) with ordinality as w (id, place)
           join graduation_user g on g.id = w.id
           join graduation_batch b on b.id = g.batch_id
           join student y on y.id = g.student_id
           join grade e on e.id = y.grade_id
           join level l on l.id = y.level_id
           join major m on m.id = y.major_id
           join site t on t.id = y.site_id
           left join class k on k.id = y.class_id
           order by w.place"#,
        users
    )
    .fetch_all(&mut *connection)
    .await?;
    let waiting: Vec<i64> = rows.iter().filter(|row| !row.confirmed).map(|row| row.student).collect();
    let standing = standing_of(connection, &waiting).await?;
    let forms = rows.into_iter().map(|row| {
        let now = standing.get(&row.student);
        let mut own: Vec<AuditFormItem> = items
            .iter()
            .filter(|item| item.user == row.id)
            .map(|item| AuditFormItem {
                label: label(RulePurpose::Graduation, &item.rule_code).unwrap_or(&item.rule_code).to_owned(),
                required: item.required.clone(),
                actual: item.actual.clone(),
                passed: item.passed,
                waived: item.waived,
                explanation: item.explanation.clone(),
            })
            .collect();
        // Labels begin with their numbers.
        own.sort_by(|one, other| one.label.cmp(&other.label));
        let opinion = match row.opinion {
            SiteOpinion::None => String::new(),
            said => [said.zh(), row.site_remark.as_deref().unwrap_or_default()].join(" ").trim().to_owned(),
        };
        let decision = match row.decision {
            GraduationDecision::None => String::new(),
            said => said.zh().to_owned(),
        };
        AuditForm {
            graduation_user: row.id,
            student: row.student,
            batch: row.batch,
            student_no: row.student_no,
            examinee_no: row.examinee_no,
            name: row.name,
            gender: row.gender.map_or(String::new(), |gender| gender.zh().to_owned()),
            id_card_no: mask::id_card(&row.id_card_no),
            grade: row.grade,
            level: row.level,
            major: row.major,
            study_form: row.form.zh().to_owned(),
            schooling_years: row.years,
            class: row.class.unwrap_or_default(),
            site: row.site,
            enrolled_on: row.enrolled_on.to_string(),
            graduates_on: row.graduates_on.map(|on| on.to_string()).unwrap_or_default(),
            earned: row.earned.unwrap_or_else(|| shown(now.map_or(0, |now| now.earned))),
            required: row.required.unwrap_or_default(),
            average: row.average.or_else(|| now.and_then(|now| now.average).map(shown)).unwrap_or_default(),
            items: own,
            result: row.result.zh().to_owned(),
            site_opinion: opinion,
            site_by: signed(row.site_by_name, row.site_at),
            decision,
            decision_reason: row.decision_reason.unwrap_or_default(),
            decided_by: signed(row.decided_by_name, row.decided_at),
        }
    });
    Ok(forms.collect())
}

/// `李老师 2028-06-01`.
fn signed(name: Option<String>, at: Option<infra::clock::Moment>) -> String {
    let day = at.map(|at| at.format("%Y-%m-%d").to_string());
    [name, day].into_iter().flatten().collect::<Vec<_>>().join(" ")
}
