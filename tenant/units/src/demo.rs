//! The units of a demonstration school (05 G4): organizations, sites, classrooms.

mod buildings;

use chrono::NaiveDate;
use infra::{Error, Result, Tx, pinyin};

const TEXTS: &str = include_str!("demo/data/demo_text.csv");

/// Phrases of a kind: names of units, employers, streets.
pub fn texts(kind: &str) -> Vec<&'static str> {
    TEXTS
        .lines()
        .skip(1)
        .filter_map(|line| line.split_once(','))
        .filter(|(of, _)| *of == kind)
        .map(|(_, text)| text.trim_matches('"'))
        .collect()
}

/// Of a school with fewer students not every case fits (05 G6).
pub const EVERY_CASE: usize = 300;

/// Behind those that take people in: one that takes nobody in any more, and one that was given up.
const ENDED: [&str; 2] = ["suspended", "closed"];

/// What tells sites of one prefecture apart.
const AGAIN: [&str; 8] = ["", "第二", "第三", "第四", "第五", "第六", "第七", "第八"];

/// What a demonstration school has of units.
pub struct Units {
    pub organizations: Vec<i64>,
    /// Number and short name; those that take people in first.
    pub sites: Vec<(i64, String)>,
    open: usize,
}

impl Units {
    /// The sites that take people in.
    pub fn open(&self) -> &[(i64, String)] {
        &self.sites[..self.open]
    }

    /// Those and the one that still has students: all but the one that was given up.
    pub fn staffed(&self) -> &[(i64, String)] {
        &self.sites[..self.suspended().map_or(self.open, |place| place + 1)]
    }

    /// Place of the site that takes nobody in any more.
    pub fn suspended(&self) -> Option<usize> {
        (self.open < self.sites.len()).then_some(self.open)
    }

    /// Place of the site that was given up.
    pub fn closed(&self) -> Option<usize> {
        self.suspended().map(|place| place + 1).filter(|place| *place < self.sites.len())
    }
}

/// Writes the units of a school with so many students in a province, which is named by its two digits.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx, province: &str, students: usize) -> Result<Units> {
    let organizations = organizations(tx).await?;
    let first = organizations.first().copied().ok_or_else(Error::not_found)?;
    let sites = sites(tx, province, students, first).await?;
    buildings::fill(tx, &sites).await?;
    Ok(Units { organizations, sites, open: sites_for(students) })
}

/// Sites of a school with so many students that take people in.
pub fn sites_for(students: usize) -> usize {
    (students as f64 / 250.0).round().clamp(2.0, 80.0) as usize
}

/// Sizes of sites by Zipf's law with exponent 0.8.
pub fn site_weights(sites: usize) -> Vec<(usize, f64)> {
    (0..sites).map(|n| (n, 1.0 / ((n + 1) as f64).powf(0.8))).collect()
}

async fn organizations(tx: &mut Tx) -> Result<Vec<i64>> {
    let mut ids = Vec::new();
    for (n, name) in texts("organization").into_iter().enumerate() {
        let kind =
            if name.contains("学院教学部") || name.contains("办公室") { "department" } else { "college" };
        ids.push(
            sqlx::query_scalar!(
                "insert into organization (code, name, kind, initials, sort_no, created_by, updated_by) values ($1, $2, $3, $4, $5, 0, 0) returning id",
                format!("O{:02}", n + 1),
                name,
                kind,
                pinyin::text_initials(name),
                i32::try_from(n).unwrap_or(0)
            )
            .fetch_one(&mut **tx)
            .await?,
        );
    }
    Ok(ids)
}

/// One headquarter, a teaching point in each of the first prefectures of the province, and those that have ended.
async fn sites(tx: &mut Tx, province: &str, students: usize, organization: i64) -> Result<Vec<(i64, String)>> {
    let count = sites_for(students);
    let mut platform = tx.app().platform_read().await?;
    let prefectures = sqlx::query!(
        "select code, name from platform.region where parent_code = $1 and kind = 'official' and level = 'prefecture' order by code",
        format!("{province}0000")
    )
    .fetch_all(&mut *platform)
    .await?;
    drop(platform);
    let hosts = texts("site_host");
    // The first has more students than places.
    let capacity_of = |n: usize| {
        let places = if n == 0 { students / count } else { students * 13 / 10 / count };
        i32::try_from(places + 1).unwrap_or(i32::MAX)
    };
    let ended = if students < EVERY_CASE { &ENDED[..0] } else { &ENDED[..] };
    let mut sites = Vec::new();
    for n in 0..count + ended.len() {
        let status = n.checked_sub(count).map_or("active", |place| ended[place]);
        let around = prefectures.len().max(1);
        let place = prefectures.get(n % around);
        let named = place.map_or("本地", |place| place.name.trim_end_matches('市'));
        // The first of all is the school's own and has another name.
        let before = if n % around == 0 { (n / around).saturating_sub(1) } else { n / around };
        let short = format!("{named}{}", AGAIN[before.min(AGAIN.len() - 1)]);
        let name = if n == 0 { "校本部".to_owned() } else { format!("{short}教学点") };
        let short_name = if n == 0 { "校本部".to_owned() } else { short.clone() };
        let host = hosts.get(n % hosts.len().max(1)).map(|host| format!("{named}{host}"));
        let id = sqlx::query_scalar!(
            "insert into site (code, name, short_name, kind, organization_id, host_unit, filing_no, filing_expires_on, region, address, contact,
                 phone, capacity, status, initials, created_by, updated_by)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, 0, 0) returning id",
            format!("{:03}", n + 1),
            name,
            short_name,
            if n == 0 { "headquarter" } else { "external" },
            organization,
            if n == 0 { None } else { host },
            (n > 0).then(|| format!("演示备{:04}", n)),
            (n > 0).then(|| NaiveDate::from_ymd_opt(2028, 12, 31)).flatten(),
            place.map(|place| place.code.clone()),
            format!("{named}某路{}号", n + 1),
            "站点负责人",
            format!("1540000{:04}", n),
            capacity_of(n),
            status,
            pinyin::text_initials(&name)
        )
        .fetch_one(&mut **tx)
        .await?;
        sites.push((id, short_name));
    }
    Ok(sites)
}
