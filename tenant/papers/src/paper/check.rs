//! 检查: what keeps a paper from being submitted (part 03 A8).

use infra::Result;
use paper_rules::{
    check::{Alike, Found, mixed, problems},
    draw::overlap,
};
use question_bank::score::tenths;
use sqlx::PgConnection;

use super::{Held, compose::held_in, form::strange};
use crate::{
    content::{DetailSection, Figures, figures},
    enums::PaperVariant,
};

/// What is wrong with a paper, and what it comes to.
///
/// # Errors
/// Those of the database.
pub(super) async fn checked(
    connection: &mut PgConnection,
    paper: &Held,
    sections: &[DetailSection],
) -> Result<(Vec<String>, Figures)> {
    let sum = figures(sections);
    let numbered = (1..).zip(sections);
    let empty: Vec<usize> =
        numbered.filter(|(_, section)| section.questions.is_empty()).map(|(place, _)| place).collect();
    // Of each other variant the newest that is not out of use: they need not have come to the same version.
    let others = sqlx::query!(
        r#"select distinct on (variant) id, variant as "variant: PaperVariant" from paper
           where coalesce(family_id, id) = $1 and variant <> $2 and status <> 'disabled'
           order by variant, version_no desc"#,
        paper.family_id,
        paper.variant
    )
    .fetch_all(&mut *connection)
    .await?;
    let ids: Vec<i64> = others.iter().map(|other| other.id).collect();
    let held = held_in(connection, &ids).await?;
    let own: Vec<i64> =
        sections.iter().flat_map(|section| &section.questions).map(|question| question.question_id).collect();
    let alike: Vec<Alike> = others
        .iter()
        .filter_map(|other| {
            let questions = held.get(&other.id)?;
            let percent = overlap(&own, questions);
            Some(Alike { variant: other.variant.as_str().to_owned(), percent })
        })
        .collect();
    let strange = strange(connection, paper.id, paper.kind).await?;
    let found = Found { empty, mixed: mixed(sections), strange, alike };
    let most = i64::from(paper.overlap_max_percent);
    Ok((problems(tenths(paper.total_score), sum, &found, paper.kind, &paper.variant, most), sum))
}
