import { Tree, type TreeProps } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
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

/** The codes that a token gets, out of what its owner holds. */
export const PermissionPick = ({ value = [], onChange, 'aria-label': label }: PermissionPickProps) => {
  const options = useQuery({
    queryKey: [listMachineTokenPermissions.path],
    queryFn: () => call(listMachineTokenPermissions),
  })
  return (
    <fieldset className="permission-pick" aria-label={label}>
      <p>
        {options.isPending ? '正在加载您拥有的权限' : `已选 ${value.length} 项，共 ${options.data?.length ?? 0} 项`}
      </p>
      {options.data && (
        <Tree
          checkable
          blockNode
          selectable={false}
          checkedKeys={value}
          defaultExpandedKeys={[`${AREA}false`]}
          treeData={treeOf(options.data)}
          virtualListProps={{ height: 280 }}
          onCheck={(keys) => onChange?.(keys.filter((key) => !key.startsWith(AREA) && !key.startsWith(PAGE)))}
        />
      )}
    </fieldset>
  )
}
