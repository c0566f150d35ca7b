//! What a paper holds: sections of questions, as it is put together, shown, frozen and printed.

use std::collections::HashMap;

use infra::Result;
use poem_openapi::Object;
use question_bank::{
    enums::{MultipleRule, QuestionDifficulty, QuestionStatus, QuestionType},
    marking::QuestionAnswer,
    question::{QuestionOption, QuestionUpload, SubQuestion, secret_among, stored, stored_options, subs_of},
    score::{distributed, part, points, tenths},
    text::QuestionText,
};
use serde_json::Value;
use sqlx::{PgConnection, types::Json};

/// What stands in the place of a question that its bank keeps to its members.
const UNSEEN: &str = "（所在题库仅成员可见）";

/// A question of a paper with all that is asked.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct DetailQuestion {
    /// 试题
    pub question_id: i64,
    /// 题号
    pub seq: String,
    /// 题型
    #[oai(rename = "type")]
    pub kind: QuestionType,
    /// 题干
    pub stem: QuestionText,
    /// 选项
    pub options: Vec<QuestionOption>,
    /// 答案
    pub answer: Option<QuestionAnswer>,
    /// 解析
    pub analysis: Option<QuestionText>,
    /// 难度
    pub difficulty: QuestionDifficulty,
    /// 章节
    pub chapter_id: Option<i64>,
    /// 章节标题
    pub chapter_title: Option<String>,
    /// 知识点
    pub knowledge_point_ids: Vec<i64>,
    /// 知识点名称
    pub knowledge_point_names: Vec<String>,
    /// 分值
    pub score: f64,
    /// 各空分值
    pub blank_scores: Option<Vec<f64>>,
    /// 各小题分值
    pub sub_scores: Option<Vec<f64>>,
    /// 状态
    pub status: QuestionStatus,
    /// 使用次数
    pub used_count: i32,
    /// 修订号
    pub revision: i32,
    /// 音频
    pub media_key: Option<String>,
    /// 播放次数
    pub play_limit: Option<i32>,
    /// 附件要求
    pub upload: Option<QuestionUpload>,
    /// 允许附件
    pub allow_attachment: bool,
    /// 小题
    pub sub_questions: Vec<SubQuestion>,
}

/// A section of a paper.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct DetailSection {
    /// 大题编号
    pub id: Option<i64>,
    /// 大题标题
    pub title: String,
    /// 答题说明
    pub instruction: Option<QuestionText>,
    /// 题型
    #[oai(rename = "type")]
    pub kind: Option<QuestionType>,
    /// 每题分值
    pub default_score: Option<f64>,
    /// 多选题计分
    pub multiple_rule: MultipleRule,
    /// 试题
    pub questions: Vec<DetailQuestion>,
}

/// What a paper comes to, in tenths of a point.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Figures {
    pub questions: i32,
    pub sum: i64,
    pub objective: i64,
    pub subjective: i64,
    /// In thousandths; none of a paper without scores.
    pub difficulty: Option<i64>,
    /// Questions that are not in use any more, or not yet.
    pub unusable: i32,
}

/// What the blanks and the sub-questions of a question count for, in tenths; none of either where it has none.
pub(crate) type Shares = (Option<Vec<i64>>, Option<Vec<i64>>);

/// Whether a machine marks it.
fn is_objective(kind: QuestionType, answer: Option<&QuestionAnswer>) -> bool {
    match kind {
        QuestionType::SingleChoice | QuestionType::MultipleChoice | QuestionType::TrueFalse => true,
        QuestionType::FillBlank => answer.is_none_or(|answer| answer.manual != Some(true)),
        QuestionType::ShortAnswer | QuestionType::Essay | QuestionType::FileUpload => false,
        QuestionType::CaseAnalysis | QuestionType::Listening => false,
    }
}

impl DetailQuestion {
    /// The scores of its sub-questions, in tenths.
    pub fn sub_tenths(&self) -> Vec<i64> {
        let own: Vec<i64> = self.sub_questions.iter().map(|sub| tenths(sub.default_score)).collect();
        match &self.sub_scores {
            Some(scores) if scores.len() == own.len() => scores.iter().map(|score| tenths(*score)).collect(),
            _ => distributed(tenths(self.score), &own),
        }
    }

