//! 档案袋标签, 卷内目录 and the whole of archives (part 04 §11).

use infra::{
    Allowed, Body, Error, Result,
    across::{KeyQuery, Keyed},
    transfer::Printed,
};
use paper::{Cell, Paper, Row};
use poem_openapi::{Object, OpenApi, types::Example};
use serde_json::json;
use sqlx::PgConnection;
use tokio::task::spawn_blocking;

use super::{
    Archives, PrintArchives, merged,
    select::{Archive, ArchiveFilter},
};

const MOST: usize = 1000;
/// Labels beside each other; five such rows fill a page.
const ACROSS: usize = 2;
const LABEL_HIGH: f32 = 48.0;

/// Which archives are printed.
#[derive(Debug, Clone, Default, Object)]
#[oai(example)]
pub struct ArchivesPrint {
    /// 档案
    /// 不填为筛选出的全部
    #[oai(validator(max_items = 500))]
    pub ids: Option<Vec<i64>>,
    #[oai(flatten)]
    pub filter: ArchiveFilter,
}

impl Example for ArchivesPrint {
    fn example() -> Self {
        Self { ids: Some(vec![1]), ..Self::default() }
    }
}

pub struct Prints;

#[OpenApi(prefix_path = "/adult/pc/archive", tag = "crate::Tag::Certificates")]
impl Prints {
    /// 打印档案袋标签
    #[oai(path = "/print/label", method = "post", operation_id = "printArchiveLabels")]
    async fn label(&self, caller: Allowed<PrintArchives>, Body(wanted): Body<ArchivesPrint>) -> Result<Printed> {
        let (school, rows) = chosen(&caller, &wanted).await?;
        let mut paper = Paper::new("档案袋标签", school);
        for pair in rows.chunks(ACROSS) {
            let cells = pair.iter().map(|row| {
                let lines = [
                    row.archive_no.clone(),
                    format!("{}　{}", row.name, row.student_no.as_deref().unwrap_or_default()),
                    row.major_name.clone(),
                    row.site_name.clone(),
                ];
                Cell::passage(50, lines.join("\n"))
            });
            let blank = std::iter::repeat_with(|| Cell::value(50, "")).take(ACROSS - pair.len());
            paper.table([Row::of(cells.chain(blank)).high(LABEL_HIGH)]);
        }
        finished(paper, "档案袋标签.pdf").await
    }

    /// 打印卷内目录
    #[oai(path = "/print/catalogue", method = "post", operation_id = "printArchiveCatalogues")]
    async fn catalogue(&self, caller: Allowed<PrintArchives>, Body(wanted): Body<ArchivesPrint>) -> Result<Printed> {
        let (school, rows) = chosen(&caller, &wanted).await?;
        let mut tx = caller.read_long().await?;
        let mut paper = Paper::new("卷内目录", school);
        for (place, row) in rows.iter().enumerate() {
            if place > 0 {
                paper.new_page();
            }
            let items = items(&mut tx, row.id).await?;
            catalogue(&mut paper, row, &items);
        }
        drop(tx);
        finished(paper, "卷内目录.pdf").await
    }

    /// 打印档案全卷
    /// 合并为一个带书签的PDF，一次最多20份：每名学生的封面与目录、各项材料和备考表
    #[oai(path = "/print/bundle", method = "post", operation_id = "printArchiveBundles")]
    async fn bundle(&self, caller: Allowed<PrintArchives>, Body(wanted): Body<ArchivesPrint>) -> Result<Printed> {
        let (school, rows) = chosen(&caller, &wanted).await?;
        let mut tx = caller.read_long().await?;
        let bytes = merged::bound(caller.app(), &mut tx, school, rows).await?;
        Ok(Printed { name: "毕业档案.pdf".to_owned(), bytes })
    }
}

/// 卷内目录 of an archive, on the page that was begun.
pub(super) fn catalogue(paper: &mut Paper, archive: &Archive, items: &[[String; 4]]) {
    paper.heading("卷内目录").note(&format!("{}　{}", archive.archive_no, archive.name));
    let heads = [("序号", 12), ("材料", 40), ("状态", 12), ("页数", 12), ("日期", 24)];
    let head = Row::of(heads.iter().map(|(word, share)| Cell::label(*share, *word)));
    let lines = items.iter().enumerate().map(|(place, [title, status, pages, day])| {
        Row::of([
            Cell::value(12, format!("{:02}", place + 1)),
            Cell::value(40, title.as_str()),
            Cell::value(12, status.as_str()),
            Cell::value(12, pages.as_str()),
            Cell::value(24, day.as_str()),
        ])
    });
    paper.listing(&head, lines.collect::<Vec<Row>>());
}

async fn chosen(caller: &Allowed<PrintArchives>, wanted: &ArchivesPrint) -> Result<(String, Vec<Archive>)> {
    let mut tx = caller.read_long().await?;
    let keys = Archives::matching(&mut tx, &wanted.filter, &caller.scope(), KeyQuery::default()).await?;
    let ticked = |id: &i64| wanted.ids.as_ref().is_none_or(|ids| ids.contains(id));
    let ids: Vec<i64> = keys.into_iter().map(|key| key.id).filter(ticked).collect();
    if ids.is_empty() {
        return Err(Error::new(999, "没有可打印的档案"));
    }
    if ids.len() > MOST {
        return Err(Error::new(999, format!("一次最多打印{MOST}份，请缩小范围")));
    }
    let mut rows = Archives::rows(&mut tx, &ids, &caller.scope()).await?;
    rows.sort_by(|one, other| one.archive_no.cmp(&other.archive_no));
    caller.note("export", json!({ "rows": rows.len() }));
    Ok((caller.school.as_ref().map(|school| school.name.clone()).unwrap_or_default(), rows))
}

/// Title, status, pages and day of each paper.
pub(super) async fn items(connection: &mut PgConnection, archive: i64) -> Result<Vec<[String; 4]>> {
    let rows = sqlx::query!(
        r#"select code as "code: certificate_rules::enums::ArchiveItemCode",
                  status as "status: certificate_rules::enums::ArchiveItemStatus", pages, generated_at
           from archive_item where archive_id = $1 order by id"#,
        archive
    )
    .fetch_all(connection)
    .await?;
    let made = rows.into_iter().map(|row| {
        let day = row.generated_at.map(|at| at.format("%Y-%m-%d").to_string()).unwrap_or_default();
        let pages = row.pages.map(|pages| pages.to_string()).unwrap_or_default();
        [row.code.zh().to_owned(), row.status.zh().to_owned(), pages, day]
    });
    Ok(made.collect())
}

async fn finished(paper: Paper, name: &str) -> Result<Printed> {
    let bytes = spawn_blocking(move || paper.finish()).await.map_err(Error::internal)?.map_err(Error::internal)?;
    Ok(Printed { name: name.to_owned(), bytes })
}
