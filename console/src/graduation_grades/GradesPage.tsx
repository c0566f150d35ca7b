import { Button, Form, InputNumber, Space } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '@/api/errors'
import type { Operation } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import type { Saved } from '@/api/types/shared'
import { classes, grades, levels, majors, semesters, sites, teachers } from '@/basic_data/choices'
import { type BulkEntry, type BulkResult, bulkStep, byState, itemOf, type RowAction, step } from '@/kit/actions'
import { tellFailures } from '@/kit/BulkBar'
import { Chart } from '@/kit/Chart'
import { type Column, columnsOf } from '@/kit/columns'
import { confirm } from '@/kit/confirm'
import { ExportButton } from '@/kit/ExportButton'
import { fieldsOf } from '@/kit/Field'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { EnumFilter, OptionFilter, SelectFilter, TextFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { formatNumber, points } from '@/kit/format'
import { ImportButton } from '@/kit/ImportWizard'
import { Loaded } from '@/kit/Loaded'
import { tellLeftOut } from '@/kit/leftOut'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { type Reasoned, ReasonForm } from '@/kit/ReasonForm'
import { useAction } from '@/kit/useAction'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useFileOf } from '@/kit/useFileOf'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import { usePlanChoices } from '@/thesis/PlanSelect'
import { resultTones, stageTones, weighted } from '@/thesis/thesisWords'
import {
  computeGraduationScores,
  enterDefenseScore,
  enterReviewScore,
  enterThesisScore,
  exportGraduationScores,
  fetchGraduationScoreImportTemplate,
  importGraduationScores,
  listGraduationScores,
  lockGraduationScores,
  printGraduationScores,
  publishGraduationScores,
  rejectGraduationScores,
  reviewGraduationScores,
  submitGraduationScores,
  viewGraduationScore,
} from './api'
import { can, type Grade, gradeTones } from './gradeWords'

type Part = 'thesis' | 'review' | 'defense'
type Kind = Part | 'total'

const trail = historyOf(viewGraduationScore, 'graduation_score')

const head = columnsOf(listGraduationScores, [
  { field: 'studentName', width: 110, fixed: 'left' },
  { field: 'studentNo', under: 'studentName' },
  { field: 'status', title: '状态', width: 84, fixed: 'left', tones: gradeTones },
  { field: 'title', width: 220 },
  { field: 'adviserName', width: 100 },
])

const tail = columnsOf(listGraduationScores, [
  { field: 'majorName', width: 150 },
  { field: 'siteName', width: 140 },
  { field: 'className', width: 150 },
  { field: 'planName', width: 150, hidden: true },
  { field: 'semesterName', width: 150, hidden: true },
  { field: 'submittedByName', width: 100, hidden: true },
  { field: 'reviewedByName', width: 100, hidden: true },
  { field: 'returnReason', width: 160, hidden: true },
])

const own: Readonly<Record<Kind, Column<Grade>[]>> = {
  thesis: columnsOf(listGraduationScores, [
    { field: 'stage', title: '阶段', width: 80 },
    { field: 'stageStatus', title: '阶段状态', width: 100, tones: stageTones },
    { field: 'thesisScore', width: 90, render: ({ thesisScore }) => points(thesisScore) },
    { field: 'thesisComment', width: 220 },
    { field: 'thesisByName', width: 110 },
  ]),
  review: columnsOf(listGraduationScores, [
    { field: 'reviewerNames', width: 140 },
    { field: 'reviewScore', width: 90, render: ({ reviewScore }) => points(reviewScore) },
    { field: 'reviewOpinion', title: '意见', width: 120 },
    { field: 'reviewComment', width: 220 },
    { field: 'reviewByName', width: 110 },
  ]),
  defense: columnsOf(listGraduationScores, [
    { field: 'defenseGroupName', width: 120 },
    { field: 'defenseHeldAt', width: 170 },
    { field: 'memberScores', width: 150 },
    { field: 'defenseScore', width: 90, render: ({ defenseScore }) => points(defenseScore) },
    { field: 'defenseResult', title: '结论', width: 90, tones: resultTones },
    { field: 'defenseComment', width: 200 },
  ]),
  total: columnsOf(listGraduationScores, [
    { field: 'internshipScore', width: 90, render: ({ internshipScore }) => points(internshipScore) },
    { field: 'thesisScore', width: 90, render: ({ thesisScore }) => points(thesisScore) },
    { field: 'reviewScore', width: 90, render: ({ reviewScore }) => points(reviewScore) },
    { field: 'defenseScore', width: 90, render: ({ defenseScore }) => points(defenseScore) },
    { field: 'total', width: 80, render: ({ total }) => points(total) },
    { field: 'gradeWord', width: 80 },
    { field: 'veto', width: 180 },
    { field: 'publishedAt', width: 170, hidden: true },
  ]),
}

