//! 考点设置: at which site the people of a site sit (part 04 §4.3).

use infra::{Allowed, Body, Change, Entity, Error, FieldError, Part, Reply, Result, Saved, Tx, permissions, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use sqlx::PgConnection;

use crate::seat::hold_batch;

permissions! {
    pages "/schoolPC/examination/offlineIndex/offlineManage";
    InSchool    Reads  ListExamPoints = "offline:pc:offline:manage:point" "考点设置";
    WholeSchool Writes SaveExamPoints = "offline:pc:offline:manage:point" "考点设置";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "offline_point", name: "考点设置", counted: "条考点设置" }],
    option_pages: PAGES,
    ..Part::NONE
};

/// Of which batch.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct ExamPointFilter {
    /// 考试批次
    pub batch_id: i64,
}

/// A site, and where its people sit.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct ExamPoint {
    /// 站点
    pub site_id: i64,
    /// 站点名称
    pub site_name: String,
    /// 考生人次
    pub candidates: i64,
    /// 考点
    /// 不填时为本站点
    pub exam_site_id: Option<i64>,
    /// 考点名称
    pub exam_site_name: Option<String>,
}

/// The points of a batch.
#[derive(Debug, Clone, Object)]
pub struct ExamPoints {
    /// 站点
    pub list: Vec<ExamPoint>,
}

/// Where the people of a site sit.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct ExamPointItem {
    /// 站点
    pub site_id: i64,
    /// 考点
    /// 不填时为本站点
    pub exam_site_id: Option<i64>,
}

/// The points of a batch as they are to be; a site that is not named stays as it is.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ExamPointsForm {
    /// 考试批次
    pub batch_id: i64,
    /// 站点
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub items: Vec<ExamPointItem>,
}

impl Example for ExamPointsForm {
    fn example() -> Self {
        Self { batch_id: 1, items: vec![ExamPointItem { site_id: 2, exam_site_id: Some(1) }] }
    }
}

pub struct Points;

#[OpenApi(prefix_path = "/offline/pc/offline/manage/point", tag = "crate::Tag::ExamSeats")]
impl Points {
    /// 考点设置列表
    #[oai(path = "/list", method = "post", operation_id = "listExamPoints")]
    async fn list(
        &self,
        caller: Allowed<ListExamPoints>,
        Body(asked): Body<ExamPointFilter>,
    ) -> Result<Reply<ExamPoints>> {
        let scope = caller.scope();
        let mut tx = caller.read().await?;
        let list = sqlx::query_as!(
            ExamPoint,
            r#"select s.id as "site_id!", s.name as "site_name!",
                      (select count(*) from exam_candidate c join student y on y.id = c.student_id
                       join exam_setup u on u.id = c.setup_id
                       where c.batch_id = $1 and not c.removed and u.mode = 'offline' and y.site_id = s.id) as "candidates!",
                      p.exam_site_id as "exam_site_id?", e.name as "exam_site_name?"
               from site s
               left join offline_point p on p.batch_id = $1 and p.site_id = s.id
               left join site e on e.id = p.exam_site_id
               where s.status <> 'closed' and ($2::bigint[] is null or s.id = any($2))
               order by s.code, s.id"#,
            asked.batch_id,
            scope.sites()
        )
        .fetch_all(&mut *tx)
        .await?;
        Ok(reply(ExamPoints { list }))
    }

    /// 保存考点设置
    #[oai(path = "/save", method = "put", operation_id = "saveExamPoints")]
    async fn save(&self, caller: Allowed<SaveExamPoints>, Body(form): Body<ExamPointsForm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let changes = write(&mut tx, &form).await?;
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: form.batch_id }))
    }
}

/// # Errors
/// 404 for a batch that is not there; 409 when it is over, or people of a site sit already; 422 at a site that is not there.
async fn write(tx: &mut Tx, form: &ExamPointsForm) -> Result<Vec<Change>> {
    let status = sqlx::query_scalar!("select status from test_batch where id = $1 for update", form.batch_id)
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(Error::not_found)?;
    if !matches!(status.as_str(), "draft" | "active") {
        return Err(Error::conflict("考试批次已结束，不能修改考点"));
    }
    hold_batch(tx, form.batch_id).await?;
    let mut changes = Vec::new();
    for (place, item) in form.items.iter().enumerate() {
        let at = |field: &str, message: String| {
            Error::fields(vec![FieldError { field: format!("items[{place}].{field}"), message }])
        };
        let name = sqlx::query_scalar!("select name from site where id = $1", item.site_id)
            .fetch_optional(&mut **tx)
            .await?
            .ok_or_else(|| at("siteId", "所选站点不存在，请重新选择".to_owned()))?;
        let to = item.exam_site_id.filter(|site| *site != item.site_id);
        if let Some(site) = to {
            let known = sqlx::query_scalar!(
                r#"select exists (select from site where id = $1 and status <> 'closed') as "known!""#,
                site
            )
            .fetch_one(&mut **tx)
            .await?;
            if !known {
                return Err(at("examSiteId", "所选考点不存在或已撤销，请重新选择".to_owned()));
            }
        }
        let before = sqlx::query!(
            "select id, exam_site_id from offline_point where batch_id = $1 and site_id = $2 for update",
            form.batch_id,
            item.site_id
        )
        .fetch_optional(&mut **tx)
        .await?;
        if before.as_ref().map(|row| row.exam_site_id) == to {
            continue;
        }
        let seated = seated_of(tx, form.batch_id, item.site_id).await?;
        if seated > 0 {
            return Err(Error::conflict(format!("“{name}”已编排 {seated} 名考生，请先清空座位再修改考点")));
        }
        let now = ExamPointItem { site_id: item.site_id, exam_site_id: to };
        let by = tx.by();
        match (before, to) {
            (Some(row), Some(site)) => {
                sqlx::query!(
                    "update offline_point set exam_site_id = $2, updated_at = now(), updated_by = $3, version = version + 1
                     where id = $1",
                    row.id,
                    site,
                    by
                )
                .execute(&mut **tx)
                .await?;
                let was = ExamPointItem { site_id: item.site_id, exam_site_id: Some(row.exam_site_id) };
                changes.push(Change::edited("offline_point", row.id, &was, &now));
            }
            (Some(row), None) => {
                sqlx::query!("delete from offline_point where id = $1", row.id).execute(&mut **tx).await?;
                let was = ExamPointItem { site_id: item.site_id, exam_site_id: Some(row.exam_site_id) };
                changes.push(Change::deleted("offline_point", row.id, &was));
            }
            (None, Some(site)) => {
                let id = sqlx::query_scalar!(
                    "insert into offline_point (batch_id, site_id, exam_site_id, created_by, updated_by)
                     values ($1, $2, $3, $4, $4) returning id",
                    form.batch_id,
                    item.site_id,
                    site,
                    by
                )
                .fetch_one(&mut **tx)
                .await?;
                changes.push(Change::created("offline_point", id, &now));
            }
            (None, None) => {}
        }
    }
    Ok(changes)
}

/// How many people of a site sit in sessions of a batch that are not over.
async fn seated_of(connection: &mut PgConnection, batch: i64, site: i64) -> Result<i64> {
    Ok(sqlx::query_scalar!(
        r#"select count(*) as "count!" from offline_seat t
           join offline_session x on x.id = t.session_id
           join student y on y.id = t.student_id
           where x.batch_id = $1 and y.site_id = $2"#,
        batch,
        site
    )
    .fetch_one(connection)
    .await?)
}
