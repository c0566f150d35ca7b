import { Space } from '@arco-design/web-react'
import { useState } from 'react'
import { useSchoolContext } from '@/api/schoolContext'
import { sites } from '@/basic_data/choices'
import { allBatches, sessionsOf } from '@/exams/choices'
import { timeWords } from '@/exams/examRules'
import { bulkStep, byState, step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { FilterBar } from '@/kit/FilterBar'
import { DateFilter, EnumFilter, OptionFilter } from '@/kit/filters'
import { formatNumber } from '@/kit/format'
import { ImportButton } from '@/kit/ImportWizard'
import { OptionSelect } from '@/kit/OptionSelect'
import { QueryTable } from '@/kit/QueryTable'
import { undoBy } from '@/kit/undo'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import {
  confirmRoomRecords,
  fetchAbsenceImportTemplate,
  importAbsences,
  listRoomRecords,
  recordRoom,
  reopenRoomRecords,
} from './api'
import { canRecord, type RoomRecord, recordTones, watcherWords } from './dayRules'
import { RecordForm } from './RecordForm'

const columns = columnsOf(listRoomRecords, [
  { field: 'examRoomNo', width: 90, fixed: 'left' },
  { field: 'roomName', under: 'examRoomNo' },
  { field: 'status', width: 84, fixed: 'left', tones: recordTones },
  { field: 'siteName', width: 140 },
  { field: 'sessionName', title: '场次', width: 140 },
  { field: 'sessionCode', under: 'sessionName' },
  { field: 'startsAt', title: '考试时间', width: 220, render: ({ startsAt, endsAt }) => timeWords(startsAt, endsAt) },
  { field: 'plannedCount', width: 70 },
  { field: 'presentCount', width: 70 },
  { field: 'absentCount', width: 70 },
  { field: 'absentSeats', width: 140 },
  { field: 'violationCount', width: 70 },
  { field: 'note', width: 200 },
  { field: 'invigilators', width: 200, render: ({ invigilators }) => invigilators.map(watcherWords).join('、') },
  { field: 'fileCount', width: 80 },
  { field: 'recordedByName', width: 90 },
  { field: 'recordedAt', width: 170, hidden: true },
  { field: 'confirmedByName', width: 90, hidden: true },
  { field: 'batchName', title: '批次', width: 200, hidden: true },
])

const nameOf = ({ sessionCode, examRoomNo, roomName }: RoomRecord) => `${sessionCode}场 ${examRoomNo}考场 ${roomName}`

/** 导入缺考名单, into the session that is chosen. */
const ImportAbsences = ({ batchId }: { batchId: number | undefined }) => {
  const [sessionId, setSession] = useState<number>()
  return (
    <ImportButton
      do={importAbsences}
      template={fetchAbsenceImportTemplate}
      what="缺考名单"
      label="导入缺考名单"
      query={sessionId === undefined ? undefined : { sessionId }}
      missing={sessionId === undefined ? '请先选择场次' : undefined}
      first={
        <OptionSelect
          label="场次"
          placeholder="请选择场次"
          {...sessionsOf(batchId)}
          value={sessionId}
          onChange={setSession}
        />
      }
    />
  )
}

/** 考场情况 of each room: who did not come, what happened, the signed form. */
export const RoomRecords = () => {
  const table = useQueryTable(listRoomRecords)
  const isSchool = useSchoolContext().area === 'school'
  const record = useDrawer<RoomRecord>()
  const batchId = Number(table.filters.batchId) || undefined
  return (
    <>
      <FilterBar table={table}>
        <OptionFilter of={listRoomRecords} field="batchId" {...allBatches} />
        <OptionFilter of={listRoomRecords} field="sessionId" {...sessionsOf(batchId)} />
        <OptionFilter of={listRoomRecords} field="siteId" {...sites} />
        <DateFilter of={listRoomRecords} field="day" />
        <EnumFilter of={listRoomRecords} field="status" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={nameOf}
        tools={
          isSchool && (
            <Can do={importAbsences}>
              <Space size={8}>
                <ImportAbsences batchId={batchId} />
              </Space>
            </Can>
          )
        }
        bulk={[
          bulkStep(confirmRoomRecords, {
            label: '批量确认',
            confirm: (count) => ({
              title: `确认选中的${formatNumber(count)}个考场？`,
              content: '考生的到考情况随之登记，缺考的成绩记为缺考；还没有登记的会保留并说明原因。',
            }),
            input: (ids) => ({ body: { ids } }),
            undo: (failed) => {
              const ids = table.selected.filter((id) => !failed.has(id))
              return ids.length > 0 ? undoBy(reopenRoomRecords, { body: { ids } }) : undefined
            },
          }),
        ]}
        actions={(row) =>
          byState([
            {
              label: '登记',
              do: recordRoom,
              disabled: canRecord.record(row, Date.now()),
              onClick: () => record.open(row),
            },
            step(confirmRoomRecords, {
              label: '确认',
              disabled: canRecord.confirm(row),
              with: { body: { ids: [row.id] } },
              confirm: {
                title: `确认“${nameOf(row)}”的考场情况？`,
                content: `实考${formatNumber(row.presentCount)}人，缺考${formatNumber(row.absentCount)}人；缺考的成绩记为缺考。`,
              },
              done: '已确认考场情况',
              undo: () => undoBy(reopenRoomRecords, { body: { ids: [row.id] } }),
            }),
            step(reopenRoomRecords, {
              label: '取消确认',
              danger: true,
              disabled: canRecord.reopen(row),
              with: { body: { ids: [row.id] } },
              confirm: {
                title: `取消确认“${nameOf(row)}”？`,
                content: '考生恢复为未登记到考；成绩登记表提交前可以取消。',
              },
              done: '已取消确认',
            }),
          ])
        }
        empty="还没有编排座位的考场。座位编排后，考试开始时在这里登记。"
      />
      <RecordForm key={`record-${record.key}`} {...record.props} />
    </>
  )
}
