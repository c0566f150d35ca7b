//! What a teacher types of a paper, and how its head is written.

use infra::{
    Change, Edit, Error, OnConstraint, Result, Tx,
    naming::{code_taken, switched_off, tidy},
    pinyin,
};
use poem_openapi::{Object, types::Example};
use question_bank::{
    enums::PaperKind,
    score::{is_score, points, tenths},
};
use sqlx::PgConnection;

use super::{
    Held,
    compose::{PaperSectionForm, chosen, write},
    copy::next_version,
    held,
    select::viewed,
};
use crate::enums::PaperComposeMode;

/// What a teacher types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PaperForm {
    /// 试卷编号
    /// 1至32位字母、数字、下划线或短横线，不填时自动编号
    #[oai(validator(pattern = "^[A-Za-z0-9_-]{1,32}$"))]
    pub code: Option<String>,
    /// 试卷名称
    #[oai(validator(max_length = 100))]
    pub name: String,
    /// 课程
    /// 选题后不能修改
    pub course_id: i64,
    /// 用途
    pub kind: PaperKind,
    /// 组卷方式
    /// 不填为手工
    pub compose_mode: Option<PaperComposeMode>,
    /// 目标总分
    /// 不填为100
    pub total_score: Option<f64>,
    /// 及格分
    /// 不填为60
    pub pass_score: Option<f64>,
    /// 时长(分钟)
    /// 10至300，作业不填
    #[oai(validator(minimum(value = "10"), maximum(value = "300")))]
    pub duration_minutes: Option<i32>,
    /// 策略
    pub rule_id: Option<i64>,
    /// 各卷重复题上限(%)
    /// 不填为100
    #[oai(validator(minimum(value = "0"), maximum(value = "100")))]
    pub overlap_max_percent: Option<i32>,
    /// 其他题库
    /// 其他课程的题库
    #[oai(default, validator(max_items = 20))]
    pub extra_bank_ids: Vec<i64>,
    /// 大题
    /// 新增时填写
    #[oai(default, validator(max_items = 30))]
    pub sections: Vec<PaperSectionForm>,
}

impl Example for PaperForm {
    fn example() -> Self {
        Self {
            code: None,
            name: "大学英语期末试卷".to_owned(),
            course_id: 1,
            kind: PaperKind::Exam,
            compose_mode: None,
            total_score: Some(100.0),
            pass_score: Some(60.0),
            duration_minutes: Some(90),
            rule_id: None,
            overlap_max_percent: None,
            extra_bank_ids: Vec::new(),
            sections: Vec::new(),
        }
    }
}

impl PaperForm {
    fn total(&self) -> i64 {
        self.total_score.map_or(1_000, tenths)
    }

    fn pass(&self) -> i64 {
        self.pass_score.map_or_else(|| self.total().min(600), tenths)
    }

    /// # Errors
    /// 422 at a field.
    fn check(&self) -> Result<()> {
        if self.total_score.is_some_and(|score| !is_score(score, 5, 10_000)) {
            return Err(Error::field("totalScore", "目标总分应在0.5到1000之间，最多一位小数"));
        }
        if self.pass_score.is_some_and(|score| !is_score(score, 0, self.total())) {
            return Err(Error::field("passScore", "及格分应在0到目标总分之间，最多一位小数"));
        }
        if self.kind == PaperKind::Homework && self.duration_minutes.is_some() {
            return Err(Error::field("durationMinutes", "作业试卷不填时长"));
        }
        Ok(())
    }
}

