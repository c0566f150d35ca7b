import { Button, Result } from '@arco-design/web-react'
import { useNavigate } from 'react-router'

export const NotFound = () => {
  const navigate = useNavigate()
  return (
    <Result
      className="whole-page"
      status="404"
      subTitle="抱歉，您访问的页面不存在"
      extra={
        <Button type="primary" onClick={() => navigate('/', { replace: true })}>
          返回首页
        </Button>
      }
    />
  )
}
