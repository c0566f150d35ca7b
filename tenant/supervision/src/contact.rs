//! 联系记录: that somebody talked with a student, or tried to, and what came of it (part 05 C2, C3). Records are added; whoever wrote one
//! may correct it within a day.

mod import;

use chrono::NaiveDate;
use futures_util::TryStreamExt;
use infra::{
    Allowed, App, Body, Change, Entity, Error, History, Page, Paged, Paging, Part, Reply, Result, Saved, Scope, Tx,
    clock::{Moment, day_began, day_ended},
    permissions, reply,
    sheet::{Cell, Column},
    transfer::{self, Export, Exported, Rows, export_job, import_job},
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use sqlx::PgConnection;
use student_status::keyword::{Keyword, classify};
use supervision_rules::enums::{SuperviseContactBy, SuperviseStatus};

use crate::{
    case::hold,
    evidence::{self, SuperviseFile},
    words::{REASONS, RESULTS, WAYS, Word, label, offered, words},
};

pub use import::ImportContactSheet;

permissions! {
    pages "/schoolPC/superVisor/studentSupervisor";
    InSchool Writes      SaveContact    = "adult:pc:supervise:contact" "登记督学联系";
    InSchool Writes      EditContact    = "adult:pc:supervise:contact" "登记督学联系";
    InSchool Reads       ListContacts   = "adult:pc:supervise:list" "督学案例列表";
    InSchool ReadsLogged ExportContacts = "adult:pc:supervise:export" "导出督学案例";
    InSchool Writes      ImportContacts = "adult:pc:supervise:import" "导入督学联系记录";
    InSchool Reads       FetchContactSheet = "adult:pc:supervise:import" "导入督学联系记录";
}

/// The site and the class of the student of a contact, as an outer query of `supervise_contact` sees them.
const SITE: &str = "(select y.site_id from supervise_case c join student y on y.id = c.student_id where c.id = supervise_contact.case_id)";
const CLASS: &str = "(select y.class_id from supervise_case c join student y on y.id = c.student_id where c.id = supervise_contact.case_id)";

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[
        Entity { table: "supervise_contact", name: "督学联系记录", counted: "条督学联系记录" },
        Entity { table: "supervise_contact_file", name: "督学联系附件", counted: "份督学联系附件" },
    ],
    histories: &[History {
        table: "supervise_contact",
        code: "adult:pc:supervise:view",
        scope: Some((SITE, Some(CLASS))),
    }],
    jobs: &[export_job::<Contacts>(), import_job::<import::ContactSheet>()],
    ..Part::NONE
};

/// Hours within which a record may be corrected.
const EDIT_HOURS: i64 = 24;

/// What is typed of a contact.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SuperviseContactForm {
    /// 案例
    pub case_id: i64,
    /// 联系方式
    #[oai(validator(min_length = 1, max_length = 50))]
    pub contact_way: String,
    /// 联系结果
    #[oai(validator(min_length = 1, max_length = 50))]
    pub contact_result: String,
    /// 落后原因
    #[oai(validator(max_length = 50))]
    pub lag_reason: Option<String>,
    /// 联系内容
    /// 2至500个字符
    #[oai(validator(min_length = 2, max_length = 500))]
    pub content: String,
    /// 下次联系
    pub next_contact_on: Option<NaiveDate>,
    /// 附件
    /// 最多3个
    #[oai(default, validator(max_items = 3))]
    pub file_ids: Vec<i64>,
}

impl Example for SuperviseContactForm {
    fn example() -> Self {
        Self {
            case_id: 1,
            contact_way: "phone".to_owned(),
            contact_result: "promised".to_owned(),
            lag_reason: Some("busy_work".to_owned()),
            content: "电话联系，承诺本周末补学两门课程".to_owned(),
            next_contact_on: None,
            file_ids: Vec::new(),
        }
    }
}

