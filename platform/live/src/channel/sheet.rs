//! What the sheet of channels looks like.

use infra::{
    App, Result, Scope,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{LiveChannel, LiveChannelFilter, LiveChannels, list::select};

impl Export for LiveChannels {
    type Filter = LiveChannelFilter;
    type Row = LiveChannel;
    const KIND: &'static str = "live_channel.export";
    type Permission = super::ExportLiveChannels;
    const TITLE: &'static str = "直播频道";
    const COLUMNS: &'static [Column<LiveChannel>] = &[
        Column { heading: "频道名称", width: 26, cell: |each| Cell::Text(each.channel_name.clone()) },
        Column { heading: "服务商", width: 12, cell: |each| Cell::Text(each.provider.zh().to_owned()) },
        Column { heading: "频道号", width: 18, cell: |each| Cell::Text(each.channel_no.clone()) },
        Column { heading: "场景", width: 12, cell: |each| Cell::Text(each.scene.zh().to_owned()) },
        Column {
            heading: "最多观看人数",
            width: 14,
            cell: |each| each.max_viewers.map_or(Cell::Text("不限".to_owned()), |most| Cell::Int(most.into())),
        },
        Column { heading: "频道状态", width: 10, cell: |each| Cell::Text(each.state.zh().to_owned()) },
        Column { heading: "未开始的课时", width: 14, cell: |each| Cell::Int(each.upcoming) },
        Column { heading: "下次直播时间", width: 20, cell: |each| Cell::time(each.next_starts_at) },
        Column { heading: "启用", width: 8, cell: |each| Cell::Bool(each.enabled) },
        Column { heading: "创建时间", width: 20, cell: |each| Cell::DateTime(each.created_at) },
    ];

    async fn rows<'c>(
        app: &App,
        connection: &'c mut PgConnection,
        filter: &LiveChannelFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, LiveChannel>> {
        Ok(select(connection, app.clock().now(), None, filter, None))
    }
}
