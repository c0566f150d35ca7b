import { Alert, Button, Descriptions, Modal, Typography } from '@arco-design/web-react'
import { IconCopy } from '@arco-design/web-react/icon'
import { tellSuccess, tellWarning } from '@/api/errors'
import { copyText } from './copyText'

export interface Issued {
  loginName: string
  password: string
}

interface InitialPasswordProps {
  issued: Issued
  onClose: () => void
}

/** An initial password, shown this once. */
export const InitialPassword = ({ issued, onClose }: InitialPasswordProps) => {
  const copy = async () => {
    const done = await copyText(`账号：${issued.loginName}\n初始密码：${issued.password}`)
    if (done) tellSuccess('已复制账号和初始密码')
    else tellWarning('浏览器不允许复制，请手工选择后复制')
  }
  return (
    <Modal
      title="账号已新增"
      style={{ width: 480 }}
      visible
      closable={false}
      escToExit={false}
      maskClosable={false}
      footer={
        <>
          <Button icon={<IconCopy />} onClick={copy}>
            复制
          </Button>
          <Button type="primary" onClick={onClose}>
            我已记下
          </Button>
        </>
      }
    >
      <Alert
        className="form-lead"
        type="warning"
        title="请现在记下初始密码，关闭后不再显示"
        content="首次登录时须修改密码。遗失后可以重置密码。"
      />
      <Descriptions
        column={1}
        data={[
          { label: '账号', value: issued.loginName },
          { label: '初始密码', value: <Typography.Text code>{issued.password}</Typography.Text> },
        ]}
      />
    </Modal>
  )
}