/// # Errors
/// 422 at what the form names and cannot be chosen. What the paper names already stays, whoever writes it again: a rule or bank
/// may be switched off since, kept to others, or have another use while that of the paper is the same.
async fn check(tx: &mut Tx, form: &PaperForm, before: Option<&Held>) -> Result<()> {
    form.check()?;
    let course = sqlx::query!("select name, enabled from course where id = $1", form.course_id)
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(|| Error::field("courseId", "所选课程不存在，请重新选择"))?;
    if !course.enabled && before.is_none_or(|before| before.course_id != form.course_id) {
        return Err(switched_off("courseId", &course.name));
    }
    let own = before.map(|before| before.id);
    if let Some(rule) = form.rule_id {
        let known = sqlx::query!(
            r#"select r.name, r.enabled,
                      exists (select from paper p where p.id = $3 and p.rule_id = r.id) as "held!"
               from paper_rule r where r.id = $1 and r.course_id = $2"#,
            rule,
            form.course_id,
            own
        )
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(|| Error::field("ruleId", "所选策略不属于本课程，请重新选择"))?;
        if !known.enabled && !known.held {
            return Err(switched_off("ruleId", &known.name));
        }
    }
    let mut banks = form.extra_bank_ids.clone();
    banks.sort_unstable();
    banks.dedup();
    let usages: Vec<String> = form.kind.usages().iter().map(|usage| (*usage).to_owned()).collect();
    let by = tx.by();
    let known = sqlx::query!(
        r#"select b.name, b.enabled, b.usage = any($2) as "fits!",
                  (b.visibility = 'school' or b.created_by = $3 or exists (
                      select from question_bank_member m where m.bank_id = b.id and m.account_id = $3)) as "seen!",
                  exists (select from paper_extra_bank x where x.paper_id = $4 and x.bank_id = b.id) as "held!"
           from question_bank b where b.id = any($1)"#,
        &banks,
        &usages,
        by,
        own
    )
    .fetch_all(&mut **tx)
    .await?;
    let same_use = before.is_some_and(|before| before.kind.usages() == form.kind.usages());
    let right = known.iter().filter(|bank| if bank.held { bank.fits || same_use } else { bank.fits && bank.seen });
    if right.count() != banks.len() {
        return Err(Error::field("extraBankIds", "部分题库不存在或不能用于该用途，请重新选择"));
    }
    match known.iter().find(|bank| !bank.enabled && !bank.held) {
        Some(off) => Err(switched_off("extraBankIds", &off.name)),
        None => Ok(()),
    }
}

/// The head of a paper that is to be written.
#[derive(Debug, Clone)]
pub(crate) struct NewPaper {
    /// None: the next number of the day.
    pub code: Option<String>,
    pub name: String,
    pub course_id: i64,
    pub kind: PaperKind,
    pub compose_mode: PaperComposeMode,
    pub rule_id: Option<i64>,
    pub rule_seed: Option<i64>,
    /// In tenths.
    pub total: i64,
    pub pass: i64,
    pub duration_minutes: Option<i32>,
    pub overlap_max_percent: i32,
    pub family_id: Option<i64>,
    pub version_no: i32,
    pub variant: String,
}

/// So many of `P{yyyyMMdd}{4 digits}`. Until the transaction ends nobody else of the school takes one, so that a call takes all
/// that it needs at once, and late.
///
/// # Errors
/// 422 at `code` when the day has no more.
pub(crate) async fn next_codes(tx: &mut Tx, count: usize) -> Result<Vec<String>> {
    let prefix = format!("P{}", tx.app().clock().today().format("%Y%m%d"));
    // Two papers of one moment take their numbers one after the other.
    sqlx::query("select pg_advisory_xact_lock(hashtextextended('paper code ' || current_schema(), 0))")
        .execute(&mut **tx)
        .await?;
    let last = sqlx::query_scalar!(
        r#"select max(substr(code, 10)::integer) from paper where starts_with(upper(code), $1) and code ~* '^P[0-9]{12}$'"#,
        prefix
    )
    .fetch_one(&mut **tx)
    .await?;
    let free: Vec<String> =
        (last.unwrap_or_default() + 1..=9_999).take(count).map(|next| format!("{prefix}{next:04}")).collect();
    if free.len() < count {
        return Err(Error::field("code", "当日自动编号已用完，请填写试卷编号"));
    }
    Ok(free)
}