const entries = { thesis: enterThesisScore, review: enterReviewScore, defense: enterDefenseScore } as const
const titles: Readonly<Record<Kind, string>> = {
  thesis: '论文成绩',
  review: '评阅成绩',
  defense: '答辩成绩',
  total: '毕业总成绩',
}

const Field = fieldsOf(enterThesisScore)

interface Typed {
  score?: number | null
  comment?: string | null
  items?: Record<string, number | undefined>
}

/** 录入 of one part: item by item, or the score alone where the rule allows it. */
const EntryForm = ({ part, record: row, ...drawer }: DrawerProps<Grade> & { part: Part }) => {
  const request = useRequest()
  const view = useQuery({
    queryKey: [viewGraduationScore.path, row?.id],
    queryFn: ({ signal }) => request(viewGraduationScore, { query: { id: row?.id ?? 0 } }, { signal }),
    enabled: row !== undefined && drawer.visible,
  })
  const items = view.data?.[`${part}Items` as const] ?? []
  const required = view.data?.[`${part}ItemsRequired` as const] ?? false
  const started: Record<string, number | undefined> = Object.fromEntries(
    items.map(({ code, score }) => [code, score ?? undefined]),
  )
  const isItemed = required || items.some(({ score }) => score !== null && score !== undefined)
  return (
    <FormDrawer<Typed, Saved>
      {...drawer}
      key={view.data ? 'loaded' : 'waiting'}
      record={undefined}
      initial={{
        score: isItemed ? undefined : view.data?.[`${part}Score` as const],
        comment: view.data?.[`${part}Comment` as const],
        items: started,
      }}
      title={`录入${titles[part]} ${row?.studentName ?? ''}`}
      action={() => {
        const save = formAction(entries[part], `已录入${row?.studentName}的${titles[part]}`, {
          id: row?.id,
          version: view.data?.version ?? row?.version,
        })
        return {
          ...save,
          send: ({ score, comment, items: typed = {} }: Typed, request) => {
            const given = items.flatMap(({ code }) => {
              const each = typed[code]
              return each === undefined || each === null ? [] : [{ code, score: each }]
            })
            return save.send({ comment, items: given, score: given.length > 0 ? null : (score ?? null) }, request)
          },
        }
      }}
    >
      <Loaded query={view} rows={4}>
        {() => (
          <>
            {items.map(({ code, name, weight }) => (
              <Form.Item
                key={code}
                field={`items.${code}`}
                label={`${name}（${weight}%）`}
                rules={required ? [{ required: true, message: `请输入${name}` }] : []}
              >
                <InputNumber aria-label={name} min={0} max={100} precision={1} hideControl />
              </Form.Item>
            ))}
            {items.length > 0 && (
              <Form.Item noStyle shouldUpdate>
                {({ items: typed = {} }: Typed) => (
                  <p className="form-hint" aria-live="polite">
                    按评分项合计{points(weighted(items.map((item) => ({ ...item, score: typed[item.code] }))))}
                  </p>
                )}
              </Form.Item>
            )}
            {!required && (
              <Field name="score" help={items.length > 0 ? '填写评分项时不填' : undefined}>
                <InputNumber min={0} max={100} precision={1} hideControl />
              </Field>
            )}
            <Field name="comment" />
          </>
        )}
      </Loaded>
    </FormDrawer>
  )
}

/** 五级分布 of the grades that are shown. */
const Levels = ({ rows }: { rows: readonly Grade[] }) => {
  const words = ['优秀', '良好', '中等', '及格', '不及格']
  return (
    <Chart
      data={{
        title: '等级分布（本页）',
        kind: 'share',
        unit: '人',
        series: [
          {
            name: '人数',
            points: words
              .map((name) => ({ name, value: rows.filter(({ gradeWord }) => gradeWord === name).length }))
              .filter(({ value }) => value > 0),
          },
        ],
      }}
    />
  )
}

