//! A table that is read at once, as a file: a sheet that says what it is, then its rows (part 05 A8).

use infra::{
    App, Result,
    sheet::{Cell, Writer},
    transfer::{Attachment, folder},
};

use crate::{
    screen::cells,
    table::{AsOf, Col, Found},
};

/// What is written, and how many rows of it.
pub(crate) async fn written(
    app: &App,
    title: &'static str,
    said: &[(&str, String)],
    (name_title, columns): (&'static str, &[Col]),
    (found, as_of): (&Found, AsOf),
) -> Result<(Attachment, i64)> {
    let mut writer = Writer::headed(&folder(app).await?, "说明", [("项目", 24), ("内容", 80)]);
    let until = as_of.data_until.format("%Y-%m-%d %H:%M:%S").to_string();
    let first = [("统计", title.to_owned()), ("数据截至", until)];
    for (what, value) in first.iter().chain(said) {
        writer.row(vec![Cell::Text((*what).to_owned()), Cell::Text(value.clone())]).await?;
    }
    for column in columns.iter().filter(|column| !column.help.is_empty()) {
        writer.row(vec![Cell::Text(column.title.to_owned()), Cell::Text(column.help.to_owned())]).await?;
    }
    let headings = std::iter::once((name_title, 24)).chain(columns.iter().map(|column| (column.title, 14)));
    writer.sheet(title, headings).await?;
    for row in found.total.iter().chain(&found.rows) {
        writer.row(cells(&row.name, &row.cells, columns)).await?;
    }
    let name = format!("{title}_{}.xlsx", app.clock().now().format("%Y%m%d%H%M%S"));
    Ok((Attachment::written(name, writer.finish().await?), i64::try_from(found.rows.len()).unwrap_or(i64::MAX)))
}
