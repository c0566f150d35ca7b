//! 检查题量, 生成试卷: what a rule finds in the banks of this moment, and the papers that it makes of it (part 03 A8).

use std::collections::HashMap;

use chrono::NaiveDate;
use infra::{
    Allowed, Body, Change, Error, Reply, Result, Tx,
    access::Permission,
    clock::{Moment, day_began},
    naming::switched_off,
    reply,
};
use paper_rules::{
    draw::{Fit, Need, Reach, draw, of_student},
    rule_item::{PaperRuleItem, short},
    variants::{Stop, family, flat, number},
};
use poem_openapi::{Object, OpenApi, types::Example};
use question_bank::{
    enums::{PaperKind, QuestionStatus},
    score::{points, shown, tenths},
};
use sqlx::PgConnection;
use tokio::task::spawn_blocking;

use super::{
    CheckPaperRule, GeneratePapers,
    select::{PaperRuleView, viewed},
};
use crate::{
    content::{DetailSection, questions},
    enums::PaperComposeMode,
    paper::{
        EditPaper,
        compose::{Chosen, ChosenQuestion, write},
        form::{NewPaper, insert_row, next_codes},
        held,
    },
    snapshot::{self, Frozen},
};

/// Which rule.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct RuleToCheck {
    /// 编号
    pub id: i64,
}

impl Example for RuleToCheck {
    fn example() -> Self {
        Self { id: 1 }
    }
}

/// What an item finds.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct RuleCheckItem {
    /// 顺序
    pub sort_no: i32,
    /// 大题标题
    pub title: String,
    /// 抽题范围
    pub label: String,
    /// 需要题数
    pub need: i64,
    /// 符合条件的题数
    pub eligible: i64,
    /// 与其他大题一起可抽的题数
    pub reachable: i64,
    /// 说明
    /// 题量不足时
    pub message: Option<String>,
}

/// Whether a rule can be served.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct RuleCheck {
    /// 题量足够
    pub feasible: bool,
    /// 大题
    pub items: Vec<RuleCheckItem>,
}

/// How many papers are wanted.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PaperGeneration {
    /// 策略
    pub id: i64,
    /// 套数
    #[oai(validator(minimum(value = "1"), maximum(value = "50")))]
    pub count: i32,
    /// 每套卷数
    /// A卷、B卷等，不填为1
    #[oai(validator(minimum(value = "1"), maximum(value = "6")))]
    pub variants: Option<i32>,
    /// 各卷重复题上限(%)
    /// 不填为100
    #[oai(validator(minimum(value = "0"), maximum(value = "100")))]
    pub overlap_max_percent: Option<i32>,
    /// 随机种子
    /// 同一策略、种子和题库得到相同的试卷
    pub seed: Option<i64>,
    /// 试卷
    /// 填写时将该草稿按策略组卷，套数和卷数为1
    pub paper_id: Option<i64>,
    /// 试卷版本
    /// 填写试卷时必填
    pub version: Option<i32>,
    /// 试卷名称
    /// 不填为策略名称
    #[oai(validator(max_length = 100))]
    pub name: Option<String>,
}

impl Example for PaperGeneration {
    fn example() -> Self {
        Self {
            id: 1,
            count: 1,
            variants: Some(2),
            overlap_max_percent: Some(10),
            seed: Some(20261126),
            paper_id: None,
            version: None,
            name: None,
        }
    }
}

/// The papers that were made.
#[derive(Debug, Clone, Object)]
pub struct GeneratedPapers {
    /// 试卷
    pub ids: Vec<i64>,
    /// 随机种子
    pub seed: i64,
}

pub struct Generation;

#[OpenApi(prefix_path = "/exam/pc/exam/rule", tag = "crate::Tag::Papers")]
impl Generation {
    /// 检查策略题量
    #[oai(path = "/check", method = "post", operation_id = "checkPaperRule")]
    async fn check(
        &self,
        caller: Allowed<CheckPaperRule>,
        Body(wanted): Body<RuleToCheck>,
    ) -> Result<Reply<RuleCheck>> {
        let mut tx = caller.read().await?;
        let rule = viewed(&mut tx, wanted.id).await?;
        let labels = labels(&mut tx, &rule).await?;
        let today = caller.app().clock().today();
        let needs = needs(&mut tx, &rule, today, Some(caller.user_id())).await?;
        let (needs, drawn) = beside(needs, |needs| draw(needs, 0, &HashMap::new())).await?;
        let reached = match drawn {
            Ok(_) => needs.iter().map(|need| Reach { need: need.count, reachable: need.count }).collect(),
            Err(reached) => reached,
        };
        let items: Vec<RuleCheckItem> = rule
            .items
            .iter()
            .zip(&needs)
            .zip(reached)
            .zip(labels)
            .map(|(((item, need), reach), label)| RuleCheckItem {
                sort_no: item.sort_no,
                title: item.title.clone(),
                need: number(reach.need),
                eligible: number(need.fits.len()),
                reachable: number(reach.reachable),
                message: short(item, &label, reach),
                label,
            })
            .collect();
        Ok(reply(RuleCheck { feasible: items.iter().all(|item| item.message.is_none()), items }))
    }

