//! 材料打包下载: photos and papers of the people that a list names, in one archive (02 §3).
//!
//! ```text
//! <站点>/<姓名>_<考生号>/<材料>.<ext>
//! ```

use std::collections::HashMap;

use field_attributes::{enums::FieldStage, stage::StageFields};
use infra::{
    Allowed, Body, Error, Paged, Reply, Result, Scope,
    access::Permission,
    files::{
        self,
        archive::{Archive, plain_name as plain},
    },
    jobs::{self, JobKind, JobRun, JobStarted, NewJob, Outcome},
    reply,
};
use poem_openapi::{
    OpenApi,
    types::{ParseFromJSON, ToJSON},
};
use serde_json::json;
use sqlx::PgConnection;

use super::{
    PackPapers,
    list::{PreRegistrationFilter, Wanted, of_list},
};
use crate::enums::AttachmentKind;

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

/// A file of somebody.
struct Paper {
    person: i64,
    name: String,
    number: String,
    site: String,
    kind: String,
    key: String,
    original_name: String,
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

/// Where papers stand in the archive; a second one of a kind is numbered.
#[derive(Debug, Default)]
struct Names {
    met: HashMap<i64, HashMap<String, u32>>,
}

impl Names {
    fn of(&mut self, paper: &Paper, fields: &StageFields) -> String {
        let usual = AttachmentKind::CHOICES.iter().find(|(_, kind)| kind.as_str() == paper.kind).map(|(zh, _)| *zh);
        let own = || fields.fields().iter().find(|field| field.key == paper.kind).map(|field| field.label.as_str());
        let what = if paper.kind == "photo" { Some("照片") } else { usual.or_else(own) }.unwrap_or(&paper.kind);
        let met = self.met.entry(paper.person).or_default().entry(paper.kind.clone()).or_default();
        *met += 1;
        let place = if *met > 1 { met.to_string() } else { String::new() };
        let extension = paper.original_name.rsplit_once('.').map_or("", |(_, extension)| extension);
        let person = format!("{}_{}", plain(&paper.name), plain(&paper.number));
        format!("{}/{person}/{}{place}.{}", plain(&paper.site), plain(what), plain(extension))
    }

    fn people(&self) -> usize {
        self.met.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paper(person: i64, kind: &str) -> Paper {
        Paper {
            person,
            name: "热依木·买买提".to_owned(),
            number: "26420101150001".to_owned(),
            site: "城东/教学点".to_owned(),
            kind: kind.to_owned(),
            key: String::new(),
            original_name: "扫描件.PDF".to_owned(),
        }
    }

    #[test]
    fn a_paper_lies_with_its_person_at_the_site() {
        let fields = StageFields::default();
        let mut names = Names::default();
        assert_eq!(names.of(&paper(1, "diploma"), &fields), "城东_教学点/热依木·买买提_26420101150001/毕业证书.PDF");
        assert_eq!(names.of(&paper(1, "diploma"), &fields), "城东_教学点/热依木·买买提_26420101150001/毕业证书2.PDF");
        assert_eq!(names.of(&paper(1, "photo"), &fields), "城东_教学点/热依木·买买提_26420101150001/照片.PDF");
        assert_eq!(names.of(&paper(2, "x_gone"), &fields), "城东_教学点/热依木·买买提_26420101150001/x_gone.PDF");
        assert_eq!(names.people(), 2);
    }
}
