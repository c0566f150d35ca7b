import { Button, Radio, Space } from '@arco-design/web-react'
import { IconDownload } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { tellSuccess } from '@/api/errors'
import { download } from '@/api/files'
import { useNamed } from '@/api/schoolContext'
import { sites } from '@/basic_data/choices'
import { courses } from '@/course_opening/choices'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { OptionFilter, SelectFilter, TextFilter } from '@/kit/filters'
import { QueryTable } from '@/kit/QueryTable'
import { useQueryTable } from '@/kit/useQueryTable'
import { timeWords } from '@/exams/examRules'
import { exportExamSeats, listExamSeats, printExamTickets } from './api'
import { usePrinted } from './printed'
import { sessionTones } from './seatRules'

const columns = columnsOf(listExamSeats, [
  { field: 'name', width: 110, fixed: 'left' },
  { field: 'studentNo', under: 'name' },
  { field: 'examRoomNo', width: 84 },
  { field: 'seatNo', width: 76 },
  { field: 'ticketNo', width: 150 },
  { field: 'courseName', title: '课程', width: 160 },
  { field: 'sessionCode', width: 84 },
  { field: 'startsAt', title: '考试时间', width: 220, render: ({ startsAt, endsAt }) => timeWords(startsAt, endsAt) },
  { field: 'examSiteName', width: 140 },
  { field: 'roomName', width: 140 },
  { field: 'className', title: '班级', width: 150 },
  { field: 'majorName', title: '专业', width: 140 },
  { field: 'manual', width: 90 },
  { field: 'sessionStatus', title: '场次状态', width: 90, hidden: true, tones: sessionTones },
  { field: 'round', title: '性质', width: 84, hidden: true },
  { field: 'gender', width: 60, hidden: true },
  { field: 'idCardNo', width: 180, hidden: true },
  { field: 'courseCode', width: 100, hidden: true },
])

const layouts = (exportExamSeats.fields.layout?.options ?? []).map(([value, label]) => ({ value, label }))

interface ListProps {
  batchId: number
  sessionId?: number
  /** To look at only: without printing. */
  plain?: boolean
}

/** 名单 of a batch or a session with its seats; the file is one list, a sheet a room, or a workbook a site. */
export const SeatList = ({ batchId, sessionId, plain = false }: ListProps) => {
  const table = useQueryTable(listExamSeats, { usual: { batchId, sessionId } })
  const named = useNamed()
  const printing = usePrinted()
  const [layout, setLayout] = useState('list')
  const { pageCurrent: _page, pageSize: _size, ...filter } = table.body
  const other = useMutation({
    mutationFn: async () => {
      const body = { ...filter, layout }
      await download(exportExamSeats, named(exportExamSeats, { query: { job: false }, body }), '座位编排.xlsx')
      tellSuccess('已导出座位编排')
    },
  })
  return (
    <>
      <FilterBar table={table}>
        <TextFilter of={listExamSeats} field="name" />
        <TextFilter of={listExamSeats} field="studentNo" />
        <OptionFilter of={listExamSeats} field="siteId" {...sites} />
        <OptionFilter of={listExamSeats} field="courseId" {...courses} />
        <SelectFilter
          of={listExamSeats}
          field="seated"
          options={[
            { value: 'true', label: '已编排' },
            { value: 'false', label: '未编排' },
          ]}
        />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={({ name, courseName }) => `${name}《${courseName}》`}
        tools={
          <Space size={8}>
            {layout === 'list' ? (
              <ExportButton do={exportExamSeats} table={table} />
            ) : (
              <Can do={exportExamSeats}>
                <Button
                  icon={<IconDownload />}
                  disabled={table.total === 0}
                  loading={other.isPending}
                  onClick={() => other.mutate()}
                >
                  导出
                </Button>
              </Can>
            )}
            <Can do={exportExamSeats}>
              <Radio.Group
                type="button"
                size="small"
                name="seat-layout"
                aria-label="导出格式"
                value={layout}
                options={layouts}
                onChange={setLayout}
              />
            </Can>
          </Space>
        }
        bulk={
          plain
            ? []
            : [
                {
                  label: '打印准考证',
                  do: printExamTickets,
                  open: (ids) => printing.mutate({ operation: printExamTickets, body: { ids: [...ids], batchId } }),
                },
              ]
        }
        empty="还没有考生。线下考试审核通过后，考生在这里编排座位。"
      />
    </>
  )
}
