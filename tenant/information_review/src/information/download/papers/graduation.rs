//! 毕业生登记表: four pages.

use paper::{Cell, Line, Paper, Picture, Row};

use super::{Head, NO_DAY, Person, Pictures, known, pair, part, resume, row, seal, signed, study, titled, who, wide};
use crate::content::{FamilyLine, GraduationInformationContent};

pub(super) fn form(person: &Person, said: &GraduationInformationContent, head: &Head, pictures: &Pictures) -> Paper {
    let mut paper = titled("毕业生登记表", head);
    cover(&mut paper, person, head);
    let mut rows = vec![who(person, pictures)];
    rows.extend(study(person));
    rows.extend([
        pair([("政治面貌", known(&person.political_status)), ("毕业后联系方式", known(&said.contact_after))]),
        part("本人简历（从小学起）"),
    ]);
    rows.extend(resume(&said.resume, 12));
    paper.new_page().subheading("一、基本情况").table(rows);
    let mut rows = vec![part("家庭成员和主要社会关系")];
    rows.extend(family(&said.family));
    rows.extend([
        wide("实习", known(&said.practice)),
        wide("论文题目", known(&said.thesis_title)),
        wide("奖励", known(&said.rewards)),
        wide("处分", known(&said.punishments)),
        part("自我鉴定"),
        Row::of([Cell::passage(100, known(&said.self_assessment)).foot(signed(person, pictures))]).high(120.0),
    ]);
    paper.new_page().subheading("二、家庭情况和自我鉴定").table(rows);
    paper.new_page().subheading("三、鉴定意见").table([
        opinion("班级鉴定", &person.class_opinion, "班主任", None),
        opinion("站点意见", &person.site_opinion, "负责人", None),
        opinion("院校意见", &person.school_opinion, "负责人", seal(person, head)),
    ]);
    paper
}

fn cover(paper: &mut Paper, person: &Person, head: &Head) {
    let line = &person.row;
    let graduation = line.expected_graduation_on.map(|day| day.to_string());
    paper.space(30.0).heading(&head.header).cover("毕业生登记表").space(20.0).fields([
        ("姓名", line.name.as_str()),
        ("学号", known(&line.student_no)),
        ("层次", line.level_name.as_str()),
        ("专业", line.major_name.as_str()),
        ("学习形式", line.study_form.zh()),
        ("教学点", line.site_name.as_str()),
        ("毕业日期", known(&graduation)),
    ]);
}

/// 家庭成员, with room for what is written by hand.
fn family(lines: &[FamilyLine]) -> Vec<Row> {
    const LEAST: usize = 4;
    let cells = |relation: &str, name: &str, unit: &str, duty: &str| {
        row([Cell::value(14, relation), Cell::value(20, name), Cell::value(46, unit), Cell::value(20, duty)])
    };
    let mut rows = vec![cells("关系", "姓名", "工作单位", "职务")];
    rows.extend(lines.iter().map(|line| cells(&line.relation, &line.name, known(&line.unit), known(&line.duty))));
    rows.extend((lines.len()..LEAST).map(|_| cells("", "", "", "")));
    rows
}

/// An opinion, with the room for a signature and a seal.
fn opinion(title: &str, text: &Option<String>, signer: &str, seal: Option<&Picture>) -> Row {
    let passage = Cell::passage(85, known(text))
        .foot(Line::of(format!("{signer}：")).signature(None).words("（盖章）"))
        .foot(Line::of(NO_DAY))
        .seal(seal);
    Row::of([Cell::label(15, title), passage]).high(78.0)
}
