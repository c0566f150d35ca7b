//! 查重: questions of a bank whose stems are nearly the same (part 03 A7).
//!
//! How near two stems are is the share of their pairs of neighbouring characters that both have. Two that reach the
//! threshold have one of their rarest pairs in common, so only those are compared.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap},
};

use infra::{
    Allowed, Body, Error, Reply, Result,
    access::Permission,
    files,
    jobs::{self, JobKind, JobRun, NewJob, Outcome},
    reply,
    sheet::{Cell, Column, Writer, cells},
    transfer::folder,
};
use poem_openapi::{Object, OpenApi, types::Example};
use serde_json::json;
use sqlx::PgConnection;
use tokio::task::spawn_blocking;

use super::FindDuplicateQuestions;
use crate::{bank, text::loose};

/// Questions of a bank that are compared while the call waits.
const DIRECT: i64 = 2_000;
/// Pairs that an answer holds; those of a job stand in its file, at most so many.
const MOST_PAIRS: usize = 5_000;
const SHOWN: usize = 80;
/// Characters that are looked at until a search is given up: some seconds.
const MOST_WORK: usize = 2_000_000_000;
/// What all of two texts is, in thousandths.
const ALL: u32 = 1_000;
const KIND: &str = "question.duplicate";

/// Which bank, and how near.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct DuplicateSearch {
    /// 题库
    pub bank_id: i64,
    /// 相似度
    /// 0.6至1
    #[oai(validator(minimum(value = "0.6"), maximum(value = "1")))]
    pub threshold: f64,
}

impl Example for DuplicateSearch {
    fn example() -> Self {
        Self { bank_id: 1, threshold: 0.8 }
    }
}

/// Two questions that are nearly the same.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct DuplicatePair {
    /// 题号
    pub first_id: i64,
    /// 题干
    pub first_stem: String,
    /// 另一题号
    pub second_id: i64,
    /// 另一题干
    pub second_stem: String,
    /// 相似度
    pub similarity: f64,
}

/// What was found, or the job that looks.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct DuplicatesFound {
    /// 相似试题
    /// 按相似度从高到低
    pub pairs: Vec<DuplicatePair>,
    /// 任务编号
    /// 题库超过2000题时的后台任务，结果文件见任务中心
    pub job_id: Option<i64>,
}

pub(super) const JOB: JobKind = JobKind {
    kind: KIND,
    code: Some(<FindDuplicateQuestions as Permission>::CODE),
    run: |run| Box::pin(work(run)),
    headings: None,
};

pub struct QuestionDuplicates;

#[OpenApi(prefix_path = "/exam/pc/exam/problem", tag = "crate::Tag::QuestionBank")]
impl QuestionDuplicates {
    /// 试题查重
    #[oai(path = "/duplicate", method = "post", operation_id = "findDuplicateQuestions")]
    async fn find(
        &self,
        caller: Allowed<FindDuplicateQuestions>,
        Body(search): Body<DuplicateSearch>,
    ) -> Result<Reply<DuplicatesFound>> {
        let mut tx = caller.read().await?;
        let bank = bank::seen(&mut tx, search.bank_id, caller.user_id()).await?.ok_or_else(Error::not_found)?;
        let count = sqlx::query_scalar!(
            r#"select count(*) as "count!" from question where bank_id = $1 and parent_id is null"#,
            search.bank_id
        )
        .fetch_one(&mut *tx)
        .await?;
        if count > DIRECT {
            drop(tx);
            let job = NewJob {
                kind: KIND,
                target: search.bank_id.to_string(),
                title: format!("试题查重（{}）", bank.name),
                params: json!({ "bankId": search.bank_id, "threshold": search.threshold }),
            };
            let job_id = Some(jobs::start(caller.caller(), job).await?);
            return Ok(reply(DuplicatesFound { pairs: Vec::new(), job_id }));
        }
        let stems = stems(&mut tx, search.bank_id).await?;
        drop(tx);
        Ok(reply(DuplicatesFound { pairs: compared(stems, search.threshold).await?, job_id: None }))
    }
}

