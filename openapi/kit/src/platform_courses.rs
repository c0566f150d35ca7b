//! Courses of the operators' online-education site.

use serde_json::{Value, json};

use crate::{Answer, Client, Server, rows::video};

pub const COURSE: &str = "/course/pc/course/record";
pub const AUDIT: &str = "/course/pc/audit/record";

/// Where courses stand, and who teaches them.
pub struct Shelf {
    category: i64,
    lecturer: i64,
}

pub async fn shelf(operator: &Client<'_>) -> Shelf {
    let category = json!({ "categoryName": "公共课" });
    let lecturer = json!({ "lecturerName": "方讲师", "phone": "13900000003" });
    Shelf {
        category: operator.post("/course/pc/category/record/save", category).await.id(),
        lecturer: operator.post("/user/pc/lecturer/save", lecturer).await.id(),
    }
}

/// A course of 199 yuan, sold for 149; its chapters with the names and videos of their periods.
pub fn content(shelf: &Shelf, name: &str, chapters: &[(&str, &[(&str, i64)])]) -> Value {
    let chapters: Vec<Value> = chapters
        .iter()
        .map(|(chapter, periods)| {
            let periods: Vec<Value> =
                periods.iter().map(|(period, media)| json!({ "periodName": period, "mediaAssetId": media })).collect();
            json!({ "chapterName": chapter, "periods": periods })
        })
        .collect();
    json!({
        "courseName": name, "categoryId": shelf.category, "lecturerId": shelf.lecturer, "cover": "/cover.png",
        "introduce": "<p>本课<strong>重点</strong></p>", "isFree": false, "priceOriginal": 19_900, "priceSale": 14_900,
        "chapters": chapters,
    })
}

pub async fn save(client: &Client<'_>, mut content: Value, submission: &str) -> Answer {
    content["submission"] = json!(submission);
    client.post(&format!("{COURSE}/save"), content).await
}

/// The course's content as it is read, changed and sent again.
pub async fn edit(client: &Client<'_>, id: i64, submission: &str, change: impl FnOnce(&mut Value)) -> Answer {
    let seen = client.get(&format!("{COURSE}/view?id={id}")).await.data().clone();
    let mut body = seen["content"].clone();
    (body["id"], body["version"], body["submission"]) = (json!(id), seen["version"].clone(), json!(submission));
    change(&mut body);
    client.put(&format!("{COURSE}/edit"), body).await
}

pub async fn put(client: &Client<'_>, id: i64, putaway: &str) -> Answer {
    client.put(&format!("{COURSE}/update/putaway"), json!({ "id": id, "putaway": putaway })).await
}

/// A course on the shelf that schools may use, of two chapters, with one video in each.
pub async fn shared(server: &Server, vid: &str) -> i64 {
    let operator = server.operator().await;
    let shelf = shelf(&operator).await;
    let (first, second) = (
        video(server, "platform", vid, "ready", 90).await,
        video(server, "platform", &format!("{vid}_b"), "ready", 90).await,
    );
    let chapters: [(&str, &[(&str, i64)]); 2] =
        [("第一章 绪论", &[("1.1 导学", first)]), ("第二章 语法", &[("2.1 时态", second)])];
    let id = save(&operator, content(&shelf, "大学英语（平台）", &chapters), "publish").await.id();
    operator.put(&format!("{COURSE}/update/schoolShared"), json!({ "id": id, "schoolShared": true })).await.data();
    put(&operator, id, "on").await.data();
    id
}
