import { useMutation } from '@tanstack/react-query'
import type { Input } from '@/api/client'
import { tellSuccess } from '@/api/errors'
import { download } from '@/api/files'
import type { Operation } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { useNamed } from '@/api/schoolContext'

/** A file that the server draws, a paper to be printed or a workbook, saved under what it is called. */
export const useFileOf = <Query, Body>(operation: Operation<Query, Body, Blob>) => {
  const named = useNamed()
  return useMutation({
    mutationFn: async ({ input, name }: { input: Input<Query, Body>; name: string }) => {
      await download(operation, named(operation, input), name)
      tellSuccess(`已生成${name}`)
      // What is printed may be counted.
      if (operation.writes) await refetchAll()
    },
  })
}

/** What a list was asked for without its page, for a file of all of it. */
export const filterOf = (body: object) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'pageCurrent' && name !== 'pageSize'))
