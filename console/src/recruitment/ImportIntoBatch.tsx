import { useState } from 'react'
import type { Operation } from '@/api/operation'
import { ImportButton } from '@/kit/ImportWizard'
import type { ImportResult } from '@/kit/importRun'
import type { preRegistrationImportTemplate } from './api'
import { BatchSelect } from './BatchSelect'

interface ImportIntoBatchProps {
  do: Operation<undefined, FormData, ImportResult>
  /** Its lists are what the batch offers. */
  template?: typeof preRegistrationImportTemplate
  headings?: string
  what: string
  label?: string
  /** The batch that the list shows. */
  shown: number | undefined
  /** Shows what was imported, by the moment at which it was. */
  batch?: (enteredAt: string) => void
}

/** 导入 into a batch, which is chosen before the file. */
export const ImportIntoBatch = ({ shown, ...wizard }: ImportIntoBatchProps) => {
  const [chosen, setChosen] = useState<number>()
  const batchId = chosen ?? shown
  return (
    <ImportButton
      {...wizard}
      templateOf={batchId === undefined ? undefined : { batchId }}
      fields={batchId === undefined ? undefined : { batchId: String(batchId) }}
      first={
        <>
          <p>批次</p>
          <BatchSelect value={batchId} onChange={setChosen} />
        </>
      }
      missing={batchId === undefined ? '请先选择批次' : undefined}
    />
  )
}
