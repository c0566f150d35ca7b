import { useQuery } from '@tanstack/react-query'
import { useRequest } from '@/api/schoolContext'
import { Loaded } from '@/kit/Loaded'
import { Watermark } from '@/kit/Watermark'
import { viewSheet } from './api'
import { SheetShown } from './SheetShown'

/** 查看: a sheet to be read; it is not taken for marking. */
export const SheetFile = ({ id }: { id: number }) => {
  const request = useRequest()
  const query = useQuery({
    queryKey: [viewSheet.path, id],
    queryFn: ({ signal }) => request(viewSheet, { query: { sheetId: id } }, { signal }),
  })
  return (
    <Loaded query={query}>
      {(paper) => (
        <>
          <SheetShown paper={paper} />
          <Watermark />
        </>
      )}
    </Loaded>
  )
}
