//! 在籍学生, 退学与转出 and 毕(结)业学生: the register as a list, tab by tab and screen by screen (02 §9.10).

use chrono::NaiveDate;
use infra::{
    Allowed, Body, Order, Paging, Reply, Result, Scope, Sorted, Window,
    across::{self, Key, Listed, SchoolPage, Segment},
    clock::Moment,
    enumeration, mask,
    transfer::Rows,
};
use poem_openapi::{Object, OpenApi};
use sqlx::PgConnection;
use student_status_rules::{list::StudentFilter, register::Wanted};

use super::ListStudents;
use crate::{
    enums::{RegisterResult, RegisterScope, StudentSource, StudentStatus, StudyForm, WithdrawReason},
    id_card::{Gender, IdCardType},
    register::of_register,
};

/// A line of the register.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct StudentRow {
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
    /// 状态原因
    pub status_reason: Option<WithdrawReason>,
    /// 离校日期
    pub ended_on: Option<NaiveDate>,
    /// 入学日期
    pub enrolled_on: NaiveDate,
    /// 预计毕业
    pub expected_graduation_on: NaiveDate,
    /// 最长学习期限
    pub max_study_end_on: NaiveDate,
    /// 休学至
    pub suspended_until: Option<NaiveDate>,
    /// 注册结果
    pub register_result: RegisterResult,
    /// 录取照片
    pub admission_photo: bool,
    /// 入学照片
    pub enrol_photo: bool,
    /// 学历照片
    pub graduation_photo: bool,
    /// 清查未通过
    /// 前置学历清查的结果
    pub chsi_failed: bool,
    /// 来源
    pub source: StudentSource,
    /// 建档时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

impl StudentRow {
    /// As lists show it.
    pub(super) fn mask(&mut self) {
        self.id_card_no = mask::id_card(&self.id_card_no);
        self.phone = self.phone.as_deref().map(mask::phone);
    }
}

