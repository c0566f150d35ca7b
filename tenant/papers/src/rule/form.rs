//! What a teacher types of a rule, and how it is written.

use infra::{
    Change, Edit, Error, OnConstraint, Result, Tx,
    naming::{switched_off, tidy},
    pinyin,
};
use poem_openapi::{Object, types::Example};
use question_bank::{
    enums::{MultipleRule, PaperKind, QuestionDifficulty, QuestionType},
    score::{is_score, points, shown, tenths},
};

use super::select::{PaperRuleView, viewed};

/// A section of what a rule draws.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PaperRuleItemForm {
    /// 大题标题
    #[oai(validator(max_length = 100))]
    pub title: String,
    /// 题型
    #[oai(rename = "type")]
    pub kind: QuestionType,
    /// 题库
    /// 不填为本课程可用的全部题库
    #[oai(default, validator(max_items = 50))]
    pub bank_ids: Vec<i64>,
    /// 章节
    /// 章包含其下的节，不填为全部
    #[oai(default, validator(max_items = 200))]
    pub chapter_ids: Vec<i64>,
    /// 知识点
    #[oai(default, validator(max_items = 200))]
    pub knowledge_point_ids: Vec<i64>,
    /// 难度
    #[oai(default, validator(max_items = 5))]
    pub difficulties: Vec<QuestionDifficulty>,
    /// 题数
    #[oai(validator(minimum(value = "1"), maximum(value = "200")))]
    pub count: i32,
    /// 每题分值
    pub score_each: f64,
    /// 多选题计分
    pub multiple_rule: Option<MultipleRule>,
}

/// What a teacher types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PaperRuleForm {
    /// 策略名称
    #[oai(validator(max_length = 100))]
    pub name: String,
    /// 课程
    pub course_id: i64,
    /// 用途
    pub kind: PaperKind,
    /// 总分
    /// 不填为100
    pub total_score: Option<f64>,
    /// 时长(分钟)
    #[oai(validator(minimum(value = "10"), maximum(value = "300")))]
    pub duration_minutes: Option<i32>,
    /// 避开最近几个学期用过的试题
    #[oai(default, validator(minimum(value = "0"), maximum(value = "6")))]
    pub avoid_recent_semesters: i32,
    /// 避开作业用过的试题
    #[oai(default)]
    pub avoid_homework_questions: bool,
    /// 大题
    #[oai(validator(min_items = 1, max_items = 30))]
    pub items: Vec<PaperRuleItemForm>,
}

impl Example for PaperRuleForm {
    fn example() -> Self {
        Self {
            name: "期末考试".to_owned(),
            course_id: 1,
            kind: PaperKind::Exam,
            total_score: Some(20.0),
            duration_minutes: Some(90),
            avoid_recent_semesters: 2,
            avoid_homework_questions: false,
            items: vec![PaperRuleItemForm {
                title: "一、单项选择题".to_owned(),
                kind: QuestionType::SingleChoice,
                bank_ids: Vec::new(),
                chapter_ids: Vec::new(),
                knowledge_point_ids: Vec::new(),
                difficulties: Vec::new(),
                count: 10,
                score_each: 2.0,
                multiple_rule: None,
            }],
        }
    }
}

/// In tenths.
const USUAL_TOTAL: i64 = 1_000;
/// Questions of one paper, as when it is put together by hand.
const MOST_QUESTIONS: i64 = 500;

impl PaperRuleForm {
    fn total(&self) -> i64 {
        self.total_score.map_or(USUAL_TOTAL, tenths)
    }

    /// # Errors
    /// 422 at scores that do not add up.
    fn check(&self) -> Result<()> {
        if self.total_score.is_some_and(|score| !is_score(score, 5, 10_000)) {
            return Err(Error::field("totalScore", "总分应在0.5到1000之间，最多一位小数"));
        }
        if let Some(place) = self.items.iter().position(|item| !is_score(item.score_each, 1, 1_000)) {
            return Err(Error::field(&format!("items[{place}].scoreEach"), "每题分值应在0.1到100之间，最多一位小数"));
        }
        if self.items.iter().map(|item| i64::from(item.count)).sum::<i64>() > MOST_QUESTIONS {
            return Err(Error::field("items", format!("试卷最多{MOST_QUESTIONS}题")));
        }
        let sum: i64 = self.items.iter().map(|item| i64::from(item.count) * tenths(item.score_each)).sum();
        if sum != self.total() {
            let told = format!("各大题合计{}分，与总分{}不一致", shown(sum), shown(self.total()));
            return Err(Error::field("totalScore", told));
        }
        if self.kind == PaperKind::Homework && self.duration_minutes.is_some() {
            return Err(Error::field("durationMinutes", "作业不填时长"));
        }
        Ok(())
    }
}

