import { Button, Drawer, Empty, Form } from '@arco-design/web-react'
import { useId } from 'react'
import { DialogName } from '@/kit/DialogName'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import type { DrawerProps } from '@/kit/useDrawer'
import { listFieldAttributes } from './api'
import { controlOf } from './StageForm'
import { type FormField, inGroups, isFile, type Stage, useStageForm } from './stage'

const Shown = ({ field }: { field: FormField }) => (
  <Form.Item label={field.label} required={field.required} extra={field.helpText ?? undefined}>
    {isFile(field) ? <Button disabled>{`上传${field.label}`}</Button> : controlOf(field, true)}
  </Form.Item>
)

const Fields = ({ stage }: { stage: Stage }) => {
  const id = useId()
  return (
    <Loaded query={useStageForm(stage)}>
      {(fields) =>
        fields.length === 0 ? (
          <Empty description="这个环节还没有要填写的字段。请新增，或启用已有的字段。" />
        ) : (
          <Form id={id} layout="vertical">
            {inGroups(fields).map(({ group, title, fields: inGroup }) => (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: nothing in it takes the focus, and it is scrolled by the keyboard too
              <section key={group} aria-label={title} tabIndex={0}>
                <h3>{title}</h3>
                <div className="form-grid">
                  {inGroup.map((field) => (
                    <Shown key={field.fieldKey} field={field} />
                  ))}
                </div>
              </section>
            ))}
          </Form>
        )
      }
    </Loaded>
  )
}

/** 预览: the form of a stage as people will see it. */
export const FieldPreview = ({ stage, visible, onClose }: Omit<DrawerProps<object>, 'record'> & { stage: Stage }) => {
  const title = `预览 ${labelOf(listFieldAttributes, 'stage', stage)}表单`
  return (
    <Drawer title={title} width={760} visible={visible} footer={null} onCancel={onClose} unmountOnExit>
      <DialogName name={title} />
      <Fields stage={stage} />
    </Drawer>
  )
}
