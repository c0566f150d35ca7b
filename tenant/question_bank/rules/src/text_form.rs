//! 文本试题: the grammar in which questions are typed (part 03 A7).
//!
//! ```text
//! 1. [单选题] stem        A question begins; what stands under it continues it.
//! A. option              In order, of a choice.
//! 【答案】B               A field, to the next one.
//! 【小题】[单选题] stem    Within a 综合题 or 听力题, to 【大题结束】.
//! # a comment
//! \【words             A line of words that looks like one of the above: the sign before it goes.
//! ```

use std::sync::LazyLock;

use infra::sheet::RowError;
use regex::Regex;

use crate::{
    check::{LEAST, letter},
    enums::QuestionDifficulty,
    lines::{Group, Line, scores_of, tenths_of, type_of, upload_of, words_of},
};

/// Where the next line of words goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Stem,
    Option,
    Field,
}

/// Mistakes that are told; behind them nothing more is read.
const MISTAKES: usize = 1_000;
/// Questions and sub-questions of one text: more are read no further, and refused.
pub const LINES: usize = 100_000;
const FIELDS: [&str; 9] = ["答案", "解析", "难度", "章节", "知识点", "分值", "音频", "多空计分", "附件要求"];

/// A question that is being read.
struct Draft {
    line: Line,
    place: Place,
    fields: Vec<(&'static str, u32, String)>,
}

/// What a text holds.
#[derive(Debug, Default)]
pub struct Parsed {
    pub groups: Vec<Group>,
    pub errors: Vec<RowError>,
}

struct Reader {
    parsed: Parsed,
    frame: Option<Group>,
    draft: Option<Draft>,
    /// Whether the draft stands within the frame.
    inner: bool,
    /// Questions and sub-questions so far.
    lines: usize,
}

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a fixed pattern is right")
}

static BEGINS: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(?:\d+[.、．]\s*)?\[([^\[\]]+)\]\s*(.*)$"));
static OPTION: LazyLock<Regex> = LazyLock::new(|| pattern(r"^([A-Z])[.、．:：)）]\s*(.*)$"));
static TAG: LazyLock<Regex> = LazyLock::new(|| pattern(r"^【([^【】]+)】\s*(.*)$"));

/// What a line of words begins with that would be read as something else.
const AS_WORDS: char = '\\';

/// Whether a line of words would be read as something else.
fn means_more(line: &str) -> bool {
    let line = line.trim_start_matches(AS_WORDS);
    line.starts_with('#') || BEGINS.is_match(line) || OPTION.is_match(line) || TAG.is_match(line)
}

/// Words as they are typed behind the first line of a field, so that [`parse`] reads them as words.
pub fn as_words(text: &str) -> String {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let rest =
        rest.lines().map(|line| if means_more(line) { format!("\n{AS_WORDS}{line}") } else { format!("\n{line}") });
    [first.to_owned()].into_iter().chain(rest).collect()
}

/// Reads a text. What is wrong names the line, and the tag as the column.
pub fn parse(text: &str) -> Parsed {
    let mut reader = Reader { parsed: Parsed::default(), frame: None, draft: None, inner: false, lines: 0 };
    for (row, written) in (1_u32..).zip(text.lines()) {
        if reader.parsed.errors.len() >= MISTAKES || reader.lines >= LINES {
            break;
        }
        let written = written.trim().trim_start_matches('\u{FEFF}');
        if str::is_empty(written) || written.starts_with('#') {
            continue;
        }
        if let Some(words) = written.strip_prefix(AS_WORDS).filter(|words| means_more(words)) {
            reader.words(row, words, None);
        } else if let Some(begins) = BEGINS.captures(written) {
            reader.end_frame();
            reader.begin(row, &begins[1], &begins[2], false);
        } else if let Some(tag) = TAG.captures(written) {
            match &tag[1] {
                "小题" => match BEGINS.captures(&tag[2]) {
                    Some(begins) => reader.sub(row, &begins[1], &begins[2]),
                    None => reader.wrong(row, "小题", "请按【小题】[题型] 题干 填写"),
                },
                "大题结束" => reader.end_frame(),
                name => reader.field(row, name, &tag[2]),
            }
        } else {
            let option = OPTION.captures(written).map(|found| (found[1].to_owned(), found[2].to_owned()));
            reader.words(row, written, option);
        }
    }
    reader.end_frame();
    reader.parsed
}

impl Reader {
    fn wrong(&mut self, row: u32, column: &str, message: impl Into<String>) {
        self.parsed.errors.push(RowError { row, column: column.to_owned(), message: message.into() });
    }

