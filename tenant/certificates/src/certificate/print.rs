//! 套打 on printed sheets, and 发放登记表 (part 04 §10).

use std::collections::HashMap;

use certificate_rules::{
    enums::CertificateKind,
    steps::{CertificateTurn, after},
};
use chrono::NaiveDate;
use infra::{
    Allowed, App, Body, Change, Error, Result, Scope, Tx,
    across::{KeyQuery, Keyed},
    files,
    transfer::Printed,
};
use paper::{Cell, Paper, Picture, Row};
use poem_openapi::{Object, OpenApi, types::Example};
use serde_json::{Value, json};
use tokio::task::spawn_blocking;

use super::{
    Certificates, PrintCertificates, PrintReceipts, ready,
    select::{Certificate, CertificateFilter},
    steps::held,
};
use crate::settings::{CERTIFICATE_OVERLAY, PRESIDENT_SIGN_IMAGE};

/// On one register.
const MOST: usize = 2000;
/// Of a photo and of the president's signature, in millimetres.
const PHOTO: (f32, f32) = (33.0, 48.0);
const SIGNATURE: (f32, f32) = (40.0, 16.0);
const PICTURE_BYTES: usize = 5 << 20;
const SIGNATURE_FIELD: &str = "principalSign";

/// Certificates to print.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct CertificateOverlay {
    /// 证书
    #[oai(validator(min_items = 1, max_items = 200))]
    pub ids: Vec<i64>,
}

impl Example for CertificateOverlay {
    fn example() -> Self {
        Self { ids: vec![1] }
    }
}

/// Whose receipts are printed.
#[derive(Debug, Clone, Default, Object)]
#[oai(example)]
pub struct CertificateRegister {
    /// 证书
    /// 不填为筛选出的全部
    #[oai(validator(max_items = 500))]
    pub ids: Option<Vec<i64>>,
    #[oai(flatten)]
    pub filter: CertificateFilter,
}

impl Example for CertificateRegister {
    fn example() -> Self {
        Self { ids: Some(vec![1]), ..Self::default() }
    }
}

/// Where words stand on a sheet.
struct Place {
    field: String,
    x: f32,
    y: f32,
}

/// One sheet: what it says, and the holder's picture.
struct Sheet {
    words: HashMap<&'static str, String>,
    photo: Option<Vec<u8>>,
}

pub struct Prints;

#[OpenApi(prefix_path = "/adult/pc/certificate", tag = "crate::Tag::Certificates")]
impl Prints {
    /// 套打证书
    /// 记打印次数；第一次打印后，从毕业批次的领证日期起通知领取
    #[oai(path = "/print/overlay", method = "post", operation_id = "printCertificates")]
    async fn overlay(
        &self,
        caller: Allowed<PrintCertificates>,
        Body(wanted): Body<CertificateOverlay>,
    ) -> Result<Printed> {
        let mut ids = wanted.ids;
        ids.sort_unstable();
        ids.dedup();
        let mut tx = caller.begin().await?;
        let places = places(&CERTIFICATE_OVERLAY.value(&mut tx).await?);
        let mut changes = Vec::with_capacity(ids.len());
        let mut sheets = Vec::with_capacity(ids.len());
        let mut signed = false;
        for id in &ids {
            let (certificate, change) = printed(&mut tx, *id, &caller.scope()).await?;
            changes.push(change);
            let Some(own) = places.get(certificate.kind.as_str()) else {
                let kind = certificate.kind.zh();
                return Err(Error::conflict(format!("请先在学校设置中填写{kind}的套打位置")));
            };
            signed |= own.iter().any(|place| place.field == SIGNATURE_FIELD);
            sheets.push((certificate.kind, sheet(caller.app(), &mut tx, &certificate).await?));
        }
        let signature = if signed { Some(signature(caller.app(), &mut tx).await?) } else { None };
        changes.extend(ready::tell(&mut tx, &ids).await?);
        tx.commit_all(changes).await?;
        let drawn = spawn_blocking(move || drawn(&sheets, &places, signature.as_ref()).finish());
        let bytes = drawn.await.map_err(Error::internal)?.map_err(Error::internal)?;
        Ok(Printed { name: "证书套打.pdf".to_owned(), bytes })
    }

    /// 打印证书发放登记表
    #[oai(path = "/print/register", method = "post", operation_id = "printCertificateRegister")]
    async fn register(
        &self,
        caller: Allowed<PrintReceipts>,
        Body(wanted): Body<CertificateRegister>,
    ) -> Result<Printed> {
        let mut tx = caller.read_long().await?;
        let keys = Certificates::matching(&mut tx, &wanted.filter, &caller.scope(), KeyQuery::default()).await?;
        let ticked = |id: &i64| wanted.ids.as_ref().is_none_or(|ids| ids.contains(id));
        let ids: Vec<i64> = keys.into_iter().map(|key| key.id).filter(ticked).collect();
        if ids.is_empty() {
            return Err(Error::new(999, "没有可打印的证书"));
        }
        if ids.len() > MOST {
            return Err(Error::new(999, format!("一次最多打印{MOST}人，请缩小范围")));
        }
        let mut rows = Certificates::rows(&mut tx, &ids, &caller.scope()).await?;
        drop(tx);
        rows.sort_by(|one, other| one.number.cmp(&other.number));
        caller.note("export", json!({ "rows": rows.len() }));
        let school = caller.school.as_ref().map(|school| school.name.clone()).unwrap_or_default();
        let drawn = spawn_blocking(move || register(&school, &rows).finish());
        let bytes = drawn.await.map_err(Error::internal)?.map_err(Error::internal)?;
        Ok(Printed { name: "证书发放登记表.pdf".to_owned(), bytes })
    }
}

