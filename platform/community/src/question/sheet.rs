//! What the sheet of questions looks like.

use infra::{
    App, Result, Scope,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{CommunityQuestion, CommunityQuestionFilter, CommunityQuestions, list::select};

impl Export for CommunityQuestions {
    type Filter = CommunityQuestionFilter;
    type Row = CommunityQuestion;
    const KIND: &'static str = "communityQuestion.export";
    type Permission = super::ExportCommunityQuestions;
    const TITLE: &'static str = "问答";
    const COLUMNS: &'static [Column<CommunityQuestion>] = &[
        Column { heading: "标题", width: 36, cell: |row| Cell::Text(row.title.clone()) },
        Column { heading: "提问人", width: 16, cell: |row| Cell::Text(row.learner_name.clone()) },
        Column { heading: "标签", width: 24, cell: |row| Cell::Text(row.labels.join("、")) },
        Column { heading: "审核状态", width: 10, cell: |row| Cell::Text(row.audit_status.zh().to_owned()) },
        Column { heading: "审核意见", width: 30, cell: |row| Cell::text(row.audit_opinion.clone()) },
        Column { heading: "回答数", width: 8, cell: |row| Cell::Int(row.answer_count) },
        Column { heading: "已采纳", width: 8, cell: |row| Cell::Bool(row.accepted) },
        Column { heading: "已关闭", width: 8, cell: |row| Cell::Bool(row.closed) },
        Column { heading: "提问时间", width: 20, cell: |row| Cell::DateTime(row.created_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &CommunityQuestionFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, CommunityQuestion>> {
        Ok(select(connection, None, filter, None))
    }
}
