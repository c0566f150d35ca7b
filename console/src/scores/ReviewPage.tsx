import type { ComponentProps } from 'react'
import { useAllowed } from '@/api/identity'
import type { Operation } from '@/api/operation'
import { type BulkEntry, type BulkResult, bulkStep, byState, itemOf, type RowAction, step } from '@/kit/actions'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { EnumFilter } from '@/kit/filters'
import { formatNumber } from '@/kit/format'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { type Reasoned, ReasonForm } from '@/kit/ReasonForm'
import { Segments } from '@/kit/Segments'
import { TabList } from '@/kit/TabList'
import { useDrawer } from '@/kit/useDrawer'
import { useFileOf } from '@/kit/useFileOf'
import { usePageTab } from '@/kit/usePageTab'
import { useQueryTable } from '@/kit/useQueryTable'
import {
  auditScoreSheets,
  exportScoreSheets,
  listScoreCorrections,
  listScoreSheets,
  lockScoreSheets,
  printScoreSheets,
  publishScoreSheets,
  rejectScoreSheets,
  reviewScoreSheets,
  unpublishScoreSheets,
} from './api'
import { Corrections } from './Corrections'
import { SheetProgress } from './SheetProgress'
import { SheetReview } from './SheetReview'
import { can, type Sheet, sheetName } from './scoreWords'
import { reviewColumns, sheetFilters } from './sheetParts'

const CORRECTIONS = 'corrections'
const STATES = ['submitted', 'first_reviewed', 'reviewed', 'published', 'locked', 'returned']

type Rounds = readonly Sheet['round'][]
type BulkStep = Operation<undefined, { items: { id: number; version: number }[] }, BulkResult>

interface SheetsProps {
  rounds: Rounds
  beside: ComponentProps<typeof Segments>['beside']
}

