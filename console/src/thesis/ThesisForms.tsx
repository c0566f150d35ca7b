import { Form, InputNumber, Radio, Select, Switch } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useRequest } from '@/api/schoolContext'
import type { BulkResult, Saved } from '@/api/types/shared'
import { BasicSelect } from '@/basic_data/BasicSelect'
import { teachers } from '@/basic_data/choices'
import { tellFailures } from '@/kit/BulkBar'
import { fieldsOf } from '@/kit/Field'
import { FileUpload } from '@/kit/FileUpload'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { formatNumber } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { SeveralOptions } from '@/kit/SeveralOptions'
import type { DrawerProps } from '@/kit/useDrawer'
import { FIRST_PAGE } from '@/kit/useQueryTable'
import {
  assignThesisAdviser,
  assignThesisReviewers,
  assignThesisTopic,
  changeThesisTitle,
  checkThesisSimilarity,
  decideThesis,
  extendThesis,
  listThesisTopics,
  reviewThesis,
  uploadThesisDocument,
  viewThesis,
} from './api'
import { MarkFields } from './MarkFields'
import { givenMarks, isWaiting, type Thesis, type TypedMarks, uploadable } from './thesisWords'

const PAPERS = '.pdf,.doc,.docx'
const OFFERED = 200

/** The theses that a form is for. */
export interface TickedTheses {
  ids: number[]
  done: (failed: BulkResult['failed']) => void
}

const nameOf = (thesis: Thesis | undefined) => thesis?.studentName ?? ''
const keysOf = (thesis: Thesis | undefined) => ({ id: thesis?.id, version: thesis?.version })

const Topic = fieldsOf(assignThesisTopic)

/** Topics of a plan that are approved and have a place left. */
const TopicSelect = ({
  planId,
  chosen,
  value,
  onChange,
}: {
  planId: number | undefined
  /** The topic that waits for its adviser: it may have no place left. */
  chosen?: { id: number; title: string }
  value?: number
  onChange?: (id: number | undefined) => void
  'aria-label'?: string
}) => {
  const request = useRequest()
  const found = useQuery({
    queryKey: [listThesisTopics.path, 'free', planId],
    queryFn: ({ signal }) =>
      request(
        listThesisTopics,
        { body: { planId, status: 'approved', free: true, pageCurrent: FIRST_PAGE, pageSize: OFFERED } },
        { signal },
      ),
    enabled: planId !== undefined,
  })
  return (
    <Select
      aria-label="选题"
      placeholder="请选择"
      showSearch
      value={value}
      onChange={(id: number | undefined) => onChange?.(id)}
      loading={found.isFetching}
      notFoundContent="没有可选的题目"
      options={[
        ...(chosen ? [{ value: chosen.id, label: `${chosen.title} · 学生已选` }] : []),
        ...(found.data?.list ?? [])
          .filter(({ id }) => id !== chosen?.id)
          .map(({ id, title, teacherName, taken, capacity }) => ({
            value: id,
            label: `${title} · ${teacherName ?? '无导师'} · ${taken}/${capacity}`,
          })),
      ]}
    />
  )
}

/** The topic that a student chose and the adviser has not confirmed. */
const waitingTopic = (thesis: Thesis | undefined) =>
  thesis && isWaiting(thesis) && thesis.topicId ? { id: thesis.topicId, title: thesis.title ?? '' } : undefined

/** 指定题目; of one that waits for its adviser also the confirmation in their place. */
export const TopicForm = ({ record: thesis, ...drawer }: DrawerProps<Thesis>) => {
  const chosen = waitingTopic(thesis)
  return (
    <FormDrawer<{ topicId?: number }, Saved>
      {...drawer}
      record={undefined}
      initial={{ topicId: chosen?.id }}
      title={`指定题目 ${nameOf(thesis)}`}
      action={() => formAction(assignThesisTopic, `已为${nameOf(thesis)}指定题目`, keysOf(thesis))}
    >
      {chosen && <p className="form-hint">学生已选题，等待导师确认。保存即代导师确认，也可以改选其他题目。</p>}
      <Topic name="topicId">
        <TopicSelect planId={thesis?.planId} chosen={chosen} />
      </Topic>
    </FormDrawer>
  )
}

const Title = fieldsOf(changeThesisTitle)

