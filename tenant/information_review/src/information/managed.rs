//! What class managers do in their client: they see how far their classes are, look at forms before the school does, and remind (02
//! §13). Everything goes the way of the console, within the classes of the person.

use information_review_rules::steps::{Going, Turn};
use infra::{
    BulkResult, Client, Error, Page, Paged, Reads, Reply, Result, Scope, Warned, Writes, access::Mode, clients,
    clock::Moment, mask, reply,
};
use poem_openapi::{Object, types::Example};
use sqlx::PgConnection;
use student_status::{
    enums::{StudentStatus, StudyForm},
    id_card::{Gender, IdCardType},
    keyword::{Keyword, classify},
};

use super::{
    list::{InformationFilter, InformationRow, page},
    remind,
    review::turn,
    statistics::{InformationCounting, InformationStatistics, of_school},
};
use crate::enums::{InformationKind, InformationResult};

clients! {
    /// Class managers, in the client of teachers.
    pub ManagerClient = "teacher";
}

/// What a class manager says of a form.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct InformationClassReview {
    /// 请求编号
    /// 24小时内以同一编号重发时，只办理一次，返回第一次的结果
    #[oai(validator(min_length = 1, max_length = 64))]
    pub request_id: String,
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 审核结果
    pub result: InformationResult,
    /// 意见
    /// 退回时填写，2至200个字符
    #[oai(validator(max_length = 200))]
    pub remark: Option<String>,
}

impl Example for InformationClassReview {
    fn example() -> Self {
        Self { request_id: "7d1f0c60".to_owned(), id: 1, version: 2, result: InformationResult::Pass, remark: None }
    }
}

/// Which of their classes a class manager reminds.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct InformationClassRemind {
    /// 请求编号
    /// 24小时内以同一编号重发时，只办理一次，返回第一次的结果
    #[oai(validator(min_length = 1, max_length = 64))]
    pub request_id: String,
    /// 班级
    #[oai(validator(min_items = 1, max_items = 200))]
    pub class_ids: Vec<i64>,
}

impl Example for InformationClassRemind {
    fn example() -> Self {
        Self { request_id: "7d1f0c61".to_owned(), class_ids: vec![1] }
    }
}

/// The classes of the person, and nothing else.
///
/// # Errors
/// 403 for a teacher who is no class manager.
async fn classes_of<M: Mode>(caller: &Client<ManagerClient, M>, connection: &mut PgConnection) -> Result<Scope> {
    if caller.session.kind != "class_manager" {
        return Err(Error::new(403, "当前身份不能访问"));
    }
    let classes =
        sqlx::query_scalar!("select id from class where manager_id = $1 order by id", caller.session.person_id)
            .fetch_all(connection)
            .await?;
    Ok(Scope::limited(Vec::new(), classes))
}

pub(crate) async fn statistics(
    caller: &Client<ManagerClient, Reads>,
    kind: InformationKind,
    asked: InformationCounting,
) -> Result<Reply<InformationStatistics>> {
    let mut tx = caller.read().await?;
    let scope = classes_of(caller, &mut tx).await?;
    Ok(reply(of_school(&mut tx, kind, &asked, &scope).await?))
}

pub(crate) async fn list(
    caller: &Client<ManagerClient, Reads>,
    kind: InformationKind,
    asked: Paged<InformationFilter>,
) -> Result<Reply<Page<InformationRow>>> {
    let paging = asked.paging()?;
    let mut tx = caller.read().await?;
    let scope = classes_of(caller, &mut tx).await?;
    let (total, list) = page(&mut tx, &asked.filter.wanted(kind, &scope), paging).await?;
    Ok(reply(paging.page(total, list)))
}

/// # Errors
/// As [`turn`].
pub(crate) async fn review(
    caller: &Client<ManagerClient, Writes>,
    kind: InformationKind,
    wanted: InformationClassReview,
) -> Result<Reply<Warned>> {
    let mut tx = caller.begin_once(&wanted.request_id, &wanted).await?;
    let scope = classes_of(caller, &mut tx).await?;
    let InformationClassReview { id, version, result, remark, .. } = wanted;
    let going = Going { id, version, kind, turn: Turn::Class(result), conclusion: None, remark };
    let (warnings, change) = turn(&mut tx, going, &scope).await?;
    tx.commit(change, Warned { id, warnings }).await
}

pub(crate) async fn remind(
    caller: &Client<ManagerClient, Writes>,
    kind: InformationKind,
    wanted: InformationClassRemind,
) -> Result<Reply<BulkResult>> {
    let mut tx = caller.begin_once(&wanted.request_id, &wanted).await?;
    let scope = classes_of(caller, &mut tx).await?;
    let (result, mut changes) = remind::remind(&mut tx, kind, &wanted.class_ids, &scope).await?;
    // Where every class is refused nothing is written, and a repetition finds the same.
    let Some(last) = changes.pop() else { return Ok(reply(result)) };
    tx.record(&changes).await?;
    tx.commit(last, result).await
}