async fn stems(connection: &mut PgConnection, bank: i64) -> Result<Vec<(i64, String)>> {
    let rows =
        sqlx::query!("select id, stem_plain from question where bank_id = $1 and parent_id is null order by id", bank)
            .fetch_all(connection)
            .await?;
    Ok(rows.into_iter().map(|row| (row.id, row.stem_plain)).collect())
}

async fn compared(stems: Vec<(i64, String)>, threshold: f64) -> Result<Vec<DuplicatePair>> {
    let found = spawn_blocking(move || pairs(&stems, threshold)).await.map_err(Error::internal)?;
    found.ok_or_else(|| Error::refused("相似的试题过多，请提高相似度后重试"))
}

const COLUMNS: &[Column<DuplicatePair>] = &[
    Column { heading: "题号", width: 12, cell: |pair| Cell::Int(pair.first_id) },
    Column { heading: "题干", width: 60, cell: |pair| Cell::Text(pair.first_stem.clone()) },
    Column { heading: "另一题号", width: 12, cell: |pair| Cell::Int(pair.second_id) },
    Column { heading: "另一题干", width: 60, cell: |pair| Cell::Text(pair.second_stem.clone()) },
    Column {
        heading: "相似度(%)",
        width: 12,
        cell: |pair| Cell::Decimal((pair.similarity * 1_000.0).round() as i64, 1),
    },
];

async fn work(run: JobRun) -> Result<Outcome> {
    let bank = run.params["bankId"].as_i64().ok_or_else(|| Error::internal("the job names no bank"))?;
    let threshold = run.params["threshold"].as_f64().unwrap_or(1.0);
    run.scope(<FindDuplicateQuestions as Permission>::CODE).await?;
    let mut tx = run.read().await?;
    let known = bank::seen(&mut tx, bank, run.actor.id).await?;
    known.ok_or_else(Error::not_found)?;
    let stems = stems(&mut tx, bank).await?;
    drop(tx);
    let total = i64::try_from(stems.len()).unwrap_or(i64::MAX);
    run.progress("比较", 0, total).await?;
    let found = compared(stems, threshold).await?;
    let message = format!("共{total}题，发现{}对相似试题", found.len());
    if found.is_empty() {
        return Ok(Outcome { message, ..Outcome::default() });
    }
    let mut writer = Writer::start(&folder(run.app()).await?, "相似试题", COLUMNS);
    for pair in &found {
        writer.row(cells(COLUMNS, pair)).await?;
    }
    let made = writer.finish().await?;
    let name = format!("试题查重_{}.xlsx", run.app().clock().now().format("%Y%m%d%H%M%S"));
    let school = run.school.as_ref().map(|school| school.id);
    let file = files::keep_result(run.app(), school, run.actor.id, &name, made.path()).await?;
    Ok(Outcome { message, result_file: Some(file), ..Outcome::default() })
}

/// Pairs of neighbouring characters of a text, each once; of a single character it itself.
fn neighbours(text: &str) -> BTreeSet<(char, char)> {
    let signs: Vec<char> = loose(text).chars().filter(|sign| sign.is_alphanumeric()).collect();
    match signs.as_slice() {
        [one] => BTreeSet::from([(*one, ' ')]),
        _ => signs.windows(2).map(|pair| (pair[0], pair[1])).collect(),
    }
}

/// How near two stems are, in thousandths, and their places: turned around, so that a heap has the farthest on top.
type Near = Reverse<(u32, Reverse<usize>, Reverse<usize>)>;

