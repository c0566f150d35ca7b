//! 自定义菜单: at most three entries, each with at most five below it; only those without any below them do something (01 §9.9).

use infra::{Error, Result};
use serde_json::{Value, json};

use crate::enums::GzhMenuType;

/// Entries of the first level, and below one of them.
pub const FIRST: usize = 3;
pub const BELOW: usize = 5;
/// Chinese characters of their names.
const FIRST_NAME: usize = 4;
const BELOW_NAME: usize = 7;

/// How wide a name is, in Chinese characters; two letters take the place of one.
fn width(name: &str) -> usize {
    name.chars().map(|sign| if sign.is_ascii() { 1 } else { 2 }).sum::<usize>().div_ceil(2)
}

/// # Errors
/// 422 at `name` for one that does not fit its level.
pub fn named(name: &str, is_below: bool) -> Result<()> {
    let most = if is_below { BELOW_NAME } else { FIRST_NAME };
    if name.trim().is_empty() {
        return Err(Error::field("name", "请填写菜单名称"));
    }
    if width(name) > most {
        let level = if is_below { "二级" } else { "一级" };
        return Err(Error::field("name", format!("{level}菜单名称不能超过{most}个汉字")));
    }
    Ok(())
}

/// # Errors
/// 422 at `parentId` when so many entries stand there already.
pub fn has_room(beside: usize, is_below: bool) -> Result<()> {
    let (most, level) = if is_below { (BELOW, "二级") } else { (FIRST, "一级") };
    if beside < most { Ok(()) } else { Err(Error::field("parentId", format!("{level}菜单最多{most}个"))) }
}

/// What an entry does.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Action {
    pub menu_type: Option<GzhMenuType>,
    pub menu_key: Option<String>,
    pub url: Option<String>,
    pub app_id: Option<String>,
    pub page_path: Option<String>,
}

impl Action {
    /// The action with what its type needs, and nothing else.
    ///
    /// # Errors
    /// 422 at the field that is missing.
    pub fn checked(self) -> Result<Self> {
        let needed = |value: Option<String>, field: &str, words: &str| {
            value.filter(|text| !text.trim().is_empty()).ok_or_else(|| Error::field(field, format!("请填写{words}")))
        };
        let menu_type = self.menu_type;
        let none = Self { menu_type, ..Self::default() };
        Ok(match menu_type {
            None => none,
            Some(GzhMenuType::View) => Self { url: Some(needed(self.url, "url", "网页链接")?), ..none },
            Some(GzhMenuType::MiniProgram) => Self {
                app_id: Some(needed(self.app_id, "appId", "小程序编号")?),
                page_path: Some(needed(self.page_path, "pagePath", "小程序页面路径")?),
                url: Some(needed(self.url, "url", "旧版微信打开的网页链接")?),
                ..none
            },
            Some(GzhMenuType::Click | GzhMenuType::Scan | GzhMenuType::Picture | GzhMenuType::Location) => {
                Self { menu_key: Some(needed(self.menu_key, "menuKey", "菜单关键词")?), ..none }
            }
        })
    }

    /// The fields of the provider's button.
    fn button(&self) -> Value {
        let Some(kind) = self.menu_type else { return json!({}) };
        let mut button = json!({ "type": kind.as_str() });
        let fields =
            [("key", &self.menu_key), ("url", &self.url), ("appid", &self.app_id), ("pagepath", &self.page_path)];
        for (name, value) in fields {
            if let Some(value) = value {
                button[name] = json!(value);
            }
        }
        button
    }

    /// What a button of the provider does; none for a type that the console has not.
    fn of(button: &Value) -> Option<Self> {
        let text = |name: &str| button[name].as_str().filter(|text| !text.is_empty()).map(ToOwned::to_owned);
        let Some(kind) = button["type"].as_str() else { return Some(Self::default()) };
        Some(Self {
            menu_type: Some(GzhMenuType::parse(kind)?),
            menu_key: text("key"),
            url: text("url"),
            app_id: text("appid"),
            page_path: text("pagepath"),
        })
    }
}

/// # Errors
/// 422 at `menuType` for an entry that does something although others stand below it.
pub fn may_act(action: &Action, below: usize) -> Result<()> {
    if below > 0 && action.menu_type.is_some() {
        return Err(Error::field("menuType", "有下级的一级菜单不能设置动作，请先删除其下级"));
    }
    Ok(())
}

/// # Errors
/// 422 at `parentId` for an entry that does something: nothing stands below one.
pub fn may_have_below(parent: &Action, name: &str) -> Result<()> {
    if parent.menu_type.is_some() {
        return Err(Error::field("parentId", format!("“{name}”已设置动作，请先清除其动作再新增下级")));
    }
    Ok(())
}

/// An entry with those below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub name: String,
    pub action: Action,
    pub below: Vec<Entry>,
}

/// The menu as the provider takes it.
///
/// # Errors
/// 422 for an empty menu, and for an entry that neither does anything nor has others below it.
pub fn published(menu: &[Entry]) -> Result<Value> {
    if menu.is_empty() {
        return Err(Error::refused("还没有菜单，请先新增"));
    }
    let buttons = menu.iter().map(|entry| {
        if entry.below.is_empty() {
            return button(entry);
        }
        let below: Result<Vec<Value>> = entry.below.iter().map(button).collect();
        Ok(json!({ "name": entry.name, "sub_button": below? }))
    });
    Ok(json!({ "button": buttons.collect::<Result<Vec<Value>>>()? }))
}

/// The menu as followers would see it: none at all is an empty bar. None for one that the provider would not take.
pub fn shown(menu: &[Entry]) -> Option<Value> {
    if menu.is_empty() { Some(json!({ "button": [] })) } else { published(menu).ok() }
}

