import { Modal, Table } from '@arco-design/web-react'

/** What a step over many left as it was, and why. */
export interface LeftOut {
  name: string
  msg: string
}

/** Names one by one what was left out; nothing is said where nothing was. */
export const tellLeftOut = (title: string, rows: readonly LeftOut[], what = '专业') => {
  if (rows.length === 0) return
  Modal.info({
    title,
    style: { width: 560 },
    okText: '知道了',
    content: (
      <Table
        size="small"
        rowKey="name"
        data={[...rows]}
        pagination={{ pageSize: 10, hideOnSinglePage: true }}
        columns={[
          { title: what, dataIndex: 'name', width: 220 },
          { title: '原因', dataIndex: 'msg' },
        ]}
      />
    ),
  })
}
