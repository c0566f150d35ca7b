//! 不可用时间: when somebody or something cannot be had although nothing is arranged then (part 03 B9).

use infra::{
    Allowed, Body, Change, Entity, Error, FieldError, Page, Paged, Part, Reply, Result, Scope, Tx, clock::Moment,
    permissions, reply,
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use sqlx::PgConnection;
use timetable_rules::{
    block::numbers,
    occupation::{Occupation, refuse},
};

use crate::{
    enums::{OccupationSource, ResourceKind},
    hold,
    occupation::conflicts,
};

permissions! {
    pages "/schoolPC/examination/arrange/courseArrange";
    InSchool Reads  ListBlocks  = "adult:pc:courseArrange:block" "不可用时间";
    InSchool Writes WriteBlocks = "adult:pc:courseArrange:block" "不可用时间";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "resource_occupation", name: "不可用时间", counted: "条不可用时间" }],
    ..Part::NONE
};

/// When somebody or something cannot be had.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct BlockForm {
    /// 资源类型
    pub kind: ResourceKind,
    /// 资源编号
    pub resource_id: i64,
    /// 开始时间
    pub starts_at: Moment,
    /// 结束时间
    pub ends_at: Moment,
    /// 说明
    #[oai(validator(max_length = 100))]
    pub note: Option<String>,
}

impl Example for BlockForm {
    fn example() -> Self {
        let at = |text: &str| text.parse().unwrap_or_default();
        Self {
            kind: ResourceKind::Classroom,
            resource_id: 1,
            starts_at: at("2026-03-21T08:00:00+08:00"),
            ends_at: at("2026-03-21T12:00:00+08:00"),
            note: Some("设备检修".to_owned()),
        }
    }
}

/// Several at once.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct BlocksForm {
    /// 不可用时间
    #[oai(validator(min_items = 1, max_items = 200))]
    pub items: Vec<BlockForm>,
}

impl Example for BlocksForm {
    fn example() -> Self {
        Self { items: vec![BlockForm::example()] }
    }
}

/// A time that is kept.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Block {
    /// 编号
    pub id: i64,
    /// 资源类型
    pub kind: ResourceKind,
    /// 资源编号
    pub resource_id: i64,
    /// 资源名称
    pub name: String,
    /// 开始时间
    pub starts_at: Moment,
    /// 结束时间
    pub ends_at: Moment,
    /// 说明
    pub note: Option<String>,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct BlockFilter {
    /// 资源类型
    pub kind: Option<ResourceKind>,
    /// 资源编号
    pub resource_id: Option<i64>,
    /// 仅以后的
    pub ahead: Option<bool>,
}

/// The numbers of what was made or deleted.
#[derive(Debug, Clone, Object)]
pub struct BlockIds {
    /// 编号
    pub ids: Vec<i64>,
}

pub struct Blocks;

