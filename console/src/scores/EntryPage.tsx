import { Button } from '@arco-design/web-react'
import { useNavigate, useSearchParams } from 'react-router'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { TabList } from '@/kit/TabList'
import { usePageTab } from '@/kit/usePageTab'
import { useQueryTable } from '@/kit/useQueryTable'
import { paths } from '@/paths'
import { enterScores, exportScoreSheets, listScoreSheetRows, listScoreSheets } from './api'
import { EntryGrid } from './EntryGrid'
import { OfflineScores } from './OfflineScores'
import { can, sheetName } from './scoreWords'
import { resultColumns, sheetFilters } from './sheetParts'

const STUDENTS = 'students'
const tabs = [
  ['sheets', '登记表'],
  [STUDENTS, '学生明细'],
] as const

const Results = () => {
  const table = useQueryTable(listScoreSheets, { usual: { entered: true } })
  const navigate = useNavigate()
  const open = (id: number) => navigate(`${paths.enteredScores}?sheetId=${id}`)
  return (
    <>
      <FilterBar table={table}>{sheetFilters()}</FilterBar>
      <QueryTable
        table={table}
        columns={resultColumns}
        nameOf={sheetName}
        tools={<ExportButton do={exportScoreSheets} table={table} />}
        actionsWidth={120}
        actions={(row) => [
          { label: '录入', do: enterScores, disabled: can.enter(row), onClick: () => open(row.id) },
          { label: '查看', do: listScoreSheetRows, onClick: () => open(row.id) },
        ]}
        empty="还没有录入成绩的登记表。请在“成绩录入”中选择登记表录入。"
      />
    </>
  )
}

/** 已录入成绩: a sheet to be filled, or the sheets with results. */
export const EntryPage = () => {
  const [search] = useSearchParams()
  const [asked, setTab] = usePageTab()
  const navigate = useNavigate()
  const sheetId = Number(search.get('sheetId')) || undefined
  const tab = asked === STUDENTS ? STUDENTS : 'sheets'
  return (
    <Page title="已录入成绩" help="逐名录入卷面成绩，自动折算总评；提交后进入审核。" personal>
      {sheetId ? (
        <>
          <div className="toolbar">
            <Button onClick={() => navigate(paths.scoreSheets)}>返回成绩录入</Button>
          </div>
          <EntryGrid key={sheetId} sheetId={sheetId} />
        </>
      ) : (
        <>
          <div className="list-tabs">
            <TabList
              label="已录入成绩"
              tabs={tabs}
              value={tab}
              onChange={(next) => setTab(next === STUDENTS ? STUDENTS : undefined)}
            />
          </div>
          {tab === STUDENTS ? <OfflineScores /> : <Results />}
        </>
      )}
    </Page>
  )
}
