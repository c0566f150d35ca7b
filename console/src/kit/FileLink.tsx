import { Button } from '@arco-design/web-react'
import { useMutation } from '@tanstack/react-query'
import { tellError } from '@/api/errors'

interface FileLinkProps {
  /** What the file is called; none when there is no file. */
  name: string | null | undefined
  /** Its address lasts some minutes, so it is asked for when the file is wanted. */
  address: () => Promise<string | null | undefined>
}

/** A private file of a record. */
export const FileLink = ({ name, address }: FileLinkProps) => {
  const opening = useMutation({
    mutationFn: async () => {
      const url = await address()
      if (url) window.open(url, '_blank', 'noopener')
      else tellError('文件不存在或已被删除')
    },
  })
  if (!name) return '—'
  return (
    <Button type="text" size="mini" loading={opening.isPending} onClick={() => opening.mutate()}>
      {name}
    </Button>
  )
}
