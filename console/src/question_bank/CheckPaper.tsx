import { Alert, Button, Drawer } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useRequest } from '@/api/schoolContext'
import { DialogName } from '@/kit/DialogName'
import { Loaded } from '@/kit/Loaded'
import type { DrawerProps } from '@/kit/useDrawer'
import { checkPaper } from './api'

/** 检查: everything that speaks against handing a paper in, and what it comes to. */
export const CheckPaper = ({ record: paper, visible, onClose }: DrawerProps<{ id: number; name: string }>) => {
  const title = `检查 ${paper?.name ?? ''}`
  return (
    <Drawer
      title={title}
      width={480}
      visible={visible}
      footer={<Button onClick={onClose}>关闭</Button>}
      onCancel={onClose}
      unmountOnExit
    >
      <DialogName name={title} />
      {paper && <Found id={paper.id} />}
    </Drawer>
  )
}

const Found = ({ id }: { id: number }) => {
  const request = useRequest()
  const query = useQuery({
    queryKey: [checkPaper.path, id],
    queryFn: ({ signal }) => request(checkPaper, { query: { id } }, { signal }),
    staleTime: 0,
  })
  return (
    <Loaded query={query} rows={4}>
      {({ problems, questionCount, totalScore, objectiveScore, subjectiveScore, difficultyCoefficient }) => (
        <>
          {problems.length === 0 ? (
            <Alert type="success" content="没有发现问题，可以提交" />
          ) : (
            <Alert
              type="warning"
              title={`发现${problems.length}个问题，解决后才能提交`}
              content={
                <ul aria-label="问题">
                  {problems.map((problem) => (
                    <li key={problem}>{problem}</li>
                  ))}
                </ul>
              }
            />
          )}
          <dl className="question-facts">
            <dt>题数</dt>
            <dd>{questionCount}</dd>
            <dt>总分</dt>
            <dd>{totalScore.toFixed(1)}</dd>
            <dt>客观题</dt>
            <dd>{objectiveScore.toFixed(1)}分</dd>
            <dt>主观题</dt>
            <dd>{subjectiveScore.toFixed(1)}分</dd>
            <dt title="Σ(分值×难度系数)/总分，越大越容易">难度系数</dt>
            <dd>{difficultyCoefficient?.toFixed(2) ?? '—'}</dd>
          </dl>
        </>
      )}
    </Loaded>
  )
}
