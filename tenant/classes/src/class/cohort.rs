//! Where a class stands: its grade, level, major and site, and its number among the classes there.

use infra::{Error, Result, Scope, Tx, naming::switched_off};
use units::site::SiteStatus;

/// Grade, level, major and site of a class, and of all who sit in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cohort {
    pub grade_id: i64,
    pub level_id: i64,
    pub major_id: i64,
    pub site_id: i64,
}

/// What the four of a cohort are called, the site by its short name.
#[derive(Debug, Clone)]
pub(super) struct Names {
    pub(super) grade: String,
    pub(super) level: String,
    pub(super) major: String,
    pub(super) site: String,
}

impl Names {
    /// The name a class takes when none is typed.
    pub(super) fn class_name(&self, seq: i32) -> String {
        format!("{}{}{}{}{seq}班", self.grade, self.level, self.major, self.site)
    }
}

/// The four as they stand; none where there is no such row.
#[derive(Debug, Clone)]
struct Four {
    grade_name: Option<String>,
    grade_enabled: Option<bool>,
    level_name: Option<String>,
    level_enabled: Option<bool>,
    major_name: Option<String>,
    major_enabled: Option<bool>,
    major_level_id: Option<i64>,
    site_name: Option<String>,
    site_short_name: Option<String>,
    site_status: Option<SiteStatus>,
}

/// Loads and checks a place. What stays as it was `before` may be switched off meanwhile.
///
/// # Errors
/// 422 at the field that cannot be chosen.
pub(super) async fn check(tx: &mut Tx, cohort: Cohort, before: Option<Cohort>, scope: &Scope) -> Result<Names> {
    if !scope.sees(Some(cohort.site_id), None) {
        return Err(Error::field("siteId", "无权操作该数据"));
    }
    let four = sqlx::query_as!(
        Four,
        r#"select g.name as "grade_name?", g.enabled as "grade_enabled?", l.name as "level_name?", l.enabled as "level_enabled?",
                  m.name as "major_name?", m.enabled as "major_enabled?", m.level_id as "major_level_id?",
                  s.name as "site_name?", s.short_name as "site_short_name?", s.status as "site_status?: SiteStatus"
           from (values ($1::bigint, $2::bigint, $3::bigint, $4::bigint)) as cohort (grade_id, level_id, major_id, site_id)
           left join grade g on g.id = cohort.grade_id
           left join level l on l.id = cohort.level_id
           left join major m on m.id = cohort.major_id
           left join site s on s.id = cohort.site_id"#,
        cohort.grade_id,
        cohort.level_id,
        cohort.major_id,
        cohort.site_id
    )
    .fetch_one(&mut **tx)
    .await?;
    choose(four, cohort, before)
}

fn choose(four: Four, cohort: Cohort, before: Option<Cohort>) -> Result<Names> {
    let chosen = |field: &str, word: &str, id: i64, was: Option<i64>, name: Option<String>, usable: Option<bool>| {
        let name = name.ok_or_else(|| Error::field(field, format!("所选{word}不存在，请重新选择")))?;
        if usable != Some(true) && was != Some(id) {
            return Err(switched_off(field, &name));
        }
        Ok(name)
    };
    let was = |of: fn(&Cohort) -> i64| before.as_ref().map(of);
    let grade = chosen("gradeId", "年级", cohort.grade_id, was(|p| p.grade_id), four.grade_name, four.grade_enabled)?;
    let level = chosen("levelId", "层次", cohort.level_id, was(|p| p.level_id), four.level_name, four.level_enabled)?;
    let major = chosen("majorId", "专业", cohort.major_id, was(|p| p.major_id), four.major_name, four.major_enabled)?;
    // A suspended site recruits nobody, but those who are there may still be divided into classes.
    let open = four.site_status.map(|status| status != SiteStatus::Closed);
    let site = chosen("siteId", "站点", cohort.site_id, was(|p| p.site_id), four.site_name, open)?;
    if four.major_level_id != Some(cohort.level_id) {
        return Err(Error::field("majorId", format!("专业“{major}”不属于层次“{level}”")));
    }
    Ok(Names { grade, level, major, site: four.site_short_name.unwrap_or(site) })
}

/// The next number at a place. Two who ask at once get two numbers: the second waits for the first.
pub(super) async fn next_seq(tx: &mut Tx, cohort: Cohort) -> Result<i32> {
    take_seqs(tx, cohort, 1).await
}

/// Takes so many numbers in a row at a place and answers the first. A counter that is raised once for each of ten thousand rows of one
/// transaction leaves as many versions of itself, and each raise reads them all.
pub(super) async fn take_seqs(tx: &mut Tx, cohort: Cohort, count: i32) -> Result<i32> {
    let last = sqlx::query_scalar!(
        "insert into class_counter as counter (grade_id, level_id, major_id, site_id, last_seq) values ($1, $2, $3, $4, $5)
         on conflict (grade_id, level_id, major_id, site_id) do update set last_seq = counter.last_seq + excluded.last_seq
         returning last_seq",
        cohort.grade_id,
        cohort.level_id,
        cohort.major_id,
        cohort.site_id,
        count
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(last - count + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const COHORT: Cohort = Cohort { grade_id: 1, level_id: 2, major_id: 3, site_id: 4 };

    fn four() -> Four {
        Four {
            grade_name: Some("2026级".to_owned()),
            grade_enabled: Some(true),
            level_name: Some("专升本".to_owned()),
            level_enabled: Some(true),
            major_name: Some("会计学".to_owned()),
            major_enabled: Some(true),
            major_level_id: Some(2),
            site_name: Some("城东教学点".to_owned()),
            site_short_name: Some("城东".to_owned()),
            site_status: Some(SiteStatus::Active),
        }
    }

    fn told(four: Four, before: Option<Cohort>) -> String {
        choose(four, COHORT, before).map_or_else(|error| error.msg.into_owned(), |names| names.class_name(1))
    }

    #[test]
    fn a_class_is_named_after_its_place() {
        assert_eq!(told(four(), None), "2026级专升本会计学城东1班");
        assert_eq!(told(Four { site_short_name: None, ..four() }, None), "2026级专升本会计学城东教学点1班");
    }

    #[test]
    fn what_is_switched_off_is_kept_but_not_chosen() {
        let off = Four { grade_enabled: Some(false), ..four() };
        assert_eq!(told(off.clone(), None), "“2026级”已停用，请选择其他项");
        assert_eq!(told(off, Some(Cohort { site_id: 9, ..COHORT })), "2026级专升本会计学城东1班");
        assert_eq!(
            told(Four { site_status: Some(SiteStatus::Suspended), ..four() }, None),
            "2026级专升本会计学城东1班"
        );
        assert_eq!(
            told(Four { site_status: Some(SiteStatus::Closed), ..four() }, None),
            "“城东教学点”已停用，请选择其他项"
        );
    }

    #[test]
    fn the_four_must_exist_and_fit() {
        assert_eq!(told(Four { grade_name: None, grade_enabled: None, ..four() }, None), "所选年级不存在，请重新选择");
        assert_eq!(told(Four { major_level_id: Some(8), ..four() }, None), "专业“会计学”不属于层次“专升本”");
    }
}
