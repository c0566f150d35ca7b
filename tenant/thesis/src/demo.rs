//! Theses of a demonstration school: one plan that goes on, with advisers, topics, forty theses over all stages and two groups
//! that hear them.

use chrono::{Days, NaiveDate};
use infra::{Result, Tx, clock::day_began, pinyin};
use thesis_rules::title;

/// Theses that are written.
const THESES: i64 = 40;
/// What they are about.
const TITLES: [&str; 12] = [
    "小微企业成本控制研究",
    "乡村旅游发展路径研究",
    "社区养老服务供给研究",
    "制造企业存货管理优化",
    "跨境电商物流模式分析",
    "县域农产品品牌建设研究",
    "中小企业融资渠道分析",
    "智能仓储系统设计与实现",
    "城市社区治理创新研究",
    "企业员工培训体系设计",
    "建筑工程质量管理研究",
    "数字化转型下的财务共享",
];

/// Fills the tables; nothing where nobody is in a course of that kind.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx, today: NaiveDate) -> Result<()> {
    let semester = sqlx::query!(
        "select e.id, e.name from course_selection c
         join course u on u.id = c.course_id and u.kind = 'thesis'
         join semester e on e.id = c.semester_id
         where c.status = 'selected' group by e.id, e.name order by count(*) desc, e.id desc limit 1"
    )
    .fetch_optional(&mut **tx)
    .await?;
    let Some(semester) = semester else { return Ok(()) };
    let day = |days: u64| today.checked_add_days(Days::new(days)).unwrap_or(today);
    let from = today.checked_sub_days(Days::new(60)).unwrap_or(today);
    let name = format!("{}毕业论文", semester.name);
    let plan = sqlx::query_scalar!(
        "insert into thesis_plan (code, name, initials, semester_id, topic_from, topic_to, proposal_due, draft_due, final_due,
             similarity_due, review_due, defense_from, defense_to, status, created_by, updated_by)
         values ('LW01', $11, $12, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'active', 0, 0) returning id",
        semester.id,
        from,
        day(10),
        day(20),
        day(40),
        day(60),
        day(65),
        day(75),
        day(80),
        day(90),
        name,
        pinyin::text_initials(&name)
    )
    .fetch_one(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into thesis_adviser (plan_id, teacher_id, created_by, updated_by)
         select $1::bigint, t.id, 0, 0 from teacher t where t.status = 'active' order by t.id
         limit (select greatest(least(count(*) - 8, 6), 2) from teacher where status = 'active')",
        plan
    )
    .execute(&mut **tx)
    .await?;
    let names: Vec<String> = TITLES.iter().map(|name| (*name).to_owned()).collect();
    let keys: Vec<String> = TITLES.iter().map(|name| title::key(name)).collect();
    let initials: Vec<String> = TITLES.iter().map(|name| pinyin::initials(name)).collect();
    sqlx::query!(
        "insert into thesis_topic (plan_id, title, title_key, initials, teacher_id, source, capacity, status, submitted_by,
             created_by, updated_by)
         select $1::bigint, w.title, w.key, w.initials, a.teacher_id, 'research', 10, 'approved', 0, 0, 0
         from unnest($2::text[], $3::text[], $4::text[]) with ordinality as w (title, key, initials, place)
         join (select teacher_id, row_number() over (order by id) as place, count(*) over () as most
               from thesis_adviser where plan_id = $1) a on a.place = (w.place - 1) % a.most + 1",
        plan,
        &names,
        &keys,
        &initials
    )
    .execute(&mut **tx)
    .await?;
    theses(tx, plan, semester.id).await?;
    groups(tx, plan, today).await
}