/// A student of the classes of a class manager.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ManagedStudent {
    /// 编号
    pub id: i64,
    /// 学号
    pub student_no: Option<String>,
    /// 考生号
    pub examinee_no: Option<String>,
    /// 姓名
    pub name: String,
    /// 性别
    pub gender: Option<Gender>,
    /// 证件类型
    pub id_card_type: IdCardType,
    /// 证件号
    pub id_card_no: String,
    /// 手机
    pub phone: Option<String>,
    /// 年级
    pub grade_name: String,
    /// 层次
    pub level_name: String,
    /// 专业
    pub major_name: String,
    /// 学习形式
    pub study_form: StudyForm,
    /// 站点
    pub site_name: String,
    /// 班级编号
    pub class_id: Option<i64>,
    /// 班级
    pub class_name: Option<String>,
    /// 学籍状态
    pub status: StudentStatus,
    /// 建档时间
    pub created_at: Moment,
}

/// What a class manager asks for of their students.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct ManagedStudentFilter {
    /// 年级
    pub grade_id: Option<i64>,
    /// 层次
    pub level_id: Option<i64>,
    /// 专业
    pub major_id: Option<i64>,
    /// 学习形式
    pub study_form: Option<StudyForm>,
    /// 站点
    pub site_id: Option<i64>,
    /// 班级
    pub class_id: Option<i64>,
    /// 关键字
    /// 姓名、证件号、手机、学号或考生号
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
    /// 学籍状态
    pub status: Option<StudentStatus>,
}

/// A statement over the students `s` of some classes whom a filter with its keyword names: parameters behind from `$13`.
macro_rules! of_students {
    ($query:ident [$($row:ident)?] [$($head:tt)+] ($filter:ident, $keyword:ident, $scope:ident) [$($tail:tt)*] $(, $extra:expr)*) => {
        sqlx::$query!(
            $($row,)?
            $($head)+ +
            " where s.class_id = any($1)
                and ($2::bigint is null or s.grade_id = $2)
                and ($3::bigint is null or s.level_id = $3)
                and ($4::bigint is null or s.major_id = $4)
                and ($5::text is null or s.study_form = $5)
                and ($6::bigint is null or s.site_id = $6)
                and ($7::bigint is null or s.class_id = $7)
                and ($8::text is null or s.id_card_no = $8)
                and ($9::text is null or s.phone = $9)
                and ($10::text is null or s.student_no like $10 or s.examinee_no like $10 or s.id_card_no = rtrim($10, '%')
                     or ($10 !~ '[0-9]' and s.initials like lower(rtrim($10, '%')) || '%'))
                and ($11::text[] is null or s.name_grams @> $11)
                and ($12::text is null or s.status = $12) " $($tail)*,
            $scope.classes().unwrap_or_default(),
            $filter.grade_id,
            $filter.level_id,
            $filter.major_id,
            $filter.study_form.map(StudyForm::as_str),
            $filter.site_id,
            $filter.class_id,
            $keyword.id_card_no.as_deref(),
            $keyword.phone.as_deref(),
            $keyword.number.as_deref(),
            $keyword.name_grams.as_deref(),
            $filter.status.map(StudentStatus::as_str)
            $(, $extra)*
        )
    };
}

/// The students of the person's classes, the newest first, masked.
pub(crate) async fn students(
    caller: &Client<ManagerClient, Reads>,
    asked: Paged<ManagedStudentFilter>,
) -> Result<Reply<Page<ManagedStudent>>> {
    let paging = asked.paging()?;
    let mut tx = caller.read().await?;
    let scope = classes_of(caller, &mut tx).await?;
    let filter = asked.filter;
    let keyword: Keyword = filter.keyword.as_deref().map(classify).unwrap_or_default();
    let total = of_students!(query_scalar []
        [r#"select count(*) as "count!" from student s "#]
        (filter, keyword, scope)
        []);
    let total = total.fetch_one(&mut *tx).await?;
    let rows = of_students!(query_as [ManagedStudent]
        [r#"select s.id, s.student_no, s.examinee_no, s.name, s.gender as "gender: _", s.id_card_type as "id_card_type: _",
                   s.id_card_no, s.phone, g.name as "grade_name!", l.name as "level_name!", m.name as "major_name!",
                   s.study_form as "study_form: _", t.name as "site_name!", s.class_id, c.name as "class_name?",
                   s.status as "status: _", s.created_at
            from student s
            join grade g on g.id = s.grade_id
            join level l on l.id = s.level_id
            join major m on m.id = s.major_id
            join site t on t.id = s.site_id
            join class c on c.id = s.class_id "#]
        (filter, keyword, scope)
        [+ " order by s.created_at desc, s.id desc limit $13 offset $14"],
        paging.limit(),
        paging.offset());
    let mut list = rows.fetch_all(&mut *tx).await?;
    for student in &mut list {
        student.id_card_no = mask::id_card(&student.id_card_no);
        student.phone = student.phone.as_deref().map(mask::phone);
    }
    Ok(reply(paging.page(total, list)))
}