    /// 按策略生成试卷
    /// 组卷到已有试卷时还须有编辑试卷的权限
    #[oai(path = "/generate", method = "post", operation_id = "generatePapers")]
    async fn generate(
        &self,
        caller: Allowed<GeneratePapers>,
        Body(wanted): Body<PaperGeneration>,
    ) -> Result<Reply<GeneratedPapers>> {
        let target = match (wanted.paper_id, wanted.version) {
            (None, _) => None,
            // What is put into a paper is its edit.
            (Some(_), _) if !caller.holds(<EditPaper as Permission>::CODE) => return Err(Error::forbidden()),
            (Some(paper), Some(version)) => Some((paper, version)),
            (Some(_), None) => return Err(Error::field("version", "请填写试卷版本")),
        };
        let mut tx = caller.begin_long().await?;
        let rule = viewed(&mut tx, wanted.id).await?;
        if !rule.rule.enabled {
            return Err(switched_off("id", &rule.rule.name));
        }
        let chance = || {
            let mut bytes = [0; 4];
            caller.app().random().fill(&mut bytes);
            i64::from(u32::from_be_bytes(bytes))
        };
        let seed = wanted.seed.unwrap_or_else(chance);
        let labels = labels(&mut tx, &rule).await?;
        let today = caller.app().clock().today();
        let needs = needs(&mut tx, &rule, today, Some(caller.user_id())).await?;
        let mut changes = Vec::new();
        let mut ids = Vec::new();
        if let Some((paper, version)) = target {
            let (_, drawn) = beside(needs, move |needs| draw(needs, seed, &HashMap::new())).await?;
            let drawn = drawn.map_err(|reached| refused(&rule, &labels, &reached))?;
            let sections = sections(&mut tx, &rule, &drawn).await?;
            changes.push(fill(&mut tx, (paper, version), &rule, seed, &sections).await?);
            ids.push(paper);
        } else {
            let most = i64::from(wanted.overlap_max_percent.unwrap_or(100));
            let variants = usize::try_from(wanted.variants.unwrap_or(1)).unwrap_or(1);
            let questions: usize = needs.iter().map(|need| need.count).sum();
            let papers_wanted = usize::try_from(wanted.count).unwrap_or(1) * variants;
            if questions * papers_wanted > MOST_DRAWN {
                return Err(Error::field("count", "生成的试题过多，请减少套数后分批生成"));
            }
            let rounds = i64::from(wanted.count);
            let all = move |needs: &[Need]| -> Result<Vec<(i64, Vec<Drawn>)>, Stop> {
                let seeds = (0..rounds).map(|round| if round == 0 { seed } else { of_student(seed, round) });
                seeds.map(|seed| Ok((seed, family(needs, seed, variants, most)?))).collect()
            };
            let (_, families) = beside(needs, all).await?;
            let families = families.map_err(|stop| match stop {
                Stop::Short(reached) => refused(&rule, &labels, &reached),
                Stop::Alike(variant, percent) => Error::refused(format!(
                    "题量不足：{}卷与其他卷重复题{percent}%，超过上限{most}%，请增加试题或调整上限",
                    variant_word(variant)
                )),
            })?;
            let mut rounds = Vec::with_capacity(families.len());
            for (seed, drawn) in families {
                let mut variants = Vec::with_capacity(drawn.len());
                for drawn in &drawn {
                    variants.push(sections(&mut tx, &rule, drawn).await?);
                }
                rounds.push((seed, variants));
            }
            let mut codes = next_codes(&mut tx, papers_wanted).await?.into_iter();
            for (round, (seed, variants)) in (0..).zip(rounds) {
                let made = papers(&mut tx, &rule, seed, (variants, &mut codes), (&wanted, round)).await?;
                ids.extend(made.iter().map(|(id, _)| *id));
                changes.extend(made.into_iter().map(|(_, change)| change));
            }
        }
        tx.commit_all(changes).await?;
        Ok(reply(GeneratedPapers { ids, seed }))
    }
}

