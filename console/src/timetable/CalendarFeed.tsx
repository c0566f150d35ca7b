import { Alert, Button, Drawer, Space } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useRequest } from '@/api/schoolContext'
import { Can } from '@/kit/Can'
import { CopyButton } from '@/kit/CopyButton'
import { confirm } from '@/kit/confirm'
import { DialogName } from '@/kit/DialogName'
import { formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import type { Choice } from '@/kit/OptionSelect'
import { useAction } from '@/kit/useAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { renewTeacherFeed, revokeTeacherFeed, viewTeacherFeed } from './api'
import { calendarAddress } from './timetableRules'

const Feed = ({ teacher }: { teacher: Choice }) => {
  const request = useRequest()
  const teacherId = teacher.code
  const [address, setAddress] = useState<string>()
  const query = useQuery({
    queryKey: [viewTeacherFeed.path, teacherId],
    queryFn: ({ signal }) => request(viewTeacherFeed, { query: { teacherId } }, { signal }),
  })
  const renew = useAction(renewTeacherFeed, {
    done: '已生成订阅地址',
    onDone: (made) => setAddress(calendarAddress(made.address)),
  })
  const revoke = useAction(revokeTeacherFeed, { done: '已取消订阅', onDone: () => setAddress(undefined) })
  const renewAsked = async (active: boolean) => {
    const asked = {
      title: `重新生成“${teacher.desc}”的订阅地址？`,
      content: '原来的地址随即失效，已经订阅的日历不再更新。',
      okText: '重新生成',
    }
    if (!active || (await confirm(asked))) renew.mutate({ body: { teacherId } })
  }
  const revokeAsked = async () => {
    const asked = {
      title: `取消“${teacher.desc}”的订阅？`,
      content: '地址随即失效，可以再次生成。',
      okText: '取消订阅',
      danger: true,
    }
    if (await confirm(asked)) revoke.mutate({ query: { teacherId } })
  }
  return (
    <Loaded query={query} rows={3}>
      {({ active, renewedAt }) => (
        <>
          <p className="form-hint">
            把地址加入手机或电脑的日历，教师前30天和以后已发布的课次随课表更新。知道地址的人不用登录就能看到课表，请只交给教师本人。
          </p>
          {address ? (
            <Alert
              type="success"
              content={
                <>
                  <code className="feed-address">{address}</code> <CopyButton label="订阅地址" value={address} />
                  <br />
                  地址只显示这一次，请复制后交给教师。
                </>
              }
            />
          ) : (
            <p>{active ? `已于${formatTime(renewedAt ?? '')}生成订阅地址。` : '还没有订阅地址。'}</p>
          )}
          <Space>
            <Can do={renewTeacherFeed}>
              <Button type="primary" loading={renew.isPending} onClick={() => renewAsked(active)}>
                {active ? '重新生成' : '生成订阅地址'}
              </Button>
            </Can>
            {active && (
              <Can do={revokeTeacherFeed}>
                <Button status="danger" loading={revoke.isPending} onClick={revokeAsked}>
                  取消订阅
                </Button>
              </Can>
            )}
          </Space>
        </>
      )}
    </Loaded>
  )
}

/** 订阅日历: the address under which a calendar program reads a teacher's lessons. */
export const CalendarFeed = ({ visible, record: teacher, onClose }: DrawerProps<Choice>) => {
  const title = `订阅日历 ${teacher?.desc ?? ''}`
  return (
    <Drawer title={title} width={560} visible={visible} footer={null} onCancel={onClose} unmountOnExit>
      <DialogName name={title} />
      {teacher && <Feed key={teacher.code} teacher={teacher} />}
    </Drawer>
  )
}
