//! 齐全度: how far the archives of each site are (part 04 §11).

use infra::{
    Allowed, Body, Reply, Result,
    across::{KeyQuery, Keyed},
    reply,
};
use poem_openapi::{Object, OpenApi};

use super::{Archives, ListArchives, select::ArchiveFilter};

/// The archives of a site, by how far they are.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ArchiveSiteStat {
    /// 站点
    pub site_name: String,
    /// 收集中
    pub collecting: i64,
    /// 齐全
    pub complete: i64,
    /// 已归档
    pub sealed: i64,
    /// 已移交
    pub handed_over: i64,
}

pub struct Counting;

#[OpenApi(prefix_path = "/adult/pc/archive", tag = "crate::Tag::Certificates")]
impl Counting {
    /// 各站点档案齐全度
    /// 与列表相同的条件
    #[oai(path = "/stat", method = "post", operation_id = "countArchives")]
    async fn stat(
        &self,
        caller: Allowed<ListArchives>,
        Body(asked): Body<ArchiveFilter>,
    ) -> Result<Reply<Vec<ArchiveSiteStat>>> {
        let mut tx = caller.read().await?;
        let keys = Archives::matching(&mut tx, &asked, &caller.scope(), KeyQuery::default()).await?;
        let ids: Vec<i64> = keys.into_iter().map(|key| key.id).collect();
        let sites = sqlx::query_as!(
            ArchiveSiteStat,
            r#"select t.name as "site_name!", count(*) filter (where a.status = 'collecting') as "collecting!",
                      count(*) filter (where a.status = 'complete') as "complete!",
                      count(*) filter (where a.status = 'sealed') as "sealed!",
                      count(*) filter (where a.status = 'handed_over') as "handed_over!"
               from archive a join student y on y.id = a.student_id join site t on t.id = y.site_id
               where a.id = any($1) group by t.id order by t.code, t.id"#,
            &ids
        )
        .fetch_all(&mut *tx)
        .await?;
        Ok(reply(sites))
    }
}
