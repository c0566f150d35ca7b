//! 报到: somebody is here, and becomes a student of the school in the same moment (02 §7).

use std::collections::{BTreeMap, HashMap};

use information_review::opening;
use infra::{
    Allowed, Body, BulkFailure, BulkResult, BulkWarning, Change, Error, Reply, Result, Scope, Tx,
    access::Permission,
    reply,
    session::Rights,
    steps::{Chosen, Step, Stepped, inside},
};
use poem_openapi::{Object, OpenApi, types::Example};
use registration_rules::{
    edit::{at_the_desk, each_once, verified},
    report::{Late, Paper, ReportWindow, Rules, waits},
};
use serde_json::Value;
use sqlx::PgConnection;
use student_numbers::{allocation::orders, rule::StudentNoOrder};
use student_status::{
    enums::{ExamCategory, PreEduLevel, StudyForm},
    student::{
        arrival::{Arrival, Arrived, arrive},
        form::{FreeFields, StudentForm},
    },
};

use super::{
    AUTO_DIVIDE, ChangeRegistrationStatus, ExportRegistrations, FEE_REQUIRED, ReportRegistration, ReportRegistrations,
    edit::{photographed, said},
    held::{Arriving, RegistrationItem, Rows, changed, held_one, rows, write},
    list::{RegistrationFilter, RegistrationRow},
    own::{Brought, RegistrationFileForm, Typed},
};
use crate::{
    enums::{RegistrationMaterial, RegistrationStatus, VerifyMethod},
    id_card::{Gender, IdCardType, fold},
};

/// Somebody is here, with what they brought.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct RegistrationReport {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 已核验身份
    pub identity_verified: bool,
    /// 核验方式
    /// 不填时为人工
    pub verify_method: Option<VerifyMethod>,
    /// 已收材料
    #[oai(default, validator(max_items = 10))]
    pub materials: Vec<RegistrationMaterial>,
    /// 报到照片
    /// 上传后的文件标识；不填时保留已有照片
    #[oai(validator(max_length = 200))]
    pub photo: Option<String>,
    /// 自定义字段
    /// 本校字段的值，以字段标识为名；不填时保留已有内容
    pub extra: Option<BTreeMap<String, Value>>,
    /// 自定义文件
    /// 本校图片和文件字段的文件；不填时保留已有文件
    #[oai(validator(max_items = 40))]
    pub files: Option<Vec<RegistrationFileForm>>,
}

impl Example for RegistrationReport {
    fn example() -> Self {
        Self {
            id: 1,
            version: 1,
            identity_verified: true,
            verify_method: Some(VerifyMethod::Manual),
            materials: vec![RegistrationMaterial::IdCopy, RegistrationMaterial::DiplomaCopy],
            photo: None,
            extra: None,
            files: None,
        }
    }
}

/// Who has reported.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Reported {
    /// 编号
    pub id: i64,
    /// 学生编号
    pub student_id: i64,
    /// 学号
    pub student_no: Option<String>,
    /// 班级
    pub class_name: Option<String>,
    /// 提醒
    pub warnings: Vec<String>,
}

/// Several people who are here.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct RegistrationsReport {
    #[oai(flatten)]
    pub rows: Chosen<RegistrationItem, RegistrationFilter>,
    /// 已核验身份
    /// 所选人员均已核验；不填时只办理已核验的人员
    pub identity_verified: Option<bool>,
    /// 核验方式
    /// 不填时为人工
    pub verify_method: Option<VerifyMethod>,
}

impl Example for RegistrationsReport {
    fn example() -> Self {
        Self {
            rows: Chosen::items(vec![RegistrationItem { id: 1, version: 1 }]),
            identity_verified: Some(true),
            verify_method: Some(VerifyMethod::Manual),
        }
    }
}

pub struct Report;

#[OpenApi(prefix_path = "/adult/pc/registration", tag = "crate::Tag::Registration")]
impl Report {
    /// 报到
    #[oai(path = "/report", method = "post", operation_id = "reportRegistration")]
    async fn report(
        &self,
        caller: Allowed<ReportRegistration>,
        Body(wanted): Body<RegistrationReport>,
    ) -> Result<Reply<Reported>> {
        at_the_desk(wanted.verify_method)?;
        let mut tx = caller.begin().await?;
        let how = Reporting { late: late_of(caller.rights()), verified: None };
        let (reported, changes) = report_one(&mut tx, wanted, &how, &caller.scope()).await?;
        tx.commit_all(changes).await?;
        Ok(reply(reported))
    }

