//! 录取列表: the people of a batch as three pages show them, newest first (02 §6).

use chrono::NaiveDate;
use infra::{
    Allowed, Body, Paged, Paging, Reply, Result, Scope, Window,
    across::{self, Key, Listed, SchoolPage, Segment},
    clock::Moment,
    mask,
    transfer::Rows,
};
use poem_openapi::{Object, OpenApi};
use sqlx::PgConnection;
use student_status::{
    enums::{ExamCategory, StudyForm},
    keyword::{Keyword, classify},
};

use super::ListAdmissions;
use crate::{
    enums::{AdmissionDifference, AdmissionIssue, AdmissionMatchStatus, AdmissionScope, AdmissionStatus},
    id_card::{Gender, IdCardType},
};

/// A line of the list.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct AdmissionRow {
    /// 编号
    pub id: i64,
    /// 批次编号
    pub batch_id: i64,
    /// 批次
    pub batch_name: String,
    /// 导入批编号
    pub import_id: i64,
    /// 考生号
    pub examinee_no: String,
    /// 准考证号
    pub ticket_no: Option<String>,
    /// 姓名
    pub name: String,
    /// 性别
    pub gender: Gender,
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
    /// 招办专业代码
    pub authority_major_code: String,
    /// 招办专业
    pub authority_major_name: Option<String>,
    /// 专业
    pub major_name: String,
    /// 学习形式
    pub study_form: StudyForm,
    /// 科类
    pub exam_category: Option<ExamCategory>,
    /// 总分
    pub total_score: Option<f64>,
    /// 匹配
    pub match_status: AdmissionMatchStatus,
    /// 问题
    pub issues: Vec<AdmissionIssue>,
    /// 与预报名的差异
    /// 没有预报名时为空
    pub differences: Vec<AdmissionDifference>,
    /// 有照片
    pub has_photo: bool,
    /// 超计划
    /// 分配时站点人数超出核定计划
    pub over_quota: bool,
    /// 预报名站点
    pub pre_registration_site_name: Option<String>,
    /// 站点编号
    pub site_id: Option<i64>,
    /// 站点
    pub site_name: Option<String>,
    /// 状态
    pub status: AdmissionStatus,
    /// 导入时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

impl AdmissionRow {
    /// As everybody sees it who may not see whole numbers (05 E4).
    pub(super) fn mask(&mut self) {
        self.id_card_no = mask::id_card(&self.id_card_no);
        self.phone = self.phone.as_deref().map(mask::phone);
    }
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct AdmissionFilter {
    /// 名单
    /// 录取学生为待分配、待审核和已审核的人员，录取审核为待审核、已审核和不予入学的人员；不填时为全部录取数据
    pub scope: Option<AdmissionScope>,
    /// 招生批次
    pub batch_id: Option<i64>,
    /// 导入批
    pub import_id: Option<i64>,
    /// 匹配
    pub match_status: Option<AdmissionMatchStatus>,
    /// 状态
    pub status: Option<AdmissionStatus>,
    /// 问题
    /// 缺少照片为还没有录取照片的人员，不论是否导入过照片
    pub issue: Option<AdmissionIssue>,
    /// 有问题
    pub has_issue: Option<bool>,
    /// 已分配站点
    pub assigned: Option<bool>,
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
    /// 年级
    /// 编码或名称包含；查看全部院校时代替年级编号
    #[oai(validator(max_length = 50))]
    pub grade_text: Option<String>,
    /// 层次
    /// 编码或名称包含；查看全部院校时代替层次编号
    #[oai(validator(max_length = 50))]
    pub level_text: Option<String>,
    /// 专业
    /// 编码或名称包含；查看全部院校时代替专业编号
    #[oai(validator(max_length = 50))]
    pub major_text: Option<String>,
    /// 站点
    /// 编码或名称包含；查看全部院校时代替站点编号
    #[oai(validator(max_length = 50))]
    pub site_text: Option<String>,
    /// 关键字
    /// 姓名、证件号、手机、考生号或准考证号
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
    /// 导入日期自
    pub created_from: Option<NaiveDate>,
    /// 导入日期至
    pub created_to: Option<NaiveDate>,
    /// 人员名单
    /// 姓名、考生号、证件号或手机，最多500项
    #[oai(validator(max_items = 500))]
    pub among: Option<Vec<String>>,
}

/// The filter, ready to be bound. A filter that is not set does not count: with custom plans its part of the
/// condition is folded away.
#[derive(Debug, Clone, Default)]
pub(super) struct Wanted {
    pub filter: AdmissionFilter,
    pub statuses: Option<Vec<&'static str>>,
    pub keyword: Keyword,
    pub among: Option<Vec<String>>,
    /// What the codes or names of grade, level, major and site contain.
    pub texts: Option<Vec<Option<String>>>,
    pub scope: Scope,
}

/// Of which statuses a page is; none for all.
fn statuses(scope: Option<AdmissionScope>) -> Option<&'static [AdmissionStatus]> {
    use AdmissionStatus::{Assigned, Audited, Imported, Rejected};
    match scope {
        None | Some(AdmissionScope::Data) => None,
        Some(AdmissionScope::Student) => Some(&[Imported, Assigned, Audited]),
        Some(AdmissionScope::Audit) => Some(&[Assigned, Audited, Rejected]),
    }
}

