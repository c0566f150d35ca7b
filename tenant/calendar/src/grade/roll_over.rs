//! The grade of another year as the roll-over makes it: code, name and season of its source.

use infra::{Change, Error, Result, Tx};
use poem_openapi::Object;
use sqlx::PgConnection;
use term::{Season, Term};

use super::{GradeForm, insert};
use crate::roll_over::{RollOverState, named_later};

/// A grade from which another is made.
#[derive(Debug, Clone)]
pub struct SourceGrade {
    pub id: i64,
    pub name: String,
    pub entered: Term,
    code: String,
    sort_no: i32,
}

/// The grade of the target year, as it is or as it would be.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct RollOverGrade {
    /// 编号
    /// 将新建的年级没有编号
    pub id: Option<i64>,
    /// 年级编码
    pub code: String,
    /// 年级名称
    pub name: String,
    /// 入学年份
    pub entry_year: i32,
    /// 入学季
    pub entry_season: Season,
    /// 启用
    pub enabled: bool,
    /// 结转情况
    pub state: RollOverState,
    /// 原因
    pub reason: Option<String>,
}

/// The grade of this number; without one, that which entered last.
///
/// # Errors
/// 422 at `gradeId` when there is none.
pub async fn source(connection: &mut PgConnection, id: Option<i64>) -> Result<SourceGrade> {
    let found = sqlx::query!(
        r#"select id, code, name, entry_year, entry_season as "entry_season: Season", sort_no from grade
           where $1::bigint is null or id = $1
           order by entry_year desc, (entry_season = 'autumn') desc limit 1"#,
        id
    )
    .fetch_optional(connection)
    .await?;
    let found = found.ok_or_else(|| match id {
        Some(_) => Error::field("gradeId", "所选年级不存在，请重新选择"),
        None => Error::field("gradeId", "还没有年级，请先新增年级"),
    })?;
    let entered = Term { year: found.entry_year, season: found.entry_season };
    Ok(SourceGrade { id: found.id, name: found.name, entered, code: found.code, sort_no: found.sort_no })
}

/// A grade that may stand in the way of a new one.
struct Known {
    id: i64,
    code: String,
    name: String,
    entered: Term,
    enabled: bool,
}

/// The grade into which a source rolls over: the one that entered in the same season of that year, or a new one.
pub async fn target(connection: &mut PgConnection, source: &SourceGrade, year: i32) -> Result<RollOverGrade> {
    let new = later(source, year);
    let known = sqlx::query!(
        r#"select id, code, name, entry_year, entry_season as "entry_season: Season", enabled from grade
           where (entry_year = $1 and entry_season = $2) or lower(code) = lower($3) or name = $4 order by id"#,
        new.entry_year,
        new.entry_season.as_str(),
        new.code,
        new.name
    )
    .fetch_all(connection)
    .await?;
    let known: Vec<Known> = known
        .into_iter()
        .map(|row| Known {
            id: row.id,
            code: row.code,
            name: row.name,
            entered: Term { year: row.entry_year, season: row.entry_season },
            enabled: row.enabled,
        })
        .collect();
    Ok(judged(new, &known))
}

/// Code and name of the source with the target year; what else a code carries stays.
fn later(source: &SourceGrade, year: i32) -> RollOverGrade {
    let letter = source.code.get(4..).unwrap_or_default();
    let code = format!("{year:04}{letter}");
    RollOverGrade {
        id: None,
        name: named_later(&source.name, year - source.entered.year).unwrap_or_else(|| term::grade_name(&code)),
        code,
        entry_year: year,
        entry_season: source.entered.season,
        enabled: true,
        state: RollOverState::New,
        reason: None,
    }
}

fn judged(new: RollOverGrade, known: &[Known]) -> RollOverGrade {
    let entered = Term { year: new.entry_year, season: new.entry_season };
    if let Some(there) = known.iter().find(|grade| grade.entered == entered) {
        return RollOverGrade {
            id: Some(there.id),
            code: there.code.clone(),
            name: there.name.clone(),
            enabled: there.enabled,
            state: RollOverState::Exists,
            ..new
        };
    }
    let reason = if known.iter().any(|grade| grade.code.eq_ignore_ascii_case(&new.code)) {
        Some(format!("编码“{}”已存在", new.code))
    } else if known.iter().any(|grade| grade.name == new.name) {
        Some(format!("名称“{}”已存在", new.name))
    } else {
        None
    };
    match reason {
        Some(_) => RollOverGrade { state: RollOverState::Blocked, reason, ..new },
        None => new,
    }
}

/// Makes the grade that was shown; answers its id and its record.
pub async fn make(tx: &mut Tx, source: &SourceGrade, shown: &RollOverGrade) -> Result<(i64, Change)> {
    let form = GradeForm {
        code: shown.code.clone(),
        name: Some(shown.name.clone()),
        entry_season: Some(shown.entry_season),
        sort_no: source.sort_no,
        remark: None,
    };
    insert(tx, form).await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(code: &str, name: &str, known: &[(&str, &str, Season)]) -> String {
        let source = SourceGrade {
            id: 1,
            name: name.to_owned(),
            entered: Term { year: 2026, season: Season::Spring },
            code: code.to_owned(),
            sort_no: 0,
        };
        let known: Vec<Known> = known
            .iter()
            .map(|(code, name, season)| Known {
                id: 2,
                code: (*code).to_owned(),
                name: (*name).to_owned(),
                entered: Term { year: 2027, season: *season },
                enabled: true,
            })
            .collect();
        let RollOverGrade { code, name, state, reason, .. } = judged(later(&source, 2027), &known);
        format!("{} {code} {name} {}", state.zh(), reason.unwrap_or_default())
    }

    #[test]
    fn a_grade_is_made_unless_it_is_there_or_its_words_are_taken() {
        use Season::{Autumn, Spring};
        assert_eq!(told("2026", "2026级", &[]), "将新建 2027 2027级 ");
        assert_eq!(told("2026A", "春季新生", &[]), "将新建 2027A 2027A级 ");
        assert_eq!(told("2026", "2026级", &[("2027A", "27级", Spring)]), "已存在 2027A 27级 ");
        assert_eq!(told("2026", "2026级", &[("2027", "27级秋", Autumn)]), "不能新建 2027 2027级 编码“2027”已存在");
        assert_eq!(told("2026", "2026级", &[("2027B", "2027级", Autumn)]), "不能新建 2027 2027级 名称“2027级”已存在");
    }
}