    /// 批量报到
    /// 照片、缴费、核验与本校必填字段齐全的人员报到；学号按规则的顺序生成
    #[oai(path = "/batchReview", method = "post", operation_id = "reportRegistrations")]
    async fn report_many(
        &self,
        caller: Allowed<ReportRegistrations>,
        Body(wanted): Body<RegistrationsReport>,
    ) -> Result<Reply<Stepped>> {
        let RegistrationsReport { rows, identity_verified, verify_method } = wanted;
        at_the_desk(verify_method)?;
        let verified = verified(identity_verified == Some(true), verify_method);
        let step = ReportAll { late: late_of(caller.rights()), verified };
        Ok(reply(inside(&caller, rows, step).await?))
    }
}

/// How people report.
#[derive(Debug, Clone)]
pub(super) struct Reporting {
    /// Of whom also outside of the time that the batch has for it.
    pub late: Late,
    /// Somebody compared all of them with their documents.
    pub verified: Option<VerifyMethod>,
}

/// One person, as the desk has them before it.
///
/// # Errors
/// 404, 409 and 422 as the step says.
pub(super) async fn report_one(
    tx: &mut Tx,
    wanted: RegistrationReport,
    how: &Reporting,
    scope: &Scope,
) -> Result<(Reported, Vec<Change>)> {
    let RegistrationReport { id, version, identity_verified, verify_method, materials, photo, extra, files } = wanted;
    // Whoever presses twice is told that it is done, not that the row changed.
    let before = held_one(tx, id, None, scope).await?;
    waits(&before).map_err(Error::conflict)?;
    if before.version != version {
        return Err(tx.stale("registration", id).await);
    }
    let mut person = Arriving { materials: each_once(&materials), ..before.clone() };
    person.verified = verified(identity_verified, verify_method);
    said(tx, &mut person, Typed { values: extra.as_ref(), files: files.as_deref() }).await?;
    if let Some(key) = photo {
        person.photo_id = Some(photographed(tx, &key, &person).await?);
    }
    let came = Came { before, person };
    let Went { mut done, changes, .. } = report(tx, vec![came], how, scope, Refused::AtOnce).await?;
    let (_, arrived) = done.pop().ok_or_else(|| Error::internal("a person neither reported nor was refused"))?;
    let Arrived { student_id, student_no, class_name, warnings } = arrived;
    Ok((Reported { id, student_id, student_no, class_name, warnings }, changes))
}

/// At which sites somebody with these rights may have people report outside of the time for it.
pub(super) fn late_of(rights: &Rights) -> Late {
    Late::of(rights, ChangeRegistrationStatus::CODE)
}

/// What becomes of a step in which somebody is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refused {
    /// It is the call's error.
    AtOnce,
    /// The others report.
    Told,
}

/// Somebody who is here: as they were, and with what they brought.
#[derive(Debug, Clone)]
pub(super) struct Came {
    pub before: Arriving,
    pub person: Arriving,
}

impl From<Arriving> for Came {
    /// Nothing was brought.
    fn from(person: Arriving) -> Self {
        Self { before: person.clone(), person }
    }
}

/// How a step went.
#[derive(Debug, Default)]
pub(super) struct Went {
    pub done: Vec<(Arriving, Arrived)>,
    pub failed: Vec<BulkFailure>,
    pub changes: Vec<Change>,
}

/// Those who may report do, all together: the file, the class, the number and the account of each. The people are held; what they
/// brought is in them.
///
/// # Errors
/// 409 for the one who may not, where that ends the step; those of [`arrive`].
pub(super) async fn report(
    tx: &mut Tx,
    people: Vec<Came>,
    how: &Reporting,
    scope: &Scope,
    refused: Refused,
) -> Result<Went> {
    let ids: Vec<i64> = people.iter().map(|came| came.before.id).collect();
    let papers = papers(tx, &ids).await?;
    let app = tx.app().clone();
    let brought = Brought::load(&app, tx, &ids).await?;
    let rules =
        Rules { fee_required: FEE_REQUIRED.is_on(tx).await?, late: how.late.clone(), now: tx.app().clock().now() };
    let mut went = Went::default();
    let mut coming = Vec::with_capacity(people.len());
    for Came { before, mut person } in people {
        // How somebody was verified before stays.
        person.verified = person.verified.or(how.verified);
        let paper = papers.get(&person.id).ok_or_else(|| Error::internal("a registration without its admission"))?;
        let allowed = rules.allow(&person, paper).and_then(|()| brought.complete(person.id, &person.extra));
        match allowed {
            Ok(()) => {
                let (arrival, warnings) = (paper.arrival(person.photo_id), paper.warnings());
                coming.push(Coming { before, person, arrival, warnings });
            }
            Err(why) => went.refuse(&before, why, refused)?,
        }
    }
    enter(tx, coming, scope, refused, &mut went).await?;
    Ok(went)
}