impl AdmissionFilter {
    pub(super) fn wanted(&self, scope: &Scope) -> Wanted {
        Wanted {
            statuses: statuses(self.scope).map(|of| of.iter().map(|status| status.as_str()).collect()),
            keyword: self.keyword.as_deref().map(classify).unwrap_or_default(),
            among: infra::among::named(self.among.as_deref()),
            texts: infra::naming::sought([
                self.grade_text.as_deref(),
                self.level_text.as_deref(),
                self.major_text.as_deref(),
                self.site_text.as_deref(),
            ]),
            filter: self.clone(),
            scope: scope.clone(),
        }
    }
}

/// A statement over the live `admission a` with the condition of a [`Wanted`] in its middle: the macro of sqlx, the row type, the
/// text before, the wanted, the text behind (parameters from `$23`) and its parameters.
macro_rules! of_list {
    ($query:ident [$($row:ident)?] [$($head:tt)+] $wanted:ident [$($tail:tt)*] $(, $extra:expr)*) => {
        sqlx::$query!(
            $($row,)?
            $($head)+ +
            " where a.deleted_at is null
                and ($1::bigint is null or a.batch_id = $1)
                and ($2::bigint is null or a.import_id = $2)
                and ($3::text is null or a.match_status = $3)
                and ($4::text is null or a.status = $4)
                and ($5::text is null or a.issues <> '{}' and a.issues @> array[$5]
                     or $5 = 'photo_missing' and a.photo_id is null)
                and ($6::boolean is null or (a.issues <> '{}') = $6)
                and ($7::boolean is null or (a.site_id is not null) = $7)
                and ($8::bigint is null or a.grade_id = $8)
                and ($9::bigint is null or a.level_id = $9)
                and ($10::bigint is null or a.major_id = $10)
                and ($11::text is null or a.study_form = $11)
                and ($12::bigint is null or a.site_id = $12)
                and ($13::text is null or a.id_card_no = $13)
                and ($14::text is null or a.phone = $14)
                and ($15::text is null or a.examinee_no like $15 or a.ticket_no like $15 or a.id_card_no = rtrim($15, '%')
                     or ($15 !~ '[0-9]' and a.initials like lower(rtrim($15, '%')) || '%'))
                and ($16::text[] is null or a.name_grams @> $16)
                and ($17::timestamptz is null or a.created_at >= $17)
                and ($18::timestamptz is null or a.created_at < $18)
                and ($19::bigint[] is null or a.site_id = any($19))
                and ($20::text[] is null or a.name = any($20) or a.examinee_no = any($20) or a.id_card_no = any($20)
                     or a.phone = any($20))
                and ($21::text[] is null or a.status = any($21))
                and (($22::text[])[1] is null or a.grade_id = any(array(
                         select x.id from grade x where strpos(lower(x.code), ($22::text[])[1]) > 0 or strpos(lower(x.name), ($22::text[])[1]) > 0)))
                and (($22::text[])[2] is null or a.level_id = any(array(
                         select x.id from level x where strpos(lower(x.code), ($22::text[])[2]) > 0 or strpos(lower(x.name), ($22::text[])[2]) > 0)))
                and (($22::text[])[3] is null or a.major_id = any(array(
                         select x.id from major x where strpos(lower(x.code), ($22::text[])[3]) > 0 or strpos(lower(x.name), ($22::text[])[3]) > 0)))
                and (($22::text[])[4] is null or a.site_id = any(array(
                         select x.id from site x where strpos(lower(x.code), ($22::text[])[4]) > 0 or strpos(lower(x.name), ($22::text[])[4]) > 0))) " $($tail)*,
            $wanted.filter.batch_id,
            $wanted.filter.import_id,
            $wanted.filter.match_status.map($crate::enums::AdmissionMatchStatus::as_str),
            $wanted.filter.status.map($crate::enums::AdmissionStatus::as_str),
            $wanted.filter.issue.map($crate::enums::AdmissionIssue::as_str),
            $wanted.filter.has_issue,
            $wanted.filter.assigned,
            $wanted.filter.grade_id,
            $wanted.filter.level_id,
            $wanted.filter.major_id,
            $wanted.filter.study_form.map(student_status::enums::StudyForm::as_str),
            $wanted.filter.site_id,
            $wanted.keyword.id_card_no.as_deref(),
            $wanted.keyword.phone.as_deref(),
            $wanted.keyword.number.as_deref(),
            $wanted.keyword.name_grams.as_deref(),
            $wanted.filter.created_from.map(infra::clock::day_began),
            $wanted.filter.created_to.map(infra::clock::day_ended),
            $wanted.scope.sites(),
            $wanted.among.as_deref(),
            $wanted.statuses.as_deref() as _,
            $wanted.texts.as_deref() as _
            $(, $extra)*
        )
    };
}