/// What is corrected of a contact.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SuperviseContactEdit {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 联系方式
    #[oai(validator(min_length = 1, max_length = 50))]
    pub contact_way: String,
    /// 联系结果
    #[oai(validator(min_length = 1, max_length = 50))]
    pub contact_result: String,
    /// 落后原因
    #[oai(validator(max_length = 50))]
    pub lag_reason: Option<String>,
    /// 联系内容
    #[oai(validator(min_length = 2, max_length = 500))]
    pub content: String,
    /// 下次联系
    pub next_contact_on: Option<NaiveDate>,
}

impl Example for SuperviseContactEdit {
    fn example() -> Self {
        let form = SuperviseContactForm::example();
        Self {
            id: 1,
            version: 1,
            contact_way: form.contact_way,
            contact_result: form.contact_result,
            lag_reason: form.lag_reason,
            content: form.content,
            next_contact_on: None,
        }
    }
}

/// What of a contact may be corrected.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct SuperviseContactContent {
    /// 联系方式
    pub contact_way: String,
    /// 联系结果
    pub contact_result: String,
    /// 落后原因
    pub lag_reason: Option<String>,
    /// 联系内容
    pub content: String,
    /// 下次联系
    pub next_contact_on: Option<NaiveDate>,
}

/// A contact, as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SuperviseContact {
    /// 编号
    pub id: i64,
    /// 案例编号
    pub case_id: i64,
    /// 学号
    pub student_no: Option<String>,
    /// 姓名
    pub name: String,
    /// 班级
    pub class_name: Option<String>,
    /// 联系时间
    pub contacted_at: Moment,
    /// 联系方式
    pub contact_way: String,
    /// 联系方式名称
    pub way_name: String,
    /// 联系结果
    pub contact_result: String,
    /// 联系结果名称
    pub result_name: String,
    /// 落后原因
    pub lag_reason: Option<String>,
    /// 落后原因名称
    pub reason_name: Option<String>,
    /// 联系内容
    pub content: String,
    /// 下次联系
    pub next_contact_on: Option<NaiveDate>,
    /// 联系人类别
    pub by_kind: SuperviseContactBy,
    /// 联系人
    pub by_name: String,
    /// 附件
    pub files: Vec<SuperviseFile>,
    /// 版本
    pub version: i32,
}

/// What a list of contacts asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct SuperviseContactFilter {
    /// 联系时间起
    pub from: Option<NaiveDate>,
    /// 联系时间止
    pub to: Option<NaiveDate>,
    /// 联系人
    #[oai(validator(max_length = 50))]
    pub by_name: Option<String>,
    /// 联系方式
    #[oai(validator(max_length = 50))]
    pub contact_way: Option<String>,
    /// 联系结果
    #[oai(validator(max_length = 50))]
    pub contact_result: Option<String>,
    /// 落后原因
    #[oai(validator(max_length = 50))]
    pub lag_reason: Option<String>,
    /// 站点
    pub site_id: Option<i64>,
    /// 班级
    pub class_id: Option<i64>,
    /// 关键字
    /// 学号、姓名、考生号、证件号或手机
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
}

pub struct Contacts;

