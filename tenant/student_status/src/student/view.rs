//! 学籍详情: one student, with the photos.

use infra::{Allowed, App, Error, Reply, Result, files, reply};
use poem_openapi::{Object, OpenApi, param::Query};
use sqlx::PgConnection;
use student_status_rules::{references::Word, student::Student};

use super::{ViewStudent, find, references::words};

/// A student as people see it: personal values masked, photos as short-lived addresses.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct StudentDetail {
    #[oai(flatten)]
    pub student: Student,
    /// 民族名称
    pub ethnicity_name: Option<String>,
    /// 政治面貌名称
    pub political_status_name: Option<String>,
    /// 录取照片
    pub admission_photo: Option<String>,
    /// 入学照片
    pub enrol_photo: Option<String>,
    /// 学历照片
    pub graduation_photo: Option<String>,
    /// 清查未通过
    /// 前置学历清查的结果
    pub chsi_failed: bool,
    /// 录取数据编号
    pub admission_id: Option<i64>,
}

pub struct View;

#[OpenApi(prefix_path = "/adult/pc/studentRoll", tag = "crate::Tag::StudentStatus")]
impl View {
    /// 查看学籍
    #[oai(path = "/view", method = "get", operation_id = "viewStudent")]
    async fn view(
        &self,
        caller: Allowed<ViewStudent>,
        /// 编号
        id: Query<Option<i64>>,
        /// 学号
        #[oai(name = "studentNo")]
        student_no: Query<Option<String>>,
    ) -> Result<Reply<StudentDetail>> {
        if id.is_some() == student_no.is_some() {
            return Err(Error::malformed());
        }
        let mut tx = caller.read().await?;
        let student = find(&mut tx, id.0, student_no.as_deref(), &caller.scope()).await?;
        Ok(reply(detail(caller.app(), &mut tx, student).await?))
    }
}

/// The student as people see them, with photos and words.
pub(super) async fn detail(app: &App, connection: &mut PgConnection, student: Student) -> Result<StudentDetail> {
    let (ethnicities, political) = words(app).await?;
    let label = |words: &[Word], value: Option<&str>| {
        words.iter().find(|word| Some(word.value.as_str()) == value).map(|word| word.label.clone())
    };
    let beside = sqlx::query!(
        r#"select exists (select from student_information i where i.student_id = s.id
                          and i.kind = 'admission_commitment' and i.chsi_pre_check = 'failed') as "chsi_failed!",
                  (select a.id from admission a where a.id = s.admission_id and a.deleted_at is null) as admission_id
           from student s where s.id = $1"#,
        student.id
    )
    .fetch_one(&mut *connection)
    .await?;
    Ok(StudentDetail {
        chsi_failed: beside.chsi_failed,
        admission_id: beside.admission_id,
        ethnicity_name: label(&ethnicities, student.ethnicity.as_deref()),
        political_status_name: label(&political, student.political_status.as_deref()),
        admission_photo: photo(app, connection, student.admission_photo_id).await?,
        enrol_photo: photo(app, connection, student.enrol_photo_id).await?,
        graduation_photo: photo(app, connection, student.graduation_photo_id).await?,
        student: student.masked(),
    })
}

async fn photo(app: &App, connection: &mut PgConnection, id: Option<i64>) -> Result<Option<String>> {
    match id {
        Some(id) => Ok(files::address(app, connection, id).await?.map(|(url, _)| url)),
        None => Ok(None),
    }
}