    /// What its blanks and its sub-questions count for where it is worth so much, in tenths; none where it has more of them than
    /// tenths, as they would be worth more than the question.
    pub(crate) fn shares(&self, score: i64) -> Option<Shares> {
        let own: Vec<i64> = self.sub_questions.iter().map(|sub| tenths(sub.default_score)).collect();
        let (blanks, subs) = shares(self.kind, self.answer.as_ref(), &own, score);
        let adds_up = [&blanks, &subs].into_iter().flatten().all(|parts| parts.iter().sum::<i64>() == score);
        adds_up.then_some((blanks, subs))
    }

    /// Its key with the scores that its blanks have in this paper; shared out anew where the question has other blanks since.
    pub fn key(&self) -> Option<QuestionAnswer> {
        let mut answer = self.answer.clone()?;
        let (shared, _) = shares(self.kind, Some(&answer), &[], tenths(self.score));
        if let (Some(blanks), Some(shared)) = (&mut answer.blanks, shared) {
            let kept = self.blank_scores.as_ref().filter(|scores| scores.len() == blanks.len());
            let scores = kept.cloned().unwrap_or_else(|| shared.into_iter().map(points).collect());
            for (blank, score) in blanks.iter_mut().zip(scores) {
                blank.score = score;
            }
        }
        Some(answer)
    }

    fn objective(&self) -> i64 {
        if !self.kind.is_parent() {
            return if is_objective(self.kind, self.answer.as_ref()) { tenths(self.score) } else { 0 };
        }
        let parts = self.sub_questions.iter().zip(self.sub_tenths());
        parts.filter(|(sub, _)| is_objective(sub.kind, sub.answer.as_ref())).map(|(_, score)| score).sum()
    }

    /// The keys of its pictures and of its audio.
    fn keys(&self) -> Vec<String> {
        let mut keys: Vec<String> = self.media_key.iter().cloned().collect();
        let mut add = |text: &QuestionText| keys.extend(text.keys());
        add(&self.stem);
        self.options.iter().for_each(|option| add(&option.content));
        self.analysis.iter().for_each(&mut add);
        self.answer.iter().filter_map(|answer| answer.text.as_ref()).for_each(&mut add);
        for sub in &self.sub_questions {
            add(&sub.stem);
            sub.options.iter().for_each(|option| add(&option.content));
            sub.analysis.iter().for_each(&mut add);
            sub.answer.iter().filter_map(|answer| answer.text.as_ref()).for_each(&mut add);
        }
        keys
    }

    /// Without what only some may see.
    fn hide(&mut self) {
        (self.answer, self.analysis) = (None, None);
        for sub in &mut self.sub_questions {
            (sub.answer, sub.analysis) = (None, None);
        }
    }

    /// Without anything that is asked.
    fn keep_back(&mut self) {
        self.hide();
        let unseen = || QuestionText::cleaned(UNSEEN);
        (self.stem, self.options, self.media_key) = (unseen(), Vec::new(), None);
        for sub in &mut self.sub_questions {
            (sub.stem, sub.options) = (unseen(), Vec::new());
        }
    }
}

/// What a paper of these sections comes to.
pub fn figures(sections: &[DetailSection]) -> Figures {
    let mut figures = Figures::default();
    let mut weighted = 0;
    for question in sections.iter().flat_map(|section| &section.questions) {
        let (score, objective) = (tenths(question.score), question.objective());
        figures.questions += 1;
        figures.sum += score;
        figures.objective += objective;
        figures.subjective += score - objective;
        weighted += score * question.difficulty.coefficient();
        figures.unusable += i32::from(question.status != QuestionStatus::Enabled);
    }
    // Σ(score × coefficient) / Σ score, of hundredths in thousandths.
    figures.difficulty = (figures.sum > 0).then(|| part(weighted, 10, figures.sum));
    figures
}

/// The keys of all pictures and audio of these sections; an instruction has none.
pub fn keys_of(sections: &[DetailSection]) -> Vec<String> {
    sections.iter().flat_map(|section| &section.questions).flat_map(DetailQuestion::keys).collect()
}

/// Leaves out all answers.
pub fn hide(sections: &mut [DetailSection]) {
    sections.iter_mut().flat_map(|section| &mut section.questions).for_each(DetailQuestion::hide);
}

/// Leaves out the answers of what is of examination banks, or in papers of examinations, by now, wherever it stands.
///
/// # Errors
/// Those of the database.
pub async fn hide_secret(connection: &mut PgConnection, sections: &mut [DetailSection]) -> Result<()> {
    let secret = secret_among(connection, &ids_of(sections)).await?;
    let questions = sections.iter_mut().flat_map(|section| &mut section.questions);
    questions.filter(|question| secret.contains(&question.question_id)).for_each(DetailQuestion::hide);
    Ok(())
}

