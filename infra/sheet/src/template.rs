use std::{borrow::Cow, path::Path};

use rust_xlsxwriter::{DataValidation, Format, FormatAlign, Formula, Note, Workbook, Worksheet};
use tempfile::NamedTempFile;
use tokio::task::spawn_blocking;

use super::export::{Formats, put_text, save, sheet_name};
use super::{Limits, SheetError};

/// The sheet with lists that are too long to stand in a rule.
const LISTS: &str = "选项";
/// The sheet with the codes that a school has.
const CODES: &str = "可填编码";
/// As many codes of one kind are listed; of more the first.
pub const MOST_CODES: usize = 2_000;
/// The longest list, with commas, that Excel takes in a rule, in characters.
const LONGEST_RULE: usize = 255;

/// What an import of one kind of thing looks like.
#[derive(Debug, Clone)]
pub struct Template {
    /// The name of the sheet, for example 学生.
    pub title: &'static str,
    pub columns: Vec<InputColumn>,
}

/// One column that a person fills in.
#[derive(Debug, Clone)]
pub struct InputColumn {
    /// Without the star that marks a required column.
    pub heading: Cow<'static, str>,
    pub required: bool,
    /// What to write here, in Chinese; may be empty.
    pub hint: Cow<'static, str>,
    /// The words to choose from; empty when everything may be written.
    pub options: Vec<String>,
    /// Codes that may stand here, each with what it is called; several of them where the hint says so. They are offered, and
    /// nothing else is refused.
    pub codes: Vec<(String, String)>,
}

impl InputColumn {
    pub fn required(heading: impl Into<Cow<'static, str>>, hint: impl Into<Cow<'static, str>>) -> Self {
        Self { heading: heading.into(), required: true, hint: hint.into(), options: Vec::new(), codes: Vec::new() }
    }

    pub fn optional(heading: impl Into<Cow<'static, str>>, hint: impl Into<Cow<'static, str>>) -> Self {
        Self { required: false, ..Self::required(heading, hint) }
    }

    /// Offers the words in a drop-down.
    pub fn one_of(mut self, options: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.options = options.into_iter().map(Into::into).collect();
        self
    }

    /// What could stand here: the first word or code to choose from, else the example of the hint.
    fn sample(&self) -> &str {
        match self.options.first().or_else(|| self.codes.first().map(|(code, _)| code)) {
            Some(offered) => offered,
            None => self
                .hint
                .split_once("例如")
                .map_or("", |(_, example)| example.trim().split(['，', '；', '。', '、']).next().unwrap_or_default()),
        }
    }

    /// What may stand here, for the explanation.
    fn offered(&self) -> String {
        match self.codes.len() {
            0 => self.options.join("、"),
            count => format!("见“{CODES}”，共{count}项"),
        }
    }

    fn title(&self) -> String {
        if self.required { format!("*{}", self.heading) } else { self.heading.clone().into_owned() }
    }
}

impl Template {
    /// Makes the empty workbook to fill in. It is a temporary file in `folder`.
    pub async fn workbook(self, folder: &Path) -> Result<NamedTempFile, SheetError> {
        let folder = folder.to_path_buf();
        spawn_blocking(move || self.write(&folder)).await.map_err(SheetError::failed)?
    }

    fn write(&self, folder: &Path) -> Result<NamedTempFile, SheetError> {
        let mut workbook = Workbook::new();
        let formats = Formats::new();
        let mut lists = Lists::default();

        let sheet = workbook.add_worksheet();
        sheet.set_name(sheet_name(self.title))?.set_freeze_panes(1, 0)?;
        let required = formats.heading.clone().set_font_color("#D8000C");
        for (index, column) in (0..).zip(&self.columns) {
            let heading = if column.required { &required } else { &formats.heading };
            // Text, so that numbers keep their leading zeros and their eighteen digits.
            sheet.set_column_format(index, &formats.text)?;
            sheet.set_column_width(index, width(&column.heading))?;
            put_text(sheet, 0, index, &column.title(), heading)?;
            if !column.hint.is_empty() {
                sheet.insert_note(
                    0,
                    index,
                    &Note::new(column.hint.as_ref()).add_author_prefix(false).set_width(240),
                )?;
            }
            if !column.options.is_empty() {
                sheet.add_data_validation(1, index, Limits::default().rows, index, &lists.rule(&column.options)?)?;
            }
        }
        for (place, (index, column)) in (0..).zip(self.coded()) {
            sheet.add_data_validation(1, index, Limits::default().rows, index, &codes_rule(place, column)?)?;
        }
        self.explain(workbook.add_worksheet(), &formats)?;
        self.tell_codes(&mut workbook, &formats)?;
        lists.write(&mut workbook)?;
        save(&mut workbook, folder)
    }

