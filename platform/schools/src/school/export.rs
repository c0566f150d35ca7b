//! 导出院校: the list as a workbook. There are thousands of schools at most, so they are made in memory.

use infra::{
    Allowed, Body, Error, Paged, Result,
    access::Permission,
    files::tenths_of_gb,
    jobs::{self, JobKind, JobRun, JobStarted, NewJob, Outcome},
    mask, permissions, reply,
    sheet::{Cell, Column},
    transfer::{Attachment, Exported},
};
use poem_openapi::{
    OpenApi,
    param::Query,
    types::{ParseFromJSON, ToJSON},
};
use serde_json::json;

use super::{ProvisionState, School, SchoolFilter, SchoolStatus, add_figures, count, matching, open_place, rows};

permissions! {
    pages "/sys/school/list";
    InPlatform ReadsLogged ExportSchools = "system:pc:sys:school:export" "导出院校";
}

const COLUMNS: &[Column<School>] = &[
    Column { heading: "院校代码", width: 12, cell: |school| Cell::Text(school.code.clone()) },
    Column { heading: "院校名称", width: 28, cell: |school| Cell::Text(school.name.clone()) },
    Column { heading: "简称", width: 14, cell: |school| Cell::text(school.short_name.clone()) },
    Column { heading: "域名", width: 24, cell: |school| Cell::text(school.domain.clone()) },
    Column { heading: "状态", width: 8, cell: |school| Cell::Text(SchoolStatus::zh(school.status).to_owned()) },
    Column { heading: "停用原因", width: 20, cell: |school| Cell::text(school.status_reason.clone()) },
    Column {
        heading: "开通进度",
        width: 10,
        cell: |school| Cell::Text(ProvisionState::zh(school.provision_state).to_owned()),
    },
    Column {
        heading: "占用配额的学生", width: 10, cell: |school| school.student_count.map_or(Cell::Empty, Cell::Int)
    },
    Column {
        heading: "学生配额",
        width: 10,
        cell: |school| school.student_quota.map_or(Cell::Empty, |quota| Cell::Int(quota.into())),
    },
    Column { heading: "站点数", width: 8, cell: |school| school.site_count.map_or(Cell::Empty, Cell::Int) },
    Column {
        heading: "已用存储(GB)",
        width: 12,
        cell: |school| school.storage_used.map_or(Cell::Empty, |bytes| Cell::Decimal(tenths_of_gb(bytes), 1)),
    },
    Column {
        heading: "存储配额(GB)",
        width: 12,
        cell: |school| school.storage_quota_gb.map_or(Cell::Empty, |quota| Cell::Int(quota.into())),
    },
    Column { heading: "服务到期", width: 12, cell: |school| school.expires_on.map_or(Cell::Empty, Cell::Date) },
    Column { heading: "联系人", width: 12, cell: |school| Cell::text(school.contact_name.clone()) },
    Column {
        heading: "联系电话",
        width: 14,
        cell: |school| Cell::text(school.contact_phone.as_deref().map(mask::phone)),
    },
    Column { heading: "省份", width: 12, cell: |school| Cell::text(school.province.clone()) },
    Column { heading: "创建时间", width: 20, cell: |school| Cell::DateTime(school.created_at) },
    Column { heading: "最近活跃", width: 20, cell: |school| Cell::time(school.last_active_at) },
];

const TITLE: &str = "院校";

/// The list as a file of the job centre.
pub(super) const JOB: JobKind = JobKind {
    kind: "school.list_export",
    code: Some(ExportSchools::CODE),
    run: |run| Box::pin(work(run)),
    headings: None,
};

/// For whoever started it, with the schools that they may act for by now.
async fn work(run: JobRun) -> Result<Outcome> {
    run.scope(ExportSchools::CODE).await?;
    let filter = SchoolFilter::parse_from_json(Some(run.params["filter"].clone()))
        .map_err(|error| Error::internal(error.into_message()))?;
    let app = run.app();
    let mut tx = run.read_platform().await?;
    let ids = matching(&mut tx, run.actor.id, &filter, app.clock().today()).await?;
    let mut list = rows(&mut tx, &ids).await?;
    drop(tx);
    let total = i64::try_from(list.len()).unwrap_or(i64::MAX);
    for (school, done) in list.iter_mut().zip(0..) {
        run.progress("导出", done, total).await?;
        if let Some(known) = open_place(app, school).await? {
            count(&mut *run.read_in(&known).await?, school).await?;
        }
    }
    let kept = Attachment::of(app, TITLE, COLUMNS, &list).await?.keep(app, None, run.actor.id).await?;
    Ok(Outcome { message: format!("共导出{total}行"), result_file: Some(kept), ..Outcome::default() })
}

pub struct SchoolExport;

#[OpenApi(prefix_path = "/system/pc/sys/school", tag = "crate::Tag::Schools")]
impl SchoolExport {
    /// 导出院校
    #[oai(path = "/export", method = "post", operation_id = "exportSchools")]
    async fn export(
        &self,
        caller: Allowed<ExportSchools>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<SchoolFilter>>,
    ) -> Result<Exported> {
        if job.0 == Some(true) {
            let job = NewJob {
                kind: JOB.kind,
                // A person's: schools count the work that is done on them by their number.
                target: format!("user:{}", caller.user_id()),
                title: format!("导出{TITLE}"),
                params: json!({ "filter": asked.filter.to_json() }),
            };
            return Ok(Exported::Job(reply(JobStarted { job_id: jobs::start(caller.caller(), job).await? })));
        }
        let mut tx = caller.read().await?;
        let ids = matching(&mut tx, caller.user_id(), &asked.filter, caller.app().clock().today()).await?;
        let mut list = rows(&mut tx, &ids).await?;
        drop(tx);
        for school in &mut list {
            add_figures(&caller, school).await?;
        }
        caller.note("export", json!({ "rows": list.len(), "file": "院校.xlsx" }));
        Ok(Exported::File(Attachment::of(caller.app(), TITLE, COLUMNS, &list).await?))
    }
}
