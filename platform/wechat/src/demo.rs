//! The official account of the demonstration: a menu that was never published, and replies in words. No account is configured.

use infra::{Change, Result, Tx};
use wechat_rules::enums::{GzhMatchMode, GzhMenuType, GzhReplyKind, GzhReplyType};

use crate::{
    auto_reply::{self, GzhAutoReplyForm},
    menu::{self, GzhMenuForm},
};

/// Entries of the first level with those below them; the first has a page, those below a keyword.
const MENU: [(&str, &[(&str, &str)]); 3] = [
    ("招生报名", &[("报名时间", "报名时间"), ("招生专业", "招生专业"), ("学费标准", "学费")]),
    ("学习中心", &[("选课指南", "选课"), ("考试安排", "考试")]),
    ("联系我们", &[]),
];

/// Keywords, how they are met, and the answer.
const REPLIES: [(GzhReplyKind, &[&str], Option<GzhMatchMode>, &str); 5] = [
    (GzhReplyKind::Subscribe, &[], None, "欢迎关注！回复“报名时间”“学费”或点击下方菜单查看。"),
    (GzhReplyKind::Default, &[], None, "您的留言已收到，工作日9:00至17:00由老师回复。"),
    (GzhReplyKind::Keyword, &["报名时间"], Some(GzhMatchMode::Exact), "成人高考每年8月至9月网上报名，10月考试。"),
    (
        GzhReplyKind::Keyword,
        &["报名", "怎么报名"],
        Some(GzhMatchMode::Contains),
        "请在当地教育考试院网站报名，需要帮助请致电招生办。",
    ),
    (GzhReplyKind::Keyword, &["学费", "多少钱"], Some(GzhMatchMode::Contains), "文史类每年2800元，理工类每年3200元。"),
];

/// What [`fill`] made: table and number of each row, and the trail.
#[derive(Default)]
pub struct Made {
    pub rows: Vec<(&'static str, i64)>,
    pub changes: Vec<Change>,
}

/// A menu and replies. Does nothing where there are some; the caller commits.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx) -> Result<Made> {
    let known = sqlx::query_scalar!(
        r#"select exists (select from platform.gzh_menu) or exists (select from platform.gzh_auto_reply) as "known!""#
    )
    .fetch_one(&mut **tx)
    .await?;
    let mut made = Made::default();
    if known {
        return Ok(made);
    }
    for ((name, below), sort) in MENU.into_iter().zip(1_i32..) {
        let page = below.is_empty().then(|| "https://www.example.com/contact".to_owned());
        let entry = GzhMenuForm {
            parent_id: None,
            name: name.to_owned(),
            menu_type: page.is_some().then_some(GzhMenuType::View),
            menu_key: None,
            url: page,
            app_id: None,
            page_path: None,
            sort,
        };
        let (parent, change) = menu::insert(tx, entry).await?;
        made.rows.push(("gzh_menu", parent));
        made.changes.push(change);
        for ((name, key), sort) in below.iter().zip(1_i32..) {
            let entry = GzhMenuForm {
                parent_id: Some(parent),
                name: (*name).to_owned(),
                menu_type: Some(GzhMenuType::Click),
                menu_key: Some((*key).to_owned()),
                url: None,
                app_id: None,
                page_path: None,
                sort,
            };
            let (id, change) = menu::insert(tx, entry).await?;
            made.rows.push(("gzh_menu", id));
            made.changes.push(change);
        }
    }
    for ((reply_kind, keywords, match_mode, content), sort) in REPLIES.into_iter().zip(1_i32..) {
        let reply = GzhAutoReplyForm {
            reply_kind,
            keywords: keywords.iter().map(|keyword| (*keyword).to_owned()).collect(),
            match_mode,
            reply_type: GzhReplyType::Text,
            content: Some(content.to_owned()),
            material_id: None,
            sort,
            enabled: true,
        };
        let (id, change) = auto_reply::insert(tx, reply).await?;
        made.rows.push(("gzh_auto_reply", id));
        made.changes.push(change);
    }
    Ok(made)
}

/// Removes them, with what was put below the entries.
///
/// # Errors
/// Only internal ones.
pub async fn clear(tx: &mut Tx, menus: &[i64], replies: &[i64]) -> Result<()> {
    sqlx::query!("delete from platform.gzh_keyword where reply_id = any($1)", replies).execute(&mut **tx).await?;
    sqlx::query!("delete from platform.gzh_auto_reply where id = any($1)", replies).execute(&mut **tx).await?;
    sqlx::query!("delete from platform.gzh_menu where parent_id = any($1)", menus).execute(&mut **tx).await?;
    sqlx::query!("delete from platform.gzh_menu where id = any($1)", menus).execute(&mut **tx).await?;
    Ok(())
}
