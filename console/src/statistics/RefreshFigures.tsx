import { Button, Space } from '@arco-design/web-react'
import { IconRefresh } from '@arco-design/web-react/icon'
import type { ReactNode } from 'react'
import type { BodyOf } from '@/api/operation'
import { isOverAll, useSchoolContext } from '@/api/schoolContext'
import { formatNumber, formatTime } from '@/kit/format'
import { useAction } from '@/kit/useAction'
import { refreshStatistics } from './api'

export type Screen = BodyOf<typeof refreshStatistics>['screen']

interface RefreshFiguresProps {
  screen: Screen
  told: { computedAt: string; dataUntil: string } | undefined
}

/** 数据截至, and what happened since summed up at once. Over all schools each publishes its own. */
export const RefreshFigures = ({ screen, told }: RefreshFiguresProps) => {
  const overAll = isOverAll(useSchoolContext())
  const refresh = useAction(refreshStatistics, {
    done: ({ changed }) => (changed > 0 ? `已更新，${formatNumber(changed)}项有变化` : '数据已是最新'),
  })
  return (
    <Space size={8} className="stat-until">
      {told && <span>数据截至 {formatTime(told.dataUntil, 'MM-DD HH:mm')}</span>}
      {(!overAll || screen === 'from_statistics') && (
        <Button
          icon={<IconRefresh />}
          loading={refresh.isPending}
          title="立即汇总尚未汇总的变动"
          onClick={() => refresh.mutate({ body: { screen } })}
        >
          刷新数据
        </Button>
      )}
    </Space>
  )
}

interface StatBarProps extends RefreshFiguresProps {
  /** Levels, and whether a table or charts are shown. */
  children: ReactNode
}

/** Over charts what a list has in its toolbar. */
export const StatBar = ({ children, ...refresh }: StatBarProps) => (
  <div className="toolbar">
    {children}
    <div className="toolbar-right">
      <RefreshFigures {...refresh} />
    </div>
  </div>
)