/// Somebody who may report: before it, with what they brought, and as their file will have them.
struct Coming {
    before: Arriving,
    person: Arriving,
    arrival: Arrival,
    warnings: Vec<String>,
}

/// Those whom nothing hinders come into the register, and have reported.
async fn enter(tx: &mut Tx, coming: Vec<Coming>, scope: &Scope, refused: Refused, went: &mut Went) -> Result<()> {
    let arrivals: Vec<Arrival> = coming.iter().map(|one| one.arrival.clone()).collect();
    let seated = AUTO_DIVIDE.is_on(tx).await?;
    let (by, now) = (tx.actor().name.clone(), tx.app().clock().now());
    let mut after = Vec::with_capacity(coming.len());
    for (one, arrived) in coming.into_iter().zip(arrive(tx, &arrivals, scope, seated).await?) {
        let Coming { before, mut person, warnings, .. } = one;
        match arrived {
            Err(why) => went.refuse(&before, why, refused)?,
            Ok(mut arrived) => {
                arrived.warnings.extend(warnings);
                person.status = RegistrationStatus::Reported;
                person.reported_at = Some(now);
                person.reported_by = Some(by.clone());
                person.student_id = Some(arrived.student_id);
                went.changes.push(changed(&before, &person));
                after.push(person.clone());
                went.done.push((person, arrived));
            }
        }
    }
    write(tx, &after).await?;
    let students: Vec<i64> = after.iter().filter_map(|person| person.student_id).collect();
    opening::arrived(tx, &students).await
}

/// People of a demonstration report. They have no pictures: whatever else a report asks for is in them, and who is refused by the
/// register waits on.
///
/// # Errors
/// Only internal ones.
pub(crate) async fn enter_invented(tx: &mut Tx, people: Vec<Arriving>) -> Result<()> {
    let ids: Vec<i64> = people.iter().map(|person| person.id).collect();
    let papers = papers(tx, &ids).await?;
    let coming = people.into_iter().filter_map(|person| {
        let arrival = papers.get(&person.id)?.arrival(None);
        Some(Coming { before: person.clone(), person, arrival, warnings: Vec::new() })
    });
    let coming = coming.collect();
    enter(tx, coming, &Scope::whole_school(), Refused::Told, &mut Went::default()).await
}

impl Went {
    fn refuse(&mut self, person: &Arriving, msg: String, refused: Refused) -> Result<()> {
        if refused == Refused::AtOnce {
            return Err(Error::conflict(msg));
        }
        self.failed.push(BulkFailure { id: person.id, name: person.name.clone(), msg });
        Ok(())
    }
}

async fn papers(tx: &mut Tx, ids: &[i64]) -> Result<HashMap<i64, Paper>> {
    let rows = sqlx::query!(
        r#"select r.id, r.admission_id, r.name, r.gender as "gender: Gender", r.birthday,
                  r.id_card_type as "id_card_type: IdCardType", r.id_card_no, r.examinee_no, r.grade_id, r.level_id, r.major_id,
                  r.study_form as "study_form: StudyForm", r.schooling_years::float8 as "schooling_years!", r.site_id, r.phone,
                  a.photo_id as admission_photo_id, a.ethnicity, a.political_status, a.address, a.postal_code,
                  a.pre_edu_level as "pre_edu_level: PreEduLevel", a.pre_edu_school, a.pre_edu_graduated_on,
                  (a.total_score / 10.0)::float8 as total_score, a.exam_category as "exam_category: ExamCategory",
                  b.enrolled_on, b.report_starts_at, b.report_ends_at, b.status = 'open' as "open!"
           from registration r
           join admission a on a.id = r.admission_id
           join enrollment_batch b on b.id = r.batch_id
           where r.id = any($1)"#,
        ids
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            let form = StudentForm {
                name: row.name,
                gender: Some(row.gender),
                birthday: Some(row.birthday),
                id_card_type: Some(row.id_card_type),
                id_card_no: row.id_card_no,
                ethnicity: row.ethnicity,
                student_no: None,
                examinee_no: Some(fold(&row.examinee_no)),
                grade_id: row.grade_id,
                level_id: row.level_id,
                major_id: row.major_id,
                study_form: row.study_form,
                schooling_years: row.schooling_years,
                site_id: row.site_id,
                class_id: None,
                enrolled_on: row.enrolled_on,
                status: None,
                status_reason: None,
                registered_on: None,
                ended_on: None,
                source: None,
                free: FreeFields {
                    political_status: row.political_status,
                    address: row.address,
                    pre_edu_level: row.pre_edu_level,
                    pre_edu_school: row.pre_edu_school,
                    pre_edu_graduated_on: row.pre_edu_graduated_on,
                    total_score: row.total_score,
                    exam_category: row.exam_category,
                    ..FreeFields::default()
                },
            };
            let paper = Paper {
                registration_id: row.id,
                admission_id: row.admission_id,
                window: ReportWindow { open: row.open, starts_at: row.report_starts_at, ends_at: row.report_ends_at },
                form,
                phone: row.phone,
                postal_code: row.postal_code,
                admission_photo_id: row.admission_photo_id,
            };
            (row.id, paper)
        })
        .collect())
}

