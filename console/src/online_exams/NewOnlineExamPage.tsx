import { Button, Form, Space, Steps } from '@arco-design/web-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { tellSuccess } from '@/api/errors'
import { refetchAll } from '@/api/query'
import { momentsOf, withZone } from '@/kit/moments'
import { Page } from '@/kit/Page'
import { tidied } from '@/kit/rules'
import { useConflict } from '@/kit/useConflict'
import { useDraftForm, useSaveKey } from '@/kit/useDraftForm'
import { paths } from '@/paths'
import { saveOnlineSetup } from './api'
import { AntiCheat, Basics, Notice, PaperRules, Whom } from './ExamFields'
import { type ExamBody, examBody, newExam } from './onlineRules'

const titles = ['基本与时间', '试卷与规则', '对象与防作弊'] as const
const LAST = titles.length - 1

/** What must be right before one goes on. */
const asked: readonly string[][] = [
  ['batchId', 'courseId', 'semesterId', 'startsAt', 'endsAt', 'durationMinutes'],
  ['papers', 'ruleId'],
  [],
]

const numberIn = (search: URLSearchParams, name: string) => Number(search.get(name)) || undefined

/** 新增考试 in three steps; it is left as a draft (04 §2.4). `?batchId=&courseId=&semesterId=` begin it. */
export const NewOnlineExamPage = () => {
  const navigate = useNavigate()
  const search = new URLSearchParams(useLocation().search)
  const [step, setStep] = useState(0)
  const [begun] = useState(() =>
    newExam({
      batchId: numberIn(search, 'batchId'),
      courseId: numberIn(search, 'courseId'),
      semesterId: numberIn(search, 'semesterId'),
    }),
  )
  const draft = useDraftForm(true, begun)
  const conflict = useConflict({ form: draft.form })
  const saving = useMutation({
    mutationFn: (values: object) => {
      const typed = tidied({ ...begun, ...values }) as Partial<ExamBody>
      return conflict.request(saveOnlineSetup, { body: withZone(examBody(typed), momentsOf(saveOnlineSetup)) })
    },
    onMutate: conflict.forget,
    onSuccess: async ({ id }) => {
      draft.settled()
      await refetchAll()
      tellSuccess('已保存为草稿，请刷新考生名单后发布')
      navigate(`${paths.onlineExam}?id=${id}&tab=candidates`)
    },
    onError: (error) => {
      draft.showErrors(error)
      conflict.notice(error)
    },
  })
  const onward = async () => {
    try {
      await draft.form.validate([...(asked[step] ?? [])])
      setStep(step + 1)
    } catch {
      // What is wrong stands at its field.
    }
  }
  const save = async () => {
    if (saving.isPending) return
    const values = await draft.validated()
    if (values) saving.mutate(values)
  }
  useSaveKey(true, save)
  const leave = async () => {
    if (await draft.mayClose()) navigate(paths.onlineExams)
  }
  return (
    <Page title="新增考试" help="依次填写时间、试卷和对象；保存为草稿，核对考生名单后发布。">
      <div className="form-page" ref={draft.wrapper}>
        <Steps current={step + 1} size="small" className="form-lead">
          {titles.map((title) => (
            <Steps.Step key={title} title={title} />
          ))}
        </Steps>
        {conflict.alert}
        <Form {...draft.formProps}>
          <div hidden={step !== 0}>
            <Basics before={begun} />
          </div>
          <div hidden={step !== 1}>
            <PaperRules before={begun} />
          </div>
          <div hidden={step !== LAST}>
            <Whom before={begun} />
            <AntiCheat />
            <Notice />
          </div>
        </Form>
      </div>
      <Space className="form-page-foot">
        {step > 0 && <Button onClick={() => setStep(step - 1)}>上一步</Button>}
        {step < LAST ? (
          <Button type="primary" onClick={onward}>
            下一步
          </Button>
        ) : (
          <Button type="primary" loading={saving.isPending} title="Ctrl+S" onClick={save}>
            保存草稿
          </Button>
        )}
        <Button onClick={leave}>返回列表</Button>
      </Space>
    </Page>
  )
}
