//! 组卷: the sections of a paper and the questions in them, saved as a whole, and questions that are added to a section.

use std::collections::{HashMap, HashSet};

use infra::{Allowed, Body, Change, Error, OnConstraint, Reply, Result, Saved, Tx, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use question_bank::{
    enums::{MultipleRule, QuestionStatus, QuestionType},
    score::{is_score, points, shown, tenths},
    text::QuestionText,
};
use serde_json::{Value, json};
use sqlx::PgConnection;

use super::{AppendPaperQuestions, ComposePaper, Held, copy::next_version, held};
use crate::content::{self, DetailSection, Figures, figures, of_paper, questions};

/// Questions of one paper.
const MOST_QUESTIONS: usize = 500;

/// A question in a section; the order of the questions is their order.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PaperQuestionForm {
    /// 试题
    pub question_id: i64,
    /// 分值
    /// 不填为大题的每题分值，再不填为试题的默认分值
    pub score: Option<f64>,
    /// 各空分值
    #[oai(validator(max_items = 50))]
    pub blank_scores: Option<Vec<f64>>,
    /// 各小题分值
    #[oai(validator(max_items = 20))]
    pub sub_scores: Option<Vec<f64>>,
}

/// A section; the order of the sections is their order.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PaperSectionForm {
    /// 大题编号
    /// 已有的大题
    pub id: Option<i64>,
    /// 大题标题
    #[oai(validator(max_length = 100))]
    pub title: String,
    /// 答题说明
    pub instruction: Option<QuestionText>,
    /// 题型
    /// 填写后只能放该题型
    #[oai(rename = "type")]
    pub kind: Option<QuestionType>,
    /// 每题分值
    pub default_score: Option<f64>,
    /// 多选题计分
    pub multiple_rule: Option<MultipleRule>,
    /// 试题
    #[oai(default, validator(max_items = 500))]
    pub questions: Vec<PaperQuestionForm>,
}

/// The whole composition of a paper.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct PaperComposition {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 大题
    #[oai(validator(max_items = 30))]
    pub sections: Vec<PaperSectionForm>,
}

impl Example for PaperComposition {
    fn example() -> Self {
        let section = PaperSectionForm {
            id: None,
            title: "一、单项选择题".to_owned(),
            instruction: None,
            kind: Some(QuestionType::SingleChoice),
            default_score: Some(2.0),
            multiple_rule: None,
            questions: vec![PaperQuestionForm {
                question_id: 1,
                score: Some(2.0),
                blank_scores: None,
                sub_scores: None,
            }],
        };
        Self { id: 1, version: 1, sections: vec![section] }
    }
}

/// Questions that are added to a section.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PaperQuestions {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 大题
    pub section_id: i64,
    /// 试题
    #[oai(validator(min_items = 1, max_items = 500))]
    pub question_ids: Vec<i64>,
}

impl Example for PaperQuestions {
    fn example() -> Self {
        Self { id: 1, version: 1, section_id: 1, question_ids: vec![1] }
    }
}

/// A question with its scores, in tenths.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ChosenQuestion {
    pub id: i64,
    pub score: i64,
    pub blanks: Option<Vec<i64>>,
    pub subs: Option<Vec<i64>>,
}

/// A section that is right.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Chosen {
    pub id: Option<i64>,
    pub title: String,
    pub instruction: Option<QuestionText>,
    pub kind: Option<QuestionType>,
    /// In tenths.
    pub default_score: Option<i64>,
    pub multiple_rule: MultipleRule,
    pub questions: Vec<ChosenQuestion>,
}

