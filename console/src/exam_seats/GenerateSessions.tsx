import { Button, Form, Input } from '@arco-design/web-react'
import { IconDelete, IconPlus } from '@arco-design/web-react/icon'
import type { DataOf } from '@/api/operation'
import { sites } from '@/basic_data/choices'
import { batches } from '@/exams/choices'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { formatNumber } from '@/kit/format'
import { OptionSelect } from '@/kit/OptionSelect'
import { SeveralOptions } from '@/kit/SeveralOptions'
import type { DrawerProps } from '@/kit/useDrawer'
import { DatesInput } from '@/timetable/inputs'
import { generateExamSessions } from './api'

const MOST = 10
const TIME_LENGTH = 5
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/

interface Slot {
  startTime?: string
  endTime?: string
}

const isWhole = ({ startTime = '', endTime = '' }: Slot) => TIME.test(startTime) && TIME.test(endTime)

interface SlotsProps {
  value?: Slot[]
  onChange?: (slots: Slot[]) => void
}

/** 时段, the same on each day. */
const SlotsInput = ({ value = [], onChange }: SlotsProps) => {
  const change = (at: number, next: Slot) =>
    onChange?.(value.map((slot, index) => (index === at ? { ...slot, ...next } : slot)))
  return (
    <div className="lines-input">
      <table aria-label="时段">
        <thead>
          <tr>
            <th scope="col">开始时间</th>
            <th scope="col">结束时间</th>
            <th scope="col">操作</th>
          </tr>
        </thead>
        <tbody>
          {value.map((slot, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its place
            <tr key={at}>
              <td>
                <Input
                  aria-label={`第${at + 1}个时段开始时间`}
                  placeholder="HH:MM"
                  maxLength={TIME_LENGTH}
                  value={slot.startTime}
                  onChange={(startTime) => change(at, { startTime })}
                />
              </td>
              <td>
                <Input
                  aria-label={`第${at + 1}个时段结束时间`}
                  placeholder="HH:MM"
                  maxLength={TIME_LENGTH}
                  value={slot.endTime}
                  onChange={(endTime) => change(at, { endTime })}
                />
              </td>
              <td>
                <Button
                  type="text"
                  status="danger"
                  icon={<IconDelete />}
                  aria-label={`删除第${at + 1}个时段`}
                  onClick={() => onChange?.(value.toSpliced(at, 1))}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Button
        size="small"
        icon={<IconPlus />}
        disabled={value.length >= MOST}
        onClick={() => onChange?.([...value, {}])}
      >
        添加时段
      </Button>
    </div>
  )
}

interface Values {
  batchId?: number
  dates?: string[]
  slots?: Slot[]
  siteIds?: number[]
}

const Field = fieldsOf(generateExamSessions)

type Report = (message?: string) => void

const usual: Slot[] = [
  { startTime: '09:00', endTime: '11:00' },
  { startTime: '14:00', endTime: '16:00' },
]

/** 批量生成: dates times slots; what is there already is left out. */
export const GenerateSessions = ({ record: of, ...drawer }: DrawerProps<{ batchId?: number }>) => (
  <FormDrawer<Values, DataOf<typeof generateExamSessions>>
    {...drawer}
    record={undefined}
    initial={{ batchId: of?.batchId, dates: [], slots: usual, siteIds: [] }}
    width={640}
    title="批量生成场次"
    okText="生成场次"
    action={() =>
      formAction(
        generateExamSessions,
        ({ ids, skipped }) =>
          `已生成${formatNumber(ids.length)}个场次${skipped > 0 ? `，跳过已有的${formatNumber(skipped)}个时段` : ''}`,
      )
    }
  >
    <Field name="batchId">
      <OptionSelect label="批次" {...batches} />
    </Field>
    <Form.Item
      field="dates"
      label="日期"
      required
      rules={[
        {
          validator: (value, report: Report) =>
            report(Array.isArray(value) && value.length > 0 ? undefined : '请选择日期'),
        },
      ]}
    >
      <DatesInput aria-label="日期" />
    </Form.Item>
    <Form.Item
      field="slots"
      label="时段"
      required
      rules={[
        {
          validator: (value, report: Report) =>
            report(
              Array.isArray(value) && value.length > 0 && value.every(isWhole)
                ? undefined
                : '请按 09:00 的格式填写时段，或删除空行',
            ),
        },
      ]}
    >
      <SlotsInput />
    </Form.Item>
    <Field name="siteIds" help="不选为全部站点">
      <SeveralOptions label="站点" {...sites} />
    </Field>
  </FormDrawer>
)
