//! 详情: one form with what was filled in, what the register says beside it, its files and the way that it went; and the same as it is
//! printed.

use chrono::NaiveDate;
use information_review_rules::filled::{Filled, mask_text, papers_of};
use infra::{App, Error, Result, Scope, clock::Moment, files, mask};
use poem_openapi::Object;
use serde_json::Value;
use sqlx::PgConnection;
use student_status::{
    roster::{Letterhead, letterhead},
    student::{
        Student, correct,
        references::{Word, words},
    },
};

use super::{
    CLASS_MANAGER_REVIEW,
    items::{self, ItemShown},
    list::{InformationRow, one},
    papers::{self, InformationFile},
    review::is_managed,
    submit::{collecting, commitment_as_of},
};
use crate::{
    content::{AdmissionCommitmentContent, AdmissionInformationContent, GraduationInformationContent},
    enums::{InformationItem, InformationKind, InformationPaper, InformationStage, InformationStatus},
};

/// Who handed in, or decided.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct InformationStep {
    /// 办理环节
    pub step: InformationStage,
    /// 意见
    pub remark: Option<String>,
    /// 经办人
    pub actor_name: String,
    /// 时间
    pub created_at: Moment,
}

/// The pictures of a student, as addresses that soon expire.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct InformationPhotos {
    /// 录取照片地址
    pub admission_url: Option<String>,
    /// 入学照片地址
    pub enrol_url: Option<String>,
    /// 学历照片地址
    pub graduation_url: Option<String>,
    /// 待审核的入学照片地址
    /// 已提交、审核通过后更换
    pub new_enrol_url: Option<String>,
}

/// A form as people see it: personal values masked, files as short-lived addresses.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct InformationView {
    #[oai(flatten)]
    pub row: InformationRow,
    /// 出生日期
    pub birthday: Option<NaiveDate>,
    /// 民族
    pub ethnicity: Option<String>,
    /// 政治面貌
    pub political_status: Option<String>,
    /// 入学日期
    pub enrolled_on: NaiveDate,
    /// 学制
    pub schooling_years: f64,
    /// 核对项
    pub items: Vec<ItemShown>,
    /// 学籍注册信息
    #[oai(skip_serializing_if_is_none)]
    pub information: Option<AdmissionInformationContent>,
    /// 入学资格审查
    #[oai(skip_serializing_if_is_none)]
    pub commitment: Option<AdmissionCommitmentContent>,
    /// 毕业登记
    #[oai(skip_serializing_if_is_none)]
    pub graduation: Option<GraduationInformationContent>,
    /// 提醒
    /// 值得核对的内容，不影响办理
    pub warnings: Vec<String>,
    /// 材料
    /// 含院校自定义的文件字段
    pub attachments: Vec<InformationFile>,
    /// 纸质表扫描件
    /// 本人签字
    pub papers: Vec<InformationFile>,
    /// 签名地址
    pub signature_url: Option<String>,
    /// 签名时间
    pub signed_at: Option<Moment>,
    /// 审核班主任
    pub class_review_by: Option<String>,
    /// 班主任审核时间
    pub class_review_at: Option<Moment>,
    /// 班主任意见
    pub class_review_remark: Option<String>,
    /// 班级鉴定意见
    pub class_opinion: Option<String>,
    /// 站点鉴定意见
    pub site_opinion: Option<String>,
    /// 学校鉴定意见
    pub school_opinion: Option<String>,
    /// 照片
    pub photos: InformationPhotos,
    /// 承诺书
    /// 已签署的为签署时的原文，否则为现在签署的内容
    pub commitment_text: Option<String>,
    /// 采集开放
    pub window_open: bool,
    /// 需要签名
    pub require_signature: bool,
    /// 需要人脸核验
    pub require_face: bool,
    /// 需要班主任审核
    /// 班级没有班主任的由学校审核
    pub class_manager_review: bool,
    /// 办理过程
    pub steps: Vec<InformationStep>,
}

