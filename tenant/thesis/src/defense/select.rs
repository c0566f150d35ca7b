//! How groups are read.

use infra::{
    Result, Scope,
    across::{Key, KeyQuery, Keyed},
    clock::Moment,
};
use poem_openapi::Object;
use scores_rules::enums::ScoreKind;
use serde_json::Value;
use sqlx::{PgConnection, types::Json};
use thesis_rules::enums::{DefenseGroupStatus, DefenseMode, DefenseResult};

use super::form::{DefenseGroupForm, DefenseMemberForm};
use crate::marks::{ThesisMarkItem, listed, rules};

/// The list of groups.
pub struct DefenseGroups;

/// A group, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct DefenseGroup {
    /// 编号
    pub id: i64,
    #[oai(flatten)]
    pub form: DefenseGroupForm,
    /// 论文批次名称
    pub plan_name: String,
    /// 成员姓名
    /// 组长在前
    pub member_names: String,
    /// 秘书姓名
    pub secretary_name: Option<String>,
    /// 学生数
    /// 数据范围以内
    pub slot_count: i64,
    /// 已登记
    /// 数据范围以内
    pub recorded_count: i64,
    /// 答辩组状态
    pub status: DefenseGroupStatus,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// What a member of a group gave.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct DefenseMark {
    /// 教师编号
    pub teacher_id: i64,
    /// 教师
    pub teacher_name: String,
    /// 成绩
    pub score: Option<f64>,
    /// 评分项
    /// 按规则列出，未录入的没有成绩
    pub items: Vec<ThesisMarkItem>,
}

/// A place in the order of a group.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct DefenseSlot {
    /// 编号
    pub id: i64,
    /// 论文
    pub thesis_id: i64,
    /// 学号
    pub student_no: Option<String>,
    /// 姓名
    pub student_name: String,
    /// 题目
    pub title: Option<String>,
    /// 指导教师
    pub adviser_name: Option<String>,
    /// 第几次
    pub round_no: i32,
    /// 顺序
    pub order_no: i32,
    /// 时间
    pub planned_at: Option<Moment>,
    /// 到场
    pub present: Option<bool>,
    /// 提问
    pub questions: Option<String>,
    /// 评语
    pub comment: Option<String>,
    /// 成绩
    pub score: Option<f64>,
    /// 答辩结论
    pub result: Option<DefenseResult>,
    /// 成员评分
    /// 未登记时没有成绩
    pub marks: Vec<DefenseMark>,
    /// 须按评分项录入
    pub items_required: bool,
    /// 版本
    pub version: i32,
}

/// A group with its order.
#[derive(Debug, Clone, Object)]
pub struct DefenseGroupView {
    #[oai(flatten)]
    pub group: DefenseGroup,
    /// 答辩安排
    pub slots: Vec<DefenseSlot>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct DefenseGroupFilter {
    /// 论文批次
    pub plan_id: Option<i64>,
    /// 名称
    #[oai(validator(max_length = 50))]
    pub name: Option<String>,
    /// 答辩组状态
    pub status: Option<DefenseGroupStatus>,
}

impl Keyed for DefenseGroups {
    type Filter = DefenseGroupFilter;
    type Row = DefenseGroup;

