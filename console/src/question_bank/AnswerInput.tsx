import { Button, Checkbox, Input, InputNumber, Radio, Select } from '@arco-design/web-react'
import { IconDelete, IconPlus } from '@arco-design/web-react/icon'
import { useEnumeration } from '@/settings/useEnumeration'
import { ContentInput } from './ContentInput'
import {
  type AnswerDraft,
  anyUpload,
  type BlankDraft,
  MOST_ANALYSIS,
  newBlank,
  newPoint,
  type PointDraft,
  type QuestionType,
  type Upload,
} from './questionRules'

/** A stem has no more of them. */
const MOST_LINES = 50
const MOST_SCORE = 100
const LINE = 500

interface ScoreProps {
  label: string
  value: number
  onChange: (score: number) => void
  disabled?: boolean
}

/** 0.5 to 100 in steps that have one place. */
export const ScoreInput = ({ label, value, onChange, disabled }: ScoreProps) => (
  <InputNumber
    className="score-input"
    aria-label={label}
    size="small"
    min={0}
    max={MOST_SCORE}
    step={0.5}
    precision={1}
    disabled={disabled}
    value={value}
    onChange={(score) => onChange(typeof score === 'number' ? score : 0)}
  />
)

interface AnswerInputProps {
  type: QuestionType
  value?: AnswerDraft
  onChange?: (answer: AnswerDraft) => void
  /** Before the names of its controls, where there are several questions. */
  prefix?: string
  'aria-label'?: string
}

/** The right answer of what is no choice: true or false, blanks, a text with points for the marker. */
export const AnswerInput = ({ type, value = {}, onChange, prefix = '' }: AnswerInputProps) => {
  const set = (next: AnswerDraft) => onChange?.({ ...value, ...next })
  if (type === 'true_false') {
    return (
      <Radio.Group
        aria-label={`${prefix}答案`}
        value={value.value}
        options={[
          { value: true, label: '正确' },
          { value: false, label: '错误' },
        ]}
        onChange={(right: boolean) => set({ value: right })}
      />
    )
  }
  if (type === 'fill_blank') return <Blanks value={value} set={set} prefix={prefix} />
  return (
    <>
      <ContentInput
        aria-label={`${prefix}${type === 'file_upload' ? '评分标准' : '参考答案'}`}
        most={MOST_ANALYSIS}
        value={value.text}
        onChange={(text) => set({ text })}
      />
      {type !== 'file_upload' && <Points value={value.points ?? []} set={set} prefix={prefix} />}
    </>
  )
}

interface PartProps<Value> {
  value: Value
  set: (next: AnswerDraft) => void
  prefix: string
}