/// The lines of the people that `$from` names as `a`.
macro_rules! lines {
    ([$($from:tt)+] $wanted:ident [$($tail:tt)+] $(, $extra:expr)*) => {
        of_list!(query_as [AdmissionRow]
            [r#"select a.id, a.batch_id, b.name as "batch_name!", a.import_id, a.examinee_no, a.ticket_no, a.name,
                       a.gender as "gender: _", a.id_card_type as "id_card_type: _", a.id_card_no, a.phone,
                       g.name as "grade_name!", l.name as "level_name!", a.authority_major_code, a.authority_major_name,
                       m.name as "major_name!", a.study_form as "study_form: _", a.exam_category as "exam_category: _",
                       (a.total_score / 10.0)::float8 as total_score, a.match_status as "match_status: _",
                       a.issues as "issues: _",
                       array_remove(array[
                           case when translate(p.name, '•・．.‧∙ 　', '······') <> translate(a.name, '•・．.‧∙ 　', '······')
                               then 'name' end,
                           case when p.id_card_no <> a.id_card_no or p.id_card_type <> a.id_card_type then 'id_card_no' end,
                           case when p.gender <> a.gender then 'gender' end,
                           case when upper(p.examinee_no) <> upper(a.examinee_no) then 'examinee_no' end,
                           case when p.level_id <> a.level_id then 'level' end,
                           case when p.major_id <> a.major_id then 'major' end,
                           case when p.site_id <> a.site_id then 'site' end], null) as "differences!: _",
                       (a.photo_id is not null) as "has_photo!", (a.site_id is not null and 'over_quota' = any(a.issues)) as "over_quota!",
                       w.name as "pre_registration_site_name?", a.site_id, t.name as "site_name?", a.status as "status: _",
                       a.created_at, a.version "# + $($from)+ +
             " join enrollment_batch b on b.id = a.batch_id
               join grade g on g.id = a.grade_id
               join level l on l.id = a.level_id
               join major m on m.id = a.major_id
               left join site t on t.id = a.site_id
               left join pre_registration p on p.id = a.pre_registration_id
               left join site w on w.id = p.site_id"]
            $wanted [$($tail)+] $(, $extra)*)
    };
}

pub struct List;

#[OpenApi(prefix_path = "/adult/pc/admission", tag = "crate::Tag::Admission")]
impl List {
    /// 录取数据列表
    #[oai(path = "/list", method = "post", operation_id = "listAdmissions")]
    async fn list(
        &self,
        caller: Allowed<ListAdmissions>,
        Body(asked): Body<Paged<AdmissionFilter>>,
    ) -> Result<Reply<SchoolPage<AdmissionRow>>> {
        across::list::<Self, _>(&caller, asked.paging()?, asked.filter).await
    }
}

/// Those who have a problem, among the segments of 录取数据.
const WITH_ISSUE: &str = "has_issue";

impl Listed for List {
    type Filter = AdmissionFilter;
    type Row = AdmissionRow;

    fn id(row: &AdmissionRow) -> i64 {
        row.id
    }

    async fn page(
        connection: &mut PgConnection,
        filter: &AdmissionFilter,
        scope: &Scope,
        paging: Paging,
    ) -> Result<(i64, Vec<AdmissionRow>)> {
        let wanted = filter.wanted(scope);
        let total = of_list!(query_scalar [] [r#"select count(*) as "count!" from admission a"#] wanted []);
        let total = total.fetch_one(&mut *connection).await?;
        let mut list = match Window::of(paging, total) {
            Some(window) => page(connection, &wanted, window).await?,
            None => Vec::new(),
        };
        list.iter_mut().for_each(AdmissionRow::mask);
        Ok((total, list))
    }

    /// 录取数据 is parted by match and problem, the other pages by status.
    async fn segments(connection: &mut PgConnection, filter: &AdmissionFilter, scope: &Scope) -> Result<Vec<Segment>> {
        let Some(of) = statuses(filter.scope) else {
            let bare = AdmissionFilter { match_status: None, issue: None, has_issue: None, ..filter.clone() };
            let wanted = bare.wanted(scope);
            let found = of_list!(query []
                [r#"select count(*) filter (where a.match_status = 'matched') as "matched!",
                           count(*) filter (where a.match_status = 'unmatched') as "unmatched!",
                           count(*) filter (where a.match_status = 'conflict') as "conflict!",
                           count(*) filter (where a.issues <> '{}') as "with_issue!"
                    from admission a"#]
                wanted
                []);
            let found = found.fetch_one(connection).await?;
            let of = [
                (AdmissionMatchStatus::Matched.as_str(), found.matched),
                (AdmissionMatchStatus::Unmatched.as_str(), found.unmatched),
                (AdmissionMatchStatus::Conflict.as_str(), found.conflict),
                (WITH_ISSUE, found.with_issue),
            ];
            return Ok(of.map(|(value, count)| Segment { value: value.to_owned(), count }).into());
        };
        let wanted = AdmissionFilter { status: None, ..filter.clone() }.wanted(scope);
        let found = of_list!(query_as [Segment]
            [r#"select a.status as value, count(*) as "count!" from admission a"#]
            wanted
            [+ " group by a.status"]);
        let found = found.fetch_all(connection).await?;
        let count = |status: &str| found.iter().find(|segment| segment.value == status).map_or(0, |found| found.count);
        Ok(of
            .iter()
            .map(|status| Segment { value: status.as_str().to_owned(), count: count(status.as_str()) })
            .collect())
    }

    async fn not_found(connection: &mut PgConnection, filter: &AdmissionFilter, scope: &Scope) -> Result<Vec<String>> {
        let Some(among) = infra::among::named(filter.among.as_deref()) else { return Ok(Vec::new()) };
        let missing = sqlx::query_scalar!(
            r#"select n.named as "named!" from unnest($1::text[]) with ordinality as n (named, place)
               where not exists (
                   select from admission a
                   where a.deleted_at is null
                     and (a.name = n.named or a.examinee_no = n.named or a.id_card_no = n.named or a.phone = n.named)
                     and ($2::bigint[] is null or a.site_id = any($2)))
               order by n.place"#,
            &among,
            scope.sites()
        );
        Ok(missing.fetch_all(connection).await?)
    }

    async fn keys(
        connection: &mut PgConnection,
        filter: &AdmissionFilter,
        scope: &Scope,
        until: Moment,
        most: i64,
    ) -> Result<Vec<Key>> {
        let wanted = filter.wanted(scope);
        let keys = of_list!(query_as [Key]
            [r#"select a.id, a.created_at, count(*) over () as "total!" from admission a"#]
            wanted
            [+ " and a.created_at <= $23 order by a.created_at desc, a.id limit $24"],
            until,
            most);
        Ok(keys.fetch_all(connection).await?)
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<AdmissionRow>> {
        let wanted = AdmissionFilter::default().wanted(&Scope::whole_school());
        let rows = lines!(["from admission a"] wanted [+ " and a.id = any($23)"], ids);
        let mut list = rows.fetch_all(connection).await?;
        list.iter_mut().for_each(AdmissionRow::mask);
        Ok(list)
    }
}

/// The numbers of the page's rows come in order out of an index; only then the rows are looked at.
async fn page(connection: &mut PgConnection, wanted: &Wanted, window: Window) -> sqlx::Result<Vec<AdmissionRow>> {
    let ids = of_list!(query_scalar []
        ["select a.id from admission a"]
        wanted
        [+ " order by case when $23 then a.created_at end, case when $23 then a.id end, a.created_at desc, a.id desc
                limit $24 offset $25"],
        window.from_end,
        window.limit,
        window.offset);
    let ids = ids.fetch_all(&mut *connection).await?;
    let any = AdmissionFilter::default().wanted(&Scope::whole_school());
    let rows = lines!(
        ["from admission a"]
        any
        [+ " and a.id = any($23) order by a.created_at desc, a.id desc"],
        &ids
    );
    rows.fetch_all(connection).await
}

/// Every line, in the list's order.
pub(super) fn all<'c>(connection: &'c mut PgConnection, wanted: &Wanted) -> Rows<'c, AdmissionRow> {
    let rows = lines!(["from admission a"] wanted [+ " order by a.created_at desc, a.id desc"]);
    Box::pin(rows.fetch(connection))
}