/// The questions of each item.
type Drawn = Vec<Vec<i64>>;

/// Questions that one call puts into papers.
const MOST_DRAWN: usize = 60_000;

/// Draws beside the requests: a large bank takes its time.
async fn beside<T: Send + 'static>(
    needs: Vec<Need>,
    drawing: impl FnOnce(&[Need]) -> T + Send + 'static,
) -> Result<(Vec<Need>, T)> {
    let drawn = spawn_blocking(move || {
        let drawn = drawing(&needs);
        (needs, drawn)
    });
    drawn.await.map_err(Error::internal)
}

fn variant_word(variant: usize) -> char {
    u8::try_from(variant).map_or('?', |variant| char::from(b'A' + variant))
}

fn refused(rule: &PaperRuleView, labels: &[String], reached: &[Reach]) -> Error {
    let told: Vec<String> = rule
        .items
        .iter()
        .zip(labels)
        .zip(reached)
        .filter_map(|((item, label), reach)| short(item, label, *reach))
        .collect();
    Error::refused(told.join("；"))
}

/// What each item draws from, in words: `单选题·第3章·中`.
async fn labels(connection: &mut PgConnection, rule: &PaperRuleView) -> Result<Vec<String>> {
    let chapters: Vec<i64> = rule.items.iter().flat_map(|item| item.chapter_ids.clone()).collect();
    let named: Vec<i64> = rule.items.iter().flat_map(|item| item.knowledge_point_ids.clone()).collect();
    let titles = sqlx::query!("select id, title from course_chapter where id = any($1)", &chapters)
        .fetch_all(&mut *connection)
        .await?;
    let titles: HashMap<i64, String> = titles.into_iter().map(|row| (row.id, row.title)).collect();
    let names =
        sqlx::query!("select id, name from knowledge_point where id = any($1)", &named).fetch_all(connection).await?;
    let names: HashMap<i64, String> = names.into_iter().map(|row| (row.id, row.name)).collect();
    let words = |ids: &[i64], known: &HashMap<i64, String>| {
        ids.iter().filter_map(|id| known.get(id).cloned()).collect::<Vec<_>>().join("、")
    };
    let label = |item: &PaperRuleItem| {
        let difficulties: Vec<&str> = item.difficulties.iter().map(|difficulty| difficulty.zh()).collect();
        let parts = [
            item.kind.zh().to_owned(),
            words(&item.chapter_ids, &titles),
            words(&item.knowledge_point_ids, &names),
            difficulties.join("、"),
        ];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("·")
    };
    Ok(rule.items.iter().map(label).collect())
}

/// Since when what was used is avoided: the beginning of the oldest of the latest semesters.
async fn avoided_since(connection: &mut PgConnection, semesters: i32, today: NaiveDate) -> Result<Option<Moment>> {
    if semesters == 0 {
        return Ok(None);
    }
    let day = sqlx::query_scalar!(
        "select starts_on from semester where starts_on <= $2 order by starts_on desc limit 1 offset $1",
        i64::from(semesters - 1),
        today
    )
    .fetch_optional(&mut *connection)
    .await?;
    // Fewer semesters than are to be avoided: all of them.
    let day = match day {
        Some(day) => Some(day),
        None => sqlx::query_scalar!("select min(starts_on) from semester").fetch_one(connection).await?,
    };
    Ok(day.map(day_began))
}

