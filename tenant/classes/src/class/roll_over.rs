//! The classes of a grade as the roll-over makes them for another: the same level, major, site and capacity, the next
//! numbers there, the usual names and codes. Who looks after them is appointed anew (班主任 belong to the people's module).

use std::collections::{HashMap, HashSet, VecDeque};

use calendar::{grade::roll_over::RollOverGrade, roll_over::RollOverState};
use infra::{Change, Error, OnConstraint, Result, Scope, Tx};
use majors::major::StudyForm;
use poem_openapi::Object;
use sqlx::PgConnection;
use units::site::SiteStatus;

use super::{
    Cohort,
    cohort::Names,
    create::{ClassRow, NewClass, PlaceCodes, insert_all},
};
use crate::roll_over::changed_meanwhile;

/// The most classes of a grade that roll over at once.
pub(crate) const MOST_CLASSES: usize = 2000;

/// A class of the source grade, and what it is or would be in the target grade.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct RollOverClass {
    /// 来源班级编号
    pub source_id: i64,
    /// 来源班级
    pub source_name: String,
    /// 来源班级人数
    pub student_count: i64,
    /// 编码
    pub code: String,
    /// 名称
    pub name: String,
    /// 层次名称
    pub level_name: String,
    /// 专业名称
    pub major_name: String,
    /// 学习形式
    pub study_form: StudyForm,
    /// 站点名称
    pub site_name: String,
    /// 容量
    pub capacity: i32,
    /// 结转情况
    pub state: RollOverState,
    /// 原因
    pub reason: Option<String>,
}

/// The same with where it would stand.
#[derive(Debug)]
pub(crate) struct PlannedClass {
    pub(crate) shown: RollOverClass,
    spot: Spot,
    seq: i32,
}

/// Level, major and site: a place whose grade may not be there yet.
type Spot = (i64, i64, i64);

/// A class of the source grade with all that decides about its successor.
#[derive(Debug, Clone)]
struct Source {
    id: i64,
    name: String,
    capacity: i32,
    enabled: bool,
    student_count: i64,
    level_id: i64,
    level_name: String,
    level_enabled: bool,
    major_id: i64,
    major_code: String,
    major_name: String,
    major_enabled: bool,
    study_form: StudyForm,
    site_id: i64,
    site_code: String,
    site_name: String,
    site_short: String,
    site_status: SiteStatus,
}

impl Source {
    fn spot(&self) -> Spot {
        (self.level_id, self.major_id, self.site_id)
    }

    /// Why it has no successor.
    fn closed(&self) -> Option<String> {
        if !self.enabled {
            Some("来源班级已停用".to_owned())
        } else if !self.level_enabled {
            Some(format!("层次“{}”已停用", self.level_name))
        } else if !self.major_enabled {
            Some(format!("专业“{}”已停用", self.major_name))
        } else {
            // A new year means new students: unlike a class that is there, a suspended site gets none.
            match self.site_status {
                SiteStatus::Active => None,
                SiteStatus::Suspended => Some(format!("站点“{}”已停招", self.site_name)),
                SiteStatus::Closed => Some(format!("站点“{}”已撤销", self.site_name)),
            }
        }
    }
}

/// A class that the target grade has.
#[derive(Debug, Clone)]
struct There {
    code: String,
    name: String,
    level_id: i64,
    major_id: i64,
    site_id: i64,
    capacity: i32,
}

/// What the target grade has: its classes in the order of their numbers, and the greatest number ever given at each spot.
#[derive(Debug, Default)]
struct Standing {
    classes: Vec<There>,
    numbers: HashMap<Spot, i32>,
}