const Blanks = ({ value, set, prefix }: PartProps<AnswerDraft>) => {
  const matches = useEnumeration('blankMatch')
  const blanks = value.blanks ?? []
  const change = (at: number, next: Partial<BlankDraft>) =>
    set({ blanks: blanks.map((blank, index) => (index === at ? { ...blank, ...next } : blank)) })
  return (
    <div className="lines-input">
      <table aria-label={`${prefix}各空答案`}>
        <thead>
          <tr>
            <th scope="col">空</th>
            <th scope="col">可接受的答案</th>
            <th scope="col">比较方式</th>
            <th scope="col">允许误差</th>
            <th scope="col">分值</th>
            <th scope="col">操作</th>
          </tr>
        </thead>
        <tbody>
          {blanks.map((blank, at) => {
            const name = `${prefix}第${at + 1}空`
            return (
              <tr key={blank.key}>
                <td>{at + 1}</td>
                <td>
                  <Input
                    aria-label={`${name}答案`}
                    placeholder="多个写法用 | 分隔"
                    maxLength={LINE}
                    value={blank.accept}
                    onChange={(accept) => change(at, { accept })}
                  />
                </td>
                <td>
                  <Select
                    aria-label={`${name}比较方式`}
                    value={blank.match}
                    options={matches.map(({ code, desc }) => ({ value: code, label: desc }))}
                    onChange={(match: BlankDraft['match']) => change(at, { match })}
                  />
                </td>
                <td>
                  <InputNumber
                    aria-label={`${name}允许误差`}
                    min={0}
                    max={1_000_000}
                    hideControl
                    disabled={blank.match !== 'number'}
                    value={blank.tolerance ?? undefined}
                    onChange={(tolerance) =>
                      change(at, { tolerance: typeof tolerance === 'number' ? tolerance : null })
                    }
                  />
                </td>
                <td>
                  <ScoreInput label={`${name}分值`} value={blank.score} onChange={(score) => change(at, { score })} />
                </td>
                <td>
                  <Button
                    type="text"
                    status="danger"
                    icon={<IconDelete />}
                    disabled={blanks.length <= 1}
                    aria-label={`删除${name}`}
                    onClick={() => set({ blanks: blanks.toSpliced(at, 1) })}
                  />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <div className="lines-foot">
        <Button
          size="small"
          icon={<IconPlus />}
          disabled={blanks.length >= MOST_LINES}
          aria-label={prefix ? `${prefix}添加空` : undefined}
          onClick={() => set({ blanks: [...blanks, newBlank()] })}
        >
          添加空
        </Button>
        <Checkbox checked={value.unordered ?? false} onChange={(unordered: boolean) => set({ unordered })}>
          不分先后
        </Checkbox>
        <Checkbox checked={value.manual ?? false} onChange={(manual: boolean) => set({ manual })}>
          由教师评阅
        </Checkbox>
      </div>
    </div>
  )
}

const Points = ({ value: points, set, prefix }: PartProps<PointDraft[]>) => {
  const change = (at: number, next: Partial<PointDraft>) =>
    set({ points: points.map((point, index) => (index === at ? { ...point, ...next } : point)) })
  return (
    <div className="lines-input">
      {points.length > 0 && (
        <table aria-label={`${prefix}得分点`}>
          <thead>
            <tr>
              <th scope="col">得分点</th>
              <th scope="col">分值</th>
              <th scope="col">操作</th>
            </tr>
          </thead>
          <tbody>
            {points.map((point, at) => (
              <tr key={point.key}>
                <td>
                  <Input
                    aria-label={`${prefix}得分点${at + 1}`}
                    maxLength={LINE}
                    value={point.text}
                    onChange={(text) => change(at, { text })}
                  />
                </td>
                <td>
                  <ScoreInput
                    label={`${prefix}得分点${at + 1}分值`}
                    value={point.score}
                    onChange={(score) => change(at, { score })}
                  />
                </td>
                <td>
                  <Button
                    type="text"
                    status="danger"
                    icon={<IconDelete />}
                    aria-label={`删除${prefix}得分点${at + 1}`}
                    onClick={() => set({ points: points.toSpliced(at, 1) })}
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
        disabled={points.length >= MOST_LINES}
        aria-label={prefix ? `${prefix}添加得分点` : undefined}
        onClick={() => set({ points: [...points, newPoint()] })}
      >
        添加得分点
      </Button>
    </div>
  )
}

const MOST_FILES = 9
const MOST_MB = 200

interface UploadInputProps {
  value?: Upload
  onChange?: (upload: Upload) => void
  prefix?: string
  'aria-label'?: string
}

/** 附件要求: what students hand in. */
export const UploadInput = ({ value = anyUpload(), onChange, prefix = '' }: UploadInputProps) => {
  const set = (next: Partial<Upload>) => onChange?.({ ...value, ...next })
  return (
    <div className="upload-input">
      <Input
        aria-label={`${prefix}允许的扩展名`}
        addBefore="扩展名"
        placeholder="pdf,docx"
        maxLength={LINE}
        defaultValue={value.extensions.join(',')}
        onChange={(text) =>
          set({
            extensions: text
              .split(/[,，、\s]+/)
              .map((each) => each.replace(/^\./, '').toLowerCase())
              .filter(Boolean),
          })
        }
      />
      <InputNumber
        aria-label={`${prefix}文件数`}
        prefix="最多"
        suffix="个"
        min={1}
        max={MOST_FILES}
        precision={0}
        value={value.maxFiles}
        onChange={(maxFiles) => set({ maxFiles: maxFiles || 1 })}
      />
      <InputNumber
        aria-label={`${prefix}单个大小`}
        prefix="每个不超过"
        suffix="MB"
        min={1}
        max={MOST_MB}
        precision={0}
        value={value.maxSizeMb}
        onChange={(maxSizeMb) => set({ maxSizeMb: maxSizeMb || 1 })}
      />
    </div>
  )
}
