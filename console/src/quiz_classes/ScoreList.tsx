import { Drawer, Empty, Input, Table, type TableColumnProps } from '@arco-design/web-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { placeOfLearner } from '@/catalogue/places'
import { DialogName } from '@/kit/DialogName'
import { ExportButton } from '@/kit/ExportButton'
import { Lead } from '@/kit/Lead'
import { Failed } from '@/kit/Loaded'
import { Masked } from '@/kit/Masked'
import type { DrawerProps } from '@/kit/useDrawer'
import { useSettled } from '@/kit/useSettled'
import { listLearners } from '@/learners/api'
import { exportQuizClassScores, listQuizClassScores } from './api'
import { scoreWords } from './scoreWords'

type Row = RowOf<typeof listQuizClassScores>

/** The class whose scores are shown. */
interface Class {
  id: number
  gradeName: string
}

const PAGE = 20
const NAME_PX = 140
const PHONE_PX = 160
const SCORE_PX = 150

const Scores = ({ of }: { of: Class }) => {
  const request = useRequest()
  const [text, setText] = useState('')
  const [pageCurrent, setPage] = useState(1)
  const learner = useSettled(text) || undefined
  const query = useQuery({
    queryKey: [listQuizClassScores.path, of.id, learner, pageCurrent],
    queryFn: ({ signal }) =>
      request(listQuizClassScores, { body: { gradeId: of.id, learner, pageCurrent, pageSize: PAGE } }, { signal }),
    placeholderData: keepPreviousData,
  })
  const total = query.data?.totalCount ?? 0
  const exams = query.data?.exams ?? []
  const columns: TableColumnProps<Row>[] = [
    {
      title: '学员',
      dataIndex: 'learnerName',
      width: NAME_PX,
      fixed: 'left',
      render: (_: unknown, { learnerId, learnerName }: Row) => (
        <Lead do={listLearners} to={placeOfLearner(learnerId, undefined)}>
          {learnerName}
        </Lead>
      ),
    },
    {
      title: '手机号',
      dataIndex: 'phone',
      width: PHONE_PX,
      render: (_: unknown, { learnerId, phone }: Row) => (
        <Masked entity="user_ext" id={learnerId} field="phone" label="手机号" value={phone} />
      ),
    },
    ...exams.map(({ examId, examName }) => ({
      title: examName,
      key: String(examId),
      width: SCORE_PX,
      render: (_: unknown, { scores }: Row) => scoreWords(scores.find((each) => each.examId === examId)),
    })),
  ]
  return (
    <>
      <div className="toolbar">
        <Input.Search
          className="drawer-search"
          aria-label="学员"
          placeholder="昵称或手机号开头"
          allowClear
          value={text}
          onChange={(words) => {
            setText(words)
            setPage(1)
          }}
        />
        <div className="toolbar-right">
          <ExportButton do={exportQuizClassScores} table={{ body: { gradeId: of.id, learner }, total }} />
        </div>
      </div>
      {query.isError ? (
        <Failed error={query.error} retry={() => query.refetch()} />
      ) : (
        <Table<Row>
          rowKey="id"
          size="small"
          loading={query.isPending || query.isPlaceholderData}
          data={query.data?.list ?? []}
          border={{ wrapper: true }}
          scroll={{ x: 'max-content' }}
          pagination={{
            current: pageCurrent,
            pageSize: PAGE,
            total,
            onChange: setPage,
            showTotal: true,
            hideOnSinglePage: pageCurrent === 1,
          }}
          noDataElement={
            <Empty
              description={
                learner ? '没有找到学员，请换昵称或手机号' : '还没有成员。把邀请码发给学员，加入后在这里看成绩。'
              }
            />
          }
          columns={columns}
        />
      )}
    </>
  )
}

/** 成绩 of a class: learner × exam, the best of each one's attempts. */
export const ScoreList = ({ record, visible, onClose }: DrawerProps<Class>) => {
  const title = `成绩 ${record?.gradeName ?? ''}`
  return (
    <Drawer title={title} width={1080} visible={visible} footer={null} onCancel={onClose} unmountOnExit>
      <DialogName name={title} />
      {record && <Scores of={record} />}
    </Drawer>
  )
}
