import { Form } from '@arco-design/web-react'
import type { RowOf } from '@/api/operation'
import type { Saved } from '@/api/types/shared'
import { BasicSelect, known } from '@/basic_data/BasicSelect'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { type FormAction, formAction } from '@/kit/formAction'
import { OptionSelect } from '@/kit/OptionSelect'
import type { DrawerProps } from '@/kit/useDrawer'
import { DictionarySelect } from '@/settings/DictionarySelect'
import { editPromotionLink, type listPromotionLinks, savePromotionLink } from './api'
import { preRegistrationBatches } from './choices'

type PromotionLink = RowOf<typeof listPromotionLinks>

const Field = fieldsOf(savePromotionLink)

/** A batch belongs to the page of registration alone. */
const fitted = (values: { targetPage?: string; batchId?: unknown }) => ({
  ...values,
  batchId: values.targetPage === 'enrol' ? values.batchId : null,
})

const saving = (link: PromotionLink | undefined): FormAction<Saved> => {
  const action = link
    ? formAction(editPromotionLink, '已保存推广链接', link)
    : formAction(savePromotionLink, '已新增推广链接')
  return { ...action, send: (values, request) => action.send(fitted(values), request) }
}

interface PromotionFormProps extends DrawerProps<PromotionLink> {
  /** The operators' own links have no site and no batch. */
  inSchool: boolean
}

export const PromotionForm = ({ inSchool, record, ...drawer }: PromotionFormProps) => (
  <FormDrawer<PromotionLink, Saved>
    {...drawer}
    record={record}
    initial={{ targetPage: 'enrol', enabled: true }}
    title={record ? `编辑推广链接 ${record.name}` : '新增推广链接'}
    keep={['sourceChannel', 'siteId', 'targetPage', 'batchId']}
    action={saving}
  >
    <Field name="name" placeholder="例如 地铁站海报" />
    <Field name="sourceChannel">
      <DictionarySelect type="source_channel" />
    </Field>
    <Field name="targetPage" />
    {inSchool && (
      <Form.Item noStyle shouldUpdate>
        {(values: Partial<PromotionLink>) =>
          values.targetPage === 'enrol' && (
            <Field name="batchId" help="打开链接直接进入该批次的预报名">
              <OptionSelect
                label="预报名批次"
                known={known(record?.batchId, record?.batchName)}
                {...preRegistrationBatches}
              />
            </Field>
          )
        }
      </Form.Item>
    )}
    {inSchool && (
      <Field name="siteId" help="站点人员只看到本站点的链接">
        <BasicSelect type="site" known={known(record?.siteId, record?.siteName)} />
      </Field>
    )}
    <Field name="enabled" />
  </FormDrawer>
)
