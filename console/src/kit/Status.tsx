import { Tag } from '@arco-design/web-react'
import type { ReactNode } from 'react'

/** What a state means for the person, never the only sign of it: the word stands in the tag. */
export type Tone = 'good' | 'busy' | 'warning' | 'bad' | 'quiet'

const colours: Record<Tone, string> = {
  good: 'green',
  busy: 'arcoblue',
  warning: 'orange',
  bad: 'red',
  quiet: 'gray',
}

export const Word = ({ tone = 'quiet', children }: { tone?: Tone; children: ReactNode }) => (
  <Tag className="word" color={colours[tone]} size="small">
    {children}
  </Tag>
)

export const Enabled = ({ value }: { value: boolean }) => (
  <Word tone={value ? 'good' : 'quiet'}>{value ? '启用' : '停用'}</Word>
)
