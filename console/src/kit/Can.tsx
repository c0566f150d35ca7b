import type { ReactNode } from 'react'
import type { OperationMeta } from '@/api/operation'
import { useAllowed } from '@/shell/identity'

/** Shows its children to those who may call the operation. */
export const Can = ({ do: operation, children }: { do: OperationMeta; children: ReactNode }) =>
  useAllowed()(operation) ? children : null
