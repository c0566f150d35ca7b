import { Button, Empty, Pagination, Table } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { bulkStep } from '@/kit/actions'
import { BulkBar } from '@/kit/BulkBar'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { ImportButton } from '@/kit/ImportWizard'
import { Loaded } from '@/kit/Loaded'
import { RowActions } from '@/kit/RowActions'
import { askRemoval, removal, switching } from '@/kit/steps'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { FIRST_PAGE, PAGE_SIZE } from '@/kit/useQueryTable'
import {
  changeClassroomStatus,
  deleteClassroom,
  deleteClassrooms,
  editClassroom,
  exportClassrooms,
  fetchClassroomImportTemplate,
  importClassrooms,
  listClassrooms,
  type listSites,
  saveClassroom,
  viewClassroom,
} from './api'

type Classroom = RowOf<typeof listClassrooms>
type Site = RowOf<typeof listSites>

const columns = columnsOf(listClassrooms, [
  { field: 'name', width: 170 },
  { field: 'roomType', width: 90 },
  { field: 'capacity', width: 80 },
  { field: 'examCapacity', width: 90 },
  { field: 'enabled', width: 80 },
])

interface Draft {
  site: Site
  room?: Classroom
}

/** 教室: the rooms of one site. */
export const Classrooms = ({ site }: { site: Site }) => {
  const request = useRequest()
  const [pageCurrent, setPage] = useState(FIRST_PAGE)
  const [selected, select] = useState<number[]>([])
  const form = useDrawer<Draft>()
  const body = { siteId: site.id, pageCurrent, pageSize: PAGE_SIZE }
  const rooms = useQuery({
    queryKey: [listClassrooms.path, body],
    queryFn: ({ signal }) => request(listClassrooms, { body }, { signal }),
    placeholderData: keepPreviousData,
  })
  return (
    <Loaded query={rooms}>
      {({ list, totalCount }) => (
        <>
          <div className="toolbar">
            <Can do={saveClassroom}>
              <Button type="primary" icon={<IconPlus />} onClick={() => form.open({ site })}>
                新增教室
              </Button>
            </Can>
            <div className="toolbar-right">
              <ImportButton do={importClassrooms} template={fetchClassroomImportTemplate} what="教室" />
              <ExportButton do={exportClassrooms} table={{ body: { siteId: site.id }, total: totalCount }} />
            </div>
          </div>
          <BulkBar
            actions={[
              bulkStep(deleteClassrooms, {
                label: '批量删除',
                danger: true,
                confirm: askRemoval('教室'),
                input: (ids) => ({ body: { ids } }),
              }),
            ]}
            table={{
              selected,
              everything: false,
              total: list.length,
              body,
              selectEverything: () => select(list.map(({ id }) => id)),
              clearSelection: () => select([]),
            }}
          />
          <Table
            rowKey="id"
            size="small"
            border={{ wrapper: true }}
            pagination={false}
            data={list}
            noDataElement={<Empty description="该站点还没有教室。" />}
            rowSelection={{
              type: 'checkbox',
              selectedRowKeys: selected,
              onChange: (keys) => select(keys.map(Number)),
              checkboxProps: (room) => ({ 'aria-label': `选择${room.name}` }),
            }}
            columns={[
              ...columns.map((column) => ({
                title: column.title,
                dataIndex: column.key,
                width: column.width,
                align: column.align,
                render: (_: unknown, room: Classroom) => column.render(room),
              })),
              {
                title: '操作',
                dataIndex: 'actions',
                width: 170,
                render: (_: unknown, room: Classroom) => (
                  <RowActions
                    actions={[
                      { label: '编辑', do: editClassroom, onClick: () => form.open({ site, room }) },
                      switching(changeClassroomStatus, room),
                      removal(deleteClassroom, room),
                    ]}
                  />
                ),
              },
            ]}
          />
          {totalCount > PAGE_SIZE && (
            <Pagination
              className="pager"
              size="small"
              current={pageCurrent}
              pageSize={PAGE_SIZE}
              total={totalCount}
              onChange={(page) => {
                setPage(page)
                select([])
              }}
            />
          )}
          <ClassroomForm key={form.key} {...form.props} />
        </>
      )}
    </Loaded>
  )
}

const Field = fieldsOf(saveClassroom)

const ClassroomForm = ({ record, ...drawer }: DrawerProps<Draft>) => {
  const room = record?.room
  return (
    <FormDrawer<Classroom, { id: number }>
      {...drawer}
      record={room}
      title={room ? `编辑教室 ${room.name}` : `新增教室（${record?.site.name ?? ''}）`}
      initial={{ roomType: 'ordinary' }}
      action={(known) =>
        known
          ? formAction(editClassroom, '已保存教室', known)
          : formAction(saveClassroom, '已新增教室', { siteId: record?.site.id })
      }
      reload={(known, call) => call(viewClassroom, { query: { id: known.id } })}
      keep={['building', 'roomType', 'capacity']}
    >
      <Field name="building" />
      <Field name="roomNo" />
      <Field name="name" help="留空时为“楼宇+房间号”" />
      <Field name="roomType" />
      <Field name="capacity" />
      <Field name="examCapacity" help="不大于容量；不用于考试时留空" />
    </FormDrawer>
  )
}