/// The lines of the students that `$from` names as `p`.
macro_rules! lines {
    ([$($from:tt)+] $wanted:ident [$($tail:tt)+] $(, $extra:expr)*) => {
        of_register!(query_as [StudentRow]
            [r#"select s.id, s.student_no, s.examinee_no, s.name, s.gender as "gender: _",
                       s.id_card_type as "id_card_type: _", s.id_card_no, s.phone, g.name as "grade_name!",
                       l.name as "level_name!", m.name as "major_name!", s.study_form as "study_form: _",
                       t.name as "site_name!", s.class_id, c.name as "class_name?", s.status as "status: _",
                       s.status_reason as "status_reason: _", s.ended_on, s.enrolled_on,
                       s.expected_graduation_on, s.max_study_end_on, s.suspended_until,
                       s.register_result as "register_result: _", s.admission_photo_id is not null as "admission_photo!",
                       s.enrol_photo_id is not null as "enrol_photo!",
                       s.graduation_photo_id is not null as "graduation_photo!",
                       exists (select from student_information i where i.student_id = s.id
                               and i.kind = 'admission_commitment' and i.chsi_pre_check = 'failed') as "chsi_failed!",
                       s.source as "source: _", s.created_at, s.version "# + $($from)+]
            $wanted [$($tail)+] $(, $extra)*)
    };
}

enumeration! {
    /// 学籍排序字段
    pub enum StudentSort = "studentSort" {
        StudentNo = "studentNo" "学号",
        Name = "name" "姓名",
        EnrolledOn = "enrolledOn" "入学日期",
    }
}

pub struct List;

#[OpenApi(prefix_path = "/adult/pc/studentRoll", tag = "crate::Tag::StudentStatus")]
impl List {
    /// 学籍列表
    #[oai(path = "/list", method = "post", operation_id = "listStudents")]
    async fn list(
        &self,
        caller: Allowed<ListStudents>,
        Body(asked): Body<Sorted<StudentFilter, StudentSort>>,
    ) -> Result<Reply<SchoolPage<StudentRow>>> {
        across::list::<Self, _>(&caller, asked.paging()?, asked.filter).await
    }
}

impl Listed for List {
    type Filter = StudentFilter;
    type Row = StudentRow;

    fn id(row: &StudentRow) -> i64 {
        row.id
    }

    async fn page(
        connection: &mut PgConnection,
        filter: &StudentFilter,
        scope: &Scope,
        paging: Paging,
    ) -> Result<(i64, Vec<StudentRow>)> {
        let wanted = filter.wanted(scope);
        let total = count(connection, &wanted).await?;
        let mut list = match Window::of(paging, total) {
            Some(window) => page(connection, &wanted, window, paging.order()).await?,
            None => Vec::new(),
        };
        list.iter_mut().for_each(StudentRow::mask);
        Ok((total, list))
    }

    /// By status, and by the tabs and screens that take several of them.
    async fn segments(connection: &mut PgConnection, filter: &StudentFilter, scope: &Scope) -> Result<Vec<Segment>> {
        let any = StudentFilter { scope: None, status: None, ..filter.clone() };
        let wanted = any.wanted(scope);
        let found = of_register!(query_as [Segment]
            [r#"select s.status as value, count(*) as "count!" from student s"#]
            wanted
            [+ " group by s.status"]);
        let found = found.fetch_all(connection).await?;
        let of = |status: StudentStatus| {
            found.iter().find(|segment| segment.value == status.as_str()).map_or(0, |segment| segment.count)
        };
        let statuses = StudentStatus::CHOICES.iter().map(|(_, status)| (status.as_str(), of(*status)));
        let screens = [RegisterScope::All, RegisterScope::Left, RegisterScope::Finished].map(|screen| {
            let shown = StudentStatus::CHOICES.iter().filter(|(_, status)| screen.shows(*status));
            (screen.as_str(), shown.map(|(_, status)| of(*status)).sum())
        });
        let segments = statuses.chain(screens).map(|(value, count)| Segment { value: value.to_owned(), count });
        Ok(segments.collect())
    }

    async fn not_found(connection: &mut PgConnection, filter: &StudentFilter, scope: &Scope) -> Result<Vec<String>> {
        let Some(among) = infra::among::named(filter.among.as_deref()) else { return Ok(Vec::new()) };
        let missing = sqlx::query_scalar!(
            r#"select n.named as "named!" from unnest($1::text[]) with ordinality as n (named, place)
               where not exists (
                   select from student s
                   where (s.name = n.named or s.student_no = n.named or s.examinee_no = n.named
                          or s.id_card_no = n.named or s.phone = n.named)
                     and ($2::bigint[] is null or s.site_id = any($2) or s.class_id = any($3::bigint[])))
               order by n.place"#,
            &among,
            scope.sites(),
            scope.classes()
        );
        Ok(missing.fetch_all(connection).await?)
    }

    /// The count looks at every student of the condition in any case; an index that ends in `created_at desc` has them in
    /// order but for those of one import.
    async fn keys(
        connection: &mut PgConnection,
        filter: &StudentFilter,
        scope: &Scope,
        until: Moment,
        most: i64,
    ) -> Result<Vec<Key>> {
        let wanted = filter.wanted(scope);
        let keys = of_register!(query_as [Key]
            [r#"select s.id, s.created_at, count(*) over () as "total!" from student s"#]
            wanted
            [+ " and s.created_at <= $27 order by s.created_at desc, s.id limit $28"],
            until,
            most);
        Ok(keys.fetch_all(connection).await?)
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<StudentRow>> {
        let wanted = Wanted::anybody();
        let rows = lines!(
            ["from student s
              join grade g on g.id = s.grade_id join level l on l.id = s.level_id join major m on m.id = s.major_id
              join site t on t.id = s.site_id left join class c on c.id = s.class_id"]
            wanted
            [+ " and s.id = any($27)"],
            ids
        );
        let mut list = rows.fetch_all(connection).await?;
        list.iter_mut().for_each(StudentRow::mask);
        Ok(list)
    }
}

async fn count(connection: &mut PgConnection, wanted: &Wanted) -> Result<i64> {
    let total = of_register!(query_scalar [] [r#"select count(*) as "count!" from student s"#] wanted []);
    Ok(total.fetch_one(connection).await?)
}

/// The numbers of the page's rows come in order out of an index; only then the rows are looked at. Planned with its values,
/// all but one of the orders fall away.
async fn page(
    connection: &mut PgConnection,
    wanted: &Wanted,
    window: Window,
    order: Option<Order>,
) -> Result<Vec<StudentRow>> {
    let descending = order.is_some_and(|order| order.descending);
    let rows = lines!(
        ["from (select s.id from student s"]
        wanted
        [+ " order by
                case when $30 = 'studentNo' and not $31 then s.student_no end,
                case when $30 = 'studentNo' and $31 then s.student_no end desc,
                case when $30 = 'name' and not $31 then s.pinyin end,
                case when $30 = 'name' and $31 then s.pinyin end desc,
                case when $30 = 'enrolledOn' and not $31 then s.enrolled_on end,
                case when $30 = 'enrolledOn' and $31 then s.enrolled_on end desc,
                case when $27 then s.created_at end, case when $27 then s.id end, s.created_at desc, s.id desc
                limit $28 offset $29) p
          join student s on s.id = p.id
          join grade g on g.id = s.grade_id join level l on l.id = s.level_id join major m on m.id = s.major_id
          join site t on t.id = s.site_id left join class c on c.id = s.class_id
          order by case when not $32 then
                       case $30::text when 'studentNo' then s.student_no when 'name' then s.pinyin
                                      when 'enrolledOn' then s.enrolled_on::text end end,
                   case when $32 then
                       case $30::text when 'studentNo' then s.student_no when 'name' then s.pinyin
                                      when 'enrolledOn' then s.enrolled_on::text end end desc,
                   s.created_at desc, s.id desc"],
        window.from_end,
        window.limit,
        window.offset,
        order.map(|order| order.field),
        descending != window.from_end,
        descending
    );
    Ok(rows.fetch_all(connection).await?)
}

/// Every line, in the list's order.
pub(super) fn all<'c>(connection: &'c mut PgConnection, wanted: &Wanted) -> Rows<'c, StudentRow> {
    let rows = lines!(
        ["from student s
          join grade g on g.id = s.grade_id join level l on l.id = s.level_id join major m on m.id = s.major_id
          join site t on t.id = s.site_id left join class c on c.id = s.class_id"]
        wanted
        [+ " order by s.created_at desc, s.id desc"]
    );
    Box::pin(rows.fetch(connection))
}
