import { Button, Space } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useNavigate } from 'react-router'
import { useSchoolContext } from '@/api/schoolContext'
import { bulkStep, byState, itemOf, type RowAction, step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { formatNumber } from '@/kit/format'
import { ImportButton } from '@/kit/ImportWizard'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { Segments } from '@/kit/Segments'
import { removal } from '@/kit/steps'
import { useDrawer } from '@/kit/useDrawer'
import { useFileOf } from '@/kit/useFileOf'
import { useQueryTable } from '@/kit/useQueryTable'
import { paths } from '@/paths'
import {
  assignScoreSheets,
  deleteScoreSheet,
  enterScores,
  exportScoreSheets,
  extendScoreEntry,
  fetchScoreSheetImportTemplate,
  generateScoreSheets,
  importScoreSheets,
  listScoreSheets,
  printScoreSheets,
  remindScoreEntry,
  submitScoreSheets,
  viewScoreSheet,
} from './api'
import { AssignForm, ExtendForm, GenerateForm, type TickedSheets } from './SheetForms'
import { SheetProgress } from './SheetProgress'
import { SheetReview } from './SheetReview'
import { can, type Sheet, sheetName } from './scoreWords'
import { entryColumns, sheetFilters } from './sheetParts'

/** 成绩录入: the sheets, who fills them and until when (04 §6.2). */
export const SheetsPage = () => {
  const table = useQueryTable(listScoreSheets)
  const navigate = useNavigate()
  const isSchool = useSchoolContext().area === 'school'
  const generate = useDrawer<object>()
  const assign = useDrawer<TickedSheets>()
  const extend = useDrawer<TickedSheets>()
  const printing = useFileOf(printScoreSheets)
  const ticked = (ids: readonly number[]): TickedSheets => ({ ids: [...ids], done: (failed) => table.tickRows(failed) })
  const enter = (row: Sheet) => navigate(`${paths.enteredScores}?sheetId=${row.id}`)
  const actions = (row: Sheet): RowAction[] => [
    ...(isSchool ? [{ label: '录入', do: enterScores, disabled: can.enter(row), onClick: () => enter(row) }] : []),
    step(submitScoreSheets, {
      label: '提交',
      disabled: can.submit(row),
      with: { body: { items: [itemOf(row)] } },
      confirm: { title: `提交登记表“${row.sheetNo}”？`, content: '全部学生都须有成绩或缺考；提交后须退回才能修改。' },
      done: `已提交“${sheetName(row)}”`,
    }),
    { label: '查看', do: viewScoreSheet, onClick: () => table.open(row) },
    {
      label: '打印',
      do: printScoreSheets,
      onClick: () => printing.mutate({ input: { body: { ids: [row.id] } }, name: `成绩登记表_${row.sheetNo}.pdf` }),
    },
    { ...removal(deleteScoreSheet, { id: row.id, name: row.sheetNo }), disabled: can.remove(row) },
  ]
  return (
    <Page title="成绩录入" help="成绩在登记表中录入、提交、审核和发布；登记表由考试产生，考查课程在这里生成。">
      <div className="score-heads">
        <Segments table={table} field="status" label="登记表状态" />
        <SheetProgress table={table} about="entry" />
      </div>
      <FilterBar table={table}>{sheetFilters()}</FilterBar>
      <QueryTable
        table={table}
        columns={entryColumns}
        nameOf={sheetName}
        primary={
          <Can do={generateScoreSheets}>
            <Button type="primary" icon={<IconPlus />} onClick={() => generate.open({})}>
              生成登记表
            </Button>
          </Can>
        }
        tools={
          <Space size={4}>
            <ImportButton
              do={importScoreSheets}
              template={fetchScoreSheetImportTemplate}
              what="成绩登记表"
              label="批量导入"
            />
            <ExportButton do={exportScoreSheets} table={table} />
          </Space>
        }
        bulk={[
          { label: '分配录入人', do: assignScoreSheets, open: (ids) => assign.open(ticked(ids)) },
          { label: '延长录入', do: extendScoreEntry, open: (ids) => extend.open(ticked(ids)) },
          bulkStep(remindScoreEntry, {
            label: '催办',
            confirm: (count) => ({
              title: `催办选中的${formatNumber(count)}张登记表？`,
              content: '向录入人发送提醒。',
            }),
            input: (ids) => ({ body: { ids } }),
          }),
          bulkStep(submitScoreSheets, {
            label: '批量提交',
            confirm: (count) => ({
              title: `提交选中的${formatNumber(count)}张登记表？`,
              content: '未录完的会保留并说明原因。',
            }),
            input: () => ({ body: { items: table.tickedRows.map(itemOf) } }),
          }),
          {
            label: '批量打印',
            do: printScoreSheets,
            open: (ids) => printing.mutate({ input: { body: { ids: [...ids] } }, name: '成绩登记表.pdf' }),
          },
        ]}
        file={(row) => <SheetReview id={row.id} />}
        actionsWidth={200}
        actions={(row) => byState(actions(row))}
        empty="还没有登记表。考试结束后自动产生，考查课程请“生成登记表”。"
      />
      <GenerateForm key={generate.key} {...generate.props} />
      <AssignForm key={`assign-${assign.key}`} {...assign.props} />
      <ExtendForm key={`extend-${extend.key}`} {...extend.props} />
    </Page>
  )
}
