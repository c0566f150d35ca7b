import { Select } from '@arco-design/web-react'
import type { RowOf } from '@/api/operation'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { editNationalMajor, saveNationalMajor, viewNationalMajor } from './api'

type NationalMajor = RowOf<typeof viewNationalMajor>

/** 学士学位 as the ministry names them, one a discipline. */
const DEGREES = '哲学 经济学 法学 教育学 文学 历史学 理学 工学 农学 医学 管理学 艺术学'
  .split(' ')
  .map((name) => `${name}学士`)

const Degrees = (props: { value?: string[]; onChange?: (degrees: string[]) => void; 'aria-label'?: string }) => (
  <Select {...props} mode="multiple" allowCreate allowClear placeholder="专科不填" options={DEGREES} />
)

const Field = fieldsOf(saveNationalMajor)

/** A major of the ministry's catalogue, as an operator keeps it. */
export const NationalMajorForm = ({ record, ...drawer }: DrawerProps<NationalMajor>) => (
  <FormDrawer
    {...drawer}
    record={record}
    width={720}
    title={record ? `编辑国家专业 ${record.name}` : '新增国家专业'}
    initial={{ level: 'bachelor' }}
    action={(major) =>
      major ? formAction(editNationalMajor, '已保存国家专业', major) : formAction(saveNationalMajor, '已新增国家专业')
    }
    reload={(major, call) => call(viewNationalMajor, { query: { id: major.id } })}
    keep={['level', 'disciplineCode', 'categoryCode', 'category', 'year']}
  >
    <Field name="code" />
    <Field name="name" />
    <Field name="level" />
    <Field name="disciplineCode" />
    <Field name="categoryCode" help="四位数字，交叉学科不填" />
    <Field name="category" />
    <Field name="degrees">
      <Degrees />
    </Field>
    <Field name="year" />
    <Field name="formerCode" />
  </FormDrawer>
)
