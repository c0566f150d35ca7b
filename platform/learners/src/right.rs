//! 权益: which products somebody may use, and until when (01 §9.4, §9.6).

use infra::{Change, Entity, Error, Part, Result, Tx, clock::Moment};
use learner_rules::{
    enums::ProductType,
    right::{Held, extended},
};
use poem_openapi::Object;
use serde_json::json;
use sqlx::PgConnection;

pub const PART: Part = Part {
    enumerations: &[ProductType::ENUMERATION],
    entities: &[Entity { table: "learner_right", name: "学员权益", counted: "项学员权益" }],
    ..Part::NONE
};

/// What somebody may use.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct LearnerRight {
    /// 编号
    pub id: i64,
    /// 商品类型
    pub product_type: ProductType,
    /// 商品编号
    pub product_id: i64,
    /// 商品名称
    /// 商品已删除时为空
    pub product_name: Option<String>,
    /// 到期时间
    /// 为空表示长期有效
    pub expires_at: Option<Moment>,
    /// 后台赠送
    /// 没有订单
    pub granted: bool,
    /// 获得时间
    pub created_at: Moment,
}

/// The newest first.
pub(crate) async fn rights(connection: &mut PgConnection, learner: i64) -> Result<Vec<LearnerRight>> {
    let all = sqlx::query_as!(
        LearnerRight,
        r#"select r.id, r.product_type as "product_type: _", r.product_id, coalesce(c.course_name, e.exam_name) as "product_name?",
                  r.expires_at, r.order_id is null as "granted!", r.created_at
           from platform.learner_right r
           left join platform.online_course c on c.id = r.product_id and c.course_type = r.product_type
           left join platform.online_exam e on e.id = r.product_id and r.product_type = 'exam'
           where r.learner_id = $1 order by r.created_at desc, r.id desc"#,
        learner
    )
    .fetch_all(connection)
    .await?;
    Ok(all)
}

/// A product by kind and number.
#[derive(Debug, Clone, Copy)]
pub struct Product {
    pub kind: ProductType,
    pub id: i64,
}

impl Product {
    /// # Errors
    /// 422 for membership, which is given by its months, and for what there is not.
    async fn check(self, connection: &mut PgConnection) -> Result<()> {
        if self.kind == ProductType::Vip {
            return Err(Error::field("productType", "会员请用“开通会员”办理"));
        }
        let known = sqlx::query_scalar!(
            r#"select exists (select from platform.online_course where id = $1 and course_type = $2)
                   or ($2 = 'exam' and exists (select from platform.online_exam where id = $1)) as "known!""#,
            self.id,
            self.kind.as_str()
        )
        .fetch_one(connection)
        .await?;
        if known { Ok(()) } else { Err(Error::field("productId", "所选商品不存在，请重新选择")) }
    }
}

/// Lets a learner use a product so many days more, behind what runs or from now on. The caller holds the account.
///
/// # Errors
/// 422 for a product that there is not, 409 for whoever has it for ever.
pub async fn add_days(tx: &mut Tx, learner: i64, product: Product, days: i32) -> Result<Change> {
    product.check(tx).await?;
    let now = tx.app().clock().now();
    let by = tx.by();
    let kind = product.kind.as_str();
    let before = sqlx::query!(
        "select id, expires_at from platform.learner_right
         where learner_id = $1 and product_type = $2 and product_id = $3 for update",
        learner,
        kind,
        product.id
    )
    .fetch_optional(&mut **tx)
    .await?;
    let held = match &before {
        None => Held::Nothing,
        Some(right) => right.expires_at.map_or(Held::ForEver, Held::Until),
    };
    let until = extended(now, held, days).map_err(|why| Error::conflict(why.to_string()))?;
    let Some(before) = before else {
        let id = sqlx::query_scalar!(
            "insert into platform.learner_right (learner_id, product_type, product_id, expires_at, created_by, updated_by)
             values ($1, $2, $3, $4, $5, $5) returning id",
            learner,
            kind,
            product.id,
            until,
            by
        )
        .fetch_one(&mut **tx)
        .await?;
        let what = json!({ "learnerId": learner, "productType": kind, "productId": product.id,
            "expiresAt": until.to_rfc3339() });
        return Ok(Change::event("learner_right", id, "insert", what));
    };
    sqlx::query!(
        "update platform.learner_right set expires_at = $2, updated_at = now(), updated_by = $3, version = version + 1
         where id = $1",
        before.id,
        until,
        by
    )
    .execute(&mut **tx)
    .await?;
    let told = |at: Option<Moment>| at.map(|at| at.to_rfc3339());
    Ok(Change::status("learner_right", before.id, "expiresAt", told(before.expires_at), told(Some(until))))
}

