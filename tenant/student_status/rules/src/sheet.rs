//! 导入: the columns of the sheet (02 §9.7).

use infra::{
    Scope,
    sheet::{InputColumn, Template},
};
use people::id_card::{Gender, IdCardType};

use crate::{
    enums::{PreEduLevel, StudentSource, StudentStatus, StudyForm, WithdrawReason},
    references::{References, Word},
};

/// Sources that a sheet may name.
pub const SOURCES: &[(&str, StudentSource)] =
    &[("历史导入", StudentSource::Legacy), ("转入", StudentSource::TransferIn)];

/// Fields of the form and the headings under which they stand.
const HEADINGS: [(&str, &str); 31] = [
    ("name", "姓名"),
    ("gender", "性别"),
    ("birthday", "证件号"),
    ("idCardType", "证件类型"),
    ("idCardNo", "证件号"),
    ("ethnicity", "民族"),
    ("politicalStatus", "政治面貌"),
    ("phone", "手机"),
    ("examineeNo", "考生号"),
    ("studentNo", "学号"),
    ("gradeId", "年级"),
    ("levelId", "层次"),
    ("majorId", "专业代码"),
    ("studyForm", "学习形式"),
    ("siteId", "站点编码"),
    ("classId", "班级"),
    ("enrolledOn", "入学日期"),
    ("schoolingYears", "学制"),
    ("status", "学籍状态"),
    ("statusReason", "状态原因"),
    ("registeredOn", "注册日期"),
    ("preEduLevel", "入学前学历"),
    ("preEduSchool", "入学前毕业学校"),
    ("preEduMajor", "入学前专业"),
    ("preEduCertificateNo", "入学前毕业证书号"),
    ("preEduGraduatedOn", "入学前毕业日期"),
    ("address", "通讯地址"),
    ("postalCode", "邮编"),
    ("workUnit", "工作单位"),
    ("endedOn", "毕业日期"),
    ("source", "来源"),
];

pub fn heading(field: &str) -> &'static str {
    HEADINGS.iter().find(|(known, _)| *known == field).map_or("", |(_, heading)| heading)
}

/// The columns of 02 §9.7; with the school's own values to choose from where they are known.
pub fn columns(offered: Option<(&References, &Scope)>) -> Template {
    let words = |words: fn(&References) -> &Vec<Word>| -> Vec<String> {
        offered.map_or_else(Vec::new, |(known, _)| {
            words(known).iter().filter(|word| word.enabled).map(|word| word.label.clone()).collect()
        })
    };
    let (mut grades, mut levels, mut majors, mut sites) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    if let Some((known, scope)) = offered {
        grades = known.grades.values().filter(|grade| grade.enabled).map(|grade| grade.name.clone()).collect();
        levels = known.levels.values().filter(|level| level.enabled).map(|level| level.name.clone()).collect();
        majors = known.majors.values().filter(|major| major.enabled).map(|major| major.code.clone()).collect();
        let of_class =
            |site: i64| known.classes.values().any(|class| class.site_id == site && scope.sees(None, Some(class.id)));
        let offers = |site: i64| scope.sees(Some(site), None) || of_class(site);
        sites = known
            .sites
            .values()
            .filter(|site| site.status == "active" && offers(site.id))
            .map(|site| site.code.clone())
            .collect();
    }
    for list in [&mut grades, &mut levels, &mut majors, &mut sites] {
        list.sort();
    }
    grades.reverse();
    fn zh<T>(choices: &[(&'static str, T)]) -> Vec<&'static str> {
        choices.iter().map(|(word, _)| *word).collect()
    }
    Template {
        title: "学生",
        columns: vec![
            InputColumn::required("姓名", "与证件一致"),
            InputColumn::optional("性别", "不填时取自身份证号").one_of(zh(Gender::CHOICES)),
            InputColumn::optional("证件类型", "不填时为居民身份证").one_of(zh(IdCardType::CHOICES)),
            InputColumn::required("证件号", "居民身份证为18位，最后一位可以是X"),
            InputColumn::optional("民族", "").one_of(words(|known| &known.ethnicities)),
            InputColumn::optional("政治面貌", "").one_of(words(|known| &known.political)),
            InputColumn::optional("手机", "11位手机号"),
            InputColumn::optional("考生号", "4至20位数字或大写字母，不能重复"),
            InputColumn::optional("学号", "4至20位数字或大写字母，不能重复；不填时按学号规则生成"),
            InputColumn::required("年级", "年级名称或编码").one_of(grades),
            InputColumn::required("层次", "层次名称或编码").one_of(levels),
            InputColumn::required("专业代码", "学校专业的编码，须属于所填层次").one_of(majors),
            InputColumn::required("学习形式", "").one_of(zh(StudyForm::CHOICES)),
            InputColumn::required("站点编码", "教学站点的编码").one_of(sites),
            InputColumn::optional("班级", "该年级中班级的完整名称；不填为未分班"),
            InputColumn::required("入学日期", "例如 2026-03-01"),
            InputColumn::required("学制", "2至6年，0.5的倍数，例如 2.5"),
            InputColumn::required("学籍状态", "").one_of(zh(StudentStatus::CHOICES)),
            InputColumn::optional("状态原因", "退学的学生填写").one_of(zh(WithdrawReason::CHOICES)),
            InputColumn::optional("注册日期", "例如 2026-03-20"),
            InputColumn::optional("入学前学历", "").one_of(zh(PreEduLevel::CHOICES)),
            InputColumn::optional("入学前毕业学校", ""),
            InputColumn::optional("入学前专业", ""),
            InputColumn::optional("入学前毕业证书号", ""),
            InputColumn::optional("入学前毕业日期", "例如 2023-07-01"),
            InputColumn::optional("通讯地址", ""),
            InputColumn::optional("邮编", "6位数字"),
            InputColumn::optional("工作单位", ""),
            InputColumn::optional("毕业日期", "毕业、结业、肄业、退学、转出的日期"),
            InputColumn::optional("来源", "不填时为历史导入").one_of(zh(SOURCES)),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_of_the_template_has_its_field() {
        let template = columns(None);
        let headings: Vec<&str> = template.columns.iter().map(|column| column.heading.as_ref()).collect();
        for heading in &headings {
            assert!(HEADINGS.iter().any(|(_, known)| known == heading), "{heading}");
        }
        for (field, heading) in HEADINGS {
            assert!(headings.contains(&heading), "{field}");
        }
        assert_eq!(headings.len(), 30);
        let required: Vec<&str> =
            template.columns.iter().filter(|column| column.required).map(|column| column.heading.as_ref()).collect();
        assert_eq!(
            required,
            ["姓名", "证件号", "年级", "层次", "专业代码", "学习形式", "站点编码", "入学日期", "学制", "学籍状态",]
        );
    }
}