/// What each item wants, with the questions that fit it now; of the banks that an item names those alone that the account, where
/// there is one, may see.
async fn needs(
    connection: &mut PgConnection,
    rule: &PaperRuleView,
    today: NaiveDate,
    viewer: Option<i64>,
) -> Result<Vec<Need>> {
    let head = &rule.rule;
    let since = avoided_since(connection, head.avoid_recent_semesters, today).await?;
    let usages: Vec<String> = head.kind.usages().iter().map(|usage| (*usage).to_owned()).collect();
    let mut needs = Vec::with_capacity(rule.items.len());
    for item in &rule.items {
        let difficulties: Vec<i16> = item.difficulties.iter().map(|difficulty| difficulty.grade()).collect();
        let fits = sqlx::query!(
            "select q.id, q.used_count from question q join question_bank b on b.id = q.bank_id
             where q.parent_id is null and q.status = 'enabled' and q.type = $1 and b.enabled and b.usage = any($2)
               and (case when $3::bigint[] = '{}' then q.course_id = $4 and b.visibility = 'school' else q.bank_id = any($3) end)
               and ($5::bigint[] = '{}' or q.chapter_id = any($5)
                    or q.chapter_id in (select h.id from course_chapter h where h.parent_id = any($5)))
               and ($6::bigint[] = '{}' or exists (
                    select from question_knowledge k where k.question_id = q.id and k.knowledge_point_id = any($6)))
               and ($7::smallint[] = '{}' or q.difficulty = any($7))
               and ($8::timestamptz is null or not exists (
                    select from snapshot_question s join paper_snapshot p on p.id = s.snapshot_id
                    where s.whole_id = q.id and p.course_id = $4 and p.kind = $9 and p.created_at >= $8))
               and (not $10 or not exists (
                    select from snapshot_question s join paper_snapshot p on p.id = s.snapshot_id
                    where s.whole_id = q.id and p.kind = 'homework'))
               and ($11::bigint is null or b.visibility = 'school' or b.created_by = $11 or exists (
                    select from question_bank_member m where m.bank_id = b.id and m.account_id = $11))
             order by q.id",
            item.kind.as_str(),
            &usages,
            &item.bank_ids,
            head.course_id,
            &item.chapter_ids,
            &item.knowledge_point_ids,
            &difficulties,
            since,
            head.kind.as_str(),
            head.avoid_homework_questions,
            viewer
        )
        .fetch_all(&mut *connection)
        .await?;
        let fits = fits.into_iter().map(|row| Fit { id: row.id, used: row.used_count }).collect();
        needs.push(Need { count: usize::try_from(item.count).unwrap_or_default(), fits });
    }
    Ok(needs)
}

/// What a section gives for a question is not enough for all its parts.
fn too_small(title: &str, score: i64) -> Error {
    Error::refused(format!("“{title}”每题{}分过小，不够分给试题的各空或各小题", shown(score)))
}

/// The sections of a paper with the questions that were drawn.
///
/// # Errors
/// As [`too_small`].
async fn sections(connection: &mut PgConnection, rule: &PaperRuleView, drawn: &[Vec<i64>]) -> Result<Vec<Chosen>> {
    let all: Vec<i64> = drawn.iter().flatten().copied().collect();
    let known = questions(connection, &all).await?;
    let mut sections = Vec::with_capacity(drawn.len());
    for (item, ids) in rule.items.iter().zip(drawn) {
        let score = tenths(item.score_each);
        let mut held = Vec::with_capacity(ids.len());
        for id in ids {
            let question = known.get(id).ok_or_else(Error::not_found)?;
            let (blanks, subs) = question.shares(score).ok_or_else(|| too_small(&item.title, score))?;
            held.push(ChosenQuestion { id: *id, score, blanks, subs });
        }
        sections.push(Chosen {
            id: None,
            title: item.title.clone(),
            instruction: None,
            kind: Some(item.kind),
            default_score: Some(score),
            multiple_rule: item.multiple_rule,
            questions: held,
        });
    }
    Ok(sections)
}

/// Fills a draft of the same course, of the version that was read.
async fn fill(
    tx: &mut Tx,
    (paper, version): (i64, i32),
    rule: &PaperRuleView,
    seed: i64,
    sections: &[Chosen],
) -> Result<Change> {
    let before = held(tx, paper).await?;
    before.as_read(tx, version).await?;
    before.editable()?;
    if before.course_id != rule.rule.course_id || before.kind != rule.rule.kind {
        return Err(Error::field("paperId", "试卷的课程和用途应与策略相同"));
    }
    sqlx::query!(
        "update paper set rule_id = $2, rule_seed = $3,
                compose_mode = case when compose_mode = 'manual' then 'mixed' else compose_mode end where id = $1",
        paper,
        rule.rule.id,
        seed
    )
    .execute(&mut **tx)
    .await?;
    write(tx, &before, sections).await
}

