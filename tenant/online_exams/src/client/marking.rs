//! Marking in the teachers' client: what was given to the teacher, also where two differ (part 04 §2.6).

use exams::enums::MarkingMode;
use homework::{
    enums::SheetMarkState,
    marking::{Marker, write::SheetMarks},
};
use infra::{Body, Client, Error, Page, Paged, Reads, Reply, Result, clock::Moment, reply};
use online_study::{TeacherClient, WritesOwn};
use poem_openapi::{Object, OpenApi, param::Query};

use crate::mark::{
    ExamMarksSaved, ExamPaperToMark,
    write::{Reach, next, saved, submitted},
};

/// A sheet that was given to a teacher.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OwnExamSheet {
    /// 答卷
    pub sheet_id: i64,
    /// 考试编号
    pub setup_id: i64,
    /// 考试
    pub setup_name: String,
    /// 课程
    pub course_name: String,
    /// 匿名编号
    pub no: i64,
    /// 阅卷方式
    pub marking_mode: MarkingMode,
    /// 状态
    pub mark_state: SheetMarkState,
    /// 本人待阅题数
    pub waiting: i64,
    /// 仲裁
    pub arbitration: bool,
    /// 截止时间
    pub deadline_at: Option<Moment>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct OwnExamSheetFilter {
    /// 考试
    pub setup_id: Option<i64>,
    /// 待阅
    /// 不填为全部
    pub waiting: Option<bool>,
}

pub struct OwnMarking;

fn marker(caller: &Client<TeacherClient, WritesOwn>) -> (Marker, Reach) {
    let session = &caller.session;
    (Marker::of_teacher(session.person_id, &session.person_name), Reach::Teacher(session.person_id))
}

#[OpenApi(prefix_path = "/exam/client/exam/marking", tag = "crate::Tag::OnlineExams")]
impl OwnMarking {
    /// 教师考试阅卷列表
    #[oai(path = "/list", method = "post", operation_id = "listOwnExamMarking")]
    async fn list(
        &self,
        caller: Client<TeacherClient, Reads>,
        Body(asked): Body<Paged<OwnExamSheetFilter>>,
    ) -> Result<Reply<Page<OwnExamSheet>>> {
        let paging = asked.paging()?;
        let mut tx = caller.read().await?;
        let rows = sqlx::query!(
            r#"select a.id as "sheet_id!", s.id as "setup_id!", s.name as "setup_name!", u.name as "course_name!",
                      a.seed % 1000000 as "no!", s.marking_mode as "marking_mode!: MarkingMode",
                      a.mark_state as "mark_state!: SheetMarkState", w.waiting as "waiting!", w.third as "third!",
                      m.deadline_at as "deadline_at?", count(*) over () as "total!"
               from answer_sheet a
               join exam_candidate c on c.id = a.exam_candidate_id
               join exam_setup s on s.id = c.setup_id
               join course u on u.id = s.course_id
               left join exam_marker m on m.setup_id = s.id and m.teacher_id = $1
               cross join lateral (
                   select count(*) filter (where case when x.id is null then i.mark_state = 'pending' else x.score is null end) as waiting,
                          coalesce(bool_or(x.seq_no = 3), false) as third, count(*) as own
                   from answer_item i
                   left join exam_item_mark x on x.item_id = i.id and x.marker_teacher_id = $1
                   where i.sheet_id = a.id
                     and (x.id is not null
                          or s.marking_mode <> 'double' and i.mark_state <> 'auto' and coalesce(i.marker_id, a.marker_id) = $1)) w
               where a.mark_state in ('submitted', 'marked') and w.own > 0 and s.marking_status <> 'transferred'
                 and ($2::bigint is null or s.id = $2)
                 and ($3::boolean is null or (w.waiting > 0) = $3)
               order by w.waiting > 0 desc, s.id, a.seed, a.id
               limit $4 offset $5"#,
            caller.session.person_id,
            asked.filter.setup_id,
            asked.filter.waiting,
            paging.limit(),
            paging.offset()
        )
        .fetch_all(&mut *tx)
        .await?;
        let total = rows.first().map_or(0, |row| row.total);
        let rows = rows.into_iter().map(|row| OwnExamSheet {
            sheet_id: row.sheet_id,
            setup_id: row.setup_id,
            setup_name: row.setup_name,
            course_name: row.course_name,
            no: row.no,
            marking_mode: row.marking_mode,
            mark_state: row.mark_state,
            waiting: row.waiting,
            arbitration: row.third,
            deadline_at: row.deadline_at,
        });
        Ok(reply(paging.page(total, rows.collect())))
    }

    /// 教师打开考试答卷
    #[oai(path = "/open", method = "get", operation_id = "openOwnExamSheet")]
    async fn open(
        &self,
        caller: Client<TeacherClient, WritesOwn>,
        /// 答卷
        #[oai(name = "sheetId")]
        sheet_id: Query<i64>,
    ) -> Result<Reply<ExamPaperToMark>> {
        let (marker, reach) = marker(&caller);
        let mut tx = caller.begin().await?;
        let setup = sqlx::query_scalar!(
            "select c.setup_id from answer_sheet a join exam_candidate c on c.id = a.exam_candidate_id where a.id = $1",
            sheet_id.0
        )
        .fetch_optional(&mut *tx)
        .await?
        .ok_or_else(Error::not_found)?;
        let paper = next(&caller.app, tx, (setup, None, Some(sheet_id.0)), (&marker, &reach)).await?;
        Ok(reply(paper.ok_or_else(Error::not_found)?))
    }

    /// 教师保存考试阅卷
    #[oai(path = "/save", method = "put", operation_id = "saveOwnExamMarks")]
    async fn save(
        &self,
        caller: Client<TeacherClient, WritesOwn>,
        Body(marks): Body<SheetMarks>,
    ) -> Result<Reply<ExamMarksSaved>> {
        let (marker, reach) = marker(&caller);
        let tx = caller.begin().await?;
        Ok(reply(saved(tx, &marks, (&marker, &reach)).await?))
    }

    /// 教师提交考试阅卷
    #[oai(path = "/submit", method = "put", operation_id = "submitOwnExamMarks")]
    async fn submit(
        &self,
        caller: Client<TeacherClient, WritesOwn>,
        Body(marks): Body<SheetMarks>,
    ) -> Result<Reply<ExamMarksSaved>> {
        let (marker, reach) = marker(&caller);
        let tx = caller.begin().await?;
        Ok(reply(submitted(tx, &marks, (&marker, &reach)).await?))
    }
}
