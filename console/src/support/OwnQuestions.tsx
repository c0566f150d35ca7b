import { Button, Drawer, Space } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useAllowed } from '@/api/identity'
import { useRequest } from '@/api/schoolContext'
import { DialogName } from '@/kit/DialogName'
import { formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { Word } from '@/kit/Status'
import { useDrawer } from '@/kit/useDrawer'
import { AppendForm, AskForm } from './AskForm'
import { listSchoolHelpQuestions, viewSchoolHelpQuestion } from './api'
import { CloseDialog } from './CloseDialog'
import type { Question } from './desks'
import { addressOf, type HelpPlace } from './helpPlace'
import { can, questionTones } from './supportRules'
import { Thread } from './Thread'
import './support.css'

/** The newest of one's own; all of them stand in 院校帮助. */
const SHOWN = 10
const WIDTH = 560

/** 我的咨询 and 提交咨询 of whoever may ask the operators. */
export const OwnQuestions = ({ place }: { place: HelpPlace }) => {
  const request = useRequest()
  const navigate = useNavigate()
  const listed = useAllowed()(listSchoolHelpQuestions)
  const ask = useDrawer<never>()
  const body = { own: true, pageSize: SHOWN }
  const query = useQuery({
    queryKey: [listSchoolHelpQuestions.path, body],
    queryFn: ({ signal }) => request(listSchoolHelpQuestions, { body }, { signal }),
    enabled: listed,
  })
  // Which one is open stands in the address, as in the link of the message that it was answered.
  const open = (question: number | undefined) => navigate(addressOf({ ...place, question }))
  return (
    <aside className="help-own" aria-label="我的咨询">
      <h2>我的咨询</h2>
      <Button type="primary" long icon={<IconPlus />} onClick={() => ask.open()}>
        提交咨询
      </Button>
      {listed && (
        <Loaded query={query} rows={3}>
          {({ list }) =>
            list.length === 0 ? (
              <p className="nothing">还没有咨询。找不到答案时，可以向平台提问。</p>
            ) : (
              <ul>
                {list.map((question) => (
                  <li key={question.id}>
                    <button type="button" className="row-name" onClick={() => open(question.id)}>
                      {question.title}
                    </button>
                    <span className="form-hint">
                      <Word tone={questionTones[question.status]}>
                        {labelOf(listSchoolHelpQuestions, 'status', question.status)}
                      </Word>
                      {formatTime(question.createdAt, 'YYYY-MM-DD')}
                    </span>
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      )}
      <AskForm key={`ask-${ask.key}`} {...ask.props} />
      <OwnQuestion key={place.question} id={place.question} onClose={() => open(undefined)} />
    </aside>
  )
}

/** One of one's own questions with what was answered. */
const OwnQuestion = ({ id, onClose }: { id: number | undefined; onClose: () => void }) => {
  const request = useRequest()
  const append = useDrawer<Question>()
  const [closing, setClosing] = useState<Question>()
  const query = useQuery({
    queryKey: [viewSchoolHelpQuestion.path, id],
    queryFn: ({ signal }) => request(viewSchoolHelpQuestion, { query: { id: id ?? 0 } }, { signal }),
    enabled: id !== undefined,
  })
  const title = `咨询 ${query.data?.title ?? ''}`
  return (
    <>
      <Drawer title={title} width={WIDTH} visible={id !== undefined} footer={null} onCancel={onClose} unmountOnExit>
        <DialogName name={title} />
        <Loaded query={query}>
          {(question) => (
            <>
              <Thread question={question} />
              {question.own && !can.answer(question) && (
                <Space>
                  <Button onClick={() => append.open(question)}>追问</Button>
                  <Button onClick={() => setClosing(question)}>关闭咨询</Button>
                </Space>
              )}
            </>
          )}
        </Loaded>
      </Drawer>
      <AppendForm key={append.key} {...append.props} />
      {closing && <CloseDialog question={closing} onClose={() => setClosing(undefined)} />}
    </>
  )
}
