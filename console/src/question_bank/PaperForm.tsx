import { Button, Form, Input, InputNumber, Select } from '@arco-design/web-react'
import { IconDelete, IconPlus } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { BodyOf, DataOf, RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { known } from '@/basic_data/BasicSelect'
import { CourseSelect } from '@/courses/CourseSelect'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { ReadFirst } from '@/kit/ReadFirst'
import type { DrawerProps } from '@/kit/useDrawer'
import { useEnumeration } from '@/settings/useEnumeration'
import { editPaper, type listPapers, listQuestions, savePaper, viewPaper } from './api'
import { BankSelect, SeveralOfBank } from './choices'
import { titleAt } from './composition'
import type { QuestionType } from './questionRules'

type Paper = RowOf<typeof listPapers>
type PaperBody = BodyOf<typeof savePaper>
type SectionBody = NonNullable<PaperBody['sections']>[number]
type View = DataOf<typeof viewPaper>

/** What stands in the form. */
type PaperDraft = Paper & { extraBankIds?: number[]; sections?: SectionBody[] }

const Field = fieldsOf(savePaper)

const MOST_SECTIONS = 30
const MOST_TITLE = 100
const MOST_SCORE = 100

const typeOptions = (listQuestions.fields.type?.options ?? []).map(([value, label]) => ({ value, label }))

interface SectionsInputProps {
  value?: SectionBody[]
  onChange?: (sections: SectionBody[]) => void
}

/** The sections that a new paper begins with; later they are changed where its questions are chosen. */
const SectionsInput = ({ value = [], onChange }: SectionsInputProps) => {
  const rules = useEnumeration('multipleRule')
  const change = (at: number, next: Partial<SectionBody>) =>
    onChange?.(value.map((section, index) => (index === at ? { ...section, ...next } : section)))
  const wordsOf = (type: string | undefined) => typeOptions.find((each) => each.value === type)?.label ?? ''
  return (
    <div className="lines-input">
      {value.length > 0 && (
        <table aria-label="大题">
          <thead>
            <tr>
              <th scope="col">标题</th>
              <th scope="col">题型</th>
              <th scope="col">每题分值</th>
              <th scope="col">多选题计分</th>
              <th scope="col">操作</th>
            </tr>
          </thead>
          <tbody>
            {value.map((section, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a section is nothing but its place
              <tr key={at}>
                <td>
                  <Input
                    aria-label={`大题${at + 1}标题`}
                    maxLength={MOST_TITLE}
                    value={section.title}
                    onChange={(title) => change(at, { title })}
                  />
                </td>
                <td>
                  <Select
                    aria-label={`大题${at + 1}题型`}
                    placeholder="不限"
                    allowClear
                    value={section.type ?? undefined}
                    options={typeOptions}
                    onChange={(type: QuestionType | undefined) => {
                      const isOffered =
                        section.title === '' || section.title === titleAt(at, wordsOf(section.type ?? undefined))
                      change(at, { type, ...(isOffered && { title: titleAt(at, wordsOf(type)) }) })
                    }}
                  />
                </td>
                <td>
                  <InputNumber
                    className="score-input"
                    aria-label={`大题${at + 1}每题分值`}
                    min={0}
                    max={MOST_SCORE}
                    precision={1}
                    step={0.5}
                    value={section.defaultScore ?? undefined}
                    onChange={(score) => change(at, { defaultScore: typeof score === 'number' ? score : null })}
                  />
                </td>
                <td>
                  <Select
                    aria-label={`大题${at + 1}多选题计分`}
                    value={section.multipleRule ?? 'all_or_nothing'}
                    disabled={
                      Boolean(section.type) && section.type !== 'multiple_choice' && section.type !== 'case_analysis'
                    }
                    options={rules.map(({ code, desc }) => ({ value: code, label: desc }))}
                    onChange={(multipleRule: SectionBody['multipleRule']) => change(at, { multipleRule })}
                  />
                </td>
                <td>
                  <Button
                    type="text"
                    status="danger"
                    icon={<IconDelete />}
                    aria-label={`删除大题${at + 1}`}
                    onClick={() => onChange?.(value.toSpliced(at, 1))}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Button
        size="small"
        icon={<IconPlus />}
        disabled={value.length >= MOST_SECTIONS}
        onClick={() => onChange?.([...value, { title: titleAt(value.length, '') }])}
      >
        添加大题
      </Button>
    </div>
  )
}

const WIDTH = 760

interface PaperFormProps extends DrawerProps<Paper> {
  onSaved?: (id: number) => void
}

/** 新增 and 编辑 of what a paper is; its questions are chosen afterwards. */
export const PaperForm = ({ record, visible, ...drawer }: PaperFormProps) => {
  const request = useRequest()
  // The list does not tell the other banks.
  const query = useQuery({
    queryKey: [viewPaper.path, record?.id, 'form'],
    queryFn: ({ signal }) => request(viewPaper, { query: { id: record?.id } }, { signal }),
    enabled: visible && record !== undefined,
    gcTime: 0,
  })
  if (record && !query.data) {
    const title = `编辑试卷 ${record.name}`
    return <ReadFirst title={title} width={WIDTH} visible={visible} onClose={drawer.onClose} query={query} />
  }
  return <Typed key={query.data?.id} {...drawer} visible={visible} view={query.data} />
}

const draftOf = (view: View): PaperDraft => ({ ...view, extraBankIds: view.extraBanks.map(({ id }) => id) })

interface TypedProps extends Omit<PaperFormProps, 'record'> {
  view: View | undefined
}

const Typed = ({ view, onSaved, ...drawer }: TypedProps) => {
  const record = useMemo(() => view && draftOf(view), [view])
  const isSettled = record?.status === 'approved' || record?.status === 'disabled'
  const isComposed = (record?.questionCount ?? 0) > 0
  return (
    <FormDrawer<PaperDraft, { id: number }>
      {...drawer}
      record={record}
      width={WIDTH}
      title={record ? `编辑试卷 ${record.name}` : '新增试卷'}
      initial={{ kind: 'exam', composeMode: 'manual', totalScore: 100, passScore: 60, overlapMaxPercent: 100 }}
      action={(paper) => {
        const save = paper ? formAction(editPaper, '已保存试卷', paper) : formAction(savePaper, '已新增试卷')
        const without = (values: object) =>
          'kind' in values && values.kind === 'homework' ? { ...values, durationMinutes: null } : values
        return { ...save, send: (values, request) => save.send(without(values), request) }
      }}
      reload={async (paper, call) => draftOf(await call(viewPaper, { query: { id: paper.id } }))}
      keep={['courseId', 'kind', 'composeMode', 'totalScore', 'passScore', 'durationMinutes']}
      onSaved={({ id }) => onSaved?.(id)}
    >
      {isSettled && (
        <p className="form-hint">试卷已审核，保存后生成第{(record?.versionNo ?? 0) + 1}版草稿，原版本保持不变。</p>
      )}
      <Field name="name" />
      <Field name="code" help={record ? undefined : '留空时自动编号'} required={false} />
      <Field name="courseId" disabled={isComposed} help={isComposed ? '已有试题，不能更换课程' : undefined}>
        <CourseSelect type="course" disabled={isComposed} known={known(record?.courseId, record?.courseName)} />
      </Field>
      <Field name="kind" help="决定可以使用哪些题库的试题" />
      <Field name="composeMode" />
      <Form.Item noStyle shouldUpdate>
        {(values: Partial<Paper>) => (
          <>
            {values.composeMode && values.composeMode !== 'manual' && (
              <Field name="ruleId" label="组卷策略">
                <BankSelect
                  type="paperRule"
                  courseId={values.courseId}
                  known={known(record?.ruleId, record?.ruleName)}
                />
              </Field>
            )}
            {values.kind !== 'homework' && <Field name="durationMinutes" label="时长" help="分钟，10至300" />}
          </>
        )}
      </Form.Item>
      <Field name="totalScore" help="各题分值合计须与之一致才能提交" />
      <Field name="passScore" />
      <Field name="overlapMaxPercent" label="重复率上限" help="与同族其他卷相同试题的最高百分比" />
      <Field name="extraBankIds" label="其他题库" help="本课程题库之外可以选题的题库，最多20个">
        <SeveralOfBank
          type="questionBank"
          placeholder="无"
          known={view?.extraBanks.map(({ id, name }) => ({ code: id, desc: name }))}
        />
      </Field>
      {!record && (
        <div className="form-whole">
          <Field name="sections" label="大题" help="也可以在选题时再设置">
            <SectionsInput />
          </Field>
        </div>
      )}
    </FormDrawer>
  )
}
