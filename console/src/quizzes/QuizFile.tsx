import { useQuery } from '@tanstack/react-query'
import { useCall } from '@/api/schoolContext'
import { Loaded } from '@/kit/Loaded'
import { MediaOf } from '@/kit/MediaOf'
import { TabPanels } from '@/kit/TabList'
import { RecordHistory } from '@/logs/RecordHistory'
import { listQuizzes, viewQuiz } from './api'
import { PaperView } from './PaperView'

/** 预览: the paper as attempts that begin now would have it, with what is right; and who changed what. */
export const QuizFile = ({ id }: { id: number }) => {
  const call = useCall()
  const query = useQuery({
    queryKey: [listQuizzes.path, viewQuiz.path, id],
    queryFn: () => call(viewQuiz, { query: { id } }),
  })
  return (
    <Loaded query={query}>
      {({ paper, media, content }) => (
        <TabPanels
          label="试卷"
          panels={[
            {
              title: '预览',
              content: (
                <MediaOf files={media}>
                  <p className="paper-about">
                    {content.durationMinutes}分钟，总分{content.totalScore}，及格{content.passScore}
                  </p>
                  <PaperView paper={paper} />
                </MediaOf>
              ),
            },
            { title: '操作日志', content: <RecordHistory of="online_exam" id={id} />, late: true },
          ]}
        />
      )}
    </Loaded>
  )
}
