//! Somebody with every right at a school, and what its students stand in.

use serde_json::{Value, json};

use crate::{Client, Server, accounts::all_school_codes};

/// Somebody with every code of school 1.
pub async fn registrar(server: &Server) -> Client<'_> {
    let codes = all_school_codes();
    server.staff(1, &codes.iter().map(String::as_str).collect::<Vec<_>>()).await
}

/// One grade, level, major and site.
pub struct Cohort {
    pub grade: i64,
    pub level: i64,
    pub national: i64,
    pub major: i64,
    pub site: i64,
}

/// 2026级 (2026), 专升本 (ZSB), 会计学 (KJ), 城东教学点 (CD).
pub async fn cohort(client: &Client<'_>) -> Cohort {
    let grade = client.post("/adult/pc/grade/save", json!({ "code": "2026" })).await.id();
    let level = json!({ "code": "ZSB", "name": "专升本", "entryLevel": "associate_to_bachelor" });
    let level = client.post("/adult/pc/arrangement/save", level).await.id();
    let found = client.post("/adult/pc/nationalMajor/list", json!({ "keyword": "120203K" })).await;
    let national = found.data()["list"][0]["id"].as_i64().expect("a national major");
    let major =
        json!({ "code": "KJ", "name": "会计学", "nationalMajorId": national, "levelId": level, "totalCredits": 92.5 });
    let major = client.post("/adult/pc/major/save", major).await.id();
    let site = json!({ "code": "CD", "name": "城东教学点", "shortName": "城东", "kind": "headquarter", "phone": "13800000001" });
    let site = client.post("/adult/pc/site/save", site).await.id();
    Cohort { grade, level, national, major, site }
}

impl Cohort {
    pub fn class(&self, code: &str) -> Value {
        json!({ "code": code, "gradeId": self.grade, "levelId": self.level, "majorId": self.major, "siteId": self.site })
    }
}