/// The places of each kind of certificate, as the school measured them.
fn places(value: &Value) -> HashMap<String, Vec<Place>> {
    let mut places: HashMap<String, Vec<Place>> = HashMap::new();
    for row in value.as_array().into_iter().flatten() {
        let word = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
        let number = |name: &str| row[name].as_f64().unwrap_or_default() as f32;
        let place = Place { field: word("field"), x: number("x"), y: number("y") };
        places.entry(word("certificate")).or_default().push(place);
    }
    places
}

/// The president's signature.
///
/// # Errors
/// 409 where the school has none that can be drawn.
async fn signature(app: &App, tx: &mut Tx) -> Result<Picture> {
    let missing = || Error::conflict("请先在学校信息中上传校长签名");
    let key = PRESIDENT_SIGN_IMAGE.file_key(app, tx).await?.ok_or_else(missing)?;
    let bytes = files::beginning(app, &key, PICTURE_BYTES).await?.ok_or_else(missing)?;
    let picture = spawn_blocking(move || Picture::read(&bytes)).await.map_err(Error::internal)?;
    picture.ok_or_else(|| Error::conflict("校长签名不是可以打印的图片，请重新上传"))
}

/// Counts a print.
async fn printed(tx: &mut Tx, id: i64, scope: &Scope) -> Result<(Certificate, Change)> {
    let before = held(tx, id, None, scope).await?;
    let to = after(before.status, CertificateTurn::Print).map_err(Error::conflict)?;
    let (by, now) = (tx.by(), tx.app().clock().now());
    sqlx::query!(
        "update certificate set status = $2, print_count = print_count + 1, printed_at = $3, updated_at = $3, updated_by = $4,
                version = version + 1
         where id = $1",
        id,
        to.as_str(),
        now as _,
        by
    )
    .execute(&mut **tx)
    .await?;
    let change = Change::edited(
        "certificate",
        id,
        &json!({ "status": before.status.as_str(), "printCount": before.print_count }),
        &json!({ "status": to.as_str(), "printCount": before.print_count + 1 }),
    );
    Ok((before, change))
}

/// `2028年7月10日` of a day in a snapshot.
fn day(value: &Value) -> String {
    let parsed = value.as_str().and_then(|text| text.parse::<NaiveDate>().ok());
    parsed.map(|day| day.format("%Y年%-m月%-d日").to_string()).unwrap_or_default()
}

async fn sheet(app: &App, tx: &mut Tx, certificate: &Certificate) -> Result<Sheet> {
    let row = sqlx::query!(
        r#"select c.holder as "holder!: Value", f.key as "photo?"
           from certificate c
           join student y on y.id = c.student_id
           left join file_object f on f.id = coalesce(y.graduation_photo_id, y.enrol_photo_id)
           where c.id = $1"#,
        certificate.id
    )
    .fetch_one(&mut **tx)
    .await?;
    let text = |name: &str| row.holder[name].as_str().unwrap_or_default().to_owned();
    let words = HashMap::from([
        ("name", certificate.name.clone()),
        ("gender", text("gender")),
        ("birthday", day(&row.holder["birthday"])),
        ("startedOn", day(&row.holder["startedOn"])),
        ("endedOn", day(&row.holder["endedOn"])),
        ("major", certificate.major.clone()),
        ("majorCode", text("majorCode")),
        ("level", certificate.level.clone()),
        ("studyForm", text("studyForm")),
        ("schoolingYears", text("schoolingYears")),
        ("degree", text("degree")),
        ("number", certificate.number.clone()),
        ("principal", certificate.principal_name.clone()),
        ("issuedOn", day(&row.holder["issuedOn"])),
    ]);
    let photo = match &row.photo {
        Some(key) => files::beginning(app, key, PICTURE_BYTES).await?,
        None => None,
    };
    Ok(Sheet { words, photo })
}

fn drawn(
    sheets: &[(CertificateKind, Sheet)],
    places: &HashMap<String, Vec<Place>>,
    signature: Option<&Picture>,
) -> Paper {
    let mut paper = Paper::overlay("证书套打");
    for (number, (kind, sheet)) in sheets.iter().enumerate() {
        if number > 0 {
            paper.new_page();
        }
        let Some(own) = places.get(kind.as_str()) else { continue };
        for place in own {
            let at = (place.x, place.y);
            match place.field.as_str() {
                "photo" => {
                    if let Some(picture) = sheet.photo.as_deref().and_then(Picture::read) {
                        paper.placed_picture(at, &picture, PHOTO);
                    }
                }
                SIGNATURE_FIELD => {
                    if let Some(picture) = signature {
                        paper.placed_picture(at, picture, SIGNATURE);
                    }
                }
                field => {
                    if let Some(words) = sheet.words.get(field) {
                        paper.placed(at.0, at.1, words);
                    }
                }
            }
        }
    }
    paper
}

fn register(school: &str, rows: &[Certificate]) -> Paper {
    let mut paper = Paper::new("证书发放登记表", school);
    paper.heading("证书发放登记表");
    let heads = [("序号", 8), ("学号", 20), ("姓名", 14), ("证书编号", 26), ("领取人签名", 18), ("日期", 14)];
    let head = Row::of(heads.iter().map(|(word, share)| Cell::label(*share, *word))).small();
    let lines = rows.iter().enumerate().map(|(place, row)| {
        let no = (place + 1).to_string();
        let number = row.student_no.clone().unwrap_or_default();
        let on = row.issued_on.map(|on| on.to_string()).unwrap_or_default();
        // A signature is written by hand.
        let words = [no, number, row.name.clone(), row.number.clone(), String::new(), on];
        Row::of(heads.iter().zip(words).map(|((_, share), word)| Cell::value(*share, word))).small()
    });
    paper.space(2.0).listing(&head, lines.collect::<Vec<Row>>());
    paper
}