/// # Errors
/// 422 at what is not of the course, or not to be chosen. Banks that the rule names already stay, whoever writes it again, while
/// its course and its use are the same.
async fn check(tx: &mut Tx, form: &PaperRuleForm, before: Option<&PaperRuleView>) -> Result<()> {
    form.check()?;
    let course = sqlx::query!("select name, enabled from course where id = $1", form.course_id)
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(|| Error::field("courseId", "所选课程不存在，请重新选择"))?;
    if !course.enabled && before.is_none_or(|before| before.rule.course_id != form.course_id) {
        return Err(switched_off("courseId", &course.name));
    }
    let by = tx.by();
    let usages: Vec<String> = form.kind.usages().iter().map(|usage| (*usage).to_owned()).collect();
    let same = |before: &&PaperRuleView| {
        before.rule.course_id == form.course_id && before.rule.kind.usages() == form.kind.usages()
    };
    let held = before.filter(same).map(PaperRuleView::banks).unwrap_or_default();
    for (place, item) in form.items.iter().enumerate() {
        let at = |field: &str| format!("items[{place}].{field}");
        let known = sqlx::query!(
            r#"select (select count(*) from course_chapter where id = any($1) and course_id = $2) as "chapters!",
                      (select count(*) from knowledge_point where id = any($3) and course_id = $2) as "points!",
                      (select count(*) from question_bank b where b.id = any($4) and (b.id = any($7)
                          or (b.course_id = $2 and b.usage = any($5)
                              and (b.visibility = 'school' or b.created_by = $6 or exists (
                                  select from question_bank_member m where m.bank_id = b.id and m.account_id = $6))))) as "banks!",
                      (select min(b.name) from question_bank b
                       where b.id = any($4) and not b.enabled and b.id <> all($7)) as switched_off"#,
            &item.chapter_ids,
            form.course_id,
            &item.knowledge_point_ids,
            &item.bank_ids,
            &usages,
            by,
            &held
        )
        .fetch_one(&mut **tx)
        .await?;
        let all = |found: i64, wanted: &[i64]| {
            let mut wanted = wanted.to_vec();
            wanted.sort_unstable();
            wanted.dedup();
            usize::try_from(found).ok() == Some(wanted.len())
        };
        if !all(known.chapters, &item.chapter_ids) {
            return Err(Error::field(&at("chapterIds"), "部分章节不属于本课程，请重新选择"));
        }
        if !all(known.points, &item.knowledge_point_ids) {
            return Err(Error::field(&at("knowledgePointIds"), "部分知识点不属于本课程，请重新选择"));
        }
        if !all(known.banks, &item.bank_ids) {
            return Err(Error::field(&at("bankIds"), "部分题库不存在、不属于本课程或不能用于该用途，请重新选择"));
        }
        if let Some(name) = &known.switched_off {
            return Err(switched_off(&at("bankIds"), name));
        }
    }
    Ok(())
}

pub(super) async fn insert(tx: &mut Tx, form: &PaperRuleForm) -> Result<(i64, Change)> {
    check(tx, form, None).await?;
    let (by, name) = (tx.by(), tidy(&form.name));
    let id = sqlx::query_scalar!(
        "insert into paper_rule (name, initials, course_id, kind, total_score, duration_minutes, avoid_recent_semesters,
             avoid_homework_questions, created_by, updated_by)
         values ($1, $2, $3, $4, $5::float8::numeric, $6, $7, $8, $9, $9) returning id",
        name,
        pinyin::text_initials(&name),
        form.course_id,
        form.kind.as_str(),
        points(form.total()),
        form.duration_minutes,
        form.avoid_recent_semesters,
        form.avoid_homework_questions,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| explain(constraint, &name))?;
    set_items(tx, id, &form.items).await?;
    Ok((id, Change::created("paper_rule", id, form)))
}

