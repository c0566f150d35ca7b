//! Scores in the clients: a teacher enters and submits the sheets that were given to them, a student sees what is published
//! (part 04 §2.6, §7).

use std::collections::HashMap;

use infra::{
    Body, Change, Client, Error, Page, Paged, Reads, Reply, Result,
    across::{Keyed, Listed},
    reply,
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use scores_rules::{
    enums::{ExamRound, ScoreMark, SheetStatus},
    sheet::SheetTurn,
};

use crate::{
    StudentClient, TeacherClient, WritesOwn,
    sheet::{
        ScoreSheetFilter, ScoreSheetLine, ScoreSheets,
        enter::{ScoreEntry, ScoresEntered, ScoresEntry, enter},
        hold::{Reach, Who, hold_scores, hold_with_selections, scores_of},
        rows::{ScoreSheetRowList, rows_of},
        steps::turn,
    },
};

/// What a teacher's list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct OwnSheetFilter {
    /// 批次
    pub batch_id: Option<i64>,
    /// 课程
    pub course_id: Option<i64>,
    /// 状态
    pub status: Option<SheetStatus>,
}

/// Rows that a teacher typed.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OwnScoresEntry {
    /// 请求编号
    #[oai(validator(min_length = 8, max_length = 64))]
    pub request_id: String,
    /// 成绩
    #[oai(validator(min_items = 1, max_items = 500))]
    pub rows: Vec<ScoreEntry>,
}

impl Example for OwnScoresEntry {
    fn example() -> Self {
        Self { request_id: "7f1c2d3e-0001".to_owned(), rows: vec![ScoreEntry::example()] }
    }
}

/// A sheet that a teacher submits.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OwnSheetSubmit {
    /// 请求编号
    #[oai(validator(min_length = 8, max_length = 64))]
    pub request_id: String,
    /// 登记表
    pub sheet_id: i64,
    /// 版本
    pub version: i32,
}

impl Example for OwnSheetSubmit {
    fn example() -> Self {
        Self { request_id: "7f1c2d3e-0002".to_owned(), sheet_id: 1, version: 1 }
    }
}

/// What became of the sheet.
#[derive(Debug, Clone, Object)]
pub struct OwnSheetSubmitted {
    /// 编号
    pub id: i64,
    /// 状态
    pub status: SheetStatus,
}

/// An examination of a score as its student sees it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OwnScoreRound {
    /// 考试性质
    pub round: ExamRound,
    /// 次数
    pub round_no: i32,
    /// 折百分
    pub value: Option<f64>,
    /// 特殊情况
    pub mark: ScoreMark,
}

/// A score as its student sees it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OwnScore {
    /// 编号
    pub id: i64,
    /// 学期
    pub semester_name: String,
    /// 课程代码
    pub course_code: String,
    /// 课程
    pub course_name: String,
    /// 学分
    pub credits: f64,
    /// 获得学分
    pub earned_credits: f64,
    /// 修读次数
    pub attempt_no: i32,
    /// 成绩显示
    pub display_text: String,
    /// 通过
    pub passed: Option<bool>,
    /// 绩点
    pub grade_point: Option<f64>,
    /// 补考次数
    pub makeup_used: i32,
    /// 特殊情况
    pub mark: Option<ScoreMark>,
    /// 各次考试
    /// 已发布的
    pub rounds: Vec<OwnScoreRound>,
}

/// All scores of a student.
#[derive(Debug, Clone, Object)]
pub struct OwnScores {
    /// 成绩
    pub list: Vec<OwnScore>,
}

pub struct OwnSheets;

#[OpenApi(prefix_path = "/exam/client/score/sheet", tag = "crate::Tag::Scores")]
impl OwnSheets {
    /// 教师成绩登记表列表
    #[oai(path = "/list", method = "post", operation_id = "listOwnScoreSheets")]
    async fn list(
        &self,
        caller: Client<TeacherClient, Reads>,
        Body(asked): Body<Paged<OwnSheetFilter>>,
    ) -> Result<Reply<Page<ScoreSheetLine>>> {
        let paging = asked.paging()?;
        let OwnSheetFilter { batch_id, course_id, status } = asked.filter;
        let teacher_id = Some(caller.session.person_id);
        let filter = ScoreSheetFilter { batch_id, course_id, status, teacher_id, ..ScoreSheetFilter::default() };
        let mut tx = caller.read().await?;
        let whole = infra::Scope::whole_school();
        let (total, rows) = <ScoreSheets as Listed>::page(&mut tx, &filter, &whole, paging).await?;
        Ok(reply(paging.page(total, rows)))
    }

    /// 教师成绩登记表明细
    #[oai(path = "/rows", method = "get", operation_id = "listOwnScoreSheetRows")]
    async fn rows(
        &self,
        caller: Client<TeacherClient, Reads>,
        /// 登记表
        #[oai(name = "sheetId")]
        sheet_id: Query<i64>,
    ) -> Result<Reply<ScoreSheetRowList>> {
        let mut tx = caller.read().await?;
        let sheet = ScoreSheets::find(&mut tx, sheet_id.0, &infra::Scope::whole_school()).await?;
        if sheet.teacher_id != Some(caller.session.person_id) {
            return Err(Error::not_found());
        }
        Ok(reply(ScoreSheetRowList { list: rows_of(&mut tx, sheet_id.0).await? }))
    }

