import { useMutation } from '@tanstack/react-query'
import type { Input, Options } from '@/api/client'
import type { Operation } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { useRequest } from '@/api/schoolContext'
import { type Undo, useTellDone } from './undo'

/**
 * Calls a writing operation, has everything on the screen asked for again, and then says that it was done: whoever goes on
 * after the message sends the versions that this step left; `undo` is the way back, offered with the message. `onDone` gets the answer at once. A refusal that is `quiet` is told by
 * `onRefused`, which hears of every one.
 */
export const useAction = <Query, Body, Data>(
  operation: Operation<Query, Body, Data>,
  {
    done,
    undo,
    onDone,
    quiet,
    onRefused,
  }: {
    done?: string | ((data: Data) => string | undefined)
    undo?: (data: Data) => Undo | undefined
    onDone?: (data: Data) => void
    quiet?: NonNullable<Options['quiet']>
    onRefused?: (error: unknown) => void
  } = {},
) => {
  const request = useRequest()
  const tellDone = useTellDone()
  return useMutation({
    mutationFn: (input: Input<Query, Body>) => request(operation, input, quiet && { quiet }),
    onSuccess: async (data) => {
      onDone?.(data)
      await refetchAll()
      const words = typeof done === 'function' ? done(data) : done
      if (words) tellDone(words, undo?.(data))
    },
    // A change that was refused often means that what is shown is old.
    onError: (error) => {
      onRefused?.(error)
      return refetchAll()
    },
  })
}
