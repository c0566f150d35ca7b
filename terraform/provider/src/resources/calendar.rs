//! 年级, 层次, 学期: the calendar of a school.

use crate::{
    entity::{Entity, Step},
    field::{Place, Rule, field, id, number_field, school_code, switch, text_field},
    kind::Resource,
    protocol::{
        schema::{Type, attribute},
        value::Value,
    },
};

const STAYS: (&str, &str) = ("school_code", "Students hang on it: it stays in its school.");

pub fn grade() -> Entity {
    Entity {
        resource: Resource {
            name: "school_grade",
            says: "A grade of a school (年级): the people of one entry.",
            fields: vec![
                id(),
                school_code(),
                text_field("code", "code", "The year of entry, with a letter where a year has several (年级编码).")
                    .required()
                    .rule(Rule::Pattern("^(19|20)[0-9]{2}[A-Z]?$", "It is a year, such as 2026 or 2026A.")),
                text_field("name", "name", "Name (年级名称); made of the code when left out.")
                    .or_computed()
                    .rule(Rule::Name(100)),
                text_field("entry_season", "entrySeason", "spring (春季) or autumn (秋季).")
                    .or_computed()
                    .rule(Rule::OneOf(&["spring", "autumn"])),
                number_field("sort", "sortNo", "Place in lists (排序).")
                    .default(Value::Integer(0))
                    .rule(Rule::Between(0, 9999)),
                text_field("remark", "remark", "Remark (备注).").rule(Rule::Longest(500)),
                switch("enabled", "enabled", true, "Whether it is offered (启用).").place(Place::Step),
            ],
            secrets: Vec::new(),
            import: &["school_code", "code"],
            frozen: &[STAYS],
            replaced: &[],
        },
        of_school: true,
        view: "/adult/pc/grade/view",
        save: "/adult/pc/grade/save",
        edit: "/adult/pc/grade/edit",
        delete: "/adult/pc/grade/delete",
        number: "id",
        delete_by: "id",
        keys: &[("code", "code")],
        step: Some(Step::Enabled("/adult/pc/grade/update/status")),
    }
}

pub fn level() -> Entity {
    let of_server = |name, json, says| number_field(name, json, says).or_computed();
    Entity {
        resource: Resource {
            name: "school_level",
            says: "A level of study of a school (层次): from where to where one studies, and how long.",
            fields: vec![
                id(),
                school_code(),
                text_field("code", "code", "Code (编码), unique in its school.")
                    .required()
                    .rule(Rule::Pattern("^[A-Za-z0-9_-]{1,32}$", "It is 1 to 32 of A-Z, a-z, 0-9, _ and -.")),
                text_field("name", "name", "Name (名称), such as 专升本.").required().rule(Rule::Name(100)),
                text_field(
                    "entry_level",
                    "entryLevel",
                    "high_school_to_associate (高起专), associate_to_bachelor (专升本) or high_school_to_bachelor (高起本).",
                )
                .required()
                .rule(Rule::OneOf(&[
                    "high_school_to_associate",
                    "associate_to_bachelor",
                    "high_school_to_bachelor",
                ])),
                of_server("schooling_years", "schoolingYears", "Years of study (学制); 2.5 by rule."),
                of_server("max_years", "maxYears", "Longest time of study in years (最长修业年限)."),
                of_server("min_hours", "minHours", "Least hours in all (最低总学时)."),
                of_server("hours_per_credit_min", "hoursPerCreditMin", "Least hours for a credit (每学分学时下限)."),
                of_server("hours_per_credit_max", "hoursPerCreditMax", "Most hours for a credit (每学分学时上限)."),
                of_server("min_offline_ratio", "minOfflineRatio", "Least % of face-to-face teaching (线下教学最低比例)."),
                number_field("sort", "sortNo", "Place in lists (排序).")
                    .default(Value::Integer(0))
                    .rule(Rule::Between(0, 9999)),
                text_field("remark", "remark", "Remark (备注).").rule(Rule::Longest(500)),
                switch("enabled", "enabled", true, "Whether it is offered (启用).").place(Place::Step),
            ],
            secrets: Vec::new(),
            import: &["school_code", "code"],
            frozen: &[STAYS],
            replaced: &[],
        },
        of_school: true,
        view: "/adult/pc/arrangement/view",
        save: "/adult/pc/arrangement/save",
        edit: "/adult/pc/arrangement/edit",
        delete: "/adult/pc/arrangement/delete",
        number: "id",
        delete_by: "id",
        keys: &[("code", "code")],
        step: Some(Step::Enabled("/adult/pc/arrangement/update/status")),
    }
}

/// Which term is the current one changes by itself every half year, so that it is no attribute here.
pub fn term() -> Entity {
    let holidays = attribute("holidays", Type::TextSet, "Days without teaching (停课日期), each YYYY-MM-DD.");
    Entity {
        resource: Resource {
            name: "school_term",
            says: "A term of a school (学期).",
            fields: vec![
                id(),
                school_code(),
                text_field("code", "code", "Year and 1 (spring) or 2 (autumn) (学期编码), such as 2026-1.")
                    .required()
                    .rule(Rule::Pattern("^[0-9]{4}-[12]$", "It is a year, a dash and 1 or 2.")),
                text_field("name", "name", "Name (名称); made of the code when left out.")
                    .or_computed()
                    .rule(Rule::Name(100)),
                text_field("starts_on", "startsOn", "First day (开始日期), YYYY-MM-DD.").required().rule(Rule::date()),
                text_field("ends_on", "endsOn", "Last day (结束日期), YYYY-MM-DD.").required().rule(Rule::date()),
                field(holidays.default(Value::List(Vec::new())), "holidays"),
            ],
            secrets: Vec::new(),
            import: &["school_code", "code"],
            frozen: &[STAYS],
            replaced: &[],
        },
        of_school: true,
        view: "/adult/pc/semester/view",
        save: "/adult/pc/semester/save",
        edit: "/adult/pc/semester/edit",
        delete: "/adult/pc/semester/delete",
        number: "id",
        delete_by: "id",
        keys: &[("code", "code")],
        step: None,
    }
}
