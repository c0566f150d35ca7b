import type { Caller } from '@/api/client'
import type { DataOf } from '@/api/operation'
import type { Saved } from '@/api/types/shared'
import { openSemesters } from '@/basic_data/choices'
import { DateTimeInput } from '@/kit/DateTimeInput'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { OptionSelect } from '@/kit/OptionSelect'
import type { DrawerProps } from '@/kit/useDrawer'
import { copyHomework, extendHomework, reopenHomework, viewHomework } from './api'
import { type Homework, titleOf } from './homeworkRules'

const Reopened = fieldsOf(reopenHomework)

interface Reopening {
  id: number
  version: number
  endsAt?: string
}

/** What is typed stays; the version is that of now. */
const reload = async (held: Reopening, call: Caller): Promise<Reopening> => {
  const { version }: DataOf<typeof viewHomework> = await call(viewHomework, { query: { id: held.id } })
  return { ...held, version }
}

/** 重新开放 until a new time. */
export const ReopenForm = ({ record: homework, ...drawer }: DrawerProps<Homework>) => (
  <FormDrawer<Reopening, Saved>
    {...drawer}
    record={homework && { id: homework.id, version: homework.version }}
    title={`重新开放 ${homework ? titleOf(homework) : ''}`}
    okText="重新开放"
    action={(held) => formAction(reopenHomework, '已重新开放作业', held)}
    reload={reload}
  >
    <p className="form-hint">缺交的学生恢复为未作答，可以继续作答；已提交的不受影响。</p>
    <Reopened name="endsAt">
      <DateTimeInput dayEnd />
    </Reopened>
  </FormDrawer>
)

const Extended = fieldsOf(extendHomework)

/** 延期 for all of its students. */
export const ExtendForm = ({ record: homework, ...drawer }: DrawerProps<Homework>) => (
  <FormDrawer<{ endsAt?: string }, Saved>
    {...drawer}
    record={undefined}
    initial={{ endsAt: homework?.endsAt }}
    title={`延期 ${homework ? titleOf(homework) : ''}`}
    okText="延期"
    action={() => formAction(extendHomework, '已延长截止时间', { id: homework?.id })}
  >
    <p className="form-hint">全部学生的截止时间随之延长；个别学生的延期在“学生作业”中办理。</p>
    <Extended name="endsAt" label="新的截止时间" required>
      <DateTimeInput dayEnd />
    </Extended>
  </FormDrawer>
)

const Copied = fieldsOf(copyHomework)

/** 复制 into a semester, as a draft. */
export const CopyForm = ({ record: homework, ...drawer }: DrawerProps<Homework>) => (
  <FormDrawer<{ semesterId?: number }, Saved>
    {...drawer}
    record={undefined}
    title={`复制 ${homework ? titleOf(homework) : ''}`}
    okText="复制"
    action={() => formAction(copyHomework, '已复制为草稿', { id: homework?.id })}
  >
    <p className="form-hint">复制到所选学期的同一门课程，时间按学期的开始日期顺延，请核对后发布。</p>
    <Copied name="semesterId">
      <OptionSelect label="学期" {...openSemesters} />
    </Copied>
  </FormDrawer>
)
