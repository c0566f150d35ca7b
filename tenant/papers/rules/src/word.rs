//! A paper as a document of a word processor (part 03 A8).

use std::io::{Cursor, Write};

use question_bank_rules::score::{shown, tenths};
use zip::{ZipWriter, write::SimpleFileOptions};

use crate::printing::{NAMES, Printing, answer_lines, numerals, section_head};

const TYPES: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>"#;
const LINKS: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>"#;
const HEAD: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>"#;
/// A4, with margins of 2 cm.
const FOOT: &str = r#"<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1134" w:right="1134" w:bottom="1134" w:left="1134" w:header="567" w:footer="567" w:gutter="0"/></w:sectPr></w:body></w:document>"#;

/// How a paragraph stands.
#[derive(Debug, Clone, Copy)]
enum Stand {
    Title,
    Head,
    Plain,
}

#[derive(Debug, Default)]
struct Text(String);

impl Text {
    fn line(&mut self, stand: Stand, text: &str) {
        let (align, bold, size) = match stand {
            Stand::Title => (r#"<w:jc w:val="center"/>"#, "<w:b/>", 32),
            Stand::Head => ("", "<w:b/>", 24),
            Stand::Plain => ("", "", 21),
        };
        let run = format!(r#"<w:rPr>{bold}<w:rFonts w:eastAsia="宋体"/><w:sz w:val="{size}"/></w:rPr>"#);
        for line in text.lines() {
            let safe = line
                .chars()
                .filter(|sign| !sign.is_control() && !matches!(sign, '\u{FFFE}' | '\u{FFFF}'))
                .collect::<String>();
            let safe = safe.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            self.0.push_str(&format!(
                r#"<w:p><w:pPr>{align}</w:pPr><w:r>{run}<w:t xml:space="preserve">{safe}</w:t></w:r></w:p>"#
            ));
        }
    }
}

impl Text {
    /// A table with borders: a head, cells, what is behind them.
    fn table(&mut self, rows: &[(&str, Vec<String>, &str)]) {
        let borders: String = ["top", "left", "bottom", "right", "insideH", "insideV"]
            .iter()
            .map(|side| format!(r#"<w:{side} w:val="single" w:sz="4" w:space="0" w:color="auto"/>"#))
            .collect();
        self.0.push_str(&format!(
            r#"<w:tbl><w:tblPr><w:tblW w:w="5000" w:type="pct"/><w:tblBorders>{borders}</w:tblBorders></w:tblPr><w:tblGrid>"#
        ));
        let columns = rows.first().map_or(0, |(_, cells, _)| cells.len() + 2);
        self.0.push_str(&r#"<w:gridCol w:w="900"/>"#.repeat(columns));
        self.0.push_str("</w:tblGrid>");
        for (head, cells, last) in rows {
            self.0.push_str("<w:tr>");
            let words = [*head].into_iter().chain(cells.iter().map(String::as_str)).chain([*last]);
            for word in words {
                self.0.push_str("<w:tc>");
                // A cell has a paragraph, also when it is empty.
                self.line(Stand::Plain, if word.is_empty() { " " } else { word });
                self.0.push_str("</w:tc>");
            }
            self.0.push_str("</w:tr>");
        }
        self.0.push_str("</w:tbl>");
    }
}

/// The document. Pictures stand as ［图］: who needs them prints.
pub fn document(printing: &Printing) -> zip::result::ZipResult<Vec<u8>> {
    let mut body = Text::default();
    let picture = |_: &str| "［图］".to_owned();
    if !printing.with_answer {
        body.line(Stand::Plain, NAMES);
    }
    body.line(Stand::Title, &printing.school);
    body.line(Stand::Title, &printing.title());
    body.line(Stand::Plain, &printing.terms());
    if !printing.with_answer && !printing.sections.is_empty() {
        let empty = || vec![String::new(); printing.sections.len()];
        body.table(&[("题号", numerals(&printing.sections), "总分"), ("得分", empty(), ""), ("阅卷人", empty(), "")]);
    }
    for section in &printing.sections {
        body.line(Stand::Head, &section_head(section));
        if let Some(text) = &section.instruction {
            body.line(Stand::Plain, &text.plain());
        }
        for question in &section.questions {
            let lead = format!("{}．（{}分）", question.seq, shown(tenths(question.score)));
            body.line(Stand::Plain, &format!("{lead}{}", question.stem.told(picture)));
            for option in &question.options {
                body.line(Stand::Plain, &format!("{}．{}", option.letter, option.content.told(picture)));
            }
            if printing.with_answer && !question.kind.is_parent() {
                for line in answer_lines(question.answer.as_ref()) {
                    body.line(Stand::Plain, &line);
                }
            }
            if let Some(analysis) = question.analysis.as_ref().filter(|_| printing.with_answer) {
                body.line(Stand::Plain, &format!("【解析】{}", analysis.told(picture)));
            }
            for ((place, sub), score) in (1..).zip(&question.sub_questions).zip(question.sub_tenths()) {
                body.line(Stand::Plain, &format!("（{place}）（{}分）{}", shown(score), sub.stem.told(picture)));
                for option in &sub.options {
                    body.line(Stand::Plain, &format!("{}．{}", option.letter, option.content.told(picture)));
                }
                if printing.with_answer {
                    for line in answer_lines(sub.answer.as_ref()) {
                        body.line(Stand::Plain, &line);
                    }
                }
                if let Some(analysis) = sub.analysis.as_ref().filter(|_| printing.with_answer) {
                    body.line(Stand::Plain, &format!("【解析】{}", analysis.told(picture)));
                }
            }
        }
    }
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let whole = format!("{HEAD}{}{FOOT}", body.0);
    for (name, content) in
        [("[Content_Types].xml", TYPES), ("_rels/.rels", LINKS), ("word/document.xml", whole.as_str())]
    {
        archive.start_file(name, SimpleFileOptions::default())?;
        archive.write_all(content.as_bytes())?;
    }
    Ok(archive.finish()?.into_inner())
}

#[cfg(test)]
mod tests {
    use question_bank_rules::enums::PaperKind;

    use super::*;
    use crate::enums::PaperVariant;

    #[test]
    fn a_document_is_an_archive_with_its_text() {
        let printing = Printing {
            school: "甲校".to_owned(),
            semester: Some("2026-1".to_owned()),
            course: "大学<英语>".to_owned(),
            name: "期末".to_owned(),
            kind: PaperKind::Exam,
            variant: PaperVariant::B,
            status: None,
            form: Some("闭卷"),
            minutes: Some(90),
            sections: Vec::new(),
            with_answer: false,
        };
        assert_eq!(printing.title(), "2026-1 大学<英语> 考试试卷（B卷）");
        let bytes = document(&printing).expect("a document");
        let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).expect("an archive");
        let mut text = String::new();
        std::io::Read::read_to_string(&mut archive.by_name("word/document.xml").expect("a part"), &mut text)
            .expect("text");
        assert!(text.contains("大学&lt;英语&gt; 考试试卷（B卷）"), "{text}");
        assert!(text.contains("考试形式：闭卷　时长：90分钟　满分：0.0分"), "{text}");
    }
}