/// 批量报到
#[derive(Debug, Object)]
pub(crate) struct ReportAll {
    late: Late,
    verified: Option<VerifyMethod>,
}

impl Step for ReportAll {
    const KIND: &'static str = "registration.report";
    const TITLE: &'static str = "批量报到";
    type Permission = ReportRegistrations;
    type Item = RegistrationItem;
    type List = ExportRegistrations;

    fn item(row: &RegistrationRow) -> RegistrationItem {
        RegistrationItem { id: row.id, version: row.version }
    }

    async fn in_order(
        &self,
        connection: &mut PgConnection,
        items: Vec<RegistrationItem>,
    ) -> Result<Vec<RegistrationItem>> {
        as_numbered(connection, items).await
    }

    async fn run(&self, tx: Tx, items: Vec<RegistrationItem>, scope: &Scope) -> Result<BulkResult> {
        Ok(self.run_warned(tx, items, scope).await?.0)
    }

    async fn run_warned(
        &self,
        mut tx: Tx,
        items: Vec<RegistrationItem>,
        scope: &Scope,
    ) -> Result<(BulkResult, Vec<BulkWarning>)> {
        let Rows { people, mut failed } = rows(&mut tx, &items, scope, waits).await?;
        let how = Reporting { late: self.late.clone(), verified: self.verified };
        let people = people.into_iter().map(Came::from).collect();
        let went = report(&mut tx, people, &how, scope, Refused::Told).await?;
        failed.extend(went.failed);
        let done = i64::try_from(went.done.len()).unwrap_or(i64::MAX);
        let warnings = went
            .done
            .into_iter()
            .flat_map(|(person, arrived)| {
                let Arriving { id, name, .. } = person;
                arrived.warnings.into_iter().map(move |msg| BulkWarning { id, name: name.clone(), msg })
            })
            .collect();
        tx.commit_all(went.changes).await?;
        Ok((BulkResult { done, failed }, warnings))
    }
}

/// The rows in the order in which the rules of their grades number, so that the parts of a long step go on from each other.
async fn as_numbered(connection: &mut PgConnection, items: Vec<RegistrationItem>) -> Result<Vec<RegistrationItem>> {
    let ids: Vec<i64> = items.iter().map(|item| item.id).collect();
    let rows = sqlx::query!(
        r#"select r.id, r.grade_id, r.examinee_no, r.pinyin, r.name
           from unnest($1::bigint[]) with ordinality as w (id, place) join registration r on r.id = w.id
           order by r.grade_id, w.place"#,
        &ids
    )
    .fetch_all(&mut *connection)
    .await?;
    let mut grades: Vec<i64> = rows.iter().map(|row| row.grade_id).collect();
    grades.dedup();
    let orders = orders(connection, &grades).await?;
    let key = |grade: i64, examinee_no: &str, pinyin: &str, name: &str| match orders.get(&grade) {
        None | Some(StudentNoOrder::ExamineeNo) => (grade, fold(examinee_no), String::new()),
        Some(StudentNoOrder::NamePinyin) => (grade, pinyin.to_owned(), name.to_owned()),
        // As they stand: they report in this order.
        Some(StudentNoOrder::ReportTime) => (grade, String::new(), String::new()),
    };
    let mut rows: Vec<((i64, String, String), i64)> =
        rows.iter().map(|row| (key(row.grade_id, &row.examinee_no, &row.pinyin, &row.name), row.id)).collect();
    rows.sort_by(|(one, _), (other, _)| one.cmp(other));
    let places: HashMap<i64, usize> = rows.into_iter().enumerate().map(|(place, (_, id))| (id, place)).collect();
    let mut items = items;
    // Who is gone is told so at the end.
    items.sort_by_key(|item| places.get(&item.id).copied().unwrap_or(usize::MAX));
    Ok(items)
}
