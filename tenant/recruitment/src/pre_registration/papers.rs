//! 材料打包下载: photos and papers of the people that a list names, in one archive (02 §3).
//!
//! ```text
//! <站点>/<姓名>_<考生号>/<材料>.<ext>
//! ```

use field_attributes::{enums::FieldStage, stage::StageFields};
use infra::{
    Allowed, Body, Error, Paged, Reply, Result, Scope,
    access::Permission,
    files::{self, archive::Archive},
    jobs::{self, JobKind, JobRun, JobStarted, NewJob, Outcome},
    reply,
};
use poem_openapi::{
    OpenApi,
    types::{ParseFromJSON, ToJSON},
};
use recruitment_rules::papers::{Names, Paper};
use serde_json::json;
use sqlx::PgConnection;

use super::{
    PackPapers,
    list::{PreRegistrationFilter, Wanted, of_list},
};

/// People of one archive at the most.
const MOST: i64 = 5_000;

pub const KIND: JobKind = JobKind {
    kind: "pre_registration.papers",
    code: Some(PackPapers::CODE),
    run: |run| Box::pin(work(run)),
    headings: None,
};

pub struct Papers;

#[OpenApi(prefix_path = "/adult/pc/preRegistration", tag = "crate::Tag::Recruitment")]
impl Papers {
    /// 预报名材料打包下载
    /// 完成后在任务中心下载
    #[oai(path = "/batchDownload", method = "post", operation_id = "packPreRegistrationPapers")]
    async fn pack(
        &self,
        caller: Allowed<PackPapers>,
        Body(asked): Body<Paged<PreRegistrationFilter>>,
    ) -> Result<Reply<JobStarted>> {
        let filter = asked.filter;
        let people = people(&mut *caller.read().await?, &filter.wanted(&caller.scope())).await?;
        match people {
            0 => return Err(Error::conflict("当前名单没有上传过照片或材料的人员")),
            people if people > MOST => {
                return Err(Error::conflict(format!(
                    "当前名单有{people}人上传过材料，一次最多打包{MOST}人，请缩小查询范围"
                )));
            }
            _ => {}
        }
        let job = NewJob {
            kind: KIND.kind,
            target: caller.user_id().to_string(),
            title: "打包预报名材料".to_owned(),
            params: json!({ "filter": filter.to_json() }),
        };
        Ok(reply(JobStarted { job_id: jobs::start(caller.caller(), job).await? }))
    }
}

/// How many of the people that the filter names have sent in something.
async fn people(connection: &mut PgConnection, wanted: &Wanted) -> Result<i64> {
    let count = of_list!(query_scalar []
        [r#"select count(*) as "count!" from pre_registration p"#]
        wanted
        [+ " and (p.photo_id is not null
                  or exists (select from pre_registration_file f where f.pre_registration_id = p.id))"]);
    Ok(count.fetch_one(connection).await?)
}

async fn papers(connection: &mut PgConnection, wanted: &Wanted) -> Result<Vec<Paper>> {
    let rows = of_list!(query_as [Paper]
        [r#"select p.id as person, p.name, coalesce(p.examinee_no, p.id::text) as "number!", t.name as site, f.kind as "kind!",
                   o.key, o.original_name
            from pre_registration p
            join site t on t.id = p.site_id
            join lateral (select 'photo' as kind, p.photo_id as file_id, 0::bigint as place where p.photo_id is not null
                          union all
                          select kind, file_id, id from pre_registration_file where pre_registration_id = p.id) f on true
            join file_object o on o.id = f.file_id"#]
        wanted
        [+ " order by t.name, p.id, f.place"]);
    Ok(rows.fetch_all(connection).await?)
}

async fn work(run: JobRun) -> Result<Outcome> {
    run.show_whole();
    let app = run.app().clone();
    let scope: Scope = run.scope(PackPapers::CODE).await?;
    let filter = PreRegistrationFilter::parse_from_json(Some(run.params["filter"].clone()))
        .map_err(|error| Error::internal(error.into_message()))?;
    let mut tx = run.read().await?;
    let fields = StageFields::load(&app, &mut tx, FieldStage::PreRegistration).await?;
    let papers = papers(&mut tx, &filter.wanted(&scope)).await?;
    drop(tx);
    let archive = Archive::start(&app).await?;
    let mut names = Names::default();
    let (mut packed, mut missing) = (0, 0);
    let total = i64::try_from(papers.len()).unwrap_or(i64::MAX);
    for (paper, done) in papers.iter().zip(0..) {
        if done % 20 == 0 {
            run.progress("打包", done, total).await?;
        }
        if archive.add(&app, || names.of(paper, &fields), &paper.key).await? {
            packed += 1;
        } else {
            missing += 1;
        }
    }
    let file = archive.finish().await?;
    let school = run.school.as_ref().map(|school| school.id);
    let name = format!("预报名材料_{}.zip", app.clock().now().format("%Y%m%d%H%M%S"));
    let result = files::keep_result(&app, school, run.actor.id, &name, file.path()).await?;
    let lost = if missing > 0 { format!("，{missing}份已不存在") } else { String::new() };
    let message = format!("已打包{}人的{packed}份材料{lost}", names.people());
    Ok(Outcome { message, result_file: Some(result), ..Outcome::default() })
}
