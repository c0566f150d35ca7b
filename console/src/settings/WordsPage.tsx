import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { RowOf } from '@/api/operation'
import { step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { fieldsOf } from '@/kit/Field'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { EnabledFilter, EnumFilter, TextFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { undoBy } from '@/kit/undo'
import { useAction } from '@/kit/useAction'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { paths } from '@/paths'
import {
  changeSensitiveWordStatus,
  checkSensitiveText,
  deleteSensitiveWord,
  editSensitiveWord,
  listSensitiveWords,
  rebuildSensitiveWords,
  saveSensitiveWords,
} from './api'
import { CheckText } from './CheckText'
import { ImportWords } from './ImportWords'

type SensitiveWord = RowOf<typeof listSensitiveWords>

const columns = columnsOf(listSensitiveWords, [
  { field: 'word', width: 220, fixed: 'left' },
  { field: 'enabled', fixed: 'left' },
  'category',
  { field: 'action', tones: { reject: 'bad', review: 'warning', mask: 'busy' } },
  { field: 'hitCount', help: '提交的内容中遇到的次数，校验文本不计入' },
  'createdAt',
])

/** 敏感词库: the words that nobody may publish. */
export const WordsPage = () => {
  const table = useQueryTable(listSensitiveWords)
  const form = useDrawer<SensitiveWord>()
  const [checking, setChecking] = useState(false)
  const navigate = useNavigate()
  const rebuild = useAction(rebuildSensitiveWords, {
    done: ({ instances }) => `已通知${instances}个服务实例重建敏感词缓存`,
  })
  return (
    <Page
      title="敏感词库"
      help="比较时忽略大小写、全半角、空格和标点；命中多个词时，拒绝优先于转审核，转审核优先于替换。"
    >
      <FilterBar table={table}>
        <TextFilter of={listSensitiveWords} field="word" />
        <EnumFilter of={listSensitiveWords} field="category" />
        <EnumFilter of={listSensitiveWords} field="action" />
        <EnabledFilter of={listSensitiveWords} field="enabled" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(word) => word.word}
        primary={
          <Can do={saveSensitiveWords}>
            <Button type="primary" icon={<IconPlus />} onClick={() => navigate(paths.wordAdd)}>
              新增敏感词
            </Button>
          </Can>
        }
        tools={
          <>
            <Can do={checkSensitiveText}>
              <Button onClick={() => setChecking(true)}>校验文本</Button>
            </Can>
            <ImportWords />
            <Can do={rebuildSensitiveWords}>
              <Button loading={rebuild.isPending} onClick={() => rebuild.mutate({})}>
                清除缓存
              </Button>
            </Can>
          </>
        }
        actions={(word) => [
          { label: '编辑', do: editSensitiveWord, onClick: () => form.open(word) },
          step(changeSensitiveWordStatus, {
            label: word.enabled ? '停用' : '启用',
            with: { body: { id: word.id, enabled: !word.enabled, version: word.version } },
            done: word.enabled ? `已停用“${word.word}”` : `已启用“${word.word}”`,
            undo: () =>
              undoBy(changeSensitiveWordStatus, {
                body: { id: word.id, enabled: word.enabled, version: word.version + 1 },
              }),
          }),
          step(deleteSensitiveWord, {
            label: '删除',
            danger: true,
            with: { query: { id: word.id } },
            confirm: { title: `确定删除“${word.word}”吗？`, content: '删除后不能恢复。' },
            done: `已删除“${word.word}”`,
          }),
        ]}
        empty="还没有敏感词。点击“新增敏感词”，或导入文本文件，每行一个词。"
      />
      <WordForm key={form.key} {...form.props} />
      {checking && <CheckText onClose={() => setChecking(false)} />}
    </Page>
  )
}

const Field = fieldsOf(editSensitiveWord)

const WordForm = ({ record, ...drawer }: DrawerProps<SensitiveWord>) => (
  <FormDrawer
    {...drawer}
    record={record}
    title={`编辑敏感词 ${record?.word ?? ''}`}
    action={(word) => formAction(editSensitiveWord, '已保存敏感词', word)}
  >
    <Field name="word" />
    <Field name="category" />
    <Field name="action" />
  </FormDrawer>
)
