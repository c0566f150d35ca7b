import { Button, Result } from '@arco-design/web-react'
import { signOut } from '@/accounts/signOut'
import { Drawing } from '@/kit/Drawings'

/** For a person whose roles open no page. */
export const NoMenus = () => (
  <Result
    className="whole-page"
    icon={<Drawing of="noRight" />}
    status={null}
    subTitle="暂无可用菜单，请联系管理员"
    extra={
      <Button type="primary" onClick={() => signOut()}>
        退出登录
      </Button>
    }
  />
)
