//! 报到列表: everybody whose admission was audited, newest first (02 §7).

use std::collections::BTreeMap;

use chrono::NaiveDate;
use infra::{
    Allowed, Body, Paged, Paging, Reply, Result, Scope, Window,
    across::{self, Key, Listed, SchoolPage, Segment},
    clock::Moment,
    mask,
    transfer::Rows,
};
use poem_openapi::{Object, OpenApi};
use serde_json::Value;
use sqlx::{PgConnection, types::Json};
use student_status::{
    enums::StudyForm,
    keyword::{Keyword, classify},
};

use super::ListRegistrations;
use crate::{
    enums::{RegistrationMaterial, RegistrationSheet, RegistrationStatus, ReserveReason, VerifyMethod},
    id_card::{Gender, IdCardType},
};

/// A line of the list.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct RegistrationRow {
    /// 编号
    pub id: i64,
    /// 批次编号
    pub batch_id: i64,
    /// 批次
    pub batch_name: String,
    /// 录取数据编号
    pub admission_id: i64,
    /// 考生号
    pub examinee_no: String,
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
    /// 专业
    pub major_name: String,
    /// 学习形式
    pub study_form: StudyForm,
    /// 站点编号
    pub site_id: i64,
    /// 站点
    pub site_name: String,
    /// 已缴费
    pub fee_paid: bool,
    /// 实缴金额(分)
    pub paid_amount: Option<i64>,
    /// 已核验
    pub identity_verified: bool,
    /// 核验方式
    pub verify_method: Option<VerifyMethod>,
    /// 材料
    pub materials: Vec<RegistrationMaterial>,
    /// 有照片
    /// 报到照片或录取照片
    pub has_photo: bool,
    /// 状态
    pub status: RegistrationStatus,
    /// 保留原因
    pub reserve_reason: Option<ReserveReason>,
    /// 保留至
    pub reserve_until: Option<NaiveDate>,
    /// 原因
    pub reason: Option<String>,
    /// 学生编号
    pub student_id: Option<i64>,
    /// 学号
    pub student_no: Option<String>,
    /// 报到时间
    pub reported_at: Option<Moment>,
    /// 已转入后续批次
    pub carried_on: bool,
    /// 生成时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
    /// For the view and for sheets; a line of the list has no room for it.
    #[oai(skip)]
    pub(super) extra: Json<BTreeMap<String, Value>>,
}

impl RegistrationRow {
    /// As everybody sees it who may not see whole numbers (05 E4).
    pub(super) fn mask(&mut self) {
        self.id_card_no = mask::id_card(&self.id_card_no);
        self.phone = self.phone.as_deref().map(mask::phone);
    }
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct RegistrationFilter {
    /// 招生批次
    pub batch_id: Option<i64>,
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
    /// 状态
    pub status: Option<RegistrationStatus>,
    /// 已缴费
    pub fee_paid: Option<bool>,
    /// 已核验
    pub identity_verified: Option<bool>,
    /// 关键字
    /// 姓名、证件号、手机、考生号或学号
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
    /// 生成日期自
    pub created_from: Option<NaiveDate>,
    /// 生成日期至
    pub created_to: Option<NaiveDate>,
    /// 人员名单
    /// 姓名、考生号、证件号或手机，最多500项
    #[oai(validator(max_items = 500))]
    pub among: Option<Vec<String>>,
    /// 名单
    /// 只列出该名单的人员；导出时为该名单的表格
    pub sheet: Option<RegistrationSheet>,
}

/// The filter, ready to be bound. A filter that is not set does not count: with custom plans its part of the
/// condition is folded away.
#[derive(Debug, Clone, Default)]
pub(super) struct Wanted {
    pub filter: RegistrationFilter,
    pub statuses: Option<Vec<&'static str>>,
    pub keyword: Keyword,
    pub among: Option<Vec<String>>,
    /// What the codes or names of grade, level, major and site contain.
    pub texts: Option<Vec<Option<String>>>,
    pub scope: Scope,
}

/// Who stands in a sheet.
const fn statuses(sheet: RegistrationSheet) -> &'static [RegistrationStatus] {
    use RegistrationStatus::{Abandoned, NoShow, Pending, Reported, Reserved};
    match sheet {
        RegistrationSheet::Roll => &[Reported],
        RegistrationSheet::Missing => &[Pending, NoShow],
        RegistrationSheet::Reserved => &[Reserved],
        RegistrationSheet::Abandoned => &[Abandoned],
    }
}

