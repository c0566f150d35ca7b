//! What people keep of their own in both areas, machine tokens, the home pages, the monitor.

use kit::{PASSWORD, jobs::ended};
use serde_json::json;

use super::{Life, id};

/// Operations whose valid call needs more than a body; each has a story of its own.
pub(super) const ELSEWHERE: [&str; 6] = [
    // own_page.rs: another session, a code of an authenticator
    "endOwnSession",
    "confirmTotp",
    "disableTotp",
    "renewRecoveryCodes",
    // monitor.rs: a session that executes something, an extension that an installation may lack
    "cancelStatement",
    "resetStatements",
];

const USER: &str = "/system/pc/sys/user";

/// In a school as on the platform; `page` is one of the person's menu.
pub(super) async fn both(life: &mut Life<'_>, page: &str) {
    let seen = life.get(&format!("{USER}/view/current")).await;
    let edit = json!({ "version": seen["version"], "realName": seen["realName"], "gender": "female" });
    life.put(&format!("{USER}/edit/current"), edit).await;
    life.get(&format!("{USER}/session/list")).await;
    life.get(&format!("{USER}/invitation/list")).await;
    let password = life.server.cipher(PASSWORD);
    life.post(&format!("{USER}/totp/begin"), json!({ "oldPassword": password })).await;
    life.put("/data/pc/dashboard/shortcut", json!({ "paths": [page] })).await;
    views(life, page).await;
}

/// A view of a list: kept, changed, shared, put into the menu, thrown away.
async fn views(life: &mut Life<'_>, page: &str) {
    const VIEW: &str = "/system/pc/saved/view";
    let form =
        json!({ "list": "listUsers", "name": "常用", "path": page, "query": "enabled=true", "columns": ["name"] });
    let made = id(&life.post(&format!("{VIEW}/save"), form.clone()).await);
    let mut edit = form;
    edit["id"] = json!(made);
    edit["version"] = json!(1);
    edit["name"] = json!("停用的");
    life.put(&format!("{VIEW}/edit"), edit).await;
    life.put(&format!("{VIEW}/share"), json!({ "id": made, "shared": true })).await;
    life.put(&format!("{VIEW}/pin"), json!({ "id": made, "pinned": true })).await;
    let kept = life.get(&format!("{VIEW}/list")).await;
    assert_eq!(
        (&kept[0]["name"], &kept[0]["shared"], &kept[0]["pinned"]),
        (&json!("停用的"), &json!(true), &json!(true))
    );
    life.delete(&format!("{VIEW}/delete?id={made}")).await;
}

/// What was imported last can be looked at and undone.
pub(super) async fn imports(life: &mut Life<'_>) {
    let runs = life.post("/system/pc/import/list", json!({})).await;
    let undo = json!({ "id": runs["list"][0]["id"], "dryRun": true });
    let job = life.put("/system/pc/import/undo", undo).await["jobId"].clone();
    let job = ended(&life.client, &job).await;
    assert_eq!(job["state"], json!("done"), "{job}");
}

pub(super) async fn school(life: &mut Life<'_>) {
    life.get("/data/pc/dashboard/school").await;
}

pub(super) async fn platform(life: &mut Life<'_>) {
    const TOKEN: &str = "/system/pc/sys/machineToken";
    const DRUID: &str = "/data/pc/druid";
    life.get("/data/pc/dashboard/platform").await;
    life.get(&format!("{TOKEN}/available/list")).await;
    let end = life.server.app.clock().now() + chrono::Duration::days(30);
    let new = json!({
        "name": "terraform", "permissionCodes": ["system:pc:sys:school:view"], "schoolScope": "all", "expiresAt": end.to_rfc3339(),
    });
    let token = id(&life.post(&format!("{TOKEN}/save"), new).await);
    life.post(&format!("{TOKEN}/list"), json!({})).await;
    life.put(&format!("{TOKEN}/update/status"), json!({ "id": token, "enabled": false })).await;
    life.delete(&format!("{TOKEN}/delete?id={token}")).await;
    for look in ["overview", "statement", "school", "session", "job"] {
        life.get(&format!("{DRUID}/{look}")).await;
    }
    life.post(&format!("{DRUID}/job/run"), json!({ "name": "overview.rollup" })).await;
}