    fn begin(&mut self, row: u32, word: &str, stem: &str, inner: bool) {
        self.end_draft();
        let Some(kind) = type_of(word) else {
            return self.wrong(row, "题型", format!("题型“{word}”不存在"));
        };
        let mut line = Line::new(row, kind);
        stem.clone_into(&mut line.stem);
        self.inner = inner;
        self.draft = Some(Draft { line, place: Place::Stem, fields: Vec::new() });
    }

    fn sub(&mut self, row: u32, word: &str, stem: &str) {
        self.end_draft();
        if self.frame.is_none() {
            return self.wrong(row, "小题", "小题应在综合题或听力题之后");
        }
        self.begin(row, word, stem, true);
    }

    fn field(&mut self, row: u32, name: &str, value: &str) {
        let Some(field) = FIELDS.iter().find(|field| **field == name.trim()) else {
            return self.wrong(row, name, format!("不认识的标签【{name}】"));
        };
        let Some(draft) = &mut self.draft else {
            return self.wrong(row, field, "标签应在试题之后");
        };
        draft.place = Place::Field;
        draft.fields.push((*field, row, value.to_owned()));
    }

    fn words(&mut self, row: u32, written: &str, option: Option<(String, String)>) {
        let Some(draft) = &mut self.draft else {
            return self.wrong(row, "", "试题应以[题型]开头");
        };
        if let Some((sign, content)) = option
            && draft.line.kind.has_options()
        {
            if sign == letter(draft.line.options.len()) {
                draft.line.options.push((sign, content));
                draft.place = Place::Option;
                return;
            }
            if draft.place == Place::Option {
                // As a part of the option before it, another question would be asked.
                return self.wrong(row, "选项", "选项必须从A开始连续编号");
            }
        }
        let text = match draft.place {
            Place::Stem => Some(&mut draft.line.stem),
            Place::Option => draft.line.options.last_mut().map(|(_, content)| content),
            Place::Field => draft.fields.last_mut().map(|(_, _, value)| value),
        };
        if let Some(text) = text {
            if !str::is_empty(text) {
                text.push('\n');
            }
            text.push_str(written);
        }
    }

    /// Puts the question that is being read where it belongs.
    fn end_draft(&mut self) {
        let Some(mut draft) = self.draft.take() else { return };
        for (field, row, value) in std::mem::take(&mut draft.fields) {
            if let Err(message) = filled(&mut draft.line, field, value.trim()) {
                self.wrong(row, field, message);
            }
        }
        let line = draft.line;
        self.lines += 1;
        match &mut self.frame {
            Some(frame) if self.inner => frame.subs.push(line),
            _ if line.kind.is_parent() => self.frame = Some(Group { head: line, subs: Vec::new() }),
            _ => self.parsed.groups.push(Group { head: line, subs: Vec::new() }),
        }
        self.inner = false;
    }

    fn end_frame(&mut self) {
        self.end_draft();
        self.parsed.groups.extend(self.frame.take());
    }
}

