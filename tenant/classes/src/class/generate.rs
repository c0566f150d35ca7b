//! 批量生成: classes of a grade for majors and sites, shown first and then made (part 03 A4).

use std::collections::{HashMap, HashSet};

use infra::{Allowed, Body, Error, Reply, Result, Tx, permissions, reply};
use poem_openapi::{Object, OpenApi, types::Example};

use super::{
    Cohort, cohort,
    create::{Naming, NewClass, classes_create, next_classes},
    seats::default_capacity,
};

permissions! {
    pages "/schoolPC/basicData/classes";
    InSchool Writes GenerateClasses = "adult:pc:class:generate" "批量生成班级";
}

/// How many classes of a major at a site.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ClassesWanted {
    /// 专业
    pub major_id: i64,
    /// 站点
    pub site_id: i64,
    /// 班级数
    #[oai(validator(minimum(value = "1"), maximum(value = "50")))]
    pub count: i32,
    /// 容量
    #[oai(validator(minimum(value = "1"), maximum(value = "500")))]
    pub capacity: Option<i32>,
}

/// What is to be made.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ClassGeneration {
    /// 年级
    pub grade_id: i64,
    /// 专业和站点
    #[oai(validator(min_items = 1, max_items = 500))]
    pub items: Vec<ClassesWanted>,
    /// 仅预览
    #[oai(default)]
    pub dry_run: bool,
}

impl Example for ClassGeneration {
    fn example() -> Self {
        let item = ClassesWanted { major_id: 1, site_id: 1, count: 2, capacity: Some(50) };
        Self { grade_id: 1, items: vec![item], dry_run: true }
    }
}

/// A class that was made, or would be.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct GeneratedClass {
    /// 编码
    pub code: String,
    /// 名称
    pub name: String,
    /// 专业
    pub major_id: i64,
    /// 站点
    pub site_id: i64,
    /// 容量
    pub capacity: i32,
}

/// 批量生成的结果
#[derive(Debug, Clone, Object)]
pub struct GeneratedClasses {
    /// 已生成班级数
    pub done: i64,
    /// 班级
    pub classes: Vec<GeneratedClass>,
}

pub struct Generate;

#[OpenApi(prefix_path = "/adult/pc/class", tag = "crate::Tag::Classes")]
impl Generate {
    /// 批量生成班级
    #[oai(path = "/generate", method = "post", operation_id = "generateClasses")]
    async fn generate(
        &self,
        caller: Allowed<GenerateClasses>,
        Body(wanted): Body<ClassGeneration>,
    ) -> Result<Reply<GeneratedClasses>> {
        let scope = caller.scope();
        let naming = Naming::default();
        let mut tx = caller.begin().await?;
        let usual = default_capacity(&mut tx).await?;
        let levels = levels(&mut tx, &wanted.items).await?;
        let mut seen = HashSet::new();
        let (mut classes, mut changes) = (Vec::new(), Vec::new());
        for ClassesWanted { major_id, site_id, count, capacity } in wanted.items {
            if !seen.insert((major_id, site_id)) {
                return Err(Error::field("items", "同一专业和站点只能填写一行"));
            }
            let level_id =
                *levels.get(&major_id).ok_or_else(|| Error::field("majorId", "所选专业不存在，请重新选择"))?;
            let cohort = Cohort { grade_id: wanted.grade_id, level_id, major_id, site_id };
            cohort::check(&mut tx, cohort, None, &scope).await?;
            let count = usize::try_from(count).map_err(Error::internal)?;
            let capacity = capacity.unwrap_or(usual);
            let new = if wanted.dry_run {
                next_classes(&mut tx, cohort, count, &naming).await?
            } else {
                let (made, records) = classes_create(&mut tx, cohort, count, capacity, &naming).await?;
                changes.extend(records);
                made.into_iter().map(|(_, class)| class).collect()
            };
            classes.extend(new.into_iter().map(|NewClass { code, name, .. }| GeneratedClass {
                code,
                name,
                major_id,
                site_id,
                capacity,
            }));
        }
        if wanted.dry_run {
            return Ok(reply(GeneratedClasses { done: 0, classes }));
        }
        let done = i64::try_from(changes.len()).map_err(Error::internal)?;
        tx.commit_all(changes).await?;
        Ok(reply(GeneratedClasses { done, classes }))
    }
}

/// The levels of the majors.
async fn levels(tx: &mut Tx, items: &[ClassesWanted]) -> Result<HashMap<i64, i64>> {
    let majors: Vec<i64> = items.iter().map(|item| item.major_id).collect();
    let rows = sqlx::query!("select id, level_id from major where id = any($1)", &majors).fetch_all(&mut **tx).await?;
    Ok(rows.into_iter().map(|row| (row.id, row.level_id)).collect())
}
