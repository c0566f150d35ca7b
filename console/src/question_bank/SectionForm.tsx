import { Form, Input, InputNumber, Select } from '@arco-design/web-react'
import { FormDialog } from '@/kit/FormDialog'
import { RichText } from '@/kit/RichText'
import type { RichTextParts } from '@/kit/RichTextEditor'
import { useEnumeration } from '@/settings/useEnumeration'
import { listQuestions } from './api'
import type { Section } from './composition'
import type { QuestionType } from './questionRules'

const MOST_TITLE = 100
const MOST_INSTRUCTION = 1000
const MOST_SCORE = 100

/** Neither links nor pictures: the server keeps none here. */
const wordsAlone: RichTextParts = { extensions: [], tools: () => null }

interface SectionValues {
  title: string
  instruction?: string
  type?: QuestionType
  defaultScore?: number
  multipleRule?: Section['multipleRule']
}

interface SectionFormProps {
  /** The section that is changed; a new one gets this title. */
  section?: Section
  title?: string
  /** Puts it into the paper; answers whether that went well. */
  save: (section: Section) => Promise<boolean>
  onClose: () => void
}

const typeOptions = (listQuestions.fields.type?.options ?? []).map(([value, label]) => ({ value, label }))

/** 新增 and 编辑 of a section of a paper. */
export const SectionForm = ({ section, title, save, onClose }: SectionFormProps) => {
  const rules = useEnumeration('multipleRule')
  return (
    <FormDialog<SectionValues, boolean>
      title={section ? '编辑大题' : '新增大题'}
      okText="保存"
      action={({ instruction, type, defaultScore, multipleRule, title: typed }) =>
        save({
          id: section?.id,
          questions: section?.questions ?? [],
          title: typed.trim(),
          instruction: instruction || null,
          type: type ?? null,
          defaultScore: defaultScore ?? null,
          multipleRule: multipleRule ?? 'all_or_nothing',
        })
      }
      onDone={(saved) => {
        if (saved) onClose()
      }}
      onClose={onClose}
    >
      <Form.Item
        field="title"
        label="标题"
        required
        initialValue={section?.title ?? title}
        rules={[{ required: true, message: '请输入标题' }]}
      >
        <Input aria-label="标题" maxLength={MOST_TITLE} />
      </Form.Item>
      <Form.Item
        field="type"
        label="题型"
        extra="设定后只能放这种题型；留空不限"
        initialValue={section?.type ?? undefined}
      >
        <Select aria-label="题型" placeholder="不限" allowClear options={typeOptions} />
      </Form.Item>
      <Form.Item
        field="defaultScore"
        label="每题分值"
        extra="加入的试题取此分值；留空取试题的默认分值"
        initialValue={section?.defaultScore ?? undefined}
      >
        <InputNumber aria-label="每题分值" min={0} max={MOST_SCORE} step={0.5} precision={1} />
      </Form.Item>
      <Form.Item field="multipleRule" label="多选题计分" initialValue={section?.multipleRule ?? 'all_or_nothing'}>
        <Select aria-label="多选题计分" options={rules.map(({ code, desc }) => ({ value: code, label: desc }))} />
      </Form.Item>
      <Form.Item field="instruction" label="说明" initialValue={section?.instruction ?? undefined}>
        <RichText aria-label="说明" most={MOST_INSTRUCTION} also={wordsAlone} />
      </Form.Item>
    </FormDialog>
  )
}
