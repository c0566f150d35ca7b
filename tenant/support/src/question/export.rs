//! 导出 of questions.

use std::marker::PhantomData;

use futures_util::{TryStreamExt, stream};
use infra::{
    App, Error, Result, Scope, Window,
    access::{Caller, Permission},
    sheet::{Cell, Column},
    token::Area,
    transfer::{Export, Rows},
};
use poem_openapi::Object;
use sqlx::PgConnection;
use support_rules::enums::SupportAudience;

use super::{Asked, HelpQuestion, HelpQuestionFilter, Reach, keys, of_ids};
use crate::desk::Desk;

/// Questions that are read at once.
const AT_ONCE: usize = 1000;
const ALL: Window = Window { from_end: false, limit: i64::MAX, offset: 0 };

/// Whose rights to the list and to the file each open what the other does not.
const APART: &str = "您查看和导出咨询的权限属于不同的站点或班级，请联系管理员统一这些权限的数据范围";

/// Which questions a file holds.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub(crate) struct QuestionsWanted {
    /// 账号
    user: i64,
    /// 院校
    school: Option<i64>,
    /// 条件
    filter: HelpQuestionFilter,
}

impl QuestionsWanted {
    /// # Errors
    /// 400 where nobody asks those of this area, or when somebody inside a school names a school; 403 for whoever may not see them.
    pub(crate) fn of<D: Desk>(caller: &Caller, filter: HelpQuestionFilter) -> Result<Self> {
        if !caller.holds(<D::List as Permission>::CODE) {
            return Err(Error::forbidden());
        }
        let school = caller.session.school_id;
        let asked_here = school.is_some() || D::AUDIENCE == SupportAudience::School;
        if !asked_here || school.is_some() && filter.school_id.is_some() {
            return Err(Error::malformed());
        }
        Ok(Self { user: caller.user_id(), school, filter })
    }
}

/// The questions of a desk as a workbook.
pub(crate) struct QuestionSheet<D: Desk>(PhantomData<D>);

/// The columns of the list.
const COLUMNS: &[Column<HelpQuestion>] = &[
    Column { heading: "标题", width: 40, cell: |row| Cell::Text(row.title.clone()) },
    Column { heading: "分类", width: 24, cell: |row| Cell::text(row.category_name.clone()) },
    Column { heading: "院校", width: 24, cell: |row| Cell::text(row.school_name.clone()) },
    Column { heading: "提问人", width: 12, cell: |row| Cell::Text(row.asker_name.clone()) },
    Column { heading: "提问人类别", width: 12, cell: |row| Cell::Text(row.asker_kind.zh().to_owned()) },
    Column { heading: "站点", width: 20, cell: |row| Cell::text(row.site_name.clone()) },
    Column { heading: "班级", width: 20, cell: |row| Cell::text(row.class_name.clone()) },
    Column { heading: "提问时间", width: 20, cell: |row| Cell::DateTime(row.created_at) },
    Column {
        heading: "等待时长(分钟)", width: 14, cell: |row| row.waiting_minutes.map_or(Cell::Empty, Cell::Int)
    },
    Column { heading: "状态", width: 10, cell: |row| Cell::Text(row.status.zh().to_owned()) },
    Column { heading: "负责人", width: 12, cell: |row| Cell::text(row.assigned_name.clone()) },
    Column { heading: "回复时间", width: 20, cell: |row| Cell::time(row.replied_at) },
    Column { heading: "满意", width: 8, cell: |row| row.satisfied.map_or(Cell::Empty, Cell::Bool) },
];

impl<D: Desk> Export for QuestionSheet<D> {
    type Filter = QuestionsWanted;
    type Row = HelpQuestion;
    const KIND: &'static str = D::QUESTIONS;
    type Permission = D::Export;
    const TITLE: &'static str = D::QUESTIONS_TITLE;
    const COLUMNS: &'static [Column<HelpQuestion>] = COLUMNS;

    async fn rows<'c>(
        app: &App,
        connection: &'c mut PgConnection,
        wanted: &QuestionsWanted,
        scope: &Scope,
    ) -> Result<Rows<'c, HelpQuestion>> {
        let of = (wanted.user, wanted.school);
        // A file has no more than the list: as of now, the code of the list may have been given anew meanwhile.
        let area = if wanted.school.is_some() { Area::School } else { Area::Platform };
        let rights = app.rights(wanted.user, area, wanted.school).await?;
        let list = rights.get(<D::List as Permission>::CODE).ok_or_else(Error::forbidden)?;
        let scope = scope.narrower(list).ok_or_else(|| Error::new(403, APART))?;
        let reach = Reach::within(app, of, D::AUDIENCE, scope).await?.ok_or_else(Error::malformed)?;
        let asked = Asked { reach: &reach, only: None, filter: &wanted.filter };
        if D::AUDIENCE == SupportAudience::School && wanted.school.is_some() {
            // What a school's staff ask lies beside the school, and is little.
            let mut platform = app.platform_read().await?;
            let ids = keys(&mut platform, asked, ALL).await?;
            let rows = of_ids(app, &mut platform, &ids, &reach).await?;
            return Ok(Box::pin(stream::iter(rows.into_iter().map(Ok::<_, sqlx::Error>))));
        }
        let ids = keys(&mut *connection, asked, ALL).await?;
        let parts: Vec<Vec<i64>> = ids.chunks(AT_ONCE).map(<[i64]>::to_vec).collect();
        let app = app.clone();
        let read = stream::try_unfold((connection, parts.into_iter()), move |(connection, mut parts)| {
            let (app, reach) = (app.clone(), reach.clone());
            async move {
                let Some(ids) = parts.next() else { return Ok::<_, sqlx::Error>(None) };
                let rows = of_ids(&app, &mut *connection, &ids, &reach).await.map_err(broken)?;
                Ok(Some((stream::iter(rows.into_iter().map(Ok::<_, sqlx::Error>)), (connection, parts))))
            }
        });
        Ok(Box::pin(read.try_flatten()))
    }
}

/// A stream of rows knows the errors of the database alone.
fn broken(error: Error) -> sqlx::Error {
    sqlx::Error::Protocol(error.to_string())
}
