import { Spin } from '@arco-design/web-react'

export const Loading = () => (
  <div className="loading">
    <Spin tip="正在加载" />
  </div>
)
