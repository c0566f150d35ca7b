//! 教学站点: where a school teaches.

use crate::{
    entity::{Entity, Step},
    field::{Codec, Place, Rule, id, number_field, school_code, text_field},
    kind::Resource,
    protocol::value::Value,
};

pub fn site() -> Entity {
    let organization = Codec::Code { view: "/adult/pc/organize/view", of_school: true };
    Entity {
        resource: Resource {
            name: "school_site",
            says: "A teaching site of a school (教学站点).",
            fields: vec![
                id(),
                school_code(),
                text_field("code", "code", "Code of the site (编码), unique in its school.")
                    .required()
                    .rule(Rule::Pattern("^[A-Za-z0-9_-]{1,32}$", "It is 1 to 32 of A-Z, a-z, 0-9, _ and -.")),
                text_field("name", "name", "Name (名称).").required().rule(Rule::Name(100)),
                text_field("short_name", "shortName", "Short name (简称).").rule(Rule::Longest(20)),
                text_field("type", "kind", "headquarter (校本部), external (校外) or cooperative (合作).")
                    .required()
                    .rule(Rule::OneOf(&["headquarter", "external", "cooperative"])),
                text_field("organization_code", "organizationId", "Code of the organization in charge (管理机构).")
                    .codec(organization),
                text_field("region", "region", "Code of the county or district (所在地区), six digits.")
                    .rule(Rule::Pattern("^[0-9]{6}$", "It has six digits.")),
                text_field("address", "address", "Address (地址); shown masked by the server.")
                    .masked()
                    .rule(Rule::Longest(200)),
                text_field("contact", "contact", "Person in charge (联系人).").rule(Rule::Longest(50)),
                text_field("phone", "phone", "Phone (电话); shown masked by the server.").masked(),
                text_field("email", "email", "Mail address (邮箱); shown masked by the server.")
                    .masked()
                    .rule(Rule::Longest(100)),
                text_field("host_unit", "hostUnit", "The unit that runs it (设点单位).").rule(Rule::Longest(100)),
                text_field("filing_no", "filingNo", "Number of its filing (备案编号).").rule(Rule::Longest(50)),
                text_field("filing_expires_on", "filingExpiresOn", "Until when it is filed (备案有效期), YYYY-MM-DD.")
                    .rule(Rule::date()),
                number_field("capacity", "capacity", "How many students it takes (可容纳人数).")
                    .default(Value::Integer(0))
                    .rule(Rule::Between(0, 1_000_000)),
                text_field("status", "status", "active (在用), suspended (停招) or closed (撤销).")
                    .default(Value::Text("active".to_owned()))
                    .place(Place::Step)
                    .rule(Rule::OneOf(&["active", "suspended", "closed"])),
            ],
            secrets: Vec::new(),
            import: &["school_code", "code"],
            frozen: &[("school_code", "Students and staff are at the site: it stays in its school.")],
            replaced: &[],
        },
        of_school: true,
        view: "/adult/pc/site/view",
        save: "/adult/pc/site/save",
        edit: "/adult/pc/site/edit",
        delete: "/adult/pc/site/delete",
        number: "id",
        delete_by: "id",
        keys: &[("code", "code")],
        step: Some(Step::Status("/adult/pc/site/changeStatus")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{kind::Kind, protocol::value::Object};

    /// What the server masks in its views (省市区 of an address stay) is known again, and is no line of each plan.
    #[tokio::test]
    async fn what_is_shown_masked_stays_as_it_is_configured() {
        let record = serde_json::json!({ "id": 3, "code": "S01", "name": "校本部", "kind": "headquarter", "version": 1, "capacity": 0,
            "status": "active", "phone": "0898-6627****", "email": "s***@example.edu.cn", "address": "海南省海口市***" });
        let school = serde_json::json!({ "id": 1 });
        let (api, served) = crate::api::answering(vec![("/school/view", school), ("/site/view", record)]).await;
        let configured = [
            ("school_code", "10589"),
            ("code", "S01"),
            ("phone", "0898-66279001"),
            ("email", "site@example.edu.cn"),
            ("address", "海南省海口市龙昆南路99号"),
        ];
        let state: Object =
            configured.iter().map(|(name, text)| ((*name).to_owned(), Value::Text((*text).to_owned()))).collect();
        let seen = site().read(&api, &state).await.expect("an answer").expect("a site");
        for (name, text) in configured {
            assert_eq!(seen.values[name], Value::Text(text.to_owned()), "{name}");
        }
        served.await.expect("two calls");
    }

    #[test]
    fn a_site_that_is_closed_is_suspended_before_it_is_active() {
        let status = |status: &str| Object::from([("status".to_owned(), Value::Text(status.to_owned()))]);
        let told = |from: &str, to: &str| {
            let mut told = Vec::new();
            site().plan(Some(&status(from)), &mut status(to), &mut told);
            told.len()
        };
        assert_eq!((told("closed", "active"), told("closed", "suspended"), told("suspended", "active")), (1, 0, 0));
    }
}