/// A form as it is printed on A4; numbers are masked.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct InformationPrint {
    /// 院校
    pub school_name: String,
    /// 页眉
    pub header: String,
    /// 学院信息
    pub office: Option<String>,
    /// 印章地址
    /// 只用于审核通过的入学资格审查表和毕业生登记表
    pub seal_url: Option<String>,
    /// 信息打印
    pub doc: InformationPaper,
    /// 打印时间
    pub printed_at: Moment,
    /// 信息
    pub view: InformationView,
}

/// What only the view has beside the line, as stored.
struct Stored {
    content: Value,
    warnings: Vec<String>,
    signature_id: Option<i64>,
    signed_at: Option<Moment>,
    class_review_by: Option<String>,
    class_review_at: Option<Moment>,
    class_review_remark: Option<String>,
    class_opinion: Option<String>,
    site_opinion: Option<String>,
    school_opinion: Option<String>,
    photo_id: Option<i64>,
    commitment_text: Option<String>,
}

/// The form of this id and kind, if the scope shows it, masked.
///
/// # Errors
/// 404 when there is none, or it lies outside the scope.
pub(crate) async fn view(
    app: &App,
    connection: &mut PgConnection,
    school: &str,
    (kind, id): (InformationKind, i64),
    scope: &Scope,
) -> Result<InformationView> {
    let mut row = one(connection, kind, id, scope).await?.ok_or_else(Error::not_found)?;
    row.mask();
    let student = correct::seen(connection, row.student_id, scope).await?;
    let stored = sqlx::query_as!(
        Stored,
        "select content, warnings, signature_id, signed_at, class_review_by, class_review_at, class_review_remark,
                class_opinion, site_opinion, school_opinion, photo_id, commitment_text
         from student_information where id = $1",
        id
    )
    .fetch_one(&mut *connection)
    .await?;
    let filled = Filled::of(kind, stored.content)?;
    let mut items = items::shown(app, &student, kind, filled.checked()).await?;
    items.iter_mut().for_each(mask_item);
    let asked = collecting(connection, kind, student.grade_id).await?;
    let commitment_text = match (stored.commitment_text, kind) {
        (Some(signed), _) => Some(signed),
        (None, InformationKind::AdmissionCommitment) => {
            commitment_as_of(connection, school, &student).await?.map(|(_, text)| text)
        }
        (None, _) => None,
    };
    let (papers, attachments) =
        papers::addressed(app, connection, id).await?.into_iter().partition(InformationFile::is_paper);
    let (ethnicities, political) = words(app).await?;
    let label = |words: &[Word], value: Option<&str>| {
        words.iter().find(|word| Some(word.value.as_str()) == value).map(|word| word.label.clone())
    };
    let (information, commitment, graduation) = filled.masked();
    let now = app.clock().now();
    Ok(InformationView {
        row,
        birthday: student.birthday,
        ethnicity: label(&ethnicities, student.ethnicity.as_deref()),
        political_status: label(&political, student.political_status.as_deref()),
        enrolled_on: student.enrolled_on,
        schooling_years: student.schooling_years,
        items,
        information,
        commitment,
        graduation,
        warnings: stored.warnings,
        attachments,
        papers,
        signature_url: address(app, connection, stored.signature_id).await?,
        signed_at: stored.signed_at,
        class_review_by: stored.class_review_by,
        class_review_at: stored.class_review_at,
        class_review_remark: stored.class_review_remark,
        class_opinion: stored.class_opinion,
        site_opinion: stored.site_opinion,
        school_opinion: stored.school_opinion,
        photos: photos(app, connection, &student, stored.photo_id).await?,
        // The text names the student by their number.
        commitment_text: commitment_text.map(|text| mask_text(&text, &student.id_card_no)),
        window_open: asked.as_ref().is_some_and(|asked| asked.is_open(now)),
        require_signature: asked.as_ref().is_some_and(|asked| asked.require_signature),
        require_face: asked.is_some_and(|asked| asked.require_face),
        class_manager_review: CLASS_MANAGER_REVIEW.is_on(connection).await?
            && is_managed(connection, student.class_id).await?,
        steps: steps(connection, id).await?,
    })
}

