import { useMutation } from '@tanstack/react-query'
import type { Input } from '@/api/client'
import { tellSuccess } from '@/api/errors'
import type { Operation } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { useRequest } from '@/api/schoolContext'

/**
 * Calls a writing operation, has everything on the screen asked for again, and then says that it was done: whoever goes on
 * after the message sends the versions that this step left. `onDone` gets the answer at once.
 */
export const useAction = <Query, Body, Data>(
  operation: Operation<Query, Body, Data>,
  { done, onDone }: { done?: string | ((data: Data) => string | undefined); onDone?: (data: Data) => void } = {},
) => {
  const request = useRequest()
  return useMutation({
    mutationFn: (input: Input<Query, Body>) => request(operation, input),
    onSuccess: async (data) => {
      onDone?.(data)
      await refetchAll()
      const words = typeof done === 'function' ? done(data) : done
      if (words) tellSuccess(words)
    },
    // A change that was refused often means that what is shown is old.
    onError: () => refetchAll(),
  })
}
