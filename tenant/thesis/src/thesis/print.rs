//! 打印论文材料: the forms of theses, A4 upright and a page each; and who is defended when, across (part 04 §8.1).

use ::paper::{Cell, Paper, Row};
use infra::{Allowed, Body, Error, Result, Scope, transfer::Printed};
use poem_openapi::{Object, OpenApi, param::Path, types::Example};
use sqlx::PgConnection;
use student_status::roster::letterhead;
use tokio::task::spawn_blocking;

use super::PrintTheses;
use crate::offered::{ThesisDoc, forms_of};

/// The word of 答辩安排表, which is of groups and not of one thesis.
const SCHEDULE: &str = "schedule";
/// Theses of one plan on a schedule.
const MOST: i64 = 2_000;

/// Whose papers.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ThesesPrint {
    /// 学生论文
    /// 一次最多200篇；答辩安排表不填
    #[oai(validator(min_items = 1, max_items = 200))]
    pub ids: Option<Vec<i64>>,
    /// 论文批次
    /// 答辩安排表必填
    pub plan_id: Option<i64>,
}

impl Example for ThesesPrint {
    fn example() -> Self {
        Self { ids: Some(vec![1]), plan_id: None }
    }
}

pub struct Prints;

#[OpenApi(prefix_path = "/adult/pc/thesis", tag = "crate::Tag::Thesis")]
impl Prints {
    /// 打印论文材料
    /// task 任务书、proposal 开题报告、review 评阅表、defense 答辩记录表、grade 成绩评定表、schedule 答辩安排表
    #[oai(path = "/print/:doc", method = "post", operation_id = "printTheses")]
    async fn print(
        &self,
        caller: Allowed<PrintTheses>,
        /// 材料
        #[oai(validator(max_length = 20))]
        doc: Path<String>,
        Body(wanted): Body<ThesesPrint>,
    ) -> Result<Printed> {
        let scope = caller.scope();
        let mut tx = caller.read().await?;
        let (paper, name) = if doc.0 == SCHEDULE {
            let plan = wanted.plan_id.ok_or_else(|| Error::field("planId", "请选择论文批次"))?;
            let header = letterhead(caller.app(), &mut tx).await?.header.unwrap_or_default();
            (schedule(&mut tx, plan, header, &scope).await?, "答辩安排表")
        } else {
            let doc = ThesisDoc::parse(&doc.0).ok_or_else(Error::not_found)?;
            let ids = wanted.ids.ok_or_else(|| Error::field("ids", "请选择学生论文"))?;
            let theses = sqlx::query_scalar!(
                "select t.id from thesis t join student y on y.id = t.student_id
                 where t.id = any($1) and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))
                 order by y.student_no, t.id",
                &ids,
                scope.sites(),
                scope.classes()
            )
            .fetch_all(&mut *tx)
            .await?;
            if theses.is_empty() {
                return Err(Error::not_found());
            }
            (forms_of(caller.app(), &mut tx, &theses, &[doc]).await?, doc.zh())
        };
        drop(tx);
        let bytes = spawn_blocking(move || paper.finish()).await.map_err(Error::internal)?.map_err(Error::internal)?;
        Ok(Printed { name: format!("{name}.pdf"), bytes })
    }
}

/// 答辩安排表 of a plan: group, time, place and members, with whom they hear.
async fn schedule(connection: &mut PgConnection, plan: i64, header: String, scope: &Scope) -> Result<Paper> {
    let rows = sqlx::query!(
        r#"select g.name as "group!", z.planned_at as "planned_at?", g.place as "place?",
                  (select string_agg(m.name, '、' order by d.chair desc, d.teacher_id)
                   from defense_member d join teacher m on m.id = d.teacher_id where d.group_id = g.id) as "members?",
                  y.student_no as "student_no?", y.name as "name!", x.title as "title?", a.name as "adviser?"
           from defense_group g
           join defense_slot z on z.group_id = g.id
           join thesis x on x.id = z.thesis_id
           join student y on y.id = x.student_id
           left join teacher a on a.id = x.adviser_id
           where g.plan_id = $1 and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))
           order by g.held_at, g.name, z.order_no, z.id limit $4"#,
        plan,
        scope.sites(),
        scope.classes(),
        MOST + 1
    )
    .fetch_all(connection)
    .await?;
    if rows.is_empty() {
        return Err(Error::new(999, "还没有安排答辩"));
    }
    if i64::try_from(rows.len()).is_ok_and(|count| count > MOST) {
        return Err(Error::new(999, format!("本批次安排的答辩超过{MOST}人，请由各站点分别打印，或导出答辩组")));
    }
    let heads =
        [("组", 9), ("时间", 13), ("地点", 12), ("成员", 18), ("学号", 12), ("姓名", 8), ("题目", 20), ("导师", 8)];
    let head = Row::of(heads.iter().map(|(word, share)| Cell::label(*share, *word))).small();
    let lines = rows.into_iter().map(|row| {
        let words = [
            row.group,
            row.planned_at.map(|at| at.format("%Y-%m-%d %H:%M").to_string()).unwrap_or_default(),
            row.place.unwrap_or_default(),
            row.members.unwrap_or_default(),
            row.student_no.unwrap_or_default(),
            row.name,
            row.title.unwrap_or_default(),
            row.adviser.unwrap_or_default(),
        ];
        Row::of(heads.iter().zip(words).map(|((_, share), word)| Cell::value(*share, word))).small()
    });
    let mut paper = Paper::landscape("答辩安排表", header);
    paper.heading("答辩安排表").listing(&head, lines.collect::<Vec<Row>>());
    Ok(paper)
}
