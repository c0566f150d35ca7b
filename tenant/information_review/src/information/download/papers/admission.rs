//! 学籍注册信息核对表, 承诺书 and 入学资格审查表: a page each.

use paper::{Cell, Line, Paper, Row, Side};

use super::{
    Head, Person, Pictures, day, declaration, known, pair, part, resume, row, seal, signed, study, titled, who, wide,
};
use crate::{
    content::{AdmissionCommitmentContent, AdmissionInformationContent},
    information::items::ItemShown,
};

pub(super) fn check_sheet(
    person: &Person,
    said: &AdmissionInformationContent,
    head: &Head,
    pictures: &Pictures,
) -> Paper {
    let mut paper = titled("学籍注册信息核对表", head);
    let mut rows = vec![who(person, pictures), part("核对项")];
    rows.extend(items(&person.items));
    rows.extend([
        part("联系信息"),
        pair([("手机", known(&said.phone)), ("邮箱", known(&said.email))]),
        wide("通讯地址", known(&said.address)),
        pair([("邮编", known(&said.postal_code)), ("籍贯", known(&said.native_place))]),
        pair([("工作单位", known(&said.work_unit)), ("职业", known(&said.occupation))]),
        pair([("紧急联系人", known(&said.emergency_contact)), ("紧急联系电话", known(&said.emergency_phone))]),
        part("简历"),
    ]);
    rows.extend(resume(&said.resume, 3));
    rows.push(declaration(
        "本人承诺：以上信息已逐项核对，真实、准确、完整，如有不实，由此产生的后果由本人承担。",
        person,
        pictures,
    ));
    paper.heading("成人高等学历继续教育学籍注册信息核对表").table(rows);
    paper
}

/// Two items a row: what is registered, and what the student says to it.
fn items(items: &[ItemShown]) -> Vec<Row> {
    let heading = || [Cell::label(11, "项目"), Cell::label(24, "登记的信息"), Cell::label(15, "本人核对")];
    let empty = || [Cell::label(11, ""), Cell::value(24, ""), Cell::value(15, "")];
    let cells = |item: &ItemShown| {
        [Cell::label(11, item.label.as_str()), Cell::value(24, known(&item.registered)), Cell::value(15, said_to(item))]
    };
    let mut rows = vec![row(heading().into_iter().chain(heading()))];
    for two in items.chunks(2) {
        let second = two.get(1).map_or_else(empty, cells);
        rows.push(row(two.iter().take(1).flat_map(cells).chain(second)));
    }
    rows
}

/// √ to what is right, what it should read to what is wrong; room for the hand before it was answered.
fn said_to(item: &ItemShown) -> String {
    match item.ok {
        None => "□无误□有误".to_owned(),
        Some(true) => "√".to_owned(),
        Some(false) => format!("应为：{}", known(&item.declared)),
    }
}

pub(super) fn commitment(person: &Person, text: &str, head: &Head, pictures: &Pictures) -> Paper {
    let mut paper = titled("承诺书", head);
    let number = format!("{}：{}", person.row.id_card_type.zh(), person.row.id_card_no);
    paper
        .heading("承诺书")
        .paragraph(text)
        .space(8.0)
        .line(&Line::of(number), Side::Right)
        .line(&signed(person, pictures), Side::Right);
    paper
}

pub(super) fn qualification(
    person: &Person,
    said: &AdmissionCommitmentContent,
    head: &Head,
    pictures: &Pictures,
) -> Paper {
    let line = &person.row;
    let mut paper = titled("入学资格审查表", head);
    let graduated_on = said.pre_edu_graduated_on.map(|day| day.to_string());
    let proof = if said.report_no.is_some() { "报告编号" } else { "在线验证码" };
    let materials: Vec<&str> =
        person.files.iter().filter(|file| !file.is_paper()).map(|file| file.name.as_str()).collect();
    let checked = [
        line.chsi_pre_check.map(|check| check.zh().to_owned()),
        line.chsi_checked_on.map(|checked_on| checked_on.to_string()),
    ];
    let checked: Vec<String> = checked.into_iter().flatten().collect();
    let conclusion = line.conclusion.map_or("□合格　□不合格　□待补材料", |conclusion| conclusion.zh());
    let reviewer = match &line.reviewed_by {
        Some(name) => Line::of(format!("审查人：{name}（盖章）")),
        None => Line::of("审查人：").signature(None).words("（盖章）"),
    };
    let mut rows = vec![who(person, pictures)];
    rows.extend(study(person));
    rows.extend([
        part("入学前学历"),
        pair([("学历", said.pre_edu_level.map_or("", |level| level.zh())), ("毕业日期", known(&graduated_on))]),
        pair([("毕业院校", known(&said.pre_edu_school)), ("所学专业", known(&said.pre_edu_major))]),
        wide("毕业证书号", known(&said.pre_edu_certificate_no)),
        part("证明材料"),
        pair([
            ("证明方式", said.evidence_kind.map_or("", |kind| kind.zh())),
            (proof, said.report_no.as_deref().or(said.verify_code.as_deref()).unwrap_or_default()),
        ]),
        wide("材料", &materials.join("、")),
        wide("前置学历清查", &checked.join(" ")),
        declaration(
            "本人承诺：以上学历信息和所交材料真实有效，如有不实，自愿接受取消入学资格或学籍的处理。",
            person,
            pictures,
        ),
        Row::of([
            Cell::label(15, "审查结论"),
            Cell::passage(85, conclusion).foot(reviewer).foot(Line::of(day(line.reviewed_at))).seal(seal(person, head)),
        ])
        .high(50.0),
    ]);
    paper.heading("成人高等学历继续教育入学资格审查表").table(rows);
    paper
}
