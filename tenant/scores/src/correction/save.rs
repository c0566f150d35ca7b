//! 新增成绩更正: somebody asks for it, or a violation that was decided after the publication does.

use infra::{Allowed, Body, Change, Error, OnConstraint, Reply, Result, Saved, Scope, Tx, files, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use scores_rules::{
    arith::{NO_SCORE, in_tenths, points},
    enums::{ScoreCorrectionReason, ScoreCorrectionTarget, ScoreMark, ScoreOrigin, ScorePart},
};

use super::{GRADUATED, SaveCorrection, made};
use crate::{
    offered::FixedMark,
    score::{Card, cards},
    sheet::hold::hold_scores,
};

/// What may prove it.
const KINDS: [&str; 4] = ["pdf", "jpg", "jpeg", "png"];
const MOST_MB: i64 = 20;

/// What is to be corrected, and why.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ScoreCorrectionForm {
    /// 课程成绩
    pub course_score_id: i64,
    /// 更正内容
    pub target: ScoreCorrectionTarget,
    /// 成绩组成项
    /// 更正平时项，或毕业论文、实习的各项成绩时必填
    pub component_kind: Option<ScorePart>,
    /// 考试成绩
    /// 更正卷面或特殊情况时填写；不填为最近一次已发布的考试
    pub exam_score_id: Option<i64>,
    /// 新分数
    pub new_value: Option<f64>,
    /// 新特殊情况
    pub new_mark: Option<ScoreMark>,
    /// 更正原因
    pub reason_type: ScoreCorrectionReason,
    /// 说明
    #[oai(validator(min_length = 2, max_length = 500))]
    pub reason: String,
    /// 附件
    /// 至少一个
    #[oai(validator(min_items = 1, max_items = 10))]
    pub file_keys: Vec<String>,
}

impl Example for ScoreCorrectionForm {
    fn example() -> Self {
        Self {
            course_score_id: 1,
            target: ScoreCorrectionTarget::Exam,
            component_kind: None,
            exam_score_id: None,
            new_value: Some(61.0),
            new_mark: None,
            reason_type: ScoreCorrectionReason::MarkingError,
            reason: "合分错误，少加3分".to_owned(),
            file_keys: vec!["private/2026/07/a.pdf".to_owned()],
        }
    }
}

pub struct Saving;

#[OpenApi(prefix_path = "/adult/pc/score/correction", tag = "crate::Tag::Scores")]
impl Saving {
    /// 新增成绩更正
    /// 只能更正已发布或已锁定的成绩
    #[oai(path = "/save", method = "post", operation_id = "saveScoreCorrection")]
    async fn save(
        &self,
        caller: Allowed<SaveCorrection>,
        Body(form): Body<ScoreCorrectionForm>,
    ) -> Result<Reply<Saved>> {
        let mut tx = match caller.begin().await {
            Ok(tx) => tx,
            Err(error) => return error.replayed().map(|id| reply(Saved { id })).ok_or(error),
        };
        let who = (caller.user_id(), caller.session.real_name.as_str());
        let (id, change) = insert(&mut tx, &form, &caller.scope(), caller.rights().get(GRADUATED), who).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }
}

