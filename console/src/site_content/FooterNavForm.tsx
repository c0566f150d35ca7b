import { Select } from '@arco-design/web-react'
import type { RowOf } from '@/api/operation'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { RichText } from '@/kit/RichText'
import type { DrawerProps } from '@/kit/useDrawer'
import { editFooterNav, type listFooterNavs, saveFooterNav, viewFooterNav } from './api'

type Node = RowOf<typeof listFooterNavs>
type Nav = RowOf<typeof viewFooterNav>

/** An entry that is edited, or a new one below a column. */
export interface FooterNavDraft {
  nav?: Node
  below?: Node
}

/** Characters of an article. */
const ARTICLE = 10_000

interface ColumnProps {
  columns: readonly Node[]
  value?: number | null
  onChange?: (id: number | undefined) => void
}

const Column = ({ columns, value, onChange }: ColumnProps) => (
  <Select
    aria-label="上级导航"
    allowClear
    placeholder="一级导航"
    value={value ?? undefined}
    onChange={onChange}
    options={columns.map(({ id, navTitle }) => ({ value: id, label: navTitle }))}
  />
)

const Field = fieldsOf(saveFooterNav)

interface FooterNavFormProps extends DrawerProps<FooterNavDraft> {
  columns: readonly Node[]
}

export const FooterNavForm = ({ record, columns, ...drawer }: FooterNavFormProps) => {
  const nav = record?.nav
  return (
    <FormDrawer<Nav | Node, { id: number }>
      {...drawer}
      record={nav}
      title={nav ? `编辑导航 ${nav.navTitle}` : '新增导航'}
      width={720}
      initial={{ parentId: record?.below?.id, sort: 0, enabled: true }}
      action={(edited) =>
        edited ? formAction(editFooterNav, '已保存导航', edited) : formAction(saveFooterNav, '已新增导航')
      }
      reload={(edited, call) => call(viewFooterNav, { query: { id: edited.id } })}
      keep={['parentId', 'enabled']}
    >
      <Field name="parentId">
        <Column columns={columns.filter(({ id }) => id !== nav?.id)} />
      </Field>
      <Field name="navTitle" />
      <Field name="linkUrl" />
      <Field name="content">
        <RichText most={ARTICLE} />
      </Field>
      <Field name="sort" />
      <Field name="enabled" />
    </FormDrawer>
  )
}
