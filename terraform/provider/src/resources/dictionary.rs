//! 字典: types of values that people choose from, and the values.

use crate::{
    entity::{Entity, Step},
    field::{Place, Rule, id, number_field, switch, text_field},
    kind::Resource,
    protocol::value::Value,
};

pub fn dict_type() -> Entity {
    Entity {
        resource: Resource {
            name: "school_dict_type",
            says: "A type of the dictionary (字典类型), the same for all schools.",
            fields: vec![
                id(),
                text_field("type", "dictType", "Its code (类型编码).")
                    .required()
                    .rule(Rule::Pattern("^[a-z][a-z0-9_]{1,49}$", "It is 2 to 50 of a-z, 0-9 and _, a letter first.")),
                text_field("name", "dictName", "Name (名称).").required().rule(Rule::Longest(50)),
                text_field("standard", "standard", "The standard from which it comes (标准号).")
                    .rule(Rule::Longest(50)),
                text_field("remark", "remark", "Remark (备注).").rule(Rule::Longest(255)),
            ],
            secrets: Vec::new(),
            import: &["type"],
            frozen: &[],
            replaced: &["type"],
        },
        of_school: false,
        view: "/system/pc/dict/type/view",
        save: "/system/pc/dict/type/save",
        edit: "/system/pc/dict/type/edit",
        delete: "/system/pc/dict/type/delete",
        number: "id",
        delete_by: "id",
        keys: &[("type", "dictType")],
        step: None,
    }
}

pub fn dict_item() -> Entity {
    Entity {
        resource: Resource {
            name: "school_dict_item",
            says: "A value of the dictionary (字典数据).",
            fields: vec![
                id(),
                text_field("type", "dictType", "Code of its type (字典类型).").required().rule(Rule::Longest(50)),
                text_field("value", "dictValue", "The value that is kept (值).").required().rule(Rule::Longest(64)),
                text_field("label", "dictLabel", "What people see (标签).").required().rule(Rule::Longest(100)),
                number_field("sort", "sort", "Place in lists (排序).")
                    .default(Value::Integer(1))
                    .rule(Rule::Between(0, 9999)),
                switch("default", "isDefault", false, "Whether forms begin with it (默认)."),
                text_field("remark", "remark", "Remark (备注).").rule(Rule::Longest(255)),
                switch("enabled", "enabled", true, "Whether it is offered (启用).").place(Place::Step),
            ],
            secrets: Vec::new(),
            import: &["type", "value"],
            frozen: &[],
            replaced: &["type"],
        },
        of_school: false,
        view: "/system/pc/dict/data/view",
        save: "/system/pc/dict/data/save",
        edit: "/system/pc/dict/data/edit",
        delete: "/system/pc/dict/data/delete",
        number: "dictCode",
        delete_by: "dictCodes",
        keys: &[("type", "dictType"), ("value", "dictValue")],
        step: Some(Step::Enabled("/system/pc/dict/data/update/status")),
    }
}
