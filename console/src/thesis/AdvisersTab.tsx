import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import type { Saved } from '@/api/types/shared'
import { BasicSelect, known } from '@/basic_data/BasicSelect'
import { majors } from '@/basic_data/choices'
import { bulkStep } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { fieldsOf } from '@/kit/Field'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { SelectFilter, TextFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { QueryTable } from '@/kit/QueryTable'
import { SeveralOptions } from '@/kit/SeveralOptions'
import { Word } from '@/kit/Status'
import { askRemoval, removal } from '@/kit/steps'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import {
  deleteThesisAdviser,
  deleteThesisAdvisers,
  editThesisAdviser,
  exportThesisAdvisers,
  listThesisAdvisers,
  saveThesisAdviser,
  viewThesisAdviser,
} from './api'
import { PlanSelect, usePlanChoices } from './PlanSelect'
import type { Adviser } from './thesisWords'

const columns = columnsOf(listThesisAdvisers, [
  { field: 'teacherName', width: 120, fixed: 'left' },
  { field: 'workNo', under: 'teacherName' },
  { field: 'planName', title: '论文批次', width: 180 },
  {
    field: 'advised',
    title: '已指导/上限',
    width: 130,
    render: ({ advised, most }) => (
      <>
        {advised} / {most} {advised >= most && <Word tone="warning">已满</Word>}
      </>
    ),
  },
  { field: 'canReview', width: 90 },
  { field: 'canDefend', width: 90 },
])

const Field = fieldsOf(saveThesisAdviser)

const AdviserForm = ({ record: adviser, planId, ...drawer }: DrawerProps<Adviser> & { planId: number | undefined }) => (
  <FormDrawer<Adviser, Saved>
    {...drawer}
    record={adviser}
    title={adviser ? `编辑指导教师 ${adviser.teacherName}` : '新增指导教师'}
    initial={{ planId, majorIds: [], canReview: true, canDefend: true }}
    keep={['planId', 'majorIds', 'quota', 'canReview', 'canDefend']}
    action={(held) =>
      held
        ? formAction(editThesisAdviser, '已保存指导教师', held)
        : formAction(saveThesisAdviser, '已新增指导教师', { majorIds: [] })
    }
    reload={({ id }, call) => call(viewThesisAdviser, { query: { id } })}
  >
    <Field name="planId" label="论文批次">
      <PlanSelect disabled={adviser !== undefined} />
    </Field>
    <Field name="teacherId">
      <BasicSelect
        type="teacher"
        disabled={adviser !== undefined}
        known={known(adviser?.teacherId, adviser?.teacherName)}
      />
    </Field>
    <Field name="quota" />
    <Field name="majorIds">
      <SeveralOptions label="适用专业" placeholder="全部" {...majors} />
    </Field>
    <Field name="canReview" />
    <Field name="canDefend" />
  </FormDrawer>
)

/** 指导教师: who advises in a plan, and how many. */
export const AdvisersTab = () => {
  const table = useQueryTable(listThesisAdvisers)
  const plans = usePlanChoices()
  const form = useDrawer<Adviser>()
  return (
    <>
      <FilterBar table={table}>
        <SelectFilter of={listThesisAdvisers} field="planId" options={plans} />
        <TextFilter of={listThesisAdvisers} field="name" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={({ teacherName }) => teacherName}
        primary={
          <Can do={saveThesisAdviser}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增指导教师
            </Button>
          </Can>
        }
        tools={<ExportButton do={exportThesisAdvisers} table={table} />}
        bulk={[
          bulkStep(deleteThesisAdvisers, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('指导教师'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        actionsWidth={120}
        actions={(adviser) => [
          { label: '编辑', do: editThesisAdviser, onClick: () => form.open(adviser) },
          removal(deleteThesisAdviser, { id: adviser.id, name: adviser.teacherName }),
        ]}
        empty="还没有指导教师。新增后才能分配学生。"
      />
      <AdviserForm key={form.key} {...form.props} planId={Number(table.filters.planId) || undefined} />
    </>
  )
}
