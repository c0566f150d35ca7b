import type { ReactNode } from 'react'
import { useAllowed } from '@/api/identity'
import type { OperationMeta } from '@/api/operation'

/** Shows its children to those who may call the operation. */
export const Can = ({ do: operation, children }: { do: OperationMeta; children: ReactNode }) =>
  useAllowed()(operation) ? children : null
