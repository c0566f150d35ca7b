import { Button, Form, InputNumber, Select } from '@arco-design/web-react'
import { useState } from 'react'
import { tellError, tellSuccess } from '@/api/errors'
import type { BodyOf } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { Can } from '@/kit/Can'
import { FormDialog } from '@/kit/FormDialog'
import { appendPaperQuestions, generatePapers, listQuestions } from './api'
import { BankSelect } from './choices'
import { type PaperDetail, totalOf } from './composition'
import type { PaperDesk } from './usePaper'

type Filter = BodyOf<typeof listQuestions>

const optionsOf = (field: 'type' | 'difficulty') =>
  (listQuestions.fields[field]?.options ?? []).map(([value, label]) => ({ value, label }))

const MOST_DRAWN = 100

interface FillProps {
  paper: PaperDetail
  desk: PaperDesk
}

interface Wish {
  at: number
  type: NonNullable<Filter['type']>
  difficulty?: Filter['difficulty']
  count: number
}

/** 随机补足: so many of a type, by chance, of those that the paper does not have yet. */
export const RandomFill = ({ paper, desk }: FillProps) => {
  const [open, setOpen] = useState(false)
  return (
    <Can do={appendPaperQuestions}>
      <Button
        disabled={paper.sections.length === 0 || desk.isBusy}
        title={paper.sections.length === 0 ? '请先新增大题' : undefined}
        onClick={() => setOpen(true)}
      >
        随机补足
      </Button>
      {open && (
        <FormDialog<Wish, number | undefined>
          title="随机补足"
          okText="补足"
          action={async ({ at, type, difficulty, count }, call) => {
            const body = {
              courseId: paper.courseId,
              usableFor: paper.kind,
              excludePaperId: paper.id,
              type,
              difficulty,
              pageSize: count,
              sortField: 'random' as const,
            }
            const { list, totalCount } = await call(listQuestions, { body })
            if (totalCount < count) {
              tellError(`需要${count}题，可用${totalCount}题`)
              return undefined
            }
            const section = paper.sections[at]
            const chosen = list.map(({ id }) => id)
            return section?.id && (await desk.append(section.id, chosen)) ? count : undefined
          }}
          onDone={(count) => {
            if (count === undefined) return
            tellSuccess(`已补足${count}题`)
            setOpen(false)
          }}
          onClose={() => setOpen(false)}
        >
          <Form.Item field="at" label="大题" required initialValue={paper.sections.length - 1}>
            <Select aria-label="大题" options={paper.sections.map(({ title }, value) => ({ value, label: title }))} />
          </Form.Item>
          <Form.Item
            field="type"
            label="题型"
            required
            initialValue={paper.sections.at(-1)?.type ?? undefined}
            rules={[{ required: true, message: '请选择题型' }]}
          >
            <Select aria-label="题型" placeholder="请选择" options={optionsOf('type')} />
          </Form.Item>
          <Form.Item field="difficulty" label="难度">
            <Select aria-label="难度" placeholder="不限" allowClear options={optionsOf('difficulty')} />
          </Form.Item>
          <Form.Item
            field="count"
            label="题数"
            required
            initialValue={1}
            rules={[{ required: true, message: '请输入题数' }]}
          >
            <InputNumber aria-label="题数" min={1} max={MOST_DRAWN} precision={0} />
          </Form.Item>
        </FormDialog>
      )}
    </Can>
  )
}

/** 按策略组卷: the paper is drawn anew by a rule of its course. */
export const RuleFill = ({ paper, desk }: FillProps) => {
  const [open, setOpen] = useState(false)
  const { count } = totalOf(paper.sections)
  return (
    <Can do={generatePapers}>
      <Button
        disabled={paper.status !== 'draft' || desk.isBusy}
        title={paper.status === 'draft' ? undefined : '只有草稿可以按策略组卷'}
        onClick={() => setOpen(true)}
      >
        按策略组卷
      </Button>
      {open && (
        <FormDialog<{ id: number }, { ids: number[] }>
          title="按策略组卷"
          okText="组卷"
          danger={count > 0}
          lead={
            <p className="dialog-lead">
              {count > 0 ? `现有的大题和${count}道试题将被替换。` : '按策略抽题，生成大题和试题。'}
              题量不足时会说明哪一项缺题。
            </p>
          }
          action={({ id }, call) =>
            call(generatePapers, { body: { id, count: 1, paperId: paper.id, version: paper.version } })
          }
          onDone={async ({ ids: [made] }) => {
            setOpen(false)
            if (made) desk.goOn(made)
            await refetchAll()
            tellSuccess('已按策略组卷')
          }}
          onClose={() => setOpen(false)}
        >
          <Form.Item
            field="id"
            label="组卷策略"
            required
            initialValue={paper.ruleId ?? undefined}
            rules={[{ required: true, message: '请选择组卷策略' }]}
          >
            <BankSelect type="paperRule" courseId={paper.courseId} label="组卷策略" />
          </Form.Item>
        </FormDialog>
      )}
    </Can>
  )
}
