//! 档案袋标签, 卷内目录 and 备考表 (part 04 §11).

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
    Archives, PrintArchives,
    generate::head_of,
    select::{Archive, ArchiveFilter, words},
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
            paper.heading("卷内目录").note(&format!("{}　{}", row.archive_no, row.name));
            let items = items(&mut tx, row.id).await?;
            let head = Row::of([
                Cell::label(12, "序号"),
                Cell::label(48, "材料"),
                Cell::label(14, "状态"),
                Cell::label(26, "日期"),
            ]);
            let lines = items.into_iter().enumerate().map(|(place, [title, status, day])| {
                Row::of([
                    Cell::value(12, format!("{:02}", place + 1)),
                    Cell::value(48, title),
                    Cell::value(14, status),
                    Cell::value(26, day),
                ])
            });
            paper.listing(&head, lines.collect::<Vec<Row>>());
        }
        drop(tx);
        finished(paper, "卷内目录.pdf").await
    }

    /// 打印档案全卷
    /// 每名学生的封面、卷内目录和备考表；材料本身在归档的全卷文件内
    #[oai(path = "/print/bundle", method = "post", operation_id = "printArchiveBundles")]
    async fn bundle(&self, caller: Allowed<PrintArchives>, Body(wanted): Body<ArchivesPrint>) -> Result<Printed> {
        let (school, rows) = chosen(&caller, &wanted).await?;
        let mut tx = caller.read_long().await?;
        let mut paper = Paper::new("毕业档案", school);
        for (place, row) in rows.iter().enumerate() {
            if place > 0 {
                paper.new_page();
            }
            paper.space(30.0).cover("毕业生档案").space(20.0).fields(head_of(row)).new_page().heading("卷内目录");
            let items = items(&mut tx, row.id).await?;
            let count = items.len();
            let lines = items.into_iter().enumerate().map(|(place, [title, status, _])| {
                Row::of([Cell::value(15, format!("{:02}", place + 1)), Cell::value(60, title), Cell::value(25, status)])
            });
            let head = Row::of([Cell::label(15, "序号"), Cell::label(60, "材料"), Cell::label(25, "状态")]);
            paper.listing(&head, lines.collect::<Vec<Row>>()).new_page().heading("备考表").fields([
                ("材料份数", count.to_string()),
                ("缺少材料", words(&row.missing)),
                ("归档人", row.sealed_by_name.clone().unwrap_or_default()),
                ("归档日期", row.sealed_at.map(|at| at.format("%Y-%m-%d").to_string()).unwrap_or_default()),
            ]);
        }
        drop(tx);
        finished(paper, "毕业档案.pdf").await
    }
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

/// Title, status and day of each paper.
async fn items(connection: &mut PgConnection, archive: i64) -> Result<Vec<[String; 3]>> {
    let rows = sqlx::query!(
        r#"select code as "code: certificate_rules::enums::ArchiveItemCode",
                  status as "status: certificate_rules::enums::ArchiveItemStatus", generated_at
           from archive_item where archive_id = $1 order by id"#,
        archive
    )
    .fetch_all(connection)
    .await?;
    let made = rows.into_iter().map(|row| {
        let day = row.generated_at.map(|at| at.format("%Y-%m-%d").to_string()).unwrap_or_default();
        [row.code.zh().to_owned(), row.status.zh().to_owned(), day]
    });
    Ok(made.collect())
}

async fn finished(paper: Paper, name: &str) -> Result<Printed> {
    let bytes = spawn_blocking(move || paper.finish()).await.map_err(Error::internal)?.map_err(Error::internal)?;
    Ok(Printed { name: name.to_owned(), bytes })
}