    fn explain(&self, sheet: &mut Worksheet, formats: &Formats) -> Result<(), SheetError> {
        let wrapped = Format::new().set_text_wrap().set_align(FormatAlign::Top);
        sheet.set_name("填写说明")?;
        for (index, (heading, width)) in
            (0..).zip([("列名", 20), ("必填", 8), ("说明", 60), ("可选值", 60), ("示例", 24)])
        {
            sheet.set_column_width(index, width)?.write_string_with_format(0, index, heading, &formats.heading)?;
        }
        for (row, column) in (1..).zip(&self.columns) {
            let required = if column.required { "是" } else { "否" };
            let options = column.offered();
            let texts = [column.heading.as_ref(), required, column.hint.as_ref(), &options, column.sample()];
            for (index, text) in (0..).zip(texts) {
                put_text(sheet, row, index, text, &wrapped)?;
            }
        }
        Ok(())
    }
}

impl Template {
    /// The columns that take codes, each with its place.
    fn coded(&self) -> impl Iterator<Item = (u16, &InputColumn)> {
        (0..).zip(&self.columns).filter(|(_, column)| !column.codes.is_empty())
    }

    /// The codes of each such column, with their names beside them.
    fn tell_codes(&self, workbook: &mut Workbook, formats: &Formats) -> Result<(), SheetError> {
        if self.coded().next().is_none() {
            return Ok(());
        }
        let sheet = workbook.add_worksheet();
        sheet.set_name(CODES)?.set_freeze_panes(1, 0)?;
        for (place, (_, column)) in (0..).zip(self.coded()) {
            let (codes, names) = (place * 2, place * 2 + 1);
            let heading = match column.codes.len() {
                MOST_CODES.. => format!("{}（前{MOST_CODES}项）", column.heading),
                _ => column.heading.to_string(),
            };
            sheet.set_column_format(codes, &formats.text)?;
            sheet.set_column_width(codes, width(&heading))?.set_column_width(names, 28)?;
            put_text(sheet, 0, codes, &heading, &formats.heading)?;
            put_text(sheet, 0, names, "名称", &formats.heading)?;
            for (row, (code, name)) in (1..).zip(&column.codes) {
                put_text(sheet, row, codes, code, &formats.text)?;
                put_text(sheet, row, names, name, &formats.text)?;
            }
        }
        Ok(())
    }
}

/// The rule that offers what stands in a place of the sheet of codes, and refuses nothing.
fn codes_rule(place: u16, column: &InputColumn) -> Result<DataValidation, SheetError> {
    let name = rust_xlsxwriter::utility::column_number_to_name(place * 2);
    let range = format!("='{CODES}'!${name}$2:${name}${}", column.codes.len() + 1);
    Ok(DataValidation::new().allow_list_formula(Formula::new(range)).show_error_message(false))
}

/// The lists that go to the hidden sheet, one a column.
#[derive(Default)]
struct Lists<'a> {
    long: Vec<&'a [String]>,
}

impl<'a> Lists<'a> {
    /// The rule that offers the options and refuses everything else.
    fn rule(&mut self, options: &'a [String]) -> Result<DataValidation, SheetError> {
        let length: usize = options.iter().map(|option| option.chars().count() + 1).sum();
        let short = length <= LONGEST_RULE && !options.iter().any(|option| option.contains([',', '"']));
        let rule = if short {
            DataValidation::new().allow_list_strings(options)?
        } else {
            self.long.push(options);
            let column = rust_xlsxwriter::utility::column_number_to_name(
                u16::try_from(self.long.len() - 1).map_err(SheetError::failed)?,
            );
            let range = format!("='{LISTS}'!${column}$1:${column}${}", options.len());
            DataValidation::new().allow_list_formula(Formula::new(range))
        };
        Ok(rule.set_error_title("输入有误")?.set_error_message("请从下拉列表中选择")?)
    }

    fn write(&self, workbook: &mut Workbook) -> Result<(), SheetError> {
        if self.long.is_empty() {
            return Ok(());
        }
        let sheet = workbook.add_worksheet();
        sheet.set_name(LISTS)?.set_hidden(true);
        let usual = Format::new();
        for (column, options) in (0..).zip(&self.long) {
            for (row, option) in (0..).zip(*options) {
                put_text(sheet, row, column, option, &usual)?;
            }
        }
        Ok(())
    }
}

/// Module for the heading and for what usually stands below it.
fn width(heading: &str) -> u8 {
    let signs = heading.chars().map(|sign| if sign.is_ascii() { 1 } else { 2 }).sum::<usize>() + 4;
    u8::try_from(signs.max(14)).unwrap_or(u8::MAX)
}
