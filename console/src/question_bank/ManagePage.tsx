import { Button } from '@arco-design/web-react'
import { useNavigate } from 'react-router'
import { usePlaces } from '@/kit/usePlaces'
import { PaperDeskPage } from './PaperDeskPage'
import { PaperHead } from './PaperHead'
import { PaperManager } from './PaperManager'

/** 管理试题 of a paper, in a school (03 A8); operators have it beside 选题组卷. */
export const ManagePage = () => {
  const navigate = useNavigate()
  const places = usePlaces()
  return (
    <PaperDeskPage title="管理试题">
      {(paper, desk) => (
        <>
          <PaperHead
            paper={paper}
            links={<Button onClick={() => navigate(places('paperCompose', { paperId: paper.id }))}>选题</Button>}
          />
          <PaperManager paper={paper} desk={desk} />
        </>
      )}
    </PaperDeskPage>
  )
}
