import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useState } from 'react'
import { step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { FilterBar } from '@/kit/FilterBar'
import { EnumFilter, TextFilter } from '@/kit/filters'
import { QueryTable } from '@/kit/QueryTable'
import { undoBy } from '@/kit/undo'
import { useQueryTable } from '@/kit/useQueryTable'
import { deleteMachineToken, listMachineTokens, saveMachineToken, switchMachineToken } from '../api'
import { Names } from './account'
import { IssuedSecret, MachineTokenForm } from './MachineTokenForm'

const columns = columnsOf(listMachineTokens, [
  { field: 'name', width: 160, fixed: 'left' },
  {
    field: 'state',
    width: 90,
    fixed: 'left',
    tones: { active: 'good', disabled: 'quiet', expired: 'bad', owner_off: 'bad' },
  },
  { field: 'shownPrefix', width: 120, render: (row) => <code>{row.shownPrefix}…</code> },
  { field: 'ownerName', width: 110 },
  { field: 'ownerLoginName', width: 120, hidden: true },
  {
    field: 'permissionCodes',
    title: '权限数',
    width: 90,
    help: '使用时与所有者当时的权限取交集',
    render: (row) => `${row.permissionCodes.length}项`,
  },
  {
    field: 'schoolNames',
    title: '可管院校',
    width: 160,
    render: (row) => (row.schoolScope === 'all' ? '所有者的全部院校' : <Names names={row.schoolNames} />),
  },
  'expiresAt',
  { field: 'lastUsedAt', help: '每分钟最多记录一次' },
  { field: 'lastUsedIp', hidden: true },
  { field: 'remark', hidden: true },
  { field: 'createdAt', hidden: true },
])

/** 机器令牌: programs that call with some of a person's rights. */
export const MachineTokens = () => {
  const table = useQueryTable(listMachineTokens)
  const [issuing, setIssuing] = useState(false)
  const [secret, setSecret] = useState<string>()
  return (
    <>
      <FilterBar table={table}>
        <TextFilter of={listMachineTokens} field="name" />
        <TextFilter of={listMachineTokens} field="owner" />
        <EnumFilter of={listMachineTokens} field="state" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(token) => token.name}
        primary={
          <Can do={saveMachineToken}>
            <Button type="primary" icon={<IconPlus />} onClick={() => setIssuing(true)}>
              签发令牌
            </Button>
          </Can>
        }
        actionsWidth={140}
        actions={(token) => [
          step(switchMachineToken, {
            label: token.enabled ? '停用' : '启用',
            danger: token.enabled,
            with: { body: { id: token.id, enabled: !token.enabled, version: token.version } },
            confirm: token.enabled
              ? { title: `停用机器令牌“${token.name}”？`, content: '使用它的程序会立即被拒绝，可以重新启用。' }
              : undefined,
            done: token.enabled ? `已停用“${token.name}”` : `已启用“${token.name}”`,
            undo: () =>
              undoBy(switchMachineToken, {
                body: { id: token.id, enabled: token.enabled, version: token.version + 1 },
              }),
          }),
          step(deleteMachineToken, {
            label: '删除',
            danger: true,
            with: { query: { id: token.id } },
            confirm: {
              title: `删除机器令牌“${token.name}”？`,
              content: '使用它的程序会立即被拒绝，且不能恢复；日志保留其名称。',
            },
            done: `已删除“${token.name}”`,
          }),
        ]}
        empty="还没有机器令牌。点击“签发令牌”，供自动化程序以您的部分权限调用接口。"
      />
      {issuing && <MachineTokenForm onIssued={setSecret} onClose={() => setIssuing(false)} />}
      {secret && <IssuedSecret secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  )
}
