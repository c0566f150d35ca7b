//! Papers are read back by another library.

use std::time::Instant;

use image::{DynamicImage, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};
use lopdf::{Document, Object};

use crate::{Binder, Cell, Line, Paper, Picture, Row, Side};

fn picture(picture: impl Into<DynamicImage>) -> Picture {
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture.into().write_to(&mut bytes, ImageFormat::Png).unwrap();
    Picture::read(&bytes.into_inner()).unwrap()
}

fn photo() -> Picture {
    picture(RgbImage::from_fn(420, 560, |x, y| Rgb([(x % 256) as u8, (y % 256) as u8, 180])))
}

fn seal() -> Picture {
    picture(RgbaImage::from_fn(300, 300, |x, y| {
        let from_centre = (x as f32 - 150.0).hypot(y as f32 - 150.0);
        Rgba([210, 20, 20, if (130.0..145.0).contains(&from_centre) { 200 } else { 0 }])
    }))
}

fn signature() -> Picture {
    picture(RgbaImage::from_fn(300, 110, |x, y| {
        let wave = 55.0 + 40.0 * (x as f32 / 20.0).sin();
        Rgba([0, 0, 0, if (y as f32 - wave).abs() < 3.0 { 255 } else { 0 }])
    }))
}

fn pictures() -> (Picture, Picture, Picture) {
    (photo(), seal(), signature())
}

/// A form as they are: a photo beside rows, items, a résumé, a signed foot.
fn form((photo, seal, signature): &(Picture, Picture, Picture)) -> Paper {
    let mut paper = Paper::new("学籍注册信息核对表", "示范大学继续教育学院");
    let left = vec![
        Row::of([Cell::label(2, "姓名"), Cell::value(3, "张伟"), Cell::label(2, "性别"), Cell::value(3, "男")]),
        Row::of([
            Cell::label(2, "学号"),
            Cell::value(3, "2026010001"),
            Cell::label(2, "考生号"),
            Cell::value(3, "26110105100123"),
        ]),
        Row::of([Cell::label(2, "证件号"), Cell::value(8, "11010519491231002X")]),
        Row::of([Cell::label(2, "专业"), Cell::value(8, "计算机科学与技术（专升本，非脱产，学制2.5年）")]),
    ];
    paper.heading("学籍注册信息核对表").table([
        Row::of([Cell::rows(14, left), Cell::picture(3, Some(photo), "照片")]),
        Row::of([
            Cell::label(4, "核对项"),
            Cell::label(5, "登记的信息"),
            Cell::label(2, "无误"),
            Cell::label(6, "应为"),
        ]),
        Row::of([Cell::label(4, "姓名"), Cell::value(5, "张伟"), Cell::value(2, "√"), Cell::value(6, "")]),
        Row::of([
            Cell::label(4, "出生日期"),
            Cell::value(5, "1949-12-31"),
            Cell::value(2, "×"),
            Cell::value(6, "1949-12-30"),
        ]),
        Row::of([
            Cell::label(1, "自我鉴定"),
            Cell::passage(
                16,
                "在校期间，本人遵守校规校纪，学习态度端正，按时完成各门课程的学习与考核（含线上学习）。\n\
                                今后将继续学习，把所学知识用于工作。",
            )
            .foot(Line::of("本人签名：").signature(Some(signature)).words(" 2026年3月1日")),
        ]),
        Row::of([
            Cell::label(1, "学校意见"),
            Cell::passage(16, "同意注册。").foot(Line::of("（盖章）")).foot(Line::of("2026年3月10日")).seal(Some(seal)),
        ])
        .high(45.0),
    ]);
    paper
}

fn read(bytes: &[u8]) -> (usize, Vec<String>) {
    let document = Document::load_mem(bytes).unwrap();
    let pages: Vec<u32> = document.get_pages().keys().copied().collect();
    (pages.len(), pages.iter().map(|page| document.extract_text(&[*page]).unwrap()).collect())
}

/// For a look at it: `PAPERS=/tmp cargo test -p paper`.
fn show(name: &str, bytes: &[u8]) {
    if let Ok(folder) = std::env::var("PAPERS") {
        std::fs::write(std::path::Path::new(&folder).join(name), bytes).unwrap();
    }
}

#[test]
fn a_form_is_one_small_page_that_can_be_searched() {
    let bytes = form(&pictures()).finish().unwrap();
    show("form.pdf", &bytes);
    let (pages, texts) = read(&bytes);
    assert_eq!(pages, 1);
    for text in ["学籍注册信息核对表", "示范大学继续教育学院", "11010519491231002X", "第1页 共1页", "自", "本人签名："]
    {
        assert!(texts[0].contains(text), "{text} in {}", texts[0]);
    }
    assert!(bytes.len() < 200_000, "{} bytes", bytes.len());
}

