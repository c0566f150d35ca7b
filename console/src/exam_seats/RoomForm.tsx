import { Form } from '@arco-design/web-react'
import { sites } from '@/basic_data/choices'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { OptionSelect } from '@/kit/OptionSelect'
import type { DrawerProps } from '@/kit/useDrawer'
import { classroomsOf } from '@/timetable/choices'
import { editExamRoom, saveExamRoom, viewExamRoom } from './api'
import type { Room } from './seatRules'
import './examSeats.css'

const Field = fieldsOf(saveExamRoom)

interface BlockedProps {
  value?: number[]
  onChange?: (seats: number[]) => void
}

/** 不可用座位: a plan of the room in which seats are taken out by a press. */
const BlockedInput = ({ value = [], onChange }: BlockedProps) => {
  const { form } = Form.useFormContext()
  const rows = Number(Form.useWatch('rowsCount', form)) || 0
  const columns = Number(Form.useWatch('columnsCount', form)) || 0
  if (rows === 0 || columns === 0) return <p className="form-hint">请先填写行数和列数。</p>
  const turn = (seat: number) =>
    onChange?.(value.includes(seat) ? value.filter((each) => each !== seat) : [...value, seat].sort((a, b) => a - b))
  return (
    <table className="room-plan" aria-label="不可用座位">
      <tbody>
        {Array.from({ length: rows }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row of a room is known by its place
          <tr key={row}>
            {Array.from({ length: columns }, (__, column) => {
              const seat = row * columns + column + 1
              const blocked = value.includes(seat)
              return (
                <td key={seat}>
                  <button
                    type="button"
                    className={blocked ? 'room-seat room-blocked' : 'room-seat'}
                    aria-pressed={blocked}
                    aria-label={`${seat}号${blocked ? ' 不可用' : ''}`}
                    onClick={() => turn(seat)}
                  >
                    {seat}
                  </button>
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const Classroom = ({ room }: { room: Room | undefined }) => {
  const { form } = Form.useFormContext()
  const siteId: number | undefined = Form.useWatch('siteId', form)
  return (
    <Field name="classroomId" help="校外场地不选；选择后考试时间不能再排课">
      <OptionSelect
        label="教室"
        {...classroomsOf(siteId)}
        known={
          room?.classroomId && room.classroomName ? { code: room.classroomId, desc: room.classroomName } : undefined
        }
      />
    </Field>
  )
}

/** 新增, 编辑 of a room. */
export const RoomForm = ({ record: room, ...drawer }: DrawerProps<Room>) => (
  <FormDrawer<Room, { id: number }>
    {...drawer}
    record={room}
    initial={{ blockedSeats: [], monitored: false, priority: 100 }}
    width={760}
    title={room ? `编辑考场 ${room.name}` : '新增考场'}
    keep={['siteId', 'building', 'rowsCount', 'columnsCount', 'capacity', 'roomType']}
    action={(row) => (row ? formAction(editExamRoom, '已保存考场', row) : formAction(saveExamRoom, '已新增考场'))}
    reload={(row, call) => call(viewExamRoom, { query: { id: row.id } })}
  >
    <Field name="siteId">
      <OptionSelect label="站点" {...sites} known={room && { code: room.siteId, desc: room.siteName }} />
    </Field>
    <Classroom room={room} />
    <Field name="building" />
    <Field name="roomNo" />
    <Field name="name" />
    <Field name="roomType" />
    <Field name="rowsCount" help="1至30" />
    <Field name="columnsCount" help="1至30" />
    <Field name="capacity" help="不填时为全部可用座位" />
    <Field name="priority" help="小的先用，不填时为100" />
    <Field name="monitored" />
    <Form.Item field="blockedSeats" label="不可用座位" extra="单击座位切换；从1起逐行编号">
      <BlockedInput />
    </Form.Item>
  </FormDrawer>
)
