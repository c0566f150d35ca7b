import { Button, Space } from '@arco-design/web-react'
import { tellSuccess } from '@/api/errors'
import { classes, grades, levels, majors, sites, teachers } from '@/basic_data/choices'
import { bulkStep, byState, IN_BACKGROUND, type RowAction } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { confirm } from '@/kit/confirm'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { EnumFilter, OptionFilter, SelectFilter, TextFilter, YesNoFilter } from '@/kit/filters'
import { formatNumber, points } from '@/kit/format'
import { ImportButton } from '@/kit/ImportWizard'
import { tellLeftOut } from '@/kit/leftOut'
import { MoreTools } from '@/kit/MoreTools'
import { QueryTable } from '@/kit/QueryTable'
import { type Reasoned, ReasonForm } from '@/kit/ReasonForm'
import { Word } from '@/kit/Status'
import { useAction } from '@/kit/useAction'
import { useDrawer } from '@/kit/useDrawer'
import { useFileOf } from '@/kit/useFileOf'
import { useQueryTable } from '@/kit/useQueryTable'
import {
  assignThesisAdviser,
  assignThesisReviewers,
  assignThesisTopic,
  autoAssignAdvisers,
  cancelThesis,
  changeThesisTitle,
  checkThesisSimilarity,
  decideThesis,
  downloadTheses,
  exportTheses,
  extendThesis,
  fetchThesisImportTemplate,
  generateTheses,
  importTheses,
  listTheses,
  printTheses,
  remindTheses,
  reviewThesis,
  uploadThesisDocument,
  viewThesis,
} from './api'
import { usePlanChoices } from './PlanSelect'
import { ThesisFile } from './ThesisFile'
import {
  AdviserForm,
  DecideForm,
  ExtendForm,
  ReviewersForm,
  ReviewForm,
  SimilarityForm,
  type TickedTheses,
  TitleForm,
  TopicForm,
  UploadForm,
} from './ThesisForms'
import { can, resultTones, stageTones, statusTones, type Thesis } from './thesisWords'

const columns = columnsOf(listTheses, [
  { field: 'studentName', width: 110, fixed: 'left' },
  { field: 'studentNo', under: 'studentName' },
  { field: 'status', title: '状态', width: 84, fixed: 'left', tones: statusTones },
  { field: 'title', width: 240 },
  { field: 'adviserName', width: 100 },
  { field: 'stage', title: '阶段', width: 80 },
  { field: 'stageStatus', title: '阶段状态', width: 100, tones: stageTones },
  {
    field: 'overdueDays',
    width: 100,
    render: ({ overdueDays }) => (overdueDays > 0 ? <Word tone="bad">{overdueDays}天</Word> : '—'),
  },
  { field: 'dueOn', width: 110 },
  { field: 'similarityRate', title: '复制比(%)', width: 100, render: ({ similarityRate }) => points(similarityRate) },
  { field: 'similarityOn', width: 110, hidden: true },
  { field: 'reviewCount', width: 80 },
  { field: 'reviewScore', width: 90, render: ({ reviewScore }) => points(reviewScore) },
  { field: 'defenseResult', title: '答辩', width: 90, tones: resultTones },
  { field: 'majorName', width: 150 },
  { field: 'siteName', width: 140 },
  { field: 'className', width: 150 },
  { field: 'planName', width: 150, hidden: true },
  { field: 'attemptNo', width: 90, hidden: true },
  { field: 'remark', width: 160, hidden: true },
])

const nameOf = ({ studentName }: Thesis) => studentName

/** The papers of a thesis by the word of the address. */
const docs = [
  ['task', '任务书'],
  ['proposal', '开题报告'],
  ['review', '评阅表'],
  ['defense', '答辩记录表'],
  ['grade', '成绩评定表'],
] as const