fn button(entry: &Entry) -> Result<Value> {
    if entry.action.menu_type.is_none() {
        return Err(Error::refused(format!("菜单“{}”没有动作，请设置动作或新增下级菜单", entry.name)));
    }
    let mut button = entry.action.button();
    button["name"] = json!(entry.name);
    Ok(button)
}

/// The menu that the provider has, and the names of the entries whose action the console has not: they do nothing here.
pub fn pulled(answer: &Value) -> (Vec<Entry>, Vec<String>) {
    let mut unknown = Vec::new();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut entry = |button: &Value, below: Vec<Entry>| {
        let name = button["name"].as_str().unwrap_or_default().to_owned();
        let action = Action::of(button).unwrap_or_else(|| {
            unknown.push(name.clone());
            Action::default()
        });
        // Whatever has others below it does nothing.
        let action = if below.is_empty() { action } else { Action::default() };
        Entry { name, action, below }
    };
    let mut menu = Vec::new();
    for button in list(&answer["menu"]["button"]).iter().take(FIRST) {
        let below = list(&button["sub_button"]).iter().take(BELOW).map(|one| entry(one, Vec::new())).collect();
        menu.push(entry(button, below));
    }
    (menu, unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told<T>(outcome: Result<T>) -> Option<(i32, String)> {
        outcome.err().map(|error| (error.code, error.msg.into_owned()))
    }

    fn view(url: &str) -> Action {
        Action { menu_type: Some(GzhMenuType::View), url: Some(url.to_owned()), ..Action::default() }
    }

    fn entry(name: &str, action: Action, below: Vec<Entry>) -> Entry {
        Entry { name: name.to_owned(), action, below }
    }

    #[test]
    fn names_fit_their_level() {
        assert_eq!(told(named("招生简章", false)), None);
        assert_eq!(told(named("招生简章A", false)), Some((422, "一级菜单名称不能超过4个汉字".to_owned())));
        assert_eq!(told(named("APP下载", false)), None, "three letters take two places");
        assert_eq!(told(named("成绩与证书查询", true)), None);
        assert_eq!(told(named("成绩与证书的查询", true)), Some((422, "二级菜单名称不能超过7个汉字".to_owned())));
        assert_eq!(told(named(" ", true)).map(|(code, _)| code), Some(422));
    }

    #[test]
    fn three_stand_in_the_first_level_and_five_below() {
        assert_eq!(told(has_room(2, false)), None);
        assert_eq!(told(has_room(3, false)), Some((422, "一级菜单最多3个".to_owned())));
        assert_eq!(told(has_room(4, true)), None);
        assert_eq!(told(has_room(5, true)), Some((422, "二级菜单最多5个".to_owned())));
    }

    #[test]
    fn an_action_has_what_its_type_needs_and_nothing_else() {
        let all = Action {
            menu_type: Some(GzhMenuType::View),
            menu_key: Some("k".to_owned()),
            url: Some("https://e.com".to_owned()),
            app_id: Some("wx1".to_owned()),
            page_path: Some("pages/a".to_owned()),
        };
        assert_eq!(all.clone().checked(), Ok(view("https://e.com")));
        assert_eq!(Action { menu_type: None, ..all.clone() }.checked(), Ok(Action::default()));
        let click = Action { menu_type: Some(GzhMenuType::Click), url: all.url.clone(), ..Action::default() };
        assert_eq!(told(click.checked()), Some((422, "请填写菜单关键词".to_owned())));
        let program = Action { menu_type: Some(GzhMenuType::MiniProgram), page_path: None, ..all };
        assert_eq!(told(program.checked()).map(|(code, _)| code), Some(422));
    }

    #[test]
    fn what_has_others_below_it_does_nothing() {
        assert_eq!(told(may_act(&view("https://e.com"), 0)), None);
        assert_eq!(told(may_act(&view("https://e.com"), 1)).map(|(code, _)| code), Some(422));
        assert_eq!(told(may_act(&Action::default(), 5)), None);
        assert_eq!(told(may_have_below(&view("https://e.com"), "招生")).map(|(code, _)| code), Some(422));
        assert_eq!(told(may_have_below(&Action::default(), "招生")), None);
    }

    #[test]
    fn a_menu_goes_and_comes_back_as_it_was() {
        let menu = vec![
            entry("招生", Action::default(), vec![entry("简章", view("https://e.com/a"), Vec::new())]),
            entry("官网", view("https://e.com"), Vec::new()),
        ];
        let sent = published(&menu).expect("a menu");
        assert_eq!(sent["button"][0]["sub_button"][0]["url"], json!("https://e.com/a"));
        assert_eq!(told(published(&[])).map(|(code, _)| code), Some(422));
        let idle = [entry("招生", Action::default(), Vec::new())];
        assert_eq!((shown(&menu), shown(&[]), shown(&idle)), (Some(sent.clone()), Some(json!({ "button": [] })), None));
        assert_eq!(told(published(&idle)), Some((422, "菜单“招生”没有动作，请设置动作或新增下级菜单".to_owned())));
        assert_eq!(pulled(&json!({ "menu": sent })), (menu, Vec::new()));
    }

    #[test]
    fn an_action_that_the_console_has_not_is_told() {
        let answer = json!({ "menu": { "button": [{ "name": "文章", "type": "article_id", "article_id": "1" }] } });
        let (menu, unknown) = pulled(&answer);
        assert_eq!((menu[0].action.clone(), unknown), (Action::default(), vec!["文章".to_owned()]));
        assert_eq!(pulled(&json!({})), (Vec::new(), Vec::new()));
    }
}