/** 变更题目 after the proposal has passed. */
export const TitleForm = ({ record: thesis, ...drawer }: DrawerProps<Thesis>) => (
  <FormDrawer<{ title?: string; reason?: string }, Saved>
    {...drawer}
    record={undefined}
    initial={{ title: thesis?.title ?? undefined }}
    title={`变更题目 ${nameOf(thesis)}`}
    action={() => formAction(changeThesisTitle, `已变更${nameOf(thesis)}的题目`, keysOf(thesis))}
  >
    <Title name="title" />
    <Title name="reason" />
  </FormDrawer>
)

const Advise = fieldsOf(assignThesisAdviser)

/** 分配导师 to some theses. */
export const AdviserForm = ({ record: ticked, ...drawer }: DrawerProps<TickedTheses>) => (
  <FormDrawer<{ teacherId?: number }, BulkResult>
    {...drawer}
    record={undefined}
    title={`为${formatNumber(ticked?.ids.length ?? 0)}名学生分配导师`}
    okText="分配"
    action={() =>
      formAction(assignThesisAdviser, ({ done }) => `已为${formatNumber(done)}名学生分配导师`, { ids: ticked?.ids })
    }
    onSaved={(answer) => {
      ticked?.done(answer.failed)
      if (answer.failed.length > 0) tellFailures('分配导师', answer)
    }}
  >
    <p className="form-hint">超过导师人数上限的会保留并说明原因。</p>
    <Advise name="teacherId">
      <BasicSelect type="teacher" />
    </Advise>
  </FormDrawer>
)

const Review = fieldsOf(assignThesisReviewers)

/** 分配评阅教师. */
export const ReviewersForm = ({ record: ticked, ...drawer }: DrawerProps<TickedTheses>) => (
  <FormDrawer<{ reviewerIds?: number[] }, BulkResult>
    {...drawer}
    record={undefined}
    title={`为${formatNumber(ticked?.ids.length ?? 0)}篇论文分配评阅教师`}
    okText="分配"
    action={() =>
      formAction(assignThesisReviewers, ({ done }) => `已为${formatNumber(done)}篇论文分配评阅教师`, {
        ids: ticked?.ids,
      })
    }
    onSaved={(answer) => {
      ticked?.done(answer.failed)
      if (answer.failed.length > 0) tellFailures('分配评阅教师', answer)
    }}
  >
    <p className="form-hint">评阅教师不能是指导教师。</p>
    <Review name="reviewerIds">
      <SeveralOptions label="评阅教师" placeholder="请选择" {...teachers} />
    </Review>
  </FormDrawer>
)

const Upload = fieldsOf(uploadThesisDocument)

/** 上传文稿 on behalf of a student. */
export const UploadForm = ({ record: thesis, ...drawer }: DrawerProps<Thesis>) => (
  <FormDrawer<{ kind?: string; fileKey?: string }, Saved>
    {...drawer}
    record={undefined}
    title={`上传文稿 ${nameOf(thesis)}`}
    okText="上传"
    action={() => formAction(uploadThesisDocument, `已上传${nameOf(thesis)}的文稿`, keysOf(thesis))}
  >
    <Upload name="kind" label="文稿类型">
      <Select
        placeholder="请选择"
        options={(uploadThesisDocument.fields.kind?.options ?? [])
          .filter(([kind]) => thesis !== undefined && uploadable(thesis).includes(kind))
          .map(([value, label]) => ({ value, label }))}
      />
    </Upload>
    <Upload name="fileKey" label="文件" help="pdf、doc、docx，20MB以内；与上一版本相同的不能上传">
      <FileUpload type={3} purpose="thesis" accept={PAPERS} />
    </Upload>
  </FormDrawer>
)

const Decide = fieldsOf(decideThesis)

/** 审阅 of what was handed in. */
export const DecideForm = ({ record: thesis, ...drawer }: DrawerProps<Thesis>) => (
  <FormDrawer<{ pass?: boolean; comment?: string }, Saved>
    {...drawer}
    record={undefined}
    initial={{ pass: true }}
    title={`审阅 ${nameOf(thesis)}`}
    okText="提交审阅"
    action={() => formAction(decideThesis, `已审阅${nameOf(thesis)}的论文`, keysOf(thesis))}
  >
    <Form.Item field="pass" label="结论" required>
      <Radio.Group
        options={[
          { value: true, label: '通过' },
          { value: false, label: thesis?.stage === 'review' ? '不通过' : '退回修改' },
        ]}
      />
    </Form.Item>
    <Decide name="comment" label="意见" help="退回时必填，学生可以看到" />
  </FormDrawer>
)

