//! The calls of the page (01 §11).

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use infra::{
    Allowed, Body, Change, Error, Part, Reply, Result, Scope, SignedIn, Writes, access::Caller, permissions, reply,
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use serde_json::json;

use crate::{
    figures::{Dashboard, Figures, Notice, Shortcut},
    platform, rollup, school, shortcut,
};

permissions! {
    pages "/dashboard";
    InPlatform Reads ViewPlatformDashboard = "data:pc:dashboard:view" "查看首页";
    InSchool   Reads ViewSchoolDashboard   = "data:pc:dashboard:view" "查看首页";
}

pub const PART: Part = Part { permissions: &[PERMISSIONS], ..Part::NONE };

/// The pages that a person wants at hand, in order.
#[derive(Debug, Object)]
#[oai(example)]
pub struct ShortcutChoice {
    /// 快捷入口
    /// 自己菜单中的页面，最多8个
    #[oai(validator(max_items = 8))]
    paths: Vec<String>,
}

impl Example for ShortcutChoice {
    fn example() -> Self {
        Self { paths: vec!["/sys/school/list".to_owned()] }
    }
}

pub struct Dashboards;

#[OpenApi(prefix_path = "/data/pc/dashboard", tag = "crate::Tag::Overview")]
impl Dashboards {
    /// 平台首页数据
    #[oai(path = "/platform", method = "get", operation_id = "viewPlatformDashboard")]
    async fn platform(
        &self,
        caller: Allowed<ViewPlatformDashboard>,
        /// 立即更新
        /// 一分钟内只能更新一次
        refresh: Query<Option<bool>>,
        /// 包含演示院校
        /// 未填时，仅演示库包含
        demo: Query<Option<bool>>,
    ) -> Result<Reply<Dashboard>> {
        let refresh = refresh.0.unwrap_or(false);
        let figures = platform::figures(&caller, refresh, demo.0).await?;
        if refresh {
            rollup::start(&caller).await?;
        }
        let shortcuts = shortcut::of(&caller, &mut *caller.read().await?).await?;
        Ok(reply(shown(&caller, &figures, notices(&caller).await?, shortcuts)))
    }

    /// 院校首页数据
    #[oai(path = "/school", method = "get", operation_id = "viewSchoolDashboard")]
    async fn school(
        &self,
        caller: Allowed<ViewSchoolDashboard>,
        /// 立即更新
        /// 一分钟内只能更新一次
        refresh: Query<Option<bool>>,
    ) -> Result<Reply<Dashboard>> {
        let figures = within_lists(&caller, refresh.0.unwrap_or(false)).await?;
        let shortcuts = shortcut::of(&caller, &mut *caller.platform().await?).await?;
        Ok(reply(shown(&caller, &figures, notices(&caller).await?, shortcuts)))
    }

    /// 保存快捷入口
    #[oai(path = "/shortcut", method = "put", operation_id = "saveShortcuts")]
    async fn shortcuts(
        &self,
        caller: SignedIn<Writes>,
        Body(choice): Body<ShortcutChoice>,
    ) -> Result<Reply<Vec<Shortcut>>> {
        let mut tx = caller.begin().await?;
        let pages = shortcut::pages(&caller, &mut tx).await?;
        let mut paths = choice.paths;
        let mut seen = std::collections::HashSet::new();
        paths.retain(|path| seen.insert(path.clone()));
        if paths.iter().any(|path| !pages.iter().any(|page| page.path == *path)) {
            return Err(Error::field("paths", "快捷入口只能选择自己菜单中的页面"));
        }
        let id = shortcut::write(&mut tx, &caller, &paths).await?;
        tx.commit(Change::event("dashboard_shortcut", id, "update", json!({ "paths": paths }))).await?;
        Ok(reply(shortcut::chosen(&pages, &paths)))
    }
}

/// The figures of a school, each of the places that both the page and its list open. Where neither of these has all places of the other
/// it is left out.
async fn within_lists(caller: &Allowed<ViewSchoolDashboard>, refresh: bool) -> Result<Arc<Figures>> {
    let scope = caller.scope();
    let figures = school::figures(caller, &scope, refresh).await?;
    let of_cards = figures.cards.iter().filter_map(|card| card.code.as_deref());
    let of_charts = figures.charts.iter().filter_map(|chart| chart.code.as_deref());
    let of_todos = figures.todos.iter().map(|todo| todo.code.as_str());
    let codes: BTreeSet<&str> = of_cards.chain(of_charts).chain(of_todos).collect();
    let mut parts: Parts<'_> = HashMap::new();
    for code in codes {
        let Some(list) = caller.rights().get(code).filter(|list| !list.covers(&scope)) else { continue };
        let part = match scope.narrower(list) {
            Some(both) => Some(part(caller, both, refresh).await?),
            None => None,
        };
        parts.insert(code, part);
    }
    if parts.is_empty() {
        return Ok(Arc::clone(&figures));
    }
    let mut own = Figures::clone(&figures);
    own.cards =
        placed(&figures, &parts, |page| page.cards.as_slice(), |card| (card.key.as_str(), card.code.as_deref()));
    own.charts =
        placed(&figures, &parts, |page| page.charts.as_slice(), |chart| (chart.key.as_str(), chart.code.as_deref()));
    own.todos =
        placed(&figures, &parts, |page| page.todos.as_slice(), |todo| (todo.key.as_str(), Some(todo.code.as_str())));
    Ok(Arc::new(own))
}

/// Of fewer places; computed anew but for a minute behind the last time, when a list of the same places asked for them.
async fn part(caller: &Allowed<ViewSchoolDashboard>, scope: &Scope, refresh: bool) -> Result<Arc<Figures>> {
    match school::figures(caller, scope, refresh).await {
        Err(error) if error.code == 429 => school::figures(caller, scope, false).await,
        found => found,
    }
}

/// By code of a list that opens fewer places than the page: the figures of these.
type Parts<'f> = HashMap<&'f str, Option<Arc<Figures>>>;

/// The items of a page; those whose list has figures of its own as they are there.
fn placed<T: Clone>(
    figures: &Figures,
    parts: &Parts<'_>,
    items: fn(&Figures) -> &[T],
    named: fn(&T) -> (&str, Option<&str>),
) -> Vec<T> {
    let there = |item: &T| {
        let name = named(item);
        match name.1.and_then(|code| parts.get(code)) {
            None => Some(item.clone()),
            Some(part) => items(part.as_deref()?).iter().find(|other| named(other) == name).cloned(),
        }
    };
    items(figures).iter().filter_map(there).collect()
}

/// Figures, open work and steps show to who holds the code of their list.
fn shown(caller: &Caller, figures: &Arc<Figures>, notices: Vec<Notice>, shortcuts: Vec<Shortcut>) -> Dashboard {
    let open = |code: &Option<String>| code.as_ref().is_none_or(|code| caller.holds(code));
    Dashboard {
        computed_at: figures.computed_at,
        data_until: figures.data_until,
        demo: figures.demo,
        cards: figures.cards.iter().filter(|card| open(&card.code)).cloned().collect(),
        charts: figures.charts.iter().filter(|chart| open(&chart.code)).cloned().collect(),
        setup: figures.setup.iter().filter(|step| caller.holds(&step.code)).cloned().collect(),
        schools: if caller.holds(platform::SCHOOLS_CODE) { figures.schools.clone() } else { Vec::new() },
        todos: figures.todos.iter().filter(|todo| caller.holds(&todo.code)).cloned().collect(),
        calendar: figures.calendar.clone(),
        notices,
        shortcuts,
    }
}

/// The newest of the person's own messages; they lie where the session is.
async fn notices(caller: &Caller) -> Result<Vec<Notice>> {
    let mut tx = caller.home_read().await?;
    let notices = sqlx::query_as!(
        Notice,
        r#"select d.id, coalesce(d.rendered_title, m.title) as "title!", d.sent_at,
                  d.read_at is not null as "read!"
           from msg_delivery d join msg m on m.id = d.msg_id
           where d.recipient_type = 'account' and d.recipient_id = $1 and d.channel = 'in_app' and d.status = 'sent'
           order by d.created_at desc, d.id desc limit 5"#,
        caller.user_id()
    )
    .fetch_all(&mut *tx)
    .await?;
    Ok(notices)
}
