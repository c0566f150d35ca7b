import { useMutation } from '@tanstack/react-query'
import { LONG_TIMEOUT_MS, type LooseInput, send, unwrap } from '@/api/client'
import { tellSuccess } from '@/api/errors'
import { fileNameOf, saveBlob } from '@/api/files'
import type { OperationMeta } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { useNamed } from '@/api/schoolContext'

/** A paper that the server draws at once; a long one is a job, whose number comes instead. */
const printed = async (operation: OperationMeta, { query, body }: LooseInput, name: string) => {
  const response = await send(operation, query, body, AbortSignal.timeout(LONG_TIMEOUT_MS))
  if (/json|text\//.test(response.headers.get('Content-Type') ?? '')) {
    unwrap<unknown>(await response.text())
    return false
  }
  saveBlob(await response.blob(), fileNameOf(response.headers.get('Content-Disposition')) ?? name)
  return true
}

interface Wish {
  operation: OperationMeta
  body: object
}

/** Prints on the server: a file to be opened, or a job for what has more than 500 pages. */
export const usePrinted = () => {
  const named = useNamed()
  return useMutation({
    mutationFn: ({ operation, body }: Wish) => printed(operation, named(operation, { body }), `${operation.title}.pdf`),
    onSuccess: async (isFile, { operation }) => {
      tellSuccess(isFile ? `已生成${operation.title}，请打开后打印` : '页数较多，正在生成，完成后在任务中心下载')
      if (!isFile) await refetchAll()
    },
  })
}