#[OpenApi(prefix_path = "/adult/pc/courseArrange", tag = "crate::Tag::Timetable")]
impl Blocks {
    /// 不可用时间列表
    #[oai(path = "/block/list", method = "post", operation_id = "listBlocks")]
    async fn list(
        &self,
        caller: Allowed<ListBlocks>,
        Body(asked): Body<Paged<BlockFilter>>,
    ) -> Result<Reply<Page<Block>>> {
        let (paging, scope) = (asked.paging()?, caller.scope());
        let mut tx = caller.read().await?;
        let from = asked.filter.ahead.unwrap_or_default().then(|| caller.app().clock().now());
        let rows = sqlx::query!(
            r#"select o.id as "id!", o.kind as "kind!: ResourceKind", o.resource_id as "resource_id!",
                      coalesce(t.name, c.name, k.name, '') as "name!", lower(o.during) as "starts_at!",
                      upper(o.during) as "ends_at!", o.note as "note?", o.created_at as "created_at!", o.version as "version!",
                      count(*) over () as "total!"
               from resource_occupation o
               left join teacher t on o.kind = 'teacher' and t.id = o.resource_id
               left join classroom c on o.kind = 'classroom' and c.id = o.resource_id
               left join class k on o.kind = 'class' and k.id = o.resource_id
               where o.source_type = 'blocked'
                 and ($1::bigint[] is null or c.site_id = any($1) or k.site_id = any($1) or k.id = any($2::bigint[]))
                 and ($3::text is null or o.kind = $3)
                 and ($4::bigint is null or o.resource_id = $4)
                 and ($5::timestamptz is null or upper(o.during) > $5)
               order by lower(o.during) desc, o.id
               limit $6 offset $7"#,
            scope.sites(),
            scope.classes(),
            asked.filter.kind.map(ResourceKind::as_str),
            asked.filter.resource_id,
            from as _,
            paging.limit(),
            paging.offset()
        )
        .fetch_all(&mut *tx)
        .await?;
        let total = rows.first().map_or(0, |row| row.total);
        let block = rows.into_iter().map(|row| Block {
            id: row.id,
            kind: row.kind,
            resource_id: row.resource_id,
            name: row.name,
            starts_at: row.starts_at,
            ends_at: row.ends_at,
            note: row.note,
            created_at: row.created_at,
            version: row.version,
        });
        Ok(reply(paging.page(total, block.collect())))
    }

    /// 新增不可用时间
    #[oai(path = "/block", method = "post", operation_id = "saveBlocks")]
    async fn save(&self, caller: Allowed<WriteBlocks>, Body(form): Body<BlocksForm>) -> Result<Reply<BlockIds>> {
        let mut tx = match caller.begin().await {
            Ok(tx) => tx,
            Err(error) if error.replayed().is_some() => {
                return Ok(reply(BlockIds { ids: ids_of(&mut *caller.read().await?, &form.items).await? }));
            }
            Err(error) => return Err(error),
        };
        let (ids, changes) = insert(&mut tx, &form.items, &caller.scope()).await?;
        tx.commit_all(changes).await?;
        Ok(reply(BlockIds { ids }))
    }

    /// 删除不可用时间
    #[oai(path = "/block", method = "delete", operation_id = "deleteBlocks")]
    async fn delete(
        &self,
        caller: Allowed<WriteBlocks>,
        /// 编号
        /// 多个用逗号分隔
        ids: Query<String>,
    ) -> Result<Reply<BlockIds>> {
        let ids = numbers(&ids.0)?;
        let mut tx = caller.begin().await?;
        let mut changes = Vec::with_capacity(ids.len());
        for id in &ids {
            changes.push(remove(&mut tx, *id, &caller.scope()).await?);
        }
        tx.commit_all(changes).await?;
        Ok(reply(BlockIds { ids }))
    }
}

/// Whether somebody may keep times of a teacher, a classroom or a class.
///
/// # Errors
/// 422 at `field` when there is none, or none within the scope.
async fn check(connection: &mut PgConnection, kind: ResourceKind, id: i64, scope: &Scope, field: &str) -> Result<()> {
    let missing = || Error::field(field, format!("所选{}不存在，请重新选择", kind.zh()));
    let (site, class) = match kind {
        ResourceKind::Teacher => {
            sqlx::query_scalar!("select id from teacher where id = $1", id)
                .fetch_optional(connection)
                .await?
                .ok_or_else(missing)?;
            (None, None)
        }
        ResourceKind::Classroom => {
            let site = sqlx::query_scalar!("select site_id from classroom where id = $1", id)
                .fetch_optional(connection)
                .await?
                .ok_or_else(missing)?;
            (Some(site), None)
        }
        ResourceKind::Class => {
            let site = sqlx::query_scalar!("select site_id from class where id = $1", id)
                .fetch_optional(connection)
                .await?
                .ok_or_else(missing)?;
            (Some(site), Some(id))
        }
    };
    if scope.sees(site, class) {
        Ok(())
    } else if kind == ResourceKind::Teacher {
        Err(Error::field(field, "教师的不可用时间请由数据范围为全校的人员登记"))
    } else {
        Err(Error::field(field, student_status::student::check::NOT_YOURS))
    }
}

