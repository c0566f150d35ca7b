import { Button, Input, InputNumber } from '@arco-design/web-react'
import { IconDelete, IconPlus } from '@arco-design/web-react/icon'
import { classes, teachers } from '@/basic_data/choices'
import { type Choice, OptionSelect } from '@/kit/OptionSelect'
import { type Marker, seqsIn } from './homeworkRules'

const MOST = 200
const MOST_SHEETS = 100_000

/** A marker while it is chosen: the teacher may not be yet. */
export type MarkerDraft = Omit<Marker, 'teacherId'> & { teacherId?: number }

interface MarkersProps {
  value?: readonly MarkerDraft[]
  onChange?: (markers: MarkerDraft[]) => void
  /** The names of those who are chosen already. */
  known?: readonly { teacherId: number; teacherName: string; classId?: number | null; className?: string | null }[]
  'aria-label'?: string
}

/** 批阅教师: who marks which class, which questions, how many sheets. */
export const MarkersInput = ({ value = [], onChange, known = [] }: MarkersProps) => {
  const change = (at: number, next: Partial<MarkerDraft>) =>
    onChange?.(value.map((marker, index) => (index === at ? { ...marker, ...next } : marker)))
  const teacherOf = (id: number | undefined): Choice | undefined => {
    const one = known.find(({ teacherId }) => teacherId === id)
    return one && { code: one.teacherId, desc: one.teacherName }
  }
  const classOf = (id: number | null | undefined): Choice | undefined => {
    const one = known.find(({ classId }) => id && classId === id)
    return one?.classId ? { code: one.classId, desc: one.className ?? `编号${one.classId}` } : undefined
  }
  return (
    <div className="lines-input">
      {value.length > 0 && (
        <table aria-label="批阅教师">
          <thead>
            <tr>
              <th scope="col">教师</th>
              <th scope="col">班级</th>
              <th scope="col">题号</th>
              <th scope="col">最多份数</th>
              <th scope="col">操作</th>
            </tr>
          </thead>
          <tbody>
            {value.map((marker, at) => {
              const name = `第${at + 1}位批阅教师`
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its place
                <tr key={at}>
                  <td>
                    <OptionSelect
                      label={`${name}姓名`}
                      {...teachers}
                      value={marker.teacherId}
                      known={teacherOf(marker.teacherId)}
                      onChange={(teacherId) => change(at, { teacherId })}
                    />
                  </td>
                  <td>
                    <OptionSelect
                      label={`${name}班级`}
                      placeholder="全部班级"
                      {...classes}
                      value={marker.classId ?? undefined}
                      known={classOf(marker.classId)}
                      onChange={(classId) => change(at, { classId })}
                    />
                  </td>
                  <td>
                    <Input
                      aria-label={`${name}题号`}
                      placeholder="全部，如 3、7.2"
                      defaultValue={(marker.questionSeqs ?? []).join('、')}
                      onChange={(text) => change(at, { questionSeqs: seqsIn(text) })}
                    />
                  </td>
                  <td>
                    <InputNumber
                      aria-label={`${name}最多份数`}
                      placeholder="不限"
                      min={1}
                      max={MOST_SHEETS}
                      precision={0}
                      hideControl
                      value={marker.quota ?? undefined}
                      onChange={(quota) => change(at, { quota: typeof quota === 'number' ? quota : null })}
                    />
                  </td>
                  <td>
                    <Button
                      type="text"
                      status="danger"
                      icon={<IconDelete />}
                      aria-label={`删除${name}`}
                      onClick={() => onChange?.(value.toSpliced(at, 1))}
                    />
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
      <Button
        size="small"
        icon={<IconPlus />}
        disabled={value.length >= MOST}
        onClick={() => onChange?.([...value, { questionSeqs: [] }])}
      >
        添加批阅教师
      </Button>
    </div>
  )
}
