import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { tellError } from '@/api/errors'
import { useAllowed } from '@/api/identity'
import { refetchAll } from '@/api/query'
import { useRequest } from '@/api/schoolContext'
import { confirm } from '@/kit/confirm'
import { useAddress } from '@/kit/useAddress'
import { appendPaperQuestions, composePaper, viewPaperComposition } from './api'
import { composedOf, type Outcome, type PaperDetail, type Section } from './composition'

/** What is passed or switched off stays as it is: a change makes the next version, and the page goes on with that. */
const isSettled = ({ status }: PaperDetail) => status === 'approved' || status === 'disabled'

const mayChange = async (paper: PaperDetail) =>
  !isSettled(paper) ||
  confirm({
    title: `修改“${paper.name}”将生成第${paper.versionNo + 1}版草稿`,
    content: '原版本保持不变，新版本审核通过后才替换它。',
    okText: '生成新版本',
  })

/**
 * A paper that is being put together. Each step is saved at once, as a whole and under the version that was read: of two
 * people the second is told, and sees what the first did.
 */
export const usePaper = (id: number) => {
  const request = useRequest()
  const client = useQueryClient()
  const [, setSearch] = useAddress()
  const queryKey = [viewPaperComposition.path, id]
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => request(viewPaperComposition, { query: { id } }, { signal }),
    enabled: id > 0,
  })
  const goOn = (saved: number) => {
    if (saved === id) return
    setSearch((before) => {
      const after = new URLSearchParams(before)
      after.set('paperId', String(saved))
      return after
    })
  }
  const options = {
    // One after the other: who adds two questions quickly adds both, the second to what the first made.
    scope: { id: `paper ${id}` },
    onSuccess: async ({ id: saved }: { id: number }) => {
      goOn(saved)
      await refetchAll()
    },
    // What was refused often means that what is shown is old.
    onError: () => refetchAll(),
  }
  const composing = useMutation({
    mutationFn: ({ version, sections }: { version: number; sections: readonly Section[] }) =>
      request(composePaper, { body: { id, version, sections: composedOf(sections) } }),
    ...options,
  })
  const appending = useMutation({
    mutationFn: (body: { sectionId: number; questionIds: number[] }) => {
      const version = client.getQueryData<PaperDetail>(queryKey)?.version ?? 0
      return request(appendPaperQuestions, { body: { id, version, ...body } })
    },
    ...options,
  })
  const isBusy = composing.isPending || appending.isPending
  const paper = query.data
  const allowed = useAllowed()
  return {
    query,
    /** Nothing is changed now: a step is being saved, the paper waits for its review, or one may not. */
    isBusy: isBusy || paper?.status === 'pending_review' || !allowed(composePaper),
    /** Saves the paper as it is to be; answers whether it was. */
    compose: async (outcome: readonly Section[] | Outcome) => {
      if (!paper) return false
      if (isBusy) {
        tellError('上一步正在保存，请稍后再试')
        return false
      }
      if ('refusal' in outcome) {
        tellError(outcome.refusal)
        return false
      }
      if (!(await mayChange(paper))) return false
      const sections = 'sections' in outcome ? outcome.sections : outcome
      return composing.mutateAsync({ version: paper.version, sections }).then(
        () => true,
        () => false,
      )
    },
    /** Puts questions at the end of a section; one that somebody else put in meanwhile is refused. */
    append: async (sectionId: number, questionIds: number[]) => {
      if (!paper || questionIds.length === 0) return false
      // The next version that a step makes has another number, which the following one must know.
      if (isBusy && isSettled(paper)) return false
      if (!(await mayChange(paper))) return false
      return appending.mutateAsync({ sectionId, questionIds }).then(
        () => true,
        () => false,
      )
    },
    /** To the paper that another step made or filled. */
    goOn,
  }
}

export type PaperDesk = ReturnType<typeof usePaper>
