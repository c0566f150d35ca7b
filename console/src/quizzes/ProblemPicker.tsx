import { Button, Drawer, Input, Select, Space } from '@arco-design/web-react'
import { useState } from 'react'
import { CategorySelect } from '@/catalogue/choices'
import { DialogName } from '@/kit/DialogName'
import { DrawerList } from '@/kit/DrawerList'
import { labelOf } from '@/kit/labels'
import { useSettled } from '@/kit/useSettled'
import type { QuestionType } from '@/question_bank/questionRules'
import { listQuizProblemCategories, listQuizProblems } from './api'
import { type ProblemRow, problemColumns } from './problemColumns'
import type { ChosenProblem } from './quizContent'
import './quizzes.css'

const types = (listQuizProblems.fields.type?.options ?? [])
  .filter(([value]) => value !== 'file_upload')
  .map(([value, label]) => ({ value, label }))

const chosenOf = ({ id, defaultScore, type, stemText }: ProblemRow): ChosenProblem => ({
  problemId: id,
  score: defaultScore,
  type: labelOf(listQuizProblems, 'type', type),
  stem: stemText,
})

interface ProblemPickerProps {
  visible: boolean
  /** Those that stand in the paper already. */
  chosen: ReadonlySet<number>
  onChoose: (problems: ChosenProblem[]) => void
  onClose: () => void
}

const Choosing = ({ chosen, onChoose, onClose }: Omit<ProblemPickerProps, 'visible'>) => {
  const [text, setText] = useState('')
  const [categoryId, setCategory] = useState<number>()
  const [type, setType] = useState<QuestionType>()
  const [picked, setPicked] = useState<ProblemRow[]>([])
  const keyword = useSettled(text) || undefined
  return (
    <>
      <div className="toolbar">
        <Input.Search
          className="drawer-search"
          aria-label="题干"
          placeholder="题干或编号"
          allowClear
          value={text}
          onChange={setText}
        />
        <div className="drawer-search">
          <CategorySelect
            of={listQuizProblemCategories}
            aria-label="试题分类"
            placeholder="全部分类"
            clearable
            value={categoryId}
            onChange={setCategory}
          />
        </div>
        <Select
          className="drawer-search"
          aria-label="题型"
          placeholder="全部题型"
          allowClear
          value={type}
          options={types}
          onChange={setType}
        />
      </div>
      <DrawerList
        of={listQuizProblems}
        filter={{ keyword, categoryId, type, enabled: true }}
        empty={
          keyword || categoryId || type
            ? '没有这样的试题，请更换条件。'
            : '没有可选的试题。先在“试题分类”中新增或导入。'
        }
        columns={problemColumns}
        ticked={{
          rows: picked,
          onChange: setPicked,
          may: ({ id, type: kind }) => !chosen.has(id) && kind !== 'file_upload',
          nameOf: ({ id }) => `试题${id}`,
        }}
      />
      <Space className="picker-foot">
        <Button onClick={onClose}>取消</Button>
        <Button
          type="primary"
          disabled={picked.length === 0}
          onClick={() => {
            onChoose(picked.map(chosenOf))
            onClose()
          }}
        >
          加入{picked.length}题
        </Button>
      </Space>
    </>
  )
}

/** 选题: questions in use that the paper does not have yet. What is answered with a file is left out: learners have no way to send one. */
export const ProblemPicker = ({ visible, ...choosing }: ProblemPickerProps) => (
  <Drawer title="选择试题" width={860} visible={visible} footer={null} onCancel={choosing.onClose} unmountOnExit>
    <DialogName name="选择试题" />
    <Choosing {...choosing} />
  </Drawer>
)