#[OpenApi(prefix_path = "/adult/pc/supervise", tag = "crate::Tag::Supervision")]
impl Contacts {
    /// 登记督学联系
    #[oai(path = "/contact", method = "post", operation_id = "saveSuperviseContact")]
    async fn save(&self, caller: Allowed<SaveContact>, Body(form): Body<SuperviseContactForm>) -> Result<Reply<Saved>> {
        let known = Words::of(caller.app()).await?;
        let mut tx = caller.begin().await?;
        let who = Who { kind: SuperviseContactBy::Staff, id: caller.user_id() };
        let (id, changes) = record(&mut tx, &form, &known, who, &caller.scope()).await?;
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id }))
    }

    /// 修改督学联系
    /// 本人在24小时内可以更正
    #[oai(path = "/contact/edit", method = "put", operation_id = "editSuperviseContact")]
    async fn edit(&self, caller: Allowed<EditContact>, Body(edit): Body<SuperviseContactEdit>) -> Result<Reply<Saved>> {
        let known = Words::of(caller.app()).await?;
        let mut tx = caller.begin().await?;
        let change = corrected(&mut tx, &edit, &known, caller.user_id(), &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: edit.id }))
    }

    /// 督学联系记录列表
    #[oai(path = "/contact/list", method = "post", operation_id = "listSuperviseContacts")]
    async fn list(
        &self,
        caller: Allowed<ListContacts>,
        Body(asked): Body<Paged<SuperviseContactFilter>>,
    ) -> Result<Reply<Page<SuperviseContact>>> {
        let paging = asked.paging()?;
        let wanted = asked.filter.wanted(&caller.scope());
        let mut tx = caller.read().await?;
        let (total, mut list) = page(&mut tx, &wanted, paging).await?;
        told(caller.app(), &mut tx, &mut list).await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 导出督学联系记录
    #[oai(path = "/contact/export", method = "post", operation_id = "exportSuperviseContacts")]
    async fn export(
        &self,
        caller: Allowed<ExportContacts>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<SuperviseContactFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

/// The words that a contact is told in.
pub(crate) struct Words {
    pub ways: Vec<Word>,
    pub results: Vec<Word>,
    pub reasons: Vec<Word>,
}

impl Words {
    /// # Errors
    /// Those of the database.
    pub(crate) async fn of(app: &App) -> Result<Self> {
        Ok(Self {
            ways: words(app, WAYS).await?,
            results: words(app, RESULTS).await?,
            reasons: words(app, REASONS).await?,
        })
    }

    fn check(&self, way: &str, result: &str, reason: Option<&str>) -> Result<()> {
        offered(&self.ways, "contactWay", way)?;
        offered(&self.results, "contactResult", result)?;
        reason.map_or(Ok(()), |reason| offered(&self.reasons, "lagReason", reason))
    }
}

/// Who talked with a student.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Who {
    pub kind: SuperviseContactBy,
    pub id: i64,
}

/// Records a contact; the case is taken up with the first.
///
/// # Errors
/// 404 for a case outside the scope; 409 for one that is closed, 422 for words that are none.
pub(crate) async fn record(
    tx: &mut Tx,
    form: &SuperviseContactForm,
    known: &Words,
    who: Who,
    scope: &Scope,
) -> Result<(i64, Vec<Change>)> {
    known.check(&form.contact_way, &form.contact_result, form.lag_reason.as_deref())?;
    let now = tx.app().clock().now();
    insert(tx, form, who, now, scope).await
}

/// Writes a contact at a moment, and lets its case follow.
async fn insert(
    tx: &mut Tx,
    form: &SuperviseContactForm,
    who: Who,
    at: Moment,
    scope: &Scope,
) -> Result<(i64, Vec<Change>)> {
    let case = hold(tx, form.case_id, scope).await?;
    if case.status == SuperviseStatus::Closed {
        return Err(Error::conflict("案例已关闭，不能登记联系"));
    }
    let (by, name) = (tx.by(), tx.actor().name.clone());
    let id = sqlx::query_scalar!(
        "insert into supervise_contact (case_id, contact_way, contact_result, lag_reason, content, next_contact_on, by_kind, by_id,
             by_name, contacted_at, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11) returning id",
        form.case_id,
        form.contact_way,
        form.contact_result,
        form.lag_reason,
        form.content,
        form.next_contact_on,
        who.kind.as_str(),
        who.id,
        name,
        at as _,
        by
    )
    .fetch_one(&mut **tx)
    .await?;
    evidence::keep(tx, id, &form.file_ids).await?;
    // Of contacts at the same time the later one counts.
    sqlx::query!(
        "update supervise_case
         set last_contact_at = greatest(last_contact_at, $2::timestamptz),
             next_contact_on = case when last_contact_at is null or last_contact_at <= $2 then $3 else next_contact_on end,
             status = case when status = 'open' then 'following' else status end,
             updated_at = now(), updated_by = $4, version = version + 1
         where id = $1",
        case.id,
        at as _,
        form.next_contact_on,
        by
    )
    .execute(&mut **tx)
    .await?;
    let mut changes = vec![Change::created("supervise_contact", id, form)];
    if case.status == SuperviseStatus::Open {
        changes.push(Change::status("supervise_case", case.id, "status", "open", "following"));
    }
    Ok((id, changes))
}