/// Leaves out what the questions of banks ask that are kept from an account. Their places, types and scores stay: the whole is
/// still that of the paper, and is put together again as it was.
///
/// # Errors
/// Those of the database.
pub async fn hide_kept(connection: &mut PgConnection, viewer: i64, sections: &mut [DetailSection]) -> Result<()> {
    let ids = ids_of(sections);
    let kept = sqlx::query_scalar!(
        "select q.id from question q join question_bank b on b.id = q.bank_id
         where q.id = any($1) and b.visibility <> 'school' and b.created_by <> $2 and not exists (
             select from question_bank_member m where m.bank_id = b.id and m.account_id = $2)",
        &ids,
        viewer
    )
    .fetch_all(connection)
    .await?;
    let questions = sections.iter_mut().flat_map(|section| &mut section.questions);
    questions.filter(|question| kept.contains(&question.question_id)).for_each(DetailQuestion::keep_back);
    Ok(())
}

fn ids_of(sections: &[DetailSection]) -> Vec<i64> {
    sections.iter().flat_map(|section| &section.questions).map(|question| question.question_id).collect()
}

/// Scores of the blanks of a key, and of the sub-questions, for a question that is worth so much; in tenths.
pub(crate) fn shares(kind: QuestionType, answer: Option<&QuestionAnswer>, subs: &[i64], score: i64) -> Shares {
    let blanks = answer.and_then(|answer| answer.blanks.as_ref()).filter(|_| kind == QuestionType::FillBlank);
    let blanks = blanks.map(|blanks| {
        let own: Vec<i64> = blanks.iter().map(|blank| tenths(blank.score)).collect();
        if own.iter().sum::<i64>() == score { own } else { distributed(score, &own) }
    });
    let subs = kind
        .is_parent()
        .then(|| if subs.iter().sum::<i64>() == score { subs.to_vec() } else { distributed(score, subs) });
    (blanks, subs)
}

/// The questions of these numbers, by their numbers; what a place in a paper decides is still to be said.
///
/// # Errors
/// Those of the database.
pub async fn questions(connection: &mut PgConnection, ids: &[i64]) -> Result<HashMap<i64, DetailQuestion>> {
    let rows = sqlx::query!(
        r#"select q.id, q.type as "kind: QuestionType", q.stem as "stem: QuestionText", q.options as "options: Json<Value>",
                  q.answer as "answer: Json<Value>", q.analysis as "analysis: QuestionText", q.difficulty, q.chapter_id,
                  case when a.id is null then h.title else a.title || ' / ' || h.title end as chapter_title,
                  k.ids as "point_ids!", k.names as "point_names!", q.default_score::float8 as "default_score!",
                  q.status as "status: QuestionStatus", q.used_count, q.revision, f.key as "media_key?", q.play_limit,
                  q.upload as "upload: Json<Value>", q.allow_attachment
           from question q
           left join course_chapter h on h.id = q.chapter_id
           left join course_chapter a on a.id = h.parent_id
           left join file_object f on f.id = q.media_file_id
           cross join lateral (
               select coalesce(array_agg(n.id order by n.code), '{}') as ids,
                      coalesce(array_agg(n.name order by n.code), '{}') as names
               from question_knowledge x join knowledge_point n on n.id = x.knowledge_point_id where x.question_id = q.id) k
           where q.id = any($1) and q.parent_id is null"#,
        ids
    )
    .fetch_all(&mut *connection)
    .await?;
    let mut subs: HashMap<i64, Vec<SubQuestion>> = HashMap::new();
    for (parent, sub) in subs_of(connection, ids).await? {
        subs.entry(parent).or_default().push(sub);
    }
    let mut found = HashMap::with_capacity(rows.len());
    for row in rows {
        let question = DetailQuestion {
            question_id: row.id,
            seq: String::new(),
            kind: row.kind,
            stem: row.stem,
            options: stored_options(row.options.0)?,
            answer: row.answer.map(|answer| stored(answer.0)).transpose()?,
            analysis: row.analysis,
            difficulty: QuestionDifficulty::of(row.difficulty),
            chapter_id: row.chapter_id,
            chapter_title: row.chapter_title,
            knowledge_point_ids: row.point_ids,
            knowledge_point_names: row.point_names,
            score: row.default_score,
            blank_scores: None,
            sub_scores: None,
            status: row.status,
            used_count: row.used_count,
            revision: row.revision,
            media_key: row.media_key,
            play_limit: row.play_limit,
            upload: row.upload.map(|upload| stored(upload.0)).transpose()?,
            allow_attachment: row.allow_attachment,
            sub_questions: subs.remove(&row.id).unwrap_or_default(),
        };
        found.insert(row.id, question);
    }
    Ok(found)
}