const Similar = fieldsOf(checkThesisSimilarity)

/** 录入查重. */
export const SimilarityForm = ({ record: thesis, ...drawer }: DrawerProps<Thesis>) => (
  <FormDrawer<{ rate?: number; tool?: string; checkedOn?: string; reportFileKey?: string }, Saved>
    {...drawer}
    record={undefined}
    title={`录入查重 ${nameOf(thesis)}`}
    action={() => formAction(checkThesisSimilarity, `已录入${nameOf(thesis)}的查重结果`, keysOf(thesis))}
  >
    <p className="form-hint">不超过批次上限的进入评阅；超过的退回修改，次数用完为不通过。</p>
    <Similar name="rate">
      <InputNumber min={0} max={100} precision={1} hideControl />
    </Similar>
    <Similar name="tool" />
    <Similar name="checkedOn" />
    <Similar name="reportFileKey">
      <FileUpload type={3} accept={PAPERS} purpose="thesis" />
    </Similar>
  </FormDrawer>
)

const Extend = fieldsOf(extendThesis)

/** 延期 of the stage in which a thesis is. */
export const ExtendForm = ({ record: thesis, ...drawer }: DrawerProps<Thesis>) => (
  <FormDrawer<{ until?: string; reason?: string }, Saved>
    {...drawer}
    record={undefined}
    title={`延期 ${nameOf(thesis)}`}
    action={() => formAction(extendThesis, `已为${nameOf(thesis)}延期`, keysOf(thesis))}
  >
    <p className="form-hint">延长当前阶段的截止日期{thesis?.dueOn ? `（现在为${thesis.dueOn}）` : ''}。</p>
    <Extend name="until" />
    <Extend name="reason" />
  </FormDrawer>
)

const Entry = fieldsOf(reviewThesis)

interface Reviewed {
  reviewerId?: number
  score?: number
  byItems?: boolean
  items?: TypedMarks
  opinion?: string
  comment?: string
}

/** 录入评阅: what a reviewer who was assigned found. */
export const ReviewForm = ({ record: thesis, ...drawer }: DrawerProps<Thesis>) => {
  const request = useRequest()
  const view = useQuery({
    queryKey: [viewThesis.path, thesis?.id],
    queryFn: ({ signal }) => request(viewThesis, { query: { id: thesis?.id ?? 0 } }, { signal }),
    enabled: thesis !== undefined && drawer.visible,
  })
  const reviews = view.data?.reviews ?? []
  const items = reviews[0]?.items ?? []
  const required = view.data?.reviewItemsRequired ?? false
  return (
    <FormDrawer<Reviewed, Saved>
      {...drawer}
      record={undefined}
      title={`录入评阅 ${nameOf(thesis)}`}
      action={() => {
        const save = formAction(reviewThesis, `已录入${nameOf(thesis)}的评阅`, { id: thesis?.id })
        return {
          ...save,
          send: ({ score, byItems, items: typed, ...values }: Reviewed, request) => {
            const version = reviews.find(({ reviewerId }) => reviewerId === values.reviewerId)?.version
            const given = byItems || required ? givenMarks(items, typed) : []
            const whole = given.length > 0 ? {} : { score }
            return save.send({ ...values, ...whole, items: given, version }, request)
          },
        }
      }}
    >
      <Loaded query={view} rows={2}>
        {() => (
          <Entry name="reviewerId">
            <Select
              placeholder="请选择"
              notFoundContent="请先分配评阅教师"
              options={reviews.map(({ reviewerId, reviewerName, submittedAt }) => ({
                value: reviewerId,
                label: submittedAt ? `${reviewerName}（已评阅）` : reviewerName,
              }))}
            />
          </Entry>
        )}
      </Loaded>
      {!required && items.length > 0 && (
        <Form.Item field="byItems" label="按评分项录入" triggerPropName="checked">
          <Switch aria-label="按评分项录入" />
        </Form.Item>
      )}
      <Form.Item noStyle shouldUpdate>
        {({ byItems }: Reviewed) =>
          byItems || required ? (
            <MarkFields items={items} at="items" />
          ) : (
            <Entry name="score" required>
              <InputNumber min={0} max={100} precision={1} hideControl />
            </Entry>
          )
        }
      </Form.Item>
      <Entry name="opinion" />
      <Entry name="comment" />
    </FormDrawer>
  )
}