/// The classes of the source grade at the sites of the scope, with what becomes of each. As many as the target grade has
/// at a spot count as rolled over.
///
/// # Errors
/// 422 at `gradeId` when there are more than roll over at once.
pub(crate) async fn classes(
    connection: &mut PgConnection,
    grade_id: i64,
    target: &RollOverGrade,
    scope: &Scope,
) -> Result<Vec<PlannedClass>> {
    let sources = sources(connection, grade_id, scope).await?;
    if sources.len() > MOST_CLASSES {
        return Err(Error::field("gradeId", format!("一次最多结转{MOST_CLASSES}个班级")));
    }
    let standing = match target.id {
        Some(id) => standing(connection, id).await?,
        None => Standing::default(),
    };
    let names: HashSet<String> = standing.classes.iter().map(|class| class.name.clone()).collect();
    let mut planned = plan(sources, target, standing);
    let codes: Vec<String> = fresh(&planned).map(|class| class.shown.code.to_lowercase()).collect();
    let codes = sqlx::query_scalar!(r#"select lower(code) as "code!" from class where lower(code) = any($1)"#, &codes)
        .fetch_all(connection)
        .await?;
    refuse_taken(&mut planned, names, codes.into_iter().collect());
    Ok(planned)
}

fn fresh(planned: &[PlannedClass]) -> impl Iterator<Item = &PlannedClass> {
    planned.iter().filter(|class| class.shown.state == RollOverState::New)
}

/// A class is made at a site, so that a scope over named classes alone opens none here.
async fn sources(connection: &mut PgConnection, grade_id: i64, scope: &Scope) -> Result<Vec<Source>> {
    let most = i64::try_from(MOST_CLASSES + 1).map_err(Error::internal)?;
    let sources = sqlx::query_as!(
        Source,
        r#"select c.id, c.name, c.capacity, c.enabled,
                  (select count(*) from student t where t.class_id = c.id and t.active) as "student_count!",
                  c.level_id, l.name as level_name, l.enabled as level_enabled,
                  c.major_id, m.code as major_code, m.name as major_name, m.enabled as major_enabled,
                  m.study_form as "study_form: StudyForm",
                  c.site_id, s.code as site_code, s.name as site_name, coalesce(s.short_name, s.name) as "site_short!",
                  s.status as "site_status: SiteStatus"
           from class c
           join level l on l.id = c.level_id
           join major m on m.id = c.major_id
           join site s on s.id = c.site_id
           where c.grade_id = $1 and ($2::bigint[] is null or c.site_id = any($2))
           order by l.sort_no, l.code, m.sort_no, m.code, s.code, c.seq
           limit $3"#,
        grade_id,
        scope.sites(),
        most
    )
    .fetch_all(connection)
    .await?;
    Ok(sources)
}

async fn standing(connection: &mut PgConnection, grade_id: i64) -> Result<Standing> {
    let classes = sqlx::query_as!(
        There,
        "select code, name, level_id, major_id, site_id, capacity from class where grade_id = $1 order by seq",
        grade_id
    )
    .fetch_all(&mut *connection)
    .await?;
    let counters =
        sqlx::query!("select level_id, major_id, site_id, last_seq from class_counter where grade_id = $1", grade_id)
            .fetch_all(connection)
            .await?;
    let numbers = counters.into_iter().map(|row| ((row.level_id, row.major_id, row.site_id), row.last_seq)).collect();
    Ok(Standing { classes, numbers })
}

/// What becomes of each class, by what stands at its spot, what is switched off, and the numbers that are free.
fn plan(sources: Vec<Source>, target: &RollOverGrade, standing: Standing) -> Vec<PlannedClass> {
    let no_grade = match target.state {
        RollOverState::Blocked => Some(format!("年级“{}”不能新建", target.name)),
        RollOverState::Exists if !target.enabled => Some(format!("年级“{}”已停用，请先启用", target.name)),
        RollOverState::New | RollOverState::Exists => None,
    };
    let Standing { classes, mut numbers } = standing;
    let mut there: HashMap<Spot, VecDeque<There>> = HashMap::new();
    for class in classes {
        there.entry((class.level_id, class.major_id, class.site_id)).or_default().push_back(class);
    }
    let mut planned = Vec::with_capacity(sources.len());
    for source in sources {
        let spot = source.spot();
        let known = there.get_mut(&spot).and_then(VecDeque::pop_front);
        planned.push(match (known, source.closed().or_else(|| no_grade.clone())) {
            (Some(known), _) => source.becomes(known),
            (None, Some(reason)) => source.blocked(reason),
            (None, None) => {
                let last = numbers.entry(spot).or_default();
                *last += 1;
                source.numbered(target, *last)
            }
        });
    }
    planned
}

impl Source {
    fn becomes(self, known: There) -> PlannedClass {
        let There { code, name, capacity, .. } = known;
        self.planned(0, code, name, capacity, RollOverState::Exists, None)
    }

    fn blocked(self, reason: String) -> PlannedClass {
        let capacity = self.capacity;
        self.planned(0, String::new(), String::new(), capacity, RollOverState::Blocked, Some(reason))
    }

    fn numbered(self, target: &RollOverGrade, seq: i32) -> PlannedClass {
        let names = Names {
            grade: target.name.clone(),
            level: self.level_name.clone(),
            major: self.major_name.clone(),
            site: self.site_short.clone(),
        };
        let codes =
            PlaceCodes { grade: target.code.clone(), major: self.major_code.clone(), site: self.site_code.clone() };
        let (code, capacity) = (codes.code(self.major_id, self.site_id, seq), self.capacity);
        self.planned(seq, code, names.class_name(seq), capacity, RollOverState::New, None)
    }

    fn planned(
        self,
        seq: i32,
        code: String,
        name: String,
        capacity: i32,
        state: RollOverState,
        reason: Option<String>,
    ) -> PlannedClass {
        let spot = self.spot();
        let shown = RollOverClass {
            source_id: self.id,
            source_name: self.name,
            student_count: self.student_count,
            code,
            name,
            level_name: self.level_name,
            major_name: self.major_name,
            study_form: self.study_form,
            site_name: self.site_name,
            capacity,
            state,
            reason,
        };
        PlannedClass { shown, spot, seq }
    }
}

/// The usual name does not tell two majors of one name apart, nor two sites of one short name: the second of them is told,
/// like one whose words another class was given by hand.
fn refuse_taken(planned: &mut [PlannedClass], mut names: HashSet<String>, mut codes: HashSet<String>) {
    for PlannedClass { shown, .. } in planned.iter_mut().filter(|class| class.shown.state == RollOverState::New) {
        let reason = if !codes.insert(shown.code.to_lowercase()) {
            format!("编码“{}”已存在，请在班级管理中新增", shown.code)
        } else if !names.insert(shown.name.clone()) {
            format!("该年级中名称“{}”已存在，请在班级管理中新增", shown.name)
        } else {
            continue;
        };
        shown.state = RollOverState::Blocked;
        shown.reason = Some(reason);
    }
}

/// Makes the classes that were shown in the grade, and uses up their numbers; answers their records.
///
/// # Errors
/// 409 when somebody took a name, a code or a number meanwhile.
pub(crate) async fn make(tx: &mut Tx, grade_id: i64, classes: &[&PlannedClass]) -> Result<Vec<Change>> {
    if classes.is_empty() {
        return Ok(Vec::new());
    }
    let levels: Vec<i64> = classes.iter().map(|class| class.spot.0).collect();
    let majors: Vec<i64> = classes.iter().map(|class| class.spot.1).collect();
    let sites: Vec<i64> = classes.iter().map(|class| class.spot.2).collect();
    let numbers: Vec<i32> = classes.iter().map(|class| class.seq).collect();
    sqlx::query!(
        "insert into class_counter as counter (grade_id, level_id, major_id, site_id, last_seq)
         select $1::bigint, level_id, major_id, site_id, max(seq)
         from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::integer[]) as line (level_id, major_id, site_id, seq)
         group by level_id, major_id, site_id order by level_id, major_id, site_id
         on conflict (grade_id, level_id, major_id, site_id)
         do update set last_seq = greatest(counter.last_seq, excluded.last_seq)",
        grade_id,
        &levels,
        &majors,
        &sites,
        &numbers
    )
    .execute(&mut **tx)
    .await?;
    let rows: Vec<ClassRow> = classes
        .iter()
        .map(|PlannedClass { shown, spot: (level_id, major_id, site_id), seq }| ClassRow {
            cohort: Cohort { grade_id, level_id: *level_id, major_id: *major_id, site_id: *site_id },
            class: NewClass { name: shown.name.clone(), code: shown.code.clone(), seq: *seq },
            capacity: shown.capacity,
        })
        .collect();
    let ids = insert_all(tx, &rows).await.on_constraint(|name| {
        matches!(name, "class_code_taken" | "class_name_taken" | "class_seq_taken").then(changed_meanwhile)
    })?;
    Ok(ids.iter().zip(&rows).map(|(id, row)| row.created(*id)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::Season;

    fn target(state: RollOverState, enabled: bool) -> RollOverGrade {
        RollOverGrade {
            id: (state == RollOverState::Exists).then_some(9),
            code: "2027".to_owned(),
            name: "2027级".to_owned(),
            entry_year: 2027,
            entry_season: Season::Spring,
            enabled,
            state,
            reason: None,
        }
    }

    fn source(major: &str) -> Source {
        Source {
            id: 1,
            name: "1班".to_owned(),
            capacity: 45,
            enabled: true,
            student_count: 0,
            level_id: 2,
            level_name: "专升本".to_owned(),
            level_enabled: true,
            major_id: i64::try_from(major.len()).expect("a small number"),
            major_code: major.to_owned(),
            major_name: "会计学".to_owned(),
            major_enabled: true,
            study_form: StudyForm::NonFullTime,
            site_id: 4,
            site_code: "CD".to_owned(),
            site_name: "城东教学点".to_owned(),
            site_short: "城东".to_owned(),
            site_status: SiteStatus::Active,
        }
    }

    fn there(name: &str) -> There {
        There { code: "HAND".to_owned(), name: name.to_owned(), level_id: 2, major_id: 2, site_id: 4, capacity: 30 }
    }

    fn told(planned: &[PlannedClass]) -> Vec<String> {
        let told = |RollOverClass { state, code, name, capacity, reason, .. }: &RollOverClass| {
            format!("{} {code} {name} {capacity} {}", state.zh(), reason.as_deref().unwrap_or_default())
        };
        planned.iter().map(|class| told(&class.shown)).collect()
    }

    #[test]
    fn classes_get_the_next_numbers_and_the_usual_words() {
        let new = target(RollOverState::New, true);
        let planned = plan(vec![source("KJ"), source("KJ"), source("KJX")], &new, Standing::default());
        assert_eq!(
            told(&planned),
            [
                "将新建 2027-KJ-CD-01 2027级专升本会计学城东1班 45 ",
                "将新建 2027-KJ-CD-02 2027级专升本会计学城东2班 45 ",
                "将新建 2027-KJX-CD-01 2027级专升本会计学城东1班 45 ",
            ]
        );
    }

    #[test]
    fn as_many_as_stand_there_are_rolled_over_and_numbers_never_come_back() {
        let standing = Standing { classes: vec![there("会计甲班")], numbers: HashMap::from([((2, 2, 4), 6)]) };
        let planned = plan(vec![source("KJ"), source("KJ")], &target(RollOverState::Exists, true), standing);
        assert_eq!(told(&planned), ["已存在 HAND 会计甲班 30 ", "将新建 2027-KJ-CD-07 2027级专升本会计学城东7班 45 "]);
    }

    #[test]
    fn what_is_switched_off_has_no_successor() {
        let reasons = |grade: RollOverGrade, source: Source| {
            let planned = plan(vec![source], &grade, Standing::default());
            planned[0].shown.reason.clone().unwrap_or_default()
        };
        let new = || target(RollOverState::New, true);
        assert_eq!(reasons(new(), source("KJ")), "");
        assert_eq!(reasons(new(), Source { enabled: false, ..source("KJ") }), "来源班级已停用");
        assert_eq!(reasons(new(), Source { level_enabled: false, ..source("KJ") }), "层次“专升本”已停用");
        assert_eq!(reasons(new(), Source { major_enabled: false, ..source("KJ") }), "专业“会计学”已停用");
        let site = |site_status| Source { site_status, ..source("KJ") };
        assert_eq!(reasons(new(), site(SiteStatus::Suspended)), "站点“城东教学点”已停招");
        assert_eq!(reasons(new(), site(SiteStatus::Closed)), "站点“城东教学点”已撤销");
        assert_eq!(reasons(target(RollOverState::Blocked, true), source("KJ")), "年级“2027级”不能新建");
        assert_eq!(reasons(target(RollOverState::Exists, false), source("KJ")), "年级“2027级”已停用，请先启用");
    }

    #[test]
    fn words_are_given_once() {
        let new = target(RollOverState::New, true);
        let mut planned = plan(vec![source("KJ"), source("KJX"), source("KJYZ")], &new, Standing::default());
        refuse_taken(&mut planned, HashSet::new(), HashSet::from(["2027-kjyz-cd-01".to_owned()]));
        assert_eq!(
            told(&planned),
            [
                "将新建 2027-KJ-CD-01 2027级专升本会计学城东1班 45 ",
                "不能新建 2027-KJX-CD-01 2027级专升本会计学城东1班 45 该年级中名称“2027级专升本会计学城东1班”已存在，请在班级管理中新增",
                "不能新建 2027-KJYZ-CD-01 2027级专升本会计学城东1班 45 编码“2027-KJYZ-CD-01”已存在，请在班级管理中新增",
            ]
        );
    }
}
