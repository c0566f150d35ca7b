import { Button, Drawer, Empty, Space, Table } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useRequest } from '@/api/schoolContext'
import { Can } from '@/kit/Can'
import { DialogName } from '@/kit/DialogName'
import { formatNumber, formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { Word } from '@/kit/Status'
import { useAction } from '@/kit/useAction'
import { listExamMarkers, remindExamMarkers, viewExamMarkers } from './api'
import { isOverdue, type MarkedSetup, markerTones, progressWords } from './examRules'
import './exams.css'

type One = MarkedSetup['markers'][number]

const TITLE = '阅卷进度'

/** 一个考试的阅卷教师和进度; those who are not done can be reminded at once. */
export const MarkersOfSetup = ({ setupId, onClose }: { setupId: number; onClose: () => void }) => {
  const request = useRequest()
  const query = useQuery({
    queryKey: [viewExamMarkers.path, setupId],
    queryFn: ({ signal }) => request(viewExamMarkers, { query: { setupId } }, { signal }),
  })
  const remind = useAction(remindExamMarkers, { done: ({ told }) => `已催办${formatNumber(told)}名教师` })
  return (
    <Drawer title={TITLE} width={760} visible footer={null} onCancel={onClose}>
      <DialogName name={TITLE} />
      <Loaded query={query}>
        {(setup) => (
          <>
            <p className="form-lead">
              {setup.setupName}：考生{formatNumber(setup.candidateCount)}名，应阅{formatNumber(setup.assigned)}
              份，已阅{formatNumber(setup.done)}份
            </p>
            <Table
              rowKey="id"
              size="small"
              border={{ wrapper: true }}
              pagination={{ pageSize: 20, hideOnSinglePage: true }}
              data={setup.markers}
              noDataElement={<Empty description="还没有分配阅卷教师" />}
              columns={[
                { title: '教师', dataIndex: 'teacherName', width: 110 },
                {
                  title: '范围',
                  width: 90,
                  render: (_: unknown, row: One) => labelOf(listExamMarkers, 'scope', row.scope),
                },
                {
                  title: '已阅/应阅',
                  width: 100,
                  align: 'right',
                  render: (_: unknown, row: One) => progressWords(row),
                },
                { title: '仲裁', width: 60, render: (_: unknown, row: One) => (row.arbiter ? '是' : '否') },
                {
                  title: '截止时间',
                  render: (_: unknown, row: One) => (
                    <Space size={4}>
                      {formatTime(row.deadlineAt) || '—'}
                      {isOverdue(row, Date.now()) && <Word tone="bad">超期</Word>}
                    </Space>
                  ),
                },
                {
                  title: '状态',
                  width: 90,
                  render: (_: unknown, row: One) => (
                    <Word tone={markerTones[row.status]}>{labelOf(listExamMarkers, 'status', row.status)}</Word>
                  ),
                },
              ]}
            />
            <Can do={remindExamMarkers}>
              <Button
                className="exam-people"
                disabled={setup.markers.every(({ status }) => status === 'finished')}
                loading={remind.isPending}
                onClick={() => remind.mutate({ body: { setupIds: [setupId], markerIds: [] } })}
              >
                催办未完成的教师
              </Button>
            </Can>
          </>
        )}
      </Loaded>
    </Drawer>
  )
}