/// What was typed by an account, with the banks that the rule names and the account does not see: they stay where they are.
///
/// # Errors
/// 409 when a section with such banks is not where it was.
async fn with_unseen(tx: &mut Tx, form: &PaperRuleForm, before: &PaperRuleView) -> Result<PaperRuleForm> {
    let by = tx.by();
    let seen = before.clone().seen_by(tx, by).await?;
    let mut whole = form.clone();
    for (place, (item, seen)) in before.items.iter().zip(&seen.items).enumerate() {
        let unseen = item.bank_ids.iter().filter(|bank| !seen.bank_ids.contains(bank));
        let unseen: Vec<i64> = unseen.copied().collect();
        if unseen.is_empty() {
            continue;
        }
        let same = whole.items.get_mut(place).filter(|own| own.kind == item.kind);
        let own = same
            .ok_or_else(|| Error::conflict(format!("第{}项含有仅成员可见的题库，请由题库成员调整该项", place + 1)))?;
        own.bank_ids.extend(unseen);
    }
    Ok(whole)
}

/// # Errors
/// 409 when somebody else edited meanwhile, and as [`with_unseen`].
pub(super) async fn update(tx: &mut Tx, edit: &Edit<PaperRuleForm>) -> Result<Change> {
    let Edit { id, version, form } = edit;
    tx.lock("paper_rule", *id).await?;
    let before = viewed(tx, *id).await?;
    let form = &with_unseen(tx, form, &before).await?;
    check(tx, form, Some(&before)).await?;
    let (by, name) = (tx.by(), tidy(&form.name));
    let changed = sqlx::query!(
        "update paper_rule set name = $3, initials = $4, course_id = $5, kind = $6, total_score = $7::float8::numeric,
                duration_minutes = $8, avoid_recent_semesters = $9, avoid_homework_questions = $10, updated_at = now(),
                updated_by = $11, version = version + 1
         where id = $1 and version = $2",
        *id,
        *version,
        name,
        pinyin::text_initials(&name),
        form.course_id,
        form.kind.as_str(),
        points(form.total()),
        form.duration_minutes,
        form.avoid_recent_semesters,
        form.avoid_homework_questions,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|constraint| explain(constraint, &name))?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("paper_rule", *id).await);
    }
    sqlx::query!("delete from paper_rule_item where rule_id = $1", *id).execute(&mut **tx).await?;
    set_items(tx, *id, &form.items).await?;
    let after = viewed(tx, *id).await?;
    Ok(Change::edited("paper_rule", *id, &before, &after))
}

async fn set_items(tx: &mut Tx, rule: i64, items: &[PaperRuleItemForm]) -> Result<()> {
    for (place, item) in (1_i32..).zip(items) {
        let difficulties: Vec<i16> = item.difficulties.iter().map(|difficulty| difficulty.grade()).collect();
        let id = sqlx::query_scalar!(
            "insert into paper_rule_item (rule_id, sort_no, title, type, difficulties, count, score_each, multiple_rule)
             values ($1, $2, $3, $4, $5, $6, $7::float8::numeric, $8) returning id",
            rule,
            place,
            tidy(&item.title),
            item.kind.as_str(),
            &difficulties,
            item.count,
            item.score_each,
            item.multiple_rule.unwrap_or(MultipleRule::AllOrNothing).as_str()
        )
        .fetch_one(&mut **tx)
        .await?;
        sqlx::query!(
            "insert into paper_rule_bank (item_id, bank_id) select $1, b.id from unnest($2::bigint[]) as b (id)
             on conflict (item_id, bank_id) do nothing",
            id,
            &item.bank_ids
        )
        .execute(&mut **tx)
        .await?;
        sqlx::query!(
            "insert into paper_rule_chapter (item_id, chapter_id) select $1, h.id from unnest($2::bigint[]) as h (id)
             on conflict (item_id, chapter_id) do nothing",
            id,
            &item.chapter_ids
        )
        .execute(&mut **tx)
        .await?;
        sqlx::query!(
            "insert into paper_rule_point (item_id, knowledge_point_id) select $1, k.id from unnest($2::bigint[]) as k (id)
             on conflict (item_id, knowledge_point_id) do nothing",
            id,
            &item.knowledge_point_ids
        )
        .execute(&mut **tx)
        .await?;
    }
    Ok(())
}

fn explain(constraint: &str, name: &str) -> Option<Error> {
    (constraint == "paper_rule_name_taken").then(|| Error::field("name", format!("本课程已有名为“{name}”的策略")))
}
