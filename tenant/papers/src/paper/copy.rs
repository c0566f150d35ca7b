//! 复制, 生成B卷, and the next version of a paper that is in use.

use std::collections::HashSet;

use infra::{Allowed, Body, Change, Error, Reply, Result, Saved, Tx, naming::tidy, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use question_bank::{
    enums::{QuestionDifficulty, QuestionType},
    score::tenths,
};

use super::{
    CopyPaper, Held,
    compose::{Chosen, held_in, write},
    form::{NewPaper, insert_row},
    held,
};
use crate::{
    content::{DetailQuestion, DetailSection, of_paper, questions},
    enums::{PaperCopyMode, PaperVariant},
};

/// What is copied, and to what.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PaperCopy {
    /// 编号
    pub id: i64,
    /// 复制方式
    pub mode: PaperCopyMode,
    /// 试卷名称
    /// 不填时复制为原名加副本
    #[oai(validator(max_length = 100))]
    pub name: Option<String>,
    /// 卷别
    /// 生成另一卷时，不填为下一个未用的卷别
    pub variant: Option<PaperVariant>,
    /// 各卷重复题上限(%)
    #[oai(validator(minimum(value = "0"), maximum(value = "100")))]
    pub overlap_max_percent: Option<i32>,
}

impl Example for PaperCopy {
    fn example() -> Self {
        Self { id: 1, mode: PaperCopyMode::Copy, name: None, variant: None, overlap_max_percent: None }
    }
}

pub struct Copies;

#[OpenApi(prefix_path = "/exam/pc/exam/info", tag = "crate::Tag::Papers")]
impl Copies {
    /// 复制试卷
    /// 复制为新的草稿，或生成同一试卷的另一卷（相同大题，试题尽量换为相似的）
    #[oai(path = "/copy", method = "put", operation_id = "copyPaper")]
    async fn copy(&self, caller: Allowed<CopyPaper>, Body(wanted): Body<PaperCopy>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        // All of a family, in the order of their numbers: two people may make variants of two of its papers.
        sqlx::query_scalar!(
            "select id from paper
             where coalesce(family_id, id) = (select coalesce(p.family_id, p.id) from paper p where p.id = $1)
             order by id for update",
            wanted.id
        )
        .fetch_all(&mut *tx)
        .await?;
        let paper = held(&mut tx, wanted.id).await?;
        let sections = of_paper(&mut tx, paper.id).await?;
        let (id, change) = match wanted.mode {
            PaperCopyMode::Copy => {
                let name = wanted.name.clone().unwrap_or_else(|| format!("{}（副本）", paper.name));
                let new = NewPaper { name: short(&name), ..head(&mut tx, &paper).await? };
                let (id, change) = insert_row(&mut tx, &new).await?;
                put(&mut tx, paper.id, id, sections.iter().map(Chosen::stored).collect()).await?;
                (id, change)
            }
            PaperCopyMode::Variant => variant(&mut tx, &paper, &sections, &wanted).await?,
        };
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }
}

/// A name of at most a hundred characters.
fn short(name: &str) -> String {
    tidy(name).chars().take(100).collect()
}

