import { InputNumber } from '@arco-design/web-react'
import type { RowOf } from '@/api/operation'
import type { Warned } from '@/api/types/shared'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { PictureUpload } from '@/kit/PictureUpload'
import type { DrawerProps } from '@/kit/useDrawer'
import { editLecturer, saveLecturer, viewLecturer } from './api'

type Lecturer = RowOf<typeof viewLecturer>

const Field = fieldsOf(saveLecturer)

interface ProportionProps {
  value?: number
  onChange?: (part: number | undefined) => void
}

/** A part with its four places. */
const Proportion = ({ value, onChange }: ProportionProps) => (
  <InputNumber aria-label="分成比例" min={0} max={1} step={0.05} precision={4} value={value} onChange={onChange} />
)

export const LecturerForm = ({ record, ...drawer }: DrawerProps<Lecturer>) => (
  <FormDrawer<Lecturer, Warned>
    {...drawer}
    record={record}
    title={record ? `编辑讲师 ${record.lecturerName}` : '新增讲师'}
    action={(lecturer) =>
      lecturer ? formAction(editLecturer, '已保存讲师', lecturer) : formAction(saveLecturer, '已新增讲师')
    }
    reload={(lecturer, call) => call(viewLecturer, { query: { id: lecturer.id } })}
    keep={['position', 'lecturerProportion']}
  >
    <Field name="lecturerName" />
    <Field name="phone" help={record ? '不修改时保留原号码' : undefined} />
    <Field name="position" />
    <Field name="lecturerProportion" help={record ? undefined : '0至1；不填时取参数“讲师默认分成比例”'}>
      <Proportion />
    </Field>
    <Field name="email" help={record?.email ? '不修改时保留原内容' : undefined} />
    <Field name="headImg">
      <PictureUpload width={178} />
    </Field>
    <Field name="introduce" />
  </FormDrawer>
)

/** 设置分成: the part of each sale alone. It holds for sales from then on. */
export const ProportionForm = ({ record, ...drawer }: DrawerProps<Lecturer>) => (
  <FormDrawer<Lecturer, Warned>
    {...drawer}
    record={record}
    title={`设置分成 ${record?.lecturerName ?? ''}`}
    action={(lecturer) => formAction(editLecturer, '已设置分成', lecturer)}
    reload={(lecturer, call) => call(viewLecturer, { query: { id: lecturer.id } })}
  >
    <Field name="lecturerProportion" required>
      <Proportion />
    </Field>
  </FormDrawer>
)