/// One stage after the other, the last first, each with its topic and adviser.
async fn theses(tx: &mut Tx, plan: i64, semester: i64) -> Result<()> {
    sqlx::query!(
        "insert into thesis (plan_id, selection_id, student_id, topic_id, title, adviser_id, stage, stage_status, similarity_rate,
             similarity_tool, similarity_count, created_by, updated_by)
         select $1::bigint, n.id, n.student_id, case when s.stage <> 'topic' then t.id end,
                case when s.stage <> 'topic' then t.title end, case when s.stage <> 'topic' then t.teacher_id end, s.stage, s.status,
                case when s.place > 5 then (n.place % 28)::numeric end, case when s.place > 5 then '知网' end,
                case when s.place > 5 then 1 else 0 end, 0, 0
         from (select c.id, c.student_id, row_number() over (order by c.id) as place
               from course_selection c join course u on u.id = c.course_id and u.kind = 'thesis'
               where c.semester_id = $2 and c.status = 'selected') n
         join (values (0, 'topic', 'pending'), (1, 'proposal', 'submitted'), (2, 'draft', 'pending'), (3, 'draft', 'submitted'),
                      (4, 'final', 'submitted'), (5, 'similarity', 'pending'), (6, 'review', 'pending'), (7, 'defense', 'pending'),
                      (8, 'defense', 'submitted'), (9, 'defense', 'passed')) s (place, stage, status)
              on s.place = 9 - (n.place - 1) % 10
         join (select id, title, teacher_id, row_number() over (order by id) as place, count(*) over () as most
               from thesis_topic where plan_id = $1) t on t.place = (n.place - 1) % t.most + 1
         where n.place <= $3
         order by n.id",
        plan,
        semester,
        THESES
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "update thesis_topic t set taken = n.taken
         from (select topic_id, count(*)::integer as taken from thesis where plan_id = $1 and topic_id is not null group by topic_id) n
         where t.id = n.topic_id",
        plan
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into thesis_review (thesis_id, reviewer_id, score, opinion, submitted_at, created_by, updated_by)
         select x.id, a.teacher_id, 70 + x.id % 25, 'agree', x.created_at, 0, 0
         from thesis x
         cross join lateral (
             select b.teacher_id from thesis_adviser b
             where b.plan_id = x.plan_id and b.teacher_id is distinct from x.adviser_id order by (b.id + x.id) % 5, b.id limit 1) a
         where x.plan_id = $1 and x.stage = 'defense'",
        plan
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Two groups of those who advise nobody, which are left for it: one heard its theses, the other will; none where there are
/// few teachers.
async fn groups(tx: &mut Tx, plan: i64, today: NaiveDate) -> Result<()> {
    let free = sqlx::query_scalar!(
        "select t.id from teacher t
         where t.status = 'active' and not exists (select from thesis_adviser a where a.plan_id = $1 and a.teacher_id = t.id)
         order by t.id limit 8",
        plan
    )
    .fetch_all(&mut **tx)
    .await?;
    let days = [today.checked_sub_days(Days::new(3)), today.checked_add_days(Days::new(7))];
    for ((people, day), (name, stage)) in
        free.chunks_exact(4).zip(days).zip([("第一组", "passed"), ("第二组", "submitted")])
    {
        let held_at = day_began(day.unwrap_or(today)) + chrono::TimeDelta::hours(9);
        let heard = stage == "passed";
        let group = sqlx::query_scalar!(
            "insert into defense_group (plan_id, name, mode, held_at, place, secretary_teacher_id, status, created_by, updated_by)
             values ($1, $2, 'onsite', $3, '教学楼201', $4, $5, 0, 0) returning id",
            plan,
            name,
            held_at as _,
            people[3],
            if heard { "finished" } else { "arranged" }
        )
        .fetch_one(&mut **tx)
        .await?;
        sqlx::query!(
            "insert into defense_member (group_id, teacher_id, chair)
             select $1::bigint, w.id, w.place = 1 from unnest($2::bigint[]) with ordinality as w (id, place)",
            group,
            &people[..3]
        )
        .execute(&mut **tx)
        .await?;
        sqlx::query!(
            "insert into defense_slot (group_id, thesis_id, order_no, planned_at, present, comment, score, result, created_by, updated_by)
             select $1::bigint, x.id, (row_number() over (order by x.id))::integer, $4::timestamptz,
                    case when $5 then true end, case when $5 then '答辩清楚，论证充分' end,
                    case when $5 then 72 + x.id % 20 end, case when $5 then 'passed' end, 0, 0
             from thesis x where x.plan_id = $2 and x.stage = 'defense' and x.stage_status = $3",
            group,
            plan,
            stage,
            held_at as _,
            heard
        )
        .execute(&mut **tx)
        .await?;
        sqlx::query!(
            "insert into defense_score (slot_id, member_teacher_id, score, created_by, updated_by)
             select z.id, m.teacher_id, z.score, 0, 0
             from defense_slot z join defense_member m on m.group_id = z.group_id
             where z.group_id = $1 and z.score is not null",
            group
        )
        .execute(&mut **tx)
        .await?;
    }
    sqlx::query!(
        "update thesis set defense_result = 'passed' where plan_id = $1 and stage = 'defense' and stage_status = 'passed'",
        plan
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
