import { Alert, Button, Drawer, Empty, Space, Table } from '@arco-design/web-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf, tellSuccess } from '@/api/errors'
import { refetchAll } from '@/api/query'
import { useRequest } from '@/api/schoolContext'
import { batches } from '@/exams/choices'
import { Can } from '@/kit/Can'
import { DialogName } from '@/kit/DialogName'
import { formatNumber } from '@/kit/format'
import { OptionSelect } from '@/kit/OptionSelect'
import type { useDrawer } from '@/kit/useDrawer'
import { placeOfflineSetups } from './api'
import type { Placed } from './offlineRules'

const TITLE = '自动安排场次'

const small = {
  size: 'small',
  border: { wrapper: true },
  pagination: { pageSize: 10, hideOnSinglePage: true },
} as const

interface OpenProps {
  begun: number | undefined
  onClose: () => void
}

const Open = ({ begun, onClose }: OpenProps) => {
  const request = useRequest()
  const [batchId, setBatch] = useState(begun)
  const run = useMutation({
    mutationFn: (preview: boolean) => request(placeOfflineSetups, { body: { batchId, setupIds: [], preview } }),
    onSuccess: async ({ placed, unplaced }, preview) => {
      if (preview) return
      await refetchAll()
      tellSuccess(`已安排${formatNumber(placed.length)}场考试，${formatNumber(unplaced.length)}场没有合适的场次`)
    },
  })
  const told: Placed | undefined = run.data
  return (
    <Drawer
      title={TITLE}
      width={640}
      visible
      onCancel={onClose}
      footer={
        <Space>
          <Button onClick={onClose}>关闭</Button>
          <Button disabled={batchId === undefined} loading={run.isPending} onClick={() => run.mutate(true)}>
            预览
          </Button>
          <Button
            type="primary"
            disabled={batchId === undefined}
            loading={run.isPending}
            onClick={() => run.mutate(false)}
          >
            安排场次
          </Button>
        </Space>
      }
    >
      <DialogName name={TITLE} />
      <p className="form-hint">为批次中没有场次的草稿安排场次：有共同考生的考试不在同一时间，人数不超过考位。</p>
      <OptionSelect
        label="批次"
        placeholder="请选择批次"
        {...batches}
        value={batchId}
        onChange={(id) => {
          setBatch(id)
          run.reset()
        }}
      />
      {run.isError && <Alert className="form-lead" type="error" content={messageOf(run.error)} />}
      {told && (
        <>
          <h3>{run.variables ? '将安排' : '已安排'}</h3>
          <Table
            {...small}
            rowKey="setupId"
            data={told.placed}
            noDataElement={<Empty description="没有需要安排的草稿" />}
            columns={[
              { title: '考试', dataIndex: 'setupName' },
              { title: '场次', dataIndex: 'sessionCode', width: 90 },
            ]}
          />
          {told.unplaced.length > 0 && (
            <>
              <h3>没有安排</h3>
              <Table
                {...small}
                rowKey="setupId"
                data={told.unplaced}
                columns={[
                  { title: '考试', dataIndex: 'setupName' },
                  { title: '原因', dataIndex: 'why' },
                ]}
              />
            </>
          )}
        </>
      )}
    </Drawer>
  )
}

interface AutoProps {
  drawer: ReturnType<typeof useDrawer<{ batchId?: number }>>
  batchId: number | undefined
}

/** 自动安排场次 of a batch's drafts, with a look first. */
export const AutoSession = ({ drawer, batchId }: AutoProps) => (
  <>
    <Can do={placeOfflineSetups}>
      <Button onClick={() => drawer.open({ batchId })}>自动安排场次</Button>
    </Can>
    {drawer.props.visible && (
      <Open key={drawer.key} begun={drawer.props.record?.batchId} onClose={drawer.props.onClose} />
    )}
  </>
)
