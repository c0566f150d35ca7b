import { listOptions } from '@/api/infra'
import type { RowOf } from '@/api/operation'
import { fieldsOf } from '@/kit/Field'
import { FileUpload } from '@/kit/FileUpload'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { SeveralOptions } from '@/kit/SeveralOptions'
import type { DrawerProps } from '@/kit/useDrawer'
import { editForecastMajor, type listForecastMajors, saveForecastMajor, viewForecastMajor } from './api'
import { BasicSelect, basicOptions, known } from './BasicSelect'
import { Tuition } from './Tuition'

type ForecastMajor = RowOf<typeof listForecastMajors>

const Field = fieldsOf(saveForecastMajor)

export const ForecastMajorForm = ({ record, ...drawer }: DrawerProps<ForecastMajor>) => (
  <FormDrawer
    {...drawer}
    record={record}
    width={720}
    title={record ? `编辑拟招生专业 ${record.name}` : '新增拟招生专业'}
    action={(filing) =>
      filing
        ? formAction(editForecastMajor, '已保存拟招生专业', filing)
        : formAction(saveForecastMajor, '已新增拟招生专业')
    }
    reload={(filing, call) => call(viewForecastMajor, { query: { id: filing.id } })}
    keep={['year', 'gradeId', 'siteIds']}
  >
    <Field name="year" />
    <Field name="gradeId" help="录取的学生将编入的年级">
      <BasicSelect type="grade" known={known(record?.gradeId, record?.gradeName)} />
    </Field>
    <Field name="majorId" help="层次、学习形式和代码随学校专业">
      <BasicSelect type="major" known={known(record?.majorId, record?.name)} />
    </Field>
    <Field name="plannedQuota" />
    <Field name="tuitionPerYear" label="学费(元/年)" help="留空时取学校专业的学费">
      <Tuition />
    </Field>
    <Field name="siteIds">
      <SeveralOptions
        label="拟招站点"
        options={listOptions}
        query={basicOptions('site')}
        placeholder="请选择"
        known={record?.sites.map(({ id, name }) => ({ code: id, desc: name }))}
      />
    </Field>
    <Field name="basis" />
    <Field name="basisKey" help="调研报告、论证材料等">
      <FileUpload type={3} accept=".pdf,.doc,.docx,.xls,.xlsx,.zip" />
    </Field>
  </FormDrawer>
)