    /// 教师录入成绩
    #[oai(path = "/enter", method = "put", operation_id = "enterOwnScores")]
    async fn enter(
        &self,
        caller: Client<TeacherClient, WritesOwn>,
        Body(typed): Body<OwnScoresEntry>,
    ) -> Result<Reply<ScoresEntered>> {
        let who = Who::of_teacher(caller.session.person_id, &caller.session.person_name);
        let reach = Reach::Teacher(caller.session.person_id);
        let mut tx = caller.begin_once(&typed.request_id, &typed).await?;
        let all = ScoresEntry { row_id: None, raw: None, mark: None, version: None, rows: Some(typed.rows) };
        let (entries, alone) = all.entries()?;
        let (entered, changes) = enter(&mut tx, &entries, alone, (&who, &reach)).await?;
        let mut changes = changes.into_iter();
        let last = changes.next().unwrap_or_else(|| Change::nothing("score_sheet", 0));
        let rest: Vec<Change> = changes.collect();
        tx.record(&rest).await?;
        tx.commit(last, entered).await
    }

    /// 教师提交成绩
    #[oai(path = "/submit", method = "put", operation_id = "submitOwnScoreSheet")]
    async fn submit(
        &self,
        caller: Client<TeacherClient, WritesOwn>,
        Body(wanted): Body<OwnSheetSubmit>,
    ) -> Result<Reply<OwnSheetSubmitted>> {
        let who = Who::of_teacher(caller.session.person_id, &caller.session.person_name);
        let reach = Reach::Teacher(caller.session.person_id);
        let mut tx = caller.begin_once(&wanted.request_id, &wanted).await?;
        let id = wanted.sheet_id;
        let held = hold_with_selections(&mut tx, &[id]).await?;
        let sheet = held.get(&id).filter(|sheet| reach.sees(sheet)).ok_or_else(Error::not_found)?;
        let scores = scores_of(&mut tx, &[id]).await?;
        hold_scores(&mut tx, &scores).await?;
        let change = turn(&mut tx, sheet, Some(wanted.version), (SheetTurn::Submit, None), &who).await?;
        tx.commit(change, OwnSheetSubmitted { id, status: SheetStatus::Submitted }).await
    }
}

pub struct OwnScoreList;

#[OpenApi(prefix_path = "/user/client/score", tag = "crate::Tag::Scores")]
impl OwnScoreList {
    /// 我的成绩
    /// 已发布的成绩
    #[oai(path = "/list", method = "get", operation_id = "listOwnScores")]
    async fn list(&self, caller: Client<StudentClient, Reads>) -> Result<Reply<OwnScores>> {
        let mut tx = caller.read().await?;
        let rows = sqlx::query!(
            r#"select s.id, e.name as semester_name, u.code as course_code, u.name as course_name, s.credits::float8 as "credits!",
                      s.earned_credits::float8 as "earned_credits!", s.attempt_no, s.display_text, s.passed,
                      s.grade_point::float8 as grade_point, s.makeup_used, s.mark as "mark: ScoreMark"
               from course_score s
               join semester e on e.id = s.semester_id
               join course u on u.id = s.course_id
               where s.student_id = $1 and s.status in ('published', 'locked')
               order by e.starts_on desc, u.code, s.id"#,
            caller.session.person_id
        )
        .fetch_all(&mut *tx)
        .await?;
        let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
        let examined = sqlx::query!(
            r#"select course_score_id, round as "round: ExamRound", round_no, value::float8 as value, mark as "mark: ScoreMark"
               from exam_score where course_score_id = any($1) and published
               order by array_position(array['first', 'deferred', 'makeup', 'final_makeup'], round), round_no"#,
            &ids
        )
        .fetch_all(&mut *tx)
        .await?;
        let mut rounds: HashMap<i64, Vec<OwnScoreRound>> = HashMap::new();
        for row in examined {
            let round = OwnScoreRound { round: row.round, round_no: row.round_no, value: row.value, mark: row.mark };
            rounds.entry(row.course_score_id).or_default().push(round);
        }
        let list = rows.into_iter().map(|row| OwnScore {
            rounds: rounds.remove(&row.id).unwrap_or_default(),
            id: row.id,
            semester_name: row.semester_name,
            course_code: row.course_code,
            course_name: row.course_name,
            credits: row.credits,
            earned_credits: row.earned_credits,
            attempt_no: row.attempt_no,
            display_text: row.display_text,
            passed: row.passed,
            grade_point: row.grade_point,
            makeup_used: row.makeup_used,
            mark: row.mark,
        });
        Ok(reply(OwnScores { list: list.collect() }))
    }
}

/// The operations of the clients.
pub(crate) fn api() -> impl OpenApi {
    (OwnSheets, OwnScoreList)
}