/// Writes the head of a new paper.
///
/// # Errors
/// 422 at `code` when it is taken; 409 when the family has that version and variant.
pub(crate) async fn insert_row(tx: &mut Tx, new: &NewPaper) -> Result<(i64, Change)> {
    let code = match &new.code {
        Some(code) => code.clone(),
        None => next_codes(tx, 1).await?.concat(),
    };
    let (by, maker) = (tx.by(), tx.actor().name.clone());
    let name = tidy(&new.name);
    let id = sqlx::query_scalar!(
        "insert into paper (code, name, initials, course_id, kind, compose_mode, rule_id, rule_seed, total_score, pass_score,
             duration_minutes, overlap_max_percent, family_id, version_no, variant, created_by_name, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9::float8::numeric, $10::float8::numeric, $11, $12, $13, $14, $15, $16, $17, $17)
         returning id",
        code,
        name,
        pinyin::text_initials(&name),
        new.course_id,
        new.kind.as_str(),
        new.compose_mode.as_str(),
        new.rule_id,
        new.rule_seed,
        points(new.total),
        points(new.pass),
        new.duration_minutes,
        new.overlap_max_percent,
        new.family_id,
        new.version_no,
        new.variant,
        maker,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| match constraint {
        "paper_code_taken" => Some(code_taken(&code)),
        "paper_variant_taken" => Some(Error::conflict("已有相同版本和卷别的试卷，请刷新后重试")),
        _ => None,
    })?;
    let told = serde_json::json!({
        "code": code, "name": name, "courseId": new.course_id, "kind": new.kind.as_str(),
        "totalScore": points(new.total), "variant": new.variant, "versionNo": new.version_no, "ruleId": new.rule_id,
        "ruleSeed": new.rule_seed,
    });
    Ok((id, Change::created("paper", id, &told)))
}

pub(super) async fn insert(tx: &mut Tx, form: &PaperForm) -> Result<(i64, Change)> {
    check(tx, form, None).await?;
    let new = NewPaper {
        code: form.code.clone(),
        name: form.name.clone(),
        course_id: form.course_id,
        kind: form.kind,
        compose_mode: form.compose_mode.unwrap_or(PaperComposeMode::Manual),
        rule_id: form.rule_id,
        rule_seed: None,
        total: form.total(),
        pass: form.pass(),
        duration_minutes: form.duration_minutes,
        overlap_max_percent: form.overlap_max_percent.unwrap_or(100),
        family_id: None,
        version_no: 1,
        variant: "A".to_owned(),
    };
    let (id, change) = insert_row(tx, &new).await?;
    set_banks(tx, id, &form.extra_bank_ids).await?;
    if !form.sections.is_empty() {
        let before = held(tx, id).await?;
        let sections = chosen(tx, &before, &form.sections).await?;
        write(tx, &before, &sections).await?;
    }
    Ok((id, change))
}

