import type { RowOf } from '@/api/operation'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { changeSiteStatus, type listSites } from './api'

type Site = RowOf<typeof listSites>
type Status = Site['status']

export interface SiteChange {
  site: Site
  to: Status
  label: string
}

/** The steps that a site's status allows (the server decides). */
export const siteSteps = (status: Status): { label: string; to: Status }[] => {
  switch (status) {
    case 'active':
      return [
        { label: '停招', to: 'suspended' },
        { label: '撤销', to: 'closed' },
      ]
    case 'suspended':
      return [
        { label: '恢复', to: 'active' },
        { label: '撤销', to: 'closed' },
      ]
    default:
      return [{ label: '重新启用', to: 'suspended' }]
  }
}

const Field = fieldsOf(changeSiteStatus)

/** 停招、恢复、撤销 with the reason. */
export const SiteStatus = ({ record, ...drawer }: DrawerProps<SiteChange>) => (
  <FormDrawer<{ reason?: string | null }, { id: number }>
    {...drawer}
    record={undefined}
    title={record ? `${record.label}站点 ${record.site.name}` : ''}
    action={() =>
      formAction(changeSiteStatus, `站点已${record?.label ?? ''}`, {
        id: record?.site.id,
        version: record?.site.version,
        status: record?.to,
      })
    }
  >
    <Field name="reason" />
  </FormDrawer>
)
