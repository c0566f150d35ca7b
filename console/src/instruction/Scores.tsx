import { Button, InputNumber, Space } from '@arco-design/web-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { tellError, tellSuccess } from '@/api/errors'
import { download } from '@/api/files'
import { useAllowed } from '@/api/identity'
import { useNamed } from '@/api/schoolContext'
import { classes, grades, majors, semesters, sites, teachers } from '@/basic_data/choices'
import { courses } from '@/course_opening/choices'
import { SemesterFilter } from '@/course_opening/SemesterFilter'
import { bulkStep, type RowAction, step } from '@/kit/actions'
import { type Column, columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { EnumFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { formatNumber } from '@/kit/format'
import { ImportButton } from '@/kit/ImportWizard'
import type { Choice } from '@/kit/OptionSelect'
import { QueryTable } from '@/kit/QueryTable'
import { useUnsaved } from '@/kit/tab'
import { useAction } from '@/kit/useAction'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import {
  confirmInstructionScores,
  editInstructionScores,
  exportInstructionScores,
  fetchInstructionScoreImportTemplate,
  importInstructionScores,
  listInstructionScores,
  printInstructionScores,
  returnInstructionScores,
  revokeInstructionScores,
  submitInstructionScores,
} from './api'
import {
  can,
  type Draft,
  itemsOf,
  nameOf,
  points,
  renewed,
  type Score,
  statusTones,
  withTyped,
} from './instructionRules'
import { ReturnForm, type TickedScores } from './ReturnForm'
import './instruction.css'

const MOST_POINTS = 100

const trail = historyOf(listInstructionScores, 'instruction_score')

const columns = columnsOf(listInstructionScores, [
  { field: 'name', width: 110, fixed: 'left' },
  { field: 'studentNo', under: 'name' },
  { field: 'status', title: '状态', width: 84, fixed: 'left', tones: statusTones },
  { field: 'courseName', title: '课程', width: 180 },
  { field: 'courseCode', under: 'courseName' },
  { field: 'className', title: '班级', width: 160 },
  { field: 'siteName', width: 140 },
  {
    field: 'requiredSessions',
    title: '应到/实到',
    width: 100,
    help: '请假不计应到，迟到计半次',
    render: ({ requiredSessions, attendedCount }) => `${requiredSessions} / ${attendedCount}`,
  },
  { field: 'attendanceRate', width: 100, render: ({ attendanceRate }) => points(attendanceRate) },
  { field: 'attendanceScore', width: 90, render: ({ attendanceScore }) => points(attendanceScore) },
  { field: 'performanceScore', width: 100, render: ({ performanceScore }) => points(performanceScore) },
  { field: 'totalScore', width: 90, render: ({ totalScore }) => points(totalScore) },
  { field: 'returnReason', title: '退回原因', width: 150, hidden: true },
  { field: 'submittedAt', width: 170, hidden: true },
  { field: 'confirmedAt', width: 170, hidden: true },
  { field: 'semesterName', title: '学期', width: 150, hidden: true },
])

/** The performance as a control, where the person may change it and the score is entered. */
const editable = (draft: Draft, type: (row: Score, value: number | null) => void): Column<Score>[] =>
  columns.map((column) => {
    if (column.key !== 'performanceScore') return column
    return {
      ...column,
      render: (row) => {
        const why = can.edit(row)
        if (why) return <span title={why}>{column.render(row)}</span>
        const typed = draft.get(row.id)
        return (
          <InputNumber
            className={typed ? 'score-input score-changed' : 'score-input'}
            size="mini"
            aria-label={`${nameOf(row)}表现成绩`}
            min={0}
            max={MOST_POINTS}
            precision={1}
            hideControl
            value={(typed ? typed.performanceScore : row.performanceScore) ?? undefined}
            onChange={(value) => type(row, typeof value === 'number' ? value : null)}
          />
        )
      },
    }
  })

/** 打印登记表 of a class of a course. */
const usePrinting = () => {
  const named = useNamed()
  return useMutation({
    mutationFn: async ({ openingId, classId, courseName, className }: Score) => {
      const query = { openingId, classId: classId ?? 0 }
      const name = `面授成绩登记表_${courseName}_${className ?? ''}.pdf`
      await download(printInstructionScores, named(printInstructionScores, { query }), name)
      tellSuccess('已生成登记表，请打开后打印')
    },
  })
}

/** 成绩: how everybody on the rosters of what is taught face to face did, typed in place and saved together. */
export const Scores = ({ semester }: { semester: Choice | undefined }) => {
  const table = useQueryTable(listInstructionScores, { usual: { semesterId: semester?.code } })
  const [draft, setDraft] = useState<Draft>(new Map())
  const [refused, setRefused] = useState(false)
  const may = useAllowed()(editInstructionScores)
  const back = useDrawer<TickedScores>()
  const printing = usePrinting()
  useUnsaved(draft.size > 0)
  const saving = useAction(editInstructionScores, {
    done: ({ items }) => `已保存${formatNumber(items.length)}名学生的表现成绩`,
    onDone: () => forget(),
    // Whoever presses again has been told that somebody else was there, and sees what they left.
    onRefused: () => setRefused(true),
  })
  const forget = () => {
    setDraft(new Map())
    setRefused(false)
  }
  const isTyped = draft.size > 0 ? '请先保存表现成绩' : undefined
  const sendBack = (kind: TickedScores['kind'], ids: readonly number[], shown: readonly Score[]) =>
    back.open({ kind, ids: [...ids], shown, done: (failed) => table.tickRows(failed) })
  const actionsOf = (row: Score): RowAction[] => {
    const body = { selectionIds: [row.selectionId] }
    return [
      step(submitInstructionScores, {
        label: '提交',
        disabled: isTyped ?? can.submit(row),
        with: { body },
        done: `已提交${nameOf(row)}的面授成绩`,
      }),
      step(confirmInstructionScores, {
        label: '确认',
        disabled: can.confirm(row),
        with: { body },
        done: `已确认${nameOf(row)}的面授成绩`,
      }),
      {
        label: '退回',
        do: returnInstructionScores,
        disabled: can.return(row),
        onClick: () => sendBack('return', [row.id], [row]),
      },
      {
        label: '撤销确认',
        do: revokeInstructionScores,
        disabled: can.revoke(row),
        onClick: () => sendBack('revoke', [row.id], [row]),
      },
      {
        label: '打印登记表',
        do: printInstructionScores,
        disabled: row.classId ? undefined : '该学生没有上课班级',
        onClick: () => printing.mutate(row),
      },
      { label: '查看', do: listInstructionScores, onClick: () => table.open(row) },
    ]
  }
  return (
    <>
      <FilterBar table={table}>
        <SemesterFilter of={listInstructionScores} field="semesterId" {...semesters} usual={semester} />
        <OptionFilter of={listInstructionScores} field="courseId" {...courses} />
        <OptionFilter of={listInstructionScores} field="classId" label="班级" {...classes} />
        <EnumFilter of={listInstructionScores} field="status" label="状态" />
        <TextFilter of={listInstructionScores} field="keyword" label="学号或姓名" />
        <OptionFilter of={listInstructionScores} field="teacherId" label="教师" {...teachers} />
        <OptionFilter of={listInstructionScores} field="siteId" {...sites} />
        <OptionFilter of={listInstructionScores} field="gradeId" {...grades} />
        <OptionFilter of={listInstructionScores} field="majorId" {...majors} />
      </FilterBar>
      <QueryTable
        table={table}
        columns={may ? editable(draft, (row, value) => setDraft((before) => withTyped(before, row, value))) : columns}
        nameOf={nameOf}
        primary={
          draft.size > 0 && (
            <div className="score-bar">
              <Button
                type="primary"
                loading={saving.isPending}
                onClick={() =>
                  saving.mutate({ body: { items: itemsOf(refused ? renewed(draft, table.rows) : draft) } })
                }
              >
                保存{formatNumber(draft.size)}名学生的表现成绩
              </Button>
              <Button onClick={forget}>放弃修改</Button>
            </div>
          )
        }
        tools={
          <Space size={4}>
            <ImportButton do={importInstructionScores} template={fetchInstructionScoreImportTemplate} what="面授成绩" />
            <ExportButton do={exportInstructionScores} table={table} />
          </Space>
        }
        bulk={[
          isTyped
            ? { label: '批量提交', do: submitInstructionScores, open: () => tellError(isTyped) }
            : bulkStep(submitInstructionScores, {
                label: '批量提交',
                confirm: (count) => ({
                  title: `提交选中的${formatNumber(count)}名学生的面授成绩？`,
                  content: '提交后不能再修改考勤和表现成绩，可以退回；都须已录入表现成绩。',
                }),
                input: (ids) => ({ body: { selectionIds: ids } }),
              }),
          bulkStep(confirmInstructionScores, {
            label: '批量确认',
            confirm: (count) => ({
              title: `确认选中的${formatNumber(count)}名学生的面授成绩？`,
              content: '不是已提交的会保留并说明原因。',
            }),
            input: (ids) => ({ body: { selectionIds: ids } }),
          }),
          {
            label: '批量退回',
            do: returnInstructionScores,
            open: (ids) => sendBack('return', ids, table.tickedRows),
          },
          {
            label: '撤销确认',
            do: revokeInstructionScores,
            open: (ids) => sendBack('revoke', ids, table.tickedRows),
          },
        ]}
        detail={({ scoreId }) => (scoreId ? trail({ id: scoreId }) : undefined)}
        actionsWidth={190}
        actions={actionsOf}
        empty="该学期没有面授或混合教学的课程名单。课程开课并设置教学方式后，学生自动列出。"
      />
      <ReturnForm key={back.key} {...back.props} />
    </>
  )
}
