//! 毕业资格审核表 and 毕业生名册 (part 04 §9.4).

use paper::{Cell, Paper, Row};

/// Who prints, when, and for which school.
#[derive(Debug, Clone)]
pub struct Head {
    pub school: String,
    /// `2028-06-18 09:00 王老师`.
    pub printed: String,
}

/// What a rule said of somebody.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditFormItem {
    /// With its number: R03 总学分.
    pub label: String,
    pub required: String,
    pub actual: String,
    pub passed: bool,
    pub waived: bool,
    pub explanation: String,
}

/// Somebody who is examined, with all that their form says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditForm {
    pub graduation_user: i64,
    pub student: i64,
    pub batch: String,
    pub student_no: String,
    pub examinee_no: String,
    pub name: String,
    pub gender: String,
    /// Masked.
    pub id_card_no: String,
    pub grade: String,
    pub level: String,
    pub major: String,
    pub study_form: String,
    pub schooling_years: String,
    pub class: String,
    pub site: String,
    pub enrolled_on: String,
    pub graduates_on: String,
    pub earned: String,
    pub required: String,
    pub average: String,
    pub items: Vec<AuditFormItem>,
    pub result: String,
    pub site_opinion: String,
    pub site_by: String,
    pub decision: String,
    pub decision_reason: String,
    pub decided_by: String,
}

/// The form of one person, or of several, each on a page of its own.
pub fn paper(forms: &[AuditForm], head: &Head) -> Paper {
    let mut paper = Paper::new("毕业资格审核表", format!("{}　打印：{}", head.school, head.printed));
    for (place, form) in forms.iter().enumerate() {
        if place > 0 {
            paper.new_page();
        }
        one(&mut paper, form);
    }
    paper
}

fn one(paper: &mut Paper, form: &AuditForm) {
    paper.heading("毕业资格审核表").note(&form.batch).space(1.0);
    let four = |pairs: [(&str, &str); 3]| {
        let cells = pairs.into_iter().flat_map(|(label, value)| [Cell::label(12, label), Cell::value(21, value)]);
        Row::of(cells).small()
    };
    paper.table([
        four([("姓名", &form.name), ("性别", &form.gender), ("学号", &form.student_no)]),
        four([("考生号", &form.examinee_no), ("证件号", &form.id_card_no), ("年级", &form.grade)]),
        four([("层次", &form.level), ("专业", &form.major), ("学习形式", &form.study_form)]),
        four([("学制", &form.schooling_years), ("班级", &form.class), ("教学站点", &form.site)]),
        four([("入学日期", &form.enrolled_on), ("毕业日期", &form.graduates_on), ("平均分", &form.average)]),
        four([("已获学分", &form.earned), ("应修学分", &form.required), ("审核结果", &form.result)]),
    ]);
    let heads = [("条件", 24), ("要求", 22), ("实际", 22), ("结果", 8), ("说明", 24)];
    let row = Row::of(heads.iter().map(|(word, share)| Cell::label(*share, *word))).small();
    let lines = form.items.iter().map(|item| {
        let went = match (item.passed, item.waived) {
            (true, _) => "√",
            (false, true) => "豁免",
            (false, false) => "×",
        };
        let words = [item.label.as_str(), &item.required, &item.actual, went, &item.explanation];
        Row::of(heads.iter().zip(words).map(|((_, share), word)| Cell::value(*share, word))).small()
    });
    paper.space(2.0).listing(&row, lines.collect::<Vec<Row>>());
    let opinion = |label: &str, text: String| Row::of([Cell::label(16, label), Cell::passage(84, text)]).high(22.0);
    let school = [form.decision.as_str(), &form.decision_reason].into_iter().filter(|text| !text.is_empty());
    paper.space(2.0).table([
        opinion("站点意见", format!("{}\n{}", form.site_opinion, form.site_by)),
        opinion("学校意见", format!("{}\n{}", school.collect::<Vec<_>>().join("："), form.decided_by)),
    ]);
}

/// 毕业生名册, across.
pub fn roll(forms: &[AuditForm], head: &Head) -> Paper {
    let mut paper = Paper::landscape("毕业生名册", format!("{}　打印：{}", head.school, head.printed));
    paper.heading("毕业生名册");
    if let Some(first) = forms.first() {
        paper.note(&format!("{}　共{}人", first.batch, forms.len()));
    }
    let heads = [
        ("序号", 6),
        ("学号", 14),
        ("考生号", 16),
        ("姓名", 10),
        ("性别", 6),
        ("层次", 10),
        ("专业", 18),
        ("班级", 20),
        ("教学站点", 16),
        ("学分", 8),
        ("平均分", 8),
        ("结论", 8),
    ];
    let row = Row::of(heads.iter().map(|(word, share)| Cell::label(*share, *word))).small();
    let lines = forms.iter().enumerate().map(|(place, form)| {
        let no = (place + 1).to_string();
        let words = [
            no.as_str(),
            &form.student_no,
            &form.examinee_no,
            &form.name,
            &form.gender,
            &form.level,
            &form.major,
            &form.class,
            &form.site,
            &form.earned,
            &form.average,
            &form.decision,
        ];
        Row::of(heads.iter().zip(words).map(|((_, share), word)| Cell::value(*share, word))).small()
    });
    paper.space(2.0).listing(&row, lines.collect::<Vec<Row>>());
    paper
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form() -> AuditForm {
        let text = |word: &str| word.to_owned();
        AuditForm {
            graduation_user: 1,
            student: 1,
            batch: text("2028年秋季"),
            student_no: text("260001"),
            examinee_no: text("26999001"),
            name: text("张三"),
            gender: text("男"),
            id_card_no: text("1101**********1234"),
            grade: text("2026"),
            level: text("专升本"),
            major: text("会计学"),
            study_form: text("非脱产"),
            schooling_years: text("2.5"),
            class: text("会计1班"),
            site: text("城东站"),
            enrolled_on: text("2026-03-01"),
            graduates_on: text("2028-07-10"),
            earned: text("76.0"),
            required: text("80.0"),
            average: text("73.1"),
            items: vec![AuditFormItem {
                label: text("R03 总学分"),
                required: text("80.0"),
                actual: text("76.0"),
                passed: false,
                waived: false,
                explanation: text("已获 76.0 学分，要求 80.0，差 4.0"),
            }],
            result: text("不符合"),
            site_opinion: text("同意"),
            site_by: text("李老师 2028-06-01"),
            decision: text("结业"),
            decision_reason: text("学分不足"),
            decided_by: text("王老师 2028-06-10"),
        }
    }

    #[test]
    fn forms_and_roll_are_pdfs() {
        let head = Head { school: "东湖学院".to_owned(), printed: "2028-06-18 09:00 王老师".to_owned() };
        for paper in [paper(&[form(), form()], &head), roll(&[form()], &head)] {
            assert!(paper.finish().expect("a paper").starts_with(b"%PDF"));
        }
    }
}