impl RegistrationFilter {
    pub(super) fn wanted(&self, scope: &Scope) -> Wanted {
        Wanted {
            statuses: self.sheet.map(|of| statuses(of).iter().map(|status| status.as_str()).collect()),
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

/// A statement over `registration r` with the condition of a [`Wanted`] in its middle: the macro of sqlx, the row type, the
/// text before with its first condition, the wanted, the text behind (parameters from `$20`) and its parameters.
macro_rules! of_list {
    ($query:ident [$($row:ident)?] [$($head:tt)+] $wanted:ident [$($tail:tt)*] $(, $extra:expr)*) => {
        sqlx::$query!(
            $($row,)?
            $($head)+ +
            "   and ($1::bigint is null or r.batch_id = $1)
                and ($2::bigint is null or r.grade_id = $2)
                and ($3::bigint is null or r.level_id = $3)
                and ($4::bigint is null or r.major_id = $4)
                and ($5::text is null or r.study_form = $5)
                and ($6::bigint is null or r.site_id = $6)
                and ($7::text is null or r.status = $7)
                and ($8::boolean is null or r.fee_paid = $8)
                and ($9::boolean is null or r.identity_verified = $9)
                and ($10::text is null or r.id_card_no = $10)
                and ($11::text is null or r.phone = $11)
                and ($12::text is null or r.examinee_no like $12 or r.id_card_no = rtrim($12, '%')
                     or r.student_id = (select w.id from student w where w.student_no = rtrim($12, '%'))
                     or ($12 !~ '[0-9]' and r.initials like lower(rtrim($12, '%')) || '%'))
                and ($13::text[] is null or r.name_grams @> $13)
                and ($14::timestamptz is null or r.created_at >= $14)
                and ($15::timestamptz is null or r.created_at < $15)
                and ($16::bigint[] is null or r.site_id = any($16))
                and ($17::text[] is null or r.name = any($17) or r.examinee_no = any($17) or r.id_card_no = any($17)
                     or r.phone = any($17))
                and ($18::text[] is null or r.status = any($18))
                and (($19::text[])[1] is null or r.grade_id = any(array(
                         select x.id from grade x where strpos(lower(x.code), ($19::text[])[1]) > 0 or strpos(lower(x.name), ($19::text[])[1]) > 0)))
                and (($19::text[])[2] is null or r.level_id = any(array(
                         select x.id from level x where strpos(lower(x.code), ($19::text[])[2]) > 0 or strpos(lower(x.name), ($19::text[])[2]) > 0)))
                and (($19::text[])[3] is null or r.major_id = any(array(
                         select x.id from major x where strpos(lower(x.code), ($19::text[])[3]) > 0 or strpos(lower(x.name), ($19::text[])[3]) > 0)))
                and (($19::text[])[4] is null or r.site_id = any(array(
                         select x.id from site x where strpos(lower(x.code), ($19::text[])[4]) > 0 or strpos(lower(x.name), ($19::text[])[4]) > 0))) " $($tail)*,
            $wanted.filter.batch_id,
            $wanted.filter.grade_id,
            $wanted.filter.level_id,
            $wanted.filter.major_id,
            $wanted.filter.study_form.map(student_status::enums::StudyForm::as_str),
            $wanted.filter.site_id,
            $wanted.filter.status.map($crate::enums::RegistrationStatus::as_str),
            $wanted.filter.fee_paid,
            $wanted.filter.identity_verified,
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

/// The lines of the people whom the first condition and the wanted name.
macro_rules! lines {
    ([$($first:tt)+] $wanted:ident [$($tail:tt)+] $(, $extra:expr)*) => {
        of_list!(query_as [RegistrationRow]
            [r#"select r.id, r.batch_id, b.name as "batch_name!", r.admission_id, r.examinee_no, r.name,
                       r.gender as "gender: _", r.id_card_type as "id_card_type: _", r.id_card_no, r.phone,
                       g.name as "grade_name!", l.name as "level_name!", m.name as "major_name!",
                       r.study_form as "study_form: _", r.site_id, t.name as "site_name!", r.fee_paid, r.paid_amount,
                       r.identity_verified, r.verify_method as "verify_method: _", r.materials as "materials: _",
                       (r.photo_id is not null or a.photo_id is not null) as "has_photo!", r.status as "status: _",
                       r.reserve_reason as "reserve_reason: _", r.reserve_until, r.reason, r.student_id,
                       s.student_no as "student_no?", r.reported_at, r.carried_on, r.created_at, r.version,
                       r.extra as "extra: _"
                from registration r
                join admission a on a.id = r.admission_id
                join enrollment_batch b on b.id = r.batch_id
                join grade g on g.id = r.grade_id
                join level l on l.id = r.level_id
                join major m on m.id = r.major_id
                join site t on t.id = r.site_id
                left join student s on s.id = r.student_id
                where "# + $($first)+]
            $wanted [$($tail)+] $(, $extra)*)
    };
}

pub struct List;

#[OpenApi(prefix_path = "/adult/pc/registration", tag = "crate::Tag::Registration")]
impl List {
    /// 报到列表
    #[oai(path = "/list", method = "post", operation_id = "listRegistrations")]
    async fn list(
        &self,
        caller: Allowed<ListRegistrations>,
        Body(asked): Body<Paged<RegistrationFilter>>,
    ) -> Result<Reply<SchoolPage<RegistrationRow>>> {
        across::list::<Self, _>(&caller, asked.paging()?, asked.filter).await
    }
}

impl Listed for List {
    type Filter = RegistrationFilter;
    type Row = RegistrationRow;

    fn id(row: &RegistrationRow) -> i64 {
        row.id
    }

    async fn page(
        connection: &mut PgConnection,
        filter: &RegistrationFilter,
        scope: &Scope,
        paging: Paging,
    ) -> Result<(i64, Vec<RegistrationRow>)> {
        let wanted = filter.wanted(scope);
        let total = of_list!(query_scalar []
            [r#"select count(*) as "count!" from registration r where r.deleted_at is null "#]
            wanted
            []);
        let total = total.fetch_one(&mut *connection).await?;
        let mut list = match Window::of(paging, total) {
            Some(window) => page(connection, &wanted, window).await?,
            None => Vec::new(),
        };
        list.iter_mut().for_each(RegistrationRow::mask);
        Ok((total, list))
    }

    async fn segments(
        connection: &mut PgConnection,
        filter: &RegistrationFilter,
        scope: &Scope,
    ) -> Result<Vec<Segment>> {
        let wanted = RegistrationFilter { status: None, ..filter.clone() }.wanted(scope);
        let found = of_list!(query_as [Segment]
            [r#"select r.status as value, count(*) as "count!" from registration r where r.deleted_at is null "#]
            wanted
            [+ " group by r.status"]);
        let found = found.fetch_all(connection).await?;
        let count = |status: &str| found.iter().find(|segment| segment.value == status).map_or(0, |found| found.count);
        Ok(RegistrationStatus::CHOICES
            .iter()
            .map(|(_, status)| Segment { value: status.as_str().to_owned(), count: count(status.as_str()) })
            .collect())
    }

    async fn not_found(
        connection: &mut PgConnection,
        filter: &RegistrationFilter,
        scope: &Scope,
    ) -> Result<Vec<String>> {
        let Some(among) = infra::among::named(filter.among.as_deref()) else { return Ok(Vec::new()) };
        let missing = sqlx::query_scalar!(
            r#"select n.named as "named!" from unnest($1::text[]) with ordinality as n (named, place)
               where not exists (
                   select from registration r
                   where r.deleted_at is null
                     and (r.name = n.named or r.examinee_no = n.named or r.id_card_no = n.named or r.phone = n.named)
                     and ($2::bigint[] is null or r.site_id = any($2)))
               order by n.place"#,
            &among,
            scope.sites()
        );
        Ok(missing.fetch_all(connection).await?)
    }

    async fn keys(
        connection: &mut PgConnection,
        filter: &RegistrationFilter,
        scope: &Scope,
        until: Moment,
        most: i64,
    ) -> Result<Vec<Key>> {
        let wanted = filter.wanted(scope);
        let keys = of_list!(query_as [Key]
            [r#"select r.id, r.created_at, count(*) over () as "total!" from registration r where r.deleted_at is null "#]
            wanted
            [+ " and r.created_at <= $20 order by r.created_at desc, r.id limit $21"],
            until,
            most);
        Ok(keys.fetch_all(connection).await?)
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<RegistrationRow>> {
        let wanted = RegistrationFilter::default().wanted(&Scope::whole_school());
        let rows = lines!(["r.deleted_at is null"] wanted [+ " and r.id = any($20)"], ids);
        let mut list = rows.fetch_all(connection).await?;
        list.iter_mut().for_each(RegistrationRow::mask);
        Ok(list)
    }
}

/// The numbers of the page's rows come in order out of an index; only then the rows are looked at.
async fn page(connection: &mut PgConnection, wanted: &Wanted, window: Window) -> sqlx::Result<Vec<RegistrationRow>> {
    let ids = of_list!(query_scalar []
        ["select r.id from registration r where r.deleted_at is null "]
        wanted
        [+ " order by case when $20 then r.created_at end, case when $20 then r.id end, r.created_at desc, r.id desc
                limit $21 offset $22"],
        window.from_end,
        window.limit,
        window.offset);
    let ids = ids.fetch_all(&mut *connection).await?;
    let any = RegistrationFilter::default().wanted(&Scope::whole_school());
    let rows = lines!(
        ["r.deleted_at is null"]
        any
        [+ " and r.id = any($20) order by r.created_at desc, r.id desc"],
        &ids
    );
    rows.fetch_all(connection).await
}

/// One line that the scope shows, live or in the recycle bin, with its whole numbers.
pub(super) async fn one(
    connection: &mut PgConnection,
    id: i64,
    scope: &Scope,
    in_bin: bool,
) -> sqlx::Result<Option<RegistrationRow>> {
    let wanted = RegistrationFilter::default().wanted(scope);
    let row = lines!(["r.id = $20"] wanted [+ " and (r.deleted_at is not null) = $21"], id, in_bin);
    row.fetch_optional(connection).await
}

/// Every line, in the list's order.
pub(super) fn all<'c>(connection: &'c mut PgConnection, wanted: &Wanted) -> Rows<'c, RegistrationRow> {
    let rows = lines!(["r.deleted_at is null"] wanted [+ " order by r.created_at desc, r.id desc"]);
    Box::pin(rows.fetch(connection))
}

/// The lines of a sheet that is signed: site by site and major by major, by 考生号.
pub(super) fn all_signing<'c>(connection: &'c mut PgConnection, wanted: &Wanted) -> Rows<'c, RegistrationRow> {
    let rows = lines!(
        ["r.deleted_at is null"]
        wanted
        [+ " order by t.code, l.sort_no, l.code, m.code, r.examinee_no, r.id"]
    );
    Box::pin(rows.fetch(connection))
}