/// Holds a score, with its card, of a student within the scope.
///
/// # Errors
/// 404 beyond the scope.
pub(super) async fn held(tx: &mut Tx, id: i64, scope: &Scope) -> Result<Card> {
    let place = sqlx::query!(
        "select y.site_id, y.class_id from course_score s join student y on y.id = s.student_id where s.id = $1",
        id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    if !scope.sees(Some(place.site_id), place.class_id) {
        return Err(Error::not_found());
    }
    hold_scores(tx, &[id]).await?;
    cards(tx, &[id]).await?.remove(&id).ok_or_else(Error::not_found)
}

/// # Errors
/// 403 of a graduated student beyond the scope of the code for it; 409 of a sealed archive.
pub(super) async fn may_correct(tx: &mut Tx, student: i64, graduated: Option<&Scope>) -> Result<()> {
    let stands = sqlx::query!(
        r#"select site_id, class_id, status in ('graduated', 'completed') as "graduated!",
                  exists (select from archive a where a.student_id = student.id and a.status in ('sealed', 'handed_over'))
                      as "sealed!"
           from student where id = $1"#,
        student
    )
    .fetch_one(&mut **tx)
    .await?;
    let may = graduated.is_some_and(|scope| scope.sees(Some(stands.site_id), stands.class_id));
    if stands.graduated && !may {
        return Err(Error::new(403, "该生已毕业，没有“更正已毕业学生成绩”权限"));
    }
    if stands.sealed {
        return Err(Error::conflict("该生档案已归档，请先取消归档"));
    }
    Ok(())
}

async fn insert(
    tx: &mut Tx,
    form: &ScoreCorrectionForm,
    scope: &Scope,
    graduated: Option<&Scope>,
    (account, name): (i64, &str),
) -> Result<(i64, Change)> {
    let card = held(tx, form.course_score_id, scope).await?;
    if !card.status.is_out() {
        return Err(Error::conflict("成绩尚未发布，请直接修改"));
    }
    if card.mark == Some(ScoreMark::Exempt) {
        return Err(Error::conflict("免修的成绩不能更正"));
    }
    may_correct(tx, card.student_id, graduated).await?;
    let value = match form.new_value {
        None => None,
        Some(value) => Some(in_tenths(value, 1_000).ok_or_else(|| Error::field("newValue", NO_SCORE))?),
    };
    let asked = if card.origin == ScoreOrigin::Examined {
        asked(&card, form, value)?
    } else {
        let parts = made::parts_of(tx, &card).await?;
        made::asked(&card, form, value, &parts)?
    };
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into score_correction (course_score_id, target, component_kind, exam_score_id, old_value, old_mark, new_value,
             new_mark, old_text, reason_type, reason, applied_by, applied_by_name, created_by, updated_by)
         values ($1, $2, $3, $4, $5::bigint / 10.0, $6, $7::bigint / 10.0, $8, $9, $10, $11, $12, $13, $14, $14) returning id",
        form.course_score_id,
        form.target.as_str(),
        asked.component.map(ScorePart::as_str),
        asked.exam,
        asked.old_value,
        asked.old_mark.map(ScoreMark::as_str),
        asked.new_value,
        asked.new_mark.map(ScoreMark::as_str),
        card.text,
        form.reason_type.as_str(),
        form.reason,
        account,
        name,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| {
        (constraint == "score_correction_open_taken").then(|| Error::conflict("该成绩已有待审核的更正"))
    })?;
    for (place, key) in form.file_keys.iter().enumerate() {
        let file = files::adopt_kind(tx, key, ("score_correction", id), &KINDS, MOST_MB).await;
        let file = file.map_err(|error| match error.code {
            422 => Error::field(&format!("fileKeys[{place}]"), error.msg),
            _ => error,
        })?;
        sqlx::query!(
            "insert into score_correction_file (correction_id, file_id, sort_no) values ($1, $2, $3)",
            id,
            file,
            i32::try_from(place).map_err(Error::internal)?
        )
        .execute(&mut **tx)
        .await?;
    }
    Ok((id, Change::created("score_correction", id, form)))
}

/// A correction as it is stored; numbers in tenths.
pub(super) struct Asked {
    pub component: Option<ScorePart>,
    pub exam: Option<i64>,
    pub old_value: Option<i64>,
    pub old_mark: Option<ScoreMark>,
    pub new_value: Option<i64>,
    pub new_mark: Option<ScoreMark>,
}

