import { Button, Drawer, Space } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAllowed } from '@/api/identity'
import { useRequest } from '@/api/schoolContext'
import { DialogName } from '@/kit/DialogName'
import { formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { Word } from '@/kit/Status'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { AppendForm, AskForm } from './AskForm'
import { listSchoolHelpQuestions, viewSchoolHelpQuestion } from './api'
import { CloseDialog } from './CloseDialog'
import type { Question } from './desks'
import { can, questionTones } from './supportRules'
import { Thread } from './Thread'
import './support.css'

/** The newest of one's own; all of them stand in 院校帮助. */
const SHOWN = 10
const WIDTH = 560

/** 我的咨询 and 提交咨询 of whoever may ask the operators. */
export const OwnQuestions = () => {
  const request = useRequest()
  const listed = useAllowed()(listSchoolHelpQuestions)
  const ask = useDrawer<never>()
  const open = useDrawer<Question>()
  const body = { own: true, pageSize: SHOWN }
  const query = useQuery({
    queryKey: [listSchoolHelpQuestions.path, body],
    queryFn: ({ signal }) => request(listSchoolHelpQuestions, { body }, { signal }),
    enabled: listed,
  })
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
                    <button type="button" className="row-name" onClick={() => open.open(question)}>
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
      <OwnQuestion key={`open-${open.key}`} {...open.props} />
    </aside>
  )
}

/** One of one's own questions with what was answered. */
const OwnQuestion = ({ record: asked, visible, onClose }: DrawerProps<Question>) => {
  const request = useRequest()
  const append = useDrawer<Question>()
  const [closing, setClosing] = useState(false)
  const query = useQuery({
    queryKey: [viewSchoolHelpQuestion.path, asked?.id],
    queryFn: ({ signal }) => request(viewSchoolHelpQuestion, { query: { id: asked?.id ?? 0 } }, { signal }),
    enabled: visible && asked !== undefined,
  })
  const title = `咨询 ${asked?.title ?? ''}`
  return (
    <>
      <Drawer title={title} width={WIDTH} visible={visible} footer={null} onCancel={onClose} unmountOnExit>
        <DialogName name={title} />
        <Loaded query={query}>
          {(question) => (
            <>
              <Thread question={question} />
              {!can.answer(question) && (
                <Space>
                  <Button onClick={() => append.open(question)}>追问</Button>
                  <Button onClick={() => setClosing(true)}>关闭咨询</Button>
                </Space>
              )}
            </>
          )}
        </Loaded>
      </Drawer>
      <AppendForm key={append.key} {...append.props} />
      {closing && asked && <CloseDialog question={asked} onClose={() => setClosing(false)} />}
    </>
  )
}
