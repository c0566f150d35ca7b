import { type Given, type Item, standing } from './markingRules'

const words = { auto: '无需批阅', marked: '已给分', pending: '待给分' } as const

interface NavProps {
  items: readonly Item[]
  given: Given
  at: number
  onGo: (at: number) => void
}

/** 题目: grey what the machine marked, orange what waits, green what has its score. */
export const QuestionsNav = ({ items, given, at, onGo }: NavProps) => (
  <nav className="marking-questions" aria-label="题目">
    {items.map((item, index) => {
      const how = standing(item, given)
      return (
        <button
          key={item.itemId}
          type="button"
          className={`marking-${how}`}
          aria-current={index === at}
          aria-label={`第${item.seq}题 ${words[how]}`}
          onClick={() => onGo(index)}
        >
          {item.seq}
        </button>
      )
    })}
  </nav>
)
