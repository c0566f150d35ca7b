//! The calls of the page (01 §11).

use std::sync::Arc;

use infra::{Allowed, Body, Change, Error, Part, Reply, Result, SignedIn, Writes, access::Caller, permissions, reply};
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
        let figures = school::figures(&caller, refresh.0.unwrap_or(false)).await?;
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
