//! 督学联系单: whom a class manager is to call, on paper, a page for each class (part 05 C5).

use std::collections::BTreeMap;

use infra::{
    Allowed, Body, Error, Part, Result, mask, permissions,
    transfer::{Printed, whole_of},
};
use paper::{Cell, Paper, Row};
use poem_openapi::{Object, OpenApi, types::Example};
use serde_json::json;
use sqlx::PgConnection;
use supervision_rules::enums::{SuperviseKind, SuperviseLevel};
use tokio::task::spawn_blocking;

use crate::case::filter::{SuperviseFilter, Wanted, of_cases};

permissions! {
    pages "/schoolPC/superVisor/studentSupervisor";
    InSchool ReadsLogged PrintSheets      = "adult:pc:supervise:export" "导出督学案例";
    InSchool ReadsLogged PrintSheetsPlain = "adult:pc:supervise:exportPlain" "导出督学案例完整信息";
}

pub const PART: Part = Part { permissions: &[PERMISSIONS], ..Part::NONE };

/// Students of one paper.
const MOST: usize = 1_000;
const WHOLE: &str = "adult:pc:supervise:exportPlain";

/// What is printed.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SuperviseSheet {
    /// 案例
    /// 不填时为筛选出的全部
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub ids: Option<Vec<i64>>,
    /// 范围
    #[oai(default)]
    pub filter: SuperviseFilter,
    /// 完整手机号
    /// 需要导出完整信息的权限，并填写用途
    pub whole: Option<bool>,
    /// 用途
    #[oai(validator(max_length = 200))]
    pub reason: Option<String>,
}

impl Example for SuperviseSheet {
    fn example() -> Self {
        let filter = SuperviseFilter { live: Some(true), ..SuperviseFilter::default() };
        Self { ids: None, filter, whole: None, reason: None }
    }
}

pub struct Sheets;

#[OpenApi(prefix_path = "/adult/pc/supervise", tag = "crate::Tag::Supervision")]
impl Sheets {
    /// 打印督学联系单
    /// 每班一页，一次最多1000名学生
    #[oai(path = "/print/sheet", method = "post", operation_id = "printSuperviseSheets")]
    async fn print(&self, caller: Allowed<PrintSheets>, Body(asked): Body<SuperviseSheet>) -> Result<Printed> {
        let plain = whole_of(caller.caller(), WHOLE, asked.whole, asked.reason.as_deref())?;
        let mut tx = caller.read_long().await?;
        let filter = SuperviseFilter { live: Some(true), ..asked.filter };
        let wanted = filter.wanted(&mut tx, &caller.scope(), caller.app().clock().today()).await?;
        let rows = lines(&mut tx, &wanted, asked.ids.as_deref()).await?;
        drop(tx);
        if rows.is_empty() {
            return Err(Error::new(999, "没有需要联系的学生"));
        }
        if rows.len() > MOST {
            return Err(Error::new(999, format!("一次最多打印{MOST}名学生，请缩小范围")));
        }
        let whole = asked.whole == Some(true);
        caller.note("export", json!({ "rows": rows.len(), "plain": whole, "reason": asked.reason }));
        let school = caller.school.as_ref().map(|school| school.name.clone()).unwrap_or_default();
        let mut classes: BTreeMap<(String, String), Vec<Line>> = BTreeMap::new();
        for mut row in rows {
            if !plain.sees(Some(row.site_id), row.class_id) {
                row.phone = row.phone.as_deref().map(mask::phone);
            }
            classes.entry((row.class_name.clone(), row.manager_name.clone())).or_default().push(row);
        }
        let today = caller.app().clock().today();
        let mut paper = Paper::new("督学联系单", school);
        for (place, ((class, manager), rows)) in classes.into_iter().enumerate() {
            if place > 0 {
                paper.new_page();
            }
            paper.heading("督学联系单").note(&format!("{class}　班主任：{manager}　{today}"));
            let heads = [
                ("学号", 17),
                ("姓名", 10),
                ("手机", 15),
                ("预警项", 26),
                ("联系时间", 12),
                ("结果", 10),
                ("签名", 10),
            ];
            let head = Row::of(heads.iter().map(|(word, share)| Cell::label(*share, *word)));
            let body = rows.iter().map(|row| {
                Row::of([
                    Cell::value(17, row.student_no.as_deref().unwrap_or_default()),
                    Cell::value(10, row.name.as_str()),
                    Cell::value(15, row.phone.as_deref().unwrap_or_default()),
                    Cell::value(26, row.flags.as_str()),
                    Cell::value(12, ""),
                    Cell::value(10, ""),
                    Cell::value(10, ""),
                ])
            });
            paper.listing(&head, body.collect::<Vec<Row>>());
        }
        let bytes = spawn_blocking(move || paper.finish()).await.map_err(Error::internal)?.map_err(Error::internal)?;
        Ok(Printed { name: "督学联系单.pdf".to_owned(), bytes })
    }
}

/// A student of a sheet.
struct Line {
    student_no: Option<String>,
    name: String,
    phone: Option<String>,
    site_id: i64,
    class_id: Option<i64>,
    class_name: String,
    manager_name: String,
    flags: String,
}

/// A row of the statement.
struct Found {
    student_no: Option<String>,
    name: String,
    phone: Option<String>,
    site_id: i64,
    class_id: Option<i64>,
    class_name: String,
    manager_name: String,
    level: SuperviseLevel,
    kinds: Vec<String>,
    counts: Vec<i64>,
}

async fn lines(connection: &mut PgConnection, wanted: &Wanted, ids: Option<&[i64]>) -> Result<Vec<Line>> {
    let most = i64::try_from(MOST + 1).unwrap_or(i64::MAX);
    let rows = of_cases!(query_as [Found]
        [r#"select s.student_no as "student_no?", s.name as "name!", s.phone as "phone?", s.site_id as "site_id!",
                   s.class_id as "class_id?", coalesce(k.name, '未分班') as "class_name!",
                   coalesce(w.name, '') as "manager_name!", c.level as "level!: _", f.kinds as "kinds!", f.counts as "counts!"
            from supervise_case c join student s on s.id = c.student_id left join class k on k.id = s.class_id
            left join class_manager w
                 on w.id = case when c.class_id is not distinct from s.class_id then c.manager_id else k.manager_id end
            cross join lateral (
                select coalesce(array_agg(y.kind order by y.kind), '{}') as kinds,
                       coalesce(array_agg(y.number order by y.kind), '{}') as counts
                from (select z.kind, count(*) as number from supervise_flag z
                      where z.case_id = c.id and z.cleared_at is null and not z.muted group by z.kind) y) f"#]
        wanted
        [+ " and ($18::bigint[] is null or c.id = any($18))
             order by k.name nulls last, s.student_no nulls last, s.id limit $17"],
        most,
        ids);
    let rows: Vec<Found> = rows.fetch_all(connection).await?;
    let lines = rows.into_iter().map(|row| {
        let told = row.kinds.iter().zip(&row.counts).filter_map(|(kind, count)| {
            let kind = SuperviseKind::parse(kind)?;
            Some(if *count > 1 { format!("{}×{count}", kind.zh()) } else { kind.zh().to_owned() })
        });
        let flags = format!("{}：{}", row.level.zh(), told.collect::<Vec<_>>().join("、"));
        Line {
            flags,
            student_no: row.student_no,
            name: row.name,
            phone: row.phone,
            site_id: row.site_id,
            class_id: row.class_id,
            class_name: row.class_name,
            manager_name: row.manager_name,
        }
    });
    Ok(lines.collect())
}