/** What is made or shared out over a whole plan, once one is chosen. */
const PlanTools = ({ planId }: { planId: number | undefined }) => {
  const told = (title: string) => (answer: { done: number; left: string[] }) => {
    tellLeftOut(
      title,
      answer.left.map((line) => ({ name: line.split('：')[0] ?? line, msg: line })),
      '学生',
    )
    return answer.done > 0 ? `已办理${formatNumber(answer.done)}人` : undefined
  }
  const generate = useAction(generateTheses, { done: told('未列入的学生') })
  const assign = useAction(autoAssignAdvisers, { done: told('未分配导师的学生') })
  const pack = useAction(downloadTheses, { done: () => IN_BACKGROUND })
  const ask = async (title: string, content: string, act: (planId: number) => void) => {
    if (planId !== undefined && (await confirm({ title, content }))) act(planId)
  }
  const missing = planId === undefined ? '请先在筛选中选择论文批次' : undefined
  return (
    <Space size={8}>
      <Can do={generateTheses}>
        <Button
          type="primary"
          disabled={planId === undefined}
          title={missing}
          loading={generate.isPending}
          onClick={() =>
            ask('生成论文名单？', '为批次学期内选修毕业论文课程的学生建立论文，已有的不变。', (id) =>
              generate.mutate({ body: { planId: id } }),
            )
          }
        >
          生成名单
        </Button>
      </Can>
      <Can do={autoAssignAdvisers}>
        <Button
          disabled={planId === undefined}
          title={missing}
          loading={assign.isPending}
          onClick={() =>
            ask('自动分配导师？', '为没有导师的学生在同专业导师中平均分配。', (id) =>
              assign.mutate({ body: { planId: id } }),
            )
          }
        >
          自动分配导师
        </Button>
      </Can>
      <Can do={downloadTheses}>
        <Button
          disabled={planId === undefined}
          title={missing}
          loading={pack.isPending}
          onClick={() =>
            ask('打包下载本批次论文？', '按专业和学生分文件夹，完成后在任务中心下载。', (id) =>
              pack.mutate({ body: { planId: id } }),
            )
          }
        >
          打包下载
        </Button>
      </Can>
    </Space>
  )
}

interface ThesesProps {
  /** 评阅: theses that wait for their reviewers. */
  review?: boolean
}

