import { Checkbox } from '@arco-design/web-react'
import { useState } from 'react'
import { ImportButton } from '@/kit/ImportWizard'
import { importRegistrationResults, registrationResultTemplate } from './api'

/** 导入报到结果: who came, is kept or gave up, as a site noted it. */
export const ImportResults = () => {
  const [verified, setVerified] = useState(false)
  return (
    <ImportButton
      do={importRegistrationResults}
      template={registrationResultTemplate}
      fields={verified ? { identityVerified: 'true' } : undefined}
      what="报到结果"
      label="导入报到结果"
      first={
        <Checkbox checked={verified} onChange={setVerified}>
          表中报到的人员均已核验身份（人工）；不勾选时只办理已核验的人员
        </Checkbox>
      }
    />
  )
}
