import { Button, Empty, Table } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useRef } from 'react'
import type { RowOf } from '@/api/operation'
import { useCall } from '@/api/schoolContext'
import { step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { Expander } from '@/kit/Expander'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { ImportButton } from '@/kit/ImportWizard'
import { RowActions } from '@/kit/RowActions'
import { flat } from '@/kit/treeOrder'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useTreeOrder } from '@/kit/useTreeOrder'
import {
  deleteChapter,
  editChapter,
  fetchChapterImportTemplate,
  importChapters,
  type listChapters,
  saveChapter,
  sortChapters,
} from './api'

export type ChapterNode = RowOf<typeof listChapters>

/** A chapter that is edited, or a new one, perhaps a section of another. */
interface Draft {
  chapter?: ChapterNode
  below?: ChapterNode
}

interface Named {
  id: number
  name: string
  sortNo: number
  children: Named[]
}

/** Moves are of named things. */
const named = (node: ChapterNode): Named => ({
  id: node.id,
  name: node.title,
  sortNo: node.sortNo,
  children: node.children.map(named),
})

interface ChapterTreeProps {
  courseId: number
  nodes: readonly ChapterNode[]
  chosen: number | undefined
  choose: (id: number | undefined) => void
}

/** The syllabus of a course: 章 and 节, to be chosen, changed and put in order. */
export const ChapterTree = ({ courseId, nodes, chosen, choose }: ChapterTreeProps) => {
  const call = useCall()
  const form = useDrawer<Draft>()
  const written = useRef(new Map<number, number>())
  const all = flat(nodes)
  // The order is sent as a whole, so that the server sees whether this one knew every chapter.
  const write = async (id: number, sortNo: number) => {
    written.current.set(id, sortNo)
    const items = all.map((node) => ({
      id: node.id,
      parentId: node.parentId,
      sortNo: written.current.get(node.id) ?? node.sortNo,
    }))
    await call(sortChapters, { body: { courseId, items } }).finally(() => written.current.clear())
  }
  const order = useTreeOrder({ roots: nodes.map(named), edit: sortChapters, write, filtered: false })
  return (
    <section className="chapter-tree" aria-label="章节">
      <div className="toolbar">
        <Can do={saveChapter}>
          <Button type="primary" icon={<IconPlus />} onClick={() => form.open({})}>
            新增章
          </Button>
        </Can>
        <div className="toolbar-right">
          <ImportButton
            do={importChapters}
            template={fetchChapterImportTemplate}
            what="课程章节"
            fields={{ courseId: String(courseId) }}
          />
        </div>
      </div>
      <Table
        key={all
          .map(({ id }) => id)
          .sort((a, b) => a - b)
          .join()}
        rowKey="id"
        size="small"
        data={[...nodes]}
        pagination={false}
        border={{ wrapper: true }}
        defaultExpandAllRows
        expandProps={{
          icon: ({ expanded, record, ...button }) =>
            record.children.length > 0 && <Expander {...button} expanded={expanded} name={record.title} />,
        }}
        onRow={order.row}
        rowClassName={({ id }) => (id === chosen ? 'row-open' : '')}
        noDataElement={<Empty description="还没有章节。请新增，或下载模板批量导入。" />}
        columns={[
          {
            title: '标题',
            dataIndex: 'title',
            render: (title: string, node: ChapterNode) => (
              <button
                type="button"
                className="row-name"
                aria-pressed={node.id === chosen}
                onClick={() => choose(node.id === chosen ? undefined : node.id)}
              >
                {title}
              </button>
            ),
          },
          { title: '学时', dataIndex: 'hours', width: 60, align: 'right' },
          { title: '课时', dataIndex: 'periodCount', width: 60, align: 'right' },
          {
            title: '操作',
            dataIndex: 'actions',
            width: 80,
            render: (_: unknown, node: ChapterNode) => (
              <RowActions
                folded
                actions={[
                  {
                    label: '新增节',
                    do: saveChapter,
                    disabled: node.parentId ? '章节最多两级：章、节' : undefined,
                    onClick: () => form.open({ below: node }),
                  },
                  { label: '编辑', do: editChapter, onClick: () => form.open({ chapter: node }) },
                  ...order.actions(node),
                  step(deleteChapter, {
                    label: '删除',
                    danger: true,
                    with: { query: { id: node.id } },
                    confirm: { title: `确定删除“${node.title}”吗？`, content: '删除后不能恢复。' },
                    done: `已删除“${node.title}”`,
                  }),
                ]}
              />
            ),
          },
        ]}
      />
      <ChapterForm key={form.key} courseId={courseId} {...form.props} />
    </section>
  )
}

const Field = fieldsOf(saveChapter)

const ChapterForm = ({ record, courseId, ...drawer }: DrawerProps<Draft> & { courseId: number }) => {
  const chapter = record?.chapter
  const below = record?.below
  const what = chapter?.parentId || below ? '节' : '章'
  return (
    <FormDrawer<ChapterNode, { id: number }>
      {...drawer}
      record={chapter}
      title={chapter ? `编辑${what} ${chapter.title}` : `新增${what}${below ? `：${below.title}` : ''}`}
      initial={{ hours: 0 }}
      action={(edited) => {
        const save = edited
          ? formAction(editChapter, `已保存${what}`, edited)
          : formAction(saveChapter, `已新增${what}`)
        return {
          ...save,
          send: (values, request) =>
            save.send({ courseId, parentId: below?.id ?? chapter?.parentId, ...values }, request),
        }
      }}
      keep={['hours']}
    >
      <Field name="title" />
      <Field name="hours" />
    </FormDrawer>
  )
}
