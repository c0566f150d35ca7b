//! 导出照片: the photos of the students that a list names, in one archive, each under its 学号 (02 §9.10, §9.11). What comes
//! out goes in again: 照片批量导入 finds the students by the names.

use infra::{
    Allowed, Body, Error, Reply, Result, Scope,
    access::Permission,
    files::{self, archive::Archive},
    jobs::{self, JobKind, JobRun, JobStarted, NewJob, Outcome},
    reply,
};
use poem_openapi::{
    Object, OpenApi,
    types::{Example, ParseFromJSON, ToJSON},
};
use serde_json::json;
use sqlx::PgConnection;
use student_status_rules::{
    list::StudentFilter,
    photos::{Names, Photo},
    register::Wanted,
};

use super::PackStudentPhotos;
use crate::{enums::PhotoKind, register::of_register};

/// Photos of one archive at the most.
const MOST: i64 = 10_000;

pub(super) const JOB: JobKind = JobKind {
    kind: "student.photo_export",
    code: Some(PackStudentPhotos::CODE),
    run: |run| Box::pin(work(run)),
    headings: None,
};

/// Whose photos, and which.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct StudentPhotoExport {
    /// 照片类型
    pub kind: PhotoKind,
    #[oai(flatten)]
    pub filter: StudentFilter,
}

impl Example for StudentPhotoExport {
    fn example() -> Self {
        Self { kind: PhotoKind::Enrol, filter: StudentFilter::default() }
    }
}

pub struct PhotoExport;

#[OpenApi(prefix_path = "/adult/pc/studentRoll", tag = "crate::Tag::StudentStatus")]
impl PhotoExport {
    /// 导出学生照片
    /// 完成后在任务中心下载
    #[oai(path = "/photo/export", method = "post", operation_id = "packStudentPhotos")]
    async fn pack(
        &self,
        caller: Allowed<PackStudentPhotos>,
        Body(wanted): Body<StudentPhotoExport>,
    ) -> Result<Reply<JobStarted>> {
        let register = wanted.filter.wanted(&caller.scope());
        match count(&mut *caller.read().await?, wanted.kind, &register).await? {
            0 => return Err(Error::conflict(format!("当前名单没有{}", wanted.kind.zh()))),
            photos if photos > MOST => {
                return Err(Error::conflict(format!(
                    "当前名单有{photos}张{}，一次最多导出{MOST}张，请缩小查询范围",
                    wanted.kind.zh()
                )));
            }
            _ => {}
        }
        let job = NewJob {
            kind: JOB.kind,
            target: caller.user_id().to_string(),
            title: format!("导出学生{}", wanted.kind.zh()),
            params: json!({ "wanted": wanted.to_json() }),
        };
        Ok(reply(JobStarted { job_id: jobs::start(caller.caller(), job).await? }))
    }
}

async fn count(connection: &mut PgConnection, kind: PhotoKind, wanted: &Wanted) -> Result<i64> {
    let count = of_register!(query_scalar []
        [r#"select count(*) as "count!" from student s"#]
        wanted
        [+ " and case $27::text when 'admission' then s.admission_photo_id when 'enrol' then s.enrol_photo_id
                                else s.graduation_photo_id end is not null"],
        kind.as_str());
    Ok(count.fetch_one(connection).await?)
}

async fn photos(connection: &mut PgConnection, kind: PhotoKind, wanted: &Wanted) -> Result<Vec<Photo>> {
    let rows = of_register!(query_as [Photo]
        [r#"select s.id as student, coalesce(s.student_no, s.examinee_no) as number, o.key as "key!",
                   o.original_name as "original_name!"
            from student s
            join file_object o on o.id = case $27::text when 'admission' then s.admission_photo_id
                                                        when 'enrol' then s.enrol_photo_id
                                                        else s.graduation_photo_id end"#]
        wanted
        [+ " order by s.student_no, s.id"],
        kind.as_str());
    Ok(rows.fetch_all(connection).await?)
}

async fn work(run: JobRun) -> Result<Outcome> {
    run.show_whole();
    let app = run.app().clone();
    let scope: Scope = run.scope(PackStudentPhotos::CODE).await?;
    let StudentPhotoExport { kind, filter } = StudentPhotoExport::parse_from_json(Some(run.params["wanted"].clone()))
        .map_err(|error| Error::internal(error.into_message()))?;
    let photos = photos(&mut *run.read().await?, kind, &filter.wanted(&scope)).await?;
    let archive = Archive::start(&app).await?;
    let (mut names, mut packed, mut missing) = (Names::default(), 0, 0);
    let total = i64::try_from(photos.len()).unwrap_or(i64::MAX);
    for (photo, done) in photos.iter().zip(0..) {
        if done % 50 == 0 {
            run.progress("打包", done, total).await?;
        }
        if archive.add(&app, || names.of(photo), &photo.key).await? {
            packed += 1;
        } else {
            missing += 1;
        }
    }
    let file = archive.finish().await?;
    let school = run.school.as_ref().map(|school| school.id);
    let name = format!("{}_{}.zip", kind.zh(), app.clock().now().format("%Y%m%d%H%M%S"));
    let result = files::keep_result(&app, school, run.actor.id, &name, file.path()).await?;
    let lost = if missing > 0 { format!("，{missing}张已不存在") } else { String::new() };
    Ok(Outcome {
        message: format!("已导出{packed}张{}{lost}", kind.zh()),
        result_file: Some(result),
        ..Outcome::default()
    })
}
