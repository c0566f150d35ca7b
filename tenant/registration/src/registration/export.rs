//! 导出: what the list shows, as a workbook, and the four sheets that are printed and signed (02 §7).

use std::marker::PhantomData;

use field_attributes::stage::OwnHeading;
use futures_util::TryStreamExt;
use infra::{
    Allowed, App, Body, Paged, Result, Scope,
    sheet::{Cell, Column},
    transfer::{self, Export, Exported, OwnColumn, Rows},
};
use poem_openapi::{OpenApi, param::Query};
use sqlx::PgConnection;

use super::{
    DownloadRegistrations,
    list::{RegistrationFilter, RegistrationRow, all, all_signing},
    own,
};
use crate::enums::{RegistrationMaterial, RegistrationSheet, RegistrationStatus, ReserveReason};

pub struct Exports;

#[OpenApi(prefix_path = "/adult/pc/registration", tag = "crate::Tag::Registration")]
impl Exports {
    /// 导出报到
    /// 指明名单时为报到花名册、未报到名单、保留入学资格登记表或放弃入学资格登记表；不指明且导出全部列时，后面是本校字段
    #[oai(path = "/export", method = "post", operation_id = "exportRegistrations")]
    async fn export(
        &self,
        caller: Allowed<DownloadRegistrations>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<RegistrationFilter>>,
    ) -> Result<Exported> {
        let filter = asked.filter;
        match filter.sheet {
            None => transfer::export::<ExportRegistrations>(&caller, filter, job.0).await,
            Some(RegistrationSheet::Roll) => transfer::export::<Signed<Roll>>(&caller, filter, job.0).await,
            Some(RegistrationSheet::Missing) => transfer::export::<Signed<Missing>>(&caller, filter, job.0).await,
            Some(RegistrationSheet::Reserved) => transfer::export::<Signed<Reserved>>(&caller, filter, job.0).await,
            Some(RegistrationSheet::Abandoned) => transfer::export::<Signed<Abandoned>>(&caller, filter, job.0).await,
        }
    }
}

fn yes(there: bool) -> Cell {
    Cell::Text(if there { "是" } else { "否" }.to_owned())
}

fn materials(row: &RegistrationRow) -> Cell {
    let words: Vec<&str> = row.materials.iter().copied().map(RegistrationMaterial::zh).collect();
    Cell::Text(words.join("、"))
}

/// 报到
pub(crate) struct ExportRegistrations;

impl Export for ExportRegistrations {
    type Filter = RegistrationFilter;
    type Row = RegistrationRow;
    const KIND: &'static str = "registration.export";
    type Permission = DownloadRegistrations;
    const PLAIN: Option<&'static str> = Some("adult:pc:registration:exportPlain");
    const TITLE: &'static str = "报到";
    const COLUMNS: &'static [Column<RegistrationRow>] = &[
        Column { heading: "批次", width: 20, cell: |row| Cell::Text(row.batch_name.clone()) },
        Column { heading: "考生号", width: 18, cell: |row| Cell::Text(row.examinee_no.clone()) },
        Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "性别", width: 6, cell: |row| Cell::Text(row.gender.zh().to_owned()) },
        Column { heading: "证件号", width: 22, cell: |row| Cell::Text(row.id_card_no.clone()) },
        Column { heading: "手机", width: 14, cell: |row| Cell::text(row.phone.as_deref()) },
        Column { heading: "年级", width: 12, cell: |row| Cell::Text(row.grade_name.clone()) },
        Column { heading: "层次", width: 10, cell: |row| Cell::Text(row.level_name.clone()) },
        Column { heading: "专业", width: 20, cell: |row| Cell::Text(row.major_name.clone()) },
        Column { heading: "学习形式", width: 10, cell: |row| Cell::Text(row.study_form.zh().to_owned()) },
        Column { heading: "站点", width: 20, cell: |row| Cell::Text(row.site_name.clone()) },
        Column { heading: "已缴费", width: 8, cell: |row| yes(row.fee_paid) },
        Column { heading: "实缴金额(元)", width: 14, cell: |row| Cell::decimal(row.paid_amount, 2) },
        Column { heading: "已核验", width: 8, cell: |row| yes(row.identity_verified) },
        Column { heading: "材料", width: 30, cell: materials },
        Column { heading: "状态", width: 14, cell: |row| Cell::Text(row.status.zh().to_owned()) },
        Column { heading: "保留至", width: 12, cell: |row| Cell::date(row.reserve_until) },
        Column { heading: "原因", width: 24, cell: |row| Cell::text(row.reason.as_deref()) },
        Column { heading: "学号", width: 18, cell: |row| Cell::text(row.student_no.as_deref()) },
        Column { heading: "报到时间", width: 18, cell: |row| Cell::time(row.reported_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &RegistrationFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, RegistrationRow>> {
        Ok(all(connection, &filter.wanted(scope)))
    }

    async fn own_columns(app: &App, connection: &mut PgConnection) -> Result<Vec<OwnColumn<RegistrationRow>>> {
        let taken: Vec<&str> = Self::COLUMNS.iter().map(|column| column.heading).collect();
        let fields = own::asked(app, connection).await?.told(&taken);
        let column = |field: OwnHeading| OwnColumn {
            heading: field.heading.clone(),
            cell: Box::new(move |row: &RegistrationRow| field.cell(&row.extra.0)),
        };
        Ok(fields.into_iter().map(column).collect())
    }

    fn mask(row: &mut RegistrationRow) {
        row.mask();
    }
}

/// A line of a sheet that is signed.
pub(crate) struct Line {
    seq: i64,
    row: RegistrationRow,
}

/// One of the sheets that are signed.
pub(crate) trait Sheet: Send + Sync + 'static {
    const KIND: &'static str;
    const OF: RegistrationSheet;
    const COLUMNS: &'static [Column<Line>];
}