/// # Errors
/// 409 where the score has nothing of the kind; 422 for what is missing or does not fit.
fn asked(card: &Card, form: &ScoreCorrectionForm, value: Option<i64>) -> Result<Asked> {
    if card.formula.is_none() {
        return Err(Error::conflict("该成绩没有计算公式，不能更正"));
    }
    if form.target == ScoreCorrectionTarget::Component {
        let kind = form.component_kind.ok_or_else(|| Error::field("componentKind", "请选择平时成绩项"))?;
        if !kind.is_usual() {
            return Err(Error::field("componentKind", format!("该课程没有{}", kind.zh())));
        }
        let new_value = value.ok_or_else(|| Error::field("newValue", "请填写新分数"))?;
        let old_value = card.components.get(kind.as_str()).and_then(|part| part.value());
        if old_value == Some(new_value) {
            return Err(Error::field("newValue", "新分数与原分数相同"));
        }
        let new_value = Some(new_value);
        return Ok(Asked { component: Some(kind), exam: None, old_value, old_mark: None, new_value, new_mark: None });
    }
    let mut published = card.rounds.iter().filter(|round| round.published);
    let found = match form.exam_score_id {
        Some(id) => published.find(|round| round.id == id),
        None => published.next_back(),
    };
    let exam = found.ok_or_else(|| Error::conflict("没有已发布的考试成绩"))?;
    let (new_value, new_mark) = match form.target {
        ScoreCorrectionTarget::Mark => {
            let mark = form.new_mark.ok_or_else(|| Error::field("newMark", "请选择新特殊情况"))?;
            if matches!(mark, ScoreMark::Deferred | ScoreMark::Exempt) {
                return Err(Error::field("newMark", format!("{}须由相应登记产生", mark.zh())));
            }
            let new_value = value.or(exam.value);
            if mark == ScoreMark::Normal && new_value.is_none() {
                return Err(Error::field("newValue", "请填写新分数"));
            }
            (new_value, mark)
        }
        _ => (Some(value.ok_or_else(|| Error::field("newValue", "请填写新分数"))?), exam.mark),
    };
    if (new_value, new_mark) == (exam.value, exam.mark) {
        return Err(Error::field("newValue", "新成绩与原成绩相同"));
    }
    Ok(Asked {
        component: None,
        exam: Some(exam.id),
        old_value: exam.value,
        old_mark: Some(exam.mark),
        new_value,
        new_mark: Some(new_mark),
    })
}

/// The correction that a violation opens after the publication, or that its revocation opens back; none where the score is so already.
/// A correction of the same violation that nobody has decided is withdrawn instead. The score is held.
///
/// # Errors
/// 409 where another correction of the mark waits.
pub(crate) async fn opened(tx: &mut Tx, score: i64, sheet: i64, mark: &FixedMark) -> Result<Option<(i64, Change)>> {
    let by = tx.by();
    if mark.mark.is_none() {
        let withdrawn = sqlx::query_scalar!(
            "update score_correction set status = 'cancelled', updated_at = now(), updated_by = $3, version = version + 1
             where course_score_id = $1 and violation_id = $2 and status = 'applied' returning id",
            score,
            mark.violation,
            by
        )
        .fetch_optional(&mut **tx)
        .await?;
        if let Some(id) = withdrawn {
            let change = Change::status("score_correction", id, "status", "applied", "cancelled");
            return Ok(Some((id, change.because(Some(&mark.reason[..])))));
        }
    }
    let Some(card) = cards(tx, &[score]).await?.remove(&score) else { return Ok(None) };
    let Some(exam) = card.rounds.iter().find(|round| round.sheet_id == Some(sheet)) else { return Ok(None) };
    let back = if exam.value.is_some() { ScoreMark::Normal } else { ScoreMark::Absent };
    let to = mark.mark.unwrap_or(back);
    if to == exam.mark {
        return Ok(None);
    }
    let name = tx.actor().name.clone();
    let id = sqlx::query_scalar!(
        "insert into score_correction (course_score_id, target, exam_score_id, old_value, old_mark, new_value, new_mark, old_text,
             reason_type, reason, violation_id, applied_by, applied_by_name, created_by, updated_by)
         values ($1, 'mark', $2, $3::bigint / 10.0, $4, $3::bigint / 10.0, $5, $6, 'violation', $7, $8, $9, $10, $9, $9)
         returning id",
        score,
        exam.id,
        exam.value,
        exam.mark.as_str(),
        to.as_str(),
        card.text,
        mark.reason,
        mark.violation,
        by,
        name
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| {
        (constraint == "score_correction_open_taken").then(|| Error::conflict("该成绩已有待审核的更正，请先审核"))
    })?;
    let what = serde_json::json!({
        "courseScoreId": score, "oldMark": exam.mark.as_str(), "newMark": to.as_str(),
        "value": exam.value.map(points), "violationId": mark.violation,
    });
    Ok(Some((id, Change::event("score_correction", id, "insert", what).because(Some(&mark.reason[..])))))
}