impl Chosen {
    /// A section as it was typed, without questions.
    ///
    /// # Errors
    /// 422 when its score is none.
    pub(crate) fn empty(form: &PaperSectionForm) -> Result<Self> {
        if form.default_score.is_some_and(|score| !is_score(score, 1, 1_000)) {
            return Err(Error::field("sections", "每题分值应在0.1到100之间，最多一位小数"));
        }
        let instruction = form.instruction.clone().filter(|text| !text.is_blank());
        if let Some(text) = &instruction {
            text.at_most("sections", "答题说明", 1_000)?;
            if !text.keys().is_empty() {
                // Only questions have files of their own; those of nobody are swept away.
                return Err(Error::field("sections", "答题说明不能包含图片，请放到题干中"));
            }
        }
        Ok(Self {
            id: form.id,
            title: infra::naming::tidy(&form.title),
            instruction,
            kind: form.kind,
            default_score: form.default_score.map(tenths),
            multiple_rule: form.multiple_rule.unwrap_or(MultipleRule::AllOrNothing),
            questions: Vec::new(),
        })
    }

    /// The same of a section that is stored.
    pub(crate) fn stored(section: &DetailSection) -> Self {
        let scores = |scores: &Option<Vec<f64>>| -> Option<Vec<i64>> {
            scores.as_ref().map(|own| own.iter().map(|own| tenths(*own)).collect())
        };
        let question = |question: &content::DetailQuestion| ChosenQuestion {
            id: question.question_id,
            score: tenths(question.score),
            blanks: scores(&question.blank_scores),
            subs: scores(&question.sub_scores),
        };
        Self {
            id: None,
            title: section.title.clone(),
            instruction: section.instruction.clone(),
            kind: section.kind,
            default_score: section.default_score.map(tenths),
            multiple_rule: section.multiple_rule,
            questions: section.questions.iter().map(question).collect(),
        }
    }
}

pub struct Composition;

#[OpenApi(prefix_path = "/exam/pc/exam/info", tag = "crate::Tag::Papers")]
impl Composition {
    /// 保存试卷大题
    /// 整体替换大题和试题；已通过或停用的试卷生成下一版本的草稿，返回其编号
    #[oai(path = "/sections", method = "put", operation_id = "composePaper")]
    async fn compose(
        &self,
        caller: Allowed<ComposePaper>,
        Body(wanted): Body<PaperComposition>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let paper = held(&mut tx, wanted.id).await?;
        paper.as_read(&mut tx, wanted.version).await?;
        let mut sections = chosen(&mut tx, &paper, &wanted.sections).await?;
        let mut changes = Vec::new();
        let paper = if paper.is_settled() {
            let (next, change) = next_version(&mut tx, &paper).await?;
            changes.push(change);
            // The sections of the next version have numbers of their own.
            sections.iter_mut().for_each(|section| section.id = None);
            next
        } else {
            paper.editable()?;
            paper
        };
        changes.push(write(&mut tx, &paper, &sections).await?);
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: paper.id }))
    }

    /// 试卷加题
    /// 已通过或停用的试卷生成下一版本的草稿，返回其编号
    #[oai(path = "/appendQuestions", method = "post", operation_id = "appendPaperQuestions")]
    async fn append(
        &self,
        caller: Allowed<AppendPaperQuestions>,
        Body(wanted): Body<PaperQuestions>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let paper = held(&mut tx, wanted.id).await?;
        let there = sqlx::query_scalar!(
            r#"select exists (select from paper_question where paper_id = $1 and question_id = any($2)) as "there!""#,
            paper.id,
            &wanted.question_ids
        )
        .fetch_one(&mut *tx)
        .await?;
        if there {
            // Told before anything else: whoever came first has changed the version too.
            return Err(Error::conflict("该题已在试卷中"));
        }
        paper.as_read(&mut tx, wanted.version).await?;
        let stored = of_paper(&mut tx, paper.id).await?;
        let place = stored.iter().position(|section| section.id == Some(wanted.section_id));
        let mut changes = Vec::new();
        let (paper, stored) = if paper.is_settled() {
            let (next, change) = next_version(&mut tx, &paper).await?;
            changes.push(change);
            // The same sections in the same order, with numbers of their own.
            let stored = of_paper(&mut tx, next.id).await?;
            (next, stored)
        } else {
            paper.editable()?;
            (paper, stored)
        };
        let mut forms: Vec<PaperSectionForm> = stored.iter().map(form_of).collect();
        let section = place.and_then(|place| forms.get_mut(place));
        let section = section.ok_or_else(|| Error::field("sectionId", "大题不存在或已被删除，请刷新后重试"))?;
        section.questions.extend(wanted.question_ids.iter().map(|id| PaperQuestionForm {
            question_id: *id,
            score: None,
            blank_scores: None,
            sub_scores: None,
        }));
        let sections = chosen(&mut tx, &paper, &forms).await?;
        changes.push(write(&mut tx, &paper, &sections).await?);
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: paper.id }))
    }
}