/** 学生论文, or those of them that are being reviewed. */
export const ThesesTab = ({ review = false }: ThesesProps) => {
  const table = useQueryTable(listTheses, review ? { usual: { stage: 'review' } } : {})
  const plans = usePlanChoices()
  const forms = {
    topic: useDrawer<Thesis>(),
    title: useDrawer<Thesis>(),
    adviser: useDrawer<TickedTheses>(),
    reviewers: useDrawer<TickedTheses>(),
    upload: useDrawer<Thesis>(),
    decide: useDrawer<Thesis>(),
    similarity: useDrawer<Thesis>(),
    extend: useDrawer<Thesis>(),
    review: useDrawer<Thesis>(),
    reason: useDrawer<Reasoned>(),
  }
  const printing = useFileOf(printTheses)
  const pack = useAction(downloadTheses)
  const planId = Number(table.filters.planId) || undefined
  const ticked = (ids: readonly number[]): TickedTheses => ({ ids: [...ids], done: (failed) => table.tickRows(failed) })
  const print = (doc: (typeof docs)[number], ids: readonly number[]) =>
    printing.mutate({ input: { query: { doc: doc[0] }, body: { ids: [...ids] } }, name: `${doc[1]}.pdf` })
  const reviewing = (row: Thesis): RowAction[] => [
    { label: '录入评阅', do: reviewThesis, disabled: can.review(row), onClick: () => forms.review.open(row) },
    {
      label: '分配评阅',
      do: assignThesisReviewers,
      disabled: can.review(row),
      onClick: () => forms.reviewers.open(ticked([row.id])),
    },
  ]
  const actions = (row: Thesis): RowAction[] => [
    ...(review ? reviewing(row) : []),
    { label: '审阅', do: decideThesis, disabled: can.decide(row), onClick: () => forms.decide.open(row) },
    { label: '上传文稿', do: uploadThesisDocument, disabled: can.upload(row), onClick: () => forms.upload.open(row) },
    {
      label: '录入查重',
      do: checkThesisSimilarity,
      disabled: can.similarity(row),
      onClick: () => forms.similarity.open(row),
    },
    { label: '指定题目', do: assignThesisTopic, disabled: can.topic(row), onClick: () => forms.topic.open(row) },
    { label: '详情', do: viewThesis, onClick: () => table.open(row) },
    { label: '变更题目', do: changeThesisTitle, disabled: can.title(row), onClick: () => forms.title.open(row) },
    {
      label: '指定导师',
      do: assignThesisAdviser,
      disabled: can.change(row),
      onClick: () => forms.adviser.open(ticked([row.id])),
    },
    { label: '延期', do: extendThesis, disabled: can.change(row), onClick: () => forms.extend.open(row) },
    ...(review ? [] : reviewing(row)),
    ...docs.map((doc): RowAction => ({ label: `打印${doc[1]}`, do: printTheses, onClick: () => print(doc, [row.id]) })),
    {
      label: '取消',
      do: cancelThesis,
      danger: true,
      disabled: can.change(row),
      onClick: () =>
        forms.reason.open({
          title: `取消论文 ${row.studentName}`,
          verb: '取消论文',
          hint: '取消后释放题目，学生可以在以后的批次重新进行。',
          do: cancelThesis,
          body: { id: row.id, version: row.version },
          done: `已取消${row.studentName}的论文`,
          danger: true,
        }),
    },
  ]
  return (
    <>
      <FilterBar table={table}>
        <SelectFilter of={listTheses} field="planId" options={plans} />
        <TextFilter of={listTheses} field="keyword" label="学号、姓名或题目" />
        {review ? null : <EnumFilter of={listTheses} field="stage" label="阶段" />}
        <EnumFilter of={listTheses} field="stageStatus" label="阶段状态" />
        <EnumFilter of={listTheses} field="status" label="状态" />
        <OptionFilter of={listTheses} field="adviserId" {...teachers} />
        <YesNoFilter of={listTheses} field="overdue" />
        <OptionFilter of={listTheses} field="majorId" {...majors} />
        <OptionFilter of={listTheses} field="classId" {...classes} />
        <OptionFilter of={listTheses} field="siteId" {...sites} />
        <OptionFilter of={listTheses} field="gradeId" {...grades} />
        <OptionFilter of={listTheses} field="levelId" {...levels} />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={nameOf}
        primary={review ? undefined : <PlanTools planId={planId} />}
        tools={
          <Space size={4}>
            <MoreTools of={[importTheses]}>
              <ImportButton
                do={importTheses}
                template={fetchThesisImportTemplate}
                templateOf={{ kind: 'adviser' }}
                what="选题和导师"
                label="导入选题和导师"
                fields={{ kind: 'adviser' }}
              />
              <ImportButton
                do={importTheses}
                template={fetchThesisImportTemplate}
                templateOf={{ kind: 'similarity' }}
                what="查重结果"
                label="导入查重结果"
                fields={{ kind: 'similarity' }}
              />
            </MoreTools>
            <ExportButton do={exportTheses} table={table} />
          </Space>
        }
        bulk={[
          { label: '分配导师', do: assignThesisAdviser, open: (ids) => forms.adviser.open(ticked(ids)) },
          { label: '分配评阅', do: assignThesisReviewers, open: (ids) => forms.reviewers.open(ticked(ids)) },
          bulkStep(remindTheses, {
            label: '催办',
            confirm: (count) => ({
              title: `催办选中的${formatNumber(count)}名学生？`,
              content: '提醒学生按时提交当前阶段的文稿。',
            }),
            input: (ids) => ({ body: { ids } }),
          }),
          {
            label: '打包下载',
            do: downloadTheses,
            open: (ids) => {
              const [first] = table.tickedRows
              if (first)
                pack.mutate(
                  { body: { planId: first.planId, ids: [...ids] } },
                  { onSuccess: () => tellSuccess(IN_BACKGROUND) },
                )
            },
          },
          ...docs.map((doc) => ({
            label: `打印${doc[1]}`,
            do: printTheses,
            open: (ids: readonly number[]) => print(doc, ids),
          })),
        ]}
        file={(row) => <ThesisFile id={row.id} />}
        actionsWidth={210}
        actions={(row) => byState(actions(row))}
        empty={review ? '没有等待评阅的论文。查重通过的论文出现在这里。' : '还没有学生论文。选择论文批次后“生成名单”。'}
      />
      <TopicForm key={`topic-${forms.topic.key}`} {...forms.topic.props} />
      <TitleForm key={`title-${forms.title.key}`} {...forms.title.props} />
      <AdviserForm key={`adviser-${forms.adviser.key}`} {...forms.adviser.props} />
      <ReviewersForm key={`reviewers-${forms.reviewers.key}`} {...forms.reviewers.props} />
      <UploadForm key={`upload-${forms.upload.key}`} {...forms.upload.props} />
      <DecideForm key={`decide-${forms.decide.key}`} {...forms.decide.props} />
      <SimilarityForm key={`similarity-${forms.similarity.key}`} {...forms.similarity.props} />
      <ExtendForm key={`extend-${forms.extend.key}`} {...forms.extend.props} />
      <ReviewForm key={`review-${forms.review.key}`} {...forms.review.props} />
      <ReasonForm key={`reason-${forms.reason.key}`} {...forms.reason.props} />
    </>
  )
}
