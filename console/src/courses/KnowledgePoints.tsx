import { Button, Drawer, Empty, Input, Select } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { isValidElement, useState } from 'react'
import type { Caller } from '@/api/client'
import type { RowOf } from '@/api/operation'
import { useCall, useRequest } from '@/api/schoolContext'
import { bulkStep } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { DialogName } from '@/kit/DialogName'
import { ExportButton } from '@/kit/ExportButton'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { askRemoval, removal } from '@/kit/steps'
import { TreeTable } from '@/kit/TreeTable'
import { flat } from '@/kit/treeOrder'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useSettled } from '@/kit/useSettled'
import { useTreeOrder } from '@/kit/useTreeOrder'
import {
  deleteKnowledgePoint,
  deleteKnowledgePoints,
  editKnowledgePoint,
  exportKnowledgePoints,
  type listCourses,
  listKnowledgePoints,
  saveKnowledgePoint,
  viewKnowledgePoint,
} from './api'
import { LEVELS, superiorsFor } from './knowledgeTree'

type Course = Pick<RowOf<typeof listCourses>, 'id' | 'name'>
type Node = RowOf<typeof listKnowledgePoints>
type KnowledgePoint = RowOf<typeof viewKnowledgePoint>

/** A point that is edited, or a new one, perhaps below another. */
interface Draft {
  point?: Node
  below?: Node
}

const renumber = async (call: Caller, nodes: readonly Node[], id: number, sortNo: number) => {
  const node = flat(nodes).find((each) => each.id === id)
  if (!node) return
  const { version, courseId, parentId, code, name } = node
  await call(editKnowledgePoint, { body: { id, version, courseId, parentId, code, name, sortNo } })
}

/** 知识点 of one course beside the list of courses. */
export const KnowledgePointsDrawer = ({ record: course, visible, onClose }: DrawerProps<Course>) => {
  const title = `知识点 ${course?.name ?? ''}`
  return (
    <Drawer title={title} width={860} visible={visible} footer={null} onCancel={onClose} unmountOnExit>
      <DialogName name={title} />
      {course && <KnowledgePoints courseId={course.id} />}
    </Drawer>
  )
}

const KnowledgePoints = ({ courseId }: { courseId: number }) => {
  const request = useRequest()
  const [text, setText] = useState('')
  const keyword = useSettled(text).trim() || undefined
  const body = { courseId, keyword }
  const points = useQuery({
    queryKey: [listKnowledgePoints.path, body],
    queryFn: ({ signal }) => request(listKnowledgePoints, { body }, { signal }),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <p className="form-lead">最多三级；同一课程中编码和名称不重复。拖动一行可在同级中调整顺序。</p>
      <Input.Search
        className="form-lead"
        aria-label="查找知识点"
        placeholder="编码或名称"
        allowClear
        maxLength={listKnowledgePoints.fields.keyword?.maxLength}
        value={text}
        onChange={setText}
      />
      <Tree body={body} query={points} />
    </>
  )
}

interface TreeProps {
  /** Of which course, and what the tree is narrowed to. */
  body: { courseId: number; keyword: string | undefined }
  query: UseQueryResult<Node[]>
}

const Tree = ({ body, query }: TreeProps) => {
  const nodes = query.data ?? []
  const call = useCall()
  const form = useDrawer<Draft>()
  const filtered = body.keyword !== undefined
  const order = useTreeOrder({
    roots: nodes,
    edit: editKnowledgePoint,
    write: (id, sortNo) => renumber(call, nodes, id, sortNo),
    filtered,
  })
  return (
    <>
      <div className="toolbar">
        <Can do={saveKnowledgePoint}>
          <Button type="primary" icon={<IconPlus />} onClick={() => form.open({})}>
            新增知识点
          </Button>
        </Can>
        <div className="toolbar-right">
          <ExportButton do={exportKnowledgePoints} table={{ body, total: flat(nodes).length }} />
        </div>
      </div>
      <TreeTable
        query={query}
        rows={nodes}
        nameOf={({ name }) => name}
        size="small"
        onRow={order.row}
        empty={<Empty description={filtered ? '没有符合条件的知识点' : '还没有知识点，请先新增。'} />}
        bulk={{
          body,
          actions: [
            bulkStep(deleteKnowledgePoints, {
              label: '批量删除',
              danger: true,
              confirm: askRemoval('知识点'),
              input: (ids) => ({ body: { ids } }),
            }),
          ],
        }}
        columns={[
          { title: '名称', dataIndex: 'name' },
          { title: '编码', dataIndex: 'code', width: 140 },
        ]}
        actions={(node) => [
          {
            label: '新增下级',
            do: saveKnowledgePoint,
            disabled: node.depth >= LEVELS ? '知识点最多三级' : undefined,
            onClick: () => form.open({ below: node }),
          },
          { label: '编辑', do: editKnowledgePoint, onClick: () => form.open({ point: node }) },
          ...order.actions(node),
          removal(deleteKnowledgePoint, node),
        ]}
      />
      <KnowledgePointForm key={form.key} courseId={body.courseId} nodes={nodes} {...form.props} />
    </>
  )
}

const Field = fieldsOf(saveKnowledgePoint)

interface SuperiorSelectProps {
  superiors: readonly Node[]
  'aria-label'?: string
  value?: number
  onChange?: (id: number | undefined) => void
}

const SuperiorSelect = ({ superiors, ...control }: SuperiorSelectProps) => (
  <Select
    {...control}
    placeholder="请选择"
    allowClear
    showSearch
    filterOption={(typed, option: unknown) =>
      isValidElement<{ children?: unknown }>(option) && String(option.props.children).includes(typed)
    }
    options={superiors.map(({ id, name, parentName }) => ({
      value: id,
      label: parentName ? `${parentName} / ${name}` : name,
    }))}
  />
)

interface KnowledgePointFormProps extends DrawerProps<Draft> {
  courseId: number
  nodes: readonly Node[]
}

const KnowledgePointForm = ({ record, courseId, nodes, ...drawer }: KnowledgePointFormProps) => {
  const point = record?.point
  return (
    <FormDrawer<KnowledgePoint | Node, { id: number }>
      {...drawer}
      record={point}
      title={point ? `编辑知识点 ${point.name}` : '新增知识点'}
      initial={{ parentId: record?.below?.id, sortNo: 0 }}
      action={(edited) =>
        edited
          ? formAction(editKnowledgePoint, '已保存知识点', edited)
          : formAction(saveKnowledgePoint, '已新增知识点', { courseId })
      }
      reload={(edited, call) => call(viewKnowledgePoint, { query: { id: edited.id } })}
      keep={['parentId']}
    >
      <Field name="parentId" help="留空为一级知识点">
        <SuperiorSelect superiors={superiorsFor(nodes, point)} />
      </Field>
      <Field name="name" />
      <Field name="code" />
      <Field name="sortNo" help="小的在前" />
    </FormDrawer>
  )
}
