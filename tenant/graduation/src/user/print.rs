//! 打印毕业资格审核表 and 毕业生名册.

use certificates::offered::audit_form;
use graduation_rules::form::{Head, paper, roll};
use infra::{
    Allowed, Body, Error, Result,
    across::{KeyQuery, Keyed},
    transfer::Printed,
};
use poem_openapi::{Object, OpenApi, types::Example};
use tokio::task::spawn_blocking;

use super::{GraduationUserFilter, PrintGraduates, Users};

/// People of one paper: each of the forms has a page, of a roll thirty have one.
const MOST: usize = 500;
const MOST_OF_ROLL: usize = 5000;

/// Whose forms are printed.
#[derive(Debug, Clone, Default, Object)]
#[oai(example)]
pub struct GraduatePrint {
    /// 编号
    /// 不填时为符合条件的全部毕业生，审核表最多500人，名册最多5000人
    #[oai(validator(min_items = 1, max_items = 500))]
    pub ids: Option<Vec<i64>>,
    /// 打印名册
    /// 不填时打印每人的审核表
    #[oai(default)]
    pub roll: bool,
    #[oai(flatten)]
    pub filter: GraduationUserFilter,
}

impl Example for GraduatePrint {
    fn example() -> Self {
        Self { ids: Some(vec![1]), roll: false, filter: GraduationUserFilter::default() }
    }
}

pub struct Prints;

#[OpenApi(prefix_path = "/adult/pc/graduate/user", tag = "crate::Tag::Graduation")]
impl Prints {
    /// 打印毕业资格审核表
    #[oai(path = "/print/form", method = "post", operation_id = "printGraduates")]
    async fn form(&self, caller: Allowed<PrintGraduates>, Body(wanted): Body<GraduatePrint>) -> Result<Printed> {
        let mut tx = caller.read_long().await?;
        let keys = Users::matching(&mut tx, &wanted.filter, &caller.scope(), KeyQuery::default()).await?;
        let ticked = |id: &i64| wanted.ids.as_ref().is_none_or(|ids| ids.contains(id));
        let ids: Vec<i64> = keys.into_iter().map(|key| key.id).filter(ticked).collect();
        if ids.is_empty() {
            return Err(Error::new(999, "没有可打印的毕业生"));
        }
        let most = if wanted.roll { MOST_OF_ROLL } else { MOST };
        if ids.len() > most {
            return Err(Error::new(999, format!("一次最多打印{most}人，请缩小范围")));
        }
        let forms = audit_form::load(&mut tx, &ids).await?;
        drop(tx);
        caller.note("export", serde_json::json!({ "rows": forms.len() }));
        let head = Head {
            school: caller.school.as_ref().map(|school| school.name.clone()).unwrap_or_default(),
            printed: format!("{} {}", caller.app().clock().now().format("%Y-%m-%d %H:%M"), caller.session.real_name),
        };
        let name = if wanted.roll { "毕业生名册.pdf" } else { "毕业资格审核表.pdf" };
        let whole = wanted.roll;
        let drawn = spawn_blocking(move || if whole { roll(&forms, &head) } else { paper(&forms, &head) }.finish());
        let bytes = drawn.await.map_err(Error::internal)?.map_err(Error::internal)?;
        Ok(Printed { name: name.to_owned(), bytes })
    }
}