/// Puts a field into its line.
fn filled(line: &mut Line, field: &str, value: &str) -> Result<(), String> {
    let text = Some(value.to_owned()).filter(|text| !str::is_empty(text));
    match field {
        "答案" => line.answer = text,
        "解析" => line.analysis = text,
        "音频" => line.audio = text,
        "知识点" => line.knowledge = words_of(value),
        "难度" => {
            let found = QuestionDifficulty::CHOICES.iter().find(|(word, _)| *word == value);
            line.difficulty = Some(found.ok_or("难度请填写易、较易、中、较难或难")?.1);
        }
        "章节" => {
            let (chapter, section) =
                value.split_once('/').map_or((value, None), |(chapter, section)| (chapter, Some(section)));
            line.chapter = Some(chapter.trim().to_owned()).filter(|text| !str::is_empty(text));
            line.section = section.map(|section| section.trim().to_owned()).filter(|text| !str::is_empty(text));
        }
        "分值" => {
            let score = tenths_of(value).filter(|score| *score >= LEAST);
            line.score = Some(score.ok_or("分值应在0.5到100之间，最多一位小数")?);
        }
        "多空计分" => line.blank_scores = Some(scores_of(value).ok_or("请填写各空的分值，用分号分隔，如 1;1")?),
        "附件要求" => {
            line.upload = Some(upload_of(value).ok_or("请按 扩展名;文件数;单个上限MB 填写，如 docx,pdf;3;20")?);
        }
        _ => {}
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enums::QuestionType;

    const TEXT: &str = "# 第二章
1. [单选题] 货币最基本的职能是
A. 价值尺度
B. 贮藏手段
【答案】A
【解析】商品价值
的尺度
【难度】中
【章节】第二章/第一节
【知识点】货币职能;价值尺度
【分值】2

2. [填空题] 货币的两个基本职能是____和____。
【答案】价值尺度;;流通手段|交换媒介
[综合题] 阅读材料…{{media/a.png}}
【小题】[单选题] 材料说明
A. 甲
B. 乙
【答案】B
【小题】[简答题] 为什么？
【答案】因为
【大题结束】
3、[判断题] 货币是商品。
【答案】对
";

    #[test]
    fn the_example_of_the_grammar_is_read() {
        let parsed = parse(TEXT);
        assert_eq!(parsed.errors, Vec::new());
        let [choice, blanks, case, truth] = parsed.groups.as_slice() else { panic!("{:?}", parsed.groups) };
        assert_eq!((choice.head.row, choice.head.kind), (2, QuestionType::SingleChoice));
        assert_eq!(choice.head.options.len(), 2);
        assert_eq!(choice.head.answer.as_deref(), Some("A"));
        assert_eq!(choice.head.analysis.as_deref(), Some("商品价值\n的尺度"));
        assert_eq!((choice.head.chapter.as_deref(), choice.head.section.as_deref()), (Some("第二章"), Some("第一节")));
        assert_eq!(choice.head.knowledge, ["货币职能", "价值尺度"]);
        assert_eq!(choice.head.score, Some(20));
        assert_eq!(blanks.head.answer.as_deref(), Some("价值尺度;;流通手段|交换媒介"));
        assert_eq!((case.head.kind, case.subs.len()), (QuestionType::CaseAnalysis, 2));
        assert_eq!(case.subs[1].answer.as_deref(), Some("因为"));
        assert_eq!(truth.head.answer.as_deref(), Some("对"));
    }

    #[test]
    fn what_is_wrong_names_its_line_and_tag() {
        let parsed = parse("[选择题] 甲\n[单选题] 乙\n【难度】很难\n【备注】x\n【小题】[判断题] 丙\n");
        let told: Vec<(u32, &str)> = parsed.errors.iter().map(|error| (error.row, error.column.as_str())).collect();
        assert_eq!(told, [(1, "题型"), (4, "备注"), (3, "难度"), (5, "小题")]);
        assert_eq!(parse("开头的话").errors[0].message, "试题应以[题型]开头");
    }

    #[test]
    fn an_option_that_is_not_the_next_is_not_a_part_of_the_one_before() {
        let parsed = parse("[单选题] 选一个\nA. 甲\nB. 乙\nD. 丁\n【答案】A\n[简答题] 说明\nC. 不是选项\n【答案】略");
        let told: Vec<String> = parsed.errors.iter().map(|e| format!("{} {} {}", e.row, e.column, e.message)).collect();
        assert_eq!(told, ["4 选项 选项必须从A开始连续编号"]);
        assert_eq!(parsed.groups[0].head.options[1].1, "乙");
        assert_eq!(parsed.groups[1].head.stem, "说明\nC. 不是选项");
        assert_eq!(
            parse("[判断题] 甲\n【答案】对\n【分值】0.3").errors[0].message,
            "分值应在0.5到100之间，最多一位小数"
        );
    }

    #[test]
    fn lines_of_words_that_look_like_more_come_back() {
        let stem = "看程序\n#include <stdio.h>\n【注】见下\n[单选题] 甲\n1. [x] 乙\nA. 丙\n\\alpha\n\\#丁\n\\\\【戊】";
        let text = format!(
            "1. [单选题] {}\nA. 甲\nB. {}\n【答案】A\n【解析】{}",
            as_words(stem),
            as_words(stem),
            as_words(stem)
        );
        let parsed = parse(&text);
        assert_eq!(parsed.errors, Vec::new());
        let [choice] = parsed.groups.as_slice() else { panic!("{:?}", parsed.groups) };
        assert_eq!((choice.head.stem.as_str(), choice.head.options[1].1.as_str()), (stem, stem));
        assert_eq!(choice.head.analysis.as_deref(), Some(stem));
    }

    #[test]
    fn options_may_stand_behind_a_field() {
        let parsed = parse("[单选题] 选一个\n【难度】中\nA. 甲\nB. 乙\n【答案】B\n【解析】A. 不对\nA. 也不对");
        let [choice] = parsed.groups.as_slice() else { panic!("{:?}", parsed.groups) };
        assert_eq!(choice.head.options.len(), 2);
        assert_eq!(choice.head.difficulty, Some(QuestionDifficulty::Medium));
        assert_eq!(choice.head.analysis.as_deref(), Some("A. 不对\nA. 也不对"));
    }

    #[test]
    fn a_letter_out_of_order_is_no_option() {
        let parsed = parse("[单选题] 见图\nB. 不是选项\nA. 甲\nB. 乙\n【答案】A");
        assert_eq!(parsed.groups[0].head.stem, "见图\nB. 不是选项");
        assert_eq!(parsed.groups[0].head.options.len(), 2);
    }
}
