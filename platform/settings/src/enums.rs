//! Option lists: enumerations from code, dictionaries and administrative divisions from `platform` (01 §3, 05 H).

use infra::{Error, Part, Public, Reply, Result, SignedIn, enumeration::Enumeration, reply};
use poem_openapi::{
    Object, OpenApi,
    param::{Path, Query},
};
use sqlx::PgConnection;

pub const PART: Part = Part { enumerations: &[REGION_KIND], ..Part::NONE };

/// How a division came into the list (05 H); no call takes or answers it.
const REGION_KIND: Enumeration = Enumeration {
    name: "regionKind",
    items: &[("official", "行政区划"), ("statistical", "统计用区划"), ("virtual", "虚拟区划")],
    schema: None,
};

/// A word of the wire and its Chinese.
#[derive(Debug, Object)]
struct Choice {
    /// 值
    code: String,
    /// 名称
    desc: String,
}

/// An entry of a dictionary.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
struct DictEntry {
    /// 编号
    dict_code: i64,
    /// 字典类型
    dict_type: String,
    /// 值
    dict_value: String,
    /// 标签
    dict_label: String,
    /// 默认
    is_default: bool,
}

/// A division of GB/T 2260.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
struct Region {
    /// 代码
    code: String,
    /// 名称
    name: String,
    /// 级别
    level: String,
    /// 是否有下级
    has_children: bool,
}

pub struct Words;

#[OpenApi(prefix_path = "/system/pc", tag = "crate::Tag::Settings")]
impl Words {
    /// 枚举名称列表
    #[oai(path = "/api/enum/list", method = "get", operation_id = "listEnumerations")]
    async fn enumerations(&self, caller: SignedIn) -> Result<Reply<Vec<String>>> {
        let mut names: Vec<String> =
            caller.app().modules().enumerations().map(|enumeration| enumeration.name.to_owned()).collect();
        names.sort_unstable();
        Ok(reply(names))
    }

    /// 按类型取枚举
    #[oai(path = "/api/enum/list/:type", method = "get", operation_id = "listEnumeration")]
    async fn enumeration(
        &self,
        caller: SignedIn,
        /// 枚举名称
        r#type: Path<String>,
    ) -> Result<Reply<Vec<Choice>>> {
        let wanted = caller
            .app()
            .modules()
            .enumerations()
            .find(|enumeration| enumeration.name == r#type.0)
            .ok_or_else(|| Error::new(404, "枚举不存在"))?;
        let choices =
            wanted.items.iter().map(|(code, desc)| Choice { code: (*code).to_owned(), desc: (*desc).to_owned() });
        Ok(reply(choices.collect()))
    }

    /// 按类型取字典数据
    #[oai(path = "/dict/data/dictType", method = "get", operation_id = "listDictionary")]
    async fn dictionary(
        &self,
        caller: SignedIn,
        /// 字典类型
        #[oai(name = "dictType")]
        dict_type: Query<String>,
    ) -> Result<Reply<Vec<DictEntry>>> {
        let mut tx = caller.platform().await?;
        let entries = sqlx::query_as!(
            DictEntry,
            "select id as dict_code, dict_type, dict_value, dict_label, is_default from platform.dict_data
             where dict_type = $1 and enabled order by sort, id",
            dict_type.0
        )
        .fetch_all(&mut *tx)
        .await?;
        Ok(reply(entries))
    }

    /// 下级行政区划
    #[oai(path = "/api/region/children", method = "get", operation_id = "listRegions")]
    async fn regions(
        &self,
        caller: SignedIn,
        /// 上级代码
        parent: Query<Option<String>>,
    ) -> Result<Reply<Vec<Region>>> {
        Ok(reply(below(&mut *caller.platform().await?, parent.0).await?))
    }
}

/// What the clients know without a session.
pub struct ClientWords;

#[OpenApi(prefix_path = "/system/client", tag = "crate::Tag::Settings")]
impl ClientWords {
    /// 客户端下级行政区划
    #[oai(path = "/region/children", method = "get", operation_id = "listClientRegions")]
    async fn regions(
        &self,
        caller: Public,
        /// 上级代码
        parent: Query<Option<String>>,
    ) -> Result<Reply<Vec<Region>>> {
        Ok(reply(below(&mut *caller.platform().await?, parent.0).await?))
    }
}

/// The divisions right below one, or the provinces.
async fn below(connection: &mut PgConnection, parent: Option<String>) -> Result<Vec<Region>> {
    // A placeholder of the prefecture level (市辖区, 省直辖县级行政区划) is not shown: its children stand beside the real ones.
    let regions = sqlx::query_as!(
        Region,
        r#"select r.code, r.name, r.level,
                  exists (select from platform.region c where c.parent_code = r.code and c.enabled) as "has_children!"
           from platform.region r
           where r.enabled and r.kind <> 'virtual'
             and (r.parent_code is not distinct from $1
                  or r.parent_code in (select code from platform.region v where v.parent_code = $1 and v.kind = 'virtual'))
           order by r.code"#,
        parent
    )
    .fetch_all(connection)
    .await?;
    Ok(regions)
}