const Sheets = ({ rounds, beside }: SheetsProps) => {
  const table = useQueryTable(listScoreSheets, { usual: { rounds: [...rounds], submitted: true } })
  const reason = useDrawer<Reasoned>()
  const printing = useFileOf(printScoreSheets)
  const back = (operation: Reasoned['do'], verb: string, hint: string, rows: readonly Sheet[]) =>
    reason.open({
      title:
        rows.length === 1 && rows[0] ? `${verb} ${sheetName(rows[0])}` : `${verb}${formatNumber(rows.length)}张登记表`,
      verb,
      hint,
      do: operation,
      body: { items: rows.map(itemOf) },
      done: `已${verb}`,
      settle: (failed) => table.tickRows(failed),
      danger: true,
    })
  const pass = (operation: Reasoned['do'], verb: string, row: Sheet) =>
    reason.open({
      title: `${verb} ${sheetName(row)}`,
      verb,
      hint: '审核人不能是提交人；终审人不能与初审人相同。',
      do: operation,
      body: { items: [itemOf(row)] },
      done: `已${verb}“${sheetName(row)}”`,
      field: 'opinion',
      optional: true,
    })
  const reject = (rows: readonly Sheet[]) =>
    back(rejectScoreSheets, '退回', '退回后可以修改成绩，平时成绩重新计算，再提交审核。', rows)
  const actions = (row: Sheet): RowAction[] => [
    ...(row.status === 'first_reviewed'
      ? [
          {
            label: '终审',
            do: auditScoreSheets,
            disabled: can.audit(row),
            onClick: () => pass(auditScoreSheets, '终审', row),
          },
        ]
      : [
          {
            label: '初审',
            do: reviewScoreSheets,
            disabled: can.review(row),
            onClick: () => pass(reviewScoreSheets, '初审', row),
          },
        ]),
    step(publishScoreSheets, {
      label: '发布',
      disabled: can.publish(row),
      with: { body: { items: [itemOf(row)] } },
      confirm: { title: `发布“${sheetName(row)}”的成绩？`, content: '学生立即可以看到；24小时之内可以撤回。' },
      done: `已发布“${sheetName(row)}”`,
    }),
    { label: '退回', do: rejectScoreSheets, danger: true, disabled: can.reject(row), onClick: () => reject([row]) },
    {
      label: '撤回发布',
      do: unpublishScoreSheets,
      danger: true,
      disabled: can.unpublish(row),
      onClick: () => back(unpublishScoreSheets, '撤回发布', '学生不再看到成绩；发布超过24小时的请走成绩更正。', [row]),
    },
    step(lockScoreSheets, {
      label: '锁定',
      disabled: can.lock(row),
      with: { body: { items: [itemOf(row)] } },
      confirm: { title: `锁定“${sheetName(row)}”的成绩？`, content: '锁定后只能更正。' },
      done: `已锁定“${sheetName(row)}”`,
    }),
    {
      label: '打印登记表',
      do: printScoreSheets,
      onClick: () => printing.mutate({ input: { body: { ids: [row.id] } }, name: `成绩登记表_${row.sheetNo}.pdf` }),
    },
  ]
  const each = (operation: BulkStep, label: string, content: string): BulkEntry =>
    bulkStep(operation, {
      label: `批量${label}`,
      confirm: (count) => ({ title: `${label}选中的${formatNumber(count)}张登记表？`, content }),
      input: () => ({ body: { items: table.tickedRows.map(itemOf) } }),
    })
  return (
    <>
      <div className="score-heads">
        <Segments table={table} field="status" label="登记表状态" only={STATES} {...(beside && { beside })} />
        <SheetProgress table={table} about="review" />
      </div>
      <FilterBar table={table}>
        {[
          ...sheetFilters(),
          ...(rounds.length > 1
            ? [<EnumFilter key="rounds" of={listScoreSheets} field="rounds" label="性质" only={rounds} />]
            : []),
        ]}
      </FilterBar>
      <QueryTable
        table={table}
        columns={reviewColumns}
        nameOf={sheetName}
        tools={<ExportButton do={exportScoreSheets} table={table} />}
        bulk={[
          each(reviewScoreSheets, '初审', '每张登记表各自审核，不能审核的会保留并说明原因。'),
          each(auditScoreSheets, '终审', '每张登记表各自审核，不能审核的会保留并说明原因。'),
          each(publishScoreSheets, '发布', '学生立即可以看到；24小时之内可以撤回。'),
          each(lockScoreSheets, '锁定', '锁定后只能更正。'),
          { label: '批量退回', do: rejectScoreSheets, open: () => reject(table.tickedRows) },
        ]}
        file={(row) => <SheetReview id={row.id} />}
        actionsWidth={210}
        actions={(row) => byState(actions(row))}
        empty="没有待审核的登记表。录入人提交后在这里审核。"
      />
      <ReasonForm key={reason.key} {...reason.props} />
    </>
  )
}

interface ReviewProps {
  title: string
  help: string
  rounds: Rounds
}

/** 成绩审核: sheets that were submitted, to be reviewed twice, published and locked; corrections beside them. */
const ReviewPage = ({ title, help, rounds }: ReviewProps) => {
  const [asked, setTab] = usePageTab()
  const corrects = useAllowed()(listScoreCorrections) && rounds.includes('first')
  const tab = corrects && asked === CORRECTIONS ? CORRECTIONS : 'sheets'
  return (
    <Page title={title} help={help} personal>
      {tab === CORRECTIONS && (
        <div className="list-tabs">
          <TabList
            label={title}
            tabs={[
              ['sheets', '登记表'],
              [CORRECTIONS, '成绩更正'],
            ]}
            value={tab}
            onChange={(next) => setTab(next === CORRECTIONS ? CORRECTIONS : undefined)}
          />
        </div>
      )}
      {tab === CORRECTIONS ? (
        <Corrections />
      ) : (
        <Sheets
          rounds={rounds}
          beside={corrects ? { tabs: [[CORRECTIONS, '成绩更正']], onChoose: setTab } : undefined}
        />
      )}
    </Page>
  )
}

export const FirstReviewPage = () => (
  <ReviewPage
    title="成绩审核"
    help="正考登记表逐级审核，发布后学生可以看到；有误的退回或走成绩更正。"
    rounds={['first']}
  />
)

export const MakeupReviewPage = () => (
  <ReviewPage
    title="补考成绩审核"
    help="补考、毕业补考和缓考登记表的审核和发布；补考成绩与原成绩取高者。"
    rounds={['makeup', 'final_makeup']}
  />
)