/// An export of the sheet `S`.
pub(crate) struct Signed<S>(PhantomData<S>);

/// 报到花名册
pub(crate) struct Roll;

/// 未报到名单
pub(crate) struct Missing;

/// 保留入学资格登记表
pub(crate) struct Reserved;

/// 放弃入学资格登记表
pub(crate) struct Abandoned;

const SEQ: Column<Line> = Column { heading: "序号", width: 6, cell: |line| Cell::Int(line.seq) };
const STUDENT_NO: Column<Line> =
    Column { heading: "学号", width: 18, cell: |line| Cell::text(line.row.student_no.as_deref()) };
const EXAMINEE_NO: Column<Line> =
    Column { heading: "考生号", width: 18, cell: |line| Cell::Text(line.row.examinee_no.clone()) };
const NAME: Column<Line> = Column { heading: "姓名", width: 12, cell: |line| Cell::Text(line.row.name.clone()) };
const GENDER: Column<Line> =
    Column { heading: "性别", width: 6, cell: |line| Cell::Text(line.row.gender.zh().to_owned()) };
const ID_CARD_NO: Column<Line> =
    Column { heading: "证件号", width: 22, cell: |line| Cell::Text(line.row.id_card_no.clone()) };
const LEVEL: Column<Line> =
    Column { heading: "层次", width: 10, cell: |line| Cell::Text(line.row.level_name.clone()) };
const MAJOR: Column<Line> =
    Column { heading: "专业", width: 20, cell: |line| Cell::Text(line.row.major_name.clone()) };
const SITE: Column<Line> = Column { heading: "站点", width: 20, cell: |line| Cell::Text(line.row.site_name.clone()) };
const REASON: Column<Line> =
    Column { heading: "原因", width: 24, cell: |line| Cell::text(reason(&line.row).as_deref()) };
const UNTIL: Column<Line> = Column { heading: "保留至", width: 12, cell: |line| Cell::date(line.row.reserve_until) };
const SIGNATURE: Column<Line> = Column { heading: "签字", width: 12, cell: |_| Cell::Empty };

/// Why somebody stands in a sheet. Whose place is kept has a word for it, and may have explained it.
fn reason(row: &RegistrationRow) -> Option<String> {
    let kept = row.reserve_reason.filter(|_| row.status == RegistrationStatus::Reserved);
    let Some(word) = kept.map(ReserveReason::zh) else { return row.reason.clone() };
    let explained = row.reason.as_deref().filter(|reason| *reason != word);
    Some(explained.map_or_else(|| word.to_owned(), |explained| format!("{word}：{explained}")))
}

const COLUMNS: &[Column<Line>] = &[SEQ, EXAMINEE_NO, NAME, GENDER, ID_CARD_NO, LEVEL, MAJOR, SITE, REASON, SIGNATURE];

impl Sheet for Roll {
    const KIND: &'static str = "registration.roll";
    const OF: RegistrationSheet = RegistrationSheet::Roll;
    /// Those who came have a number instead of a reason.
    const COLUMNS: &'static [Column<Line>] =
        &[SEQ, STUDENT_NO, EXAMINEE_NO, NAME, GENDER, ID_CARD_NO, LEVEL, MAJOR, SITE, SIGNATURE];
}

impl Sheet for Missing {
    const KIND: &'static str = "registration.missing";
    const OF: RegistrationSheet = RegistrationSheet::Missing;
    const COLUMNS: &'static [Column<Line>] = COLUMNS;
}

impl Sheet for Reserved {
    const KIND: &'static str = "registration.reserved";
    const OF: RegistrationSheet = RegistrationSheet::Reserved;
    /// Whoever signs knows until when.
    const COLUMNS: &'static [Column<Line>] =
        &[SEQ, EXAMINEE_NO, NAME, GENDER, ID_CARD_NO, LEVEL, MAJOR, SITE, REASON, UNTIL, SIGNATURE];
}

impl Sheet for Abandoned {
    const KIND: &'static str = "registration.abandoned";
    const OF: RegistrationSheet = RegistrationSheet::Abandoned;
    const COLUMNS: &'static [Column<Line>] = COLUMNS;
}

impl<S: Sheet> Export for Signed<S> {
    type Filter = RegistrationFilter;
    type Row = Line;
    const KIND: &'static str = S::KIND;
    type Permission = DownloadRegistrations;
    const PLAIN: Option<&'static str> = Some("adult:pc:registration:exportPlain");
    const TITLE: &'static str = S::OF.zh();
    const COLUMNS: &'static [Column<Line>] = S::COLUMNS;

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &RegistrationFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, Line>> {
        let filter = RegistrationFilter { sheet: Some(S::OF), ..filter.clone() };
        let mut seq = 0;
        let lines = all_signing(connection, &filter.wanted(scope)).map_ok(move |row| {
            seq += 1;
            Line { seq, row }
        });
        Ok(Box::pin(lines))
    }

    fn mask(line: &mut Line) {
        line.row.mask();
    }
}
