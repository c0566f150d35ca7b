//! Workbooks that go out and come back.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use calamine::{Data, Reader as _, Xlsx, open_workbook};
use chrono::NaiveDate;
use rust_xlsxwriter::Workbook;
use tempfile::{NamedTempFile, TempDir, tempdir};

use super::*;

fn template() -> Template {
    Template {
        title: "学生",
        columns: vec![
            InputColumn::required("姓名", "与身份证一致"),
            InputColumn::required("证件号", ""),
            InputColumn::optional("性别", "").one_of(["男", "女"]),
            InputColumn::optional("手机", ""),
            InputColumn::optional("出生日期", "例如 2000-01-31"),
            InputColumn::optional("学分", ""),
            InputColumn::optional("站点", "").one_of((0..200).map(|n| format!("第{n}教学站点"))),
        ],
    }
}

/// A workbook of text cells with gaps, as a person would leave it.
fn typed(folder: &TempDir, rows: &[&[&str]]) -> std::path::PathBuf {
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    for (row, cells) in (0..).zip(rows) {
        for (column, text) in (0..).zip(*cells) {
            if !text.is_empty() {
                sheet.write_string(row, column, *text).unwrap();
            }
        }
    }
    let path = folder.path().join("typed.xlsx");
    workbook.save(&path).unwrap();
    path
}

async fn rows(path: &Path) -> Result<Vec<Row>, SheetError> {
    let mut reader = Reader::open(path, &template(), Limits::default()).await?;
    let mut rows = Vec::new();
    while let Some(batch) = reader.next().await? {
        assert!(batch.len() <= 1000);
        rows.extend(batch);
    }
    Ok(rows)
}

async fn refusal(folder: &TempDir, sheet: &[&[&str]]) -> String {
    rows(&typed(folder, sheet)).await.unwrap_err().to_string()
}

fn range(path: &Path, sheet: &str) -> calamine::Range<Data> {
    let mut workbook: Xlsx<_> = open_workbook(path).unwrap();
    workbook.worksheet_range(sheet).unwrap()
}

struct Person {
    name: &'static str,
    phone: &'static str,
}

const COLUMNS: &[Column<Person>] = &[
    Column { heading: "姓名", width: 12, cell: |person| Cell::Text(person.name.into()) },
    Column { heading: "手机", width: 16, cell: |person| Cell::Text(person.phone.into()) },
    Column { heading: "学分", width: 8, cell: |_| Cell::Decimal(875, 1) },
    Column { heading: "人数", width: 8, cell: |_| Cell::Int(3) },
    Column { heading: "学号", width: 8, cell: |_| Cell::Int(202_601_010_000_001_234) },
    Column { heading: "日期", width: 12, cell: |_| Cell::date(NaiveDate::from_ymd_opt(2026, 3, 1)) },
    Column { heading: "时间", width: 20, cell: |_| Cell::DateTime("2026-03-01T00:30:00Z".parse().unwrap()) },
    Column { heading: "启用", width: 8, cell: |_| Cell::Bool(true) },
    Column { heading: "备注", width: 8, cell: |_| Cell::text(None::<String>) },
];

