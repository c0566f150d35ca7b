import { useMutation } from '@tanstack/react-query'
import { download } from '@/api/files'
import { useNamed } from '@/api/schoolContext'
import { printTeachingPlan } from './api'

/** 打印: the plan as the table that is signed and sealed. */
export const usePrinting = () => {
  const named = useNamed()
  return useMutation({
    mutationFn: ({ id, name }: { id: number; name: string }) =>
      download(printTeachingPlan, named(printTeachingPlan, { query: { id } }), `${name}.pdf`),
  })
}
