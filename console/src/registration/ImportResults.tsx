import { Checkbox } from '@arco-design/web-react'
import { useState } from 'react'
import { useAllowed } from '@/api/identity'
import { ImportButton } from '@/kit/ImportWizard'
import { importRegistrationResults, registrationResultTemplate, reportRegistration } from './api'

/** 导入报到结果: who came, is kept or gave up, as a site noted it; only whoever has people report says that they were verified. */
export const ImportResults = () => {
  const [verified, setVerified] = useState(false)
  const mayVerify = useAllowed()(reportRegistration)
  return (
    <ImportButton
      do={importRegistrationResults}
      template={registrationResultTemplate}
      fields={verified ? { identityVerified: 'true' } : undefined}
      what="报到结果"
      label="导入报到结果"
      first={
        mayVerify ? (
          <Checkbox checked={verified} onChange={setVerified}>
            表中报到的人员均已核验身份（人工）；不勾选时只办理已核验的人员
          </Checkbox>
        ) : undefined
      }
    />
  )
}
