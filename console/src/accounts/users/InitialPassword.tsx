import { Descriptions, Typography } from '@arco-design/web-react'
import { ShownOnce } from '../ShownOnce'

export interface Issued {
  loginName: string
  password: string
}

interface InitialPasswordProps {
  issued: Issued
  onClose: () => void
}

/** An initial password, shown this once. */
export const InitialPassword = ({ issued, onClose }: InitialPasswordProps) => (
  <ShownOnce
    title="账号已新增"
    warning="请现在记下初始密码，关闭后不再显示"
    content="首次登录时须修改密码。遗失后可以重置密码。"
    text={`账号：${issued.loginName}\n初始密码：${issued.password}`}
    name="账号和初始密码"
    onClose={onClose}
  >
    <Descriptions
      column={1}
      data={[
        { label: '账号', value: issued.loginName },
        { label: '初始密码', value: <Typography.Text code>{issued.password}</Typography.Text> },
      ]}
    />
  </ShownOnce>
)