/// The pairs that are at least so near, the nearest first, at most [`MOST_PAIRS`]; none when far too many are near each other.
fn pairs(stems: &[(i64, String)], threshold: f64) -> Option<Vec<DuplicatePair>> {
    let sets: Vec<BTreeSet<(char, char)>> = stems.iter().map(|(_, stem)| neighbours(stem)).collect();
    let mut often: HashMap<(char, char), u32> = HashMap::new();
    for pair in sets.iter().flatten() {
        *often.entry(*pair).or_default() += 1;
    }
    // Of each set its rarest members: of two sets that share enough, one of these is shared.
    let mut known: BTreeMap<(char, char), Vec<usize>> = BTreeMap::new();
    // The farthest of those that are kept is on top, and goes first. Nothing else grows with the number of pairs.
    let mut nearest: BinaryHeap<Near> = BinaryHeap::new();
    let mut work = 0_usize;
    for (later, set) in sets.iter().enumerate() {
        let mut members: Vec<(char, char)> = set.iter().copied().collect();
        members.sort_unstable_by_key(|pair| (often[pair], *pair));
        let needed = (threshold * members.len() as f64).ceil() as usize;
        members.truncate((members.len() + 1).saturating_sub(needed.max(1)));
        let mut candidates: BTreeSet<usize> = BTreeSet::new();
        for member in &members {
            candidates.extend(known.get(member).into_iter().flatten());
            known.entry(*member).or_default().push(later);
        }
        for earlier in candidates {
            if nearest.len() == MOST_PAIRS && nearest.peek().is_some_and(|Reverse((near, _, _))| *near == ALL) {
                return Some(told(stems, nearest));
            }
            let other = &sets[earlier];
            work += set.len() + other.len();
            if work > MOST_WORK {
                return None;
            }
            let shared = set.intersection(other).count();
            let all = set.len() + other.len() - shared;
            let similarity = shared as f64 / all.max(1) as f64;
            if similarity + 1e-9 >= threshold {
                let near = (similarity * f64::from(ALL)).round() as u32;
                nearest.push(Reverse((near, Reverse(earlier), Reverse(later))));
                if nearest.len() > MOST_PAIRS {
                    nearest.pop();
                }
            }
        }
    }
    Some(told(stems, nearest))
}

/// Pairs by their places, as people read them, the nearest first.
fn told(stems: &[(i64, String)], nearest: BinaryHeap<Near>) -> Vec<DuplicatePair> {
    let shown = |place: usize| stems[place].1.chars().take(SHOWN).collect::<String>();
    let pair = |Reverse((near, Reverse(earlier), Reverse(later))): Near| DuplicatePair {
        first_id: stems[earlier].0,
        first_stem: shown(earlier),
        second_id: stems[later].0,
        second_stem: shown(later),
        similarity: f64::from(near) / f64::from(ALL),
    };
    // The smallest of what is turned around is the nearest.
    nearest.into_sorted_vec().into_iter().map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_stems_are_found_and_others_are_not() {
        let stems: Vec<(i64, String)> = [
            (1, "货币最基本的职能是什么"),
            (2, "货币的最基本职能是什么？"),
            (3, "价值规律的基本内容"),
            (4, "货币最基本的职能是什么。"),
        ]
        .map(|(id, stem)| (id, stem.to_owned()))
        .to_vec();
        let told = |threshold| -> Vec<(i64, i64)> {
            let found = pairs(&stems, threshold).expect("few are near each other");
            found.iter().map(|pair| (pair.first_id, pair.second_id)).collect()
        };
        assert_eq!(told(1.0), [(1, 4)]);
        assert_eq!(told(0.6), [(1, 4)], "ten pairs each, of which seven are shared: 7 of 13");
    }

    #[test]
    fn thousands_of_the_same_are_told_up_to_the_limit() {
        let stems: Vec<(i64, String)> = (1..=5_000).map(|id| (id, "下列说法正确的是".to_owned())).collect();
        let found = pairs(&stems, 0.6).expect("all the same");
        assert_eq!(found.len(), MOST_PAIRS);
        assert_eq!((found[0].first_id, found[0].second_id), (1, 2));
    }
}
