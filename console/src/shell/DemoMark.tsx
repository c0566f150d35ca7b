import { useIdentity } from '@/api/identity'

/** Stands above everything inside a school whose people are invented, so that nobody takes them for real ones. */
export const DemoMark = () => {
  const demo = useIdentity((state) => state.account?.schoolDemo)
  if (!demo) return null
  return (
    <div className="demo-mark" role="note">
      演示院校：人员和业务数据均为虚构，消息只记录、不发送
    </div>
  )
}
