import { Button, Space } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useState } from 'react'
import { isOverAll, useSchoolContext } from '@/api/schoolContext'
import { classes, grades, levels, majors, sites } from '@/basic_data/choices'
import type { RowAction } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, EnumFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { formatTime } from '@/kit/format'
import { labelOf } from '@/kit/labels'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { TabList } from '@/kit/TabList'
import { useDrawer } from '@/kit/useDrawer'
import { usePageTab } from '@/kit/usePageTab'
import { useQueryTable } from '@/kit/useQueryTable'
import type { SharedPath } from '@/paths'
import { exportChanges, listChanges, printChange, revokeChange, saveChange, viewChange } from './api'
import { ChangeChart } from './ChangeChart'
import { ChangeDetail } from './ChangeDetail'
import { ChangeForm, type Opening } from './ChangeForm'
import { ChangePaper, type Wanted } from './ChangePaper'
import { leavingTabs, type Row, revokeRefusal, type Type } from './changeRules'
import { batches } from './choices'
import { resultsOf } from './columns'
import { RevokeForm } from './StepForms'
import './statusChange.css'

/** What a result list shows unless it is asked otherwise. */
const RESULTS = ['approved', 'executed', 'revoked'] as const
/** Below this width of the window the chart is asked for. */
const WIDE = '(min-width: 1600px)'

interface ResultsProps {
  type: Type
  place: SharedPath
}

/** The changes of one type that were approved, with their figures. */
const Results = ({ type, place }: ResultsProps) => {
  const table = useQueryTable(listChanges, { usual: { scope: 'results', types: [type] } })
  const form = useDrawer<Opening>()
  const revoke = useDrawer<Row>()
  const paper = useDrawer<Wanted>()
  const overAll = isOverAll(useSchoolContext())
  const [counts, setCounts] = useState(() => matchMedia(WIDE).matches)
  const word = labelOf(listChanges, 'type', type)
  const today = formatTime(new Date(), 'YYYY-MM-DD')
  const actionsOf = (row: Row): RowAction[] => [
    { label: '查看', do: viewChange, onClick: () => table.open(row) },
    { label: '打印', do: printChange, onClick: () => paper.open({ id: row.id, name: row.name }) },
    {
      label: '撤销',
      do: revokeChange,
      danger: true,
      disabled: revokeRefusal(row, today),
      onClick: () => revoke.open(row),
    },
  ]
  // Alone it takes the height of the page, with its tools beside the title.
  const list = (
    <QueryTable
      table={table}
      columns={resultsOf(type)}
      nameOf={(row) => row.name}
      primary={
        <Can do={saveChange}>
          <Button type="primary" icon={<IconPlus />} onClick={() => form.open({ type })}>
            新增{word}
          </Button>
        </Can>
      }
      tools={
        <Space size={4}>
          {!overAll && (
            <Button aria-expanded={counts} onClick={() => setCounts(!counts)}>
              统计
            </Button>
          )}
          <ExportButton do={exportChanges} table={table} />
        </Space>
      }
      actionsWidth={180}
      actions={actionsOf}
      file={(row) => <ChangeDetail id={row.id} />}
      empty={`还没有办理的${word}。申请批准后在这里查看。`}
    />
  )
  return (
    <>
      <FilterBar table={table}>
        <TextFilter of={listChanges} field="keyword" label="姓名或号码" />
        <EnumFilter of={listChanges} field="status" only={RESULTS} />
        <OptionFilter of={listChanges} field="batchId" {...batches} />
        <OptionFilter of={listChanges} field="gradeId" {...grades} />
        <OptionFilter of={listChanges} field="levelId" {...levels} />
        <OptionFilter of={listChanges} field="majorId" {...majors} />
        <EnumFilter of={listChanges} field="studyForm" />
        <OptionFilter of={listChanges} field="siteId" {...sites} />
        <OptionFilter of={listChanges} field="classId" {...classes} />
        <DateRangeFilter of={listChanges} from="effectiveFrom" to="effectiveTo" label="生效时间" />
      </FilterBar>
      {counts && !overAll ? (
        <div className="change-results">
          <div className="change-list">{list}</div>
          <ChangeChart place={place} type={type} table={table} />
        </div>
      ) : (
        list
      )}
      <ChangeForm key={`form-${form.key}`} {...form.props} />
      <RevokeForm key={`revoke-${revoke.key}`} {...revoke.props} />
      <ChangePaper key={`paper-${paper.key}`} {...paper.props} />
    </>
  )
}

/** 转专业: who came from which major to which. */
export const ProfessionalPage = () => (
  <Page title="转专业" help="已批准、已生效和已撤销的转专业。" personal>
    <Results type="professional" place="professionalChanges" />
  </Page>
)

/** 转层次. */
export const HierarchicalPage = () => (
  <Page title="转层次" help="已批准、已生效和已撤销的转层次。" personal>
    <Results type="hierarchical" place="hierarchicalChanges" />
  </Page>
)

/** 转班转站点. */
export const ClassChangePage = () => (
  <Page title="转班转站点" help="已批准、已生效和已撤销的转班、转站点。" personal>
    <Results type="class_change" place="classChanges" />
  </Page>
)

/** 退学休学复学: who left, who stays away for a time and who came back, a tab each. */
export const LeavingsPage = () => {
  const [wanted, setTab] = usePageTab()
  const type = leavingTabs.find(([each]) => each === wanted)?.[0] ?? 'dropout'
  return (
    <Page title="退学休学复学" help="已批准、已生效和已撤销的退学、休学、复学和转学。" personal>
      <div className="list-tabs">
        <TabList
          label="异动类型"
          tabs={leavingTabs}
          value={type}
          onChange={(next) => setTab(next === 'dropout' ? undefined : next)}
        />
      </div>
      <Results key={type} type={type} place="leavings" />
    </Page>
  )
}
