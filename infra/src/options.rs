//! 选项: what selectors offer, the same for every form and filter (part 03 §0.1). An entity tells in `Part::options` what it
//! offers, and in `Part::option_pages` on which pages its forms ask.

use std::borrow::Cow;

use futures_util::future::BoxFuture;
use poem_openapi::{
    Object, OpenApi,
    param::{Path, Query},
    registry::{MetaSchema, MetaSchemaRef, Registry},
    types::{ParseError, ParseFromJSON, ParseResult, ToJSON, Type},
};
use serde_json::{Map, Value};
use sqlx::PgConnection;

use crate::{Allowed, Error, Reply, Result, Scope, access::Permission, module::PermissionEntry, permissions, reply};

permissions! {
    pages ;
    EachSchool Reads ListOptions = "adult:pc:options:view" "按类型取选项";
}

/// The permission as it hangs under the pages of an entity.
pub(crate) fn permission(pages: &'static [&'static str]) -> impl Iterator<Item = PermissionEntry> {
    PERMISSIONS.iter().map(move |entry| PermissionEntry { pages, ..*entry })
}

/// A choice of a selector: the fields of every type, and those of its own.
#[derive(Debug, Clone)]
pub struct OptionItem {
    always: Always,
    further: Map<String, Value>,
}

/// A choice of a selector. Which of the further fields are there depends on the type.
#[derive(Debug, Clone, Object)]
#[oai(rename = "OptionItem", rename_all = "camelCase")]
struct Always {
    /// 编号
    code: i64,
    /// 名称
    desc: String,
    /// 编码
    number: String,
    /// 启用
    enabled: bool,
    /// 上级
    parent_id: Option<i64>,
}

impl OptionItem {
    pub fn of(id: i64, name: String, number: String, enabled: bool) -> Self {
        let always = Always { code: id, desc: name, number, enabled, parent_id: None };
        Self { always, further: Map::new() }
    }

    /// What people type for it in a sheet, and what it is called.
    pub(crate) fn typed(self) -> (String, String) {
        (self.always.number, self.always.desc)
    }

    /// Below this row, or hanging on it.
    pub fn below(mut self, parent: impl Into<Option<i64>>) -> Self {
        self.always.parent_id = parent.into();
        self
    }

    /// With the fields that its type has besides, which [`Source::with`] declares.
    pub fn with(mut self, fields: &impl ToJSON) -> Self {
        if let Some(Value::Object(fields)) = fields.to_json() {
            self.further.extend(fields);
        }
        self
    }
}

impl Type for OptionItem {
    const IS_REQUIRED: bool = true;
    type RawValueType = Self;
    type RawElementValueType = Self;

    fn name() -> Cow<'static, str> {
        Always::name()
    }

    fn schema_ref() -> MetaSchemaRef {
        Always::schema_ref()
    }

    fn register(registry: &mut Registry) {
        Always::register(registry);
    }

    fn as_raw_value(&self) -> Option<&Self> {
        Some(self)
    }

    fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self> + 'a> {
        Box::new(self.as_raw_value().into_iter())
    }
}

impl ParseFromJSON for OptionItem {
    fn parse_from_json(value: Option<Value>) -> ParseResult<Self> {
        let further = value.as_ref().and_then(Value::as_object).cloned().unwrap_or_default();
        Ok(Self { always: Always::parse_from_json(value).map_err(ParseError::propagate)?, further })
    }
}

impl ToJSON for OptionItem {
    fn to_json(&self) -> Option<Value> {
        let mut item = self.always.to_json()?;
        item.as_object_mut()?.extend(self.further.clone());
        Some(item)
    }
}

/// What a selector asks for.
pub struct Asked {
    pub keyword: Option<String>,
    pub parent_id: Option<i64>,
    pub only_enabled: bool,
    pub scope: Scope,
    /// Who asks, for what an account keeps to itself.
    pub user_id: i64,
    /// The school that is meant, for what stands in `platform`.
    pub school_id: Option<i64>,
    /// How many a type with many rows tells.
    pub most: i64,
}

/// A selector shows so many; of more, people search.
const SHOWN: i64 = 200;

/// The choices of a type, found on a connection.
pub type Find = for<'c> fn(&'c mut PgConnection, &'c Asked) -> BoxFuture<'c, Result<Vec<OptionItem>>>;

/// A type of options.
#[derive(Debug, Clone, Copy)]
pub struct Source {
    /// The `{type}` of the call.
    pub kind: &'static str,
    /// What `parentId` means of it, for the document.
    pub parent: Option<&'static str>,
    /// The schema of its further fields.
    pub further: Option<fn(&mut Registry) -> MetaSchema>,
    find: Find,
    /// Whether the rows stand in `platform`.
    platform: bool,
}

impl Source {
    /// A type whose rows stand in the school.
    pub const fn new(kind: &'static str, find: Find) -> Self {
        Self { kind, parent: None, further: None, find, platform: false }
    }

    /// The same, of rows that stand in `platform`.
    pub const fn of_platform(self) -> Self {
        Self { platform: true, ..self }
    }

    /// What `parentId` means: 专业的层次.
    pub const fn below(self, parent: &'static str) -> Self {
        Self { parent: Some(parent), ..self }
    }

    /// With the further fields of `T`, which [`OptionItem::with`] fills.
    pub const fn with<T: Type>(self) -> Self {
        Self { further: Some(Registry::create_fake_schema::<T>), ..self }
    }

    /// The choices, read where they stand.
    pub(crate) async fn choices<P: Permission>(
        self,
        caller: &Allowed<P>,
        connection: &mut PgConnection,
        asked: &Asked,
    ) -> Result<Vec<OptionItem>> {
        let Self { find, platform, .. } = self;
        if platform { find(&mut *caller.platform().await?, asked).await } else { find(connection, asked).await }
    }

    /// The names of its further fields.
    pub(crate) fn fields(self) -> Vec<&'static str> {
        let schema = self.further.map(|further| further(&mut Registry::new()));
        schema.into_iter().flat_map(|schema| schema.properties).map(|(name, _)| name).collect()
    }
}

pub struct Options;

#[OpenApi(tag = "crate::Tag::Infra")]
impl Options {
    /// 按类型取选项
    #[oai(path = "/adult/pc/options/:type", method = "get", operation_id = "listOptions")]
    async fn list(
        &self,
        caller: Allowed<ListOptions>,
        /// 类型
        #[oai(name = "type")]
        kind: Path<String>,
        /// 名称、编码或拼音首字母
        keyword: Query<Option<String>>,
        /// 上级
        #[oai(name = "parentId")]
        parent_id: Query<Option<i64>>,
        /// 默认只取启用的；false 时停用的也取
        enabled: Query<Option<bool>>,
    ) -> Result<Reply<Vec<OptionItem>>> {
        let asked = Asked {
            keyword: keyword.0.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()),
            parent_id: parent_id.0,
            only_enabled: enabled.0.unwrap_or(true),
            scope: caller.scope(),
            user_id: caller.user_id(),
            school_id: caller.school_id(),
            most: SHOWN,
        };
        let modules = caller.app().modules();
        let mut tx = caller.read().await?;
        let source = modules.options().find(|source| source.kind == kind.0);
        let source = source.ok_or_else(|| Error::new(404, "选项类型不存在"))?;
        let mut found = source.choices(&caller, &mut tx, &asked).await?;
        // Fields of other types are told as empty.
        for item in &mut found {
            for field in modules.option_fields() {
                item.further.entry(*field).or_insert(Value::Null);
            }
        }
        Ok(reply(found))
    }
}
