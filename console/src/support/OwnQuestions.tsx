import { Button, Drawer, Space } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { DialogName } from '@/kit/DialogName'
import { formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { Word } from '@/kit/Status'
import { useDrawer } from '@/kit/useDrawer'
import { AppendForm, AskForm } from './AskForm'
import { listOwnSchoolHelpQuestions } from './api'
import { CloseDialog } from './CloseDialog'
import { addressOf, type HelpPlace } from './helpPlace'
import { can, questionTones } from './supportRules'
import { Thread } from './Thread'
import './support.css'

type Own = RowOf<typeof listOwnSchoolHelpQuestions>

/** The newest of one's own; all of them stand in 院校帮助. */
const SHOWN = 10
const WIDTH = 560

/** Read with the code of asking: whoever asks reads what they were answered. */
const useOwn = (body: { id?: number | undefined; pageSize: number }, enabled: boolean) => {
  const request = useRequest()
  return useQuery({
    queryKey: [listOwnSchoolHelpQuestions.path, body],
    queryFn: ({ signal }) => request(listOwnSchoolHelpQuestions, { body }, { signal }),
    enabled,
  })
}

/** 我的咨询 and 提交咨询 of whoever may ask the operators. */
export const OwnQuestions = ({ place }: { place: HelpPlace }) => {
  const navigate = useNavigate()
  const ask = useDrawer<never>()
  const query = useOwn({ pageSize: SHOWN }, true)
  // Which one is open stands in the address, as in the link of the message that it was answered.
  const open = (question: number | undefined) => navigate(addressOf({ ...place, question }))
  return (
    <aside className="help-own" aria-label="我的咨询">
      <h2>我的咨询</h2>
      <Button type="primary" long icon={<IconPlus />} onClick={() => ask.open()}>
        提交咨询
      </Button>
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
                      {labelOf(listOwnSchoolHelpQuestions, 'status', question.status)}
                    </Word>
                    {formatTime(question.createdAt, 'YYYY-MM-DD')}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <AskForm key={`ask-${ask.key}`} {...ask.props} />
      <OwnQuestion key={place.question} id={place.question} onClose={() => open(undefined)} />
    </aside>
  )
}

/** One of one's own questions with what was answered. */
const OwnQuestion = ({ id, onClose }: { id: number | undefined; onClose: () => void }) => {
  const append = useDrawer<Own>()
  const [closing, setClosing] = useState<Own>()
  const query = useOwn({ id, pageSize: 1 }, id !== undefined)
  const title = `咨询 ${query.data?.list[0]?.title ?? ''}`
  return (
    <>
      <Drawer title={title} width={WIDTH} visible={id !== undefined} footer={null} onCancel={onClose} unmountOnExit>
        <DialogName name={title} />
        <Loaded query={query}>
          {({ list: [question] }) =>
            question ? (
              <>
                <Thread question={question} />
                <Steps question={question} append={append.open} end={setClosing} />
              </>
            ) : (
              <p className="nothing">没有这条咨询，或不是您提的。</p>
            )
          }
        </Loaded>
      </Drawer>
      <AppendForm key={append.key} {...append.props} />
      {closing && <CloseDialog question={closing} onClose={() => setClosing(undefined)} />}
    </>
  )
}

interface StepsProps {
  question: Own
  append: (question: Own) => void
  end: (question: Own) => void
}

const Steps = ({ question, append, end }: StepsProps) => {
  const own = { ...question, own: true }
  if (can.end(own)) return null
  const refusal = can.append(own)
  return (
    <Space>
      <Button disabled={refusal !== undefined} onClick={() => append(question)}>
        追问
      </Button>
      <Button onClick={() => end(question)}>关闭咨询</Button>
      {refusal && <span className="form-hint">{refusal}</span>}
    </Space>
  )
}