/// The composition of a paper, in its order.
///
/// # Errors
/// Those of the database.
pub async fn of_paper(connection: &mut PgConnection, paper: i64) -> Result<Vec<DetailSection>> {
    let sections = sqlx::query!(
        r#"select id, title, instruction as "instruction: QuestionText", type as "kind: QuestionType", default_score::float8 as default_score,
                  multiple_rule as "multiple_rule: MultipleRule"
           from paper_section where paper_id = $1 order by sort_no, id"#,
        paper
    )
    .fetch_all(&mut *connection)
    .await?;
    let places = sqlx::query!(
        r#"select section_id, question_id, score::float8 as "score!", blank_scores as "blank_scores: Json<Vec<f64>>",
                  sub_scores as "sub_scores: Json<Vec<f64>>"
           from paper_question where paper_id = $1 order by section_id, sort_no, question_id"#,
        paper
    )
    .fetch_all(&mut *connection)
    .await?;
    let ids: Vec<i64> = places.iter().map(|place| place.question_id).collect();
    let mut known = questions(connection, &ids).await?;
    let mut seq = 0;
    let mut whole = Vec::with_capacity(sections.len());
    for section in sections {
        let mut held = Vec::new();
        for place in places.iter().filter(|place| place.section_id == section.id) {
            let Some(mut question) = known.remove(&place.question_id) else { continue };
            seq += 1;
            question.seq = seq.to_string();
            question.score = place.score;
            question.blank_scores = place.blank_scores.as_ref().map(|scores| scores.0.clone());
            question.sub_scores = place.sub_scores.as_ref().map(|scores| scores.0.clone());
            if question.kind.is_parent() {
                question.sub_scores = Some(question.sub_tenths().into_iter().map(points).collect());
            }
            held.push(question);
        }
        whole.push(DetailSection {
            id: Some(section.id),
            title: section.title,
            instruction: section.instruction,
            kind: section.kind,
            default_score: section.default_score,
            multiple_rule: section.multiple_rule,
            questions: held,
        });
    }
    Ok(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(kind: QuestionType, score: f64, difficulty: QuestionDifficulty) -> DetailQuestion {
        DetailQuestion {
            question_id: 1,
            seq: "1".to_owned(),
            kind,
            stem: QuestionText::cleaned("题"),
            options: Vec::new(),
            answer: None,
            analysis: None,
            difficulty,
            chapter_id: None,
            chapter_title: None,
            knowledge_point_ids: Vec::new(),
            knowledge_point_names: Vec::new(),
            score,
            blank_scores: None,
            sub_scores: None,
            status: QuestionStatus::Enabled,
            used_count: 0,
            revision: 1,
            media_key: None,
            play_limit: None,
            upload: None,
            allow_attachment: false,
            sub_questions: Vec::new(),
        }
    }

    #[test]
    fn a_paper_is_the_sum_of_its_questions() {
        let section = DetailSection {
            id: None,
            title: "一".to_owned(),
            instruction: None,
            kind: None,
            default_score: None,
            multiple_rule: MultipleRule::AllOrNothing,
            questions: vec![
                question(QuestionType::SingleChoice, 2.0, QuestionDifficulty::Easy),
                question(QuestionType::Essay, 8.0, QuestionDifficulty::Hard),
            ],
        };
        let told = figures(&[section]);
        assert_eq!((told.questions, told.sum, told.objective, told.subjective), (2, 100, 20, 80));
        // (2 × 0.9 + 8 × 0.3) / 10 = 0.42
        assert_eq!(told.difficulty, Some(420));
    }

    #[test]
    fn ten_points_over_three_parts_of_three() {
        assert_eq!(shares(QuestionType::CaseAnalysis, None, &[30, 30, 30], 100), (None, Some(vec![35, 35, 30])));
        assert_eq!(shares(QuestionType::CaseAnalysis, None, &[30, 30, 30], 90), (None, Some(vec![30, 30, 30])));
        assert_eq!(shares(QuestionType::Essay, None, &[], 90), (None, None));
    }
}