    fn id(row: &DefenseGroup) -> i64 {
        row.id
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &DefenseGroupFilter,
        _scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        sqlx::query_as!(
            Key,
            r#"select g.id, g.created_at, count(*) over () as "total!"
               from defense_group g
               where ($1::bigint is null or g.plan_id = $1)
                 and ($2::text is null or strpos(g.name, $2) > 0)
                 and ($3::text is null or g.status = $3)
                 and ($4::bigint is null or g.id = $4)
                 and ($5::timestamptz is null or g.created_at <= $5)
               order by g.created_at desc, g.id
               limit $6 offset $7"#,
            filter.plan_id,
            filter.name,
            filter.status.map(DefenseGroupStatus::as_str),
            wanted.id,
            wanted.newest_until as _,
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], scope: &Scope) -> sqlx::Result<Vec<DefenseGroup>> {
        let rows = sqlx::query!(
            r#"select g.id as "id!", g.plan_id as "plan_id!", g.name as "name!", g.mode as "mode!: DefenseMode",
                      g.held_at as "held_at?", g.ends_at as "ends_at?", g.place, g.secretary_teacher_id, g.status as "status!: DefenseGroupStatus",
                      g.created_at as "created_at!", g.version as "version!", p.name as "plan_name!", t.name as "secretary_name?",
                      coalesce((select jsonb_agg(jsonb_build_array(m.teacher_id, m.chair, a.name) order by m.chair desc, m.teacher_id)
                                from defense_member m join teacher a on a.id = m.teacher_id
                                where m.group_id = g.id), '[]') as "members!: Json<Value>",
                      n.slots as "slots!", n.recorded as "recorded!"
               from defense_group g
               join thesis_plan p on p.id = g.plan_id
               left join teacher t on t.id = g.secretary_teacher_id
               cross join lateral (
                   select count(*) as slots, count(s.result) as recorded
                   from defense_slot s join thesis x on x.id = s.thesis_id join student y on y.id = x.student_id
                   where s.group_id = g.id
                     and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))) n
               where g.id = any($1)"#,
            ids,
            scope.sites(),
            scope.classes()
        )
        .fetch_all(connection)
        .await?;
        let member = |row: &Value| {
            Some((
                DefenseMemberForm { teacher_id: row[0].as_i64()?, chair: row[1].as_bool()? },
                row[2].as_str()?.to_owned(),
            ))
        };
        Ok(rows
            .into_iter()
            .map(|row| {
                let of: Vec<(DefenseMemberForm, String)> =
                    row.members.0.as_array().into_iter().flatten().filter_map(member).collect();
                let names: Vec<&str> = of.iter().map(|(_, name)| name.as_str()).collect();
                DefenseGroup {
                    id: row.id,
                    plan_name: row.plan_name,
                    member_names: names.join("、"),
                    form: DefenseGroupForm {
                        plan_id: row.plan_id,
                        name: row.name,
                        mode: row.mode,
                        held_at: row.held_at,
                        ends_at: row.ends_at,
                        place: row.place,
                        secretary_teacher_id: row.secretary_teacher_id,
                        members: of.into_iter().map(|(member, _)| member).collect(),
                    },
                    secretary_name: row.secretary_name,
                    slot_count: row.slots,
                    recorded_count: row.recorded,
                    status: row.status,
                    created_at: row.created_at,
                    version: row.version,
                }
            })
            .collect())
    }
}

/// A group with those of its order who lie within the scope.
///
/// # Errors
/// 404 for no group.
pub(super) async fn viewed(connection: &mut PgConnection, id: i64, scope: &Scope) -> Result<DefenseGroupView> {
    let group = DefenseGroups::find(connection, id, scope).await?;
    let rows = sqlx::query!(
        r#"select s.id as "id!", s.thesis_id as "thesis_id!", y.student_no, y.name as "student_name!", x.title,
                  a.name as "adviser_name?", s.round_no as "round_no!", s.order_no as "order_no!", s.planned_at as "planned_at?",
                  s.present, s.questions, s.comment, s.score::float8 as "score?", s.result as "result?: DefenseResult", s.version as "version!",
                  coalesce((select jsonb_agg(jsonb_build_array(m.teacher_id, t.name, w.score, w.items) order by m.chair desc, m.teacher_id)
                            from defense_member m
                            join teacher t on t.id = m.teacher_id
                            left join defense_score w on w.slot_id = s.id and w.member_teacher_id = m.teacher_id
                            where m.group_id = s.group_id), '[]') as "marks!: Json<Value>"
           from defense_slot s
           join thesis x on x.id = s.thesis_id
           join student y on y.id = x.student_id
           left join teacher a on a.id = x.adviser_id
           where s.group_id = $1 and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))
           order by s.order_no, s.id"#,
        id,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(&mut *connection)
    .await?;
    let theses: Vec<i64> = rows.iter().map(|row| row.thesis_id).collect();
    let rules = rules(connection, ScoreKind::Defense, &theses).await?;
    let slots = rows.into_iter().map(|row| {
        let rule = rules.get(&row.thesis_id);
        let mark = |mark: &Value| {
            Some(DefenseMark {
                teacher_id: mark[0].as_i64()?,
                teacher_name: mark[1].as_str()?.to_owned(),
                score: mark[2].as_f64(),
                items: listed(rule, &mark[3]),
            })
        };
        DefenseSlot {
            id: row.id,
            thesis_id: row.thesis_id,
            student_no: row.student_no,
            student_name: row.student_name,
            title: row.title,
            adviser_name: row.adviser_name,
            round_no: row.round_no,
            order_no: row.order_no,
            planned_at: row.planned_at,
            present: row.present,
            questions: row.questions,
            comment: row.comment,
            score: row.score,
            result: row.result,
            marks: row.marks.0.as_array().into_iter().flatten().filter_map(mark).collect(),
            items_required: rule.is_some_and(|rule| rule.items_required),
            version: row.version,
        }
    });
    Ok(DefenseGroupView { group, slots: slots.collect() })
}
