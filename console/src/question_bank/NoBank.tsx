import { Button, Empty } from '@arco-design/web-react'
import { useNavigate } from 'react-router'
import { Page } from '@/kit/Page'

/** A question belongs to a bank; without one there is nothing to be typed. */
export const NoBank = ({ list }: { list: string }) => {
  const navigate = useNavigate()
  return (
    <Page title="新增试题">
      <Empty
        description={
          <>
            请先选择题库，再新增试题
            <Button type="text" onClick={() => navigate(list)}>
              题库管理
            </Button>
          </>
        }
      />
    </Page>
  )
}