const isExcellent = (error: unknown) =>
  error instanceof ApiError && error.code === 409 && error.message.includes('优秀率')

type ItemsStep = Operation<undefined, { items: { id: number; version: number }[] }, BulkResult>

const YES_NO = [
  { value: 'true', label: '已录入' },
  { value: 'false', label: '未录入' },
]

/** One of the four pages over the same rows: a part of them is entered, or their total published (04 §8.2). */
const GradesPage = ({ kind }: { kind: Kind }) => {
  const [drawn, draw] = useState(false)
  const table = useQueryTable(listGraduationScores, kind === 'total' ? {} : { usual: { part: kind } })
  const plans = usePlanChoices()
  const entry = useDrawer<Grade>()
  const reason = useDrawer<Reasoned>()
  const printing = useFileOf(printGraduationScores)
  const compute = useAction(computeGraduationScores, {
    done: ({ done }) => `已计算${formatNumber(done)}名学生的总成绩`,
    onDone: ({ left }) =>
      tellLeftOut(
        '没有总评的学生',
        left.map((line) => ({ name: line.split('：')[0] ?? line, msg: line })),
        '学生',
      ),
  })
  const publish = useAction(publishGraduationScores, {
    quiet: isExcellent,
    done: ({ done }) => (done > 0 ? `已发布${formatNumber(done)}名学生的毕业成绩` : undefined),
    onDone: (answer) => {
      if (answer.failed.length > 0) tellFailures('发布', answer)
    },
  })
  /** More excellent ones than the rule allows are published by those alone who say so. */
  const send = async (rows: readonly Grade[]) => {
    const items = rows.map(itemOf)
    try {
      await publish.mutateAsync({ body: { items, confirmExcellent: false } })
    } catch (error) {
      if (!isExcellent(error) || !(error instanceof ApiError)) return
      const sure = await confirm({
        title: error.message,
        content: '确认后仍然发布。',
        okText: '仍然发布',
        danger: true,
      })
      if (sure) publish.mutate({ body: { items, confirmExcellent: true } })
    }
  }
  const asked = async (rows: readonly Grade[], title: string) => {
    if (await confirm({ title, content: '总成绩成为毕业论文课程的成绩，学生可以看到。', okText: '发布' }))
      await send(rows)
  }
  const reject = (rows: readonly Grade[], title: string) =>
    reason.open({
      title,
      verb: '退回',
      hint: '退回后可以修改各项成绩再提交。',
      do: rejectGraduationScores,
      body: { items: rows.map(itemOf) },
      done: '已退回毕业成绩',
      settle: (failed) => table.tickRows(failed),
      danger: true,
    })
  const each = (operation: ItemsStep, label: string, content: string): BulkEntry =>
    bulkStep(operation, {
      label: `批量${label}`,
      confirm: (count) => ({ title: `${label}选中的${formatNumber(count)}名学生的毕业成绩？`, content }),
      input: () => ({ body: { items: table.tickedRows.map(itemOf) } }),
    })
  const one = (operation: ItemsStep, row: Grade, label: string, disabled: string | undefined, title?: string) =>
    step(operation, {
      label,
      disabled,
      with: { body: { items: [itemOf(row)] } },
      confirm: title ? { title } : undefined,
      done: `已${label}${row.studentName}的毕业成绩`,
    })
  const print = (ids: readonly number[]) =>
    printing.mutate({ input: { query: { doc: 'grade' }, body: { ids: [...ids] } }, name: '成绩评定表.pdf' })
  const actions = (row: Grade): RowAction[] => [
    ...(kind === 'total'
      ? [
          {
            label: '计算',
            do: computeGraduationScores,
            disabled: can.enter(row),
            onClick: () => compute.mutate({ body: { ids: [row.id] } }),
          },
        ]
      : [{ label: '录入', do: entries[kind], disabled: can.enter(row), onClick: () => entry.open(row) }]),
    one(submitGraduationScores, row, '提交', can.submit(row)),
    one(reviewGraduationScores, row, '审核', can.review(row), `审核通过${row.studentName}的毕业成绩？`),
    {
      label: '退回',
      do: rejectGraduationScores,
      danger: true,
      disabled: can.reject(row),
      onClick: () => reject([row], `退回毕业成绩 ${row.studentName}`),
    },
    {
      label: '发布',
      do: publishGraduationScores,
      disabled: can.publish(row),
      onClick: () => asked([row], `发布${row.studentName}的毕业成绩？`),
    },
    one(lockGraduationScores, row, '锁定', can.lock(row), `锁定${row.studentName}的毕业成绩？`),
    { label: '打印评定表', do: printGraduationScores, onClick: () => print([row.id]) },
  ]
  return (
    <Page
      title={titles[kind]}
      help="论文、评阅、答辩和实习成绩按规则合成总成绩，审核发布后成为毕业论文课程的成绩。"
      personal
    >
      <FilterBar table={table}>
        <SelectFilter of={listGraduationScores} field="planId" options={plans} />
        <TextFilter of={listGraduationScores} field="keyword" label="学号、姓名或题目" />
        <EnumFilter of={listGraduationScores} field="status" label="状态" />
        <SelectFilter of={listGraduationScores} field="entered" options={YES_NO} />
        <OptionFilter of={listGraduationScores} field="adviserId" {...teachers} />
        <OptionFilter of={listGraduationScores} field="majorId" {...majors} />
        <OptionFilter of={listGraduationScores} field="classId" {...classes} />
        <OptionFilter of={listGraduationScores} field="siteId" {...sites} />
        <OptionFilter of={listGraduationScores} field="gradeId" {...grades} />
        <OptionFilter of={listGraduationScores} field="levelId" {...levels} />
        <OptionFilter of={listGraduationScores} field="semesterId" {...semesters} />
      </FilterBar>
      {drawn && <Levels rows={table.rows} />}
      <QueryTable
        table={table}
        columns={[...head, ...own[kind], ...tail]}
        nameOf={({ studentName }) => studentName}
        tools={
          <Space size={4}>
            {kind === 'total' && (
              <Button
                aria-expanded={drawn}
                disabled={!drawn && !table.rows.some(({ gradeWord }) => gradeWord)}
                onClick={() => draw(!drawn)}
              >
                等级分布
              </Button>
            )}
            {kind !== 'total' && (
              <ImportButton
                do={importGraduationScores}
                template={fetchGraduationScoreImportTemplate}
                templateOf={{ part: kind }}
                what={titles[kind]}
                fields={{ part: kind }}
              />
            )}
            <ExportButton do={exportGraduationScores} table={table} />
          </Space>
        }
        bulk={[
          {
            label: '批量计算',
            do: computeGraduationScores,
            open: (ids) => compute.mutate({ body: { ids: [...ids] } }),
            openAll: (filter) => compute.mutate({ body: { filter } }),
          },
          each(submitGraduationScores, '提交', '没有总评的会保留并说明原因。'),
          each(reviewGraduationScores, '审核', '不能审核自己录入或提交的成绩。'),
          {
            label: '批量退回',
            do: rejectGraduationScores,
            open: () => reject(table.tickedRows, `退回${formatNumber(table.tickedRows.length)}名学生的毕业成绩`),
          },
          {
            label: '批量发布',
            do: publishGraduationScores,
            open: () => asked(table.tickedRows, `发布选中的${formatNumber(table.tickedRows.length)}名学生的毕业成绩？`),
          },
          each(lockGraduationScores, '锁定', '锁定后只能更正。'),
          { label: '打印评定表', do: printGraduationScores, open: print },
        ]}
        detail={({ scoreId }) => (scoreId ? trail({ id: scoreId }) : undefined)}
        actionsWidth={200}
        actions={(row) => byState(actions(row))}
        empty="没有选修毕业论文课程的学生。生成论文名单后在这里录入成绩。"
      />
      {kind !== 'total' && <EntryForm key={entry.key} {...entry.props} part={kind} />}
      <ReasonForm key={`reason-${reason.key}`} {...reason.props} />
    </Page>
  )
}

export const ThesisGradesPage = () => <GradesPage key="thesis" kind="thesis" />
export const ReviewGradesPage = () => <GradesPage key="review" kind="review" />
export const DefenseGradesPage = () => <GradesPage key="defense" kind="defense" />
export const GraduationTotalsPage = () => <GradesPage key="total" kind="total" />