#[tokio::test]
async fn an_export_holds_what_was_written() {
    let folder = tempdir().unwrap();
    let mut writer = Writer::start(folder.path(), "学生[2026]", COLUMNS);
    for name in ["张三", "=1+1"] {
        writer.row(cells(COLUMNS, &Person { name, phone: "013800138000" })).await.unwrap();
    }
    let file = writer.finish().await.unwrap();
    let range = range(file.path(), "学生2026");
    let shown = |row, column| range.get_value((row, column)).unwrap().to_string();
    let heading: Vec<String> = (0..9).map(|column| shown(0, column)).collect();
    assert_eq!(heading, ["姓名", "手机", "学分", "人数", "学号", "日期", "时间", "启用", "备注"]);
    assert_eq!(range.get_value((2, 0)), Some(&Data::String("=1+1".into())));
    assert_eq!(range.get_value((1, 1)), Some(&Data::String("013800138000".into())));
    assert_eq!(range.get_value((1, 2)), Some(&Data::Float(87.5)));
    assert_eq!(range.get_value((1, 4)), Some(&Data::String("202601010000001234".into())));
    assert_eq!(shown(1, 5), "46082");
    assert!(shown(1, 6).starts_with("46082.354166"), "08:30 in China");
    assert_eq!(shown(1, 7), "是");
    let mut archive = zip::ZipArchive::new(File::open(file.path()).unwrap()).unwrap();
    let mut xml = String::new();
    std::io::Read::read_to_string(&mut archive.by_name("xl/worksheets/sheet1.xml").unwrap(), &mut xml).unwrap();
    assert!(xml.contains(r#"<autoFilter ref="A1:I3""#) && xml.contains(r#"state="frozen""#) && !xml.contains("<f>"));
}

#[tokio::test]
async fn an_abandoned_export_leaves_nothing_and_a_missing_folder_is_told() {
    let folder = tempdir().unwrap();
    drop(Writer::start(folder.path(), "学生", COLUMNS));
    let mut writer = Writer::start(&folder.path().join("missing"), "学生", COLUMNS);
    let mut outcome = Ok(());
    while outcome.is_ok() {
        outcome = writer.row(vec![Cell::Empty]).await;
    }
    assert!(matches!(outcome, Err(SheetError::Failed(_))), "{outcome:?}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn a_template_can_be_filled_in_and_read() {
    let folder = tempdir().unwrap();
    let file = template().workbook(folder.path()).await.unwrap();
    assert_eq!(range(file.path(), "学生").get_value((0, 0)), Some(&Data::String("*姓名".into())));
    assert_eq!(range(file.path(), "填写说明").get_value((3, 3)), Some(&Data::String("男、女".into())));
    assert_eq!(range(file.path(), "选项").get_value((199, 0)), Some(&Data::String("第199教学站点".into())));
    let mut archive = zip::ZipArchive::new(File::open(file.path()).unwrap()).unwrap();
    let mut xml = String::new();
    std::io::Read::read_to_string(&mut archive.by_name("xl/worksheets/sheet1.xml").unwrap(), &mut xml).unwrap();
    assert!(xml.contains("&quot;男,女&quot;") || xml.contains("\"男,女\""), "{xml}");
    assert!(xml.contains("'选项'!$A$1:$A$200"), "{xml}");
    assert_eq!(rows(file.path()).await.unwrap().len(), 0);
}

#[tokio::test]
async fn a_template_lists_codes_with_their_names_and_refuses_no_other() {
    let folder = tempdir().unwrap();
    let mut column = InputColumn::required("站点编码", "多个用“、”分隔");
    column.codes = vec![("CD".to_owned(), "城东教学点".to_owned()), ("CX".to_owned(), "城西教学点".to_owned())];
    let columns = vec![InputColumn::required("姓名", ""), column];
    let file = Template { title: "班主任", columns }.workbook(folder.path()).await.unwrap();
    let listed = range(file.path(), "可填编码");
    let shown: Vec<Vec<String>> = listed.rows().map(|row| row.iter().map(ToString::to_string).collect()).collect();
    assert_eq!(shown, [["站点编码", "名称"], ["CD", "城东教学点"], ["CX", "城西教学点"]]);
    let explained = range(file.path(), "填写说明");
    let told = |column| explained.get_value((2, column)).unwrap().to_string();
    assert_eq!((told(3), told(4)), ("见“可填编码”，共2项".to_owned(), "CD".to_owned()));
    let mut archive = zip::ZipArchive::new(File::open(file.path()).unwrap()).unwrap();
    let mut xml = String::new();
    std::io::Read::read_to_string(&mut archive.by_name("xl/worksheets/sheet1.xml").unwrap(), &mut xml).unwrap();
    assert!(xml.contains("'可填编码'!$A$2:$A$3") && !xml.contains("showErrorMessage"), "{xml}");
}

#[tokio::test]
async fn rows_are_read_whatever_the_order_and_the_gaps() {
    let folder = tempdir().unwrap();
    let path = typed(
        &folder,
        &[
            &["手机", "", "证件号 ", "* 姓名", "性别", "出生日期", "学分", "错误说明"],
            &["１３８００１３８０００", "无关", "11010519900101123X", " 张三 ", "男", "1990年1月1日", "12.5", "旧的"],
            &["", "", "", "", "", "", "", ""],
            &["", "", " ", "　"],
            &["", "", "", "李四", "不详", "1990-13-01", "很多"],
        ],
    );
    let mut rows = rows(&path).await.unwrap();
    assert_eq!(rows.iter().map(Row::number).collect::<Vec<_>>(), [2, 5]);
    let row = &mut rows[0];
    assert_eq!(row.required("姓名"), "张三");
    assert_eq!(row.text("手机").as_deref(), Some("13800138000"));
    assert_eq!(row.date("出生日期"), NaiveDate::from_ymd_opt(1990, 1, 1));
    assert_eq!(row.decimal("学分", 1), Some(125));
    assert_eq!(row.one_of("性别", &[("男", 'm'), ("女", 'f')]), Some('m'));
    assert_eq!(row.text("站点"), None);
    assert_eq!(row.errors(), []);

    let row = &mut rows[1];
    assert_eq!(row.required("证件号"), "");
    assert_eq!(row.text("证件号"), None);
    assert_eq!(row.one_of("性别", &[("男", 'm'), ("女", 'f')]), None);
    assert_eq!((row.date("出生日期"), row.decimal("学分", 1)), (None, None));
    row.refuse("", "该学生已存在");
    let told: Vec<String> = row.errors().iter().map(|e| format!("{} {} {}", e.row, e.column, e.message)).collect();
    assert_eq!(
        told,
        [
            "5 证件号 不能为空",
            "5 性别 “不详”不在可选范围内，请填写：男、女",
            "5 出生日期 日期不正确，请按 2026-03-01 的格式填写",
            "5 学分 请填写数字，最多 1 位小数",
            "5  该学生已存在",
        ]
    );
    let json = serde_json::to_string(&row.errors()[0]).unwrap();
    assert_eq!(json, r#"{"row":5,"column":"证件号","message":"不能为空"}"#);
}

#[tokio::test]
async fn a_number_cell_is_a_phone_number_and_a_date_cell_a_date() {
    let folder = tempdir().unwrap();
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    for (column, heading) in (0..).zip(["姓名", "证件号", "手机", "出生日期"]) {
        sheet.write_string(0, column, heading).unwrap();
    }
    sheet.write_string(1, 0, "张三").unwrap();
    sheet.write_number(1, 1, 110_105_199_001_011_234.0).unwrap();
    sheet.write_number(1, 2, 13_800_138_000.0).unwrap();
    let format = rust_xlsxwriter::Format::new().set_num_format("yyyy/m/d");
    sheet.write_number_with_format(1, 3, 46_082, &format).unwrap();
    let path = folder.path().join("numbers.xlsx");
    workbook.save(&path).unwrap();
    let mut rows = rows(&path).await.unwrap();
    assert_eq!(rows[0].text("手机").as_deref(), Some("13800138000"));
    assert_eq!(rows[0].date("出生日期"), NaiveDate::from_ymd_opt(2026, 3, 1));
    assert_eq!(rows[0].text("证件号"), None);
    assert!(rows[0].errors()[0].message.contains("改为文本格式"));
}

#[tokio::test]
async fn wrong_headings_are_told_by_name() {
    let folder = tempdir().unwrap();
    let told = refusal(&folder, &[&["姓名", "证件号", "电话"], &["张三"]]).await;
    assert_eq!(told, "表头中有不认识的列：电话，请用下载的模板填写，不要修改表头");
    let told = refusal(&folder, &[&["手机"], &["1"]]).await;
    assert_eq!(told, "表头缺少必填的列：姓名、证件号，请用下载的模板填写，不要修改表头");
    let told = refusal(&folder, &[&["姓名", "*姓名", "证件号"], &["1"]]).await;
    assert_eq!(told, "表头中有重复的列：姓名，请删除重复的列");
    let told = refusal(&folder, &[&[], &["姓名", "证件号"]]).await;
    assert_eq!(told, "工作表的第一行没有表头，请用下载的模板填写");
    assert!(refusal(&folder, &[]).await.contains("没有表头"));
    let path = folder.path().join("old.xls");
    std::fs::write(&path, "姓名,证件号").unwrap();
    assert!(matches!(rows(&path).await, Err(SheetError::NotAWorkbook)));
}

#[tokio::test]
async fn a_bomb_is_refused_before_it_is_read() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("bomb.xlsx");
    for (megabytes, parts) in [(300, 1), (30, 1), (0, 2_001)] {
        let mut archive = zip::ZipWriter::new(File::create(&path).unwrap());
        for part in 0..parts {
            let options: zip::write::FileOptions<'_, '_, ()> = zip::write::FileOptions::default();
            archive.start_file(format!("part{part}"), options).unwrap();
            for _ in 0..megabytes {
                archive.write_all(&vec![b' '; 1 << 20]).unwrap();
            }
        }
        archive.finish().unwrap();
        assert!(matches!(rows(&path).await, Err(SheetError::TooLarge)), "{megabytes} MB in {parts} parts");
    }
}

#[tokio::test]
async fn a_directory_that_lies_is_found_out() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("lie.xlsx");
    let mut archive = zip::ZipWriter::new(File::create(&path).unwrap());
    let options: zip::write::FileOptions<'_, '_, ()> = zip::write::FileOptions::default();
    archive.start_file("part", options).unwrap();
    let size: u32 = 250 << 20;
    for _ in 0..250 {
        archive.write_all(&vec![b' '; 1 << 20]).unwrap();
    }
    archive.finish().unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    while let Some(at) = bytes.windows(4).position(|four| four == size.to_le_bytes()) {
        bytes[at..at + 4].copy_from_slice(&1_000_u32.to_le_bytes());
    }
    std::fs::write(&path, bytes).unwrap();
    let refused = rows(&path).await.unwrap_err();
    assert!(matches!(refused, SheetError::TooLarge | SheetError::NotAWorkbook), "{refused:?}");
}

#[tokio::test]
async fn a_list_of_texts_that_claims_to_be_endless_is_refused() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("boast.xlsx");
    let mut archive = zip::ZipWriter::new(File::create(&path).unwrap());
    let options: zip::write::FileOptions<'_, '_, ()> = zip::write::FileOptions::default();
    archive.start_file("xl/SharedStrings.xml", options).unwrap();
    archive.write_all(br#"<sst uniqueCount="1000000000000"/>"#).unwrap();
    archive.finish().unwrap();
    assert!(matches!(rows(&path).await, Err(SheetError::TooLarge)));
}

/// Makes a workbook of 20 columns, and the template that knows them.
async fn large(folder: &TempDir, count: u32) -> (NamedTempFile, Template) {
    const HEADINGS: [&str; 20] = [
        "列1", "列2", "列3", "列4", "列5", "列6", "列7", "列8", "列9", "列10", "列11", "列12", "列13", "列14", "列15",
        "列16", "列17", "列18", "列19", "列20",
    ];
    let columns: Vec<Column<()>> =
        HEADINGS.map(|heading| Column { heading, width: 12, cell: |()| Cell::Empty }).to_vec();
    let mut writer = Writer::start(folder.path(), "学生", &columns);
    for row in 0..count {
        let cell = |column: i64| match column % 2 {
            0 => Cell::Int(i64::from(row) * 20 + column),
            _ => Cell::Text(format!("第{row}行第{column}列")),
        };
        writer.row((0..20).map(cell).collect()).await.unwrap();
    }
    let columns = HEADINGS.map(|heading| InputColumn::optional(heading, "")).to_vec();
    (writer.finish().await.unwrap(), Template { title: "学生", columns })
}

#[tokio::test]
async fn a_hundred_thousand_rows_are_read_and_one_more_is_refused() {
    let folder = tempdir().unwrap();
    let (file, template) = large(&folder, 100_000).await;
    let mut reader = Reader::open(file.path(), &template, Limits::default()).await.unwrap();
    let mut count = 0;
    while let Some(mut batch) = reader.next().await.unwrap() {
        count += batch.len();
        let last = batch.last_mut().unwrap();
        assert_eq!(last.text("列20"), Some(format!("第{}行第19列", last.number() - 2)));
    }
    assert_eq!(count, 100_000);

    let limits = Limits { rows: 99_999, ..Limits::default() };
    let mut reader = Reader::open(file.path(), &template, limits).await.unwrap();
    let refused = loop {
        match reader.next().await {
            Ok(Some(_)) => {}
            Ok(None) => panic!("the last row was not counted"),
            Err(error) => break error,
        }
    };
    assert_eq!(refused.to_string(), "一次最多导入 99999 行，请拆分后分批导入");
}

#[tokio::test]
async fn a_reader_that_is_dropped_stops_reading() {
    let folder = tempdir().unwrap();
    let (file, template) = large(&folder, 10_000).await;
    let mut reader = Reader::open(file.path(), &template, Limits::default()).await.unwrap();
    assert_eq!(reader.next().await.unwrap().unwrap().len(), 1_000);
}

#[tokio::test]
async fn the_error_workbook_shows_the_errors_and_can_be_imported_again() {
    let folder = tempdir().unwrap();
    let path =
        typed(&folder, &[&["*姓名", "*证件号", "手机"], &["张三", "", "138"], &[], &["李四", "11010519900101123X"]]);
    let mut errors = Vec::new();
    for mut row in rows(&path).await.unwrap() {
        row.required("证件号");
        errors.extend(row.into_errors());
    }
    errors.push(RowError { row: 2, column: "手机".into(), message: "手机号应为 11 位".into() });
    errors.push(RowError { row: 4, column: String::new(), message: "该学生已存在".into() });

    let marked = mark_rows(&path, "学生", errors, Vec::new(), folder.path()).await.unwrap();
    let range = range(marked.path(), "学生");
    let shown = |row, column| range.get_value((row, column)).map(ToString::to_string).unwrap_or_default();
    assert_eq!([shown(0, 0), shown(0, 1)], ["错误说明", "*姓名"]);
    assert_eq!(shown(1, 0), "证件号：不能为空；手机：手机号应为 11 位");
    assert_eq!([shown(3, 0), shown(3, 1), shown(3, 2)], ["该学生已存在", "李四", "11010519900101123X"]);

    let again = rows(marked.path()).await.unwrap();
    assert_eq!(again.iter().map(Row::number).collect::<Vec<_>>(), [2, 4]);
    let twice = mark_rows(marked.path(), "学生", Vec::new(), Vec::new(), folder.path()).await.unwrap();
    let width = self::range(twice.path(), "学生").width();
    assert_eq!(rows(twice.path()).await.unwrap().len(), 2);
    assert!(width <= 5, "{width} columns");
}

#[tokio::test]
async fn what_is_worth_a_second_look_has_a_column_of_its_own() {
    let folder = tempdir().unwrap();
    let path = typed(&folder, &[&["*姓名", "*证件号", "手机"], &["张三", "E1", "138"], &["李四", "E2", "139"]]);
    let mut warnings = Vec::new();
    for mut row in rows(&path).await.unwrap() {
        row.warn("证件号", "请核对");
        assert!(row.errors().is_empty(), "a warning refuses nothing");
        warnings.extend(row.take_warnings());
        assert_eq!(row.take_warnings(), []);
    }
    let marked = mark_rows(&path, "学生", Vec::new(), warnings, folder.path()).await.unwrap();
    let range = range(marked.path(), "学生");
    let shown = |row, column| range.get_value((row, column)).map(ToString::to_string).unwrap_or_default();
    assert_eq!([shown(0, 0), shown(0, 1), shown(0, 2)], ["错误说明", "提醒", "*姓名"]);
    assert_eq!([shown(2, 0), shown(2, 1), shown(2, 2)], ["", "证件号：请核对", "李四"]);
    // The next copy leaves both columns out.
    assert_eq!(rows(marked.path()).await.unwrap().len(), 2);
    let twice = mark_rows(marked.path(), "学生", Vec::new(), Vec::new(), folder.path()).await.unwrap();
    assert_eq!(self::range(twice.path(), "学生").get_value((0, 1)).map(ToString::to_string).as_deref(), Some("*姓名"));
}

fn part_of(file: &Path, name: &str) -> String {
    let mut archive = zip::ZipArchive::new(File::open(file).unwrap()).unwrap();
    let mut xml = String::new();
    std::io::Read::read_to_string(&mut archive.by_name(name).unwrap(), &mut xml).unwrap();
    xml
}

/// The styles of the sheet's cells that are marked as text against their look.
fn quoted(file: &Path, sheet: &str) -> usize {
    let styles = part_of(file, "xl/styles.xml");
    let formats = styles.split("<cellXfs").nth(1).unwrap().split("</cellXfs>").next().unwrap();
    let marked: Vec<usize> = (0..)
        .zip(formats.split("<xf ").skip(1))
        .filter(|(_, format)| format.contains("quotePrefix=\"1\""))
        .map(|(index, _)| index)
        .collect();
    let cells = part_of(file, sheet);
    marked.iter().map(|style| cells.matches(&format!(" s=\"{style}\"")).count()).sum()
}

const FORMULAS: [&str; 6] = ["=cmd|/C calc!A0", "+1+1", "-2+3", "@SUM(A1)", "'=1", "''=1"];

/// What goes out comes in as it was: through an export, the sheet with errors that is made of it, and an import.
#[tokio::test]
async fn a_text_like_a_formula_is_marked_as_text_and_comes_back() {
    let folder = tempdir().unwrap();
    let mut writer = Writer::headed(folder.path(), "学生", vec![("姓名", 12), ("证件号", 12)]);
    for text in FORMULAS {
        writer.row(vec![Cell::Text(text.into()), Cell::Text("E1".into())]).await.unwrap();
    }
    let export = writer.finish().await.unwrap();
    assert_eq!(quoted(export.path(), "xl/worksheets/sheet1.xml"), 4, "the apostrophe is mark enough for the others");
    assert!(!part_of(export.path(), "xl/worksheets/sheet1.xml").contains("<f>"));

    let errors = vec![RowError { row: 2, column: "姓名".into(), message: "=不对".into() }];
    let marked = mark_rows(export.path(), "学生", errors, Vec::new(), folder.path()).await.unwrap();
    assert_eq!(quoted(marked.path(), "xl/worksheets/sheet1.xml"), 4, "the error itself begins with its column");
    for file in [export.path(), marked.path()] {
        let names: Vec<String> = rows(file).await.unwrap().iter_mut().map(|row| row.required("姓名")).collect();
        assert_eq!(names, FORMULAS);
    }

    let mut odd = template();
    odd.columns.push(InputColumn::optional("=1+1", "@x").one_of((0..200).map(|n| format!("={n}")).collect::<Vec<_>>()));
    let file = odd.workbook(folder.path()).await.unwrap();
    assert_eq!(quoted(file.path(), "xl/worksheets/sheet1.xml"), 1, "a school names its own columns");
    assert_eq!(quoted(file.path(), "xl/worksheets/sheet2.xml"), 4, "heading, hint, options and an example");
    assert_eq!(quoted(file.path(), "xl/worksheets/sheet3.xml"), 200);
}

/// A workbook with this text in place of its sheet's data.
fn odd_workbook(folder: &TempDir, sheet_data: &str) -> std::path::PathBuf {
    let right = typed(folder, &[&["姓名", "证件号"], &["张三", "E1"]]);
    let mut archive = zip::ZipArchive::new(File::open(&right).unwrap()).unwrap();
    let path = folder.path().join("odd.xlsx");
    let mut odd = zip::ZipWriter::new(File::create(&path).unwrap());
    for index in 0..archive.len() {
        let name = archive.by_index(index).unwrap().name().unwrap().to_string();
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut archive.by_index(index).unwrap(), &mut bytes).unwrap();
        if name == "xl/worksheets/sheet1.xml" {
            let xml = String::from_utf8(bytes).unwrap();
            let (before, rest) = xml.split_once("<sheetData>").unwrap();
            let (data, behind) = rest.split_once("</sheetData>").unwrap();
            let data = sheet_data.replace("{data}", data);
            bytes = format!("{before}<sheetData>{data}</sheetData>{behind}").into_bytes();
        }
        odd.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        odd.write_all(&bytes).unwrap();
    }
    odd.finish().unwrap();
    path
}

#[tokio::test]
async fn a_workbook_that_no_spreadsheet_made_is_refused_in_words() {
    let folder = tempdir().unwrap();
    for data in [
        r#"{data}<row r="4294967299"><c r="A4294967299"><v>1</v></c></row>"#,
        r#"{data}<row r="4294967295"><c><v>1</v></c></row>"#,
        r#"{data}<row r="1048577"><c r="A1048577"><v>1</v></c></row>"#,
        r#"{data}<row r="3"><c r="ZZZZZZZZ1"><v>1</v></c></row>"#,
        r#"{data}<row r="3"><c r="A99999999999999999999"><v>1</v></c></row>"#,
        r#"{data}<row r="0"><c r="A0"><v>1</v></c></row>"#,
        r#"{data}<row r="-1"><c r="-A1"><v>1</v></c></row>"#,
        r#"{data}<row r="3"><c r="A3" t="s"><v>99999999</v></c></row>"#,
        r#"{data}<row r="3"><c r="A3" t="nonesuch"><v>1</v></c></row>"#,
        r#"{data}<row r="3"><c r="A3"#,
    ] {
        let path = odd_workbook(&folder, data);
        match rows(&path).await {
            Err(SheetError::NotAWorkbook) => {}
            other => panic!("{data}: {other:?}"),
        }
    }
    let none = folder.path().join("none.xlsx");
    for bytes in [&b""[..], b"PK", b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", &[0xff; 5_000]] {
        std::fs::write(&none, bytes).unwrap();
        assert!(matches!(rows(&none).await, Err(SheetError::NotAWorkbook)), "{} bytes", bytes.len());
    }
}

/// What is odd in one cell is wrong in its row, and what is odd and harmless is read.
#[tokio::test]
async fn an_odd_cell_is_told_at_its_row() {
    let folder = tempdir().unwrap();
    let data = r##"{data}
        <row r="3"><c r="A3" t="e"><v>#REF!</v></c><c r="B3" t="inlineStr"><is><t>a&#1;_x0000_b</t></is></c></row>
        <row r="5" hidden="1"><c r="B5"><f>1/0</f><v>7</v></c><c r="A5" t="str"><f>"x"</f><v>李四</v></c></row>
        <row r="4"><c r="A4" t="b"><v>1</v></c><c r="XFD4"><v>1</v></c></row>"##;
    let path = odd_workbook(&folder, data);
    let mut rows = rows(&path).await.unwrap();
    for row in &mut rows {
        row.required("姓名");
        let number = row.required("证件号");
        assert!(!number.contains(char::is_control), "{number:?}");
    }
    let told: Vec<String> =
        rows.iter().flat_map(Row::errors).map(|e| format!("{} {} {}", e.row, e.column, e.message)).collect();
    assert_eq!(told, ["3 姓名 单元格的公式有错误，请直接填写内容", "4 证件号 不能为空"]);
    assert_eq!(rows[2].required("姓名"), "李四");
}
