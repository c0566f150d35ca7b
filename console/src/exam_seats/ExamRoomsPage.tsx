import { Button, Space } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { sites } from '@/basic_data/choices'
import { bulkStep } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { EnabledFilter, EnumFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { fieldsOf } from '@/kit/Field'
import { formAction } from '@/kit/formAction'
import { formatNumber } from '@/kit/format'
import { ImportButton } from '@/kit/ImportWizard'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { SeveralOptions } from '@/kit/SeveralOptions'
import { askRemoval, removal, switching } from '@/kit/steps'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import {
  changeExamRoomStatus,
  deleteExamRoom,
  deleteExamRooms,
  editExamRoom,
  exportExamRooms,
  fetchExamRoomImportTemplate,
  generateExamRooms,
  importExamRooms,
  listExamRooms,
  saveExamRoom,
  viewExamRoom,
} from './api'
import { RoomForm } from './RoomForm'
import type { Room } from './seatRules'

const columns = columnsOf(listExamRooms, [
  { field: 'name', width: 180, fixed: 'left' },
  { field: 'enabled', title: '启用', width: 84, fixed: 'left' },
  { field: 'siteName', title: '站点', width: 150 },
  { field: 'building', width: 120 },
  { field: 'roomNo', width: 90 },
  {
    field: 'rowsCount',
    title: '行×列',
    width: 84,
    align: 'left',
    render: ({ rowsCount, columnsCount }) => `${rowsCount}×${columnsCount}`,
  },
  { field: 'capacity', width: 84 },
  { field: 'blockedSeats', title: '不可用', width: 140 },
  { field: 'roomType', width: 110 },
  { field: 'monitored', width: 84 },
  { field: 'priority', title: '顺序', width: 70 },
  { field: 'classroomName', title: '教室', width: 140, hidden: true },
])

const Generate = fieldsOf(generateExamRooms)

/** 从教室生成: classrooms that have a number of seats for examinations and no room yet. */
const GenerateForm = (drawer: DrawerProps<never>) => (
  <FormDrawer<{ siteIds?: number[] }, { ids: number[] }>
    {...drawer}
    record={undefined}
    initial={{ siteIds: [] }}
    title="从教室生成考场"
    okText="生成考场"
    action={() =>
      formAction(generateExamRooms, ({ ids }) =>
        ids.length > 0 ? `已生成${formatNumber(ids.length)}个考场` : '没有可以生成的教室，请先在教室中填写考试容量',
      )
    }
  >
    <p className="form-hint">有考试容量、还没有对应考场的教室各生成一个考场，座位按容量排成近似方形，可以再修改。</p>
    <Generate name="siteIds" help="不选为全部站点">
      <SeveralOptions label="站点" {...sites} />
    </Generate>
  </FormDrawer>
)

/** 考场管理: rooms in which paper is written, with their seats (04 §4.4). */
export const ExamRoomsPage = () => {
  const table = useQueryTable(listExamRooms)
  const form = useDrawer<Room>()
  const generate = useDrawer<never>()
  return (
    <Page title="考场管理" help="各站点用于线下考试的考场；座位从1起逐行编号，不可用的座位不编排考生。">
      <FilterBar table={table}>
        <TextFilter of={listExamRooms} field="keyword" />
        <OptionFilter of={listExamRooms} field="siteId" {...sites} />
        <TextFilter of={listExamRooms} field="building" />
        <EnumFilter of={listExamRooms} field="roomType" />
        <EnabledFilter of={listExamRooms} field="enabled" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={({ name }) => name}
        primary={
          <Space size={8}>
            <Can do={saveExamRoom}>
              <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
                新增考场
              </Button>
            </Can>
            <Can do={generateExamRooms}>
              <Button onClick={() => generate.open()}>从教室生成</Button>
            </Can>
          </Space>
        }
        tools={
          <>
            <ImportButton do={importExamRooms} template={fetchExamRoomImportTemplate} what="考场" />
            <ExportButton do={exportExamRooms} table={table} />
          </>
        }
        bulk={[
          bulkStep(deleteExamRooms, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('考场'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={historyOf(viewExamRoom, 'exam_room')}
        actions={(row) => [
          { label: '编辑', do: editExamRoom, onClick: () => form.open(row) },
          switching(changeExamRoomStatus, row, '已编排的座位保持不变，以后编排时不再使用。'),
          removal(deleteExamRoom, row),
          { label: '查看', do: viewExamRoom, onClick: () => table.open(row) },
        ]}
        empty="还没有考场。新增考场，从教室生成，或导入。"
      />
      <RoomForm key={`form-${form.key}`} {...form.props} />
      <GenerateForm key={`generate-${generate.key}`} {...generate.props} />
    </Page>
  )
}
