import { useState } from 'react'
import type { Operation } from '@/api/operation'
import { ImportButton } from '@/kit/ImportWizard'
import type { ImportResult } from '@/kit/importRun'
import type { fetchExamineeNoTemplate, preRegistrationImportTemplate } from './api'
import { BatchSelect } from './BatchSelect'

interface ImportIntoBatchProps {
  do: Operation<undefined, FormData, ImportResult>
  /** Its lists are what the batch offers. */
  template?: typeof preRegistrationImportTemplate
  /** A template that is the same for every batch. */
  fixedTemplate?: typeof fetchExamineeNoTemplate
  what: string
  label?: string
  /** The batch that the list shows. */
  shown: number | undefined
  /** Shows what was imported, by the moment at which it was. */
  batch?: (enteredAt: string) => void
}

/** 导入 into a batch, which is chosen before the file. */
export const ImportIntoBatch = ({ shown, template, fixedTemplate, ...wizard }: ImportIntoBatchProps) => {
  const [chosen, setChosen] = useState<number>()
  const batchId = chosen ?? shown
  const into = {
    ...wizard,
    fields: batchId === undefined ? undefined : { batchId: String(batchId) },
    first: (
      <>
        <p>批次</p>
        <BatchSelect value={batchId} onChange={setChosen} />
      </>
    ),
    missing: batchId === undefined ? '请先选择批次' : undefined,
  }
  return fixedTemplate ? (
    <ImportButton {...into} template={fixedTemplate} />
  ) : (
    <ImportButton {...into} template={template} templateOf={batchId === undefined ? undefined : { batchId }} />
  )
}
