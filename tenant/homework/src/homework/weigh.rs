//! A change of the weight shows first whom it would move (part 03 B6): the weight is the one rule of a published homework that scores read
//! and that may still be changed.

use homework_rules::weigh::{Weighed, weighed};
use infra::{Allowed, Error, Reply, Result, Scope, reply};
use poem_openapi::{Object, OpenApi, param::Query};
use question_bank::score::{is_score, points, tenths};
use sqlx::PgConnection;

use super::{WeighHomework, viewable};

pub struct Weighing;

#[OpenApi(prefix_path = "/exam/pc/tasks/weight", tag = "crate::Tag::Homework")]
impl Weighing {
    /// 检查权重影响
    /// 列出改变权重后作业成绩会变化的学生，不保存
    #[oai(path = "/check", method = "get", operation_id = "checkHomeworkWeight")]
    async fn check(
        &self,
        caller: Allowed<WeighHomework>,
        /// 作业
        id: Query<i64>,
        /// 新权重
        weight: Query<f64>,
    ) -> Result<Reply<Vec<WeightMoves>>> {
        if !is_score(weight.0, 0, 1_000) {
            return Err(Error::field("weight", "权重应在0到100之间，最多一位小数"));
        }
        let scope = caller.scope();
        let mut tx = caller.read().await?;
        viewable(&mut tx, id.0, &scope).await?;
        Ok(reply(moved_by_weight(&mut tx, id.0, weight.0, &scope).await?))
    }
}

/// Somebody whom another weight would move.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct WeightMoves {
    /// 学生
    pub student_id: i64,
    /// 学号
    pub student_no: Option<String>,
    /// 姓名
    pub name: String,
    /// 现在的作业成绩
    pub before: f64,
    /// 改后的作业成绩
    pub after: f64,
}

/// Whom another weight of a homework would move, of the students that the scope opens, those first whom it moves most.
async fn moved_by_weight(
    connection: &mut PgConnection,
    homework: i64,
    weight: f64,
    scope: &Scope,
) -> Result<Vec<WeightMoves>> {
    let rows = sqlx::query!(
        r#"select r.selection_id as "selection!", y.id as "student!", y.student_no, y.name as "name!",
                  (r.weight * 10)::bigint as "weight!", (r.score * 10)::bigint as score, r.homework_id = $1 as "own!"
           from homework_result r join student y on y.id = r.student_id
           where r.selection_id in (select selection_id from homework_student where homework_id = $1)
             and (r.missed or r.score is not null)
             and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))
           order by r.selection_id, r.homework_id"#,
        homework,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(connection)
    .await?;
    let mut moves = Vec::new();
    for of_one in rows.chunk_by(|one, next| one.selection == next.selection) {
        let reckoned: Vec<Weighed> = of_one.iter().map(|row| (row.weight, row.score, row.own)).collect();
        let (Some(first), Some((before, after))) = (of_one.first(), weighed(&reckoned, tenths(weight))) else {
            continue;
        };
        moves.push(WeightMoves {
            student_id: first.student,
            student_no: first.student_no.clone(),
            name: first.name.clone(),
            before: points(before),
            after: points(after),
        });
    }
    moves.sort_by_key(|one| (-(tenths(one.after) - tenths(one.before)).abs(), one.student_id));
    Ok(moves)
}
