import { Select } from '@arco-design/web-react'
import { iconNames, MenuIcon } from '@/kit/icons'
import './menus.css'

interface IconSelectProps {
  value?: string
  onChange?: (name: string | undefined) => void
}

/** The icons that the sidebar knows, each shown. */
export const IconSelect = ({ value, onChange }: IconSelectProps) => (
  <Select
    aria-label="图标"
    allowClear
    showSearch
    placeholder="请选择"
    value={value || undefined}
    onChange={onChange}
    renderFormat={(_, name) => (
      <span className="icon-choice">
        <MenuIcon name={String(name)} /> {String(name)}
      </span>
    )}
  >
    {iconNames.map((name) => (
      <Select.Option key={name} value={name}>
        <span className="icon-choice">
          <MenuIcon name={name} /> {name}
        </span>
      </Select.Option>
    ))}
  </Select>
)
