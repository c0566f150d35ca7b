import { Drawer } from '@arco-design/web-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { step } from '@/kit/actions'
import { DialogName } from '@/kit/DialogName'
import { Word } from '@/kit/Status'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import {
  acceptCommunityAnswer,
  auditCommunityQuestion,
  deleteCommunityAnswer,
  listCommunityAnswers,
  type listCommunityQuestions,
} from './api'
import { DecideAnswer, isWaiting } from './Decisions'
import { firstPlace, SAID_PAGE, SaidTable } from './SaidTable'
import { shortened } from './standing'

type Question = RowOf<typeof listCommunityQuestions>
type Answer = RowOf<typeof listCommunityAnswers>

const refusalOf = ({ accepted, auditStatus }: Answer) =>
  accepted ? '该回答已采纳' : auditStatus === 'approved' ? undefined : '回答审核通过后才能采纳'

const Said = ({ question }: { question: Question }) => {
  const request = useRequest()
  const [place, go] = useState(() => firstPlace(question.waitingAnswers))
  const decision = useDrawer<Answer>()
  const query = useQuery({
    queryKey: [listCommunityAnswers.path, question.id, place],
    queryFn: ({ signal }) => {
      const body = { questionId: question.id, auditStatus: place.status, pageCurrent: place.page, pageSize: SAID_PAGE }
      return request(listCommunityAnswers, { body }, { signal })
    },
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <SaidTable
        of={listCommunityAnswers}
        query={query}
        place={place}
        go={go}
        mark={({ accepted }) => accepted && <Word tone="good">已采纳</Word>}
        actions={(answer) => [
          {
            label: '审核',
            do: auditCommunityQuestion,
            disabled: isWaiting(answer) ? undefined : '该回答已审核',
            onClick: () => decision.open(answer),
          },
          step(acceptCommunityAnswer, {
            label: '采纳',
            with: { body: { id: question.id, answerId: answer.id } },
            disabled: refusalOf(answer),
            done: '已采纳回答',
          }),
          step(deleteCommunityAnswer, {
            label: '删除',
            danger: true,
            with: { query: { id: answer.id } },
            confirm: {
              title: `确定删除“${shortened(answer.content)}”吗？`,
              content: answer.accepted ? '删除后不能恢复，该问题不再有采纳的回答。' : '删除后不能恢复。',
            },
            done: '已删除回答',
          }),
        ]}
        empty="还没有回答。学员在网站回答后在这里审核。"
      />
      <DecideAnswer key={decision.key} {...decision.props} questionId={question.id} rows={query.data?.list ?? []} />
    </>
  )
}

/** 回答: what learners answer, and which answer is the accepted one. */
export const Answers = ({ record, visible, onClose }: DrawerProps<Question>) => {
  const title = `回答 ${record?.title ?? ''}`
  return (
    <Drawer title={title} width={760} visible={visible} footer={null} onCancel={onClose} unmountOnExit>
      <DialogName name={title} />
      {record && <Said question={record} />}
    </Drawer>
  )
}