#[test]
fn only_used_glyphs_are_embedded() {
    let mut paper = Paper::new("承诺书", "");
    paper.heading("承诺书").paragraph("本人承诺所填信息真实。");
    let bytes = paper.finish().unwrap();
    assert!(bytes.len() < 20_000, "{} bytes", bytes.len());
    let document = Document::load_mem(&bytes).unwrap();
    let fonts: Vec<_> = document
        .objects
        .values()
        .filter_map(|object| object.as_dict().ok())
        .filter(|dictionary| dictionary.has(b"FontFile3") || dictionary.has(b"FontFile2"))
        .collect();
    assert_eq!(fonts.len(), 1);
    let Object::Name(name) = fonts[0].get(b"FontName").unwrap() else { panic!("a font has a name") };
    assert_eq!(name.get(6), Some(&b'+'), "a subset is marked as one");
}

#[test]
fn pages_are_counted_on_each() {
    let mut paper = Paper::new("毕业生登记表", "示范大学");
    paper.space(40.0).heading("毕业生登记表").space(30.0).fields([
        ("学校", "示范大学继续教育学院"),
        ("姓名", "欧阳娜娜"),
        ("学习形式", "非脱产"),
        ("专业", "计算机科学与技术（大数据与人工智能应用方向）"),
    ]);
    paper.new_page().paragraph(&"本人自愿参加成人高等学历继续教育。".repeat(200));
    paper.line(&Line::of("承诺人：").signature(None).words("　年　月　日"), Side::Right);
    let bytes = paper.finish().unwrap();
    show("pages.pdf", &bytes);
    let (pages, texts) = read(&bytes);
    assert_eq!(pages, 4);
    for (number, text) in (1..).zip(&texts) {
        assert!(text.contains(&format!("第{number}页 共4页")), "{text}");
    }
}

#[test]
fn the_sealed_margin_stands_on_every_page() {
    let mut paper = Paper::new("试卷", "示范大学");
    paper.margin("姓名__________", "密封线").paragraph("第一题").new_page().paragraph("第二题");
    let bytes = paper.finish().unwrap();
    show("margin.pdf", &bytes);
    let (pages, texts) = read(&bytes);
    assert_eq!(pages, 2);
    for text in &texts {
        for sign in ["姓名", "密", "封", "线"] {
            assert!(text.contains(sign), "{sign} in {text}");
        }
    }
}

#[test]
fn a_row_longer_than_a_page_goes_on() {
    let mut paper = Paper::new("登记表", "");
    let lines: String = (1..=120).map(|number| format!("第{number:03}条\n")).collect();
    paper.paragraph("一").table([Row::of([Cell::label(1, "条文"), Cell::passage(9, lines)])]);
    let bytes = paper.finish().unwrap();
    show("long.pdf", &bytes);
    let (pages, texts) = read(&bytes);
    assert_eq!(pages, 3);
    let text = texts.concat();
    for number in 1..=120 {
        assert_eq!(text.matches(&format!("第{number:03}条")).count(), 1, "{number}");
    }
}

#[test]
fn a_listing_lies_across_and_repeats_its_headings() {
    let mut paper = Paper::landscape("教学计划进程表", "示范大学");
    let head = Row::of([Cell::label(1, "课程代码"), Cell::label(3, "课程名称")]).small();
    let rows =
        (1..=60).map(|number| Row::of([Cell::value(1, format!("K{number:03}")), Cell::value(3, "大学英语")]).small());
    paper.heading("教学计划进程表").listing(&head, rows);
    let bytes = paper.finish().unwrap();
    show("listing.pdf", &bytes);
    let (pages, texts) = read(&bytes);
    assert!(pages > 1 && pages < 5, "{pages} pages");
    for text in &texts {
        assert_eq!(text.matches("课程代码").count(), 1, "{text}");
    }
    let text = texts.concat();
    assert!((1..=60).all(|number| text.contains(&format!("K{number:03}"))), "{text}");
    let document = Document::load_mem(&bytes).unwrap();
    let page = document.get_dictionary(*document.get_pages().values().next().unwrap()).unwrap();
    let sides: Vec<f32> =
        page.get(b"MediaBox").unwrap().as_array().unwrap().iter().map(|side| side.as_float().unwrap()).collect();
    assert!(sides[2] > sides[3], "{sides:?}");
}

