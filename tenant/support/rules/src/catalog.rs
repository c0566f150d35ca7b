//! What a reader finds: the published articles of the platform and of their school as one catalogue (part 05 B4).
//!
//! Categories of the same name in the same place fall together; within one, pinned articles come first, then by their order, then the
//! newest. Of those that stand at the same place the school's own come first where the school wants it.

use std::{cmp::Reverse, collections::HashMap};

use infra::clock::Moment;

use crate::enums::SupportSource;

/// A category of one side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CategoryLine {
    pub source: SupportSource,
    pub id: i64,
    pub parent_id: Option<i64>,
    pub name: String,
    pub icon: Option<String>,
    pub sort: i32,
}

/// A published article of one side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArticleLine {
    pub source: SupportSource,
    pub id: i64,
    pub category_id: i64,
    pub title: String,
    pub pinned: bool,
    pub sort: i32,
    pub published_at: Moment,
}

/// A category as readers see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shelf {
    pub name: String,
    pub icon: Option<String>,
    pub sort: i32,
    pub platform_id: Option<i64>,
    pub school_id: Option<i64>,
    /// In the order in which they are read.
    pub articles: Vec<ArticleLine>,
    pub children: Vec<Shelf>,
}

impl Shelf {
    fn is_of(&self, source: SupportSource, id: i64) -> bool {
        match source {
            SupportSource::Platform => self.platform_id == Some(id),
            SupportSource::School => self.school_id == Some(id),
        }
    }

    /// Articles of the category and of those below it.
    pub fn count(&self) -> usize {
        self.articles.len() + self.children.iter().map(Self::count).sum::<usize>()
    }

    fn all<'s>(&'s self, found: &mut Vec<&'s ArticleLine>) {
        found.extend(&self.articles);
        for child in &self.children {
            child.all(found);
        }
    }
}

/// All that a reader finds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Catalog {
    pub shelves: Vec<Shelf>,
}

impl Catalog {
    /// Puts both sides together; categories without articles are left out.
    pub fn of(categories: Vec<CategoryLine>, articles: Vec<ArticleLine>, own_first: bool) -> Self {
        let mut held: HashMap<(SupportSource, i64), Vec<ArticleLine>> = HashMap::new();
        for article in articles {
            held.entry((article.source, article.category_id)).or_default().push(article);
        }
        let mut below: HashMap<(SupportSource, i64), Vec<CategoryLine>> = HashMap::new();
        let mut roots = Vec::new();
        for category in categories {
            match category.parent_id {
                Some(parent) => below.entry((category.source, parent)).or_default().push(category),
                None => roots.push(category),
            }
        }
        let mut shelves = merged(roots, &mut below, &mut held);
        ordered(&mut shelves, own_first);
        Self { shelves }
    }

    /// The articles of a category with those below it, or all of them, in the order in which they are read; nothing of a category that
    /// is not there.
    pub fn articles(&self, category: Option<(SupportSource, i64)>) -> Vec<&ArticleLine> {
        let mut found = Vec::new();
        match category {
            None => self.shelves.iter().for_each(|shelf| shelf.all(&mut found)),
            Some((source, id)) => {
                if let Some(shelf) = shelf_of(&self.shelves, &|shelf: &Shelf| shelf.is_of(source, id)) {
                    shelf.all(&mut found);
                }
            }
        }
        found
    }

    /// The category in which an article stands.
    pub fn shelf(&self, source: SupportSource, article: i64) -> Option<&Shelf> {
        let holds = |shelf: &Shelf| shelf.articles.iter().any(|line| line.source == source && line.id == article);
        shelf_of(&self.shelves, &holds)
    }

    /// What is read before and after an article of its category; none of an article that is not there.
    pub fn beside(&self, source: SupportSource, article: i64) -> Option<(Option<&ArticleLine>, Option<&ArticleLine>)> {
        let lines = &self.shelf(source, article)?.articles;
        let at = lines.iter().position(|line| line.source == source && line.id == article)?;
        Some((at.checked_sub(1).and_then(|before| lines.get(before)), lines.get(at + 1)))
    }
}

fn shelf_of<'s>(shelves: &'s [Shelf], is_it: &impl Fn(&Shelf) -> bool) -> Option<&'s Shelf> {
    shelves.iter().find_map(|shelf| if is_it(shelf) { Some(shelf) } else { shelf_of(&shelf.children, is_it) })
}

/// Categories of one place, those of one name as one.
fn merged(
    categories: Vec<CategoryLine>,
    below: &mut HashMap<(SupportSource, i64), Vec<CategoryLine>>,
    held: &mut HashMap<(SupportSource, i64), Vec<ArticleLine>>,
) -> Vec<Shelf> {
    let mut shelves: Vec<(Shelf, Vec<CategoryLine>)> = Vec::new();
    for category in categories {
        let key = (category.source, category.id);
        let known = shelves.iter().position(|(shelf, _)| shelf.name == category.name);
        let at = known.unwrap_or_else(|| {
            shelves.push((
                Shelf {
                    name: category.name.clone(),
                    icon: None,
                    sort: category.sort,
                    platform_id: None,
                    school_id: None,
                    articles: Vec::new(),
                    children: Vec::new(),
                },
                Vec::new(),
            ));
            shelves.len() - 1
        });
        let (shelf, children) = &mut shelves[at];
        shelf.sort = shelf.sort.min(category.sort);
        // The school's own picture goes before the platform's.
        if shelf.icon.is_none() || category.source == SupportSource::School && category.icon.is_some() {
            shelf.icon.clone_from(&category.icon);
        }
        match category.source {
            SupportSource::Platform => shelf.platform_id = Some(category.id),
            SupportSource::School => shelf.school_id = Some(category.id),
        }
        shelf.articles.extend(held.remove(&key).unwrap_or_default());
        children.extend(below.remove(&key).unwrap_or_default());
    }
    let grown = shelves.into_iter().map(|(mut shelf, children)| {
        shelf.children = merged(children, below, held);
        shelf
    });
    grown.filter(|shelf| shelf.count() > 0).collect()
}

