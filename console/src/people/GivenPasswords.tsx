import { Button, Table } from '@arco-design/web-react'
import { useState } from 'react'
import { ShownOnce } from '@/accounts/ShownOnce'
import { tellError, tellSuccess } from '@/api/errors'
import { saveBlob } from '@/api/files'
import { refusalIn } from '@/kit/actions'
import { confirm } from '@/kit/confirm'
import { csvOf } from '@/kit/csv'
import { useAction } from '@/kit/useAction'
import type { AccountCalls, AccountRow, Passwords } from './accounts'

interface GivenPasswordsProps {
  passwords: Passwords
  onClose: () => void
}

/** Random initial passwords, which nobody can look up afterwards. */
const GivenPasswords = ({ passwords, onClose }: GivenPasswordsProps) => {
  const named = passwords.some((row) => row.schoolName)
  const heading = [...(named ? ['院校'] : []), '姓名', '登录名', '初始密码']
  const rows = passwords.map((row) => [...(named ? [row.schoolName ?? ''] : []), row.name, row.loginName, row.password])
  return (
    <ShownOnce
      title="初始密码"
      warning="只显示这一次，请保存后交给本人"
      content="这些人员没有证件号，密码为随机生成，首次登录时须修改。"
      text={rows.map((row) => row.join('\t')).join('\n')}
      name="初始密码"
      width={600}
      onClose={onClose}
    >
      <Table
        size="small"
        rowKey={(row) => `${row.schoolId ?? ''}-${row.id}`}
        data={passwords}
        pagination={{ pageSize: 10, hideOnSinglePage: true }}
        columns={[
          ...(named ? [{ title: '院校', dataIndex: 'schoolName' }] : []),
          { title: '姓名', dataIndex: 'name' },
          { title: '登录名', dataIndex: 'loginName' },
          { title: '初始密码', dataIndex: 'password' },
        ]}
      />
      <Button className="bulk-download" onClick={() => saveBlob(csvOf(heading, rows), '初始密码.csv')}>
        下载
      </Button>
    </ShownOnce>
  )
}

/** 重置密码 of a list of people: asks, and shows what is told this once. */
export const usePasswordReset = (calls: AccountCalls) => {
  const [passwords, setPasswords] = useState<Passwords>([])
  const resetting = useAction(calls.reset, {
    onDone: (answer) => {
      const refusal = refusalIn(answer)
      if (refusal) tellError(refusal)
      else tellSuccess('已重置密码')
      setPasswords(answer.passwords)
    },
  })
  const ask = async (row: AccountRow) => {
    const question = {
      title: `重置“${row.name}”的密码？`,
      content: '恢复为初始密码，本人会立即退出，下次登录时须修改。',
      okText: '重置密码',
      danger: true,
    }
    if (await confirm(question)) {
      resetting.mutate({ body: { items: [{ id: row.id, version: row.accountVersion ?? 0 }] } })
    }
  }
  const shown = passwords.length > 0 && <GivenPasswords passwords={passwords} onClose={() => setPasswords([])} />
  return { ask, show: setPasswords, shown }
}
