import { Button, Drawer, Input, Select } from '@arco-design/web-react'
import { IconDownload, IconPlus } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { tellError, tellSuccess } from '@/api/errors'
import { useAllowed } from '@/api/identity'
import { useCall } from '@/api/schoolContext'
import { refusalIn } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { confirm } from '@/kit/confirm'
import { DialogName } from '@/kit/DialogName'
import { DrawerList } from '@/kit/DrawerList'
import { ImportButton } from '@/kit/ImportWizard'
import { Enabled } from '@/kit/Status'
import { askRemoval, removal, switching } from '@/kit/steps'
import { useAction } from '@/kit/useAction'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useFileOf } from '@/kit/useFileOf'
import { useSettled } from '@/kit/useSettled'
import type { QuestionType } from '@/question_bank/questionRules'
import {
  changeQuizProblemStatus,
  deleteQuizProblem,
  deleteQuizProblems,
  editQuizProblem,
  exportQuizProblems,
  fetchQuizProblemImportTemplate,
  importQuizProblems,
  listQuizProblems,
  saveQuizProblem,
  viewQuizProblem,
} from './api'
import { ProblemForm, type ProblemOpened } from './ProblemForm'
import { type ProblemRow, problemColumns } from './problemColumns'
import './quizzes.css'

/** The category whose questions are shown. */
export interface CategoryOfProblems {
  id: number
  categoryName: string
}

/** Enough for a stem to be told from others. */
const NAME = 20

const nameOf = ({ stemText }: ProblemRow) => stemText.slice(0, NAME)

const types = (listQuizProblems.fields.type?.options ?? []).map(([value, label]) => ({ value, label }))

const Problems = ({ category }: { category: CategoryOfProblems }) => {
  const call = useCall()
  const mayRemove = useAllowed()(deleteQuizProblems)
  const [picked, setPicked] = useState<ProblemRow[]>([])
  const removing = useAction(deleteQuizProblems, {
    onDone: (answer) => {
      const refusal = refusalIn(answer)
      if (refusal) tellError(refusal)
      else tellSuccess(`已删除${answer.done}道试题`)
      setPicked([])
    },
  })
  const removePicked = async () => {
    const sure = await confirm({ ...askRemoval('试题')(picked.length), okText: '删除', danger: true })
    if (sure) removing.mutate({ body: { ids: picked.map(({ id }) => id) } })
  }
  const form = useDrawer<ProblemOpened>()
  const file = useFileOf(exportQuizProblems)
  const [text, setText] = useState('')
  const [type, setType] = useState<QuestionType>()
  const keyword = useSettled(text) || undefined
  const filter = { categoryId: category.id, keyword, type }
  const opening = useMutation({
    mutationFn: ({ id }: { id: number; copy: boolean }) => call(viewQuizProblem, { query: { id } }),
    onSuccess: (view, { copy }) => form.open({ categoryId: category.id, ...(copy ? { copied: view } : { view }) }),
  })
  return (
    <>
      <div className="toolbar">
        <Can do={saveQuizProblem}>
          <Button type="primary" icon={<IconPlus />} onClick={() => form.open({ categoryId: category.id })}>
            新增试题
          </Button>
        </Can>
        <Can do={deleteQuizProblems}>
          <Button
            status="danger"
            disabled={picked.length === 0}
            title={picked.length === 0 ? '请先勾选试题' : undefined}
            loading={removing.isPending}
            onClick={removePicked}
          >
            批量删除{picked.length > 0 ? `（${picked.length}）` : ''}
          </Button>
        </Can>
        <Input.Search
          className="drawer-search"
          aria-label="题干"
          placeholder="题干或编号"
          allowClear
          value={text}
          onChange={setText}
        />
        <Select
          className="drawer-search"
          aria-label="题型"
          placeholder="全部题型"
          allowClear
          value={type}
          options={types}
          onChange={setType}
        />
        <div className="toolbar-right">
          <ImportButton
            do={importQuizProblems}
            template={fetchQuizProblemImportTemplate}
            what="试题"
            fields={{ categoryId: String(category.id) }}
          />
          <Can do={exportQuizProblems}>
            <Button
              icon={<IconDownload />}
              loading={file.isPending}
              onClick={() => file.mutate({ input: { body: filter }, name: `${category.categoryName}试题.xlsx` })}
            >
              导出
            </Button>
          </Can>
        </div>
      </div>
      <DrawerList
        of={listQuizProblems}
        filter={filter}
        ticked={mayRemove ? { rows: picked, onChange: setPicked, may: () => true, nameOf } : undefined}
        empty={keyword || type ? '没有这样的试题，请更换条件。' : '该分类还没有试题。可以新增，也可以用表格导入。'}
        columns={[
          ...problemColumns,
          { title: '引用试卷', dataIndex: 'examCount', width: 90, align: 'right' },
          { title: '启用', dataIndex: 'enabled', width: 80, render: (enabled: boolean) => <Enabled value={enabled} /> },
        ]}
        actions={(row) => {
          const named = { ...row, name: nameOf(row) }
          return [
            { label: '编辑', do: editQuizProblem, onClick: () => opening.mutate({ id: row.id, copy: false }) },
            { label: '复制', do: saveQuizProblem, onClick: () => opening.mutate({ id: row.id, copy: true }) },
            switching(changeQuizProblemStatus, named, '停用的试题不能再组进试卷，已有的试卷不受影响。'),
            removal(deleteQuizProblem, named),
          ]
        }}
      />
      <ProblemForm key={form.key} {...form.props} />
    </>
  )
}

/** 试题 of a category: 01 §9.7 has no page of their own for them. */
export const ProblemList = ({ record, visible, onClose }: DrawerProps<CategoryOfProblems>) => {
  const title = `试题 ${record?.categoryName ?? ''}`
  return (
    <Drawer title={title} width={1080} visible={visible} footer={null} onCancel={onClose} unmountOnExit>
      <DialogName name={title} />
      {record && <Problems category={record} />}
    </Drawer>
  )
}