/// Names these further banks; those that are kept from the account stay as they were.
///
/// # Errors
/// 422 at `extraBankIds` for a bank that goes while questions of it are in the paper.
async fn set_banks(tx: &mut Tx, paper: i64, banks: &[i64]) -> Result<()> {
    let by = tx.by();
    let gone = sqlx::query!(
        r#"delete from paper_extra_bank x using question_bank b
           where x.paper_id = $1 and b.id = x.bank_id and x.bank_id <> all($2)
             and (b.visibility = 'school' or b.created_by = $3 or exists (
                  select from question_bank_member m where m.bank_id = b.id and m.account_id = $3))
           returning b.name, (
               select count(*) from paper_question w join question q on q.id = w.question_id join paper p on p.id = w.paper_id
               where w.paper_id = x.paper_id and q.bank_id = x.bank_id and q.course_id <> p.course_id) as "questions!""#,
        paper,
        banks,
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    if let Some(bank) = gone.iter().find(|bank| bank.questions > 0) {
        let told = format!("{}道试题来自题库“{}”，请先移出", bank.questions, bank.name);
        return Err(Error::field("extraBankIds", told));
    }
    sqlx::query!(
        "insert into paper_extra_bank (paper_id, bank_id) select $1, b.id from unnest($2::bigint[]) as b (id)
         on conflict (paper_id, bank_id) do nothing",
        paper,
        banks
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// How many of its questions are of banks that papers of a kind may not use.
///
/// # Errors
/// Those of the database.
pub(crate) async fn strange(connection: &mut PgConnection, paper: i64, kind: PaperKind) -> Result<i64> {
    let usages: Vec<String> = kind.usages().iter().map(|usage| (*usage).to_owned()).collect();
    Ok(sqlx::query_scalar!(
        r#"select count(*) as "count!" from paper_question x
           join question q on q.id = x.question_id join question_bank b on b.id = q.bank_id
           where x.paper_id = $1 and b.usage <> all($2)"#,
        paper,
        &usages
    )
    .fetch_one(connection)
    .await?)
}

/// Writes the head of a paper again; of one that is in use, that of its next version.
///
/// # Errors
/// 422 at `courseId` when questions were chosen already, at `kind` when some may not be in papers of that kind; 409 while it is
/// looked at, or when somebody else edited meanwhile.
pub(super) async fn update(tx: &mut Tx, edit: &Edit<PaperForm>) -> Result<(i64, Vec<Change>)> {
    let Edit { id, version, form } = edit;
    let paper = held(tx, *id).await?;
    paper.as_read(tx, *version).await?;
    if !form.sections.is_empty() {
        return Err(Error::field("sections", "大题和试题请在选题中修改"));
    }
    let old_code = paper.code.clone();
    let mut changes = Vec::new();
    let paper = if paper.is_settled() {
        let (next, change) = next_version(tx, &paper).await?;
        changes.push(change);
        next
    } else {
        paper.editable()?;
        paper
    };
    check(tx, form, Some(&paper)).await?;
    let before = viewed(tx, paper.id, None).await?;
    if form.course_id != paper.course_id && before.paper.question_count > 0 {
        return Err(Error::field("courseId", "试卷已选题，不能改为其他课程"));
    }
    if form.kind.usages() != paper.kind.usages() {
        let strange = strange(tx, paper.id, form.kind).await?;
        if strange > 0 {
            return Err(Error::field("kind", format!("{strange}道试题所在题库不能用于{}，请先移出", form.kind.zh())));
        }
    }
    let by = tx.by();
    let name = tidy(&form.name);
    // A version has a code of its own: the one that was typed, unless it is still that of the version before.
    let is_new = |code: &String| changes.is_empty() || !code.eq_ignore_ascii_case(&old_code);
    let code = form.code.clone().filter(is_new).unwrap_or_else(|| paper.code.clone());
    sqlx::query!(
        "update paper set code = $2, name = $3, initials = $4, course_id = $5, kind = $6, compose_mode = $7, rule_id = $8,
                total_score = $9::float8::numeric, pass_score = $10::float8::numeric, duration_minutes = $11,
                overlap_max_percent = $12, status = 'draft', updated_at = now(), updated_by = $13, version = version + 1
         where id = $1",
        paper.id,
        code,
        name,
        pinyin::text_initials(&name),
        form.course_id,
        form.kind.as_str(),
        form.compose_mode.unwrap_or(paper.compose_mode).as_str(),
        form.rule_id,
        points(form.total()),
        points(form.pass()),
        form.duration_minutes,
        form.overlap_max_percent.unwrap_or(paper.overlap_max_percent),
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|constraint| (constraint == "paper_code_taken").then(|| code_taken(&code)))?;
    set_banks(tx, paper.id, &form.extra_bank_ids).await?;
    let after = viewed(tx, paper.id, None).await?;
    changes.push(Change::edited("paper", paper.id, &before, &after));
    Ok((paper.id, changes))
}