/// The times that were made of these: nobody has two of them at once.
async fn ids_of(connection: &mut PgConnection, items: &[BlockForm]) -> Result<Vec<i64>> {
    let kinds: Vec<String> = items.iter().map(|item| item.kind.as_str().to_owned()).collect();
    let resources: Vec<i64> = items.iter().map(|item| item.resource_id).collect();
    let starts: Vec<Moment> = items.iter().map(|item| item.starts_at).collect();
    Ok(sqlx::query_scalar!(
        r#"select o.id as "id!"
           from unnest($1::text[], $2::bigint[], $3::timestamptz[]) with ordinality as w (kind, resource, starts_at, place)
           join resource_occupation o on o.kind = w.kind and o.resource_id = w.resource and lower(o.during) = w.starts_at
                and o.source_type = 'blocked'
           order by w.place"#,
        &kinds,
        &resources,
        &starts as &[Moment]
    )
    .fetch_all(connection)
    .await?)
}

async fn insert(tx: &mut Tx, items: &[BlockForm], scope: &Scope) -> Result<(Vec<i64>, Vec<Change>)> {
    hold(tx).await?;
    let (mut ids, mut changes) = (Vec::with_capacity(items.len()), Vec::with_capacity(items.len()));
    for (place, item) in items.iter().enumerate() {
        if item.ends_at <= item.starts_at {
            let field = format!("items[{place}].endsAt");
            let message = "结束时间应晚于开始时间".to_owned();
            return Err(Error::fields(vec![FieldError { field, message }]));
        }
        check(tx, item.kind, item.resource_id, scope, &format!("items[{place}].resourceId")).await?;
        let wanted = Occupation {
            kind: item.kind,
            resource_id: item.resource_id,
            starts_at: item.starts_at,
            ends_at: item.ends_at,
            source_id: None,
            note: item.note.clone(),
        };
        // One after the other: what stands before also is in the way.
        let found = conflicts(tx, std::slice::from_ref(&wanted), &[]).await?;
        if !found.is_empty() {
            return Err(refuse(&found));
        }
        let by = tx.by();
        let id = sqlx::query_scalar!(
            "insert into resource_occupation (kind, resource_id, during, source_type, note, created_by, updated_by)
             values ($1, $2, tstzrange($3, $4), $5, $6, $7, $7) returning id",
            item.kind.as_str(),
            item.resource_id,
            item.starts_at as _,
            item.ends_at as _,
            OccupationSource::Blocked.as_str(),
            item.note,
            by
        )
        .fetch_one(&mut **tx)
        .await?;
        ids.push(id);
        changes.push(Change::created("resource_occupation", id, item));
    }
    Ok((ids, changes))
}

/// # Errors
/// 404 for what is none, or lies outside the scope.
async fn remove(tx: &mut Tx, id: i64, scope: &Scope) -> Result<Change> {
    let row = sqlx::query!(
        r#"select kind as "kind!: ResourceKind", resource_id, lower(during) as "starts_at!", upper(during) as "ends_at!", note
           from resource_occupation where id = $1 and source_type = 'blocked' for update"#,
        id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    // Whoever sees the whole school also takes away what is left of somebody or something that is gone.
    if !scope.is_whole() {
        let seen = check(tx, row.kind, row.resource_id, scope, "ids").await;
        seen.map_err(|error| if error.code == 422 { Error::not_found() } else { error })?;
    }
    tx.remove("resource_occupation", id, row.kind.zh()).await?;
    let before = BlockForm {
        kind: row.kind,
        resource_id: row.resource_id,
        starts_at: row.starts_at,
        ends_at: row.ends_at,
        note: row.note,
    };
    Ok(Change::deleted("resource_occupation", id, &before))
}