#[test]
fn rare_names_have_glyphs_and_what_has_none_is_a_box() {
    let glyph = |sign| crate::face::FACE.glyph(sign).0;
    for sign in "䶮㛃㬎犇堃喆翀𬭚𫖯·“”—…√□①ABC0123456789Xx".chars() {
        assert_ne!(glyph(sign), 0, "{sign}");
    }
    assert_eq!(glyph('\u{1F600}'), 0);
    let mut paper = Paper::new("表", "");
    paper.paragraph("张\u{1F600}\u{0}伟").table([Row::of([Cell::value(1, "\u{0F40}\u{202E}")])]);
    let bytes = paper.finish().unwrap();
    show("box.pdf", &bytes);
    assert!(read(&bytes).1[0].contains('伟'));
}

#[test]
fn the_same_paper_is_the_same_bytes() {
    assert_eq!(form(&pictures()).finish().unwrap(), form(&pictures()).finish().unwrap());
}

#[test]
fn a_picture_may_be_on_papers_of_many_threads() {
    fn shared<T: Send + Sync + 'static>() {}
    shared::<Picture>();
    shared::<Paper>();
}

#[test]
fn an_empty_paper_is_a_page() {
    let mut paper = Paper::new("", "");
    paper.table([]).table([Row::of([])]).paragraph("").space(9_999.0).fields::<&str, &str>([]);
    assert_eq!(read(&paper.finish().unwrap()).0, 1);
}

/// `cargo test -p paper --release -- --ignored --nocapture`
#[test]
#[ignore = "a measurement"]
fn how_long_a_page_takes_and_how_much_memory() {
    const PAPERS: u32 = 200;
    let held = || {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        status
            .lines()
            .filter(|line| line.starts_with("VmHWM") || line.starts_with("VmRSS"))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let pictures = pictures();
    let bytes = form(&pictures).finish().unwrap();
    println!("{} bytes; after one: {}", bytes.len(), held());
    let begun = Instant::now();
    for _ in 0..PAPERS {
        form(&pictures).finish().unwrap();
    }
    println!("{:?} a form with pictures; after {PAPERS}: {}", begun.elapsed() / PAPERS, held());
    let mut jpeg = std::io::Cursor::new(Vec::new());
    RgbImage::from_fn(1200, 1600, |x, y| Rgb([(x % 256) as u8, (y % 256) as u8, 180]))
        .write_to(&mut jpeg, ImageFormat::Jpeg)
        .unwrap();
    let jpeg = jpeg.into_inner();
    let begun = Instant::now();
    for _ in 0..10 {
        Picture::read(&jpeg).unwrap();
    }
    println!("{:?} to read a photo of two million pixels", begun.elapsed() / 10);
}

#[test]
fn words_are_placed_on_a_printed_sheet() {
    let mut paper = Paper::overlay("毕业证书");
    paper.placed(60.0, 80.0, "张三").new_page().placed(60.0, 80.0, "李四");
    let bytes = paper.finish().expect("a paper");
    assert!(bytes.starts_with(b"%PDF"));
    let mut empty = Paper::overlay("毕业证书");
    empty.new_page();
    assert!(empty.finish().expect("a paper").len() < bytes.len(), "a bare sheet has no numbers of pages");
}

#[test]
fn documents_become_one_with_bookmarks() {
    let paper = |words: &[&str]| {
        let mut paper = Paper::new("材料", "示范大学");
        for (place, words) in words.iter().enumerate() {
            if place > 0 {
                paper.new_page();
            }
            paper.heading(words);
        }
        paper.finish().expect("a paper")
    };
    let mut binder = Binder::default();
    assert!(!binder.part("20260001_张三").add("坏文件", b"no document"));
    assert!(binder.add("封面", &paper(&["封面"])));
    assert!(binder.add("成绩单", &paper(&["成绩一", "成绩二"])));
    assert!(binder.part("20260002_李四").add("封面", &paper(&["封面"])));
    let bytes = binder.finish().expect("a document");
    let document = Document::load_mem(&bytes).expect("a document");
    let pages = document.get_pages();
    assert_eq!(pages.len(), 4);
    for page in pages.values() {
        let page = document.get_dictionary(*page).expect("a page");
        assert!(page.has(b"MediaBox") && page.has(b"Resources"), "a page keeps what it had from above");
    }
    let outlines = document.catalog().expect("a catalog").get(b"Outlines").and_then(Object::as_reference);
    let outlines = document.get_dictionary(outlines.expect("bookmarks")).expect("bookmarks");
    let first = outlines.get(b"First").and_then(Object::as_reference).expect("a part");
    let first = document.get_dictionary(first).expect("a part");
    assert_eq!(first.get(b"Count").and_then(Object::as_i64).expect("those below"), 2);
    assert!(Binder::default().finish().is_err());
}
