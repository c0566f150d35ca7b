import { useMutation } from '@tanstack/react-query'
import { type Input, request } from '@/api/client'
import { tellSuccess } from '@/api/errors'
import type { Operation } from '@/api/operation'
import { refetchAll } from '@/api/query'

/** Calls a writing operation, says that it was done, and has everything on the screen asked for again. */
export const useAction = <Query, Body, Data>(
  operation: Operation<Query, Body, Data>,
  { done, onDone }: { done?: string | ((data: Data) => string); onDone?: (data: Data) => void } = {},
) =>
  useMutation({
    mutationFn: (input: Input<Query, Body>) => request(operation, input),
    onSuccess: (data) => {
      const words = typeof done === 'function' ? done(data) : done
      if (words) tellSuccess(words)
      refetchAll()
      onDone?.(data)
    },
    // A change that was refused often means that what is shown is old.
    onError: () => refetchAll(),
  })