/// A stored section as somebody would type it.
fn form_of(section: &DetailSection) -> PaperSectionForm {
    let question = |question: &content::DetailQuestion| PaperQuestionForm {
        question_id: question.question_id,
        score: Some(question.score),
        blank_scores: question.blank_scores.clone(),
        sub_scores: question.sub_scores.clone(),
    };
    PaperSectionForm {
        id: section.id,
        title: section.title.clone(),
        instruction: section.instruction.clone(),
        kind: section.kind,
        default_score: section.default_score,
        multiple_rule: Some(section.multiple_rule),
        questions: section.questions.iter().map(question).collect(),
    }
}

/// The questions that may come into a paper: of its course's banks, or of those that it names besides, for its use, seen by the
/// account, in use. What is in the paper already stays.
async fn allowed(tx: &mut Tx, paper: &Held, ids: &[i64]) -> Result<HashSet<i64>> {
    let usages: Vec<String> = paper.kind.usages().iter().map(|usage| (*usage).to_owned()).collect();
    let by = tx.by();
    let rows = sqlx::query_scalar!(
        r#"select q.id from question q join question_bank b on b.id = q.bank_id
           where q.id = any($1) and q.parent_id is null
             and (exists (select from paper_question x where x.paper_id = $2 and x.question_id = q.id)
                  or (q.status = $3 and b.enabled and b.usage = any($4)
                      and (b.course_id = $5 or exists (
                           select from paper_extra_bank e where e.paper_id = $2 and e.bank_id = b.id))
                      and (b.visibility = 'school' or b.created_by = $6 or exists (
                           select from question_bank_member m where m.bank_id = b.id and m.account_id = $6))))"#,
        ids,
        paper.id,
        QuestionStatus::Enabled.as_str(),
        &usages,
        paper.course_id,
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(rows.into_iter().collect())
}

/// Checks the composition and settles every score.
///
/// # Errors
/// 422 for a question that stands twice, may not be in the paper, or is of another type than its section.
pub(super) async fn chosen(tx: &mut Tx, paper: &Held, forms: &[PaperSectionForm]) -> Result<Vec<Chosen>> {
    let ids: Vec<i64> = forms.iter().flat_map(|form| &form.questions).map(|question| question.question_id).collect();
    if ids.len() > MOST_QUESTIONS {
        return Err(Error::field("sections", format!("试卷最多{MOST_QUESTIONS}题")));
    }
    let mut seen = HashSet::new();
    if let Some(place) = ids.iter().position(|id| !seen.insert(*id)) {
        return Err(Error::field("sections", format!("第{}题已在试卷中", place + 1)));
    }
    let allowed = allowed(tx, paper, &ids).await?;
    if let Some(place) = ids.iter().position(|id| !allowed.contains(id)) {
        return Err(Error::field("sections", format!("第{}题不存在、未启用或不能用于该试卷", place + 1)));
    }
    let known = questions(tx, &ids).await?;
    let mut sections = Vec::with_capacity(forms.len());
    for form in forms {
        let mut section = Chosen::empty(form)?;
        for typed in &form.questions {
            let question = known.get(&typed.question_id).ok_or_else(Error::not_found)?;
            if let Some(kind) = section.kind.filter(|kind| *kind != question.kind) {
                return Err(Error::field("sections", format!("该大题只能放{}", kind.zh())));
            }
            section.questions.push(scored(typed, question, section.default_score)?);
        }
        sections.push(section);
    }
    Ok(sections)
}

/// # Errors
/// 422 when a score is none or too small for its parts, or these do not add up.
fn scored(typed: &PaperQuestionForm, question: &content::DetailQuestion, usual: Option<i64>) -> Result<ChosenQuestion> {
    if typed.score.is_some_and(|score| !is_score(score, 1, 1_000)) {
        return Err(Error::field("sections", "分值应在0.1到100之间，最多一位小数"));
    }
    let score = typed.score.map(tenths).or(usual).unwrap_or_else(|| tenths(question.score));
    let too_small = || Error::field("sections", format!("分值{}过小，不够分给各空或各小题", shown(score)));
    let (blanks, subs) = question.shares(score).ok_or_else(too_small)?;
    let part = |wanted: Option<&Vec<f64>>, usual: Option<Vec<i64>>, word: &str| -> Result<Option<Vec<i64>>> {
        let (wanted, usual) = match (wanted, usual) {
            (Some(wanted), Some(usual)) => (wanted.iter().map(|score| tenths(*score)).collect::<Vec<i64>>(), usual),
            (_, usual) => return Ok(usual),
        };
        // Scores of an earlier form of the question are settled anew.
        if wanted.len() != usual.len() {
            return Ok(Some(usual));
        }
        if wanted.iter().sum::<i64>() != score || wanted.iter().any(|score| *score < 1) {
            return Err(Error::field("sections", format!("各{word}分值之和应等于该题分值")));
        }
        Ok(Some(wanted))
    };
    Ok(ChosenQuestion {
        id: typed.question_id,
        score,
        blanks: part(typed.blank_scores.as_ref(), blanks, "空")?,
        subs: part(typed.sub_scores.as_ref(), subs, "小题")?,
    })
}

fn json_of(scores: Option<&Vec<i64>>) -> Value {
    scores.map_or(Value::Null, |scores| json!(scores.iter().map(|score| points(*score)).collect::<Vec<f64>>()))
}

/// Writes the composition of a paper that may be edited, and what it comes to; it is a draft again.
///
/// # Errors
/// 422 for a section that is not the paper's; 409 when a question came into it meanwhile.
pub(crate) async fn write(tx: &mut Tx, paper: &Held, sections: &[Chosen]) -> Result<Change> {
    let before = told(&of_paper(tx, paper.id).await?);
    let kept: Vec<i64> = sections.iter().filter_map(|section| section.id).collect();
    sqlx::query!("delete from paper_question where paper_id = $1", paper.id).execute(&mut **tx).await?;
    sqlx::query!("delete from paper_section where paper_id = $1 and id <> all($2)", paper.id, &kept)
        .execute(&mut **tx)
        .await?;
    let mut placed: Vec<(i64, i32, &ChosenQuestion)> = Vec::new();
    for (place, section) in (1_i32..).zip(sections) {
        let id = write_section(tx, paper.id, place, section).await?;
        placed.extend((1_i32..).zip(&section.questions).map(|(place, question)| (id, place, question)));
    }
    put(tx, paper.id, &placed).await?;
    let whole = of_paper(tx, paper.id).await?;
    set_figures(tx, paper.id, figures(&whole)).await?;
    let by = tx.by();
    sqlx::query!(
        "update paper set status = 'draft', updated_at = now(), updated_by = $2, version = version + 1 where id = $1",
        paper.id,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(Change::edited("paper", paper.id, &before, &told(&whole)))
}

/// Writes questions with their sections and places, all at once.
async fn put(tx: &mut Tx, paper: i64, placed: &[(i64, i32, &ChosenQuestion)]) -> Result<()> {
    let sections: Vec<i64> = placed.iter().map(|(section, _, _)| *section).collect();
    let places: Vec<i32> = placed.iter().map(|(_, place, _)| *place).collect();
    let questions: Vec<i64> = placed.iter().map(|(_, _, question)| question.id).collect();
    let scores: Vec<f64> = placed.iter().map(|(_, _, question)| points(question.score)).collect();
    let blanks: Vec<Value> = placed.iter().map(|(_, _, question)| json_of(question.blanks.as_ref())).collect();
    let subs: Vec<Value> = placed.iter().map(|(_, _, question)| json_of(question.subs.as_ref())).collect();
    sqlx::query!(
        "insert into paper_question (paper_id, section_id, question_id, sort_no, score, blank_scores, sub_scores)
         select $1, p.section, p.question, p.place, p.score::numeric, nullif(p.blanks, 'null'::jsonb),
                nullif(p.subs, 'null'::jsonb)
         from unnest($2::bigint[], $3::bigint[], $4::integer[], $5::float8[], $6::jsonb[], $7::jsonb[])
              as p (section, question, place, score, blanks, subs)",
        paper,
        &sections,
        &questions,
        &places,
        &scores,
        &blanks,
        &subs
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|constraint| match constraint {
        "paper_question_key" => Some(Error::conflict("该题已在试卷中")),
        "paper_question_of_question" => Some(Error::field("sections", "部分试题已被删除，请刷新后重试")),
        _ => None,
    })?;
    Ok(())
}

/// Keeps what a paper comes to, for its lists.
///
/// # Errors
/// Those of the database.
pub(super) async fn set_figures(tx: &mut Tx, paper: i64, sum: Figures) -> Result<()> {
    sqlx::query!(
        "update paper set question_count = $2, score_sum = $3::float8::numeric, objective_score = $4::float8::numeric,
                subjective_score = $5::float8::numeric, difficulty_coefficient = $6::float8::numeric
         where id = $1",
        paper,
        sum.questions,
        points(sum.sum),
        points(sum.objective),
        points(sum.subjective),
        sum.difficulty.map(|thousandths| thousandths as f64 / 1_000.0)
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

async fn write_section(tx: &mut Tx, paper: i64, place: i32, section: &Chosen) -> Result<i64> {
    let (instruction, kind) =
        (section.instruction.as_ref().map(QuestionText::as_str), section.kind.map(QuestionType::as_str));
    let usual = section.default_score.map(points);
    let Some(id) = section.id else {
        let id = sqlx::query_scalar!(
            "insert into paper_section (paper_id, sort_no, title, instruction, type, default_score, multiple_rule)
             values ($1, $2, $3, $4, $5, $6::float8::numeric, $7) returning id",
            paper,
            place,
            section.title,
            instruction,
            kind,
            usual,
            section.multiple_rule.as_str()
        )
        .fetch_one(&mut **tx)
        .await?;
        return Ok(id);
    };
    let changed = sqlx::query!(
        "update paper_section set sort_no = $3, title = $4, instruction = $5, type = $6, default_score = $7::float8::numeric,
                multiple_rule = $8
         where id = $1 and paper_id = $2",
        id,
        paper,
        place,
        section.title,
        instruction,
        kind,
        usual,
        section.multiple_rule.as_str()
    )
    .execute(&mut **tx)
    .await?;
    if changed.rows_affected() == 0 {
        return Err(Error::field("sections", "大题不存在或已被删除，请刷新后重试"));
    }
    Ok(id)
}

/// A composition as the trail keeps it.
fn told(sections: &[DetailSection]) -> Value {
    let section = |section: &DetailSection| {
        let questions: Vec<Value> =
            section.questions.iter().map(|own| json!({ "questionId": own.question_id, "score": own.score })).collect();
        json!({ "title": section.title, "questions": questions })
    };
    json!({ "sections": sections.iter().map(section).collect::<Vec<Value>>() })
}

/// The questions of some papers, by the paper.
///
/// # Errors
/// Those of the database.
pub(super) async fn held_in(connection: &mut PgConnection, papers: &[i64]) -> Result<HashMap<i64, Vec<i64>>> {
    let rows = sqlx::query!("select paper_id, question_id from paper_question where paper_id = any($1)", papers)
        .fetch_all(connection)
        .await?;
    let mut held: HashMap<i64, Vec<i64>> = HashMap::new();
    for row in rows {
        held.entry(row.paper_id).or_default().push(row.question_id);
    }
    Ok(held)
}
