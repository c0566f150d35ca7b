import { Button, Empty } from '@arco-design/web-react'
import type { ReactNode } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { Page } from '@/kit/Page'
import { SchoolFirst } from '@/kit/SchoolFirst'
import { useTabTitle } from '@/kit/tab'
import { usePlaces } from '@/kit/usePlaces'
import { listPapers } from './api'
import type { PaperDetail } from './composition'
import { type PaperDesk, usePaper } from './usePaper'
import './questionBank.css'

interface PaperDeskPageProps {
  title: string
  children: (paper: PaperDetail, desk: PaperDesk) => ReactNode
}

/** A page about the paper in the address (`?paperId=`), loaded and ready to be changed. */
export const PaperDeskPage = ({ title, children }: PaperDeskPageProps) => {
  const [search] = useSearchParams()
  const id = Number(search.get('paperId')) || 0
  return (
    <SchoolFirst title={title}>
      {id > 0 ? (
        <Desk key={id} id={id} title={title}>
          {children}
        </Desk>
      ) : (
        <NoPaper title={title} />
      )}
    </SchoolFirst>
  )
}

const NoPaper = ({ title }: { title: string }) => {
  const navigate = useNavigate()
  const places = usePlaces()
  return (
    <Page title={title}>
      <Empty
        description={
          <>
            请先选择试卷
            <Button type="text" onClick={() => navigate(places('papers'))}>
              试卷管理
            </Button>
          </>
        }
      />
    </Page>
  )
}

const aboutOf = ({ code, name, courseName, kind, variant, versionNo }: PaperDetail) =>
  `${code} ${name} · ${courseName} · ${labelOf(listPapers, 'kind', kind)} · ${labelOf(listPapers, 'variant', variant)}第${versionNo}版`

const Desk = ({ id, title, children }: PaperDeskPageProps & { id: number }) => {
  const desk = usePaper(id)
  useTabTitle(desk.query.data?.name)
  return (
    <Page title={title} help={desk.query.data && aboutOf(desk.query.data)}>
      <Loaded query={desk.query}>{(paper) => children(paper, desk)}</Loaded>
    </Page>
  )
}