/// Whether somebody may use a product now.
///
/// # Errors
/// Those of the database.
pub async fn holds(connection: &mut PgConnection, learner: i64, product: Product, now: Moment) -> Result<bool> {
    let holds = sqlx::query_scalar!(
        r#"select exists (
               select from platform.learner_right
               where learner_id = $1 and product_type = $2 and product_id = $3 and (expires_at is null or expires_at > $4))
               as "holds!""#,
        learner,
        product.kind.as_str(),
        product.id,
        now
    )
    .fetch_one(connection)
    .await?;
    Ok(holds)
}

/// Lets a learner use what they bought with an order: so many days, behind what runs or from now on, or for ever. The caller holds the
/// account.
///
/// # Errors
/// Only internal ones.
pub async fn buy(tx: &mut Tx, learner: i64, product: Product, order: i64, days: Option<i32>) -> Result<Change> {
    let now = tx.app().clock().now();
    let by = tx.by();
    let kind = product.kind.as_str();
    let before = sqlx::query!(
        "select id, expires_at from platform.learner_right
         where learner_id = $1 and product_type = $2 and product_id = $3 for update",
        learner,
        kind,
        product.id
    )
    .fetch_optional(&mut **tx)
    .await?;
    let held = match &before {
        None => Held::Nothing,
        Some(right) => right.expires_at.map_or(Held::ForEver, Held::Until),
    };
    // Whoever has it for ever keeps it so.
    let until = days.and_then(|days| extended(now, held, days).ok());
    let what = json!({ "learnerId": learner, "productType": kind, "productId": product.id, "orderId": order,
        "expiresAt": until.map(|at| at.to_rfc3339()) });
    let Some(before) = before else {
        let id = sqlx::query_scalar!(
            "insert into platform.learner_right (learner_id, product_type, product_id, order_id, expires_at, created_at, updated_at,
                 created_by, updated_by)
             values ($1, $2, $3, $4, $5, $6, $6, $7, $7) returning id",
            learner,
            kind,
            product.id,
            order,
            until,
            now,
            by
        )
        .fetch_one(&mut **tx)
        .await?;
        return Ok(Change::event("learner_right", id, "insert", what));
    };
    sqlx::query!(
        "update platform.learner_right set order_id = $2, expires_at = $3, updated_at = now(), updated_by = $4,
                version = version + 1
         where id = $1",
        before.id,
        order,
        until,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(Change::event("learner_right", before.id, "update", what))
}

/// Takes back what was bought with an order, whose whole price was refunded.
///
/// # Errors
/// Only internal ones.
pub async fn take_back(tx: &mut Tx, order: i64) -> Result<Vec<Change>> {
    let gone = sqlx::query!(
        "delete from platform.learner_right where order_id = $1 returning id, learner_id, product_type, product_id",
        order
    )
    .fetch_all(&mut **tx)
    .await?;
    let told = gone.into_iter().map(|right| {
        let what = json!({ "learnerId": right.learner_id, "productType": right.product_type,
            "productId": right.product_id, "orderId": order });
        Change::event("learner_right", right.id, "delete", what)
    });
    Ok(told.collect())
}
