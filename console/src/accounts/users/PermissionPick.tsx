import { Empty, Input, Tree, type TreeProps } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '@/api/client'
import type { RowOf } from '@/api/operation'
import { listMachineTokenPermissions } from '../api'
import './users.css'

type Option = RowOf<typeof listMachineTokenPermissions>

interface PermissionPickProps {
  value?: string[]
  onChange?: (codes: string[]) => void
  'aria-label'?: string
}

const AREA = 'area:'
const PAGE = 'page:'

/** Area → page → permission; only the leaves are codes. */
const treeOf = (options: readonly Option[]): NonNullable<TreeProps['treeData']> =>
  [false, true].flatMap((school) => {
    const own = options.filter((option) => option.school === school)
    const pages = [...new Set(own.map(({ page }) => page))]
    return own.length === 0
      ? []
      : [
          {
            key: `${AREA}${school}`,
            title: school ? '院校区域' : '平台区域',
            children: pages.map((page) => ({
              key: `${PAGE}${school}${page}`,
              title: page,
              children: own
                .filter((option) => option.page === page)
                .map(({ code, desc }) => ({ key: code, title: `${desc} ${code}` })),
            })),
          },
        ]
  })

const says = (option: Option, words: string) =>
  [option.page, option.desc, option.code].some((text) => text.toLowerCase().includes(words))

/** The codes that a token gets, out of what its owner holds. */
export const PermissionPick = ({ value = [], onChange, 'aria-label': label }: PermissionPickProps) => {
  const options = useQuery({
    queryKey: [listMachineTokenPermissions.path],
    queryFn: () => call(listMachineTokenPermissions),
  })
  const [sought, setSought] = useState('')
  const words = sought.trim().toLowerCase()
  const all = options.data ?? []
  const shown = words ? all.filter((option) => says(option, words)) : all
  const tree = treeOf(shown)
  const pagesOpen = words ? tree.flatMap(({ children }) => children?.map(({ key }) => String(key)) ?? []) : []
  const check = (keys: string[]) => {
    const codes = new Set(shown.map(({ code }) => code))
    onChange?.([...value.filter((code) => !codes.has(code)), ...keys.filter((key) => codes.has(key))])
  }
  return (
    <fieldset className="permission-pick" aria-label={label}>
      <p>{options.isPending ? '正在加载您拥有的权限' : `已选 ${value.length} 项，共 ${all.length} 项`}</p>
      <Input.Search
        allowClear
        value={sought}
        onChange={setSought}
        placeholder="查找页面、权限或编码"
        aria-label="查找权限"
      />
      {options.data &&
        (shown.length > 0 ? (
          <Tree
            // What is open by itself is told once.
            key={words}
            checkable
            blockNode
            selectable={false}
            checkedKeys={value}
            defaultExpandedKeys={[`${AREA}false`, ...(words ? [`${AREA}true`] : []), ...pagesOpen]}
            treeData={tree}
            virtualListProps={{ height: 280 }}
            onCheck={check}
          />
        ) : (
          <Empty description="没有符合的权限" />
        ))}
    </fieldset>
  )
}