/// # Errors
/// 404 outside the scope; 403 for another's record, 409 after a day, in a case that is closed or when somebody corrected it meanwhile;
/// 422 for another word than before that is none.
async fn corrected(
    tx: &mut Tx,
    edit: &SuperviseContactEdit,
    known: &Words,
    user: i64,
    scope: &Scope,
) -> Result<Change> {
    // The case is held before its contacts, as by everybody who writes one.
    let case = sqlx::query_scalar!("select case_id from supervise_contact where id = $1", edit.id)
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(Error::not_found)?;
    let case = hold(tx, case, scope).await?;
    let row = sqlx::query!(
        "select by_kind, by_id, created_at, contact_way, contact_result, lag_reason, content, next_contact_on
         from supervise_contact where id = $1 for update",
        edit.id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    if row.by_kind != SuperviseContactBy::Staff.as_str() || row.by_id != user {
        return Err(Error::new(403, "只能更正本人登记的联系记录"));
    }
    if case.status == SuperviseStatus::Closed {
        return Err(Error::conflict("案例已关闭，不能更正联系记录"));
    }
    let now = tx.app().clock().now();
    if now - row.created_at > chrono::Duration::hours(EDIT_HOURS) {
        return Err(Error::conflict("登记超过24小时，不能更正"));
    }
    // A word that was taken out of the dictionary since stays where it stands.
    if edit.contact_way != row.contact_way {
        offered(&known.ways, "contactWay", &edit.contact_way)?;
    }
    if edit.contact_result != row.contact_result {
        offered(&known.results, "contactResult", &edit.contact_result)?;
    }
    if let Some(reason) = &edit.lag_reason
        && edit.lag_reason != row.lag_reason
    {
        offered(&known.reasons, "lagReason", reason)?;
    }
    let by = tx.by();
    let done = sqlx::query!(
        "update supervise_contact
         set contact_way = $3, contact_result = $4, lag_reason = $5, content = $6, next_contact_on = $7, updated_at = now(),
             updated_by = $8, version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        edit.contact_way,
        edit.contact_result,
        edit.lag_reason,
        edit.content,
        edit.next_contact_on,
        by
    )
    .execute(&mut **tx)
    .await?;
    if done.rows_affected() == 0 {
        return Err(tx.stale("supervise_contact", edit.id).await);
    }
    // Where it is the last word of its case, the next contact follows.
    sqlx::query!(
        "update supervise_case c set next_contact_on = $3
         where c.id = $1 and c.next_contact_on is distinct from $3
           and $2 = (select x.id from supervise_contact x where x.case_id = c.id order by x.contacted_at desc, x.id desc limit 1)",
        case.id,
        edit.id,
        edit.next_contact_on
    )
    .execute(&mut **tx)
    .await?;
    let before = SuperviseContactContent {
        contact_way: row.contact_way,
        contact_result: row.contact_result,
        lag_reason: row.lag_reason,
        content: row.content,
        next_contact_on: row.next_contact_on,
    };
    let after = SuperviseContactContent {
        contact_way: edit.contact_way.clone(),
        contact_result: edit.contact_result.clone(),
        lag_reason: edit.lag_reason.clone(),
        content: edit.content.clone(),
        next_contact_on: edit.next_contact_on,
    };
    Ok(Change::edited("supervise_contact", edit.id, &before, &after))
}

/// A filter, ready for the statements.
struct Wanted {
    from: Option<Moment>,
    to: Option<Moment>,
    filter: SuperviseContactFilter,
    keyword: Keyword,
    scope: Scope,
    case: Option<i64>,
}

impl SuperviseContactFilter {
    fn wanted(&self, scope: &Scope) -> Wanted {
        Wanted {
            from: self.from.map(day_began),
            to: self.to.map(day_ended),
            keyword: self.keyword.as_deref().map(classify).unwrap_or_default(),
            filter: self.clone(),
            scope: scope.clone(),
            case: None,
        }
    }
}

/// A row of the statement.
struct Line {
    id: i64,
    case_id: i64,
    student_no: Option<String>,
    name: String,
    class_name: Option<String>,
    contacted_at: Moment,
    contact_way: String,
    contact_result: String,
    lag_reason: Option<String>,
    content: String,
    next_contact_on: Option<NaiveDate>,
    by_kind: SuperviseContactBy,
    by_name: String,
    version: i32,
}

impl From<Line> for SuperviseContact {
    fn from(line: Line) -> Self {
        Self {
            id: line.id,
            case_id: line.case_id,
            student_no: line.student_no,
            name: line.name,
            class_name: line.class_name,
            contacted_at: line.contacted_at,
            way_name: line.contact_way.clone(),
            contact_way: line.contact_way,
            result_name: line.contact_result.clone(),
            contact_result: line.contact_result,
            reason_name: line.lag_reason.clone(),
            lag_reason: line.lag_reason,
            content: line.content,
            next_contact_on: line.next_contact_on,
            by_kind: line.by_kind,
            by_name: line.by_name,
            files: Vec::new(),
            version: line.version,
        }
    }
}

/// A statement over the contacts `x` that a [`Wanted`] names.
macro_rules! of_contacts {
    ($query:ident [$($row:ident)?] [$($head:tt)+] $wanted:ident [$($tail:tt)*] $(, $extra:expr)*) => {
        sqlx::$query!(
            $($row,)?
            $($head)+ +
            " from supervise_contact x
              join supervise_case c on c.id = x.case_id
              join student s on s.id = c.student_id
              left join class k on k.id = s.class_id
              where ($1::bigint[] is null or s.site_id = any($1) or s.class_id = any($2::bigint[]))
                and ($3::timestamptz is null or x.contacted_at >= $3) and ($4::timestamptz is null or x.contacted_at < $4)
                and ($5::text is null or strpos(x.by_name, $5) > 0) and ($6::text is null or x.contact_way = $6)
                and ($7::text is null or x.contact_result = $7) and ($8::text is null or x.lag_reason = $8)
                and ($9::bigint is null or s.site_id = $9) and ($10::bigint is null or s.class_id = $10)
                and ($11::text is null or s.id_card_no = $11) and ($12::text is null or s.phone = $12)
                and ($13::text is null or s.student_no like $13 or s.examinee_no like $13
                     or ($13 !~ '[0-9]' and s.initials like lower(rtrim($13, '%')) || '%'))
                and ($14::text[] is null or s.name_grams @> $14)
                and ($15::bigint is null or x.case_id = $15) "
            $($tail)*,
            $wanted.scope.sites(),
            $wanted.scope.classes(),
            $wanted.from as _,
            $wanted.to as _,
            $wanted.filter.by_name,
            $wanted.filter.contact_way,
            $wanted.filter.contact_result,
            $wanted.filter.lag_reason,
            $wanted.filter.site_id,
            $wanted.filter.class_id,
            $wanted.keyword.id_card_no.as_deref(),
            $wanted.keyword.phone.as_deref(),
            $wanted.keyword.number.as_deref(),
            $wanted.keyword.name_grams.as_deref(),
            $wanted.case
            $(, $extra)*
        )
    };
}

macro_rules! shown {
    ($wanted:ident [$($tail:tt)*] $(, $extra:expr)*) => {
        of_contacts!(query_as [Line]
            [r#"select x.id as "id!", x.case_id as "case_id!", s.student_no as "student_no?", s.name as "name!",
                       k.name as "class_name?", x.contacted_at as "contacted_at!", x.contact_way as "contact_way!",
                       x.contact_result as "contact_result!", x.lag_reason as "lag_reason?", x.content as "content!",
                       x.next_contact_on as "next_contact_on?", x.by_kind as "by_kind!: _", x.by_name as "by_name!",
                       x.version as "version!""#]
            $wanted
            [+ " order by x.contacted_at desc, x.id desc" $($tail)*]
            $(, $extra)*)
    };
}

async fn page(connection: &mut PgConnection, wanted: &Wanted, paging: Paging) -> Result<(i64, Vec<SuperviseContact>)> {
    let count = of_contacts!(query_scalar [] [r#"select count(*) as "count!""#] wanted []);
    let count = count.fetch_one(&mut *connection).await?;
    let rows = shown!(wanted [+ " limit $16 offset $17"], paging.limit(), paging.offset());
    let rows = rows.fetch_all(connection).await?;
    Ok((count, rows.into_iter().map(SuperviseContact::from).collect()))
}

fn in_words(known: &Words, row: &mut SuperviseContact) {
    row.way_name = label(&known.ways, &row.contact_way);
    row.result_name = label(&known.results, &row.contact_result);
    row.reason_name = row.lag_reason.as_deref().map(|reason| label(&known.reasons, reason));
}

/// Puts words and files to contacts.
async fn told(app: &App, connection: &mut PgConnection, list: &mut [SuperviseContact]) -> Result<()> {
    let known = Words::of(app).await?;
    let ids: Vec<i64> = list.iter().map(|row| row.id).collect();
    let files = evidence::of_contacts(app, connection, &ids).await?;
    for row in list.iter_mut() {
        in_words(&known, row);
        row.files = files.iter().filter(|(id, _)| *id == row.id).map(|(_, file)| file.clone()).collect();
    }
    Ok(())
}

/// The contacts of a case, the newest first.
///
/// # Errors
/// Those of the database.
pub(crate) async fn of_case(app: &App, connection: &mut PgConnection, case: i64) -> Result<Vec<SuperviseContact>> {
    let all = Wanted { case: Some(case), ..SuperviseContactFilter::default().wanted(&Scope::whole_school()) };
    let wanted = &all;
    let rows = shown!(wanted []);
    let mut list: Vec<SuperviseContact> =
        rows.fetch_all(&mut *connection).await?.into_iter().map(SuperviseContact::from).collect();
    told(app, connection, &mut list).await?;
    Ok(list)
}

impl Export for Contacts {
    type Filter = SuperviseContactFilter;
    type Row = SuperviseContact;
    const KIND: &'static str = "supervise_contact.export";
    type Permission = ExportContacts;
    const TITLE: &'static str = "督学联系记录";
    const COLUMNS: &'static [Column<SuperviseContact>] = &[
        Column { heading: "联系时间", width: 20, cell: |row| Cell::DateTime(row.contacted_at) },
        Column { heading: "学号", width: 18, cell: |row| Cell::text(row.student_no.as_deref()) },
        Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "班级", width: 24, cell: |row| Cell::text(row.class_name.as_deref()) },
        Column { heading: "联系方式", width: 12, cell: |row| Cell::Text(row.way_name.clone()) },
        Column { heading: "联系结果", width: 14, cell: |row| Cell::Text(row.result_name.clone()) },
        Column { heading: "落后原因", width: 14, cell: |row| Cell::text(row.reason_name.as_deref()) },
        Column { heading: "联系内容", width: 60, cell: |row| Cell::Text(row.content.clone()) },
        Column { heading: "下次联系", width: 12, cell: |row| row.next_contact_on.map_or(Cell::Empty, Cell::Date) },
        Column { heading: "联系人", width: 12, cell: |row| Cell::Text(row.by_name.clone()) },
        Column { heading: "联系人类别", width: 12, cell: |row| Cell::Text(row.by_kind.zh().to_owned()) },
    ];

    async fn rows<'c>(
        app: &App,
        connection: &'c mut PgConnection,
        filter: &SuperviseContactFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, SuperviseContact>> {
        let known = Words::of(app).await?;
        let all = filter.wanted(scope);
        let wanted = &all;
        let rows = shown!(wanted []);
        Ok(Box::pin(rows.fetch(connection).map_ok(SuperviseContact::from).map_ok(move |mut row| {
            in_words(&known, &mut row);
            row
        })))
    }
}