fn ordered(shelves: &mut [Shelf], own_first: bool) {
    shelves.sort_by(|one, other| one.sort.cmp(&other.sort).then_with(|| one.name.cmp(&other.name)));
    for shelf in shelves {
        shelf.articles.sort_by_key(|line| {
            let other = own_first && line.source == SupportSource::Platform;
            (!line.pinned, other, line.sort, Reverse(line.published_at), line.source as u8, line.id)
        });
        ordered(&mut shelf.children, own_first);
    }
}

/// Articles that a search found, in the order in which they are told: first those with more of its words in the title, then as they
/// are read.
pub fn ranked<'c>(read: Vec<&'c ArticleLine>, hits: &HashMap<(SupportSource, i64), i64>) -> Vec<&'c ArticleLine> {
    let mut found: Vec<(i64, &ArticleLine)> =
        read.into_iter().filter_map(|line| Some((*hits.get(&(line.source, line.id))?, line))).collect();
    found.sort_by_key(|(in_title, _)| Reverse(*in_title));
    found.into_iter().map(|(_, line)| line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    use SupportSource::{Platform, School};

    fn category(source: SupportSource, id: i64, parent_id: Option<i64>, name: &str, sort: i32) -> CategoryLine {
        CategoryLine { source, id, parent_id, name: name.to_owned(), icon: None, sort }
    }

    fn article(source: SupportSource, id: i64, category_id: i64, pinned: bool, sort: i32, day: u32) -> ArticleLine {
        let published_at = format!("2026-03-{day:02}T08:00:00+08:00").parse().expect("a moment");
        ArticleLine { source, id, category_id, title: format!("{}{id}", source.zh()), pinned, sort, published_at }
    }

    fn titles(lines: Vec<&ArticleLine>) -> Vec<&str> {
        lines.into_iter().map(|line| line.title.as_str()).collect()
    }

    fn catalog(own_first: bool) -> Catalog {
        let categories = vec![
            category(Platform, 1, None, "报名", 2),
            category(Platform, 2, None, "学习", 1),
            category(Platform, 3, Some(2), "作业", 1),
            category(School, 1, None, "学习", 5),
            category(School, 2, Some(1), "作业", 1),
            category(School, 3, None, "空的", 0),
        ];
        let articles = vec![
            article(Platform, 1, 2, false, 1, 1),
            article(Platform, 2, 2, false, 1, 9),
            article(Platform, 3, 2, true, 7, 1),
            article(School, 1, 1, false, 1, 5),
            article(School, 2, 2, false, 1, 1),
            article(Platform, 4, 3, false, 1, 1),
            article(Platform, 5, 1, false, 1, 1),
        ];
        Catalog::of(categories, articles, own_first)
    }

    #[test]
    fn equal_names_fall_together_and_what_is_empty_is_left_out() {
        let found = catalog(true);
        let names: Vec<(&str, Option<i64>, Option<i64>, usize)> = found
            .shelves
            .iter()
            .map(|shelf| (shelf.name.as_str(), shelf.platform_id, shelf.school_id, shelf.count()))
            .collect();
        assert_eq!(names, [("学习", Some(2), Some(1), 6), ("报名", Some(1), None, 1)]);
        let below = &found.shelves[0].children;
        assert_eq!((below.len(), below[0].name.as_str(), below[0].count()), (1, "作业", 2));
    }

    #[test]
    fn pinned_articles_come_first_then_the_schools_then_by_order_and_time() {
        assert_eq!(
            titles(catalog(true).articles(Some((School, 1)))),
            ["平台3", "本校1", "平台2", "平台1", "本校2", "平台4"]
        );
        assert_eq!(
            titles(catalog(false).articles(Some((Platform, 2)))),
            ["平台3", "平台2", "本校1", "平台1", "本校2", "平台4"]
        );
        assert_eq!(titles(catalog(true).articles(None)).len(), 7);
        assert!(catalog(true).articles(Some((School, 99))).is_empty());
    }

    #[test]
    fn one_goes_on_within_a_category() {
        let found = catalog(true);
        let title = |line: Option<&ArticleLine>| line.map(|line| line.title.clone());
        let beside = |source, id| found.beside(source, id).map(|(before, after)| (title(before), title(after)));
        assert_eq!(beside(Platform, 3), Some((None, Some("本校1".to_owned()))));
        assert_eq!(beside(Platform, 1), Some((Some("平台2".to_owned()), None)));
        assert_eq!(beside(School, 7), None);
        assert_eq!(found.shelf(Platform, 4).map(|shelf| shelf.name.as_str()), Some("作业"));
    }

    #[test]
    fn hits_in_the_title_come_first() {
        let found = catalog(true);
        let hits = HashMap::from([((Platform, 1), 2), ((School, 1), 0), ((Platform, 3), 0), ((Platform, 5), 1)]);
        assert_eq!(titles(ranked(found.articles(None), &hits)), ["平台1", "平台5", "平台3", "本校1"]);
    }
}