/// The head of a copy: a family of its own.
async fn head(tx: &mut Tx, paper: &Held) -> Result<NewPaper> {
    let row = sqlx::query!(
        r#"select rule_id, rule_seed, pass_score::float8 as "pass_score!", duration_minutes from paper where id = $1"#,
        paper.id
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(NewPaper {
        code: None,
        name: paper.name.clone(),
        course_id: paper.course_id,
        kind: paper.kind,
        compose_mode: paper.compose_mode,
        rule_id: row.rule_id,
        rule_seed: row.rule_seed,
        total: tenths(paper.total_score),
        pass: tenths(row.pass_score),
        duration_minutes: row.duration_minutes,
        overlap_max_percent: paper.overlap_max_percent,
        family_id: None,
        version_no: 1,
        variant: "A".to_owned(),
    })
}

/// Fills a copy; it may take from the same further banks.
async fn put(tx: &mut Tx, from: i64, to: i64, sections: Vec<Chosen>) -> Result<()> {
    sqlx::query!(
        "insert into paper_extra_bank (paper_id, bank_id) select $2, bank_id from paper_extra_bank where paper_id = $1",
        from,
        to
    )
    .execute(&mut **tx)
    .await?;
    let copy = held(tx, to).await?;
    write(tx, &copy, &sections).await?;
    Ok(())
}

/// The next version of a paper that is in use, with the same composition.
///
/// # Errors
/// 409 when there is a later version already.
pub(super) async fn next_version(tx: &mut Tx, paper: &Held) -> Result<(Held, Change)> {
    let later = sqlx::query_scalar!(
        "select max(version_no) from paper where coalesce(family_id, id) = $1 and variant = $2",
        paper.family_id,
        paper.variant
    )
    .fetch_one(&mut **tx)
    .await?
    .unwrap_or(paper.version_no);
    if later > paper.version_no {
        return Err(Error::conflict(format!("该试卷已有第{later}版，请编辑最新版本")));
    }
    let new = NewPaper {
        family_id: Some(paper.family_id),
        version_no: paper.version_no + 1,
        variant: paper.variant.clone(),
        ..head(tx, paper).await?
    };
    let (id, change) = insert_row(tx, &new).await?;
    let sections = of_paper(tx, paper.id).await?;
    put(tx, paper.id, id, sections.iter().map(Chosen::stored).collect()).await?;
    Ok((held(tx, id).await?, change))
}

/// Another variant of the same version: each question gives way to a similar one that no variant has, as far as there is one.
/// Variants that are in use in another version count too.
async fn variant(tx: &mut Tx, paper: &Held, sections: &[DetailSection], wanted: &PaperCopy) -> Result<(i64, Change)> {
    let known = sqlx::query!(
        r#"select id, variant as "variant: PaperVariant", version_no from paper
           where coalesce(family_id, id) = $1 and (version_no = $2 or status <> 'disabled') order by id for update"#,
        paper.family_id,
        paper.version_no
    )
    .fetch_all(&mut **tx)
    .await?;
    let own = paper.version_no;
    let free = |variant: &PaperVariant| !known.iter().any(|row| row.version_no == own && row.variant == *variant);
    let variant = match wanted.variant {
        Some(variant) if free(&variant) => variant,
        Some(variant) => return Err(Error::field("variant", format!("已有{}", variant.zh()))),
        None => {
            let next = PaperVariant::CHOICES.iter().map(|(_, variant)| *variant).find(|variant| free(variant));
            next.ok_or_else(|| Error::conflict("A卷至F卷均已生成"))?
        }
    };
    let papers: Vec<i64> = known.iter().map(|row| row.id).collect();
    let mut taken: HashSet<i64> = held_in(tx, &papers).await?.into_values().flatten().collect();
    let mut chosen: Vec<Chosen> = sections.iter().map(Chosen::stored).collect();
    for (section, stored) in chosen.iter_mut().zip(sections) {
        for (question, own) in section.questions.iter_mut().zip(&stored.questions) {
            let Some(other) = similar(tx, paper, own, &taken).await? else { continue };
            taken.insert(other);
            let found = questions(tx, &[other]).await?;
            let Some((blanks, subs)) = found.get(&other).and_then(|found| found.shares(question.score)) else {
                continue;
            };
            (question.id, question.blanks, question.subs) = (other, blanks, subs);
        }
    }
    let new = NewPaper {
        name: short(wanted.name.as_ref().unwrap_or(&paper.name)),
        family_id: Some(paper.family_id),
        version_no: paper.version_no,
        variant: variant.as_str().to_owned(),
        overlap_max_percent: wanted.overlap_max_percent.unwrap_or(paper.overlap_max_percent),
        ..head(tx, paper).await?
    };
    let (id, change) = insert_row(tx, &new).await?;
    put(tx, paper.id, id, chosen).await?;
    Ok((id, change))
}

/// A question of the same type, chapter and difficulty that is not taken, of the banks from which the account may put questions
/// into the paper; the less used first.
async fn similar(tx: &mut Tx, paper: &Held, own: &DetailQuestion, taken: &HashSet<i64>) -> Result<Option<i64>> {
    let usages: Vec<String> = paper.kind.usages().iter().map(|usage| (*usage).to_owned()).collect();
    let taken: Vec<i64> = taken.iter().copied().collect();
    let by = tx.by();
    let found = sqlx::query_scalar!(
        "select q.id from question q join question_bank b on b.id = q.bank_id
         where q.parent_id is null and q.status = 'enabled' and q.type = $2
           and q.chapter_id is not distinct from $3 and q.difficulty = $4 and q.id <> all($5)
           and b.enabled and b.usage = any($6)
           and (b.course_id = $1 or exists (select from paper_extra_bank e where e.paper_id = $7 and e.bank_id = b.id))
           and (b.visibility = 'school' or b.created_by = $8 or exists (
                select from question_bank_member m where m.bank_id = b.id and m.account_id = $8))
         order by q.used_count, q.id limit 1",
        paper.course_id,
        QuestionType::as_str(own.kind),
        own.chapter_id,
        QuestionDifficulty::grade(own.difficulty),
        &taken,
        &usages,
        paper.id,
        by
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(found)
}