/// The form of a student themself, as their client shows it.
///
/// # Errors
/// 404 when the student has none of this kind.
pub(crate) async fn of_student(
    app: &App,
    connection: &mut PgConnection,
    kind: InformationKind,
    student: i64,
    school: &str,
) -> Result<InformationView> {
    let id = sqlx::query_scalar!(
        "select id from student_information where student_id = $1 and kind = $2",
        student,
        kind.as_str()
    )
    .fetch_optional(&mut *connection)
    .await?
    .ok_or_else(Error::not_found)?;
    view(app, connection, school, (kind, id), &Scope::whole_school()).await
}

/// The same with what stands around it on paper; without a word which, the first paper of the group.
///
/// # Errors
/// 404 as [`view`]; 400 for a paper of another group.
pub(crate) async fn print(
    app: &App,
    connection: &mut PgConnection,
    school: &str,
    (kind, id): (InformationKind, i64),
    doc: Option<InformationPaper>,
    scope: &Scope,
) -> Result<InformationPrint> {
    let papers = papers_of(kind);
    let doc = match doc {
        Some(doc) if papers.contains(&doc) => doc,
        Some(_) => return Err(Error::malformed()),
        None => *papers.first().ok_or_else(Error::malformed)?,
    };
    let view = view(app, connection, school, (kind, id), scope).await?;
    let Letterhead { header, office, seal_url } = letterhead(app, connection).await?;
    let sealed = view.row.status == InformationStatus::Approved && is_sealed(doc);
    Ok(InformationPrint {
        header: header.unwrap_or_else(|| school.to_owned()),
        school_name: school.to_owned(),
        office,
        seal_url: seal_url.filter(|_| sealed),
        doc,
        printed_at: app.clock().now(),
        view,
    })
}

/// Under which papers the school's seal stands, once it has approved them.
const fn is_sealed(paper: InformationPaper) -> bool {
    match paper {
        InformationPaper::Qualification | InformationPaper::Graduation => true,
        InformationPaper::CheckSheet | InformationPaper::Commitment => false,
    }
}

/// The same of an item beside what the register says.
pub(crate) fn mask_item(item: &mut ItemShown) {
    if item.key == InformationItem::IdCardNo {
        item.registered = item.registered.as_deref().map(mask::id_card);
        item.declared = item.declared.as_deref().map(mask::id_card);
        item.declared_value = item.declared_value.as_deref().map(mask::id_card);
    }
}

async fn photos(
    app: &App,
    connection: &mut PgConnection,
    student: &Student,
    handed_in: Option<i64>,
) -> Result<InformationPhotos> {
    let waiting = handed_in.filter(|photo| student.enrol_photo_id != Some(*photo));
    Ok(InformationPhotos {
        admission_url: address(app, connection, student.admission_photo_id).await?,
        enrol_url: address(app, connection, student.enrol_photo_id).await?,
        graduation_url: address(app, connection, student.graduation_photo_id).await?,
        new_enrol_url: address(app, connection, waiting).await?,
    })
}

/// The short-lived address of a file.
async fn address(app: &App, connection: &mut PgConnection, file: Option<i64>) -> Result<Option<String>> {
    match file {
        Some(file) => Ok(files::address(app, connection, file).await?.map(|(url, _)| url)),
        None => Ok(None),
    }
}

async fn steps(connection: &mut PgConnection, id: i64) -> Result<Vec<InformationStep>> {
    let steps = sqlx::query_as!(
        InformationStep,
        r#"select step as "step: _", remark, actor_name, created_at from student_information_step
           where student_information_id = $1 order by id"#,
        id
    );
    Ok(steps.fetch_all(connection).await?)
}
