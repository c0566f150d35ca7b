//! 学校专业: what a school offers, each one of the national catalogue.

use crate::{
    entity::{Entity, Step},
    field::{Codec, Place, Rule, id, number_field, school_code, switch, text_field},
    kind::Resource,
    protocol::value::Value,
};

pub fn major() -> Entity {
    Entity {
        resource: Resource {
            name: "school_major",
            says: "A major of a school (学校专业).",
            fields: vec![
                id(),
                school_code(),
                text_field("code", "code", "The school's own code (校内专业代码).")
                    .required()
                    .rule(Rule::Pattern("^[A-Za-z0-9_-]{1,32}$", "It is 1 to 32 of A-Z, a-z, 0-9, _ and -.")),
                text_field("name", "name", "Name (名称).").required().rule(Rule::Name(100)),
                text_field("national_code", "nationalMajorId", "Code in the latest national catalogue (国家专业代码).")
                    .required()
                    .codec(Codec::NationalMajor),
                text_field("level_code", "levelId", "Code of the level (层次).")
                    .required()
                    .codec(Codec::Code { view: "/adult/pc/arrangement/view", of_school: true }),
                text_field("organization_code", "organizationId", "Code of the college that offers it (开办学院).")
                    .codec(Codec::Code { view: "/adult/pc/organize/view", of_school: true }),
                text_field(
                    "study_form",
                    "studyForm",
                    "non_full_time (非脱产), correspondence (函授), part_time (业余), full_time (脱产) or online (网络教育).",
                )
                .default(Value::Text("non_full_time".to_owned()))
                .rule(Rule::OneOf(&["non_full_time", "correspondence", "part_time", "full_time", "online"])),
                text_field("direction", "direction", "Direction (专业方向).").rule(Rule::Longest(50)),
                number_field("schooling_years", "schoolingYears", "Years of study (学制); the level's when left out.")
                    .or_computed(),
                number_field("total_credits", "totalCredits", "Credits for the diploma (毕业总学分), 40 to 250.").required(),
                switch("degree_awarded", "degreeAwarded", false, "Whether it leads to a degree (是否授学位)."),
                text_field("degree", "degree", "Which degree (学位); with `degree_awarded`.")
                    .rule(Rule::Longest(20))
                    .needs("degree_awarded"),
                number_field("tuition_per_year", "tuitionPerYear", "Fee of a year in 分 (学费).")
                    .rule(Rule::Between(0, 100_000_000)),
                number_field("sort", "sortNo", "Place in lists (排序).")
                    .default(Value::Integer(0))
                    .rule(Rule::Between(0, 9999)),
                text_field("remark", "remark", "Remark (备注).").rule(Rule::Longest(500)),
                switch("enabled", "enabled", true, "Whether it is offered (启用).").place(Place::Step),
            ],
            secrets: Vec::new(),
            import: &["school_code", "code"],
            frozen: &[("school_code", "Students study it: it stays in its school.")],
            replaced: &[],
        },
        of_school: true,
        view: "/adult/pc/major/view",
        save: "/adult/pc/major/save",
        edit: "/adult/pc/major/edit",
        delete: "/adult/pc/major/delete",
        number: "id",
        delete_by: "id",
        keys: &[("code", "code")],
        step: Some(Step::Enabled("/adult/pc/major/update/status")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::value::Object;

    #[test]
    fn a_degree_is_said_only_where_one_is_awarded() {
        let told = |awarded: Value| {
            let degree = ("degree".to_owned(), Value::Text("管理学".to_owned()));
            let config = Object::from([degree, ("degree_awarded".to_owned(), awarded)]);
            crate::kind::validate(&major(), &config, true).into_iter().map(|told| told.summary).collect::<Vec<_>>()
        };
        assert_eq!(told(Value::Null), ["`degree` is not kept"]);
        assert_eq!(told(Value::Bool(false)), ["`degree` is not kept"]);
        assert!(told(Value::Bool(true)).is_empty() && told(Value::Unknown).is_empty());
    }
}
