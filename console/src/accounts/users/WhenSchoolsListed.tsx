import { Form } from '@arco-design/web-react'
import type { ReactNode } from 'react'

/** What stands here is asked only when the schools are listed one by one. */
export const WhenSchoolsListed = ({ children }: { children: ReactNode }) => {
  const { form } = Form.useFormContext()
  const scope: string | undefined = Form.useWatch('schoolScope', form)
  return scope === 'listed' ? children : null
}
