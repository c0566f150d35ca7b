import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { useNavigate } from 'react-router'
import { tellSuccess } from '@/api/errors'
import { download } from '@/api/files'
import { listOptions } from '@/api/infra'
import type { RowOf } from '@/api/operation'
import { useNamed, useSchoolContext } from '@/api/schoolContext'
import { allCourseOptions } from '@/courses/CourseSelect'
import { bulkStep, type RowAction, step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { EnumFilter, OptionFilter, SelectFilter, TextFilter } from '@/kit/filters'
import { labelOf } from '@/kit/labels'
import { QueryTable } from '@/kit/QueryTable'
import { Segments } from '@/kit/Segments'
import { Word } from '@/kit/Status'
import { askRemoval, removal } from '@/kit/steps'
import { undoBy } from '@/kit/undo'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { usePlaces } from '@/kit/usePlaces'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import { paths } from '@/paths'
import {
  appendPaperQuestions,
  auditPaper,
  changePaperStatus,
  checkPaper,
  composePaper,
  copyPaper,
  deletePaper,
  deletePapers,
  editPaper,
  exportPapers,
  listPapers,
  printPaper,
  rejectPaper,
  savePaper,
  submitPaper,
  viewPaper,
  viewPaperComposition,
} from './api'
import { CheckPaper } from './CheckPaper'
import { PaperForm } from './PaperForm'
import { isOpen } from './PaperHead'
import { PaperPreview, type Printed } from './PaperSheet'
import { type Copying, CopyPaper, RejectPaper } from './PaperSteps'
import { paperTones } from './tones'
import './questionBank.css'

type Paper = RowOf<typeof listPapers>

const columns = columnsOf(listPapers, [
  { field: 'name', width: 220, fixed: 'left' },
  { field: 'status', width: 90, fixed: 'left', tones: paperTones },
  { field: 'code', title: '编号', width: 160, under: 'name' },
  { field: 'courseName', title: '课程', width: 160 },
  { field: 'kind', width: 80 },
  {
    field: 'variant',
    title: '卷别/版本',
    width: 110,
    render: ({ variant, versionNo }) => `${labelOf(listPapers, 'variant', variant)} 第${versionNo}版`,
  },
  {
    field: 'questionCount',
    title: '题数',
    width: 100,
    render: ({ questionCount, disabledCount }) => (
      <>
        {questionCount} {disabledCount > 0 && <Word tone="warning">{disabledCount}题已停用</Word>}
      </>
    ),
  },
  {
    field: 'scoreSum',
    title: '总分(客观/主观)',
    width: 160,
    help: '已选试题的分值合计；与目标总分一致才能提交',
    render: ({ scoreSum, objectiveScore, subjectiveScore }) =>
      `${scoreSum.toFixed(1)} (${objectiveScore.toFixed(1)}/${subjectiveScore.toFixed(1)})`,
  },
  {
    field: 'difficultyCoefficient',
    title: '难度系数',
    width: 90,
    help: 'Σ(分值×难度系数)/总分，越大越容易',
    render: ({ difficultyCoefficient }) => difficultyCoefficient?.toFixed(2) ?? '—',
  },
  { field: 'usedCount', title: '使用次数', width: 90, help: '定稿的次数' },
  { field: 'updatedAt', title: '更新', width: 170 },
  { field: 'totalScore', title: '目标总分', hidden: true, render: ({ totalScore }) => totalScore.toFixed(1) },
  { field: 'passScore', hidden: true, render: ({ passScore }) => passScore.toFixed(1) },
  { field: 'durationMinutes', title: '时长(分钟)', hidden: true },
  { field: 'composeMode', hidden: true },
  { field: 'ruleName', title: '组卷策略', width: 160, hidden: true },
  { field: 'createdByName', title: '创建人', hidden: true },
  { field: 'rejectReason', title: '退回原因', width: 200, hidden: true },
])

const useForms = () => ({
  form: useDrawer<Paper>(),
  reject: useDrawer<Paper>(),
  copy: useDrawer<Copying>(),
  check: useDrawer<Paper>(),
  preview: useDrawer<Printed>(),
})
type Forms = ReturnType<typeof useForms>

/** Word of one paper: the same content as the printed one. */
const useWord = () => {
  const named = useNamed()
  return useMutation({
    mutationFn: async ({ id, name }: Paper) => {
      await download(exportPapers, named(exportPapers, { body: { format: 'word', id } }), `${name}.docx`)
      tellSuccess('已导出Word文档')
    },
  })
}

/** What follows from the state of a paper. */
const stepsOf = (paper: Paper, { reject }: Forms): RowAction[] => {
  const body = { id: paper.id, version: paper.version }
  const submit = step(submitPaper, { label: '提交', with: { body }, done: `已提交“${paper.name}”` })
  const change = step(changePaperStatus, {
    label: paper.status === 'disabled' ? '启用' : '停用',
    with: { body: { ...body, enabled: paper.status === 'disabled' } },
    confirm:
      paper.status === 'disabled'
        ? undefined
        : { title: `停用“${paper.name}”？`, content: '停用后不能再用于作业和考试。' },
    done: paper.status === 'disabled' ? `已启用“${paper.name}”` : `已停用“${paper.name}”`,
    undo: () =>
      undoBy(changePaperStatus, {
        body: { id: paper.id, enabled: paper.status !== 'disabled', version: paper.version + 1 },
      }),
  })
  if (isOpen(paper)) return [submit]
  if (paper.status !== 'pending_review') return [change]
  return [
    step(auditPaper, {
      label: '审核通过',
      with: { body },
      confirm: {
        title: `通过“${paper.name}”？`,
        content: paper.versionNo > 1 ? '通过后替换上一版本。' : '通过后即可用于作业和考试。',
      },
      done: `已通过“${paper.name}”`,
    }),
    { label: '退回', do: rejectPaper, danger: true, onClick: () => reject.open(paper) },
  ]
}

interface PaperListProps {
  /** The other tabs of the page. */
  beside: ComponentProps<typeof Segments>['beside']
}

/** 试卷: what they are, and the steps with them. */
export const PaperList = ({ beside }: PaperListProps) => {
  const table = useQueryTable(listPapers)
  const navigate = useNavigate()
  const places = usePlaces()
  const area = useSchoolContext().area
  const forms = useForms()
  const word = useWord()
  return (
    <>
      <FilterBar table={table}>
        <TextFilter of={listPapers} field="keyword" label="编号或名称" />
        <OptionFilter
          of={listPapers}
          field="courseId"
          label="课程"
          options={listOptions}
          query={allCourseOptions('course')}
        />
        <EnumFilter of={listPapers} field="kind" />
        <EnumFilter of={listPapers} field="composeMode" />
        <SelectFilter
          of={listPapers}
          field="latestOnly"
          label="版本"
          options={[{ value: 'true', label: '仅最新版本' }]}
        />
        <OptionFilter
          of={listPapers}
          field="createdById"
          label="创建人"
          options={listOptions}
          query={(keyword) => ({ type: 'account', keyword: keyword || undefined })}
        />
      </FilterBar>
      <Segments table={table} field="status" label="试卷状态" beside={beside} />
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(paper) => paper.name}
        primary={
          <Can do={savePaper}>
            <Button type="primary" icon={<IconPlus />} onClick={() => forms.form.open()}>
              新增试卷
            </Button>
          </Can>
        }
        tools={<ExportButton do={exportPapers} table={table} />}
        bulk={[
          bulkStep(deletePapers, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('试卷'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={historyOf(viewPaper, 'paper')}
        actionsWidth={190}
        actions={(paper) => [
          {
            label: '选题',
            do: appendPaperQuestions,
            onClick: () => navigate(places('paperCompose', { paperId: paper.id })),
          },
          {
            label: '预览',
            do: viewPaperComposition,
            onClick: () => forms.preview.open({ id: paper.id, name: paper.name, final: paper.status === 'approved' }),
          },
          ...(area === 'school'
            ? [
                {
                  label: '管理试题',
                  do: composePaper,
                  onClick: () => navigate(`${paths.paperManage}?paperId=${paper.id}`),
                },
              ]
            : []),
          { label: '编辑', do: editPaper, onClick: () => forms.form.open(paper) },
          { label: '检查', do: checkPaper, onClick: () => forms.check.open(paper) },
          ...stepsOf(paper, forms),
          { label: '复制', do: copyPaper, onClick: () => forms.copy.open({ paper, mode: 'copy' }) },
          {
            label: '生成另一卷',
            do: copyPaper,
            disabled: paper.questionCount === 0 ? '试卷还没有试题' : undefined,
            onClick: () => forms.copy.open({ paper, mode: 'variant' }),
          },
          {
            label: '打印',
            do: printPaper,
            disabled: paper.questionCount === 0 ? '试卷还没有试题' : undefined,
            onClick: () => forms.preview.open({ id: paper.id, name: paper.name, final: paper.status === 'approved' }),
          },
          {
            label: '导出Word',
            do: exportPapers,
            disabled: paper.questionCount === 0 ? '试卷还没有试题' : undefined,
            onClick: () => word.mutate(paper),
          },
          removal(deletePaper, paper),
        ]}
        empty="还没有试卷。点击“新增试卷”手工组卷，或在“组卷策略”中按策略生成。"
      />
      <PaperForm
        key={forms.form.key}
        {...forms.form.props}
        onSaved={(id) => {
          // A paper without questions goes on where they are chosen.
          if (!forms.form.props.record) navigate(places('paperCompose', { paperId: id }))
        }}
      />
      <Dialogs forms={forms} />
    </>
  )
}

const previewOf = ({ record, ...drawer }: DrawerProps<Printed>) => ({ printed: record, ...drawer })

const Dialogs = ({ forms: { reject, copy, check, preview } }: { forms: Forms }) => (
  <>
    <RejectPaper key={`reject-${reject.key}`} {...reject.props} />
    <CopyPaper key={`copy-${copy.key}`} {...copy.props} />
    <CheckPaper key={`check-${check.key}`} {...check.props} />
    <PaperPreview key={`preview-${preview.key}`} {...previewOf(preview.props)} />
  </>
)
