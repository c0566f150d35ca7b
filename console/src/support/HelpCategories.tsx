import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { formatNumber } from '@/kit/format'
import { addressOf, type HelpCategory, type HelpPlace, isAt, numberOf } from './helpPlace'
import './support.css'

interface HelpCategoriesProps {
  categories: readonly HelpCategory[]
  place: HelpPlace
}

/** The categories that have something to read; each leads to its articles. */
export const HelpCategories = ({ categories, place }: HelpCategoriesProps) => {
  const lead = { audience: place.audience }
  const leaves = (nodes: readonly HelpCategory[]): ReactNode => (
    <ul>
      {nodes.map((category) => {
        const on = isAt(category, place.category)
        return (
          <li key={category.name}>
            <Link
              className={on ? 'help-leaf help-leaf-on' : 'help-leaf'}
              aria-current={on ? 'page' : undefined}
              to={addressOf({ ...lead, category: numberOf(category) })}
            >
              <span>
                {category.icon && <img src={category.icon} alt="" />}
                {category.name}
              </span>
              <span className="nothing">{formatNumber(category.count)}</span>
            </Link>
            {category.children.length > 0 && leaves(category.children)}
          </li>
        )
      })}
    </ul>
  )
  const all = !place.category && !place.words && !place.article
  return (
    <nav className="help-categories" aria-label="帮助分类">
      <Link
        className={all ? 'help-leaf help-leaf-on' : 'help-leaf'}
        aria-current={all ? 'page' : undefined}
        to={addressOf(lead)}
      >
        <span>全部文章</span>
      </Link>
      {leaves(categories)}
    </nav>
  )
}