/// Writes the variants of one paper, each under the next of the codes.
async fn papers(
    tx: &mut Tx,
    rule: &PaperRuleView,
    seed: i64,
    (variants, codes): (Vec<Vec<Chosen>>, &mut std::vec::IntoIter<String>),
    (wanted, round): (&PaperGeneration, i64),
) -> Result<Vec<(i64, Change)>> {
    let head = &rule.rule;
    let name = wanted.name.clone().unwrap_or_else(|| head.name.clone());
    let name = if wanted.count > 1 { format!("{name}（{}）", round + 1) } else { name };
    let mut made: Vec<(i64, Change)> = Vec::new();
    for (variant, (sections, code)) in variants.iter().zip(codes).enumerate() {
        let new = NewPaper {
            code: Some(code),
            name: name.clone(),
            course_id: head.course_id,
            kind: head.kind,
            compose_mode: PaperComposeMode::Rule,
            rule_id: Some(head.id),
            rule_seed: Some(seed),
            total: tenths(head.total_score),
            pass: tenths(head.total_score) * 6 / 10,
            duration_minutes: head.duration_minutes.filter(|_| head.kind != PaperKind::Homework),
            overlap_max_percent: wanted.overlap_max_percent.unwrap_or(100),
            family_id: made.first().map(|(id, _)| *id),
            version_no: 1,
            variant: variant_word(variant).to_string(),
        };
        let (id, created) = insert_row(tx, &new).await?;
        let before = held(tx, id).await?;
        write(tx, &before, sections).await?;
        made.push((id, created));
    }
    Ok(made)
}

/// Draws the rule for each of some students and freezes what each gets; equal ones are frozen once. Nothing is written unless
/// all can be served (B6, 04).
///
/// # Errors
/// 404 without such a rule; 422 with what is missing, as [`PaperGeneration`] tells it; 409 when a question that was drawn went out
/// of use meanwhile.
pub async fn deal(tx: &mut Tx, rule: i64, seed: i64, students: &[i64]) -> Result<HashMap<i64, Frozen>> {
    let rule = viewed(tx, rule).await?;
    let labels = labels(tx, &rule).await?;
    let today = tx.app().clock().today();
    // Whoever made the rule saw its banks.
    let needs = needs(tx, &rule, today, None).await?;
    let wanted = students.to_vec();
    let each = move |needs: &[Need]| -> Result<Vec<(i64, Drawn)>, Vec<Reach>> {
        let one = |student: i64| Ok((student, draw(needs, of_student(seed, student), &HashMap::new())?));
        wanted.into_iter().map(one).collect()
    };
    let (_, drawn) = beside(needs, each).await?;
    let drawn = drawn.map_err(|reached| refused(&rule, &labels, &reached))?;
    let mut all: Vec<i64> = drawn.iter().flat_map(|(_, taken)| flat(taken)).collect();
    all.sort_unstable();
    all.dedup();
    // Held while they are read: nobody edits a part of one meanwhile.
    question_bank::question::hold(tx, &all).await?;
    let known = questions(tx, &all).await?;
    let unusable = known.values().filter(|question| question.status != QuestionStatus::Enabled).count();
    if unusable > 0 || known.len() < all.len() {
        let unusable = unusable + all.len() - known.len();
        return Err(Error::conflict(format!("抽到的{unusable}道试题刚被停用或修改，请重试")));
    }
    let mut dealt = HashMap::with_capacity(students.len());
    for (student, drawn) in drawn {
        let mut seq = 0;
        let mut whole = Vec::with_capacity(drawn.len());
        for (item, ids) in rule.items.iter().zip(&drawn) {
            let score = tenths(item.score_each);
            let mut held = Vec::with_capacity(ids.len());
            for id in ids {
                let mut question = known.get(id).cloned().ok_or_else(Error::not_found)?;
                seq += 1;
                question.seq = seq.to_string();
                let (blanks, subs) = question.shares(score).ok_or_else(|| too_small(&item.title, score))?;
                let wire = |scores: Vec<i64>| -> Vec<f64> { scores.into_iter().map(points).collect() };
                question.score = points(score);
                (question.blank_scores, question.sub_scores) = (blanks.map(wire), subs.map(wire));
                held.push(question);
            }
            whole.push(DetailSection {
                id: None,
                title: item.title.clone(),
                instruction: None,
                kind: Some(item.kind),
                default_score: Some(item.score_each),
                multiple_rule: item.multiple_rule,
                questions: held,
            });
        }
        let head = snapshot::Head {
            paper_id: None,
            paper_version: None,
            rule_id: Some(rule.rule.id),
            course_id: rule.rule.course_id,
            kind: rule.rule.kind,
            code: String::new(),
            name: rule.rule.name.clone(),
            variant: "A".to_owned(),
            total: tenths(rule.rule.total_score),
        };
        dealt.insert(student, snapshot::keep(tx, &head, whole).await?);
    }
    Ok(dealt)
}
