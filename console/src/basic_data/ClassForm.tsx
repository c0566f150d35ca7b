import type { RowOf } from '@/api/operation'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { editClass, saveClass, viewClass } from './api'
import { BasicSelect, known } from './BasicSelect'
import { MajorOfLevel } from './MajorOfLevel'

type Class = RowOf<typeof viewClass>

const Field = fieldsOf(saveClass)

export const ClassForm = ({ record, ...drawer }: DrawerProps<Class>) => (
  <FormDrawer
    {...drawer}
    record={record}
    title={record ? `编辑班级 ${record.name}` : '新增班级'}
    action={(group) => (group ? formAction(editClass, '已保存班级', group) : formAction(saveClass, '已新增班级'))}
    reload={(group, call) => call(viewClass, { query: { id: group.id } })}
    keep={['gradeId', 'levelId', 'majorId', 'siteId', 'capacity']}
  >
    <Field name="code" />
    <Field name="gradeId">
      <BasicSelect type="grade" known={known(record?.gradeId, record?.gradeName)} />
    </Field>
    <Field name="levelId">
      <BasicSelect type="level" known={known(record?.levelId, record?.levelName)} />
    </Field>
    <Field name="majorId">
      <MajorOfLevel record={record} />
    </Field>
    <Field name="siteId">
      <BasicSelect type="site" known={known(record?.siteId, record?.siteName)} />
    </Field>
    <Field name="name" help="留空时按年级、层次、专业、站点和序号生成" />
    <Field name="capacity" />
    <Field name="remark" />
  </FormDrawer>
)
