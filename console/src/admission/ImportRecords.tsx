import { Button, Drawer, Empty, Table } from '@arco-design/web-react'
import { IconHistory } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { BatchSelect } from '@/enrolment/BatchSelect'
import { useOpenBatch } from '@/enrolment/openBatch'
import { Can } from '@/kit/Can'
import { DialogName } from '@/kit/DialogName'
import { formatNumber, formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { listAdmissionImports } from './api'

type Record = RowOf<typeof listAdmissionImports>

/** Which files a batch took over, the newest first. */
export const useImportsOf = (batchId: number | undefined, enabled = true) => {
  const request = useRequest()
  return useQuery({
    queryKey: [listAdmissionImports.path, batchId],
    queryFn: ({ signal }) => request(listAdmissionImports, { body: { batchId: batchId ?? 0 } }, { signal }),
    enabled: enabled && batchId !== undefined,
  })
}

interface OfBatchProps {
  batchId: number
  onShow: (importId: number) => void
}

const OfBatch = ({ batchId, onShow }: OfBatchProps) => {
  const records = useImportsOf(batchId)
  return (
    <Loaded query={records}>
      {(list) => (
        <Table
          rowKey="id"
          size="small"
          border={{ wrapper: true }}
          pagination={{ pageSize: 20, hideOnSinglePage: true }}
          data={list}
          scroll={{ x: 860 }}
          noDataElement={<Empty description="该批次还没有导入录取数据" />}
          columns={[
            { title: '文件', dataIndex: 'fileName', width: 200 },
            {
              title: '方式',
              dataIndex: 'mode',
              width: 100,
              render: (mode: string) => labelOf(listAdmissionImports, 'mode', mode),
            },
            ...(['total', 'inserted', 'updated', 'unchanged'] as const).map((field) => ({
              title: { total: '总行数', inserted: '新增', updated: '修改', unchanged: '未变' }[field],
              dataIndex: field,
              width: 70,
              align: 'right' as const,
              render: formatNumber,
            })),
            {
              title: '现有人数',
              dataIndex: 'people',
              width: 90,
              align: 'right',
              render: (people: number, { id }: Record) => (
                <Button type="text" size="mini" title="查看这批录取数据" onClick={() => onShow(id)}>
                  {formatNumber(people)}
                </Button>
              ),
            },
            { title: '导入人', dataIndex: 'createdByName', width: 90 },
            { title: '导入时间', dataIndex: 'createdAt', width: 150, render: (at: string) => formatTime(at) },
          ]}
        />
      )}
    </Loaded>
  )
}

interface ImportRecordsProps {
  /** The batch that the list shows. */
  shown: number | undefined
  /** Shows whom a file brought. */
  onShow: (batchId: number, importId: number) => void
}

/** Of the batch that the list shows, else of the open one, unless another is chosen. */
const Records = ({ shown, onShow }: ImportRecordsProps) => {
  const [chosen, setChosen] = useState<number>()
  const open = useOpenBatch()
  const batchId = chosen ?? shown ?? open.batchId
  return (
    <>
      <div className="filters">
        <div className="filter">
          <span className="filter-label">招生批次</span>
          <BatchSelect closed value={batchId} onChange={setChosen} />
        </div>
      </div>
      {batchId === undefined ? (
        <p className="form-hint">{open.isSettled ? '请选择招生批次' : '正在载入'}</p>
      ) : (
        <OfBatch batchId={batchId} onShow={(importId) => onShow(batchId, importId)} />
      )}
    </>
  )
}

const TITLE = '导入记录'

/** 导入记录: the files of the authority, what each of them did, and whom it brought. */
export const ImportRecords = ({ shown, onShow }: ImportRecordsProps) => {
  const [open, setOpen] = useState(false)
  return (
    <Can do={listAdmissionImports}>
      <Button icon={<IconHistory />} onClick={() => setOpen(true)}>
        {TITLE}
      </Button>
      <Drawer title={TITLE} width={920} visible={open} footer={null} onCancel={() => setOpen(false)} unmountOnExit>
        <DialogName name={TITLE} />
        <Records
          shown={shown}
          onShow={(batchId, importId) => {
            setOpen(false)
            onShow(batchId, importId)
          }}
        />
      </Drawer>
    </Can>
  )
}
